//! Reading SGF: the main line of every game in a file.
//!
//! Escapes, blanks between anything, lower-case letters inside property names
//! (old versions), set-up stones in the root and both ways to write results
//! are understood. Variations other than the first are passed over.

use super::import::{ImportError, ImportedGame, ImportedMove};
use crate::record::Outcome;
use yonsan::board::{Colour, Point, Size};
use yonsan::rules::Rule;

/// Side of a board without `SZ`.
const DEFAULT_SIDE: u8 = 15;

/// A property of a node.
struct Property {
    name: String,
    values: Vec<String>,
    line: usize,
}

/// Reads all games of an SGF file.
///
/// # Errors
///
/// If the text is no SGF, a game is not Gomoku, or its stones cannot be.
pub fn read_sgf(text: &str) -> Result<Vec<ImportedGame>, ImportError> {
    let mut reader = Reader {
        rest: text.trim_start_matches('\u{feff}').chars().peekable(),
        line: 1,
    };
    let mut games = Vec::new();
    // Whatever stands before the first tree is not SGF and does not matter.
    while reader.skip_to_tree() {
        games.push(game_of(&reader.main_line()?)?);
    }
    if games.is_empty() {
        return Err(ImportError::new(
            1,
            "no game tree such as '(;FF[4]GM[4]..)'",
        ));
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
    fn main_line(&mut self) -> Result<Vec<Property>, ImportError> {
        let mut properties = Vec::new();
        let mut depth = 1;
        // After the first variation has ended nothing belongs to the main line.
        let mut ended = false;
        while depth > 0 {
            self.skip_blanks();
            let line = self.line;
            match self.rest.peek() {
                None => return Err(ImportError::new(line, "the game does not end")),
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
                    return Err(ImportError::new(line, problem));
                }
            }
        }
        Ok(properties)
    }

    fn property(&mut self) -> Result<Property, ImportError> {
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
            return Err(ImportError::new(line, format!("{name} has no value")));
        }
        Ok(Property { name, values, line })
    }

    /// A value up to its `]`, with escapes taken out.
    fn value(&mut self) -> Result<String, ImportError> {
        let line = self.line;
        let mut value = String::new();
        loop {
            match self.next() {
                None => return Err(ImportError::new(line, "a value does not end")),
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

fn game_of(properties: &[Property]) -> Result<ImportedGame, ImportError> {
    let first = |name: &str| {
        let property = properties.iter().find(|property| property.name == name)?;
        Some((property.values.first()?.trim(), property.line))
    };
    let text = |name: &str| first(name).map_or("", |(value, _)| value).to_owned();
    if let Some((game, line)) = first("GM").filter(|(game, _)| *game != "4") {
        return Err(ImportError::new(line, format!("game {game} is not Gomoku")));
    }
    let size = match first("SZ") {
        None => Size::square(DEFAULT_SIDE),
        Some((value, _)) => parse_size(value),
    };
    let size = size.ok_or_else(|| {
        let line = first("SZ").map_or(1, |(_, line)| line);
        ImportError::new(
            line,
            format!("no board such as {}: sides are 5 to 22", text("SZ")),
        )
    })?;
    Ok(ImportedGame {
        size,
        rule: parse_rule(&text("RU")),
        black_name: text("PB"),
        white_name: text("PW"),
        moves: moves_of(properties, size)?,
        outcome: parse_result(&text("RE")),
    })
}

fn parse_size(value: &str) -> Option<Size> {
    let (width, height) = value.split_once(':').unwrap_or((value, value));
    Size::new(width.trim().parse().ok()?, height.trim().parse().ok()?)
}

fn parse_rule(value: &str) -> Option<Rule> {
    value.trim().to_ascii_lowercase().parse().ok()
}

fn parse_result(value: &str) -> Option<Outcome> {
    let value = value.trim();
    if value == "0" || value.eq_ignore_ascii_case("draw") {
        return Some(Outcome::Draw);
    }
    match value.split_once('+')?.0.trim() {
        "B" | "b" => Some(Outcome::Black),
        "W" | "w" => Some(Outcome::White),
        _ => None,
    }
}

/// Set-up stones, taken in turn, then the moves.
fn moves_of(properties: &[Property], size: Size) -> Result<Vec<ImportedMove>, ImportError> {
    let mut moves: Vec<ImportedMove> = Vec::new();
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
        return Err(ImportError::new(line, problem));
    }
    for index in 0..black.len() {
        for (point, line) in [black.get(index), white.get(index)].into_iter().flatten() {
            let given = ImportedMove {
                opening: true,
                ..ImportedMove::at(*point)
            };
            push_move(&mut moves, given, *line)?;
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
                let ply = moves.len() + 1;
                let problem = format!("move {ply} is made by the wrong side");
                return Err(ImportError::new(property.line, problem));
            }
            "B" | "W" => {
                let value = property.values.first().map_or("", String::as_str);
                let point = parse_point(value, size, property.line)?;
                push_move(&mut moves, ImportedMove::at(point), property.line)?;
            }
            _ => {}
        }
    }
    Ok(moves)
}

fn push_move(
    moves: &mut Vec<ImportedMove>,
    entry: ImportedMove,
    line: usize,
) -> Result<(), ImportError> {
    if moves.iter().any(|other| other.point == entry.point) {
        return Err(ImportError::new(line, format!("{} is taken", entry.point)));
    }
    moves.push(entry);
    Ok(())
}

/// Two letters, column and row; in old files a letter and a number.
fn parse_point(value: &str, size: Size, line: usize) -> Result<Point, ImportError> {
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
        .ok_or_else(|| ImportError::new(line, format!("'{value}' is no point of the board")))
}

/// The figures that our own writer puts into the first line of a comment.
fn read_comment(comment: &str, entry: &mut ImportedMove) {
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
