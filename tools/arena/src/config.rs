//! What an event is: everything that decides which games are played and how.
//! It is written into the results file, and an event is resumed only under
//! the very same configuration.

use crate::referee::DrawRule;
use crate::settings::{EngineConfig, Settings};
use crate::stats::Sprt;
use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use yonsan::board::Size;
use yonsan::rules::Rule;

/// Who meets whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EventKind {
    /// Two engines.
    Match,
    /// The first engine against every other.
    Gauntlet,
    /// Everybody against everybody.
    Tournament,
}

/// How the first stones come about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Procedure {
    /// The opening of the file is given, or the board is empty.
    #[default]
    Free,
    /// The first engine puts three stones, the second chooses its colour.
    Swap,
    /// As swap; the second may also put two more stones and leave the choice
    /// to the first.
    Swap2,
    /// Black begins in the centre; its second stone stands outside the
    /// central 5 by 5 points.
    Pro,
    /// As pro with 7 by 7 points.
    LongPro,
}

impl Procedure {
    /// The procedure as the library plays it.
    #[must_use]
    pub const fn rules(self) -> yonsan::rules::opening::Procedure {
        use yonsan::rules::opening::Procedure as Rules;
        match self {
            Self::Free => Rules::Free,
            Self::Swap => Rules::Swap,
            Self::Swap2 => Rules::Swap2,
            Self::Pro => Rules::Pro,
            Self::LongPro => Rules::LongPro,
        }
    }

    /// The name in the results file.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Swap => "swap",
            Self::Swap2 => "swap2",
            Self::Pro => "pro",
            Self::LongPro => "long-pro",
        }
    }
}

/// In what order openings are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OpeningOrder {
    /// As in the file, again from the start when it is used up.
    #[default]
    Sequential,
    /// Shuffled by the seed; every opening once before any comes again.
    Random,
}

/// Whether openings are turned and mirrored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SymmetryUse {
    /// As they stand in the file.
    #[default]
    None,
    /// By a symmetry that the seed chooses anew at every use.
    Random,
    /// Each stands for all its images, which are openings of their own.
    All,
}

/// The openings of an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpeningChoice {
    /// The file.
    pub file: PathBuf,
    /// Fingerprint of its openings, so that a changed file is noticed.
    pub fingerprint: String,
    /// Order of use.
    pub order: OpeningOrder,
    /// Images.
    pub symmetries: SymmetryUse,
}

/// How the stones get to an engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BoardUse {
    /// BEGIN or TURN if they can say it.
    #[default]
    IfNeeded,
    /// BOARD for the first move of a game, then TURN.
    First,
    /// Always BOARD.
    Always,
}

/// Whether an engine gets a new process for every game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Restart {
    /// A new process.
    #[default]
    On,
    /// The same process, unless it failed.
    Off,
    /// The same process if its start took more than half a second or a
    /// five-hundredth of the game.
    Auto,
}

/// What is done about unshared memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MemoryWatch {
    /// Nothing.
    #[default]
    Off,
    /// It is measured after every move and recorded.
    Measure,
    /// More than the engine was told loses the game.
    Enforce,
}

/// How the arena deals with engines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manners {
    /// Whether START is answered before INFO is sent.
    pub wait_for_ok: bool,
    /// Whether an engine is stopped while it is not asked.
    pub suspend: bool,
    /// Use of BOARD.
    pub board: BoardUse,
    /// New processes.
    pub restart: Restart,
    /// Whether a line that is neither a message nor the answer loses at once,
    /// as under Piskvork; otherwise it is passed over, as by the judge.
    pub strict: bool,
    /// Memory.
    pub memory: MemoryWatch,
    /// Time for the answer to START in milliseconds.
    pub startup_tolerance_ms: u64,
    /// How often a start that hangs or dies is tried again.
    pub start_retries: u32,
    /// Time between END and the kill in milliseconds.
    pub end_grace_ms: u64,
    /// Bytes an engine may write between two commands.
    pub flood_bytes: u64,
    /// Time for a move when no clock runs, in milliseconds.
    pub hang_ms: u64,
    /// Whether MESSAGE and DEBUG lines go into the results file.
    pub record_messages: bool,
}

impl Default for Manners {
    fn default() -> Self {
        Self {
            wait_for_ok: true,
            suspend: false,
            board: BoardUse::default(),
            restart: Restart::default(),
            strict: false,
            memory: MemoryWatch::default(),
            startup_tolerance_ms: 10_000,
            start_retries: 2,
            end_grace_ms: 500,
            flood_bytes: 8 << 20,
            hang_ms: 300_000,
            record_messages: false,
        }
    }
}

/// A game is given up when its engine's score stays at or below `-score`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResignRule {
    /// The score, in the engine's own units; wins are near 30000.
    pub score: u32,
    /// For so many of its moves in a row.
    pub moves: u32,
}

/// A game is a draw when both scores stay between `-score` and `score`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawByScore {
    /// The score, in the engines' own units.
    pub score: u32,
    /// For so many moves of each engine in a row.
    pub moves: u32,
    /// Not before so many stones are on the board.
    pub after: u32,
}

/// An event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EventConfig {
    /// Version of the arena that plays it.
    pub arena: String,
    /// Who meets whom.
    pub kind: EventKind,
    /// The engines, each name once.
    pub engines: Vec<EngineConfig>,
    /// The rule.
    #[serde(with = "rule_by_name")]
    pub rule: Rule,
    /// Columns.
    pub width: u8,
    /// Rows.
    pub height: u8,
    /// Opening procedure.
    pub procedure: Procedure,
    /// Openings; `None` for an empty board.
    pub openings: Option<OpeningChoice>,
    /// Seed of everything that is left to chance.
    pub seed: u64,
    /// Number of game pairs that every two engines play.
    pub rounds: u64,
    /// When a game without a winner ends.
    pub draw_rule: DrawRule,
    /// Giving up by score.
    pub resign: Option<ResignRule>,
    /// Draws by score.
    pub draw_by_score: Option<DrawByScore>,
    /// Dealing with engines.
    pub manners: Manners,
    /// Sequential test of the first engine against the second.
    pub sprt: Option<Sprt>,
}

impl EventConfig {
    /// The board.
    ///
    /// # Errors
    ///
    /// If a side is not 5 to 22.
    pub fn size(&self) -> Result<Size> {
        Size::new(self.width, self.height).with_context(|| {
            format!(
                "no board of {}x{}: sides are 5 to 22",
                self.width, self.height
            )
        })
    }

    /// Looks for what cannot be played.
    ///
    /// # Errors
    ///
    /// The first thing found.
    pub fn validate(&self) -> Result<()> {
        self.size()?;
        match (self.kind, self.engines.len()) {
            (EventKind::Match, 2) => {}
            (EventKind::Match, count) => bail!("a match needs 2 engines, not {count}"),
            (_, 0 | 1) => bail!("at least 2 engines are needed"),
            _ => {}
        }
        for (index, engine) in self.engines.iter().enumerate() {
            if self.engines[..index].iter().any(|e| e.name == engine.name) {
                bail!("two engines are called '{}': give name=...", engine.name);
            }
        }
        if self.rounds == 0 {
            bail!("there is nothing to play: at least one pair of games is needed");
        }
        if self.procedure != Procedure::Free && self.openings.is_some() {
            bail!("openings go with the procedure 'free' only");
        }
        if let Some(sprt) = &self.sprt {
            sprt.validate()?;
            if self.kind != EventKind::Match {
                bail!("a sequential test needs a match of 2 engines");
            }
        }
        Ok(())
    }
}

/// A rule as its name.
mod rule_by_name {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use yonsan::rules::Rule;

    pub(super) fn serialize<S: Serializer>(rule: &Rule, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(rule.name())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Rule, D::Error> {
        let name = String::deserialize(deserializer)?;
        name.parse().map_err(D::Error::custom)
    }
}

/// A configuration file: `[event]` with the long options of the command
/// line, `[each]` with settings for all engines, and one `[[engine]]` for
/// each of them.
#[derive(Clone, Debug, Default)]
pub struct ConfigFile {
    /// Command line words that say what `[event]` says.
    pub arguments: Vec<String>,
    /// Settings for all engines.
    pub each: Settings,
    /// The engines.
    pub engines: Vec<Settings>,
}

impl ConfigFile {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is no TOML, or has something unknown in it.
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path);
        let text = text.with_context(|| format!("cannot read {}", path.display()))?;
        Self::parse(&text).with_context(|| format!("in {}", path.display()))
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    ///
    /// If it is no TOML or has something unknown in it.
    pub fn parse(text: &str) -> Result<Self> {
        let mut file = Self::default();
        for (key, value) in text.parse::<toml::Table>()? {
            match (key.as_str(), value) {
                ("event", toml::Value::Table(table)) => file.arguments = event_arguments(&table)?,
                ("each", toml::Value::Table(table)) => file.each = Settings::from_table(&table)?,
                ("engine", toml::Value::Array(tables)) => {
                    for table in &tables {
                        let table = table.as_table().context("[[engine]] is no table")?;
                        file.engines.push(Settings::from_table(table)?);
                    }
                }
                _ => bail!("'{key}': only [event], [each] and [[engine]] are known"),
            }
        }
        Ok(file)
    }
}

/// `key = value` becomes `--key=value`; `true` the bare option.
fn event_arguments(table: &toml::Table) -> Result<Vec<String>> {
    let mut words = Vec::new();
    for (key, value) in table {
        let text = match value {
            toml::Value::Boolean(true) => {
                words.push(format!("--{key}"));
                continue;
            }
            toml::Value::Boolean(false) => continue,
            toml::Value::String(text) => text.clone(),
            toml::Value::Integer(number) => number.to_string(),
            toml::Value::Float(number) => number.to_string(),
            _ => bail!("{key}: a text, a number or true is wanted"),
        };
        words.push(format!("--{key}={text}"));
    }
    Ok(words)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::settings::Defaults;

    /// An event of these engines with nothing special.
    pub(crate) fn event(kind: EventKind, names: &[&str]) -> EventConfig {
        let engine = |name: &&str| {
            let settings = Settings::parse(&format!("cmd=x name={name} turn=1"));
            settings.unwrap().settle(&Defaults::default()).unwrap()
        };
        EventConfig {
            arena: "test".to_owned(),
            kind,
            engines: names.iter().map(engine).collect(),
            rule: Rule::Renju,
            width: 15,
            height: 15,
            procedure: Procedure::Free,
            openings: None,
            seed: 1,
            rounds: 10,
            draw_rule: DrawRule::FullBoard,
            resign: None,
            draw_by_score: None,
            manners: Manners::default(),
            sprt: None,
        }
    }

    #[test]
    fn configurations_survive_json() {
        let mut config = event(EventKind::Gauntlet, &["a", "b", "c"]);
        config.draw_rule = DrawRule::After(150);
        config.resign = Some(ResignRule {
            score: 900,
            moves: 3,
        });
        let text = serde_json::to_string(&config).unwrap();
        assert!(text.contains(r#""rule":"renju""#), "{text}");
        let back: EventConfig = serde_json::from_str(&text).unwrap();
        assert_eq!(back, config);
    }

    #[test]
    fn impossible_events_are_refused() {
        let good = event(EventKind::Match, &["a", "b"]);
        good.validate().unwrap();
        let refused = |change: &dyn Fn(&mut EventConfig), word: &str| {
            let mut config = good.clone();
            change(&mut config);
            let error = config.validate().unwrap_err().to_string();
            assert!(error.contains(word), "{error}");
        };
        refused(&|c| c.width = 23, "5 to 22");
        refused(&|c| c.rounds = 0, "nothing to play");
        refused(&|c| c.engines[1].name = "a".to_owned(), "called 'a'");
        refused(&|c| c.engines.truncate(1), "2 engines");
        refused(
            &|c| {
                c.sprt = Sprt::new(0.0, 5.0, 0.05, 0.05, crate::stats::EloModel::Normalized)
                    .map(|sprt| Sprt { elo1: -1.0, ..sprt })
                    .ok()
            },
            "elo0",
        );
        refused(
            &|c| {
                c.procedure = Procedure::Swap2;
                c.openings = Some(OpeningChoice {
                    file: "x".into(),
                    fingerprint: String::new(),
                    order: OpeningOrder::Random,
                    symmetries: SymmetryUse::None,
                });
            },
            "free",
        );
    }

    #[test]
    fn files_give_options_and_engines() {
        let text = r#"
            [event]
            rule = "caro"
            rounds = 20
            cup = true
            pin = false
            [each]
            turn = 0.5
            [[engine]]
            command = "a --x"
            [[engine]]
            command = "b"
            name = "B"
            options = { depth = 3 }
        "#;
        let file = ConfigFile::parse(text).unwrap();
        assert_eq!(file.arguments, ["--cup", "--rounds=20", "--rule=caro"]);
        assert_eq!(file.each.turn_ms, Some(500));
        assert_eq!(file.engines.len(), 2);
        assert_eq!(file.engines[1].options["depth"], "3");
        for bad in [
            "x = 1",
            "[event]\na = [1]",
            "[each]\ncolour = 1",
            "[[engine]]\nx = 2",
            "[",
        ] {
            assert!(ConfigFile::parse(bad).is_err(), "{bad}");
        }
    }
}
