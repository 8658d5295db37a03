//! Counting games and joining them to pairs.

use super::elo::Estimate;
use super::normal::{QUANTILE_95, normal_cumulative};
use crate::record::Outcome;
use std::collections::HashMap;

/// Elo points of one unit of signal to noise: 800 / ln 10.
pub(crate) const NORMALIZED_UNIT: f64 = 800.0 / std::f64::consts::LN_10;

/// What a game brought to one of its players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Points {
    /// Nothing.
    Loss = 0,
    /// Half a point.
    Draw = 1,
    /// A point.
    Win = 2,
}

impl Points {
    /// What the outcome brought to the player who was Black, or to the other.
    #[must_use]
    pub const fn of(outcome: Outcome, was_black: bool) -> Self {
        match (outcome, was_black) {
            (Outcome::Draw, _) => Self::Draw,
            (Outcome::Black, true) | (Outcome::White, false) => Self::Win,
            (Outcome::Black, false) | (Outcome::White, true) => Self::Loss,
        }
    }

    /// Number of half points, 0 to 2.
    #[must_use]
    pub const fn halves(self) -> usize {
        self as usize
    }
}

/// The games between a player and its opponent, seen from the player.
///
/// # Examples
///
/// ```
/// use arena::stats::{Points, Tally};
///
/// let mut tally = Tally::default();
/// tally.add(0, Points::Win);
/// tally.add(0, Points::Draw);
/// tally.add(1, Points::Draw);
/// assert_eq!((tally.wins(), tally.draws(), tally.losses()), (1, 2, 0));
/// assert_eq!(tally.pairs(), [0, 0, 0, 1, 0]);
/// assert_eq!(tally.score(), Some(2.0 / 3.0));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// Losses, draws, wins.
    games: [u64; 3],
    /// Whole pairs by the number of half points they brought.
    pairs: [u64; 5],
    /// First games of pairs whose second game has not come.
    open: HashMap<u64, Points>,
}

impl Tally {
    /// A tally of games that belong to no pairs.
    #[must_use]
    pub fn from_games(wins: u64, draws: u64, losses: u64) -> Self {
        let mut tally = Self::default();
        let kinds = [
            (wins, Points::Win),
            (draws, Points::Draw),
            (losses, Points::Loss),
        ];
        for (count, points) in kinds {
            for _ in 0..count {
                tally.add(tally.game_count(), points);
            }
        }
        tally
    }

    /// Counts a game. The second game with the same pair number completes the pair.
    pub fn add(&mut self, pair: u64, points: Points) {
        self.games[points.halves()] += 1;
        match self.open.remove(&pair) {
            Some(first) => self.pairs[first.halves() + points.halves()] += 1,
            None => {
                self.open.insert(pair, points);
            }
        }
    }

    /// Games won.
    #[must_use]
    pub const fn wins(&self) -> u64 {
        self.games[Points::Win as usize]
    }

    /// Games drawn.
    #[must_use]
    pub const fn draws(&self) -> u64 {
        self.games[Points::Draw as usize]
    }

    /// Games lost.
    #[must_use]
    pub const fn losses(&self) -> u64 {
        self.games[Points::Loss as usize]
    }

    /// All games.
    #[must_use]
    pub fn game_count(&self) -> u64 {
        self.games.iter().sum()
    }

    /// Whole pairs that brought 0, ½, 1, 1½ and 2 points.
    #[must_use]
    pub const fn pairs(&self) -> [u64; 5] {
        self.pairs
    }

    /// Number of whole pairs.
    #[must_use]
    pub fn pair_count(&self) -> u64 {
        self.pairs.iter().sum()
    }

    /// Losses, draws and wins among the games whose pair is not complete.
    #[must_use]
    pub fn unpaired(&self) -> [u64; 3] {
        let mut counts = [0; 3];
        for points in self.open.values() {
            counts[points.halves()] += 1;
        }
        counts
    }

    /// Points a game, 0 to 1, draws as half; `None` without games.
    #[must_use]
    pub fn score(&self) -> Option<f64> {
        let games = self.game_count();
        (games > 0).then(|| (self.wins() as f64 + self.draws() as f64 / 2.0) / games as f64)
    }

    /// Share of drawn games, 0 to 1; `None` without games.
    #[must_use]
    pub fn draw_rate(&self) -> Option<f64> {
        let games = self.game_count();
        (games > 0).then(|| self.draws() as f64 / games as f64)
    }

    /// Standard error of [`Tally::score`].
    ///
    /// The points of the whole pairs and those of the games that stand alone
    /// each scatter about their own mean; the variances of the two sums add.
    /// `None` if fewer than two pairs or games can be compared.
    #[must_use]
    pub fn standard_error(&self) -> Option<f64> {
        let unpaired = self.unpaired();
        let lone: u64 = unpaired.iter().sum();
        if self.pair_count() + lone < 2 {
            return None;
        }
        let sum_variance = self.pair_count() as f64 * variance(&self.pairs, 2.0)
            + lone as f64 * variance(&unpaired, 1.0);
        Some(sum_variance.sqrt() / self.game_count() as f64)
    }

    /// Elo difference by the logistic curve, with its error from
    /// [`Tally::standard_error`].
    #[must_use]
    pub fn elo(&self) -> Estimate {
        match (self.score(), self.standard_error()) {
            (Some(score), Some(error)) => Estimate::from_score(score, error),
            (Some(score), None) => Estimate {
                elo: super::elo_from_score(score),
                error_95: f64::INFINITY,
            },
            (None, _) => Estimate::UNKNOWN,
        }
    }

    /// Normalised Elo: the distance of the score from ½ in standard
    /// deviations of one game, times 800 / ln 10. Unlike Elo it does not
    /// depend on how drawish openings and time are.
    #[must_use]
    pub fn normalized_elo(&self) -> Estimate {
        let (Some(score), Some(error)) = (self.score(), self.standard_error()) else {
            return Estimate::UNKNOWN;
        };
        let root = (self.game_count() as f64).sqrt();
        let advantage = score - 0.5;
        let elo = if advantage == 0.0 {
            0.0
        } else {
            advantage / (error * root) * NORMALIZED_UNIT
        };
        let error_95 = QUANTILE_95 / root * NORMALIZED_UNIT;
        Estimate { elo, error_95 }
    }

    /// Likelihood, 0 to 1, that the player is the stronger one. Where no
    /// scatter can be seen, as after wins only, draws are left out and the
    /// rest is taken for coin tosses.
    #[must_use]
    pub fn los(&self) -> f64 {
        let Some(score) = self.score() else {
            return 0.5;
        };
        match self.standard_error() {
            Some(error) if error > 0.0 => normal_cumulative((score - 0.5) / error),
            _ => {
                let (wins, losses) = (self.wins() as f64, self.losses() as f64);
                let decided = (wins + losses).max(1.0);
                normal_cumulative((wins - losses) / decided.sqrt())
            }
        }
    }
}

/// Variance of a variable that takes evenly spaced values from 0 to `top`
/// with the given counts; 0 without any.
fn variance(counts: &[u64], top: f64) -> f64 {
    let total: u64 = counts.iter().sum();
    if total == 0 {
        return 0.0;
    }
    let step = top / (counts.len() - 1) as f64;
    let weigh = |f: &dyn Fn(f64) -> f64| -> f64 {
        let sum: f64 = counts
            .iter()
            .enumerate()
            .map(|(index, &count)| count as f64 * f(index as f64 * step))
            .sum();
        sum / total as f64
    };
    let mean = weigh(&|value| value);
    weigh(&|value| (value - mean) * (value - mean))
}

#[cfg(test)]
#[path = "tally_tests.rs"]
mod tests;
