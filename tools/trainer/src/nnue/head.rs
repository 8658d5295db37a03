//! The dense layers of one rule side, and how losses change with them.
//!
//! Both heads begin with 32 numbers: 16 of the side to move, then 16 of the
//! other side. For the value these are the vectors of all cells, cut at 0,
//! added up; for a move that of its cell, cut at 0. Layers are cut from above
//! as well, where the integers of the engine end.

#![allow(clippy::needless_range_loop)]

use super::kernel::{add, add_scaled, cut, cut_back, dot};
pub use yonsan::eval::nnue::{
    CHANNELS, INPUTS, OUTCOMES, POLICY_HIDDEN as URGE_UNITS, SIZE_CLASSES, VALUE_HIDDEN as HIDDEN,
};

/// Largest input of the value head: 4095 of the engine's 32nds.
pub const MOST_SUM: f32 = 4095.0 / 32.0;
/// Largest hidden unit: 4095 of the engine's 256ths.
pub const MOST_UNIT: f32 = 4095.0 / 256.0;
/// Weights are within this, up and down.
pub const MOST_WEIGHT: f32 = 8.0;

/// What a head is given.
pub type Inputs = [f32; INPUTS];

/// The numbers of the dense layers, or the slopes of a loss by them.
#[derive(Clone, Debug, PartialEq)]
pub struct Head {
    /// First layer of the value, by input and unit.
    pub first: [[f32; HIDDEN]; INPUTS],
    /// Bias of the first layer by size class.
    pub first_bias: [[f32; HIDDEN]; SIZE_CLASSES],
    /// Second layer of the value, by unit of the first and unit.
    pub second: [[f32; HIDDEN]; HIDDEN],
    /// Bias of the second layer.
    pub second_bias: [f32; HIDDEN],
    /// Last layer of the value, by unit of the second and outcome.
    pub last: [[f32; OUTCOMES]; HIDDEN],
    /// Bias of the last layer.
    pub last_bias: [f32; OUTCOMES],
    /// First layer of the moves, by unit and input.
    pub urge: [[f32; INPUTS]; URGE_UNITS],
    /// Bias of the first layer of the moves.
    pub urge_bias: [f32; URGE_UNITS],
    /// Last layer of the moves. Its bias would be the same for all moves, so
    /// it has none.
    pub urge_last: [f32; URGE_UNITS],
}

/// Number of arrays in a [`Head`].
pub const ARRAYS: usize = 9;

/// Steps of a weight of the engine: so many to a unit.
pub const WEIGHT_SCALE: f32 = 1_024.0;
/// Steps of the biases of the first layers, whose inputs have 32 to a unit.
pub const FIRST_BIAS_SCALE: f32 = 32.0 * WEIGHT_SCALE;
/// Steps of all other biases: hidden units have 256 steps to a unit.
pub const BIAS_SCALE: f32 = 256.0 * WEIGHT_SCALE;
/// Steps of the numbers of [`Head::arrays`].
const STEPS: [f32; ARRAYS] = [
    WEIGHT_SCALE,
    FIRST_BIAS_SCALE,
    WEIGHT_SCALE,
    BIAS_SCALE,
    WEIGHT_SCALE,
    BIAS_SCALE,
    WEIGHT_SCALE,
    FIRST_BIAS_SCALE,
    WEIGHT_SCALE,
];

impl Head {
    /// All 0.
    pub const ZERO: Self = Self {
        first: [[0.0; HIDDEN]; INPUTS],
        first_bias: [[0.0; HIDDEN]; SIZE_CLASSES],
        second: [[0.0; HIDDEN]; HIDDEN],
        second_bias: [0.0; HIDDEN],
        last: [[0.0; OUTCOMES]; HIDDEN],
        last_bias: [0.0; OUTCOMES],
        urge: [[0.0; INPUTS]; URGE_UNITS],
        urge_bias: [0.0; URGE_UNITS],
        urge_last: [0.0; URGE_UNITS],
    };

    /// All numbers, array by array.
    #[must_use]
    pub const fn arrays(&self) -> [&[f32]; ARRAYS] {
        [
            self.first.as_flattened(),
            self.first_bias.as_flattened(),
            self.second.as_flattened(),
            &self.second_bias,
            self.last.as_flattened(),
            &self.last_bias,
            self.urge.as_flattened(),
            &self.urge_bias,
            &self.urge_last,
        ]
    }

    /// All numbers, array by array.
    pub const fn arrays_mut(&mut self) -> [&mut [f32]; ARRAYS] {
        [
            self.first.as_flattened_mut(),
            self.first_bias.as_flattened_mut(),
            self.second.as_flattened_mut(),
            &mut self.second_bias,
            self.last.as_flattened_mut(),
            &mut self.last_bias,
            self.urge.as_flattened_mut(),
            &mut self.urge_bias,
            &mut self.urge_last,
        ]
    }

    /// The same in the steps of the engine's numbers.
    #[must_use]
    pub fn rounded(&self) -> Self {
        let mut rounded = self.clone();
        for (array, steps) in rounded.arrays_mut().into_iter().zip(STEPS) {
            for number in array {
                *number = (*number * steps).round() / steps;
            }
        }
        rounded
    }

    /// The first layer of the moves by input and unit, for [`Head::urge`].
    #[must_use]
    pub fn urge_by_input(&self) -> UrgeByInput {
        std::array::from_fn(|input| std::array::from_fn(|unit| self.urge[unit][input]))
    }

    /// How likely the outcomes are on a board of this size class; `prior` is
    /// [`Sample::prior_logit`](super::data::Sample::prior_logit).
    #[must_use]
    pub fn value(&self, inputs: &Inputs, size_class: usize, prior: f32) -> Value {
        let mut sums = self.first_bias[size_class];
        for input in 0..INPUTS {
            add_scaled(&mut sums, inputs[input], &self.first[input]);
        }
        let first = cut(&sums, MOST_UNIT);
        let mut sums = self.second_bias;
        for unit in 0..HIDDEN {
            add_scaled(&mut sums, first[unit], &self.second[unit]);
        }
        let second = cut(&sums, MOST_UNIT);
        let mut logits = self.last_bias;
        for unit in 0..HIDDEN {
            add_scaled(&mut logits, second[unit], &self.last[unit]);
        }
        logits[0] += prior;
        logits[2] -= prior;
        let mut chances = logits;
        softmax(&mut chances);
        Value {
            first,
            second,
            chances,
        }
    }

    /// Adds to `slopes` how a loss changes with the numbers of the value head,
    /// given how it changes with the logits; returns how it changes with the
    /// inputs.
    pub fn value_back(
        &self,
        inputs: &Inputs,
        size_class: usize,
        value: &Value,
        by_logit: [f32; OUTCOMES],
        slopes: &mut Self,
    ) -> Inputs {
        let mut by_unit = [0.0; HIDDEN];
        add(&mut slopes.last_bias, &by_logit);
        for unit in 0..HIDDEN {
            add_scaled(&mut slopes.last[unit], value.second[unit], &by_logit);
            for i in 0..OUTCOMES {
                by_unit[unit] += self.last[unit][i] * by_logit[i];
            }
        }
        let by_second = cut_back(&value.second, MOST_UNIT, &by_unit);
        add(&mut slopes.second_bias, &by_second);
        for unit in 0..HIDDEN {
            add_scaled(&mut slopes.second[unit], value.first[unit], &by_second);
            by_unit[unit] = dot(&self.second[unit], &by_second);
        }
        let by_first = cut_back(&value.first, MOST_UNIT, &by_unit);
        add(&mut slopes.first_bias[size_class], &by_first);
        let mut by_input = [0.0; INPUTS];
        for input in 0..INPUTS {
            add_scaled(&mut slopes.first[input], inputs[input], &by_first);
            by_input[input] = dot(&self.first[input], &by_first);
        }
        by_input
    }

    /// How urgent a move looks, as log odds; `by_input` is
    /// [`Head::urge_by_input`].
    #[inline]
    #[must_use]
    pub fn urge(&self, inputs: &Inputs, by_input: &UrgeByInput) -> Urge {
        let mut sums = self.urge_bias;
        for input in 0..INPUTS {
            add_scaled(&mut sums, inputs[input], &by_input[input]);
        }
        let units = cut(&sums, MOST_UNIT);
        Urge {
            units,
            logit: dot(&units, &self.urge_last),
        }
    }

    /// As [`Head::value_back`], for a move.
    #[inline]
    pub fn urge_back(
        &self,
        inputs: &Inputs,
        units: &[f32; URGE_UNITS],
        by_logit: f32,
        slopes: &mut Self,
    ) -> Inputs {
        add_scaled(&mut slopes.urge_last, by_logit, units);
        let mut by_unit = [0.0; URGE_UNITS];
        add_scaled(&mut by_unit, by_logit, &self.urge_last);
        let by_unit = cut_back(units, MOST_UNIT, &by_unit);
        add(&mut slopes.urge_bias, &by_unit);
        let mut by_input = [0.0; INPUTS];
        for unit in 0..URGE_UNITS {
            let slope = by_unit[unit];
            if slope != 0.0 {
                add_scaled(&mut slopes.urge[unit], slope, inputs);
                add_scaled(&mut by_input, slope, &self.urge[unit]);
            }
        }
        by_input
    }
}

/// The first layer of the moves, by input and unit.
pub type UrgeByInput = [[f32; URGE_UNITS]; INPUTS];

/// What the value head made of its inputs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Value {
    first: [f32; HIDDEN],
    second: [f32; HIDDEN],
    /// Chances of win, draw and loss; their sum is 1.
    pub chances: [f32; OUTCOMES],
}

/// What the move head made of its inputs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Urge {
    /// The hidden units.
    pub units: [f32; URGE_UNITS],
    /// Log odds against other moves.
    pub logit: f32,
}

/// Makes chances of log odds.
pub fn softmax(items: &mut [f32]) {
    let highest = items.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for item in &mut *items {
        *item = (*item - highest).exp();
        sum += *item;
    }
    for item in items {
        *item /= sum;
    }
}
