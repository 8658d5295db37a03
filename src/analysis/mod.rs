//! Layer 6: what a game was worth, move by move, for people.
//!
//! [`analyse`] lets the engine look at every position of a game and judges the
//! moves; [`text()`], [`json()`] and [`html()`] write what it found. The writers
//! know no engine, and the analysis knows no format. Nothing here prints. May
//! import `engine`, `search`, `rules`, `game_file`, `board` and `page`.

mod grade;
mod html;
mod json;
mod run;
mod text;
mod words;

pub use grade::{BLUNDER, Grade, INACCURACY, MISTAKE};
pub use html::html;
pub use json::{SCHEMA, SCHEMA_VERSION, json};
pub use run::{Budget, analyse};
pub use text::text;

use crate::board::{Colour, Point, Size};
use crate::game_file::ToldResult;
use crate::rules::judge::Foul;
use crate::rules::{GameResult, Rule};
use crate::search::Score;

/// A game with what the engine thinks of its moves.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// Rule.
    pub rule: Rule,
    /// Size of the board.
    pub size: Size,
    /// Names of Black and White; empty if not known.
    pub names: [String; 2],
    /// How the game stands after the last move.
    pub result: GameResult,
    /// Result that the file tells; it counts where the moves leave it open.
    pub told: Option<ToldResult>,
    /// What the engine could spend on a position.
    pub budget: Budget,
    /// Threads of the search.
    pub threads: usize,
    /// The moves.
    pub moves: Vec<MoveReport>,
}

/// A move and what the engine thinks of it. All scores are the mover's,
/// counted from before the move.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveReport {
    /// Who made it.
    pub colour: Colour,
    /// Where.
    pub point: Point,
    /// Score of the best move known.
    pub before: Score,
    /// Score of this move: never better than `before`.
    pub after: Score,
    /// The best line known, the best move first; this move if none is better.
    pub best_line: Vec<Point>,
    /// The best line after this move, the opponent's answer first; empty if
    /// the game was over.
    pub reply_line: Vec<Point>,
    /// Depth of the search before the move, in plies.
    pub depth: u32,
    /// Positions it looked at.
    pub nodes: u64,
    /// How good the move was.
    pub grade: Grade,
    /// Whether the move is a fault ([`Grade::is_fault`]), a win by force was known
    /// before it, and none is after it.
    pub missed_win: bool,
    /// Whether the move is a fault, the opponent has a win by force after it, and
    /// had none after the best one.
    pub overlooked_threat: bool,
    /// Why Black must not make it, in renju.
    pub foul: Option<Foul>,
}

impl MoveReport {
    /// Win rate lost, 0 to 1.
    #[must_use]
    pub fn loss(&self) -> f64 {
        grade::loss(self.before, self.after)
    }

    /// The move that the engine thinks best.
    #[must_use]
    pub fn best(&self) -> Point {
        self.best_line.first().copied().unwrap_or(self.point)
    }
}

/// The moves of one side in figures. Moves that were given do not count.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct SideSummary {
    /// Moves that were judged.
    pub judged: usize,
    /// Win rate lost by a move on average, 0 to 1; 0 if none was judged.
    pub mean_loss: f64,
    /// Moves than which the engine knows none better.
    pub best: usize,
    /// Inaccuracies.
    pub inaccuracies: usize,
    /// Mistakes.
    pub mistakes: usize,
    /// Blunders.
    pub blunders: usize,
    /// Wins by force that were there and not taken; counted above as well.
    pub missed_wins: usize,
    /// Wins by force that were let in; counted above as well.
    pub overlooked_threats: usize,
}

impl Analysis {
    /// The moves of a side in figures.
    #[must_use]
    pub fn summary(&self, colour: Colour) -> SideSummary {
        let judged = |entry: &&MoveReport| entry.colour == colour && entry.grade != Grade::Given;
        let moves: Vec<_> = self.moves.iter().filter(judged).collect();
        let count = |is: &dyn Fn(&MoveReport) -> bool| moves.iter().filter(|m| is(m)).count();
        let of_grade = |grade| count(&|entry| entry.grade == grade);
        let lost: f64 = moves.iter().map(|entry| entry.loss()).sum();
        SideSummary {
            judged: moves.len(),
            mean_loss: lost / moves.len().max(1) as f64,
            best: of_grade(Grade::Best),
            inaccuracies: of_grade(Grade::Inaccuracy),
            mistakes: of_grade(Grade::Mistake),
            blunders: of_grade(Grade::Blunder),
            missed_wins: count(&|entry| entry.missed_win),
            overlooked_threats: count(&|entry| entry.overlooked_threat),
        }
    }

    /// Win rate of Black, 0 to 1, on the empty board and after each move.
    #[must_use]
    pub fn black_win_rates(&self) -> Vec<f64> {
        let of_black = |colour, score: Score| match colour {
            Colour::Black => score.win_rate(),
            Colour::White => 1.0 - score.win_rate(),
        };
        let first = self.moves.first();
        let start = first.map(|entry| of_black(entry.colour, entry.before));
        let after = self.moves.iter();
        let after = after.map(|entry| of_black(entry.colour, entry.after));
        start.into_iter().chain(after).collect()
    }
}

#[cfg(test)]
mod tests;
