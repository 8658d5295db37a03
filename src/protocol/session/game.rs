//! Commands about the game: its moves, and what is forbidden.

use super::Session;
use crate::board::{Colour, Point, Position, Size};
use crate::protocol::message;
use crate::protocol::thinker::Job;
use crate::rules::{Rule, judge};
use std::io;
use std::sync::Arc;
use std::time::Instant;

impl<W: io::Write> Session<W> {
    pub(super) fn new_game(&mut self, size: Size) -> io::Result<()> {
        self.position = Some(Position::new(size));
        self.preferences.new_game();
        self.take_book();
        self.give(Job::NewGame)?;
        self.get_ready()?;
        self.answer(message::OK)
    }

    /// Has the engine do before the first search of the game what can be done.
    pub(super) fn get_ready(&self) -> io::Result<()> {
        let options = self.preferences.options();
        self.give(Job::GetReady(options, self.preferences.rule()))
    }

    /// Takes the opening book from where there may be one. The clock of a move
    /// must not run meanwhile.
    pub(super) fn take_book(&mut self) {
        let complaints = &mut self.complaints;
        let book = self
            .shelf
            .look(|text| complaints.add(message::complaint(&text)));
        if let Some(book) = book {
            // That the thread has died is told where an answer is waited for.
            let _ = self.give(Job::TakeBook(Arc::new(book)));
        }
    }

    pub(super) fn begin(&mut self, read_at: Instant) -> io::Result<()> {
        match &self.position {
            Some(position) if !position.stones().is_empty() => {
                self.error("BEGIN, but there are stones on the board")
            }
            _ => self.think(read_at, 1),
        }
    }

    pub(super) fn turn(&mut self, point: Point, read_at: Instant) -> io::Result<()> {
        if self.put(point)? {
            self.think(read_at, 1)?;
        }
        Ok(())
    }

    pub(super) fn play(&mut self, point: Point) -> io::Result<()> {
        if self.put(point)? {
            self.answer(&message::coordinates(point))?;
        }
        Ok(())
    }

    /// Puts a stone of the side to move, or answers with an error.
    fn put(&mut self, point: Point) -> io::Result<bool> {
        let Some(position) = &mut self.position else {
            self.no_game()?;
            return Ok(false);
        };
        if position.is_empty(point) {
            position.play(point);
            return Ok(true);
        }
        let place = message::coordinates(point);
        let text = if position.size().contains(point) {
            format!("{place} is taken")
        } else {
            format!("{place} is outside the board")
        };
        self.error(&text)?;
        Ok(false)
    }

    /// Removes any stone. Whoever was not to move is to move then, as if the
    /// newest had been taken back: managers that take back several may do it
    /// in any order.
    pub(super) fn take_back(&mut self, point: Point) -> io::Result<()> {
        let Some(position) = &mut self.position else {
            return self.no_game();
        };
        if !position.stones().iter().any(|s| s.point == point) {
            let text = format!("no stone on {}", message::coordinates(point));
            return self.error(&text);
        }
        let mut rest = Position::new(position.size());
        for blocked in position.blocked().iter() {
            rest.block(blocked);
        }
        for stone in position.stones().iter().filter(|s| s.point != point) {
            rest.set_side_to_move(stone.colour);
            rest.play(stone.point);
        }
        rest.set_side_to_move(if rest.stones().is_empty() {
            Colour::Black
        } else {
            !position.side_to_move()
        });
        *position = rest;
        self.answer(message::OK)
    }

    pub(super) fn show_forbidden(&mut self) -> io::Result<()> {
        let position = self.position.as_ref().filter(|position| {
            self.preferences.rule() == Rule::Renju && position.side_to_move() == Colour::Black
        });
        let points: Vec<Point> = position
            .map(|position| self.preferences.as_it_counts(position))
            .into_iter()
            .flat_map(|position| {
                let is_foul = |&point: &Point| judge::renju_foul(&position, point).is_some();
                position.empty_points().filter(is_foul).collect::<Vec<_>>()
            })
            .collect();
        self.answer(&message::forbidden(&points))
    }
}
