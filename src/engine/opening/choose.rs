//! Choosing: a colour, a number of fifth moves, fifth moves and one of them.

use super::candidates::is_near_stone;
use super::contest::Goal;
use super::scout::{Scout, for_black};
use super::{Decision, UNCLEAR};
use crate::board::{Colour, Point};
use crate::eval::classical;
use crate::rules::opening::{Act, Area, Demand, are_symmetric};
use crate::search::Score;

impl Scout<'_> {
    /// The colour with the better chances.
    pub(super) fn colour(&mut self) -> Decision {
        self.colour_in(1)
    }

    /// The same with one of `parts` equal parts of what is left.
    pub(super) fn colour_in(&mut self, parts: u32) -> Decision {
        let opening = self.opening();
        let mut reply = None;
        let is_last = opening.demands_after(Demand::Colour).is_empty();
        let black = if is_last {
            let outcome = self.search_openly(Area::Anywhere, parts);
            let position = opening.position();
            reply = outcome.as_ref().map(|o| (position.side_to_move(), o.best));
            outcome.map_or(0, |o| for_black(position, o.score.raw()))
        } else {
            self.worth(opening, parts)
        };
        let colour = if black > 0 {
            Colour::Black
        } else {
            Colour::White
        };
        Decision {
            act: Act::Choose(colour),
            score: Some(Score::from_raw(black)),
            reply: reply.filter(|&(side, _)| side == colour).map(|r| r.1),
        }
    }

    /// Tentative Black offers fifth moves if the worst of them is good.
    /// Otherwise it takes White: Black must put the next stone then, and White
    /// may choose again.
    pub(super) fn colour_or_offer(&mut self, count: usize) -> Option<Decision> {
        let (offer, worst) = self.offer(count);
        if worst.is_some_and(|score| score > UNCLEAR) {
            return Some(offer);
        }
        Some(Decision {
            act: Act::Choose(Colour::White),
            score: offer.score,
            reply: None,
        })
    }

    /// The number of fifth moves that leaves neither colour better.
    pub(super) fn fifth_count(&mut self, most: usize) -> Decision {
        let position = self.opening().position();
        let fifths = self.fifths(position, most, 1);
        let scores = fifths.iter().map(|f| for_black(position, f.score.raw()));
        let evenest = scores.zip(1..).min_by_key(|(score, _)| score.abs());
        let (black, count) = evenest.unwrap_or((0, 1));
        Decision {
            act: Act::FifthCount(count),
            score: Some(Score::from_raw(black)),
            reply: None,
        }
    }

    /// The best fifth moves, and Black's score after the worst of them.
    pub(super) fn offer(&mut self, count: usize) -> (Decision, Option<i32>) {
        let position = self.opening().position();
        let fifths = self.fifths(position, count, 1);
        let is_full = fifths.len() == count;
        let worst = fifths.last().filter(|_| is_full).map(|f| f.score);
        let mut points: Vec<Point> = fifths.iter().map(|f| f.point).collect();
        if !is_full {
            self.fill_offer(&mut points, count);
        }
        let decision = Decision {
            act: Act::Offer(points),
            score: worst,
            reply: None,
        };
        (decision, worst.map(Score::raw))
    }

    /// Adds the likeliest of the other free points: a search that ended early,
    /// or found a win, brings fewer lines than it was asked for.
    fn fill_offer(&self, points: &mut Vec<Point>, count: usize) {
        for point in self.likely(Area::Anywhere) {
            let position = self.opening().position();
            let is_known = |&p: &Point| are_symmetric(position, p, point);
            if points.len() < count && !points.iter().any(is_known) {
                points.push(point);
            }
        }
    }

    /// All free points of an area, those near stones first, and of those the
    /// ones that look good for the side to move.
    pub(super) fn likely(&self, area: Area) -> Vec<Point> {
        let position = self.opening().position();
        let board = self.board(position);
        let mut points: Vec<Point> = position
            .empty_points()
            .filter(|&point| area.contains(position.size(), point))
            .collect();
        points.sort_by_cached_key(|&point| {
            let score = classical::move_score(&board, point);
            (!is_near_stone(position, point), -score)
        });
        points
    }

    /// The fifth move that is worst for Black.
    pub(super) fn pick(&mut self) -> Option<Decision> {
        let acts = self.opening().offers().iter().map(|&p| Act::Pick(p));
        let best = self.contest(acts.collect(), Goal::White)?;
        Some(Decision {
            score: best.black.map(Score::from_raw),
            ..Decision::unsearched(best.act)
        })
    }
}
