//! What files of games hold, counted by rule and board.
//!
//! Each part counts one thing and writes one table: [`Lengths`] results and
//! lengths, [`Variety`] openings and duplicates, [`Calibration`] results
//! against scores, [`Proofs`] whether proven games went as proven.

mod calibration;
mod lengths;
mod proofs;
mod variety;

pub use calibration::Calibration;
pub use lengths::Lengths;
pub use proofs::Proofs;
pub use variety::Variety;

use std::fmt;
use yonsan_format::Game;

/// All counts.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    /// Results and lengths.
    pub lengths: Lengths,
    /// Openings and duplicates.
    pub variety: Variety,
    /// Results against scores.
    pub calibration: Calibration,
    /// Proofs played out.
    pub proofs: Proofs,
}

impl Stats {
    /// Counts a game.
    pub fn add(&mut self, game: &Game) {
        self.lengths.add(game);
        self.variety.add(game);
        self.calibration.add(game);
        self.proofs.add(game);
    }
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.lengths)?;
        writeln!(f, "{}", self.variety)?;
        writeln!(f, "{}", self.calibration)?;
        writeln!(f, "{}", self.proofs)
    }
}

/// A part of a whole in percent; 0 of nothing.
fn percent(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        0.0
    } else {
        100.0 * part as f64 / whole as f64
    }
}
