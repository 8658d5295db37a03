//! Victory by continuous threats: a win in which every move of the attacker
//! makes a four or an open three.
//!
//! The search is depth-first proof-number search (df-pn, Nagai 2002) with
//! thresholds that leave some room (1 + ε), over the threat space of Allis,
//! van den Herik and Huntjens (1993): the defender's answers are only those
//! that can matter, see `defence.rs`. A win is proven against every
//! defence; that there is none only says that fours and threes do not do it.

use super::defence::{disturbers, disturbers_of_strong_fours, strong_fours};
use super::growth::Growth;
use super::proof::{INFINITE, Known, Numbers, ProofTable};
use super::sums::{Child, share, sum_attack, sum_defence, with_room};
use super::tree::NodeId;
use super::vcf::{VcfSolver, Verdict};
use super::wincheck::{five_stoppers, static_win};
use crate::board::{Bitboard, Colour, Point, mix};
use crate::pattern::{Board, Class, Group};

/// Bytes of the table of [`VctSolver::new`].
const DEFAULT_BYTES: usize = 3 << 19;
/// Positions a search for fours may look at where the attacker is to move.
pub(super) const VCF_BUDGET: u64 = 200;
/// And where the question is whether he threatens something.
const THREAT_BUDGET: u64 = 100;
/// And where it is whether the defender wins first.
const COUNTER_BUDGET: u64 = 60;
/// Longest line looked at, in plies, where nothing else is said.
const LONGEST: u32 = 150;

/// What a look at a position without its children says.
enum Look {
    /// It is decided.
    Settled(Known),
    /// Its moves have been added to the children. If none of the others does
    /// better, a win takes so many plies.
    Open(u32),
}

/// What the attacker would do after a pass.
pub(super) struct Threat {
    /// Ways to win, each on its own.
    pub wins: Vec<NodeId>,
    /// Plies of the longest of them.
    pub plies: u32,
    /// The points where a stone might disturb all of them.
    pub answers: Bitboard,
}

/// Looks for wins by fours and threes; keeps its tables from call to call.
#[derive(Clone, Debug)]
pub struct VctSolver {
    pub(super) vcf: VcfSolver,
    table: ProofTable,
    children: Vec<Child>,
    pub(super) attacker: Colour,
    /// Stones on the board when the win must stand.
    pub(super) deadline: u32,
    nodes: u64,
    budget: u64,
}

impl Default for VctSolver {
    fn default() -> Self {
        Self::new()
    }
}

impl VctSolver {
    /// A solver with empty tables (2.5 MiB).
    #[must_use]
    pub fn new() -> Self {
        Self::with_bytes(DEFAULT_BYTES)
    }

    /// A solver whose table of positions takes no more than so many bytes;
    /// 1 MiB more is for fours.
    #[must_use]
    pub fn with_bytes(bytes: usize) -> Self {
        Self {
            vcf: VcfSolver::new(),
            table: ProofTable::new(bytes),
            children: Vec::with_capacity(1024),
            attacker: Colour::Black,
            deadline: 0,
            nodes: 0,
            budget: 0,
        }
    }

    /// Forgets everything: needed when the rule changes.
    pub fn clear(&mut self) {
        self.vcf.clear();
        self.table.clear();
    }

    /// Positions looked at since the last question was asked, those of the
    /// searches for fours included.
    #[must_use]
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether the side to move wins by fours and threes, looking at about
    /// `budget` positions. The board comes back as it was.
    pub fn solve(&mut self, board: &mut Board, budget: u64) -> Verdict {
        self.solve_within(board, LONGEST, budget)
    }

    /// [`VctSolver::solve`] for a win in no more than so many plies.
    pub fn solve_within(&mut self, board: &mut Board, plies: u32, budget: u64) -> Verdict {
        self.begin(board, plies, budget);
        let known = self.settle(board);
        verdict(known, self.nodes >= budget)
    }

    /// Whether the other side would win by fours and threes if the side to
    /// move passed.
    pub fn solve_after_pass(&mut self, board: &mut Board, budget: u64) -> Verdict {
        board.pass();
        let verdict = self.solve(board, budget);
        board.pass();
        verdict
    }

    /// Whether the side to move wins, by fours and threes, with this move.
    /// The plies of the verdict count from the move.
    ///
    /// # Panics
    ///
    /// If the point is taken or outside the board.
    pub fn solve_move(&mut self, board: &mut Board, point: Point, budget: u64) -> Verdict {
        self.begin(board, LONGEST, budget);
        if board.is_forbidden(point, self.attacker) {
            return Verdict::NoWin;
        }
        if board.class(point, self.attacker) == Class::Five {
            return Verdict::Win { point, plies: 1 };
        }
        let known = board.with_move(point, |board| self.settle(board));
        match verdict(known, self.nodes >= budget) {
            Verdict::Win { plies, .. } => Verdict::Win {
                point,
                plies: plies + 1,
            },
            other => other,
        }
    }

    /// Gets ready for a question about the side to move.
    pub(super) fn begin(&mut self, board: &Board, plies: u32, budget: u64) {
        self.table.new_search();
        self.attacker = board.side_to_move();
        // Positions that have come about by different openings share what is
        // known as long as the deadline is far away.
        self.deadline = if plies < LONGEST {
            stones(board) + plies
        } else {
            u32::MAX
        };
        self.nodes = 0;
        self.budget = budget;
    }

    /// What can be found out about the position within the budget.
    pub(super) fn settle(&mut self, board: &mut Board) -> Known {
        let key = self.key(board.position().hash());
        if let Some(known) = self.table.probe(key)
            && is_settled(known.numbers)
        {
            return known;
        }
        let limit = Numbers {
            proof: INFINITE,
            disproof: INFINITE,
        };
        self.search(board, limit, 0)
    }

    fn key(&self, hash: u64) -> u64 {
        hash ^ mix(u64::from(self.deadline) << 1 | self.attacker.index() as u64)
    }

    /// Searches until a number of the position reaches its limit.
    fn search(&mut self, board: &mut Board, limit: Numbers, depth: u32) -> Known {
        let is_attack = board.side_to_move() == self.attacker;
        let key = self.key(board.position().hash());
        let nodes_before = self.nodes;
        self.nodes += 1;
        let first = self.children.len();
        let is_known = self.table.probe(key).is_some();
        let known = match self.look(board, is_attack, is_known, depth) {
            Look::Settled(known) => known,
            Look::Open(_) if is_attack => self.search_attack(board, limit, first, depth),
            Look::Open(plies) => self.search_defence(board, limit, first, depth, plies),
        };
        self.children.truncate(first);
        self.table.store(key, known, self.nodes - nodes_before);
        known
    }

    fn look(&mut self, board: &mut Board, is_attack: bool, is_known: bool, depth: u32) -> Look {
        let left = self.deadline - stones(board);
        if depth >= LONGEST || left == 0 {
            return Look::Settled(Known::new(Numbers::DISPROVEN));
        }
        if is_attack {
            self.look_attack(board, left, is_known)
        } else {
            self.look_defence(board, left, is_known)
        }
    }

    /// The attacker's children: one won is enough.
    fn search_attack(
        &mut self,
        board: &mut Board,
        limit: Numbers,
        first: usize,
        depth: u32,
    ) -> Known {
        loop {
            let sum = sum_attack(&self.children[first..]);
            let child = self.children[first + sum.best];
            if sum.numbers.is_proven() {
                return Known {
                    numbers: sum.numbers,
                    point: child.point.index() as u16,
                    plies: child.known.plies + 1,
                };
            }
            if self.is_enough(sum.numbers, limit) {
                return Known::new(sum.numbers);
            }
            let numbers = child.known.numbers;
            let child_limit = Numbers {
                proof: limit.proof.min(with_room(sum.rival)),
                disproof: share(limit.disproof, sum.numbers.disproof, numbers.disproof),
            };
            let known = board.with_move(child.point, |board| {
                self.search(board, child_limit, depth + 1)
            });
            self.children[first + sum.best].known = known;
        }
    }

    /// The defender's children: all must be won.
    fn search_defence(
        &mut self,
        board: &mut Board,
        limit: Numbers,
        first: usize,
        depth: u32,
        plies: u32,
    ) -> Known {
        loop {
            let children = &self.children[first..];
            let sum = sum_defence(children);
            if sum.numbers.is_proven() {
                let longest = children.iter().map(|child| u32::from(child.known.plies));
                let plies = plies.max(1 + longest.max().unwrap_or(0));
                return Known {
                    numbers: sum.numbers,
                    point: 0,
                    plies: plies as u16,
                };
            }
            if self.is_enough(sum.numbers, limit) {
                return Known::new(sum.numbers);
            }
            let child = children[sum.best];
            let numbers = child.known.numbers;
            let child_limit = Numbers {
                proof: share(limit.proof, sum.numbers.proof, numbers.proof),
                disproof: limit.disproof.min(with_room(sum.rival)),
            };
            let known = board.with_move(child.point, |board| {
                self.search(board, child_limit, depth + 1)
            });
            self.children[first + sum.best].known = known;
        }
    }

    fn is_enough(&self, numbers: Numbers, limit: Numbers) -> bool {
        numbers.proof >= limit.proof
            || numbers.disproof >= limit.disproof
            || self.nodes >= self.budget
    }

    fn look_attack(&mut self, board: &mut Board, left: u32, is_known: bool) -> Look {
        let won = |point: Point, plies: u32| Known {
            numbers: Numbers::PROVEN,
            point: point.index() as u16,
            plies: plies as u16,
        };
        let lost = Look::Settled(Known::new(Numbers::DISPROVEN));
        if let Some((point, plies)) = static_win(board)
            && plies <= left
        {
            return Look::Settled(won(point, plies));
        }
        if left <= 3 {
            return lost;
        }
        if !is_known {
            let verdict = self.solve_fours(board, VCF_BUDGET);
            if let Verdict::Win { point, plies } = verdict
                && plies <= left
            {
                return Look::Settled(won(point, plies));
            }
        }
        let attacker = self.attacker;
        let first = self.children.len();
        if board.count(!attacker, Group::Five) > 0 {
            for point in five_stoppers(board, !attacker).iter() {
                self.push(board, point, 1);
            }
        } else {
            self.push_threats(board);
        }
        if self.children.len() == first {
            return lost;
        }
        Look::Open(0)
    }

    fn push_threats(&mut self, board: &mut Board) {
        let attacker = self.attacker;
        let groups = [
            (Group::FourThree, 2),
            (Group::DoubleThree, 2),
            (Group::Four, 6),
            (Group::Three, 3),
        ];
        for (group, proof) in groups {
            let points = *board.group(attacker, group);
            for point in &points {
                if !board.is_forbidden(point, attacker) {
                    self.push(board, point, proof);
                }
            }
        }
    }

    fn look_defence(&mut self, board: &mut Board, left: u32, is_known: bool) -> Look {
        let defender = !self.attacker;
        let lost = Look::Settled(Known::new(Numbers::DISPROVEN));
        if board.count(defender, Group::Five) > 0 || left < 2 {
            return lost;
        }
        let (answers, plies) = if board.count(self.attacker, Group::Five) > 0 {
            (five_stoppers(board, self.attacker).iter().collect(), 2)
        } else {
            if static_win(board).is_some() || !is_known && self.defender_wins(board) {
                return lost;
            }
            match self.threat(board, &mut Growth::default()) {
                Some(threat) if threat.plies < left => (threat.answers, threat.plies + 1),
                _ => return lost,
            }
        };
        let first = self.children.len();
        for point in answers.iter() {
            if board.position().is_empty(point) && !board.is_forbidden(point, defender) {
                self.push(board, point, 1);
            }
        }
        if self.children.len() > first {
            return Look::Open(plies);
        }
        Look::Settled(Known {
            numbers: Numbers::PROVEN,
            point: 0,
            plies: plies as u16,
        })
    }

    /// Whether the defender, who is to move, has a short win by fours.
    fn defender_wins(&mut self, board: &mut Board) -> bool {
        let verdict = self.solve_fours(board, COUNTER_BUDGET);
        matches!(verdict, Verdict::Win { .. })
    }

    /// What the side not to move threatens, added to the tree; `None` if it
    /// is nothing.
    pub(super) fn threat(&mut self, board: &mut Board, growth: &mut Growth) -> Option<Threat> {
        board.pass();
        let threat = self.threatened_win(board, growth);
        board.pass();
        threat
    }

    fn threatened_win(&mut self, board: &mut Board, growth: &mut Growth) -> Option<Threat> {
        let strong = strong_fours(board);
        if !strong.is_empty() {
            return Some(Threat {
                wins: growth.grow_strong_fours(&strong)?,
                plies: 3,
                answers: disturbers_of_strong_fours(board, &strong),
            });
        }
        let id = growth.grow_fours(board, &mut self.vcf, THREAT_BUDGET)?;
        Some(Threat {
            wins: vec![id],
            plies: growth.tree.node(id).map_or(LONGEST, |node| node.plies),
            answers: disturbers(board, &growth.tree, id),
        })
    }

    fn solve_fours(&mut self, board: &mut Board, budget: u64) -> Verdict {
        let left = self.budget.saturating_sub(self.nodes).max(1);
        let verdict = self.vcf.solve(board, budget.min(left));
        self.nodes += self.vcf.nodes();
        verdict
    }

    /// Adds a child with what is known of it, or with a first guess.
    fn push(&mut self, board: &Board, point: Point, proof: u32) {
        let key = self.key(board.position().hash_after(point));
        let guess = Known::new(Numbers { proof, disproof: 1 });
        let known = self.table.probe(key).unwrap_or(guess);
        self.children.push(Child { point, known });
    }
}

pub(super) fn stones(board: &Board) -> u32 {
    board.position().stones().len() as u32
}

const fn is_settled(numbers: Numbers) -> bool {
    numbers.proof == 0 || numbers.disproof == 0
}

fn verdict(known: Known, is_exhausted: bool) -> Verdict {
    if known.numbers.is_proven() {
        let point = Point::from_index(usize::from(known.point));
        return point.map_or(Verdict::Unknown, |point| Verdict::Win {
            point,
            plies: u32::from(known.plies),
        });
    }
    if known.numbers.disproof == 0 && !is_exhausted {
        Verdict::NoWin
    } else {
        Verdict::Unknown
    }
}
