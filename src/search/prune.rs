//! The pruning rules: each a pure function of numbers, so that it can be read
//! and tried by itself.
//!
//! # Tried without gain
//!
//! Elo of the change in games of a fixed number of positions, with 95 %;
//! freestyle 15x15 if nothing else is said. What was measured against an older
//! engine may be worth another try.
//!
//! With the weights by rule of thumb:
//!
//! | Idea | Elo |
//! |---|---:|
//! | answering open threes three plies below the horizon | -118 ± 38 |
//! | four moves less at every depth | -33 ± 38 |
//! | a late-move factor of 360 | 0 ± 40 |
//! | leaving out moves that look bad at up to five plies | -4 ± 35 |
//! | 12 positions for wins by fours at the horizon | +14 ± 31 |
//!
//! With the fitted weights:
//!
//! | Idea | Elo |
//! |---|---:|
//! | more reduction where the evaluation has fallen since the side's last move | -2 ± 33 |
//! | a smaller margin for reverse futility where it has risen | -9 ± 35 |
//! | 60 points less at the horizon where the opponent would win by fours | -60 ± 30 |
//! | no reverse futility there | -76 ± 30 |
//! | reverse futility at any depth | -20 ± 37 |
//! | a late-move factor of 360 | -15 ± 35 |
//! | a gap factor of 16 | -38 ± 34 |
//! | three moves less at every depth | -6 ± 32 |
//! | wins by fours and threes at the root, an eighth of the positions | -12 ± 22 |
//! | the same on the principal variation from six plies on | -7 ± 17 |
//! | the same at all such nodes | -15 ± 22 |
//! | answers to open threes at no cost of depth | -76 ± 46 |
//! | a cutoff where other moves than the table move reach beta too | +3 ± 15 |
//! | histories that go on from the last two moves | 0 ± 16 |
//! | a ply more of reduction in nodes without a table move | -7 ± 23 |
//! | loud moves reduced like others | -26 ± 30 |
//! | moves of the principal variation reduced like others | -10 ± 28 |
//! | the table's value for the evaluation | -15 ± 36 |
//!
//! With a count of moves at every depth:
//!
//! | Idea | Elo |
//! |---|---:|
//! | the count growing with the 1.15th power of the depth | -10 ± 43 |
//! | with the 1.5th | -7 ± 41 |
//! | a ply less for what comes after a move that raised alpha | -44 ± 41 |
//! | a ply more where a reduced search came out far above alpha | -17 ± 42 |
//! | no passing; in renju -12 ± 39 | +31 ± 39 |
//!
//! With histories of attacks and quiet moves apart:
//!
//! | Idea | Elo |
//! |---|---:|
//! | not asking whether the table move is the only good one | +15 ± 31 |
//! | or only from seven plies on | -5 ± 35 |
//! | the same budget for wins by fours at every depth | +8 ± 27 |
//! | values at the horizon kept in the table | -17 ± 35 |
//!
//! With corrections of the evaluation:
//!
//! | Idea | Elo |
//! |---|---:|
//! | all of them instead of half, where half had +27 ± 27 | +2 ± 28 |
//! | corrections from the opponent's stone alone | +9 ± 29 |
//! | fours tried one by one at the horizon | fewer proofs |
//! | nodes that once were on a principal variation reduced less | +10 ± 35 |
//! | killer moves forgotten below each node | +9 ± 32 |
//! | both of them, in standard | -5 ± 33 |
//! | the mean of this and the last ply's evaluation, a quarter of the last | +7 ± 39 |
//! | the same, 45 % of the last | -17 ± 34 |
//!
//! And all at once, every pair of games with another half of them switched on
//! or moved up, the rest off or moved down; 4,332 games of 20,000 positions in
//! freestyle 15x15 and 20x20, standard and renju, each effect with ±9. Worth a
//! match of their own: a probe margin of 45 against 75, +13, and 35 % of the
//! corrections against 65 %, +11. Nothing to be seen of: extending a second
//! ply, more reduction in nodes that should cut, after many cutoffs below,
//! where the evaluation falls or a pass loses, less where corrections are
//! large; corrections by the threats on the board, -8, or by the last two
//! points, -7; leaving a node by the table's bound from a shallower search, -2;
//! depth by what the last reduction turned out to be; passing only where a node
//! should cut, +6; leaving out moves by their history, +4; futility by the
//! reduced depth; a deeper pass where the evaluation is far above beta; a point
//! for closeness to the last stones, +8 and +4; at the root reductions by
//! shape, -7, or by history, +2, and a count of moves, +6; every other margin,
//! count and factor of `params.rs` moved by a fifth to a third.

use super::params::*;
use super::score::{Value, is_forced};
use super::tt::{Bound, Entry};

const TABLE_LEN: usize = 128;

/// Binary logarithms in 1024ths, from integers alone: the same on every
/// machine, which logarithms of the system's library are not.
const LOGARITHMS: [i32; TABLE_LEN] = {
    let mut table = [0; TABLE_LEN];
    let mut n = 1;
    while n < TABLE_LEN {
        table[n] = log2_1024(n as u64);
        n += 1;
    }
    table
};

/// The binary logarithm of `n`, at least 1, in 1024ths, rounded down: squaring
/// the mantissa brings out one binary digit after the other.
const fn log2_1024(n: u64) -> i32 {
    const FRACTION_BITS: u32 = 30;
    const DIGITS: u32 = 10;
    let whole = n.ilog2();
    let mut mantissa = (n << FRACTION_BITS) >> whole;
    let mut log = whole as i32;
    let mut digit = 0;
    while digit < DIGITS {
        mantissa = (mantissa * mantissa) >> FRACTION_BITS;
        log *= 2;
        if mantissa >= 2 << FRACTION_BITS {
            mantissa >>= 1;
            log += 1;
        }
        digit += 1;
    }
    log
}

/// Whether the side to move stands so well that a shallow search, or none at
/// the horizon, would not change it.
pub(super) fn reverse_futility(depth: i32, eval: Value, beta: Value) -> bool {
    depth <= REVERSE_FUTILITY_DEPTH && eval - REVERSE_FUTILITY_MARGIN * depth.max(0) >= beta
}

/// Whether the side to move stands so badly that a shallow search would not
/// change it; wins by fours have been looked for already.
pub(super) fn razor(depth: i32, eval: Value, alpha: Value) -> bool {
    depth <= RAZOR_DEPTH && eval + RAZOR_BASE + RAZOR_PER_PLY * depth <= alpha
}

/// The value that all moves but the table move must fail to reach, if it is
/// worth asking whether the table move is the only good one.
pub(super) fn singular_limit(depth: i32, entry: &Entry, value: Value) -> Option<Value> {
    let is_worth_it = depth >= SINGULAR_DEPTH
        && entry.depth >= depth - SINGULAR_ENTRY_DEPTH
        && entry.bound != Bound::Upper
        && !is_forced(value);
    is_worth_it.then_some(value - SINGULAR_MARGIN * depth)
}

/// Depth of the search of all moves but the table move.
pub(super) const fn singular_depth(depth: i32) -> i32 {
    (depth - 1) / 2
}

/// Whether to try if passing is good enough already.
pub(super) const fn null_move(depth: i32, eval: Value, beta: Value) -> bool {
    depth >= NULL_MOVE_DEPTH && eval >= beta
}

/// Depth of the search after passing.
pub(super) const fn null_move_depth(depth: i32) -> i32 {
    depth - NULL_MOVE_REDUCTION - depth / 4
}

/// What the best-looking moves must reach in a search of less depth for a node to
/// be left, if it is worth probing them.
pub(super) fn probe_limit(depth: i32, eval: Value, beta: Value) -> Option<Value> {
    (depth >= PROBE_DEPTH && eval >= beta).then_some(beta + PROBE_MARGIN)
}

/// What a node is worth of whose moves one has reached that limit: a proof is one,
/// any other value is not believed by the margin.
pub(super) const fn probed_value(value: Value) -> Value {
    if is_forced(value) {
        value
    } else {
        value - PROBE_MARGIN
    }
}

/// Whether a quiet move has no chance to lift the value to alpha.
pub(super) const fn futility(depth: i32, eval: Value, alpha: Value) -> bool {
    depth <= FUTILITY_DEPTH && eval + FUTILITY_BASE + FUTILITY_PER_PLY * depth <= alpha
}

/// How many moves to try at a depth of 1 or more, for a side whose evaluation is
/// rising or not, if one of them does not lose by force. In nodes of the
/// principal variation too: searching them in their whole width was most of the
/// work.
pub(super) const fn moves_to_try(depth: i32, is_rising: bool) -> usize {
    let all = MOVE_COUNT_BASE
        + depth * MOVE_COUNT_HALVES_PER_PLY / 2
        + depth * depth / MOVE_COUNT_SQUARE_DIVISOR;
    let part = if is_rising {
        all
    } else {
        all * MOVE_COUNT_FALLING / 100
    };
    // The move of this number is left out already.
    part as usize - 1
}

/// Whether a node without a table move should be searched less deep.
pub(super) const fn internal_reduction(depth: i32, has_table_move: bool) -> bool {
    depth >= INTERNAL_REDUCTION_DEPTH && !has_table_move
}

/// By how many plies to reduce the `number`th move, from 1, whose shapes score
/// by `score_gap` less than those of the best-looking move, and which has been
/// good or bad elsewhere as its `history` tells.
pub(super) fn late_move_reduction(depth: i32, number: usize, score_gap: i32, history: i32) -> i32 {
    if depth < LATE_MOVE_DEPTH || number < 2 {
        return 0;
    }
    let log = |n: usize| LOGARITHMS[n.min(TABLE_LEN - 1)];
    let product = log(depth as usize) * log(number) / 1024;
    let by_gap = score_gap.clamp(0, MOST_SCORE_GAP) * LATE_MOVE_GAP_FACTOR;
    let by_history = history / LATE_MOVE_HISTORY_DIVISOR;
    (LATE_MOVE_BASE + product * LATE_MOVE_FACTOR / 1024 + by_gap - by_history) / 1024
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_right() {
        for (n, &log) in LOGARITHMS.iter().enumerate().skip(1) {
            let exact = (n as f64).log2() * 1024.0;
            assert!((exact - f64::from(log)).abs() <= 1.0, "{n}: {log}");
        }
    }

    /// By hand: 3 + 1 and 3 + 15 + 5 moves, less the one that is left out.
    #[test]
    fn more_moves_are_tried_at_greater_depth() {
        assert_eq!([true, false].map(|rising| moves_to_try(1, rising)), [3, 1]);
        assert_eq!(
            [true, false].map(|rising| moves_to_try(10, rising)),
            [22, 15]
        );
        for depth in 1..MAX_DEPTH {
            for is_rising in [false, true] {
                let here = moves_to_try(depth, is_rising);
                assert!(here >= 1 && here <= moves_to_try(depth + 1, is_rising));
                assert!(here <= moves_to_try(depth, true));
            }
        }
    }

    #[test]
    fn only_good_positions_of_some_depth_are_probed() {
        assert_eq!(probe_limit(PROBE_DEPTH - 1, 500, 100), None);
        assert_eq!(probe_limit(PROBE_DEPTH, 99, 100), None);
        let limit = probe_limit(PROBE_DEPTH, 100, 100);
        assert_eq!(limit, Some(100 + PROBE_MARGIN));
        assert_eq!(limit.map(probed_value), Some(100));
    }

    #[test]
    fn reductions_grow_with_depth_and_number() {
        assert_eq!(late_move_reduction(1, 50, 900, 0), 0);
        assert_eq!(late_move_reduction(20, 1, 900, 0), 0);
        for depth in 2..60 {
            for number in 2..60 {
                let here = late_move_reduction(depth, number, 50, 0);
                assert!(here >= 0);
                assert!(here <= late_move_reduction(depth + 1, number, 50, 0));
                assert!(here <= late_move_reduction(depth, number + 1, 50, 0));
                assert!(here <= late_move_reduction(depth, number, 300, 0));
                assert!(here <= late_move_reduction(depth, number, 50, -HISTORY_LIMIT));
                assert!(here >= late_move_reduction(depth, number, 50, HISTORY_LIMIT));
            }
        }
    }
}
