//! Reads `tests/data/puzzles`; its README says what the fields mean.

use yonsan::board::{Point, Position, Size, parse_moves};
use yonsan::rules::Rule;

/// How a puzzle is won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// By fours alone.
    Vcf,
    /// By fours and threes; fours alone do not do it.
    Vct,
}

/// A position whose side to move wins by force.
#[derive(Clone, Debug)]
pub struct Puzzle {
    pub id: String,
    pub rule: Rule,
    pub position: Position,
    pub kind: Kind,
    /// Plies of the shortest win known.
    pub plies: u32,
    /// All first moves that win by fours and threes, where that is known.
    pub firsts: Option<Vec<Point>>,
    pub theme: String,
}

const TEXT: &str = include_str!("../data/puzzles/puzzles.tsv");

/// All puzzles.
pub fn puzzles() -> Vec<Puzzle> {
    let lines = TEXT.lines().filter(|line| !line.starts_with('#'));
    lines.map(puzzle).collect()
}

fn puzzle(line: &str) -> Puzzle {
    let fields: Vec<&str> = line.split('\t').collect();
    let [id, rule, size, kind, plies, moves, firsts, theme] = fields[..] else {
        panic!("{line}: {} fields", fields.len());
    };
    let moves = parse_moves(moves).unwrap();
    Puzzle {
        id: id.to_owned(),
        rule: rule.parse().unwrap(),
        position: Position::from_moves(board_size(size), &moves).unwrap(),
        kind: match kind {
            "vcf" => Kind::Vcf,
            "vct" => Kind::Vct,
            _ => panic!("{id}: kind {kind}"),
        },
        plies: plies.parse().unwrap(),
        firsts: (firsts != "*").then(|| parse_moves(firsts).unwrap()),
        theme: theme.to_owned(),
    }
}

fn board_size(text: &str) -> Size {
    let (width, height) = text.split_once('x').unwrap();
    Size::new(width.parse().unwrap(), height.parse().unwrap()).unwrap()
}
