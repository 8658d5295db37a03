//! Layer 5: the engine as its users see it. Give it a position, a rule and
//! limits; it answers with a move.

use crate::board::{Point, Position};
use crate::rules::Rule;
use crate::search::{Control, Limits, Reporter, Score};
use std::time::Duration;

/// Settings that hold for more than one search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Number of search threads, at least 1.
    pub threads: usize,
    /// Memory the whole process may use, in bytes; `None` for the default.
    pub memory_bytes: Option<u64>,
    /// Size of the transposition table in bytes, if it is to be other than
    /// what the memory suggests.
    pub hash_bytes: Option<u64>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            threads: std::thread::available_parallelism().map_or(1, Into::into),
            memory_bytes: None,
            hash_bytes: None,
        }
    }
}

/// What to search.
#[derive(Clone, Debug)]
pub struct Request {
    /// The position; its side to move is the one to find a move for.
    pub position: Position,
    /// The rule.
    pub rule: Rule,
    /// When to stop.
    pub limits: Limits,
    /// Number of best lines to find, at least 1.
    pub line_count: usize,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The move to play.
    pub best: Point,
    /// Its score for the side to move.
    pub score: Score,
    /// Depth of the last finished iteration; 0 if none was needed.
    pub depth: u32,
    /// Positions searched, by all threads.
    pub nodes: u64,
    /// Time taken.
    pub elapsed: Duration,
    /// Best line, beginning with `best`.
    pub principal_variation: Vec<Point>,
}

/// The engine: tables that live from search to search.
#[derive(Debug, Default)]
pub struct Engine {
    options: Options,
}

impl Engine {
    /// An engine with default options. Cheap: tables are made at the first search.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The options in force.
    #[must_use]
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// Changes the options; takes effect at the next search.
    pub fn set_options(&mut self, options: Options) {
        self.options = options;
    }

    /// Forgets everything about earlier games.
    pub fn new_game(&mut self) {}

    /// Finds a move; `None` if no point is free. Returns when a limit is
    /// reached, the game is decided or `control` says stop.
    pub fn go(
        &mut self,
        request: &Request,
        control: &Control,
        _reporter: &mut dyn Reporter,
    ) -> Option<Outcome> {
        // Placeholder until the search stands: the free point nearest the centre.
        let position = &request.position;
        let centre = position.size().centre();
        let best = position.empty_points().min_by_key(|p| p.distance(centre))?;
        while !control.is_stopped() {
            let turn = control.changed_turn().or(request.limits.turn);
            let bound = turn.into_iter().chain(request.limits.match_left).min();
            if bound
                .is_none_or(|b| request.limits.started.elapsed() + Duration::from_millis(60) >= b)
            {
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        Some(Outcome {
            best,
            score: Score::ZERO,
            depth: 0,
            nodes: 1,
            elapsed: request.limits.started.elapsed(),
            principal_variation: vec![best],
        })
    }
}
