//! Reads `tests/data/caro`; its README says what a position looks like.

use yonsan::board::{Colour, Point, Position, Size};
use yonsan::rules::Rule;

/// What the good moves of a position do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Aim {
    /// They win by fours.
    Wins,
    /// After them the other side has no win by fours.
    Holds,
}

/// A position and its only good moves.
#[derive(Clone, Debug)]
pub struct Study {
    pub id: String,
    pub rules: Vec<Rule>,
    pub aim: Aim,
    /// All good moves.
    pub best: Vec<Point>,
    /// Stones of the one to move and of the other as drawn.
    pub position: Position,
}

const FILES: [&str; 7] = [
    include_str!("../data/caro/open_ends.txt"),
    include_str!("../data/caro/false_fours.txt"),
    include_str!("../data/caro/far_blocks.txt"),
    include_str!("../data/caro/overlines.txt"),
    include_str!("../data/caro/edges.txt"),
    include_str!("../data/caro/forced_wins.txt"),
    include_str!("../data/caro/only_defences.txt"),
];

/// All positions.
pub fn studies() -> Vec<Study> {
    FILES.into_iter().flat_map(read).collect()
}

/// The positions of one file: parted by blank lines, remarks behind `#`.
pub fn read(text: &str) -> Vec<Study> {
    let blocks = text.split("\n\n").map(|block| {
        let lines = block.lines();
        lines.filter(|l| !l.starts_with('#')).collect::<Vec<_>>()
    });
    blocks
        .filter(|b| !b.is_empty())
        .map(|b| study(&b))
        .collect()
}

fn study(lines: &[&str]) -> Study {
    let fields: Vec<&str> = lines[0].split('|').map(str::trim).collect();
    let [id, rules, side, aim, best, why] = fields[..] else {
        panic!("{}: {} fields", lines[0], fields.len());
    };
    assert!(!why.is_empty(), "{id}: no word of why");
    let mut position = draw(id, &lines[1..]);
    position.set_side_to_move(match side {
        "X" => Colour::Black,
        "O" => Colour::White,
        _ => panic!("{id}: '{side}' is no side"),
    });
    Study {
        id: id.to_owned(),
        rules: rules.split(' ').map(|r| r.parse().unwrap()).collect(),
        aim: match aim {
            "wins" => Aim::Wins,
            "holds" => Aim::Holds,
            _ => panic!("{id}: '{aim}' is no aim"),
        },
        best: best.split(' ').map(|p| p.parse().unwrap()).collect(),
        position,
    }
}

/// A board drawn with row numbers at the left, the highest row on top, and
/// column letters below.
fn draw(id: &str, lines: &[&str]) -> Position {
    let (letters, rows) = lines.split_last().expect("a diagram");
    let width = letters.split_whitespace().count();
    let size = Size::new(width as u8, rows.len() as u8).unwrap();
    let mut position = Position::new(size);
    for (row, y) in rows.iter().zip((0..size.height()).rev()) {
        let mut marks = row.split_whitespace();
        assert_eq!(marks.next(), Some((y + 1).to_string().as_str()), "{id}");
        let marks: Vec<&str> = marks.collect();
        assert_eq!(marks.len(), width, "{id}: row {}", y + 1);
        for (x, mark) in (0..size.width()).zip(marks) {
            let point = size.point(x, y).unwrap();
            match mark {
                "." => continue,
                "#" => {
                    position.block(point);
                    continue;
                }
                "X" => position.set_side_to_move(Colour::Black),
                "O" => position.set_side_to_move(Colour::White),
                _ => panic!("{id}: '{mark}' at {point}"),
            }
            position.play(point);
        }
    }
    position
}
