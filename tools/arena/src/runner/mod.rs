//! Plays the games of an event: worker threads, each with its own engines,
//! take game after game and hand the records to the caller's thread, which
//! alone writes, counts and shows. The games of a pair are taken one after
//! the other, and games that a stop interrupts leave no record.

mod adjudicate;
mod answer;
mod clock;
mod crew;
mod failure;
mod game;
mod overload;
mod player;
mod procedure;
mod trace;

pub use answer::{Answer, Coordinates, board_command, parse_answer, start_command, swap_command};
pub use failure::Failure;
pub use overload::Heartbeat;
pub use player::{Player, Reply};
pub use trace::unix_seconds;

use crate::config::EventConfig;
use crate::process::{available_cores, pin_thread};
use crate::record::GameRecord;
use crate::schedule::Schedule;
use anyhow::{Result, bail};
use crew::Crew;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;
use yonsan::board::Size;

/// How often the caller is woken although no game has ended.
const TICK: Duration = Duration::from_millis(500);

/// How a run goes on, besides what the event is.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Number of games at a time, at least 1.
    pub concurrency: usize,
    /// Whether every worker keeps to cores of its own.
    pub pin: bool,
    /// Where to write what engines were sent and said, one file a game.
    pub trace_directory: Option<PathBuf>,
}

/// What all games of a run share.
#[derive(Debug)]
pub struct Setting<'s> {
    /// The event.
    pub config: &'s EventConfig,
    /// The board.
    pub size: Size,
    /// Set when the run is to end.
    pub stop: &'s AtomicBool,
    /// Watches the machine.
    pub heartbeat: &'s Heartbeat,
    /// Whether players keep traces.
    pub keeps_traces: bool,
}

impl Setting<'_> {
    /// # Errors
    ///
    /// If the run is to end.
    fn check_stop(&self) -> Result<(), Trouble> {
        if self.stop.load(Ordering::SeqCst) {
            Err(Trouble::Stopped)
        } else {
            Ok(())
        }
    }
}

/// Why an engine gave no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// It failed.
    Failed(Failure),
    /// The run was stopped; nobody is to blame.
    Stopped,
}

/// What the caller of [`run`] is told.
#[derive(Debug)]
pub enum Notice {
    /// Games have ended: all that did since the last notice.
    Games(Vec<GameRecord>),
    /// Some time has passed.
    Tick,
}

/// Plays the games with these numbers. `take` gets all records and can end
/// the run by returning false; so can whoever sets `stop`.
///
/// # Errors
///
/// If `take` fails, there are too few cores to pin to, or a trace cannot be
/// written.
pub fn run(
    config: &EventConfig,
    schedule: &Schedule,
    numbers: &[u64],
    options: &RunOptions,
    stop: &AtomicBool,
    mut take: impl FnMut(Notice) -> Result<bool>,
) -> Result<()> {
    let places = worker_places(config, options)?;
    let heartbeat = Heartbeat::start();
    let setting = Setting {
        config,
        size: config.size()?,
        stop,
        heartbeat: &heartbeat,
        keeps_traces: options.trace_directory.is_some(),
    };
    let next = AtomicUsize::new(0);
    let mut result = Ok(());
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        let (leave, leaving) = mpsc::channel();
        scope.spawn(move || crew::see_off(leaving));
        for cores in &places {
            let worker = Worker {
                setting: &setting,
                schedule,
                numbers,
                next: &next,
                options,
                sender: sender.clone(),
            };
            let crew = Crew::new(leave.clone());
            scope.spawn(move || worker.work(cores, crew));
        }
        drop((sender, leave));
        loop {
            let (notice, failed) = match receiver.recv_timeout(TICK) {
                Ok(first) => gather(first, &receiver),
                Err(RecvTimeoutError::Timeout) => (Notice::Tick, Ok(())),
                Err(RecvTimeoutError::Disconnected) => break,
            };
            match take(notice).and_then(|goes_on| failed.map(|()| goes_on)) {
                Ok(true) => continue,
                Ok(false) => {}
                Err(error) => result = Err(error),
            }
            // The workers drop what they are at.
            stop.store(true, Ordering::SeqCst);
            break;
        }
    });
    result
}

/// What has come from the workers: games, up to the first error.
fn gather(
    first: Result<GameRecord>,
    others: &Receiver<Result<GameRecord>>,
) -> (Notice, Result<()>) {
    let mut games = Vec::new();
    for result in std::iter::once(first).chain(others.try_iter()) {
        match result {
            Ok(game) => games.push(game),
            Err(error) => return (Notice::Games(games), Err(error)),
        }
    }
    (Notice::Games(games), Ok(()))
}

/// For every worker the cores it keeps to; empty lists without pinning.
fn worker_places(config: &EventConfig, options: &RunOptions) -> Result<Vec<Vec<usize>>> {
    if !options.pin {
        return Ok(vec![Vec::new(); options.concurrency]);
    }
    let threads = config.engines.iter().map(|e| e.threads.unwrap_or(1));
    let per_worker = threads.max().unwrap_or(1).max(1) as usize;
    let cores = available_cores();
    if cores.len() < per_worker * options.concurrency {
        bail!(
            "cannot pin {} games of {per_worker} threads to {} cores",
            options.concurrency,
            cores.len()
        );
    }
    let places = cores.chunks(per_worker).take(options.concurrency);
    Ok(places.map(<[usize]>::to_vec).collect())
}

/// A thread that plays.
struct Worker<'s> {
    setting: &'s Setting<'s>,
    schedule: &'s Schedule,
    numbers: &'s [u64],
    next: &'s AtomicUsize,
    options: &'s RunOptions,
    sender: Sender<Result<GameRecord>>,
}

impl<'s> Worker<'s> {
    fn work(self, cores: &[usize], mut crew: Crew<'s>) {
        if !cores.is_empty() && !pin_thread(cores) {
            let error = anyhow::anyhow!("cannot pin a thread to cores {cores:?}");
            let _ = self.sender.send(Err(error));
            return;
        }
        while self.setting.check_stop().is_ok() {
            let index = self.next.fetch_add(1, Ordering::SeqCst);
            let Some(&number) = self.numbers.get(index) else {
                break;
            };
            let spec = self.schedule.game(number);
            match game::play(self.setting, &spec, &mut crew, self.options) {
                Ok(Some(record)) => {
                    if self.sender.send(Ok(record)).is_err() {
                        break;
                    }
                }
                Ok(None) => break,
                Err(error) => {
                    let _ = self.sender.send(Err(error));
                    break;
                }
            }
        }
    }
}
