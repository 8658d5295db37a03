//! A search from its start to its move.

use super::{FAREWELL, Flow, GO_ON, Session};
use crate::board::{Point, Position};
use crate::engine::{Outcome, Request};
use crate::protocol::message;
use crate::protocol::progress::Progress;
use crate::protocol::thinker::Job;
use crate::search::{Control, Info};
use std::io;
use std::time::Instant;

/// A running search.
pub struct Search {
    /// Ends it early.
    pub control: Control,
    /// When its clock began.
    pub started: Instant,
    /// What was told about it.
    pub progress: Progress,
}

impl<W: io::Write> Session<W> {
    /// Starts a search for the side to move.
    pub(super) fn think(&mut self, started: Instant, line_count: usize) -> io::Result<()> {
        let Some(position) = &self.position else {
            return self.no_game();
        };
        if position.is_full() {
            return self.error("the board is full");
        }
        let request = Box::new(Request {
            position: position.clone(),
            rule: self.preferences.rule(),
            limits: self.preferences.limits(started),
            line_count: line_count.min(position.size().area()),
        });
        let options = self.preferences.options();
        log::debug!(
            "thinking: {}, {} stones on {}, {:?}, {options:?}",
            request.rule,
            position.stones().len(),
            position.size(),
            request.limits
        );
        for complaint in self.complaints.take() {
            self.answer(&message::message(&complaint))?;
        }
        let control = Control::new();
        self.search = Some(Search {
            control: control.clone(),
            started,
            progress: Progress::new(request.line_count),
        });
        self.give(Job::Search {
            options,
            request,
            control,
        })
    }

    pub(super) fn tell_progress(&mut self, info: &Info) -> Flow {
        if let Some(search) = &mut self.search
            && search.progress.is_news(info)
        {
            let line_count = search.progress.line_count();
            self.tell(info, line_count)?;
        }
        Ok(GO_ON)
    }

    fn tell(&mut self, info: &Info, line_count: usize) -> io::Result<()> {
        let mut lines = vec![message::progress(info, line_count)];
        if self.preferences.shows_live_board() && info.line_number <= 1 {
            lines.extend(message::live_board(info));
        }
        if self.preferences.shows_live_values() {
            lines.extend(message::live_values(info, line_count));
        }
        self.answer(&lines.join("\n"))
    }

    /// The search is over: puts the move on the board and writes it.
    pub(super) fn finish(&mut self, outcome: Option<Outcome>) -> Flow {
        let Some(search) = self.search.take() else {
            return Ok(GO_ON);
        };
        self.preferences.spend(search.started.elapsed());
        if self.deadline.is_some() {
            self.deadline = Some(Instant::now() + FAREWELL);
        }
        let last_news = outcome
            .as_ref()
            .and_then(|outcome| search.progress.last_news(outcome));
        if let Some(info) = last_news {
            self.tell(&info, search.progress.line_count())?;
        }
        let best = outcome.map(|outcome| outcome.best);
        if let Some(best) = self.position.as_mut().and_then(|p| play_best(p, best)) {
            self.answer(&message::coordinates(best))?;
        }
        Ok(GO_ON)
    }
}

/// Plays the engine's move. Should it be missing or unplayable, which only a
/// bug can bring about, any free point is better than to leave the manager
/// waiting.
fn play_best(position: &mut Position, best: Option<Point>) -> Option<Point> {
    let best = best.filter(|&best| position.is_empty(best)).or_else(|| {
        log::error!("the engine found no move that can be played");
        let centre = position.size().centre();
        position.empty_points().min_by_key(|p| p.distance(centre))
    })?;
    position.play(best);
    Some(best)
}
