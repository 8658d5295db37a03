//! The numbers of windows: what the net's table is indexed by.
//!
//! A window is the eleven cells around a cell in one direction, as
//! [`Lines::window`](crate::board::Lines::window) gives it, seen by one
//! colour. Each side of the centre is a *half*: the cells from the nearest to
//! the farthest, cut at the first wall. Halves are numbered so that those with
//! few stones come first, which keeps the rows of everyday windows together in
//! memory. A window and its mirror image have the same number.

use crate::board::{CELL_BITS, Cell, Colour, LINE_REACH};

/// Number of halves of up to five cells.
pub const HALF_COUNT: usize = 364;
/// Number of halves of up to four cells.
pub const NARROW_HALF_COUNT: usize = 121;
/// Number of windows of eleven cells, mirror images counted once.
pub const WINDOW_COUNT: usize = window_count(HALF_COUNT);
/// Number of windows of nine cells, mirror images counted once.
pub const NARROW_COUNT: usize = window_count(NARROW_HALF_COUNT);

/// What the centre can be: empty, own, other.
const CENTRES: usize = 3;
const REACH: usize = LINE_REACH as usize;
const NARROW_REACH: usize = REACH - 1;
const HALF_BITS: u32 = LINE_REACH * CELL_BITS;
const HALF_CODES: usize = 1 << HALF_BITS;
const HALF_MASK: u32 = HALF_CODES as u32 - 1;
const CELL_MASK: u32 = (1 << CELL_BITS) - 1;
/// Low bit of every cell of a window.
const LOW_BITS: u32 = 0x0015_5555;

const fn window_count(halves: usize) -> usize {
    halves * (halves + 1) / 2 * CENTRES
}

const _: () = assert!(WINDOW_COUNT == 199_290 && NARROW_COUNT == 22_143);

/// Halves of up to `REACH` cells, by number.
struct Halves<const COUNT: usize> {
    /// The cells, nearest lowest, two bits each; walls behind the last.
    cells: [u16; COUNT],
    /// Number of stones.
    stones: [u8; COUNT],
    /// Number of a half by its cells, nearest lowest.
    numbers: [u16; HALF_CODES],
}

/// The cells up to the first wall, and only walls behind it.
const fn cut(cells: u32, reach: usize) -> u32 {
    let mut place = 0;
    while place < reach {
        if cells >> (place as u32 * CELL_BITS) & CELL_MASK == Cell::Wall as u32 {
            break;
        }
        place += 1;
    }
    cells | !0 << (place as u32 * CELL_BITS) & HALF_MASK
}

impl<const COUNT: usize> Halves<COUNT> {
    /// Numbers the halves by their stones, then by length, the longest first,
    /// then by their cells as a number in base 3, the nearest cell lowest.
    const fn new(reach: usize) -> Self {
        let mut halves = Self {
            cells: [0; COUNT],
            stones: [0; COUNT],
            numbers: [0; HALF_CODES],
        };
        let mut count = 0;
        let mut stones = 0;
        while stones <= reach {
            let mut walls = 0;
            while walls <= reach {
                let length = reach - walls;
                let mut value = 0;
                while value < 3usize.pow(length as u32) {
                    let (cells, found) = from_base_three(value, length);
                    if found == stones {
                        halves.cells[count] = cells as u16;
                        halves.stones[count] = stones as u8;
                        halves.numbers[cells as usize] = count as u16;
                        count += 1;
                    }
                    value += 1;
                }
                walls += 1;
            }
            stones += 1;
        }
        assert!(count == COUNT);
        let mut code = 0;
        while code < HALF_CODES {
            // Halves that are cut already have their numbers and come first
            // to themselves.
            halves.numbers[code] = halves.numbers[cut(code as u32, reach) as usize];
            code += 1;
        }
        halves
    }
}

/// Cells of a half, walls behind the last, and its number of stones.
const fn from_base_three(mut value: usize, length: usize) -> (u32, usize) {
    let mut cells = !0 << (length as u32 * CELL_BITS) & HALF_MASK;
    let mut stones = 0;
    let mut place = 0;
    while place < length {
        let cell = value % 3;
        value /= 3;
        cells |= (cell as u32) << (place as u32 * CELL_BITS);
        stones += (cell != 0) as usize;
        place += 1;
    }
    (cells, stones)
}

/// The cells of a half the other way round.
const fn mirrored(half: u32) -> u32 {
    let mut result = 0;
    let mut place = 0;
    while place < LINE_REACH {
        result = result << CELL_BITS | half >> (place * CELL_BITS) & CELL_MASK;
        place += 1;
    }
    result
}

/// Bits of the lower part of a term.
const TERM_BITS: u32 = 11;
const TERM_MASK: u32 = (1 << TERM_BITS) - 1;

const _: () = assert!(HALF_COUNT * CENTRES <= TERM_MASK as usize);
const _: () = assert!((WINDOW_COUNT as u64) << TERM_BITS <= u32::MAX as u64);

/// What a half adds to the index of its window: in the upper part if it is the
/// greater of both, in the lower part if it is not. The greater half has the
/// greater term, so that indices need no look at the numbers themselves.
const fn term(half: u16) -> u32 {
    let centres = CENTRES as u32;
    ((pair(half as u32, 0) * centres) << TERM_BITS) | (half as u32 * centres)
}

/// Terms of the halves by their cells: of the half below the centre, whose
/// nearest cell is the highest, and of the half above it.
const fn terms(halves: &Halves<HALF_COUNT>) -> [[u32; HALF_CODES]; 2] {
    let mut terms = [[0; HALF_CODES]; 2];
    let mut code = 0;
    while code < HALF_CODES {
        terms[0][code] = term(halves.numbers[mirrored(code as u32) as usize]);
        terms[1][code] = term(halves.numbers[code]);
        code += 1;
    }
    terms
}

static HALVES: Halves<HALF_COUNT> = Halves::new(REACH);
static NARROW_HALVES: Halves<NARROW_HALF_COUNT> = Halves::new(NARROW_REACH);
static TERMS: [[u32; HALF_CODES]; 2] = terms(&Halves::new(REACH));

/// Number of an unordered pair with `0 <= first, second`.
const fn pair(first: u32, second: u32) -> u32 {
    let (high, low) = if first > second {
        (first, second)
    } else {
        (second, first)
    };
    high * (high + 1) / 2 + low
}

/// The pair with this number, the greater first.
fn pair_of(number: u32) -> (u32, u32) {
    // Far faster than the square root of an integer, and no less exact.
    let root = f64::from(8 * number + 1).sqrt() as u32;
    let high = (root - 1) / 2;
    (high, number - high * (high + 1) / 2)
}

/// A window with Black's and White's stones exchanged.
const fn exchanged(window: u32) -> u32 {
    (window & LOW_BITS) << 1 | window >> 1 & LOW_BITS
}

/// The number of a window of eleven cells, seen by one colour.
///
/// # Examples
///
/// ```
/// use yonsan::board::{Colour, Direction, Position, Size, parse_moves};
/// use yonsan::eval::nnue::WindowId;
///
/// let moves = parse_moves("h8").unwrap();
/// let position = Position::from_moves(Size::square(15).unwrap(), &moves).unwrap();
/// let window = position.lines().window(moves[0], Direction::Vertical);
/// let own = WindowId::of(window, Colour::Black);
/// assert_eq!(own.swapped(), WindowId::of(window, Colour::White));
/// assert_eq!(own.stones(), 1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct WindowId(u32);

impl WindowId {
    /// The window without stones and walls.
    pub const EMPTY: Self = Self(0);

    /// The window with this index; `None` from [`WINDOW_COUNT`] on.
    #[must_use]
    pub const fn new(index: usize) -> Option<Self> {
        if index < WINDOW_COUNT {
            Some(Self(index as u32))
        } else {
            None
        }
    }

    /// All windows in order.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        (0..WINDOW_COUNT as u32).map(Self)
    }

    /// The number of a window as [`Lines::window`](crate::board::Lines::window)
    /// gives it, with stones of `view` as its own. A window around a wall
    /// counts as empty.
    #[inline]
    #[must_use]
    pub const fn of(window: u32, view: Colour) -> Self {
        match view {
            Colour::Black => Self::seen_by_black(window),
            Colour::White => Self::seen_by_black(exchanged(window)),
        }
    }

    #[inline]
    const fn seen_by_black(window: u32) -> Self {
        let centre = window >> HALF_BITS & CELL_MASK;
        if centre == Cell::Wall as u32 {
            return Self::EMPTY;
        }
        let below = TERMS[0][(window & HALF_MASK) as usize];
        let above = TERMS[1][(window >> (HALF_BITS + CELL_BITS) & HALF_MASK) as usize];
        let (high, low) = if below > above {
            (below, above)
        } else {
            (above, below)
        };
        Self((high >> TERM_BITS) + (low & TERM_MASK) + centre)
    }

    /// 0 to [`WINDOW_COUNT`] - 1.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Numbers of the halves, the greater first, and the centre: 0 empty,
    /// 1 own, 2 other.
    fn parts(self) -> (u32, u32, u32) {
        let (high, low) = pair_of(self.0 / CENTRES as u32);
        (high, low, self.0 % CENTRES as u32)
    }

    /// A window with this number, own stones black: 22 bits as
    /// [`Lines::window`](crate::board::Lines::window) has them, only walls
    /// behind the first wall.
    #[must_use]
    pub fn window(self) -> u32 {
        let (first, second, centre) = self.parts();
        let low = mirrored(HALVES.cells[first as usize] as u32);
        let high = HALVES.cells[second as usize] as u32;
        low | centre << HALF_BITS | high << (HALF_BITS + CELL_BITS)
    }

    /// The same window seen by the other colour.
    #[must_use]
    pub fn swapped(self) -> Self {
        Self::of(self.window(), Colour::White)
    }

    /// Number of stones, 0 to 11. The net's value of a window without any is 0.
    #[must_use]
    pub fn stones(self) -> u32 {
        let (first, second, centre) = self.parts();
        let halves = HALVES.stones[first as usize] + HALVES.stones[second as usize];
        halves as u32 + (centre != 0) as u32
    }

    /// The nine cells in the middle.
    #[must_use]
    pub fn narrow(self) -> NarrowId {
        let (first, second, centre) = self.parts();
        let first = NARROW_HALVES.numbers[HALVES.cells[first as usize] as usize];
        let second = NARROW_HALVES.numbers[HALVES.cells[second as usize] as usize];
        NarrowId(pair(first as u32, second as u32) * CENTRES as u32 + centre)
    }
}

/// The number of a window of nine cells: see [`WindowId::narrow`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NarrowId(u32);

impl NarrowId {
    /// 0 to [`NARROW_COUNT`] - 1.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Direction, Point, Position, Size, mix};
    use std::cmp::Reverse;

    /// Cells of a half as the text says them, nearest first: 0 empty, 1 own,
    /// 2 other.
    type Half = Vec<u8>;

    /// All halves in the order of their numbers, made the plain way.
    fn all_halves(reach: usize) -> Vec<Half> {
        let mut halves: Vec<Half> = vec![vec![]];
        let mut longest = halves.clone();
        for _ in 0..reach {
            let longer = |cell: u8| {
                longest
                    .iter()
                    .map(move |half| [&half[..], &[cell]].concat())
            };
            longest = (0..3).flat_map(longer).collect();
            halves.extend(longest.iter().cloned());
        }
        halves.sort_by_key(|half| {
            let stones = half.iter().filter(|&&cell| cell != 0).count();
            let value = half.iter().rev().fold(0, |sum, &cell| sum * 3 + cell);
            (stones, Reverse(half.len()), value)
        });
        halves
    }

    fn number(halves: &[Half], first: &Half, second: &Half, centre: u8) -> usize {
        let place = |half| halves.iter().position(|other| other == half).unwrap();
        let (a, b) = (place(first), place(second));
        (a.max(b) * (a.max(b) + 1) / 2 + a.min(b)) * 3 + usize::from(centre)
    }

    /// A busy board with walls inside.
    fn board(width: u8, height: u8) -> Position {
        let mut position = Position::new(Size::new(width, height).unwrap());
        for (i, point) in position.size().points().enumerate() {
            match mix(i as u64 + u64::from(width)) % 8 {
                0 | 1 => {
                    position.set_side_to_move(Colour::Black);
                    position.play(point);
                }
                2 => {
                    position.set_side_to_move(Colour::White);
                    position.play(point);
                }
                3 if i % 3 == 0 => position.block(point),
                _ => {}
            }
        }
        position
    }

    fn walk(
        position: &Position,
        point: Point,
        direction: Direction,
        sign: i8,
        view: Colour,
        reach: i8,
    ) -> Half {
        (1..=reach)
            .map_while(|steps| {
                let at = point.step(direction, sign * steps)?;
                (position.cell(at) != Cell::Wall).then(|| seen(position, at, view))
            })
            .collect()
    }

    fn seen(position: &Position, point: Point, view: Colour) -> u8 {
        match position.cell(point).colour() {
            None => 0,
            Some(colour) => 1 + u8::from(colour != view),
        }
    }

    #[test]
    fn numbers_agree_with_a_walk_over_the_board() {
        let (halves, narrow_halves) = (all_halves(5), all_halves(4));
        assert_eq!(halves.len(), HALF_COUNT);
        assert_eq!(narrow_halves.len(), NARROW_HALF_COUNT);
        for (width, height) in [(5, 5), (15, 15), (22, 22), (7, 19), (20, 6)] {
            let position = board(width, height);
            for point in position.size().points() {
                for direction in Direction::ALL {
                    for view in Colour::ALL {
                        let window = position.lines().window(point, direction);
                        let id = WindowId::of(window, view);
                        if position.cell(point) == Cell::Wall {
                            assert_eq!(id, WindowId::EMPTY);
                            continue;
                        }
                        let half =
                            |sign, reach| walk(&position, point, direction, sign, view, reach);
                        let centre = seen(&position, point, view);
                        let (low, high) = (half(-1, 5), half(1, 5));
                        assert_eq!(id.index(), number(&halves, &low, &high, centre));
                        let cells = low.iter().chain(&high).chain([&centre]);
                        let stones = cells.filter(|&&cell| cell != 0).count();
                        assert_eq!(id.stones() as usize, stones);
                        let (low, high) = (half(-1, 4), half(1, 4));
                        let narrow = number(&narrow_halves, &low, &high, centre);
                        assert_eq!(id.narrow().index(), narrow);
                        assert_eq!(id.swapped(), WindowId::of(window, !view));
                    }
                }
            }
        }
    }

    #[test]
    fn every_number_has_a_window() {
        for (index, id) in WindowId::all().enumerate() {
            assert_eq!(id.index(), index);
            assert_eq!(WindowId::new(index), Some(id));
            assert_eq!(WindowId::of(id.window(), Colour::Black), id);
            assert_eq!(id.swapped().swapped(), id);
            assert!(id.narrow().index() < NARROW_COUNT);
        }
        assert_eq!(WindowId::new(WINDOW_COUNT), None);
    }

    #[test]
    fn mirror_images_are_the_same() {
        for id in WindowId::all() {
            let window = id.window();
            let image = (0..11).fold(0, |image, place| {
                image << 2 | window >> (2 * place) & CELL_MASK
            });
            assert_eq!(WindowId::of(image, Colour::Black), id);
        }
    }

    #[test]
    fn nothing_behind_a_wall_counts() {
        for id in WindowId::all().step_by(7) {
            let window = id.window();
            for noise in 0..4 {
                // A wall three cells above the centre, and whatever behind it.
                let walled = window & 0x0000_ffff | 0b11 << 16;
                let behind = walled & 0x0003_ffff | noise << 18 | (3 - noise) << 20;
                assert_eq!(
                    WindowId::of(behind, Colour::White),
                    WindowId::of(walled | 0b1111 << 18, Colour::White)
                );
            }
        }
    }

    #[test]
    fn few_stones_come_first() {
        assert_eq!(WindowId::of(0, Colour::White), WindowId::EMPTY);
        let stones = HALVES.stones;
        assert!(stones.is_sorted());
        assert_eq!(stones[HALF_COUNT - 1], 5);
    }
}
