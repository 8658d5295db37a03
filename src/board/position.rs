//! Stones on a board, whose turn it is, and the way back.

use super::bitboard::Bitboard;
use super::colour::Colour;
use super::geometry::{Point, Size};
use super::lines::{Cell, Lines};
use super::zobrist;

/// A stone as it was put down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stone {
    /// Where.
    pub point: Point,
    /// Whose.
    pub colour: Colour,
}

/// Something that follows a position stone by stone, as shape grids and
/// accumulators do.
pub trait Observer {
    /// The stone has just been put down; `lines` hold it already.
    fn played(&mut self, lines: &Lines, stone: Stone);

    /// The stone, the newest one, has just been taken back; `lines` lack it.
    fn undone(&mut self, lines: &Lines, stone: Stone);
}

/// The observer that looks at nothing.
impl Observer for () {
    fn played(&mut self, _: &Lines, _: Stone) {}
    fn undone(&mut self, _: &Lines, _: Stone) {}
}

/// The stones of a game, in the order they were put down.
///
/// # Examples
///
/// ```
/// use yonsan::board::{Colour, Point, Position, Size};
///
/// let mut position = Position::new(Size::square(15).unwrap());
/// position.play(Point::new(7, 7).unwrap());
/// assert_eq!(position.side_to_move(), Colour::White);
/// position.undo();
/// assert_eq!(position, Position::new(Size::square(15).unwrap()));
/// ```
#[derive(Clone, Debug)]
pub struct Position {
    size: Size,
    lines: Lines,
    stones: Vec<Stone>,
    free: Bitboard,
    blocked: Bitboard,
    empty_count: u32,
    side_to_move: Colour,
    hash: u64,
}

impl Position {
    /// An empty board, Black to move.
    #[must_use]
    pub fn new(size: Size) -> Self {
        Self {
            size,
            lines: Lines::new(size),
            stones: Vec::with_capacity(size.area()),
            free: Bitboard::full(size),
            blocked: Bitboard::EMPTY,
            empty_count: size.area() as u32,
            side_to_move: Colour::Black,
            // Boards of different sizes never share a hash.
            hash: zobrist::mix(u64::from(size.width()) << 8 | u64::from(size.height())),
        }
    }

    /// A board after the given moves, Black first.
    ///
    /// # Errors
    ///
    /// The first move that is outside the board or on a taken point.
    pub fn from_moves(size: Size, moves: &[Point]) -> Result<Self, Point> {
        let mut position = Self::new(size);
        for &point in moves {
            if !position.is_empty(point) {
                return Err(point);
            }
            position.play(point);
        }
        Ok(position)
    }

    /// The size of the board.
    #[must_use]
    pub const fn size(&self) -> Size {
        self.size
    }

    /// The packed lines.
    #[must_use]
    pub const fn lines(&self) -> &Lines {
        &self.lines
    }

    /// Whose turn it is.
    #[must_use]
    pub const fn side_to_move(&self) -> Colour {
        self.side_to_move
    }

    /// Says whose turn it is: for set-up positions and for passing.
    pub const fn set_side_to_move(&mut self, colour: Colour) {
        if colour as u8 != self.side_to_move as u8 {
            self.side_to_move = colour;
            self.hash ^= zobrist::WHITE_TO_MOVE;
        }
    }

    /// What stands on a point; [`Cell::Wall`] outside the board.
    #[inline]
    #[must_use]
    pub const fn cell(&self, point: Point) -> Cell {
        self.lines.cell(point)
    }

    /// Whether the point is on the board and free.
    #[inline]
    #[must_use]
    pub const fn is_empty(&self, point: Point) -> bool {
        matches!(self.cell(point), Cell::Empty)
    }

    /// The stones in the order they were put down.
    #[must_use]
    pub fn stones(&self) -> &[Stone] {
        &self.stones
    }

    /// The newest stone.
    #[must_use]
    pub fn last(&self) -> Option<Stone> {
        self.stones.last().copied()
    }

    /// Points that are taken and belong to nobody.
    #[must_use]
    pub const fn blocked(&self) -> &Bitboard {
        &self.blocked
    }

    /// The free points.
    #[must_use]
    pub const fn free(&self) -> &Bitboard {
        &self.free
    }

    /// Number of free points.
    #[must_use]
    pub const fn empty_count(&self) -> u32 {
        self.empty_count
    }

    /// Whether no point is free.
    #[must_use]
    pub const fn is_full(&self) -> bool {
        self.empty_count == 0
    }

    /// The free points in the order of their indices.
    pub fn empty_points(&self) -> impl Iterator<Item = Point> {
        self.free.iter()
    }

    /// Zobrist hash of the size, the stones and the side to move.
    #[must_use]
    pub const fn hash(&self) -> u64 {
        self.hash
    }

    /// The hash that [`Position::play`] would lead to.
    #[inline]
    #[must_use]
    pub const fn hash_after(&self, point: Point) -> u64 {
        let cell = match self.side_to_move {
            Colour::Black => Cell::Black,
            Colour::White => Cell::White,
        };
        self.hash ^ zobrist::key(point, cell) ^ zobrist::WHITE_TO_MOVE
    }

    /// Puts a stone of the side to move and passes the turn.
    ///
    /// # Panics
    ///
    /// If the point is taken or outside the board.
    pub fn play(&mut self, point: Point) {
        self.play_observed(point, &mut ());
    }

    /// [`Position::play`], and tells the observer.
    ///
    /// # Panics
    ///
    /// If the point is taken or outside the board.
    pub fn play_observed(&mut self, point: Point, observer: &mut impl Observer) {
        assert!(self.is_empty(point), "{point} is not free");
        let colour = self.side_to_move;
        let stone = Stone { point, colour };
        self.flip(stone);
        self.empty_count -= 1;
        self.stones.push(stone);
        self.set_side_to_move(!colour);
        observer.played(&self.lines, stone);
    }

    /// Takes back the newest stone and gives the turn to its side.
    pub fn undo(&mut self) -> Option<Stone> {
        self.undo_observed(&mut ())
    }

    /// [`Position::undo`], and tells the observer.
    pub fn undo_observed(&mut self, observer: &mut impl Observer) -> Option<Stone> {
        let stone = self.stones.pop()?;
        self.flip(stone);
        self.empty_count += 1;
        self.set_side_to_move(stone.colour);
        observer.undone(&self.lines, stone);
        Some(stone)
    }

    /// Marks a free point as taken by nobody; there is no way back.
    ///
    /// # Panics
    ///
    /// If the point is taken or outside the board.
    pub fn block(&mut self, point: Point) {
        assert!(self.is_empty(point), "{point} is not free");
        self.lines.flip(point, Cell::Wall);
        self.hash ^= zobrist::key(point, Cell::Wall);
        self.free.remove(point);
        self.blocked.insert(point);
        self.empty_count -= 1;
    }

    fn flip(&mut self, stone: Stone) {
        let cell = Cell::from(stone.colour);
        self.lines.flip(stone.point, cell);
        self.free.toggle(stone.point);
        self.hash ^= zobrist::key(stone.point, cell);
    }
}

/// Two positions are equal if the same stones stand on the same board and the
/// same side is to move, however they came about.
impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        self.size == other.size
            && self.side_to_move == other.side_to_move
            && self.lines == other.lines
            && self.blocked == other.blocked
    }
}

impl Eq for Position {}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(x: u8, y: u8) -> Point {
        Point::new(x, y).unwrap()
    }

    #[test]
    fn hash_does_not_depend_on_order() {
        let size = Size::square(15).unwrap();
        let [a, b, c, d] = [point(3, 3), point(4, 4), point(5, 3), point(9, 14)];
        let one = Position::from_moves(size, &[a, b, c, d]).unwrap();
        let other = Position::from_moves(size, &[c, d, a, b]).unwrap();
        let swapped = Position::from_moves(size, &[b, a, c, d]).unwrap();
        assert_eq!(one.hash(), other.hash());
        assert_eq!(one, other);
        assert_ne!(one.hash(), swapped.hash());
        for point in [point(0, 0), point(9, 9)] {
            let mut next = one.clone();
            next.play(point);
            assert_eq!(one.hash_after(point), next.hash());
            let hash = next.hash_after(self::point(8, 1));
            next.play(self::point(8, 1));
            assert_eq!(hash, next.hash());
        }
        assert_ne!(one, swapped);
    }

    #[test]
    fn the_free_points_are_those_without_anything() {
        let mut position = Position::new(Size::new(7, 5).unwrap());
        let check = |position: &Position| {
            let free = position.size().points().filter(|&p| position.is_empty(p));
            assert!(position.empty_points().eq(free));
            assert_eq!(position.free().count(), position.empty_count());
        };
        for (x, y) in [(0, 0), (6, 4), (3, 2)] {
            position.play(point(x, y));
            check(&position);
        }
        position.block(point(5, 1));
        check(&position);
        while position.undo().is_some() {
            check(&position);
        }
    }

    #[test]
    fn hash_knows_side_size_and_blocked_points() {
        let empty = Position::new(Size::square(15).unwrap());
        let mut passed = empty.clone();
        passed.set_side_to_move(Colour::White);
        let mut blocked = empty.clone();
        blocked.block(point(2, 2));
        let small = Position::new(Size::square(14).unwrap());
        let hashes = [&empty, &passed, &blocked, &small].map(Position::hash);
        for (i, a) in hashes.iter().enumerate() {
            for b in &hashes[i + 1..] {
                assert_ne!(a, b);
            }
        }
        assert_eq!(blocked.empty_count(), 224);
        assert!(!blocked.is_empty(point(2, 2)));
    }

    #[test]
    fn bad_moves_are_told() {
        let size = Size::square(7).unwrap();
        assert_eq!(Position::from_moves(size, &[point(7, 0)]), Err(point(7, 0)));
        assert_eq!(
            Position::from_moves(size, &[point(1, 1), point(1, 1)]),
            Err(point(1, 1))
        );
    }

    #[test]
    fn undo_goes_all_the_way_back() {
        let size = Size::new(9, 6).unwrap();
        let empty = Position::new(size);
        let mut position = empty.clone();
        for point in size.points() {
            position.play(point);
        }
        assert!(position.is_full());
        while position.undo().is_some() {}
        assert_eq!(position, empty);
        assert_eq!(position.hash(), empty.hash());
        assert_eq!(position.empty_count(), 54);
    }
}
