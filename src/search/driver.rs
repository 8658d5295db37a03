//! Iterative deepening: one search from the first look to the answer.

use super::candidates::Neighbourhoods;
use super::limits::{Control, Limits};
use super::order::defences;
use super::parallel::Pool;
use super::params::{ASPIRATION_DEPTH, ASPIRATION_WINDOW, MAX_DEPTH, VCF_ROOT_BUDGET};
use super::prune;
use super::report::{Info, Reporter};
use super::score::{INFINITE, Score, Value, is_forced};
use super::shared::{Memory, Shared};
use super::time::{Clock, Progress};
use super::tt::TranspositionTable;
use super::worker::{Worker, has_only_fouls};
use crate::board::{Bitboard, Point};
use crate::eval::{Evaluation, classical};
use crate::pattern::{Board, Group};
use crate::threat::Verdict;
use crate::threat::wincheck::{five_stoppers, static_win};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// A move at the root and what is known of it.
#[derive(Clone, Debug)]
struct RootMove {
    point: Point,
    value: Value,
    line: Vec<Point>,
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct Found {
    /// Best line; its first move is the one to play.
    pub line: Vec<Point>,
    /// Its score.
    pub score: Score,
    /// Depth of the last finished iteration.
    pub depth: u32,
    /// Positions searched.
    pub nodes: u64,
}

/// The search with all it keeps from one call to the next.
#[derive(Debug)]
pub struct Searcher {
    table: TranspositionTable,
    memories: Vec<Memory>,
    neighbourhoods: Option<Neighbourhoods>,
    evaluation: Evaluation,
    pool: Pool,
}

impl Searcher {
    /// A search with a table of so many bytes and so many threads, at least 1.
    #[must_use]
    pub fn new(table_bytes: u64, threads: usize) -> Self {
        let threads = threads.max(1);
        Self {
            table: TranspositionTable::new(table_bytes),
            memories: vec![Memory::new(); threads],
            neighbourhoods: None,
            evaluation: Evaluation::default(),
            pool: Pool::new(threads),
        }
    }

    /// Says which evaluation plays; values of another one are forgotten.
    pub fn set_evaluation(&mut self, evaluation: Evaluation) {
        if self.evaluation != evaluation {
            self.evaluation = evaluation;
            self.clear();
        }
    }

    /// Forgets all earlier searches.
    pub fn clear(&mut self) {
        self.table.clear();
        for memory in &mut self.memories {
            memory.clear();
        }
    }

    /// Finds the best move; `None` if no point is free. `line_count` best
    /// lines are reported, at least one.
    pub fn search(
        &mut self,
        mut board: Board,
        limits: &Limits,
        line_count: usize,
        control: &Control,
        reporter: &mut dyn Reporter,
    ) -> Option<Found> {
        if board.position().is_full() {
            return None;
        }
        if self.neighbourhoods.as_ref().map(Neighbourhoods::size) != Some(board.size()) {
            self.neighbourhoods = None;
        }
        let neighbourhoods = self
            .neighbourhoods
            .get_or_insert_with(|| Neighbourhoods::new(board.size()));
        self.table.new_search();
        for memory in &mut self.memories {
            memory.history.fade();
        }
        let clock = Clock::new(limits.clone());
        if line_count <= 1
            && let Some(found) = answer_at_once(&mut board, limits, &mut self.memories[0])
        {
            reporter.report(&info(&found, 1, found.line.len() as u32, &clock));
            return Some(found);
        }
        let root_moves = root_moves(&mut board, neighbourhoods);
        let shared = Shared {
            table: &self.table,
            neighbourhoods,
            evaluation: self.evaluation,
            control,
            clock,
            max_nodes: limits.max_nodes.unwrap_or(u64::MAX),
            stop: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
        };
        let max_depth = limits.max_depth.map_or(MAX_DEPTH, |d| {
            i32::try_from(d).unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH)
        });
        let (first, others) = self.memories.split_at_mut(1);
        let found = self.pool.run(
            others,
            |number, memory| {
                let worker = Worker::new(board.clone(), &shared, memory);
                Iterations::new(worker, &shared, root_moves.clone(), 1).help(number, max_depth);
            },
            || {
                let worker = Worker::new(board.clone(), &shared, &mut first[0]);
                let mut main = Iterations::new(worker, &shared, root_moves.clone(), line_count);
                let found = main.lead(max_depth, reporter);
                shared.stop.store(true, Relaxed);
                found
            },
        );
        Some(Found {
            nodes: shared.nodes.load(Relaxed),
            ..found
        })
    }
}

fn info(found: &Found, line_number: usize, selective_depth: u32, clock: &Clock) -> Info {
    Info {
        line_number,
        depth: found.depth,
        selective_depth,
        score: found.score,
        nodes: found.nodes,
        elapsed: clock.elapsed(),
        principal_variation: found.line.clone(),
    }
}

/// The answer where no search is needed: wins at a glance or by fours, and
/// positions with one move.
fn answer_at_once(board: &mut Board, limits: &Limits, memory: &mut Memory) -> Option<Found> {
    let found = |point, score, nodes| Found {
        line: vec![point],
        score,
        depth: 0,
        nodes,
    };
    if let Some((point, plies)) = static_win(board) {
        return Some(found(point, Score::win_in(plies), 1));
    }
    let opponent = !board.side_to_move();
    if board.count(opponent, Group::Five) > 0 {
        let stoppers = five_stoppers(board, opponent);
        if stoppers.is_empty() {
            let point = last_resort(board)?;
            return Some(found(point, Score::loss_in(2), 1));
        }
    }
    if has_only_fouls(board) {
        let point = last_resort(board)?;
        return Some(found(point, Score::loss_in(1), 1));
    }
    let is_hurried = limits.turn.is_some_and(|t| t.as_millis() < 50)
        || limits.match_left.is_some_and(|t| t.as_millis() < 500);
    let budget = if is_hurried {
        VCF_ROOT_BUDGET / 50
    } else {
        VCF_ROOT_BUDGET
    };
    let budget = budget.min(limits.max_nodes.unwrap_or(budget));
    let verdict = memory.vcf.solve(board, budget);
    match verdict {
        Verdict::Win { point, plies } => {
            Some(found(point, Score::win_in(plies), memory.vcf.nodes()))
        }
        Verdict::NoWin | Verdict::Unknown => None,
    }
}

/// A move in a position that is lost whatever is played: it should at least
/// be legal, and stand in the opponent's way.
fn last_resort(board: &mut Board) -> Option<Point> {
    let side = board.side_to_move();
    let fives = *board.group(!side, Group::Five);
    let free: Vec<Point> = board.position().empty_points().collect();
    let legal = fives.iter().chain(free.iter().copied());
    let mut legal = legal.filter(|&point| !board.is_forbidden(point, side));
    legal.next().or_else(|| free.first().copied())
}

/// The moves worth searching at the root, in no particular order; never empty
/// while a point is free.
fn root_moves(board: &mut Board, neighbourhoods: &Neighbourhoods) -> Vec<RootMove> {
    let side = board.side_to_move();
    let free: Bitboard = board.position().empty_points().collect();
    let narrow = if board.count(!side, Group::Five) > 0 {
        five_stoppers(board, !side).iter().collect()
    } else if board.count(!side, Group::StrongFour) > 0 {
        defences(board)
    } else {
        neighbourhoods.of_position(board.position())
    };
    let wide = neighbourhoods.of_position(board.position());
    // Where all moves of a set are forbidden, look further; at last, and only
    // then, at forbidden moves.
    let legal = [narrow, wide, free].into_iter().find_map(|set| {
        let points: Vec<Point> = (set & free)
            .iter()
            .filter(|&point| !board.is_forbidden(point, side))
            .collect();
        (!points.is_empty()).then_some(points)
    });
    let points = legal.unwrap_or_else(|| free.iter().collect());
    let mut points = points;
    points.sort_by_key(|&point| -classical::move_score(board, point));
    let value = classical::evaluate(board);
    points
        .into_iter()
        .map(|point| RootMove {
            point,
            value,
            line: vec![point],
        })
        .collect()
}

/// One worker's iterations.
struct Iterations<'a> {
    worker: Worker<'a>,
    shared: &'a Shared<'a>,
    moves: Vec<RootMove>,
    line_count: usize,
}

impl<'a> Iterations<'a> {
    fn new(
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
    fn help(&mut self, number: usize, max_depth: i32) {
        let mut depth = 1 + (number as i32 & 1);
        while depth <= max_depth && !self.worker.is_stopped {
            self.aspirate(0, depth);
            depth += 1;
        }
        self.worker.publish_nodes();
    }

    /// Deepens until a limit is reached or the game is decided.
    fn lead(&mut self, max_depth: i32, reporter: &mut dyn Reporter) -> Found {
        let mut found = Found {
            line: self.moves[0].line.clone(),
            score: Score::from_raw(self.moves[0].value),
            depth: 0,
            nodes: 0,
        };
        let mut progress = Progress::default();
        let mut values: Vec<Value> = Vec::new();
        for depth in 1..=max_depth {
            for number in 0..self.line_count {
                self.aspirate(number, depth);
                if self.worker.is_stopped {
                    break;
                }
                self.report(number, depth, reporter);
            }
            // A stopped iteration still counts for the first line: its best
            // move is the old one or was found better.
            let best = &self.moves[0];
            if !self.worker.is_stopped {
                found.depth = depth as u32;
                progress.stable_iterations = if found.line.first() == Some(&best.point) {
                    progress.stable_iterations + 1
                } else {
                    0
                };
                // Two plies ago, as odd and even depths see different things.
                let before = values
                    .len()
                    .checked_sub(2)
                    .map_or(best.value, |i| values[i]);
                progress.points_lost = u32::try_from(before - best.value).unwrap_or(0);
                values.push(best.value);
            }
            found.line.clone_from(&best.line);
            found.score = Score::from_raw(best.value);
            if self.worker.is_stopped || self.is_settled(depth) {
                break;
            }
            if self.shared.clock.is_late(self.shared.control, progress) {
                break;
            }
        }
        self.worker.publish_nodes();
        found
    }

    /// Whether deeper iterations cannot change the answer.
    fn is_settled(&self, depth: i32) -> bool {
        if self.line_count > 1 {
            return false;
        }
        let best = Score::from_raw(self.moves[0].value);
        let is_lost = best.loss_plies().is_some_and(|plies| plies as i32 <= depth);
        self.moves.len() == 1 && depth >= ASPIRATION_DEPTH || best.win_plies().is_some() || is_lost
    }

    fn report(&mut self, number: usize, depth: i32, reporter: &mut dyn Reporter) {
        self.worker.publish_nodes();
        let best = &self.moves[number];
        let found = Found {
            line: best.line.clone(),
            score: Score::from_raw(best.value),
            depth: depth as u32,
            nodes: self.shared.nodes.load(Relaxed),
        };
        let selective = self.worker.selective_depth.max(depth as u32);
        reporter.report(&info(&found, number + 1, selective, &self.shared.clock));
    }

    /// One iteration for the `number`th best line, with a window around the
    /// value of the last one that is widened as needed.
    fn aspirate(&mut self, number: usize, depth: i32) {
        let last = self.moves[number].value;
        if depth < ASPIRATION_DEPTH || is_forced(last) {
            self.iterate(number, depth, -INFINITE, INFINITE);
            return;
        }
        let mut width = ASPIRATION_WINDOW;
        let (mut alpha, mut beta) = (last - width, last + width);
        loop {
            let value = self.iterate(number, depth, alpha, beta);
            if self.worker.is_stopped || value > alpha && value < beta {
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
    fn iterate(&mut self, first: usize, depth: i32, mut alpha: Value, beta: Value) -> Value {
        let mut best = -INFINITE;
        for i in first..self.moves.len() {
            let point = self.moves[i].point;
            let number = i - first + 1;
            let value = self.search_root_move(point, number, depth, alpha, beta);
            if self.worker.is_stopped {
                break;
            }
            if value > best {
                best = value;
                if number == 1 || value > alpha {
                    let root = &mut self.moves[i];
                    root.value = value;
                    root.line.clear();
                    root.line.push(point);
                    root.line.extend_from_slice(self.worker.line_below_root());
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

    fn search_root_move(
        &mut self,
        point: Point,
        number: usize,
        depth: i32,
        alpha: Value,
        beta: Value,
    ) -> Value {
        let new_depth = depth - 1;
        if number == 1 {
            return self.worker.search_move(point, alpha, beta, new_depth, true);
        }
        let reduction =
            (prune::late_move_reduction(depth, number, 0) - 1).clamp(0, new_depth.max(0));
        let zero = alpha + 1;
        let mut value = self
            .worker
            .search_move(point, alpha, zero, new_depth - reduction, false);
        if value > alpha && reduction > 0 && !self.worker.is_stopped {
            value = self
                .worker
                .search_move(point, alpha, zero, new_depth, false);
        }
        if value > alpha && value < beta && !self.worker.is_stopped {
            value = self.worker.search_move(point, alpha, beta, new_depth, true);
        }
        value
    }
}
