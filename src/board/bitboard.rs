//! A packed set of points: one bit a point, two rows a word.

use super::geometry::{MAX_SIDE, Point, ROW_STRIDE, Size};
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

const WORD_BITS: usize = 64;
const WORDS: usize = MAX_SIDE as usize * ROW_STRIDE / WORD_BITS;

const _: () = assert!(WORDS * WORD_BITS == MAX_SIDE as usize * ROW_STRIDE);

/// A set of points.
///
/// # Examples
///
/// ```
/// use yonsan::board::{Bitboard, Point};
///
/// let mut set = Bitboard::EMPTY;
/// set.insert(Point::new(3, 4).unwrap());
/// assert_eq!(set.count(), 1);
/// assert_eq!(set.iter().next(), Point::new(3, 4));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bitboard([u64; WORDS]);

impl Bitboard {
    /// The set without points.
    pub const EMPTY: Self = Self([0; WORDS]);

    /// All points of a board.
    #[must_use]
    pub fn full(size: Size) -> Self {
        size.points().collect()
    }

    /// Whether the point is in the set.
    #[must_use]
    pub const fn contains(&self, point: Point) -> bool {
        let index = point.index();
        self.0[index / WORD_BITS] >> (index % WORD_BITS) & 1 != 0
    }

    /// Puts the point into the set.
    pub const fn insert(&mut self, point: Point) {
        let index = point.index();
        self.0[index / WORD_BITS] |= 1 << (index % WORD_BITS);
    }

    /// Takes the point out of the set.
    pub const fn remove(&mut self, point: Point) {
        let index = point.index();
        self.0[index / WORD_BITS] &= !(1 << (index % WORD_BITS));
    }

    /// Puts the point in if it is missing, takes it out if it is there.
    pub const fn toggle(&mut self, point: Point) {
        let index = point.index();
        self.0[index / WORD_BITS] ^= 1 << (index % WORD_BITS);
    }

    /// Whether no point is in the set.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// Number of points.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The points in the order of their indices.
    pub fn iter(&self) -> Iter {
        Iter {
            set: self.0,
            word: 0,
        }
    }

    /// The set moved by `dx` columns and `dy` rows, each -10 to 10; what
    /// leaves the rows 0 to 21 is lost, what leaves the columns must be
    /// masked out with the board's own set.
    #[must_use]
    pub fn shifted(&self, dx: i32, dy: i32) -> Self {
        debug_assert!(dx.abs() <= 10 && dy.abs() <= 10);
        let bits = dx + dy * ROW_STRIDE as i32;
        let words = bits.div_euclid(WORD_BITS as i32);
        let rest = bits.rem_euclid(WORD_BITS as i32) as u32;
        let word = |i: i32| -> u64 {
            usize::try_from(i)
                .ok()
                .and_then(|i| self.0.get(i))
                .copied()
                .unwrap_or(0)
        };
        let mut result = [0; WORDS];
        for (i, target) in result.iter_mut().enumerate() {
            let high = i as i32 - words;
            *target = word(high) << rest;
            if rest != 0 {
                *target |= word(high - 1) >> (WORD_BITS as u32 - rest);
            }
        }
        Self(result)
    }
}

impl Default for Bitboard {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl FromIterator<Point> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> Self {
        let mut set = Self::EMPTY;
        for point in points {
            set.insert(point);
        }
        set
    }
}

impl IntoIterator for &Bitboard {
    type Item = Point;
    type IntoIter = Iter;

    fn into_iter(self) -> Iter {
        self.iter()
    }
}

macro_rules! bitwise {
    ($op:ident $method:ident $assign_op:ident $assign_method:ident $token:tt) => {
        impl $op for Bitboard {
            type Output = Self;
            fn $method(mut self, other: Self) -> Self {
                $assign_op::$assign_method(&mut self, other);
                self
            }
        }
        impl $assign_op for Bitboard {
            fn $assign_method(&mut self, other: Self) {
                for (word, other) in self.0.iter_mut().zip(other.0) {
                    *word $token other;
                }
            }
        }
    };
}

bitwise!(BitAnd bitand BitAndAssign bitand_assign &=);
bitwise!(BitOr bitor BitOrAssign bitor_assign |=);

impl Not for Bitboard {
    type Output = Self;

    /// The complement, unused columns included: mask it with a board's set.
    fn not(self) -> Self {
        Self(self.0.map(|word| !word))
    }
}

/// The points of a [`Bitboard`], lowest index first.
#[derive(Clone, Debug)]
pub struct Iter {
    set: [u64; WORDS],
    word: usize,
}

impl Iterator for Iter {
    type Item = Point;

    fn next(&mut self) -> Option<Point> {
        while let Some(bits) = self.set.get_mut(self.word) {
            if *bits != 0 {
                let index = self.word * WORD_BITS + bits.trailing_zeros() as usize;
                *bits &= *bits - 1;
                return Some(Point::from_index_unchecked(index));
            }
            self.word += 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_every_point_once() {
        let size = Size::square(MAX_SIDE).unwrap();
        let full = Bitboard::full(size);
        assert_eq!(full.count(), 484);
        assert!(full.iter().eq(size.points()));
        let mut rest = full;
        for point in size.points() {
            assert!(rest.contains(point));
            rest.remove(point);
            assert!(!rest.contains(point));
        }
        assert!(rest.is_empty());
    }

    #[test]
    fn shifts_like_points_do() {
        let size = Size::new(9, 7).unwrap();
        let board = Bitboard::full(size);
        let set: Bitboard = size
            .points()
            .filter(|p| (p.x() * 5 + p.y() * 3) % 7 < 3)
            .collect();
        for dx in -10..=10i32 {
            for dy in -10..=10i32 {
                let expected: Bitboard = set
                    .iter()
                    .filter_map(|p| {
                        let x = u8::try_from(i32::from(p.x()) + dx).ok()?;
                        let y = u8::try_from(i32::from(p.y()) + dy).ok()?;
                        size.point(x, y)
                    })
                    .collect();
                assert_eq!(set.shifted(dx, dy) & board, expected, "{dx} {dy}");
            }
        }
    }
}
