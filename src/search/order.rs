//! Moves in the order in which they should be tried.

use super::history::{History, Known};
use super::params::{HISTORY_DIVISOR, KILLER_BONUS, REPLY_BONUS};
use crate::board::{Bitboard, Point};
use crate::eval::classical;
use crate::pattern::{Board, Group};
use crate::rules::Rule;
use crate::threat::wincheck::insert_row_points;

/// A move and how soon to try it.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScoredMove {
    pub point: Point,
    pub score: i32,
    /// What its shapes alone speak for it.
    pub shape_score: i32,
}

/// What else speaks for a move than the shapes on the board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hints<'a> {
    pub killers: [Option<Point>; 2],
    pub reply: Option<Point>,
    pub history: &'a History,
}

/// Appends the free points of a set with their scores.
pub(super) fn score_moves(
    board: &Board,
    points: &Bitboard,
    hints: &Hints<'_>,
    moves: &mut Vec<ScoredMove>,
) {
    for point in points {
        if !board.position().is_empty(point) {
            continue;
        }
        let shape_score = classical::move_score(board, point);
        let history = hints.history.of(Known::new(board, point));
        let mut score = shape_score + history / HISTORY_DIVISOR;
        if hints.killers.contains(&Some(point)) {
            score += KILLER_BONUS;
        }
        if hints.reply == Some(point) {
            score += REPLY_BONUS;
        }
        moves.push(ScoredMove {
            point,
            score,
            shape_score,
        });
    }
}

/// Brings the best of `moves[from..]` to the front of them. Equal scores keep
/// no particular order, but always the same.
#[inline]
pub(super) fn bring_best(moves: &mut [ScoredMove], from: usize) {
    let mut best = from;
    for i in from + 1..moves.len() {
        if moves[i].score > moves[best].score {
            best = i;
        }
    }
    moves.swap(from, best);
}

/// The moves that can answer the threat of a strong four: own fours, and all
/// points that can take something from the opponent's lines.
pub(super) fn defences(board: &Board) -> Bitboard {
    let side = board.side_to_move();
    let strong = board.group(!side, Group::StrongFour);
    let mut set =
        board.fours(side) | *board.group(side, Group::StrongFour) | board.fours(!side) | *strong;
    if matches!(board.rule(), Rule::Caro | Rule::CaroExact) {
        for point in strong {
            insert_row_points(board, point, !side, &mut set);
        }
    }
    set
}
