//! Finds the leaves that explain samples best.
//!
//! Every batch is cut into the same parts whatever the number of threads, and
//! their gradients are added up in the same order: the outcome depends on
//! samples, settings and seed only.

use super::adam::Adam;
use super::model::Model;
use super::store::Store;
use super::tying::Tying;
use rayon::prelude::*;
use yonsan::board::Random;

/// Parts of a batch, each done by one thread at a time.
const PARTS: usize = 8;
/// What the pace of the first step has become at the last one.
const LAST_PACE: f32 = 0.01;
/// Steps there are at least in an epoch, for which small sets get small batches.
const LEAST_STEPS: usize = 200;
/// Samples from which the paces of the parameters are found.
const PACE_SAMPLES: usize = 4_096;
/// A slope so steep, as a root mean square, needs no slower pace: what a
/// parameter has that counts once in every sample.
const GENTLE_SLOPE: f32 = 0.5;

/// How to fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// How many times every sample is looked at.
    pub epochs: u32,
    /// Samples for each step, at most.
    pub batch: usize,
    /// How far a number can move in the first step, in log odds.
    pub pace: f32,
    /// Settles the order of the samples.
    pub seed: u64,
}

/// What one part of a batch adds up to.
struct Part {
    gradient: Vec<f32>,
    loss: f64,
    memory: Vec<f32>,
}

impl Part {
    fn learn<M: Model>(
        &mut self,
        model: &M,
        samples: &Store<M::Head, M::Item>,
        numbers: &[u32],
        leaves: &[f32],
    ) {
        self.gradient.fill(0.0);
        self.loss = 0.0;
        for &number in numbers {
            let sample = samples.get(number as usize);
            let loss = model.learn(&sample, leaves, &mut self.gradient, &mut self.memory);
            self.loss += f64::from(loss);
        }
    }
}

/// Leaves that explain the samples, found from `start`. After each epoch
/// `watch` is told its number from 1, the mean loss during the epoch, and the
/// leaves.
#[must_use]
pub fn fit<M: Model>(
    model: &M,
    samples: &Store<M::Head, M::Item>,
    tying: &Tying,
    start: &[f32],
    settings: &Settings,
    mut watch: impl FnMut(u32, f64, &[f32]),
) -> Vec<f32> {
    let mut leaves = start.to_vec();
    if samples.is_empty() {
        return leaves;
    }
    let start = tying.split(start);
    let mut parameters = start.clone();
    let mut gradient = vec![0.0; tying.parameter_count()];
    let mut random = Random::new(settings.seed);
    let mut order: Vec<u32> = (0..samples.len() as u32).collect();
    random.shuffle(&mut order);
    let paces = paces(model, samples, tying, &leaves, &order);
    let mut adam = Adam::new(paces);
    let mut parts: Vec<Part> = (0..PARTS)
        .map(|_| Part {
            gradient: vec![0.0; tying.leaf_count()],
            loss: 0.0,
            memory: Vec::new(),
        })
        .collect();
    let batch = samples
        .len()
        .div_ceil(LEAST_STEPS)
        .min(settings.batch.max(1));
    let step_count = samples.len().div_ceil(batch) * settings.epochs as usize;
    let mut step = 0;
    for epoch in 1..=settings.epochs {
        random.shuffle(&mut order);
        let mut loss = 0.0;
        for numbers in order.chunks(batch) {
            let cuts: Vec<&[u32]> = numbers.chunks(numbers.len().div_ceil(PARTS)).collect();
            let parts = &mut parts[..cuts.len()];
            parts
                .par_iter_mut()
                .zip(cuts)
                .for_each(|(part, numbers)| part.learn(model, samples, numbers, &leaves));
            loss += parts.iter().map(|part| part.loss).sum::<f64>();
            let by_leaf = mean_gradient(parts, numbers.len());
            tying.gradient(by_leaf, &mut gradient);
            tying.add_pull(&parameters, &start, samples.len() as f32, &mut gradient);
            let pace = settings.pace * pace_at(step as f32 / step_count as f32);
            adam.step(&mut parameters, &gradient, pace);
            tying.leaves(&parameters, &mut leaves);
            step += 1;
        }
        watch(epoch, loss / samples.len() as f64, &leaves);
    }
    leaves
}

/// The pace of every parameter, 1 or less. A parameter that counts a hundred
/// times in every sample, as that of the shapes on an empty board may, must
/// move in steps a hundredth as long, or it throws the others about.
fn paces<M: Model>(
    model: &M,
    samples: &Store<M::Head, M::Item>,
    tying: &Tying,
    leaves: &[f32],
    order: &[u32],
) -> Vec<f32> {
    let order = &order[..order.len().min(PACE_SAMPLES)];
    let mut by_leaf = vec![0.0; tying.leaf_count()];
    let mut gradient = vec![0.0; tying.parameter_count()];
    let mut squares = vec![0.0f32; tying.parameter_count()];
    let mut memory = Vec::new();
    for &number in order {
        by_leaf.fill(0.0);
        let sample = samples.get(number as usize);
        model.learn(&sample, leaves, &mut by_leaf, &mut memory);
        tying.gradient(&by_leaf, &mut gradient);
        for (square, slope) in squares.iter_mut().zip(&gradient) {
            *square += slope * slope;
        }
    }
    let root = |square: f32| (square / order.len() as f32).sqrt();
    squares
        .into_iter()
        .map(|square| (GENTLE_SLOPE / root(square)).min(1.0))
        .collect()
}

/// The gradient by leaf of a whole batch, divided by its length; it is put
/// together in the first part.
fn mean_gradient(parts: &mut [Part], length: usize) -> &[f32] {
    let Some((sum, others)) = parts.split_first_mut() else {
        return &[];
    };
    let scale = 1.0 / length as f32;
    for (leaf, slope) in sum.gradient.iter_mut().enumerate() {
        for part in &*others {
            *slope += part.gradient[leaf];
        }
        *slope *= scale;
    }
    &sum.gradient
}

/// The pace after a part of all steps: half a cosine, from 1 down to
/// [`LAST_PACE`].
fn pace_at(part: f32) -> f32 {
    let cosine = (std::f32::consts::PI * part).cos();
    LAST_PACE + (1.0 - LAST_PACE) * 0.5 * (1.0 + cosine)
}

#[cfg(test)]
#[path = "fit_tests.rs"]
mod tests;
