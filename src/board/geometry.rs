//! Points, board sizes, directions and the eight symmetries of a board.
//!
//! A [`Point`] is a place on the largest board; whether it lies on a given
//! board is asked of the [`Size`]. Its index leaves ten unused columns behind
//! each row, so that a step in any direction is one addition and shifting a
//! whole point set never carries a stone from one row into the next.

use std::fmt;

/// The shortest side a board can have.
pub const MIN_SIDE: u8 = 5;
/// The longest side a board can have.
pub const MAX_SIDE: u8 = 22;
/// Distance between the indices of two points above each other.
pub const ROW_STRIDE: usize = 32;
/// Length of an array that is indexed by [`Point::index`]: a power of two, so
/// that a masked index needs no bounds check.
pub const POINT_ARRAY_LEN: usize = 1024;

const COLUMN_MASK: u16 = ROW_STRIDE as u16 - 1;
const _: () = assert!(MAX_SIDE as usize * ROW_STRIDE <= POINT_ARRAY_LEN);

/// A point of the board: column `x` from the left and row `y`, both from 0.
///
/// # Examples
///
/// ```
/// use yonsan::board::Point;
///
/// let h8 = Point::new(7, 7).unwrap();
/// assert_eq!((h8.x(), h8.y()), (7, 7));
/// assert_eq!(h8.to_string(), "h8");
/// assert!(Point::new(22, 0).is_none());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point(u16);

impl Point {
    /// The point in column `x` and row `y`, each 0 to 21; `None` outside.
    #[must_use]
    pub const fn new(x: u8, y: u8) -> Option<Self> {
        if x < MAX_SIDE && y < MAX_SIDE {
            Some(Self((y as u16) << 5 | x as u16))
        } else {
            None
        }
    }

    /// The point with this [`Point::index`]; `None` if no point has it.
    #[must_use]
    pub const fn from_index(index: usize) -> Option<Self> {
        if index >= POINT_ARRAY_LEN {
            return None;
        }
        Self::new((index % ROW_STRIDE) as u8, (index / ROW_STRIDE) as u8)
    }

    /// A point from an index known to be good, as bit sets and tables hold it.
    pub(crate) const fn from_index_unchecked(index: usize) -> Self {
        debug_assert!(index < MAX_SIDE as usize * ROW_STRIDE);
        debug_assert!(index % ROW_STRIDE < MAX_SIDE as usize);
        Self(index as u16)
    }

    /// Column, 0 to 21, from the left.
    #[must_use]
    pub const fn x(self) -> u8 {
        (self.0 & COLUMN_MASK) as u8
    }

    /// Row, 0 to 21.
    #[must_use]
    pub const fn y(self) -> u8 {
        (self.0 >> 5) as u8
    }

    /// A number below [`POINT_ARRAY_LEN`], for tables: `32 * y + x`.
    #[must_use]
    pub const fn index(self) -> usize {
        // The mask tells the compiler the bound.
        self.0 as usize & (POINT_ARRAY_LEN - 1)
    }

    /// The point `steps` steps away, if it is still a point of the largest board.
    #[must_use]
    pub const fn step(self, direction: Direction, steps: i8) -> Option<Self> {
        let (dx, dy) = direction.delta();
        let x = self.x() as i8 + dx * steps;
        let y = self.y() as i8 + dy * steps;
        if x < 0 || y < 0 {
            return None;
        }
        Self::new(x as u8, y as u8)
    }

    /// Number of king's moves between two points.
    #[must_use]
    pub const fn distance(self, other: Self) -> u8 {
        let dx = self.x().abs_diff(other.x());
        let dy = self.y().abs_diff(other.y());
        if dx > dy { dx } else { dy }
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Width and height of a board, each [`MIN_SIDE`] to [`MAX_SIDE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    width: u8,
    height: u8,
}

impl Size {
    /// A board of `width` columns and `height` rows; `None` if a side is
    /// shorter than 5 or longer than 22.
    #[must_use]
    pub const fn new(width: u8, height: u8) -> Option<Self> {
        if width < MIN_SIDE || width > MAX_SIDE || height < MIN_SIDE || height > MAX_SIDE {
            return None;
        }
        Some(Self { width, height })
    }

    /// A square board; `None` if `side` is not 5 to 22.
    #[must_use]
    pub const fn square(side: u8) -> Option<Self> {
        Self::new(side, side)
    }

    /// Number of columns.
    #[must_use]
    pub const fn width(self) -> u8 {
        self.width
    }

    /// Number of rows.
    #[must_use]
    pub const fn height(self) -> u8 {
        self.height
    }

    /// Number of points.
    #[must_use]
    pub const fn area(self) -> usize {
        self.width as usize * self.height as usize
    }

    /// Whether both sides are equal.
    #[must_use]
    pub const fn is_square(self) -> bool {
        self.width == self.height
    }

    /// Whether the point lies on this board.
    #[must_use]
    pub const fn contains(self, point: Point) -> bool {
        point.x() < self.width && point.y() < self.height
    }

    /// The point in column `x` and row `y`, if it lies on this board.
    #[must_use]
    pub const fn point(self, x: u8, y: u8) -> Option<Point> {
        if x < self.width && y < self.height {
            Point::new(x, y)
        } else {
            None
        }
    }

    /// The middle of the board, `(width / 2, height / 2)` rounded down.
    #[must_use]
    pub const fn centre(self) -> Point {
        Point(((self.height as u16 / 2) << 5) | (self.width as u16 / 2))
    }

    /// All points, row by row.
    pub fn points(self) -> impl Iterator<Item = Point> {
        (0..self.height).flat_map(move |y| {
            (0..self.width).map(move |x| Point(u16::from(y) << 5 | u16::from(x)))
        })
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

/// One of the four directions in which stones can stand in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Along a row.
    Horizontal = 0,
    /// Along a column.
    Vertical = 1,
    /// Columns and rows grow together.
    Diagonal = 2,
    /// Columns grow, rows fall.
    AntiDiagonal = 3,
}

impl Direction {
    /// All four.
    pub const ALL: [Self; 4] = [
        Self::Horizontal,
        Self::Vertical,
        Self::Diagonal,
        Self::AntiDiagonal,
    ];

    /// 0 to 3.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Change of `(x, y)` in one step.
    #[must_use]
    pub const fn delta(self) -> (i8, i8) {
        match self {
            Self::Horizontal => (1, 0),
            Self::Vertical => (0, 1),
            Self::Diagonal => (1, 1),
            Self::AntiDiagonal => (1, -1),
        }
    }

    /// Change of [`Point::index`] in one step.
    #[must_use]
    pub const fn index_step(self) -> isize {
        let (dx, dy) = self.delta();
        dx as isize + dy as isize * ROW_STRIDE as isize
    }
}

/// One of the eight ways to turn or mirror a board.
///
/// On a board that is not square the four that exchange rows and columns are
/// not symmetries; [`Symmetry::all`] leaves them out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symmetry {
    transpose: bool,
    flip_x: bool,
    flip_y: bool,
}

impl Symmetry {
    /// The one that changes nothing.
    pub const IDENTITY: Self = Self {
        transpose: false,
        flip_x: false,
        flip_y: false,
    };

    /// All symmetries of a board: 8 if it is square, otherwise 4.
    pub fn all(size: Size) -> impl Iterator<Item = Self> {
        let count = if size.is_square() { 8u8 } else { 4 };
        (0..count).map(|bits| Self {
            flip_x: bits & 1 != 0,
            flip_y: bits & 2 != 0,
            transpose: bits & 4 != 0,
        })
    }

    /// Where a point of the board goes.
    ///
    /// # Panics
    ///
    /// If the point does not lie on the board, or the symmetry exchanges the
    /// sides of a board that is not square.
    #[must_use]
    pub fn apply(self, point: Point, size: Size) -> Point {
        assert!(size.contains(point), "{point} is not on a {size} board");
        assert!(!self.transpose || size.is_square());
        let x = if self.flip_x {
            size.width - 1 - point.x()
        } else {
            point.x()
        };
        let y = if self.flip_y {
            size.height - 1 - point.y()
        } else {
            point.y()
        };
        let (x, y) = if self.transpose { (y, x) } else { (x, y) };
        Point(u16::from(y) << 5 | u16::from(x))
    }

    /// The symmetry that brings every point back.
    #[must_use]
    pub const fn inverse(self) -> Self {
        if self.transpose {
            // The sides change before the mirrors come, so the mirrors do too.
            Self {
                transpose: true,
                flip_x: self.flip_y,
                flip_y: self.flip_x,
            }
        } else {
            self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_point_survives_its_index() {
        for point in Size::square(MAX_SIDE).unwrap().points() {
            assert_eq!(Point::from_index(point.index()), Some(point));
        }
        assert_eq!(Point::from_index(22), None);
        assert_eq!(Point::from_index(22 * 32), None);
        assert_eq!(Point::from_index(usize::MAX), None);
    }

    #[test]
    fn sizes_have_limits() {
        assert!(Size::square(4).is_none());
        assert!(Size::square(23).is_none());
        assert_eq!(Size::new(5, 22).unwrap().area(), 110);
        assert_eq!(
            Size::square(15).unwrap().centre(),
            Point::new(7, 7).unwrap()
        );
    }

    #[test]
    fn steps_agree_with_indices() {
        let from = Point::new(10, 10).unwrap();
        for direction in Direction::ALL {
            for steps in -5..=5i8 {
                let to = from.step(direction, steps).unwrap();
                let index = from.index() as isize + direction.index_step() * isize::from(steps);
                assert_eq!(to.index() as isize, index);
            }
        }
        assert_eq!(
            Point::new(0, 3).unwrap().step(Direction::Horizontal, -1),
            None
        );
        assert_eq!(
            Point::new(3, 0).unwrap().step(Direction::AntiDiagonal, 1),
            None
        );
    }

    #[test]
    fn symmetries_are_different_and_onto() {
        for (size, count) in [(Size::square(7).unwrap(), 8), (Size::new(5, 9).unwrap(), 4)] {
            let corner_images: HashSet<Vec<Point>> = Symmetry::all(size)
                .map(|s| size.points().map(|p| s.apply(p, size)).collect())
                .collect();
            assert_eq!(corner_images.len(), count);
            for image in corner_images {
                assert_eq!(image.iter().collect::<HashSet<_>>().len(), size.area());
            }
            for (symmetry, point) in
                Symmetry::all(size).flat_map(|s| size.points().map(move |p| (s, p)))
            {
                let image = symmetry.apply(point, size);
                assert_eq!(symmetry.inverse().apply(image, size), point);
            }
        }
    }
}
