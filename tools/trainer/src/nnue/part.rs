//! Losses of samples, and how they change with the numbers of the net.
//!
//! A part works through its share of a batch alone: it composes the row of a
//! window when it first meets it and gathers slopes by composed row; the
//! optimiser hands them on to the trained rows.

#![allow(clippy::needless_range_loop)]

use super::data::{Data, Sample, judge_move};
use super::head::{CHANNELS, Head, INPUTS, Inputs, MOST_SUM, URGE_UNITS, UrgeByInput, softmax};
use super::kernel::{Row, add, cut, cut_back, positive, positive_back};
use super::layout::{KEY_COUNT, SIDE_COUNT};
use super::net::{MOST_ROW, Ready};
use super::sight::{Sight, Views};
use yonsan::eval::nnue::{RuleSide, size_class};

/// A window's row, composed.
#[derive(Clone, Copy, Debug)]
pub struct Composed {
    /// Its key.
    pub key: u32,
    /// Its [`Layout::ends`](super::layout::Layout::ends).
    pub ends: [u32; 2],
}

/// Sums of losses.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Losses {
    /// Of values, in nats.
    pub value: f64,
    /// Number of values.
    pub values: u64,
    /// Of moves, in nats.
    pub urge: f64,
    /// Number of moves.
    pub moves: u64,
    /// Number of samples, each of which is a value, a move or both.
    pub samples: u64,
}

impl Losses {
    /// Adds the sums of another.
    pub fn add(&mut self, other: &Self) {
        self.value += other.value;
        self.values += other.values;
        self.urge += other.urge;
        self.moves += other.moves;
        self.samples += other.samples;
    }

    /// Mean loss of a value.
    #[must_use]
    pub fn mean_value(&self) -> f64 {
        self.value / self.values.max(1) as f64
    }

    /// Mean loss of a move.
    #[must_use]
    pub fn mean_move(&self) -> f64 {
        self.urge / self.moves.max(1) as f64
    }
}

/// What the net says of a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verdict {
    /// Chances of win, draw and loss.
    pub chances: [f32; 3],
    /// Loss of the played move, if the sample has one.
    pub move_loss: f32,
    /// Whether the played move is among the first of
    /// [`PLACES`](super::data::PLACES).
    pub found: [f32; 3],
}

impl Verdict {
    /// The points to be expected, 0 to 1.
    #[must_use]
    pub fn points(&self) -> f64 {
        f64::from(self.chances[0]) + f64::from(self.chances[1]) / 2.0
    }
}

/// A worker and its memory.
#[derive(Clone, Debug)]
pub struct Part {
    /// Number of the composed row by key, plus 1; 0 if there is none.
    places: Vec<u32>,
    /// The composed rows.
    pub composed: Vec<Composed>,
    rows: Vec<Row>,
    slopes: Vec<Row>,
    /// How the losses change with the heads.
    pub heads: Vec<Head>,
    /// Losses of the samples learned from since [`Part::start`].
    pub losses: Losses,
    urge_by_input: Vec<UrgeByInput>,
    move_weight: f32,
    views: Views,
    cells: Vec<Inputs>,
    cell_slopes: Vec<Inputs>,
    units: Vec<[f32; URGE_UNITS]>,
    logits: Vec<f32>,
}

impl Part {
    /// A worker that has not met any window.
    #[must_use]
    pub fn new() -> Self {
        Self {
            places: vec![0; KEY_COUNT],
            composed: Vec::new(),
            rows: Vec::new(),
            slopes: Vec::new(),
            heads: vec![Head::ZERO; SIDE_COUNT],
            losses: Losses::default(),
            urge_by_input: Vec::new(),
            move_weight: 0.0,
            views: Views::default(),
            cells: Vec::new(),
            cell_slopes: Vec::new(),
            units: Vec::new(),
            logits: Vec::new(),
        }
    }

    /// Forgets what was composed and gathered; what follows is about this net.
    /// `move_weight` is what the loss of a move weighs against that of a value.
    pub fn start(&mut self, ready: &Ready<'_>, move_weight: f32) {
        for composed in &self.composed {
            self.places[composed.key as usize] = 0;
        }
        self.composed.clear();
        self.rows.clear();
        self.slopes.clear();
        self.heads.fill(Head::ZERO);
        self.losses = Losses::default();
        self.urge_by_input.clear();
        self.urge_by_input
            .extend(ready.heads.iter().map(Head::urge_by_input));
        self.move_weight = move_weight;
    }

    /// Gathers losses and slopes of samples; each counts as `share` in the
    /// slopes.
    pub fn learn<'a>(
        &mut self,
        ready: &Ready<'_>,
        data: &Data,
        sight: &Sight,
        samples: impl Iterator<Item = &'a Sample>,
        share: f32,
    ) {
        for sample in samples {
            let side = self.look(ready, data, sight, sample);
            let head = &ready.heads[side.index()];
            self.cell_slopes.clear();
            self.cell_slopes.resize(self.cells.len(), [0.0; INPUTS]);
            if sample.has_move {
                self.learn_move(head, side, share * self.move_weight);
            }
            if sample.has_value {
                let class = size_class(data.game(sample).size);
                self.learn_value(head, side, class, sample, share);
            }
            self.hand_on();
            self.losses.samples += 1;
        }
        self.stop_at_limits();
    }

    /// What the net says of a sample.
    pub fn judge(
        &mut self,
        ready: &Ready<'_>,
        data: &Data,
        sight: &Sight,
        sample: &Sample,
    ) -> Verdict {
        let side = self.look(ready, data, sight, sample);
        let head = &ready.heads[side.index()];
        let class = size_class(data.game(sample).size);
        let value = head.value(&self.sums(), class, sample.prior_logit());
        let (move_loss, found) = if sample.has_move {
            self.urge(head, side);
            judge_move(&self.logits, self.logits[self.views.played])
        } else {
            (0.0, [0.0; 3])
        };
        Verdict {
            chances: value.chances,
            move_loss,
            found,
        }
    }

    /// Log odds of the candidates, in the order of their points, of the sample
    /// last judged; of an earlier one if that had no move.
    #[must_use]
    pub fn move_logits(&self) -> &[f32] {
        &self.logits
    }

    /// Fills in the vectors of all cells; returns the mover's rule side.
    fn look(&mut self, ready: &Ready<'_>, data: &Data, sight: &Sight, sample: &Sample) -> RuleSide {
        let view = data.view(sample);
        sight.look(&view, &mut self.views);
        for key in self.views.keys.iter_mut().flatten() {
            let place = &mut self.places[*key as usize];
            if *place == 0 {
                let (row, ends) = ready.row(*key as usize);
                self.composed.push(Composed { key: *key, ends });
                self.rows.push(row);
                self.slopes.push(Row::ZERO);
                *place = self.composed.len() as u32;
            }
            *key = *place - 1;
        }
        self.cells.clear();
        let mut start = 0;
        for &end in &self.views.ends {
            let (mut own, mut other) = ([0.0; CHANNELS], [0.0; CHANNELS]);
            for &[own_place, other_place] in &self.views.keys[start..end as usize] {
                add(&mut own, &self.rows[own_place as usize].0);
                add(&mut other, &self.rows[other_place as usize].0);
            }
            start = end as usize;
            let mut cell = [0.0; INPUTS];
            cell[..CHANNELS].copy_from_slice(&positive(&own));
            cell[CHANNELS..].copy_from_slice(&positive(&other));
            self.cells.push(cell);
        }
        RuleSide::new(view.rule, view.mover())
    }

    /// The inputs of the value head.
    fn sums(&self) -> Inputs {
        let mut sums = [0.0; INPUTS];
        for cell in &self.cells {
            add(&mut sums, cell);
        }
        cut(&sums, MOST_SUM)
    }

    fn learn_value(
        &mut self,
        head: &Head,
        side: RuleSide,
        class: usize,
        sample: &Sample,
        share: f32,
    ) {
        let inputs = self.sums();
        let target = &sample.target;
        let value = head.value(&inputs, class, sample.prior_logit());
        self.losses.value += f64::from(outcome_loss(&value.chances, target));
        self.losses.values += 1;
        let by_logit = std::array::from_fn(|i| share * (value.chances[i] - target[i]));
        let slopes = &mut self.heads[side.index()];
        let by_input = head.value_back(&inputs, class, &value, by_logit, slopes);
        let by_input = cut_back(&inputs, MOST_SUM, &by_input);
        for slopes in &mut self.cell_slopes {
            add(slopes, &by_input);
        }
    }

    /// Fills in the log odds of all candidates.
    fn urge(&mut self, head: &Head, side: RuleSide) {
        self.logits.clear();
        self.units.clear();
        let by_input = &self.urge_by_input[side.index()];
        for &cell in &self.views.candidates {
            let urge = head.urge(&self.cells[cell as usize], by_input);
            self.logits.push(urge.logit);
            self.units.push(urge.units);
        }
    }

    fn learn_move(&mut self, head: &Head, side: RuleSide, share: f32) {
        self.urge(head, side);
        let played = self.views.played;
        softmax(&mut self.logits);
        self.losses.urge -= f64::from(self.logits[played].max(f32::MIN_POSITIVE).ln());
        self.losses.moves += 1;
        self.logits[played] -= 1.0;
        let slopes = &mut self.heads[side.index()];
        let candidates = self.views.candidates.iter().zip(&self.units);
        for ((&cell, units), by_logit) in candidates.zip(&self.logits) {
            let cell = cell as usize;
            let by_input = head.urge_back(&self.cells[cell], units, by_logit * share, slopes);
            add(&mut self.cell_slopes[cell], &by_input);
        }
    }

    /// Hands the slopes of the cells on to the rows they are sums of.
    fn hand_on(&mut self) {
        let mut start = 0;
        for (number, &end) in self.views.ends.iter().enumerate() {
            let slopes = positive_back(&self.cells[number], &self.cell_slopes[number]);
            let mut halves = [[0.0; CHANNELS]; 2];
            halves[0].copy_from_slice(&slopes[..CHANNELS]);
            halves[1].copy_from_slice(&slopes[CHANNELS..]);
            for &[own_place, other_place] in &self.views.keys[start..end as usize] {
                add(&mut self.slopes[own_place as usize].0, &halves[0]);
                add(&mut self.slopes[other_place as usize].0, &halves[1]);
            }
            start = end as usize;
        }
    }

    /// Takes out slopes that lead out of the limits of a row, where the row no
    /// longer follows the trained ones.
    fn stop_at_limits(&mut self) {
        for (slopes, row) in self.slopes.iter_mut().zip(&self.rows) {
            for i in 0..CHANNELS {
                let slope = slopes.0[i];
                let is_stopped = (row.0[i] >= MOST_ROW) & (slope < 0.0)
                    | (row.0[i] <= -MOST_ROW) & (slope > 0.0);
                slopes.0[i] = slope * f32::from(u8::from(!is_stopped));
            }
        }
    }

    /// How the losses change with the composed rows, in their order.
    #[must_use]
    pub fn slopes(&self) -> &[Row] {
        &self.slopes
    }
}

impl Default for Part {
    fn default() -> Self {
        Self::new()
    }
}

/// Cross-entropy of the outcomes, in nats.
#[must_use]
pub fn outcome_loss(chances: &[f32; 3], target: &[f32; 3]) -> f32 {
    let told = chances.map(|chance| chance.max(f32::MIN_POSITIVE).ln());
    -told
        .iter()
        .zip(target)
        .map(|(log, part)| log * part)
        .sum::<f32>()
}

#[cfg(test)]
#[path = "part_tests.rs"]
mod tests;
