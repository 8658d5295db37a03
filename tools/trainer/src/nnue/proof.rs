//! The net as the engine computes it, in integers, against the trained one.

use super::data::Data;
use super::part::Verdict;
use anyhow::{Context, Result};
use rayon::prelude::*;
use std::fmt;
use yonsan::board::{Colour, Position};
use yonsan::eval::nnue::{Accumulator, LOGIT_ONE, NetFile, Network, RuleSide, with_prior};
use yonsan::rules::Rule;

/// How far the engine's net is from the trained one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gap {
    /// Number of positions compared.
    pub count: u64,
    /// Mean distance of the points expected, 0 to 1.
    pub mean: f64,
    /// Greatest distance of the points expected, 0 to 1.
    pub most: f64,
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "integers change points by {:.3} % on average, {:.1} % at most, in {} positions",
            100.0 * self.mean,
            100.0 * self.most,
            self.count
        )
    }
}

/// Computes the points expected of all values held out as the engine does with
/// this file, and compares them with verdicts of the trained net.
///
/// # Errors
///
/// If the file is no good.
pub fn compare(bytes: &[u8], data: &Data, verdicts: &[Verdict]) -> Result<Gap> {
    let file = NetFile::new(bytes.to_vec()).context("the net just made")?;
    let gaps = Rule::ALL
        .into_par_iter()
        .map(|rule| compare_rule(&file, rule, data, verdicts));
    let gaps = gaps.collect::<Result<Vec<Gap>>>()?;
    let count: u64 = gaps.iter().map(|gap| gap.count).sum();
    let sum: f64 = gaps.iter().map(|gap| gap.mean * gap.count as f64).sum();
    Ok(Gap {
        count,
        mean: sum / count.max(1) as f64,
        most: gaps.iter().map(|gap| gap.most).fold(0.0, f64::max),
    })
}

fn compare_rule(file: &NetFile, rule: Rule, data: &Data, verdicts: &[Verdict]) -> Result<Gap> {
    let mut pairs = data
        .held_out
        .iter()
        .zip(verdicts)
        .filter(|(sample, _)| sample.has_value && data.game(sample).rule == rule)
        .peekable();
    let Some(&(first, _)) = pairs.peek() else {
        return Ok(Gap::default());
    };
    let network = network(file, rule)?;
    let mut accumulator = Accumulator::new(&network, data.game(first).size);
    let mut gap = Gap::default();
    for (sample, verdict) in pairs {
        let view = data.view(sample);
        let mut position = Position::new(view.size);
        for &point in view.moves {
            position.play(point);
        }
        let logits = with_prior(accumulator.logits(&position), sample.prior.into());
        let logits = logits.map(|logit| f64::from(logit) / f64::from(LOGIT_ONE));
        let distance = (points(logits) - verdict.points()).abs();
        gap.count += 1;
        gap.mean += distance;
        gap.most = gap.most.max(distance);
    }
    gap.mean /= gap.count as f64;
    Ok(gap)
}

/// The net of a file for a rule.
///
/// # Errors
///
/// If the weights cannot be decoded.
pub fn network(file: &NetFile, rule: Rule) -> Result<Network> {
    let [black, white] = Colour::ALL.map(|colour| file.side(RuleSide::new(rule, colour)));
    Ok(Network::new(&black?, &white?))
}

/// The points to be expected with these logits of win, draw and loss.
fn points(logits: [f64; 3]) -> f64 {
    let highest = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let [win, draw, loss] = logits.map(|logit| (logit - highest).exp());
    (win + draw / 2.0) / (win + draw + loss)
}
