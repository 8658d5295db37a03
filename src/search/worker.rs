//! One thread's alpha-beta search, quiescence included.
//!
//! Every worker owns its board, stack and histories; it shares the
//! transposition table, the node count and the stop flag. The numbered steps
//! of [`Worker::search`] are the order in which a node is settled: what needs
//! no search first, then what needs a small one, then the moves.

use super::meter::Meter;
use super::node::{Frame, Node};
use super::order::ScoredMove;
use super::params::{DEFENCE_DEPTH, MAX_PLY, VCF_BUDGET_PER_PLY, VCF_LEAF_BUDGET};
use super::prune;
use super::score::{
    INFINITE, Value, from_here_to_root, from_root_to_here, is_forced, loss_at, win_at,
};
use super::shared::{Memory, Shared};
use super::tt::{Bound, Entry};
use crate::board::Point;
use crate::eval::Evaluator;
use crate::pattern::{Board, Group};
use crate::threat::Verdict;
use crate::threat::wincheck::{five_stoppers, static_win};

/// One thread's search.
#[derive(Debug)]
pub(super) struct Worker<'a> {
    pub board: Board,
    pub(super) evaluator: Evaluator,
    /// What the net says of the moves of a node.
    pub(super) net_scores: Vec<i32>,
    pub(super) shared: &'a Shared<'a>,
    pub(super) memory: &'a mut Memory,
    pub(super) frames: Vec<Frame>,
    pub(super) lines: Vec<Vec<Point>>,
    pub(super) moves: Vec<ScoredMove>,
    pub meter: Meter<'a>,
    pub selective_depth: u32,
}

impl<'a> Worker<'a> {
    pub(super) fn new(board: Board, shared: &'a Shared<'a>, memory: &'a mut Memory) -> Self {
        let plies = MAX_PLY as usize + 2;
        let mut frames = vec![Frame::default(); plies];
        frames[0].candidates = shared.neighbourhoods.of_position(board.position());
        let mut evaluator = Evaluator::new(shared.evaluation, board.rule(), board.size());
        frames[0].eval = evaluator.value(&board, -INFINITE, INFINITE, None);
        Self {
            evaluator,
            net_scores: Vec::new(),
            board,
            shared,
            memory,
            frames,
            lines: vec![Vec::with_capacity(32); plies],
            moves: Vec::with_capacity(4096),
            meter: Meter::new(shared),
            selective_depth: 0,
        }
    }

    /// Searches the position after one move from the root. The value is for
    /// the side to move at the root.
    pub(super) fn search_move(
        &mut self,
        point: Point,
        alpha: Value,
        beta: Value,
        depth: i32,
        is_pv: bool,
    ) -> Value {
        self.play(0, point);
        let value = -self.search(-beta, -alpha, depth, 1, is_pv, true);
        self.board.undo();
        value
    }

    /// Forgets what moves were good and where the evaluation was wrong: the next
    /// search owes nothing to the last.
    pub(super) fn forget_history(&mut self) {
        self.memory.history.clear();
        self.memory.corrections.clear();
        self.frames.iter_mut().for_each(|f| f.killers = [None; 2]);
    }

    /// The best line after the move searched last.
    pub(super) fn line_below_root(&self) -> &[Point] {
        &self.lines[1]
    }

    pub(super) fn play(&mut self, ply: u32, point: Point) {
        self.prefetch(point);
        let below = self.frames[ply as usize].candidates | self.shared.neighbourhoods.of(point);
        self.frames[ply as usize + 1].candidates = below;
        self.board.play(point);
    }

    /// Has what the table knows of the position after a move fetched.
    #[inline]
    pub(super) fn prefetch(&self, point: Point) {
        let hash = self.board.position().hash_after(point);
        self.shared.table.prefetch(hash);
    }

    pub(super) fn search(
        &mut self,
        mut alpha: Value,
        mut beta: Value,
        depth: i32,
        ply: u32,
        is_pv: bool,
        may_pass: bool,
    ) -> Value {
        self.lines[ply as usize].clear();

        // Step 1: limits, and the end of the board.
        self.meter.count(1);
        if self.meter.is_stopped || self.board.position().is_full() {
            return 0;
        }
        self.selective_depth = self.selective_depth.max(ply);
        if ply >= MAX_PLY {
            return self.evaluator.value(&self.board, alpha, beta, None);
        }

        // Step 2: nothing better than a five now, nothing worse than one next.
        alpha = alpha.max(loss_at(ply + 2));
        beta = beta.min(win_at(ply + 1));
        if alpha >= beta {
            return alpha;
        }

        // Step 3: wins at a glance.
        if let Some((point, plies)) = static_win(&mut self.board) {
            self.lines[ply as usize].push(point);
            return win_at(ply + plies);
        }

        // Step 4: the opponent's five must be prevented.
        let opponent = !self.board.side_to_move();
        let stoppers = (self.board.count(opponent, Group::Five) > 0)
            .then(|| five_stoppers(&mut self.board, opponent));
        if stoppers.is_some_and(|s| s.is_empty()) {
            return loss_at(ply + 2);
        }

        // Step 5: what is known already.
        let hash = self.board.position().hash();
        let entry = self.shared.table.probe(hash);
        let excluded = self.frames[ply as usize].excluded;
        if let Some(entry) = entry
            && excluded.is_none()
            && let Some(value) = usable_value(&entry, depth, alpha, beta, ply)
            && !is_pv
        {
            return value;
        }

        let known = entry.map(|entry| entry.eval);
        let static_eval = self.evaluator.value(&self.board, alpha, beta, known);
        let mut node = Node {
            ply,
            depth,
            is_pv,
            stoppers,
            is_threatened: self.board.count(opponent, Group::StrongFour) > 0,
            is_in_danger: false,
            is_rising: true,
            static_eval,
            eval: static_eval + self.memory.corrections.of(self.board.position()),
            entry,
            excluded,
        };

        // Step 6: good enough without moving.
        let is_narrow = !is_pv && node.is_free() && excluded.is_none();
        if is_narrow && !is_forced(beta) && prune::reverse_futility(depth, node.eval, beta) {
            return node.eval;
        }

        // Step 7: wins by fours. If there is an entry, they have been looked
        // for already, if perhaps with fewer positions.
        if excluded.is_none()
            && entry.is_none()
            && let Some((point, plies)) = self.find_vcf(depth)
        {
            self.lines[ply as usize].push(point);
            let value = win_at(ply + plies);
            let entry = Entry {
                best: Some(point),
                value: from_root_to_here(value, ply),
                eval: node.static_eval,
                depth: depth.max(0),
                bound: Bound::Lower,
            };
            self.shared.table.store(hash, entry);
            return value;
        }

        // Step 8: the horizon.
        let may_stand = stoppers.is_none() && (!node.is_threatened || depth <= DEFENCE_DEPTH);
        if depth <= 0 && may_stand {
            return node.eval;
        }

        node.is_rising = self.note_eval(&node);

        // Step 9: too bad, or good enough after a pass.
        if is_narrow && !is_forced(alpha) && prune::razor(depth, node.eval, alpha) {
            return node.eval;
        }
        if is_narrow && may_pass && !is_forced(beta) && prune::null_move(depth, node.eval, beta) {
            let value = self.search_pass(beta, depth, ply);
            if self.meter.is_stopped {
                return 0;
            }
            if value >= beta {
                return if is_forced(value) { beta } else { value };
            }
            node.is_in_danger = is_forced(value);
        }

        // Step 10: good enough by far after a search of less depth.
        if is_narrow
            && !is_forced(beta)
            && let Some(limit) = prune::probe_limit(depth, node.eval, beta)
        {
            let value = self.probe(&node, limit, hash);
            if self.meter.is_stopped {
                return 0;
            }
            if let Some(value) = value {
                return value;
            }
        }

        // Step 11: a node without a table move is not worth its whole depth.
        if node.is_free() && prune::internal_reduction(depth, node.table_move().is_some()) {
            node.depth -= 1;
        }
        self.search_moves(alpha, beta, node, hash)
    }

    /// Notes the evaluation of a node and returns whether it has risen since the
    /// last move of the same side.
    fn note_eval(&mut self, node: &Node) -> bool {
        let ply = node.ply as usize;
        let eval = if node.is_free() {
            node.eval
        } else {
            -self.frames[ply - 1].eval
        };
        self.frames[ply].eval = eval;
        ply < 2 || eval > self.frames[ply - 2].eval
    }

    /// A win by fours for the side to move: the move, and plies to the five.
    fn find_vcf(&mut self, depth: i32) -> Option<(Point, u32)> {
        let budget = VCF_LEAF_BUDGET + VCF_BUDGET_PER_PLY * depth.max(0) as u64;
        let verdict = self.memory.vcf.solve(&mut self.board, budget);
        self.meter.count(self.memory.vcf.nodes());
        match verdict {
            Verdict::Win { point, plies } => Some((point, plies)),
            Verdict::NoWin | Verdict::Unknown => None,
        }
    }
}

/// Whether every free point is forbidden to the side to move.
pub(super) fn has_only_fouls(board: &mut Board) -> bool {
    let side = board.side_to_move();
    let free = *board.position().free();
    free.iter().all(|point| board.is_forbidden(point, side))
}

/// The stored value, if it settles a node with this window.
pub(super) fn usable_value(
    entry: &Entry,
    depth: i32,
    alpha: Value,
    beta: Value,
    ply: u32,
) -> Option<Value> {
    let value = from_here_to_root(entry.value, ply);
    if entry.depth < depth && !is_forced(value) {
        return None;
    }
    match entry.bound {
        Bound::Exact => Some(value),
        Bound::Lower => (value >= beta).then_some(value),
        Bound::Upper => (value <= alpha).then_some(value),
    }
}
