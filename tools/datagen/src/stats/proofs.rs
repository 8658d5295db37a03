//! Whether games went as they were proven to go.

use std::fmt;
use yonsan_format::{End, Game};

/// The first proof of a game, tested by how the game ended. Wins can be tested
/// only where they were played out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Proofs {
    /// Games with a proven win that were played out.
    pub wins: u64,
    /// Those of them that the prover did not win.
    pub wins_refuted: u64,
    /// Games with a proven loss.
    pub losses: u64,
    /// Those of them that the prover did not lose.
    pub losses_refuted: u64,
}

impl Proofs {
    /// Counts a game.
    pub fn add(&mut self, game: &Game) {
        let win = game
            .samples()
            .find(|sample| sample.ply.score.win_plies().is_some());
        if let Some(sample) = win
            && game.facts().end != End::Proof
        {
            self.wins += 1;
            self.wins_refuted += u64::from(sample.result != 1);
        }
        let loss = game
            .samples()
            .find(|sample| sample.ply.score.loss_plies().is_some());
        if let Some(sample) = loss {
            self.losses += 1;
            self.losses_refuted += u64::from(sample.result != -1);
        }
    }
}

impl fmt::Display for Proofs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "proven wins played out: {}, not won: {}; proven losses: {}, not lost: {}",
            self.wins, self.wins_refuted, self.losses, self.losses_refuted
        )
    }
}
