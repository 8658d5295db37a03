//! Victory by continuous fours: a win in which every move of the attacker
//! makes a four, so that the defender has no choice.
//!
//! Exhaustive up to its node budget. It plays on the bare stones, reads the
//! lines of the newest stone off their packed words (`rows.rs`), which costs a
//! fraction of keeping all shapes, and takes from position to position the
//! pairs of points that make fours (`pair.rs`), the newest first. What is known
//! of a position is kept in a small table of the solver's own, so that the same
//! fours in another order are not tried again.

use super::pair::{Pair, SeenFours, retain_from};
use super::rows::Line;
use super::wincheck::{ShortList, static_win};
use crate::board::{Colour, Direction, Point, Position};
use crate::memory;
use crate::pattern::{Board, Group, LineRule};
use crate::rules::{Rule, judge};

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
const TABLE_LEN: usize = 1 << 15;

/// More fours than any line has.
const MOST_FOURS: u32 = u32::MAX;

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
    /// Fours the attacker may still make in the current line.
    fours_left: u32,
    /// The fours of all positions of the current line, newest last.
    fours: Vec<Four>,
    /// The replies to them.
    replies: Vec<Point>,
    /// The pairs of all positions of the current line, newest last.
    pairs: Vec<Pair>,
    seen: SeenFours,
}

/// A four to try, and where its replies stand.
#[derive(Clone, Copy, Debug)]
struct Four {
    point: Point,
    first_reply: usize,
    reply_count: usize,
}

/// What does not change during one search.
#[derive(Clone, Copy, Debug)]
struct Sides {
    attacker: Colour,
    attacker_rule: LineRule,
    defender_rule: LineRule,
}

impl Sides {
    const fn new(rule: Rule, attacker: Colour) -> Self {
        Self {
            attacker,
            attacker_rule: LineRule::new(rule, attacker),
            defender_rule: LineRule::new(rule, attacker.opponent()),
        }
    }

    /// Whether a row is a win wherever it lies, so that what a four does can be
    /// told from its row alone.
    const fn is_plain(self) -> bool {
        let LineRule {
            long_wins,
            closed_fails,
            has_fouls,
        } = self.attacker_rule;
        long_wins && !closed_fails && !has_fouls
    }

    /// Whether a five can be prevented otherwise than by taking its point.
    const fn has_closing(self) -> bool {
        self.attacker_rule.closed_fails
    }
}

impl Default for VcfSolver {
    fn default() -> Self {
        Self::new()
    }
}

impl VcfSolver {
    /// A solver with an empty table (256 KiB).
    #[must_use]
    pub fn new() -> Self {
        Self {
            table: vec![0; TABLE_LEN].into_boxed_slice(),
            nodes: 0,
            budget: 0,
            fours_left: MOST_FOURS,
            fours: Vec::with_capacity(256),
            replies: Vec::with_capacity(256),
            pairs: Vec::with_capacity(1024),
            seen: SeenFours::new(),
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
        self.fours_left = MOST_FOURS;
        self.solve_on(board)
    }

    /// [`VcfSolver::solve`] for a win with as few fours as possible. If the
    /// budget does not suffice for being sure of that, any win will do.
    pub fn solve_shortest(&mut self, board: &mut Board, budget: u64) -> Verdict {
        let verdict = self.solve(board, budget);
        let Verdict::Win { plies, .. } = verdict else {
            return verdict;
        };
        // A win of so many plies takes half as many fours, the five not counted.
        for fours in 1..plies / 2 {
            self.fours_left = fours;
            match self.solve_on(board) {
                Verdict::NoWin | Verdict::Unknown if self.nodes < budget => {}
                Verdict::NoWin | Verdict::Unknown => break,
                shorter @ Verdict::Win { .. } => return shorter,
            }
        }
        verdict
    }

    fn solve_on(&mut self, board: &mut Board) -> Verdict {
        let side = board.side_to_move();
        if let Some((point, plies)) = static_win(board) {
            return Verdict::Win { point, plies };
        }
        let strong = *board.group(side, Group::StrongFour);
        let candidates = board.fours(side) | strong;
        if candidates.is_empty() {
            return Verdict::NoWin;
        }
        let sides = Sides::new(board.rule(), side);
        // What is a foul now can become a legal four later.
        let candidates = candidates | *board.group(side, Group::Forbidden);
        let mut threats = ShortList::new();
        for point in board.group(!side, Group::Five) {
            threats.push(point);
        }
        self.pairs.clear();
        for point in &candidates {
            let first = self.pairs.len();
            self.push_pairs(board.position(), sides, point);
            // Not twice the same, from either point.
            retain_from(&mut self.pairs, first, |pair| {
                let other = pair.stopper(point);
                other > point || !candidates.contains(other)
            });
        }
        board.on_position(|position| self.attack(position, sides, 0, &threats))
    }

    /// Puts the pairs of the rows through a point on the list.
    fn push_pairs(&mut self, position: &Position, sides: Sides, point: Point) {
        for direction in Direction::ALL {
            let line = Line::through(position.lines(), point, direction);
            line.push_pairs(sides.attacker, sides.attacker_rule, &mut self.pairs);
        }
    }

    /// The attacker is to move and has no five. `pairs[first_pair..]` are those
    /// of all rows that lack two stones; at `threats` the defender wins.
    fn attack(
        &mut self,
        position: &mut Position,
        sides: Sides,
        first_pair: usize,
        threats: &ShortList,
    ) -> Verdict {
        if threats.len() > 1 && !sides.has_closing() {
            return Verdict::NoWin;
        }
        let hash = position.hash();
        match self.probe(hash) {
            // A longer win than there is room for says nothing.
            Some(Verdict::Win { plies, .. }) if plies / 2 > self.fours_left => {}
            Some(known) => return known,
            None => {}
        }
        if self.nodes >= self.budget || self.fours_left == 0 {
            return Verdict::Unknown;
        }
        self.nodes += 1;
        let (first_four, first_reply) = (self.fours.len(), self.replies.len());
        let verdict = match self.find_fours(position, sides, first_pair, threats) {
            Some(point) => Verdict::Win { point, plies: 3 },
            None => self.try_fours(position, sides, first_pair, first_four),
        };
        self.fours.truncate(first_four);
        self.replies.truncate(first_reply);
        self.store(hash, verdict);
        verdict
    }

    /// Puts all fours on the list; stops at one that cannot be answered.
    fn find_fours(
        &mut self,
        position: &mut Position,
        sides: Sides,
        first_pair: usize,
        threats: &ShortList,
    ) -> Option<Point> {
        self.seen.forget();
        for index in (first_pair..self.pairs.len()).rev() {
            let Pair(a, b) = self.pairs[index];
            for (point, other) in [(a, b), (b, a)] {
                if !threats.is_empty() && !stops(position, sides, point, threats) {
                    continue;
                }
                match self.seen.note(point, other) {
                    None => {}
                    // Two fives at once.
                    Some(five) if five != other && sides.is_plain() => return Some(point),
                    Some(_) => continue,
                }
                let first_reply = self.replies.len();
                if sides.is_plain() {
                    self.find_reply(position, sides, point, other);
                } else {
                    let fives = fives_after(position, sides, point);
                    if fives.is_empty() || is_foul(position, sides.attacker_rule, point) {
                        continue;
                    }
                    self.find_replies(position, sides, point, &fives);
                }
                let reply_count = self.replies.len() - first_reply;
                if reply_count == 0 {
                    return Some(point);
                }
                self.fours.push(Four {
                    point,
                    first_reply,
                    reply_count,
                });
            }
        }
        None
    }

    /// Puts the point that completes the five on the list, unless it is a foul.
    fn find_reply(&mut self, position: &mut Position, sides: Sides, four: Point, reply: Point) {
        // The stone on the four matters to the judge only.
        let is_foul = sides.defender_rule.has_fouls
            && with_stones(position, &[four], |position| {
                is_foul(position, sides.defender_rule, reply)
            });
        if !is_foul {
            self.replies.push(reply);
        }
    }

    /// Puts everything that stops all of `fives`, made by a stone on `four`,
    /// on the list.
    fn find_replies(
        &mut self,
        position: &mut Position,
        sides: Sides,
        four: Point,
        fives: &ShortList,
    ) {
        if sides.has_closing() {
            let replies = closing_points(position, sides, four);
            for reply in replies.iter() {
                let holds = with_stones(position, &[four, reply], |position| {
                    fives_through(position, four, sides.attacker, sides.attacker_rule).is_empty()
                });
                if holds {
                    self.replies.push(reply);
                }
            }
        } else if let (1, Some(reply)) = (fives.len(), fives.iter().next()) {
            self.find_reply(position, sides, four, reply);
        }
    }

    /// Tries the fours from `first_four` on with all that follows.
    fn try_fours(
        &mut self,
        position: &mut Position,
        sides: Sides,
        first_pair: usize,
        first_four: usize,
    ) -> Verdict {
        let mut verdict = Verdict::NoWin;
        let first_new = self.pairs.len();
        for index in first_four..self.fours.len() {
            let four = self.fours[index];
            position.play(four.point);
            self.push_pairs(position, sides, four.point);
            self.fours_left -= 1;
            let result = self.defend(position, sides, first_pair, first_new, four);
            self.fours_left += 1;
            position.undo();
            self.pairs.truncate(first_new);
            match result {
                Verdict::Win { plies, .. } => {
                    return Verdict::Win {
                        point: four.point,
                        plies: plies + 1,
                    };
                }
                Verdict::Unknown => verdict = Verdict::Unknown,
                Verdict::NoWin => {}
            }
        }
        verdict
    }

    /// The defender answers a four. The plies of the verdict are those to the
    /// end in the longest defence.
    fn defend(
        &mut self,
        position: &mut Position,
        sides: Sides,
        first_pair: usize,
        first_new: usize,
        four: Four,
    ) -> Verdict {
        let mut longest = 0;
        let next_pair = self.pairs.len();
        for index in four.first_reply..four.first_reply + four.reply_count {
            let reply = self.replies[index];
            position.play(reply);
            memory::prefetch(&self.table[slot_of(position.hash())]);
            let threats = fives_through(position, reply, !sides.attacker, sides.defender_rule);
            for index in first_pair..next_pair {
                let pair = self.pairs[index];
                let is_left = !pair.has(reply) && (index >= first_new || !pair.has(four.point));
                if is_left {
                    self.pairs.push(pair);
                }
            }
            let result = self.attack(position, sides, next_pair, &threats);
            self.pairs.truncate(next_pair);
            position.undo();
            match result {
                Verdict::Win { plies, .. } => longest = longest.max(plies + 1),
                other => return other,
            }
        }
        Verdict::Win {
            point: four.point,
            plies: longest,
        }
    }

    fn probe(&self, hash: u64) -> Option<Verdict> {
        let word = self.table[slot_of(hash)];
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
        self.table[slot_of(hash)] = hash & KEY_MASK | low;
    }
}

/// Where the table has room for what is known of a position.
const fn slot_of(hash: u64) -> usize {
    hash as usize & (TABLE_LEN - 1)
}

fn with_stones<T>(
    position: &mut Position,
    stones: &[Point],
    action: impl FnOnce(&mut Position) -> T,
) -> T {
    for &point in stones {
        position.play(point);
    }
    let result = action(position);
    for _ in stones {
        position.undo();
    }
    result
}

/// Where `colour` wins on the lines through a point.
fn fives_through(position: &Position, point: Point, colour: Colour, rule: LineRule) -> ShortList {
    let mut points = ShortList::new();
    for direction in Direction::ALL {
        let line = Line::through(position.lines(), point, direction);
        let fives = line.rows(colour, rule).fives();
        line.points(fives).for_each(|five| points.push(five));
    }
    points
}

/// Where the attacker could win after a stone on a free point.
fn fives_after(position: &Position, sides: Sides, point: Point) -> ShortList {
    let mut points = ShortList::new();
    for direction in Direction::ALL {
        let line = Line::through(position.lines(), point, direction).with_stone(sides.attacker);
        let fives = line.rows(sides.attacker, sides.attacker_rule).fives();
        line.points(fives).for_each(|five| points.push(five));
    }
    points
}

/// Whether the defender has no five left after the attacker's stone.
fn stops(position: &mut Position, sides: Sides, point: Point, threats: &ShortList) -> bool {
    if !sides.has_closing() {
        return threats.iter().all(|threat| threat == point);
    }
    with_stones(position, &[point], |position| {
        threats.iter().all(|threat| {
            threat == point
                || fives_through(position, threat, !sides.attacker, sides.defender_rule)
                    .iter()
                    .all(|five| five != threat)
        })
    })
}

/// In caro: the points that complete a five which a stone on `four` makes
/// possible, and those right before and behind it.
fn closing_points(position: &Position, sides: Sides, four: Point) -> ShortList {
    let mut points = ShortList::new();
    for direction in Direction::ALL {
        let line = Line::through(position.lines(), four, direction).with_stone(sides.attacker);
        let rows = line.rows(sides.attacker, sides.attacker_rule);
        let cells = rows.closing_cells();
        line.points(cells).for_each(|point| points.push(point));
    }
    points
}

/// Whether a stone on a free point, which makes no five, would be a foul of the
/// side whose rule it is.
fn is_foul(position: &Position, rule: LineRule, point: Point) -> bool {
    rule.has_fouls
        && !is_surely_legal(position, point)
        && judge::renju_foul(position, point).is_some()
}

/// Whether there are too few black stones around for any foul: two threes take
/// two stones on each of two lines, and so do two fours; two fours or six in
/// one line take four stones there.
fn is_surely_legal(position: &Position, point: Point) -> bool {
    let mut lines_of_two = 0;
    for direction in Direction::ALL {
        let line = Line::through(position.lines(), point, direction);
        let stones = line.stones_near(Colour::Black);
        if stones >= 4 {
            return false;
        }
        lines_of_two += u32::from(stones >= 2);
    }
    lines_of_two < 2
}
