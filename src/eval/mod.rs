//! Layer 3: how good a position is when nothing is forced.
//!
//! There are two evaluations: [`classical`] adds up what shapes are worth;
//! [`nnue`] asks a small net, whose inner loops are in [`simd`]. May import
//! `board`, `rules` and `pattern`; never `threat`, which is of the same layer.

pub mod classical;
mod evaluator;
pub mod nnue;
pub mod simd;
pub mod weights;

pub use evaluator::{Evaluation, Evaluator};
