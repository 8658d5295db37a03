//! Values worked out by hand, values other programs publish, and a simulation.

use super::*;
use crate::stats::test_random::Random;

/// A tally with the given whole pairs, 0 to 2 points, in halves.
fn paired(counts: [u64; 5]) -> Tally {
    use Points::{Draw, Loss, Win};
    let kinds = [
        (Loss, Loss),
        (Loss, Draw),
        (Draw, Draw),
        (Draw, Win),
        (Win, Win),
    ];
    let mut tally = Tally::default();
    let mut pair = 0;
    for (count, (one, other)) in counts.into_iter().zip(kinds) {
        for _ in 0..count {
            tally.add(pair, one);
            tally.add(pair, other);
            pair += 1;
        }
    }
    tally
}

fn assert_near(got: f64, expected: f64, digits_off: f64) {
    assert!(
        (got - expected).abs() <= digits_off,
        "{got} is not {expected}"
    );
}

/// Two draws and eight wins are 90 %, never 100 % or 80 %.
#[test]
fn draws_are_half_points() {
    let tally = Tally::from_games(8, 2, 0);
    assert_eq!(tally.score(), Some(0.9));
    assert_eq!(tally.draw_rate(), Some(0.2));
    assert_eq!((tally.wins(), tally.draws(), tally.losses()), (8, 2, 0));
    let drawish = Tally::from_games(2, 8, 0);
    assert_eq!(drawish.score(), Some(0.6));
}

#[test]
fn pairs_join_in_any_order() {
    let mut tally = Tally::default();
    for (pair, points) in [
        (0, Points::Win),
        (1, Points::Loss),
        (1, Points::Loss),
        (2, Points::Draw),
        (0, Points::Loss),
        (3, Points::Win),
    ] {
        tally.add(pair, points);
    }
    assert_eq!(tally.pairs(), [1, 0, 1, 0, 0]);
    assert_eq!(tally.unpaired(), [0, 1, 1]);
    assert_eq!(tally.game_count(), 6);
}

/// By hand: pairs (1, 2, 4, 2, 1) have the mean 1 and the variance
/// (2·1 + 4·¼) / 10 = 0.3 points; the mean of ten has the error √0.03, per
/// game half of it: 0.0866025. The interval ends at 0.5 ± 0.169738, where the
/// Elo is 400·log10(0.669738 / 0.330262) = 122.81.
#[test]
fn pentanomial_error_by_hand() {
    let tally = paired([1, 2, 4, 2, 1]);
    assert_eq!(tally.score(), Some(0.5));
    assert_near(tally.standard_error().unwrap(), 0.086_602_5, 1e-7);
    assert_near(tally.elo().elo, 0.0, 1e-9);
    assert_near(tally.elo().error_95, 122.81, 0.01);
    assert_near(tally.los(), 0.5, 1e-9);
}

/// Pairs of one win each way have no scatter; as single games the same
/// results have the error √(¼ / 20) = 0.111803.
#[test]
fn pairs_take_out_the_colour() {
    assert_near(
        paired([0, 0, 10, 0, 0]).standard_error().unwrap(),
        0.0,
        1e-12,
    );
    let alone = Tally::from_games(10, 0, 10);
    assert_near(alone.standard_error().unwrap(), 0.111_803, 1e-6);
}

/// Figures from the tests of fastchess (app/tests/elo_test.cpp): normalised
/// Elo, its error, Elo, its error, LOS in per cent; given to two places.
#[test]
fn agrees_with_fastchess_on_pairs() {
    for (counts, expected) in [
        ([34, 54, 63, 64, 75], [57.94, 28.28, 55.58, 27.65, 100.00]),
        (
            [332, 433, 498, 333, 334],
            [-9.17, 10.96, -8.64, 10.33, 5.05],
        ),
    ] {
        let tally = paired(counts);
        let (normalized, elo) = (tally.normalized_elo(), tally.elo());
        let got = [
            normalized.elo,
            normalized.error_95,
            elo.elo,
            elo.error_95,
            tally.los() * 100.0,
        ];
        for (got, expected) in got.into_iter().zip(expected) {
            assert_near(got, expected, 0.0051);
        }
    }
}

/// The same source for games without pairs: wins, losses, draws.
#[test]
fn agrees_with_fastchess_on_games() {
    let tally = Tally::from_games(136, 111, 96);
    assert_near(tally.normalized_elo().elo, 49.77, 0.0051);
    assert_near(tally.normalized_elo().error_95, 36.77, 0.0051);
    assert_near(tally.elo().elo, 40.70, 0.0051);
    assert_near(tally.elo().error_95, 30.43, 0.0051);
    assert_near(tally.los() * 100.0, 99.60, 0.0051);
    let tally = Tally::from_games(76, 123, 89);
    assert_near(tally.normalized_elo().elo, -20.76, 0.0051);
    assert_near(tally.normalized_elo().error_95, 40.13, 0.0051);
    assert_near(tally.los() * 100.0, 15.53, 0.0051);
}

#[test]
fn one_sided_results_stay_readable() {
    let tally = paired([0, 0, 0, 0, 10]);
    assert_eq!(tally.elo().elo, f64::INFINITY);
    assert_eq!(tally.elo().error_95, f64::INFINITY);
    assert!(tally.los() > 0.999);
    let empty = Tally::default();
    assert_eq!(empty.elo(), Estimate::UNKNOWN);
    assert_eq!(empty.score(), None);
    assert_near(empty.los(), 0.5, 1e-12);
}

/// The error worked out from one match is the scatter of the scores of many
/// matches. Both games of a pair depend on the opening: a good one for Black
/// is won by Black in both.
#[test]
fn error_agrees_with_a_simulation() {
    const MATCHES: usize = 2_000;
    const PAIRS: u64 = 100;
    let mut random = Random(17);
    let mut scores = Vec::new();
    let mut errors = 0.0;
    for _ in 0..MATCHES {
        let mut tally = Tally::default();
        for pair in 0..PAIRS {
            let black_wins = random.choose(&[0.5, 0.5]) as f64 * 0.6 + 0.15;
            for black in [true, false] {
                let chance = if black { black_wins } else { 1.0 - black_wins };
                let won = random.unit() < chance * 0.9 + 0.06;
                tally.add(pair, if won { Points::Win } else { Points::Loss });
            }
        }
        scores.push(tally.score().unwrap());
        errors += tally.standard_error().unwrap() / MATCHES as f64;
    }
    let mean = scores.iter().sum::<f64>() / MATCHES as f64;
    let spread = scores.iter().map(|s| (s - mean).powi(2)).sum::<f64>() / MATCHES as f64;
    let spread = spread.sqrt();
    // 2,000 matches tell a spread to about 1.6 %; taken for single games the
    // error would be 0.0353, a sixth too much.
    assert!((errors / spread - 1.0).abs() < 0.05, "{errors} {spread}");
    assert!(spread < 0.032, "{spread}");
}
