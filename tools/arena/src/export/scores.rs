//! Score lines `A vs B: W - L - D [score] N`, as rating programs of the field
//! read them.

use super::one_line;
use crate::record::GameRecord;
use crate::stats::{Points, Tally};
use std::fmt::Write as _;

/// One line for every two engines that met, from the one that was met first.
#[must_use]
pub fn write_scores<'a>(games: impl IntoIterator<Item = &'a GameRecord>) -> String {
    let mut meetings: Vec<(&str, &str, Tally)> = Vec::new();
    for (number, game) in games.into_iter().enumerate() {
        let (black, white) = (game.black_name.as_str(), game.white_name.as_str());
        let known = meetings.iter().position(|(one, other, _)| {
            (*one, *other) == (black, white) || (*one, *other) == (white, black)
        });
        let index = known.unwrap_or_else(|| {
            meetings.push((black, white, Tally::default()));
            meetings.len() - 1
        });
        let (one, _, tally) = &mut meetings[index];
        tally.add(number as u64, Points::of(game.outcome, *one == black));
    }
    let mut text = String::new();
    for (one, other, tally) in &meetings {
        let _ = writeln!(
            text,
            "{} vs {}: {} - {} - {} [{:.3}] {}",
            one_line(one),
            one_line(other),
            tally.wins(),
            tally.losses(),
            tally.draws(),
            tally.score().unwrap_or(0.5),
            tally.game_count(),
        );
    }
    text
}
