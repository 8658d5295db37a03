//! Measures the engine's decisions in opening procedures.
//!
//! [`games`] lets it put the stones of openings and play them out against
//! itself: Black should win about as often as White. [`choices`] lets it choose
//! colours and compares each choice with that of a much longer search.

pub mod choices;
pub mod games;
mod work;

pub use work::{Effort, Setting};
