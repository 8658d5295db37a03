//! Builds the engine for Windows and Linux and packs it for its users: one ZIP
//! for Piskvork and for cups, one for Linux, and their checksums.
//!
//! The same commit, compiler and mingw are to give the same bytes: nothing of
//! the machine, the clock or the environment may get into them.
//! [`build`] runs cargo, [`inspect`] looks at what came out, [`package`] packs
//! it by the rules that managers and cups have for [`names`]. Only `main.rs`
//! prints.

pub mod archive;
pub mod build;
pub mod inspect;
pub mod names;
pub mod package;
pub mod release;
