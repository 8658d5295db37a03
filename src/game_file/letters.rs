//! Moves in letters: `h8i9`, `h8 i9`, `1. h8 2. i9`, on as many lines as one
//! likes; what stands behind a `#` is a remark.

use super::{FileError, FileGame, FileMove, push_move, without_mark};
use crate::board::{Size, take_point};

/// Characters of a bad text that an error shows.
const SHOWN: usize = 12;

/// Reads moves in letters on a board of this size. Numbers of moves, `12.`,
/// are passed over, and so are blanks, commas and semicolons.
///
/// # Errors
///
/// If there is no move at all, or something is no free point of the board.
pub fn read_letters(text: &str, size: Size) -> Result<FileGame, FileError> {
    let mut moves = Vec::new();
    for (number, line) in (1..).zip(without_mark(text).lines()) {
        let line = line.split('#').next().unwrap_or_default();
        read_line(line, number, size, &mut moves)?;
    }
    if moves.is_empty() {
        return Err(FileError::new(1, "no moves such as h8i9"));
    }
    Ok(FileGame {
        size,
        tells_size: false,
        rule: None,
        black_name: String::new(),
        white_name: String::new(),
        moves,
        result: None,
    })
}

fn read_line(
    line: &str,
    number: usize,
    size: Size,
    moves: &mut Vec<FileMove>,
) -> Result<(), FileError> {
    let is_blank = |c: char| c.is_whitespace() || c == ',' || c == ';';
    let mut rest = line;
    loop {
        rest = without_number(rest.trim_start_matches(is_blank)).trim_start_matches(is_blank);
        if rest.is_empty() {
            return Ok(());
        }
        let place = |error: FileError| FileError {
            column: Some(1 + line[..line.len() - rest.len()].chars().count()),
            ..error.at_move(moves.len() + 1)
        };
        let Some((point, tail)) = take_point(rest) else {
            let word = rest.split(is_blank).next().unwrap_or_default();
            let word: String = word.chars().take(SHOWN).collect();
            let problem = format!("'{}' is no point such as h8", word.escape_debug());
            return Err(place(FileError::new(number, problem)));
        };
        if !size.contains(point) {
            let problem = format!("{point} is outside the {size} board");
            return Err(place(FileError::new(number, problem)));
        }
        let place = place(FileError::new(number, ""));
        let entry = FileMove::at(point, number);
        push_move(moves, entry, &point.to_string()).map_err(|error| FileError {
            column: place.column,
            ..error
        })?;
        rest = tail;
    }
}

/// A text without the `12.` in front of a move.
fn without_number(text: &str) -> &str {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.len() == text.len() {
        return text;
    }
    match rest.strip_prefix('.') {
        Some(rest) => rest.trim_start_matches('.'),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<String, String> {
        let size = Size::square(15).unwrap();
        let game = read_letters(text, size).map_err(|error| error.to_string())?;
        Ok(game.moves.iter().map(|m| m.point.to_string()).collect())
    }

    #[test]
    fn letters_are_read_however_they_are_parted() {
        for text in [
            "h8i9j10",
            "h8 i9, J10",
            "1. h8 i9\r\n2. j10\n",
            "1.h8 2.i9 3...j10",
            "# a game\nh8;i9 # good\n\nj10",
            "\u{feff}H8I9J10",
        ] {
            assert_eq!(read(text).as_deref(), Ok("h8i9j10"), "{text}");
        }
        let size = Size::square(15).unwrap();
        let game = read_letters("h8\n\ni9", size).unwrap();
        assert_eq!((game.moves[1].line, game.tells_size), (3, false));
    }

    #[test]
    fn bad_letters_are_refused_with_their_place() {
        for (text, expected) in [
            ("", "line 1: no moves such as h8i9"),
            ("# nothing\n", "line 1: no moves such as h8i9"),
            (
                "h8 i9\n j10 foo",
                "line 2, column 6: 'foo' is no point such as h8 (move 4)",
            ),
            (
                "h8i9z1",
                "line 1, column 5: 'z1' is no point such as h8 (move 3)",
            ),
            (
                "12",
                "line 1, column 1: '12' is no point such as h8 (move 1)",
            ),
            (
                "é8",
                "line 1, column 1: 'é8' is no point such as h8 (move 1)",
            ),
            (
                "h8 p1",
                "line 1, column 4: p1 is outside the 15x15 board (move 2)",
            ),
            (
                "h8 i9\nh8",
                "line 2, column 1: h8 is taken by move 1 (move 3)",
            ),
        ] {
            assert_eq!(read(text).unwrap_err(), expected);
        }
    }
}
