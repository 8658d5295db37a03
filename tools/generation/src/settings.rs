//! The settings of a generation: a TOML file in which every field is known and
//! every number is checked before anything is played.

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::{Path, PathBuf};
use yonsan::board::Size;
use yonsan::rules::Rule;

/// Everything that can be chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Settings {
    /// Name in the report and in the table.
    pub name: String,
    /// Number of the generation, written into every game.
    #[serde(default)]
    pub generation: u16,
    /// Games at a time, and threads of the fits.
    #[serde(default = "defaults::threads")]
    pub threads: u16,
    /// The evaluation that plays the games, and against which the new one is
    /// measured.
    #[serde(default)]
    pub old: Old,
    /// The games to learn from.
    pub data: DataSettings,
    /// The fit of the classical tables.
    #[serde(default)]
    pub fit: FitSettings,
    /// The training of the net.
    #[serde(default)]
    pub net: NetSettings,
    /// The matches of the new against the old.
    pub gates: GateSettings,
}

/// An evaluation there is already.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Old {
    /// `embedded`, `hand`, or a file of `trainer classical`.
    pub tables: PathBuf,
    /// `embedded`, `none`, or a file of `trainer nnue`.
    pub weights: PathBuf,
}

/// How the games are played; as the options of `datagen play`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct DataSettings {
    /// Rules by weight; those of `datagen` if not given.
    pub rules: Option<String>,
    /// Boards by weight; those of `datagen` if not given.
    pub sizes: Option<String>,
    /// Nodes a ply.
    #[serde(default = "defaults::data_nodes")]
    pub nodes: u64,
    /// Openings are within plus and minus this score.
    #[serde(default = "defaults::balance")]
    pub balance: u32,
    /// Most plies by which an opening goes astray.
    #[serde(default = "defaults::stray")]
    pub stray: u64,
    /// Transposition table of each thread in MiB.
    #[serde(default = "defaults::hash")]
    pub hash: u64,
    /// Seed of all games.
    #[serde(default = "defaults::seed")]
    pub seed: u64,
    /// Minutes to play, those of runs that were broken off included.
    pub minutes: Option<f64>,
    /// Games to play.
    pub games: Option<u64>,
}

/// How the tables are fitted; as the options of `trainer classical`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct FitSettings {
    /// Where the fit starts: `hand` or a file.
    pub init: PathBuf,
    /// Times every sample is looked at.
    pub epochs: u32,
    /// What the result weighs against the score, 0 to 1.
    pub result_weight: f64,
    /// Most values and moves kept of each rule.
    pub max_samples: u64,
    /// Settles the order of the samples.
    pub seed: u64,
}

/// How the net is trained; as the options of `trainer nnue`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct NetSettings {
    /// Whether there is to be a net.
    pub train: bool,
    /// Times every sample is looked at.
    pub epochs: u32,
    /// Of how many plies one is used.
    pub every: u32,
    /// Games in which a window must come up to get a row of its own.
    pub frequent: u32,
    /// What is expected after the next move weighs so much against the score of
    /// the position, 0 to 1.
    pub lambda: f64,
    /// Settles the first numbers and the order of the samples.
    pub seed: u64,
}

/// The matches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct GateSettings {
    /// Rules and boards, each a match of its own.
    pub boards: Vec<Board>,
    /// What plays for the new generation, each a match of its own; the net if
    /// there is one, otherwise the tables, if not given.
    #[serde(default)]
    pub players: Vec<Player>,
    /// Matches with so many nodes a move.
    pub nodes: Option<NodeGate>,
    /// Matches with so much time a move.
    pub time: Option<TimeGate>,
    /// Nodes with which the old evaluation judges openings.
    #[serde(default = "defaults::opening_nodes")]
    pub opening_nodes: u64,
    /// Openings are within plus and minus this score.
    #[serde(default = "defaults::balance")]
    pub opening_balance: u32,
    /// Seed of the openings and of their order.
    #[serde(default = "defaults::seed")]
    pub seed: u64,
}

/// Who plays for the new generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Player {
    /// The new tables without a net.
    Tables,
    /// The new net, which builds on the new tables.
    Net,
}

/// Matches by nodes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NodeGate {
    /// Games of a match, an even number.
    pub games: u64,
    /// Nodes a move.
    pub nodes: u64,
}

/// Matches by time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TimeGate {
    /// Games of a match, an even number.
    pub games: u64,
    /// Seconds a move.
    pub seconds: f64,
}

/// A rule and a board, `freestyle 15` or `caro 20x15`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Board {
    /// The rule.
    pub rule: Rule,
    /// The board.
    pub size: Size,
}

mod defaults {
    pub const fn threads() -> u16 {
        1
    }
    pub const fn data_nodes() -> u64 {
        1_000
    }
    pub const fn balance() -> u32 {
        150
    }
    pub const fn stray() -> u64 {
        16
    }
    pub const fn hash() -> u64 {
        16
    }
    pub const fn seed() -> u64 {
        1
    }
    pub const fn opening_nodes() -> u64 {
        20_000
    }
}

impl Default for Old {
    fn default() -> Self {
        Self {
            tables: "embedded".into(),
            weights: "embedded".into(),
        }
    }
}

impl Default for FitSettings {
    fn default() -> Self {
        Self {
            init: "hand".into(),
            epochs: 12,
            result_weight: 1.0,
            max_samples: 4_000_000,
            seed: 1,
        }
    }
}

impl Default for NetSettings {
    fn default() -> Self {
        Self {
            train: true,
            epochs: 1,
            every: 1,
            frequent: 100,
            lambda: 0.9,
            seed: 1,
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Tables => "tables",
            Self::Net => "net",
        })
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (width, height) = (self.size.width(), self.size.height());
        if width == height {
            write!(f, "{} {width}", self.rule)
        } else {
            write!(f, "{} {width}x{height}", self.rule)
        }
    }
}

impl From<Board> for String {
    fn from(board: Board) -> Self {
        board.to_string()
    }
}

impl TryFrom<String> for Board {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let complaint = || format!("'{text}' is no rule and board, such as freestyle 15");
        let (rule, sides) = text.split_once(' ').ok_or_else(complaint)?;
        let (width, height) = sides.split_once('x').unwrap_or((sides, sides));
        let size = width.parse().ok().zip(height.parse().ok());
        let size = size.and_then(|(width, height)| Size::new(width, height));
        let rule = rule.parse().ok();
        let (rule, size) = rule.zip(size).ok_or_else(complaint)?;
        Ok(Self { rule, size })
    }
}

impl Settings {
    /// Reads a file. Paths in it count from the current folder and come out
    /// absolute.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, a field is missing or unknown, a value
    /// makes no sense, or a file that is named is not there.
    pub fn read(path: &Path) -> Result<(Self, String)> {
        let name = || path.display().to_string();
        let text = std::fs::read_to_string(path).with_context(name)?;
        let mut settings = Self::parse(&text).with_context(name)?;
        settings.find_files().with_context(name)?;
        Ok((settings, text))
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    ///
    /// If a field is missing or unknown or a value makes no sense.
    pub fn parse(text: &str) -> Result<Self> {
        let mut settings: Self = toml::from_str(text)?;
        if settings.gates.players.is_empty() {
            let best = if settings.net.train {
                Player::Net
            } else {
                Player::Tables
            };
            settings.gates.players.push(best);
        }
        settings.check()?;
        Ok(settings)
    }

    fn check(&self) -> Result<()> {
        ensure!(
            !self.name.is_empty() && !self.name.contains(['|', '\n', '\r']),
            "name: one line of text without '|' is wanted"
        );
        ensure!(self.threads > 0, "threads: at least 1");
        self.data.check()?;
        self.fit.check()?;
        self.net.check()?;
        self.gates.check(self.net.train)
    }

    fn find_files(&mut self) -> Result<()> {
        for (field, path, words) in [
            (
                "old.tables",
                &mut self.old.tables,
                &["embedded", "hand"][..],
            ),
            ("old.weights", &mut self.old.weights, &["embedded", "none"]),
            ("fit.init", &mut self.fit.init, &["hand"]),
        ] {
            if words.iter().any(|word| path.as_os_str() == *word) {
                continue;
            }
            let words = words.join(" nor ");
            if !path.is_file() {
                bail!(
                    "{field}: '{}' is neither {words} nor a file",
                    path.display()
                );
            }
            *path = std::path::absolute(&*path)?;
        }
        Ok(())
    }
}

impl DataSettings {
    fn check(&self) -> Result<()> {
        ensure!(
            self.minutes.is_some() || self.games.is_some(),
            "data: minutes or games are wanted"
        );
        ensure!(
            self.minutes
                .is_none_or(|time| time.is_finite() && time > 0.0),
            "data.minutes: a number above 0 is wanted"
        );
        ensure!(self.games != Some(0), "data.games: at least 1");
        ensure!(self.nodes > 0, "data.nodes: at least 1");
        ensure!(self.hash > 0, "data.hash: at least 1");
        Ok(())
    }
}

impl FitSettings {
    fn check(&self) -> Result<()> {
        check_share("fit.result-weight", self.result_weight)?;
        ensure!(self.epochs > 0, "fit.epochs: at least 1");
        ensure!(self.max_samples > 0, "fit.max-samples: at least 1");
        Ok(())
    }
}

impl NetSettings {
    fn check(&self) -> Result<()> {
        check_share("net.lambda", self.lambda)?;
        ensure!(self.epochs > 0, "net.epochs: at least 1");
        ensure!(self.every > 0, "net.every: at least 1");
        Ok(())
    }
}

impl GateSettings {
    fn check(&self, has_net: bool) -> Result<()> {
        for (index, board) in self.boards.iter().enumerate() {
            ensure!(
                !self.boards[..index].contains(board),
                "gates.boards: {board} is named twice"
            );
        }
        for (index, player) in self.players.iter().enumerate() {
            ensure!(
                !self.players[..index].contains(player),
                "gates.players: {player} is named twice"
            );
            ensure!(
                has_net || *player != Player::Net,
                "gates.players: there is no net with net.train = false"
            );
        }
        ensure!(self.opening_nodes > 0, "gates.opening-nodes: at least 1");
        if let Some(gate) = &self.nodes {
            check_games("gates.nodes", gate.games)?;
            ensure!(gate.nodes > 0, "gates.nodes: at least 1 node");
        }
        if let Some(gate) = &self.time {
            check_games("gates.time", gate.games)?;
            ensure!(
                gate.seconds.is_finite() && gate.seconds > 0.0,
                "gates.time: seconds above 0 are wanted"
            );
        }
        Ok(())
    }

    /// Openings a board needs: one for each pair of games of its longest match.
    #[must_use]
    pub fn opening_count(&self) -> u64 {
        let nodes = self.nodes.as_ref().map_or(0, |gate| gate.games);
        let time = self.time.as_ref().map_or(0, |gate| gate.games);
        nodes.max(time) / 2
    }
}

fn check_share(field: &str, share: f64) -> Result<()> {
    ensure!(
        (0.0..=1.0).contains(&share),
        "{field}: {share} is not from 0 to 1"
    );
    Ok(())
}

fn check_games(field: &str, games: u64) -> Result<()> {
    ensure!(
        games > 0 && games.is_multiple_of(2),
        "{field}: games are played in pairs: an even number above 0 is wanted"
    );
    Ok(())
}

#[cfg(test)]
#[path = "settings_tests.rs"]
mod tests;
