//! Elo differences and scores.

use super::normal::QUANTILE_95;
use std::fmt;

/// Elo points for a tenfold better chance.
const TENFOLD: f64 = 400.0;

/// Expected score, 0 to 1, of the side that is `elo` points stronger.
#[must_use]
pub fn score_from_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / TENFOLD))
}

/// Elo difference at which `score`, 0 to 1, is expected; infinite at the ends.
#[must_use]
pub fn elo_from_score(score: f64) -> f64 {
    -TENFOLD * (1.0 / score - 1.0).log10()
}

/// An Elo difference and how sure it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The most likely difference in Elo points; plus or minus infinity if
    /// every game was won or lost, 0 if there is no game.
    pub elo: f64,
    /// Half the width of the 95 % interval; infinite if nothing can be said.
    pub error_95: f64,
}

impl Estimate {
    /// Nothing is known.
    pub const UNKNOWN: Self = Self {
        elo: 0.0,
        error_95: f64::INFINITY,
    };

    /// The estimate for a mean score with a standard error, both 0 to 1.
    #[must_use]
    pub fn from_score(score: f64, standard_error: f64) -> Self {
        let reach = QUANTILE_95 * standard_error;
        let (low, high) = (score - reach, score + reach);
        let elo = elo_from_score(score);
        if low <= 0.0 || high >= 1.0 {
            let error_95 = f64::INFINITY;
            return Self { elo, error_95 };
        }
        let error_95 = (elo_from_score(high) - elo_from_score(low)) / 2.0;
        Self { elo, error_95 }
    }
}

/// `+12.3 ± 4.5`; a bound that is infinite is written `∞`.
impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let elo = match self.elo {
            elo if elo == f64::INFINITY => "+∞".to_owned(),
            elo if elo == f64::NEG_INFINITY => "-∞".to_owned(),
            // No "-0.0".
            elo if elo.abs() < 0.05 => "0.0".to_owned(),
            elo => format!("{elo:+.1}"),
        };
        let text = if self.error_95.is_finite() {
            format!("{elo} ± {:.1}", self.error_95)
        } else {
            format!("{elo} ± ∞")
        };
        f.pad(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: 10^(-100/400) = 0.562341, 1 / 1.562341 = 0.640065;
    /// a score of 3/4 is 400 * log10(3) = 190.8485 points.
    #[test]
    fn scores_and_elo_by_hand() {
        assert!((score_from_elo(100.0) - 0.640_065).abs() < 1e-6);
        assert!((elo_from_score(0.75) - 190.848_5).abs() < 1e-4);
        assert!((elo_from_score(0.25) + 190.848_5).abs() < 1e-4);
        assert_eq!(elo_from_score(1.0), f64::INFINITY);
        assert_eq!(elo_from_score(0.0), f64::NEG_INFINITY);
    }

    #[test]
    fn estimates_read_well() {
        let text = |elo, error_95| Estimate { elo, error_95 }.to_string();
        assert_eq!(text(12.34, 5.0), "+12.3 ± 5.0");
        assert_eq!(text(-0.01, 5.0), "0.0 ± 5.0");
        assert_eq!(text(f64::INFINITY, f64::INFINITY), "+∞ ± ∞");
        assert_eq!(Estimate::UNKNOWN.to_string(), "0.0 ± ∞");
    }
}
