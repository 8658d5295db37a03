use super::*;
use yonsan::board::{Point, Random, Size, parse_moves};
use yonsan::rules::Rule;
use yonsan_format::{End, Facts};

fn game_of(points: &[Point]) -> Game {
    let facts = Facts {
        rule: Rule::Freestyle,
        size: Size::square(15).unwrap(),
        winner: Some(Colour::Black),
        end: End::Five,
        opening_len: 0,
        generation: 0,
        seed: 0,
    };
    let plies = points.iter().map(|&point| Ply::of_opening(point));
    Game::new(facts, plies.collect()).unwrap()
}

#[test]
fn images_of_a_game_have_its_hash() {
    let size = Size::square(15).unwrap();
    let points = parse_moves("h8a1h9c1h10e1h11g1h12").unwrap();
    let hashes: HashSet<u64> = Symmetry::all(size)
        .map(|symmetry| {
            let image: Vec<Point> = points.iter().map(|&p| symmetry.apply(p, size)).collect();
            game_hash(&game_of(&image))
        })
        .collect();
    assert_eq!(hashes.len(), 1);
    let other = parse_moves("h8a1h9c1h10e1h11g1h7").unwrap();
    assert!(!hashes.contains(&game_hash(&game_of(&other))));
}

#[test]
fn one_game_of_twenty_is_held_out() {
    let count = (0..20_000).filter(|&hash| is_held_out(hash)).count();
    assert!((900..1_100).contains(&count), "{count}");
}

/// Scores whose chances to win are those of this scale.
fn pairs(scale: f32, count: usize) -> Vec<(i16, f32)> {
    let mut random = Random::new(9);
    let pair = |_| {
        let score = random.index(1_001) as i16 - 500;
        let won = random.unit() < sigmoid(f32::from(score) / scale);
        (score, f32::from(u8::from(won)))
    };
    (0..count).map(pair).collect()
}

#[test]
fn the_scale_behind_the_endings_is_found() {
    for scale in [80.0, 400.0] {
        let found = 1.0 / fit_score_unit(pairs(scale, 20_000).into_iter());
        assert!((found / scale - 1.0).abs() < 0.05, "{found} for {scale}");
    }
}

#[test]
fn scores_without_meaning_get_no_weight() {
    assert_eq!(fit_score_unit([].into_iter()), 1.0 / SCORE_SCALE);
    let unit = fit_score_unit(pairs(1e9, 20_000).into_iter());
    assert!(unit < 1.0 / 2_000.0, "{unit}");
}
