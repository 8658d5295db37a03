//! The analysis itself: one search for every position, from the last to the
//! first.
//!
//! Backwards, because what is found late in the game then stands in the
//! transposition table when the earlier positions are searched. The search of
//! a position serves twice: it tells what could be had before the next move,
//! and, seen from the other side, what the move before was worth.

use super::grade::{Grade, INACCURACY, loss};
use super::{Analysis, MoveReport};
use crate::board::{Colour, Point, Position};
use crate::engine::{Engine, Outcome, Request};
use crate::game_file::{FileError, FileGame};
use crate::rules::judge::Foul;
use crate::rules::{GameResult, Rule, WinReason};
use crate::search::{Control, Limits, Score};
use std::time::{Duration, Instant};

/// What may be spent on a position. Without any bound a search would not end
/// before the game is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Time.
    pub time: Option<Duration>,
    /// Positions that the search may look at.
    pub nodes: Option<u64>,
}

impl Budget {
    fn limits(&self) -> Limits {
        Limits {
            started: Instant::now(),
            turn: self.time,
            max_nodes: self.nodes,
            judges_only_move: true,
            ..Limits::unlimited()
        }
    }
}

/// What is known of a position: score and best line for the side to move.
struct View {
    score: Score,
    line: Vec<Point>,
    depth: u32,
    nodes: u64,
}

impl View {
    /// Of a position in which no search is needed or possible.
    const fn settled(score: Score) -> Self {
        Self {
            score,
            line: Vec::new(),
            depth: 0,
            nodes: 0,
        }
    }
}

impl From<Outcome> for View {
    fn from(outcome: Outcome) -> Self {
        Self {
            score: outcome.score,
            line: outcome.principal_variation,
            depth: outcome.depth,
            nodes: outcome.nodes,
        }
    }
}

/// Judges every move of a game. The first `given` moves, and those that the
/// file marks so, are not judged. Calls `progress` with the number of positions
/// that are done and of all, before the first and after each.
///
/// # Errors
///
/// If the game cannot be played under the rule.
///
/// # Examples
///
/// ```
/// use yonsan::analysis::{Budget, analyse};
/// use yonsan::engine::Engine;
/// use yonsan::game_file::{DEFAULT_SIZE, read_games};
/// use yonsan::rules::Rule;
///
/// // Black can make a five at h12 and plays elsewhere.
/// let games = read_games("h8 h7 h9 g7 h10 i7 h11 f7 o15", DEFAULT_SIZE).unwrap();
/// let budget = Budget { time: None, nodes: Some(1_000) };
/// let mut engine = Engine::new();
/// let analysis = analyse(&games[0], Rule::Freestyle, 0, budget, &mut engine, &mut |_, _| {});
/// assert!(analysis.unwrap().moves[8].missed_win);
/// ```
pub fn analyse(
    file: &FileGame,
    rule: Rule,
    given: usize,
    budget: Budget,
    engine: &mut Engine,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Analysis, FileError> {
    let game = file.play(rule)?;
    engine.new_game();
    let count = file.moves.len();
    let mut searcher = Analyst {
        engine,
        rule,
        budget,
    };
    let mut position = game.position().clone();
    progress(0, count + 1);
    let mut view = match game.result() {
        GameResult::Ongoing => searcher.look(&position, None),
        result => View::settled(final_score(result, position.side_to_move())),
    };
    progress(1, count + 1);
    let mut moves = Vec::with_capacity(count);
    for (index, entry) in file.moves.iter().enumerate().rev() {
        position.undo();
        let is_last = index + 1 == count;
        let foul = if is_last {
            foul_of(game.result())
        } else {
            None
        };
        let is_given = index < given || entry.opening;
        let (report, before) = searcher.judge(&position, entry.point, view, foul, is_given);
        moves.push(report);
        view = before;
        progress(count + 1 - index, count + 1);
    }
    moves.reverse();
    Ok(Analysis {
        rule,
        size: file.size,
        names: [file.black_name.clone(), file.white_name.clone()],
        result: game.result(),
        told: file.result,
        budget,
        threads: searcher.engine.options().threads,
        moves,
    })
}

/// The score of a game that is over, for a side.
fn final_score(result: GameResult, side: Colour) -> Score {
    match result {
        GameResult::Won(winner, _) if winner == side => Score::win_in(0),
        GameResult::Won(..) => Score::loss_in(0),
        GameResult::Draw | GameResult::Ongoing => Score::ZERO,
    }
}

const fn foul_of(result: GameResult) -> Option<Foul> {
    match result {
        GameResult::Won(_, WinReason::Foul(foul)) => Some(foul),
        _ => None,
    }
}

/// An engine and what it is to do.
struct Analyst<'a> {
    engine: &'a mut Engine,
    rule: Rule,
    budget: Budget,
}

impl Analyst<'_> {
    /// Searches a position, perhaps without one of its moves.
    fn look(&mut self, position: &Position, without: Option<Point>) -> View {
        let mut limits = self.budget.limits();
        if let Some(point) = without {
            limits.excluded.insert(point);
        }
        let request = Request {
            position: position.clone(),
            rule: self.rule,
            limits,
            line_count: 1,
        };
        let outcome = self.engine.go(&request, &Control::new(), &mut ());
        outcome.map_or(View::settled(Score::ZERO), View::from)
    }

    /// Looks at what the best move leads to: a move that was made is judged by
    /// the position after it, and the one that is held against it has to
    /// stand the same test. What is proven needs none.
    fn confirm(&mut self, position: &Position, view: &mut View) {
        let Some(&best) = view.line.first() else {
            return;
        };
        if view.score.is_forced() {
            return;
        }
        let mut next = position.clone();
        next.play(best);
        let reply = self.look(&next, None);
        view.nodes += reply.nodes;
        let score = reply.score.before_move();
        if score < view.score {
            view.score = score;
            view.line = [&[best], &reply.line[..]].concat();
        }
    }

    /// Judges a move by the view of the position after it; also the view of
    /// the position before it, `position`.
    fn judge(
        &mut self,
        position: &Position,
        point: Point,
        reply: View,
        foul: Option<Foul>,
        is_given: bool,
    ) -> (MoveReport, View) {
        let after = reply.score.before_move();
        let mut view = self.look(position, None);
        let is_suspect = loss(view.score, after) >= INACCURACY;
        if view.line.first() == Some(&point) && is_suspect {
            // It looked best, but is not what it looked like. Is there better?
            let nodes = view.nodes;
            view = self.look(position, Some(point));
            view.nodes += nodes;
        }
        if loss(view.score, after) >= INACCURACY {
            self.confirm(position, &mut view);
        }
        if view.line.first() == Some(&point) || view.score <= after {
            // A search that saw the move made knows more than one before it.
            view.score = after;
            view.line = [&[point], &reply.line[..]].concat();
        }
        let is_best = view.line.first() == Some(&point);
        let grade = match (is_given, is_best) {
            (true, _) => Grade::Given,
            (_, true) => Grade::Best,
            _ => Grade::of_loss(loss(view.score, after)),
        };
        let is_fault = grade.is_fault();
        let (could_win, wins) = (view.score.win_plies(), after.win_plies());
        let (had_lost, has_lost) = (view.score.loss_plies(), after.loss_plies());
        let report = MoveReport {
            colour: position.side_to_move(),
            point,
            before: view.score,
            after,
            best_line: view.line.clone(),
            reply_line: reply.line,
            depth: view.depth,
            nodes: view.nodes,
            grade,
            missed_win: is_fault && could_win.is_some() && wins.is_none(),
            overlooked_threat: is_fault
                && foul.is_none()
                && had_lost.is_none()
                && has_lost.is_some(),
            foul,
        };
        (report, view)
    }
}
