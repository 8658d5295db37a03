//! Search for a defence: which moves at the root lose by force, and which of
//! the others is best.
//!
//! Every iteration first asks of each move, with the cheapest question there
//! is, whether it loses; those that do are out, the others are searched as
//! ever.

use super::driver::Found;
use super::iterate::Iterations;
use super::report::{Reporter, RootEvent};
use super::root::RootMove;
use super::score::{Score, Value};
use super::time::Progress;
use crate::board::Point;

/// Every value below this is a loss by force.
const LEAST_PLAIN: Value = -Score::MAX_PLAIN;

/// What a search for a defence found.
#[derive(Clone, Debug)]
pub struct Defence {
    /// The best move. If every move loses, one that loses late.
    pub found: Found,
    /// The moves that are not known to lose, the best first; none if every
    /// move loses.
    pub holding: Vec<Point>,
    /// The moves that lose by force, in the order in which that was found.
    pub lost: Vec<Point>,
}

/// Deepens until a limit is reached, every move loses, or one wins.
pub(super) fn defend(
    mut iterations: Iterations<'_>,
    max_depth: i32,
    reporter: &mut dyn Reporter,
) -> Defence {
    let mut found = iterations.first_guess();
    let mut lost: Vec<RootMove> = Vec::new();
    for depth in 1..=max_depth {
        if !sort_out(&mut iterations, &mut lost, depth, reporter) {
            // Only now do they matter again: the latest loss is the best.
            iterations.moves.append(&mut lost);
        }
        iterations.aspirate(0, depth, reporter);
        let best = &iterations.moves[0];
        found.line.clone_from(&best.line);
        found.score = Score::from_raw(best.value);
        if iterations.worker.meter.is_stopped {
            break;
        }
        found.depth = depth as u32;
        iterations.report(0, depth, reporter);
        if found.score.is_forced() || iterations.is_late(Progress::default()) {
            break;
        }
    }
    iterations.worker.meter.publish();
    found.set_lines(Vec::new(), 1);
    // If the best of them loses, all do.
    let mut holding = iterations.moves;
    if found.score.loss_plies().is_some() {
        lost.append(&mut holding);
    }
    let points = |moves: Vec<RootMove>| moves.into_iter().map(|root| root.point).collect();
    Defence {
        found,
        holding: points(holding),
        lost: points(lost),
    }
}

/// Moves the root moves that lose to the lost ones; whether others are left.
fn sort_out(
    iterations: &mut Iterations<'_>,
    lost: &mut Vec<RootMove>,
    depth: i32,
    reporter: &mut dyn Reporter,
) -> bool {
    let mut index = 0;
    while index < iterations.moves.len() {
        let point = iterations.moves[index].point;
        let value = iterations.search_root_move(point, 1, depth, LEAST_PLAIN - 1, LEAST_PLAIN);
        if iterations.worker.meter.is_stopped {
            return true;
        }
        if value >= LEAST_PLAIN {
            index += 1;
            continue;
        }
        reporter.root_event(RootEvent::Lost(point));
        iterations.set_line(index, value);
        lost.push(iterations.moves.remove(index));
    }
    !iterations.moves.is_empty()
}
