//! A line of input to a [`Command`], pure.
//!
//! The whole first word counts, in any case. Anything that is no command is a
//! [`CommandError`] with a short piece of the text; nothing is guessed.

use super::block::BlockKind;
use super::event::Line;
use super::message::excerpt;
use super::setting::{self, Setting, SettingError};
use crate::board::{MAX_SIDE, MIN_SIDE, Point, Size};
use crate::search::Stones;
use std::fmt;

/// What a manager wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// A new game on an empty board of this size.
    Start(Size),
    /// A new game on an empty board of the same size.
    Restart,
    /// The first move.
    Begin,
    /// The opponent's move, to be answered by ours.
    Turn(Point),
    /// Our move, chosen by the manager.
    Play(Point),
    /// Take this stone from the board.
    TakeBack(Point),
    /// A block begins; the text holds entries that stood in the same line.
    OpenBlock(BlockKind, String),
    /// A setting.
    Set(Setting),
    /// Who are you?
    About,
    /// The process is to end.
    End,
    /// The running search is to answer now.
    Stop,
    /// The forbidden points.
    ShowForbidden,
    /// The largest settings.
    ShowLimits,
    /// Forget what was searched.
    ClearHash,
    /// Think about the position and tell so many best lines.
    BestLines(usize),
    /// Put stones after which the position has this score for the side to move.
    Balance(Stones, i32),
    /// Find out which moves lose by force; play the best of the others.
    Defend,
    /// No point is blocked any more.
    ResetBlocks,
    /// How full is the table?
    ShowHashUsage,
    /// Decide in the swap2 opening of Yixin's manager: the first, second or
    /// third question.
    Swap2Step(u8),
    /// Known, and nothing is to be done or said.
    Nothing,
    /// A command of this name, whose path follows in the next line.
    PathFollows(String),
}

impl Command {
    /// Whether game and table stay as they are, so that a search in the
    /// opponent's time can go on.
    pub const fn leaves_all_as_it_is(&self) -> bool {
        matches!(
            self,
            Self::Set(_) | Self::About | Self::ShowForbidden | Self::ShowLimits | Self::Nothing
        )
    }

    /// Whether something is to be done with the table, and told of when it is.
    pub const fn asks_for_job(&self) -> bool {
        matches!(self, Self::PathFollows(_) | Self::ShowHashUsage)
    }
}

/// A line that is no command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandError {
    /// A word nobody knows, or a line too long for any command.
    Unknown(String),
    /// A known word that is not supported.
    Unsupported(String),
    /// A board size that cannot be read or played.
    Size(String),
    /// Text where `x,y` should be.
    Point(String),
    /// A setting without effect.
    Setting(SettingError),
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(text) => write!(f, "command '{text}'"),
            Self::Unsupported(word) => write!(f, "command {word}: not supported"),
            // A manager that finds a 20 in it goes on with a board of 20x20.
            Self::Size(text) => write!(
                f,
                "board size '{text}': sides must be {MIN_SIDE} to {MAX_SIDE}, such as 20"
            ),
            Self::Point(text) => write!(f, "'{text}' is no point x,y"),
            Self::Setting(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for CommandError {}

/// Reads a line.
///
/// # Errors
///
/// If it is no command that can be carried out.
pub fn parse(line: &Line) -> Result<Command, CommandError> {
    let (word, rest) = split_word(&line.text);
    let word = word.to_ascii_lowercase();
    if word == "info" {
        if line.is_cut {
            return Err(CommandError::Setting(SettingError::TooLong));
        }
        return setting::parse(rest)
            .map(Command::Set)
            .map_err(CommandError::Setting);
    }
    if line.is_cut {
        return Err(CommandError::Unknown(excerpt(&line.text)));
    }
    match word.as_str() {
        "start" => square(rest).map(Command::Start),
        "rectstart" => rectangle(rest).map(Command::Start),
        "restart" => Ok(Command::Restart),
        "begin" => Ok(Command::Begin),
        "turn" => point(rest).map(Command::Turn),
        "play" => point(rest).map(Command::Play),
        "takeback" => point(rest).map(Command::TakeBack),
        "board" => Ok(open(BlockKind::Board, rest)),
        "swap2board" => Ok(open(BlockKind::Swap2Board, rest)),
        "about" => Ok(Command::About),
        "end" => Ok(Command::End),
        "stop" => Ok(Command::Stop),
        yixin if yixin.starts_with(YIXIN_PREFIX) => parse_yixin(yixin, rest),
        _ => Err(CommandError::Unknown(excerpt(&line.text))),
    }
}

const YIXIN_PREFIX: &str = "yx";

/// Whether the line is in Yixin's extension, known or not.
pub fn is_yixin(line: &Line) -> bool {
    line.text
        .get(..YIXIN_PREFIX.len())
        .is_some_and(|head| head.eq_ignore_ascii_case(YIXIN_PREFIX))
}

/// Reads a command of Yixin's extension; `word` is in small letters.
fn parse_yixin(word: &str, rest: &str) -> Result<Command, CommandError> {
    Ok(match word {
        "yxboard" => open(BlockKind::YixinBoard, rest),
        "yxstop" => Command::Stop,
        "yxshowforbid" => Command::ShowForbidden,
        "yxshowinfo" => Command::ShowLimits,
        "yxhashclear" => Command::ClearHash,
        // A move is expected whatever the number.
        "yxnbest" => Command::BestLines(rest.parse().unwrap_or(1).max(1)),
        "yxbalanceone" => Command::Balance(Stones::One, score(rest)),
        "yxbalancetwo" => Command::Balance(Stones::Two, score(rest)),
        "yxsearchdefend" => Command::Defend,
        "yxswap2step1" => Command::Swap2Step(1),
        "yxswap2step2" => Command::Swap2Step(2),
        "yxswap2step3" => Command::Swap2Step(3),
        "yxblock" => open(BlockKind::Exclude, rest),
        "yxblockundo" => open(BlockKind::Readmit, rest),
        "yxblockreset" => Command::ResetBlocks,
        "yxblockpathreset" => Command::Nothing,
        "yxshowhashusage" => Command::ShowHashUsage,
        _ if PATH_COMMANDS.contains(&word) => Command::PathFollows(word.to_owned()),
        _ if word.starts_with("yxquerydatabase") => open(BlockKind::Query, rest),
        _ if is_foreign_block(word) => open(BlockKind::Foreign, rest),
        _ => return Err(CommandError::Unsupported(excerpt(word))),
    })
}

/// Commands of Yixin's extension whose next line is a path.
const PATH_COMMANDS: [&str; 6] = [
    "yxhashdump",
    "yxhashload",
    "yxsetdatabase",
    "yxdbtopos",
    "yxdbtotxt",
    "yxtxttodb",
];

/// Whether a Yixin command is followed by a block that is to be passed over.
fn is_foreign_block(word: &str) -> bool {
    let is_database = word.ends_with("database") && word != "yxsetdatabase";
    let starts = ["yxblock", "yxedit", "yxdelete"];
    is_database || starts.iter().any(|start| word.starts_with(start))
}

/// A score that a position is to have: 0, an even one, if it cannot be read.
/// Stones are expected whatever the number.
fn score(text: &str) -> i32 {
    text.parse().unwrap_or(0)
}

fn open(kind: BlockKind, rest: &str) -> Command {
    Command::OpenBlock(kind, rest.to_owned())
}

/// The first word and what follows, without the blanks between.
fn split_word(text: &str) -> (&str, &str) {
    text.split_once(char::is_whitespace)
        .map_or((text, ""), |(word, rest)| (word, rest.trim()))
}

/// Reads `15`, and `15 15` as Yixin's manager writes it. The second number
/// says nothing new and is not looked at.
fn square(text: &str) -> Result<Size, CommandError> {
    let (first, second) = split_word(text);
    let second_is_good = second.bytes().all(|byte| byte.is_ascii_digit());
    number(first)
        .filter(|_| second_is_good)
        .and_then(Size::square)
        .ok_or_else(|| CommandError::Size(excerpt(text)))
}

/// Reads `width,height`.
fn rectangle(text: &str) -> Result<Size, CommandError> {
    text.split_once(',')
        .and_then(|(width, height)| Size::new(number(width)?, number(height)?))
        .ok_or_else(|| CommandError::Size(excerpt(text)))
}

/// Reads `x,y`, blanks allowed around the numbers.
pub fn point(text: &str) -> Result<Point, CommandError> {
    text.split_once(',')
        .and_then(|(x, y)| Point::new(number(x)?, number(y)?))
        .ok_or_else(|| CommandError::Point(excerpt(text)))
}

/// Digits only, blanks around them: a sign or a dot is a mistake somewhere.
pub fn number(text: &str) -> Option<u8> {
    let text = text.trim();
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        text.parse().ok()
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    fn line(text: &str) -> Line {
        Line {
            text: text.to_owned(),
            is_cut: false,
            read_at: Instant::now(),
        }
    }

    fn parse_text(text: &str) -> Result<Command, CommandError> {
        parse(&line(text))
    }

    fn size(width: u8, height: u8) -> Size {
        Size::new(width, height).unwrap()
    }

    #[test]
    fn plain_commands() {
        for (text, command) in [
            ("START 15", Command::Start(size(15, 15))),
            ("start   5 ", Command::Start(size(5, 5))),
            ("start 15 15", Command::Start(size(15, 15))),
            ("RECTSTART 20,15", Command::Start(size(20, 15))),
            ("rectstart 5 , 22", Command::Start(size(5, 22))),
            ("Restart", Command::Restart),
            ("BEGIN", Command::Begin),
            ("TURN 0,21", Command::Turn(Point::new(0, 21).unwrap())),
            ("turn\t7 , 8", Command::Turn(Point::new(7, 8).unwrap())),
            ("PLAY 07,7", Command::Play(Point::new(7, 7).unwrap())),
            ("TAKEBACK 1,2", Command::TakeBack(Point::new(1, 2).unwrap())),
            ("ABOUT", Command::About),
            ("END", Command::End),
            ("STOP", Command::Stop),
            ("info rule 4", Command::Set(Setting::RuleCode(4))),
        ] {
            assert_eq!(parse_text(text), Ok(command), "{text}");
        }
    }

    #[test]
    fn yixin_commands() {
        for (text, command) in [
            ("yxstop", Command::Stop),
            ("YXSHOWFORBID", Command::ShowForbidden),
            ("yxnbest 3", Command::BestLines(3)),
            ("yxnbest 0", Command::BestLines(1)),
            ("yxnbest x", Command::BestLines(1)),
            ("yxblockreset", Command::ResetBlocks),
            ("yxswap2step1", Command::Swap2Step(1)),
            ("YXSWAP2STEP3", Command::Swap2Step(3)),
            ("yxhashdump", Command::PathFollows("yxhashdump".into())),
            ("YXBALANCEONE -30", Command::Balance(Stones::One, -30)),
            ("yxbalancetwo", Command::Balance(Stones::Two, 0)),
            ("yxsearchdefend", Command::Defend),
            ("yxshowhashusage", Command::ShowHashUsage),
            (
                "YXBOARD 7,7,1 DONE",
                Command::OpenBlock(BlockKind::YixinBoard, "7,7,1 DONE".into()),
            ),
            (
                "yxquerydatabaseall",
                Command::OpenBlock(BlockKind::Query, String::new()),
            ),
            (
                "yxblockundo",
                Command::OpenBlock(BlockKind::Readmit, String::new()),
            ),
            (
                "yxblock 7,7 done",
                Command::OpenBlock(BlockKind::Exclude, "7,7 done".into()),
            ),
            (
                "yxsetbestmovedatabase",
                Command::OpenBlock(BlockKind::Foreign, String::new()),
            ),
        ] {
            assert_eq!(parse_text(text), Ok(command), "{text}");
            assert!(is_yixin(&line(text)));
        }
        assert_eq!(
            parse_text("YXRESIGN 0"),
            Err(CommandError::Unsupported("yxresign".into()))
        );
        assert!(!is_yixin(&line("y")));
        assert!(!is_yixin(&line("\u{e9}yx")));
    }

    #[test]
    fn bad_sizes_name_one_that_works() {
        for text in [
            "START",
            "START 4",
            "START 23",
            "START -15",
            "START +15",
            "START 15x",
            "START 15 x",
            "START abc",
            "START 99999999999999999999",
            "RECTSTART 15",
            "RECTSTART 15,4",
            "RECTSTART 15,15,15",
        ] {
            let error = parse_text(text).unwrap_err();
            assert!(matches!(error, CommandError::Size(_)), "{text}");
            assert!(error.to_string().contains("20"), "{error}");
        }
    }

    #[test]
    fn bad_points() {
        for text in [
            "TURN",
            "TURN 5",
            "TURN a,b",
            "TURN -1,-1",
            "TURN 22,0",
            "TURN 7,7,1",
            "TURN 7,7 x",
            "TURN 7 7",
            "TURN ,",
            "TURN 256,0",
            "TURN 99999999999,1",
            "TURN 1.0,1",
        ] {
            let error = parse_text(text).unwrap_err();
            assert!(matches!(error, CommandError::Point(_)), "{text}");
        }
    }

    #[test]
    fn whole_words_only() {
        for text in [
            "STARTX 15",
            "END_NOT",
            "DONE",
            "7,7",
            "\u{fffd}",
            "FOO 1,2",
            "INFORMATION",
        ] {
            let error = parse_text(text).unwrap_err();
            assert_eq!(error, CommandError::Unknown(excerpt(text)));
        }
    }

    #[test]
    fn cut_lines_do_nothing() {
        let cut = |text: &str| {
            parse(&Line {
                is_cut: true,
                ..line(text)
            })
        };
        assert!(matches!(cut("END"), Err(CommandError::Unknown(_))));
        assert!(matches!(cut("TURN 7,7"), Err(CommandError::Unknown(_))));
        assert_eq!(
            cut("INFO rule 4"),
            Err(CommandError::Setting(SettingError::TooLong))
        );
    }
}
