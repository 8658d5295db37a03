//! Whole wins: a move for the attacker, every answer of the defender.
//!
//! A tree is kept flat, and positions that come about in several ways may
//! share a node, so it is really a graph without cycles.

use crate::board::Point;

/// Number of a node in its tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeId(u32);

/// The attacker is to move, and this is how he wins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WinNode {
    /// His move.
    pub point: Point,
    /// Plies to the winning stone at most; 1 if his move is that stone.
    pub plies: u32,
    /// Answers that have to be met one by one, and how.
    pub answers: Vec<(Point, NodeId)>,
    /// What meets every other answer: one of these wins, each of which would
    /// hold after a pass. Without any, the attacker makes a five at once.
    pub otherwise: Vec<NodeId>,
}

/// A win against every defence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WinTree {
    nodes: Vec<WinNode>,
    root: Option<NodeId>,
}

impl WinTree {
    /// Most nodes of a tree.
    pub const CAPACITY: usize = 1 << 20;

    /// The node a win begins with; `None` in a tree without nodes.
    #[must_use]
    pub const fn root(&self) -> Option<NodeId> {
        self.root
    }

    /// A node, by its number; `None` if the tree has no such node.
    #[must_use]
    pub fn node(&self, id: NodeId) -> Option<&WinNode> {
        self.nodes.get(id.0 as usize)
    }

    /// All nodes.
    #[must_use]
    pub fn nodes(&self) -> &[WinNode] {
        &self.nodes
    }

    /// Changes a node: for tests of those who check trees.
    pub fn node_mut(&mut self, index: usize) -> Option<&mut WinNode> {
        self.nodes.get_mut(index)
    }

    /// The longest line of the tree.
    #[must_use]
    pub fn longest_line(&self) -> Vec<Point> {
        let mut line = Vec::new();
        let mut next = self.root();
        while let Some(node) = next.and_then(|id| self.node(id)) {
            line.push(node.point);
            let plies = |id: NodeId| self.node(id).map_or(0, |node| node.plies);
            let longest = node.answers.iter().max_by_key(|&&(_, id)| plies(id));
            line.extend(longest.map(|&(answer, _)| answer));
            next = longest.map(|&(_, id)| id);
        }
        line
    }

    /// Adds a node whose children are there already; its plies follow from
    /// theirs. `None` if the tree is full.
    pub(super) fn add(
        &mut self,
        point: Point,
        is_five: bool,
        answers: Vec<(Point, NodeId)>,
        otherwise: Vec<NodeId>,
    ) -> Option<NodeId> {
        if self.nodes.len() >= Self::CAPACITY {
            return None;
        }
        let children = answers.iter().map(|&(_, id)| id).chain(otherwise.clone());
        let below = children.filter_map(|id| self.node(id)).map(|n| n.plies);
        let plies = if is_five {
            1
        } else {
            2 + below.max().unwrap_or(1)
        };
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(WinNode {
            point,
            plies,
            answers,
            otherwise,
        });
        Some(id)
    }

    pub(super) const fn set_root(&mut self, root: NodeId) {
        self.root = Some(root);
    }
}
