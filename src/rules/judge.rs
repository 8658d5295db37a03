//! The oracle: wins and fouls read straight off the board.
//!
//! Slow and plain on purpose, one clause of the rules a function, no tables.
//! The fast judgement of the search is tested against it. Renju follows the
//! International Rules of Renju of the RIF, sections 3 and 9: a five beats
//! every foul, and a three counts only if the stone that would make it a
//! straight four is itself allowed and makes no five.

use super::Rule;
use crate::board::{Cell, Colour, Direction, Point, Position};
use std::fmt;

/// Stones of a winning row.
const FIVE: i8 = 5;

/// Why a black stone is forbidden in renju.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Foul {
    /// Six or more in a row.
    Overline,
    /// Two or more fours.
    DoubleFour,
    /// Two or more threes.
    DoubleThree,
}

impl fmt::Display for Foul {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Overline => "overline",
            Self::DoubleFour => "double four",
            Self::DoubleThree => "double three",
        })
    }
}

/// Whether a stone of `colour` put on the free point `point` wins at once.
///
/// # Examples
///
/// ```
/// use yonsan::board::{Colour, Position, Size, parse_moves};
/// use yonsan::rules::{Rule, judge};
///
/// let moves = parse_moves("d8a1e8c1f8e1h8g1i8i1").unwrap();
/// let position = Position::from_moves(Size::square(15).unwrap(), &moves).unwrap();
/// let g8 = "g8".parse().unwrap();
/// assert!(judge::wins(&position, Rule::Freestyle, g8, Colour::Black));
/// assert!(!judge::wins(&position, Rule::Standard, g8, Colour::Black));
/// ```
#[must_use]
pub fn wins(position: &Position, rule: Rule, point: Point, colour: Colour) -> bool {
    let board = Board::new(position);
    Direction::ALL
        .into_iter()
        .any(|direction| row_wins(rule, colour, &board.row(point, direction, colour)))
}

fn row_wins(rule: Rule, colour: Colour, row: &Row) -> bool {
    match rule {
        Rule::Freestyle => row.length() >= FIVE,
        Rule::Standard => row.length() == FIVE,
        Rule::Renju => match colour {
            Colour::Black => row.length() == FIVE,
            Colour::White => row.length() >= FIVE,
        },
        Rule::Caro => row.length() > FIVE || row.length() == FIVE && !row.is_closed(!colour),
        Rule::CaroExact => row.length() == FIVE && !row.is_closed(!colour),
    }
}

/// The points of the row with which a stone of `colour` on the free point
/// `point` wins, that point among them; empty if it does not win.
///
/// If it wins with several rows at once the answer is one of them, chosen as
/// Piskvork does for its continuous game: the first of column, rising
/// diagonal, row and falling diagonal, where rising means that columns and
/// rows grow together.
#[must_use]
pub fn winning_row(position: &Position, rule: Rule, point: Point, colour: Colour) -> Vec<Point> {
    const ORDER: [Direction; 4] = [
        Direction::Vertical,
        Direction::Diagonal,
        Direction::Horizontal,
        Direction::AntiDiagonal,
    ];
    let board = Board::new(position);
    let mut rows = ORDER
        .map(|direction| (direction, board.row(point, direction, colour)))
        .into_iter();
    let won = rows.find(|(_, row)| row_wins(rule, colour, row));
    won.map_or_else(Vec::new, |(direction, row)| {
        (row.first..=row.last)
            .filter_map(|steps| point.step(direction, steps))
            .collect()
    })
}

/// Why a black stone on the free point would be a foul in renju, or `None`
/// if it would be legal. Looks at the stones only, not at whose turn it is.
///
/// If several fouls hold at once the answer is the first of overline, double
/// four and double three.
///
/// # Examples
///
/// ```
/// use yonsan::board::{Position, Size, parse_moves};
/// use yonsan::rules::judge::{Foul, renju_foul};
///
/// let moves = parse_moves("f8a1g8c1h9e1h10g1").unwrap();
/// let position = Position::from_moves(Size::square(15).unwrap(), &moves).unwrap();
/// let h8 = "h8".parse().unwrap();
/// assert_eq!(renju_foul(&position, h8), Some(Foul::DoubleThree));
/// ```
#[must_use]
pub fn renju_foul(position: &Position, point: Point) -> Option<Foul> {
    foul(&Board::new(position), point)
}

/// A position with some black stones more: those imagined so far on the way
/// from a three to the straight four it might become.
#[derive(Clone)]
struct Board<'a> {
    position: &'a Position,
    imagined: Vec<Point>,
}

impl<'a> Board<'a> {
    const fn new(position: &'a Position) -> Self {
        Self {
            position,
            imagined: Vec::new(),
        }
    }

    /// The board with a black stone more.
    fn with(&self, point: Point) -> Self {
        let mut board = self.clone();
        board.imagined.push(point);
        board
    }

    /// What stands `steps` steps from the point.
    fn cell(&self, point: Point, direction: Direction, steps: i8) -> Cell {
        match point.step(direction, steps) {
            None => Cell::Wall,
            Some(point) if self.imagined.contains(&point) => Cell::Black,
            Some(point) => self.position.cell(point),
        }
    }

    /// The free point `steps` steps from the point, if there is one.
    fn free(&self, point: Point, direction: Direction, steps: i8) -> Option<Point> {
        point
            .step(direction, steps)
            .filter(|_| self.cell(point, direction, steps) == Cell::Empty)
    }

    /// The row a stone of `colour` on the point stands in, whatever is on
    /// the point now.
    fn row(&self, point: Point, direction: Direction, colour: Colour) -> Row {
        let own = Cell::from(colour);
        let mut row = Row {
            first: 0,
            last: 0,
            ends: [Cell::Wall; 2],
        };
        while self.cell(point, direction, row.first - 1) == own {
            row.first -= 1;
        }
        while self.cell(point, direction, row.last + 1) == own {
            row.last += 1;
        }
        row.ends = [row.first - 1, row.last + 1].map(|end| self.cell(point, direction, end));
        row
    }

    fn black_row(&self, point: Point, direction: Direction) -> Row {
        self.row(point, direction, Colour::Black)
    }
}

/// Stones of one colour side by side, as long as they go.
struct Row {
    /// Steps from the point asked about to the first stone, 0 or less.
    first: i8,
    /// Steps from the point asked about to the last stone, 0 or more.
    last: i8,
    /// What comes before the first stone and after the last one.
    ends: [Cell; 2],
}

impl Row {
    const fn length(&self) -> i8 {
        self.last - self.first + 1
    }

    /// Whether the stone so many steps from the point asked about is one of
    /// the row.
    fn reaches(&self, steps: i8) -> bool {
        (self.first..=self.last).contains(&steps)
    }

    /// Whether a stone of the opponent stands right at both ends. The edge
    /// and points that are nobody's leave a row open.
    fn is_closed(&self, opponent: Colour) -> bool {
        self.ends == [Cell::from(opponent); 2]
    }
}

/// Sections 9.2 and 9.3: which foul a black stone on the free point is.
fn foul(board: &Board, point: Point) -> Option<Foul> {
    if is_far_from_black(board, point) || makes_five(board, point) {
        return None;
    }
    if makes_overline(board, point) {
        return Some(Foul::Overline);
    }
    let board = board.with(point);
    if makes_double_four(&board, point) {
        return Some(Foul::DoubleFour);
    }
    makes_double_three(&board, point).then_some(Foul::DoubleThree)
}

/// Whether fewer than four black stones stand within five steps on the lines
/// through the point. No foul goes without: two threes need two stones each
/// beside the new one, and two fours in one line, as in `X.XXX.X`, or an
/// overline no fewer. Saves time and decides nothing.
fn is_far_from_black(board: &Board, point: Point) -> bool {
    let black_on = |direction| {
        (-FIVE..=FIVE)
            .filter(|&steps| steps != 0 && board.cell(point, direction, steps) == Cell::Black)
            .count()
    };
    Direction::ALL.map(black_on).iter().sum::<usize>() < 4
}

/// A row of exactly five.
fn makes_five(board: &Board, point: Point) -> bool {
    Direction::ALL
        .into_iter()
        .any(|direction| board.black_row(point, direction).length() == FIVE)
}

/// A row of six or more.
fn makes_overline(board: &Board, point: Point) -> bool {
    Direction::ALL
        .into_iter()
        .any(|direction| board.black_row(point, direction).length() > FIVE)
}

/// Two fours through the black stone on the point, in one line or in two.
fn makes_double_four(board: &Board, point: Point) -> bool {
    let fours = Direction::ALL.map(|direction| count_fours(board, point, direction));
    fours.iter().sum::<usize>() >= 2
}

/// A four: four stones, the one on the point among them, that one more stone
/// makes a five. Different sets of four stones are different fours, so a
/// straight four, which two stones can complete, is one.
fn count_fours(board: &Board, point: Point, direction: Direction) -> usize {
    let mut fours: Vec<Vec<i8>> = Vec::new();
    for steps in 1 - FIVE..FIVE {
        let Some(completing) = board.free(point, direction, steps) else {
            continue;
        };
        let row = board.black_row(completing, direction);
        if row.length() == FIVE && row.reaches(-steps) {
            let five = steps + row.first..=steps + row.last;
            let four = five.filter(|&stone| stone != steps).collect();
            if !fours.contains(&four) {
                fours.push(four);
            }
        }
    }
    fours.len()
}

/// Two threes through the black stone on the point. One line never holds
/// two, so it is enough to count the lines.
fn makes_double_three(board: &Board, point: Point) -> bool {
    let straight_fours = Direction::ALL
        .map(|direction| straight_four_points(board, point, direction))
        .into_iter()
        .filter(|points| !points.is_empty());
    // Looking deeper is dear, and a single line will not do anyway.
    if straight_fours.clone().count() < 2 {
        return false;
    }
    straight_fours
        .filter(|points| is_three(board, points))
        .nth(1)
        .is_some()
}

/// Section 3 with 9.3: stones that could become a straight four are a three
/// only if Black may really do that somewhere.
fn is_three(board: &Board, straight_four_points: &[Point]) -> bool {
    straight_four_points
        .iter()
        .any(|&point| !makes_five(board, point) && foul(board, point).is_none())
}

/// The free points at which a stone makes a straight four together with the
/// stone on the point.
fn straight_four_points(board: &Board, point: Point, direction: Direction) -> Vec<Point> {
    (-3..=3)
        .filter_map(|steps| {
            let added = board.free(point, direction, steps)?;
            let row = board.black_row(added, direction);
            let is_four = row.length() == FIVE - 1 && row.reaches(-steps);
            (is_four && is_straight(board, added, direction, &row)).then_some(added)
        })
        .collect()
}

/// Whether a row of four, one stone of it just added, can become exactly five
/// at both ends.
fn is_straight(board: &Board, added: Point, direction: Direction, row: &Row) -> bool {
    let board = board.with(added);
    [row.first - 1, row.last + 1].into_iter().all(|steps| {
        board
            .free(added, direction, steps)
            .is_some_and(|end| board.black_row(end, direction).length() == FIVE)
    })
}
