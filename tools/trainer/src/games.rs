//! Reading recorded games: each only once, and some of them held out.
//!
//! Every game goes as a whole either to the samples for learning or to those
//! held out, by a hash that is the same for a game turned or mirrored. All
//! fits hold out the same games, so that their figures can be compared.

use anyhow::{Context, Result};
use std::collections::HashSet;
use std::path::PathBuf;
use yonsan::board::{Colour, Symmetry, mix};
use yonsan::eval::weights::SCORE_SCALE;
use yonsan_format::{FormatError, Game, Ply, Reader};

/// One game of so many is held out.
const HELD_OUT: u64 = 20;
/// Scores that stand for odds of e : 1 lie between these.
const SCALES: [f32; 2] = [20.0, 5_000.0];
/// Halvings of the range between them.
const ROUNDS: u32 = 24;

/// How a game ended for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It lost.
    Loss,
    /// Nobody won.
    Draw,
    /// It won.
    Win,
}

impl Ending {
    /// 0, a half or 1.
    #[inline]
    #[must_use]
    pub const fn points(self) -> f32 {
        match self {
            Self::Loss => 0.0,
            Self::Draw => 0.5,
            Self::Win => 1.0,
        }
    }

    /// The ending for the mover of a game that this side won, or nobody.
    #[must_use]
    pub fn of(winner: Option<Colour>, mover: Colour) -> Self {
        match winner {
            None => Self::Draw,
            Some(colour) if colour == mover => Self::Win,
            Some(_) => Self::Loss,
        }
    }
}

/// What was found in files of games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Number of games used.
    pub games: u64,
    /// Number of games that had come before.
    pub repeated: u64,
    /// Files of which the end is missing or damaged, and where it begins.
    pub torn: Vec<String>,
}

/// Reads files one after another and hands out every game that is wanted and
/// has not come before, with its [`game_hash`].
///
/// # Errors
///
/// If a file cannot be read, is no file of games, or holds an impossible game.
/// What is missing or damaged at the end of a file is only reported.
pub fn read_games(
    paths: &[PathBuf],
    is_wanted: impl Fn(&Game) -> bool,
    mut visit: impl FnMut(u64, Game),
) -> Result<Found> {
    let mut found = Found::default();
    let mut known = HashSet::new();
    for path in paths {
        let name = path.display();
        let reader = Reader::open(path).with_context(|| format!("{name}"))?;
        for game in reader {
            match game {
                Ok(game) if is_wanted(&game) => {
                    let hash = game_hash(&game);
                    if known.insert(hash) {
                        found.games += 1;
                        visit(hash, game);
                    } else {
                        found.repeated += 1;
                    }
                }
                Ok(_) => {}
                Err(error @ (FormatError::Torn(_) | FormatError::Damaged(_))) => {
                    found.torn.push(format!("{name}: {error}"));
                }
                Err(error) => return Err(error).with_context(|| format!("{name}")),
            }
        }
    }
    Ok(found)
}

/// A hash of a game's size and moves, the same for all its images.
#[must_use]
pub fn game_hash(game: &Game) -> u64 {
    let size = game.facts().size;
    let hash_of = |symmetry: Symmetry| {
        game.moves().fold(
            u64::from(size.width()) << 8 | u64::from(size.height()),
            |hash, point| mix(hash ^ symmetry.apply(point, size).index() as u64),
        )
    };
    Symmetry::all(size).map(hash_of).min().unwrap_or(0)
}

/// Whether the game with this hash is held out.
#[must_use]
pub fn is_held_out(hash: u64) -> bool {
    mix(hash).is_multiple_of(HELD_OUT)
}

/// The score of a ply, if it is a guess of the search: a proof says no more
/// than the ending.
#[must_use]
pub fn searched_score(ply: &Ply) -> Option<i16> {
    (ply.has_score() && !ply.score.is_proven()).then(|| ply.score.raw())
}

/// The chance to win at given log odds.
#[inline]
#[must_use]
pub fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

/// Log odds of one unit of score, so that chances fit the endings best, found
/// out from pairs of a score and the points that were made. `1 / SCORE_SCALE`
/// if there is nothing to fit.
#[must_use]
pub fn fit_score_unit(pairs: impl Iterator<Item = (i16, f32)>) -> f32 {
    let pairs: Vec<(f32, f32)> = pairs
        .filter(|&(score, _)| score != 0)
        .map(|(score, points)| (f32::from(score), points))
        .collect();
    if pairs.is_empty() {
        return 1.0 / SCORE_SCALE;
    }
    // The loss is convex, so its slope tells on which side the best is.
    let slope = |unit: f32| -> f64 {
        let slope_of =
            |&(score, points): &(f32, f32)| f64::from(score * (sigmoid(score * unit) - points));
        pairs.iter().map(slope_of).sum()
    };
    let [mut high, mut low] = SCALES.map(|scale| 1.0 / scale);
    for _ in 0..ROUNDS {
        // Halves the ratio.
        let middle = (low * high).sqrt();
        if slope(middle) > 0.0 {
            high = middle;
        } else {
            low = middle;
        }
    }
    (low * high).sqrt()
}

#[cfg(test)]
#[path = "games_tests.rs"]
mod tests;
