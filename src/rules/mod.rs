//! Layer 1: what is allowed and who has won.
//!
//! [`Rule`] names the five rules; [`judge`] is their slow and plain reading,
//! the oracle against which everything fast is tested; [`Game`] is a position
//! under a rule, with its result; [`opening`] holds the opening procedures.
//! [`continuous`] is about games that go on after a win. May import `board`
//! only.

pub mod continuous;
mod game;
pub mod judge;
pub mod opening;

pub use game::{Game, GameResult, MoveError, WinReason};

use std::fmt;
use std::str::FromStr;

/// The rule of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Rule {
    /// Five or more in a row win.
    #[default]
    Freestyle,
    /// Exactly five in a row win; longer rows are nothing.
    Standard,
    /// Black wins with exactly five and must not make an overline, a double
    /// four or a double three; White wins with five or more.
    Renju,
    /// Five in a row win unless an opponent's stone stands at both ends; six
    /// or more always win.
    Caro,
    /// Exactly five in a row win unless an opponent's stone stands at both ends.
    CaroExact,
}

impl Rule {
    /// All rules.
    pub const ALL: [Self; 5] = [
        Self::Freestyle,
        Self::Standard,
        Self::Renju,
        Self::Caro,
        Self::CaroExact,
    ];

    /// The rule with this number in `INFO rule` of the Gomocup protocol.
    #[must_use]
    pub const fn from_code(code: u32) -> Option<Self> {
        match code {
            0 => Some(Self::Freestyle),
            1 => Some(Self::Standard),
            4 => Some(Self::Renju),
            8 => Some(Self::Caro),
            9 => Some(Self::CaroExact),
            _ => None,
        }
    }

    /// The number of the rule in `INFO rule` of the Gomocup protocol.
    #[must_use]
    pub const fn code(self) -> u32 {
        match self {
            Self::Freestyle => 0,
            Self::Standard => 1,
            Self::Renju => 4,
            Self::Caro => 8,
            Self::CaroExact => 9,
        }
    }

    /// 0 to 4, for tables.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The name in small letters.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Freestyle => "freestyle",
            Self::Standard => "standard",
            Self::Renju => "renju",
            Self::Caro => "caro",
            Self::CaroExact => "caro-exact",
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text that names no rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleError(String);

impl fmt::Display for RuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "no rule '{}': use freestyle, standard, renju, caro, caro-exact or 0, 1, 4, 8, 9",
            self.0
        )
    }
}

impl std::error::Error for RuleError {}

/// Reads a name or a protocol number.
impl FromStr for Rule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Self, RuleError> {
        let by_name = Self::ALL
            .into_iter()
            .find(|rule| rule.name().eq_ignore_ascii_case(text));
        by_name
            .or_else(|| text.parse().ok().and_then(Self::from_code))
            .ok_or_else(|| RuleError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_names_lead_back() {
        for rule in Rule::ALL {
            assert_eq!(Rule::from_code(rule.code()), Some(rule));
            assert_eq!(rule.name().parse(), Ok(rule));
            assert_eq!(rule.code().to_string().parse(), Ok(rule));
        }
        for code in [2, 3, 5, 6, 7, 10, 99] {
            assert_eq!(Rule::from_code(code), None);
        }
        assert!("gomoku".parse::<Rule>().is_err());
    }
}
