//! Results against scores: an evaluation on a good scale wins as often as its
//! scores say.

use super::percent;
use std::fmt;
use yonsan::rules::Rule;
use yonsan_format::Game;

/// Lower bounds of all bins but the lowest.
const EDGES: [i16; 9] = [-400, -200, -100, -50, 0, 50, 100, 200, 400];
const BINS: usize = EDGES.len() + 1;

/// Positions of one rule whose scores lie in one bin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Bin {
    /// Positions.
    pub positions: u64,
    /// Half points the sides to move made in the end: 2 for a win, 1 for a
    /// draw.
    pub half_points: u64,
}

/// Bins by rule. Counts plies that were searched and not proven.
#[derive(Clone, Debug, Default)]
pub struct Calibration {
    bins: [[Bin; BINS]; Rule::ALL.len()],
}

impl Calibration {
    /// Counts the plies of a game.
    pub fn add(&mut self, game: &Game) {
        let bins = &mut self.bins[game.facts().rule.index()];
        for sample in game.samples() {
            let ply = sample.ply;
            if !ply.has_score() || ply.score.is_proven() {
                continue;
            }
            let bin = &mut bins[bin_of(ply.score.raw())];
            bin.positions += 1;
            bin.half_points += u64::from((1 + sample.result).unsigned_abs());
        }
    }

    /// The bin of a rule that a score belongs to.
    #[must_use]
    pub fn bin(&self, rule: Rule, score: i16) -> Bin {
        self.bins[rule.index()][bin_of(score)]
    }
}

fn bin_of(score: i16) -> usize {
    EDGES.partition_point(|&edge| edge <= score)
}

/// One column for each rule: percent of the points, and positions.
impl fmt::Display for Calibration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<14}", "score")?;
        for rule in Rule::ALL {
            write!(f, " {rule:>16}")?;
        }
        writeln!(f)?;
        for number in 0..BINS {
            let from = number.checked_sub(1).map(|below| EDGES[below].to_string());
            let to = EDGES.get(number).map(ToString::to_string);
            let name = format!(
                "{:>5} to {:>5}",
                from.unwrap_or_default(),
                to.unwrap_or_default()
            );
            write!(f, "{name:<14}")?;
            for bins in &self.bins {
                let Bin {
                    positions,
                    half_points,
                } = bins[number];
                if positions == 0 {
                    write!(f, " {:>16}", "-")?;
                } else {
                    let points = percent(half_points, 2 * positions);
                    write!(f, " {points:>6.1} {positions:>9}")?;
                }
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_belong_to_the_upper_bin() {
        let bins = [-20_000, -401, -400, -1, 0, 49, 50, 399, 400, 20_000].map(bin_of);
        assert_eq!(bins, [0, 0, 1, 4, 5, 5, 6, 8, 9, 9]);
    }
}
