//! Small searches beside the main one that settle a node, or tell how deep to
//! search it.

use super::node::Node;
use super::order::Picker;
use super::params::{PROBE_MOVES, PROBE_REDUCTION};
use super::prune;
use super::score::{Value, from_here_to_root, from_root_to_here};
use super::tt::{Bound, Entry};
use super::worker::Worker;
use crate::board::Point;

impl Worker<'_> {
    /// The value if the side to move passes, seen with a narrow window at beta.
    pub(super) fn search_pass(&mut self, beta: Value, depth: i32, ply: u32) -> Value {
        self.frames[ply as usize + 1].candidates = self.frames[ply as usize].candidates;
        let depth = prune::null_move_depth(depth);
        self.board.pass();
        let value = -self.search(-beta, 1 - beta, depth, ply + 1, false, false);
        self.board.pass();
        value
    }

    /// The value of a node, at least beta, if one of the few best-looking moves
    /// reaches a limit well above beta in a search of less depth: ProbCut (Buro,
    /// *ProbCut: An Effective Selective Extension of the Alpha-Beta Algorithm*,
    /// 1995, for Othello), in the form that chess engines have given it.
    pub(super) fn probe(&mut self, node: &Node, limit: Value, hash: u64) -> Option<Value> {
        let depth = node.depth - PROBE_REDUCTION;
        if self.fails_to_reach(node, limit, depth) {
            return None;
        }
        let first = self.moves.len();
        let points = self.points_to_try(node);
        self.generate(node, node.table_move(), &points);
        if let Some(table_move) = node.table_move() {
            let moves = self.moves[first..].iter_mut();
            moves
                .filter(|m| m.point == table_move)
                .for_each(|m| m.score = i32::MAX);
        }
        let value = self.probe_moves(node, limit, depth, first);
        self.moves.truncate(first);
        let (point, value) = value?;
        let entry = Entry {
            best: Some(point),
            value: from_root_to_here(value, node.ply),
            eval: node.static_eval,
            depth,
            bound: Bound::Lower,
        };
        self.shared.table.store(hash, entry);
        Some(prune::probed_value(value))
    }

    /// Whether the table knows already that nothing reaches the limit.
    fn fails_to_reach(&self, node: &Node, limit: Value, depth: i32) -> bool {
        node.entry.is_some_and(|entry| {
            entry.bound != Bound::Lower
                && entry.depth > depth
                && from_here_to_root(entry.value, node.ply) < limit
        })
    }

    fn probe_moves(
        &mut self,
        node: &Node,
        limit: Value,
        depth: i32,
        first: usize,
    ) -> Option<(Point, Value)> {
        let mut picker = Picker::new(first);
        for _ in 0..PROBE_MOVES {
            let point = picker.take(&mut self.moves)?.point;
            if self.board.is_forbidden(point, self.board.side_to_move()) {
                continue;
            }
            let ply = node.ply + 1;
            self.play(node.ply, point);
            let mut value = -self.search(-limit, 1 - limit, 0, ply, false, true);
            if value >= limit && depth > 1 {
                value = -self.search(-limit, 1 - limit, depth - 1, ply, false, true);
            }
            self.board.undo();
            if self.meter.is_stopped {
                return None;
            }
            if value >= limit {
                return Some((point, value));
            }
        }
        None
    }

    /// By how many plies to search the table move deeper: one more if no other
    /// move comes near its value, one less if it is neither alone nor needed.
    /// Asking costs a search of the other moves at half the depth.
    pub(super) fn extension(&mut self, node: &Node, point: Point, beta: Value) -> i32 {
        let Some(entry) = node.entry else {
            return 0;
        };
        let value = from_here_to_root(entry.value, node.ply);
        let limit = prune::singular_limit(node.depth, &entry, value)
            .filter(|_| node.excluded.is_none() && node.stoppers.is_none());
        let Some(limit) = limit else {
            return 0;
        };
        let depth = prune::singular_depth(node.depth);
        self.frames[node.ply as usize].excluded = Some(point);
        let others = self.search(limit - 1, limit, depth, node.ply, false, false);
        self.frames[node.ply as usize].excluded = None;
        // What was searched there is no line of this node.
        self.lines[node.ply as usize].clear();
        if others < limit {
            1
        } else {
            -i32::from(value >= beta)
        }
    }
}
