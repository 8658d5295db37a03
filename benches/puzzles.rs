//! How many puzzles are solved: by fours, by fours and threes, by the engine.
//!
//! `cargo bench --bench puzzles -- [COUNT [SECONDS...]]` takes so many puzzles,
//! spread over all, and gives the engine these times: 0.1, 1 and 10 seconds if
//! nothing else is said. A puzzle that was solved is not tried with more time.
#![allow(missing_docs)]

#[path = "../tests/common/puzzles.rs"]
mod puzzles;

use puzzles::{Kind, Puzzle, puzzles};
use std::time::{Duration, Instant};
use yonsan::engine::{Engine, Options, Request};
use yonsan::eval::classical;
use yonsan::pattern::Board;
use yonsan::rules::{Rule, judge};
use yonsan::search::{Control, Limits};
use yonsan::threat::{VcfSolver, VctSolver, Verdict};

const VCF_BUDGET: u64 = 100_000;
const VCT_BUDGETS: [u64; 4] = [1_000, 10_000, 100_000, 1_000_000];
const HASH_BYTES: u64 = 64 << 20;
const SECONDS: [f64; 3] = [0.1, 1.0, 10.0];

fn main() {
    // Cargo adds an option of its own.
    let numbers: Vec<f64> = std::env::args()
        .skip(1)
        .filter(|argument| argument != "--bench")
        .map(|argument| argument.parse().expect("a number"))
        .collect();
    let all = puzzles();
    let (count, seconds) = match numbers.split_first() {
        None => (all.len(), &SECONDS[..]),
        Some((&count, [])) => (count as usize, &SECONDS[..]),
        Some((&count, seconds)) => (count as usize, seconds),
    };
    let step = all.len().div_ceil(count.clamp(1, all.len()));
    let chosen: Vec<Puzzle> = all.into_iter().step_by(step).collect();
    let fours = chosen.iter().filter(|p| p.kind == Kind::Vcf).count();
    println!("{} puzzles, {fours} by fours alone", chosen.len());
    solve_by_fours(&chosen);
    for budget in VCT_BUDGETS {
        solve_by_threats(&chosen, budget);
    }
    solve_by_engine(&chosen, seconds);
}

fn board(puzzle: &Puzzle) -> Board {
    Board::new(puzzle.position.clone(), classical::point_table(puzzle.rule))
}

/// A first move must at least be legal, and known to win where all such moves
/// are known.
fn check(puzzle: &Puzzle, verdict: Verdict) -> bool {
    let Verdict::Win { point, .. } = verdict else {
        return false;
    };
    assert!(puzzle.position.is_empty(point), "{}", puzzle.id);
    if let Some(firsts) = &puzzle.firsts {
        assert!(firsts.contains(&point), "{}: {point}", puzzle.id);
    }
    true
}

fn solve_by_fours(puzzles: &[Puzzle]) {
    let started = Instant::now();
    let mut nodes = 0;
    let mut solved = 0;
    for puzzle in puzzles {
        let mut solver = VcfSolver::new();
        let verdict = solver.solve(&mut board(puzzle), VCF_BUDGET);
        nodes += solver.nodes();
        solved += usize::from(check(puzzle, verdict));
    }
    report("fours", solved, nodes, started.elapsed());
}

fn solve_by_threats(puzzles: &[Puzzle], budget: u64) {
    let mut nodes = Vec::new();
    let mut elapsed = Duration::ZERO;
    let mut all_nodes = 0;
    for puzzle in puzzles {
        let mut solver = VctSolver::new();
        let mut board = board(puzzle);
        let started = Instant::now();
        let verdict = solver.solve(&mut board, budget);
        elapsed += started.elapsed();
        all_nodes += solver.nodes();
        if check(puzzle, verdict) {
            nodes.push(solver.nodes());
        }
    }
    let name = format!("threats, {budget} positions");
    report(&name, nodes.len(), all_nodes, elapsed);
    nodes.sort_unstable();
    let part = |percent| nodes.get(nodes.len() * percent / 100).copied().unwrap_or(0);
    println!(
        "    to prove: half {}, 75 % {}, 90 % {}",
        part(50),
        part(75),
        part(90)
    );
}

fn solve_by_engine(puzzles: &[Puzzle], seconds: &[f64]) {
    let mut engine = Engine::new();
    engine.set_options(Options {
        threads: 1,
        memory_bytes: None,
        hash_bytes: Some(HASH_BYTES),
        ..Options::default()
    });
    let mut left: Vec<&Puzzle> = puzzles.iter().collect();
    for &limit in seconds {
        let started = Instant::now();
        let mut nodes = 0;
        left.retain(|puzzle| {
            engine.new_game();
            let request = Request {
                position: puzzle.position.clone(),
                rule: puzzle.rule,
                limits: Limits {
                    judges_only_move: true,
                    ..Limits::time(Duration::from_secs_f64(limit))
                },
                line_count: 1,
            };
            let outcome = engine.go(&request, &Control::new(), &mut ());
            let outcome = outcome.expect("a free point");
            nodes += outcome.nodes;
            if puzzle.rule == Rule::Renju && puzzle.position.stones().len() % 2 == 0 {
                assert_eq!(judge::renju_foul(&puzzle.position, outcome.best), None);
            }
            outcome.score.win_plies().is_none()
        });
        let name = format!("engine, {limit} s");
        report(&name, puzzles.len() - left.len(), nodes, started.elapsed());
    }
    for puzzle in left {
        let Puzzle {
            id,
            rule,
            kind,
            plies,
            theme,
            ..
        } = puzzle;
        println!("not solved: {id}, {rule}, {kind:?} in {plies} plies, theme {theme}");
    }
}

fn report(name: &str, solved: usize, nodes: u64, elapsed: Duration) {
    let seconds = elapsed.as_secs_f64();
    let speed = nodes as f64 / seconds.max(1e-9);
    println!("{name}: {solved} solved, {nodes} positions, {seconds:.2} s, {speed:.0} positions/s");
}
