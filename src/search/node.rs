//! What a worker knows of a position and of the line that leads there.

use super::score::Value;
use super::tt::Entry;
use crate::board::{Bitboard, Point};
use crate::threat::wincheck::ShortList;

/// What belongs to one ply of the current line.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Frame {
    /// The move that is left out while the others are compared with it.
    pub excluded: Option<Point>,
    pub killers: [Option<Point>; 2],
    pub candidates: Bitboard,
    /// The static evaluation for the side to move; while it must answer a
    /// threat, what the opponent's last one was for it.
    pub eval: Value,
}

/// What is known of a node before its moves are looked at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub ply: u32,
    pub depth: i32,
    pub is_pv: bool,
    /// The opponent threatens a five: only these moves prevent it.
    pub stoppers: Option<ShortList>,
    /// The opponent threatens a strong four.
    pub is_threatened: bool,
    /// The opponent would win after a pass.
    pub is_in_danger: bool,
    /// What the evaluation says.
    pub static_eval: Value,
    /// The same, less what it has been wrong by after the newest stones.
    pub eval: Value,
    /// Whether the side to move stands better than before its last move.
    pub is_rising: bool,
    pub entry: Option<Entry>,
    /// The move that is left out, see [`Frame::excluded`].
    pub excluded: Option<Point>,
}

impl Node {
    pub(super) fn table_move(&self) -> Option<Point> {
        self.entry.and_then(|entry| entry.best)
    }

    /// Whether the side to move may do as it likes.
    pub(super) const fn is_free(&self) -> bool {
        self.stoppers.is_none() && !self.is_threatened
    }
}
