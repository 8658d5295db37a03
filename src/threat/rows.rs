//! Fives and fours of a whole line at once, by arithmetic on its packed word.
//!
//! Every mask has one bit a cell, at the low bit of the cell's two. A row is
//! five cells side by side that would win if one side filled them; bit `n` of
//! a set of rows stands for the one that begins in cell `n`. The free cells of
//! all rows are counted together by a carry-save adder, without a loop.

use super::pair::Pair;
use crate::board::{CELL_BITS, Cell, Colour, Direction, LINE_REACH, Lines, Point};
use crate::pattern::LineRule;

/// Low bit of every cell.
const LOW_BITS: u64 = 0x5555_5555_5555_5555;
/// Cells of a row.
const ROW: u32 = 5;
/// The cells of a row that begins in cell 0.
const ROW_CELLS: u64 = 0b01_01_01_01_01;

/// A set of cells moved so that bit `n` tells of the cell `cells` behind `n`.
#[inline]
const fn ahead(set: u64, cells: u32) -> u64 {
    set >> (cells * CELL_BITS)
}

/// A set of cells moved so that bit `n` tells of the cell `cells` before `n`.
#[inline]
const fn behind(set: u64, cells: u32) -> u64 {
    set << (cells * CELL_BITS)
}

/// The line through a point in one direction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    word: u64,
    /// Index of the point in cell 0 of the word, if there were one.
    origin: isize,
    step: isize,
    /// Place of the point's cell in the word, in bits.
    shift: u32,
}

impl Line {
    #[inline]
    pub(super) fn through(lines: &Lines, point: Point, direction: Direction) -> Self {
        let (_, place) = Lines::locate(point, direction);
        let cell = place + LINE_REACH;
        let step = direction.index_step();
        Self {
            word: lines.word(point, direction),
            origin: point.index() as isize - cell as isize * step,
            step,
            shift: cell * CELL_BITS,
        }
    }

    /// The line with a stone on the point, which must be free.
    #[inline]
    pub(super) fn with_stone(mut self, colour: Colour) -> Self {
        self.word |= (Cell::from(colour) as u64) << self.shift;
        self
    }

    /// Number of stones of a colour within five steps of the point.
    #[inline]
    pub(super) const fn stones_near(&self, colour: Colour) -> u32 {
        const NEAR: u64 = (1 << ((2 * LINE_REACH + 1) * CELL_BITS)) - 1;
        let window = self.word >> (self.shift - LINE_REACH * CELL_BITS) & NEAR;
        Cells::new(window, colour).own.count_ones()
    }

    /// The rows of one side.
    #[inline]
    pub(super) const fn rows(&self, colour: Colour, rule: LineRule) -> Rows {
        let cells = Cells::new(self.word, colour);
        let rows = cells.rows(rule);
        let (one, two) = cells.by_free_cells();
        Rows {
            free: cells.free,
            one: rows & one,
            two: rows & two,
        }
    }

    /// Appends the pairs of all rows through the point that lack two stones.
    #[inline]
    pub(super) fn push_pairs(&self, colour: Colour, rule: LineRule, pairs: &mut Vec<Pair>) {
        let rows = self.rows(colour, rule);
        let mut starts = rows.two & (ROW_CELLS << (self.shift - (ROW - 1) * CELL_BITS));
        let mut last = 0;
        while starts != 0 {
            let mut cells = rows.free & (ROW_CELLS << starts.trailing_zeros());
            starts &= starts - 1;
            if cells == last {
                continue;
            }
            last = cells;
            let mut next = || {
                let cell = (cells.trailing_zeros() / CELL_BITS) as isize;
                cells &= cells.wrapping_sub(1);
                Point::from_index((self.origin + cell * self.step) as usize)
            };
            if let (Some(a), Some(b)) = (next(), next()) {
                pairs.push(Pair(a, b));
            }
        }
    }

    /// The points of a set of cells.
    #[inline]
    pub(super) fn points(&self, mut cells: u64) -> impl Iterator<Item = Point> + use<> {
        let (origin, step) = (self.origin, self.step);
        std::iter::from_fn(move || {
            if cells == 0 {
                return None;
            }
            let cell = cells.trailing_zeros() / CELL_BITS;
            cells &= cells - 1;
            Point::from_index((origin + cell as isize * step) as usize)
        })
    }
}

/// The rows of one side that lack one or two stones.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows {
    free: u64,
    one: u64,
    two: u64,
}

impl Rows {
    /// Free cells where a stone wins.
    #[inline]
    pub(super) const fn fives(&self) -> u64 {
        self.free_cells(self.one)
    }

    /// Free cells where in caro a stone of the opponent can take the win from
    /// the rows that lack one stone: in them, right before and right behind.
    #[inline]
    pub(super) const fn closing_cells(&self) -> u64 {
        self.fives() | self.free & (ahead(self.one, 1) | behind(self.one, ROW))
    }

    #[inline]
    const fn free_cells(&self, rows: u64) -> u64 {
        let pairs = rows | behind(rows, 1);
        self.free & (pairs | behind(pairs, 2) | behind(rows, 4))
    }
}

/// Which cells of a line hold what, seen from one side.
#[derive(Clone, Copy, Debug)]
struct Cells {
    own: u64,
    foe: u64,
    free: u64,
}

impl Cells {
    #[inline]
    const fn new(word: u64, colour: Colour) -> Self {
        let (low, high) = (word & LOW_BITS, word >> 1 & LOW_BITS);
        let (black, white) = (low & !high, high & !low);
        let (own, foe) = match colour {
            Colour::Black => (black, white),
            Colour::White => (white, black),
        };
        Self {
            own,
            foe,
            free: LOW_BITS & !(low | high),
        }
    }

    /// All rows that would win if they were full.
    #[inline]
    const fn rows(&self, rule: LineRule) -> u64 {
        let usable = self.own | self.free;
        let pairs = usable & ahead(usable, 1);
        let mut rows = pairs & ahead(pairs, 2) & ahead(usable, 4);
        if !rule.long_wins {
            rows &= !(behind(self.own, 1) | ahead(self.own, ROW));
        }
        if rule.closed_fails {
            rows &= !(behind(self.foe, 1) & ahead(self.foe, ROW));
        }
        rows
    }

    /// Where five cells begin of which exactly one is free, and exactly two.
    #[inline]
    const fn by_free_cells(&self) -> (u64, u64) {
        let (a, b, c) = (self.free, ahead(self.free, 1), ahead(self.free, 2));
        let (d, e) = (ahead(self.free, 3), ahead(self.free, 4));
        // Two half adders, then a full one. At most two of the three carries
        // are set, so that exclusive or means exactly one.
        let (ab, cd) = (a ^ b, c ^ d);
        let odd = ab ^ cd ^ e;
        let carries = (a & b, c & d, ab & cd | e & (ab ^ cd));
        let any = carries.0 | carries.1 | carries.2;
        let single = carries.0 ^ carries.1 ^ carries.2;
        (odd & !any, single & !odd)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Position, Size};
    use crate::rules::{Rule, judge};

    /// Positions of stones thrown on the board, different for every seed.
    fn position(size: Size, seed: u64) -> Position {
        let mut position = Position::new(size);
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        for point in size.points() {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let colour = match state >> 60 {
                0..=5 => Colour::Black,
                6..=10 => Colour::White,
                11 => {
                    position.block(point);
                    continue;
                }
                _ => continue,
            };
            position.set_side_to_move(colour);
            position.play(point);
        }
        position
    }

    fn wins(position: &Position, rule: Rule, colour: Colour, point: Point) -> bool {
        judge::wins(position, rule, point, colour)
    }

    /// Some five through a free point is a five the oracle sees, and the other
    /// way round.
    #[test]
    fn fives_and_fours_agree_with_the_oracle() {
        let mut found = [0; 2];
        for seed in 0..60 {
            let side = [5, 9, 15, 19, 22][seed as usize % 5];
            let mut position = position(Size::square(side).unwrap(), seed);
            let rule = Rule::ALL[seed as usize / 5 % 5];
            for colour in Colour::ALL {
                let line_rule = LineRule::new(rule, colour);
                let free: Vec<Point> = position.empty_points().collect();
                for &point in &free {
                    let has = |position: &Position, set: fn(&Rows) -> u64| {
                        Direction::ALL.into_iter().any(|direction| {
                            let line = Line::through(position.lines(), point, direction);
                            let cells = set(&line.rows(colour, line_rule));
                            line.points(cells).any(|p| p == point)
                        })
                    };
                    let is_five = has(&position, Rows::fives);
                    assert_eq!(is_five, wins(&position, rule, colour, point), "{point}");
                    found[0] += usize::from(is_five);

                    // A four: afterwards some point of its lines wins that did
                    // not before.
                    let before = winning_points(&position, rule, colour);
                    position.set_side_to_move(colour);
                    let is_four = makes_four(&position, line_rule, colour, point);
                    position.play(point);
                    let after = winning_points(&position, rule, colour);
                    position.undo();
                    let is_new = after.iter().any(|p| !before.contains(p));
                    if is_new {
                        assert!(is_four, "{rule} {colour:?} {point}");
                    }
                    found[1] += usize::from(is_new);
                }
            }
        }
        assert!(found.iter().all(|&n| n > 500), "{found:?}");
    }

    /// Whether some row through the point lacks two stones. All pairs of such
    /// rows must have the point.
    fn makes_four(position: &Position, rule: LineRule, colour: Colour, point: Point) -> bool {
        let mut pairs = Vec::new();
        for direction in Direction::ALL {
            let line = Line::through(position.lines(), point, direction);
            line.push_pairs(colour, rule, &mut pairs);
        }
        assert!(pairs.iter().all(|pair| pair.has(point)), "{pairs:?}");
        !pairs.is_empty()
    }

    fn winning_points(position: &Position, rule: Rule, colour: Colour) -> Vec<Point> {
        let free = position.empty_points();
        free.filter(|&p| wins(position, rule, colour, p)).collect()
    }

    /// Without fives on the board a four is exactly what makes one possible.
    #[test]
    fn fours_make_fives() {
        let mut found = 0;
        for seed in 0..400 {
            let mut position = position(Size::square(9).unwrap(), seed);
            let rule = Rule::ALL[seed as usize % 5];
            for colour in Colour::ALL {
                let line_rule = LineRule::new(rule, colour);
                if !winning_points(&position, rule, colour).is_empty() {
                    continue;
                }
                let free: Vec<Point> = position.empty_points().collect();
                for point in free {
                    let is_four = makes_four(&position, line_rule, colour, point);
                    position.set_side_to_move(colour);
                    position.play(point);
                    let wins = !winning_points(&position, rule, colour).is_empty();
                    position.undo();
                    assert_eq!(is_four, wins, "{rule} {colour:?} {point}");
                    found += usize::from(is_four);
                }
            }
        }
        assert!(found > 200, "{found}");
    }

    #[test]
    fn stones_are_counted_within_five_steps() {
        let moves = crate::board::parse_moves("c8a1d8b1h8c1m8d1n8").unwrap();
        let position = Position::from_moves(Size::square(15).unwrap(), &moves).unwrap();
        let at = |text: &str| {
            let point = text.parse().unwrap();
            Line::through(position.lines(), point, Direction::Horizontal).stones_near(Colour::Black)
        };
        assert_eq!([at("i8"), at("h7"), at("b8"), at("a8")], [4, 0, 2, 2]);
    }
}
