//! Positions that other engines have got wrong, as reported in public: the
//! engine must play an accepted move and none of the rejected ones.
//!
//! `data/cases/positions.tsv`: number of the case, protocol code of the rule,
//! size, side to move, moves, accepted moves (`*` any legal one), rejected
//! moves, note.

use yonsan::board::{Colour, Point, Position, Size, parse_moves};
use yonsan::engine::{Engine, Options, Outcome, Request};
use yonsan::rules::{Rule, judge};
use yonsan::search::{Control, Limits};

/// Enough for every case, and about a second.
const NODES: u64 = 300_000;

struct Case {
    id: &'static str,
    rule: Rule,
    position: Position,
    accepted: Option<Vec<Point>>,
    rejected: Vec<Point>,
}

fn cases() -> Vec<Case> {
    let lines = include_str!("data/cases/positions.tsv").lines();
    lines
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let fields: Vec<&'static str> = line.split('\t').collect();
            let [id, rule, size, side, moves, accepted, rejected, _] = fields[..] else {
                panic!("{line}: {} fields", fields.len());
            };
            let size = Size::square(size.parse().unwrap()).unwrap();
            let position = Position::from_moves(size, &parse_moves(moves).unwrap()).unwrap();
            let expected = if side == "B" {
                Colour::Black
            } else {
                Colour::White
            };
            assert_eq!(position.side_to_move(), expected, "{id}");
            Case {
                id,
                rule: Rule::from_code(rule.parse().unwrap()).unwrap(),
                position,
                accepted: (accepted != "*").then(|| parse_moves(accepted).unwrap()),
                rejected: parse_moves(rejected).unwrap(),
            }
        })
        .collect()
}

fn search(case: &Case) -> Outcome {
    search_lines(case, 1)
}

fn search_lines(case: &Case, line_count: usize) -> Outcome {
    search_within(case, line_count, Limits::nodes(NODES))
}

fn search_within(case: &Case, line_count: usize, limits: Limits) -> Outcome {
    let mut engine = Engine::new();
    engine.set_options(Options {
        threads: 1,
        memory_bytes: None,
        hash_bytes: Some(16 << 20),
        ..Options::default()
    });
    let request = Request {
        position: case.position.clone(),
        rule: case.rule,
        limits,
        line_count,
    };
    engine.go(&request, &Control::new(), &mut ()).unwrap()
}

#[test]
fn reported_positions_get_an_accepted_move() {
    let cases = cases();
    assert_eq!(cases.len(), 23);
    for case in cases {
        let best = search(&case).best;
        let id = case.id;
        assert!(case.position.is_empty(best), "{id}: {best} is taken");
        assert!(!case.rejected.contains(&best), "{id}: {best} is wrong");
        if case.rule == Rule::Renju && case.position.side_to_move() == Colour::Black {
            assert_eq!(
                judge::renju_foul(&case.position, best),
                None,
                "{id}: {best}"
            );
        }
        if let Some(accepted) = &case.accepted {
            assert!(accepted.contains(&best), "{id}: {best}, not {accepted:?}");
        }
    }
}

/// A proven win is never longer than the board has free points, and a lost
/// game is not searched to the end of time.
#[test]
fn proofs_fit_on_the_board() {
    for case in cases() {
        let score = search(&case).score;
        let plies = score.win_plies().or(score.loss_plies()).unwrap_or(0);
        assert!(plies <= case.position.empty_count(), "{}: {score}", case.id);
    }
}

fn case(id: &'static str, rule: Rule, moves: &str) -> Case {
    let moves = parse_moves(moves).unwrap();
    Case {
        id,
        rule,
        position: Position::from_moves(Size::square(15).unwrap(), &moves).unwrap(),
        accepted: None,
        rejected: Vec::new(),
    }
}

/// Case 2: `i14`, `k12`, `g12` was said to win, but loses to `k13`. Before each
/// move of that line nothing of the kind is claimed.
#[test]
fn a_line_that_fails_is_no_win() {
    let moves = "h13h11j13i13i12j11i10i11g11k11l11j12l10h10g9j10";
    let fails = parse_moves("i14g12").unwrap();
    for more in ["", "i14k12"] {
        let case = case("2", Rule::Freestyle, &format!("{moves}{more}"));
        let Outcome { best, score, .. } = search(&case);
        let is_claimed = fails.contains(&best) && score.win_plies().is_some();
        assert!(!is_claimed && best != fails[1], "{more}: {best} {score}");
    }
}

/// Case 4: a search got swamped by fours in the corners that lead nowhere. Groups of
/// stones that are good for such fours, two or four of them, open or closed, must not
/// double the positions that a depth takes. That is a mean: from one depth and position to
/// the next the number jumps up and down by more.
#[test]
fn harmless_fours_do_not_swamp_the_search() {
    let fight = "h2h5h4f6i6f5i5i4j6k7g6h6j5f4f3h8i2g2g3f2j4j3k5k2l1h7h9l6e3h3g7g5j8j7f8g10e9\
                 f9e10e11e8d8e7e6d7d5e5c11g9h10c4c5i10j11d9f7c10f11b11a12c7c9";
    let at_the_top = "b15a15c15n15d15m15o15l15";
    let at_the_sides = "o2o1o3a2o4a3a1a4";
    // A four and its answer in each group.
    let closed = "e15f15j15k15o5o6a5a6";
    let logarithm = |groups: &[&str], depth: u32| {
        let case = case("4", Rule::Freestyle, &format!("{fight}{}", groups.concat()));
        let outcome = search_within(&case, 1, Limits::depth(depth));
        assert_eq!(outcome.depth, depth, "{groups:?}");
        (outcome.nodes as f64).ln()
    };
    let mut ratios = Vec::new();
    for depth in 8..=11 {
        let without = logarithm(&[], depth);
        for groups in [
            &[at_the_top][..],
            &[at_the_sides],
            &[at_the_top, at_the_sides],
            &[at_the_top, at_the_sides, closed],
        ] {
            ratios.push(logarithm(groups, depth) - without);
        }
    }
    let mean = (ratios.iter().sum::<f64>() / ratios.len() as f64).exp();
    assert!(mean < 2.0, "{mean}: {ratios:.2?}");
}

/// Case 11: with ten best moves asked for, the seventh was shown with a mate in
/// more moves than there were free points.
#[test]
fn proofs_of_all_lines_fit_on_the_board() {
    const LINES: usize = 10;
    let moves = "h8h9h6i10i6i9g9g8j11i7h7h5i11h10j8j9h11g11g6f6k8g10f10k10j10l11j6k6i8l8l9f5f7\
                 h3m10j7";
    let case = case("11", Rule::Renju, moves);
    let outcome = search_lines(&case, LINES);
    assert_eq!(outcome.lines.len(), LINES);
    for line in outcome.lines {
        let plies = line.score.win_plies().or(line.score.loss_plies());
        let most = case.position.empty_count();
        assert!(
            plies.unwrap_or(0) <= most,
            "{}: {}",
            line.moves[0],
            line.score
        );
    }
}

/// White must stop a four and wins by that. Who wants the move gets it at once;
/// who wants to know what it is worth gets that.
#[test]
fn the_only_move_is_judged_where_its_score_is_wanted() {
    let moves = "j4k8j9f8g9f6f10h8h10f7f9f5f4g8e8i9j10i10h9e5g7e6e9d9d5e4e7e3";
    let only = parse_moves("e2").unwrap()[0];
    let case = case("puzzle 196", Rule::Standard, moves);
    for judges_only_move in [false, true] {
        let limits = Limits {
            judges_only_move,
            ..Limits::nodes(NODES)
        };
        let Outcome {
            best, score, nodes, ..
        } = search_within(&case, 1, limits);
        assert_eq!(best, only);
        if judges_only_move {
            assert!(score.win_plies().is_some(), "{score}");
        } else {
            assert!(nodes < NODES / 10, "{nodes}");
        }
    }
}
