//! The net as the search will use it: against a plain sum over the weights,
//! after any stones played and taken back, and on every kind of processor at
//! hand.
//!
//! `YONSAN_NNUE_STEPS` sets how many stones are played and taken back (default
//! 20,000 in all).

// The benches use more of it.
#[path = "common/net.rs"]
mod net;

use net::{Random, random_net};
use std::collections::HashMap;
use yonsan::board::{Cell, Colour, Direction, MAX_SIDE, MIN_SIDE, Point, Position, Size, Symmetry};
use yonsan::eval::nnue::{
    Accumulator, BIAS_LIMIT, CHANNELS, Heads, InstallError, NetError, NetFile, Network, OUTCOMES,
    POLICY_HIDDEN, RuleSide, SideWeights, TableRow, VALUE_HIDDEN, WEIGHT_LIMIT, WindowId, install,
    network, size_class,
};
use yonsan::eval::simd::{Kernels, Path};
use yonsan::eval::{Evaluation, Evaluator, classical};
use yonsan::pattern::Board;
use yonsan::rules::Rule;

/// The net computed from the weights as they are written down: no order of
/// memory, nothing kept, 64 bits everywhere.
struct Plain<'a> {
    sides: [&'a SideWeights; 2],
    residuals: [HashMap<WindowId, TableRow>; 2],
}

impl<'a> Plain<'a> {
    fn new(sides: [&'a SideWeights; 2]) -> Self {
        Self {
            sides,
            residuals: sides.map(|side| side.table.residual.iter().copied().collect()),
        }
    }

    fn row(&self, view: Colour, id: WindowId) -> [i64; CHANNELS] {
        if id.stones() == 0 {
            return [0; CHANNELS];
        }
        let narrow = self.sides[view.index()].table.narrow[id.narrow().index()];
        let own = self.residuals[view.index()].get(&id);
        std::array::from_fn(|channel| {
            let own = own.map_or(0, |row| i64::from(row[channel]));
            (i64::from(narrow[channel]) + own).clamp(-127, 127)
        })
    }

    /// What a colour sees around a point, nothing below 0.
    fn cell(&self, position: &Position, point: Point, view: Colour) -> [i64; CHANNELS] {
        let mut sum = [0; CHANNELS];
        if position.cell(point) == Cell::Wall {
            return sum;
        }
        for direction in Direction::ALL {
            let window = position.lines().window(point, direction);
            let row = self.row(view, WindowId::of(window, view));
            for (sum, number) in sum.iter_mut().zip(row) {
                *sum += number;
            }
        }
        sum.map(|number| number.max(0))
    }

    fn logits(&self, position: &Position) -> [i32; OUTCOMES] {
        let side = position.side_to_move();
        let mut inputs = Vec::new();
        for view in [side, !side] {
            let mut sum = [0; CHANNELS];
            for point in position.size().points() {
                let cell = self.cell(position, point, view);
                for (sum, number) in sum.iter_mut().zip(cell) {
                    *sum += number;
                }
            }
            inputs.extend(sum.map(|number| number.min(4_095)));
        }
        let head = &self.sides[side.index()].heads.value;
        let bias = &head.first_bias[size_class(position.size())];
        let hidden = layer(&head.first, bias, &inputs).map(|sum| activation(sum, 128));
        let hidden =
            layer(&head.second, &head.second_bias, &hidden).map(|sum| activation(sum, 1_024));
        layer(&head.last, &head.last_bias, &hidden).map(|sum| sum.try_into().expect("32 bits"))
    }

    fn policy(&self, position: &Position, point: Point) -> i32 {
        let side = position.side_to_move();
        let inputs = [side, !side].map(|view| self.cell(position, point, view));
        let head = &self.sides[side.index()].heads.policy;
        let hidden = layer(&head.first, &head.first_bias, inputs.as_flattened());
        let hidden: [i64; POLICY_HIDDEN] = hidden.map(|sum| activation(sum, 128));
        let [logit] = layer(&[head.last], &[head.last_bias], &hidden);
        (logit + 128).div_euclid(256).try_into().expect("32 bits")
    }
}

fn layer<const IN: usize, const OUT: usize>(
    weights: &[[i16; IN]; OUT],
    bias: &[i32; OUT],
    inputs: &[i64],
) -> [i64; OUT] {
    assert_eq!(inputs.len(), IN);
    std::array::from_fn(|unit| {
        let products = weights[unit].iter().zip(inputs);
        let sum: i64 = products
            .map(|(&weight, input)| i64::from(weight) * input)
            .sum();
        sum + i64::from(bias[unit])
    })
}

/// A sum divided, rounded to nearest, upwards at the half, and cut.
fn activation(sum: i64, divisor: i64) -> i64 {
    (sum + divisor / 2).div_euclid(divisor).clamp(0, 4_095)
}

fn all_kernels() -> Vec<Kernels> {
    Path::ALL.into_iter().filter_map(Kernels::new).collect()
}

fn random_size(random: &mut Random) -> Size {
    let sides = usize::from(MAX_SIDE - MIN_SIDE + 1);
    let mut side = || MIN_SIDE + random.below(sides) as u8;
    Size::new(side(), side()).expect("a good size")
}

/// A free point, most often near the stones; `None` if the dice show a taken
/// one.
fn random_point(random: &mut Random, position: &Position) -> Option<Point> {
    let size = position.size();
    let near = position.last().filter(|_| random.below(8) != 0);
    let mut coordinate = |near: Option<u8>, side: u8| match near {
        Some(near) => (usize::from(near) + random.below(9)).checked_sub(4),
        None => Some(random.below(usize::from(side))),
    };
    let x = coordinate(near.map(|stone| stone.point.x()), size.width())?;
    let y = coordinate(near.map(|stone| stone.point.y()), size.height())?;
    let point = size.point(x as u8, y as u8)?;
    position.is_empty(point).then_some(point)
}

/// A position with up to `most` stones, now and then with points that are
/// taken by nobody.
fn random_position(random: &mut Random, size: Size, most: usize) -> Position {
    let mut position = Position::new(size);
    if random.below(3) == 0 {
        for _ in 0..3 {
            if let Some(point) = random_point(random, &position) {
                position.block(point);
            }
        }
    }
    for _ in 0..random.below(most + 1) {
        if let Some(point) = random_point(random, &position) {
            position.play(point);
        }
    }
    position
}

/// All that can be seen of an accumulator in a position: the logits of both
/// colours, and of moves on all points.
fn all_of(accumulator: &mut Accumulator<'_>, position: &mut Position) -> Vec<i32> {
    let side = position.side_to_move();
    let mut all = Vec::new();
    for colour in Colour::ALL {
        position.set_side_to_move(colour);
        all.extend(accumulator.logits(position));
        let points = position.size().points();
        accumulator.policy(position, points, &mut all);
    }
    position.set_side_to_move(side);
    all
}

fn all_of_plain(plain: &Plain<'_>, position: &mut Position) -> Vec<i32> {
    let side = position.side_to_move();
    let mut all = Vec::new();
    for colour in Colour::ALL {
        position.set_side_to_move(colour);
        all.extend(plain.logits(position));
        let points = position.size().points();
        all.extend(points.map(|point| plain.policy(position, point)));
    }
    position.set_side_to_move(side);
    all
}

#[test]
fn every_way_to_compute_agrees_with_the_plain_sum() {
    let (black, white) = (random_net(1, 3), random_net(2, 5));
    let network = Network::new(&black, &white);
    let plain = Plain::new([&black, &white]);
    let mut random = Random(7);
    let mut has_seen = [false; 2];
    for _ in 0..60 {
        let size = random_size(&mut random);
        let mut position = random_position(&mut random, size, 80);
        let expected = all_of_plain(&plain, &mut position);
        for kernels in all_kernels() {
            let mut accumulator = Accumulator::with_kernels(&network, size, kernels);
            let found = all_of(&mut accumulator, &mut position);
            assert_eq!(found, expected, "{kernels:?}");
        }
        has_seen[usize::from(position.stones().len() > 40)] = true;
    }
    assert_eq!(has_seen, [true; 2], "few stones and many");
}

fn step_count() -> usize {
    let text = std::env::var("YONSAN_NNUE_STEPS").ok();
    text.and_then(|text| text.parse().ok()).unwrap_or(20_000)
}

/// Stones come and go, turns are passed, values are asked for now and then.
#[test]
fn updates_equal_a_rebuild() {
    const STEPS_PER_BOARD: usize = 1_000;
    let weights = Rule::ALL.map(|rule| random_net(10 + rule.index() as u64, 4));
    let kernels = all_kernels();
    for board in 0..step_count() / STEPS_PER_BOARD {
        let mut random = Random((board as u64) << 40);
        let size = random_size(&mut random);
        let black = &weights[board % weights.len()];
        // As in renju, where the colours have weights of their own.
        let white = if board % 5 == 2 { &weights[3] } else { black };
        let network = Network::new(black, white);
        let kernels = kernels[board % kernels.len()];
        let mut position = random_position(&mut random, size, 30);
        let start = position.stones().len();
        let mut accumulator = Accumulator::with_kernels(&network, size, kernels);
        for step in 0..STEPS_PER_BOARD {
            match random.below(20) {
                0..10 => {
                    if let Some(point) = random_point(&mut random, &position) {
                        position.play(point);
                    }
                }
                10..19 if position.stones().len() > start => {
                    position.undo();
                }
                _ => position.set_side_to_move(!position.side_to_move()),
            }
            if random.below(3) == 0 {
                accumulator.value(&position, 0);
            }
            if step % 50 == 49 {
                let mut fresh = Accumulator::with_kernels(&network, size, kernels);
                let expected = all_of(&mut fresh, &mut position);
                assert_eq!(all_of(&mut accumulator, &mut position), expected);
            }
        }
    }
}

#[test]
fn another_board_is_no_matter() {
    let weights = random_net(20, 3);
    let network = Network::new(&weights, &weights);
    let mut random = Random(20);
    let mut accumulator = Accumulator::new(&network, Size::square(15).expect("a good size"));
    for _ in 0..30 {
        // Boards of the same size too, with nothing else in common.
        let size = Size::new(15, 14 + random.below(2) as u8).expect("a good size");
        let mut position = random_position(&mut random, size, 60);
        let mut fresh = Accumulator::new(&network, size);
        let expected = all_of(&mut fresh, &mut position);
        assert_eq!(all_of(&mut accumulator, &mut position), expected);
    }
}

/// The greatest weights and sums of either sign: the dev profile, in which
/// tests run, traps every overflow of the scalar kernels.
#[test]
fn extreme_weights_do_not_overflow() {
    let mut random = Random(30);
    for signs in 0..32u8 {
        let sign = |bit: u8| if signs >> bit & 1 == 0 { 1 } else { -1 };
        let mut weights = SideWeights::zero();
        for (number, row) in weights.table.narrow.iter_mut().enumerate() {
            // All alike, or from one end to the other in one step.
            let turn = if number % 2 == 0 { sign(4) } else { 1 };
            *row = [(127 * sign(0) * turn) as i8; CHANNELS];
        }
        weights.heads = extreme_heads(sign);
        assert!(weights.heads.are_in_range());
        let network = Network::new(&weights, &weights);
        let plain = Plain::new([&weights, &weights]);
        for (size, stones) in [(22, 300), (5, 10)] {
            let size = Size::square(size).expect("a good size");
            let mut position = random_position(&mut random, size, stones);
            let expected = all_of_plain(&plain, &mut position);
            for kernels in all_kernels() {
                let mut accumulator = Accumulator::with_kernels(&network, size, kernels);
                let found = all_of(&mut accumulator, &mut position);
                assert_eq!(found, expected, "{kernels:?} {signs:05b}");
            }
        }
    }
}

fn extreme_heads(sign: impl Fn(u8) -> i32) -> Heads {
    let weight = |bit| WEIGHT_LIMIT * sign(bit) as i16;
    let bias = |bit| BIAS_LIMIT * sign(bit);
    let mut heads = Heads::ZERO;
    heads.value.first.as_flattened_mut().fill(weight(1));
    heads.value.first_bias.as_flattened_mut().fill(bias(1));
    heads.value.second.as_flattened_mut().fill(weight(2));
    heads.value.second_bias = [bias(2); VALUE_HIDDEN];
    heads.value.last.as_flattened_mut().fill(weight(3));
    heads.value.last_bias = [bias(3); OUTCOMES];
    heads.policy.first.as_flattened_mut().fill(weight(1));
    heads.policy.first_bias = [bias(1); POLICY_HIDDEN];
    heads.policy.last = [weight(2); POLICY_HIDDEN];
    heads.policy.last_bias = bias(2);
    heads
}

#[test]
fn symmetries_change_nothing() {
    let weights = random_net(40, 3);
    let network = Network::new(&weights, &weights);
    let mut random = Random(40);
    for side in [9, 15, 20] {
        let size = Size::square(side).expect("a good size");
        let position = random_position(&mut random, size, 50);
        let value = Accumulator::new(&network, size).value(&position, 0);
        for symmetry in Symmetry::all(size) {
            let mut image = Position::new(size);
            for point in position.blocked() {
                image.block(symmetry.apply(point, size));
            }
            for stone in position.stones() {
                image.play(symmetry.apply(stone.point, size));
            }
            assert_eq!(Accumulator::new(&network, size).value(&image, 0), value);
        }
        // Colours exchanged, and the turn with them.
        let mut image = Position::new(size);
        for point in position.blocked() {
            image.block(point);
        }
        for stone in position.stones() {
            image.set_side_to_move(!stone.colour);
            image.play(stone.point);
        }
        image.set_side_to_move(!position.side_to_move());
        assert_eq!(Accumulator::new(&network, size).value(&image, 0), value);
    }
}

/// All in one test: what is installed is installed for the whole program.
#[test]
fn files_are_installed_once_and_only_if_good() {
    let sides = RuleSide::ALL.map(|side| random_net(50 + side.index() as u64, 50));
    let bytes = NetFile::write("random", sides.each_ref()).expect("good weights");
    let mut bad = bytes.clone();
    bad[1_000] ^= 1;
    assert_eq!(install(bad), Err(InstallError::Net(NetError::Damaged)));
    let cut = bytes[..1_000].to_vec();
    assert_eq!(install(cut), Err(InstallError::Net(NetError::Cut)));
    assert_eq!(install(bytes.clone()), Ok(()));

    let size = Size::square(15).expect("a good size");
    let mut position = random_position(&mut Random(50), size, 40);
    for rule in Rule::ALL {
        let installed = network(rule).expect("a net");
        let [black, white] = Colour::ALL.map(|colour| RuleSide::new(rule, colour));
        let direct = Network::new(&sides[black.index()], &sides[white.index()]);
        let found = all_of(&mut Accumulator::new(installed, size), &mut position);
        let expected = all_of(&mut Accumulator::new(&direct, size), &mut position);
        assert_eq!(found, expected, "{rule}");
    }
    let [caro, exact] = [Rule::Caro, Rule::CaroExact].map(|rule| network(rule).expect("a net"));
    assert!(std::ptr::eq(caro, exact), "shared, not decoded twice");
    assert_eq!(install(bytes), Err(InstallError::TooLate));
    evaluators_ask_the_net_where_it_matters(&position);
}

/// With a net installed.
fn evaluators_ask_the_net_where_it_matters(position: &Position) {
    let rule = Rule::Standard;
    let board = Board::new(position.clone(), classical::point_table(rule));
    let by_tables = classical::evaluate(&board);
    let mut accumulator = Accumulator::new(network(rule).expect("a net"), board.size());
    let by_net = accumulator.value(position, by_tables);
    assert_ne!(by_net, by_tables);
    let evaluator = |evaluation| Evaluator::new(evaluation, rule, board.size());
    let [mut with_net, mut without] = [Evaluation::Net, Evaluation::Classical].map(evaluator);
    let window = [by_tables - 1, by_tables + 1];
    let far = [by_tables + 5_000, by_tables + 5_001];
    for ([alpha, beta], known, expected) in [
        (window, None, by_net),
        (far, None, by_tables),
        // Of the tables, as the position was far from another window.
        (window, Some(by_tables), by_net),
        (window, Some(7_777), 7_777),
    ] {
        assert_eq!(with_net.value(&board, alpha, beta, known), expected);
        assert_eq!(without.value(&board, alpha, beta, known), by_tables);
    }

    let points: Vec<Point> = position.empty_points().collect();
    let mut scores = vec![1, 2, 3];
    assert!(!without.move_scores(&board, points.iter().copied(), &mut scores));
    assert_eq!(scores, [1, 2, 3]);
    assert!(with_net.move_scores(&board, points.iter().copied(), &mut scores));
    let mut logits = Vec::new();
    accumulator.policy(position, points.iter().copied(), &mut logits);
    assert_eq!(scores.len(), points.len());
    // The better the logit, the better the score.
    let mut pairs: Vec<(i32, i32)> = logits.into_iter().zip(scores).collect();
    pairs.sort_unstable();
    assert!(pairs.is_sorted_by_key(|pair| pair.1));
    assert_ne!(pairs[0].1, pairs[pairs.len() - 1].1);
}

#[test]
fn ways_to_compute_have_names() {
    for path in Path::ALL {
        assert_eq!(path.to_string().parse(), Ok(path));
        assert_eq!(Kernels::new(path).is_some(), path.is_available());
    }
    assert!("avx".parse::<Path>().is_err());
    assert!(Path::Scalar.is_available());
    let chosen = Kernels::chosen().path();
    assert_eq!(Kernels::choose(chosen), Ok(()));
    for other in Path::ALL.into_iter().filter(|&path| path != chosen) {
        assert!(Kernels::choose(other).is_err(), "{other}");
    }
}
