//! Slopes against differences of losses.

use super::super::layout::Layout;
use super::super::net::Net;
use super::super::test_games::data_of;
use super::*;
use std::sync::Arc;
use yonsan::board::Random;
use yonsan::rules::Rule;

/// How far a number is moved, up and down, to see how the loss changes.
const NUDGE: f32 = 5e-4;
/// Of so many numbers at most one may be near a kink, where a unit is cut at 0
/// and the loss falls otherwise to the left than to the right.
const SMOOTH: usize = 4;

struct Bench {
    data: Data,
    sight: Sight,
    net: Net,
    part: Part,
}

const MOVE_WEIGHT: f32 = 0.5;

impl Bench {
    /// Games of two rules on two sizes, and a net with every number off 0.
    fn new() -> Self {
        let data = data_of(&[(Rule::Renju, 9), (Rule::Freestyle, 11)], 3);
        let sight = Sight::new(&data.sizes());
        let mut net = Net::new(Arc::new(Layout::new(|_| true)), 5);
        let mut random = Random::new(6);
        for row in net.rows.iter_mut().skip(1) {
            for item in &mut row.0 {
                *item += 0.1 * (random.unit() - 0.5);
            }
        }
        for array in net.heads.iter_mut().flat_map(Head::arrays_mut) {
            for number in array {
                *number += 0.1 * (random.unit() - 0.5);
            }
        }
        Self {
            data,
            sight,
            net,
            part: Part::new(),
        }
    }

    /// The loss in the sense of the slopes.
    fn loss(&mut self) -> f64 {
        let ready = Ready::new(&self.net, false, Vec::new());
        self.part.start(&ready, MOVE_WEIGHT);
        let samples = self.data.learn.iter();
        self.part
            .learn(&ready, &self.data, &self.sight, samples, 1.0);
        let losses = self.part.losses;
        losses.value + f64::from(MOVE_WEIGHT) * losses.urge
    }

    /// How the loss changes with a number, measured to the left and to the
    /// right of it.
    fn measured(&mut self, number: impl Fn(&mut Net) -> &mut f32) -> [f64; 2] {
        let middle = *number(&mut self.net);
        let [below, here, above] = [-NUDGE, 0.0, NUDGE].map(|nudge| {
            *number(&mut self.net) = middle + nudge;
            self.loss()
        });
        *number(&mut self.net) = middle;
        [here - below, above - here].map(|rise| rise / f64::from(NUDGE))
    }
}

/// How many slopes were compared, and how many of them at kinks.
#[derive(Default)]
struct Compared {
    all: usize,
    kinks: usize,
}

impl Compared {
    fn add(&mut self, found: f32, [left, right]: [f64; 2], scale: f64, what: &str) {
        let allowed = 0.01 * (left + right).abs() + 0.01 * scale;
        let range = left.min(right) - allowed..=left.max(right) + allowed;
        self.all += 1;
        self.kinks += usize::from((left - right).abs() > allowed);
        assert!(
            range.contains(&f64::from(found)),
            "{what}: {found} against {left} and {right}"
        );
    }

    fn check(&self) {
        assert!(
            self.kinks * SMOOTH <= self.all,
            "{} of {}",
            self.kinks,
            self.all
        );
    }
}

#[test]
fn slopes_of_the_heads_are_right() {
    let mut bench = Bench::new();
    bench.loss();
    let slopes = bench.part.heads.clone();
    let mut compared = Compared::default();
    for side in [0, 3, 4] {
        for array in 0..super::super::head::ARRAYS {
            let items = slopes[side].arrays()[array];
            let largest = items.iter().map(|x| x.abs()).fold(0.0, f32::max);
            assert!(largest > 0.0, "side {side} array {array}");
            for index in (0..items.len()).step_by(1 + items.len() / 5) {
                let measured =
                    bench.measured(|net| &mut net.heads[side].arrays_mut()[array][index]);
                let what = format!("side {side} array {array} number {index}");
                compared.add(items[index], measured, f64::from(largest), &what);
            }
        }
    }
    compared.check();
    // Nobody played under the other rules.
    assert!(slopes[1] == Head::ZERO && slopes[2] == Head::ZERO);
}

#[test]
fn slopes_of_the_rows_are_right() {
    let mut bench = Bench::new();
    bench.loss();
    let mut slopes = vec![[0.0; CHANNELS]; bench.net.rows.len()];
    for (composed, gradient) in bench.part.composed.iter().zip(bench.part.slopes()) {
        let [own, whole] = composed.ends;
        let mut rows = vec![own, whole];
        if own != 0 {
            rows.extend(bench.net.layout.middle(own as usize));
        }
        for row in rows {
            add(&mut slopes[row as usize], &gradient.0);
        }
    }
    slopes[0] = [0.0; CHANNELS];
    let mut order: Vec<usize> = (1..slopes.len()).collect();
    let size = |row: usize| slopes[row].iter().map(|x| x.abs()).fold(0.0, f32::max);
    order.sort_by(|&a, &b| size(b).total_cmp(&size(a)));
    // The busiest rows, and some that are met once or twice.
    let met = order.iter().filter(|&&row| size(row) > 0.0).count();
    assert!(met > 500, "{met}");
    let mut compared = Compared::default();
    for place in [0, 1, 2, 3, 10, 30, 100, 300] {
        let row = order[place];
        for channel in [0, 5, 15] {
            let measured = bench.measured(|net| &mut net.rows[row].0[channel]);
            let what = format!("row {row} channel {channel}");
            compared.add(slopes[row][channel], measured, f64::from(size(row)), &what);
        }
    }
    compared.check();
}
