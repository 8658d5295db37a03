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

/// Appends the free points of a set with their scores. Returns the best score
/// that shapes give to one of them.
pub(super) fn score_moves(
    board: &Board,
    points: &Bitboard,
    hints: &Hints<'_>,
    moves: &mut Vec<ScoredMove>,
) -> Option<i32> {
    let mut top = None;
    let shape_score_of = classical::move_scores(board);
    for point in &(*points & *board.position().free()) {
        let shape_score = shape_score_of(point);
        let history = hints.history.of(Known::new(board, point));
        let mut score = shape_score + history / HISTORY_DIVISOR;
        if hints.killers.contains(&Some(point)) {
            score += KILLER_BONUS;
        }
        if hints.reply == Some(point) {
            score += REPLY_BONUS;
        }
        top = top.max(Some(shape_score));
        moves.push(ScoredMove {
            point,
            score,
            shape_score,
        });
    }
    top
}

/// Hands out the moves from some index of a list on, the best first. Equal
/// scores come in no particular order, but always the same.
#[derive(Clone, Copy, Debug)]
pub(super) struct Picker {
    next: usize,
    is_best: bool,
}

impl Picker {
    pub(super) const fn new(first: usize) -> Self {
        Self {
            next: first,
            is_best: false,
        }
    }

    /// The best move that has not been taken.
    #[inline]
    pub(super) fn peek(&mut self, moves: &mut [ScoredMove]) -> Option<ScoredMove> {
        if !self.is_best && self.next < moves.len() {
            let mut best = self.next;
            for i in self.next + 1..moves.len() {
                if moves[i].score > moves[best].score {
                    best = i;
                }
            }
            moves.swap(self.next, best);
            self.is_best = true;
        }
        moves.get(self.next).copied()
    }

    /// Takes it.
    #[inline]
    pub(super) fn take(&mut self, moves: &mut [ScoredMove]) -> Option<ScoredMove> {
        let best = self.peek(moves)?;
        self.next += 1;
        self.is_best = false;
        Some(best)
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(scores: &[i32]) -> Vec<ScoredMove> {
        let moves = scores.iter().enumerate();
        moves
            .map(|(x, &score)| ScoredMove {
                point: Point::new(x as u8, 0).unwrap(),
                score,
                shape_score: score,
            })
            .collect()
    }

    #[test]
    fn the_best_move_comes_first_and_every_move_once() {
        let mut moves = moves(&[100, 5, 7, -3, 7, 20]);
        let mut picker = Picker::new(1);
        let mut taken = Vec::new();
        while let Some(next) = picker.peek(&mut moves) {
            let best = picker.take(&mut moves).unwrap();
            assert_eq!(best.point, next.point);
            taken.push((best.score, best.point.x()));
        }
        assert!(picker.take(&mut moves).is_none());
        let scores: Vec<i32> = taken.iter().map(|t| t.0).collect();
        assert_eq!(scores, [20, 7, 7, 5, -3]);
        taken.sort_by_key(|t| t.1);
        let points: Vec<u8> = taken.iter().map(|t| t.1).collect();
        assert_eq!(points, [1, 2, 3, 4, 5]);
        assert_eq!(moves[0].score, 100);
    }
}
