//! The forbidden test of renju over whole boards: the fast judge that the
//! search uses, and the oracle beside it.
#![allow(missing_docs)]

use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use yonsan::board::{Point, Position, Size, parse_moves};
use yonsan::eval::classical;
use yonsan::pattern::Board;
use yonsan::rules::{Rule, judge};

/// Black can make many threes and fours here.
const GAME: &str = "h8a1h9c1j8e1j9g1i10i1g7l1k7n1f10a3k10c15h6a5";
const FORBIDDEN_POINTS: usize = 7;

fn forbidden(criterion: &mut Criterion) {
    let moves = parse_moves(GAME).expect("a good game");
    let size = Size::square(15).expect("a good size");
    let position = Position::from_moves(size, &moves).expect("a legal game");
    let free: Vec<Point> = position.empty_points().collect();
    let mut board = Board::new(position.clone(), classical::point_table(Rule::Renju));
    criterion.bench_function("forbidden/fast_board", |bencher| {
        bencher.iter(|| {
            let fouls = free
                .iter()
                .filter(|&&p| board.renju_foul(black_box(p)).is_some());
            assert_eq!(fouls.count(), FORBIDDEN_POINTS);
        });
    });
    criterion.bench_function("forbidden/oracle_board", |bencher| {
        bencher.iter(|| {
            let fouls = free
                .iter()
                .filter(|&&p| judge::renju_foul(&position, black_box(p)).is_some());
            assert_eq!(fouls.count(), FORBIDDEN_POINTS);
        });
    });
}

criterion_group!(benches, forbidden);
criterion_main!(benches);
