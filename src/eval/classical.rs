//! The classical evaluation: every free point is worth what a stone there
//! would make, for either side, and being on the move is worth what threats
//! there are.
//!
//! The sums are kept by the grid, so evaluating a position is a subtraction
//! and a look-up. The numbers are fitted to games of the engine against
//! itself by `tools/trainer`.

use super::weights::{ClassicalWeights, SideWeights, threat_mask};
use crate::board::{Colour, Point};
use crate::pattern::{Board, PointTable};
use crate::rules::Rule;
use once_cell::sync::OnceCell;
use std::fmt;

/// The weights that are part of the binary.
static EMBEDDED: &[u8] = include_bytes!("classical.weights");

/// The weights in use.
static WEIGHTS: OnceCell<ClassicalWeights> = OnceCell::new();

/// Other weights are in use already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLate;

impl fmt::Display for TooLate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("other tables are in use already")
    }
}

impl std::error::Error for TooLate {}

/// Makes these weights those of this program, in place of the embedded ones.
///
/// # Errors
///
/// If weights have been used or installed already. Nothing is changed then.
pub fn install(weights: ClassicalWeights) -> Result<(), TooLate> {
    WEIGHTS.set(weights).map_err(|_| TooLate)
}

#[inline]
fn weights() -> &'static ClassicalWeights {
    WEIGHTS.get_or_init(embedded)
}

#[cold]
fn embedded() -> ClassicalWeights {
    ClassicalWeights::from_bytes(EMBEDDED).unwrap_or_else(|error| {
        log::error!("embedded: {error}; playing with weights by rule of thumb");
        ClassicalWeights::hand()
    })
}

/// Whether the weights in use are the embedded ones, or the same numbers.
#[must_use]
pub fn is_embedded() -> bool {
    *weights() == embedded()
}

/// The point table of a rule, computed at the first call.
#[must_use]
pub fn point_table(rule: Rule) -> &'static PointTable {
    static TABLES: [OnceCell<PointTable>; 5] = [const { OnceCell::new() }; 5];
    TABLES[rule.index()].get_or_init(|| {
        PointTable::new(rule, |colour, combo| {
            weights().side(rule, colour).value[combo.index()]
        })
    })
}

#[inline]
fn side(rule: Rule, colour: Colour) -> &'static SideWeights {
    weights().side(rule, colour)
}

/// Value of a position for the side to move, in the unit of
/// [`super::weights::SCORE_SCALE`].
#[inline]
#[must_use]
pub fn evaluate(board: &Board) -> i32 {
    let colour = board.side_to_move();
    let threat = side(board.rule(), colour).threat[threat_mask(board)];
    board.grid().value(colour) - board.grid().value(!colour) + i32::from(threat)
}

/// How urgent it looks to put a stone on a free point, for the side to move:
/// for trying moves in a good order.
#[inline]
#[must_use]
pub fn move_score(board: &Board, point: Point) -> i32 {
    move_scores(board)(point)
}

/// [`move_score`] for many points of one position.
#[inline]
pub fn move_scores(board: &Board) -> impl Fn(Point) -> i32 {
    let colour = board.side_to_move();
    let SideWeights { attack, defend, .. } = side(board.rule(), colour);
    move |point| {
        let attack = attack[board.combo(point, colour).index()];
        let defend = defend[board.combo(point, !colour).index()];
        i32::from(attack) + i32::from(defend)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn embedded_weights_are_good() {
        let weights = ClassicalWeights::from_bytes(EMBEDDED).unwrap();
        for rule in Rule::ALL {
            for colour in Colour::ALL {
                assert_eq!(weights.side(rule, colour).value[0], 0);
            }
        }
    }

    /// What was computed with some weights must not meet others.
    #[test]
    fn weights_in_use_stay() {
        let _ = point_table(Rule::Renju);
        assert_eq!(install(ClassicalWeights::hand()), Err(TooLate));
        let embedded = ClassicalWeights::from_bytes(EMBEDDED).unwrap();
        let in_use = side(Rule::Renju, Colour::Black);
        assert!(in_use == embedded.side(Rule::Renju, Colour::Black));
    }
}
