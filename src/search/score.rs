//! What a position is worth, and how far a forced win is away.

use crate::eval::weights::SCORE_SCALE;
use std::fmt;
use std::ops::Neg;

/// A score as the search computes with it: [`Score::raw`].
pub(super) type Value = i32;

/// Above every value.
pub(super) const INFINITE: Value = Score::INFINITY.raw();

/// Value of a win at this many plies from the root.
pub(super) const fn win_at(ply: u32) -> Value {
    Score::win_in(ply).raw()
}

/// Value of a loss at this many plies from the root.
pub(super) const fn loss_at(ply: u32) -> Value {
    Score::loss_in(ply).raw()
}

/// Whether the value is a forced win or loss.
pub(super) const fn is_forced(value: Value) -> bool {
    Score::from_raw(value).is_forced()
}

/// A value counted from the root as one counted from a position `ply` below it.
pub(super) const fn from_root_to_here(value: Value, ply: u32) -> Value {
    let score = Score::from_raw(value);
    if score.win_plies().is_some() {
        value + ply as Value
    } else if score.loss_plies().is_some() {
        value - ply as Value
    } else {
        value
    }
}

/// The other way round.
pub(super) const fn from_here_to_root(value: Value, ply: u32) -> Value {
    let score = Score::from_raw(value);
    if score.win_plies().is_some() {
        value - ply as Value
    } else if score.loss_plies().is_some() {
        value + ply as Value
    } else {
        value
    }
}

/// The worth of a position for the side to move.
///
/// Either a plain value, even at 0, within ±[`Score::MAX_PLAIN`]; or a forced
/// win or loss with the number of plies to its last stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(i32);

impl Score {
    /// An even position, and a drawn one.
    pub const ZERO: Self = Self(0);
    /// Above every score that can occur.
    pub const INFINITY: Self = Self(32_000);
    /// The largest plain value.
    pub const MAX_PLAIN: i32 = 20_000;

    const WIN: i32 = 30_000;
    const LONGEST: i32 = 1_000;

    /// A plain value, cut to ±[`Score::MAX_PLAIN`].
    #[must_use]
    pub const fn plain(value: i32) -> Self {
        if value > Self::MAX_PLAIN {
            Self(Self::MAX_PLAIN)
        } else if value < -Self::MAX_PLAIN {
            Self(-Self::MAX_PLAIN)
        } else {
            Self(value)
        }
    }

    /// A win whose last stone is put after `plies` more plies.
    #[must_use]
    pub const fn win_in(plies: u32) -> Self {
        Self(Self::WIN - plies as i32)
    }

    /// A loss whose last stone is put after `plies` more plies.
    #[must_use]
    pub const fn loss_in(plies: u32) -> Self {
        Self(plies as i32 - Self::WIN)
    }

    /// The number behind the score: for tables and arithmetic inside the search.
    #[must_use]
    pub const fn raw(self) -> i32 {
        self.0
    }

    /// The score with this number.
    #[must_use]
    pub(crate) const fn from_raw(raw: i32) -> Self {
        Self(raw)
    }

    /// Plies to the end of a forced win.
    #[must_use]
    pub const fn win_plies(self) -> Option<u32> {
        if self.0 >= Self::WIN - Self::LONGEST && self.0 <= Self::WIN {
            Some((Self::WIN - self.0) as u32)
        } else {
            None
        }
    }

    /// Plies to the end of a forced loss.
    #[must_use]
    pub const fn loss_plies(self) -> Option<u32> {
        Self(-self.0).win_plies()
    }

    /// The chance to win, 0 to 1: the logistic curve over the plain score that
    /// the evaluation is fitted with; 1 for a forced win, 0 for a forced loss.
    #[must_use]
    pub fn win_rate(self) -> f64 {
        if self.win_plies().is_some() {
            1.0
        } else if self.loss_plies().is_some() {
            0.0
        } else {
            1.0 / (1.0 + (-f64::from(self.0) / f64::from(SCORE_SCALE)).exp())
        }
    }

    /// What the score after a move, for the opponent of the mover, is for the
    /// mover before it: a forced end is one ply further away.
    #[must_use]
    pub const fn before_move(self) -> Self {
        Self(from_here_to_root(-self.0, 1))
    }

    /// Whether the game is decided.
    #[must_use]
    pub const fn is_forced(self) -> bool {
        self.win_plies().is_some() || self.loss_plies().is_some()
    }
}

impl Neg for Score {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}

/// `+M5` a win in five plies, `-M4` a loss in four, else the plain value.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match (self.win_plies(), self.loss_plies()) {
            (Some(plies), _) => format!("+M{plies}"),
            (_, Some(plies)) => format!("-M{plies}"),
            _ => self.0.to_string(),
        };
        f.pad(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forced_and_plain_scores_never_mix() {
        assert_eq!(Score::win_in(5).to_string(), "+M5");
        assert_eq!(Score::loss_in(4).to_string(), "-M4");
        assert_eq!(Score::plain(-123).to_string(), "-123");
        assert_eq!(-Score::win_in(5), Score::loss_in(5));
        assert!(Score::win_in(484) > Score::plain(i32::MAX));
        assert!(!Score::plain(i32::MAX).is_forced());
        assert!(!Score::plain(i32::MIN).is_forced());
        assert!(Score::win_in(3) > Score::win_in(5));
        assert!(Score::loss_in(2) < Score::loss_in(6));
    }

    #[test]
    fn a_move_brings_the_end_nearer() {
        assert_eq!(Score::loss_in(4).before_move(), Score::win_in(5));
        assert_eq!(Score::win_in(3).before_move(), Score::loss_in(4));
        assert_eq!(Score::plain(70).before_move(), Score::plain(-70));
        assert_eq!(Score::loss_in(0).before_move(), Score::win_in(1));
    }

    #[test]
    fn win_rates_are_ordered() {
        let scores = [
            Score::loss_in(2),
            Score::plain(-300),
            Score::ZERO,
            Score::plain(300),
            Score::win_in(3),
        ];
        let rates = scores.map(Score::win_rate);
        assert!(rates.is_sorted_by(|a, b| a < b), "{rates:?}");
        assert!((rates[2] - 0.5).abs() < 1e-12);
        // Odds of e to 1.
        let at_scale = Score::plain(200).win_rate();
        assert!((at_scale - 0.731_058_6).abs() < 1e-6, "{at_scale}");
    }
}
