//! Making balanced openings with an engine: chance puts stones near each
//! other, the engine says how even the position is, and those that are even
//! enough and new are kept.
//!
//! Of many positions those that look even are often the ones in which the
//! engine errs. So they may be looked at a second time, for longer.
//!
//! Every attempt depends on the seed and its number alone and results are
//! taken in the order of the attempts. So an interrupted run goes on where it
//! stood, and the same settings make the same file whatever the number of
//! engines at work, as far as their scores depend on the position alone. Uses
//! the protocol only: any engine that tells its score in MESSAGE lines will do.

mod evaluator;
mod file;
mod stones;

pub use evaluator::{Evaluator, EvaluatorError, EvaluatorSettings};
pub use file::{OpeningFile, Settings};
pub use stones::{Shape, candidate, canonical};

use anyhow::{Result, bail};
use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;
use yonsan::board::Point;

/// So many attempts in a row without a new opening end a run.
const MOST_IN_VAIN: u64 = 20_000;
/// So many positions in a row without a score end a run.
const MOST_WITHOUT_SCORE: u64 = 20;
/// How far an engine may run ahead of the attempt that is due.
const AHEAD_PER_ENGINE: u64 = 64;

/// Where a run stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Openings kept, those of earlier runs included.
    pub kept: u64,
    /// Attempts made, those of earlier runs included.
    pub attempts: u64,
    /// Positions scored in this run.
    pub scored: u64,
}

/// What judges a position: the score for the side to move, if it tells one.
pub trait Judge {
    /// Scores a position after a search of so many positions.
    ///
    /// # Errors
    ///
    /// If no more scores are to be had.
    fn score(&mut self, moves: &[Point], nodes: u64) -> Result<Option<i32>>;
}

/// An attempt and what came of it.
struct Outcome {
    attempt: u64,
    /// Stones and score; `None` if the stones could not be.
    scored: Option<(Vec<Point>, Option<i32>)>,
}

/// Fills the file up to `count` openings with the judges, each in a thread of
/// its own; `tell` is called after every attempt, and `stop` ends the run.
///
/// # Errors
///
/// If a judge fails, the engine tells no scores, too many attempts are in
/// vain, or the file cannot be written.
pub fn fill<J: Judge + Send>(
    file: &mut OpeningFile,
    judges: Vec<J>,
    count: u64,
    stop: &AtomicBool,
    mut tell: impl FnMut(Progress),
) -> Result<Progress> {
    let settings = file.settings().clone();
    let mut keeper = Keeper::new(file, count);
    if keeper.is_done() {
        return Ok(keeper.progress);
    }
    let next = AtomicU64::new(keeper.progress.attempts);
    let due = AtomicU64::new(keeper.progress.attempts);
    let done = AtomicBool::new(false);
    let ahead = AHEAD_PER_ENGINE * judges.len() as u64;
    let (sender, receiver) = mpsc::channel::<Result<Outcome>>();
    thread::scope(|scope| {
        for mut judge in judges {
            let sender = sender.clone();
            let (settings, next, due, done) = (&settings, &next, &due, &done);
            scope.spawn(move || {
                while !done.load(Ordering::Relaxed) {
                    let attempt = next.fetch_add(1, Ordering::Relaxed);
                    // One slow position must not make the others pile up.
                    while attempt > due.load(Ordering::Relaxed) + ahead {
                        if done.load(Ordering::Relaxed) {
                            return;
                        }
                        thread::sleep(std::time::Duration::from_millis(1));
                    }
                    let outcome = make(settings, attempt, &mut judge);
                    let failed = outcome.is_err();
                    if sender.send(outcome).is_err() || failed {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let result = take_in_order(&receiver, &mut keeper, stop, &due, &mut tell);
        done.store(true, Ordering::Relaxed);
        result
    })?;
    Ok(keeper.progress)
}

fn make(settings: &Settings, attempt: u64, judge: &mut impl Judge) -> Result<Outcome> {
    let scored = match candidate(&settings.shape, settings.seed, attempt) {
        None => None,
        Some(moves) => {
            let mut score = judge.score(&moves, settings.nodes)?;
            if let Some(nodes) = settings.confirm
                && score.is_some_and(|score| settings.is_even(score))
            {
                score = judge.score(&moves, nodes)?;
            }
            Some((moves, score))
        }
    };
    Ok(Outcome { attempt, scored })
}

fn take_in_order(
    receiver: &mpsc::Receiver<Result<Outcome>>,
    keeper: &mut Keeper<'_>,
    stop: &AtomicBool,
    due: &AtomicU64,
    tell: &mut impl FnMut(Progress),
) -> Result<()> {
    let mut early = BTreeMap::new();
    for outcome in receiver {
        let outcome = outcome?;
        early.insert(outcome.attempt, outcome);
        while let Some(outcome) = early.remove(&keeper.progress.attempts) {
            keeper.take(outcome)?;
            due.store(keeper.progress.attempts, Ordering::Relaxed);
            tell(keeper.progress);
            if keeper.is_done() || stop.load(Ordering::Relaxed) {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Decides what is kept.
struct Keeper<'f> {
    file: &'f mut OpeningFile,
    known: HashSet<Vec<u16>>,
    progress: Progress,
    count: u64,
    in_vain: u64,
    without_score: u64,
}

impl<'f> Keeper<'f> {
    fn new(file: &'f mut OpeningFile, count: u64) -> Self {
        let size = file.settings().shape.size;
        let openings = file.openings().iter();
        let known: HashSet<Vec<u16>> = openings.map(|moves| canonical(moves, size)).collect();
        let progress = Progress {
            kept: file.openings().len() as u64,
            attempts: file.next_attempt(),
            scored: 0,
        };
        Self {
            file,
            known,
            progress,
            count,
            in_vain: 0,
            without_score: 0,
        }
    }

    const fn is_done(&self) -> bool {
        self.progress.kept >= self.count
    }

    fn take(&mut self, outcome: Outcome) -> Result<()> {
        self.progress.attempts += 1;
        self.in_vain += 1;
        if self.in_vain > MOST_IN_VAIN {
            bail!("{MOST_IN_VAIN} attempts without a new opening: allow more imbalance or stones");
        }
        let Some((moves, score)) = outcome.scored else {
            return Ok(());
        };
        self.progress.scored += 1;
        let Some(score) = score else {
            self.without_score += 1;
            if self.without_score >= MOST_WITHOUT_SCORE {
                bail!("the engine tells no score in its MESSAGE lines");
            }
            return Ok(());
        };
        self.without_score = 0;
        let settings = self.file.settings();
        let key = || canonical(&moves, settings.shape.size);
        if !settings.is_even(score) || !self.known.insert(key()) {
            return Ok(());
        }
        self.file.append(&moves, score, outcome.attempt)?;
        self.in_vain = 0;
        self.progress.kept += 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
