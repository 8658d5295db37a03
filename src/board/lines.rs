//! The packed lines of a board.
//!
//! For each of the four directions every line is one word of 32 two-bit
//! cells: up to 22 points with at least five walls on either side. A point of
//! a diagonal stands at its column, so all cells of the word that are no point
//! of the board are walls too. The eleven cells around a point come out with
//! one shift and one mask.

use super::colour::Colour;
use super::geometry::{Direction, MAX_SIDE, Point, Size};

/// Bits of one cell in a line word.
pub const CELL_BITS: u32 = 2;
/// How many cells on either side of a point a window holds.
pub const LINE_REACH: u32 = 5;

/// Lines of one direction: 22 + 22 - 1 diagonals, rounded up to a power of
/// two so that a masked index needs no bounds check.
const LINE_ARRAY_LEN: usize = 64;
const WINDOW_MASK: u64 = (1 << ((2 * LINE_REACH + 1) * CELL_BITS)) - 1;
const CELL_MASK: u64 = (1 << CELL_BITS) - 1;

const _: () = assert!((MAX_SIDE as u32 + 2 * LINE_REACH) * CELL_BITS == u64::BITS);

/// What stands on a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cell {
    /// Nothing.
    Empty = 0,
    /// A black stone.
    Black = 1,
    /// A white stone.
    White = 2,
    /// The outside of the board, or a taken point that belongs to nobody.
    Wall = 3,
}

impl Cell {
    const fn from_bits(bits: u64) -> Self {
        match bits & CELL_MASK {
            0 => Self::Empty,
            1 => Self::Black,
            2 => Self::White,
            _ => Self::Wall,
        }
    }

    /// The colour of the stone, if there is one.
    #[must_use]
    pub const fn colour(self) -> Option<Colour> {
        match self {
            Self::Black => Some(Colour::Black),
            Self::White => Some(Colour::White),
            Self::Empty | Self::Wall => None,
        }
    }
}

impl From<Colour> for Cell {
    fn from(colour: Colour) -> Self {
        match colour {
            Colour::Black => Self::Black,
            Colour::White => Self::White,
        }
    }
}

/// Every row, column and diagonal of a board as packed words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lines {
    words: [[u64; LINE_ARRAY_LEN]; 4],
}

impl Lines {
    /// The lines of an empty board.
    #[must_use]
    pub fn new(size: Size) -> Self {
        let mut lines = Self {
            words: [[u64::MAX; LINE_ARRAY_LEN]; 4],
        };
        for point in size.points() {
            lines.flip(point, Cell::Wall);
        }
        lines
    }

    /// The number of the line through a point, and the point's place in it.
    #[inline]
    #[must_use]
    pub const fn locate(point: Point, direction: Direction) -> (usize, u32) {
        let (x, y) = (point.x() as usize, point.y() as usize);
        match direction {
            Direction::Horizontal => (y, x as u32),
            Direction::Vertical => (x, y as u32),
            Direction::Diagonal => (x + MAX_SIDE as usize - 1 - y, x as u32),
            Direction::AntiDiagonal => (x + y, x as u32),
        }
    }

    /// The whole line through a point: the point at place `n` has its cell at
    /// bit `2 * (n + 5)`.
    #[inline]
    #[must_use]
    pub const fn word(&self, point: Point, direction: Direction) -> u64 {
        let (line, _) = Self::locate(point, direction);
        self.words[direction.index()][line & (LINE_ARRAY_LEN - 1)]
    }

    /// The eleven cells around a point, lowest place first: 22 bits, the
    /// point itself at bits 10 and 11.
    #[inline]
    #[must_use]
    pub const fn window(&self, point: Point, direction: Direction) -> u32 {
        let (line, place) = Self::locate(point, direction);
        let word = self.words[direction.index()][line & (LINE_ARRAY_LEN - 1)];
        (word >> (place * CELL_BITS) & WINDOW_MASK) as u32
    }

    /// What stands on a point.
    #[inline]
    #[must_use]
    pub const fn cell(&self, point: Point) -> Cell {
        let (line, place) = Self::locate(point, Direction::Horizontal);
        let word = self.words[0][line & (LINE_ARRAY_LEN - 1)];
        Cell::from_bits(word >> ((place + LINE_REACH) * CELL_BITS))
    }

    /// Adds a cell's bits to those of a point, in all four lines: sets an
    /// empty point, and empties a point that holds this very cell.
    pub(super) const fn flip(&mut self, point: Point, cell: Cell) {
        let mut i = 0;
        while i < Direction::ALL.len() {
            let direction = Direction::ALL[i];
            let (line, place) = Self::locate(point, direction);
            let bits = (cell as u64) << ((place + LINE_REACH) * CELL_BITS);
            self.words[i][line & (LINE_ARRAY_LEN - 1)] ^= bits;
            i += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A window must show the same cells as a walk over the board.
    #[test]
    fn windows_agree_with_a_walk() {
        for (width, height) in [(5, 5), (15, 15), (22, 22), (7, 19), (20, 6)] {
            let size = Size::new(width, height).unwrap();
            let mut lines = Lines::new(size);
            for (i, point) in size.points().enumerate() {
                match i * 7 % 5 {
                    0 => lines.flip(point, Cell::Black),
                    1 => lines.flip(point, Cell::White),
                    _ => {}
                }
            }
            for point in size.points() {
                for direction in Direction::ALL {
                    let window = lines.window(point, direction);
                    for k in -5..=5i8 {
                        let seen = point
                            .step(direction, k)
                            .filter(|&p| size.contains(p))
                            .map_or(Cell::Wall, |p| lines.cell(p));
                        let packed = Cell::from_bits(u64::from(window >> (2 * (k + 5))));
                        assert_eq!(packed, seen, "{point} {direction:?} {k}");
                    }
                }
            }
        }
    }
}
