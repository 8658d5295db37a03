//! What is decided at a glance, from the counts of the grid alone.

use super::rows::Line;
use crate::board::{Bitboard, Colour, Direction, Point};
use crate::pattern::{Board, Group, LineRule, Shape};
use crate::rules::Rule;

/// Farthest point whose stone can close a row through another point.
const FARTHEST: i8 = 5;

/// A short list of points that never allocates.
#[derive(Clone, Copy, Debug)]
pub struct ShortList {
    points: [Option<Point>; Self::CAPACITY],
    length: usize,
}

impl ShortList {
    const CAPACITY: usize = 16;

    pub(super) const fn new() -> Self {
        Self {
            points: [None; Self::CAPACITY],
            length: 0,
        }
    }

    /// Adds a point that is not in the list yet; a full list stays as it is.
    pub(super) fn push(&mut self, point: Point) {
        if self.length < Self::CAPACITY && !self.iter().any(|p| p == point) {
            self.points[self.length] = Some(point);
            self.length += 1;
        }
    }

    /// The points.
    pub fn iter(&self) -> impl Iterator<Item = Point> + use<> {
        self.points.into_iter().take(self.length).flatten()
    }

    /// Number of points.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.length
    }

    /// Whether there is no point.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.length == 0
    }
}

/// A win of the side to move that needs no search: the move, and the plies to
/// the winning stone, 1 or 3.
#[must_use]
pub fn static_win(board: &mut Board) -> Option<(Point, u32)> {
    let side = board.side_to_move();
    if let Some(point) = board.group(side, Group::Five).iter().next() {
        return Some((point, 1));
    }
    if board.count(!side, Group::Five) > 0 || board.count(side, Group::StrongFour) == 0 {
        return None;
    }
    let strong = *board.group(side, Group::StrongFour);
    strong
        .iter()
        .find(|&point| !board.is_forbidden(point, side))
        .map(|point| (point, 3))
}

/// All legal moves of the other side after which `attacker` cannot make a five
/// at once. `attacker` must have such a five now.
#[must_use]
pub fn five_stoppers(board: &mut Board, attacker: Colour) -> ShortList {
    let fives = *board.group(attacker, Group::Five);
    let mut stoppers = ShortList::new();
    if matches!(board.rule(), Rule::Caro | Rule::CaroExact) {
        for candidate in closing_points(board, attacker).iter() {
            if stops_all_fives(board, attacker, candidate) {
                stoppers.push(candidate);
            }
        }
    } else if board.count(attacker, Group::Five) == 1
        && let Some(point) = fives.iter().next()
        && !board.is_forbidden(point, !attacker)
    {
        stoppers.push(point);
    }
    stoppers
}

fn stops_all_fives(board: &mut Board, attacker: Colour, point: Point) -> bool {
    board.with_stone(point, !attacker, |board| {
        board.count(attacker, Group::Five) == 0
    })
}

/// In caro: the points that complete a five, and those at the end of one.
fn closing_points(board: &Board, attacker: Colour) -> ShortList {
    let rule = LineRule::new(board.rule(), attacker);
    let mut points = ShortList::new();
    for five in board.group(attacker, Group::Five) {
        for direction in Direction::ALL {
            let line = Line::through(board.position().lines(), five, direction);
            let cells = line.rows(attacker, rule).closing_cells();
            line.points(cells).for_each(|point| points.push(point));
        }
    }
    points
}

/// Adds the free points of the lines in which a stone of the attacker on
/// `point` makes a four or a five: in caro a stone behind the end of a row
/// counts too.
pub fn insert_row_points(board: &Board, point: Point, attacker: Colour, set: &mut Bitboard) {
    for direction in Direction::ALL {
        if board.shape(point, attacker, direction) < Shape::Four {
            continue;
        }
        for steps in -FARTHEST..=FARTHEST {
            if let Some(other) = point.step(direction, steps)
                && board.position().is_empty(other)
            {
                set.insert(other);
            }
        }
    }
}
