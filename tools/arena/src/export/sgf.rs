//! Writing SGF, version 4, game 4 (Gomoku and Renju).

use super::point_of;
use crate::record::{GameRecord, MoveRecord, Outcome, Reason};
use crate::standings::reason_word;
use std::fmt::Write as _;

/// Games as one SGF collection.
#[must_use]
pub fn write_sgf<'a>(games: impl IntoIterator<Item = &'a GameRecord>) -> String {
    games.into_iter().map(write_game).collect()
}

fn write_game(game: &GameRecord) -> String {
    let size = if game.width == game.height {
        game.width.to_string()
    } else {
        format!("{}:{}", game.width, game.height)
    };
    let mut text = String::from("(;FF[4]GM[4]CA[UTF-8]");
    property(
        &mut text,
        "AP",
        &format!("arena:{}", env!("CARGO_PKG_VERSION")),
        false,
    );
    let _ = write!(text, "SZ[{size}]");
    property(&mut text, "RU", &game.rule, true);
    property(&mut text, "PB", &game.black_name, true);
    property(&mut text, "PW", &game.white_name, true);
    property(&mut text, "RE", &result(game), true);
    if game.started_unix > 0 {
        property(&mut text, "DT", &date(game.started_unix), true);
    }
    property(&mut text, "GN", &format!("game {}", game.number), true);
    let reason = reason_word(game.reason);
    let comment = if game.detail.is_empty() {
        reason.to_owned()
    } else {
        format!("{reason}: {}", game.detail)
    };
    property(&mut text, "GC", &comment, true);
    text.push('\n');
    for (ply, entry) in game.moves.iter().enumerate() {
        let Some(point) = point_of(entry) else {
            continue;
        };
        let colour = if ply % 2 == 0 { 'B' } else { 'W' };
        let (x, y) = (b'a' + point.x(), b'a' + point.y());
        let _ = write!(text, ";{colour}[{}{}]", x as char, y as char);
        property(&mut text, "C", &comment_of(entry), true);
        text.push('\n');
    }
    text.push_str(")\n");
    text
}

/// `name[value]` with everything escaped that ends or splits a value. A colon
/// splits only in values of two parts, but is escaped in all free text.
fn property(text: &mut String, name: &str, value: &str, escape_colon: bool) {
    text.push_str(name);
    text.push('[');
    for c in value.chars() {
        match c {
            ']' | '\\' => text.extend(['\\', c]),
            ':' if escape_colon => text.extend(['\\', c]),
            '\n' => text.push('\n'),
            c if c.is_control() => text.push(' '),
            c => text.push(c),
        }
    }
    text.push(']');
}

/// What is known of a move, in the words [`yonsan::game_file::read_sgf`] reads back.
fn comment_of(entry: &MoveRecord) -> String {
    let mut text = if entry.opening {
        "opening".to_owned()
    } else {
        format!("time {} ms", entry.time_ms)
    };
    if let Some(score) = entry.score {
        let _ = write!(text, ", score {score}");
    }
    if let Some(depth) = entry.depth {
        let _ = write!(text, ", depth {depth}");
    }
    if let Some(nodes) = entry.nodes {
        let _ = write!(text, ", nodes {nodes}");
    }
    for message in &entry.messages {
        text.push('\n');
        text.push_str(message);
    }
    text
}

/// The `RE` value: T for time, F for fouls and failures, R for resignation.
fn result(game: &GameRecord) -> String {
    let winner = match game.outcome {
        Outcome::Draw => return "0".to_owned(),
        Outcome::Black => 'B',
        Outcome::White => 'W',
    };
    let how = match game.reason {
        Reason::Timeout => "T",
        Reason::Resigned => "R",
        Reason::Foul => "F",
        reason if reason.is_failure() => "F",
        _ => "",
    };
    format!("{winner}+{how}")
}

/// Day of a time in seconds since 1970, as `2025-11-29`, in UTC.
pub(crate) fn date(unix_seconds: u64) -> String {
    const DAY_SECONDS: u64 = 86_400;
    let mut days = unix_seconds / DAY_SECONDS;
    let mut year = 1970;
    let is_leap = |year: u64| {
        let divided = |by: u64| year.is_multiple_of(by);
        (divided(4) && !divided(100)) || divided(400)
    };
    loop {
        let length = if is_leap(year) { 366 } else { 365 };
        if days < length {
            break;
        }
        days -= length;
        year += 1;
    }
    let february = if is_leap(year) { 29 } else { 28 };
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    format!("{year:04}-{month:02}-{:02}", days + 1)
}
