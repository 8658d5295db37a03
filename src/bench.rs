//! Layer 6: searches fixed positions and sums up what happened, so that a
//! change of behaviour or of speed is seen at once.

use crate::board::{NotationError, Position, Size, parse_moves};
use crate::engine::{Engine, Options, Request};
use crate::eval::Evaluation;
use crate::rules::Rule;
use crate::search::{Control, Limits};
use std::fmt;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// Depth of the searches if nothing else is said, in plies.
pub const DEFAULT_DEPTH: u32 = 11;
/// Table of the searches: small, so that its use is part of what is measured.
const HASH_BYTES: u64 = 16 << 20;

/// Openings of games, played on 15x15 and in the middle of 20x20.
const OPENINGS: [&str; 4] = [
    "h8i9g9",
    "h8h9j10g7i7",
    "g8h9i7j10f7h7i8",
    "h8i9i7g9j8h9g8k8h7h6f8i8i6j5",
];
const SIDES: [u8; 2] = [15, 20];
/// Steps to the right and up that bring a 15x15 opening to the middle of 20x20.
const SHIFT: u8 = 2;

/// What a bench run found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Positions searched.
    pub nodes: u64,
    /// Time taken.
    pub elapsed: Duration,
    /// Mixes moves, scores and node counts of all searches: the same on every
    /// machine as long as the engine plays the same.
    pub signature: u32,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let speed = self.nodes as f64 / self.elapsed.as_secs_f64().max(1e-9);
        writeln!(f, "Nodes:     {}", self.nodes)?;
        writeln!(f, "Speed:     {speed:.0} nodes/s")?;
        write!(f, "Signature: {:08x}", self.signature)
    }
}

/// Searches every position with one thread to the given depth, in plies, and
/// writes a line for each.
///
/// # Errors
///
/// If the output cannot be written to.
pub fn run(depth: u32, evaluation: Evaluation, output: &mut dyn Write) -> io::Result<Summary> {
    let mut engine = Engine::new();
    engine.set_options(Options {
        threads: 1,
        memory_bytes: None,
        hash_bytes: Some(HASH_BYTES),
        evaluation,
    });
    for rule in Rule::ALL {
        while engine.get_ready(rule) {}
    }
    let started = Instant::now();
    let mut nodes = 0;
    let mut signature = 0;
    for (rule, position) in positions().map_err(io::Error::other)? {
        engine.new_game();
        let request = Request {
            position,
            rule,
            limits: Limits::depth(depth),
            line_count: 1,
        };
        let Some(outcome) = engine.go(&request, &Control::new(), &mut ()) else {
            continue;
        };
        nodes += outcome.nodes;
        for word in [
            outcome.best.index() as u64,
            outcome.score.raw() as u64,
            outcome.nodes,
        ] {
            signature = crate::board::mix(signature ^ word);
        }
        writeln!(
            output,
            "{:<10} {:>5}  {:<4} {:>6}  {:>10} nodes  {:>6} ms",
            rule,
            request.position.size(),
            outcome.best,
            outcome.score,
            outcome.nodes,
            outcome.elapsed.as_millis(),
        )?;
    }
    Ok(Summary {
        nodes,
        elapsed: started.elapsed(),
        signature: (signature >> 32) as u32,
    })
}

/// The positions, every rule on every size.
fn positions() -> Result<Vec<(Rule, Position)>, NotationError> {
    let mut positions = Vec::new();
    for rule in Rule::ALL {
        for side in SIDES {
            for opening in OPENINGS {
                let shift = if side == SIDES[0] { 0 } else { SHIFT };
                let moves: Vec<_> = parse_moves(opening)?
                    .into_iter()
                    .filter_map(|p| crate::board::Point::new(p.x() + shift, p.y() + shift))
                    .collect();
                let position =
                    Size::square(side).and_then(|size| Position::from_moves(size, &moves).ok());
                positions.extend(position.map(|position| (rule, position)));
            }
        }
    }
    Ok(positions)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_and_size_is_there() {
        let count = Rule::ALL.len() * SIDES.len() * OPENINGS.len();
        assert_eq!(positions().unwrap().len(), count);
    }

    #[test]
    fn two_runs_agree() {
        let mut lines = Vec::new();
        let one = run(4, Evaluation::Net, &mut lines).unwrap();
        let other = run(4, Evaluation::Net, &mut io::sink()).unwrap();
        assert_eq!(one.signature, other.signature);
        assert_eq!(one.nodes, other.nodes);
        assert_ne!(
            one.signature,
            run(5, Evaluation::Net, &mut io::sink()).unwrap().signature
        );
        assert_eq!(lines.iter().filter(|&&byte| byte == b'\n').count(), 40);
    }
}
