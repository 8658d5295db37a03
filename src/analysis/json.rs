//! An analysis as JSON for other programs.
//!
//! One object. Names of fields stay; a field may be added without notice, and
//! if one changes its meaning or goes, [`SCHEMA_VERSION`] grows.
//!
//! | Field | Meaning |
//! |---|---|
//! | `schema`, `schema_version` | [`SCHEMA`] and [`SCHEMA_VERSION`] |
//! | `engine` | `name`, `version`, `threads`, and the bounds on a position: `time_ms`, `nodes`, each `null` without bound |
//! | `rule` | `freestyle`, `standard`, `renju`, `caro` or `caro-exact` |
//! | `width`, `height` | columns and rows |
//! | `black`, `white` | names; empty if not known |
//! | `result` | `winner`: `black`, `white`, `draw` or `null`; `by`: `five`, `foul`, `full-board`, `file` (only the file says so) or `null`; `text`: the same in words |
//! | `thresholds` | loss of win rate that makes an `inaccuracy`, a `mistake`, a `blunder` |
//! | `summary` | for `black` and `white`: `judged`, `mean_loss`, `best`, `inaccuracies`, `mistakes`, `blunders`, `missed_wins`, `overlooked_threats` |
//! | `black_win_rates` | Black's win rate on the empty board and after each move |
//! | `moves` | the moves |
//!
//! A move, whose scores are the mover's:
//!
//! | Field | Meaning |
//! |---|---|
//! | `number`, `side`, `point` | from 1; `black` or `white`; such as `h8` |
//! | `before`, `after` | score of the best move, and of this one: `value`, a number or `null` if the end is forced; `forced`, plies to the mover's win, negative to his loss, or `null`; `win_rate`, 0 to 1; `text` |
//! | `loss` | win rate lost, 0 to 1 |
//! | `grade` | `given`, `best`, `good`, `inaccuracy`, `mistake` or `blunder` |
//! | `missed_win`, `overlooked_threat` | `true` or `false` |
//! | `foul` | `overline`, `double four`, `double three` or `null` |
//! | `best`, `best_line` | the best move known, and the line it begins |
//! | `reply_line` | the best line after this move |
//! | `depth`, `nodes` | of the search before the move |
//! | `remarks` | sentences about the move; most have none |

use super::words::{chance, ending, remarks};
use super::{Analysis, BLUNDER, INACCURACY, MISTAKE, MoveReport, SideSummary};
use crate::board::{Colour, Point};
use crate::game_file::ToldResult;
use crate::rules::{GameResult, WinReason};
use crate::search::Score;
use std::fmt::Write as _;

/// What stands in the field `schema`.
pub const SCHEMA: &str = "yonsan-analysis";
/// What stands in the field `schema_version`.
pub const SCHEMA_VERSION: u32 = 1;

/// The analysis as JSON, a line for each move.
#[must_use]
pub fn json(analysis: &Analysis) -> String {
    let summary = Object::new()
        .with("black", &side_summary(&analysis.summary(Colour::Black)))
        .with("white", &side_summary(&analysis.summary(Colour::White)));
    let thresholds = Object::new()
        .with("inaccuracy", &share(INACCURACY))
        .with("mistake", &share(MISTAKE))
        .with("blunder", &share(BLUNDER));
    let moves = (1..).zip(&analysis.moves);
    let moves: Vec<_> = moves.map(|(number, m)| move_report(number, m)).collect();
    let rates = analysis.black_win_rates();
    let object = Object::new()
        .with("schema", &string(SCHEMA))
        .with("schema_version", &SCHEMA_VERSION.to_string())
        .with("engine", &engine(analysis))
        .with("rule", &string(analysis.rule.name()))
        .with("width", &analysis.size.width().to_string())
        .with("height", &analysis.size.height().to_string())
        .with("black", &string(&analysis.names[0]))
        .with("white", &string(&analysis.names[1]))
        .with("result", &result(analysis))
        .with("thresholds", &thresholds.end())
        .with("summary", &summary.end())
        .with("black_win_rates", &array(rates.into_iter().map(share)))
        .with("moves", &format!("[\n{}\n]", moves.join(",\n")));
    object.end() + "\n"
}

fn engine(analysis: &Analysis) -> String {
    let budget = analysis.budget;
    let time = budget.time.map(|time| time.as_millis().to_string());
    Object::new()
        .with("name", &string("Yonsan"))
        .with("version", &string(env!("CARGO_PKG_VERSION")))
        .with("threads", &analysis.threads.to_string())
        .with("time_ms", &or_null(time))
        .with("nodes", &or_null(budget.nodes))
        .end()
}

fn result(analysis: &Analysis) -> String {
    let (winner, by) = match (analysis.result, analysis.told) {
        (GameResult::Won(winner, WinReason::Five), _) => (side(winner), "five"),
        (GameResult::Won(winner, WinReason::Foul(_)), _) => (side(winner), "foul"),
        (GameResult::Draw, _) => ("draw", "full-board"),
        (GameResult::Ongoing, Some(ToldResult::Won(winner))) => (side(winner), "file"),
        (GameResult::Ongoing, Some(ToldResult::Draw)) => ("draw", "file"),
        (GameResult::Ongoing, None) => ("", ""),
    };
    let or_null = |word: &str| or_null(Some(word).filter(|w| !w.is_empty()).map(string));
    Object::new()
        .with("winner", &or_null(winner))
        .with("by", &or_null(by))
        .with("text", &string(&ending(analysis)))
        .end()
}

fn side_summary(side: &SideSummary) -> String {
    Object::new()
        .with("judged", &side.judged.to_string())
        .with("mean_loss", &share(side.mean_loss))
        .with("best", &side.best.to_string())
        .with("inaccuracies", &side.inaccuracies.to_string())
        .with("mistakes", &side.mistakes.to_string())
        .with("blunders", &side.blunders.to_string())
        .with("missed_wins", &side.missed_wins.to_string())
        .with("overlooked_threats", &side.overlooked_threats.to_string())
        .end()
}

fn move_report(number: usize, entry: &MoveReport) -> String {
    let foul = entry.foul.map(|foul| string(&foul.to_string()));
    let remarks = remarks(entry);
    Object::new()
        .with("number", &number.to_string())
        .with("side", &string(side(entry.colour)))
        .with("point", &string(&entry.point.to_string()))
        .with("before", &score(entry.before))
        .with("after", &score(entry.after))
        .with("loss", &share(entry.loss()))
        .with("grade", &string(entry.grade.name()))
        .with("missed_win", &entry.missed_win.to_string())
        .with("overlooked_threat", &entry.overlooked_threat.to_string())
        .with("foul", &or_null(foul))
        .with("best", &string(&entry.best().to_string()))
        .with("best_line", &points(&entry.best_line))
        .with("reply_line", &points(&entry.reply_line))
        .with("depth", &entry.depth.to_string())
        .with("nodes", &entry.nodes.to_string())
        .with("remarks", &array(remarks.iter().map(|r| string(r))))
        .end()
}

fn score(score: Score) -> String {
    let loss = score.loss_plies().map(|plies| -i64::from(plies));
    let forced = score.win_plies().map(i64::from).or(loss);
    let value = (!score.is_forced()).then_some(score.raw());
    Object::new()
        .with("value", &or_null(value))
        .with("forced", &or_null(forced))
        .with("win_rate", &share(score.win_rate()))
        .with("text", &string(&chance(score)))
        .end()
}

const fn side(colour: Colour) -> &'static str {
    match colour {
        Colour::Black => "black",
        Colour::White => "white",
    }
}

/// A number from 0 to 1.
fn share(value: f64) -> String {
    format!("{value:.4}")
}

fn points(points: &[Point]) -> String {
    array(points.iter().map(|point| string(&point.to_string())))
}

fn or_null(value: Option<impl ToString>) -> String {
    value.map_or_else(|| "null".to_owned(), |value| value.to_string())
}

fn array(values: impl Iterator<Item = String>) -> String {
    format!("[{}]", values.collect::<Vec<_>>().join(","))
}

/// A text in quotes.
fn string(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\u{0}'..='\u{1f}' | '\u{7f}' => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// An object that is being written.
struct Object(String);

impl Object {
    const fn new() -> Self {
        Self(String::new())
    }

    /// Adds a field; `value` is JSON.
    fn with(mut self, name: &str, value: &str) -> Self {
        let comma = if self.0.is_empty() { "" } else { "," };
        let _ = write!(self.0, "{comma}\"{name}\":{value}");
        self
    }

    fn end(self) -> String {
        format!("{{{}}}", self.0)
    }
}
