//! CSV: one row a move, for training and for spreadsheets.

use crate::record::{GameRecord, Outcome};
use std::fmt::Write as _;

const HEADER: &str = "game,ply,player,position,move,opening,time_ms,score,result\n";

/// Games as CSV with a header line. `position` holds the moves before this
/// one, `score` is empty if the engine told none, and `result` is 0 if the
/// mover lost the game, 1 if it was drawn, 2 if the mover won.
#[must_use]
pub fn write_csv<'a>(games: impl IntoIterator<Item = &'a GameRecord>) -> String {
    let mut text = HEADER.to_owned();
    for game in games {
        let mut position = String::new();
        for (ply, entry) in game.moves.iter().enumerate() {
            let is_black = ply % 2 == 0;
            let player = if is_black {
                &game.black_name
            } else {
                &game.white_name
            };
            let result = match game.outcome {
                Outcome::Draw => 1,
                Outcome::Black => 2 * u8::from(is_black),
                Outcome::White => 2 * u8::from(!is_black),
            };
            let score = entry.score.map(|score| score.to_string());
            let _ = writeln!(
                text,
                "{},{ply},{},{position},{},{},{},{},{result}",
                game.number,
                field(player),
                field(&entry.point),
                u8::from(entry.opening),
                entry.time_ms,
                score.unwrap_or_default(),
            );
            position.push_str(&entry.point);
        }
    }
    text
}

/// A text as a field: in quotes if it holds anything that splits fields.
fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
