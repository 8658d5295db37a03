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

/// White wins by fours in 21 plies (from a game of the engine against itself).
const WON: &str = "h8i8f7j7h9h7j9i7k7i9i6g8g6h6g5i5g7h5h4f6i11j4j5l4k6k5i3m5k3l7m3j3k4h10j11k9k1j2l10k11k10\
                   g11f12j10i12h13g12h12h11i10f9g10f10f11e11l6d12g9l5m8e12c12m7d10l12l11c10e13c7c8d6d7\
                   f4g3e4g4e5b8e6e7d5d3";
/// Many fours for Black, and none of them leads anywhere (from another game).
const QUIET: &str = "k10l10k12l12h14i10h10e8g12l11l9k11j11i12i9j8k9j9h11g11k8k6j7i6m9m7";

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
