//! The weights of a rule, in the order in which they are used.

use super::dense::{Heads, SIZE_CLASSES};
use super::format::SideWeights;
use super::table::{CHANNELS, TableRow};
use super::window::WindowId;
use crate::board::Colour;
use crate::eval::simd::{Aligned, LANES, PolicyLayers, Row, ValueLayers, paired};
use std::fmt;

/// A net for one rule: what evaluating needs of both colours.
pub struct Network {
    /// By window as Black sees it: what Black sees, and what White sees.
    pub(super) table: Box<[Row]>,
    /// By the colour to move.
    pub(super) heads: [PackedHeads; 2],
}

/// The heads of a rule side.
pub(super) struct PackedHeads {
    pub(super) value: ValueLayers,
    pub(super) policy: PolicyLayers,
}

impl PackedHeads {
    fn new(heads: &Heads) -> Self {
        let (value, policy) = (&heads.value, &heads.policy);
        let first_bias = (0..SIZE_CLASSES).map(|class| Aligned(value.first_bias[class]));
        Self {
            value: ValueLayers {
                first: paired(&value.first),
                first_bias: first_bias.collect(),
                second: paired(&value.second),
                second_bias: Aligned(value.second_bias),
                last: Aligned(value.last),
                last_bias: value.last_bias,
            },
            policy: PolicyLayers {
                first: paired(&policy.first),
                first_bias: Aligned(policy.first_bias),
                last: Aligned(policy.last.map(i32::from)),
                last_bias: policy.last_bias,
            },
        }
    }
}

impl Network {
    /// The net of Black's and White's weights; they may be the same.
    #[must_use]
    pub fn new(black: &SideWeights, white: &SideWeights) -> Self {
        let black_rows = black.table.expand();
        let white_rows = (!std::ptr::eq(black, white)).then(|| white.table.expand());
        let white_rows = white_rows.as_ref().unwrap_or(&black_rows);
        let row = |id: WindowId| {
            let seen_by_white = &white_rows[id.swapped().index()];
            joined(&black_rows[id.index()], seen_by_white)
        };
        Self {
            table: WindowId::all().map(row).collect(),
            heads: [black, white].map(|side| PackedHeads::new(&side.heads)),
        }
    }

    pub(super) const fn heads(&self, colour: Colour) -> &PackedHeads {
        &self.heads[colour.index()]
    }
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Nobody wants to read six million numbers.
        f.debug_struct("Network").finish_non_exhaustive()
    }
}

fn joined(black: &TableRow, white: &TableRow) -> Row {
    let mut numbers = [0; LANES];
    numbers[..CHANNELS].copy_from_slice(black);
    numbers[CHANNELS..].copy_from_slice(white);
    Row(numbers)
}
