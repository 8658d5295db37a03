//! Writes wins by fours and threes down as trees.

use super::growth::Growth;
use super::tree::{NodeId, WinTree};
use super::vcf::Verdict;
use super::vct::{VCF_BUDGET, VctSolver, stones};
use super::wincheck::five_stoppers;
use crate::board::{Bitboard, Point};
use crate::pattern::{Board, Group};

/// How much more the fours of a tree may cost than those of the search: what
/// the solver knew of them may be forgotten.
const PATIENCE: u64 = 20;

impl VctSolver {
    /// The whole win of the side to move by fours and threes in no more than
    /// so many plies, looking at about `budget` positions; `None` if there is
    /// none or the budget did not suffice.
    pub fn win_tree(&mut self, board: &mut Board, plies: u32, budget: u64) -> Option<WinTree> {
        self.begin(board, plies, budget);
        let mut growth = Growth::default();
        let root = self.grow_attack(board, &mut growth)?;
        growth.tree.set_root(root);
        Some(growth.tree)
    }

    /// Adds the win of the attacker, who is to move.
    fn grow_attack(&mut self, board: &mut Board, growth: &mut Growth) -> Option<NodeId> {
        let hash = board.position().hash();
        if let Some(id) = growth.known(hash) {
            return Some(id);
        }
        let known = self.settle(board);
        if !known.numbers.is_proven() {
            return None;
        }
        let left = self.deadline - stones(board);
        if let Verdict::Win { plies, .. } = self.vcf.solve(board, VCF_BUDGET)
            && plies <= left
        {
            return growth.grow_fours(board, &mut self.vcf, VCF_BUDGET * PATIENCE);
        }
        let point = Point::from_index(usize::from(known.point))?;
        board.play(point);
        let answers = self.grow_defence(board, growth);
        board.undo();
        let (answers, otherwise) = answers?;
        growth.add(hash, point, false, answers, otherwise)
    }

    /// Adds what meets every answer of the defender, who is to move.
    fn grow_defence(&mut self, board: &mut Board, growth: &mut Growth) -> Option<Answers> {
        let (points, wins) = if board.count(self.attacker, Group::Five) > 0 {
            let stoppers: Bitboard = five_stoppers(board, self.attacker).iter().collect();
            (stoppers, Vec::new())
        } else {
            let threat = self.threat(board, growth)?;
            (threat.answers, threat.wins)
        };
        let defender = board.side_to_move();
        let mut answers = Vec::new();
        for point in &points {
            if !board.position().is_empty(point) || board.is_forbidden(point, defender) {
                continue;
            }
            let id = board.with_move(point, |board| self.grow_attack(board, growth))?;
            answers.push((point, id));
        }
        Some((answers, wins))
    }
}

/// Answers with what meets each, and what meets the others.
type Answers = (Vec<(Point, NodeId)>, Vec<NodeId>);
