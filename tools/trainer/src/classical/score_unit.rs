//! What the scores of the search are worth in chances, found out from games.

use super::features::ComboTimes;
use super::model::{ValueHead, sigmoid};
use super::store::Store;
use yonsan::eval::weights::SCORE_SCALE;

/// Scores that stand for odds of e : 1 lie between these.
const SCALES: [f32; 2] = [20.0, 5_000.0];
/// Halvings of the range between them.
const ROUNDS: u32 = 24;

/// Log odds of one unit of score, so that chances fit the endings best.
/// `1 / SCORE_SCALE` if there is nothing to fit.
#[must_use]
pub fn fit_score_unit(samples: &Store<ValueHead, ComboTimes>) -> f32 {
    let pairs: Vec<(f32, f32)> = samples
        .iter()
        .filter_map(|s| Some((f32::from(s.head.score?), s.head.ending.points())))
        .filter(|&(score, _)| score != 0.0)
        .collect();
    if pairs.is_empty() {
        return 1.0 / SCORE_SCALE;
    }
    // The loss is convex, so its slope tells on which side the best is.
    let slope = |unit: f32| -> f64 {
        let slope_of =
            |&(score, points): &(f32, f32)| f64::from(score * (sigmoid(score * unit) - points));
        pairs.iter().map(slope_of).sum()
    };
    let [mut high, mut low] = SCALES.map(|scale| 1.0 / scale);
    for _ in 0..ROUNDS {
        // Halves the ratio.
        let middle = (low * high).sqrt();
        if slope(middle) > 0.0 {
            high = middle;
        } else {
            low = middle;
        }
    }
    (low * high).sqrt()
}

#[cfg(test)]
mod tests {
    use super::super::features::Outlook;
    use super::super::model::Ending;
    use super::*;
    use crate::random::Random;
    use yonsan::board::Colour;

    fn samples(scale: f32, count: usize) -> Store<ValueHead, ComboTimes> {
        let outlook = Outlook {
            mover: Colour::Black,
            threats: 0,
            own_items: 0,
        };
        let mut random = Random::new(9);
        let mut samples = Store::new(count);
        for _ in 0..count {
            let score = random.below(1_001) as i16 - 500;
            let won = random.unit() < sigmoid(f32::from(score) / scale);
            let ending = if won { Ending::Win } else { Ending::Loss };
            let score = Some(score);
            samples.push(
                0,
                ValueHead {
                    outlook,
                    ending,
                    score,
                },
                &[],
            );
        }
        samples
    }

    #[test]
    fn the_scale_behind_the_endings_is_found() {
        for scale in [80.0, 400.0] {
            let found = 1.0 / fit_score_unit(&samples(scale, 20_000));
            assert!((found / scale - 1.0).abs() < 0.05, "{found} for {scale}");
        }
    }

    #[test]
    fn scores_without_meaning_get_no_weight() {
        assert_eq!(fit_score_unit(&samples(80.0, 0)), 1.0 / SCORE_SCALE);
        let unit = fit_score_unit(&samples(1e9, 20_000));
        assert!(unit < 1.0 / 2_000.0, "{unit}");
    }
}
