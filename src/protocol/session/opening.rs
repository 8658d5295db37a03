//! `SWAP2BOARD` and `yxswap2step`: deciding in an opening.
//!
//! With the first the manager sends no stones, three or five, and waits for one
//! line: three points; `SWAP`, a point or two points; `SWAP` or a point. A
//! single point is a move of White's and means that we stay White, so it is
//! also an answer to a block that makes no sense. With the second, of Yixin's,
//! the stones are those on the board and the answers are messages; they change
//! nothing there.

use super::thinking::Purpose;
use super::{Flow, GO_ON, Session};
use crate::board::{Colour, Point, Position, Size};
use crate::engine::opening::{Decision, OpeningRequest};
use crate::protocol::block::Block;
use crate::protocol::message;
use crate::protocol::thinker::Job;
use crate::rules::opening::{Act, Opening, Procedure};
use std::io;
use std::time::Instant;

/// Stones the first player puts.
const FIRST_STONES: usize = 3;

/// How a decision is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecisionForm {
    /// As the answer to `SWAP2BOARD`.
    Gomocup,
    /// In Yixin's messages; the number is that of the question.
    Yixin(u8),
}

impl<W: io::Write> Session<W> {
    /// Starts to think about the question that a block asks.
    pub(super) fn decide(&mut self, block: &Block, started: Instant) -> io::Result<()> {
        let Some(size) = self.size() else {
            return self.no_game();
        };
        self.position = Position::from_moves(size, &block.sequence()).ok();
        let Some(opening) = block.opening().and_then(|points| swap2(size, &points)) else {
            self.complaints
                .add("SWAP2BOARD needs 0, 3 or 5 stones: here is a move");
            return self.think(started, 1);
        };
        self.begin_decision(opening, started, DecisionForm::Gomocup)
    }

    /// Starts to think about one of the three questions of Yixin's manager,
    /// which takes any line but a message for a move.
    pub(super) fn swap2_step(&mut self, number: u8, started: Instant) -> io::Result<()> {
        let wanted = match number {
            1 => 0,
            2 => FIRST_STONES,
            _ => FIRST_STONES + 2,
        };
        // The first question comes without a board.
        let stones = self.position.iter().flat_map(|position| position.stones());
        let points: Vec<Point> = stones.map(|s| s.point).filter(|_| wanted > 0).collect();
        let is_sound = points.len() == wanted;
        let opening = self.size().filter(|_| is_sound);
        match opening.and_then(|size| swap2(size, &points)) {
            Some(opening) => self.begin_decision(opening, started, DecisionForm::Yixin(number)),
            None => {
                let text = format!("yxswap2step{number} needs a board with {wanted} stones");
                self.answer(&message::message(&text))
            }
        }
    }

    fn begin_decision(
        &mut self,
        opening: Opening,
        started: Instant,
        form: DecisionForm,
    ) -> io::Result<()> {
        let request = Box::new(OpeningRequest {
            opening,
            rule: self.preferences.rule(),
            limits: self.preferences.limits(started),
            seed: self.preferences.seed(),
        });
        let options = self.preferences.options();
        let control = self.begin_search(started, 1, Purpose::Decide(form))?;
        self.give(Job::Decide {
            options,
            request,
            tells_moves: self.preferences.shows_live_board(),
            control,
        })
    }

    /// The decision is made: puts its stones on the board and writes it.
    pub(super) fn finish_decision(&mut self, decision: Option<Decision>) -> Flow {
        let Some(search) = self.end_search() else {
            return Ok(GO_ON);
        };
        if let Some(decision) = &decision {
            self.answer(&message::decision(decision))?;
        }
        let (act, reply) = decision.map_or((None, None), |d| (Some(d.act), d.reply));
        match (search.purpose, act) {
            (Purpose::Decide(DecisionForm::Yixin(question)), act) => {
                if let Some(act) = act {
                    self.answer(&message::swap2_answer(&act, question).join("\n"))?;
                }
            }
            (_, Some(Act::Choose(Colour::Black))) => self.answer("SWAP")?,
            (_, Some(Act::Place(points))) => self.put_own(&points, points.len())?,
            _ => self.put_own(reply.as_slice(), 1)?,
        }
        Ok(GO_ON)
    }
}

/// The opening after these stones; `None` if nobody is to decide then.
fn swap2(size: Size, points: &[Point]) -> Option<Opening> {
    let mut opening = Opening::new(Procedure::Swap2, size).ok()?;
    let (first, second) = points
        .split_at_checked(FIRST_STONES)
        .unwrap_or((points, &[]));
    for stones in [first, second].into_iter().filter(|s| !s.is_empty()) {
        opening.apply(&Act::Place(stones.to_vec())).ok()?;
    }
    Some(opening)
}
