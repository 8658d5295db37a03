//! PSQ, the game files of Piskvork: a header with the size, a line
//! `x,y,milliseconds` for each stone, counted from 1, the two players, an end
//! code, and as the cup's files have it a line `winner,rule`. Read by
//! [`yonsan::game_file::read_psq`].

use super::{one_line, point_of};
use crate::record::{GameRecord, Outcome};
use std::fmt::Write as _;
use yonsan::game_file::PSQ_HEADER;
use yonsan::rules::Rule;

/// What Piskvork writes for a game that ended over the board.
const END_CODE: &str = "-1";

/// A game as a PSQ file.
#[must_use]
pub fn write_psq(game: &GameRecord) -> String {
    let mut text = format!("{PSQ_HEADER}{}x{}, 11:11, 0\n", game.width, game.height);
    for entry in &game.moves {
        if let Some(point) = point_of(entry) {
            let (x, y) = (point.x() + 1, point.y() + 1);
            let _ = writeln!(text, "{x},{y},{}", entry.time_ms);
        }
    }
    let winner = match game.outcome {
        Outcome::Draw => 0,
        Outcome::Black => 1,
        Outcome::White => 2,
    };
    let rule = game.rule.parse().map_or("", rule_name);
    let (black, white) = (safe_name(&game.black_name), safe_name(&game.white_name));
    let _ = write!(text, "{black}\n{white}\n{END_CODE}\n{winner},{rule}\n");
    text
}

/// The rule as the cup writes it.
const fn rule_name(rule: Rule) -> &'static str {
    match rule {
        Rule::Freestyle => "Freestyle",
        Rule::Standard => "Standard",
        Rule::Renju => "Renju",
        Rule::Caro => "Caro",
        Rule::CaroExact => "Caro-exact",
    }
}

/// A name on one line that no reader takes for a move or an end code.
fn safe_name(name: &str) -> String {
    let name = one_line(name);
    let name = name.trim();
    match name.chars().next() {
        None => "?".to_owned(),
        Some(first) if first.is_ascii_digit() || first == '-' || first == '+' => {
            format!("'{name}")
        }
        Some(_) => name.to_owned(),
    }
}
