//! Putting stones: even ones where the opponent chooses a colour then, the
//! best ones elsewhere.

use super::candidates::draw;
use super::contest::{Candidate, Goal};
use super::scout::{Scout, for_black};
use super::{Decision, UNCLEAR};
use crate::board::Colour;
use crate::rules::opening::{Act, Area, Demand};
use crate::search::Score;

/// Candidates that are looked at.
const CANDIDATES: usize = 24;

/// Whether the opponent chooses a colour when the stones are there.
fn is_to_be_even(demands: &[Demand]) -> bool {
    let chooses = |demand: &Demand| matches!(demand, Demand::Colour | Demand::FifthCount(_));
    demands.iter().any(chooses)
}

impl Scout<'_> {
    /// Puts stones into the areas.
    pub(super) fn place(&mut self, areas: &'static [Area]) -> Option<Decision> {
        let next = self.opening().demands_after(Demand::Place(areas));
        if is_to_be_even(&next) {
            return self.place_evenly(areas).map(decision);
        }
        match (areas, &*next) {
            ([area], [Demand::Offer(_)]) => self.best_before_offer(*area),
            ([area], _) => self.best_move(*area),
            _ => None,
        }
    }

    /// Chooses a colour, or puts more stones: that where the choice is a
    /// guess. The opponent has made the position and may know it better; after
    /// two more stones it knows no more than we do.
    pub(super) fn colour_or_place(&mut self, areas: &'static [Area]) -> Option<Decision> {
        let choice = self.colour_in(2);
        let score = choice.score.map_or(0, Score::raw);
        if score.abs() > UNCLEAR || self.is_spent() {
            return Some(choice);
        }
        let placed = self.place_evenly(areas);
        let is_even = |placed: &Candidate| placed.black.is_some_and(|b| b.abs() <= UNCLEAR);
        Some(placed.filter(is_even).map_or(choice, decision))
    }

    fn place_evenly(&mut self, areas: &[Area]) -> Option<Candidate> {
        let position = self.opening().position();
        let drawn = draw(position, areas, CANDIDATES, &mut self.random);
        let acts = drawn.into_iter().map(Act::Place).collect();
        self.contest(acts, Goal::Even)
    }

    fn best_move(&mut self, area: Area) -> Option<Decision> {
        let outcome = self.search_openly(area, 1)?;
        let position = self.opening().position();
        // A search in which every move loses may answer with any of them.
        let best = Some(outcome.best).filter(|&best| area.contains(position.size(), best));
        let point = best.or_else(|| self.likely(area).first().copied())?;
        let black = for_black(position, outcome.score.raw());
        Some(Decision {
            score: Some(Score::from_raw(black)),
            ..Decision::unsearched(Act::Place(vec![point]))
        })
    }

    /// The best stone in an area, judged by the fifth moves that the opponent
    /// can offer then.
    fn best_before_offer(&mut self, area: Area) -> Option<Decision> {
        let likely = self.likely(area).into_iter().take(CANDIDATES);
        let acts = likely.map(|point| Act::Place(vec![point])).collect();
        let goal = match self.opening().position().side_to_move() {
            Colour::Black => Goal::Black,
            Colour::White => Goal::White,
        };
        self.contest(acts, goal).map(decision)
    }
}

fn decision(candidate: Candidate) -> Decision {
    Decision {
        score: candidate.black.map(Score::from_raw),
        ..Decision::unsearched(candidate.act)
    }
}
