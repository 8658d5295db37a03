//! The engine's choices of colour against those of a much longer search.

use crate::work::{Effort, Setting, decide, side_by_side};
use anyhow::{Result, bail};
use std::fmt;
use yonsan::board::format_moves;
use yonsan::rules::opening::{Act, Opening, Procedure};

/// The stones are put with this part of the usual effort, so that they are
/// roughly even and the choice is no matter of course.
const QUICK: u32 = 50;

/// A choice and what the longer search says.
#[derive(Clone, Debug)]
pub struct Compared {
    /// The stones.
    pub moves: String,
    /// Black's score by which the colour was chosen.
    pub score: i32,
    /// Black's score by the longer search.
    pub deep_score: i32,
}

impl Compared {
    /// Whether both searches prefer the same colour.
    #[must_use]
    pub const fn agrees(&self) -> bool {
        (self.score > 0) == (self.deep_score > 0)
    }
}

impl fmt::Display for Compared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = if self.agrees() { "" } else { "  differs" };
        let (moves, score, deep) = (&self.moves, self.score, self.deep_score);
        write!(f, "{moves:<20} score {score:>6}  longer {deep:>6}{mark}")
    }
}

/// How many choices were right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Choices, and those that the longer search makes too.
    pub all: (usize, usize),
    /// The same where the longer search sees a difference of more than the
    /// margin.
    pub clear: (usize, usize),
}

impl Summary {
    /// Counts; `margin` is the score up to which a position is even.
    #[must_use]
    pub fn new(choices: &[Compared], margin: i32) -> Self {
        let count = |least: i32| {
            let counted = || choices.iter().filter(|c| c.deep_score.abs() > least);
            (counted().count(), counted().filter(|c| c.agrees()).count())
        };
        Self {
            all: count(-1),
            clear: count(margin),
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |(all, right): (usize, usize)| 100.0 * right as f64 / all.max(1) as f64;
        write!(
            f,
            "right: {} of {} ({:.1} %); where the longer search is sure: {} of {} ({:.1} %)",
            self.all.1,
            self.all.0,
            percent(self.all),
            self.clear.1,
            self.clear.0,
            percent(self.clear)
        )
    }
}

/// Lets the engine choose a colour after three stones, and after five in every
/// second opening, and asks a search of `factor` times the effort.
///
/// # Errors
///
/// If the board is too small.
pub fn compare(setting: &Setting, factor: u32) -> Result<Vec<Compared>> {
    side_by_side(setting.count, setting.jobs, |engine, number| {
        let seed = setting.seed_of(number);
        let opening = opening(engine, setting, seed, number % 2 == 1)?;
        let mut score = |effort: Effort| -> Result<i32> {
            engine.new_game();
            let decision = decide(engine, &opening, setting, effort, seed)?;
            Ok(decision.score.map_or(0, |score| score.raw()))
        };
        let stones = opening.position().stones().iter().map(|s| s.point);
        let compared = Compared {
            moves: format_moves(&stones.collect::<Vec<_>>()),
            score: score(setting.effort)?,
            deep_score: score(setting.effort.times(factor))?,
        };
        println!("{compared}");
        Ok(compared)
    })
}

/// Stones after which a colour must be chosen.
fn opening(
    engine: &mut yonsan::engine::Engine,
    setting: &Setting,
    seed: u64,
    has_five: bool,
) -> Result<Opening> {
    let quick = match setting.effort {
        Effort::Time(time) => Effort::Time(time / QUICK),
        Effort::Nodes(count) => Effort::Nodes(count / u64::from(QUICK)),
    };
    let mut put = |opening: &mut Opening| -> Result<()> {
        let decision = decide(engine, opening, setting, quick, seed)?;
        Ok(opening.apply(&decision.act)?)
    };
    if !has_five {
        let mut three = Opening::new(Procedure::Swap, setting.size)?;
        put(&mut three)?;
        return Ok(three);
    }
    let mut five = Opening::new(Procedure::Swap2, setting.size)?;
    put(&mut five)?;
    let before = five.clone();
    put(&mut five)?;
    if five.is_finished() {
        // It would rather choose: let the position stand as swap has it.
        let stones = before.position().stones().iter().map(|s| s.point);
        let mut three = Opening::new(Procedure::Swap, setting.size)?;
        three.apply(&Act::Place(stones.collect()))?;
        return Ok(three);
    }
    if five.demands().len() != 1 {
        bail!(
            "no choice of colour after {} stones",
            five.position().stones().len()
        );
    }
    Ok(five)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_count_the_clear_ones_apart() {
        let choice = |score, deep_score| Compared {
            moves: String::new(),
            score,
            deep_score,
        };
        let choices = [
            choice(10, 200),
            choice(-10, 20),
            choice(-80, -31),
            choice(50, -100),
            choice(-3, 0),
        ];
        let summary = Summary::new(&choices, 30);
        assert_eq!(summary.all, (5, 3));
        assert_eq!(summary.clear, (3, 2));
    }
}
