//! Ratings by hand and of a league whose strengths are known.

use super::*;
use crate::stats::test_random::Random;

fn meeting(first: usize, second: usize, points: f64, games: f64) -> HeadToHead {
    HeadToHead {
        first,
        second,
        points,
        games,
    }
}

fn assert_near(got: f64, expected: f64, off: f64) {
    assert!((got - expected).abs() <= off, "{got} is not {expected}");
}

/// By hand: 20-0 with a draw for nothing from each side is 21 points of 22:
/// 400·log10(21) = 528.89 points apart. The information of the difference is
/// 22·(21/22)·(1/22) = 0.954545, its error 1.96 / √0.954545 / UNIT = 348.5; a
/// rating about the mean of the two has half of it.
#[test]
fn twenty_to_nothing_stays_finite() {
    let ratings = fit_ratings(&[meeting(0, 1, 20.0, 20.0)], &[None, None]).unwrap();
    assert_near(ratings[0].elo - ratings[1].elo, 528.89, 0.01);
    assert_near(ratings[0].elo + ratings[1].elo, 0.0, 1e-6);
    let difference_error = QUANTILE_95 / (21f64 / 22.0).sqrt() / UNIT;
    assert_near(difference_error, 348.5, 0.05);
    assert_near(ratings[0].error_95, difference_error / 2.0, 0.01);
}

/// With an anchor the other carries the whole error, and the anchor none.
#[test]
fn anchors_are_held() {
    let anchors = [Some(2000.0), None];
    let ratings = fit_ratings(&[meeting(0, 1, 20.0, 20.0)], &anchors).unwrap();
    assert_eq!((ratings[0].elo, ratings[0].error_95), (2000.0, 0.0));
    assert!(ratings[0].anchored && !ratings[1].anchored);
    assert_near(ratings[1].elo, 2000.0 - 528.89, 0.01);
    assert_near(ratings[1].error_95, 348.5, 0.05);
    // Between two anchors: as many points against each, so in the middle.
    let games = [meeting(0, 2, 75.0, 100.0), meeting(1, 2, 25.0, 100.0)];
    let ratings = fit_ratings(&games, &[Some(2200.0), Some(1800.0), None]).unwrap();
    assert_near(ratings[2].elo, 2000.0, 1e-6);
    assert_eq!((ratings[0].elo, ratings[1].elo), (2200.0, 1800.0));
}

/// The error bar shrinks with the root of the games: by hand, even results
/// of n games have the information n/4 (the draws for nothing apart), so
/// 1.96·2/√n/UNIT: 21.53 points for 1,000 games.
#[test]
fn errors_shrink_with_games() {
    let anchors = [Some(0.0), None];
    let ratings = fit_ratings(&[meeting(0, 1, 500.0, 1000.0)], &anchors).unwrap();
    assert_near(ratings[1].error_95, 21.53, 0.05);
}

/// A league of eight at known strengths: ratings are found again, most of
/// them inside their error bars.
#[test]
fn a_league_is_recovered() {
    let truth = [400.0, 250.0, 180.0, 60.0, -20.0, -120.0, -300.0, -450.0];
    let mut random = Random(99);
    let mut games = Vec::new();
    for first in 0..8 {
        for second in first + 1..8 {
            let win = score_from_elo(truth[first] - truth[second]);
            let points: f64 = (0..600)
                .map(|_| if random.unit() < win { 1.0 } else { 0.0 })
                .sum();
            games.push(meeting(first, second, points, 600.0));
        }
    }
    let ratings = fit_ratings(&games, &[None; 8]).unwrap();
    let inside = (0..8)
        .filter(|&i| (ratings[i].elo - truth[i]).abs() <= ratings[i].error_95)
        .count();
    for (rating, truth) in ratings.iter().zip(truth) {
        assert_near(rating.elo, truth, 25.0);
        assert!((8.0..25.0).contains(&rating.error_95), "{rating:?}");
    }
    assert!(inside >= 6, "{ratings:?}");
}

/// Error bars against the scatter of many leagues.
#[test]
fn errors_agree_with_a_simulation() {
    const LEAGUES: usize = 300;
    let truth = [150.0, 0.0, -150.0];
    let mut random = Random(4);
    let mut found = Vec::new();
    let mut told = 0.0;
    for _ in 0..LEAGUES {
        let games: Vec<HeadToHead> = [(0, 1), (0, 2), (1, 2)]
            .into_iter()
            .map(|(first, second)| {
                let win = score_from_elo(truth[first] - truth[second]);
                let points = (0..200).filter(|_| random.unit() < win).count() as f64;
                meeting(first, second, points, 200.0)
            })
            .collect();
        let ratings = fit_ratings(&games, &[None; 3]).unwrap();
        found.push(ratings[0].elo);
        told += ratings[0].error_95 / LEAGUES as f64;
    }
    let mean = found.iter().sum::<f64>() / LEAGUES as f64;
    let variance = found.iter().map(|elo| (elo - mean).powi(2)).sum::<f64>() / LEAGUES as f64;
    let spread = QUANTILE_95 * variance.sqrt();
    // 300 leagues tell a spread to 4 %.
    assert!((told / spread - 1.0).abs() < 0.12, "{told} {spread}");
    assert_near(mean, 150.0, 4.0);
}

#[test]
fn groups_that_never_met_stand_apart() {
    let games = [meeting(0, 1, 6.0, 10.0), meeting(3, 2, 6.0, 10.0)];
    let ratings = fit_ratings(&games, &[None; 5]).unwrap();
    let groups: Vec<usize> = ratings.iter().map(|rating| rating.group).collect();
    assert_eq!(groups, [0, 0, 2, 2, 4]);
    assert_near(ratings[0].elo, ratings[3].elo, 1e-6);
    assert_eq!(ratings[4].error_95, f64::INFINITY);
}

#[test]
fn impossible_games_are_refused() {
    let refused = |meeting| fit_ratings(&[meeting], &[None; 2]).unwrap_err();
    assert_eq!(refused(meeting(0, 2, 1.0, 2.0)), RatingError::UnknownEngine);
    assert_eq!(refused(meeting(1, 1, 1.0, 2.0)), RatingError::UnknownEngine);
    assert_eq!(
        refused(meeting(0, 1, 3.0, 2.0)),
        RatingError::ImpossiblePoints
    );
}
