//! Writes wins by fours down as trees.

use super::tree::{NodeId, WinTree};
use super::vcf::{VcfSolver, Verdict};
use super::wincheck::five_stoppers;
use crate::board::{Bitboard, Point};
use crate::pattern::Board;
use fxhash::FxHashMap;

/// A tree that is being made, and which positions it has nodes for.
#[derive(Clone, Debug, Default)]
pub(super) struct Growth {
    pub tree: WinTree,
    ids: FxHashMap<u64, NodeId>,
}

impl Growth {
    pub(super) fn known(&self, hash: u64) -> Option<NodeId> {
        self.ids.get(&hash).copied()
    }

    /// Adds the node of the position with this hash, see [`WinTree::add`].
    pub(super) fn add(
        &mut self,
        hash: u64,
        point: Point,
        is_five: bool,
        answers: Vec<(Point, NodeId)>,
        otherwise: Vec<NodeId>,
    ) -> Option<NodeId> {
        let id = self.tree.add(point, is_five, answers, otherwise)?;
        self.ids.insert(hash, id);
        Some(id)
    }

    /// Adds the win by fours of the side to move; `None` if none is found
    /// within `budget` positions, or the tree is full.
    pub(super) fn grow_fours(
        &mut self,
        board: &mut Board,
        solver: &mut VcfSolver,
        budget: u64,
    ) -> Option<NodeId> {
        let hash = board.position().hash();
        if let Some(id) = self.known(hash) {
            return Some(id);
        }
        let Verdict::Win { point, plies } = solver.solve(board, budget) else {
            return None;
        };
        if plies == 1 {
            return self.add(hash, point, true, Vec::new(), Vec::new());
        }
        let answers = self.grow_stopped(board, point, |growth, board| {
            growth.grow_fours(board, solver, budget)
        })?;
        self.add(hash, point, false, answers, Vec::new())
    }

    /// The answers to a four on the point, each met by what `grow` adds.
    pub(super) fn grow_stopped(
        &mut self,
        board: &mut Board,
        point: Point,
        mut grow: impl FnMut(&mut Self, &mut Board) -> Option<NodeId>,
    ) -> Option<Vec<(Point, NodeId)>> {
        let attacker = board.side_to_move();
        board.with_move(point, |board| {
            let mut answers = Vec::new();
            for stopper in five_stoppers(board, attacker).iter() {
                let id = board.with_move(stopper, |board| grow(self, board))?;
                answers.push((stopper, id));
            }
            Some(answers)
        })
    }

    /// Adds a win in three plies for each of these points, where a stone
    /// makes an open four or two fours.
    pub(super) fn grow_strong_fours(&mut self, strong: &Bitboard) -> Option<Vec<NodeId>> {
        let add = |point| self.tree.add(point, false, Vec::new(), Vec::new());
        strong.iter().map(add).collect()
    }
}

impl VcfSolver {
    /// The whole win of the side to move by fours, looking at no more than
    /// `budget` positions for each of its moves; `None` if none is found.
    pub fn win_tree(&mut self, board: &mut Board, budget: u64) -> Option<WinTree> {
        let mut growth = Growth::default();
        let root = growth.grow_fours(board, self, budget)?;
        growth.tree.set_root(root);
        Some(growth.tree)
    }
}
