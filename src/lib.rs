//! Yonsan: the engine as a library.
pub mod board;
pub mod engine;
pub mod rules;
pub mod search;
