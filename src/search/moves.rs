//! The moves of a node: steps 12 to 15 of [`Worker::search`], from generating
//! them to remembering what came of them.

use super::history::Known;
use super::node::Node;
use super::order::{Hints, Picker, defences, score_moves};
use super::params::{MAX_PLY, POLICY_DEPTH, POLICY_PERCENT};
use super::prune;
use super::score::{INFINITE, Value, from_root_to_here, is_forced, loss_at};
use super::tt::{Bound, Entry};
use super::worker::{Worker, has_only_fouls, usable_value};
use crate::board::{Bitboard, Point};
use crate::eval::classical;
use crate::pattern::Class;

/// Most tried moves of which the history is told.
const MOST_TRIED: usize = 32;

impl Worker<'_> {
    /// Steps 12 to 15: the moves of a node.
    pub(super) fn search_moves(
        &mut self,
        mut alpha: Value,
        beta: Value,
        node: Node,
        hash: u64,
    ) -> Value {
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
        let first = self.moves.len();
        let side = self.board.side_to_move();
        let last = self.board.position().last().map(|stone| stone.point);
        let hints = Hints {
            killers: self.frames[node.ply as usize].killers,
            reply: last.and_then(|last| self.memory.history.reply(side, last)),
            history: &self.memory.history,
        };
        let top = score_moves(&self.board, points, &hints, &mut self.moves);
        let of_table_move = table_move.map(|point| classical::move_score(&self.board, point));
        let top = top.max(of_table_move).unwrap_or(0);
        if node.is_free() && node.depth >= POLICY_DEPTH {
            self.ask_net(first, table_move.zip(of_table_move))
                .unwrap_or(top)
        } else {
            top
        }
    }

    /// Has what the net says of moves take the place of what their shapes speak
    /// for them, in the list from an index on. The table move comes with what its
    /// shapes speak for it. Returns the best score of one of these moves or the
    /// table move, `None` without a net.
    fn ask_net(&mut self, first: usize, table_move: Option<(Point, i32)>) -> Option<i32> {
        let moves = &mut self.moves[first..];
        let points = moves.iter().map(|m| m.point);
        let points = points.chain(table_move.map(|(point, _)| point));
        let has_net = self
            .evaluator
            .move_scores(&self.board, points, &mut self.net_scores);
        if !has_net {
            return None;
        }
        let change = |shape_score, by_net| (by_net - shape_score) * POLICY_PERCENT / 100;
        for (m, &by_net) in moves.iter_mut().zip(&self.net_scores) {
            let change = change(m.shape_score, by_net);
            m.score += change;
            m.shape_score += change;
        }
        let of_table_move =
            table_move.map(|(_, shape)| shape + change(shape, self.net_scores[moves.len()]));
        moves.iter().map(|m| m.shape_score).max().max(of_table_move)
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
