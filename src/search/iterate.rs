//! Iterative deepening of one worker: its root moves, searched again and again
//! until a limit is reached or the game is decided.
//!
//! With several best lines each iteration searches the root once for every
//! line, the moves of the better lines left out, so that every line has an
//! exact value.

use super::driver::{Found, info};
use super::params::{ASPIRATION_DEPTH, ASPIRATION_WINDOW};
use super::prune;
use super::report::{Line, Reporter, RootEvent};
use super::root::RootMove;
use super::score::{INFINITE, Score, Value, is_forced, win_at};
use super::shared::Shared;
use super::time::Progress;
use super::worker::Worker;
use crate::board::Point;
use crate::pattern::Group;
use std::cmp::Reverse;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// Searches shorter than this do not tell at which move they are.
const SHOW_MOVES_AFTER: Duration = Duration::from_millis(200);

/// How the best line has fared from iteration to iteration.
#[derive(Debug, Default)]
struct Course {
    values: Vec<Value>,
    progress: Progress,
}

impl Course {
    /// Takes the best line of an iteration, and the best move of the one before.
    fn add(&mut self, best: &RootMove, last: Option<Point>) {
        self.progress.stable_iterations = if last == Some(best.point) {
            self.progress.stable_iterations + 1
        } else {
            0
        };
        // Two plies ago, as odd and even depths see different things.
        let before = self.values.iter().rev().nth(1).unwrap_or(&best.value);
        self.progress.points_lost = u32::try_from(before - best.value).unwrap_or(0);
        self.values.push(best.value);
    }
}

/// One worker's iterations.
pub(super) struct Iterations<'a> {
    pub worker: Worker<'a>,
    pub shared: &'a Shared<'a>,
    pub moves: Vec<RootMove>,
    line_count: usize,
}

impl<'a> Iterations<'a> {
    pub(super) fn new(
        worker: Worker<'a>,
        shared: &'a Shared<'a>,
        moves: Vec<RootMove>,
        line_count: usize,
    ) -> Self {
        let line_count = line_count.clamp(1, moves.len());
        Self {
            worker,
            shared,
            moves,
            line_count,
        }
    }

    /// Fills the shared table until somebody says stop. Helpers begin at
    /// different depths so that they do not all do the same.
    pub(super) fn help(&mut self, number: usize, max_depth: i32) {
        let mut depth = 1 + (number as i32 & 1);
        while depth <= max_depth && !self.worker.meter.is_stopped {
            self.aspirate(0, depth, &mut ());
            depth += 1;
        }
        self.worker.meter.publish();
    }

    /// Deepens until a limit is reached or the game is decided.
    pub(super) fn lead(&mut self, max_depth: i32, reporter: &mut dyn Reporter) -> Found {
        let mut found = self.first_guess();
        let mut lines = Vec::new();
        let mut course = Course::default();
        for depth in 1..=max_depth {
            for number in 0..self.line_count {
                self.aspirate(number, depth, reporter);
                if self.worker.meter.is_stopped {
                    break;
                }
            }
            // A stopped iteration still counts for the first line: its best
            // move is the old one or was found better.
            if !self.worker.meter.is_stopped {
                self.moves[..self.line_count].sort_by_key(|root| Reverse(root.value));
                lines = self.best_lines();
                for number in 0..self.line_count {
                    self.report(number, depth, reporter);
                }
                found.depth = depth as u32;
                course.add(&self.moves[0], found.line.first().copied());
            }
            let best = &self.moves[0];
            found.line.clone_from(&best.line);
            found.score = Score::from_raw(best.value);
            if self.worker.meter.is_stopped || self.is_settled(depth) {
                break;
            }
            if self.is_late(course.progress) {
                break;
            }
        }
        self.worker.meter.publish();
        found.set_lines(lines, self.line_count);
        found
    }

    /// What is known before anything was searched.
    pub(super) fn first_guess(&self) -> Found {
        let best = &self.moves[0];
        Found::new(best.line.clone(), Score::from_raw(best.value), 0)
    }

    fn best_lines(&self) -> Vec<Line> {
        let best = self.moves[..self.line_count].iter();
        best.map(|root| Line {
            score: Score::from_raw(root.value),
            moves: root.line.clone(),
        })
        .collect()
    }

    /// Whether deeper iterations cannot change the answer.
    fn is_settled(&self, depth: i32) -> bool {
        let is_final = |root: &RootMove| {
            let score = Score::from_raw(root.value);
            let is_lost = score
                .loss_plies()
                .is_some_and(|plies| plies as i32 <= depth);
            score.win_plies().is_some() || is_lost
        };
        let is_played_at_once = self.moves.len() == 1 && !self.shared.clock.judges_only_move();
        is_played_at_once && depth >= ASPIRATION_DEPTH
            || self.moves[..self.line_count].iter().all(is_final)
    }

    /// Whether another iteration is not worth its time.
    pub(super) fn is_late(&self, progress: Progress) -> bool {
        let Shared { clock, control, .. } = self.shared;
        clock.is_late(control, progress)
    }

    /// Tells the `number`th best line.
    pub(super) fn report(&mut self, number: usize, depth: i32, reporter: &mut dyn Reporter) {
        self.worker.meter.publish();
        let best = &self.moves[number];
        let nodes = self.shared.nodes.load(Relaxed);
        let mut found = Found::new(best.line.clone(), Score::from_raw(best.value), nodes);
        found.depth = depth as u32;
        let selective = self.worker.selective_depth.max(depth as u32);
        reporter.report(&info(&found, number + 1, selective, &self.shared.clock));
    }

    /// One iteration for the `number`th best line, with a window around the
    /// value of the last one that is widened as needed.
    pub(super) fn aspirate(&mut self, number: usize, depth: i32, reporter: &mut dyn Reporter) {
        let last = self.moves[number].value;
        if depth < ASPIRATION_DEPTH || is_forced(last) {
            self.iterate(number, depth, -INFINITE, INFINITE, reporter);
            return;
        }
        let mut width = ASPIRATION_WINDOW;
        let (mut alpha, mut beta) = (last - width, last + width);
        loop {
            let value = self.iterate(number, depth, alpha, beta, reporter);
            if self.worker.meter.is_stopped || value > alpha && value < beta {
                return;
            }
            width *= 3;
            if value <= alpha {
                alpha = if is_forced(value) {
                    -INFINITE
                } else {
                    value - width
                };
            } else {
                beta = if is_forced(value) {
                    INFINITE
                } else {
                    value + width
                };
            }
        }
    }

    /// Searches all root moves from `first` on and sorts them; the moves
    /// before belong to better lines.
    fn iterate(
        &mut self,
        first: usize,
        depth: i32,
        mut alpha: Value,
        beta: Value,
        reporter: &mut dyn Reporter,
    ) -> Value {
        let mut best = -INFINITE;
        for i in first..self.moves.len() {
            let point = self.moves[i].point;
            let number = i - first + 1;
            let is_shown = self.shared.clock.elapsed() >= SHOW_MOVES_AFTER;
            if is_shown {
                reporter.root_event(RootEvent::Begun(point));
            }
            let value = self.search_root_move(point, number, depth, alpha, beta);
            if self.worker.meter.is_stopped {
                break;
            }
            if is_shown {
                reporter.root_event(RootEvent::Done(point));
            }
            if Score::from_raw(value).loss_plies().is_some() {
                reporter.root_event(RootEvent::Lost(point));
            }
            if value > best {
                best = value;
                if number == 1 || value > alpha {
                    self.set_line(i, value);
                    // The best move comes first, the others keep their order.
                    self.moves[first..=i].rotate_right(1);
                }
                alpha = alpha.max(value);
                if value >= beta {
                    break;
                }
            }
        }
        best
    }

    /// Notes the value and the line of the root move that was searched last.
    pub(super) fn set_line(&mut self, index: usize, value: Value) {
        let is_over = self.wins_at_once(self.moves[index].point);
        let root = &mut self.moves[index];
        root.value = value;
        root.line.truncate(1);
        if !is_over {
            root.line.extend_from_slice(self.worker.line_below_root());
        }
    }

    fn wins_at_once(&self, point: Point) -> bool {
        let board = &self.worker.board;
        board
            .group(board.side_to_move(), Group::Five)
            .contains(point)
    }

    /// The value of the `number`th root move, from 1, for the side to move.
    pub(super) fn search_root_move(
        &mut self,
        point: Point,
        number: usize,
        depth: i32,
        alpha: Value,
        beta: Value,
    ) -> Value {
        // The search below the root takes it for granted that nobody has won.
        if self.wins_at_once(point) {
            return win_at(1);
        }
        let new_depth = depth - 1;
        if number == 1 {
            return self.worker.search_move(point, alpha, beta, new_depth, true);
        }
        let reduction =
            (prune::late_move_reduction(depth, number, 0, 0) - 1).clamp(0, new_depth.max(0));
        let zero = alpha + 1;
        let mut value = self
            .worker
            .search_move(point, alpha, zero, new_depth - reduction, false);
        if value > alpha && reduction > 0 && !self.worker.meter.is_stopped {
            value = self
                .worker
                .search_move(point, alpha, zero, new_depth, false);
        }
        if value > alpha && value < beta && !self.worker.meter.is_stopped {
            value = self.worker.search_move(point, alpha, beta, new_depth, true);
        }
        value
    }
}
