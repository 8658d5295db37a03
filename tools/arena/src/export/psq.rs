//! PSQ, the game files of Piskvork: a header with the size, a line
//! `x,y,milliseconds` for each stone, counted from 1, the two players, an end
//! code, and as the cup's files have it a line `winner,rule`.

use super::import::{ImportError, ImportedGame, ImportedMove};
use super::{one_line, point_of};
use crate::record::{GameRecord, Outcome};
use std::fmt::Write as _;
use yonsan::board::Size;
use yonsan::rules::Rule;

const HEADER: &str = "Piskvorky ";
/// What Piskvork writes for a game that ended over the board.
const END_CODE: &str = "-1";

/// A game as a PSQ file.
#[must_use]
pub fn write_psq(game: &GameRecord) -> String {
    let mut text = format!("{HEADER}{}x{}, 11:11, 0\n", game.width, game.height);
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

/// Reads a PSQ file. Line ends of every kind, blank lines and missing times
/// are accepted, and so are files that stop after the moves.
///
/// # Errors
///
/// If the header is missing, the size is none of ours, or a stone lies
/// outside the board or on another.
pub fn read_psq(text: &str) -> Result<ImportedGame, ImportError> {
    let lines = text
        .split(['\n', '\r'])
        .map(str::trim)
        .filter(|line| !line.is_empty());
    let mut lines = (1..).zip(lines).peekable();
    let header = lines.next().map_or("", |(_, line)| line);
    let (size, second_begins) = parse_header(header)?;
    let mut moves: Vec<ImportedMove> = Vec::new();
    while let Some((x, y, time_ms)) = lines.peek().and_then(|(_, line)| parse_move(line)) {
        let number = lines.next().map_or(0, |(number, _)| number);
        let point = u8::try_from(x - 1)
            .ok()
            .zip(u8::try_from(y - 1).ok())
            .and_then(|(x, y)| size.point(x, y))
            .ok_or_else(|| ImportError::new(number, format!("{x},{y} is outside the board")))?;
        if moves.iter().any(|entry| entry.point == point) {
            return Err(ImportError::new(number, format!("{x},{y} is taken")));
        }
        moves.push(ImportedMove {
            time_ms,
            ..ImportedMove::at(point)
        });
    }
    let mut names = Vec::new();
    let (mut outcome, mut rule) = (None, None);
    for (_, line) in lines {
        if line.parse::<i64>().is_ok() {
            continue;
        }
        if let Some((winner, name)) = parse_result(line) {
            outcome = Some(winner);
            rule = name.parse().ok();
        } else if names.len() < 2 {
            names.push(line.strip_prefix('\'').unwrap_or(line).to_owned());
        }
    }
    if second_begins && names.len() == 2 {
        names.swap(0, 1);
        outcome = outcome.map(|outcome| match outcome {
            Outcome::Black => Outcome::White,
            Outcome::White => Outcome::Black,
            Outcome::Draw => Outcome::Draw,
        });
    }
    let mut names = names.into_iter();
    Ok(ImportedGame {
        size,
        rule,
        black_name: names.next().unwrap_or_default(),
        white_name: names.next().unwrap_or_default(),
        moves,
        outcome,
    })
}

/// Size, and whether the second player began, from
/// `Piskvorky 15x15, 11:11, 0`.
fn parse_header(line: &str) -> Result<(Size, bool), ImportError> {
    let bad = || ImportError::new(1, "no header such as 'Piskvorky 15x15, 11:11, 0'");
    let line = line.trim_start_matches('\u{feff}');
    let rest = line.strip_prefix(HEADER).ok_or_else(bad)?;
    let mut parts = rest.split(',').map(str::trim);
    let (width, height) = parts
        .next()
        .and_then(|p| p.split_once('x'))
        .ok_or_else(bad)?;
    let side = |text: &str| text.trim().parse::<u8>().map_err(|_| bad());
    let (width, height) = (side(width)?, side(height)?);
    let size = Size::new(width, height).ok_or_else(|| {
        ImportError::new(
            1,
            format!("a board of {width}x{height}, but sides are 5 to 22"),
        )
    })?;
    Ok((size, parts.nth(1) == Some("1")))
}

/// `x,y` or `x,y,milliseconds`.
fn parse_move(line: &str) -> Option<(i64, i64, u64)> {
    let mut parts = line.split(',').map(str::trim);
    let x = parts.next()?.parse().ok()?;
    let y = parts.next()?.parse().ok()?;
    // Piskvork writes a negative time for stones of the opening.
    let time = parts
        .next()
        .map_or(Some(0), |time| time.parse::<i64>().ok())?;
    Some((x, y, u64::try_from(time).unwrap_or(0)))
}

/// `winner,rule`.
fn parse_result(line: &str) -> Option<(Outcome, &str)> {
    let (winner, rule) = line.split_once(',')?;
    let outcome = match winner.trim() {
        "0" => Outcome::Draw,
        "1" => Outcome::Black,
        "2" => Outcome::White,
        _ => return None,
    };
    Some((outcome, rule.trim()))
}
