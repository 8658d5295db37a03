//! Fits the numbers of the engine's evaluations to recorded games.
//!
//! [`classical`] fits the tables of the evaluation without a net, [`nnue`]
//! trains the net. A fit reads games as `yonsan-format` stores them, replays
//! them with the engine's own boards and rules, and writes a file that the
//! engine loads; with the same data, settings and seed it writes the same
//! bytes, whatever the number of threads.

pub mod classical;
pub mod games;
pub mod nnue;
