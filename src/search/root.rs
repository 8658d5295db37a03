//! The root of a search: its moves, and answers that need no search.

use super::candidates::Neighbourhoods;
use super::driver::Found;
use super::limits::Limits;
use super::order::defences;
use super::params::VCF_ROOT_BUDGET;
use super::score::{Score, Value};
use super::shared::Memory;
use super::worker::has_only_fouls;
use crate::board::{Bitboard, Point};
use crate::eval::classical;
use crate::pattern::{Board, Group};
use crate::threat::Verdict;
use crate::threat::wincheck::{five_stoppers, static_win};

/// A move at the root and what is known of it.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub point: Point,
    /// For the side to move: exact if the move leads one of the best lines,
    /// else what an earlier iteration made of it.
    pub value: Value,
    /// Best line, beginning with `point`.
    pub line: Vec<Point>,
}

/// The answer where no search is needed: wins at a glance or by fours, and
/// positions that are lost whatever is played. None if it would be an excluded
/// point.
pub(super) fn answer_at_once(
    board: &mut Board,
    limits: &Limits,
    memory: &mut Memory,
) -> Option<Found> {
    let found = |point, score, nodes| Found::new(vec![point], score, nodes);
    let answer = match decided(board, &limits.excluded) {
        Some((point, score)) => found(point, score, 1),
        None => {
            let (point, plies) = win_by_fours(board, limits, memory)?;
            found(point, Score::win_in(plies), memory.vcf.nodes())
        }
    };
    let is_excluded = answer
        .line
        .first()
        .is_some_and(|&point| limits.excluded.contains(point));
    (!is_excluded).then_some(answer)
}

/// What is seen at a glance: a win, or a loss that nothing prevents.
fn decided(board: &mut Board, excluded: &Bitboard) -> Option<(Point, Score)> {
    if let Some((point, plies)) = static_win(board) {
        return Some((point, Score::win_in(plies)));
    }
    let opponent = !board.side_to_move();
    if board.count(opponent, Group::Five) > 0 {
        let stoppers = five_stoppers(board, opponent);
        if stoppers.is_empty() {
            let point = last_resort(board, excluded)?;
            return Some((point, Score::loss_in(2)));
        }
    }
    if has_only_fouls(board) {
        let point = last_resort(board, excluded)?;
        return Some((point, Score::loss_in(1)));
    }
    None
}

/// A win by fours: its first move, and the plies to the winning stone.
fn win_by_fours(board: &mut Board, limits: &Limits, memory: &mut Memory) -> Option<(Point, u32)> {
    let is_hurried = limits.turn.is_some_and(|t| t.as_millis() < 50)
        || limits.match_left.is_some_and(|t| t.as_millis() < 500);
    let budget = if is_hurried {
        VCF_ROOT_BUDGET / 50
    } else {
        VCF_ROOT_BUDGET
    };
    let budget = budget.min(limits.max_nodes.unwrap_or(budget));
    match memory.vcf.solve_shortest(board, budget) {
        Verdict::Win { point, plies } => Some((point, plies)),
        Verdict::NoWin | Verdict::Unknown => None,
    }
}

/// A move in a position that is lost whatever is played: it should at least
/// be legal, and stand in the opponent's way.
fn last_resort(board: &mut Board, excluded: &Bitboard) -> Option<Point> {
    let side = board.side_to_move();
    let fives = *board.group(!side, Group::Five) & !*excluded;
    let free: Vec<Point> = allowed_points(board, excluded).iter().collect();
    let legal = fives.iter().chain(free.iter().copied());
    let mut legal = legal.filter(|&point| !board.is_forbidden(point, side));
    legal.next().or_else(|| free.first().copied())
}

/// The free points that are not excluded; all free points if all are.
fn allowed_points(board: &Board, excluded: &Bitboard) -> Bitboard {
    let free = *board.position().free();
    let allowed = free & !*excluded;
    if allowed.is_empty() { free } else { allowed }
}

/// The moves worth searching at the root, the best-looking first; never empty
/// while a point is free. Excluded points are left out unless all are.
pub(super) fn root_moves(
    board: &mut Board,
    neighbourhoods: &Neighbourhoods,
    excluded: &Bitboard,
) -> Vec<RootMove> {
    let side = board.side_to_move();
    let free = allowed_points(board, excluded);
    let mut narrow: Bitboard = if board.count(!side, Group::Five) > 0 {
        five_stoppers(board, !side).iter().collect()
    } else if board.count(!side, Group::StrongFour) > 0 {
        defences(board)
    } else {
        neighbourhoods.of_position(board.position())
    };
    // What wins at once is no defence, and better.
    narrow |= *board.group(side, Group::Five);
    let wide = neighbourhoods.of_position(board.position());
    // Where all moves of a set are forbidden, look further; at last, and only
    // then, at forbidden moves.
    let legal = [narrow, wide, free].into_iter().find_map(|set| {
        let points: Vec<Point> = (set & free)
            .iter()
            .filter(|&point| !board.is_forbidden(point, side))
            .collect();
        (!points.is_empty()).then_some(points)
    });
    let points = legal.unwrap_or_else(|| free.iter().collect());
    in_order(board, points)
}

/// The moves to choose from where a balanced position is wanted: those worth a
/// search, and while there are hardly any stones every point, since good moves
/// are not what is looked for.
pub(super) fn balance_moves(
    board: &mut Board,
    neighbourhoods: &Neighbourhoods,
    excluded: &Bitboard,
) -> Vec<RootMove> {
    const FEW_STONES: usize = 3;
    if board.position().stones().len() >= FEW_STONES {
        return root_moves(board, neighbourhoods, excluded);
    }
    let side = board.side_to_move();
    let points: Vec<Point> = allowed_points(board, excluded)
        .iter()
        .filter(|&point| !board.is_forbidden(point, side))
        .collect();
    in_order(board, points)
}

/// The moves, the best-looking first.
fn in_order(board: &Board, mut points: Vec<Point>) -> Vec<RootMove> {
    points.sort_by_key(|&point| -classical::move_score(board, point));
    let value = classical::evaluate(board);
    points
        .into_iter()
        .map(|point| RootMove {
            point,
            value,
            line: vec![point],
        })
        .collect()
}
