//! Wins by fours, checked without the solver's help: every move must threaten
//! a five, and every reply that prevents it must lose as well. Wins and fouls
//! are the oracle's.

use yonsan::board::{Colour, Point, Position, Size, parse_moves};
use yonsan::eval::classical;
use yonsan::pattern::Board;
use yonsan::rules::{Rule, judge};
use yonsan::threat::{VcfSolver, Verdict};

const BUDGET: u64 = 100_000;

/// Positions from games of the engine against itself, 15x15, freestyle; plies
/// to the five in the line that the solver finds, an upper bound.
const WON: [(&str, u32); 7] = [
    ("a8b6c7e7e6g7c8f8d7f5c9c6d9f9", 19),
    ("g6d2e3g2e7g4a5g3f2d4d5g5g1h3f5i4k6i3f3j5f1f4h4i5i6", 15),
    (
        "a8b6c7e5e6f5g5f6g7g6f7h7i8d5c5f4c6c4e4g3h2h6h5d7f2c9i6j7i5i4k7i7k8k9j8l8i10g8k5j5k6k4l6i9",
        17,
    ),
    (
        "j6i10f11f6h8g9f9g8g10h9f7h11j9e7f8f10j8j10k9i11g11h10j5j7l9",
        17,
    ),
    (
        "d3d4h7d6c7i6c2c6e6d5f3f5g5b5d8c5e5e8d7e7b4e3f2b6a7j6h6h5d2e2g7j7k8j8j5f8g9f7g6g8g4g3f6i8h8\
         i9i7h9f10e11k6",
        11,
    ),
    (
        "h8i8f7j7h9h7j9i7k7i9i6g8g6h6g5i5g7h5h4f6i11j4j5l4k6k5i3m5k3l7m3j3k4h10j11k9k1j2l10k11k10\
         g11f12j10i12h13g12h12h11i10f9g10f10f11e11l6d12g9l5m8e12c12m7d10l12l11c10e13c7c8d6d7f4g3\
         e4g4e5b8e6e7d5d3",
        15,
    ),
    (
        "k10l10k12l12h14i10h10e8g12l11l9k11j11i12i9j8k9j9h11g11k8k6j7i6m9m7h12h13n11m10i11j10j6\
         h8k13g9l13m13n14m14m12k14g8d9k7l8f9f7g6c10b11e10n12n10n15n13n7m8h7i7e11c8f11d8n9o9f8d10\
         f10f12d11c11l14j12c9",
        13,
    ),
];

fn board(moves: &str, rule: Rule) -> Board {
    let size = Size::square(15).unwrap();
    let position = Position::from_moves(size, &parse_moves(moves).unwrap()).unwrap();
    Board::new(position, classical::point_table(rule))
}

fn fives(position: &Position, rule: Rule, colour: Colour) -> Vec<Point> {
    position
        .empty_points()
        .filter(|&point| judge::wins(position, rule, point, colour))
        .collect()
}

/// Plays the solver's win out against every defence; returns the plies of the
/// longest line.
fn check_attack(board: &mut Board, solver: &mut VcfSolver) -> u32 {
    let (rule, attacker) = (board.rule(), board.side_to_move());
    if !fives(board.position(), rule, attacker).is_empty() {
        return 1;
    }
    let verdict = solver.solve(board, BUDGET);
    let Verdict::Win { point, .. } = verdict else {
        panic!("{verdict:?} after {:?}", board.position().stones());
    };
    assert!(fives_prevented(board.position(), rule, attacker, point));
    board.with_move(point, |board| 1 + check_defence(board, solver))
}

/// Whether the opponent has no five left once the attacker has moved.
fn fives_prevented(position: &Position, rule: Rule, attacker: Colour, point: Point) -> bool {
    let mut after = position.clone();
    after.set_side_to_move(attacker);
    after.play(point);
    fives(&after, rule, !attacker).is_empty()
}

fn check_defence(board: &mut Board, solver: &mut VcfSolver) -> u32 {
    let (rule, defender) = (board.rule(), board.side_to_move());
    let threats = fives(board.position(), rule, !defender);
    assert!(!threats.is_empty(), "the attacker's move makes no four");
    let free: Vec<Point> = board.position().empty_points().collect();
    let mut longest = 2;
    for reply in free {
        let is_foul = rule == Rule::Renju
            && defender == Colour::Black
            && judge::renju_foul(board.position(), reply).is_some();
        if is_foul {
            continue;
        }
        let plies = board.with_move(reply, |board| {
            let is_over = !fives(board.position(), rule, !defender).is_empty();
            if is_over {
                2
            } else {
                1 + check_attack(board, solver)
            }
        });
        longest = longest.max(plies);
    }
    longest
}

#[test]
fn wins_hold_against_every_defence() {
    for (moves, plies) in WON {
        let mut board = board(moves, Rule::Freestyle);
        let mut solver = VcfSolver::new();
        let verdict = solver.solve(&mut board, BUDGET);
        let Verdict::Win { plies: found, .. } = verdict else {
            panic!("{verdict:?} for {moves}");
        };
        assert_eq!(found, plies, "{moves}");
        assert_eq!(check_attack(&mut board, &mut solver), plies, "{moves}");
    }
}

/// Many fours, and none of them leads anywhere.
#[test]
fn no_win_is_found_where_there_is_none() {
    let crowded = "k10l10k12l12h14i10h10e8g12l11l9k11j11i12i9j8k9j9h11g11k8k6j7i6m9m7";
    for (moves, positions) in [("h8a1h9b1", 0), (crowded, 100)] {
        let mut solver = VcfSolver::new();
        let mut board = board(moves, Rule::Freestyle);
        let before = board.clone();
        assert_eq!(solver.solve(&mut board, BUDGET), Verdict::NoWin, "{moves}");
        assert!(solver.nodes() >= positions, "{moves}: {}", solver.nodes());
        assert_eq!(board.grid(), before.grid());
        assert_eq!(board.position(), before.position());
    }
    let mut short = VcfSolver::new();
    let verdict = short.solve(&mut board(crowded, Rule::Freestyle), 10);
    assert_eq!(verdict, Verdict::Unknown);
}

/// White's four can only be stopped on a point that is forbidden to Black.
#[test]
fn forbidden_stoppers_are_no_stoppers() {
    let moves = "h8g6f6g5f7g4h7o15g2a1g8";
    let verdict = VcfSolver::new().solve(&mut board(moves, Rule::Renju), BUDGET);
    assert!(
        matches!(verdict, Verdict::Win { plies: 3, .. }),
        "{verdict:?}"
    );
    let verdict = VcfSolver::new().solve(&mut board(moves, Rule::Freestyle), BUDGET);
    assert_eq!(verdict, Verdict::NoWin);
}

/// In caro a four is stopped at its far end too, so it leads nowhere; and a
/// five between two opponents is none.
#[test]
fn caro_fours_have_two_stoppers() {
    use yonsan::threat::wincheck::five_stoppers;
    let mut board = board("g8f8h8a1i8a15j8", Rule::Caro);
    assert_eq!(board.side_to_move(), Colour::White);
    let stoppers: Vec<String> = five_stoppers(&mut board, Colour::Black)
        .iter()
        .map(|point| point.to_string())
        .collect();
    assert_eq!(stoppers, ["k8", "l8"]);
}

/// A win by at most `fours` fours, found by trying everything with the oracle.
fn wins_by_fours(position: &mut Position, rule: Rule, fours: u32) -> bool {
    let attacker = position.side_to_move();
    if !fives(position, rule, attacker).is_empty() {
        return true;
    }
    if fours == 0 {
        return false;
    }
    legal_points(position, rule).into_iter().any(|point| {
        let is_safe = fives_prevented(position, rule, attacker, point);
        position.play(point);
        let wins = is_safe
            && !fives(position, rule, attacker).is_empty()
            && legal_points(position, rule).into_iter().all(|reply| {
                position.play(reply);
                let wins = wins_by_fours(position, rule, fours - 1);
                position.undo();
                wins
            });
        position.undo();
        wins
    })
}

fn legal_points(position: &Position, rule: Rule) -> Vec<Point> {
    let is_black = position.side_to_move() == Colour::Black;
    let is_foul = |&point: &Point| {
        rule == Rule::Renju && is_black && judge::renju_foul(position, point).is_some()
    };
    position.empty_points().filter(|p| !is_foul(p)).collect()
}

/// No short win is missed, and none is made up, wherever the stones are.
#[test]
fn short_wins_are_those_of_plain_search() {
    let size = Size::square(7).unwrap();
    let mut found = [0; 2];
    for seed in 0..500u64 {
        let rule = Rule::ALL[seed as usize % 5];
        let position = scattered_stones(size, seed);
        let mut board = Board::new(position.clone(), classical::point_table(rule));
        let attacker = position.side_to_move();
        if !fives(&position, rule, attacker).is_empty() {
            continue;
        }
        let verdict = VcfSolver::new().solve(&mut board, BUDGET);
        let is_won = wins_by_fours(&mut position.clone(), rule, 2);
        found[usize::from(is_won)] += 1;
        if is_won {
            assert!(
                matches!(verdict, Verdict::Win { .. }),
                "{rule} {position:?}"
            );
            let shortest = VcfSolver::new().solve_shortest(&mut board, BUDGET);
            let fours = (1..=2).find(|&n| wins_by_fours(&mut position.clone(), rule, n));
            let Verdict::Win { plies, .. } = shortest else {
                panic!("{shortest:?}");
            };
            assert_eq!(Some(plies), fours.map(|n| 2 * n + 1), "{rule} {position:?}");
        } else if let Verdict::Win { plies, .. } = verdict {
            assert!(plies > 5, "{rule} {position:?}");
        }
    }
    assert!(found.iter().all(|&n| n > 40), "{found:?}");
}

/// About half of the points taken, by either side alike, without fives.
fn scattered_stones(size: Size, seed: u64) -> Position {
    let mut position = Position::new(size);
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    for _ in 0..24 {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let points: Vec<Point> = position.empty_points().collect();
        let point = points[(state >> 33) as usize % points.len()];
        let colour = position.side_to_move();
        let is_over = Rule::ALL
            .iter()
            .any(|&rule| judge::wins(&position, rule, point, colour));
        if !is_over {
            position.play(point);
        }
    }
    position
}
