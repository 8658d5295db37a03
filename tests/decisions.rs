//! The engine's decisions in opening procedures: always allowed, the same for
//! the same seed, in time, and sensible where there is no doubt.

use std::time::{Duration, Instant};
use yonsan::board::Colour::{Black, White};
use yonsan::board::{Size, parse_moves};
use yonsan::engine::opening::{Decision, OpeningRequest};
use yonsan::engine::{Engine, Options};
use yonsan::rules::Rule;
use yonsan::rules::opening::{Act, Demand, Opening, Procedure};
use yonsan::search::{Control, Limits};

const MIB: u64 = 1 << 20;

fn engine() -> Engine {
    let mut engine = Engine::new();
    engine.set_options(Options {
        threads: 1,
        hash_bytes: Some(4 * MIB),
        ..Options::default()
    });
    engine
}

fn request(opening: &Opening, rule: Rule, limits: Limits, seed: u64) -> OpeningRequest {
    OpeningRequest {
        opening: opening.clone(),
        rule,
        limits,
        seed,
    }
}

/// Decides with a new engine and so many positions.
fn decide(opening: &Opening, rule: Rule, nodes: u64, seed: u64) -> Decision {
    let request = request(opening, rule, Limits::nodes(nodes), seed);
    let decision = engine().decide(&request, &Control::new(), &mut ());
    decision.expect("a decision in an opening that is not finished")
}

fn square(side: u8) -> Size {
    Size::square(side).unwrap()
}

/// An opening on 15x15 after these acts.
fn after(procedure: Procedure, acts: &[Act]) -> Opening {
    let mut opening = Opening::new(procedure, square(15)).unwrap();
    for act in acts {
        opening.apply(act).unwrap();
    }
    opening
}

fn place(text: &str) -> Act {
    Act::Place(parse_moves(text).unwrap())
}

#[test]
fn every_decision_is_allowed() {
    for (side, seed) in [(5, 1), (6, 2), (9, 3), (15, 4), (22, 5)] {
        for procedure in Procedure::ALL {
            let Ok(mut opening) = Opening::new(procedure, square(side)) else {
                continue;
            };
            let rule = Rule::ALL[usize::from(side) % Rule::ALL.len()];
            let mut engine = engine();
            while !opening.is_finished() {
                let request = request(&opening, rule, Limits::nodes(1_500), seed);
                let decision = engine.decide(&request, &Control::new(), &mut ()).unwrap();
                let result = opening.apply(&decision.act);
                assert_eq!(result, Ok(()), "{procedure} on {side}: {decision:?}");
                if let Some(reply) = decision.reply {
                    assert!(opening.position().is_empty(reply));
                    assert!(opening.is_finished());
                }
            }
            let request = request(&opening, rule, Limits::nodes(100), seed);
            assert_eq!(engine.decide(&request, &Control::new(), &mut ()), None);
        }
    }
}

#[test]
fn seeds_make_different_openings_and_the_same_again() {
    let begin = after(Procedure::Swap2, &[]);
    let put = |seed| decide(&begin, Rule::Standard, 2_000, seed).act;
    let acts: Vec<Act> = (0..6).map(put).collect();
    for (index, act) in acts.iter().enumerate() {
        assert!(!acts[..index].contains(act), "{act:?} twice");
    }
    assert_eq!(put(3), acts[3]);
}

#[test]
fn own_openings_look_even() {
    let begin = after(Procedure::Swap2, &[]);
    for seed in 0..5 {
        let decision = decide(&begin, Rule::Freestyle, 5_000, seed);
        let score = decision.score.expect("a score").raw();
        assert!(score.abs() < 100, "{decision:?}");
    }
}

/// Two black stones in the middle against a white one in the corner, and the
/// other way round.
#[test]
fn colours_are_chosen_where_there_is_no_doubt() {
    for procedure in [Procedure::Swap, Procedure::Swap2, Procedure::Rif] {
        let (good, bad) = match procedure {
            Procedure::Rif => ("h8i9h6", "h8h9j10"),
            _ => ("h8a1i9", "a1h8o15"),
        };
        for rule in [Rule::Freestyle, Rule::Standard, Rule::Caro] {
            let opening = after(procedure, &[place(good)]);
            let decision = decide(&opening, rule, 20_000, 1);
            assert_eq!(decision.act, Act::Choose(Black), "{procedure} {rule}");
            assert_eq!(decision.reply, None);
        }
        if procedure == Procedure::Rif {
            continue;
        }
        let opening = after(procedure, &[place(bad)]);
        let decision = decide(&opening, Rule::Standard, 20_000, 1);
        assert_eq!(decision.act, Act::Choose(White), "{procedure}");
        assert!(decision.reply.is_some());
    }
}

#[test]
fn five_stones_are_a_choice_of_colour() {
    // Black has an open three, then White has one and is to move.
    for (moves, colour) in [("h8a1i9a15j10", Black), ("a1h8o15i9a15", White)] {
        let (three, two) = moves.split_at(if colour == Black { 6 } else { 7 });
        let opening = after(Procedure::Swap2, &[place(three), place(two)]);
        let decision = decide(&opening, Rule::Standard, 5_000, 1);
        assert_eq!(decision.act, Act::Choose(colour), "{moves}");
    }
}

#[test]
fn pro_stones_stand_where_they_must_and_near_the_others() {
    for (procedure, radius) in [(Procedure::Pro, 2), (Procedure::LongPro, 3)] {
        let opening = after(procedure, &[place("h8"), place("i9")]);
        let Act::Place(points) = decide(&opening, Rule::Freestyle, 5_000, 1).act else {
            panic!("no stone");
        };
        let distance = points[0].distance(square(15).centre());
        assert!(distance > radius && distance <= 5, "{points:?}");
    }
}

/// One of the fifth moves offered lets White win at once, so White takes it.
#[test]
fn white_picks_the_fifth_move_that_is_worst_for_black() {
    let acts = [
        place("h8h9h7"),
        Act::Choose(White),
        place("i9"),
        Act::Offer(parse_moves("h6a1").unwrap()),
    ];
    let opening = after(Procedure::Rif, &acts);
    let decision = decide(&opening, Rule::Renju, 20_000, 1);
    assert_eq!(decision.act, Act::Pick(parse_moves("a1").unwrap()[0]));
}

#[test]
fn white_asks_for_more_fifth_moves_where_black_is_strong() {
    let count = |moves: &str, fourth: &str| {
        let acts = [place(moves), Act::Choose(White), place(fourth)];
        let opening = after(Procedure::Soosorv, &acts);
        match decide(&opening, Rule::Renju, 60_000, 1).act {
            Act::FifthCount(count) => count,
            other => panic!("{other:?}"),
        }
    };
    assert!(count("h8i9j10", "a15") >= 5);
}

/// Black's ten fifth moves are all good when White has played into the corner
/// of its square; when White stands well Black had better not offer them.
#[test]
fn black_offers_ten_fifth_moves_only_if_they_are_good() {
    let begin = |second: &str, third: &str, fourth: &str| {
        after(
            Procedure::Taraguchi,
            &[
                place("h8"),
                Act::Choose(White),
                place(second),
                Act::Choose(Black),
                place(third),
                Act::Choose(White),
                place(fourth),
            ],
        )
    };
    let strong = decide(&begin("i9", "h7", "k11"), Rule::Renju, 60_000, 1);
    assert!(
        matches!(&strong.act, Act::Offer(points) if points.len() == 10),
        "{strong:?}"
    );
    let weak = decide(&begin("h9", "j10", "i9"), Rule::Renju, 60_000, 1);
    assert_eq!(weak.act, Act::Choose(White), "{weak:?}");
}

#[test]
fn time_and_stops_are_kept() {
    let begin = after(Procedure::Swap2, &[]);
    let choice = after(Procedure::Swap2, &[place("h8i9j7")]);
    let mut engine = engine();
    for opening in [&begin, &choice] {
        for turn in [0, 200] {
            let started = Instant::now();
            let limits = Limits::time(Duration::from_millis(turn));
            let request = request(opening, Rule::Standard, limits, 1);
            assert!(engine.decide(&request, &Control::new(), &mut ()).is_some());
            let elapsed = started.elapsed();
            // A shared machine can be slow, not so slow.
            assert!(elapsed < Duration::from_millis(turn + 300), "{elapsed:?}");
        }
        let control = Control::new();
        control.stop();
        let started = Instant::now();
        let request = request(opening, Rule::Standard, Limits::unlimited(), 1);
        assert!(engine.decide(&request, &control, &mut ()).is_some());
        assert!(started.elapsed() < Duration::from_millis(500));
    }
}

#[test]
fn a_third_way_is_taken_only_if_it_is_even() {
    let mut ways = [0; 2];
    for seed in 0..12 {
        let mut opening = after(Procedure::Swap2, &[]);
        let three = decide(&opening, Rule::Standard, 4_000, seed);
        opening.apply(&three.act).unwrap();
        let decision = decide(&opening, Rule::Standard, 4_000, seed);
        match decision.act {
            Act::Place(points) => {
                assert_eq!(points.len(), 2);
                assert!(decision.score.unwrap().raw().abs() <= 30);
                ways[0] += 1;
            }
            Act::Choose(_) => ways[1] += 1,
            other => panic!("{other:?} for {:?}", Demand::Colour),
        }
    }
    assert!(ways[0] > 0, "no position was unclear: {ways:?}");
}
