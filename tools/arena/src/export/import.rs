//! What is known of a game that another program wrote.

use crate::record::{GameRecord, MoveRecord, Outcome, Reason};
use std::fmt;
use yonsan::board::{Colour, Point, Size};
use yonsan::rules::{Game, GameResult, Rule, WinReason};

/// A move of such a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedMove {
    /// Where.
    pub point: Point,
    /// Whether the file marks it as given.
    pub opening: bool,
    /// Thinking time in milliseconds; 0 if not told.
    pub time_ms: u64,
    /// Score for the mover, if told.
    pub score: Option<i32>,
    /// Depth, if told.
    pub depth: Option<u32>,
    /// Nodes, if told.
    pub nodes: Option<u64>,
}

/// A game of another program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedGame {
    /// Size of the board.
    pub size: Size,
    /// Rule, if the file names one.
    pub rule: Option<Rule>,
    /// Name of Black; empty if not told.
    pub black_name: String,
    /// Name of White; empty if not told.
    pub white_name: String,
    /// Moves, Black first.
    pub moves: Vec<ImportedMove>,
    /// Result, if the file tells one.
    pub outcome: Option<Outcome>,
}

/// Why a text is no such game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportError {
    /// Line, from 1.
    pub line: usize,
    /// What is wrong.
    pub problem: String,
}

impl ImportError {
    pub(super) fn new(line: usize, problem: impl Into<String>) -> Self {
        let problem = problem.into();
        Self { line, problem }
    }
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.problem)
    }
}

impl std::error::Error for ImportError {}

impl ImportedGame {
    /// The game as a line of a results file. The rule is the one given here
    /// unless the file names its own. The result is what the moves say, then
    /// what the file says.
    ///
    /// # Errors
    ///
    /// If a move cannot be made, or neither moves nor file tell a result.
    pub fn to_record(&self, number: u64, default_rule: Rule) -> Result<GameRecord, String> {
        let rule = self.rule.unwrap_or(default_rule);
        let mut game = Game::new(rule, self.size);
        for entry in &self.moves {
            game.play(entry.point).map_err(|error| {
                let ply = game.position().stones().len() + 1;
                format!("move {ply}: {error}")
            })?;
        }
        let (outcome, reason, detail) = match (game.result(), self.outcome) {
            (GameResult::Won(winner, WinReason::Five), _) => {
                (win(winner), Reason::Five, String::new())
            }
            (GameResult::Won(winner, WinReason::Foul(foul)), _) => {
                let place = self.moves.last().map(|entry| entry.point.to_string());
                let detail = format!("{foul} at {}", place.unwrap_or_default());
                (win(winner), Reason::Foul, detail)
            }
            (GameResult::Draw, _) => (Outcome::Draw, Reason::FullBoard, String::new()),
            (GameResult::Ongoing, Some(Outcome::Draw)) => {
                let detail = "draw by the imported file".to_owned();
                (Outcome::Draw, Reason::Adjudicated, detail)
            }
            (GameResult::Ongoing, Some(outcome)) => {
                let detail = "result of the imported file".to_owned();
                (outcome, Reason::Adjudicated, detail)
            }
            (GameResult::Ongoing, None) => return Err("the game has no result".to_owned()),
        };
        let or_unknown = |name: &str| if name.is_empty() { "?" } else { name }.to_owned();
        Ok(GameRecord {
            number,
            pair: number,
            rule: rule.name().to_owned(),
            width: self.size.width(),
            height: self.size.height(),
            procedure: "free".to_owned(),
            opening_source: String::new(),
            black: 0,
            white: 1,
            black_name: or_unknown(&self.black_name),
            white_name: or_unknown(&self.white_name),
            moves: self.moves.iter().map(ImportedMove::to_record).collect(),
            outcome,
            reason,
            detail,
            last_lines: Vec::new(),
            overloaded: false,
            started_unix: 0,
            duration_ms: self.moves.iter().map(|entry| entry.time_ms).sum(),
            peak_memory: [0; 2],
            worst_overstep_ms: [0; 2],
        })
    }
}

impl ImportedMove {
    /// A move of which nothing but its point is known.
    pub(super) const fn at(point: Point) -> Self {
        Self {
            point,
            opening: false,
            time_ms: 0,
            score: None,
            depth: None,
            nodes: None,
        }
    }

    fn to_record(&self) -> MoveRecord {
        MoveRecord {
            point: self.point.to_string(),
            opening: self.opening,
            time_ms: self.time_ms,
            score: self.score,
            depth: self.depth,
            nodes: self.nodes,
            messages: Vec::new(),
        }
    }
}

const fn win(winner: Colour) -> Outcome {
    match winner {
        Colour::Black => Outcome::Black,
        Colour::White => Outcome::White,
    }
}
