//! The evaluation the search asks: the net's where it matters, the classical
//! one everywhere else.

use super::classical;
use super::nnue::{self, Accumulator, POLICY_ONE};
use crate::board::{Point, Size};
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

/// What a logit of 1 of the net's policy is worth in the unit of
/// [`classical::move_scores`].
const MOVE_SCORE_PER_LOGIT: i32 = 33;

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
    /// `known` is what this function once said of the position, perhaps with
    /// another window: the net is not asked again.
    #[inline]
    pub fn value(&mut self, board: &Board, alpha: i32, beta: i32, known: Option<i32>) -> i32 {
        let classical = classical::evaluate(board);
        match (&mut self.accumulator, known) {
            (Some(_), Some(by_net)) if by_net != classical => by_net,
            (Some(accumulator), _)
                if classical > alpha - NET_MARGIN && classical < beta + NET_MARGIN =>
            {
                accumulator.value(board.position(), classical)
            }
            _ => classical,
        }
    }

    /// Puts into `scores` how good a move of the side to move on each of these
    /// points looks to the net, in the unit of [`classical::move_scores`] but
    /// for a constant. Returns false, and does nothing, without a net.
    pub fn move_scores(
        &mut self,
        board: &Board,
        points: impl IntoIterator<Item = Point>,
        scores: &mut Vec<i32>,
    ) -> bool {
        let Some(accumulator) = &mut self.accumulator else {
            return false;
        };
        scores.clear();
        accumulator.policy(board.position(), points, scores);
        for score in scores {
            *score = *score * MOVE_SCORE_PER_LOGIT / POLICY_ONE;
        }
        true
    }
}
