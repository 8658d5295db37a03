//! A search from its start to its move.

use super::opening::DecisionForm;
use super::{Flow, GO_ON, Session};
use crate::board::{Bitboard, Point, Position};
use crate::engine::{Outcome, Request};
use crate::protocol::message;
use crate::protocol::progress::Progress;
use crate::protocol::thinker::{Job, Task};
use crate::search::{Control, Info, Limits, RootEvent, Stones};
use std::io;
use std::time::Instant;

/// What the thinking thread is busy with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A search of the position.
    Find(Task),
    /// A decision in an opening.
    Decide(DecisionForm),
}

/// A running search.
pub struct Search {
    /// Ends it early.
    pub control: Control,
    /// When its clock began.
    pub started: Instant,
    /// What was told about it.
    pub progress: Progress,
    /// What it is for.
    pub purpose: Purpose,
    /// Moves that were told to be lost.
    lost: Bitboard,
}

impl<W: io::Write> Session<W> {
    /// Starts a search for a move of the side to move.
    pub(super) fn think(&mut self, started: Instant, line_count: usize) -> io::Result<()> {
        let task = match self.preferences.level() {
            Some(level) if line_count <= 1 => Task::PlayAt(level, self.preferences.seed()),
            _ => Task::Play,
        };
        self.search_for(started, line_count, task)
    }

    /// Starts a search for stones that balance the position.
    pub(super) fn balance(
        &mut self,
        started: Instant,
        stones: Stones,
        target: i32,
    ) -> io::Result<()> {
        let is_cramped = |position: &Position| position.empty_count() < 2;
        if stones == Stones::Two && self.position.as_ref().is_some_and(is_cramped) {
            return self.error("fewer than two points are free");
        }
        self.search_for(started, 1, Task::Balance(stones, target))
    }

    pub(super) fn search_for(
        &mut self,
        started: Instant,
        line_count: usize,
        task: Task,
    ) -> io::Result<()> {
        let Some(position) = &self.position else {
            return self.no_game();
        };
        if position.is_full() {
            return self.error("the board is full");
        }
        if position.empty_points().all(|p| self.excluded.contains(p)) {
            self.complaints
                .add("all free points are blocked, which counts as none");
        }
        let limits = Limits {
            excluded: self.excluded,
            // Who asks for several lines asks for their scores.
            judges_only_move: line_count > 1,
            ..self.preferences.limits(started)
        };
        let line_count = line_count.min(position.size().area());
        let request = self.request(position, limits, line_count);
        let options = self.preferences.options();
        log::debug!(
            "thinking: {task:?}, {}, {} stones on {}, {:?}, {options:?}",
            request.rule,
            position.stones().len(),
            position.size(),
            request.limits
        );
        let control = self.begin_search(started, line_count, Purpose::Find(task))?;
        self.give(Job::Search {
            options,
            request,
            task,
            tells_moves: self.preferences.shows_live_board(),
            control,
        })
    }

    /// A request to search the position as it counts under the rule.
    fn request(&self, position: &Position, limits: Limits, line_count: usize) -> Box<Request> {
        Box::new(Request {
            position: self.preferences.as_it_counts(position),
            rule: self.preferences.rule(),
            limits,
            line_count,
        })
    }

    /// Tells the complaints so far and notes that the thinking thread is busy.
    pub(super) fn begin_search(
        &mut self,
        started: Instant,
        line_count: usize,
        purpose: Purpose,
    ) -> io::Result<Control> {
        for complaint in self.complaints.take() {
            self.answer(&message::message(&complaint))?;
        }
        let control = Control::new();
        self.search = Some(Search {
            control: control.clone(),
            started,
            progress: Progress::new(line_count),
            purpose,
            lost: Bitboard::EMPTY,
        });
        Ok(control)
    }

    /// Notes that the thinking thread is done.
    pub(super) fn end_search(&mut self) -> Option<Search> {
        let search = self.search.take()?;
        self.preferences.spend(search.started.elapsed());
        if self.deadline.is_some() {
            self.deadline = Some(Instant::now() + self.farewell());
        }
        Some(search)
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

    /// Tells which move is being searched. That a move is lost is told once.
    pub(super) fn tell_root_move(&mut self, event: RootEvent) -> Flow {
        if let Some(search) = &mut self.search {
            let is_news = match event {
                RootEvent::Lost(point) => {
                    let is_new = !search.lost.contains(point);
                    search.lost.insert(point);
                    is_new
                }
                RootEvent::Begun(_) | RootEvent::Done(_) => true,
            };
            if is_news {
                self.answer(&message::live_move(event))?;
            }
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
        let Some(search) = self.end_search() else {
            return Ok(GO_ON);
        };
        if let Some(entry) = outcome.as_ref().and_then(|outcome| outcome.book) {
            self.answer(&message::book(&entry))?;
        }
        let last_news = outcome
            .as_ref()
            .and_then(|outcome| search.progress.last_news(outcome));
        if let Some(info) = last_news {
            self.tell(&info, search.progress.line_count())?;
        }
        let wins = outcome
            .as_ref()
            .is_some_and(|outcome| outcome.score.win_plies() == Some(1));
        let wanted = outcome.map_or_else(Vec::new, |outcome| outcome.principal_variation);
        let stone_count = match search.purpose {
            Purpose::Find(Task::Balance(Stones::Two, _)) => 2,
            _ => 1,
        };
        self.put_own(&wanted, stone_count)?;
        if search.purpose == Purpose::Find(Task::Play) && !wins {
            self.ponder()?;
        }
        Ok(GO_ON)
    }

    /// Puts the engine's stones on the board and writes them.
    pub(super) fn put_own(&mut self, wanted: &[Point], count: usize) -> io::Result<()> {
        let position = self.position.as_mut();
        let played = position.map_or_else(Vec::new, |p| play_best(p, wanted, count));
        if played.is_empty() {
            return Ok(());
        }
        let texts: Vec<String> = played.into_iter().map(message::coordinates).collect();
        self.answer(&texts.join(" "))
    }

    /// Begins to search in the opponent's time, if that is wanted and nothing
    /// else is to be done.
    fn ponder(&mut self) -> io::Result<()> {
        let has_time = self.waiting.is_none() && self.queue.is_empty() && self.deadline.is_none();
        let Some(position) = &self.position else {
            return Ok(());
        };
        if !self.preferences.ponders() || !has_time || position.is_full() {
            return Ok(());
        }
        let limits = Limits {
            judges_only_move: true,
            ..Limits::unlimited()
        };
        let request = self.request(position, limits, 1);
        let control = Control::new();
        self.ponder = Some(control.clone());
        self.give(Job::Ponder {
            options: self.preferences.options(),
            request,
            control,
        })
    }
}

/// Plays the engine's stones. Should one be missing or unplayable, which only a
/// bug can bring about, any free point is better than to leave the manager
/// waiting.
fn play_best(position: &mut Position, wanted: &[Point], count: usize) -> Vec<Point> {
    let mut wanted = wanted.iter().copied();
    (0..count)
        .map_while(|_| {
            let good = wanted.next().filter(|&point| position.is_empty(point));
            let point = good.or_else(|| {
                log::error!("the engine found no move that can be played");
                let centre = position.size().centre();
                position.empty_points().min_by_key(|p| p.distance(centre))
            })?;
            position.play(point);
            Some(point)
        })
        .collect()
}
