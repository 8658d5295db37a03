//! Files of openings, one a line, Black first: in letters (`h8h7i9`) or as
//! offsets from the centre (`0,0, 0,-1, 1,1`). Blank lines and everything
//! behind `#` or `;` are passed over. Every opening is checked against rule
//! and size when the file is read, so that a bad one is an error with its
//! place, and not a lost game.

use std::fmt;
use std::path::{Path, PathBuf};
use yonsan::board::{Point, Size};
use yonsan::rules::{Game, GameResult, Rule};

/// An opening and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Stones in order, Black first.
    pub moves: Vec<Point>,
    /// Line in the file, from 1.
    pub line: usize,
}

/// What is wrong with an opening file, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningError {
    /// Name of the file.
    pub file: PathBuf,
    /// Line from 1; 0 if it is the whole file.
    pub line: usize,
    /// Column from 1, in characters; 0 if it is the whole line.
    pub column: usize,
    /// What is wrong.
    pub problem: String,
}

impl fmt::Display for OpeningError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        for place in [self.line, self.column] {
            if place > 0 {
                write!(f, ":{place}")?;
            }
        }
        write!(f, ": {}", self.problem)
    }
}

impl std::error::Error for OpeningError {}

/// A problem at a byte of a line.
struct Problem {
    at: usize,
    text: String,
}

/// Reads a file of openings.
///
/// # Errors
///
/// If the file cannot be read, holds no opening, or the first line that is no
/// opening under this rule and size.
pub fn read(path: &Path, rule: Rule, size: Size) -> Result<Vec<Opening>, OpeningError> {
    let whole_file = |problem: String| OpeningError {
        file: path.to_owned(),
        line: 0,
        column: 0,
        problem,
    };
    let bytes = std::fs::read(path).map_err(|error| whole_file(error.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|_| whole_file("not a text file".to_owned()))?;
    let openings = parse(&text, rule, size).map_err(|error| OpeningError {
        file: path.to_owned(),
        ..error
    })?;
    if openings.is_empty() {
        return Err(whole_file("no opening in it".to_owned()));
    }
    Ok(openings)
}

/// Reads the text of a file; errors have an empty file name.
///
/// # Errors
///
/// The first line that is no opening under this rule and size.
pub fn parse(text: &str, rule: Rule, size: Size) -> Result<Vec<Opening>, OpeningError> {
    const BYTE_ORDER_MARK: char = '\u{feff}';
    let mut openings = Vec::new();
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    for (index, whole) in text.lines().enumerate() {
        let line = whole.split(['#', ';']).next().unwrap_or("");
        if line.trim().is_empty() {
            continue;
        }
        let moves = parse_line(line, rule, size).map_err(|problem| OpeningError {
            file: PathBuf::new(),
            line: index + 1,
            column: line[..problem.at].chars().count() + 1,
            problem: problem.text,
        })?;
        openings.push(Opening {
            moves,
            line: index + 1,
        });
    }
    Ok(openings)
}

fn parse_line(line: &str, rule: Rule, size: Size) -> Result<Vec<Point>, Problem> {
    let is_letters = line.trim_start().starts_with(|c: char| c.is_alphabetic());
    let moves = if is_letters {
        parse_letters(line, size)?
    } else {
        parse_offsets(line, size)?
    };
    let mut game = Game::new(rule, size);
    for &(at, point) in &moves {
        let problem = |text| Problem { at, text };
        match game.play(point) {
            Ok(GameResult::Ongoing) => {}
            Ok(_) => return Err(problem(format!("{point} ends the game"))),
            Err(error) => return Err(problem(error.to_string())),
        }
    }
    Ok(moves.into_iter().map(|(_, point)| point).collect())
}

/// Tokens of a line with the byte where each begins.
fn tokens(line: &str, is_gap: impl Fn(char) -> bool) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    line.split(is_gap).filter_map(move |token| {
        let start = at;
        // Every gap is one character of one byte: blanks and commas.
        at += token.len() + 1;
        (!token.is_empty()).then_some((start, token))
    })
}

fn parse_letters(line: &str, size: Size) -> Result<Vec<(usize, Point)>, Problem> {
    let mut moves = Vec::new();
    for (start, token) in tokens(line, |c| c.is_ascii_whitespace() || c == ',') {
        let mut begin = 0;
        while begin < token.len() {
            let rest = &token[begin..];
            let length = rest
                .char_indices()
                .skip(1)
                .find(|(_, c)| !c.is_ascii_digit())
                .map_or(rest.len(), |(index, _)| index);
            let (text, at) = (&rest[..length], start + begin);
            let point: Point = text.parse().map_err(|_| Problem {
                at,
                text: format!("'{text}' is no point such as h8"),
            })?;
            if !size.contains(point) {
                let text = format!("{point} is outside the {size} board");
                return Err(Problem { at, text });
            }
            moves.push((at, point));
            begin += length;
        }
    }
    Ok(moves)
}

fn parse_offsets(line: &str, size: Size) -> Result<Vec<(usize, Point)>, Problem> {
    let mut numbers = Vec::new();
    for (at, token) in tokens(line, |c| c.is_ascii_whitespace() || c == ',') {
        let number: i32 = token.parse().map_err(|_| Problem {
            at,
            text: format!("'{token}' is no number"),
        })?;
        numbers.push((at, number));
    }
    let centre = size.centre();
    let mut moves = Vec::new();
    for pair in numbers.chunks(2) {
        let &[(at, x), (_, y)] = pair else {
            let at = pair[0].0;
            let text = "an x without a y".to_owned();
            return Err(Problem { at, text });
        };
        let on_board = |offset: i32, from: u8| u8::try_from(offset + i32::from(from)).ok();
        let point = on_board(x, centre.x())
            .zip(on_board(y, centre.y()))
            .and_then(|(x, y)| size.point(x, y));
        let point = point.ok_or_else(|| Problem {
            at,
            text: format!("{x},{y} from the centre is outside the {size} board"),
        })?;
        moves.push((at, point));
    }
    Ok(moves)
}

#[cfg(test)]
mod tests {
    use super::*;
    use yonsan::board::format_moves;

    fn parse_15(text: &str) -> Result<Vec<Opening>, OpeningError> {
        parse(text, Rule::Freestyle, Size::square(15).unwrap())
    }

    #[test]
    fn both_forms_comments_and_windows_lines() {
        let text =
            "\u{feff}# balanced\r\n\r\nh8h7i9\r\n  0,0, 0,-1, 1,1  ; same\r\n H8 h7, i9 # \r\n";
        let openings = parse_15(text).unwrap();
        let lines: Vec<usize> = openings.iter().map(|o| o.line).collect();
        assert_eq!(lines, [3, 4, 5]);
        for opening in openings {
            assert_eq!(format_moves(&opening.moves), "h8h7i9");
        }
    }

    #[test]
    fn centre_of_even_boards_is_rounded_down() {
        let openings = parse("-10,-10 9,9", Rule::Freestyle, Size::square(20).unwrap()).unwrap();
        assert_eq!(format_moves(&openings[0].moves), "a1t20");
    }

    #[test]
    fn problems_have_their_place() {
        let cases = [
            ("h8\nh8h7q9", 2, 5, "q9 is outside"),
            ("h8h7h8", 1, 5, "h8 is taken"),
            ("h8 h", 1, 4, "'h' is no point"),
            ("h8é7", 1, 3, "'é7' is no point"),
            ("\n\n0,0, 1", 3, 6, "an x without a y"),
            ("0,0, 8,0", 1, 6, "8,0 from the centre is outside"),
            ("0,0, x,1", 1, 6, "'x' is no number"),
            ("0,0, 1.5,1", 1, 6, "'1.5' is no number"),
            ("99999999999,1", 1, 1, "is no number"),
        ];
        for (text, line, column, problem) in cases {
            let error = parse_15(text).unwrap_err();
            assert_eq!(
                (error.line, error.column),
                (line, column),
                "{text}: {error}"
            );
            assert!(error.problem.contains(problem), "{text}: {error}");
        }
    }

    #[test]
    fn openings_that_end_the_game_are_refused() {
        let error = parse_15("h8a1h9b1h10c1h11d1h12").unwrap_err();
        assert_eq!(error.problem, "h12 ends the game");
        assert_eq!(error.column, 19);
    }

    #[test]
    fn the_file_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("my openings.txt");
        let size = Size::square(15).unwrap();
        let missing = read(&path, Rule::Freestyle, size).unwrap_err();
        assert_eq!(missing.line, 0);
        std::fs::write(&path, "# nothing\n").unwrap();
        let empty = read(&path, Rule::Freestyle, size).unwrap_err().to_string();
        assert!(
            empty.ends_with("my openings.txt: no opening in it"),
            "{empty}"
        );
        std::fs::write(&path, "h8 i\n").unwrap();
        let bad = read(&path, Rule::Freestyle, size).unwrap_err().to_string();
        assert!(
            bad.contains("my openings.txt:1:4: 'i' is no point"),
            "{bad}"
        );
    }
}
