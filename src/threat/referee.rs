//! Plays a win out against every legal defence, move by move.
//!
//! Slow and plain: it knows nothing of shapes and of how the win was found,
//! only the tree and the oracle [`crate::rules::judge`].

use super::tree::{NodeId, WinNode, WinTree};
use crate::board::{Colour, Point, Position, format_moves};
use crate::rules::{Rule, judge};
use fxhash::FxHashMap;
use std::fmt;

/// What is wrong with a win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The tree has no node here.
    NoNode,
    /// The attacker's move is off the board, on a taken point or a foul.
    BadMove,
    /// The defender can make a five.
    DefenderWins,
    /// The last move of the defender is not met.
    NotMet,
    /// The win takes longer than the node says.
    TooLong,
}

/// A line of play that a tree has no right answer to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refutation {
    /// The moves from the tree's root on.
    pub line: Vec<Point>,
    /// What is wrong at its end.
    pub fault: Fault,
}

impl fmt::Display for Refutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self.fault {
            Fault::NoNode => "no node",
            Fault::BadMove => "an illegal move",
            Fault::DefenderWins => "a five of the defender",
            Fault::NotMet => "no answer",
            Fault::TooLong => "too long a win",
        };
        write!(f, "{text} after '{}'", format_moves(&self.line))
    }
}

impl std::error::Error for Refutation {}

/// Plays the win of the side to move out against every legal defence; returns
/// the plies of the longest one.
///
/// # Errors
///
/// A defence that the tree does not overcome, or overcomes later than it says.
pub fn check(tree: &WinTree, position: &Position, rule: Rule) -> Result<u32, Refutation> {
    let mut referee = Referee {
        tree,
        rule,
        attacker: position.side_to_move(),
        position: position.clone(),
        line: Vec::new(),
        seen: FxHashMap::default(),
    };
    match tree.root() {
        Some(root) => referee.attack(root),
        None => referee.refuse(Fault::NoNode),
    }
}

struct Referee<'a> {
    tree: &'a WinTree,
    rule: Rule,
    attacker: Colour,
    position: Position,
    line: Vec<Point>,
    /// Wins already played out: the plies they take, by position and node.
    seen: FxHashMap<(u64, NodeId), u32>,
}

impl Referee<'_> {
    fn refuse<T>(&self, fault: Fault) -> Result<T, Refutation> {
        Err(Refutation {
            line: self.line.clone(),
            fault,
        })
    }

    fn with_move<T>(&mut self, point: Point, action: impl FnOnce(&mut Self) -> T) -> T {
        self.position.play(point);
        self.line.push(point);
        let result = action(self);
        self.line.pop();
        self.position.undo();
        result
    }

    fn wins(&self, point: Point, colour: Colour) -> bool {
        judge::wins(&self.position, self.rule, point, colour)
    }

    /// Whether the point is a foul for the side to move; a five is none.
    fn is_foul(&self, point: Point) -> bool {
        self.rule == Rule::Renju
            && self.position.side_to_move() == Colour::Black
            && judge::renju_foul(&self.position, point).is_some()
    }

    /// The attacker is to move; returns the plies to the end.
    fn attack(&mut self, id: NodeId) -> Result<u32, Refutation> {
        let key = (self.position.hash(), id);
        if let Some(&plies) = self.seen.get(&key) {
            return Ok(plies);
        }
        let tree = self.tree;
        let Some(node) = tree.node(id) else {
            return self.refuse(Fault::NoNode);
        };
        if !self.position.is_empty(node.point) {
            return self.refuse(Fault::BadMove);
        }
        let plies = if self.wins(node.point, self.attacker) {
            1
        } else if self.is_foul(node.point) {
            return self.refuse(Fault::BadMove);
        } else {
            self.with_move(node.point, |referee| referee.defend(node))? + 1
        };
        if plies > node.plies {
            return self.refuse(Fault::TooLong);
        }
        self.seen.insert(key, plies);
        Ok(plies)
    }

    /// The defender is to move, and tries everything.
    fn defend(&mut self, node: &WinNode) -> Result<u32, Refutation> {
        let free: Vec<Point> = self.position.empty_points().collect();
        let fives: Vec<Point> = if node.otherwise.is_empty() {
            let is_five = |&point: &Point| self.wins(point, self.attacker);
            free.iter().copied().filter(is_five).collect()
        } else {
            Vec::new()
        };
        if free.is_empty() {
            return self.refuse(Fault::NotMet);
        }
        let mut longest = 1;
        for reply in free {
            if self.wins(reply, !self.attacker) {
                return self.with_move(reply, |referee| referee.refuse(Fault::DefenderWins));
            }
            if self.is_foul(reply) {
                continue;
            }
            let plies = self.with_move(reply, |referee| referee.meet(node, reply, &fives))?;
            longest = longest.max(1 + plies);
        }
        Ok(longest)
    }

    /// The attacker is to move after this reply to the node's move.
    fn meet(&mut self, node: &WinNode, reply: Point, fives: &[Point]) -> Result<u32, Refutation> {
        let mut answers = node.answers.iter();
        if let Some(&(_, id)) = answers.find(|&&(answer, _)| answer == reply) {
            return self.attack(id);
        }
        let mut is_five = |&five: &Point| five != reply && self.wins(five, self.attacker);
        if fives.iter().any(&mut is_five) {
            return Ok(1);
        }
        let mut result = self.refuse(Fault::NotMet);
        for &id in &node.otherwise {
            result = self.attack(id);
            if result.is_ok() {
                break;
            }
        }
        result
    }
}
