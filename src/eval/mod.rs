//! Layer 3: how good a position is when nothing is forced.
//!
//! May import `board`, `rules` and `pattern`; never `threat`, which is of the
//! same layer.

pub mod classical;
mod evaluator;
pub mod nnue;
pub mod simd;
pub mod weights;

pub use evaluator::{Evaluation, Evaluator};
