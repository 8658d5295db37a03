//! Winning rows: the judge against cases with known answers, against every
//! way a five can lie on a board, and against a second reading of the rules.

mod common;
#[path = "common/rule_cases.rs"]
mod rule_cases;

use common::{Judge, set_up};
use rule_cases::{Case, Verdict, check_cases, read_cases};
use yonsan::board::{Cell, Colour, Direction, Point, Position, Size, diagram, mix};
use yonsan::rules::{Game, GameResult, Rule, WinReason, judge};

const CASE_FILES: [&str; 3] = [
    include_str!("data/rules/reported.txt"),
    include_str!("data/rules/rows.txt"),
    include_str!("data/rules/fouls.txt"),
];

const ORACLE: Judge = Judge {
    foul: judge::renju_foul,
    wins: judge::wins,
};

const SIZES: [(u8, u8); 9] = [
    (5, 5),
    (6, 6),
    (15, 15),
    (19, 19),
    (20, 20),
    (22, 22),
    (5, 22),
    (22, 5),
    (7, 12),
];

#[test]
fn oracle_knows_the_cases() {
    for text in CASE_FILES {
        check_cases(&read_cases(text), ORACLE);
    }
}

/// What a case says of a stone is also how the game goes on after it.
#[test]
fn games_end_as_the_cases_say() {
    let mut played = 0;
    for case in CASE_FILES.iter().flat_map(|text| read_cases(text)) {
        for &point in &case.points {
            played += u32::from(play_case(&case, point));
        }
    }
    assert!(played > 200, "only {played} stones could be played");
}

/// Plays the stones of a case and the tried one; `false` if they cannot be
/// played in turn.
fn play_case(case: &Case, point: Point) -> bool {
    let stones = case.position.stones();
    let in_turn = |(i, colour): (usize, Colour)| colour == Colour::ALL[i % 2];
    let colours = stones.iter().map(|stone| stone.colour);
    let colours = colours.chain([case.colour]).enumerate();
    if !case.position.blocked().is_empty() || !colours.into_iter().all(in_turn) {
        return false;
    }
    let mut game = Game::new(case.rule, case.position.size());
    for stone in stones {
        let result = game.play(stone.point);
        assert_eq!(result, Ok(GameResult::Ongoing), "{} {stone:?}", case.id);
    }
    let told = game.play(point).unwrap();
    let fits = match case.expected {
        Verdict::Win => told == GameResult::Won(case.colour, WinReason::Five),
        Verdict::Nothing => told == GameResult::Ongoing,
        Verdict::Foul(name) => match told {
            GameResult::Won(Colour::White, WinReason::Foul(foul)) => {
                common::foul_name(Some(foul)) == name
            }
            _ => false,
        },
    };
    assert!(fits, "{}: {point} leads to {told:?}", case.id);
    true
}

/// Every row of `length` points on a board.
fn all_rows(size: Size, length: i8) -> Vec<Vec<Point>> {
    let row = |first: Point, direction: Direction| -> Option<Vec<Point>> {
        (0..length)
            .map(|steps| first.step(direction, steps).filter(|&p| size.contains(p)))
            .collect()
    };
    size.points()
        .flat_map(|first| Direction::ALL.map(|direction| row(first, direction)))
        .flatten()
        .collect()
}

/// Completes every row of `length` stones on boards of many sizes, with each
/// of its stones as the last one.
fn check_all_rows(length: i8, expected: fn(Rule, Colour) -> bool) {
    for (width, height) in SIZES {
        let size = Size::new(width, height).unwrap();
        let (n, w, h) = (length as i32, i32::from(width), i32::from(height));
        let (across, up) = ((w - n + 1).max(0), (h - n + 1).max(0));
        let rows = all_rows(size, length);
        assert_eq!(rows.len() as i32, across * h + up * w + 2 * across * up);
        for (i, row) in rows.iter().enumerate() {
            let colour = Colour::ALL[i % 2];
            for &last in row {
                let others: Vec<Point> = row.iter().copied().filter(|&p| p != last).collect();
                let position = match colour {
                    Colour::Black => set_up(size, &others, &[], &[]),
                    Colour::White => set_up(size, &[], &others, &[]),
                };
                for rule in Rule::ALL {
                    assert_eq!(
                        judge::wins(&position, rule, last, colour),
                        expected(rule, colour),
                        "{rule}, {colour} {last} in\n{}",
                        diagram(&position)
                    );
                    assert!(!judge::wins(&position, rule, last, !colour));
                }
            }
        }
    }
}

#[test]
fn every_five_wins_everywhere() {
    check_all_rows(5, |_, _| true);
}

#[test]
fn no_four_wins_anywhere() {
    check_all_rows(4, |_, _| false);
}

#[test]
fn every_six_wins_where_it_may() {
    check_all_rows(6, |rule, colour| match rule {
        Rule::Freestyle | Rule::Caro => true,
        Rule::Standard | Rule::CaroExact => false,
        Rule::Renju => colour == Colour::White,
    });
}

/// A five in caro with everything that can stand at its two ends.
#[test]
fn caro_closes_a_five_with_two_opponents_only() {
    let size = Size::square(15).unwrap();
    let ends = [Cell::Empty, Cell::White, Cell::Wall];
    for row in all_rows(size, 7) {
        let [first, five @ .., last] = &row[..] else {
            panic!("seven points have two ends");
        };
        for pair in ends.map(|a| ends.map(|b| [a, b])).concat() {
            let at_ends = |cell| -> Vec<Point> {
                let points = [(*first, pair[0]), (*last, pair[1])];
                let fitting = points.iter().filter(|(_, c)| *c == cell);
                fitting.map(|&(point, _)| point).collect()
            };
            let position = set_up(
                size,
                &five[1..],
                &at_ends(Cell::White),
                &at_ends(Cell::Wall),
            );
            let closed = pair == [Cell::White; 2];
            for rule in [Rule::Caro, Rule::CaroExact] {
                let wins = judge::wins(&position, rule, five[0], Colour::Black);
                assert_eq!(wins, !closed, "{rule}\n{}", diagram(&position));
            }
        }
    }
}

/// A board as plain numbers, for a reading of the rules that shares nothing
/// with the library.
struct Grid {
    width: i32,
    height: i32,
    cells: Vec<Cell>,
}

impl Grid {
    fn new(position: &Position) -> Self {
        let size = position.size();
        Self {
            width: i32::from(size.width()),
            height: i32::from(size.height()),
            cells: size.points().map(|point| position.cell(point)).collect(),
        }
    }

    fn at(&self, x: i32, y: i32) -> Cell {
        if (0..self.width).contains(&x) && (0..self.height).contains(&y) {
            self.cells[(y * self.width + x) as usize]
        } else {
            Cell::Wall
        }
    }

    /// Lays five cells over the point in all ways and looks at what is in
    /// them and beside them.
    fn wins(&mut self, rule: Rule, point: Point, colour: Colour) -> bool {
        let (x, y) = (i32::from(point.x()), i32::from(point.y()));
        let own = Cell::from(colour);
        let other = Cell::from(!colour);
        self.cells[(y * self.width + x) as usize] = own;
        let mut won = false;
        for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
            for start in -4..=0 {
                let at = |k: i32| self.at(x + (start + k) * dx, y + (start + k) * dy);
                if !(0..5).all(|k| at(k) == own) {
                    continue;
                }
                let ends = [at(-1), at(5)];
                let more = ends.contains(&own);
                let closed = ends == [other, other];
                won |= match (rule, colour) {
                    (Rule::Freestyle, _) | (Rule::Renju, Colour::White) => true,
                    (Rule::Standard, _) | (Rule::Renju, Colour::Black) => !more,
                    (Rule::Caro, _) => more || !closed,
                    (Rule::CaroExact, _) => !more && !closed,
                };
            }
        }
        self.cells[(y * self.width + x) as usize] = Cell::Empty;
        won
    }
}

/// A crowded board; the numbers depend on the seed alone.
fn crowded_position(seed: u64) -> Position {
    let number = |i: u64, below: u64| mix(seed << 32 | i) % below;
    let side = |i| 5 + number(i, 18) as u8;
    let size = Size::new(side(0), side(1)).unwrap();
    let mut stones = [Vec::new(), Vec::new(), Vec::new()];
    let favoured = number(2, 2) as usize;
    for (i, point) in (3..).zip(size.points()) {
        match number(i, 20) {
            0..=11 => stones[favoured].push(point),
            12..=15 => stones[1 - favoured].push(point),
            16 => stones[2].push(point),
            _ => {}
        }
    }
    let [black, white, blocked] = stones;
    set_up(size, &black, &white, &blocked)
}

#[test]
fn wins_agree_with_a_second_reading() {
    let mut seen = [[0u32; 2]; 5];
    for seed in 0..1500 {
        let position = crowded_position(seed);
        let mut grid = Grid::new(&position);
        for point in position.empty_points() {
            for rule in Rule::ALL {
                for colour in Colour::ALL {
                    let expected = grid.wins(rule, point, colour);
                    let told = judge::wins(&position, rule, point, colour);
                    assert!(
                        told == expected,
                        "{rule}, {colour} {point}: {told} in\n{}",
                        diagram(&position)
                    );
                    seen[rule.index()][usize::from(told)] += 1;
                }
            }
        }
    }
    assert!(seen.as_flattened().iter().all(|&n| n > 1000), "{seen:?}");
}
