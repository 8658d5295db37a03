//! Values to the text that a manager reads, pure. No function adds the line
//! end; every line is far below the 1,000 characters that managers can take.

use super::command::CommandError;
use crate::board::{Colour, Point};
use crate::book::Entry;
use crate::engine::HashFileError;
use crate::engine::opening::Decision;
use crate::rules::opening::Act;
use crate::search::{Info, RootEvent};
use std::fmt::Write as _;
use std::time::Duration;

/// Longest piece of input that is given back, in characters.
const EXCERPT_LEN: usize = 40;
/// Moves of a line that are shown.
const SHOWN_MOVES: usize = 30;
/// Largest table that is offered, as the binary logarithm of KiB.
pub const MAX_HASH_SIZE_LOG: u32 = 22;

/// The answer to `START` and its kin.
pub const OK: &str = "OK";

/// A short piece of input, safe to be printed.
pub fn excerpt(text: &str) -> String {
    let mut chars = text.chars();
    let piece: String = chars.by_ref().take(EXCERPT_LEN).collect();
    let mut piece = printable(&piece);
    if chars.next().is_some() {
        piece.push_str("..");
    }
    piece
}

/// The text with a question mark for all that not every manager can show.
fn printable(text: &str) -> String {
    let is_safe = |c: char| c == ' ' || c.is_ascii_graphic();
    text.chars()
        .map(|c| if is_safe(c) { c } else { '?' })
        .collect()
}

/// A move: `x,y`.
pub fn coordinates(point: Point) -> String {
    format!("{},{}", point.x(), point.y())
}

/// Something for the manager to show.
pub fn message(text: &str) -> String {
    format!("MESSAGE {text}")
}

/// The answer to a command that cannot be carried out.
pub fn error(text: &str) -> String {
    format!("ERROR {text}")
}

/// The answer to a line that is no command.
pub fn command_error(error: &CommandError) -> String {
    match error {
        CommandError::Unknown(_) | CommandError::Unsupported(_) => format!("UNKNOWN {error}"),
        _ => format!("ERROR {error}"),
    }
}

/// The answer to `ABOUT`.
pub fn about() -> String {
    format!(
        "name=\"Yonsan\", version=\"{}\", author=\"The Yonsan developers\", country=\"International\"",
        env!("CARGO_PKG_VERSION")
    )
}

/// The answer to `yxshowforbid`: four digits a point, then a full stop.
pub fn forbidden(points: &[Point]) -> String {
    let mut text = "FORBID ".to_owned();
    for point in points {
        let _ = write!(text, "{:02}{:02}", point.x(), point.y());
    }
    text.push('.');
    text
}

/// The answer to `yxshowinfo`.
pub fn largest_settings(thread_count: usize) -> [String; 2] {
    [
        format!("MESSAGE INFO MAX_THREAD_NUM {thread_count}"),
        format!("MESSAGE INFO MAX_HASH_SIZE {MAX_HASH_SIZE_LOG}"),
    ]
}

/// How the search stands, in one line of fixed keys in fixed order; the line's
/// number is left out if only one line was asked for.
pub fn progress(info: &Info, line_count: usize) -> String {
    let mut text = format!(
        "MESSAGE depth {}-{}",
        info.depth,
        info.selective_depth.max(info.depth)
    );
    if line_count > 1 {
        let _ = write!(text, " line {}", info.line_number);
    }
    let _ = write!(
        text,
        " score {} win {:.1}% nodes {} speed {} time {} pv",
        info.score,
        info.score.win_rate() * 100.0,
        info.nodes,
        speed(info.nodes, info.elapsed),
        info.elapsed.as_millis()
    );
    for point in info.principal_variation.iter().take(SHOWN_MOVES) {
        let _ = write!(text, " {point}");
    }
    text
}

/// That the move comes from the opening book, and what is behind it. How the
/// position stands is told as of a search.
pub fn book(entry: &Entry) -> String {
    let work = entry.work;
    format!(
        "MESSAGE book: {} positions were searched to depth {}",
        work.nodes, work.depth
    )
}

/// A complaint that may name a file, in characters that every manager can show.
/// Of a very long one the end is kept, which says what is wrong.
pub fn complaint(text: &str) -> String {
    const LONGEST: usize = 300;
    let text = printable(text);
    match text.len().checked_sub(LONGEST) {
        Some(cut @ 1..) => format!("..{}", text.get(cut..).unwrap_or_default()),
        _ => text,
    }
}

/// How the search stands for the live display of Yixin's manager: one line each.
pub fn live_board(info: &Info) -> Vec<String> {
    let mut lines = vec!["MESSAGE REALTIME REFRESH".to_owned()];
    if let Some(&best) = info.principal_variation.first() {
        lines.push(format!("MESSAGE REALTIME BEST {}", coordinates(best)));
    }
    lines.push(format!("MESSAGE REALTIME VAL {}", info.score.raw()));
    let moves = info.principal_variation.iter().take(SHOWN_MOVES);
    let text: String = moves.map(|point| format!(" {point}")).collect();
    lines.push(format!("MESSAGE REALTIME PV{text}"));
    lines
}

/// What happens to a move at the root, for the same display.
pub fn live_move(event: RootEvent) -> String {
    let (word, point) = match event {
        RootEvent::Begun(point) => ("POS", point),
        RootEvent::Done(point) => ("DONE", point),
        RootEvent::Lost(point) => ("LOST", point),
    };
    format!("MESSAGE REALTIME {word} {}", coordinates(point))
}

/// What was decided in an opening, in one line.
pub fn decision(decision: &Decision) -> String {
    let what = match &decision.act {
        Act::Place(points) => format!("puts {} stones", points.len()),
        Act::Choose(colour) => format!("takes {colour}"),
        Act::FifthCount(count) => format!("asks for {count} fifth moves"),
        Act::Offer(points) => format!("offers {} fifth moves", points.len()),
        Act::Pick(point) => format!("chooses {point}"),
    };
    match decision.score {
        Some(score) => format!(
            "MESSAGE opening: {what}, score {score} for {}",
            Colour::Black
        ),
        None => format!("MESSAGE opening: {what}"),
    }
}

/// The answer to a swap2 question of Yixin's manager, 1 to 3: one line each.
pub fn swap2_answer(act: &Act, question: u8) -> Vec<String> {
    match act {
        Act::Place(points) => {
            let first = if question == 1 { 1 } else { 4 };
            let numbered = (first..).zip(points);
            numbered
                .map(|(number, p)| format!("MESSAGE SWAP2 MOVE{number} {} {}", p.x(), p.y()))
                .collect()
        }
        Act::Choose(colour) => {
            let answer = match colour {
                Colour::Black => "YES",
                Colour::White => "NO",
            };
            let number = question.saturating_sub(1);
            vec![format!("MESSAGE SWAP2 SWAP{number} {answer}")]
        }
        _ => Vec::new(),
    }
}

/// What a search for a defence found, the moves in lines of bearable length.
pub fn defences(holding: &[Point], lost: &[Point]) -> Vec<String> {
    let mut lines = vec![format!(
        "{} of {} moves are not known to lose",
        holding.len(),
        holding.len() + lost.len()
    )];
    for (word, points) in [("hold", holding), ("lose", lost)] {
        for piece in points.chunks(SHOWN_MOVES) {
            let moves: String = piece.iter().map(|point| format!(" {point}")).collect();
            lines.push(format!("{word}{moves}"));
        }
    }
    lines
}

/// A database without entries, as the answer to whatever was asked of it.
pub fn empty_database() -> String {
    "MESSAGE DATABASE REFRESH\nMESSAGE DATABASE DONE".to_owned()
}

/// What was known is in a file now.
pub fn positions_saved(count: u64) -> String {
    format!("{count} positions saved")
}

/// What a file knew is known now.
pub fn positions_loaded(count: u64) -> String {
    format!("{count} positions loaded")
}

/// Nothing was saved or loaded; the error may name a file.
pub fn file_error(what: &str, error: &HashFileError) -> String {
    printable(&format!("nothing {what}: {error}"))
}

/// The answer to `yxshowhashusage`.
pub fn hash_usage(permille: u32) -> String {
    format!("table full: {}.{}%", permille / 10, permille % 10)
}

/// The same for managers in a browser: one line each.
pub fn live_values(info: &Info, line_count: usize) -> Vec<String> {
    let moves: Vec<String> = info
        .principal_variation
        .iter()
        .take(SHOWN_MOVES)
        .map(|&point| coordinates(point))
        .collect();
    vec![
        format!("INFO PV {}", info.line_number.saturating_sub(1)),
        format!("INFO NUMPV {line_count}"),
        format!("INFO DEPTH {}", info.depth),
        format!("INFO SELDEPTH {}", info.selective_depth.max(info.depth)),
        format!("INFO NODES {}", info.nodes),
        format!("INFO TOTALNODES {}", info.nodes),
        format!("INFO TOTALTIME {}", info.elapsed.as_millis()),
        format!("INFO SPEED {}", speed(info.nodes, info.elapsed)),
        format!("INFO EVAL {}", info.score),
        format!("INFO WINRATE {:.4}", info.score.win_rate()),
        format!("INFO BESTLINE {}", moves.join(" ")),
        "INFO PV DONE".to_owned(),
    ]
}

/// Positions a second; times under a millisecond count as one.
fn speed(nodes: u64, elapsed: Duration) -> u64 {
    let microseconds = elapsed.as_micros().max(1_000);
    u64::try_from(u128::from(nodes) * 1_000_000 / microseconds).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::parse_moves;
    use crate::search::Score;

    fn info() -> Info {
        Info {
            line_number: 2,
            depth: 12,
            selective_depth: 23,
            score: Score::win_in(5),
            nodes: 123_456,
            elapsed: Duration::from_micros(510_900),
            principal_variation: parse_moves("h8i9j10").unwrap(),
        }
    }

    #[test]
    fn progress_has_fixed_keys() {
        assert_eq!(
            progress(&info(), 1),
            "MESSAGE depth 12-23 score +M5 win 100.0% nodes 123456 speed 241644 time 510 pv h8 i9 j10"
        );
        assert_eq!(
            progress(&info(), 2),
            "MESSAGE depth 12-23 line 2 score +M5 win 100.0% nodes 123456 speed 241644 time 510 pv h8 i9 j10"
        );
    }

    #[test]
    fn the_longest_progress_is_short() {
        let line = vec![Point::new(21, 21).unwrap(); 484];
        let longest = Info {
            line_number: usize::MAX,
            depth: u32::MAX,
            selective_depth: u32::MAX,
            score: Score::plain(i32::MIN),
            nodes: u64::MAX,
            elapsed: Duration::MAX,
            principal_variation: line,
        };
        assert!(progress(&longest, usize::MAX).len() < 400);
        for line in live_values(&longest, 9).iter().chain(&live_board(&longest)) {
            assert!(line.len() < 400, "{line}");
        }
    }

    #[test]
    fn excerpts_are_short_and_printable() {
        assert_eq!(excerpt("FOO 1,2"), "FOO 1,2");
        assert_eq!(excerpt("a\u{1b}[31m\u{e9}"), "a?[31m?");
        assert_eq!(excerpt(&"A".repeat(200_000)), "A".repeat(40) + "..");
    }

    #[test]
    fn complaints_are_short_and_end_with_what_is_wrong() {
        assert_eq!(complaint("d\u{e9}j\u{e0}: bad"), "d?j?: bad");
        let long = complaint(&format!("{}: bad; not used", "folder/".repeat(600)));
        assert_eq!(long.len(), 302);
        assert!(long.starts_with("..") && long.ends_with("folder/: bad; not used"));
    }

    #[test]
    fn forbidden_points_are_four_digits_each() {
        assert_eq!(forbidden(&[]), "FORBID .");
        let points = [Point::new(9, 12).unwrap(), Point::new(10, 1).unwrap()];
        assert_eq!(forbidden(&points), "FORBID 09121001.");
    }

    #[test]
    fn defences_are_short_lines() {
        let points = parse_moves(&"h8".repeat(70)).unwrap();
        let lines = defences(&points[..3], &points[..31]);
        assert_eq!(lines[0], "3 of 34 moves are not known to lose");
        assert_eq!(lines[1], "hold h8 h8 h8");
        assert_eq!(lines[3], "lose h8");
        assert_eq!(lines.len(), 4);
        assert!(defences(&points, &[]).iter().all(|line| line.len() < 200));
        assert_eq!(defences(&[], &[])[0], "0 of 0 moves are not known to lose");
    }

    #[test]
    fn moves_are_told_as_they_are_searched() {
        let point = Point::new(3, 12).unwrap();
        for (event, text) in [
            (RootEvent::Begun(point), "MESSAGE REALTIME POS 3,12"),
            (RootEvent::Done(point), "MESSAGE REALTIME DONE 3,12"),
            (RootEvent::Lost(point), "MESSAGE REALTIME LOST 3,12"),
        ] {
            assert_eq!(live_move(event), text);
        }
    }

    #[test]
    fn decisions_tell_black_s_score() {
        let made = |act, score| Decision {
            act,
            score,
            reply: None,
        };
        assert_eq!(
            decision(&made(Act::Choose(Colour::White), Some(Score::plain(-42)))),
            "MESSAGE opening: takes White, score -42 for Black"
        );
        assert_eq!(
            decision(&made(Act::Place(parse_moves("h8i9").unwrap()), None)),
            "MESSAGE opening: puts 2 stones"
        );
    }

    #[test]
    fn live_lines() {
        assert_eq!(
            live_board(&info()),
            [
                "MESSAGE REALTIME REFRESH",
                "MESSAGE REALTIME BEST 7,7",
                "MESSAGE REALTIME VAL 29995",
                "MESSAGE REALTIME PV h8 i9 j10",
            ]
        );
        let values = live_values(&info(), 2);
        assert_eq!(values[0], "INFO PV 1");
        assert_eq!(values[10], "INFO BESTLINE 7,7 8,8 9,9");
    }
}
