//! The run: batch after batch, and what is told meanwhile.

use super::data::{Data, Sample};
use super::head::Head;
use super::kernel::Row;
use super::net::{Net, Ready};
use super::optimiser::{Optimiser, Step};
use super::part::{Losses, Part, Verdict};
use super::sight::Sight;
use rayon::prelude::*;
use yonsan::board::{Random, mix};

/// Parts into which every batch is cut, whatever the number of threads: so
/// the sums are the same.
const PARTS: usize = 2;
/// Part of the steps over which the rate grows to its full height, and most
/// of these steps.
const WARM_UP: f32 = 0.05;
const MOST_WARM_UP: usize = 500;
/// The rate at the end, as a part of the full one.
const LAST_RATE: f32 = 0.01;
/// Part of the steps after which nets are averaged.
const AVERAGE_FROM: f32 = 0.8;
/// Steps between two nets that are averaged.
const AVERAGE_EVERY: usize = 8;
/// Part of the steps after which the net is rounded as for the engine.
const ROUNDED_FROM: f32 = 0.9;

/// How to train.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Times every sample is looked at.
    pub epochs: usize,
    /// Samples for each step.
    pub batch: usize,
    /// Full rate of the steps.
    pub rate: f32,
    /// See [`Step::decay`].
    pub decay: f32,
    /// What the loss of a move weighs against that of a value.
    pub move_weight: f32,
    /// Settles the order of the samples.
    pub seed: u64,
}

/// A net in training.
#[derive(Debug)]
pub struct Training<'a> {
    data: &'a Data,
    sight: &'a Sight,
    settings: Settings,
    /// The net as it is.
    pub net: Net,
    average: Net,
    averaged: u32,
    optimiser: Optimiser,
    parts: Vec<Part>,
    /// See [`Ready::new`].
    middles: Vec<Row>,
    step: usize,
    order: Vec<u32>,
}

impl<'a> Training<'a> {
    /// Begins.
    #[must_use]
    pub fn new(data: &'a Data, sight: &'a Sight, net: Net, settings: Settings) -> Self {
        Self {
            data,
            sight,
            settings,
            average: net.clone(),
            averaged: 0,
            optimiser: Optimiser::new(net.rows.len()),
            net,
            parts: (0..PARTS).map(|_| Part::new()).collect(),
            middles: Vec::new(),
            step: 0,
            order: Vec::new(),
        }
    }

    /// What is learned from.
    #[must_use]
    pub const fn data(&self) -> &'a Data {
        self.data
    }

    /// Steps of an epoch.
    #[must_use]
    pub fn epoch_steps(&self) -> usize {
        self.data.learn.len().div_ceil(self.settings.batch.max(1))
    }

    /// Steps of the whole run.
    #[must_use]
    pub fn step_count(&self) -> usize {
        self.epoch_steps() * self.settings.epochs
    }

    /// Steps made so far.
    #[must_use]
    pub const fn steps(&self) -> usize {
        self.step
    }

    /// Makes a step; returns the losses on its batch, or `None` when the run is
    /// over.
    pub fn advance(&mut self) -> Option<Losses> {
        if self.step >= self.step_count() {
            return None;
        }
        let in_epoch = self.step % self.epoch_steps();
        if in_epoch == 0 || self.order.is_empty() {
            self.shuffle();
        }
        let size = self.order.len().div_ceil(self.epoch_steps());
        let batch = self.order.chunks(size).nth(in_epoch).unwrap_or(&[]);
        let share = 1.0 / batch.len().max(1) as f32;
        let cuts = batch.par_chunks(batch.len().div_ceil(PARTS).max(1));
        let is_rounded = self.progress() >= ROUNDED_FROM;
        let middles = std::mem::take(&mut self.middles);
        let ready = Ready::new(&self.net, is_rounded, middles);
        self.parts
            .par_iter_mut()
            .for_each(|part| part.start(&ready, self.settings.move_weight));
        self.parts.par_iter_mut().zip(cuts).for_each(|(part, cut)| {
            let samples = cut.iter().map(|&n| &self.data.learn[n as usize]);
            part.learn(&ready, self.data, self.sight, samples, share);
        });
        self.middles = ready.into_middles();
        let step = Step {
            rate: self.rate(),
            decay: self.settings.decay,
        };
        self.optimiser.step(&mut self.net, &self.parts, step);
        self.step += 1;
        self.average();
        let mut losses = Losses::default();
        for part in &self.parts {
            losses.add(&part.losses);
        }
        Some(losses)
    }

    /// The order of an epoch depends on its number only, so that a run can go
    /// on from the middle.
    fn shuffle(&mut self) {
        let epoch = (self.step / self.epoch_steps()) as u64;
        self.order.clear();
        self.order.extend(0..self.data.learn.len() as u32);
        Random::new(mix(self.settings.seed) ^ epoch).shuffle(&mut self.order);
    }

    /// 0 to 1.
    fn progress(&self) -> f32 {
        self.step as f32 / self.step_count().max(1) as f32
    }

    /// Rises to the full rate and falls along half a cosine.
    fn rate(&self) -> f32 {
        let warm_up = (self.step_count() as f32 * WARM_UP).min(MOST_WARM_UP as f32);
        let rise = ((self.step + 1) as f32 / warm_up.max(1.0)).min(1.0);
        let cosine = (std::f32::consts::PI * self.progress()).cos();
        let fall = LAST_RATE + (1.0 - LAST_RATE) * 0.5 * (1.0 + cosine);
        self.settings.rate * rise * fall
    }

    fn average(&mut self) {
        if self.progress() >= AVERAGE_FROM && self.step.is_multiple_of(AVERAGE_EVERY) {
            self.averaged += 1;
            self.average.approach(&self.net, 1.0 / self.averaged as f32);
        }
    }

    /// The net that the run has led to: the mean of those near its end, or the
    /// last if the run was too short.
    #[must_use]
    pub fn outcome(&self) -> &Net {
        if self.averaged > 0 {
            &self.average
        } else {
            &self.net
        }
    }

    /// A number that differs if data or settings do.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        let settings = &self.settings;
        let floats = [settings.rate, settings.decay, settings.move_weight];
        let counts = [
            settings.epochs,
            settings.batch,
            self.data.learn.len(),
            self.net.rows.len(),
        ];
        let of_sample = |s: &Sample| s.target.into_iter().chain([s.prior_logit()]);
        let targets = self.data.learn.iter().flat_map(of_sample);
        let floats = floats.into_iter().chain(targets);
        floats
            .map(|number| u64::from(number.to_bits()))
            .chain(counts.map(|count| count as u64))
            .fold(settings.seed, |hash, number| mix(hash ^ number))
    }

    /// Steps made and nets averaged so far.
    #[must_use]
    pub const fn counters(&self) -> [u64; 2] {
        [self.step as u64, self.averaged as u64]
    }

    /// Goes on after so many steps and averages.
    pub fn set_counters(&mut self, [step, averaged]: [u64; 2]) {
        self.step = step as usize;
        self.averaged = averaged as u32;
        self.order.clear();
    }

    /// Shows all numbers that change during the run, always in the same order.
    pub fn visit_numbers(&mut self, visit: &mut dyn FnMut(&mut [f32])) {
        for net in [&mut self.net, &mut self.average] {
            for row in &mut net.rows {
                visit(&mut row.0);
            }
            for array in net.heads.iter_mut().flat_map(Head::arrays_mut) {
                visit(array);
            }
        }
        self.optimiser.visit_numbers(visit);
    }

    /// What the net says of samples, in their order.
    pub fn judge(&mut self, net: &Net, samples: &[Sample], is_rounded: bool) -> Vec<Verdict> {
        let ready = Ready::new(net, is_rounded, Vec::new());
        let cuts = samples.par_chunks(samples.len().div_ceil(PARTS).max(1));
        self.parts
            .par_iter_mut()
            .zip(cuts)
            .flat_map_iter(|(part, cut)| {
                part.start(&ready, 0.0);
                let judge = |sample| part.judge(&ready, self.data, self.sight, sample);
                cut.iter().map(judge).collect::<Vec<_>>()
            })
            .collect()
    }
}

#[cfg(test)]
#[path = "train_tests.rs"]
mod tests;
