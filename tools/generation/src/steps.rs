//! The steps of a generation: which there are, the program and the arguments
//! of each, and the files between them.

use crate::child::{Program, Programs, quoted};
use crate::settings::{Board, Player, Settings};
use anyhow::{Context, Result};
use std::fmt;
use std::path::{Path, PathBuf};

const MINUTES_PER_HOUR: f64 = 60.0;
const SECONDS_PER_MINUTE: f64 = 60.0;
/// Seconds between two lines of the arena in its log.
const ARENA_INTERVAL: &str = "60";

/// One step; each is one run of one program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Games to learn from.
    Data,
    /// Tables of the classical evaluation.
    Fit,
    /// The net.
    Net,
    /// Balanced openings for the matches on a board.
    Openings(Board),
    /// A match of the new against the old.
    Gate(Gate),
}

/// A match of the new against the old.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gate {
    /// Who plays for the new.
    pub player: Player,
    /// Rule and board.
    pub board: Board,
    /// What bounds a move.
    pub bound: Bound,
}

/// What bounds the moves of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Nodes.
    Nodes,
    /// Time.
    Time,
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Nodes => "nodes",
            Self::Time => "time",
        })
    }
}

impl fmt::Display for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.player, self.board, self.bound)
    }
}

/// The name of the step, as in the state.
impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Data => f.write_str("data"),
            Self::Fit => f.write_str("fit"),
            Self::Net => f.write_str("net"),
            Self::Openings(board) => write!(f, "openings {board}"),
            Self::Gate(gate) => write!(f, "gate {gate}"),
        }
    }
}

/// All steps, in order.
#[must_use]
pub fn plan(settings: &Settings) -> Vec<Step> {
    let mut steps = vec![Step::Data, Step::Fit];
    if settings.net.train {
        steps.push(Step::Net);
    }
    let gates = gates(settings);
    for &board in &settings.gates.boards {
        if gates.iter().any(|gate| gate.board == board) {
            steps.push(Step::Openings(board));
        }
    }
    steps.extend(gates.into_iter().map(Step::Gate));
    steps
}

/// All matches, in order.
#[must_use]
pub fn gates(settings: &Settings) -> Vec<Gate> {
    let wanted = &settings.gates;
    let bounds = [
        wanted.nodes.as_ref().map(|_| Bound::Nodes),
        wanted.time.as_ref().map(|_| Bound::Time),
    ];
    let mut gates = Vec::new();
    for bound in bounds.into_iter().flatten() {
        for &player in &wanted.players {
            gates.extend(wanted.boards.iter().map(|&board| Gate {
                player,
                board,
                bound,
            }));
        }
    }
    gates
}

/// The folder in which everything is put.
#[derive(Clone, Debug)]
pub struct Place {
    folder: PathBuf,
}

impl Place {
    /// A folder, as an absolute path.
    #[must_use]
    pub const fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Games to learn from.
    #[must_use]
    pub fn games(&self) -> PathBuf {
        self.folder.join("games.ygd")
    }

    /// The new tables.
    #[must_use]
    pub fn tables(&self) -> PathBuf {
        self.folder.join("classical.weights")
    }

    /// The new net.
    #[must_use]
    pub fn net(&self) -> PathBuf {
        self.folder.join("nnue.weights")
    }

    /// The report.
    #[must_use]
    pub fn report(&self) -> PathBuf {
        self.folder.join("report.md")
    }

    /// Openings for the matches on a board.
    #[must_use]
    pub fn openings(&self, board: Board) -> PathBuf {
        self.of_step(Step::Openings(board), "txt")
    }

    /// The results of a match.
    #[must_use]
    pub fn results(&self, gate: Gate) -> PathBuf {
        self.of_step(Step::Gate(gate), "jsonl")
    }

    /// What the program of a step said.
    #[must_use]
    pub fn log(&self, step: Step) -> PathBuf {
        self.of_step(step, "log")
    }

    fn of_step(&self, step: Step, ending: &str) -> PathBuf {
        let name = step.to_string().replace(' ', "-");
        self.folder.join(format!("{name}.{ending}"))
    }
}

/// Makes the command lines of the steps.
#[derive(Clone, Copy, Debug)]
pub struct Commands<'a> {
    /// What is wanted.
    pub settings: &'a Settings,
    /// Where it is put.
    pub place: &'a Place,
    /// What does it.
    pub programs: &'a Programs,
}

impl Commands<'_> {
    /// The program of a step and its arguments; `spent` is for how many
    /// seconds the step was at work before.
    ///
    /// # Errors
    ///
    /// If a path is no text.
    pub fn of(&self, step: Step, spent: f64) -> Result<(Program, Vec<String>)> {
        Ok(match step {
            Step::Data => (Program::Datagen, self.data(spent)?),
            Step::Fit => (Program::Trainer, self.fit()?),
            Step::Net => (Program::Trainer, self.net()?),
            Step::Openings(board) => (Program::Arena, self.openings(board)?),
            Step::Gate(gate) => (Program::Arena, self.gate(gate)?),
        })
    }

    fn data(&self, spent: f64) -> Result<Vec<String>> {
        let data = &self.settings.data;
        let mut words = Words::new(&["play"]);
        words.maybe("--rules", data.rules.as_ref());
        words.maybe("--sizes", data.sizes.as_ref());
        words.with("--nodes", data.nodes);
        words.with("--balance", data.balance);
        words.with("--stray", data.stray);
        words.with("--hash", data.hash);
        words.with("--seed", data.seed);
        words.with("--generation", self.settings.generation);
        words.with("--threads", self.settings.threads);
        words.maybe("--games", data.games);
        let minutes = data
            .minutes
            .map(|minutes| (minutes - spent / SECONDS_PER_MINUTE).max(0.0));
        words.maybe("--hours", minutes.map(|minutes| minutes / MINUTES_PER_HOUR));
        words.0.extend(self.old_evaluation()?);
        words.path("-o", &self.place.games())?;
        Ok(words.0)
    }

    fn fit(&self) -> Result<Vec<String>> {
        let fit = &self.settings.fit;
        let mut words = Words::new(&["classical"]);
        words.path("--init", &fit.init)?;
        words.with("--epochs", fit.epochs);
        words.with("--result-weight", fit.result_weight);
        words.with("--max-samples", fit.max_samples);
        words.with("--seed", fit.seed);
        words.with("--threads", self.settings.threads);
        words.path("-o", &self.place.tables())?;
        words.0.push(text(&self.place.games())?);
        Ok(words.0)
    }

    fn net(&self) -> Result<Vec<String>> {
        let net = &self.settings.net;
        let folder = self.place.folder();
        let mut words = Words::new(&["nnue"]);
        words.path("--tables", &self.place.tables())?;
        words.with("--epochs", net.epochs);
        words.with("--every", net.every);
        words.with("--frequent", net.frequent);
        words.with("--lambda", net.lambda);
        words.with("--seed", net.seed);
        words.with("--threads", self.settings.threads);
        words.with("--description", &self.settings.name);
        words.path("--checkpoint", &folder.join("net.checkpoint"))?;
        words.path("--page", &folder.join("net.html"))?;
        words.path("-o", &self.place.net())?;
        words.0.push(text(&self.place.games())?);
        Ok(words.0)
    }

    fn openings(&self, board: Board) -> Result<Vec<String>> {
        let gates = &self.settings.gates;
        let mut words = Words::new(&["openings"]);
        words.with("--engine", self.engine(self.old_evaluation()?)?);
        words.with("--rule", board.rule);
        words.with("--size", sides(board));
        words.with("--count", gates.opening_count());
        words.with("--nodes", gates.opening_nodes);
        words.with("--balance", gates.opening_balance);
        words.with("--seed", gates.seed);
        words.with("--concurrency", self.settings.threads);
        words.with("--option", "thread_num=1");
        words.path("-o", &self.place.openings(board))?;
        Ok(words.0)
    }

    fn gate(&self, gate: Gate) -> Result<Vec<String>> {
        let gates = &self.settings.gates;
        let mut words = Words::new(&["match"]);
        for (name, evaluation) in [
            ("new", self.new_evaluation(gate.player)?),
            ("old", self.old_evaluation()?),
        ] {
            let command = quoted(&self.engine(evaluation)?);
            words.with("-e", format!("cmd={command} name={name} threads=1"));
        }
        words.with("--rule", gate.board.rule);
        words.with("--size", sides(gate.board));
        let games = match gate.bound {
            Bound::Nodes => gates.nodes.as_ref().map(|by| {
                words.with("--nodes", by.nodes);
                by.games
            }),
            Bound::Time => gates.time.as_ref().map(|by| {
                words.with("--turn", by.seconds);
                by.games
            }),
        };
        words.maybe("--games", games);
        words.path("--openings", &self.place.openings(gate.board))?;
        words.with("--seed", gates.seed);
        words.with("--concurrency", self.settings.threads);
        words.with("--interval", ARENA_INTERVAL);
        words.0.push("--resume".to_owned());
        words.path("-o", &self.place.results(gate))?;
        Ok(words.0)
    }

    /// The command line of the engine with an evaluation, without a book.
    fn engine(&self, evaluation: Vec<String>) -> Result<String> {
        let engine = text(&self.programs.path(Program::Engine))?;
        let book = ["--book", "off"].map(str::to_owned);
        let words = std::iter::once(engine).chain(book).chain(evaluation);
        let words: Vec<String> = words.map(|word| quoted(&word)).collect();
        Ok(words.join(" "))
    }

    fn new_evaluation(&self, player: Player) -> Result<Vec<String>> {
        let mut words = Words::new(&[]);
        words.path("--tables", &self.place.tables())?;
        match player {
            Player::Tables => words.with("--eval", "classical"),
            Player::Net => words.path("--weights", &self.place.net())?,
        }
        Ok(words.0)
    }

    fn old_evaluation(&self) -> Result<Vec<String>> {
        let old = &self.settings.old;
        let mut words = Words::new(&[]);
        if old.tables != Path::new("embedded") {
            words.path("--tables", &old.tables)?;
        }
        if old.weights == Path::new("none") {
            words.with("--eval", "classical");
        } else if old.weights != Path::new("embedded") {
            words.path("--weights", &old.weights)?;
        }
        Ok(words.0)
    }
}

/// A board as the arena reads it.
fn sides(board: Board) -> String {
    format!("{}x{}", board.size.width(), board.size.height())
}

fn text(path: &Path) -> Result<String> {
    let text = path.to_str();
    let text = text.with_context(|| format!("{} is no text", path.display()))?;
    Ok(text.to_owned())
}

/// Arguments, one after another.
struct Words(Vec<String>);

impl Words {
    fn new(words: &[&str]) -> Self {
        Self(words.iter().map(|&word| word.to_owned()).collect())
    }

    fn with(&mut self, option: &str, value: impl fmt::Display) {
        self.0.extend([option.to_owned(), value.to_string()]);
    }

    fn maybe(&mut self, option: &str, value: Option<impl fmt::Display>) {
        if let Some(value) = value {
            self.with(option, value);
        }
    }

    fn path(&mut self, option: &str, path: &Path) -> Result<()> {
        self.with(option, text(path)?);
        Ok(())
    }
}
