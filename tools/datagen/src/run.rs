//! Plays many games on several threads and hands them over in order.
//!
//! Numbers are given out from low to high and games are handed over from low
//! to high, so a file with `n` games holds those numbered below `n`, whatever
//! the number of threads, and can be gone on with.

use crate::selfplay::play_game;
use crate::settings::Settings;
use crate::thinker::Thinker;
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};
use yonsan_format::Game;

/// Stack of a thread that plays: the search goes deep.
const STACK_BYTES: usize = 16 << 20;
/// Longest time between two calls of the observer.
const TICK: Duration = Duration::from_millis(500);

/// Which games to play and until when. Games that have begun are finished.
#[derive(Debug)]
pub struct Bounds<'a> {
    /// Number of the first game.
    pub first: u64,
    /// Number of the first game no longer to play.
    pub end: u64,
    /// When to begin no more games.
    pub deadline: Option<Instant>,
    /// Set from outside to begin no more games.
    pub stop: &'a AtomicBool,
}

/// Plays games on `threads` threads. `take` gets them in order, and `None`
/// now and then while nothing happens.
///
/// # Errors
///
/// The first error of a game or of `take`; games handed over before it are
/// good.
pub fn run(
    settings: &Settings,
    threads: usize,
    bounds: &Bounds<'_>,
    mut take: impl FnMut(Option<Game>) -> Result<()>,
) -> Result<()> {
    let next = AtomicU64::new(bounds.first);
    let is_over = AtomicBool::new(false);
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for number in 0..threads.max(1) {
            let sender = sender.clone();
            let (next, is_over) = (&next, &is_over);
            thread::Builder::new()
                .name(format!("player-{number}"))
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, move || {
                    play_games(settings, bounds, next, is_over, &sender);
                })
                .context("cannot start a thread")?;
        }
        drop(sender);
        let result = hand_over(bounds.first, &receiver, &mut take);
        is_over.store(true, Relaxed);
        result
    })
}

type Numbered = (u64, Result<Game>);

/// What a playing thread does.
fn play_games(
    settings: &Settings,
    bounds: &Bounds<'_>,
    next: &AtomicU64,
    is_over: &AtomicBool,
    sender: &Sender<Numbered>,
) {
    let mut thinker = Thinker::new(settings);
    loop {
        let is_late = bounds.deadline.is_some_and(|end| Instant::now() >= end);
        if is_late || bounds.stop.load(Relaxed) || is_over.load(Relaxed) {
            return;
        }
        let number = next.fetch_add(1, Relaxed);
        if number >= bounds.end {
            return;
        }
        let game = play_game(&mut thinker, settings, number);
        // Nobody listens after an error; the flag says so too.
        if sender.send((number, game)).is_err() {
            return;
        }
    }
}

fn hand_over(
    first: u64,
    receiver: &Receiver<Numbered>,
    take: &mut impl FnMut(Option<Game>) -> Result<()>,
) -> Result<()> {
    let mut due = first;
    let mut early = BTreeMap::new();
    loop {
        match receiver.recv_timeout(TICK) {
            Ok((number, game)) => {
                early.insert(number, game);
                while let Some(game) = early.remove(&due) {
                    take(Some(game?))?;
                    due += 1;
                }
            }
            Err(RecvTimeoutError::Timeout) => take(None)?,
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
    }
}
