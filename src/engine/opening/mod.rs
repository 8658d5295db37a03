//! Decisions in opening procedures, made by search: which stones to put,
//! which colour to take, when to put two more, which fifth moves to offer.
//!
//! Where the opponent will choose a colour the stones are put so that neither
//! colour is better: candidates are drawn by a seeded generator, searched
//! briefly, and the evener ones searched again. A colour is chosen by the
//! score of the position.

mod budget;
mod candidates;
mod choose;
mod contest;
mod place;
mod scout;

use super::Engine;
use crate::board::Point;
use crate::rules::Rule;
use crate::rules::opening::{Act, Demand, Opening};
use crate::search::{Control, Limits, Reporter, Score};
use scout::Scout;

/// A position whose score is no farther from 0 counts as even: to choose a
/// colour there is a guess.
const UNCLEAR: i32 = 30;

/// What to decide.
#[derive(Clone, Debug)]
pub struct OpeningRequest {
    /// The opening; the player to act is the one to decide for.
    pub opening: Opening,
    /// The rule of the game.
    pub rule: Rule,
    /// Bounds on the decision as a whole.
    pub limits: Limits,
    /// Chooses among stones that are equally good. The same seed with the same
    /// bound on nodes and one thread gives the same decision.
    pub seed: u64,
}

/// What was decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// What to do; the opening allows it.
    pub act: Act,
    /// Black's score after it, if it was searched for.
    pub score: Option<Score>,
    /// The next move of the game, if the act is to choose the colour that is
    /// to move: some protocols want it in the place of the act.
    pub reply: Option<Point>,
}

impl Decision {
    const fn unsearched(act: Act) -> Self {
        Self {
            act,
            score: None,
            reply: None,
        }
    }
}

impl Engine {
    /// Decides for the player to act; `None` if the opening is finished.
    ///
    /// The reporter hears of searches of the position as it stands, not of
    /// candidates.
    pub fn decide(
        &mut self,
        request: &OpeningRequest,
        control: &Control,
        reporter: &mut dyn Reporter,
    ) -> Option<Decision> {
        let mut scout = Scout::new(self, request, control, reporter);
        match *request.opening.demands() {
            [Demand::Place(areas)] => scout.place(areas),
            [Demand::Colour, Demand::Place(areas)] => scout.colour_or_place(areas),
            [Demand::Colour, Demand::Offer(count)] => scout.colour_or_offer(count.into()),
            [Demand::Colour] => Some(scout.colour()),
            [Demand::FifthCount(most)] => Some(scout.fifth_count(most.into())),
            [Demand::Offer(count)] => Some(scout.offer(count.into()).0),
            [Demand::Pick] => scout.pick(),
            _ => None,
        }
    }
}
