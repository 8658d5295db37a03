//! Layer 6: a game against the engine on a terminal.
//!
//! [`play`] reads lines and writes text; it neither knows nor asks whether a
//! person or a pipe is at the other end, except for the [`Look`] it is told to
//! use. The referee is [`crate::rules::Game`]. May import `engine`, `search`,
//! `book`, `rules` and `board`, never `protocol`.

mod command;
mod options;
mod progress;
mod screen;
mod session;
mod words;

pub use options::{PlayOptions, SizeError, parse_size};
pub use screen::Look;

use crate::rules::MoveError;
use session::Session;
use std::fmt;
use std::io::{self, BufRead, Write};

/// Why a game could not be played to its end.
#[derive(Debug)]
pub enum PlayError {
    /// A move of the start position cannot be made.
    Start {
        /// Which move, from 1.
        number: usize,
        /// What is wrong with it.
        error: MoveError,
    },
    /// Reading or writing failed.
    Io(io::Error),
}

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start { number, error } => {
                write!(f, "move {number} of the start position: {error}")
            }
            Self::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for PlayError {}

impl From<io::Error> for PlayError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Plays games until the player quits or the input ends.
///
/// # Errors
///
/// If the start position cannot be set up, or reading or writing fails.
///
/// # Examples
///
/// ```
/// use yonsan::terminal::{Look, PlayOptions, play};
///
/// let mut screen = Vec::new();
/// play(PlayOptions::default(), &b"quit\n"[..], &mut screen, Look::Plain).unwrap();
/// assert!(String::from_utf8(screen).unwrap().contains("Freestyle on 15x15"));
/// ```
pub fn play(
    options: PlayOptions,
    input: impl BufRead,
    output: impl Write,
    look: Look,
) -> Result<(), PlayError> {
    Session::new(options, input, output, look)?.run()
}
