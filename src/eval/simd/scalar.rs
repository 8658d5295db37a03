//! The kernels in plain Rust: what every processor can do, and what the other
//! kernels must agree with to the bit.

use super::{
    ACTIVATION_LIMIT, Aligned, Cells, Change, FIRST_ROUNDING, FIRST_SHIFT, LANES, PairedWeights,
    PolicyLayers, Row, SECOND_ROUNDING, SECOND_SHIFT, Sums, ValueLayers,
};
use crate::board::POINT_ARRAY_LEN;

pub(super) fn replace_rows(table: &[Row], cells: &mut Cells, changes: &[Change], sums: &mut Sums) {
    let mut difference = [0i16; LANES];
    for change in changes {
        let Row(old) = &table[change.old as usize];
        let Row(new) = &table[change.new as usize];
        let cell = &mut cells[change.cell as usize & (POINT_ARRAY_LEN - 1)].0;
        for lane in 0..LANES {
            let before = cell[lane];
            let after = before - i16::from(old[lane]) + i16::from(new[lane]);
            cell[lane] = after;
            difference[lane] += after.max(0) - before.max(0);
        }
    }
    for (sum, difference) in sums.0.iter_mut().zip(difference) {
        *sum += i32::from(difference);
    }
}

pub(super) fn value(
    layers: &ValueLayers,
    first_bias: &Aligned<[i32; 32]>,
    sums: &Sums,
    first: usize,
) -> [i32; 3] {
    let inputs = own_first(&sums.0, first).map(|sum| sum.clamp(0, ACTIVATION_LIMIT) as i16);
    let hidden = layer(&layers.first, &first_bias.0, &inputs);
    let hidden = hidden.map(|sum| activation(sum, FIRST_ROUNDING, FIRST_SHIFT) as i16);
    let hidden = layer(&layers.second, &layers.second_bias.0, &hidden);
    let hidden = hidden.map(|sum| activation(sum, SECOND_ROUNDING, SECOND_SHIFT));
    std::array::from_fn(|output| {
        let products = layers.last.0[output].iter().zip(hidden);
        let sum: i32 = products
            .map(|(&weight, input)| i32::from(weight) * input)
            .sum();
        sum + layers.last_bias[output]
    })
}

pub(super) fn policy(layers: &PolicyLayers, cells: &Cells, first: usize, points: &mut [i32]) {
    for point in points {
        let cell = &cells[*point as usize & (POINT_ARRAY_LEN - 1)].0;
        let inputs = own_first(cell, first).map(|number| number.max(0));
        let hidden = layer(&layers.first, &layers.first_bias.0, &inputs);
        let products = layers.last.0.iter().zip(hidden);
        let sum: i32 = products
            .map(|(weight, sum)| weight * activation(sum, FIRST_ROUNDING, FIRST_SHIFT))
            .sum();
        *point = sum + layers.last_bias;
    }
}

/// The numbers with the half that begins at `first` in front.
fn own_first<T: Copy>(numbers: &[T; LANES], first: usize) -> [T; LANES] {
    std::array::from_fn(|lane| numbers[lane ^ first])
}

const fn activation(sum: i32, rounding: i32, shift: i32) -> i32 {
    let scaled = (sum + rounding) >> shift;
    if scaled < 0 {
        0
    } else if scaled > ACTIVATION_LIMIT {
        ACTIVATION_LIMIT
    } else {
        scaled
    }
}

fn layer<const UNITS: usize, const WIDTH: usize>(
    weights: &PairedWeights<WIDTH>,
    bias: &[i32; UNITS],
    inputs: &[i16; LANES],
) -> [i32; UNITS] {
    const { assert!(WIDTH == 2 * UNITS) };
    let mut sums = *bias;
    let (pairs, _) = inputs.as_chunks::<2>();
    for (weights, pair) in weights.0.iter().zip(pairs) {
        for (unit, sum) in sums.iter_mut().enumerate() {
            *sum += i32::from(weights[2 * unit]) * i32::from(pair[0])
                + i32::from(weights[2 * unit + 1]) * i32::from(pair[1]);
        }
    }
    sums
}
