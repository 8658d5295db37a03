//! The shapes of every free point, kept up to date stone by stone.

use super::combo::{Class, Combo, Group};
use super::shape::Shape;
use super::table::{CODE_COUNT, PointInfo, PointTable};
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(16))]
struct PointShapes {
    /// Black's four shapes in the low 16 bits, White's in the high ones.
    code: u32,
    /// What follows from the code, for either colour.
    infos: [PointInfo; 2],
    /// Index of the point itself.
    index: u32,
}

const _: () = assert!(size_of::<PointShapes>() == 16);

impl PointShapes {
    const NOTHING: Self = Self {
        code: 0,
        infos: [PointInfo::NOTHING; 2],
        index: 0,
    };

    #[inline]
    fn is_of_other_group(self, other: Self) -> bool {
        self.infos[0].is_of_other_group(other.infos[0])
            | self.infos[1].is_of_other_group(other.infos[1])
    }
}

/// What is restored as a whole when a stone is taken back.
#[derive(Clone, Copy, Debug)]
struct Mark {
    change_count: usize,
    values: [i32; 2],
}

/// See [`Grid::open_log`].
struct Log {
    infos: [&'static [PointInfo; CODE_COUNT]; 2],
    change_count: usize,
    values: [i32; 2],
}

/// By direction and entry of a line table: the shapes of both colours at their
/// places in a point's code.
static CODES: [[u32; 256]; 4] = {
    let mut codes = [[0; 256]; 4];
    let mut direction = 0;
    while direction < codes.len() {
        let mut entry = 0;
        while entry < 256 {
            let (black, white) = (entry as u32 & 15, entry as u32 >> 4);
            codes[direction][entry] = (black | white << 16) << (Shape::BITS * direction as u32);
            entry += 1;
        }
        direction += 1;
    }
    codes
};

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
            points: Box::new([PointShapes::NOTHING; POINT_ARRAY_LEN]),
            groups: [[Bitboard::EMPTY; Group::COUNT]; 2],
            counts: [[0; Group::COUNT]; 2],
            values: [0; 2],
            changes: vec![PointShapes::NOTHING; (area + 1) * MOST_CHANGES].into_boxed_slice(),
            change_count: 0,
            marks: Vec::with_capacity(area),
        };
        for (index, point) in grid.points.iter_mut().enumerate() {
            point.index = index as u32;
        }
        for point in size.points() {
            if lines.cell(point) == crate::board::Cell::Empty {
                let code = code_from_scratch(table, lines, point);
                let mut log = grid.open_log();
                grid.change(point.index(), code, &mut log);
                grid.values = log.values;
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
        self.points[point.index()].infos[colour.index()].combo()
    }

    /// What a stone on a free point amounts to.
    #[inline]
    #[must_use]
    pub fn class(&self, point: Point, colour: Colour) -> Class {
        self.table.class(colour, self.combo(point, colour))
    }

    /// What a stone on a free point makes in one direction.
    #[inline]
    #[must_use]
    pub const fn shape(&self, point: Point, colour: Colour, direction: Direction) -> Shape {
        let code = self.points[point.index()].code >> (16 * colour.index());
        Shape::from_bits(code >> (Shape::BITS * direction.index() as u32))
    }

    /// What changes with every point, taken out of the grid so that it can stay
    /// in registers while a stone's neighbours are brought up to date.
    const fn open_log(&self) -> Log {
        Log {
            infos: self.table.infos(),
            change_count: self.change_count,
            values: self.values,
        }
    }

    /// Gives a point new shapes, with all that follows.
    #[inline]
    fn change(&mut self, index: usize, code: u32, log: &mut Log) {
        let index = index & (POINT_ARRAY_LEN - 1);
        let before = self.points[index];
        let after = PointShapes {
            code,
            infos: [
                log.infos[0][(code & 0xffff) as usize],
                log.infos[1][(code >> 16) as usize],
            ],
            index: before.index,
        };
        self.points[index] = after;
        self.changes[log.change_count] = before;
        log.change_count += 1;
        for side in 0..2 {
            log.values[side] += after.infos[side].value() - before.infos[side].value();
        }
        if after.is_of_other_group(before) {
            self.move_point(before, after);
        }
    }

    /// Moves a point from some groups to others; rare next to other changes.
    fn move_point(&mut self, before: PointShapes, after: PointShapes) {
        let point = Point::from_index_unchecked(before.index as usize);
        for side in 0..2 {
            let (from, to) = (before.infos[side].group(), after.infos[side].group());
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
    /// `DIRECTION` is the index of the direction.
    #[inline]
    fn refresh_line<const NARROW: bool, const DIRECTION: usize>(
        &mut self,
        lines: &Lines,
        at: Point,
        log: &mut Log,
    ) {
        let direction = Direction::ALL[DIRECTION];
        let reach = if NARROW { LINE_REACH - 1 } else { LINE_REACH };
        let word = lines.word(at, direction);
        let (_, place) = Lines::locate(at, direction);
        let table = self.table.lines();
        let taken = word | word >> 1;
        let around = ((1 << ((2 * reach + 1) * CELL_BITS)) - 1)
            << ((place + LINE_REACH - reach) * CELL_BITS);
        let mut free = !taken & LOW_BITS & around;
        let keep = !(0x000f_000f << (Shape::BITS * DIRECTION as u32));
        let index_step = direction.index_step();
        // Index of the point in cell 0 of the word, if there were one.
        let origin = at.index() as isize - (place + LINE_REACH) as isize * index_step;
        while free != 0 {
            let bit = free.trailing_zeros();
            free &= free - 1;
            // The point's window begins five cells before its own.
            let window = (word >> (bit - LINE_REACH * CELL_BITS)) as u32;
            let entry = table.entry::<NARROW>(window);
            let cell = (bit / CELL_BITS) as isize;
            let index = (origin + cell * index_step) as usize & (POINT_ARRAY_LEN - 1);
            let old = self.points[index].code;
            let code = old & keep | CODES[DIRECTION][entry as usize];
            if code != old {
                self.change(index, code, log);
            }
        }
    }

    fn refresh<const NARROW: bool>(&mut self, lines: &Lines, at: Point, log: &mut Log) {
        self.refresh_line::<NARROW, 0>(lines, at, log);
        self.refresh_line::<NARROW, 1>(lines, at, log);
        self.refresh_line::<NARROW, 2>(lines, at, log);
        self.refresh_line::<NARROW, 3>(lines, at, log);
    }
}

impl Observer for Grid {
    fn played(&mut self, lines: &Lines, stone: Stone) {
        self.marks.push(Mark {
            change_count: self.change_count,
            values: self.values,
        });
        let mut log = self.open_log();
        self.change(stone.point.index(), 0, &mut log);
        if self.table.lines().is_narrow() {
            self.refresh::<true>(lines, stone.point, &mut log);
        } else {
            self.refresh::<false>(lines, stone.point, &mut log);
        }
        self.change_count = log.change_count;
        self.values = log.values;
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
            if before.is_of_other_group(after) {
                self.move_point(after, before);
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
        let entry = if table.is_narrow() {
            table.entry::<true>(window)
        } else {
            table.entry::<false>(window)
        };
        code | CODES[direction.index()][entry as usize]
    })
}
