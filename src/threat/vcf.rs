//! Victory by continuous fours: a win in which every move of the attacker
//! makes a four, so that the defender has no choice.
//!
//! Exhaustive up to its node budget. What is known of a position is kept in a
//! small table of the solver's own, so that the same fours in another order
//! are not tried again.

use super::wincheck::{five_stoppers, static_win};
use crate::board::Point;
use crate::pattern::{Board, Class, Group};

/// What a solver says of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It wins with this move; the winning stone comes after so many plies, an
    /// upper bound.
    Win {
        /// First move of the win.
        point: Point,
        /// Plies to the winning stone, odd.
        plies: u32,
    },
    /// There is no such win.
    NoWin,
    /// The budget did not suffice.
    Unknown,
}

/// Entries of the table: 8 bytes each.
const TABLE_LEN: usize = 1 << 17;
/// Most fours tried in one position.
const MOST_FOURS: usize = 48;

/// Table word: the upper bits of the hash, the point of a win (10 bits) and
/// its plies (10 bits); plies 0 means no win.
const KEY_MASK: u64 = !0 << 20;
const POINT_SHIFT: u32 = 10;
const LOW_MASK: u64 = (1 << 10) - 1;

/// Looks for wins by fours; keeps its table from call to call.
#[derive(Clone, Debug)]
pub struct VcfSolver {
    table: Box<[u64]>,
    nodes: u64,
    budget: u64,
}

impl Default for VcfSolver {
    fn default() -> Self {
        Self::new()
    }
}

impl VcfSolver {
    /// A solver with an empty table (1 MiB).
    #[must_use]
    pub fn new() -> Self {
        Self {
            table: vec![0; TABLE_LEN].into_boxed_slice(),
            nodes: 0,
            budget: 0,
        }
    }

    /// Forgets everything: needed when the rule changes.
    pub fn clear(&mut self) {
        self.table.fill(0);
    }

    /// Positions looked at since the last call of [`VcfSolver::solve`] began.
    #[must_use]
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether the side to move wins by fours, looking at no more than
    /// `budget` positions. The board comes back as it was.
    pub fn solve(&mut self, board: &mut Board, budget: u64) -> Verdict {
        self.nodes = 0;
        self.budget = budget;
        self.attack(board)
    }

    /// The attacker is to move.
    fn attack(&mut self, board: &mut Board) -> Verdict {
        let side = board.side_to_move();
        if let Some((point, plies)) = static_win(board) {
            return Verdict::Win { point, plies };
        }
        let must_stop = board.count(!side, Group::Five) > 0;
        let fours = board.four_count(side)
            + if must_stop {
                board.count(side, Group::StrongFour)
            } else {
                0
            };
        if fours == 0 {
            return Verdict::NoWin;
        }
        let hash = board.position().hash();
        if let Some(known) = self.probe(hash) {
            return known;
        }
        if self.nodes >= self.budget {
            return Verdict::Unknown;
        }
        self.nodes += 1;
        let mut verdict = Verdict::NoWin;
        let (moves, count) = attacking_moves(board, must_stop);
        for point in moves.into_iter().take(count).flatten() {
            match board.with_move(point, |board| self.defend(board)) {
                Verdict::Win { plies, .. } => {
                    verdict = Verdict::Win {
                        point,
                        plies: plies + 1,
                    };
                    break;
                }
                Verdict::Unknown => verdict = Verdict::Unknown,
                Verdict::NoWin => {}
            }
        }
        self.store(hash, verdict);
        verdict
    }

    /// The defender is to move, and the attacker threatens a five. The plies
    /// of the verdict are those to the end in the longest defence.
    fn defend(&mut self, board: &mut Board) -> Verdict {
        let attacker = !board.side_to_move();
        let Some(five) = board.group(attacker, Group::Five).iter().next() else {
            return Verdict::NoWin;
        };
        if board.count(!attacker, Group::Five) > 0 {
            return Verdict::NoWin;
        }
        let mut longest = 2;
        for stopper in five_stoppers(board, attacker).iter() {
            match board.with_move(stopper, |board| self.attack(board)) {
                Verdict::Win { plies, .. } => longest = longest.max(plies + 1),
                other => return other,
            }
        }
        Verdict::Win {
            point: five,
            plies: longest,
        }
    }

    fn probe(&self, hash: u64) -> Option<Verdict> {
        let word = self.table[hash as usize & (TABLE_LEN - 1)];
        if (word ^ hash) & KEY_MASK != 0 || word == 0 {
            return None;
        }
        let plies = (word & LOW_MASK) as u32;
        if plies == 0 {
            return Some(Verdict::NoWin);
        }
        let point = Point::from_index((word >> POINT_SHIFT & LOW_MASK) as usize)?;
        Some(Verdict::Win { point, plies })
    }

    fn store(&mut self, hash: u64, verdict: Verdict) {
        let low = match verdict {
            Verdict::Win { point, plies } => {
                (point.index() as u64) << POINT_SHIFT | u64::from(plies) & LOW_MASK
            }
            Verdict::NoWin => 0,
            Verdict::Unknown => return,
        };
        self.table[hash as usize & (TABLE_LEN - 1)] = hash & KEY_MASK | low;
    }
}

/// The fours to try, the most promising first. Where the attacker must stop a
/// five himself, only fours that do so.
fn attacking_moves(board: &mut Board, must_stop: bool) -> ([Option<Point>; MOST_FOURS], usize) {
    let side = board.side_to_move();
    let mut moves = [None; MOST_FOURS];
    let mut count = 0;
    let mut front = 0;
    let mut add = |point, is_strong| {
        if count == MOST_FOURS {
            return;
        }
        moves[count] = Some(point);
        if is_strong {
            moves.swap(count, front);
            front += 1;
        }
        count += 1;
    };
    if must_stop {
        for point in five_stoppers(board, !side).iter() {
            let class = board.class(point, side);
            if class >= Class::Four && class <= Class::OpenFour && !board.is_forbidden(point, side)
            {
                add(point, class > Class::Four);
            }
        }
    } else {
        for point in &board.fours(side) {
            if !board.is_forbidden(point, side) {
                add(point, board.class(point, side) > Class::Four);
            }
        }
    }
    (moves, count)
}
