//! What the evaluation gets wrong: how far searches came out from it, told by
//! the newest stones. One thread's memory.
//!
//! A fight that the evaluation does not understand stays on the board from
//! position to position: what it has been wrong by after a stone, it will be
//! wrong by again. Known from chess as correction history.

use super::params::{CORRECTION_PERCENT, CORRECTION_RATE, MOST_CORRECTED, MOST_CORRECTION_WEIGHT};
use super::score::Value;
use crate::board::{POINT_ARRAY_LEN, Position};

/// Fractions of a point in which means are kept.
const FRACTIONS: i32 = 256;
/// How many of the newest stones tell: the opponent's, and the own one before.
const STONES: usize = 2;

/// Mean errors of the evaluation, for the side to move.
#[derive(Clone, Debug)]
pub(super) struct Corrections {
    /// By age and point of the stone, and by the side to move.
    means: Box<[[[i32; 2]; POINT_ARRAY_LEN]; STONES]>,
}

impl Corrections {
    pub(super) fn new() -> Self {
        Self {
            means: Box::new([[[0; 2]; POINT_ARRAY_LEN]; STONES]),
        }
    }

    pub(super) fn clear(&mut self) {
        *self = Self::new();
    }

    /// What to add to the evaluation of a position.
    #[inline]
    pub(super) fn of(&self, position: &Position) -> Value {
        let side = position.side_to_move().index();
        let newest = position.stones().iter().rev().zip(self.means.iter());
        let sum: i32 = newest
            .map(|(stone, means)| means[stone.point.index()][side])
            .sum();
        sum * CORRECTION_PERCENT / (100 * FRACTIONS)
    }

    /// Notes by how much a search of this depth found a position better than the
    /// evaluation did.
    pub(super) fn learn(&mut self, position: &Position, error: Value, depth: i32) {
        let error = error.clamp(-MOST_CORRECTED, MOST_CORRECTED) * FRACTIONS;
        let weight = (depth + 1).min(MOST_CORRECTION_WEIGHT);
        let side = position.side_to_move().index();
        let newest = position.stones().iter().rev().zip(self.means.iter_mut());
        for (stone, means) in newest {
            let mean = &mut means[stone.point.index()][side];
            *mean += (error - *mean) * weight / CORRECTION_RATE;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Colour, Size, parse_moves};

    fn position(moves: &str) -> Position {
        Position::from_moves(Size::square(15).unwrap(), &parse_moves(moves).unwrap()).unwrap()
    }

    #[test]
    fn errors_are_learned_for_the_side_and_the_newest_stones() {
        let mut corrections = Corrections::new();
        let here = position("h8i9h9");
        for _ in 0..1_000 {
            corrections.learn(&here, 60, 9);
        }
        let learned = corrections.of(&here);
        let full = 2 * 60 * CORRECTION_PERCENT / 100;
        assert!((full - 3..=full).contains(&learned), "{learned}");
        // One of the two stones is the newest here too.
        let half = corrections.of(&position("a1b2h9"));
        assert!((full / 2 - 3..=full / 2 + 1).contains(&half), "{half}");
        let other_half = corrections.of(&position("h8i9h10"));
        assert!((half + other_half - learned).abs() <= 1, "{other_half}");
        // Other stones, and the other side.
        assert_eq!(corrections.of(&position("i9h9h10")), 0);
        let mut other = here.clone();
        other.set_side_to_move(Colour::Black);
        assert_eq!(corrections.of(&other), 0);
        corrections.clear();
        assert_eq!(corrections.of(&here), 0);
        assert_eq!(corrections.of(&position("")), 0);
    }

    #[test]
    fn great_errors_count_as_less() {
        let mut corrections = Corrections::new();
        let here = position("h8i9");
        for depth in (1..99).cycle().take(10_000) {
            corrections.learn(&here, -30_000, depth);
            assert!(corrections.of(&here) >= -2 * MOST_CORRECTED * CORRECTION_PERCENT / 100);
        }
    }
}
