//! What moves have been good elsewhere in the tree: one thread's memory.
//!
//! Moves that threaten to win at once and quiet ones are counted apart: a point
//! where a four refutes everything is nothing to a side that cannot make one
//! there.

use super::params::{
    HISTORY_BONUS_PER_PLY, HISTORY_BONUS_PER_SQUARE, HISTORY_LIMIT, MOST_HISTORY_BONUS,
};
use crate::board::{Colour, POINT_ARRAY_LEN, Point};
use crate::pattern::{Board, Class};

/// A counter for every move of either colour.
type Counters = Box<[[i16; POINT_ARRAY_LEN]; 2]>;

/// A move, as the history knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    pub colour: Colour,
    pub point: Point,
    /// Whether it makes a three or better.
    pub attacks: bool,
}

impl Known {
    /// A move of the side to move.
    #[inline]
    pub(super) fn new(board: &Board, point: Point) -> Self {
        let colour = board.side_to_move();
        Self {
            colour,
            point,
            attacks: board.class(point, colour) >= Class::Three,
        }
    }
}

/// Counters of moves that were best.
#[derive(Clone, Debug)]
pub(super) struct History {
    attacking: Counters,
    quiet: Counters,
    replies: Box<[[Option<Point>; POINT_ARRAY_LEN]; 2]>,
}

impl History {
    pub(super) fn new() -> Self {
        Self {
            attacking: Box::new([[0; POINT_ARRAY_LEN]; 2]),
            quiet: Box::new([[0; POINT_ARRAY_LEN]; 2]),
            replies: Box::new([[None; POINT_ARRAY_LEN]; 2]),
        }
    }

    pub(super) fn clear(&mut self) {
        *self = Self::new();
    }

    /// Halves the weight of the past: called between searches.
    pub(super) fn fade(&mut self) {
        let counters = self.attacking.iter_mut().chain(self.quiet.iter_mut());
        for counter in counters.flatten() {
            *counter /= 2;
        }
    }

    /// How good the move has been, from -[`HISTORY_LIMIT`] to [`HISTORY_LIMIT`].
    #[inline]
    pub(super) fn of(&self, known: Known) -> i32 {
        let counters = if known.attacks {
            &self.attacking
        } else {
            &self.quiet
        };
        i32::from(counters[known.colour.index()][known.point.index()])
    }

    /// The move of `colour` that was last best after the opponent's move.
    pub(super) fn reply(&self, colour: Colour, last: Point) -> Option<Point> {
        self.replies[colour.index()][last.index()]
    }

    /// Notes which move was best after the opponent's last move.
    pub(super) fn note_reply(&mut self, best: Known, last: Point) {
        self.replies[best.colour.index()][last.index()] = Some(best.point);
    }

    /// Notes that a move was best at this depth.
    pub(super) fn reward(&mut self, best: Known, depth: i32) {
        self.add(best, bonus(depth));
    }

    /// Notes that another move was better than this at this depth.
    pub(super) fn punish(&mut self, tried: Known, depth: i32) {
        self.add(tried, -bonus(depth));
    }

    /// Moves a counter towards a bound, the slower the nearer it is.
    fn add(&mut self, known: Known, bonus: i32) {
        let counters = if known.attacks {
            &mut self.attacking
        } else {
            &mut self.quiet
        };
        let counter = &mut counters[known.colour.index()][known.point.index()];
        let value = i32::from(*counter);
        let value = value + bonus - value * bonus.abs() / HISTORY_LIMIT;
        *counter = value as i16;
    }
}

/// What being best at a depth of 1 or more is worth.
fn bonus(depth: i32) -> i32 {
    let bonus = depth * HISTORY_BONUS_PER_PLY + depth * depth * HISTORY_BONUS_PER_SQUARE;
    bonus.min(MOST_HISTORY_BONUS)
}

#[cfg(test)]
mod tests {
    use super::super::params::MAX_DEPTH;
    use super::*;

    /// A move, as an attack and as a quiet one.
    fn both_kinds() -> [Known; 2] {
        [true, false].map(|attacks| Known {
            colour: Colour::White,
            point: Point::new(3, 4).unwrap(),
            attacks,
        })
    }

    #[test]
    fn attacks_and_quiet_moves_are_counted_apart() {
        let kinds @ [attack, quiet] = both_kinds();
        let mut history = History::new();
        history.reward(attack, 4);
        history.punish(quiet, 2);
        // By hand: 4 * 300 + 16 * 20, and 2 * 300 + 4 * 20.
        assert_eq!(kinds.map(|known| history.of(known)), [1_520, -680]);
        history.fade();
        assert_eq!(kinds.map(|known| history.of(known)), [760, -340]);
        history.clear();
        assert_eq!(kinds.map(|known| history.of(known)), [0, 0]);
    }

    #[test]
    fn counters_stay_within_their_bounds() {
        let [attack, quiet] = both_kinds();
        let mut history = History::new();
        for depth in (1..=MAX_DEPTH).cycle().take(1_000) {
            history.reward(quiet, depth);
            history.punish(attack, depth);
            assert!(history.of(quiet) <= HISTORY_LIMIT);
            assert!(history.of(attack) >= -HISTORY_LIMIT);
        }
        assert!(history.of(quiet) > HISTORY_LIMIT / 2);
        assert!(history.of(attack) < -HISTORY_LIMIT / 2);
    }
}
