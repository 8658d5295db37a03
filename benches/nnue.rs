//! The net: a stone played, valued and taken back; a value; a policy; reading
//! a net. Random weights, but the windows of a real game.
#![allow(missing_docs)]

// The tests use more of it.
#[path = "../tests/common/net.rs"]
mod net;

use criterion::{Criterion, criterion_group, criterion_main};
use net::random_net;
use std::hint::black_box;
use yonsan::board::{Colour, Point, Position, Size, parse_moves};
use yonsan::eval::nnue::{Accumulator, NetFile, Network, RuleSide};
use yonsan::eval::simd::{Kernels, Path};

/// A middle game on 15x15 (from a game of the engine against itself).
const GAME: &str = "k10l10k12l12h14i10h10e8g12l11l9k11j11i12i9j8k9j9h11g11k8k6j7i6m9m7";
const CANDIDATES: usize = 40;
const SEED: u64 = 1;
/// Few windows without a row of their own: the whole table counts.
const RARITY: usize = 2;

fn position() -> Position {
    let moves = parse_moves(GAME).expect("a good game");
    Position::from_moves(Size::square(15).expect("a good size"), &moves).expect("a legal game")
}

/// The free points next to stones, those of the newest stones first, as a
/// search would try them.
fn candidates(position: &Position) -> Vec<Point> {
    let mut points = Vec::new();
    for stone in position.stones().iter().rev() {
        let near = |point: &Point| point.distance(stone.point) <= 2;
        for point in position.empty_points().filter(near) {
            if !points.contains(&point) {
                points.push(point);
            }
        }
    }
    points
}

fn evaluation(criterion: &mut Criterion) {
    let weights = random_net(SEED, RARITY);
    let network = Network::new(&weights, &weights);
    let mut position = position();
    let points = candidates(&position);
    assert!(points.len() > CANDIDATES);
    for kernels in Path::ALL.into_iter().filter_map(Kernels::new) {
        let path = kernels.path();
        let mut accumulator = Accumulator::with_kernels(&network, position.size(), kernels);
        let expected = accumulator.logits(&position);

        // The stone before goes and the next one comes: two updates a value,
        // but for what is common to both.
        criterion.bench_function(&format!("nnue/{path}/play_value_undo"), |bencher| {
            let mut next = 0;
            bencher.iter(|| {
                let point = points[next];
                next = (next + 1) % points.len();
                position.play(black_box(point));
                let value = accumulator.value(&position, 0);
                position.undo();
                value
            });
        });
        assert_eq!(accumulator.logits(&position), expected);

        // Pairs of moves all over the candidates: far more different windows.
        criterion.bench_function(&format!("nnue/{path}/two_plies_value"), |bencher| {
            let (mut first, mut second) = (0, 1);
            bencher.iter(|| {
                second = (second + 1) % points.len();
                if second == first {
                    first = (first + 7) % points.len();
                    second = (first + 1) % points.len();
                }
                position.play(points[first]);
                position.play(points[second]);
                let value = accumulator.value(&position, 0);
                position.undo();
                position.undo();
                value
            });
        });
        assert_eq!(accumulator.logits(&position), expected);

        criterion.bench_function(&format!("nnue/{path}/value"), |bencher| {
            bencher.iter(|| accumulator.value(black_box(&position), 0));
        });
        criterion.bench_function(&format!("nnue/{path}/policy"), |bencher| {
            let mut logits = Vec::new();
            bencher.iter(|| {
                logits.clear();
                let points = points[..CANDIDATES].iter().copied();
                accumulator.policy(black_box(&position), points, &mut logits);
                assert_eq!(logits.len(), CANDIDATES);
                logits[0]
            });
        });
    }
}

fn reading(criterion: &mut Criterion) {
    // About a fifth of all windows, which is what training sees often.
    let weights = random_net(SEED, 5);
    let bytes = NetFile::write("random", [&weights; 5]).expect("good weights");
    println!("nnue: {} bytes for five sides", bytes.len());
    let file = NetFile::new(bytes.clone()).expect("a good file");
    assert_eq!(file.side(RuleSide::Caro).as_ref(), Ok(&weights));
    let mut group = criterion.benchmark_group("nnue/read");
    group.sample_size(10);
    group.bench_function("check", |bencher| {
        bencher.iter(|| NetFile::new(black_box(bytes.clone())).is_ok());
    });
    group.bench_function("decode_side", |bencher| {
        bencher.iter(|| file.side(black_box(RuleSide::new(Default::default(), Colour::Black))));
    });
    group.bench_function("build_table", |bencher| {
        bencher.iter(|| Network::new(black_box(&weights), &weights));
    });
    group.finish();
}

criterion_group!(benches, evaluation, reading);
criterion_main!(benches);
