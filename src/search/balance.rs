//! Search for stones after which the position has a wanted value: an even one,
//! say, as opening procedures need it.
//!
//! A move only matters if its value is nearer to the wanted one than that of
//! the best move so far, so each is searched with the window that such values
//! lie in. As everywhere, iterations go deeper and deeper, the moves that came
//! nearest in the last one first.

use super::driver::{Found, info};
use super::iterate::Iterations;
use super::report::Reporter;
use super::root::{RootMove, root_moves};
use super::score::{INFINITE, Score, Value};
use super::shared::{Memory, Shared};
use super::time::Progress;
use super::worker::Worker;
use crate::board::{Bitboard, Point};
use crate::pattern::{Board, Group};
use std::sync::atomic::Ordering::Relaxed;

/// How many stones are put down to balance a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stones {
    /// One of the side to move.
    One,
    /// One of the side to move and one of the other.
    Two,
}

/// So many moves are tried as the first stone, and as the second after each.
const PAIR_BREADTH: usize = 20;
/// So many pairs are looked at after the first iteration.
const PAIRS_KEPT: usize = 24;

/// The window in which values are nearer to `target` than by `gap`, at least 1.
fn window(target: Value, gap: Value) -> (Value, Value) {
    let alpha = (target - gap).max(-INFINITE);
    (alpha, (target + gap).min(INFINITE))
}

/// The move after which the value is nearest to `target`.
pub(super) fn one(
    iterations: &mut Iterations<'_>,
    target: Value,
    max_depth: i32,
    reporter: &mut dyn Reporter,
) -> Found {
    let mut found = iterations.first_guess();
    for depth in 1..=max_depth {
        balance_once(iterations, target, depth);
        let best = &iterations.moves[0];
        found.line.clone_from(&best.line);
        found.score = Score::from_raw(best.value);
        if iterations.worker.meter.is_stopped {
            break;
        }
        found.depth = depth as u32;
        iterations.report(0, depth, reporter);
        if iterations.is_late(Progress::default()) {
            break;
        }
    }
    iterations.worker.meter.publish();
    found.set_lines(Vec::new(), 1);
    found
}

/// One iteration: brings the move with the nearest value to the front. If it
/// is stopped, the front is the nearest so far.
fn balance_once(iterations: &mut Iterations<'_>, target: Value, depth: i32) {
    let mut gap = 2 * INFINITE;
    for index in 0..iterations.moves.len() {
        let (alpha, beta) = window(target, gap);
        if alpha >= beta {
            break;
        }
        let point = iterations.moves[index].point;
        // What is near a value counts here, so no move may gain or lose by what
        // the others have taught the search to leave out.
        iterations.worker.forget_history();
        let value = iterations.search_root_move(point, 1, depth, alpha, beta);
        if iterations.worker.meter.is_stopped {
            return;
        }
        let new_gap = (value - target).abs();
        iterations.set_line(index, value);
        if new_gap < gap {
            gap = new_gap;
            iterations.moves[..=index].rotate_right(1);
        }
    }
    // The others have bounds instead of values, which is good enough to say
    // what to try first. The sort is stable, so the front stays.
    iterations
        .moves
        .sort_by_key(|root| (root.value - target).abs());
}

/// Two stones and what is known of the position after them.
#[derive(Clone, Debug)]
struct Pair {
    first: Point,
    second: Point,
    /// For the side that puts the first stone.
    value: Value,
    /// Best line, beginning with the two stones.
    line: Vec<Point>,
}

/// All pairs that are looked at.
pub(super) struct Pairs<'a> {
    board: &'a Board,
    shared: &'a Shared<'a>,
    memory: &'a mut Memory,
    pairs: Vec<Pair>,
    selective_depth: u32,
}

impl<'a> Pairs<'a> {
    /// Pairs whose first stone is one of `moves`; `None` if fewer than two
    /// points are free.
    pub(super) fn new(
        board: &'a Board,
        shared: &'a Shared<'a>,
        memory: &'a mut Memory,
        moves: &[RootMove],
        excluded: &Bitboard,
    ) -> Option<Self> {
        let mut pairs = Vec::new();
        let mut after = board.clone();
        let winning = *board.group(board.side_to_move(), Group::Five);
        for first in sample(moves).filter(|root| !winning.contains(root.point)) {
            after.play(first.point);
            if !after.position().is_full() {
                let seconds = root_moves(&mut after, shared.neighbourhoods, excluded);
                pairs.extend(sample(&seconds).map(|second| Pair {
                    first: first.point,
                    second: second.point,
                    value: -second.value,
                    line: vec![first.point, second.point],
                }));
            }
            after.undo();
        }
        (!pairs.is_empty()).then_some(Self {
            board,
            shared,
            memory,
            pairs,
            selective_depth: 0,
        })
    }

    /// The pair after which the value is nearest to `target`.
    pub(super) fn balance(
        &mut self,
        target: Value,
        max_depth: i32,
        reporter: &mut dyn Reporter,
    ) -> Found {
        let mut depth_done = 0;
        for depth in 1..=max_depth {
            // The first iteration ranks the pairs, so it needs true values.
            let is_finished = self.balance_once(target, depth, depth == 1);
            if !is_finished {
                break;
            }
            self.pairs.truncate(PAIRS_KEPT);
            depth_done = depth as u32;
            let found = self.found(depth_done);
            let selective_depth = self.selective_depth.max(depth_done);
            reporter.report(&info(&found, 1, selective_depth, &self.shared.clock));
            let Shared { clock, control, .. } = self.shared;
            if clock.is_late(control, Progress::default()) {
                break;
            }
        }
        self.found(depth_done)
    }

    fn found(&self, depth: u32) -> Found {
        let best = &self.pairs[0];
        let nodes = self.shared.nodes.load(Relaxed);
        let mut found = Found::new(best.line.clone(), Score::from_raw(best.value), nodes);
        found.depth = depth;
        found
    }

    /// One iteration over all pairs; false if it was stopped.
    fn balance_once(&mut self, target: Value, depth: i32, is_exact: bool) -> bool {
        let mut gap = 2 * INFINITE;
        for index in 0..self.pairs.len() {
            let (alpha, beta) = if is_exact {
                (-INFINITE, INFINITE)
            } else {
                window(target, gap)
            };
            if alpha >= beta {
                break;
            }
            let Some((value, line)) = self.search_pair(index, depth, alpha, beta) else {
                return false;
            };
            let pair = &mut self.pairs[index];
            pair.value = value;
            pair.line = line;
            let new_gap = (value - target).abs();
            if new_gap < gap {
                gap = new_gap;
                self.pairs[..=index].rotate_right(1);
            }
        }
        self.pairs.sort_by_key(|pair| (pair.value - target).abs());
        true
    }

    /// The value and the line of a pair; `None` if the search was stopped.
    fn search_pair(
        &mut self,
        index: usize,
        depth: i32,
        alpha: Value,
        beta: Value,
    ) -> Option<(Value, Vec<Point>)> {
        if self.is_over() {
            return None;
        }
        let Pair { first, second, .. } = self.pairs[index];
        let mut board = self.board.clone();
        board.play(first);
        let root = RootMove {
            point: second,
            value: 0,
            line: vec![second],
        };
        let worker = Worker::new(board, self.shared, self.memory);
        let mut iterations = Iterations::new(worker, self.shared, vec![root], 1);
        let value = iterations.search_root_move(second, 1, depth, -beta, -alpha);
        iterations.set_line(0, value);
        iterations.worker.meter.publish();
        self.selective_depth = self
            .selective_depth
            .max(iterations.worker.selective_depth + 1);
        if iterations.worker.meter.is_stopped {
            return None;
        }
        let mut line = vec![first];
        line.append(&mut iterations.moves[0].line);
        Some((-value, line))
    }

    /// Whether a limit is reached: a worker that does little does not look.
    fn is_over(&self) -> bool {
        let shared = self.shared;
        shared.control.is_stopped()
            || shared.clock.is_over(shared.control)
            || shared.nodes.load(Relaxed) >= shared.max_nodes
    }
}

/// At most [`PAIR_BREADTH`] of the moves, good ones and bad ones alike.
fn sample(moves: &[RootMove]) -> impl Iterator<Item = &RootMove> {
    let count = moves.len().min(PAIR_BREADTH);
    (0..count).filter_map(move |i| moves.get(i * moves.len() / count))
}
