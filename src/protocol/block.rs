//! The lines between `BOARD` and `DONE`, and the position they describe.
//!
//! The manager waits for a move, so nothing in a block is fatal: what cannot
//! be used is passed over with a complaint, and the first stone on a point
//! counts. The blocks of `SWAP2BOARD` are read here too: their stones have no
//! owner, colours go by turns.

use super::command::{self, number};
use super::message::excerpt;
use crate::board::{Bitboard, Colour, Point, Position, Size, Stone};
use crate::rules::Rule;
use std::fmt;

/// What a block is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// A position to find a move for.
    Board,
    /// A position to remember.
    YixinBoard,
    /// An opening to choose from.
    Swap2Board,
    /// Points that are no answers from now on.
    Exclude,
    /// Points that are answers again.
    Readmit,
    /// A question to a database.
    Query,
    /// Something of Yixin's that is passed over.
    Foreign,
}

impl BlockKind {
    const fn holds_stones(self) -> bool {
        matches!(self, Self::Board | Self::YixinBoard | Self::Swap2Board)
    }

    const fn holds_points(self) -> bool {
        matches!(self, Self::Exclude | Self::Readmit)
    }
}

/// Whose stone, seen from the side that is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    Mover,
    Opponent,
    Nobody,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    point: Point,
    owner: Owner,
}

/// Why a line of a block was passed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntryError {
    /// Not `x,y,kind` with kind 1 to 3.
    NotAStone(String),
    /// Not `x,y`, where only points are wanted.
    NotAPoint(String),
    /// A stone, but not on a point of the board.
    Outside(String),
    /// The point was named before.
    Taken(String),
}

impl fmt::Display for EntryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAStone(text) => write!(f, "'{text}' in the block is no stone x,y,kind"),
            Self::NotAPoint(text) => write!(f, "'{text}' in the block is no point x,y"),
            Self::Outside(text) => write!(f, "'{text}' in the block names no point of the board"),
            Self::Taken(text) => write!(f, "'{text}' in the block is on a taken point"),
        }
    }
}

impl std::error::Error for EntryError {}

/// A block that is being read.
#[derive(Debug)]
pub struct Block {
    kind: BlockKind,
    size: Option<Size>,
    entries: Vec<Entry>,
    taken: Bitboard,
    /// Lines so far, those passed over among them.
    line_count: usize,
}

impl Block {
    /// An empty block; `size` is the board's, if there is a game.
    pub const fn new(kind: BlockKind, size: Option<Size>) -> Self {
        Self {
            kind,
            size,
            entries: Vec::new(),
            taken: Bitboard::EMPTY,
            line_count: 0,
        }
    }

    /// What the block is for.
    pub const fn kind(&self) -> BlockKind {
        self.kind
    }

    /// Whether a line ends a block.
    pub const fn is_end(text: &str) -> bool {
        text.eq_ignore_ascii_case("DONE")
    }

    /// Takes a line.
    ///
    /// # Errors
    ///
    /// If the line is passed over.
    pub fn add(&mut self, text: &str) -> Result<(), EntryError> {
        if self.kind.holds_points() {
            let point = command::point(text).map_err(|_| EntryError::NotAPoint(excerpt(text)))?;
            self.taken.insert(point);
            return Ok(());
        }
        let Some(size) = self.size.filter(|_| self.kind.holds_stones()) else {
            return Ok(());
        };
        self.line_count += 1;
        let (point, owner) = if self.kind == BlockKind::Swap2Board {
            read_opening_stone(text).ok_or_else(|| EntryError::NotAPoint(excerpt(text)))?
        } else {
            read_entry(text).ok_or_else(|| EntryError::NotAStone(excerpt(text)))?
        };
        let point = point
            .filter(|&point| size.contains(point))
            .ok_or_else(|| EntryError::Outside(excerpt(text)))?;
        if self.taken.contains(point) {
            return Err(EntryError::Taken(excerpt(text)));
        }
        self.taken.insert(point);
        self.entries.push(Entry { point, owner });
        Ok(())
    }

    /// The points that the block has named.
    pub const fn points(&self) -> &Bitboard {
        &self.taken
    }

    /// The position, the owner of the stones of kind 1 to move; `None`
    /// without a game.
    pub fn position(&self, rule: Rule) -> Option<Position> {
        let mut position = Position::new(self.size?);
        let mover = self.mover(rule);
        for stone in in_turn(self.stones(mover)) {
            position.set_side_to_move(stone.colour);
            position.play(stone.point);
        }
        for entry in &self.entries {
            if entry.owner == Owner::Nobody {
                position.block(entry.point);
            }
        }
        position.set_side_to_move(mover);
        Some(position)
    }

    /// The stones of an opening in order; `None` if a line was passed over.
    pub fn opening(&self) -> Option<Vec<Point>> {
        let is_complete = self.entries.len() == self.line_count;
        is_complete.then(|| self.sequence())
    }

    /// The stones in the order of the lines.
    pub fn sequence(&self) -> Vec<Point> {
        self.entries.iter().map(|entry| entry.point).collect()
    }

    fn stones(&self, mover: Colour) -> Vec<Stone> {
        let stone = |entry: &Entry| {
            let colour = match entry.owner {
                Owner::Mover => mover,
                Owner::Opponent => !mover,
                Owner::Nobody => return None,
            };
            Some(Stone {
                point: entry.point,
                colour,
            })
        };
        self.entries.iter().filter_map(stone).collect()
    }

    /// The colour of the side to move. In renju the stones come in the order
    /// they were played and the first is black; elsewhere they come in any
    /// order and the numbers tell, unless no game can have them.
    fn mover(&self, rule: Rule) -> Colour {
        let count = |owner| self.entries.iter().filter(|e| e.owner == owner).count();
        let (own, other) = (count(Owner::Mover), count(Owner::Opponent));
        if rule != Rule::Renju {
            if own == other {
                return Colour::Black;
            }
            if own + 1 == other {
                return Colour::White;
            }
        }
        if let Some(colour) = self.mover_by_turns().filter(|_| rule == Rule::Renju) {
            return colour;
        }
        let first = self.entries.iter().find(|e| e.owner != Owner::Nobody);
        match first.map(|entry| entry.owner) {
            Some(Owner::Opponent) => Colour::White,
            _ => Colour::Black,
        }
    }

    /// The colour of the side to move if the lines are the moves of a game,
    /// where stones that are nobody's any more keep their place, as in a
    /// continuous game; `None` if the colours do not go by turns so.
    fn mover_by_turns(&self) -> Option<Colour> {
        let turns = self.entries.iter().zip(Colour::ALL.iter().cycle());
        let mut movers = turns.filter_map(|(entry, &colour)| match entry.owner {
            Owner::Mover => Some(colour),
            Owner::Opponent => Some(!colour),
            Owner::Nobody => None,
        });
        let first = movers.next()?;
        movers.all(|mover| mover == first).then_some(first)
    }
}

/// Reads `x,y,kind`. The inner `None` is a point outside every board.
fn read_entry(text: &str) -> Option<(Option<Point>, Owner)> {
    let (x, rest) = text.split_once(',')?;
    let (y, kind) = rest.split_once(',')?;
    let owner = match kind.trim() {
        "1" => Owner::Mover,
        "2" => Owner::Opponent,
        "3" => Owner::Nobody,
        _ => return None,
    };
    let point = number(x).zip(number(y));
    Some((point.and_then(|(x, y)| Point::new(x, y)), owner))
}

/// Reads `x,y`. Some managers write an owner behind it as in other blocks; it
/// says nothing here.
fn read_opening_stone(text: &str) -> Option<(Option<Point>, Owner)> {
    read_entry(text).or_else(|| {
        let (x, y) = text.split_once(',')?;
        let point = number(x).zip(number(y));
        let is_number = |text: &str| text.trim().bytes().all(|byte| byte.is_ascii_digit());
        let is_stone = !x.trim().is_empty() && !y.trim().is_empty();
        (is_stone && is_number(x) && is_number(y))
            .then(|| (point.and_then(|(x, y)| Point::new(x, y)), Owner::Mover))
    })
}

/// The stones as a game would have brought them: as they are if Black begins
/// and colours alternate, else with the colours taken in turn as far as they
/// go. Each colour keeps its own order.
fn in_turn(stones: Vec<Stone>) -> Vec<Stone> {
    let expected = Colour::ALL.iter().cycle();
    if stones.iter().zip(expected).all(|(s, &c)| s.colour == c) {
        return stones;
    }
    let of = |colour| stones.iter().filter(move |s| s.colour == colour).copied();
    let (mut black, mut white) = (of(Colour::Black), of(Colour::White));
    let mut ordered = Vec::with_capacity(stones.len());
    while ordered.len() < stones.len() {
        ordered.extend(black.next());
        ordered.extend(white.next());
    }
    ordered
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Cell, format_moves};

    fn block(lines: &str) -> Block {
        let mut block = Block::new(BlockKind::Board, Size::square(15));
        for line in lines.split(' ') {
            block.add(line).unwrap();
        }
        block
    }

    fn order(position: &Position) -> String {
        let points: Vec<Point> = position.stones().iter().map(|s| s.point).collect();
        format_moves(&points)
    }

    #[test]
    fn equal_numbers_make_the_mover_black() {
        let position = block("7,7,1 8,8,2").position(Rule::Freestyle).unwrap();
        assert_eq!(position.side_to_move(), Colour::Black);
        let played = Position::from_moves(position.size(), &points("h8i9")).unwrap();
        assert_eq!(position, played);
    }

    fn points(text: &str) -> Vec<Point> {
        crate::board::parse_moves(text).unwrap()
    }

    #[test]
    fn one_more_of_the_opponent_makes_the_mover_white() {
        let position = block("1,1,2 4,1,1 4,2,2").position(Rule::Standard).unwrap();
        assert_eq!(position.side_to_move(), Colour::White);
        assert_eq!(order(&position), "b2e2e3");
        assert_eq!(position.cell(points("e2")[0]), Cell::White);
    }

    #[test]
    fn stones_in_any_order_are_put_in_turn() {
        let lines = "10,8,2 7,8,2 9,7,1 7,7,1";
        let position = block(lines).position(Rule::Freestyle).unwrap();
        assert_eq!(position.side_to_move(), Colour::Black);
        assert_eq!(order(&position), "j8k9h8h9");
        let colours: Vec<Colour> = position.stones().iter().map(|s| s.colour).collect();
        assert_eq!(
            colours,
            [Colour::Black, Colour::White, Colour::Black, Colour::White]
        );
    }

    #[test]
    fn renju_goes_by_the_first_stone() {
        let lines = "10,8,2 9,7,1 7,8,2 7,7,1";
        let renju = block(lines).position(Rule::Renju).unwrap();
        assert_eq!(renju.side_to_move(), Colour::White);
        assert_eq!(renju.cell(points("k9")[0]), Cell::Black);
        let other = block(lines).position(Rule::Caro).unwrap();
        assert_eq!(other.side_to_move(), Colour::Black);
    }

    /// A continuous game sends the stones of a won row as nobody's.
    #[test]
    fn nobodys_stones_keep_their_turn_in_renju() {
        let lines = "7,7,3 0,0,1 7,8,3 1,0,1 7,9,3 2,0,1 7,10,3 3,0,1 7,11,3";
        let position = block(lines).position(Rule::Renju).unwrap();
        assert_eq!(position.side_to_move(), Colour::White);
        assert_eq!(position.cell(points("a1")[0]), Cell::White);
        // Without turns the first stone is black.
        let position = block("0,0,3 7,7,1 8,8,1").position(Rule::Renju).unwrap();
        assert_eq!(position.side_to_move(), Colour::Black);
    }

    #[test]
    fn openings_are_points_in_order() {
        let opening = |lines: &[&str]| {
            let mut block = Block::new(BlockKind::Swap2Board, Size::square(15));
            let results: Vec<bool> = lines.iter().map(|line| block.add(line).is_ok()).collect();
            (block.opening().map(|o| format_moves(&o)), results)
        };
        assert_eq!(opening(&[]).0.as_deref(), Some(""));
        let three = opening(&["7,7", " 8 , 7", "9,9,1"]);
        assert_eq!(three.0.as_deref(), Some("h8i8j10"));
        for bad in [
            "7,7", "15,0", "300,1", "x", "7", "7,7,7", "-1,3", ",", "1,2,3,4",
        ] {
            let (points, results) = opening(&["7,7", bad, "8,8"]);
            assert_eq!(points, None, "{bad}");
            assert_eq!(results, [true, false, true], "{bad}");
        }
        let mut block = Block::new(BlockKind::Swap2Board, Size::square(15));
        assert!(matches!(block.add("7,x"), Err(EntryError::NotAPoint(_))));
        assert!(matches!(block.add("99,7"), Err(EntryError::Outside(_))));
    }

    #[test]
    fn odd_numbers_and_blocked_points() {
        let position = block("0,0,3 7,7,1 8,8,1 3,3,1")
            .position(Rule::Freestyle)
            .unwrap();
        assert_eq!(position.side_to_move(), Colour::Black);
        assert_eq!(position.stones().len(), 3);
        assert!(position.blocked().contains(points("a1")[0]));
        let position = block("7,7,2 8,8,2").position(Rule::Freestyle).unwrap();
        assert_eq!(position.side_to_move(), Colour::White);
        assert!(position.stones().iter().all(|s| s.colour == Colour::Black));
    }

    #[test]
    fn bad_lines_are_passed_over() {
        let mut block = block("7,7,1");
        for text in ["hello", "9,9", "8,8,7", "8,8,1,1", "", "8,8,01"] {
            assert!(
                matches!(block.add(text), Err(EntryError::NotAStone(_))),
                "{text}"
            );
        }
        for text in ["15,0,1", "0,15,2", "99,99,2", "-1,3,2", "300,1,1"] {
            assert!(
                matches!(block.add(text), Err(EntryError::Outside(_))),
                "{text}"
            );
        }
        assert!(matches!(block.add("7,7,2"), Err(EntryError::Taken(_))));
        assert_eq!(block.add(" 3 , 4 , 2 "), Ok(()));
        assert_eq!(block.position(Rule::Freestyle).unwrap().stones().len(), 2);
    }

    #[test]
    fn blocks_of_points() {
        let mut block = Block::new(BlockKind::Exclude, None);
        assert_eq!(block.add("7,8"), Ok(()));
        assert_eq!(block.add(" 7, 8"), Ok(()));
        for text in ["7,8,1", "x", "22,0"] {
            assert_eq!(block.add(text), Err(EntryError::NotAPoint(text.into())));
        }
        let named: Vec<Point> = block.points().iter().collect();
        assert_eq!(named, [Point::new(7, 8).unwrap()]);
    }

    #[test]
    fn without_a_game_everything_is_swallowed() {
        let mut block = Block::new(BlockKind::Board, None);
        assert_eq!(block.add("hello"), Ok(()));
        assert!(block.position(Rule::Freestyle).is_none());
    }
}
