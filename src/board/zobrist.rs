//! Zobrist keys, computed at compile time.

use super::geometry::{POINT_ARRAY_LEN, Point};
use super::lines::Cell;

const CELLS: usize = 3;
const SEED: u64 = 0x9e37_79b9_7f4a_7c15;

/// The output function of SplitMix64 (Steele, Lea and Flood, 2014): a
/// bijection that spreads every input bit over the whole word.
#[must_use]
pub const fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(SEED);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

const fn keys() -> [[u64; POINT_ARRAY_LEN]; CELLS] {
    let mut keys = [[0; POINT_ARRAY_LEN]; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        let mut i = 0;
        while i < POINT_ARRAY_LEN {
            keys[cell][i] = mix((cell * POINT_ARRAY_LEN + i) as u64);
            i += 1;
        }
        cell += 1;
    }
    keys
}

static KEYS: [[u64; POINT_ARRAY_LEN]; CELLS] = keys();

/// Added to the hash when White is to move.
pub(super) const WHITE_TO_MOVE: u64 = mix(u64::MAX / 3);

/// The key of a stone or a wall on a point; nothing is 0.
pub(super) const fn key(point: Point, cell: Cell) -> u64 {
    match cell {
        Cell::Empty => 0,
        Cell::Black => KEYS[0][point.index()],
        Cell::White => KEYS[1][point.index()],
        Cell::Wall => KEYS[2][point.index()],
    }
}
