//! Text for people: `h8`, `h8i9j10`, and boards drawn with letters.

use super::geometry::{MAX_SIDE, Point};
use super::lines::Cell;
use super::position::Position;
use std::fmt;
use std::fmt::Write as _;
use std::str::FromStr;

/// A text that names no point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotationError {
    text: String,
}

impl NotationError {
    fn new(text: &str) -> Self {
        const SHOWN: usize = 20;
        Self {
            text: text.chars().take(SHOWN).collect(),
        }
    }
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}' is no point such as h8", self.text)
    }
}

impl std::error::Error for NotationError {}

/// Column letter and row number from 1: `a1` is `(0, 0)`.
impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{}{}", (b'a' + self.x()) as char, self.y() + 1);
        f.pad(&text)
    }
}

impl FromStr for Point {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        match take_point(text) {
            Some((point, "")) => Ok(point),
            _ => Err(NotationError::new(text)),
        }
    }
}

/// A point at the start of a text, and the rest.
pub(crate) fn take_point(text: &str) -> Option<(Point, &str)> {
    let letter = text.chars().next()?.to_ascii_lowercase();
    let x = u8::try_from(letter).ok()?.checked_sub(b'a')?;
    let digits = text.get(1..)?;
    let end = digits
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(digits.len());
    let (row, rest) = digits.split_at(end);
    if row.starts_with('0') {
        return None;
    }
    let y = row.parse::<u8>().ok()?.checked_sub(1)?;
    Some((Point::new(x, y)?, rest))
}

/// Reads moves written one behind the other, `h8i9j10`; blanks and commas
/// between them do not matter.
///
/// # Errors
///
/// If anything in the text is no point of the largest board.
///
/// # Examples
///
/// ```
/// let moves = yonsan::board::parse_moves("h8 i9, J10").unwrap();
/// assert_eq!(yonsan::board::format_moves(&moves), "h8i9j10");
/// ```
pub fn parse_moves(text: &str) -> Result<Vec<Point>, NotationError> {
    let mut moves = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
        if rest.is_empty() {
            return Ok(moves);
        }
        let (point, tail) = take_point(rest).ok_or_else(|| NotationError::new(rest))?;
        moves.push(point);
        rest = tail;
    }
}

/// Writes moves one behind the other: `h8i9j10`.
#[must_use]
pub fn format_moves(moves: &[Point]) -> String {
    moves.iter().map(Point::to_string).collect()
}

/// The board as text: row numbers at the left, the highest row on top, column
/// letters below, `X` Black, `O` White, `#` taken by nobody, and brackets
/// around the newest stone.
#[must_use]
pub fn diagram(position: &Position) -> String {
    let size = position.size();
    let last = position.last().map(|stone| stone.point);
    let mut text = String::new();
    for y in (0..size.height()).rev() {
        let _ = write!(text, "{:>2} ", y + 1);
        let mut closing = ' ';
        for x in 0..size.width() {
            let Some(point) = size.point(x, y) else {
                continue;
            };
            let mark = match position.cell(point) {
                Cell::Empty => '.',
                Cell::Black => 'X',
                Cell::White => 'O',
                Cell::Wall => '#',
            };
            let is_last = last == Some(point);
            text.push(if is_last { '(' } else { closing });
            text.push(mark);
            closing = if is_last { ')' } else { ' ' };
        }
        text.push(closing);
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    text.push_str("   ");
    for x in 0..size.width().min(MAX_SIDE) {
        let _ = write!(text, " {}", (b'a' + x) as char);
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;

    #[test]
    fn points_read_what_they_write() {
        for point in Size::square(MAX_SIDE).unwrap().points() {
            assert_eq!(point.to_string().parse(), Ok(point));
        }
    }

    #[test]
    fn bad_points_are_refused() {
        for text in [
            "", "8", "h", "h0", "h08", "h23", "w1", "h8i", "é8", "h-1", "h999",
        ] {
            assert!(text.parse::<Point>().is_err(), "{text}");
        }
        assert_eq!(
            parse_moves("h8x9").unwrap_err().to_string(),
            "'x9' is no point such as h8"
        );
    }

    #[test]
    fn diagram_marks_the_newest_stone() {
        let size = Size::new(6, 5).unwrap();
        let moves = parse_moves("c3 a1 f5").unwrap();
        let position = Position::from_moves(size, &moves).unwrap();
        let expected = concat!(
            " 5  . . . . .(X)\n",
            " 4  . . . . . .\n",
            " 3  . . X . . .\n",
            " 2  . . . . . .\n",
            " 1  O . . . . .\n",
            "    a b c d e f\n",
        );
        assert_eq!(diagram(&position), expected);
    }
}
