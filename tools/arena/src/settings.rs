//! What can be said of one engine, or of all: on the command line as
//! `key=value` words, in a TOML table with the same keys.

use crate::duration::parse_ms;
use crate::process::{Launch, split_words};
use anyhow::{Context, Result, anyhow, bail};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

const BYTES_PER_MIB: u64 = 1 << 20;
/// Keys of a command line that begins with a setting and not with a program.
const FIRST_KEYS: [&str; 3] = ["cmd=", "command=", "name="];

/// What ends a line that is sent to an engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LineEnd {
    /// LF, as Linux runners send it.
    #[default]
    Lf,
    /// CR LF, as Piskvork and the cup's judge send it.
    Crlf,
}

impl LineEnd {
    /// The characters.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Lf => "\n",
            Self::Crlf => "\r\n",
        }
    }
}

/// Settings of an engine, each of which may be left open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Name shown.
    pub name: Option<String>,
    /// Command line.
    pub command: Option<String>,
    /// Working directory.
    pub directory: Option<PathBuf>,
    /// Time for a move in milliseconds.
    pub turn_ms: Option<u64>,
    /// Time for a game in milliseconds.
    pub match_ms: Option<u64>,
    /// Time added for every move in milliseconds.
    pub increment_ms: Option<u64>,
    /// Positions for a move.
    pub nodes: Option<u64>,
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Number of search threads.
    pub threads: Option<u32>,
    /// Memory in bytes; 0 means no limit.
    pub memory_bytes: Option<u64>,
    /// Time over the limit that is forgiven, in milliseconds.
    pub tolerance_ms: Option<u64>,
    /// Least time between an answer and the next command, in milliseconds.
    pub rest_ms: Option<u64>,
    /// Folder for files kept between games, told by `INFO folder`.
    pub folder: Option<PathBuf>,
    /// Line end.
    pub line_end: Option<LineEnd>,
    /// Further `INFO` lines.
    pub options: BTreeMap<String, String>,
}

/// An engine with everything settled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineConfig {
    /// Name shown, different from all others of the event.
    pub name: String,
    /// Command line.
    pub command: String,
    /// Working directory; `None` for that of the program.
    pub directory: Option<PathBuf>,
    /// Time for a move in milliseconds; `None` for no limit.
    pub turn_ms: Option<u64>,
    /// Time for a game in milliseconds; `None` for no limit.
    pub match_ms: Option<u64>,
    /// Time added for every move in milliseconds.
    pub increment_ms: u64,
    /// Positions for a move.
    pub nodes: Option<u64>,
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Number of search threads; `None` leaves it to the engine.
    pub threads: Option<u32>,
    /// Memory in bytes; 0 means no limit.
    pub memory_bytes: u64,
    /// Time over the limit that is forgiven, in milliseconds.
    pub tolerance_ms: u64,
    /// Least time between an answer and the next command, in milliseconds.
    #[serde(default)]
    pub rest_ms: u64,
    /// Folder for files kept between games.
    pub folder: Option<PathBuf>,
    /// Line end.
    pub line_end: LineEnd,
    /// Further `INFO` lines.
    pub options: BTreeMap<String, String>,
}

impl Settings {
    /// Reads an engine as given on the command line: a bare command, or
    /// `key=value` words that begin with `cmd=` or `name=`.
    ///
    /// # Errors
    ///
    /// If a word is no setting or a value is bad.
    pub fn parse_engine(text: &str) -> Result<Self> {
        if FIRST_KEYS
            .iter()
            .any(|key| text.trim_start().starts_with(key))
        {
            return Self::parse(text);
        }
        let mut settings = Self::default();
        settings.set("command", text)?;
        Ok(settings)
    }

    /// Reads `key=value` words.
    ///
    /// # Errors
    ///
    /// If a word is no setting or a value is bad.
    pub fn parse(text: &str) -> Result<Self> {
        let mut settings = Self::default();
        for word in split_words(text)? {
            let (key, value) = word
                .split_once('=')
                .ok_or_else(|| anyhow!("'{word}' is no setting: key=value is wanted"))?;
            settings.set(key, value)?;
        }
        Ok(settings)
    }

    /// Reads a TOML table.
    ///
    /// # Errors
    ///
    /// If a key is unknown or a value is bad.
    pub fn from_table(table: &toml::Table) -> Result<Self> {
        let mut settings = Self::default();
        for (key, value) in table {
            if let (true, toml::Value::Table(options)) = (key == "options", value) {
                for (name, value) in options {
                    settings
                        .options
                        .insert(name.clone(), plain_text(name, value)?);
                }
            } else {
                settings.set(key, &plain_text(key, value)?)?;
            }
        }
        Ok(settings)
    }

    /// Sets one value from its text.
    ///
    /// # Errors
    ///
    /// If the key is unknown or the value is bad.
    pub fn set(&mut self, key: &str, value: &str) -> Result<()> {
        self.set_value(key, value)
            .with_context(|| format!("in {key}={value}"))
    }

    fn set_value(&mut self, key: &str, value: &str) -> Result<()> {
        let ms = |text: &str| parse_ms(text).map_err(|problem| anyhow!(problem));
        match key {
            "cmd" | "command" => {
                Launch::new(value, None)?;
                self.command = Some(value.to_owned());
            }
            "name" => self.name = Some(checked_name(value)?),
            "dir" | "directory" => self.directory = Some(value.into()),
            "folder" => self.folder = Some(value.into()),
            "turn" => self.turn_ms = Some(ms(value)?),
            "match" => self.match_ms = Some(ms(value)?),
            "inc" | "increment" => self.increment_ms = Some(ms(value)?),
            "tc" => self.set_time_control(value)?,
            "nodes" => self.nodes = Some(value.parse()?),
            "depth" => self.depth = Some(value.parse()?),
            "thread" | "threads" => self.threads = Some(value.parse()?),
            "memory" | "maxmemory" => self.memory_bytes = Some(parse_memory(value)?),
            "tolerance" => self.tolerance_ms = Some(ms(value)?),
            "rest" => self.rest_ms = Some(ms(value)?),
            "line-end" => {
                self.line_end = Some(match value {
                    "lf" => LineEnd::Lf,
                    "crlf" => LineEnd::Crlf,
                    _ => bail!("lf or crlf is wanted"),
                });
            }
            _ => match key.strip_prefix("option.") {
                Some(name) => {
                    self.options.insert(name.to_owned(), value.to_owned());
                }
                None => bail!("there is no setting '{key}'"),
            },
        }
        Ok(())
    }

    /// `MATCH/TURN+INCREMENT`, each part but one may be missing; as the
    /// public runner has it.
    fn set_time_control(&mut self, text: &str) -> Result<()> {
        let ms = |text: &str| parse_ms(text).map_err(|problem| anyhow!(problem));
        let (rest, increment) = match text.split_once('+') {
            Some((rest, increment)) => (rest, Some(ms(increment)?)),
            None => (text, None),
        };
        let (whole, turn) = match rest.split_once('/') {
            Some((whole, turn)) => (whole, Some(ms(turn)?)),
            None => (rest, None),
        };
        if !whole.is_empty() {
            self.match_ms = Some(ms(whole)?);
        }
        self.turn_ms = turn.or(self.turn_ms);
        self.increment_ms = increment.or(self.increment_ms);
        Ok(())
    }

    /// Fills what is open from `defaults`.
    pub fn fill_from(&mut self, defaults: &Self) {
        let from = defaults.clone();
        self.name = self.name.take().or(from.name);
        self.command = self.command.take().or(from.command);
        self.directory = self.directory.take().or(from.directory);
        self.turn_ms = self.turn_ms.or(from.turn_ms);
        self.match_ms = self.match_ms.or(from.match_ms);
        self.increment_ms = self.increment_ms.or(from.increment_ms);
        self.nodes = self.nodes.or(from.nodes);
        self.depth = self.depth.or(from.depth);
        self.threads = self.threads.or(from.threads);
        self.memory_bytes = self.memory_bytes.or(from.memory_bytes);
        self.tolerance_ms = self.tolerance_ms.or(from.tolerance_ms);
        self.rest_ms = self.rest_ms.or(from.rest_ms);
        self.folder = self.folder.take().or(from.folder);
        self.line_end = self.line_end.or(from.line_end);
        for (name, value) in from.options {
            self.options.entry(name).or_insert(value);
        }
    }

    /// The engine these settings describe. A time of 0 means no limit.
    ///
    /// # Errors
    ///
    /// If there is no command, or nothing limits the thinking.
    pub fn settle(self, defaults: &Defaults) -> Result<EngineConfig> {
        let command = self.command.context("an engine without a command")?;
        let name = match self.name {
            Some(name) => name,
            None => checked_name(&Launch::new(&command, None)?.short_name())?,
        };
        let limit = |ms: Option<u64>| ms.filter(|&ms| ms > 0);
        let config = EngineConfig {
            command,
            directory: self.directory,
            turn_ms: limit(self.turn_ms),
            match_ms: limit(self.match_ms),
            increment_ms: self.increment_ms.unwrap_or(0),
            nodes: self.nodes,
            depth: self.depth,
            threads: self.threads,
            memory_bytes: self.memory_bytes.unwrap_or(defaults.memory_bytes),
            tolerance_ms: self.tolerance_ms.unwrap_or(defaults.tolerance_ms),
            rest_ms: self.rest_ms.unwrap_or(0),
            folder: self.folder,
            line_end: self.line_end.unwrap_or(defaults.line_end),
            options: self.options,
            name,
        };
        let is_limited = config.turn_ms.is_some()
            || config.match_ms.is_some()
            || config.nodes.is_some()
            || config.depth.is_some();
        if !is_limited {
            bail!(
                "{}: nothing limits its thinking; give turn, match, nodes or depth",
                config.name
            );
        }
        Ok(config)
    }
}

/// Values for settings that nobody gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Defaults {
    /// Memory in bytes.
    pub memory_bytes: u64,
    /// Tolerance in milliseconds.
    pub tolerance_ms: u64,
    /// Line end.
    pub line_end: LineEnd,
}

impl Default for Defaults {
    /// The memory and the tolerance of the cup, and LF.
    fn default() -> Self {
        Self {
            memory_bytes: 350 * BYTES_PER_MIB,
            tolerance_ms: 1_000,
            line_end: LineEnd::Lf,
        }
    }
}

/// MiB, or bytes with a unit `k`, `m` or `g`.
fn parse_memory(text: &str) -> Result<u64> {
    let lower = text.to_ascii_lowercase();
    let (number, factor) = match lower.strip_suffix(['k', 'm', 'g']) {
        Some(number) if lower.ends_with('k') => (number, BYTES_PER_MIB >> 10),
        Some(number) if lower.ends_with('g') => (number, BYTES_PER_MIB << 10),
        Some(number) => (number, BYTES_PER_MIB),
        None => (lower.as_str(), BYTES_PER_MIB),
    };
    let bytes = number
        .parse::<u64>()
        .ok()
        .and_then(|n| n.checked_mul(factor));
    bytes.ok_or_else(|| anyhow!("'{text}' is no memory size such as 350 or 2g"))
}

/// Names stand in tables and files of one line: no control characters.
fn checked_name(name: &str) -> Result<String> {
    if name.trim().is_empty() || name.chars().any(char::is_control) {
        bail!("'{}' is no name", name.escape_debug());
    }
    Ok(name.to_owned())
}

fn plain_text(key: &str, value: &toml::Value) -> Result<String> {
    match value {
        toml::Value::String(text) => Ok(text.clone()),
        toml::Value::Integer(number) => Ok(number.to_string()),
        toml::Value::Float(number) => Ok(number.to_string()),
        toml::Value::Boolean(flag) => Ok(u8::from(*flag).to_string()),
        _ => bail!("{key}: a text or a number is wanted"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bare_command_is_an_engine() {
        let settings = Settings::parse_engine("'my dir/pbrain-a' --x=1 y=2").unwrap();
        assert_eq!(
            settings.command.as_deref(),
            Some("'my dir/pbrain-a' --x=1 y=2")
        );
        assert!(Settings::parse_engine("'open").is_err());
    }

    #[test]
    fn words_and_tables_say_the_same() {
        let words = Settings::parse_engine(
            "cmd='wine /a b/c.exe' name='A \"1\"' tc=180/5+0.1 nodes=7 depth=3 threads=2 \
             memory=1g tolerance=2 rest=30ms dir=/tmp folder=/f line-end=crlf option.hash_size=1024",
        );
        let table = r#"
            command = "wine /a b/c.exe"
            name = 'A "1"'
            match = 180
            turn = "5s"
            increment = 0.1
            nodes = 7
            depth = 3
            threads = 2
            memory = "1024m"
            tolerance = "2000ms"
            rest = 0.03
            directory = "/tmp"
            folder = "/f"
            line-end = "crlf"
            [options]
            hash_size = 1024
        "#;
        let table = Settings::from_table(&table.parse().unwrap()).unwrap();
        assert_eq!(words.unwrap(), table);
    }

    #[test]
    fn bad_settings_are_told() {
        for text in [
            "turn=x",
            "turn",
            "colour=red",
            "memory=-1",
            "tc=a/b",
            "name=",
            "nodes=1.5",
        ] {
            let error = format!("{:#}", Settings::parse(text).unwrap_err());
            assert!(error.contains(text.split('=').next().unwrap()), "{error}");
        }
        let table = "turn = [1]".parse().unwrap();
        assert!(Settings::from_table(&table).is_err());
    }

    #[test]
    fn open_settings_are_filled() {
        let mut engine = Settings::parse_engine("cmd=x turn=1 option.a=1").unwrap();
        let each = Settings::parse("turn=2 match=3 option.a=2 option.b=3").unwrap();
        engine.fill_from(&each);
        assert_eq!(
            (engine.turn_ms, engine.match_ms),
            (Some(1_000), Some(3_000))
        );
        assert_eq!(engine.options["a"], "1");
        assert_eq!(engine.options["b"], "3");
        let config = engine.settle(&Defaults::default()).unwrap();
        assert_eq!((config.name.as_str(), config.tolerance_ms), ("x", 1_000));
        assert_eq!((config.memory_bytes, config.rest_ms), (367_001_600, 0));
    }

    #[test]
    fn something_must_limit_the_thinking() {
        let engine = Settings::parse_engine("cmd=x turn=0").unwrap();
        let error = engine.settle(&Defaults::default()).unwrap_err().to_string();
        assert!(error.contains("nothing limits"), "{error}");
        let none = Settings::parse("turn=1").unwrap();
        assert!(none.settle(&Defaults::default()).is_err());
    }
}
