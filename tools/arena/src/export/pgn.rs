//! PGN for programs that make ratings from it, such as BayesElo and Ordo.
//! They want chess: the moves are always the same two. The real ones stand in
//! a tag of their own.

use super::one_line;
use super::sgf::date;
use crate::record::{GameRecord, Outcome};
use crate::standings::reason_word;
use std::fmt::Write as _;

/// Games as PGN.
#[must_use]
pub fn write_pgn<'a>(games: impl IntoIterator<Item = &'a GameRecord>) -> String {
    let mut text = String::new();
    for game in games {
        let result = match game.outcome {
            Outcome::Black => "0-1",
            Outcome::White => "1-0",
            Outcome::Draw => "1/2-1/2",
        };
        let moves: String = game
            .moves
            .iter()
            .map(|entry| entry.point.as_str())
            .collect();
        let size = format!("{}x{}", game.width, game.height);
        let round = (game.number + 1).to_string();
        for (name, value) in [
            ("Event", game.rule.as_str()),
            ("Site", "?"),
            ("Date", &date(game.started_unix).replace('-', ".")),
            ("Round", &round),
            ("White", &game.white_name),
            ("Black", &game.black_name),
            ("Result", result),
            ("Termination", reason_word(game.reason)),
            ("BoardSize", &size),
            ("GomokuMoves", &moves),
        ] {
            let value = one_line(value).replace('\\', "\\\\").replace('"', "\\\"");
            let _ = writeln!(text, "[{name} \"{value}\"]");
        }
        let _ = write!(text, "\n1. e4 e5 {result}\n\n");
    }
    text
}
