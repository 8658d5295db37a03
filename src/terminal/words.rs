//! Sentences: how a game ended, what a score means, and help.

use crate::board::{Colour, Point};
use crate::rules::{GameResult, WinReason};
use crate::search::Score;

/// Columns a line of text may take.
pub(super) const TEXT_WIDTH: usize = 80;

/// The commands, explained.
pub(super) const HELP: &str = "\
Type a move as column and row, for example h8, or one of these words:
  undo    take back your newest move and the engine's answer
  hint    let the engine say what it would play for you
  swap    change sides: the engine goes on with your colour
  new     begin again
  resign  give up
  board   show the board
  moves   show the moves as one text; --moves begins a game with it
  help    this text
  quit    leave
";

/// How a game came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// The referee says so.
    Result(GameResult),
    /// The side gave up.
    Resigned(Colour),
}

/// Says how a game ended, for the player of this colour; `last` is the newest
/// move. Empty if the game goes on.
pub(super) fn ending(ending: Ending, player: Colour, last: Option<Point>) -> String {
    let winner = |colour: Colour| {
        if colour == player {
            format!("You win with {colour}.")
        } else {
            format!("The engine wins with {colour}.")
        }
    };
    match ending {
        Ending::Result(GameResult::Ongoing) => String::new(),
        Ending::Result(GameResult::Draw) => "The board is full: a draw.".to_owned(),
        Ending::Result(GameResult::Won(colour, WinReason::Five)) => {
            let point = last.map_or_else(String::new, |point| format!("{point} "));
            format!("{point}makes the winning row. {}", winner(colour))
        }
        Ending::Result(GameResult::Won(colour, WinReason::Foul(foul))) => {
            let point = last.map_or_else(String::new, |point| format!("{point} "));
            format!(
                "{point}makes a foul: {foul}, forbidden to {}. {}",
                !colour,
                winner(colour)
            )
        }
        Ending::Resigned(colour) => format!("{colour} resigns. {}", winner(!colour)),
    }
}

/// What a score means that is given for this side.
pub(super) fn evaluation(score: Score, side: Colour) -> String {
    let (winner, plies) = match (score.win_plies(), score.loss_plies()) {
        (Some(plies), _) => (side, plies),
        (_, Some(plies)) => (!side, plies),
        _ => return format!("score {:+} for {side}", score.raw()),
    };
    // The winner makes the last of the plies.
    let count = plies.div_ceil(2);
    format!("{winner} wins in {}", counted(count.into(), "move"))
}

/// A number and what it counts: `1 move`, `1,000 moves`.
pub(super) fn counted(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(number))
}

/// A number with commas: `1,234,567`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Breaks a text between words into lines of at most `width` columns; a longer
/// word gets a line of its own.
pub(super) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let Some(line) = lines.last_mut() else { break };
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= width {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::judge::Foul;

    #[test]
    fn endings_name_the_winner() {
        let h8 = Point::new(7, 7);
        let five = Ending::Result(GameResult::Won(Colour::White, WinReason::Five));
        assert_eq!(
            ending(five, Colour::White, h8),
            "h8 makes the winning row. You win with White."
        );
        let foul = Ending::Result(GameResult::Won(
            Colour::White,
            WinReason::Foul(Foul::DoubleThree),
        ));
        assert_eq!(
            ending(foul, Colour::Black, h8),
            "h8 makes a foul: double three, forbidden to Black. The engine wins with White."
        );
        assert_eq!(
            ending(Ending::Resigned(Colour::Black), Colour::Black, h8),
            "Black resigns. The engine wins with White."
        );
        assert_eq!(
            ending(Ending::Result(GameResult::Ongoing), Colour::Black, h8),
            ""
        );
    }

    #[test]
    fn scores_are_told_in_moves() {
        let expected = [
            (Score::win_in(1), "Black wins in 1 move"),
            (Score::win_in(5), "Black wins in 3 moves"),
            (Score::loss_in(4), "White wins in 2 moves"),
            (Score::plain(-12), "score -12 for Black"),
            (Score::plain(7), "score +7 for Black"),
        ];
        for (score, text) in expected {
            assert_eq!(evaluation(score, Colour::Black), text);
        }
    }

    #[test]
    fn numbers_are_grouped() {
        let expected = [
            (0, "0"),
            (999, "999"),
            (1_000, "1,000"),
            (12_345_678, "12,345,678"),
        ];
        for (number, text) in expected {
            assert_eq!(grouped(number), text);
        }
        assert_eq!(counted(1, "move"), "1 move");
        assert_eq!(counted(1_000, "move"), "1,000 moves");
    }

    #[test]
    fn lines_are_broken_between_words() {
        assert_eq!(wrap("aa bb cc", 5), ["aa bb", "cc"]);
        assert_eq!(wrap("aaaaaaa b", 5), ["aaaaaaa", "b"]);
        assert_eq!(wrap("", 5), [""]);
    }

    #[test]
    fn help_fits_the_screen() {
        assert!(HELP.lines().all(|line| line.len() <= TEXT_WIDTH));
    }
}
