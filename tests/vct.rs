//! Wins by fours and threes, played out against every legal defence by the
//! slow referee, which knows nothing but the tree and the rules; and a look at
//! whether the referee would notice if they were wrong.
//!
//! All puzzles take a while: without `YONSAN_ALL_PUZZLES` in the environment
//! only the short ones, and some of the others, are played out.

#[path = "common/puzzles.rs"]
mod puzzles;

use puzzles::{Kind, Puzzle, puzzles};
use std::collections::HashSet;
use yonsan::board::{Colour, Point, Position, Size, mix, parse_moves};
use yonsan::eval::classical;
use yonsan::pattern::Board;
use yonsan::rules::{Rule, judge};
use yonsan::threat::referee::{self, Fault};
use yonsan::threat::{VcfSolver, VctSolver, Verdict, WinTree};

const BUDGET: u64 = 1_000_000;

fn board(position: &Position, rule: Rule) -> Board {
    Board::new(position.clone(), classical::point_table(rule))
}

fn chosen() -> Vec<Puzzle> {
    let is_all = std::env::var_os("YONSAN_ALL_PUZZLES").is_some();
    let is_quick = |&(i, ref puzzle): &(usize, Puzzle)| match puzzle.plies {
        ..=7 => true,
        8..=9 => i % 3 == 0,
        10..=13 => i % 8 == 0,
        _ => false,
    };
    puzzles()
        .into_iter()
        .enumerate()
        .filter(|numbered| is_all || is_quick(numbered))
        .map(|(_, puzzle)| puzzle)
        .collect()
}

#[test]
fn there_are_puzzles_of_all_sorts() {
    let puzzles = puzzles();
    assert!(puzzles.len() >= 300, "{}", puzzles.len());
    let ids: HashSet<&str> = puzzles.iter().map(|puzzle| puzzle.id.as_str()).collect();
    assert_eq!(ids.len(), puzzles.len(), "an id stands twice");
    for rule in Rule::ALL {
        for kind in [Kind::Vcf, Kind::Vct] {
            let of_sort = |p: &&Puzzle| p.rule == rule && p.kind == kind;
            let lengths: HashSet<u32> = puzzles.iter().filter(of_sort).map(|p| p.plies).collect();
            assert!(lengths.len() >= 3, "{rule} {kind:?}: {lengths:?}");
        }
    }
    for puzzle in &puzzles {
        assert!(puzzle.plies >= 5 && puzzle.plies % 2 == 1, "{}", puzzle.id);
        assert!(!puzzle.theme.is_empty(), "{}", puzzle.id);
    }
}

#[test]
fn puzzles_are_won_against_every_defence() {
    let puzzles = chosen();
    assert!(puzzles.len() >= 40, "{}", puzzles.len());
    let mut solver = VctSolver::with_bytes(16 << 20);
    for puzzle in puzzles {
        solver.clear();
        let id = &puzzle.id;
        let mut board = board(&puzzle.position, puzzle.rule);
        let tree = solver
            .win_tree(&mut board, puzzle.plies, BUDGET)
            .unwrap_or_else(|| panic!("{id}: not solved"));
        assert_eq!(*board.position(), puzzle.position, "{id}");
        let result = referee::check(&tree, &puzzle.position, puzzle.rule);
        let plies = result.unwrap_or_else(|refutation| panic!("{id}: {refutation}"));
        assert!(plies <= puzzle.plies, "{id}: {plies} plies");
        let first = tree.nodes().last().unwrap().point;
        assert!(puzzle.firsts.is_none_or(|f| f.contains(&first)), "{id}");
    }
}

#[test]
fn fours_alone_win_where_they_should() {
    for puzzle in chosen() {
        let id = &puzzle.id;
        let mut solver = VcfSolver::new();
        let mut board = board(&puzzle.position, puzzle.rule);
        let tree = solver.win_tree(&mut board, BUDGET);
        assert_eq!(tree.is_some(), puzzle.kind == Kind::Vcf, "{id}");
        if let Some(tree) = tree {
            let result = referee::check(&tree, &puzzle.position, puzzle.rule);
            assert!(result.is_ok(), "{id}: {result:?}");
        }
    }
}

/// What is known of the compositions: won in so many plies, not in fewer.
#[test]
fn compositions_are_not_won_sooner() {
    let puzzles = puzzles();
    let is_composed = |p: &&Puzzle| p.id.parse::<u32>().is_ok_and(|number| number < 100);
    let composed: Vec<&Puzzle> = puzzles.iter().filter(is_composed).collect();
    assert!(composed.len() >= 12, "{}", composed.len());
    for puzzle in composed {
        let mut board = board(&puzzle.position, puzzle.rule);
        let mut solver = VctSolver::new();
        let verdict = solver.solve_within(&mut board, puzzle.plies, BUDGET);
        assert!(matches!(verdict, Verdict::Win { plies, .. } if plies == puzzle.plies));
        let sooner = solver.solve_within(&mut board, puzzle.plies - 2, BUDGET);
        assert_eq!(sooner, Verdict::NoWin, "{}", puzzle.id);
    }
}

/// What the compositions are about, worked out by hand: a move that wins under
/// one of two rules, the puzzle's own and another, and not under the other one.
#[test]
fn compositions_turn_on_their_rule() {
    const THEMES: [(&str, &str, Rule, bool); 6] = [
        ("a six is no five", "h8", Rule::Freestyle, false),
        ("the double three is a foul", "h8", Rule::Standard, false),
        ("the stopper is a foul", "e11", Rule::Freestyle, true),
        ("a closed five is none", "h8", Rule::Freestyle, false),
        ("six win though closed", "g8", Rule::Standard, true),
        ("six are no win", "h8", Rule::Caro, false),
    ];
    for (theme, point, other, wins_under_own) in THEMES {
        let point = point.parse().unwrap();
        let puzzles = puzzles();
        let mut of_theme = puzzles.iter().filter(|p| p.theme == theme).peekable();
        assert!(of_theme.peek().is_some(), "{theme}");
        for puzzle in of_theme {
            let wins = |rule| {
                let mut board = board(&puzzle.position, rule);
                let verdict = VctSolver::new().solve_move(&mut board, point, BUDGET);
                matches!(verdict, Verdict::Win { .. })
            };
            let id = &puzzle.id;
            assert_eq!(wins(puzzle.rule), wins_under_own, "{id}: {theme}");
            assert_eq!(wins(other), !wins_under_own, "{id}: {theme}, {other}");
        }
    }
}

/// A four-three for Black: h8, then an open four in the column.
const FOUR_THREE: &str = "e8d8f8a1g8o1h9a15h10o15";

fn four_three_tree() -> (Position, WinTree) {
    let moves = parse_moves(FOUR_THREE).unwrap();
    let position = Position::from_moves(Size::square(15).unwrap(), &moves).unwrap();
    let mut board = board(&position, Rule::Freestyle);
    let tree = VctSolver::new().win_tree(&mut board, 5, BUDGET).unwrap();
    (position, tree)
}

fn fault(position: &Position, tree: &WinTree) -> Option<Fault> {
    let result = referee::check(tree, position, Rule::Freestyle);
    result.err().map(|refutation| refutation.fault)
}

#[test]
fn the_referee_notices_wrong_wins_by_fours() {
    let (position, tree) = four_three_tree();
    assert_eq!(referee::check(&tree, &position, Rule::Freestyle), Ok(5));
    let root = tree.nodes().len() - 1;
    let spoiled = |index: usize, spoil: &dyn Fn(&mut yonsan::threat::WinNode)| {
        let mut tree = tree.clone();
        spoil(tree.node_mut(index).unwrap());
        fault(&position, &tree)
    };
    assert_eq!(spoiled(root, &|_| ()), None);
    let taken: Point = "e8".parse().unwrap();
    let far: Point = "c3".parse().unwrap();
    assert_eq!(spoiled(root, &|n| n.point = taken), Some(Fault::BadMove));
    assert_eq!(spoiled(root, &|n| n.point = far), Some(Fault::NotMet));
    assert_eq!(spoiled(root, &|n| n.answers.clear()), Some(Fault::NotMet));
    assert_eq!(spoiled(root, &|n| n.plies -= 2), Some(Fault::TooLong));
    for index in 0..root {
        assert!(spoiled(index, &|n| n.point = far).is_some(), "{index}");
    }
    assert_eq!(fault(&position, &WinTree::default()), Some(Fault::NoNode));
    let other = referee::check(&tree, &position, Rule::Standard);
    assert_eq!(other, Ok(5), "h8 makes exactly five here");
}

/// A double three; White has nothing anywhere.
#[test]
fn the_referee_notices_wrong_wins_by_threes() {
    let moves = parse_moves("f8a1g8o1h9a15h10o15").unwrap();
    let position = Position::from_moves(Size::square(15).unwrap(), &moves).unwrap();
    let mut board = board(&position, Rule::Freestyle);
    let tree = VctSolver::new().win_tree(&mut board, 5, BUDGET).unwrap();
    assert_eq!(referee::check(&tree, &position, Rule::Freestyle), Ok(5));
    let root = tree.nodes().len() - 1;
    assert!(!tree.nodes()[root].otherwise.is_empty());
    for number in 0..tree.nodes()[root].answers.len() {
        let mut tree = tree.clone();
        let far = "c3".parse().unwrap();
        let (_, id) = tree.node(tree.root().unwrap()).unwrap().answers[number];
        let index = tree.nodes().iter().position(|n| Some(n) == tree.node(id));
        tree.node_mut(index.unwrap()).unwrap().point = far;
        assert!(fault(&position, &tree).is_some(), "answer {number}");
    }
    let mut bare = tree.clone();
    bare.node_mut(root).unwrap().otherwise.clear();
    assert_eq!(fault(&position, &bare), Some(Fault::NotMet));
    let renju = referee::check(&tree, &position, Rule::Renju).unwrap_err();
    assert_eq!(renju.fault, Fault::BadMove, "a double three is a foul");
}

/// Crowded positions by chance, under every rule: caro's far ends and renju's
/// fouls come up everywhere. Whatever is claimed must stand up to the referee.
#[test]
fn claims_on_random_boards_are_true() {
    let is_all = std::env::var_os("YONSAN_ALL_PUZZLES").is_some();
    let rounds = if is_all { 4_000 } else { 150 };
    for rule in Rule::ALL {
        let mut solver = VctSolver::new();
        let (mut wins, mut by_threes) = (0, 0);
        for seed in 0..rounds {
            let Some(position) = random_position(rule, seed) else {
                continue;
            };
            let mut board = board(&position, rule);
            let Some(tree) = solver.win_tree(&mut board, 15, 3_000) else {
                continue;
            };
            let result = referee::check(&tree, &position, rule);
            let text = yonsan::board::diagram(&position);
            assert!(result.is_ok(), "{rule} {seed}: {result:?}\n{text}");
            wins += 1;
            by_threes += u32::from(tree.nodes().iter().any(|n| !n.otherwise.is_empty()));
        }
        assert!(
            wins >= rounds / 10 && by_threes >= 3,
            "{rule}: {wins}, {by_threes}"
        );
    }
}

/// A position without a five on it in which none can be made at once, with
/// stones put down at random near one another.
fn random_position(rule: Rule, seed: u64) -> Option<Position> {
    let mut state = mix(seed ^ (rule.code() as u64) << 40);
    let mut random = |below: u64| {
        state = mix(state);
        state % below
    };
    let size = Size::new(7 + random(6) as u8, 7 + random(6) as u8)?;
    let mut position = Position::new(size);
    let free: Vec<Point> = size.points().collect();
    let stones = size.area() as u64 / 4 + random(size.area() as u64 / 4);
    for _ in 0..stones {
        let point = free[random(free.len() as u64) as usize];
        let side = position.side_to_move();
        if !position.is_empty(point) || judge::wins(&position, rule, point, side) {
            continue;
        }
        let is_foul = rule == Rule::Renju
            && side == Colour::Black
            && judge::renju_foul(&position, point).is_some();
        if !is_foul {
            position.play(point);
        }
    }
    let makes_five = |p| {
        Colour::ALL
            .iter()
            .any(|&c| judge::wins(&position, rule, p, c))
    };
    let is_open = position.empty_points().any(makes_five);
    (!is_open).then_some(position)
}

#[test]
fn the_budget_is_kept_and_the_board_left_alone() {
    let puzzle = puzzles().into_iter().find(|p| p.plies >= 11).unwrap();
    let mut board = board(&puzzle.position, puzzle.rule);
    let before = board.clone();
    let mut solver = VctSolver::new();
    assert_eq!(solver.solve(&mut board, 5), Verdict::Unknown);
    assert!(solver.nodes() <= 500, "{}", solver.nodes());
    let verdict = solver.solve(&mut board, BUDGET);
    assert!(matches!(verdict, Verdict::Win { .. }), "{verdict:?}");
    assert_eq!(board.grid(), before.grid());
    assert_eq!(board.position(), before.position());
}

#[test]
fn the_opponents_win_shows_after_a_pass() {
    let moves = parse_moves(FOUR_THREE).unwrap();
    let mut position = Position::from_moves(Size::square(15).unwrap(), &moves).unwrap();
    position.set_side_to_move(Colour::White);
    let mut board = board(&position, Rule::Freestyle);
    let mut solver = VctSolver::new();
    assert_eq!(solver.solve(&mut board, BUDGET), Verdict::NoWin);
    let verdict = solver.solve_after_pass(&mut board, BUDGET);
    assert!(
        matches!(verdict, Verdict::Win { plies: 5, .. }),
        "{verdict:?}"
    );
    assert_eq!(board.side_to_move(), Colour::White);
}

/// The four-three, but White has two open threes far apart: whoever makes no
/// four loses, and i8 is a four that leads nowhere.
#[test]
fn only_the_right_first_move_wins() {
    let moves = parse_moves("e8d8f8k3g8l3h9m3h10c11a15c12o15c13").unwrap();
    let position = Position::from_moves(Size::square(15).unwrap(), &moves).unwrap();
    let mut board = board(&position, Rule::Freestyle);
    let mut solver = VctSolver::new();
    let won: Vec<String> = position
        .empty_points()
        .filter(|&point| {
            let verdict = solver.solve_move(&mut board, point, BUDGET);
            matches!(verdict, Verdict::Win { .. })
        })
        .map(|point| point.to_string())
        .collect();
    assert_eq!(won, ["h8"]);
}
