//! The board as the player sees it, with a panel of notes at its right.
//!
//! The largest board, its letters and the prompt fit a screen of 80 columns
//! and 24 rows: that is why the notes stand beside the board.

use super::words::{TEXT_WIDTH, wrap};
use crate::board::{Bitboard, Cell, Colour, Point, Position, Size};
use std::fmt::Write as _;

/// How things are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// ASCII only: `X` Black, `O` White, `!` forbidden, brackets around the
    /// newest stone.
    Plain,
    /// Unicode stones on a wooden board, with escape sequences for 256 colours.
    Colour,
}

/// A line of the panel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Note {
    /// A text; broken into lines if it is too long.
    Text(String),
    /// A stone and a short text.
    Side(Colour, String),
    /// The mark of a forbidden point and a short text.
    Forbidden(String),
}

const RESET: &str = "\x1b[0m";
const GRID: &str = "\x1b[0;48;5;179;38;5;94m";
const BLACK: &str = "\x1b[0;48;5;179;38;5;16m";
const WHITE: &str = "\x1b[0;48;5;179;38;5;231m";
const BLACK_NEWEST: &str = "\x1b[0;48;5;116;38;5;16m";
const WHITE_NEWEST: &str = "\x1b[0;48;5;66;38;5;231m";
const FORBIDDEN: &str = "\x1b[0;1;48;5;179;38;5;160m";
const LETTERS: &str = "\x1b[0;2m";

/// Columns of the row number and the blank behind it.
const MARGIN: usize = 3;
/// Columns between the board and the panel.
const GAP: usize = 3;

/// The board with its panel, one line feed behind each line.
pub(super) fn draw(
    position: &Position,
    forbidden: &Bitboard,
    notes: &[Note],
    look: Look,
) -> String {
    let size = position.size();
    let mut left: Vec<String> = (0..size.height())
        .rev()
        .map(|y| match look {
            Look::Plain => plain_row(position, forbidden, y),
            Look::Colour => colour_row(position, forbidden, y),
        })
        .collect();
    left.push(letters(size, look));
    let board_width = MARGIN + 2 * usize::from(size.width()) + 1;
    let panel = panel(notes, TEXT_WIDTH - board_width - GAP, look);
    let mut text = String::new();
    for index in 0..left.len().max(panel.len()) {
        let row = match left.get(index) {
            Some(row) => row.clone(),
            None => " ".repeat(board_width),
        };
        let note = panel.get(index).map_or("", String::as_str);
        let line = format!("{row}{}{note}", " ".repeat(GAP));
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// The points of a row from left to right.
fn points_of_row(size: Size, y: u8) -> impl Iterator<Item = Point> {
    (0..size.width()).filter_map(move |x| size.point(x, y))
}

fn newest(position: &Position) -> Option<Point> {
    position.last().map(|stone| stone.point)
}

fn plain_row(position: &Position, forbidden: &Bitboard, y: u8) -> String {
    let newest = newest(position);
    let mut text = format!("{:>2} ", y + 1);
    let mut closing = ' ';
    for point in points_of_row(position.size(), y) {
        let is_newest = newest == Some(point);
        text.push(if is_newest { '(' } else { closing });
        text.push(match position.cell(point) {
            Cell::Black => 'X',
            Cell::White => 'O',
            Cell::Wall => '#',
            Cell::Empty if forbidden.contains(point) => '!',
            Cell::Empty => '.',
        });
        closing = if is_newest { ')' } else { ' ' };
    }
    text.push(closing);
    text
}

fn colour_row(position: &Position, forbidden: &Bitboard, y: u8) -> String {
    let newest = newest(position);
    let mut text = format!("{LETTERS}{:>2} {GRID}", y + 1);
    for point in points_of_row(position.size(), y) {
        let is_newest = newest == Some(point);
        text.push_str(if point.x() == 0 { " " } else { "─" });
        let (style, glyph) = match position.cell(point) {
            Cell::Black if is_newest => (BLACK_NEWEST, '●'),
            Cell::Black => (BLACK, '●'),
            Cell::White if is_newest => (WHITE_NEWEST, '●'),
            Cell::White => (WHITE, '●'),
            Cell::Wall => (GRID, '#'),
            Cell::Empty if forbidden.contains(point) => (FORBIDDEN, '×'),
            Cell::Empty => (GRID, crossing(position.size(), point)),
        };
        if style == GRID {
            text.push(glyph);
        } else {
            let _ = write!(text, "{style}{glyph}{GRID}");
        }
    }
    text.push(' ');
    text.push_str(RESET);
    text
}

/// The lines that meet on a free point.
fn crossing(size: Size, point: Point) -> char {
    let top = point.y() + 1 == size.height();
    let bottom = point.y() == 0;
    let left = point.x() == 0;
    let right = point.x() + 1 == size.width();
    match (top, bottom, left, right) {
        (true, _, true, _) => '┌',
        (true, _, _, true) => '┐',
        (_, true, true, _) => '└',
        (_, true, _, true) => '┘',
        (true, ..) => '┬',
        (_, true, ..) => '┴',
        (_, _, true, _) => '├',
        (.., true) => '┤',
        _ => '┼',
    }
}

fn letters(size: Size, look: Look) -> String {
    let mut text = " ".repeat(MARGIN);
    for x in 0..size.width() {
        let _ = write!(text, " {}", char::from(b'a' + x));
    }
    text.push(' ');
    match look {
        Look::Plain => text,
        Look::Colour => format!("{LETTERS}{text}{RESET}"),
    }
}

fn panel(notes: &[Note], width: usize, look: Look) -> Vec<String> {
    let mut lines = Vec::new();
    for note in notes {
        match (note, look) {
            (Note::Text(text), _) => lines.extend(wrap(text, width)),
            (Note::Side(Colour::Black, text), Look::Plain) => lines.push(format!("X {text}")),
            (Note::Side(Colour::White, text), Look::Plain) => lines.push(format!("O {text}")),
            (Note::Forbidden(text), Look::Plain) => lines.push(format!("! {text}")),
            (Note::Side(Colour::Black, text), Look::Colour) => {
                lines.push(format!("{BLACK} ● {RESET} {text}"));
            }
            (Note::Side(Colour::White, text), Look::Colour) => {
                lines.push(format!("{WHITE} ● {RESET} {text}"));
            }
            (Note::Forbidden(text), Look::Colour) => {
                lines.push(format!("{FORBIDDEN} × {RESET} {text}"));
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::parse_moves;

    fn position(size: Size, moves: &str) -> Position {
        Position::from_moves(size, &parse_moves(moves).unwrap()).unwrap()
    }

    fn notes() -> Vec<Note> {
        vec![
            Note::Side(Colour::Black, "Black: you".to_owned()),
            Note::Text(String::new()),
            Note::Text("word ".repeat(40)),
        ]
    }

    /// The text without its escape sequences.
    fn without_escapes(text: &str) -> String {
        let mut rest = text;
        let mut plain = String::new();
        while let Some((before, escape)) = rest.split_once('\x1b') {
            plain.push_str(before);
            rest = escape.split_once('m').unwrap().1;
        }
        plain + rest
    }

    #[test]
    fn plain_board_marks_newest_stone_and_forbidden_points() {
        let position = position(Size::new(6, 5).unwrap(), "c3 a1 f5");
        let mut forbidden = Bitboard::EMPTY;
        forbidden.insert(Point::new(1, 1).unwrap());
        let expected = concat!(
            " 5  . . . . .(X)   X Black: you\n",
            " 4  . . . . . .\n",
            " 3  . . X . . .    word\n",
            " 2  . ! . . . .\n",
            " 1  O . . . . .\n",
            "    a b c d e f\n",
        );
        let notes = [
            Note::Side(Colour::Black, "Black: you".to_owned()),
            Note::Text(String::new()),
            Note::Text("word".to_owned()),
        ];
        assert_eq!(draw(&position, &forbidden, &notes, Look::Plain), expected);
    }

    #[test]
    fn coloured_board_shows_the_same_stones() {
        let position = position(Size::new(6, 5).unwrap(), "c3 a1 f5");
        let mut forbidden = Bitboard::EMPTY;
        forbidden.insert(Point::new(1, 1).unwrap());
        let text = draw(&position, &forbidden, &[], Look::Colour);
        let expected = concat!(
            " 5  ┌─┬─┬─┬─┬─● \n",
            " 4  ├─┼─┼─┼─┼─┤ \n",
            " 3  ├─┼─●─┼─┼─┤ \n",
            " 2  ├─×─┼─┼─┼─┤ \n",
            " 1  ●─┴─┴─┴─┴─┘ \n",
            "    a b c d e f \n",
        );
        assert_eq!(without_escapes(&text), expected);
        assert!(text.contains(&format!("{BLACK_NEWEST}●")));
        assert!(text.contains(&format!("{WHITE}●")));
    }

    #[test]
    fn every_board_fits_the_screen() {
        for (width, height) in [(5, 5), (22, 5), (5, 22), (22, 22)] {
            let position = position(Size::new(width, height).unwrap(), "c3 a1");
            for look in [Look::Plain, Look::Colour] {
                let text = draw(&position, &Bitboard::EMPTY, &notes(), look);
                for line in without_escapes(&text).lines() {
                    assert!(line.chars().count() <= TEXT_WIDTH, "{line}");
                }
                if height == 22 {
                    assert_eq!(text.lines().count(), 23);
                }
            }
        }
    }
}
