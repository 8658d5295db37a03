//! AdamW for tables: only rows that were met are moved.

use super::head::{ARRAYS, CHANNELS, Head, MOST_WEIGHT};
use super::kernel::{Row, add, dot};
use super::layout::{Layout, SIDE_COUNT, ZERO_ROW};
use super::net::Net;
use super::part::Part;
use rayon::prelude::*;

/// How fast the mean gradient follows.
const MEAN_DECAY: f32 = 0.9;
/// How fast the mean squared gradient follows.
const SQUARE_DECAY: f32 = 0.999;
/// Keeps numbers without any gradient from dividing by 0; far below the
/// gradient that one sample in a batch gives.
const EPSILON: f32 = 1e-10;
/// Largest length of the gradient of all numbers together; longer ones are
/// shortened.
const MOST_LENGTH: f64 = 1.0;
/// Rows that are worth a task of their own.
const LEAST_ROWS: usize = 8_192;
/// Rates of the arrays of [`Head::arrays`], as multiples of the common one.
/// The inputs of the first layer are large.
const PACES: [f32; ARRAYS] = [0.5, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0];

/// How a step is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// How far a number can move.
    pub rate: f32,
    /// Part of a whole-window row that is lost when it is met, as a multiple
    /// of the rate.
    pub decay: f32,
}

/// What is remembered of a row.
#[derive(Clone, Copy, Debug)]
struct RowMemory {
    mean: Row,
    square: Row,
    /// Products of the decays so far.
    left: [f32; 2],
}

/// The optimiser and its memory.
#[derive(Clone, Debug)]
pub struct Optimiser {
    rows: Vec<RowMemory>,
    head_means: Vec<Head>,
    head_squares: Vec<Head>,
    head_left: [f32; 2],
    /// By row: the gradient, and whether the row was met.
    slopes: Vec<Row>,
    is_met: Vec<bool>,
    heads: Vec<Head>,
}

impl Optimiser {
    /// An optimiser for a net with so many rows.
    #[must_use]
    pub fn new(row_count: usize) -> Self {
        let memory = RowMemory {
            mean: Row::ZERO,
            square: Row::ZERO,
            left: [1.0; 2],
        };
        Self {
            rows: vec![memory; row_count],
            head_means: vec![Head::ZERO; SIDE_COUNT],
            head_squares: vec![Head::ZERO; SIDE_COUNT],
            head_left: [1.0; 2],
            slopes: vec![Row::ZERO; row_count],
            is_met: vec![false; row_count],
            heads: vec![Head::ZERO; SIDE_COUNT],
        }
    }

    /// Moves the net against the gradient that the parts have gathered.
    /// Returns the length the gradient had.
    pub fn step(&mut self, net: &mut Net, parts: &[Part], step: Step) -> f64 {
        self.gather_heads(parts);
        self.gather_rows(&net.layout, parts);
        let length = self.length();
        let scale = (MOST_LENGTH / length.max(MOST_LENGTH)) as f32;
        self.step_heads(net, scale, step.rate);
        let layout = &net.layout;
        let first_whole = layout.whole_rows().start;
        let rows = net.rows.par_iter_mut().zip(&mut self.rows);
        let gradient = self.slopes.par_iter_mut().zip(&mut self.is_met);
        rows.zip(gradient)
            .enumerate()
            .with_min_len(LEAST_ROWS)
            .filter(|(_, (_, (_, is_met)))| **is_met)
            .for_each(|(number, ((row, memory), (slopes, is_met)))| {
                let decay = if number >= first_whole {
                    step.decay
                } else {
                    0.0
                };
                memory.step(row, slopes, scale, step.rate, decay);
                *slopes = Row::ZERO;
                *is_met = false;
            });
        length
    }

    /// Shows all that is remembered from step to step, in a fixed order.
    pub fn visit_numbers(&mut self, visit: &mut dyn FnMut(&mut [f32])) {
        for row in &mut self.rows {
            visit(&mut row.mean.0);
            visit(&mut row.square.0);
            visit(&mut row.left);
        }
        let heads = self.head_means.iter_mut().chain(&mut self.head_squares);
        for array in heads.flat_map(Head::arrays_mut) {
            visit(array);
        }
        visit(&mut self.head_left);
    }

    fn gather_heads(&mut self, parts: &[Part]) {
        self.heads.fill(Head::ZERO);
        for part in parts {
            for (sum, slopes) in self.heads.iter_mut().zip(&part.heads) {
                for (sum, slopes) in sum.arrays_mut().into_iter().zip(slopes.arrays()) {
                    for (sum, slope) in sum.iter_mut().zip(slopes) {
                        *sum += slope;
                    }
                }
            }
        }
    }

    /// Adds up the slopes of the parts by trained row, always in the same
    /// order: in parallel those of the rule sides' own rows for nine cells and
    /// those for all cells, then from the former the shared ones.
    fn gather_rows(&mut self, layout: &Layout, parts: &[Part]) {
        let (own_rows, whole_rows) = (layout.own_rows(), layout.whole_rows());
        let (slopes, whole_slopes) = self.slopes.split_at_mut(whole_rows.start);
        let (is_met, whole_is_met) = self.is_met.split_at_mut(whole_rows.start);
        let (shared_slopes, own_slopes) = slopes.split_at_mut(own_rows.start);
        let (shared_is_met, own_is_met) = is_met.split_at_mut(own_rows.start);
        let gather = |end: usize, start: usize, slopes: &mut [Row], is_met: &mut [bool]| {
            for part in parts {
                for (composed, gradient) in part.composed.iter().zip(part.slopes()) {
                    let row = composed.ends[end];
                    if row != ZERO_ROW {
                        let place = row as usize - start;
                        add(&mut slopes[place].0, &gradient.0);
                        is_met[place] = true;
                    }
                }
            }
        };
        rayon::join(
            || gather(0, own_rows.start, own_slopes, own_is_met),
            || gather(1, whole_rows.start, whole_slopes, whole_is_met),
        );
        for (own, (gradient, is_met)) in own_rows.zip(own_slopes.iter().zip(own_is_met)) {
            if *is_met {
                for row in layout.middle(own) {
                    add(&mut shared_slopes[row as usize].0, &gradient.0);
                    shared_is_met[row as usize] = row != ZERO_ROW;
                }
            }
        }
        // Nine cells with stones whose middle seven are empty.
        shared_slopes[ZERO_ROW as usize] = Row::ZERO;
    }

    fn length(&self) -> f64 {
        let squares = |items: &[f32]| -> f64 { items.iter().map(|&x| f64::from(x * x)).sum() };
        let heads: f64 = self.heads.iter().flat_map(Head::arrays).map(squares).sum();
        // In fixed pieces, so that the sum does not depend on the threads.
        let pieces = self.slopes.par_chunks(LEAST_ROWS);
        let pieces = pieces.zip(self.is_met.par_chunks(LEAST_ROWS));
        let rows: Vec<f64> = pieces
            .map(|(slopes, is_met)| {
                let met = slopes.iter().zip(is_met).filter(|(_, is_met)| **is_met);
                met.map(|(slopes, _)| f64::from(dot(&slopes.0, &slopes.0)))
                    .sum()
            })
            .collect();
        (heads + rows.iter().sum::<f64>()).sqrt()
    }

    fn step_heads(&mut self, net: &mut Net, scale: f32, rate: f32) {
        self.head_left[0] *= MEAN_DECAY;
        self.head_left[1] *= SQUARE_DECAY;
        let [mean_left, square_left] = self.head_left;
        for side in 0..SIDE_COUNT {
            let numbers = net.heads[side].arrays_mut().into_iter();
            let memory = self.head_means[side]
                .arrays_mut()
                .into_iter()
                .zip(self.head_squares[side].arrays_mut());
            let arrays = numbers.zip(self.heads[side].arrays()).zip(memory);
            for (((numbers, slopes), (means, squares)), pace) in arrays.zip(PACES) {
                let items = numbers.iter_mut().zip(slopes);
                let memory = means.iter_mut().zip(squares);
                for ((number, slope), (mean, square)) in items.zip(memory) {
                    let step = adam(slope * scale, mean, square, mean_left, square_left);
                    *number = (*number - rate * pace * step).clamp(-MOST_WEIGHT, MOST_WEIGHT);
                }
            }
        }
    }
}

impl RowMemory {
    #[inline]
    fn step(&mut self, row: &mut Row, slopes: &Row, scale: f32, rate: f32, decay: f32) {
        self.left[0] *= MEAN_DECAY;
        self.left[1] *= SQUARE_DECAY;
        let [mean_left, square_left] = self.left;
        let (mut mean, mut square, mut moved) = (self.mean.0, self.square.0, row.0);
        let kept = 1.0 - rate * decay;
        for i in 0..CHANNELS {
            let slope = slopes.0[i] * scale;
            let step = adam(slope, &mut mean[i], &mut square[i], mean_left, square_left);
            moved[i] = moved[i] * kept - rate * step;
        }
        (self.mean.0, self.square.0, row.0) = (mean, square, moved);
    }
}

/// The step of one number, about 1 if its gradients agree.
#[inline(always)]
fn adam(slope: f32, mean: &mut f32, square: &mut f32, mean_left: f32, square_left: f32) -> f32 {
    *mean += (1.0 - MEAN_DECAY) * (slope - *mean);
    *square += (1.0 - SQUARE_DECAY) * (slope * slope - *square);
    *mean / (1.0 - mean_left) / ((*square / (1.0 - square_left)).sqrt() + EPSILON)
}

#[cfg(test)]
mod tests {
    use super::super::net::Ready;
    use super::super::sight::Sight;
    use super::super::test_games::data_of;
    use super::*;
    use std::sync::Arc;
    use yonsan::rules::Rule;

    /// The slopes of all trained rows, gathered from one part row by row.
    fn gradient(layout: &Layout, part: &Part) -> Vec<Row> {
        let mut gradient = vec![Row::ZERO; layout.row_count()];
        for (composed, slopes) in part.composed.iter().zip(part.slopes()) {
            for row in composed.ends {
                add(&mut gradient[row as usize].0, &slopes.0);
            }
        }
        for own in layout.own_rows() {
            let slopes = gradient[own];
            for row in layout.middle(own) {
                add(&mut gradient[row as usize].0, &slopes.0);
            }
        }
        gradient
    }

    /// Adam's first step has the length of the rate, whatever the gradient.
    #[test]
    fn the_first_step_moves_what_was_met_by_the_rate() {
        let data = data_of(&[(Rule::Caro, 9)], 1);
        let sight = Sight::new(&data.sizes());
        let mut net = Net::new(Arc::new(Layout::new(|key| key % 2 == 0)), 1);
        for row in &mut net.rows[net.layout.whole_rows()] {
            row.0 = [0.5; CHANNELS];
        }
        let before = net.clone();
        let mut part = Part::new();
        let ready = Ready::new(&before, false, Vec::new());
        part.start(&ready, 0.5);
        part.learn(&ready, &data, &sight, data.learn.iter(), 0.1);
        let step = Step {
            rate: 0.01,
            decay: 0.5,
        };
        let mut optimiser = Optimiser::new(net.rows.len());
        let length = optimiser.step(&mut net, &[part.clone()], step);
        assert!(length > 0.0);

        let mut met: Vec<usize> = part
            .composed
            .iter()
            .flat_map(|c| c.ends)
            .map(|r| r as usize)
            .collect();
        let own = met
            .clone()
            .into_iter()
            .filter(|row| net.layout.own_rows().contains(row));
        met.extend(
            own.flat_map(|row| net.layout.middle(row))
                .map(|row| row as usize),
        );
        let gradient = gradient(&net.layout, &part);
        let scale = (MOST_LENGTH / length.max(MOST_LENGTH)) as f32;
        let mut moved = 0;
        for (number, (row, old)) in net.rows.iter().zip(&before.rows).enumerate() {
            if number == 0 || !met.contains(&number) {
                assert_eq!(row, old, "row {number}");
                continue;
            }
            let is_whole = net.layout.whole_rows().contains(&number);
            let kept = if is_whole { 1.0 - 0.01 * 0.5 } else { 1.0 };
            for ((item, old), slope) in row.0.iter().zip(old.0).zip(gradient[number].0) {
                let length = (item - old * kept).abs();
                // The whole rate, but less where the slope is next to nothing.
                let slope = (slope * scale).abs();
                let expected = 0.01 * slope / (slope + EPSILON);
                assert!((length - expected).abs() < 1e-5, "row {number}: {length}");
                moved += u32::from(length > 0.005);
            }
        }
        assert!(moved > 1_000, "{moved}");
        let is_moved = |side: usize| net.heads[side] != before.heads[side];
        assert_eq!(
            [0, 1, 2, 3, 4].map(is_moved),
            [false, false, true, false, false]
        );
    }

    #[test]
    fn weights_stay_within_their_limits() {
        let data = data_of(&[(Rule::Caro, 9)], 1);
        let sight = Sight::new(&data.sizes());
        let mut net = Net::new(Arc::new(Layout::new(|_| false)), 1);
        let mut part = Part::new();
        let mut optimiser = Optimiser::new(net.rows.len());
        for _ in 0..3 {
            let ready = Ready::new(&net, false, Vec::new());
            part.start(&ready, 0.5);
            part.learn(&ready, &data, &sight, data.learn.iter(), 0.1);
            let step = Step {
                rate: 100.0,
                decay: 0.0,
            };
            optimiser.step(&mut net, &[part.clone()], step);
        }
        let weights = net.heads.iter().flat_map(Head::arrays).flatten();
        let largest = weights.map(|weight| weight.abs()).fold(0.0, f32::max);
        assert_eq!(largest, MOST_WEIGHT);
    }
}
