//! Published values, values by hand and error rates by simulation.

use super::*;
use crate::stats::Points;
use crate::stats::test_random::Random;

fn test(elo0: f64, elo1: f64, model: EloModel) -> Sprt {
    Sprt::new(elo0, elo1, 0.05, 0.05, model).unwrap()
}

fn assert_near(got: f64, expected: f64, off: f64) {
    assert!((got - expected).abs() <= off, "{got} is not {expected}");
}

/// By hand: ln(0.95 / 0.05) = ln 19 = 2.944439.
#[test]
fn bounds_by_hand() {
    let sprt = test(0.0, 5.0, EloModel::Logistic);
    assert_near(sprt.upper_bound(), 2.944_439, 1e-6);
    assert_near(sprt.lower_bound(), -2.944_439, 1e-6);
    let uneven = Sprt::new(0.0, 5.0, 0.01, 0.1, EloModel::Logistic).unwrap();
    assert_near(uneven.upper_bound(), 90f64.ln(), 1e-9);
    assert_near(uneven.lower_bound(), (0.1f64 / 0.99).ln(), 1e-9);
}

/// Figures from the tests of fastchess (app/tests/sprt_test.cpp), which gives
/// two places; alpha and beta do not matter for the ratio.
#[test]
fn agrees_with_fastchess_on_pairs() {
    for (counts, elo0, elo1, model, expected) in [
        (
            [365, 16618, 36229, 16974, 390],
            0.0,
            2.0,
            EloModel::Normalized,
            2.25,
        ),
        (
            [127, 4883, 10712, 5150, 104],
            -1.75,
            0.25,
            EloModel::Normalized,
            3.01,
        ),
        (
            [223, 9863, 21279, 10037, 246],
            0.5,
            2.5,
            EloModel::Logistic,
            -3.07,
        ),
        (
            [871, 26175, 55983, 26678, 821],
            0.0,
            2.0,
            EloModel::Logistic,
            -4.98,
        ),
    ] {
        let got = test(elo0, elo1, model).ratio(&counts, 2.0);
        assert_near(got, expected, 0.0051);
    }
}

/// The same source for single games: losses, draws, wins.
#[test]
fn agrees_with_fastchess_on_games() {
    for (counts, elo0, elo1, model, expected) in [
        ([36027, 68692, 36433], 0.0, 2.0, EloModel::Normalized, 0.92),
        (
            [10650, 20431, 10871],
            -1.75,
            0.25,
            EloModel::Normalized,
            2.30,
        ),
        ([21184, 40708, 21404], 0.5, 2.5, EloModel::Logistic, -1.57),
        ([57030, 106_593, 57433], 0.0, 2.0, EloModel::Logistic, -2.59),
    ] {
        let got = test(elo0, elo1, model).ratio(&counts, 1.0);
        assert_near(got, expected, 0.0101);
    }
}

/// Against a maximisation of the likelihood by random search over all
/// distributions, which knows nothing of multipliers and tangents. The first
/// is also easy by hand: x on 2-0 and the rest on 0-2 gives the signal
/// (x - ½) / √(x(1 - x)) = 5·√2·ln 10 / 800 at x = 0.510175, and 104 pairs
/// give 104·ln(0.510175 / 0.5) = 2.0949.
#[test]
fn agrees_with_a_search_over_distributions() {
    let normalized = |elo1| test(0.0, elo1, EloModel::Normalized);
    assert_near(
        normalized(5.0).ratio(&[0, 0, 0, 0, 104], 2.0),
        2.094_955,
        1e-6,
    );
    assert_near(
        normalized(20.0).ratio(&[3, 10, 40, 20, 5], 2.0),
        1.003_212,
        1e-6,
    );
    assert_near(normalized(5.0).ratio(&[0, 16700, 0], 1.0), -3.450_540, 1e-6);
}

/// By hand: when every pair is won 2-0, the likeliest distribution with the
/// mean s puts s on 2-0 and the rest on 0-2. Each pair adds ln(s1 / s0): for
/// 0 and 200 Elo ln(0.759747 / 0.5) = 0.418377, ten pairs 4.18 > 2.94.
#[test]
fn twenty_to_nothing_stops() {
    let sprt = test(0.0, 200.0, EloModel::Logistic);
    let mut tally = Tally::default();
    for pair in 0..10 {
        tally.add(pair, Points::Win);
        tally.add(pair, Points::Win);
    }
    assert_near(sprt.llr(&tally), 4.183_77, 0.01);
    assert_eq!(sprt.status(&tally), SprtStatus::AcceptH1);
    // Close hypotheses need more: 2.944 / ln(0.514388 / 0.5) = 103.8 pairs.
    let close = test(0.0, 10.0, EloModel::Logistic);
    assert_eq!(close.ratio(&[0; 5], 2.0), 0.0);
    assert!(close.ratio(&[0, 0, 0, 0, 103], 2.0) < close.upper_bound());
    assert!(close.ratio(&[0, 0, 0, 0, 104], 2.0) > close.upper_bound());
    assert!(close.ratio(&[300, 0, 0, 0, 0], 2.0) < close.lower_bound());
}

/// Games of unfinished pairs wait while there are whole pairs; a match
/// without pairs is tested on its games.
#[test]
fn single_games_count_when_there_are_no_pairs() {
    let sprt = test(0.0, 20.0, EloModel::Normalized);
    let single = Tally::from_games(40, 10, 30);
    assert_near(sprt.llr(&single), sprt.ratio(&[30, 10, 40], 1.0), 1e-12);
    let mut tally = Tally::default();
    for pair in 0..6 {
        tally.add(pair, Points::Win);
        tally.add(pair, Points::Draw);
    }
    let before = sprt.llr(&tally);
    tally.add(6, Points::Loss);
    assert_near(sprt.llr(&tally), before, 1e-12);
    assert_eq!(sprt.llr(&Tally::default()), 0.0);
}

/// Share of 400 matches in which H1 is accepted when `truth` is the
/// distribution of the pair results.
fn acceptance(sprt: &Sprt, truth: &[f64; 5], seed: u64) -> f64 {
    const MATCHES: u32 = 400;
    let mut random = Random(seed);
    let mut accepted = 0;
    for _ in 0..MATCHES {
        let mut counts = [0; 5];
        loop {
            counts[random.choose(truth)] += 1;
            let llr = sprt.ratio(&counts, 2.0);
            if llr >= sprt.upper_bound() {
                accepted += 1;
                break;
            }
            if llr <= sprt.lower_bound() {
                break;
            }
        }
    }
    f64::from(accepted) / f64::from(MATCHES)
}

/// At the true hypotheses the errors stay near the promised 10 % (two
/// standard errors of 400 matches are 3 %).
#[test]
fn errors_keep_their_promise() {
    for model in [EloModel::Logistic, EloModel::Normalized] {
        let sprt = Sprt::new(0.0, 60.0, 0.1, 0.1, model).unwrap();
        let even = [0.1, 0.2, 0.4, 0.2, 0.1];
        let wrong = acceptance(&sprt, &even, 5);
        assert!((0.04..=0.14).contains(&wrong), "{model:?}: {wrong}");
        // The likeliest distribution at H1, worked out from the same one.
        let scores = [0.0, 0.25, 0.5, 0.75, 1.0];
        let better = match model {
            EloModel::Logistic => {
                let target = score_from_elo(60.0);
                likeliest_with_mean_zero(&scores.map(|score| score - target), &even)
            }
            EloModel::Normalized => {
                likeliest_with_signal(&scores, &even, 60.0 / NORMALIZED_UNIT * 2f64.sqrt())
            }
        };
        let right = acceptance(&sprt, &better, 6);
        assert!((0.86..=0.96).contains(&right), "{model:?}: {right}");
    }
}

/// The distributions have the strength they were asked for.
#[test]
fn likeliest_distributions_keep_their_constraint() {
    let scores = [0.0, 0.25, 0.5, 0.75, 1.0];
    let seen = [0.05, 0.15, 0.3, 0.3, 0.2];
    let found = likeliest_with_signal(&scores, &seen, 0.2);
    let total: f64 = found.iter().sum();
    let mean: f64 = (0..5).map(|i| found[i] * scores[i]).sum();
    let variance: f64 = (0..5).map(|i| found[i] * (scores[i] - mean).powi(2)).sum();
    assert_near(total, 1.0, 1e-9);
    assert_near((mean - 0.5) / variance.sqrt(), 0.2, 1e-8);
    let found = likeliest_with_mean_zero(&scores.map(|score| score - 0.55), &seen);
    let mean: f64 = (0..5).map(|i| found[i] * scores[i]).sum();
    assert_near(mean, 0.55, 1e-9);
}

#[test]
fn senseless_tests_are_refused() {
    let new = |elo0, elo1, alpha, beta| Sprt::new(elo0, elo1, alpha, beta, EloModel::Logistic);
    assert_eq!(new(5.0, 5.0, 0.05, 0.05), Err(SprtError::Hypotheses));
    assert_eq!(new(5.0, f64::NAN, 0.05, 0.05), Err(SprtError::Hypotheses));
    assert_eq!(new(0.0, 5.0, 0.0, 0.05), Err(SprtError::Errors));
    assert_eq!(new(0.0, 5.0, 0.5, 0.5), Err(SprtError::Errors));
}
