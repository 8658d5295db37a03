//! One thread's alpha-beta search, quiescence included.
//!
//! Every worker owns its board, stack and histories; it shares the
//! transposition table, the node count and the stop flag. The numbered steps
//! of [`Worker::search`] are the order in which a node is settled: what needs
//! no search first, then what needs a small one, then the moves.

use super::history::Known;
use super::meter::Meter;
use super::node::{Frame, Node};
use super::order::{Hints, Picker, ScoredMove, defences, score_moves};
use super::params::{DEFENCE_DEPTH, MAX_PLY, VCF_BUDGET_PER_PLY, VCF_LEAF_BUDGET};
use super::prune;
use super::score::{
    INFINITE, Value, from_here_to_root, from_root_to_here, is_forced, loss_at, win_at,
};
use super::shared::{Memory, Shared};
use super::tt::{Bound, Entry};
use crate::board::{Bitboard, Point};
use crate::eval::{Evaluator, classical};
use crate::pattern::{Board, Class, Group};
use crate::threat::Verdict;
use crate::threat::wincheck::{five_stoppers, static_win};

/// Most tried moves of which the history is told.
const MOST_TRIED: usize = 32;

/// One thread's search.
#[derive(Debug)]
pub(super) struct Worker<'a> {
    pub board: Board,
    evaluator: Evaluator,
    pub(super) shared: &'a Shared<'a>,
    memory: &'a mut Memory,
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
        frames[0].eval = evaluator.value(&board, -INFINITE, INFINITE);
        Self {
            evaluator,
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

    /// Forgets what moves were good and where the evaluation was wrong: the next search owes nothing to the last.
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
    fn prefetch(&self, point: Point) {
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
            return self.evaluator.value(&self.board, alpha, beta);
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

        let static_eval = self.evaluator.value(&self.board, alpha, beta);
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

    /// Steps 12 to 15: the moves of a node.
    fn search_moves(&mut self, mut alpha: Value, beta: Value, node: Node, hash: u64) -> Value {
        let Node { ply, depth, .. } = node;
        let side = self.board.side_to_move();
        let old_alpha = alpha;
        let mut best = -INFINITE;
        let mut best_move = None;
        let mut number = 0;
        let mut tried = [None; MOST_TRIED];

        // Step 12: generate, all but the table move only when it has failed.
        let first = self.moves.len();
        let mut points = self.points_to_try(&node);
        let table_move = node.table_move().filter(|&point| {
            let is_possible = points.contains(point) && self.board.position().is_empty(point);
            points.remove(point);
            is_possible
        });
        if let Some(point) = table_move {
            self.prefetch(point);
        }
        let mut pending = table_move;
        let mut picker = Picker::new(first);
        let mut top_score = None;
        let most_moves = if node.stoppers.is_some() {
            usize::MAX
        } else {
            prune::moves_to_try(depth, node.is_rising)
        };
        loop {
            let (point, score_gap) = if let Some(point) = pending.take() {
                (point, 0)
            } else {
                let top_score =
                    *top_score.get_or_insert_with(|| self.generate(&node, table_move, &points));
                let Some(best) = picker.take(&mut self.moves) else {
                    break;
                };
                (best.point, top_score - best.shape_score)
            };
            if node.excluded == Some(point) || self.board.is_forbidden(point, side) {
                continue;
            }
            // Step 13: leave out what will hardly matter, once there is a move
            // that does not lose.
            let may_prune = best > loss_at(MAX_PLY);
            if may_prune && number >= most_moves {
                break;
            }
            number += 1;
            let known = Known::new(&self.board, point);
            let is_quiet = !known.attacks && self.board.class(point, !side) < Class::Three;

            let is_hopeless = is_quiet && !node.is_pv && node.is_free() && !node.is_in_danger;
            if may_prune && is_hopeless && prune::futility(depth, node.eval, alpha) {
                break;
            }

            // Step 14: search, an only good move deeper, late ones less deep
            // at first.
            let extension = if number == 1 && table_move == Some(point) {
                self.extension(&node, point, beta)
            } else {
                0
            };
            if self.meter.is_stopped {
                self.moves.truncate(first);
                return 0;
            }
            let reduction = if node.stoppers.is_some() {
                0
            } else {
                let history = self.memory.history.of(known);
                prune::late_move_reduction(depth, number, score_gap, history)
                    - i32::from(!is_quiet)
                    - i32::from(node.is_pv)
            };
            // What is known of the next move's position is on its way meanwhile.
            if top_score.is_some()
                && number < most_moves
                && let Some(next) = picker.peek(&mut self.moves)
            {
                self.prefetch(next.point);
            }
            let value = self.search_one(point, alpha, beta, &node, number, [reduction, extension]);
            if self.meter.is_stopped {
                self.moves.truncate(first);
                return 0;
            }
            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(point);
                    alpha = value;
                    self.update_line(ply, point);
                    if value >= beta {
                        break;
                    }
                }
            }
            if let Some(place) = tried.get_mut(number - 1) {
                *place = Some(known);
            }
        }
        self.moves.truncate(first);
        if number == 0 && node.excluded.is_some() {
            return old_alpha;
        }
        if number == 0 {
            return self.value_without_moves(&node);
        }
        if node.excluded.is_some() {
            return best;
        }

        // Step 15: remember.
        if let Some(point) = best_move.filter(|_| depth > 0) {
            self.note_best(&node, point, &tried);
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > old_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.note_error(&node, best, bound);
        let entry = Entry {
            best: best_move,
            value: from_root_to_here(best, ply),
            eval: node.static_eval,
            depth,
            bound,
        };
        self.shared.table.store(hash, entry);
        best
    }

    /// The points among which the moves of a node are.
    pub(super) fn points_to_try(&self, node: &Node) -> Bitboard {
        match &node.stoppers {
            Some(stoppers) => stoppers.iter().collect(),
            None if node.is_threatened => defences(&self.board),
            None => self.frames[node.ply as usize].candidates,
        }
    }

    /// Appends the moves to the list, and returns the best score that shapes give
    /// to any move of the node.
    pub(super) fn generate(
        &mut self,
        node: &Node,
        table_move: Option<Point>,
        points: &Bitboard,
    ) -> i32 {
        let side = self.board.side_to_move();
        let last = self.board.position().last().map(|stone| stone.point);
        let hints = Hints {
            killers: self.frames[node.ply as usize].killers,
            reply: last.and_then(|last| self.memory.history.reply(side, last)),
            history: &self.memory.history,
        };
        let top = score_moves(&self.board, points, &hints, &mut self.moves);
        let of_table_move = table_move.map(|point| classical::move_score(&self.board, point));
        top.max(of_table_move).unwrap_or(0)
    }

    /// Searches one move of a node with zero windows and reductions as due.
    fn search_one(
        &mut self,
        point: Point,
        alpha: Value,
        beta: Value,
        node: &Node,
        number: usize,
        [reduction, extension]: [i32; 2],
    ) -> Value {
        let ply = node.ply + 1;
        // Answering a five costs no depth: the four has paid for both.
        let depth = if node.stoppers.is_some() {
            node.depth
        } else {
            node.depth - 1 + extension
        };
        let reduction = reduction.clamp(0, (depth - 1).max(0));
        if !node.is_pv
            && let Some(value) = self.known_value(point, alpha, depth - reduction, ply)
            && (value <= alpha || reduction == 0)
        {
            self.meter.count(1);
            return value;
        }
        self.play(node.ply, point);
        let mut value = -INFINITE;
        if number > 1 || !node.is_pv {
            value = -self.search(-alpha - 1, -alpha, depth - reduction, ply, false, true);
            if value > alpha && reduction > 0 && !self.meter.is_stopped {
                value = -self.search(-alpha - 1, -alpha, depth, ply, false, true);
            }
        }
        if node.is_pv && (number == 1 || value > alpha && value < beta) && !self.meter.is_stopped {
            value = -self.search(-beta, -alpha, depth, ply, true, true);
        }
        self.board.undo();
        value
    }

    /// What the table says of the position after a move, for the side to move
    /// here, if that settles a zero window: then the move need not be played.
    fn known_value(&self, point: Point, alpha: Value, depth: i32, ply: u32) -> Option<Value> {
        let hash = self.board.position().hash_after(point);
        let entry = self.shared.table.probe(hash)?;
        usable_value(&entry, depth, -alpha - 1, -alpha, ply).map(|value| -value)
    }

    fn update_line(&mut self, ply: u32, point: Point) {
        let (upper, lower) = self.lines.split_at_mut(ply as usize + 1);
        if let (Some(line), Some(rest)) = (upper.last_mut(), lower.first()) {
            line.clear();
            line.push(point);
            line.extend_from_slice(rest);
        }
    }

    /// Tells the history which move of a node was best of those tried. Where
    /// a threat must be met, only attacks tell something about other nodes.
    fn note_best(&mut self, node: &Node, point: Point, tried: &[Option<Known>]) {
        let best = Known::new(&self.board, point);
        let counts = |known: Known| known.attacks || !best.attacks && node.is_free();
        let history = &mut self.memory.history;
        if counts(best) {
            history.reward(best, node.depth);
        }
        let tried = tried.iter().flatten();
        for &other in tried.filter(|&&other| other != best && counts(other)) {
            history.punish(other, node.depth);
        }
        if let Some(last) = self.board.position().last() {
            history.note_reply(best, last.point);
        }
        let killers = &mut self.frames[node.ply as usize].killers;
        if !best.attacks && node.is_free() && killers[0] != Some(point) {
            *killers = [Some(point), killers[0]];
        }
    }

    /// Tells the corrections how far the value of a node is from its evaluation,
    /// if it is known on which side of it.
    fn note_error(&mut self, node: &Node, value: Value, bound: Bound) {
        let error = value - node.static_eval;
        let is_known = match bound {
            Bound::Lower => error > 0,
            Bound::Upper => error < 0,
            Bound::Exact => true,
        };
        if is_known && node.depth > 0 && node.is_free() && !is_forced(value) {
            let position = self.board.position();
            self.memory.corrections.learn(position, error, node.depth);
        }
    }

    /// The value of a node none of whose moves may be played.
    fn value_without_moves(&mut self, node: &Node) -> Value {
        if node.is_threatened {
            // Any move, the strong four, any move, the five.
            return loss_at(node.ply + 4);
        }
        if has_only_fouls(&mut self.board) {
            return loss_at(node.ply + 1);
        }
        node.eval
    }
}

/// Whether every free point is forbidden to the side to move.
pub(super) fn has_only_fouls(board: &mut Board) -> bool {
    let side = board.side_to_move();
    let free = *board.position().free();
    free.iter().all(|point| board.is_forbidden(point, side))
}

/// The stored value, if it settles a node with this window.
fn usable_value(entry: &Entry, depth: i32, alpha: Value, beta: Value, ply: u32) -> Option<Value> {
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
