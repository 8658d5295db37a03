//! Caro: a five closed at both ends is none, and all that follows from it.
//!
//! The positions of `data/caro` have a few good moves each. A plain search with
//! the slow judge, which knows nothing of the engine, shows that these win or
//! hold and that every other move loses by force; then the engine is asked.

#[path = "common/caro.rs"]
mod caro;
#[path = "common/fours.rs"]
mod fours;

use caro::{Aim, Study, studies};
use fours::{Fate, fate, fives, four_candidates};
use std::collections::HashSet;
use yonsan::board::{Colour, Point, Position, Size, mix};
use yonsan::engine::{Engine, Options, Outcome, Request};
use yonsan::rules::{Rule, judge};
use yonsan::search::{Control, Limits};

/// Positions the engine may search: a small part of a second.
const NODES: u64 = 10_000;

#[test]
fn there_are_positions_of_all_sorts() {
    let studies = studies();
    assert!(studies.len() >= 60, "{}", studies.len());
    let ids: HashSet<&str> = studies.iter().map(|study| study.id.as_str()).collect();
    assert_eq!(ids.len(), studies.len(), "an id stands twice");
    for rule in [Rule::Caro, Rule::CaroExact] {
        for aim in [Aim::Wins, Aim::Holds] {
            for side in Colour::ALL {
                let of_sort = |s: &&Study| {
                    s.rules.contains(&rule) && s.aim == aim && s.position.side_to_move() == side
                };
                let count = studies.iter().filter(of_sort).count();
                assert!(count >= 5, "{rule} {aim:?} {side:?}: {count}");
            }
        }
    }
}

/// The moves that are listed win, or hold, and all others lose.
#[test]
fn good_moves_are_proven() {
    for study in studies() {
        let mut position = study.position.clone();
        for &rule in &study.rules {
            for point in study.position.empty_points() {
                let expected = if study.best.contains(&point) {
                    fate_aimed_at(&study)
                } else {
                    Fate::Loses
                };
                let found = fate(&mut position, rule, point);
                assert_eq!(found, expected, "{} {rule}: {point}", study.id);
            }
        }
    }
}

fn fate_aimed_at(study: &Study) -> Fate {
    match study.aim {
        Aim::Wins => Fate::Wins,
        Aim::Holds => Fate::Holds,
    }
}

/// Under another rule other moves would be good: each position is about what
/// is special in caro.
#[test]
fn positions_turn_on_their_rule() {
    for study in studies() {
        let others = [Rule::Freestyle, Rule::Caro, Rule::CaroExact];
        let mut others = others.iter().filter(|rule| !study.rules.contains(rule));
        assert!(
            others.any(|&rule| is_other_under(&study, rule)),
            "{}",
            study.id
        );
    }
}

fn is_other_under(study: &Study, rule: Rule) -> bool {
    let mut position = study.position.clone();
    let mut is_good = |point: Point| fate(&mut position, rule, point) == fate_aimed_at(study);
    let mut others = study.position.empty_points();
    !study.best.iter().all(|&point| is_good(point))
        || others.any(|point| !study.best.contains(&point) && is_good(point))
}

fn search(study: &Study, rule: Rule) -> Outcome {
    let mut engine = Engine::new();
    engine.set_options(Options {
        threads: 1,
        memory_bytes: None,
        hash_bytes: Some(16 << 20),
        ..Options::default()
    });
    let request = Request {
        position: study.position.clone(),
        rule,
        limits: Limits::nodes(NODES),
        line_count: 1,
    };
    engine.go(&request, &Control::new(), &mut ()).unwrap()
}

#[test]
fn the_engine_plays_good_moves() {
    for study in studies() {
        let id = &study.id;
        for &rule in &study.rules {
            let outcome = search(&study, rule);
            let best = outcome.best;
            assert!(study.best.contains(&best), "{id} {rule}: {best}");
            let is_win = outcome.score.win_plies().is_some();
            if study.aim == Aim::Wins {
                assert!(is_win, "{id} {rule}: {best} with {}", outcome.score);
            }
        }
    }
}

/// Looking only where stones of the colour are near misses nothing.
#[test]
fn the_plain_search_looks_everywhere_it_must() {
    let mut found = [0; 2];
    for seed in 0..120 {
        let position = scattered_stones(seed);
        for rule in [Rule::Caro, Rule::CaroExact, Rule::Freestyle] {
            for colour in Colour::ALL {
                let all: Vec<Point> = position.empty_points().collect();
                let wins = |p: &Position, point| judge::wins(p, rule, point, colour);
                let slow: Vec<Point> = all
                    .iter()
                    .copied()
                    .filter(|&p| wins(&position, p))
                    .collect();
                assert_eq!(fives(&position, rule, colour), slow, "{rule} {seed}");
                found[0] += slow.len();
                if !slow.is_empty() {
                    continue;
                }
                let candidates = four_candidates(&position, colour);
                for &point in &all {
                    let mut after = position.clone();
                    after.set_side_to_move(colour);
                    after.play(point);
                    let is_four = after.empty_points().any(|p| wins(&after, p));
                    assert!(
                        !is_four || candidates.contains(&point),
                        "{rule} {seed} {point}"
                    );
                    found[1] += usize::from(is_four);
                }
            }
        }
    }
    assert!(found.iter().all(|&n| n > 200), "{found:?}");
}

/// A third of a small board taken by either side, points of nobody among them.
fn scattered_stones(seed: u64) -> Position {
    let size = Size::square(9).unwrap();
    let mut position = Position::new(size);
    for point in size.points() {
        match mix(seed << 10 | point.index() as u64) % 9 {
            0..=2 => position.set_side_to_move(Colour::Black),
            3..=4 => position.set_side_to_move(Colour::White),
            5 if seed.is_multiple_of(4) => {
                position.block(point);
                continue;
            }
            _ => continue,
        }
        position.play(point);
    }
    position
}
