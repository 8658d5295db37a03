//! Fits to made-up samples whose answer is known.

use super::super::features::{ComboTimes, Extractor, Neighbourhood};
use super::super::model::{MoveModel, ValueHead, ValueModel};
use super::super::report::MoveQuality;
use super::super::store::Sample;
use super::super::tables::{move_leaves, move_tying, value_leaves, value_tying};
use super::*;
use crate::games::{Ending, sigmoid};
use yonsan::board::{Position, Size};
use yonsan::eval::classical::point_table;
use yonsan::eval::weights::ClassicalWeights;
use yonsan::pattern::Board;
use yonsan::rules::Rule;

const SETTINGS: Settings = Settings {
    epochs: 8,
    batch: 128,
    pace: 0.01,
    seed: 3,
};

/// A board with random stones near its middle.
fn random_board(random: &mut Random, rule: Rule) -> Board {
    let size = Size::square(11).unwrap();
    let mut board = Board::new(Position::new(size), point_table(rule));
    for _ in 0..6 + random.index(12) {
        let place = |random: &mut Random| 2 + random.index(7) as u8;
        let point = size.point(place(random), place(random)).unwrap();
        if board.position().is_empty(point) {
            board.play(point);
        }
    }
    board
}

/// Positions whose games end as the weights by rule of thumb foretell, with
/// the dice of chance.
fn valued_samples(rule: Rule, count: usize) -> Store<ValueHead, ComboTimes> {
    let mut random = Random::new(11);
    let mut extractor = Extractor::new(rule);
    let truth = value_leaves(&ClassicalWeights::hand(), rule);
    let model = ValueModel::new(rule, 1.0, 0.005);
    let mut samples = Store::new(count);
    while samples.len() < count {
        let board = random_board(&mut random, rule);
        let (outlook, items) = extractor.value(&board);
        let mut head = ValueHead {
            outlook,
            ending: Ending::Loss,
            score: None,
        };
        let logit = model.logit(&Sample { head: &head, items }, &truth);
        if random.unit() < sigmoid(logit) {
            head.ending = Ending::Win;
        }
        samples.push(0, head, items);
    }
    samples
}

#[test]
fn known_value_tables_are_recovered() {
    // Renju has two tables, and shapes that stand everywhere in both.
    for rule in [Rule::Standard, Rule::Renju] {
        check_recovery(rule);
    }
}

fn check_recovery(rule: Rule) {
    const COUNT: usize = 24_000;
    let samples = valued_samples(rule, COUNT);
    let truth = value_leaves(&ClassicalWeights::hand(), rule);
    let model = ValueModel::new(rule, 1.0, 0.005);
    let start = vec![0.0; truth.len()];
    let mut losses = Vec::new();
    let tying = value_tying(rule);
    let leaves = fit(
        &model,
        &samples,
        &tying,
        &start,
        &SETTINGS,
        |epoch, loss, _| {
            assert_eq!(epoch as usize, losses.len() + 1);
            losses.push(loss);
        },
    );
    assert!(losses.last() < losses.first(), "{losses:?}");
    // Chances told must be near the true ones, though only endings were seen.
    let mean = |error: &dyn Fn(&Sample<'_, ValueHead, ComboTimes>, f32) -> f32| {
        let errors = samples.iter().map(|sample| {
            let true_chance = sigmoid(model.logit(&sample, &truth));
            error(&sample, true_chance).abs()
        });
        errors.sum::<f32>() / COUNT as f32
    };
    let blind = mean(&|_, chance| 0.5 - chance);
    let error = mean(&|sample, chance| sigmoid(model.logit(sample, &leaves)) - chance);
    assert!(blind > 0.15, "{blind}");
    assert!(error < 0.04, "{rule}: {error}");
}

#[test]
fn known_move_tables_are_recovered() {
    let rule = Rule::Renju;
    let truth = move_leaves(&ClassicalWeights::hand(), rule);
    let model = MoveModel::new(rule);
    let mut random = Random::new(12);
    let mut extractor = Extractor::new(rule);
    let near = Neighbourhood::new(Size::square(11).unwrap());
    let mut samples = Store::new(usize::MAX);
    for _ in 0..3_000 {
        let mut board = random_board(&mut random, rule);
        let score = |board: &Board, point| true_move_score(&truth, board, point);
        // The best move by the true tables is played; the first of equal ones.
        let side = board.side_to_move();
        let points: Vec<_> = board.position().empty_points().collect();
        let mut best: Option<(f32, yonsan::board::Point)> = None;
        for point in points {
            let score = score(&board, point);
            if best.is_none_or(|(highest, _)| score > highest) && !board.is_forbidden(point, side) {
                best = Some((score, point));
            }
        }
        let (_, played) = best.unwrap();
        if let Some(items) = extractor.candidates(&mut board, &near, played) {
            samples.push(0, side, items);
        }
    }
    let start = vec![0.0; truth.len()];
    let before = MoveQuality::measure(&model, &samples, &start);
    let settings = Settings {
        pace: 0.05,
        ..SETTINGS
    };
    let leaves = fit(
        &model,
        &samples,
        &move_tying(rule),
        &start,
        &settings,
        |_, _, _| (),
    );
    let after = MoveQuality::measure(&model, &samples, &leaves);
    assert!(before.found[0] < 0.1, "{before}");
    assert!(after.found[0] > 0.75, "{after}");
    assert!(after.found[2] > 0.98, "{after}");
}

/// The true score of a move, by the engine's own definition.
fn true_move_score(truth: &[f32], board: &Board, point: yonsan::board::Point) -> f32 {
    use yonsan::pattern::COMBO_COUNT;
    let side = board.side_to_move();
    let attack = side.index() * COMBO_COUNT + board.combo(point, side).index();
    let defence = (2 + side.index()) * COMBO_COUNT + board.combo(point, !side).index();
    truth[attack] + truth[defence]
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let rule = Rule::Freestyle;
    let samples = valued_samples(rule, 600);
    let start = value_leaves(&ClassicalWeights::hand(), rule);
    let model = ValueModel::new(rule, 1.0, 0.005);
    let settings = Settings {
        batch: 100,
        ..SETTINGS
    };
    let with_threads = |count| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(count)
            .build()
            .unwrap();
        pool.install(|| {
            fit(
                &model,
                &samples,
                &value_tying(rule),
                &start,
                &settings,
                |_, _, _| (),
            )
        })
    };
    let one = with_threads(1);
    assert_eq!(one, with_threads(3));
    let other_seed = Settings {
        seed: 4,
        ..settings
    };
    let other = fit(
        &model,
        &samples,
        &value_tying(rule),
        &start,
        &other_seed,
        |_, _, _| (),
    );
    assert_ne!(one, other);
}

#[test]
fn nothing_to_learn_from_changes_nothing() {
    let rule = Rule::Caro;
    let start = value_leaves(&ClassicalWeights::hand(), rule);
    let model = ValueModel::new(rule, 1.0, 0.005);
    let none = Store::new(1);
    let leaves = fit(
        &model,
        &none,
        &value_tying(rule),
        &start,
        &SETTINGS,
        |_, _, _| (),
    );
    assert_eq!(leaves, start);
}
