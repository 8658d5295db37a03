//! Playing and taking back stones with all shapes kept up to date.

#![allow(missing_docs)]

use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use yonsan::board::{Position, Size, parse_moves};
use yonsan::eval::classical;
use yonsan::pattern::Board;
use yonsan::rules::Rule;

/// A middle game on 15x15 (from a game of the engine against itself).
const GAME: &str = "k10l10k12l12h14i10h10e8g12l11l9k11j11i12i9j8k9j9h11g11k8k6j7i6m9m7";

fn play_undo(criterion: &mut Criterion) {
    let moves = parse_moves(GAME).expect("a good game");
    let position =
        Position::from_moves(Size::square(15).expect("a good size"), &moves).expect("a legal game");
    let free: Vec<_> = position.empty_points().collect();
    for rule in [Rule::Freestyle, Rule::Renju] {
        let mut board = Board::new(position.clone(), classical::point_table(rule));
        let before = board.clone();
        criterion.bench_function(&format!("play_undo/{rule}"), |bencher| {
            let mut next = 0;
            bencher.iter(|| {
                let point = free[next];
                next = (next + 1) % free.len();
                board.play(black_box(point));
                board.undo();
            });
        });
        assert_eq!(board.grid(), before.grid());
    }
}

criterion_group!(benches, play_undo);
criterion_main!(benches);
