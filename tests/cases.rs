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
        limits: Limits::nodes(NODES),
        line_count: 1,
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
