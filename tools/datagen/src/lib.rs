//! Self-play games for fitting the evaluation.
//!
//! A run is fixed by its [`settings`]: game `i` depends on them, on the
//! engine and on `i` alone, never on the number of threads or on other games.
//! [`selfplay`] plays one game from a random [`opening`], [`run`] plays many
//! and hands them over in order, [`stats`] counts what a file holds,
//! [`puzzles`] finds wins by force in it. Imports the engine library up to
//! `engine`, and the format crate.

pub mod dead;
pub mod mixture;
pub mod opening;
pub mod progress;
pub mod puzzles;
pub mod run;
pub mod selfplay;
pub mod settings;
pub mod stats;
pub mod stray;
pub mod thinker;
