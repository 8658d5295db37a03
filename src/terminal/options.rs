//! What can be chosen before a game, and how strong the engine plays.

use crate::board::{Colour, MAX_SIDE, MIN_SIDE, Point, Size};
use crate::engine;
use crate::rules::Rule;
use crate::search::Limits;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

const DEFAULT_SIZE: Size = match Size::square(15) {
    Some(size) => size,
    None => panic!("15 is a good side"),
};

/// What to play.
#[derive(Clone, Debug)]
pub struct PlayOptions {
    /// The rule.
    pub rule: Rule,
    /// The size of the board.
    pub size: Size,
    /// Bound on the engine's work for a move. Without it and without a time,
    /// [`Level::default`] holds.
    pub level: Option<Level>,
    /// Bound on the engine's time for a move.
    pub time: Option<Duration>,
    /// The player's colour; the engine has the other one.
    pub player: Colour,
    /// Moves that are on the board when the game begins, Black first.
    pub moves: Vec<Point>,
    /// Threads and memory of the engine.
    pub engine: engine::Options,
}

impl Default for PlayOptions {
    /// Freestyle on 15x15 at the default level, the player has Black.
    fn default() -> Self {
        Self {
            rule: Rule::default(),
            size: DEFAULT_SIZE,
            level: None,
            time: None,
            player: Colour::Black,
            moves: Vec::new(),
            engine: engine::Options::default(),
        }
    }
}

impl PlayOptions {
    /// The bounds of one search, its clock started now.
    pub(super) fn limits(&self) -> Limits {
        let level = match (self.level, self.time) {
            (None, None) => Some(Level::default()),
            (level, _) => level,
        };
        Limits {
            turn: self.time,
            max_nodes: level.map(Level::node_budget),
            ..Limits::unlimited()
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

/// How much the engine may look at for a move, 1 to 10.
///
/// A level is a number of positions and nothing else: 100 at level 1, and
/// three times as many at each further level, about two million at level 10.
/// The engine does not err on purpose at any level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level(u8);

impl Level {
    const HIGHEST: u8 = 10;
    const LOWEST_BUDGET: u64 = 100;
    const GROWTH: u64 = 3;

    /// The level with this number; `None` if it is not 1 to 10.
    #[must_use]
    pub const fn new(number: u8) -> Option<Self> {
        if number >= 1 && number <= Self::HIGHEST {
            Some(Self(number))
        } else {
            None
        }
    }

    /// Positions the engine may search for a move.
    #[must_use]
    pub const fn node_budget(self) -> u64 {
        Self::LOWEST_BUDGET * Self::GROWTH.pow(self.0 as u32 - 1)
    }
}

impl Default for Level {
    /// Level 5.
    fn default() -> Self {
        Self(5)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "level {}", self.0)
    }
}

/// A text that names no level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelError(String);

impl fmt::Display for LevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no level '{}': use 1 to {}", self.0, Level::HIGHEST)
    }
}

impl std::error::Error for LevelError {}

impl FromStr for Level {
    type Err = LevelError;

    fn from_str(text: &str) -> Result<Self, LevelError> {
        let number = text.parse().ok();
        number
            .and_then(Self::new)
            .ok_or_else(|| LevelError(text.to_owned()))
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
    fn levels_have_the_promised_budgets() {
        let budget = |text: &str| text.parse::<Level>().unwrap().node_budget();
        assert_eq!(budget("1"), 100);
        assert_eq!(budget("2"), 300);
        assert_eq!(budget("10"), 1_968_300);
        for text in ["0", "11", "", "x", "-1", "1.5"] {
            assert!(text.parse::<Level>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_search_always_has_a_bound() {
        let mut options = PlayOptions::default();
        assert_eq!(options.limits().max_nodes, Some(8_100));
        assert_eq!(options.strength(), "level 5");
        options.time = Some(Duration::from_millis(1500));
        assert_eq!(options.limits().max_nodes, None);
        assert_eq!(options.limits().turn, options.time);
        assert_eq!(options.strength(), "1.5 s a move");
        options.level = Level::new(2);
        assert_eq!(options.limits().max_nodes, Some(300));
        assert_eq!(options.limits().turn, options.time);
    }
}
