//! The oracle: wins and fouls read straight off the board.
//!
//! Slow and plain on purpose, one clause of the rules a function, no tables.
//! The fast judgement of the search is tested against it. Renju follows the
//! International Rules of Renju of the RIF, sections 3 and 9.

use super::Rule;
use crate::board::{Colour, Point, Position};
use std::fmt;

/// Why a black stone is forbidden in renju.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Foul {
    /// Six or more in a row.
    Overline,
    /// Two or more fours.
    DoubleFour,
    /// Two or more threes.
    DoubleThree,
}

impl fmt::Display for Foul {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Overline => "overline",
            Self::DoubleFour => "double four",
            Self::DoubleThree => "double three",
        })
    }
}

/// Whether a stone of `colour` put on the free point `point` wins at once.
#[must_use]
pub fn wins(_position: &Position, _rule: Rule, _point: Point, _colour: Colour) -> bool {
    todo!()
}

/// Why a black stone on the free point would be a foul in renju, or `None`
/// if it would be legal. Looks at the stones only, not at whose turn it is.
#[must_use]
pub fn renju_foul(_position: &Position, _point: Point) -> Option<Foul> {
    todo!()
}
