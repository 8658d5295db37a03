//! The trained net, rounded, in the engine's format.

use super::head::{BIAS_SCALE, CHANNELS, FIRST_BIAS_SCALE, Head, WEIGHT_SCALE};
use super::kernel::Row;
use super::layout::key;
use super::net::{Net, ROW_SCALE, Ready};
use anyhow::{Context, Result};
use yonsan::eval::nnue::{
    FactorTable, Heads, NARROW_COUNT, NetFile, PolicyHead, RuleSide, SideWeights, TableRow,
    ValueHead, WindowId,
};

/// The file of a net.
///
/// # Errors
///
/// If a number is beyond what the engine allows, which training prevents.
pub fn export(net: &Net, description: &str) -> Result<Vec<u8>> {
    let sides = RuleSide::ALL.map(|side| side_weights(net, side));
    let [a, b, c, d, e] = &sides;
    NetFile::write(description, [a, b, c, d, e]).context("the net")
}

/// The weights of a rule side.
#[must_use]
pub fn side_weights(net: &Net, side: RuleSide) -> SideWeights {
    SideWeights {
        heads: heads(&net.heads[side.index()]),
        table: table(net, side),
    }
}

fn heads(head: &Head) -> Heads {
    Heads {
        value: ValueHead {
            first: by_unit(&head.first).map(weights),
            first_bias: head.first_bias.map(|bias| biases(bias, FIRST_BIAS_SCALE)),
            second: by_unit(&head.second).map(weights),
            second_bias: biases(head.second_bias, BIAS_SCALE),
            last: by_unit(&head.last).map(weights),
            last_bias: biases(head.last_bias, BIAS_SCALE),
        },
        policy: PolicyHead {
            first: head.urge.map(weights),
            first_bias: biases(head.urge_bias, FIRST_BIAS_SCALE),
            last: weights(head.urge_last),
            last_bias: 0,
        },
    }
}

/// A layer by unit and input, from one by input and unit.
fn by_unit<const INPUTS: usize, const UNITS: usize>(
    layer: &[[f32; UNITS]; INPUTS],
) -> [[f32; INPUTS]; UNITS] {
    std::array::from_fn(|unit| std::array::from_fn(|input| layer[input][unit]))
}

fn weights<const N: usize>(items: [f32; N]) -> [i16; N] {
    items.map(|item| (item * WEIGHT_SCALE).round() as i16)
}

fn biases<const N: usize>(items: [f32; N], scale: f32) -> [i32; N] {
    items.map(|item| (item * scale).round() as i32)
}

fn table(net: &Net, side: RuleSide) -> FactorTable {
    let ready = Ready::new(net, true, Vec::new());
    let narrow: Vec<TableRow> = (0..NARROW_COUNT)
        .map(|narrow| steps(&ready.middle(net.layout.own_row(side, narrow))))
        .collect();
    let own = |window: WindowId| {
        let key = key(side, window);
        if !net.layout.has_whole(key) {
            return None;
        }
        let (row, middle) = (steps(&ready.row(key).0), &narrow[window.narrow().index()]);
        // Opposite extremes are too far apart; the engine would cut the sum.
        let gap: TableRow = std::array::from_fn(|i| row[i].saturating_sub(middle[i]));
        (gap != [0; CHANNELS]).then_some((window, gap))
    };
    let residual = WindowId::all().filter_map(own).collect();
    FactorTable { narrow, residual }
}

/// A row within the limits, in the engine's steps.
fn steps(row: &Row) -> TableRow {
    row.0.map(|item| (item * ROW_SCALE).round() as i8)
}

#[cfg(test)]
#[path = "export_tests.rs"]
mod tests;
