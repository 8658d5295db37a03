//! A line the player typed, read.

use crate::board::{Point, parse_moves};
use std::fmt;

/// What the player wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// Put a stone.
    Move(Point),
    /// Take back the player's newest move and the answer to it.
    Undo,
    /// Ask the engine for a move.
    Hint,
    /// Change sides with the engine.
    Swap,
    /// Begin again.
    New,
    /// Give up.
    Resign,
    /// Show the board.
    Board,
    /// Show the moves as one text.
    Moves,
    /// Explain the commands.
    Help,
    /// Leave.
    Quit,
    /// Nothing was typed.
    Nothing,
}

/// Neither a move nor a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CommandError(String);

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "'{}' is neither a move such as h8 nor a command; type help.",
            self.0
        )
    }
}

/// Reads a line; letter case and blanks around it do not matter.
pub(super) fn parse(line: &str) -> Result<Command, CommandError> {
    const SHOWN: usize = 20;
    let word = line.trim().to_ascii_lowercase();
    Ok(match word.as_str() {
        "" => Command::Nothing,
        "undo" | "u" => Command::Undo,
        "hint" => Command::Hint,
        "swap" => Command::Swap,
        "new" => Command::New,
        "resign" => Command::Resign,
        "board" => Command::Board,
        "moves" => Command::Moves,
        "help" | "?" => Command::Help,
        "quit" | "exit" | "q" => Command::Quit,
        _ => match parse_moves(&word).as_deref() {
            Ok([point]) => Command::Move(*point),
            _ => return Err(CommandError(visible(line.trim(), SHOWN))),
        },
    })
}

/// The beginning of a text, fit to be shown: control characters could change
/// the terminal.
fn visible(text: &str, length: usize) -> String {
    text.chars()
        .take(length)
        .map(|c| if c.is_control() { '?' } else { c })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_and_words_are_read() {
        let h8 = Point::new(7, 7).unwrap();
        for text in ["h8", " H8\r\n", "h8,"] {
            assert_eq!(parse(text), Ok(Command::Move(h8)), "{text}");
        }
        assert_eq!(parse("UNDO\n"), Ok(Command::Undo));
        assert_eq!(parse("  \n"), Ok(Command::Nothing));
    }

    #[test]
    fn everything_else_is_told_back_in_short() {
        for text in ["h", "8h", "h8i9", "h23", "undo 2", "\u{e9}8"] {
            assert!(parse(text).is_err(), "{text}");
        }
        let error = parse(&format!("\u{1b}[2J{}", "z".repeat(500))).unwrap_err();
        let text = error.to_string();
        assert!(text.starts_with("'?[2Jzzzz"), "{text}");
        assert!(text.len() < 80, "{text}");
    }
}
