//! How good a set of weights is on samples, as numbers and as text.

use super::features::{Candidates, ComboTimes};
use super::model::{MoveModel, ValueHead, ValueModel, cross_entropy};
use super::store::Store;
use crate::games::{Ending, sigmoid};
use std::fmt;
use yonsan::board::Colour;

/// Rows of the calibration table.
const BINS: usize = 10;

/// Positions for which a similar chance to win was foretold.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bin {
    /// How many there are.
    pub count: u64,
    /// Sum of the chances foretold.
    pub foretold: f64,
    /// Sum of the points that were scored.
    pub scored: f64,
}

/// How well chances to win are told.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValueQuality {
    /// How many positions were valued.
    pub count: u64,
    /// Mean loss against the targets, in nats.
    pub loss: f64,
    /// Mean loss against how the games ended, in nats.
    pub ending_loss: f64,
    /// Part of the won and lost games whose winner is told, 0 to 1.
    pub accuracy: f64,
    /// By chance foretold, in steps of a tenth.
    pub bins: [Bin; BINS],
}

impl ValueQuality {
    /// Values all samples.
    #[must_use]
    pub fn measure(
        model: &ValueModel,
        samples: &Store<ValueHead, ComboTimes>,
        leaves: &[f32],
    ) -> Self {
        let mut quality = Self::default();
        let (mut decided, mut right) = (0u64, 0u64);
        for sample in samples.iter() {
            let logit = model.logit(&sample, leaves);
            let target = model.target(sample.head);
            let points = sample.head.ending.points();
            quality.count += 1;
            quality.loss += f64::from(cross_entropy(logit, target));
            quality.ending_loss += f64::from(cross_entropy(logit, points));
            if sample.head.ending != Ending::Draw {
                decided += 1;
                right += u64::from((logit > 0.0) == (sample.head.ending == Ending::Win));
            }
            let chance = sigmoid(logit);
            let place = (chance * BINS as f32) as usize;
            let bin = &mut quality.bins[place.min(BINS - 1)];
            bin.count += 1;
            bin.foretold += f64::from(chance);
            bin.scored += f64::from(points);
        }
        quality.loss = ratio(quality.loss, quality.count);
        quality.ending_loss = ratio(quality.ending_loss, quality.count);
        quality.accuracy = ratio(right as f64, decided);
        quality
    }

    /// The calibration table as text.
    #[must_use]
    pub fn calibration(&self) -> String {
        let mut text = String::from("  foretold  scored  positions\n");
        for bin in self.bins.iter().filter(|bin| bin.count > 0) {
            let foretold = 100.0 * ratio(bin.foretold, bin.count);
            let scored = 100.0 * ratio(bin.scored, bin.count);
            text += &format!("  {foretold:6.1} %  {scored:4.1} %  {:9}\n", bin.count);
        }
        text
    }
}

impl fmt::Display for ValueQuality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "loss {:.4}, against endings {:.4}, winners told {:.1} %",
            self.loss,
            self.ending_loss,
            100.0 * self.accuracy
        )
    }
}

/// How well moves are told.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MoveQuality {
    /// How many moves were asked for.
    pub count: u64,
    /// Mean loss in nats.
    pub loss: f64,
    /// Part of the played moves among the first [`MoveQuality::PLACES`].
    pub found: [f64; 3],
}

impl MoveQuality {
    /// How many of the best candidates are looked at for
    /// [`MoveQuality::found`].
    pub const PLACES: [u32; 3] = [1, 3, 8];

    /// Orders the candidates of all samples.
    #[must_use]
    pub fn measure(model: &MoveModel, samples: &Store<Colour, Candidates>, leaves: &[f32]) -> Self {
        let mut quality = Self::default();
        for sample in samples.iter() {
            let logits: Vec<f32> = model.logits(&sample, leaves).collect();
            let played = logits[0];
            let highest = logits.iter().copied().fold(played, f32::max);
            let (mut sum, mut before, mut equal) = (0.0, 0.0, 0.0);
            for (logit, item) in logits.iter().zip(sample.items) {
                sum += (logit - highest).exp() * item.times();
                if *logit > played {
                    before += item.times();
                } else if *logit == played {
                    equal += item.times();
                }
            }
            quality.count += 1;
            quality.loss += f64::from(sum.ln() - (played - highest));
            for (found, places) in quality.found.iter_mut().zip(Self::PLACES) {
                // Of equal candidates each is as likely to come first.
                let left: f32 = places as f32 - before;
                *found += f64::from((left / equal).clamp(0.0, 1.0));
            }
        }
        quality.loss = ratio(quality.loss, quality.count);
        quality.found = quality.found.map(|found| ratio(found, quality.count));
        quality
    }
}

impl fmt::Display for MoveQuality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "loss {:.4}", self.loss)?;
        for (found, places) in self.found.iter().zip(Self::PLACES) {
            write!(f, ", among {places} best {:.1} %", 100.0 * found)?;
        }
        Ok(())
    }
}

/// A mean; 0 of nothing.
fn ratio(sum: f64, count: u64) -> f64 {
    if count == 0 { 0.0 } else { sum / count as f64 }
}

#[cfg(test)]
mod tests {
    use super::super::features::Outlook;
    use super::super::tables::table_count;
    use super::*;
    use yonsan::eval::weights::THREAT_MASKS;
    use yonsan::pattern::{COMBO_COUNT, Combo, Shape};
    use yonsan::rules::Rule;

    fn combo(shape: Shape) -> Combo {
        Combo::of([shape, Shape::Dead, Shape::Dead, Shape::Dead])
    }

    #[test]
    fn values_are_counted_and_binned() {
        let mut samples = Store::new(10);
        let mut leaves = vec![0.0; COMBO_COUNT + THREAT_MASKS];
        // Chances 0.88, 0.88, 0.5 and 0.12.
        for (mask, logit) in [(1, 2.0), (2, 0.0), (3, -2.0)] {
            leaves[COMBO_COUNT + mask] = logit;
        }
        let endings = [(1, Ending::Win), (1, Ending::Loss), (2, Ending::Draw)];
        for (threats, ending) in endings.into_iter().chain([(3, Ending::Loss)]) {
            let outlook = Outlook {
                mover: Colour::White,
                threats,
                own_items: 0,
            };
            let score = None;
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
        assert_eq!(table_count(Rule::Standard), 1);
        let model = ValueModel::new(Rule::Standard, 1.0, 0.005);
        let quality = ValueQuality::measure(&model, &samples, &leaves);
        assert_eq!(quality.count, 4);
        assert!((quality.accuracy - 2.0 / 3.0).abs() < 1e-9);
        // ln(1 + e^-2) three times, once with 2 added, and ln 2.
        let expected = (3.0 * 0.126_928 + 2.0 + std::f64::consts::LN_2) / 4.0;
        assert!((quality.loss - expected).abs() < 1e-5);
        assert_eq!(quality.loss, quality.ending_loss);
        let counts = quality.bins.map(|bin| bin.count);
        assert_eq!(counts, [0, 1, 0, 0, 0, 1, 0, 0, 2, 0]);
        assert_eq!(quality.bins[8].scored, 1.0);
        assert!(
            quality
                .calibration()
                .contains("88.1 %  50.0 %          2\n")
        );
    }

    #[test]
    fn equal_candidates_share_their_places() {
        let [good, fair] = [Shape::OpenThree, Shape::OpenTwo].map(combo);
        let dead = Combo::default();
        let mut leaves = vec![0.0; 2 * COMBO_COUNT];
        leaves[good.index()] = 2.0;
        leaves[fair.index()] = 1.0;
        let one = |combo| Candidates::one(combo, dead);
        let mut samples = Store::new(10);
        // Second of four; then one of two equal ones behind the first.
        samples.push(
            0,
            Colour::Black,
            &[one(fair), one(good), one(dead), one(dead)],
        );
        samples.push(0, Colour::Black, &[one(fair), one(fair), one(good)]);
        // The best.
        samples.push(0, Colour::White, &[one(good), one(fair)]);
        // The last of two.
        samples.push(0, Colour::White, &[one(dead), one(fair)]);
        let model = MoveModel::new(Rule::Standard);
        let quality = MoveQuality::measure(&model, &samples, &leaves);
        assert_eq!(quality.count, 4);
        assert_eq!(quality.found, [0.25, 1.0, 1.0]);
        let e = 1.0f64.exp();
        let loss =
            (1.0 + e + 2.0 / e).ln() + (2.0 + e).ln() + (1.0 + 1.0 / e).ln() + (1.0 + e).ln();
        assert!((quality.loss - loss / 4.0).abs() < 1e-5, "{}", quality.loss);
    }
}
