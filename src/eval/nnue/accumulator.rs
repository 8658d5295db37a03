//! The sums the net works on, kept up to date from evaluation to evaluation.
//!
//! An accumulator is told nothing of stones played and taken back: asked for a
//! value, it compares the board with the one it saw last and replaces the rows
//! of the windows that differ. So stones that came and went in between cost
//! nothing, passing costs nothing, and it cannot fall out of step.

use super::dense::{CELL_LIMIT, OUTCOMES, size_class};
use super::network::Network;
use super::score::{score, with_prior};
use super::table::CHANNELS;
use super::window::WindowId;
use crate::board::{
    CELL_BITS, Colour, Direction, LINE_REACH, Lines, MAX_SIDE, POINT_ARRAY_LEN, Point, Position,
    Size,
};
use crate::eval::simd::{self, Cells, Change, Kernels, LANES, MOST_CHANGES, Sums};
use std::fmt;

/// Low bit of every cell of a line word.
const LOW_BITS: u64 = 0x5555_5555_5555_5555;
/// The eleven cells of a window.
const WINDOW_MASK: u64 = (1 << ((2 * LINE_REACH + 1) * CELL_BITS)) - 1;
/// A logit of the policy head is handed out in units of 2^-10.
const POLICY_SHIFT: u32 = 8;
const POLICY_ROUNDING: i32 = 1 << (POLICY_SHIFT - 1);

/// How many of [`Accumulator::policy`]'s units make a logit of 1.
pub const POLICY_ONE: i32 = 1 << 10;

// A cell's number fits its 16 bits, and the sum of all cells its 32.
const _: () = assert!(CELL_LIMIT * POINT_ARRAY_LEN as i32 <= i32::MAX / LANES as i32);

/// What a net sees on one board.
///
/// # Examples
///
/// ```
/// use yonsan::board::{Position, Size, parse_moves};
/// use yonsan::eval::nnue::{Accumulator, Network, SideWeights};
///
/// let weights = SideWeights::zero();
/// let network = Network::new(&weights, &weights);
/// let size = Size::square(15).unwrap();
/// let mut accumulator = Accumulator::new(&network, size);
/// let moves = parse_moves("h8 i9 g9").unwrap();
/// let position = Position::from_moves(size, &moves).unwrap();
/// assert_eq!(accumulator.value(&position, 0), 0);
/// // 200 ln ((e^0.175 + 1/2) / (e^-0.175 + 1/2)): a draw is as likely as can be.
/// assert_eq!(accumulator.value(&position, 70), 47);
/// ```
#[derive(Clone)]
pub struct Accumulator<'net> {
    network: &'net Network,
    kernels: Kernels,
    size: Size,
    /// The rows of the board the rest belongs to.
    rows: [u64; MAX_SIDE as usize],
    /// By cell and direction: the number of the window, seen by Black.
    ids: Box<[[u32; Direction::ALL.len()]; POINT_ARRAY_LEN]>,
    cells: Box<Cells>,
    sums: Sums,
    /// Room for the changes of one point.
    changes: [Change; MOST_CHANGES],
}

impl<'net> Accumulator<'net> {
    /// An accumulator for boards of this size, so far without stones. It uses
    /// the kernels chosen for the program, [`Kernels::chosen`].
    #[must_use]
    pub fn new(network: &'net Network, size: Size) -> Self {
        Self::with_kernels(network, size, Kernels::chosen())
    }

    /// An accumulator that computes in a certain way.
    #[must_use]
    pub fn with_kernels(network: &'net Network, size: Size, kernels: Kernels) -> Self {
        let empty = Lines::new(size);
        let mut rows = [u64::MAX; MAX_SIDE as usize];
        for y in 0..size.height() {
            rows[usize::from(y)] = row(&empty, y);
        }
        Self {
            network,
            kernels,
            size,
            rows,
            // Windows without stones, walls or not, have no value: all
            // windows of an empty board may pass for the first of them.
            ids: Box::new([[WindowId::EMPTY.index() as u32; Direction::ALL.len()]; _]),
            cells: Box::new([simd::Cell([0; LANES]); _]),
            sums: Sums([0; LANES]),
            changes: [Change::default(); MOST_CHANGES],
        }
    }

    /// The value of a position for the side to move, see [`score`], given the
    /// score that the net builds on, see [`with_prior`].
    pub fn value(&mut self, position: &Position, prior: i32) -> i32 {
        score(with_prior(self.logits(position), prior))
    }

    /// The logits of a win, a draw and a loss of the side to move, in units of
    /// [`LOGIT_ONE`](super::LOGIT_ONE).
    pub fn logits(&mut self, position: &Position) -> [i32; OUTCOMES] {
        self.update(position);
        let side = position.side_to_move();
        let layers = &self.network.heads(side).value;
        let class = size_class(self.size);
        self.kernels
            .value(layers, class, &self.sums, first_lane(side))
    }

    /// Appends for every one of the points, which should be free, how good a
    /// move of the side to move there looks: logits in units of
    /// [`POLICY_ONE`].
    pub fn policy(
        &mut self,
        position: &Position,
        points: impl IntoIterator<Item = Point>,
        logits: &mut Vec<i32>,
    ) {
        self.update(position);
        let side = position.side_to_move();
        let start = logits.len();
        logits.extend(points.into_iter().map(|point| point.index() as i32));
        let layers = &self.network.heads(side).policy;
        let logits = &mut logits[start..];
        self.kernels
            .policy(layers, &self.cells, first_lane(side), logits);
        for logit in logits {
            *logit = (*logit + POLICY_ROUNDING) >> POLICY_SHIFT;
        }
    }

    /// Brings everything up to date with a board.
    fn update(&mut self, position: &Position) {
        if position.size() != self.size {
            *self = Self::with_kernels(self.network, position.size(), self.kernels);
        }
        let lines = position.lines();
        for y in 0..self.size.height() {
            let now = row(lines, y);
            let before = std::mem::replace(&mut self.rows[usize::from(y)], now);
            let difference = now ^ before;
            let mut changed = (difference | difference >> 1) & LOW_BITS;
            while changed != 0 {
                let place = changed.trailing_zeros() / CELL_BITS - LINE_REACH;
                changed &= changed - 1;
                if let Some(point) = Point::new(place as u8, y) {
                    self.update_around(lines, point);
                }
            }
        }
    }

    /// Brings the windows that reach a point up to date.
    fn update_around(&mut self, lines: &Lines, at: Point) {
        let mut count = 0;
        for (number, direction) in Direction::ALL.into_iter().enumerate() {
            let word = lines.word(at, direction);
            let (_, place) = Lines::locate(at, direction);
            let walls = word & word >> 1;
            let around = WINDOW_MASK << (place * CELL_BITS);
            let own = 1 << ((place + LINE_REACH) * CELL_BITS);
            // A cell that has become a wall has lost its windows.
            let mut cells = !walls & LOW_BITS & around | own;
            let index_step = direction.index_step();
            // Index of the point in cell 0 of the word, if there were one.
            let origin = at.index() as isize - (place + LINE_REACH) as isize * index_step;
            while cells != 0 {
                let bit = cells.trailing_zeros();
                cells &= cells - 1;
                let window = word >> (bit - LINE_REACH * CELL_BITS) & WINDOW_MASK;
                let id = WindowId::of(window as u32, Colour::Black).index() as u32;
                let cell = (bit / CELL_BITS) as isize;
                let index = (origin + cell * index_step) as usize & (POINT_ARRAY_LEN - 1);
                let known = &mut self.ids[index][number];
                if *known != id {
                    self.changes[count] = Change {
                        cell: index as u32,
                        old: *known,
                        new: id,
                    };
                    count += 1;
                    *known = id;
                }
            }
        }
        let changes = &self.changes[..count];
        let table = &self.network.table;
        self.kernels
            .replace_rows(table, &mut self.cells, changes, &mut self.sums);
    }
}

impl fmt::Debug for Accumulator<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Accumulator")
            .field("kernels", &self.kernels)
            .field("size", &self.size)
            .field("sums", &self.sums)
            .finish_non_exhaustive()
    }
}

/// A row of the board.
fn row(lines: &Lines, y: u8) -> u64 {
    Point::new(0, y).map_or(u64::MAX, |start| lines.word(start, Direction::Horizontal))
}

/// Where the numbers of the side to move begin.
const fn first_lane(side: Colour) -> usize {
    side.index() * CHANNELS
}
