//! What a book knows of one position.

use crate::board::Point;

/// Moves an entry can hold.
pub const MOST_MOVES: usize = 5;

/// What the moves of an entry are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// The best line: its first move is the one to play.
    Answer,
    /// The best moves of a side, the best first, found in one search: what an
    /// opponent may be expected to play. Too shallow to be played.
    Replies,
}

/// What a position is worth for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Worth {
    /// Not decided; the units are those of the evaluation.
    Plain(i16),
    /// The side to move wins by force; its last stone is so many plies away.
    Win(u16),
    /// The side to move loses by force, after so many plies.
    Loss(u16),
}

impl Worth {
    /// Whether the game is decided.
    #[must_use]
    pub const fn is_proved(self) -> bool {
        !matches!(self, Self::Plain(_))
    }
}

/// How much work a search was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Depth in plies; 0 if no iteration was needed.
    pub depth: u16,
    /// Positions looked at.
    pub nodes: u64,
    /// Time in milliseconds, multiplied by the threads.
    pub thread_ms: u32,
}

/// What a book knows of one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    kind: Kind,
    /// The first `None` ends them.
    moves: [Option<Point>; MOST_MOVES],
    /// What the position is worth for the side to move.
    pub worth: Worth,
    /// The search that found it.
    pub work: Work,
}

impl Entry {
    /// An entry with the first [`MOST_MOVES`] of these moves.
    #[must_use]
    pub fn new(kind: Kind, worth: Worth, work: Work, moves: &[Point]) -> Self {
        Self {
            kind,
            moves: std::array::from_fn(|index| moves.get(index).copied()),
            worth,
            work,
        }
    }

    /// What its moves are.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// The moves.
    pub fn moves(&self) -> impl Iterator<Item = Point> {
        self.moves.into_iter().map_while(|point| point)
    }

    /// The first of them.
    #[must_use]
    pub const fn best(&self) -> Option<Point> {
        self.moves[0]
    }

    /// Whether more work is behind this than behind another entry of the kind:
    /// a proof is worth more than any score; else the number of positions
    /// decides, then depth. Of replies it is first how many there are.
    #[must_use]
    pub fn is_deeper_than(&self, other: &Self) -> bool {
        self.rank() > other.rank()
    }

    fn rank(&self) -> (usize, u64, u16) {
        let first = match self.kind {
            Kind::Answer => usize::from(self.worth.is_proved()),
            Kind::Replies => self.moves().count(),
        };
        (first, self.work.nodes, self.work.depth)
    }

    /// The same with other points.
    pub(super) fn with_moves(mut self, map: impl Fn(Point) -> Point) -> Self {
        self.moves = self.moves.map(|point| point.map(&map));
        self
    }
}
