//! The hand-made evaluation: every free point is worth what a stone there
//! would make, for either side.
//!
//! The sum is kept by the grid, so evaluating a position is a subtraction.

use crate::board::Colour;
use crate::pattern::{Board, Class, Combo, LineRule, PointTable, Shape};
use crate::rules::Rule;
use once_cell::sync::OnceCell;

/// What it is worth to be on the move.
const TEMPO: i32 = 25;

/// Worth of a free point for a shape a stone there would make.
const fn shape_value(shape: Shape) -> i32 {
    match shape {
        Shape::Dead | Shape::Overline => 0,
        Shape::ClosedOne => 1,
        Shape::OpenOne => 3,
        Shape::ClosedTwo => 5,
        Shape::OpenTwo => 11,
        Shape::WideTwo => 15,
        Shape::ClosedThree => 18,
        Shape::OpenThree => 34,
        Shape::WideThree => 42,
        Shape::Four | Shape::DoubleFour => 48,
        Shape::OpenFour => 90,
        Shape::Five => 120,
    }
}

/// Worth of what the shapes of a point make together.
const fn class_value(class: Class) -> i32 {
    match class {
        Class::Quiet | Class::Three | Class::Four => 0,
        Class::DoubleThree => 60,
        Class::FourThree => 120,
        Class::DoubleFour => 140,
        Class::OpenFour => 60,
        Class::Five => 60,
        Class::Forbidden => -60,
    }
}

/// The point table of a rule, computed at the first call.
#[must_use]
pub fn point_table(rule: Rule) -> &'static PointTable {
    static TABLES: [OnceCell<PointTable>; 5] = [const { OnceCell::new() }; 5];
    TABLES[rule.index()]
        .get_or_init(|| PointTable::new(rule, |colour, combo| point_value(rule, colour, combo)))
}

fn point_value(rule: Rule, colour: Colour, combo: Combo) -> i16 {
    let shapes: i32 = combo.shapes().into_iter().map(shape_value).sum();
    let class = combo.class(LineRule::new(rule, colour));
    let value = shapes + class_value(class);
    i16::try_from(value.max(0)).unwrap_or(i16::MAX)
}

/// Value of a position for the side to move, in hundredths of a pawn-like
/// unit: a wide three is worth about 100.
#[must_use]
pub fn evaluate(board: &Board) -> i32 {
    let side = board.side_to_move();
    board.grid().value(side) - board.grid().value(!side) + TEMPO
}

/// How urgent it looks to put a stone on a free point, for the side to move:
/// for trying moves in a good order, 0 and more.
#[must_use]
pub fn move_score(board: &Board, point: crate::board::Point) -> i32 {
    let side = board.side_to_move();
    let table = board.grid().table();
    let own = i32::from(table.value(side, board.combo(point, side)));
    let other = i32::from(table.value(!side, board.combo(point, !side)));
    2 * own + other
}
