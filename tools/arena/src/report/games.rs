//! The games as data for the page's script.

use super::summary::Summary;
use crate::collect::Collection;
use crate::record::{GameRecord, Outcome};
use crate::standings::reason_word;
use serde::Serialize;

/// Everything the script gets. Names are short: there is one for each game.
#[derive(Serialize)]
struct Data<'a> {
    engines: &'a [String],
    games: Vec<Game<'a>>,
}

#[derive(Serialize)]
struct Game<'a> {
    /// Number from 1.
    n: u64,
    rule: &'a str,
    width: u8,
    height: u8,
    /// Engines with Black and White.
    players: [usize; 2],
    /// 0 Black won, 1 White won, 2 draw.
    outcome: u8,
    reason: &'static str,
    failed: bool,
    #[serde(skip_serializing_if = "str::is_empty")]
    detail: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    opening: &'a str,
    /// All moves, one behind the other.
    moves: String,
    /// Number of moves that were given.
    given: usize,
    /// Milliseconds for each move.
    times: Vec<u64>,
    /// Score for the mover.
    scores: Vec<Option<i32>>,
    /// Depth of each move.
    depths: Vec<Option<u32>>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    lines: &'a [String],
}

impl<'a> Game<'a> {
    fn new(game: &'a GameRecord, players: [usize; 2]) -> Self {
        Self {
            n: game.number + 1,
            rule: &game.rule,
            width: game.width,
            height: game.height,
            players,
            outcome: match game.outcome {
                Outcome::Black => 0,
                Outcome::White => 1,
                Outcome::Draw => 2,
            },
            reason: reason_word(game.reason),
            failed: game.reason.is_failure(),
            detail: &game.detail,
            opening: &game.opening_source,
            moves: game
                .moves
                .iter()
                .map(|entry| entry.point.as_str())
                .collect(),
            given: game.moves.iter().take_while(|entry| entry.opening).count(),
            times: game.moves.iter().map(|entry| entry.time_ms).collect(),
            scores: game.moves.iter().map(|entry| entry.score).collect(),
            depths: game.moves.iter().map(|entry| entry.depth).collect(),
            lines: &game.last_lines,
        }
    }
}

/// The newest `most` games as JSON, and how many were left out.
pub fn to_json(collection: &Collection, summary: &Summary, most: usize) -> (String, usize) {
    let left_out = collection.games.len().saturating_sub(most);
    let games = collection.games.iter().zip(&summary.players);
    let data = Data {
        engines: &summary.names,
        games: games
            .skip(left_out)
            .map(|(entry, &players)| Game::new(&entry.game, players))
            .collect(),
    };
    // Nothing in it can fail to be written: no maps, no foreign types.
    (serde_json::to_string(&data).unwrap_or_default(), left_out)
}
