//! Layer 2: games that other programs wrote. Reads PSQ of Piskvork, SGF, and
//! moves in letters.
//!
//! A reader takes what a file tells and checks what can be checked without a
//! rule: size, points, whose turn it is. Whether the game could go on after
//! each move is asked of [`crate::rules::Game`]. Points are the protocol's,
//! column and row from 0 without any turning: SGF `hg` and PSQ `8,7` are `h7`.
//! May import `board` and `rules` only.

mod letters;
mod psq;
mod sgf;

pub use letters::read_letters;
pub use psq::{PSQ_HEADER, read_psq};
pub use sgf::read_sgf;

use crate::board::{Colour, Point, Size};
use crate::rules::{Game, GameResult, MoveError, Rule, WinReason};
use std::fmt;

/// Size of a board of which nobody tells how large it is.
pub const DEFAULT_SIZE: Size = match Size::square(15) {
    Some(size) => size,
    None => panic!("a board can have this size"),
};

/// A kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// A game of Piskvork.
    Psq,
    /// Games in SGF.
    Sgf,
    /// Moves such as `h8i9`, and nothing else.
    Letters,
}

impl FileFormat {
    /// What a text looks like: PSQ begins with the name of its program, SGF
    /// has a game tree, anything else should be moves.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let text = without_mark(text).trim_start();
        if text.starts_with(PSQ_HEADER.trim_end()) {
            return Self::Psq;
        }
        let mut trees = text.match_indices('(');
        let is_tree = trees.any(|(at, _)| text[at + 1..].trim_start().starts_with(';'));
        if is_tree { Self::Sgf } else { Self::Letters }
    }
}

/// A move of such a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileMove {
    /// Where.
    pub point: Point,
    /// Line of the file, from 1.
    pub line: usize,
    /// Whether the file marks it as given: a stone of the opening.
    pub opening: bool,
    /// Thinking time in milliseconds; 0 if not told.
    pub time_ms: u64,
    /// Score for the mover, if told.
    pub score: Option<i32>,
    /// Depth, if told.
    pub depth: Option<u32>,
    /// Nodes, if told.
    pub nodes: Option<u64>,
}

impl FileMove {
    /// A move of which nothing but its place is known.
    const fn at(point: Point, line: usize) -> Self {
        Self {
            point,
            line,
            opening: false,
            time_ms: 0,
            score: None,
            depth: None,
            nodes: None,
        }
    }
}

/// How a file says that its game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToldResult {
    /// The side won.
    Won(Colour),
    /// Nobody won.
    Draw,
}

/// A game as a file tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileGame {
    /// Size of the board.
    pub size: Size,
    /// Whether the file tells the size; otherwise it is the reader's choice.
    pub tells_size: bool,
    /// Rule, if the file names one.
    pub rule: Option<Rule>,
    /// Name of Black; empty if not told.
    pub black_name: String,
    /// Name of White; empty if not told.
    pub white_name: String,
    /// Moves, Black first.
    pub moves: Vec<FileMove>,
    /// Result, if the file tells one.
    pub result: Option<ToldResult>,
}

impl FileGame {
    /// The game played out under a rule.
    ///
    /// # Errors
    ///
    /// If a move cannot be made: most often because the game was over before,
    /// under this rule.
    pub fn play(&self, rule: Rule) -> Result<Game, FileError> {
        let mut game = Game::new(rule, self.size);
        for (number, entry) in (1..).zip(&self.moves) {
            game.play(entry.point).map_err(|error| {
                let problem = match error {
                    MoveError::Over => after_the_end(&game, entry.point),
                    _ => error.to_string(),
                };
                FileError::new(entry.line, problem).at_move(number)
            })?;
        }
        Ok(game)
    }
}

/// Says why a move cannot follow on a game that is over.
fn after_the_end(game: &Game, point: Point) -> String {
    let stones = game.position().stones();
    let last = stones.last().map(|stone| stone.point.to_string());
    let end = format!("move {}, {},", stones.len(), last.unwrap_or_default());
    let rule = game.rule();
    let reason = match game.result() {
        GameResult::Won(colour, WinReason::Five) => {
            format!("{end} won for {colour} under the rule {rule}")
        }
        GameResult::Won(_, WinReason::Foul(foul)) => {
            format!("{end} was a foul under the rule {rule}, {foul}")
        }
        GameResult::Draw | GameResult::Ongoing => "the board was full".to_owned(),
    };
    format!("{point} comes after the end of the game: {reason}")
}

/// Why a text is no game, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1, where that helps to find the place.
    pub column: Option<usize>,
    /// Number of the move, from 1, if a move is what is wrong.
    pub number: Option<usize>,
    /// What is wrong.
    pub problem: String,
}

impl FileError {
    fn new(line: usize, problem: impl Into<String>) -> Self {
        Self {
            line,
            column: None,
            number: None,
            problem: problem.into(),
        }
    }

    fn at_move(self, number: usize) -> Self {
        Self {
            number: Some(number),
            ..self
        }
    }
}

/// `line 3, column 7: 'z9' is no point such as h8 (move 5)`.
impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}", self.line)?;
        if let Some(column) = self.column {
            write!(f, ", column {column}")?;
        }
        write!(f, ": {}", self.problem)?;
        match self.number {
            Some(number) => write!(f, " (move {number})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for FileError {}

/// Reads all games of a text in any of the formats. `size` is the size of the
/// board where the text tells none.
///
/// # Errors
///
/// If the text is no game of the format that it looks like.
///
/// # Examples
///
/// ```
/// use yonsan::game_file::{DEFAULT_SIZE, read_games};
///
/// let text = "Piskvorky 20x20, 11:11, 0\n8,8,0\n9,9,140\n";
/// let games = read_games(text, DEFAULT_SIZE).unwrap();
/// assert_eq!(games[0].size.to_string(), "20x20");
/// assert_eq!(games[0].moves[1].point.to_string(), "i9");
/// let error = read_games("h8 i9 z4", DEFAULT_SIZE).unwrap_err();
/// assert_eq!(error.to_string(), "line 1, column 7: 'z4' is no point such as h8 (move 3)");
/// ```
pub fn read_games(text: &str, size: Size) -> Result<Vec<FileGame>, FileError> {
    match FileFormat::of(text) {
        FileFormat::Psq => Ok(vec![read_psq(text)?]),
        FileFormat::Sgf => read_sgf(text, size),
        FileFormat::Letters => Ok(vec![read_letters(text, size)?]),
    }
}

/// A text without the mark that some editors put in front of UTF-8.
fn without_mark(text: &str) -> &str {
    text.trim_start_matches('\u{feff}')
}

/// Adds a move, which the file calls `name`, unless its point is taken.
fn push_move(moves: &mut Vec<FileMove>, entry: FileMove, name: &str) -> Result<(), FileError> {
    if let Some(earlier) = moves.iter().position(|other| other.point == entry.point) {
        let problem = format!("{name} is taken by move {}", earlier + 1);
        return Err(FileError::new(entry.line, problem).at_move(moves.len() + 1));
    }
    moves.push(entry);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_told_apart() {
        for (text, format) in [
            ("Piskvorky 15x15, 11:11, 0", FileFormat::Psq),
            ("\u{feff}\r\nPiskvorky", FileFormat::Psq),
            ("(;GM[4])", FileFormat::Sgf),
            ("mail (from me) ( ;GM[4])", FileFormat::Sgf),
            ("h8i9", FileFormat::Letters),
            ("h8 (i9)", FileFormat::Letters),
            ("", FileFormat::Letters),
        ] {
            assert_eq!(FileFormat::of(text), format, "{text}");
        }
    }

    #[test]
    fn no_move_follows_the_end() {
        let text = "h8 a1 h9 b1 h10 c1 h11 d1\nh12 e1";
        let game = &read_games(text, DEFAULT_SIZE).unwrap()[0];
        let error = game.play(Rule::Freestyle).unwrap_err();
        assert_eq!(
            error.to_string(),
            "line 2: e1 comes after the end of the game: move 9, h12, won for Black under the \
             rule freestyle (move 10)"
        );
        let text = "h8g6f6g5f7g4h7g3g2a1g7a2";
        let game = &read_games(text, DEFAULT_SIZE).unwrap()[0];
        assert_eq!(
            game.play(Rule::Renju).unwrap_err().to_string(),
            "line 1: a2 comes after the end of the game: move 11, g7, was a foul under the rule \
             renju, double three (move 12)"
        );
        assert!(game.play(Rule::Freestyle).is_ok());
    }
}
