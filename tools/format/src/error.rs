//! What can go wrong with a file of games.

use crate::game::GameError;
use std::fmt;
use std::io;

/// Why a file cannot be read or appended to.
#[derive(Debug)]
pub enum FormatError {
    /// The system says no.
    Io(io::Error),
    /// It does not begin like a file of games.
    NotGames,
    /// It has a version this program does not know.
    Version(u16),
    /// It has a checksum scheme this program does not know.
    Scheme(u8),
    /// Its header is damaged.
    BadHeader,
    /// It was made from another seed or with other settings.
    OtherSettings,
    /// Another program is appending to it.
    Busy,
    /// It ends within the record that begins at this byte.
    Torn(u64),
    /// The checksum of the record that begins at this byte is wrong, or its
    /// head makes no sense.
    Damaged(u64),
    /// The record that begins at this byte holds no possible game.
    Impossible(u64, GameError),
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::NotGames => f.write_str("not a file of games"),
            Self::Version(version) => write!(f, "version {version} is unknown"),
            Self::Scheme(scheme) => write!(f, "checksum scheme {scheme} is unknown"),
            Self::BadHeader => f.write_str("the header is damaged"),
            Self::OtherSettings => f.write_str("made from another seed or with other settings"),
            Self::Busy => f.write_str("another program is writing it"),
            Self::Torn(offset) => write!(f, "it ends within the game at byte {offset}"),
            Self::Damaged(offset) => write!(f, "the game at byte {offset} is damaged"),
            Self::Impossible(offset, error) => {
                write!(f, "the game at byte {offset} is impossible: {error}")
            }
        }
    }
}

impl std::error::Error for FormatError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            Self::Impossible(_, error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for FormatError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
