//! The key of a position: the same for all its symmetric copies.
//!
//! Keys stand in files, so how they are made never changes, and nothing that
//! may change goes in, above all not [`Position::hash`]. With `mix` being the
//! output function of `SplitMix64`, the key of one copy is
//!
//! ```text
//! mix(rule << 16 | width << 8 | height)
//!     ^ mix(1 << 16 | y << 8 | x)     for every stone of Black
//!     ^ mix(2 << 16 | y << 8 | x)     for every stone of White
//!     ^ mix(3 << 16)                  if White is to move
//! ```
//!
//! with the number of the rule in the protocol; the least of all copies counts.

use crate::board::{Bitboard, Colour, Point, Position, Symmetry, mix};
use crate::rules::Rule;

const CELL_SHIFT: u32 = 16;
const ROW_SHIFT: u32 = 8;
const BLACK: u64 = 1;
const WHITE: u64 = 2;
const WHITE_TO_MOVE: u64 = 3;

/// The number by which a position is found in a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Key(pub u64);

/// A position as it stands in a book.
#[derive(Clone, Copy, Debug)]
pub(super) struct Canonical {
    pub key: Key,
    /// Leads from the position to the copy that has the key.
    pub symmetry: Symmetry,
}

impl Canonical {
    /// `None` if some points are blocked: such positions are in no book.
    pub(super) fn of(position: &Position, rule: Rule) -> Option<Self> {
        if !position.blocked().is_empty() {
            return None;
        }
        let copies = Symmetry::all(position.size()).map(|symmetry| Self {
            key: key_of_copy(position, rule, symmetry),
            symmetry,
        });
        copies.min_by_key(|copy| copy.key)
    }
}

/// A number that is the same for all symmetric copies of a position, and
/// hardly ever for any other; `None` if some points are blocked.
#[must_use]
pub fn position_key(position: &Position, rule: Rule) -> Option<u64> {
    Canonical::of(position, rule).map(|canonical| canonical.key.0)
}

fn key_of_copy(position: &Position, rule: Rule, symmetry: Symmetry) -> Key {
    let size = position.size();
    let sides = u64::from(size.width()) << ROW_SHIFT | u64::from(size.height());
    let mut key = mix(u64::from(rule.code()) << CELL_SHIFT | sides);
    for stone in position.stones() {
        let cell = match stone.colour {
            Colour::Black => BLACK,
            Colour::White => WHITE,
        };
        let point = symmetry.apply(stone.point, size);
        let place = u64::from(point.y()) << ROW_SHIFT | u64::from(point.x());
        key ^= mix(cell << CELL_SHIFT | place);
    }
    if position.side_to_move() == Colour::White {
        key ^= mix(WHITE_TO_MOVE << CELL_SHIFT);
    }
    Key(key)
}

/// The free points that are as good as another free point, because the
/// position is symmetric: of every group of such points all but one.
#[must_use]
pub fn twins(position: &Position) -> Bitboard {
    // Any rule will do: it changes all keys alike.
    let key = |symmetry| key_of_copy(position, Rule::default(), symmetry);
    let own = key(Symmetry::IDENTITY);
    let size = position.size();
    let same: Vec<Symmetry> = Symmetry::all(size).filter(|&s| key(s) == own).collect();
    let has_lesser_twin = |point: &Point| {
        let mut images = same.iter().map(|symmetry| symmetry.apply(*point, size));
        images.any(|image| image < *point)
    };
    position.empty_points().filter(has_lesser_twin).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Size, parse_moves};

    fn position(size: Size, moves: &str) -> Position {
        Position::from_moves(size, &parse_moves(moves).unwrap()).unwrap()
    }

    /// Computed by a program of its own, in another language, from the formula
    /// at the head of this file.
    #[test]
    fn keys_never_change() {
        let key = |rule, (width, height), moves| {
            let size = Size::new(width, height).unwrap();
            Canonical::of(&position(size, moves), rule).unwrap().key.0
        };
        assert_eq!(key(Rule::Freestyle, (15, 15), ""), 0x0b81_6ad9_0bdf_9552);
        assert_eq!(
            key(Rule::Freestyle, (15, 15), "h8i9j7"),
            0x1cbd_7274_0996_19b7
        );
        assert_eq!(key(Rule::Renju, (15, 15), "h8i9j7"), 0x0f61_07c9_22d4_6101);
        assert_eq!(
            key(Rule::CaroExact, (20, 9), "a1c2t9d4"),
            0x406d_a7c6_e7a7_e2e4
        );
    }

    #[test]
    fn keys_know_rule_size_side_and_stones() {
        let size = Size::square(15).unwrap();
        let key = |rule, position: &Position| Canonical::of(position, rule).unwrap().key;
        let plain = position(size, "h8i9");
        let mut passed = plain.clone();
        passed.set_side_to_move(Colour::White);
        let others = [
            key(Rule::Freestyle, &plain),
            key(Rule::Standard, &plain),
            key(Rule::Freestyle, &passed),
            key(Rule::Freestyle, &position(size, "i9h8")),
            key(Rule::Freestyle, &position(size, "h8i10")),
            key(
                Rule::Freestyle,
                &position(Size::square(17).unwrap(), "h8i9"),
            ),
        ];
        for (index, one) in others.iter().enumerate() {
            assert!(!others[..index].contains(one), "{index}");
        }
        let mut blocked = plain;
        blocked.block("a1".parse().unwrap());
        assert!(Canonical::of(&blocked, Rule::Freestyle).is_none());
    }

    #[test]
    fn of_twins_one_is_left() {
        let size = Size::square(15).unwrap();
        let left = |moves: &str| {
            let position = position(size, moves);
            position.empty_count() as usize - twins(&position).iter().count()
        };
        // A triangle with a side of 8; the same without the centre; halves of
        // the board with the line that mirrors it; everything.
        assert_eq!(left(""), 36);
        assert_eq!(left("h8"), 35);
        assert_eq!(left("h8i9"), (225 - 15) / 2 + 15 - 2);
        assert_eq!(left("h8h9"), 7 * 15 + 15 - 2);
        assert_eq!(left("h8i9j8"), 222);
        let oblong = Position::new(Size::new(6, 5).unwrap());
        assert_eq!(30 - twins(&oblong).iter().count(), 3 * 3);
    }
}
