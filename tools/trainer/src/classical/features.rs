//! What the evaluation sees of a board, packed for keeping in memory.

use super::tables::{is_room_only, table_count};
use yonsan::board::{Bitboard, Colour, Point, Position, Size};
use yonsan::eval::weights::threat_mask;
use yonsan::pattern::{Board, COMBO_COUNT, Combo};
use yonsan::rules::Rule;

/// Bits that hold the number of a combo.
const COMBO_BITS: u32 = 12;
const COMBO_MASK: u32 = (1 << COMBO_BITS) - 1;

const _: () = assert!(COMBO_COUNT <= 1 << COMBO_BITS);

/// A combo, and how many free points have it: at most 15, so one combo may
/// need several of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ComboTimes(u16);

impl ComboTimes {
    const MOST: u16 = 15;

    /// Index of the combo.
    #[inline]
    #[must_use]
    pub const fn combo(self) -> usize {
        (self.0 as u32 & COMBO_MASK) as usize
    }

    /// How many points.
    #[inline]
    #[must_use]
    pub const fn times(self) -> f32 {
        (self.0 >> COMBO_BITS) as f32
    }

    fn push(list: &mut Vec<Self>, combo: usize, mut times: u16) {
        while times > 0 {
            let part = times.min(Self::MOST);
            list.push(Self(combo as u16 | part << COMBO_BITS));
            times -= part;
        }
    }
}

/// A pair of combos, the mover's and the opponent's, and how many candidates
/// have it: at most 255, so one pair may need several of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Candidates(u32);

impl Candidates {
    const TIMES_SHIFT: u32 = 2 * COMBO_BITS;
    const ONE: u32 = 1 << Self::TIMES_SHIFT;
    const MOST: u32 = u32::MAX >> Self::TIMES_SHIFT;

    /// One candidate.
    #[must_use]
    pub const fn one(own: Combo, other: Combo) -> Self {
        Self(Self::ONE | (own.index() as u32) << COMBO_BITS | other.index() as u32)
    }

    /// Index of the combo that the mover would make.
    #[inline]
    #[must_use]
    pub const fn own(self) -> usize {
        (self.0 >> COMBO_BITS & COMBO_MASK) as usize
    }

    /// Index of the combo that the opponent would make.
    #[inline]
    #[must_use]
    pub const fn other(self) -> usize {
        (self.0 & COMBO_MASK) as usize
    }

    /// How many candidates.
    #[inline]
    #[must_use]
    pub const fn times(self) -> f32 {
        (self.0 >> Self::TIMES_SHIFT) as f32
    }

    const fn is_same_pair(self, other: Self) -> bool {
        (self.0 ^ other.0) & (Self::ONE - 1) == 0
    }

    /// Merges equal pairs behind the first item, which stays alone in front.
    fn merge(list: &mut Vec<Self>) {
        if let Some(rest) = list.get_mut(1..) {
            rest.sort_unstable();
        }
        let mut kept = 1;
        for index in 1..list.len() {
            let item = list[index];
            let last = list[kept - 1];
            if kept > 1 && last.is_same_pair(item) && last.0 >> Self::TIMES_SHIFT < Self::MOST {
                list[kept - 1].0 += Self::ONE;
            } else {
                list[kept] = item;
                kept += 1;
            }
        }
        list.truncate(kept);
    }
}

/// What the value of a position is made of, beside its combos.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outlook {
    /// Whose turn it is.
    pub mover: Colour,
    /// See [`threat_mask`].
    pub threats: u16,
    /// How many of the items count for the mover; the others count against it.
    pub own_items: u16,
}

/// Takes boards of one rule apart; keeps its memory from call to call.
#[derive(Debug)]
pub struct Extractor {
    /// Combos that are worth the same to both colours, so that theirs cancel.
    common: Vec<usize>,
    own: Vec<u16>,
    other: Vec<u16>,
    combos: Vec<ComboTimes>,
    candidates: Vec<Candidates>,
}

impl Extractor {
    /// An extractor for boards of this rule.
    #[must_use]
    pub fn new(rule: Rule) -> Self {
        Self {
            common: Combo::all()
                .filter(|&combo| table_count(rule) == 1 || is_room_only(combo))
                .map(Combo::index)
                .collect(),
            own: vec![0; COMBO_COUNT],
            other: vec![0; COMBO_COUNT],
            combos: Vec::new(),
            candidates: Vec::new(),
        }
    }

    /// What the value of the position is made of.
    pub fn value(&mut self, board: &Board) -> (Outlook, &[ComboTimes]) {
        let mover = board.side_to_move();
        self.own.fill(0);
        self.other.fill(0);
        for point in board.position().empty_points() {
            self.own[board.combo(point, mover).index()] += 1;
            self.other[board.combo(point, !mover).index()] += 1;
        }
        // Without any shape a point is worth nothing.
        self.own[Combo::default().index()] = 0;
        self.other[Combo::default().index()] = 0;
        for &combo in &self.common {
            let both = self.own[combo].min(self.other[combo]);
            self.own[combo] -= both;
            self.other[combo] -= both;
        }
        self.combos.clear();
        for (combo, &times) in self.own.iter().enumerate() {
            ComboTimes::push(&mut self.combos, combo, times);
        }
        let own_items = self.combos.len() as u16;
        for (combo, &times) in self.other.iter().enumerate() {
            ComboTimes::push(&mut self.combos, combo, times);
        }
        let outlook = Outlook {
            mover,
            threats: threat_mask(board) as u16,
            own_items,
        };
        (outlook, &self.combos)
    }

    /// The moves that come into question, the played one first; `None` if it
    /// is none of them, or the only one.
    pub fn candidates(
        &mut self,
        board: &mut Board,
        near: &Neighbourhood,
        played: Point,
    ) -> Option<&[Candidates]> {
        let mover = board.side_to_move();
        if !near.around_stones(board.position()).contains(played) {
            return None;
        }
        let pair = |board: &Board, point| {
            Candidates::one(board.combo(point, mover), board.combo(point, !mover))
        };
        self.candidates.clear();
        self.candidates.push(pair(board, played));
        for point in &near.candidates(board) {
            if point != played {
                self.candidates.push(pair(board, point));
            }
        }
        if self.candidates.len() < 2 {
            return None;
        }
        Candidates::merge(&mut self.candidates);
        Some(&self.candidates)
    }
}

/// Whether a point is a candidate because of a stone this far away: the square
/// of two steps around the stone, and three steps along each line.
const fn is_near(dx: u8, dy: u8) -> bool {
    let far = if dx > dy { dx } else { dy };
    far <= 2 || far == 3 && (dx == 0 || dy == 0 || dx == dy)
}

/// The points near every point of a board, at the same indices.
#[derive(Clone, Debug)]
pub struct Neighbourhood {
    size: Size,
    sets: Vec<Bitboard>,
}

impl Neighbourhood {
    /// The neighbourhoods on boards of this size.
    #[must_use]
    pub fn new(size: Size) -> Self {
        let around = |from: Point| {
            size.points()
                .filter(|p| is_near(p.x().abs_diff(from.x()), p.y().abs_diff(from.y())))
                .collect()
        };
        let last = size.points().last().map_or(0, Point::index);
        let sets = (0..=last)
            .map(|index| Point::from_index(index).map_or(Bitboard::EMPTY, around))
            .collect();
        Self { size, sets }
    }

    /// The size of the boards.
    #[must_use]
    pub const fn size(&self) -> Size {
        self.size
    }

    /// The moves that come into question: the free points near stones that are
    /// not forbidden.
    #[must_use]
    pub fn candidates(&self, board: &mut Board) -> Bitboard {
        let mover = board.side_to_move();
        self.around_stones(board.position())
            .iter()
            .filter(|&point| board.position().is_empty(point) && !board.is_forbidden(point, mover))
            .collect()
    }

    /// The points near stones, those under them included.
    #[must_use]
    pub fn around_stones(&self, position: &Position) -> Bitboard {
        let stones = position.stones();
        stones.iter().fold(Bitboard::EMPTY, |set, stone| {
            set | self.sets[stone.point.index()]
        })
    }
}

/// Whether the search settles the position by itself, so that nothing can be
/// learned from it about quiet play: the mover wins at once or by an unanswered
/// four, or must answer a four.
#[must_use]
pub fn is_settled(board: &Board) -> bool {
    use yonsan::pattern::Group::{Five, StrongFour};
    let mover = board.side_to_move();
    board.count(mover, Five) > 0
        || board.count(mover, StrongFour) > 0
        || board.count(!mover, Five) > 0
}

/// Whether the move is forced, or needs no thought because it wins at once.
#[must_use]
pub fn is_forced(board: &Board) -> bool {
    use yonsan::pattern::Group::Five;
    Colour::ALL.iter().any(|&side| board.count(side, Five) > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use yonsan::board::parse_moves;
    use yonsan::eval::classical::{evaluate, move_score, point_table};
    use yonsan::eval::weights::{ClassicalWeights, SideWeights};
    use yonsan::pattern::Class;

    fn board(rule: Rule, side: u8, moves: &str) -> Board {
        let moves = parse_moves(moves).unwrap();
        let position = Position::from_moves(Size::square(side).unwrap(), &moves).unwrap();
        Board::new(position, point_table(rule))
    }

    fn embedded(rule: Rule, colour: Colour) -> SideWeights {
        let bytes = include_bytes!("../../../../src/eval/classical.weights");
        let weights = ClassicalWeights::from_bytes(bytes).unwrap();
        weights.side(rule, colour).clone()
    }

    /// The engine computes the value from the grid, this from the features.
    #[test]
    fn features_add_up_to_the_evaluation_of_the_engine() {
        for rule in Rule::ALL {
            for moves in ["", "h8", "h8h9j8j10g7", "h8j9g8j10j8j7k11k12"] {
                let board = board(rule, 19, moves);
                let mover = board.side_to_move();
                let (own, other) = (embedded(rule, mover), embedded(rule, !mover));
                let mut extractor = Extractor::new(rule);
                let (outlook, items) = extractor.value(&board);
                let sum = |items: &[ComboTimes], side: &SideWeights| -> i32 {
                    let worth =
                        |i: &ComboTimes| i.times() as i32 * i32::from(side.value[i.combo()]);
                    items.iter().map(worth).sum()
                };
                let (plus, minus) = items.split_at(usize::from(outlook.own_items));
                let value = sum(plus, &own) - sum(minus, &other)
                    + i32::from(own.threat[usize::from(outlook.threats)]);
                assert_eq!(value, evaluate(&board), "{rule} {moves}");
            }
        }
    }

    #[test]
    fn candidates_are_the_free_points_near_stones() {
        let mut board = board(Rule::Freestyle, 15, "h8h9");
        let mut near = Neighbourhood::new(board.size());
        let played = parse_moves("j9").unwrap()[0];
        let mut extractor = Extractor::new(Rule::Freestyle);
        let list = extractor.candidates(&mut board, &near, played).unwrap();
        // 7 columns: 5 of 6 points, less the stones, and the tips outside.
        let count: f32 = list.iter().map(|c| c.times()).sum();
        assert_eq!(count, 28.0 + 2.0 + 4.0 + 8.0);
        assert_eq!(list[0].times(), 1.0);
        let score = move_score(&board, played);
        let side = embedded(Rule::Freestyle, Colour::Black);
        let from_list = side.attack[list[0].own()] + side.defend[list[0].other()];
        assert_eq!(i32::from(from_list), score);
        let far = parse_moves("a1").unwrap()[0];
        assert!(extractor.candidates(&mut board, &near, far).is_none());
        near = Neighbourhood::new(Size::square(5).unwrap());
        assert_eq!(near.size().area(), 25);
    }

    /// Black may not play the crossing of two threes in renju.
    #[test]
    fn forbidden_points_are_no_candidates() {
        let moves = "h9a1h10c1j8e1k8g1";
        let crossing = parse_moves("h8").unwrap()[0];
        let played = parse_moves("g7").unwrap()[0];
        let count = |rule| {
            let mut board = board(rule, 15, moves);
            let near = Neighbourhood::new(board.size());
            assert_eq!(board.class(crossing, Colour::Black), Class::DoubleThree);
            let mut extractor = Extractor::new(rule);
            let list = extractor.candidates(&mut board, &near, played).unwrap();
            list.iter().map(|c| c.times()).sum::<f32>()
        };
        assert_eq!(count(Rule::Renju), count(Rule::Freestyle) - 1.0);
    }

    #[test]
    fn forced_positions_are_recognised() {
        let is = |moves| {
            let board = board(Rule::Standard, 15, moves);
            (is_settled(&board), is_forced(&board))
        };
        assert_eq!(is("h8a1h9c1"), (false, false));
        // A three is an open four for its owner, a threat to the other.
        assert_eq!(is("h8a1h9c1h10e1"), (true, false));
        assert_eq!(is("h8a1h9c1h10"), (false, false));
        assert_eq!(is("h8a1h9c1h10e1h11"), (true, true));
        assert_eq!(is("h8a1h9c1h10e1h11g1"), (true, true));
    }
}
