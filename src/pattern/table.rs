//! The look-up tables: cells of a line to shapes, shapes of a point to class
//! and value.
//!
//! They are computed when a rule is first used (some milliseconds): as
//! constants they would add megabytes to the binary and minutes to its build.

use super::combo::{COMBO_COUNT, Class, Combo, Group};
use super::line::{LineRule, ShapeFinder};
use super::shape::Shape;
use crate::board::Colour;
use crate::rules::Rule;
use once_cell::sync::OnceCell;

/// Bits of the cells on one side of a point.
const SIDE_BITS: u32 = 10;
const SIDE_MASK: u32 = (1 << SIDE_BITS) - 1;
/// Bits of the cells on one side that freestyle needs: no row through a point
/// reaches further than four cells, and what stands behind it does not matter.
const NARROW_SIDE_BITS: u32 = 8;
/// Bits of a cell.
const CELL_BITS: u32 = 2;

/// Number of line keys. A key is a window, the free cell in its middle
/// included: the holes this leaves in the table cost nothing but address
/// space, and closing them would cost time at every look-up.
const LINE_KEY_COUNT: usize = 1 << (2 * SIDE_BITS + CELL_BITS);

/// Shapes by line key, for both colours under one rule.
pub struct LineTable {
    rule: Rule,
    /// Black's shape in the low four bits, White's in the high ones. Narrow
    /// keys take the first part only.
    entries: Box<[u8; LINE_KEY_COUNT]>,
    is_narrow: bool,
}

impl LineTable {
    /// The table of a rule, computed at the first call.
    #[must_use]
    pub fn of(rule: Rule) -> &'static Self {
        static TABLES: [OnceCell<LineTable>; 5] = [const { OnceCell::new() }; 5];
        TABLES[rule.index()].get_or_init(|| Self::new(rule))
    }

    fn new(rule: Rule) -> Self {
        let canonical: Vec<u32> = (0..=SIDE_MASK).map(nearest_wall_first).collect();
        let is_narrow = rule == Rule::Freestyle;
        let side_bits = if is_narrow {
            NARROW_SIDE_BITS
        } else {
            SIDE_BITS
        };
        // A narrow key lacks the outermost cell on either side. Cells behind a
        // wall do not matter; below the point the wall nearest to it is the
        // highest, so that half is read mirrored.
        let sides_below: Vec<u32> = (0..1 << side_bits)
            .map(|below| mirror_side(below << (SIDE_BITS - side_bits)))
            .map(|mirrored| mirror_side(canonical[mirrored as usize]))
            .collect();
        let mut shapes = Shapes::new(rule);
        let mut entries = vec![0; LINE_KEY_COUNT];
        let first_key = |above: usize| above << (side_bits + CELL_BITS);
        for above in (0..1usize << side_bits).rev() {
            // The canonical side is not below this one, so it is done already.
            let twin = canonical[above] as usize & ((1 << side_bits) - 1);
            if twin > above {
                let done = first_key(twin)..first_key(twin) + sides_below.len();
                entries.copy_within(done, first_key(above));
                continue;
            }
            for (entry, below) in entries[first_key(above)..].iter_mut().zip(&sides_below) {
                *entry = shapes.of_both(canonical[above] << SIDE_BITS | below);
            }
        }
        Self {
            rule,
            entries: boxed_array(entries),
            is_narrow,
        }
    }

    /// The rule.
    #[must_use]
    pub const fn rule(&self) -> Rule {
        self.rule
    }

    /// Whether only four cells on either side of a point matter.
    #[must_use]
    pub(super) const fn is_narrow(&self) -> bool {
        self.is_narrow
    }

    /// The shapes of both colours, Black's in the low four bits, for a window
    /// of eleven cells as [`crate::board::Lines::window`] gives it, with a free
    /// cell in the middle; what stands above the window does not matter.
    #[inline]
    pub(super) fn entry<const NARROW: bool>(&self, window: u32) -> u8 {
        let key = if NARROW {
            const MASK: u32 = (1 << (2 * NARROW_SIDE_BITS + CELL_BITS)) - 1;
            window >> CELL_BITS & MASK
        } else {
            window & (LINE_KEY_COUNT as u32 - 1)
        };
        self.entries[key as usize]
    }
}

/// Shapes of both colours under one rule, for computing a table.
struct Shapes {
    black: ShapeFinder,
    /// None if both colours are ruled alike: then they share what was found.
    white: Option<ShapeFinder>,
}

impl Shapes {
    fn new(rule: Rule) -> Self {
        let [black, white] = Colour::ALL.map(|colour| LineRule::new(rule, colour));
        Self {
            black: ShapeFinder::new(black),
            white: (white != black).then(|| ShapeFinder::new(white)),
        }
    }

    /// An entry of the table, for a key as [`ShapeFinder::shape`] wants it
    /// with Black's stones for own ones.
    fn of_both(&mut self, key: u32) -> u8 {
        let black = self.black.shape(key) as u8;
        let finder = self.white.as_mut().unwrap_or(&mut self.black);
        black | (finder.shape(swap_colours(key)) as u8) << 4
    }
}

/// One side of a window, five cells with the nearest in the low bits, with
/// everything behind the nearest wall turned into walls.
fn nearest_wall_first(side: u32) -> u32 {
    for cell in (0..SIDE_BITS).step_by(2) {
        if side >> cell & 3 == 3 {
            return side | SIDE_MASK >> cell << cell;
        }
    }
    side
}

fn mirror_side(side: u32) -> u32 {
    (0..SIDE_BITS)
        .step_by(2)
        .fold(0, |mirrored, cell| mirrored << 2 | side >> cell & 3)
}

fn swap_colours(key: u32) -> u32 {
    const LOW: u32 = 0x5_5555;
    (key & LOW) << 1 | key >> 1 & LOW
}

/// A vector of the right length as an array, whose masked indices need no
/// bounds check.
pub(super) fn boxed_array<T, const N: usize>(vector: Vec<T>) -> Box<[T; N]> {
    let length = vector.len();
    vector
        .into_boxed_slice()
        .try_into()
        .unwrap_or_else(|_| unreachable!("{length} entries made, not {N}"))
}

/// What the grid needs to know of a point for one colour, in one word: the
/// combo in bits 0 to 11, the group in bits 12 to 15, [`Group::COUNT`] for
/// none, and the value in the upper half.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PointInfo(u32);

const GROUP_SHIFT: u32 = 12;
const VALUE_SHIFT: u32 = 16;
const COMBO_MASK: u32 = (1 << GROUP_SHIFT) - 1;
const GROUP_MASK: u32 = (1 << VALUE_SHIFT) - (1 << GROUP_SHIFT);
const _: () = assert!(COMBO_COUNT <= COMBO_MASK as usize);
const _: () = assert!(Group::COUNT < 16);

impl PointInfo {
    /// What is known of a point that is not free.
    pub(super) const NOTHING: Self = Self((Group::COUNT as u32) << GROUP_SHIFT);

    fn new(combo: Combo, group: Option<Group>, value: i16) -> Self {
        let group = group.map_or(Group::COUNT, |g| g as usize) as u32;
        let value = u32::from(value as u16);
        Self(combo.index() as u32 | group << GROUP_SHIFT | value << VALUE_SHIFT)
    }

    #[inline]
    pub(super) const fn combo(self) -> Combo {
        Combo::from_index((self.0 & COMBO_MASK) as u16)
    }

    /// The group as a number, [`Group::COUNT`] for none.
    #[inline]
    pub(super) const fn group(self) -> usize {
        ((self.0 & GROUP_MASK) >> GROUP_SHIFT) as usize
    }

    #[inline]
    pub(super) const fn value(self) -> i32 {
        self.0 as i32 >> VALUE_SHIFT
    }

    #[inline]
    pub(super) const fn is_of_other_group(self, other: Self) -> bool {
        (self.0 ^ other.0) & GROUP_MASK != 0
    }
}

/// Number of packed codes of four shapes.
pub(super) const CODE_COUNT: usize = 1 << (4 * Shape::BITS);

/// Class and value of every point, for both colours under one rule.
pub struct PointTable {
    lines: &'static LineTable,
    /// By colour and packed code.
    infos: [Box<[PointInfo; CODE_COUNT]>; 2],
    /// By colour and combo.
    classes: [Vec<Class>; 2],
}

impl PointTable {
    /// A table with the given values, for a free point with this combo for
    /// this colour. The value of the combo without any shape must be 0.
    pub fn new(rule: Rule, value: impl Fn(Colour, Combo) -> i16) -> Self {
        let classes = Colour::ALL.map(|colour| {
            let line_rule = LineRule::new(rule, colour);
            Combo::all().map(|combo| combo.class(line_rule)).collect()
        });
        let infos = Colour::ALL.map(|colour| {
            let classes: &Vec<Class> = &classes[colour.index()];
            let by_combo: Vec<PointInfo> = Combo::all()
                .map(|combo| {
                    let group = classes[combo.index()].group();
                    PointInfo::new(combo, group, value(colour, combo))
                })
                .collect();
            let by_code = (0..CODE_COUNT as u32).map(|code| by_combo[Combo::of_code(code).index()]);
            boxed_array(by_code.collect())
        });
        Self {
            lines: LineTable::of(rule),
            infos,
            classes,
        }
    }

    /// The rule.
    #[must_use]
    pub const fn rule(&self) -> Rule {
        self.lines.rule()
    }

    pub(super) const fn lines(&self) -> &'static LineTable {
        self.lines
    }

    /// What is known of points by their codes, for Black and for White.
    #[inline]
    pub(super) const fn infos(&self) -> [&[PointInfo; CODE_COUNT]; 2] {
        [&self.infos[0], &self.infos[1]]
    }

    #[inline]
    pub(super) fn class(&self, colour: Colour, combo: Combo) -> Class {
        self.classes[colour.index()][combo.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A table read the other way round must hold the same shapes.
    #[test]
    fn tables_are_symmetric() {
        for rule in Rule::ALL {
            let table = LineTable::of(rule);
            for i in 0..40_000u32 {
                let window = i.wrapping_mul(2_654_435_769) & 0x3f_ffff & !(3 << 10);
                let mirrored = (0..11).fold(0, |m, cell| m << 2 | window >> (2 * cell) & 3);
                let (one, other) = if table.is_narrow() {
                    (table.entry::<true>(window), table.entry::<true>(mirrored))
                } else {
                    (table.entry::<false>(window), table.entry::<false>(mirrored))
                };
                assert_eq!(one, other, "{rule} {window:x}");
            }
        }
    }

    #[test]
    fn colours_are_equal_but_in_renju() {
        let window = 0b01_00_01_01_00_00_01_01_00_00_00;
        for rule in Rule::ALL {
            let table = LineTable::of(rule);
            let entry = |w| {
                if table.is_narrow() {
                    table.entry::<true>(w)
                } else {
                    table.entry::<false>(w)
                }
            };
            let black = entry(window) & 15;
            let white = entry(window << 1) >> 4;
            assert_eq!(black == white, rule != Rule::Renju, "{rule}");
        }
        // x.xx*xx. : six for White, an overline for Black.
        let six = 0b00_00_00_01_01_00_01_01_01_00_00;
        let entry = LineTable::of(Rule::Renju).entry::<false>(six);
        assert_eq!(entry & 15, Shape::Overline as u8);
        let entry = LineTable::of(Rule::Renju).entry::<false>(six << 1);
        assert_eq!(entry >> 4, Shape::Five as u8);
    }
}
