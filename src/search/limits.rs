//! How long a search may take, and the handle that ends it from outside.

use crate::board::Bitboard;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The bounds of a search. Without any bound it runs until it is stopped or
/// the game is decided.
#[derive(Clone, Debug)]
pub struct Limits {
    /// When the clock was started.
    pub started: Instant,
    /// Time for this move; zero means: answer at once.
    pub turn: Option<Duration>,
    /// Time left for the game, this move included; zero means: answer at once.
    pub match_left: Option<Duration>,
    /// Deepest iteration, in plies, at least 1.
    pub max_depth: Option<u32>,
    /// Positions to search, by all threads together.
    pub max_nodes: Option<u64>,
    /// Points that are no answers. They count elsewhere in the search, and if
    /// no other point is free, at the root as well.
    pub excluded: Bitboard,
    /// Whether a move that has no alternative is searched like any other, for
    /// its score. Otherwise it is played at once.
    pub judges_only_move: bool,
}

impl Limits {
    /// No bounds, the clock started now.
    #[must_use]
    pub fn unlimited() -> Self {
        Self {
            started: Instant::now(),
            turn: None,
            match_left: None,
            max_depth: None,
            max_nodes: None,
            excluded: Bitboard::EMPTY,
            judges_only_move: false,
        }
    }

    /// So many positions and no clock.
    #[must_use]
    pub fn nodes(count: u64) -> Self {
        Self {
            max_nodes: Some(count),
            ..Self::unlimited()
        }
    }

    /// So many plies and no clock.
    #[must_use]
    pub fn depth(plies: u32) -> Self {
        Self {
            max_depth: Some(plies),
            ..Self::unlimited()
        }
    }

    /// So much time for this move.
    #[must_use]
    pub fn time(turn: Duration) -> Self {
        Self {
            turn: Some(turn),
            ..Self::unlimited()
        }
    }
}

const UNCHANGED: u64 = u64::MAX;

/// A handle on a running search. Clones share one search; make a new one for
/// every search.
#[derive(Clone, Debug)]
pub struct Control {
    stop: Arc<AtomicBool>,
    turn_ms: Arc<AtomicU64>,
}

impl Default for Control {
    fn default() -> Self {
        Self::new()
    }
}

impl Control {
    /// A handle for one search.
    #[must_use]
    pub fn new() -> Self {
        Self {
            stop: Arc::new(AtomicBool::new(false)),
            turn_ms: Arc::new(AtomicU64::new(UNCHANGED)),
        }
    }

    /// A handle for one of several searches that are parts of one task: to
    /// stop this one stops them all, a change of time does not reach them.
    #[must_use]
    pub fn for_part(&self) -> Self {
        Self {
            stop: Arc::clone(&self.stop),
            ..Self::new()
        }
    }

    /// Makes the search end now with the best move it has.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether the search was told to end.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Changes the time for this move, counted from the start of its clock.
    pub fn set_turn(&self, turn: Duration) {
        let ms = u64::try_from(turn.as_millis()).unwrap_or(UNCHANGED - 1);
        self.turn_ms.store(ms, Ordering::Relaxed);
    }

    /// The time for this move, if it was changed since the search began.
    #[must_use]
    pub fn changed_turn(&self) -> Option<Duration> {
        match self.turn_ms.load(Ordering::Relaxed) {
            UNCHANGED => None,
            ms => Some(Duration::from_millis(ms)),
        }
    }
}
