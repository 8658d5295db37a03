//! Every number of the search that could be another one, in one place.
//!
//! Values are in the units of the evaluation, depths in plies, budgets in
//! positions.

use super::score::Value;

/// Deepest iteration.
pub(super) const MAX_DEPTH: i32 = 99;
/// Deepest line, forced replies included.
pub(super) const MAX_PLY: u32 = 240;

/// Half width of the first aspiration window.
pub(super) const ASPIRATION_WINDOW: Value = 16;
/// Iterations before windows are narrowed.
pub(super) const ASPIRATION_DEPTH: i32 = 4;

/// How far below the horizon open threes are still answered.
pub(super) const DEFENCE_DEPTH: i32 = 0;

/// Budget of the search for wins by fours at the horizon.
pub(super) const VCF_LEAF_BUDGET: u64 = 40;
/// What each ply of depth adds to that budget.
pub(super) const VCF_BUDGET_PER_PLY: u64 = 60;
/// The budget at the root.
pub(super) const VCF_ROOT_BUDGET: u64 = 50_000;

/// Deepest node where a good static evaluation is taken for the truth.
pub(super) const REVERSE_FUTILITY_DEPTH: i32 = 5;
/// What a ply can be expected to change.
pub(super) const REVERSE_FUTILITY_MARGIN: Value = 30;

/// Deepest node where a bad static evaluation is taken for the truth.
pub(super) const RAZOR_DEPTH: i32 = 3;
/// Margin at depth 0 and what each ply adds.
pub(super) const RAZOR_BASE: Value = 30;
/// See [`RAZOR_BASE`].
pub(super) const RAZOR_PER_PLY: Value = 30;

/// Shallowest node where the table move is compared with all others.
pub(super) const SINGULAR_DEPTH: i32 = 5;
/// By how many plies the table's knowledge may be shallower than the node.
pub(super) const SINGULAR_ENTRY_DEPTH: i32 = 3;
/// By how much the other moves must be worse, for each ply of depth.
pub(super) const SINGULAR_MARGIN: Value = 4;

/// Shallowest node where passing is tried.
pub(super) const NULL_MOVE_DEPTH: i32 = 3;
/// Plies left out when passing.
pub(super) const NULL_MOVE_REDUCTION: i32 = 3;

/// Deepest node where hopeless quiet moves are skipped.
pub(super) const FUTILITY_DEPTH: i32 = 5;
/// Margin at depth 0 and what each ply adds.
pub(super) const FUTILITY_BASE: Value = 40;
/// See [`FUTILITY_BASE`].
pub(super) const FUTILITY_PER_PLY: Value = 30;

/// Moves tried at depth 0.
pub(super) const MOVE_COUNT_BASE: i32 = 3;
/// What each ply of depth adds, in halves.
pub(super) const MOVE_COUNT_HALVES_PER_PLY: i32 = 3;
/// The square of the depth divided by this is added too.
pub(super) const MOVE_COUNT_SQUARE_DIVISOR: i32 = 20;
/// Of these moves, what is left where the side's evaluation has not risen since
/// its last move, in per cent.
pub(super) const MOVE_COUNT_FALLING: i32 = 70;

/// Shallowest node where the best-looking moves are probed.
pub(super) const PROBE_DEPTH: i32 = 5;
/// By how much they must reach more than beta.
pub(super) const PROBE_MARGIN: Value = 60;
/// By how many plies less deep they are searched.
pub(super) const PROBE_REDUCTION: i32 = 4;
/// How many are probed.
pub(super) const PROBE_MOVES: usize = 3;

/// Shallowest node without a table move that is searched less deep.
pub(super) const INTERNAL_REDUCTION_DEPTH: i32 = 4;

/// Shallowest node where late moves are searched less deep.
pub(super) const LATE_MOVE_DEPTH: i32 = 2;
/// Late-move reduction in 1024ths of a ply: constant part.
pub(super) const LATE_MOVE_BASE: i32 = 310;
/// What the product of the binary logarithms of depth and move number adds,
/// in 1024ths of a ply.
pub(super) const LATE_MOVE_FACTOR: i32 = 260;

/// What each point of a move's score below the best adds, in 1024ths of a ply.
pub(super) const LATE_MOVE_GAP_FACTOR: i32 = 10;
/// Larger gaps count as this.
pub(super) const MOST_SCORE_GAP: i32 = 400;

/// Divisor of a history counter that takes off, or adds, 1024ths of a ply.
pub(super) const LATE_MOVE_HISTORY_DIVISOR: i32 = 8;

/// How much of what the evaluation has been wrong by is believed, in per cent.
pub(super) const CORRECTION_PERCENT: i32 = 50;
/// Larger errors count as this.
pub(super) const MOST_CORRECTED: Value = 200;
/// A search moves the mean error towards its own by one more than its depth, at
/// most so much...
pub(super) const MOST_CORRECTION_WEIGHT: i32 = 16;
/// ...in parts of this.
pub(super) const CORRECTION_RATE: i32 = 256;

/// Bound of a history counter.
pub(super) const HISTORY_LIMIT: i32 = 8_192;
/// What each ply of depth adds to the history of a best move, and takes from
/// that of the others.
pub(super) const HISTORY_BONUS_PER_PLY: i32 = 300;
/// What the square of the depth adds, times this.
pub(super) const HISTORY_BONUS_PER_SQUARE: i32 = 20;
/// The most that one best move adds.
pub(super) const MOST_HISTORY_BONUS: i32 = 6_144;
/// Divisor of a history counter when moves are ordered.
pub(super) const HISTORY_DIVISOR: i32 = 102;
/// Shallowest node where the net is asked about moves.
pub(super) const POLICY_DEPTH: i32 = 3;
/// What its answer weighs against that of shapes, in per cent.
pub(super) const POLICY_PERCENT: i32 = 70;
/// What a killer move is worth when moves are ordered.
pub(super) const KILLER_BONUS: i32 = 40;
/// What the usual reply to the last move is worth when moves are ordered.
pub(super) const REPLY_BONUS: i32 = 25;
