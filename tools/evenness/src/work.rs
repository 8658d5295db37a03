//! What both measurements share: the setting, and doing tasks side by side.

use anyhow::{Context as _, Result};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use yonsan::board::Size;
use yonsan::engine::opening::{Decision, OpeningRequest};
use yonsan::engine::{Engine, Options};
use yonsan::rules::Rule;
use yonsan::rules::opening::{Opening, Procedure};
use yonsan::search::{Control, Limits};

/// Transposition table of an engine, in bytes.
const TABLE_BYTES: u64 = 64 << 20;

/// How long the engine may think about a move or a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// So long.
    Time(Duration),
    /// So many positions: the same on every machine.
    Nodes(u64),
}

impl Effort {
    /// The limits of a search that begins now.
    #[must_use]
    pub fn limits(self) -> Limits {
        match self {
            Self::Time(time) => Limits::time(time),
            Self::Nodes(count) => Limits::nodes(count),
        }
    }

    /// So many times as long.
    #[must_use]
    pub fn times(self, factor: u32) -> Self {
        match self {
            Self::Time(time) => Self::Time(time * factor),
            Self::Nodes(count) => Self::Nodes(count * u64::from(factor)),
        }
    }
}

/// What is measured.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The rule of the games.
    pub rule: Rule,
    /// Their board.
    pub size: Size,
    /// How the stones of an opening are put.
    pub procedure: Procedure,
    /// Thinking for a move and for a decision.
    pub effort: Effort,
    /// Number of openings.
    pub count: usize,
    /// The first opening has this seed, the next one the next number.
    pub seed: u64,
    /// Openings that are worked on at the same time, each with one thread.
    pub jobs: usize,
}

impl Setting {
    /// The seed of an opening.
    #[must_use]
    pub const fn seed_of(&self, number: usize) -> u64 {
        self.seed.wrapping_add(number as u64)
    }
}

/// An engine with one thread that knows nothing yet.
pub fn engine() -> Engine {
    let mut engine = Engine::new();
    engine.set_options(Options {
        threads: 1,
        hash_bytes: Some(TABLE_BYTES),
        ..Options::default()
    });
    engine
}

/// Lets the engine decide for the player to act.
pub fn decide(
    engine: &mut Engine,
    opening: &Opening,
    setting: &Setting,
    effort: Effort,
    seed: u64,
) -> Result<Decision> {
    let request = OpeningRequest {
        opening: opening.clone(),
        rule: setting.rule,
        limits: effort.limits(),
        seed,
    };
    engine
        .decide(&request, &Control::new(), &mut ())
        .context("nothing to decide")
}

/// Does a task for every number below `count`, several at the same time, and
/// gives the results in order. Every task has an engine to itself.
pub fn side_by_side<T: Send>(
    count: usize,
    jobs: usize,
    task: impl Fn(&mut Engine, usize) -> Result<T> + Sync,
) -> Result<Vec<T>> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(|| {
                let mut engine = engine();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        return;
                    }
                    engine.new_game();
                    let result = task(&mut engine, number);
                    if let Ok(mut results) = results.lock() {
                        results.push((number, result));
                    }
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_default();
    results.sort_by_key(|&(number, _)| number);
    results.into_iter().map(|(_, result)| result).collect()
}
