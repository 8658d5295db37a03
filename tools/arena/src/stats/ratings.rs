//! Ratings of a field of engines by the model of Bradley and Terry: the
//! chance to win depends on the difference of ratings by the logistic curve,
//! and the ratings are those under which all results are likeliest.
//!
//! A draw counts as half a win and half a loss. So that an engine that won or
//! lost every game stays finite, each engine gets [`PRIOR_DRAWS`] draw for
//! nothing, spread over its opponents by the number of games with them.
//! Anchors keep the ratings they are given; the others follow. A group
//! without an anchor is centred on 0, and groups that never met cannot be
//! compared.

use super::elo::score_from_elo;
use super::matrix::Matrix;
use super::normal::QUANTILE_95;
use std::fmt;

/// Draws given to each engine.
pub const PRIOR_DRAWS: f64 = 1.0;

/// Natural logarithm units a point of Elo: ln 10 / 400.
const UNIT: f64 = std::f64::consts::LN_10 / 400.0;
const MAX_ROUNDS: u32 = 200;
/// A Newton step is never longer than this, in Elo.
const MAX_STEP: f64 = 400.0;
const CLOSE_ENOUGH: f64 = 1e-7;

/// All games between two engines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeadToHead {
    /// Index of one engine.
    pub first: usize,
    /// Index of the other.
    pub second: usize,
    /// Points of the first, draws as half.
    pub points: f64,
    /// Number of games.
    pub games: f64,
}

/// The rating of an engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// Elo points.
    pub elo: f64,
    /// Half the width of the 95 % interval; 0 for an anchor, infinite without games.
    pub error_95: f64,
    /// Number of the group of engines that can be compared with each other.
    pub group: usize,
    /// Whether the rating was given.
    pub anchored: bool,
}

/// Why there are no ratings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RatingError {
    /// Games name an engine that is not there, or one against itself.
    UnknownEngine,
    /// Points are below 0 or above the number of games.
    ImpossiblePoints,
    /// The numbers ran away; anchors that lie absurdly far apart do that.
    NoConvergence,
}

impl fmt::Display for RatingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::UnknownEngine => "games with an unknown engine or of an engine with itself",
            Self::ImpossiblePoints => "more points than games, or fewer than none",
            Self::NoConvergence => "no ratings fit these results and anchors",
        })
    }
}

impl std::error::Error for RatingError {}

/// Rates engines `0..anchors.len()`; `anchors` holds the given ratings.
///
/// # Errors
///
/// If the games cannot be, or no ratings are found.
pub fn fit_ratings(
    games: &[HeadToHead],
    anchors: &[Option<f64>],
) -> Result<Vec<Rating>, RatingError> {
    let count = anchors.len();
    for meeting in games {
        if meeting.first.max(meeting.second) >= count || meeting.first == meeting.second {
            return Err(RatingError::UnknownEngine);
        }
        if !(0.0..=meeting.games).contains(&meeting.points) {
            return Err(RatingError::ImpossiblePoints);
        }
    }
    let field = Field {
        games: with_prior(games, count),
        groups: groups(games, count),
        anchors,
    };
    let ratings = field.solve()?;
    let errors = field.errors(&ratings)?;
    Ok((0..count)
        .map(|index| Rating {
            elo: ratings[index],
            error_95: errors[index],
            group: field.groups[index],
            anchored: anchors[index].is_some(),
        })
        .collect())
}

/// The games with the draws for nothing added.
fn with_prior(games: &[HeadToHead], count: usize) -> Vec<HeadToHead> {
    let mut totals = vec![0.0; count];
    for meeting in games {
        totals[meeting.first] += meeting.games;
        totals[meeting.second] += meeting.games;
    }
    let played = games.iter().filter(|meeting| meeting.games > 0.0);
    played
        .map(|meeting| {
            let share = |index: usize| meeting.games / totals[index];
            let draws = PRIOR_DRAWS * (share(meeting.first) + share(meeting.second));
            HeadToHead {
                points: meeting.points + draws / 2.0,
                games: meeting.games + draws,
                ..*meeting
            }
        })
        .collect()
}

/// For each engine the smallest index among all it can be compared with.
fn groups(games: &[HeadToHead], count: usize) -> Vec<usize> {
    let mut groups: Vec<usize> = (0..count).collect();
    loop {
        let mut changed = false;
        for meeting in games.iter().filter(|meeting| meeting.games > 0.0) {
            let smaller = groups[meeting.first].min(groups[meeting.second]);
            for index in [meeting.first, meeting.second] {
                changed |= groups[index] != smaller;
                groups[index] = smaller;
            }
        }
        if !changed {
            return groups;
        }
    }
}

struct Field<'a> {
    games: Vec<HeadToHead>,
    groups: Vec<usize>,
    anchors: &'a [Option<f64>],
}

impl Field<'_> {
    fn is_anchored(&self, group: usize) -> bool {
        (0..self.anchors.len())
            .any(|index| self.groups[index] == group && self.anchors[index].is_some())
    }

    /// Number of engines in the group.
    fn group_size(&self, group: usize) -> usize {
        self.groups.iter().filter(|&&other| other == group).count()
    }

    /// Newton's method on the logarithm of the likelihood, which is concave.
    fn solve(&self) -> Result<Vec<f64>, RatingError> {
        let count = self.anchors.len();
        let mut ratings = self.start();
        for _ in 0..MAX_ROUNDS {
            let mut slope = vec![0.0; count];
            for meeting in &self.games {
                let expected = meeting.games
                    * score_from_elo(ratings[meeting.first] - ratings[meeting.second]);
                slope[meeting.first] += meeting.points - expected;
                slope[meeting.second] -= meeting.points - expected;
            }
            let inverse = self.inverse_information(&ratings)?;
            let mut longest: f64 = 0.0;
            let mut next = ratings.clone();
            for row in (0..count).filter(|&row| self.anchors[row].is_none()) {
                let step: f64 = (0..count)
                    .filter(|&column| self.anchors[column].is_none())
                    .map(|column| inverse.get(row, column) * slope[column])
                    .sum();
                let step = (step / UNIT).clamp(-MAX_STEP, MAX_STEP);
                longest = longest.max(step.abs());
                next[row] += step;
            }
            ratings = next;
            self.centre(&mut ratings);
            if longest < CLOSE_ENOUGH {
                return Ok(ratings);
            }
        }
        Err(RatingError::NoConvergence)
    }

    /// Anchors at their ratings and everybody else at the mean of the anchors.
    fn start(&self) -> Vec<f64> {
        let given: Vec<f64> = self.anchors.iter().flatten().copied().collect();
        let mean = given.iter().sum::<f64>() / given.len().max(1) as f64;
        self.anchors
            .iter()
            .map(|anchor| anchor.unwrap_or(mean))
            .collect()
    }

    /// Moves every group without an anchor so that its mean is 0.
    fn centre(&self, ratings: &mut [f64]) {
        for group in 0..ratings.len() {
            if self.groups[group] != group || self.is_anchored(group) {
                continue;
            }
            let members = || (0..self.groups.len()).filter(|&index| self.groups[index] == group);
            let mean =
                members().map(|index| ratings[index]).sum::<f64>() / self.group_size(group) as f64;
            for index in members() {
                ratings[index] -= mean;
            }
        }
    }

    /// Inverse of the information matrix, in natural units. Anchors get a row
    /// of their own that touches nobody; in groups without an anchor a matrix
    /// of ones is added, which changes nothing but the common level.
    fn inverse_information(&self, ratings: &[f64]) -> Result<Matrix, RatingError> {
        let count = ratings.len();
        let mut matrix = Matrix::zero(count);
        for meeting in &self.games {
            let (i, j) = (meeting.first, meeting.second);
            let chance = score_from_elo(ratings[i] - ratings[j]);
            let weight = meeting.games * chance * (1.0 - chance);
            for (row, column) in [(i, j), (j, i)] {
                if self.anchors[row].is_none() {
                    matrix.add(row, row, weight);
                    if self.anchors[column].is_none() {
                        matrix.add(row, column, -weight);
                    }
                }
            }
        }
        for row in 0..count {
            if self.anchors[row].is_some() {
                matrix.add(row, row, 1.0);
            } else if !self.is_anchored(self.groups[row]) {
                for column in (0..count).filter(|&c| self.groups[c] == self.groups[row]) {
                    matrix.add(row, column, 1.0);
                }
            }
        }
        matrix.inverse().ok_or(RatingError::NoConvergence)
    }

    /// Half widths of the 95 % intervals; in groups without an anchor of the
    /// distance from the mean of the group.
    fn errors(&self, ratings: &[f64]) -> Result<Vec<f64>, RatingError> {
        let inverse = self.inverse_information(ratings)?;
        let errors = (0..ratings.len()).map(|index| {
            let group = self.groups[index];
            if self.anchors[index].is_some() {
                return 0.0;
            }
            let size = self.group_size(group) as f64;
            if size < 2.0 {
                return f64::INFINITY;
            }
            let level = if self.is_anchored(group) {
                0.0
            } else {
                // What the matrix of ones brought in.
                1.0 / (size * size)
            };
            QUANTILE_95 * (inverse.get(index, index) - level).max(0.0).sqrt() / UNIT
        });
        Ok(errors.collect())
    }
}

#[cfg(test)]
#[path = "ratings_tests.rs"]
mod tests;
