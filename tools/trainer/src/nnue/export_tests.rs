//! The net in integers against the net in floating point.

use super::super::data::Data;
use super::super::layout::Layout;
use super::super::part::Part;
use super::super::proof;
use super::super::sight::Sight;
use super::super::test_games::data_of;
use super::*;
use crate::classical::features::Neighbourhood;
use std::sync::Arc;
use yonsan::board::{Point, Position, Random};
use yonsan::eval::nnue::{Accumulator, POLICY_ONE};
use yonsan::rules::Rule;

/// A net with numbers all over, none too small to survive rounding.
fn busy_net(layout: Layout) -> Net {
    let mut net = Net::new(Arc::new(layout), 3);
    let mut random = Random::new(8);
    for row in net.rows.iter_mut().skip(1) {
        for item in &mut row.0 {
            *item += 0.3 * (random.unit() - 0.5);
        }
    }
    // No window has these rows, so training never meets them.
    let blank = WindowId::all().filter(|window| window.stones() == 0);
    for window in blank {
        for side in RuleSide::ALL {
            let own = net.layout.own_row(side, window.narrow().index());
            for row in net.layout.middle(own).map(|row| row as usize) {
                net.rows[row] = Row::ZERO;
            }
            net.rows[own] = Row::ZERO;
        }
    }
    net.heads = (0..net.heads.len())
        .map(|_| {
            let mut head = net.heads[0].clone();
            for array in head.arrays_mut() {
                for number in array {
                    *number += 0.3 * (random.unit() - 0.5);
                }
            }
            head
        })
        .collect();
    net
}

/// What is foretold of every sample: points, and the log odds of its moves.
fn judged(
    net: &Net,
    data: &Data,
    sight: &Sight,
) -> (Vec<super::super::part::Verdict>, Vec<Vec<f32>>) {
    let mut part = Part::new();
    let ready = Ready::new(net, true, Vec::new());
    part.start(&ready, 0.5);
    let judge = |sample| {
        let verdict = part.judge(&ready, data, sight, sample);
        (verdict, part.move_logits().to_vec())
    };
    data.held_out.iter().map(judge).unzip()
}

fn position(data: &Data, number: usize) -> (Position, Vec<Point>) {
    let view = data.view(&data.held_out[number]);
    let position = Position::from_moves(view.size, view.moves).unwrap();
    let near = Neighbourhood::new(view.size).around_stones(&position);
    let candidates = near
        .iter()
        .filter(|&point| position.is_empty(point) && !view.fouls.contains(&point));
    (position.clone(), candidates.collect())
}

#[test]
fn the_engine_computes_what_was_trained() {
    let mut data = data_of(&[(Rule::Renju, 9), (Rule::CaroExact, 16)], 6);
    data.held_out = std::mem::take(&mut data.learn);
    let sight = Sight::new(&data.sizes());
    let net = busy_net(Layout::new(|key| key % 3 == 0));
    let (verdicts, logits) = judged(&net, &data, &sight);
    let points: Vec<f64> = verdicts.iter().map(|verdict| verdict.points()).collect();
    let spread =
        points.iter().copied().fold(0.0, f64::max) - points.iter().copied().fold(1.0, f64::min);
    assert!(spread > 0.2, "all positions seem the same: {spread}");

    let bytes = export(&net, "a test").unwrap();
    let gap = proof::compare(&bytes, &data, &verdicts).unwrap();
    let values = data.held_out.iter().filter(|sample| sample.has_value);
    assert_eq!(gap.count, values.count() as u64);
    assert!(gap.mean < 0.005 && gap.most < 0.03, "{gap}");

    let file = NetFile::new(bytes).unwrap();
    let mut compared = 0;
    for (number, sample) in data.held_out.iter().enumerate() {
        if !sample.has_move {
            continue;
        }
        let network = proof::network(&file, data.game(sample).rule).unwrap();
        let (position, candidates) = position(&data, number);
        let mut found = Vec::new();
        Accumulator::new(&network, position.size()).policy(&position, candidates, &mut found);
        assert_eq!(found.len(), logits[number].len());
        for (found, expected) in found.into_iter().zip(&logits[number]) {
            let found = found as f32 / POLICY_ONE as f32;
            assert!((found - expected).abs() < 0.03, "{found} {expected}");
            compared += 1;
        }
        if compared > 3_000 {
            return;
        }
    }
    panic!("only {compared} moves were compared");
}

#[test]
fn rows_survive_as_they_are() {
    let net = busy_net(Layout::new(|key| key % 2 == 0));
    let ready = Ready::new(&net, true, Vec::new());
    for side in [RuleSide::Caro, RuleSide::RenjuWhite] {
        let expanded = side_weights(&net, side).table.expand();
        for window in WindowId::all().step_by(11) {
            let row = ready.row(key(side, window)).0;
            let expected = row.0.map(|item| (item * 32.0).round() as i8);
            assert_eq!(expanded[window.index()], expected, "{window:?}");
        }
    }
    // Blank windows have no value, whatever walls there are.
    let narrow = &side_weights(&net, RuleSide::Caro).table.narrow;
    for window in WindowId::all().filter(|window| window.stones() == 0) {
        let row = ready.row(key(RuleSide::Caro, window)).0;
        assert_eq!(row, Row::ZERO);
        assert_eq!(narrow[window.narrow().index()], [0; CHANNELS], "{window:?}");
    }
}
