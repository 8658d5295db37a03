//! What is wrong with an act.

use super::Area;
use crate::board::Point;
use std::fmt;

/// An act that the procedure does not allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpeningError {
    /// The board is too small for the procedure.
    SmallBoard,
    /// Nothing is left to be done.
    Finished,
    /// An act of another kind is wanted; the text names those allowed.
    NotNow(String),
    /// So many stones are wanted, and not these.
    Count {
        /// How many there should be.
        wanted: usize,
        /// How many there are.
        got: usize,
    },
    /// Not a point of the board.
    Outside(Point),
    /// There is a stone, or the point was named before.
    Taken(Point),
    /// Free, but not where this stone must stand.
    WrongPlace(Point, Area),
    /// A number of fifth moves outside 1 to the second number.
    FifthCount {
        /// The number named.
        got: usize,
        /// The largest allowed.
        most: usize,
    },
    /// These fifth moves lead to the same position, turned or mirrored.
    Symmetric(Point, Point),
    /// Not one of the fifth moves offered.
    NotOffered(Point),
}

impl fmt::Display for OpeningError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SmallBoard => f.write_str("the board is too small for this opening"),
            Self::Finished => f.write_str("the opening is finished"),
            Self::NotNow(wanted) => write!(f, "now {wanted}"),
            Self::Count { wanted, got } => write!(f, "{wanted} stones are wanted, not {got}"),
            Self::Outside(point) => write!(f, "{point} is outside the board"),
            Self::Taken(point) => write!(f, "{point} is taken"),
            Self::WrongPlace(point, area) => write!(f, "{point} is not {area}"),
            Self::FifthCount { got, most } => {
                write!(f, "1 to {most} fifth moves can be asked for, not {got}")
            }
            Self::Symmetric(one, other) => {
                write!(f, "{one} and {other} are the same by symmetry")
            }
            Self::NotOffered(point) => write!(f, "{point} was not offered"),
        }
    }
}

impl std::error::Error for OpeningError {}
