//! The evaluation the search asks: the net's where it matters, the classical
//! one everywhere else.

use super::classical;
use super::nnue::{self, Accumulator};
use crate::board::Size;
use crate::pattern::Board;
use crate::rules::Rule;

/// Which evaluation plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Evaluation {
    /// The net, if there is one, and the classical evaluation beside it.
    #[default]
    Net,
    /// The classical evaluation alone.
    Classical,
}

/// How far outside the search's window the classical evaluation must see a
/// position to be believed without the net.
const NET_MARGIN: i32 = 300;

/// What one thread evaluates positions with.
#[derive(Clone, Debug)]
pub struct Evaluator {
    accumulator: Option<Accumulator<'static>>,
}

impl Evaluator {
    /// An evaluator for positions of a rule and a size; without a net the
    /// classical evaluation does all.
    #[must_use]
    pub fn new(evaluation: Evaluation, rule: Rule, size: Size) -> Self {
        let network = match evaluation {
            Evaluation::Net => nnue::network(rule),
            Evaluation::Classical => None,
        };
        Self {
            accumulator: network.map(|network| Accumulator::new(network, size)),
        }
    }

    /// The value of a position for the side to move, in the unit of
    /// [`super::weights::SCORE_SCALE`]. It need be no better than what tells
    /// on which side of the window from `alpha` to `beta` the position is.
    #[inline]
    pub fn value(&mut self, board: &Board, alpha: i32, beta: i32) -> i32 {
        let classical = classical::evaluate(board);
        match &mut self.accumulator {
            Some(accumulator)
                if classical > alpha - NET_MARGIN && classical < beta + NET_MARGIN =>
            {
                accumulator.value(board.position(), classical)
            }
            _ => classical,
        }
    }
}
