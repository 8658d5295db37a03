//! The tables of one rule as leaves, and back to the engine's weights.
//!
//! Under renju the two sides have tables of their own; under every other rule
//! they share them, and the leaves hold them once. The leaves of the value are
//! the value tables and then the threat tables; those of the moves are the
//! attack tables and then the defence tables.
//!
//! Points far from any stone are worth the same to both sides even under renju.
//! There are hundreds of them on an empty board, so the smallest difference, a
//! rounding, would grow to a lead for nothing.

use super::tying::{Spread, Tying};
use yonsan::board::Colour;
use yonsan::eval::weights::{ClassicalWeights, SCORE_SCALE, THREAT_MASKS};
use yonsan::pattern::{COMBO_COUNT, Class, Combo, LineRule, Shape};
use yonsan::rules::Rule;

/// A move score of this size stands for one unit of log odds against another
/// move.
pub const MOVE_SCALE: f32 = 32.0;
/// The largest number in a value table.
const VALUE_LIMIT: f32 = 8_000.0;
/// The largest number in any other table.
const OTHER_LIMIT: f32 = i16::MAX as f32;

/// Parents of a combo: its shapes, without the dead one, and its class, without
/// the quiet one.
const COMBO_PARENTS: usize = Shape::COUNT - 1 + Class::COUNT - 1;
/// Parents of a threat mask: its bits, and being on the move.
const THREAT_PARENTS: usize = THREAT_MASKS.ilog2() as usize + 1;

const VALUE_SPREAD: Spread = Spread {
    parent: 0.5,
    deviation: 0.05,
};
const THREAT_SPREAD: Spread = Spread {
    parent: 1.0,
    deviation: 0.2,
};
const MOVE_SPREAD: Spread = Spread {
    parent: 4.0,
    deviation: 0.5,
};

/// Number of tables of each kind that a rule needs: one for both colours, or
/// one for each.
#[must_use]
pub const fn table_count(rule: Rule) -> usize {
    match rule {
        Rule::Renju => 2,
        Rule::Freestyle | Rule::Standard | Rule::Caro | Rule::CaroExact => 1,
    }
}

/// The number of the table of a colour, of this many.
#[inline]
#[must_use]
pub const fn table_of(colour: Colour, table_count: usize) -> usize {
    if table_count == 1 { 0 } else { colour.index() }
}

/// Whether a combo says no more than that there is room: it has the same value
/// for both colours under every rule.
#[must_use]
pub fn is_room_only(combo: Combo) -> bool {
    combo
        .shapes()
        .into_iter()
        .all(|shape| shape <= Shape::OpenOne)
}

/// The colours whose tables are fitted: the other one, if missing, gets the
/// same numbers.
fn fitted(rule: Rule) -> &'static [Colour] {
    &Colour::ALL[..table_count(rule)]
}

fn combo_parents(rule: LineRule) -> impl Iterator<Item = Vec<u16>> {
    Combo::all().map(move |combo| {
        let shapes = combo.shapes().into_iter().map(|shape| shape as u16);
        let class = combo.class(rule) as u16;
        let class = (class > 0).then(|| Shape::COUNT as u16 - 1 + class - 1);
        shapes
            .filter(|&shape| shape > 0)
            .map(|shape| shape - 1)
            .chain(class)
            .collect()
    })
}

fn threat_parents() -> impl Iterator<Item = Vec<u16>> {
    const ON_MOVE: u16 = THREAT_PARENTS as u16 - 1;
    (0..THREAT_MASKS).map(|mask| {
        let bits = (0..ON_MOVE).filter(|bit| mask >> bit & 1 != 0);
        bits.chain([ON_MOVE]).collect()
    })
}

/// How the leaves of the value hang together.
#[must_use]
pub fn value_tying(rule: Rule) -> Tying {
    let mut tying = Tying::default();
    for &colour in fitted(rule) {
        let parents = combo_parents(LineRule::new(rule, colour));
        tying.add_table(COMBO_PARENTS, VALUE_SPREAD, parents);
    }
    for _ in fitted(rule) {
        tying.add_table(THREAT_PARENTS, THREAT_SPREAD, threat_parents());
    }
    for table in 1..table_count(rule) {
        for combo in Combo::all().filter(|&combo| is_room_only(combo)) {
            tying.add_twin(table * COMBO_COUNT + combo.index(), combo.index());
        }
    }
    tying
}

/// How the leaves of the moves hang together.
#[must_use]
pub fn move_tying(rule: Rule) -> Tying {
    let mut tying = Tying::default();
    let attackers = fitted(rule).iter().copied();
    // Points to defend are those that are good for the opponent.
    let defenders = attackers.clone().map(|colour| !colour);
    for colour in attackers.chain(defenders) {
        let parents = combo_parents(LineRule::new(rule, colour));
        tying.add_table(COMBO_PARENTS, MOVE_SPREAD, parents);
    }
    tying
}

/// The leaves of the value in a set of weights.
#[must_use]
pub fn value_leaves(weights: &ClassicalWeights, rule: Rule) -> Vec<f32> {
    let sides = || {
        fitted(rule)
            .iter()
            .map(|&colour| weights.side(rule, colour))
    };
    let values = sides().flat_map(|side| &side.value);
    let threats = sides().flat_map(|side| &side.threat);
    let numbers = values.chain(threats);
    numbers.map(|&n| f32::from(n) / SCORE_SCALE).collect()
}

/// The leaves of the moves in a set of weights.
#[must_use]
pub fn move_leaves(weights: &ClassicalWeights, rule: Rule) -> Vec<f32> {
    let sides = || {
        fitted(rule)
            .iter()
            .map(|&colour| weights.side(rule, colour))
    };
    let attacks = sides().flat_map(|side| &side.attack);
    let defences = sides().flat_map(|side| &side.defend);
    let numbers = attacks.chain(defences);
    numbers.map(|&n| f32::from(n) / MOVE_SCALE).collect()
}

/// Puts the leaves of the value into a set of weights, rounded, and cut to what
/// the tables can hold.
pub fn set_value(weights: &mut ClassicalWeights, rule: Rule, leaves: &[f32]) {
    let count = table_count(rule);
    let (values, threats) = leaves.split_at(count * COMBO_COUNT);
    for colour in Colour::ALL {
        let table = table_of(colour, count);
        let side = weights.side_mut(rule, colour);
        let values = &values[table * COMBO_COUNT..][..COMBO_COUNT];
        side.value = rounded(values, SCORE_SCALE, VALUE_LIMIT);
        side.value[Combo::default().index()] = 0;
        let threats = &threats[table * THREAT_MASKS..][..THREAT_MASKS];
        side.threat = rounded(threats, SCORE_SCALE, OTHER_LIMIT);
    }
}

/// Puts the leaves of the moves into a set of weights, rounded, and cut to what
/// the tables can hold.
pub fn set_moves(weights: &mut ClassicalWeights, rule: Rule, leaves: &[f32]) {
    let count = table_count(rule);
    let (attacks, defences) = leaves.split_at(count * COMBO_COUNT);
    for colour in Colour::ALL {
        let table = table_of(colour, count) * COMBO_COUNT;
        let side = weights.side_mut(rule, colour);
        side.attack = rounded(&attacks[table..][..COMBO_COUNT], MOVE_SCALE, OTHER_LIMIT);
        side.defend = rounded(&defences[table..][..COMBO_COUNT], MOVE_SCALE, OTHER_LIMIT);
    }
}

fn rounded(leaves: &[f32], scale: f32, limit: f32) -> Vec<i16> {
    let round = |leaf: &f32| (leaf * scale).round().clamp(-limit, limit) as i16;
    leaves.iter().map(round).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaves_hold_all_numbers_of_a_rule() {
        let hand = ClassicalWeights::hand();
        let mut weights = ClassicalWeights::hand();
        for rule in Rule::ALL {
            for colour in Colour::ALL {
                let side = weights.side_mut(rule, colour);
                for table in [
                    &mut side.value,
                    &mut side.attack,
                    &mut side.defend,
                    &mut side.threat,
                ] {
                    table.fill(-7);
                }
            }
            let values = value_leaves(&hand, rule);
            let moves = move_leaves(&hand, rule);
            assert_eq!(values.len(), value_tying(rule).leaf_count());
            assert_eq!(moves.len(), move_tying(rule).leaf_count());
            set_value(&mut weights, rule, &values);
            set_moves(&mut weights, rule, &moves);
        }
        assert!(weights == hand);
    }

    /// A fit that starts from different numbers must make them equal.
    #[test]
    fn room_is_worth_the_same_to_both_sides() {
        let rule = Rule::Renju;
        let mut weights = ClassicalWeights::hand();
        weights.side_mut(rule, Colour::White).value.fill(77);
        let tying = value_tying(rule);
        let parameters = tying.split(&value_leaves(&weights, rule));
        let mut leaves = vec![0.0; tying.leaf_count()];
        tying.leaves(&parameters, &mut leaves);
        set_value(&mut weights, rule, &leaves);
        let [black, white] = Colour::ALL.map(|colour| &weights.side(rule, colour).value);
        let equal = Combo::all().filter(|c| black[c.index()] == white[c.index()]);
        let equal: Vec<Combo> = equal.collect();
        let room = Combo::all().filter(|&combo| is_room_only(combo));
        let room: Vec<Combo> = room.collect();
        assert_eq!(room.len(), 15);
        assert!(room.iter().all(|combo| equal.contains(combo)));
        assert!(equal.len() < 100, "{}", equal.len());
    }

    #[test]
    fn numbers_stay_within_their_limits() {
        let mut weights = ClassicalWeights::hand();
        let rule = Rule::Renju;
        let mut values = vec![1e6; value_tying(rule).leaf_count()];
        values[COMBO_COUNT..2 * COMBO_COUNT].fill(-1e6);
        let moves = vec![f32::NAN; move_tying(rule).leaf_count()];
        set_value(&mut weights, rule, &values);
        set_moves(&mut weights, rule, &moves);
        let black = weights.side(rule, Colour::Black);
        let white = weights.side(rule, Colour::White);
        assert_eq!((black.value[0], black.value[1]), (0, 8_000));
        assert_eq!((white.value[0], white.value[2_379]), (0, -8_000));
        assert_eq!(white.threat[511], i16::MAX);
        assert_eq!(black.attack[5], 0);
    }

    /// By rule of thumb a combo is worth the sum of its shapes and its class,
    /// but for the cut at 0: nothing is left to deviations elsewhere.
    #[test]
    fn weights_by_rule_of_thumb_are_all_parents() {
        let rule = Rule::Freestyle;
        let leaves = value_leaves(&ClassicalWeights::hand(), rule);
        let tying = value_tying(rule);
        let parameters = tying.split(&leaves);
        let deviations = &parameters[tying.parameter_count() - tying.leaf_count()..];
        let largest = deviations.iter().fold(0.0f32, |most, d| most.max(d.abs()));
        assert!(largest < 2.0 / SCORE_SCALE, "{largest}");
    }
}
