//! What moves have been good elsewhere in the tree: one thread's memory.

use super::params::HISTORY_LIMIT;
use crate::board::{Colour, POINT_ARRAY_LEN, Point};

/// Counters of moves that caused cutoffs.
#[derive(Clone, Debug)]
pub(super) struct History {
    quiet: Box<[[i16; POINT_ARRAY_LEN]; 2]>,
    counter: Box<[[Option<Point>; POINT_ARRAY_LEN]; 2]>,
}

impl History {
    pub(super) fn new() -> Self {
        Self {
            quiet: Box::new([[0; POINT_ARRAY_LEN]; 2]),
            counter: Box::new([[None; POINT_ARRAY_LEN]; 2]),
        }
    }

    pub(super) fn clear(&mut self) {
        *self = Self::new();
    }

    /// Halves the weight of the past: called between searches.
    pub(super) fn fade(&mut self) {
        for counter in self.quiet.iter_mut().flatten() {
            *counter /= 2;
        }
    }

    /// -[`HISTORY_LIMIT`] to [`HISTORY_LIMIT`].
    #[inline]
    pub(super) fn quiet(&self, colour: Colour, point: Point) -> i32 {
        i32::from(self.quiet[colour.index()][point.index()])
    }

    /// The move of `colour` that last refuted the opponent's move.
    pub(super) fn counter(&self, colour: Colour, last: Point) -> Option<Point> {
        self.counter[colour.index()][last.index()]
    }

    /// Notes that `best` caused a cutoff at this depth where the moves in
    /// `tried` had failed to.
    pub(super) fn cutoff(
        &mut self,
        colour: Colour,
        best: Point,
        last: Option<Point>,
        tried: &[Point],
        depth: i32,
    ) {
        let bonus = (depth * depth * 16).min(HISTORY_LIMIT / 4);
        self.add(colour, best, bonus);
        for &point in tried {
            self.add(colour, point, -bonus);
        }
        if let Some(last) = last {
            self.counter[colour.index()][last.index()] = Some(best);
        }
    }

    /// Moves a counter towards a bound, the slower the nearer it is.
    fn add(&mut self, colour: Colour, point: Point, bonus: i32) {
        let counter = &mut self.quiet[colour.index()][point.index()];
        let value = i32::from(*counter);
        let value = value + bonus - value * bonus.abs() / HISTORY_LIMIT;
        *counter = value as i16;
    }
}
