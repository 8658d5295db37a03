//! Searches that tell what a position in an opening is worth.

use super::budget::Budget;
use super::{Engine, OpeningRequest};
use crate::board::{Colour, Point, Position, Random};
use crate::engine::{Outcome, Request};
use crate::eval::classical;
use crate::pattern::Board;
use crate::rules::Rule;
use crate::rules::opening::{Area, Demand, Opening, Procedure, are_symmetric};
use crate::search::{Control, Limits, Line, Reporter, Score};

/// Fourth moves that are looked at to see what a RIF opening is worth.
const FOURTHS: usize = 3;
/// So many lines more than fifth moves are searched, as some may be the same
/// by symmetry.
const SPARE_LINES: usize = 2;

/// The engine at work on one decision.
pub(super) struct Scout<'a> {
    engine: &'a mut Engine,
    request: &'a OpeningRequest,
    control: &'a Control,
    reporter: &'a mut dyn Reporter,
    budget: Budget,
    pub(super) random: Random,
}

/// A move and its score for the side to move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rated {
    pub(super) point: Point,
    pub(super) score: Score,
}

impl<'a> Scout<'a> {
    pub(super) fn new(
        engine: &'a mut Engine,
        request: &'a OpeningRequest,
        control: &'a Control,
        reporter: &'a mut dyn Reporter,
    ) -> Self {
        Self {
            engine,
            request,
            control,
            reporter,
            budget: Budget::new(request.limits.clone()),
            random: Random::new(request.seed),
        }
    }

    pub(super) const fn opening(&self) -> &'a Opening {
        &self.request.opening
    }

    pub(super) const fn rule(&self) -> Rule {
        self.request.rule
    }

    pub(super) fn is_spent(&self) -> bool {
        self.budget.is_spent(self.control)
    }

    /// Searches the position as it stands with one of `parts` equal parts of
    /// what is left, and lets the reporter hear of it. The stone stands in the
    /// area if it can.
    pub(super) fn search_openly(&mut self, area: Area, parts: u32) -> Option<Outcome> {
        let position = self.opening().position();
        let size = position.size();
        let closed = size.points().filter(|&point| !area.contains(size, point));
        let limits = Limits {
            excluded: closed.collect(),
            ..self.budget.part(parts, self.control)
        };
        let request = self.search_request(position, limits, 1);
        let control = self.control.for_part();
        let outcome = self.engine.go(&request, &control, self.reporter)?;
        self.budget.spend(outcome.nodes);
        Some(outcome)
    }

    fn search_request(&self, position: &Position, limits: Limits, line_count: usize) -> Request {
        Request {
            position: position.clone(),
            rule: self.rule(),
            limits,
            line_count,
        }
    }

    /// Black's score after an act, given what may be done next, found with one
    /// of `parts` equal parts of what is left.
    pub(super) fn worth(&mut self, opening: &Opening, parts: u32) -> i32 {
        let demands = opening.demands();
        let next = if demands.contains(&Demand::Colour) {
            opening.demands_after(Demand::Colour)
        } else {
            demands
        };
        let position = opening.position();
        match *next {
            [Demand::Offer(count)] => self.fifth_worth(position, count.into(), parts),
            [Demand::FifthCount(most)] => self.evenest_fifth(position, most.into(), parts),
            [Demand::Place(_)] if opening.procedure() == Procedure::Rif => {
                self.rif_worth(position, parts)
            }
            _ => self.plain_worth(position, parts),
        }
    }

    fn plain_worth(&mut self, position: &Position, parts: u32) -> i32 {
        let moves = self.lines(position, 1, parts);
        let score = moves.first().map_or(0, |best| best.score.raw());
        for_black(position, score)
    }

    /// Black's score without any search.
    pub(super) fn look(&self, position: &Position) -> i32 {
        for_black(position, classical::evaluate(&self.board(position)))
    }

    /// A position with its shapes.
    pub(super) fn board(&self, position: &Position) -> Board {
        Board::new(position.clone(), classical::point_table(self.rule()))
    }

    /// Black's score if it must offer so many fifth moves, of which it will
    /// get the worst.
    fn fifth_worth(&mut self, position: &Position, count: usize, parts: u32) -> i32 {
        let fifths = self.fifths(position, count, parts);
        let worst = fifths.get(count.saturating_sub(1)).or(fifths.last());
        worst.map_or(0, |fifth| for_black(position, fifth.score.raw()))
    }

    /// Black's score with the number of fifth moves, 1 to `most`, that is the
    /// evenest.
    fn evenest_fifth(&mut self, position: &Position, most: usize, parts: u32) -> i32 {
        let fifths = self.fifths(position, most, parts);
        let scores = fifths.iter().map(|f| for_black(position, f.score.raw()));
        scores.min_by_key(|score| score.abs()).unwrap_or(0)
    }

    /// Black's score after three stones if White's fourth is followed by two
    /// fifth moves of which Black gets the worse.
    fn rif_worth(&mut self, position: &Position, parts: u32) -> i32 {
        let searches = FOURTHS as u32 + 1;
        let fourths = self.lines(position, FOURTHS, parts * searches);
        let scores = fourths.iter().map(|fourth| {
            let mut after = position.clone();
            after.play(fourth.point);
            self.fifth_worth(&after, 2, parts * searches)
        });
        scores.min().unwrap_or(0)
    }

    /// Fifth moves, the best first, no two the same by symmetry.
    pub(super) fn fifths(&mut self, position: &Position, count: usize, parts: u32) -> Vec<Rated> {
        let lines = self.lines(
            position,
            count + SPARE_LINES.min(count.saturating_sub(1)),
            parts,
        );
        let mut fifths: Vec<Rated> = Vec::new();
        for line in lines {
            let is_known = |f: &Rated| are_symmetric(position, f.point, line.point);
            if fifths.len() < count && !fifths.iter().any(is_known) {
                fifths.push(line);
            }
        }
        fifths
    }

    /// The best moves, the best first, found with one of `parts` equal parts
    /// of what is left.
    fn lines(&mut self, position: &Position, count: usize, parts: u32) -> Vec<Rated> {
        let limits = self.budget.part(parts, self.control);
        let request = self.search_request(position, limits, count);
        let control = self.control.for_part();
        let Some(outcome) = self.engine.go(&request, &control, &mut ()) else {
            return Vec::new();
        };
        self.budget.spend(outcome.nodes);
        let rated = |line: &Line| {
            let point = *line.moves.first()?;
            let score = line.score;
            Some(Rated { point, score })
        };
        outcome.lines.iter().filter_map(rated).collect()
    }
}

/// A score for the side to move as one for Black.
pub(super) fn for_black(position: &Position, score: i32) -> i32 {
    match position.side_to_move() {
        Colour::Black => score,
        Colour::White => -score,
    }
}
