//! Cases of `data/rules`: reading them, and asking a judge.
//!
//! One case a line, its seven fields parted by `|`; `data/rules/README.md`
//! says what they hold.

use crate::common::{Judge, foul_name, set_up};
use std::collections::BTreeSet;
use yonsan::board::{Colour, Point, Position, Size, diagram, parse_moves};
use yonsan::rules::Rule;

/// Points at which a stone of one colour is judged alike under one rule.
#[derive(Debug)]
pub struct Case {
    pub id: String,
    pub rule: Rule,
    pub position: Position,
    pub colour: Colour,
    pub points: Vec<Point>,
    pub expected: Verdict,
}

/// What a stone does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Win,
    Nothing,
    Foul(&'static str),
}

impl Verdict {
    fn parse(text: &str) -> Self {
        match text {
            "win" => Self::Win,
            "nothing" => Self::Nothing,
            "overline" => Self::Foul("overline"),
            "double-four" => Self::Foul("double-four"),
            "double-three" => Self::Foul("double-three"),
            _ => panic!("'{text}' is no verdict"),
        }
    }

    /// What the judge says of a stone on the point.
    pub fn ask(judge: Judge, case: &Case, point: Point) -> Self {
        let wins = (judge.wins)(&case.position, case.rule, point, case.colour);
        let foul = if case.rule == Rule::Renju && case.colour == Colour::Black {
            (judge.foul)(&case.position, point)
        } else {
            None
        };
        match (wins, foul) {
            (true, None) => Self::Win,
            (false, None) => Self::Nothing,
            (false, foul) => Self::Foul(foul_name(foul)),
            (true, Some(foul)) => panic!("{}: {point} is a win and a {foul}", case.id),
        }
    }
}

/// Asks about every point of every case.
///
/// # Panics
///
/// If an answer is not the expected one.
pub fn check_cases(cases: &[Case], judge: Judge) {
    for case in cases {
        for &point in &case.points {
            let told = Verdict::ask(judge, case, point);
            assert!(
                told == case.expected,
                "case {}, {}: {} at {point} gives {told:?}, not {:?}, in\n{}",
                case.id,
                case.rule,
                case.colour,
                case.expected,
                diagram(&case.position)
            );
        }
    }
}

/// Reads cases; blank lines and lines with `#` in front are passed over.
pub fn read_cases(text: &str) -> Vec<Case> {
    let lines = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut cases: Vec<Case> = Vec::new();
    for line in lines {
        let new = read_line(line, &cases);
        cases.extend(new);
    }
    cases
}

/// The cases of one line, one a rule.
fn read_line(line: &str, earlier: &[Case]) -> Vec<Case> {
    let fields: Vec<&str> = line.split('|').map(str::trim).collect();
    let [id, rules, size, stones, colour, points, expected] = fields[..] else {
        panic!("not seven fields: {line}");
    };
    let position = parse_stones(parse_size(size), stones);
    let colour = match colour {
        "Black" => Colour::Black,
        "White" => Colour::White,
        _ => panic!("'{colour}' is no colour"),
    };
    let rules: Vec<Rule> = match rules {
        "all" => Rule::ALL.to_vec(),
        _ => rules.split_whitespace().map(parse_rule).collect(),
    };
    let points = match points {
        "rest" => rest_of(&position, earlier.iter().filter(|case| case.id == id)),
        _ => points.split_whitespace().flat_map(read_moves).collect(),
    };
    assert!(!points.is_empty() && !rules.is_empty(), "{line}");
    assert!(points.iter().all(|&p| position.is_empty(p)), "{line}");
    let case = |rule| Case {
        id: id.to_owned(),
        rule,
        position: position.clone(),
        colour,
        points: points.clone(),
        expected: Verdict::parse(expected),
    };
    rules.into_iter().map(case).collect()
}

fn parse_rule(text: &str) -> Rule {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

fn read_moves(text: &str) -> Vec<Point> {
    parse_moves(text).unwrap_or_else(|error| panic!("{error}"))
}

/// The free points that none of the cases names.
fn rest_of<'a>(position: &Position, named: impl Iterator<Item = &'a Case>) -> Vec<Point> {
    let named: BTreeSet<Point> = named.flat_map(|case| case.points.iter().copied()).collect();
    position
        .empty_points()
        .filter(|point| !named.contains(point))
        .collect()
}

/// Reads `15` or `15x20`, columns first.
fn parse_size(text: &str) -> Size {
    let (width, height) = text.split_once('x').unwrap_or((text, text));
    let side = |side: &str| side.parse().expect("a side is a number");
    Size::new(side(width), side(height)).expect("a side is 5 to 22")
}

/// Reads moves, Black first, or groups of stones behind `B:`, `W:` and `#:`.
fn parse_stones(size: Size, text: &str) -> Position {
    if !text.contains(':') {
        let moves = read_moves(text);
        return Position::from_moves(size, &moves).unwrap_or_else(|point| panic!("{point}?"));
    }
    let mut groups = [Vec::new(), Vec::new(), Vec::new()];
    let mut current = None;
    for word in text.split_whitespace() {
        let group = ["B:", "W:", "#:"].iter().position(|&name| name == word);
        match (group, current) {
            (Some(_), _) => current = group,
            (None, Some(current)) => groups[current].extend(read_moves(word)),
            (None, None) => panic!("'{word}' stands before any of B: W: #:"),
        }
    }
    let [black, white, blocked] = groups;
    set_up(size, &black, &white, &blocked)
}
