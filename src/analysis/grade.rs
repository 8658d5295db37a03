//! When a move is a mistake.
//!
//! Judged by the win rate that it loses, on the engine's one scale,
//! [`Score::win_rate`]: what counts is not by how much a score falls, but
//! whether that changes who will win.

use crate::search::Score;

/// A move that loses this much of the win rate, 0 to 1, is an inaccuracy.
pub const INACCURACY: f64 = 0.05;
/// One that loses this much is a mistake.
pub const MISTAKE: f64 = 0.12;
/// One that loses this much is a blunder.
pub const BLUNDER: f64 = 0.25;

/// How good a move was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// Given by an opening: nobody's merit or fault.
    Given,
    /// The engine knows no better one.
    Best,
    /// Less than an inaccuracy was lost.
    Good,
    /// [`INACCURACY`] or more was lost.
    Inaccuracy,
    /// [`MISTAKE`] or more was lost.
    Mistake,
    /// [`BLUNDER`] or more was lost.
    Blunder,
}

impl Grade {
    /// All grades.
    pub const ALL: [Self; 6] = [
        Self::Given,
        Self::Best,
        Self::Good,
        Self::Inaccuracy,
        Self::Mistake,
        Self::Blunder,
    ];

    /// The grade of a move that is not the best and loses this much.
    #[must_use]
    pub fn of_loss(loss: f64) -> Self {
        if loss >= BLUNDER {
            Self::Blunder
        } else if loss >= MISTAKE {
            Self::Mistake
        } else if loss >= INACCURACY {
            Self::Inaccuracy
        } else {
            Self::Good
        }
    }

    /// Its name in small letters.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Given => "given",
            Self::Best => "best",
            Self::Good => "good",
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        }
    }

    /// Whether the move is one that should not have been made.
    #[must_use]
    pub fn is_fault(self) -> bool {
        self >= Self::Inaccuracy
    }
}

/// Win rate lost between two scores of the same side, 0 to 1.
pub(super) fn loss(before: Score, after: Score) -> f64 {
    (before.win_rate() - after.win_rate()).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_belong_to_the_worse_grade() {
        for (loss, grade) in [
            (0.0, Grade::Good),
            (0.0499, Grade::Good),
            (0.05, Grade::Inaccuracy),
            (0.12, Grade::Mistake),
            (0.2499, Grade::Mistake),
            (0.25, Grade::Blunder),
            (1.0, Grade::Blunder),
        ] {
            assert_eq!(Grade::of_loss(loss), grade, "{loss}");
            assert_eq!(grade.is_fault(), loss >= 0.05);
        }
    }

    #[test]
    fn losses_are_of_win_rate() {
        // Odds of e to 1 against even ones.
        let lost = loss(Score::plain(200), Score::ZERO);
        assert!((lost - 0.231_058_6).abs() < 1e-6, "{lost}");
        assert!((loss(Score::win_in(5), Score::loss_in(8)) - 1.0).abs() < 1e-12);
        // To win later is no loss, nor is to gain.
        assert!(loss(Score::win_in(3), Score::win_in(9)).abs() < 1e-12);
        assert!(loss(Score::ZERO, Score::plain(90)).abs() < 1e-12);
        // The same fall matters less where the game is decided anyway.
        assert!(loss(Score::plain(1_200), Score::plain(1_000)) < 0.01);
    }
}
