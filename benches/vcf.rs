//! The search for wins by fours: one that finds a win, one that must look at
//! everything.
#![allow(missing_docs)]

use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use yonsan::board::{Position, Size, parse_moves};
use yonsan::eval::classical;
use yonsan::pattern::Board;
use yonsan::rules::Rule;
use yonsan::threat::{VcfSolver, Verdict};

const BUDGET: u64 = 1_000_000;

/// Black wins by fours, first move h5 (dhbloo's collection of reported cases).
const WON: &str = "h8i9i7g9j7k7j8i8h6g5j9j6j10j11l10k9i10k10k8l7";
/// Many fours for Black, and none of them leads anywhere.
const QUIET: &str = "h8i9i7g9j8h9g8k8h7h6f8i8i6j5g7e9f6f7e8d8g6g5e6f5k7k6l9d9c9d10";

fn vcf(criterion: &mut Criterion) {
    let size = Size::square(15).expect("a good size");
    for (name, game, wins) in [("won", WON, true), ("quiet", QUIET, false)] {
        let moves = parse_moves(game).expect("a good game");
        let position = Position::from_moves(size, &moves).expect("a legal game");
        let mut board = Board::new(position, classical::point_table(Rule::Freestyle));
        let mut solver = VcfSolver::new();
        let verdict = solver.solve(&mut board, BUDGET);
        assert_eq!(
            matches!(verdict, Verdict::Win { .. }),
            wins,
            "{name}: {verdict:?}"
        );
        println!("vcf/{name}: {} positions", solver.nodes());
        criterion.bench_function(&format!("vcf/{name}"), |bencher| {
            bencher.iter_batched_ref(
                VcfSolver::new,
                |solver| assert_eq!(solver.solve(black_box(&mut board), BUDGET), verdict),
                criterion::BatchSize::LargeInput,
            );
        });
    }
}

criterion_group!(benches, vcf);
criterion_main!(benches);
