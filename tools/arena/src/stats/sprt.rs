//! The sequential probability ratio test: stop a match as soon as it is clear
//! whether a change gains enough.
//!
//! The test asks whether the difference is `elo0` or `elo1`. Nothing is
//! assumed about draws or about how the games of a pair hang together: for
//! each of the two the likeliest distribution over the five pair results that
//! has the wanted strength is found, and the logarithm of the quotient of the
//! two likelihoods is compared with bounds (the generalised test of Michel Van
//! den Bergh, as used by fishtest). Results that never occurred count as a
//! thousandth, so that a one-sided match moves the test too.

use super::elo::score_from_elo;
use super::tally::{NORMALIZED_UNIT, Tally};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What a result that never occurred counts as.
const UNSEEN: f64 = 1e-3;
/// Enough halvings for every bit of a double.
const HALVINGS: u32 = 80;
const MAX_ROUNDS: u32 = 100;
const CLOSE_ENOUGH: f64 = 1e-10;
/// The expected score of equal players.
const EVEN: f64 = 0.5;

/// How `elo0` and `elo1` are meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EloModel {
    /// Elo of the mean score.
    Logistic,
    /// Elo of the mean score in standard deviations of a game: the length of
    /// the test does not depend on openings and draws.
    #[default]
    Normalized,
}

/// A test.
///
/// # Examples
///
/// ```
/// use arena::stats::{EloModel, Points, Sprt, SprtStatus, Tally};
///
/// let sprt = Sprt::new(0.0, 300.0, 0.05, 0.05, EloModel::Logistic).unwrap();
/// let mut tally = Tally::default();
/// for pair in 0..10 {
///     tally.add(pair, Points::Win);
///     tally.add(pair, Points::Win);
/// }
/// assert_eq!(sprt.status(&tally), SprtStatus::AcceptH1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// Difference under the hypothesis H0, in Elo.
    pub elo0: f64,
    /// Difference under the hypothesis H1, in Elo, above `elo0`.
    pub elo1: f64,
    /// Chance to accept H1 although H0 is true.
    pub alpha: f64,
    /// Chance to accept H0 although H1 is true.
    pub beta: f64,
    /// How the differences are meant.
    #[serde(default)]
    pub model: EloModel,
}

/// How a test stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SprtStatus {
    /// More games are needed.
    Continue,
    /// The difference is rather `elo0`: the test has failed.
    AcceptH0,
    /// The difference is rather `elo1`: the test has passed.
    AcceptH1,
}

impl fmt::Display for SprtStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Continue => "not decided",
            Self::AcceptH0 => "H0 accepted",
            Self::AcceptH1 => "H1 accepted",
        })
    }
}

/// Why there can be no such test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SprtError {
    /// `elo0` is not below `elo1`, or one of them is no number.
    Hypotheses,
    /// `alpha` or `beta` is not between 0 and 1, or both together reach 1.
    Errors,
}

impl fmt::Display for SprtError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Hypotheses => "elo0 must be a number below elo1",
            Self::Errors => "alpha and beta must be above 0 and together below 1",
        })
    }
}

impl std::error::Error for SprtError {}

impl Sprt {
    /// A test with these settings.
    ///
    /// # Errors
    ///
    /// See [`Sprt::validate`].
    pub fn new(
        elo0: f64,
        elo1: f64,
        alpha: f64,
        beta: f64,
        model: EloModel,
    ) -> Result<Self, SprtError> {
        let sprt = Self {
            elo0,
            elo1,
            alpha,
            beta,
            model,
        };
        sprt.validate()?;
        Ok(sprt)
    }

    /// Looks at the settings, for tests that were read from a file.
    ///
    /// # Errors
    ///
    /// If `elo0` is not below `elo1`, or the chances of error are not above 0
    /// and together below 1.
    pub fn validate(&self) -> Result<(), SprtError> {
        if !(self.elo0.is_finite() && self.elo1.is_finite() && self.elo0 < self.elo1) {
            return Err(SprtError::Hypotheses);
        }
        if !(self.alpha > 0.0 && self.beta > 0.0 && self.alpha + self.beta < 1.0) {
            return Err(SprtError::Errors);
        }
        Ok(())
    }

    /// The ratio at or below which H0 is accepted: ln(beta / (1 - alpha)).
    #[must_use]
    pub fn lower_bound(&self) -> f64 {
        (self.beta / (1.0 - self.alpha)).ln()
    }

    /// The ratio at or above which H1 is accepted: ln((1 - beta) / alpha).
    #[must_use]
    pub fn upper_bound(&self) -> f64 {
        ((1.0 - self.beta) / self.alpha).ln()
    }

    /// Logarithm of the likelihood ratio of H1 to H0: from the whole pairs,
    /// or, if there is none, as when games are not played in pairs, from
    /// single games. 0 without games.
    #[must_use]
    pub fn llr(&self, tally: &Tally) -> f64 {
        if tally.pair_count() > 0 {
            self.ratio(&tally.pairs(), 2.0)
        } else {
            self.ratio(&tally.unpaired(), 1.0)
        }
    }

    /// How the test stands.
    #[must_use]
    pub fn status(&self, tally: &Tally) -> SprtStatus {
        let llr = self.llr(tally);
        if llr >= self.upper_bound() {
            SprtStatus::AcceptH1
        } else if llr <= self.lower_bound() {
            SprtStatus::AcceptH0
        } else {
            SprtStatus::Continue
        }
    }

    /// The ratio for counts of evenly spaced results, each of so many games.
    fn ratio<const N: usize>(&self, counts: &[u64; N], games_each: f64) -> f64 {
        if counts.iter().all(|&count| count == 0) {
            return 0.0;
        }
        let weights = counts.map(|count| if count == 0 { UNSEEN } else { count as f64 });
        let total: f64 = weights.iter().sum();
        let seen = weights.map(|weight| weight / total);
        let scores: [f64; N] = std::array::from_fn(|index| index as f64 / (N - 1) as f64);
        let likeliest = |elo: f64| match self.model {
            EloModel::Logistic => {
                let target = score_from_elo(elo);
                likeliest_with_mean_zero(&scores.map(|score| score - target), &seen)
            }
            EloModel::Normalized => {
                let per_result = elo / NORMALIZED_UNIT * games_each.sqrt();
                likeliest_with_signal(&scores, &seen, per_result)
            }
        };
        let (h0, h1) = (likeliest(self.elo0), likeliest(self.elo1));
        let mean: f64 = (0..N).map(|i| seen[i] * (h1[i] / h0[i]).ln()).sum();
        total * mean
    }
}

/// The distribution over `values`, both signs among them, with the mean 0
/// under which the `seen` frequencies are likeliest.
///
/// Lagrange: it is `seen / (1 + m·value)`, where the multiplier `m` is the
/// root of the mean, which falls all the way between the two poles.
fn likeliest_with_mean_zero<const N: usize>(values: &[f64; N], seen: &[f64; N]) -> [f64; N] {
    let highest = values.iter().copied().fold(f64::MIN, f64::max);
    let lowest = values.iter().copied().fold(f64::MAX, f64::min);
    let (mut low, mut high) = (-1.0 / highest, -1.0 / lowest);
    for _ in 0..HALVINGS {
        let middle = (low + high) / 2.0;
        let mean: f64 = (0..N)
            .map(|i| seen[i] * values[i] / (1.0 + middle * values[i]))
            .sum();
        if mean > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let multiplier = (low + high) / 2.0;
    std::array::from_fn(|i| seen[i] / (1.0 + multiplier * values[i]))
}

/// The distribution whose mean lies `signal` of its own standard deviations
/// above ½ under which the `seen` frequencies are likeliest.
///
/// The wish is not linear in the distribution. Its tangent at a guess is, and
/// is solved by [`likeliest_with_mean_zero`]; the solution is the next guess.
fn likeliest_with_signal<const N: usize>(
    scores: &[f64; N],
    seen: &[f64; N],
    signal: f64,
) -> [f64; N] {
    let mut guess = [1.0 / N as f64; N];
    for _ in 0..MAX_ROUNDS {
        let mean: f64 = (0..N).map(|i| guess[i] * scores[i]).sum();
        let variance: f64 = (0..N).map(|i| guess[i] * (scores[i] - mean).powi(2)).sum();
        let deviation = variance.sqrt();
        // Derivatives of mean - ½ - signal·deviation by the single
        // probabilities, shifted so that at the solution their mean is 0.
        let slopes = scores.map(|score| {
            let off = (score - mean) / deviation;
            score - EVEN - signal * deviation * (1.0 + off * off) / 2.0
        });
        let next = likeliest_with_mean_zero(&slopes, seen);
        let change = (0..N)
            .map(|i| (next[i] - guess[i]).abs())
            .fold(0.0, f64::max);
        guess = next;
        if change < CLOSE_ENOUGH {
            break;
        }
    }
    guess
}

#[cfg(test)]
#[path = "sprt_tests.rs"]
mod tests;
