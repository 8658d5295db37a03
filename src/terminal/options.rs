//! What can be chosen before a game, and how strong the engine plays.

use crate::board::{Colour, MAX_SIDE, MIN_SIDE, Point, Size};
use crate::book::Book;
use crate::engine::{self, Level};
use crate::rules::Rule;
use crate::search::Limits;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

const DEFAULT_SIZE: Size = match Size::square(15) {
    Some(size) => size,
    None => panic!("15 is a good side"),
};

/// Positions searched for a hint where no time is set.
const HINT_NODES: u64 = 50_000;

/// What to play.
#[derive(Clone, Debug)]
pub struct PlayOptions {
    /// The rule.
    pub rule: Rule,
    /// The size of the board.
    pub size: Size,
    /// How well the engine plays. Without it and without a time,
    /// [`Level::default`] holds.
    pub level: Option<Level>,
    /// What chance begins with at a level; `None` to take it from the clock.
    pub seed: Option<u64>,
    /// Bound on the engine's time for a move.
    pub time: Option<Duration>,
    /// The player's colour; the engine has the other one.
    pub player: Colour,
    /// Moves that are on the board when the game begins, Black first.
    pub moves: Vec<Point>,
    /// Threads and memory of the engine.
    pub engine: engine::Options,
    /// The opening book the engine plays from when no level bounds it.
    pub book: Option<Arc<Book>>,
}

impl Default for PlayOptions {
    /// Freestyle on 15x15 at the default level, the player has Black.
    fn default() -> Self {
        Self {
            rule: Rule::default(),
            size: DEFAULT_SIZE,
            level: None,
            seed: None,
            time: None,
            player: Colour::Black,
            moves: Vec::new(),
            engine: engine::Options::default(),
            book: None,
        }
    }
}

impl PlayOptions {
    /// The level in force; `None` for full strength.
    pub(super) fn level_in_force(&self) -> Option<Level> {
        match (self.level, self.time) {
            (None, None) => Some(Level::default()),
            (level, _) => level,
        }
    }

    /// The bounds of one search, its clock started now.
    pub(super) fn limits(&self) -> Limits {
        Limits {
            turn: self.time,
            ..Limits::unlimited()
        }
    }

    /// The bounds of a search for a hint, which no level spoils.
    pub(super) fn hint_limits(&self) -> Limits {
        Limits {
            max_nodes: self.time.is_none().then_some(HINT_NODES),
            ..self.limits()
        }
    }

    /// The engine's strength for people: `level 5`, `2 s a move`.
    pub(super) fn strength(&self) -> String {
        match (self.level, self.time) {
            (None, None) => Level::default().to_string(),
            (Some(level), None) => level.to_string(),
            (None, Some(time)) => format!("{} s a move", time.as_secs_f64()),
            (Some(level), Some(time)) => format!("{level}, {} s a move", time.as_secs_f64()),
        }
    }
}

/// A text that names no size of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SizeError(String);

impl fmt::Display for SizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "no size '{}': use 15 or 20x10, each side {MIN_SIDE} to {MAX_SIDE}",
            self.0
        )
    }
}

impl std::error::Error for SizeError {}

/// Reads `15` or `20x10` (columns, then rows).
///
/// # Errors
///
/// If the text is neither, or a side is too short or too long.
///
/// # Examples
///
/// ```
/// use yonsan::board::Size;
/// use yonsan::terminal::parse_size;
///
/// assert_eq!(parse_size("15"), Ok(Size::square(15).unwrap()));
/// assert_eq!(parse_size("20x10"), Ok(Size::new(20, 10).unwrap()));
/// assert!(parse_size("23").is_err());
/// ```
pub fn parse_size(text: &str) -> Result<Size, SizeError> {
    let (width, height) = text.split_once(['x', 'X']).unwrap_or((text, text));
    let size = match (width.parse(), height.parse()) {
        (Ok(width), Ok(height)) => Size::new(width, height),
        _ => None,
    };
    size.ok_or_else(|| SizeError(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_or_refused() {
        assert_eq!(parse_size("5X22"), Ok(Size::new(5, 22).unwrap()));
        for text in ["", "x", "4", "15x", "x15", "15x15x15", "15,15", "-9", "999"] {
            assert!(parse_size(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_search_always_has_a_bound() {
        let mut options = PlayOptions::default();
        assert_eq!(options.level_in_force(), Some(Level::default()));
        assert_eq!(options.hint_limits().max_nodes, Some(HINT_NODES));
        assert_eq!(options.strength(), "level 5");
        options.time = Some(Duration::from_millis(1500));
        assert_eq!(options.level_in_force(), None);
        assert_eq!(options.limits().turn, options.time);
        assert_eq!(options.hint_limits().max_nodes, None);
        assert_eq!(options.strength(), "1.5 s a move");
        options.level = Level::new(2);
        assert_eq!(options.level_in_force(), Level::new(2));
        assert_eq!(options.limits().turn, options.time);
    }
}
