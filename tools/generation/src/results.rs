//! What came out of a step: read from the files it wrote, and, where the
//! figures are in no file, from what the trainer said.

use crate::log_text::{count_before, last_run, number_behind};
use crate::settings::Board;
use crate::steps::{Gate, Place, Step};
use anyhow::{Context, Result, ensure};
use arena::collect::Collection;
use arena::opening_file;
use arena::record::Outcome as GameOutcome;
use arena::stats::{Estimate, Points, Tally};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;
use yonsan::rules::Rule;
use yonsan_format::{FormatError, Reader};

/// What came out of a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Outcome {
    /// Games to learn from.
    Data {
        /// By rule, those with games only.
        rules: Vec<RuleGames>,
    },
    /// Tables.
    Fit {
        /// By rule, those with games only.
        rules: Vec<RuleFit>,
    },
    /// A net.
    Net(NetFigures),
    /// Openings.
    Openings {
        /// How many there are.
        count: u64,
    },
    /// A match.
    Gate(GateFigures),
}

/// The games of a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleGames {
    /// Name of the rule.
    pub rule: String,
    /// Games.
    pub games: u64,
    /// Their plies.
    pub positions: u64,
}

/// The fit of the tables of a rule, measured on games held out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RuleFit {
    /// Name of the rule.
    pub rule: String,
    /// Values held out.
    pub value_count: u64,
    /// Values; `right` is how often the winner is told.
    pub values: Option<Change>,
    /// Moves; `right` is how often the played one is the first.
    pub moves: Option<Change>,
}

/// What a fit has changed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// With the tables the fit began with.
    pub before: Quality,
    /// With the fitted tables.
    pub after: Quality,
}

/// How good an evaluation is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Quality {
    /// Mean loss in nats.
    pub loss: f64,
    /// How often it is right, in hundredths.
    pub right: f64,
}

/// A net, measured on games held out, beside the tables it builds on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NetFigures {
    /// Positions for learning.
    pub learned: u64,
    /// Positions held out.
    pub held_out: u64,
    /// Loss of win, draw and loss.
    pub outcome_loss: f64,
    /// The net; `loss` is that of the points expected.
    pub values: f64,
    /// The tables, the same.
    pub table_values: f64,
    /// Moves of the net.
    pub moves: Quality,
    /// Moves of the tables.
    pub table_moves: Quality,
}

/// A match, seen from the new evaluation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GateFigures {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Standard error of the score, from whole pairs; nothing if there are too
    /// few.
    pub standard_error: Option<f64>,
    /// Games that an engine lost by a failure such as a crash.
    pub failures: u64,
}

impl GateFigures {
    /// Number of games.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points of the new, 0 to 1 a game, all together.
    #[must_use]
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }
}

/// Elo of the new in matches together, each weighing as much as it has games;
/// nothing without games.
#[must_use]
pub fn elo<'a>(matches: impl IntoIterator<Item = &'a GateFigures>) -> Option<Estimate> {
    let (mut games, mut points, mut variance) = (0.0, 0.0, Some(0.0));
    for figures in matches {
        let count = figures.games() as f64;
        games += count;
        points += figures.points();
        let error = figures.standard_error.map(|error| error * count);
        variance = variance.zip(error).map(|(sum, error)| sum + error * error);
    }
    if games == 0.0 {
        return None;
    }
    let error = variance.map_or(f64::INFINITY, |sum: f64| sum.sqrt() / games);
    Some(Estimate::from_score(points / games, error))
}

/// Reads what came out of a step.
///
/// # Errors
///
/// If a file or what is looked for in it is not there.
pub fn read(step: Step, place: &Place) -> Result<Outcome> {
    match step {
        Step::Data => count_games(&place.games()),
        Step::Fit => with_log(step, place, read_fit),
        Step::Net => with_log(step, place, read_net),
        Step::Openings(board) => count_openings(&place.openings(board), board),
        Step::Gate(gate) => count_match(gate, place),
    }
}

fn with_log(step: Step, place: &Place, read: fn(&str) -> Result<Outcome>) -> Result<Outcome> {
    let path = place.log(step);
    let name = || path.display().to_string();
    let bytes = fs::read(&path).with_context(name)?;
    read(last_run(&String::from_utf8_lossy(&bytes))).with_context(name)
}

fn count_games(path: &Path) -> Result<Outcome> {
    let name = || path.display().to_string();
    let mut rules = Rule::ALL.map(|rule| RuleGames {
        rule: rule.name().to_owned(),
        games: 0,
        positions: 0,
    });
    for game in Reader::open(path).with_context(name)? {
        let game = match game {
            // The trainer passes it over, too.
            Err(FormatError::Torn(_)) => break,
            game => game.with_context(name)?,
        };
        let count = &mut rules[game.facts().rule.index()];
        count.games += 1;
        count.positions += game.plies().len() as u64;
    }
    let rules: Vec<_> = rules.into_iter().filter(|count| count.games > 0).collect();
    ensure!(!rules.is_empty(), "{}: no games in it", path.display());
    Ok(Outcome::Data { rules })
}

fn count_openings(path: &Path, board: Board) -> Result<Outcome> {
    let openings = opening_file::read(path, board.rule, board.size)?;
    Ok(Outcome::Openings {
        count: openings.len() as u64,
    })
}

/// In the results the new is the first engine.
fn count_match(gate: Gate, place: &Place) -> Result<Outcome> {
    let path = place.results(gate);
    let collection = Collection::read(&[&path])?;
    let mut tally = Tally::default();
    let mut failures = 0;
    for entry in &collection.games {
        let game = &entry.game;
        tally.add(game.pair, Points::of(game.outcome, game.black == 0));
        let is_failure = game.reason.is_failure() && game.outcome != GameOutcome::Draw;
        failures += u64::from(is_failure);
    }
    ensure!(tally.game_count() > 0, "{}: no games in it", path.display());
    Ok(Outcome::Gate(GateFigures {
        wins: tally.wins(),
        draws: tally.draws(),
        losses: tally.losses(),
        standard_error: tally.standard_error(),
        failures,
    }))
}

/// Reads what `trainer classical` said.
fn read_fit(log: &str) -> Result<Outcome> {
    let mut rules: Vec<RuleFit> = Vec::new();
    let mut before = [None; 2];
    for line in log.lines() {
        if let Some(rule) = rule_of(line) {
            rules.push(RuleFit {
                rule: rule.name().to_owned(),
                value_count: 0,
                values: None,
                moves: None,
            });
            before = [None; 2];
            continue;
        }
        let Some(fit) = rules.last_mut() else {
            continue;
        };
        let line = line.trim();
        let change = |before: Option<Quality>, after| {
            Some(Change {
                before: before?,
                after: after?,
            })
        };
        if line.starts_with("held out:") {
            fit.value_count = count_before(line, " values").unwrap_or(0);
        } else if line.starts_with("values before:") {
            before[0] = quality(line, "winners told");
        } else if line.starts_with("moves before:") {
            before[1] = quality(line, "among 1 best");
        } else if line.starts_with("values, held out:") {
            fit.values = change(before[0], quality(line, "winners told"));
        } else if line.starts_with("moves, held out:") {
            fit.moves = change(before[1], quality(line, "among 1 best"));
        }
    }
    rules.retain(|fit| fit.values.is_some() || fit.moves.is_some());
    ensure!(!rules.is_empty(), "no figures of a fit in it");
    Ok(Outcome::Fit { rules })
}

/// The rule a part of the log is about, `renju: 12 games, …`.
fn rule_of(line: &str) -> Option<Rule> {
    let (name, rest) = line.split_once(": ")?;
    let rule = Rule::ALL.into_iter().find(|rule| rule.name() == name)?;
    count_before(rest, " games").map(|_| rule)
}

fn quality(line: &str, right: &str) -> Option<Quality> {
    Some(Quality {
        loss: number_behind(line, "loss")?,
        right: number_behind(line, right)?,
    })
}

/// Reads what `trainer nnue` said.
fn read_net(log: &str) -> Result<Outcome> {
    let line = |key: &str| log.lines().rfind(|line| line.contains(key));
    let counts = line(" positions for learning").context("no count of positions in it")?;
    let line = line("rounded, held out: outcomes").context("no figures of a net in it")?;
    let figures = || {
        let (moves, first) = (line.split_once("moves ")?.1, line.split_once("first ")?.1);
        Some(NetFigures {
            learned: count_before(counts, " positions for learning")?,
            held_out: count_before(counts, " held out")?,
            outcome_loss: number_behind(line, "outcomes")?,
            values: number_behind(line, "points")?,
            table_values: number_behind(line, "(classical")?,
            moves: Quality {
                loss: number_behind(moves, "")?,
                right: number_behind(first, "")?,
            },
            table_moves: Quality {
                loss: number_behind(moves, "(")?,
                right: number_behind(first, "(")?,
            },
        })
    };
    Ok(Outcome::Net(figures().context("figures of a net missing")?))
}

#[cfg(test)]
#[path = "results_tests.rs"]
mod tests;
