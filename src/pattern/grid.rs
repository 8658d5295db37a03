//! The shapes of every free point, kept up to date stone by stone.

use super::combo::{Class, Combo, Group, fold};
use super::shape::Shape;
use super::table::{PointTable, class_from_number};
use crate::board::{
    Bitboard, CELL_BITS, Colour, Direction, LINE_REACH, Lines, Observer, POINT_ARRAY_LEN, Point,
    Size, Stone,
};

/// Most points whose shapes one stone can change: ten in each direction, and
/// its own.
const MOST_CHANGES: usize = 41;
/// Low bit of every cell of a line word.
const LOW_BITS: u64 = 0x5555_5555_5555_5555;

/// All the grid knows of one point: 16 bytes, copied as a whole to the log of
/// changes and back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C, align(16))]
struct PointShapes {
    /// Black's four shapes in the low 16 bits, White's in the high ones.
    code: u32,
    /// The code folded, for either colour.
    combos: [Combo; 2],
    /// Value for either colour, from the point table.
    values: [i16; 2],
    /// [`Group`] for either colour, [`Group::COUNT`] for none.
    groups: [u8; 2],
    /// Index of the point itself.
    index: u16,
}

const _: () = assert!(size_of::<PointShapes>() == 16);

/// What is restored as a whole when a stone is taken back.
#[derive(Clone, Copy, Debug)]
struct Mark {
    change_count: usize,
    values: [i32; 2],
}

/// Shapes, classes and values of all free points for both colours.
#[derive(Clone)]
pub struct Grid {
    table: &'static PointTable,
    points: Box<[PointShapes; POINT_ARRAY_LEN]>,
    groups: [[Bitboard; Group::COUNT]; 2],
    counts: [[u16; Group::COUNT]; 2],
    values: [i32; 2],
    /// What points were before they changed; only the first
    /// `change_count` count.
    changes: Box<[PointShapes]>,
    change_count: usize,
    marks: Vec<Mark>,
}

impl Grid {
    /// The grid of a position, computed from scratch.
    #[must_use]
    pub fn new(table: &'static PointTable, size: Size, lines: &Lines) -> Self {
        let area = size.area();
        let mut grid = Self {
            table,
            points: Box::new([PointShapes::default(); POINT_ARRAY_LEN]),
            groups: [[Bitboard::EMPTY; Group::COUNT]; 2],
            counts: [[0; Group::COUNT]; 2],
            values: [0; 2],
            changes: vec![PointShapes::default(); (area + 1) * MOST_CHANGES].into_boxed_slice(),
            change_count: 0,
            marks: Vec::with_capacity(area),
        };
        for (index, point) in grid.points.iter_mut().enumerate() {
            point.index = index as u16;
            point.groups = [Group::COUNT as u8; 2];
        }
        for point in size.points() {
            if lines.cell(point) == crate::board::Cell::Empty {
                let code = code_from_scratch(table, lines, point);
                grid.change(point.index(), code);
                grid.change_count = 0;
            }
        }
        grid
    }

    /// The table the grid was made with.
    #[must_use]
    pub const fn table(&self) -> &'static PointTable {
        self.table
    }

    /// The points of a group for one colour.
    #[inline]
    #[must_use]
    pub const fn group(&self, colour: Colour, group: Group) -> &Bitboard {
        &self.groups[colour.index()][group as usize]
    }

    /// Number of points of a group for one colour.
    #[inline]
    #[must_use]
    pub const fn count(&self, colour: Colour, group: Group) -> u32 {
        self.counts[colour.index()][group as usize] as u32
    }

    /// Sum of the values of all free points for one colour.
    #[inline]
    #[must_use]
    pub const fn value(&self, colour: Colour) -> i32 {
        self.values[colour.index()]
    }

    /// The folded shapes of a free point for one colour.
    #[inline]
    #[must_use]
    pub const fn combo(&self, point: Point, colour: Colour) -> Combo {
        self.points[point.index()].combos[colour.index()]
    }

    /// What a stone on a free point amounts to.
    #[inline]
    #[must_use]
    pub fn class(&self, point: Point, colour: Colour) -> Class {
        class_from_number(self.table.info(colour, self.combo(point, colour)).class)
    }

    /// What a stone on a free point makes in one direction.
    #[inline]
    #[must_use]
    pub const fn shape(&self, point: Point, colour: Colour, direction: Direction) -> Shape {
        let code = self.points[point.index()].code >> (16 * colour.index());
        Shape::from_bits(code >> (Shape::BITS * direction.index() as u32))
    }

    /// Gives a point new shapes, with all that follows.
    #[inline]
    fn change(&mut self, index: usize, code: u32) {
        let index = index & (POINT_ARRAY_LEN - 1);
        let before = self.points[index];
        let combos = fold(code);
        let infos = [
            self.table.info(Colour::Black, combos[0]),
            self.table.info(Colour::White, combos[1]),
        ];
        let after = PointShapes {
            code,
            combos,
            values: infos.map(|info| info.value),
            groups: infos.map(|info| info.group),
            index: before.index,
        };
        self.points[index] = after;
        self.changes[self.change_count] = before;
        self.change_count += 1;
        for side in 0..2 {
            self.values[side] += i32::from(after.values[side]) - i32::from(before.values[side]);
        }
        if after.groups != before.groups {
            self.move_point(index, before.groups, after.groups);
        }
    }

    /// Moves a point from some groups to others; rare next to other changes.
    fn move_point(&mut self, index: usize, from: [u8; 2], to: [u8; 2]) {
        let point = Point::from_index_unchecked(index);
        for side in 0..2 {
            let (from, to) = (from[side] as usize, to[side] as usize);
            if from == to {
                continue;
            }
            if let Some(group) = self.groups[side].get_mut(from) {
                group.toggle(point);
                self.counts[side][from] -= 1;
            }
            if let Some(group) = self.groups[side].get_mut(to) {
                group.toggle(point);
                self.counts[side][to] += 1;
            }
        }
    }

    /// Brings the free points of one line around a new stone up to date.
    #[inline]
    fn refresh_line<const NARROW: bool>(&mut self, lines: &Lines, at: Point, direction: Direction) {
        let reach = if NARROW { LINE_REACH - 1 } else { LINE_REACH };
        let word = lines.word(at, direction);
        let (_, place) = Lines::locate(at, direction);
        let table = self.table.lines();
        let taken = word | word >> 1;
        let around = ((1 << ((2 * reach + 1) * CELL_BITS)) - 1)
            << ((place + LINE_REACH - reach) * CELL_BITS);
        let mut free = !taken & LOW_BITS & around;
        let shift = Shape::BITS * direction.index() as u32;
        while free != 0 {
            let bit = free.trailing_zeros();
            free &= free - 1;
            // Cell number of the point, so its window begins five cells before.
            let cell = bit / CELL_BITS;
            let window = (word >> (bit - LINE_REACH * CELL_BITS)) as u32;
            let entry = u32::from(table.entry::<NARROW>(window));
            let spread = (entry & 15 | (entry >> 4) << 16) << shift;
            let steps = cell as isize - (place + LINE_REACH) as isize;
            let index = at
                .index()
                .wrapping_add_signed(steps * direction.index_step())
                & (POINT_ARRAY_LEN - 1);
            let old = self.points[index].code;
            let code = old & !(0x000f_000f << shift) | spread;
            if code != old {
                self.change(index, code);
            }
        }
    }

    fn refresh<const NARROW: bool>(&mut self, lines: &Lines, at: Point) {
        self.refresh_line::<NARROW>(lines, at, Direction::Horizontal);
        self.refresh_line::<NARROW>(lines, at, Direction::Vertical);
        self.refresh_line::<NARROW>(lines, at, Direction::Diagonal);
        self.refresh_line::<NARROW>(lines, at, Direction::AntiDiagonal);
    }
}

impl Observer for Grid {
    fn played(&mut self, lines: &Lines, stone: Stone) {
        self.marks.push(Mark {
            change_count: self.change_count,
            values: self.values,
        });
        self.change(stone.point.index(), 0);
        if self.table.lines().is_narrow() {
            self.refresh::<true>(lines, stone.point);
        } else {
            self.refresh::<false>(lines, stone.point);
        }
    }

    fn undone(&mut self, _: &Lines, _: Stone) {
        let Some(mark) = self.marks.pop() else {
            return;
        };
        while self.change_count > mark.change_count {
            self.change_count -= 1;
            let before = self.changes[self.change_count];
            let index = before.index as usize & (POINT_ARRAY_LEN - 1);
            let after = self.points[index];
            self.points[index] = before;
            if before.groups != after.groups {
                self.move_point(index, after.groups, before.groups);
            }
        }
        self.values = mark.values;
    }
}

/// Two grids are equal if they say the same of every point, whatever they
/// remember of how they came there.
impl PartialEq for Grid {
    fn eq(&self, other: &Self) -> bool {
        self.points == other.points
            && self.groups == other.groups
            && self.counts == other.counts
            && self.values == other.values
    }
}

impl std::fmt::Debug for Grid {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Grid")
            .field("counts", &self.counts)
            .field("values", &self.values)
            .finish_non_exhaustive()
    }
}

fn code_from_scratch(table: &PointTable, lines: &Lines, point: Point) -> u32 {
    let table = table.lines();
    Direction::ALL.into_iter().fold(0, |code, direction| {
        let window = lines.window(point, direction);
        let entry = u32::from(if table.is_narrow() {
            table.entry::<true>(window)
        } else {
            table.entry::<false>(window)
        });
        code | (entry & 15 | (entry >> 4) << 16) << (Shape::BITS * direction.index() as u32)
    })
}
