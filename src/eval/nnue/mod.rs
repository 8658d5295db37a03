//! A small net whose table is indexed by the windows around every cell.
//!
//! Every window of a position, seen by either colour, has a row of numbers in
//! the table; the rows of the four directions add up to the cell's vector. The
//! vectors, cut at 0 and added up, feed a small dense net that says how likely
//! a win, a draw and a loss are; the vector of a single cell says how good a
//! move there looks.

mod accumulator;
mod codec;
mod dense;
mod format;
mod installed;
mod network;
mod score;
mod table;
mod window;

pub use accumulator::{Accumulator, POLICY_ONE};
pub use dense::{
    ACTIVATION_LIMIT, BIAS_LIMIT, CELL_LIMIT, Heads, INPUTS, OUTCOMES, POLICY_HIDDEN, PolicyHead,
    SIZE_CLASSES, VALUE_HIDDEN, ValueHead, WEIGHT_LIMIT, size_class,
};
pub use format::{LONGEST_DESCRIPTION, NetError, NetFile, RuleSide, SideWeights};
pub use installed::{InstallError, install, network};
pub use network::Network;
pub use score::{LOGIT_ONE, PRIOR_LIMIT, SCORE_LIMIT, score, with_prior};
pub use table::{CHANNELS, FactorTable, TableRow};
pub use window::{HALF_COUNT, NARROW_COUNT, NARROW_HALF_COUNT, NarrowId, WINDOW_COUNT, WindowId};
