//! What an engine can be asked, and reading its answers.

use yonsan::board::{Point, Size};

/// Column and row from 0, as written by the engine.
pub type Coordinates = (i64, i64);

/// An answer that a manager understands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A point, which may be no good.
    Point(Coordinates),
    /// Two points, in a swap opening.
    Two([Coordinates; 2]),
    /// Three points, in a swap opening.
    Three([Coordinates; 3]),
    /// The colours are to be changed.
    Swap,
}

/// Reads an answer; `None` if the line is none. Exactly one comma between
/// two whole numbers makes a point, blanks around them do not matter.
#[must_use]
pub fn parse_answer(line: &str) -> Option<Answer> {
    if line.trim().eq_ignore_ascii_case("SWAP") {
        return Some(Answer::Swap);
    }
    if let Some(point) = parse_coordinates(line) {
        return Some(Answer::Point(point));
    }
    let points: Option<Vec<Coordinates>> = line.split_whitespace().map(parse_coordinates).collect();
    match *points?.as_slice() {
        [a, b] => Some(Answer::Two([a, b])),
        [a, b, c] => Some(Answer::Three([a, b, c])),
        _ => None,
    }
}

fn parse_coordinates(text: &str) -> Option<Coordinates> {
    let (x, y) = text.split_once(',')?;
    Some((x.trim().parse().ok()?, y.trim().parse().ok()?))
}

/// The words that begin a game on a board.
#[must_use]
pub fn start_command(size: Size) -> String {
    if size.is_square() {
        format!("START {}", size.width())
    } else {
        format!("RECTSTART {},{}", size.width(), size.height())
    }
}

/// A whole position for the side to move: its own stones are 1, the others 2,
/// points nobody may take 3.
#[must_use]
pub fn board_command(moves: &[Point], closed: &[Point]) -> Vec<String> {
    let own_parity = moves.len() % 2;
    let mut lines = vec!["BOARD".to_owned()];
    for (index, point) in moves.iter().enumerate() {
        let owner = if index % 2 == own_parity { 1 } else { 2 };
        lines.push(format!("{},{},{owner}", point.x(), point.y()));
    }
    lines.extend(
        closed
            .iter()
            .map(|point| format!("{},{},3", point.x(), point.y())),
    );
    lines.push("DONE".to_owned());
    lines
}

/// A question in a swap opening.
#[must_use]
pub fn swap_command(moves: &[Point]) -> Vec<String> {
    let stones = moves
        .iter()
        .map(|point| format!("{},{}", point.x(), point.y()));
    let first = std::iter::once("SWAP2BOARD".to_owned());
    first.chain(stones).chain(["DONE".to_owned()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use yonsan::board::parse_moves;

    #[test]
    fn answers_are_read() {
        let cases = [
            ("7,7", Some(Answer::Point((7, 7)))),
            (" 7 , 14 ", Some(Answer::Point((7, 14)))),
            ("-5,-5", Some(Answer::Point((-5, -5)))),
            ("swap", Some(Answer::Swap)),
            ("1,2 3,4", Some(Answer::Two([(1, 2), (3, 4)]))),
            (
                "1,2  3,4 5,6",
                Some(Answer::Three([(1, 2), (3, 4), (5, 6)])),
            ),
            ("", None),
            ("7,7,1", None),
            ("7,", None),
            ("h8", None),
            ("OK", None),
            ("7.0,7", None),
            ("1,2 3,4 5,6 7,8", None),
            ("SWAPPED", None),
        ];
        for (line, answer) in cases {
            assert_eq!(parse_answer(line), answer, "{line}");
        }
    }

    #[test]
    fn boards_show_own_stones_as_one() {
        let moves = parse_moves("h8i9a1").unwrap();
        let lines = board_command(&moves, &parse_moves("g7").unwrap());
        assert_eq!(lines, ["BOARD", "7,7,2", "8,8,1", "0,0,2", "6,6,3", "DONE"]);
        assert_eq!(board_command(&moves[..2], &[])[1..3], ["7,7,1", "8,8,2"]);
        assert_eq!(board_command(&[], &[]), ["BOARD", "DONE"]);
        assert_eq!(
            swap_command(&moves),
            ["SWAP2BOARD", "7,7", "8,8", "0,0", "DONE"]
        );
    }

    #[test]
    fn rectangles_start_in_their_own_way() {
        assert_eq!(start_command(Size::square(20).unwrap()), "START 20");
        assert_eq!(start_command(Size::new(15, 20).unwrap()), "RECTSTART 15,20");
    }
}
