//! Subcommands of the program that are more than a call of the library. They
//! see the library from outside, as `main.rs` does.

pub mod analyze;
pub mod book;
