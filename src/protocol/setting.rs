//! `INFO key value`: text to [`Setting`], pure.

use super::message::excerpt;
use crate::engine::Level;
use std::fmt;
use std::path::PathBuf;

/// Keys that managers send and that mean nothing here. They change nothing
/// and are no reason to complain.
const IGNORED_KEYS: [&str; 10] = [
    "caution_factor",
    "checkmate",
    "evaluate",
    "nbestsym",
    "start_depth",
    "swapable",
    "thread_split_depth",
    "time_increment",
    "usedatabase",
    "vcthread",
];

/// Something the manager has set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    /// Milliseconds for a move: 0 at once, negative without bound.
    TurnTime(i64),
    /// Milliseconds for a game: 0 and below without bound.
    MatchTime(i64),
    /// Milliseconds left for the game: 0 and below at once.
    TimeLeft(i64),
    /// Number of the rule, not looked at yet.
    RuleCode(i64),
    /// Bytes for the process, 0 without bound.
    MaxMemory(u64),
    /// KiB for the table, 0 for the smallest.
    HashSize(u64),
    /// Search threads, at least 1.
    Threads(u32),
    /// Positions a move; `None` without bound.
    MaxNodes(Option<u64>),
    /// Plies a move; `None` without bound.
    MaxDepth(Option<u32>),
    /// Which live displays are fed: bit 0 Yixin's, bit 1 the web's.
    ShowDetail(u32),
    /// Who plays: 2 for a tournament.
    GameType(i64),
    /// Whether to search while the opponent thinks.
    Pondering(bool),
    /// A level to play at; `None` for full strength.
    Level(Option<Level>),
    /// What chance begins with at a level.
    Seed(i64),
    /// Where the manager keeps files for engines.
    Folder(PathBuf),
    /// Known, and without effect here.
    Ignored,
}

/// Why an `INFO` line has no effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingError {
    /// No key.
    NoKey,
    /// A key nobody knows.
    UnknownKey(String),
    /// No value behind the key.
    NoValue(String),
    /// A value that is no number, or a number that makes no sense.
    BadValue {
        /// The key.
        key: String,
        /// The value.
        value: String,
    },
    /// A number that names no rule.
    UnknownRule(i64),
    /// The line was cut.
    TooLong,
}

impl fmt::Display for SettingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoKey => f.write_str("INFO without a key"),
            Self::UnknownKey(key) => write!(f, "INFO {key} is not known"),
            Self::NoValue(key) => write!(f, "INFO {key} has no value"),
            Self::BadValue { key, value } => write!(f, "INFO {key} cannot be '{value}'"),
            Self::UnknownRule(code) => write!(f, "INFO rule {code} is not known"),
            Self::TooLong => f.write_str("INFO line is too long"),
        }
    }
}

impl std::error::Error for SettingError {}

/// Reads what stands behind `INFO`.
///
/// # Errors
///
/// If the line has no effect and the manager should hear of it.
pub fn parse(text: &str) -> Result<Setting, SettingError> {
    let (key, value) = text
        .split_once(char::is_whitespace)
        .map_or((text, ""), |(key, value)| (key, value.trim()));
    if key.is_empty() {
        return Err(SettingError::NoKey);
    }
    let key = key.to_ascii_lowercase();
    let reader = Reader { key: &key, value };
    match key.as_str() {
        "timeout_turn" => reader.number().map(Setting::TurnTime),
        "timeout_match" => reader.number().map(Setting::MatchTime),
        "time_left" => reader.number().map(Setting::TimeLeft),
        "rule" => reader.number().map(Setting::RuleCode),
        "max_memory" => reader.checked(|n| u64::try_from(n).ok().map(Setting::MaxMemory)),
        "hash_size" => reader.checked(|n| u64::try_from(n).ok().map(Setting::HashSize)),
        "thread_num" => reader.checked(threads),
        "max_node" => reader.number().map(|n| Setting::MaxNodes(bound(n))),
        "max_depth" => reader.number().map(|n| Setting::MaxDepth(bound_depth(n))),
        "game_type" => reader.number().map(Setting::GameType),
        "pondering" => reader.number().map(|n| Setting::Pondering(n == 1)),
        "strength" => reader.checked(strength),
        "level" => reader.checked(level),
        "seed" => reader.number().map(Setting::Seed),
        "show_detail" => reader.checked(|n| u32::try_from(n).ok().map(Setting::ShowDetail)),
        "folder" => Ok(folder(value)),
        ignored if IGNORED_KEYS.contains(&ignored) => Ok(Setting::Ignored),
        unknown => Err(SettingError::UnknownKey(excerpt(unknown))),
    }
}

fn threads(number: i64) -> Option<Setting> {
    (number >= 1).then(|| Setting::Threads(u32::try_from(number).unwrap_or(u32::MAX)))
}

/// No folder is none to complain of.
fn folder(path: &str) -> Setting {
    if path.is_empty() {
        Setting::Ignored
    } else {
        Setting::Folder(path.into())
    }
}

/// In per cent; 100 and more is full strength.
fn strength(percent: i64) -> Option<Setting> {
    let percent = u32::try_from(percent).ok()?;
    Some(Setting::Level(Level::from_percent(percent)))
}

/// 1 to 10; 0 is full strength.
fn level(number: i64) -> Option<Setting> {
    match u8::try_from(number).ok()? {
        0 => Some(Setting::Level(None)),
        number => Level::new(number).map(|level| Setting::Level(Some(level))),
    }
}

fn bound(number: i64) -> Option<u64> {
    u64::try_from(number).ok().filter(|&n| n > 0)
}

fn bound_depth(number: i64) -> Option<u32> {
    bound(number).map(|n| u32::try_from(n).unwrap_or(u32::MAX))
}

/// A key, for the error text, and its value.
struct Reader<'a> {
    key: &'a str,
    value: &'a str,
}

impl Reader<'_> {
    fn number(&self) -> Result<i64, SettingError> {
        if self.value.is_empty() {
            return Err(SettingError::NoValue(self.key.to_owned()));
        }
        self.value.parse().map_err(|_| self.bad_value())
    }

    fn checked(&self, make: impl Fn(i64) -> Option<Setting>) -> Result<Setting, SettingError> {
        make(self.number()?).ok_or_else(|| self.bad_value())
    }

    fn bad_value(&self) -> SettingError {
        SettingError::BadValue {
            key: self.key.to_owned(),
            value: excerpt(self.value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn good_lines() {
        for (text, setting) in [
            ("timeout_turn 0", Setting::TurnTime(0)),
            ("TIMEOUT_TURN   -1 ", Setting::TurnTime(-1)),
            ("timeout_match 100000", Setting::MatchTime(100_000)),
            ("time_left -700", Setting::TimeLeft(-700)),
            ("rule 99", Setting::RuleCode(99)),
            ("max_memory 4294967296", Setting::MaxMemory(1 << 32)),
            ("hash_size 0", Setting::HashSize(0)),
            ("thread_num 4", Setting::Threads(4)),
            ("thread_num 9999999999", Setting::Threads(u32::MAX)),
            ("max_node -1", Setting::MaxNodes(None)),
            ("max_node 0", Setting::MaxNodes(None)),
            ("max_node 20000", Setting::MaxNodes(Some(20_000))),
            ("max_depth 225", Setting::MaxDepth(Some(225))),
            ("show_detail 3", Setting::ShowDetail(3)),
            ("game_type 2", Setting::GameType(2)),
            ("pondering 1", Setting::Pondering(true)),
            ("pondering 0", Setting::Pondering(false)),
            ("strength 100", Setting::Level(None)),
            ("strength 0", Setting::Level(Level::new(1))),
            ("strength 99", Setting::Level(Level::new(10))),
            ("level 0", Setting::Level(None)),
            ("level 7", Setting::Level(Level::new(7))),
            ("seed -5", Setting::Seed(-5)),
            (
                r"folder C:\Some Folder\x",
                Setting::Folder(r"C:\Some Folder\x".into()),
            ),
            ("folder", Setting::Ignored),
            ("caution_factor", Setting::Ignored),
            ("evaluate 3,4", Setting::Ignored),
        ] {
            assert_eq!(parse(text), Ok(setting), "{text}");
        }
    }

    #[test]
    fn bad_lines() {
        for (text, complaint) in [
            ("", "INFO without a key"),
            ("foo 1", "INFO foo is not known"),
            ("rule", "INFO rule has no value"),
            ("rule x", "INFO rule cannot be 'x'"),
            ("time_left 1e3", "INFO time_left cannot be '1e3'"),
            ("thread_num 0", "INFO thread_num cannot be '0'"),
            ("level 11", "INFO level cannot be '11'"),
            ("strength -1", "INFO strength cannot be '-1'"),
            ("max_memory -1", "INFO max_memory cannot be '-1'"),
            ("timeout_turn 5 5", "INFO timeout_turn cannot be '5 5'"),
            (
                "timeout_turn 99999999999999999999",
                "INFO timeout_turn cannot be '99999999999999999999'",
            ),
        ] {
            assert_eq!(
                parse(text).map_err(|e| e.to_string()),
                Err(complaint.into())
            );
        }
    }
}
