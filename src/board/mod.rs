//! Layer 0: points, stones and positions. Knows no rules and no search.
//!
//! A [`Position`] keeps its stones as packed lines ([`Lines`]): one 64-bit
//! word of 2-bit cells for every row, column and diagonal, walls included.
//! Everything here is plain data: no globals, no allocation in play and undo.

mod bitboard;
mod colour;
mod geometry;
mod lines;
mod notation;
mod position;
mod random;
mod zobrist;

pub use bitboard::{Bitboard, Iter};
pub use colour::Colour;
pub use geometry::{
    Direction, MAX_SIDE, MIN_SIDE, POINT_ARRAY_LEN, Point, ROW_STRIDE, Size, Symmetry,
};
pub use lines::{CELL_BITS, Cell, LINE_REACH, Lines};
pub(crate) use notation::take_point;
pub use notation::{NotationError, diagram, format_moves, parse_moves};
pub use position::{Observer, Position, Stone};
pub use random::Random;
pub use zobrist::mix;
