//! A small net whose table is indexed by the windows around every cell.
//!
//! Every window of a position, seen by either colour, has a row of numbers in
//! the table; the rows of the four directions add up to the cell's vector. The
//! vectors, cut at 0 and added up, feed a small dense net that says how likely
//! a win, a draw and a loss are; the vector of a single cell says how good a
//! move there looks.

mod window;

pub use window::{HALF_COUNT, NARROW_COUNT, NARROW_HALF_COUNT, NarrowId, WINDOW_COUNT, WindowId};
