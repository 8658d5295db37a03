use super::*;
use yonsan::board::parse_moves;
use yonsan_format::{Effort, End, Facts, Ply, Score};

fn game_of(rule: Rule, moves: &[Point]) -> Game {
    let facts = Facts {
        rule,
        size: Size::square(15).unwrap(),
        winner: Some(Colour::Black),
        end: End::Five,
        opening_len: 2,
        generation: 3,
        seed: 0,
    };
    let ply = |(number, &point): (usize, &Point)| Ply {
        score: Score::new(10 * number as i32).unwrap(),
        effort: Effort::of_nodes(3_000),
        is_random: false,
        ..Ply::of_opening(point)
    };
    Game::new(facts, moves.iter().enumerate().map(ply).collect()).unwrap()
}

fn replayed(game: &Game, every: usize) -> Vec<Seen> {
    replay(game, every, 0, &mut Vec::new())
}

/// Far from a win for fourteen plies, then Black gets three, four and five.
const MOVES: &str = "h8g9h7a1c1a4c4a7c7a10c10a13c13e1h9g1h6j1h10";

#[test]
fn only_open_positions_are_used() {
    let moves = parse_moves(MOVES).unwrap();
    let game = game_of(Rule::Freestyle, &moves);
    let seen = replayed(&game, 1);
    let plies: Vec<u16> = seen.iter().map(|s| s.sample.ply).collect();
    assert_eq!(plies, (2..17).collect::<Vec<_>>());
    // With three, Black can make an open four; its move is still of interest.
    let last = &seen.last().unwrap().sample;
    assert_eq!((last.ply, last.has_value, last.has_move), (16, false, true));
    assert!(seen[0].sample.has_value);
    // From eight plies before the end on the score does not count.
    for seen in &seen {
        let number = i16::try_from(seen.sample.ply).unwrap();
        let expected = (number < 19 - 8).then_some(10 * number);
        assert_eq!(seen.sample.score, expected);
        let is_black = number % 2 == 0;
        assert_eq!(seen.sample.ending == Ending::Win, is_black);
    }
    let fewer = replayed(&game, 3);
    assert!(fewer.iter().all(|seen| seen.sample.ply % 3 == 0));
    assert_eq!(fewer.len(), 5);
}

#[test]
fn random_and_forced_plies_and_early_proofs_are_told_apart() {
    let moves = parse_moves(MOVES).unwrap();
    let game = game_of(Rule::Freestyle, &moves);
    let mut plies = game.plies().to_vec();
    plies[3].is_random = true;
    plies[4].is_forced = true;
    plies[12].score = Score::new(29_990).unwrap();
    let game = Game::new(*game.facts(), plies).unwrap();
    let seen = replayed(&game, 1);
    assert!(seen.iter().all(|seen| seen.sample.ply != 3));
    let four = seen.iter().find(|seen| seen.sample.ply == 4).unwrap();
    assert!(four.sample.has_value && !four.sample.has_move);
    // The proof at ply 12 makes plies sure from the fourth on.
    let scored: Vec<u16> = seen
        .iter()
        .filter(|seen| seen.sample.score.is_some())
        .map(|seen| seen.sample.ply)
        .collect();
    assert_eq!(scored, [2]);
}

#[test]
fn images_of_a_position_are_the_same_and_rules_are_not() {
    let moves = parse_moves(MOVES).unwrap();
    let size = Size::square(15).unwrap();
    let hashes = |rule, moves: &[Point]| -> Vec<u64> {
        let seen = replayed(&game_of(rule, moves), 1);
        seen.iter().map(|seen| seen.hash).collect()
    };
    let expected = hashes(Rule::Freestyle, &moves);
    let distinct: HashSet<u64> = expected.iter().copied().collect();
    assert_eq!(distinct.len(), expected.len());
    for symmetry in Symmetry::all(size) {
        let image: Vec<Point> = moves.iter().map(|&p| symmetry.apply(p, size)).collect();
        assert_eq!(hashes(Rule::Freestyle, &image), expected);
    }
    assert_ne!(hashes(Rule::Caro, &moves)[0], expected[0]);
}

/// Where the ending is near it alone counts, everywhere else what lies ahead.
#[test]
fn samples_get_their_targets() {
    let data = super::super::test_games::data_of(&[(Rule::Freestyle, 9)], 40);
    let mut scored = 0;
    for sample in &data.learn {
        if sample.score.is_none() {
            assert_eq!(sample.target, outcome(sample.ending));
        } else {
            scored += usize::from(sample.target != outcome(sample.ending));
        }
        assert!((sample.target.iter().sum::<f32>() - 1.0).abs() < 1e-5);
    }
    assert!(scored > 0);
}

#[test]
fn windows_are_counted_once_a_game() {
    let data = super::super::test_games::data_of(&[(Rule::Caro, 9)], 5);
    let sight = Sight::new(&data.sizes());
    let mut expected = vec![HashSet::new(); KEY_COUNT];
    let mut views = Views::default();
    for sample in &data.learn {
        sight.look(&data.view(sample), &mut views);
        for &key in views.keys.iter().flatten() {
            expected[key as usize].insert(sample.game);
        }
    }
    let found = data.frequencies(&sight);
    assert!(found.contains(&1) && found.contains(&5));
    for (found, expected) in found.into_iter().zip(expected) {
        assert_eq!(found as usize, expected.len());
    }
}

#[test]
fn moves_are_judged_by_those_before_them() {
    let (loss, found) = judge_move(&[1.0, 0.0, 0.0, 2.0, -1.0], 0.0);
    let e = 1.0f32.exp();
    let expected = (2.0 + e + e * e + 1.0 / e).ln();
    assert!((loss - expected).abs() < 1e-6);
    assert_eq!(found, [0.0, 0.5, 1.0]);
}
