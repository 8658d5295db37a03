//! The numbers of `datagen stats`, against games put together by hand.

use datagen::stats::Stats;
use yonsan::board::{Colour, Size, parse_moves};
use yonsan::rules::Rule;
use yonsan_format::{Effort, End, Facts, Game, Ply, Score};

/// A game on 15x15 whose plies after the opening have these scores.
fn game(
    rule: Rule,
    moves: &str,
    opening_len: u8,
    scores: &[i32],
    facts: (Option<Colour>, End),
) -> Game {
    let points = parse_moves(moves).unwrap();
    let mut plies: Vec<Ply> = points.into_iter().map(Ply::of_opening).collect();
    for (ply, &score) in plies[usize::from(opening_len)..].iter_mut().zip(scores) {
        ply.is_random = false;
        ply.effort = Effort::of_nodes(3_000);
        ply.score = Score::new(score).unwrap();
    }
    let facts = Facts {
        rule,
        size: Size::square(15).unwrap(),
        winner: facts.0,
        end: facts.1,
        opening_len,
        generation: 0,
        seed: 0,
    };
    Game::new(facts, plies).unwrap()
}

const BLACK: Option<Colour> = Some(Colour::Black);
const WHITE: Option<Colour> = Some(Colour::White);

fn stats(games: &[Game]) -> Stats {
    let mut stats = Stats::default();
    for game in games {
        stats.add(game);
    }
    stats
}

#[test]
fn lengths_and_results_are_counted() {
    let freestyle = Rule::Freestyle;
    let games = [
        game(
            freestyle,
            "h8a1h9b1h10",
            2,
            &[10, -10, 29_995],
            (BLACK, End::Proof),
        ),
        game(freestyle, "h8a1h9b1", 3, &[0], (None, End::Level)),
        game(
            freestyle,
            "h8a1h9b1h10c1h11d1h12",
            1,
            &[5; 8],
            (BLACK, End::Five),
        ),
        game(Rule::Renju, "h8", 1, &[], (WHITE, End::Foul)),
    ];
    let stats = stats(&games);
    let group = stats.lengths.group(freestyle, 15, 15);
    assert_eq!((group.games, group.plies, group.scored), (3, 18, 12));
    assert_eq!((group.shortest, group.longest), (4, 9));
    assert_eq!(group.won, [2, 0]);
    assert_eq!(group.ends, [1, 0, 0, 1, 1]);
    assert_eq!(stats.lengths.rule(freestyle), group);
    assert_eq!(stats.lengths.group(freestyle, 20, 20).games, 0);
    let total = stats.lengths.total();
    assert_eq!((total.games, total.plies, total.shortest), (4, 19, 1));
    assert_eq!((total.won, total.ends), ([2, 1], [1, 1, 0, 1, 1]));
}

#[test]
fn symmetric_games_are_duplicates() {
    let renju = Rule::Renju;
    let level = (None, End::Level);
    let games = [
        game(renju, "h8i9a1", 2, &[], level),
        // Mirrored, then turned, then with the same stones in another order.
        game(renju, "h8g9o1", 2, &[], level),
        game(renju, "h8i7a15", 2, &[], level),
        game(renju, "a1i9h8", 2, &[], level),
        // One stone is elsewhere.
        game(renju, "h8i9b1", 2, &[], level),
        // Another rule.
        game(Rule::Caro, "h8i9a1", 2, &[], level),
    ];
    let stats = stats(&games);
    assert_eq!(stats.variety.duplicates(renju), 3);
    assert_eq!(stats.variety.duplicates(Rule::Caro), 0);
    assert_eq!(stats.variety.openings(renju), 2);
}

#[test]
fn scores_are_held_against_results() {
    let rule = Rule::Standard;
    let games = [
        // Black, White, Black to move.
        game(rule, "h8a1h9b1h10", 2, &[60, -60, 70], (BLACK, End::Five)),
        game(
            rule,
            "h8a1h9b1h10",
            2,
            &[80, 90, 29_995],
            (WHITE, End::Five),
        ),
        game(
            rule,
            "h8a1h9b1h10",
            2,
            &[99, -51, -29_995],
            (None, End::Full),
        ),
    ];
    let stats = stats(&games);
    let bin = stats.calibration.bin(rule, 50);
    // Won, won, lost, won by White, drawn.
    assert_eq!((bin.positions, bin.half_points), (5, 2 + 2 + 2 + 1));
    let bin = stats.calibration.bin(rule, -60);
    assert_eq!((bin.positions, bin.half_points), (2, 1));
    assert_eq!(stats.calibration.bin(rule, 20_000).positions, 0);
    assert_eq!(stats.calibration.bin(Rule::Renju, 60).positions, 0);
}

#[test]
fn wrong_proofs_come_to_light() {
    let rule = Rule::Freestyle;
    let [win, loss] = [29_995, -29_996];
    let games = [
        // Not played out: proves nothing about the proof.
        game(rule, "h8a1h9", 2, &[win], (BLACK, End::Proof)),
        game(
            rule,
            "h8a1h9b1h10",
            2,
            &[win, loss, win],
            (BLACK, End::Five),
        ),
        game(rule, "h8a1h9b1h10", 2, &[win, 0, win], (WHITE, End::Five)),
        game(rule, "h8a1h9b1", 2, &[loss, 0], (None, End::Full)),
    ];
    let proofs = stats(&games).proofs;
    assert_eq!((proofs.wins, proofs.wins_refuted), (2, 1));
    assert_eq!((proofs.losses, proofs.losses_refuted), (2, 1));
}

#[test]
fn tables_show_every_rule_played() {
    let level = (None, End::Level);
    let games = Rule::ALL.map(|rule| game(rule, "h8a1h9", 2, &[3], level));
    let text = stats(&games).to_string();
    for rule in Rule::ALL {
        let row = format!("{rule:<10} 15x15 {:>8} {:>9} {:>9}", 1, 3, 1);
        assert!(text.contains(&row), "no '{row}' in\n{text}");
    }
}
