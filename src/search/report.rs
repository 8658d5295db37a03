//! What the search tells while it runs.

use super::Score;
use crate::board::Point;
use std::time::Duration;

/// The state of a search after an iteration, or after a new best move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Info {
    /// Which of several best lines this is, from 1.
    pub line_number: usize,
    /// Depth of the iteration, in plies.
    pub depth: u32,
    /// Depth of the deepest line seen, in plies.
    pub selective_depth: u32,
    /// Score for the side to move.
    pub score: Score,
    /// Positions searched so far, by all threads.
    pub nodes: u64,
    /// Time since the search began.
    pub elapsed: Duration,
    /// Best line; never empty.
    pub principal_variation: Vec<Point>,
}

/// One of several best lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Score for the side to move.
    pub score: Score,
    /// The moves; never empty.
    pub moves: Vec<Point>,
}

/// What happens to a move at the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RootEvent {
    /// It is being searched; told once a search has lasted a moment.
    Begun(Point),
    /// Its search in this iteration is over; told after `Begun` only.
    Done(Point),
    /// It loses by force.
    Lost(Point),
}

/// Takes what a search tells. Called from the thread that called
/// [`crate::engine::Engine::go`].
pub trait Reporter {
    /// A new state of the search.
    fn report(&mut self, info: &Info);

    /// Something has happened to a move at the root. By default nobody cares.
    fn root_event(&mut self, _: RootEvent) {}
}

/// The reporter that says nothing.
impl Reporter for () {
    fn report(&mut self, _: &Info) {}
}
