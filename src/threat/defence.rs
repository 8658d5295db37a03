//! Which moves can answer a threat: after Allis, van den Herik and Huntjens
//! (1993), those on the squares that the threatened win needs.
//!
//! The attacker threatens if he would win by fours after a pass. A stone of
//! the defender that changes nothing in that win does not prevent it. It can
//! change something in these ways only, and the points of all of them are
//! collected along the whole threatened win:
//! - it stands where the attacker wants to play, or the defender to answer;
//! - it makes a four, at once or together with stones the defender is forced
//!   to put down later;
//! - in caro, it closes the end of a row;
//! - in renju, it makes a move of Black legal or a foul, by changing what his
//!   threes are worth.

use super::tree::{NodeId, WinTree};
use super::wincheck::insert_row_points;
use crate::board::{Bitboard, Colour, Point};
use crate::pattern::{Board, Group};
use crate::rules::Rule;

/// The points where a stone of the other side might disturb the win of the
/// side to move that begins with this node, all of it by fours.
pub(super) fn disturbers(board: &mut Board, tree: &WinTree, id: NodeId) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    collect(board, tree, id, &mut set);
    set
}

fn collect(board: &mut Board, tree: &WinTree, id: NodeId, set: &mut Bitboard) {
    let Some(node) = tree.node(id) else {
        return;
    };
    collect_before(board, node.point, set);
    if node.plies == 1 {
        return;
    }
    board.with_move(node.point, |board| {
        collect_after(board, set);
        for &(answer, id) in &node.answers {
            set.insert(answer);
            board.with_move(answer, |board| collect(board, tree, id, set));
        }
    });
}

/// The points where the side to move makes an open four or two fours, which
/// nothing stops. It must not have to stop a five.
pub(super) fn strong_fours(board: &mut Board) -> Bitboard {
    let side = board.side_to_move();
    let strong = *board.group(side, Group::StrongFour);
    let mut is_legal = |&point: &Point| !board.is_forbidden(point, side);
    strong.iter().filter(|point| is_legal(point)).collect()
}

/// The points that might disturb all of these strong fours of the side to move.
pub(super) fn disturbers_of_strong_fours(board: &mut Board, strong: &Bitboard) -> Bitboard {
    let mut common = !Bitboard::EMPTY;
    for point in strong {
        let mut set = Bitboard::EMPTY;
        collect_before(board, point, &mut set);
        board.with_move(point, |board| collect_after(board, &mut set));
        common &= set;
    }
    if matches!(board.rule(), Rule::Caro | Rule::CaroExact) {
        return disturbing(board, strong, &common);
    }
    common
}

/// Those of the points where a stone leaves none of these strong fours. In
/// caro most points of a row do not matter, and it pays to find out which.
fn disturbing(board: &mut Board, strong: &Bitboard, points: &Bitboard) -> Bitboard {
    let side = board.side_to_move();
    let mut rest = Bitboard::EMPTY;
    for point in points {
        if !board.position().is_empty(point) {
            continue;
        }
        let is_intact = board.with_stone(point, !side, |board| {
            let left = *board.group(side, Group::StrongFour) & *strong;
            board.count(!side, Group::Five) == 0 && !left.is_empty()
        });
        if !is_intact {
            rest.insert(point);
        }
    }
    rest
}

/// What can be done against a move of the attacker before he makes it.
fn collect_before(board: &mut Board, point: Point, set: &mut Bitboard) {
    let attacker = board.side_to_move();
    let defender = !attacker;
    *set |= makes_four(board, defender);
    set.insert(point);
    match board.rule() {
        Rule::Caro | Rule::CaroExact => insert_row_points(board, point, attacker, set),
        Rule::Renju if attacker == Colour::Black => {
            if board.combo(point, attacker).may_be_double_three() {
                insert_turning(board, point, Colour::White, false, set);
            }
        }
        Rule::Renju | Rule::Freestyle | Rule::Standard => {}
    }
}

/// What can be done against the fives that a move has threatened.
fn collect_after(board: &mut Board, set: &mut Bitboard) {
    let defender = board.side_to_move();
    let fives = *board.group(!defender, Group::Five);
    *set |= fives;
    if board.rule() != Rule::Renju || defender == Colour::White {
        return;
    }
    for five in &fives {
        if board.is_forbidden(five, defender) {
            insert_turning(board, five, Colour::Black, true, set);
        }
    }
}

/// The points where a stone of this colour makes a four or more.
fn makes_four(board: &Board, colour: Colour) -> Bitboard {
    board.fours(colour)
        | *board.group(colour, Group::StrongFour)
        | *board.group(colour, Group::Five)
        | *board.group(colour, Group::Forbidden)
}

/// The points where a stone of this colour turns what Black may do on `point`
/// from `was_foul` into the contrary.
fn insert_turning(
    board: &mut Board,
    point: Point,
    colour: Colour,
    was_foul: bool,
    set: &mut Bitboard,
) {
    let free = *board.position().free();
    for other in free.iter().filter(|&other| other != point) {
        let is_foul = board.with_stone(other, colour, |board| {
            board.is_forbidden(point, Colour::Black)
        });
        if is_foul != was_foul {
            set.insert(other);
        }
    }
}
