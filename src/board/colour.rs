//! The two sides.

use std::fmt;
use std::ops::Not;

/// A side. Black moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Colour {
    /// The side that moves first.
    Black = 0,
    /// The side that moves second.
    White = 1,
}

impl Colour {
    /// Both colours, Black first.
    pub const ALL: [Self; 2] = [Self::Black, Self::White];

    /// 0 for Black, 1 for White.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The other side.
    #[must_use]
    pub const fn opponent(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }
}

impl Not for Colour {
    type Output = Self;

    fn not(self) -> Self {
        self.opponent()
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Black => "Black",
            Self::White => "White",
        })
    }
}
