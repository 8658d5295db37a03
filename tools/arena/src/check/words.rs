//! What is wrong with an answer, and what managers would do, in plain words.
//!
//! The managers are the judge of Gomocup, the Piskvork window and the match
//! runner that engine authors use.

use super::board::{Board, parse_point};
use std::fmt;

/// What went wrong in a transcript.
#[derive(Clone, Debug, PartialEq)]
pub enum Trouble {
    /// No answer came in so many milliseconds.
    NoAnswer(u128),
    /// The right answer, but after so many milliseconds of the second number.
    Late(u128, u128),
    /// Another answer.
    Wrong(String),
    /// An answer nobody asked for.
    Unasked(String),
    /// The process ended.
    Ended,
    /// A message did not come.
    NoMessage,
    /// The process did not end in so many milliseconds.
    StillRunning(u128),
    /// So many MiB of unshared memory where the second number is allowed.
    Memory(u64, u64),
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoAnswer(ms) => write!(f, "no answer within {ms} ms"),
            Self::Late(took, ms) => write!(f, "answered after {took} ms, {ms} allowed"),
            Self::Wrong(line) => write!(f, "answered '{line}'"),
            Self::Unasked(line) => write!(f, "said '{line}' without being asked"),
            Self::Ended => f.write_str("the process ended"),
            Self::NoMessage => f.write_str("no such message"),
            Self::StillRunning(ms) => write!(f, "still running after {ms} ms"),
            Self::Memory(used, allowed) => write!(f, "uses {used} MiB, {allowed} allowed"),
        }
    }
}

/// What an answer should have been.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    Ok,
    Move,
    Complaint,
    About,
    Other,
}

impl Wanted {
    /// From the pattern of the answer.
    pub(super) fn of(pattern: &str) -> Self {
        if pattern == "OK" {
            Self::Ok
        } else if pattern.contains("ERROR") || pattern.contains("UNKNOWN") {
            Self::Complaint
        } else if pattern.contains("name=") {
            Self::About
        } else if pattern.contains("{M") || parse_point(pattern).is_some() {
            Self::Move
        } else {
            Self::Other
        }
    }
}

impl Trouble {
    /// What managers would do about it.
    pub(super) fn consequence(&self, wanted: Wanted, board: &Board) -> String {
        match self {
            Self::NoAnswer(_) => no_answer(wanted).to_owned(),
            Self::Late(..) => match wanted {
                Wanted::Move => "the judge would count this as a timeout: the game is lost",
                _ => "a manager that waits no longer would stop the engine here",
            }
            .to_owned(),
            Self::Wrong(line) => wrong_answer(line, wanted, board),
            Self::Unasked(line) if parse_point(line).is_some() => {
                "the judge keeps lines it did not ask for: this one would be taken for the next \
                 move, and every later move would come one too early"
                    .to_owned()
            }
            Self::Unasked(_) => "Piskvork would take this for the answer to its next command and \
                                 stop the engine; the judge passes over it"
                .to_owned(),
            Self::Ended => "the judge notices a dead process only when its time is out and counts \
                            a timeout, Piskvork and the match runner count a crash: the game is \
                            lost"
                .to_owned(),
            Self::NoMessage => "no game is lost by this; what shows the engine's thinking to \
                                people stays empty"
                .to_owned(),
            Self::StillRunning(_) => "the judge would kill it after 500 ms, Piskvork after 700; \
                                      the match runner would wait for ever"
                .to_owned(),
            Self::Memory(..) => {
                "the judge would count this as a crash: the game is lost".to_owned()
            }
        }
    }
}

const fn no_answer(wanted: Wanted) -> &'static str {
    match wanted {
        Wanted::Ok => {
            "Piskvork would say that the engine did not answer OK and stop it, the match runner \
             too; the judge does not wait for OK"
        }
        Wanted::Move => "the judge would count this as a timeout: the game is lost",
        Wanted::Complaint => {
            "a manager or a person who sent this would wait in vain and think that the engine hangs"
        }
        Wanted::About => "the match runner asks this first and would not start the game",
        Wanted::Other => "a manager would wait in vain and count a timeout",
    }
}

fn wrong_answer(line: &str, wanted: Wanted, board: &Board) -> String {
    let upper = line.trim_start().to_ascii_uppercase();
    let complains = upper.starts_with("ERROR") || upper.starts_with("UNKNOWN");
    let point = parse_point(line);
    let text = match (wanted, point) {
        (Wanted::Move, Some(point)) if board.is_outside(point) => {
            "a point outside the board: the judge would count this as a crash, the others as an \
             illegal move: the game is lost"
        }
        (Wanted::Move, Some(point)) if board.is_taken(point) => {
            "a point that is taken: an illegal move, the game is lost"
        }
        (Wanted::Move, Some(_)) if line.trim() != line || line.contains(' ') => {
            "blanks in a move: managers read the line by its exact form, and some drop it and \
             count a timeout"
        }
        (Wanted::Move, Some(_)) => {
            "a move that can be made, so no manager would stop the engine; but it is not one of \
             those that are right here, and the organisers' tests accept only those"
        }
        (Wanted::Move, None) if complains => {
            "Piskvork would count an error; the judge and the match runner go on waiting for a \
             move until the time is out: the game is lost"
        }
        (Wanted::Move, None) => {
            "Piskvork would stop the engine for a line that is neither a move nor a MESSAGE; the \
             judge drops it and counts a timeout when no move follows"
        }
        (Wanted::Ok, _) => {
            "Piskvork and the match runner compare the whole line with OK: the engine would be \
             stopped before the game"
        }
        (Wanted::Complaint, Some(_)) => {
            "a move that was not asked for: the judge would keep it and take it for the next move"
        }
        (Wanted::About, _) => "the match runner takes this line for the engine's name",
        _ => {
            "managers that look for this answer would take it for an error; those that do not \
             would pass over it"
        }
    };
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(line: &str, wanted: Wanted) -> String {
        let mut board = Board::new();
        for sent in ["START 15", "TURN 7,7"] {
            board.sent(sent);
        }
        Trouble::Wrong(line.to_owned()).consequence(wanted, &board)
    }

    #[test]
    fn patterns_tell_what_is_wanted() {
        for (pattern, wanted) in [
            ("OK", Wanted::Ok),
            ("(?!7,7$){M15}", Wanted::Move),
            ("7,8", Wanted::Move),
            ("ERROR.*", Wanted::Complaint),
            ("UNKNOWN.*|{M15} {M15}", Wanted::Complaint),
            ("name=.*", Wanted::About),
            ("FORBID .*", Wanted::Other),
        ] {
            assert_eq!(Wanted::of(pattern), wanted, "{pattern}");
        }
    }

    #[test]
    fn kinds_of_wrong_moves_are_told_apart() {
        assert!(wrong("15,3", Wanted::Move).contains("outside"));
        assert!(wrong("7,7", Wanted::Move).contains("taken"));
        assert!(wrong("7, 8", Wanted::Move).contains("blanks"));
        assert!(wrong("3,3", Wanted::Move).contains("can be made"));
        assert!(wrong("ERROR no", Wanted::Move).contains("Piskvork would count an error"));
        assert!(wrong("hello", Wanted::Move).contains("neither a move"));
        assert!(wrong("OK - everything is good", Wanted::Ok).contains("compare the whole line"));
    }
}
