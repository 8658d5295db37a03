//! How likely the leaves make what has happened: losses and their gradients.
//!
//! A model adds up the leaves that belong to a sample, compares with what was
//! played, and tells how the loss changes with each leaf. Losses are in nats.

use super::features::{Candidates, ComboTimes, Outlook};
use super::store::Sample;
use super::tables::{table_count, table_of};
use crate::games::{Ending, sigmoid};
use yonsan::board::Colour;
use yonsan::eval::weights::THREAT_MASKS;
use yonsan::pattern::COMBO_COUNT;
use yonsan::rules::Rule;

/// Something that explains samples by leaves.
pub trait Model: Sync {
    /// What a sample has once.
    type Head: Copy + Send + Sync;
    /// What a sample has many times.
    type Item: Copy + Send + Sync;

    /// The loss of a sample, whose gradient is added to `gradient`. `memory`
    /// is scratch space.
    fn learn(
        &self,
        sample: &Sample<'_, Self::Head, Self::Item>,
        leaves: &[f32],
        gradient: &mut [f32],
        memory: &mut Vec<f32>,
    ) -> f32;
}

/// Cross-entropy of a chance to win, given as log odds, against a target from
/// 0 to 1.
#[inline]
#[must_use]
pub fn cross_entropy(logit: f32, target: f32) -> f32 {
    // ln(1 + e^x) - target x, in a form that cannot overflow.
    logit.max(0.0) + (-logit.abs()).exp().ln_1p() - target * logit
}

/// A position to value, and what became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueHead {
    /// The position.
    pub outlook: Outlook,
    /// How the game ended.
    pub ending: Ending,
    /// What the search thought; `None` if it had a proof, or did not search.
    pub score: Option<i16>,
}

/// The chance to win from the value tables.
#[derive(Clone, Copy, Debug)]
pub struct ValueModel {
    tables: usize,
    /// What the ending weighs in the target, 0 to 1; the score has the rest.
    pub ending_weight: f32,
    /// Log odds that one unit of the recorded scores stands for.
    pub score_unit: f32,
}

impl ValueModel {
    /// A model for a rule.
    #[must_use]
    pub const fn new(rule: Rule, ending_weight: f32, score_unit: f32) -> Self {
        Self {
            tables: table_count(rule),
            ending_weight,
            score_unit,
        }
    }

    /// Where the mover's values, the opponent's and the threats begin.
    #[inline]
    const fn places(&self, mover: Colour) -> [usize; 3] {
        let table = table_of(mover, self.tables);
        let other = table_of(mover.opponent(), self.tables);
        [
            table * COMBO_COUNT,
            other * COMBO_COUNT,
            self.tables * COMBO_COUNT + table * THREAT_MASKS,
        ]
    }

    /// Log odds of a win.
    #[inline]
    #[must_use]
    pub fn logit(&self, sample: &Sample<'_, ValueHead, ComboTimes>, leaves: &[f32]) -> f32 {
        let outlook = &sample.head.outlook;
        let [own, other, threats] = self.places(outlook.mover);
        let (plus, minus) = sample.items.split_at(usize::from(outlook.own_items));
        let sum = |leaves: &[f32], items: &[ComboTimes]| -> f32 {
            items.iter().map(|i| i.times() * leaves[i.combo()]).sum()
        };
        leaves[threats + usize::from(outlook.threats)] + sum(&leaves[own..][..COMBO_COUNT], plus)
            - sum(&leaves[other..][..COMBO_COUNT], minus)
    }

    /// The chance to win that the model should tell.
    #[inline]
    #[must_use]
    pub fn target(&self, head: &ValueHead) -> f32 {
        let ending = head.ending.points();
        head.score.map_or(ending, |score| {
            let searched = sigmoid(f32::from(score) * self.score_unit);
            searched + self.ending_weight * (ending - searched)
        })
    }
}

impl Model for ValueModel {
    type Head = ValueHead;
    type Item = ComboTimes;

    #[inline]
    fn learn(
        &self,
        sample: &Sample<'_, ValueHead, ComboTimes>,
        leaves: &[f32],
        gradient: &mut [f32],
        _: &mut Vec<f32>,
    ) -> f32 {
        let logit = self.logit(sample, leaves);
        let target = self.target(sample.head);
        let slope = sigmoid(logit) - target;
        let outlook = &sample.head.outlook;
        let [own, other, threats] = self.places(outlook.mover);
        let (plus, minus) = sample.items.split_at(usize::from(outlook.own_items));
        gradient[threats + usize::from(outlook.threats)] += slope;
        for item in plus {
            gradient[own..][..COMBO_COUNT][item.combo()] += slope * item.times();
        }
        for item in minus {
            gradient[other..][..COMBO_COUNT][item.combo()] -= slope * item.times();
        }
        cross_entropy(logit, target)
    }
}

/// The chance of each candidate to be played, from the attack and defence
/// tables. The first item of a sample is the played move.
#[derive(Clone, Copy, Debug)]
pub struct MoveModel {
    tables: usize,
}

impl MoveModel {
    /// A model for a rule.
    #[must_use]
    pub const fn new(rule: Rule) -> Self {
        Self {
            tables: table_count(rule),
        }
    }

    /// Where the mover's attack and defence begin.
    #[inline]
    const fn places(&self, mover: Colour) -> [usize; 2] {
        let table = table_of(mover, self.tables);
        [table * COMBO_COUNT, (self.tables + table) * COMBO_COUNT]
    }

    /// Log odds of the candidates against each other.
    #[inline]
    pub fn logits(
        &self,
        sample: &Sample<'_, Colour, Candidates>,
        leaves: &[f32],
    ) -> impl Iterator<Item = f32> {
        let [attack, defence] = self.places(*sample.head);
        let attack = &leaves[attack..][..COMBO_COUNT];
        let defence = &leaves[defence..][..COMBO_COUNT];
        sample
            .items
            .iter()
            .map(|item| attack[item.own()] + defence[item.other()])
    }
}

impl Model for MoveModel {
    type Head = Colour;
    type Item = Candidates;

    #[inline]
    fn learn(
        &self,
        sample: &Sample<'_, Colour, Candidates>,
        leaves: &[f32],
        gradient: &mut [f32],
        memory: &mut Vec<f32>,
    ) -> f32 {
        memory.clear();
        memory.extend(self.logits(sample, leaves));
        let highest = memory.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let played = memory[0] - highest;
        let mut sum = 0.0;
        for (weight, item) in memory.iter_mut().zip(sample.items) {
            *weight = (*weight - highest).exp() * item.times();
            sum += *weight;
        }
        let [attack, defence] = self.places(*sample.head);
        for (index, (weight, item)) in memory.iter().zip(sample.items).enumerate() {
            let was_played = if index == 0 { 1.0 } else { 0.0 };
            let slope = weight / sum - was_played;
            gradient[attack..][..COMBO_COUNT][item.own()] += slope;
            gradient[defence..][..COMBO_COUNT][item.other()] += slope;
        }
        sum.ln() - played
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use yonsan::board::{Position, Random, Size, parse_moves};
    use yonsan::eval::classical::point_table;
    use yonsan::pattern::Board;

    use super::super::features::{Extractor, Neighbourhood};

    /// The gradient must be the change of the loss at a small step of a leaf,
    /// for all leaves that matter and some that do not.
    fn check_gradient<M: Model>(
        model: &M,
        sample: &Sample<'_, M::Head, M::Item>,
        leaf_count: usize,
    ) {
        const STEP: f32 = 0.02;
        let mut random = Random::new(5);
        let mut leaves: Vec<f32> = (0..leaf_count).map(|_| random.unit() - 0.5).collect();
        let mut gradient = vec![0.0; leaf_count];
        let mut ignored = vec![0.0; leaf_count];
        let mut memory = Vec::new();
        model.learn(sample, &leaves, &mut gradient, &mut memory);
        let mut moved = 0;
        for leaf in 0..leaf_count {
            if gradient[leaf] == 0.0 && leaf % 100 != 0 {
                continue;
            }
            let home = leaves[leaf];
            let [above, below] = [home + STEP, home - STEP].map(|value| {
                leaves[leaf] = value;
                f64::from(model.learn(sample, &leaves, &mut ignored, &mut memory))
            });
            leaves[leaf] = home;
            let slope = (above - below) / (2.0 * f64::from(STEP));
            let error = (slope - f64::from(gradient[leaf])).abs();
            let allowed = 2e-3 * (1.0 + slope.abs());
            assert!(error < allowed, "leaf {leaf}: {slope} {}", gradient[leaf]);
            moved += usize::from(slope.abs() > 1e-3);
        }
        assert!(moved >= 10, "only {moved} leaves matter");
    }

    fn example(rule: Rule) -> Board {
        let moves = parse_moves("d4e4e5d6f4").unwrap();
        let position = Position::from_moves(Size::square(9).unwrap(), &moves).unwrap();
        Board::new(position, point_table(rule))
    }

    #[test]
    fn value_gradients_are_right() {
        for rule in [Rule::Standard, Rule::Renju] {
            let board = example(rule);
            let mut extractor = Extractor::new(rule);
            let (outlook, items) = extractor.value(&board);
            let head = ValueHead {
                outlook,
                ending: Ending::Win,
                score: Some(-50),
            };
            let sample = Sample { head: &head, items };
            let model = ValueModel::new(rule, 0.6, 0.005);
            let count = table_count(rule) * (COMBO_COUNT + THREAT_MASKS);
            check_gradient(&model, &sample, count);
        }
    }

    #[test]
    fn move_gradients_are_right() {
        for rule in [Rule::Standard, Rule::Renju] {
            let mut board = example(rule);
            let near = Neighbourhood::new(board.size());
            let played = parse_moves("f5").unwrap()[0];
            let mut extractor = Extractor::new(rule);
            let items = extractor.candidates(&mut board, &near, played).unwrap();
            let head = board.side_to_move();
            let sample = Sample { head: &head, items };
            let count = table_count(rule) * 2 * COMBO_COUNT;
            check_gradient(&MoveModel::new(rule), &sample, count);
        }
    }

    #[test]
    fn targets_lie_between_ending_and_score() {
        let model = ValueModel::new(Rule::Caro, 0.6, 0.005);
        let mut head = ValueHead {
            outlook: Outlook {
                mover: Colour::Black,
                threats: 0,
                own_items: 0,
            },
            ending: Ending::Loss,
            score: Some(0),
        };
        assert!((model.target(&head) - 0.2).abs() < 1e-6);
        head.score = None;
        assert_eq!(model.target(&head), 0.0);
        head.ending = Ending::Draw;
        assert_eq!(model.target(&head), 0.5);
    }

    #[test]
    fn cross_entropy_is_that_of_the_textbook() {
        for (logit, target) in [(0.3f32, 1.0f32), (-2.0, 0.25), (4.0, 0.0)] {
            let chance = sigmoid(logit);
            let expected = -target * chance.ln() - (1.0 - target) * (1.0 - chance).ln();
            assert!((cross_entropy(logit, target) - expected).abs() < 1e-5);
        }
        assert_eq!(cross_entropy(200.0, 1.0), 0.0);
        assert_eq!(cross_entropy(-200.0, 1.0), 200.0);
    }
}
