//! Reading SGF: the main line of every game in a file.
//!
//! Escapes, blanks between anything, lower-case letters inside property names
//! (old versions), set-up stones in the root and both ways to write results
//! are understood. Variations other than the first are passed over.

use super::{FileError, FileGame, FileMove, ToldResult, push_move, without_mark};
use crate::board::{Colour, Point, Size};
use crate::rules::Rule;

/// A property of a node.
struct Property {
    name: String,
    values: Vec<String>,
    line: usize,
}

/// Reads all games of an SGF file. `size` is that of a board without `SZ`.
///
/// # Errors
///
/// If the text is no SGF, a game is not Gomoku, or its stones cannot be.
pub fn read_sgf(text: &str, size: Size) -> Result<Vec<FileGame>, FileError> {
    let mut reader = Reader {
        rest: without_mark(text).chars().peekable(),
        line: 1,
    };
    let mut games = Vec::new();
    // Whatever stands before the first tree is not SGF and does not matter.
    while reader.skip_to_tree() {
        games.push(game_of(&reader.main_line()?, size)?);
    }
    if games.is_empty() {
        return Err(FileError::new(1, "no game tree such as '(;FF[4]GM[4]..)'"));
    }
    Ok(games)
}

struct Reader<'a> {
    rest: std::iter::Peekable<std::str::Chars<'a>>,
    line: usize,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<char> {
        let c = self.rest.next()?;
        self.line += usize::from(c == '\n');
        Some(c)
    }

    fn skip_blanks(&mut self) {
        while self.rest.next_if(|c| c.is_whitespace()).is_some_and(|c| {
            self.line += usize::from(c == '\n');
            true
        }) {}
    }

    /// Goes behind the next `(` that a `;` follows.
    fn skip_to_tree(&mut self) -> bool {
        while let Some(c) = self.next() {
            if c == '(' {
                self.skip_blanks();
                if self.rest.peek() == Some(&';') {
                    return true;
                }
            }
        }
        false
    }

    /// All properties of the first way through a tree whose `(` is behind us,
    /// and goes behind its end.
    fn main_line(&mut self) -> Result<Vec<Property>, FileError> {
        let mut properties = Vec::new();
        let mut depth = 1;
        // After the first variation has ended nothing belongs to the main line.
        let mut ended = false;
        while depth > 0 {
            self.skip_blanks();
            let line = self.line;
            match self.rest.peek() {
                None => return Err(FileError::new(line, "the game does not end")),
                Some('(') => {
                    depth += 1;
                    self.next();
                }
                Some(')') => {
                    depth -= 1;
                    ended = true;
                    self.next();
                }
                Some(';') => {
                    self.next();
                }
                Some(c) if c.is_ascii_alphabetic() => {
                    let property = self.property()?;
                    if !ended {
                        properties.push(property);
                    }
                }
                Some(c) => {
                    let problem = format!("'{}' is out of place", c.escape_default());
                    return Err(FileError::new(line, problem));
                }
            }
        }
        Ok(properties)
    }

    fn property(&mut self) -> Result<Property, FileError> {
        let line = self.line;
        let mut name = String::new();
        while let Some(c) = self.rest.next_if(char::is_ascii_alphabetic) {
            if c.is_ascii_uppercase() {
                name.push(c);
            }
        }
        let mut values = Vec::new();
        loop {
            self.skip_blanks();
            if self.rest.peek() != Some(&'[') {
                break;
            }
            self.next();
            values.push(self.value()?);
        }
        if values.is_empty() {
            return Err(FileError::new(line, format!("{name} has no value")));
        }
        Ok(Property { name, values, line })
    }

    /// A value up to its `]`, with escapes taken out.
    fn value(&mut self) -> Result<String, FileError> {
        let line = self.line;
        let mut value = String::new();
        loop {
            match self.next() {
                None => return Err(FileError::new(line, "a value does not end")),
                Some(']') => return Ok(value),
                Some('\\') => match self.next() {
                    // An escaped line break joins two lines.
                    Some('\n') | None => {}
                    Some(c) => value.push(c),
                },
                Some(c) => value.push(c),
            }
        }
    }
}

fn game_of(properties: &[Property], default_size: Size) -> Result<FileGame, FileError> {
    let first = |name: &str| {
        let property = properties.iter().find(|property| property.name == name)?;
        Some((property.values.first()?.trim(), property.line))
    };
    let text = |name: &str| first(name).map_or("", |(value, _)| value).to_owned();
    if let Some((game, line)) = first("GM").filter(|(game, _)| *game != "4") {
        return Err(FileError::new(line, format!("game {game} is not Gomoku")));
    }
    let size = match first("SZ") {
        None => Some(default_size),
        Some((value, _)) => parse_size(value),
    };
    let size = size.ok_or_else(|| {
        let line = first("SZ").map_or(1, |(_, line)| line);
        FileError::new(
            line,
            format!("no board such as {}: sides are 5 to 22", text("SZ")),
        )
    })?;
    Ok(FileGame {
        size,
        tells_size: first("SZ").is_some(),
        rule: parse_rule(&text("RU")),
        black_name: text("PB"),
        white_name: text("PW"),
        moves: moves_of(properties, size)?,
        result: parse_result(&text("RE")),
    })
}

fn parse_size(value: &str) -> Option<Size> {
    let (width, height) = value.split_once(':').unwrap_or((value, value));
    Size::new(width.trim().parse().ok()?, height.trim().parse().ok()?)
}

fn parse_rule(value: &str) -> Option<Rule> {
    value.trim().to_ascii_lowercase().parse().ok()
}

fn parse_result(value: &str) -> Option<ToldResult> {
    let value = value.trim();
    if value == "0" || value.eq_ignore_ascii_case("draw") {
        return Some(ToldResult::Draw);
    }
    match value.split_once('+')?.0.trim() {
        "B" | "b" => Some(ToldResult::Won(Colour::Black)),
        "W" | "w" => Some(ToldResult::Won(Colour::White)),
        _ => None,
    }
}

/// Set-up stones, taken in turn, then the moves.
fn moves_of(properties: &[Property], size: Size) -> Result<Vec<FileMove>, FileError> {
    let mut moves: Vec<FileMove> = Vec::new();
    let mut set_up: [Vec<(Point, usize)>; 2] = [Vec::new(), Vec::new()];
    for property in properties {
        let colour = match property.name.as_str() {
            "AB" => Colour::Black,
            "AW" => Colour::White,
            _ => continue,
        };
        for value in &property.values {
            let point = parse_point(value, size, property.line)?;
            set_up[colour.index()].push((point, property.line));
        }
    }
    let [black, white] = set_up;
    if !(black.len() == white.len() || black.len() == white.len() + 1) {
        let line = black.first().or(white.first()).map_or(1, |(_, line)| *line);
        let problem = "set-up stones that cannot have been put in turn";
        return Err(FileError::new(line, problem));
    }
    for index in 0..black.len() {
        for (point, line) in [black.get(index), white.get(index)].into_iter().flatten() {
            let given = FileMove {
                opening: true,
                ..FileMove::at(*point, *line)
            };
            push_move(&mut moves, given, &point.to_string())?;
        }
    }
    for property in properties {
        let black_to_move = moves.len().is_multiple_of(2);
        match property.name.as_str() {
            "C" => {
                if let (Some(entry), Some(comment)) = (moves.last_mut(), property.values.first()) {
                    read_comment(comment, entry);
                }
            }
            "B" | "W" if (property.name == "B") != black_to_move => {
                let number = moves.len() + 1;
                let problem = format!("move {number} is made by the wrong side");
                return Err(FileError::new(property.line, problem));
            }
            "B" | "W" => {
                let value = property.values.first().map_or("", String::as_str);
                let point = parse_point(value, size, property.line)
                    .map_err(|error| error.at_move(moves.len() + 1))?;
                push_move(
                    &mut moves,
                    FileMove::at(point, property.line),
                    &point.to_string(),
                )?;
            }
            _ => {}
        }
    }
    Ok(moves)
}

/// Two letters, column and row; in old files a letter and a number.
fn parse_point(value: &str, size: Size, line: usize) -> Result<Point, FileError> {
    let value = value.trim();
    let letters = || {
        let [x, y] = value.as_bytes() else {
            return None;
        };
        let index = |letter: &u8| letter.to_ascii_lowercase().checked_sub(b'a');
        size.point(index(x)?, index(y)?)
    };
    let named = || value.parse().ok().filter(|&point| size.contains(point));
    letters()
        .or_else(named)
        .ok_or_else(|| FileError::new(line, format!("'{value}' is no point of the {size} board")))
}

/// The figures that our own writer puts into the first line of a comment.
fn read_comment(comment: &str, entry: &mut FileMove) {
    for part in comment.lines().next().unwrap_or("").split(", ") {
        let (name, value) = part.split_once(' ').unwrap_or((part, ""));
        match name {
            "opening" => entry.opening = true,
            "time" => {
                let number = value.trim_end_matches(" ms").parse();
                entry.time_ms = number.unwrap_or(entry.time_ms);
            }
            "score" => entry.score = value.parse().ok(),
            "depth" => entry.depth = value.parse().ok(),
            "nodes" => entry.nodes = value.parse().ok(),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<FileGame>, String> {
        let size = Size::square(15).unwrap();
        read_sgf(text, size).map_err(|error| error.to_string())
    }

    #[test]
    fn size_and_rule_are_the_files_if_it_tells_them() {
        let games = read("(;GM[4]SZ[20]RU[Renju];B[tt])(;GM[4];B[aa])").unwrap();
        let [told, untold] = &games[..] else {
            panic!("{} games", games.len());
        };
        assert_eq!(told.size.to_string(), "20x20");
        assert_eq!((told.tells_size, told.rule), (true, Some(Rule::Renju)));
        assert_eq!(untold.size.to_string(), "15x15");
        assert_eq!((untold.tells_size, untold.rule), (false, None));
    }

    #[test]
    fn errors_name_line_and_move() {
        for (text, expected) in [
            (
                "(;GM[4]SZ[9]\n;B[ee]\n;W[jj])",
                "line 3: 'jj' is no point of the 9x9 board (move 2)",
            ),
            (
                "(;GM[4]\n;B[ee];W[ef]\n;B[ee])",
                "line 3: e5 is taken by move 1 (move 3)",
            ),
            (
                "(;GM[4]SZ[4])",
                "line 1: no board such as 4: sides are 5 to 22",
            ),
            (
                "(;GM[4];B[aa]\n;B[bb])",
                "line 2: move 2 is made by the wrong side",
            ),
        ] {
            assert_eq!(read(text).unwrap_err(), expected);
        }
    }
}
