//! Decides which states of a search are told: one for each iteration and
//! line, as soon as it is there, and one at the end if it says anything new.

use crate::engine::Outcome;
use crate::search::Info;
use std::collections::HashMap;

/// What was told about one search.
#[derive(Debug)]
pub struct Progress {
    line_count: usize,
    /// Deepest iteration told, by line.
    depths: HashMap<usize, u32>,
    /// Newest state of the best line, told or not.
    newest: Option<Info>,
    selective_depth: u32,
}

impl Progress {
    /// Nothing told about a search for so many lines.
    pub fn new(line_count: usize) -> Self {
        Self {
            line_count,
            depths: HashMap::new(),
            newest: None,
            selective_depth: 0,
        }
    }

    /// Number of lines searched for.
    pub const fn line_count(&self) -> usize {
        self.line_count
    }

    /// Takes a state of the search; whether it is to be told.
    pub fn is_news(&mut self, info: &Info) -> bool {
        let is_known = self
            .depths
            .get(&info.line_number)
            .is_some_and(|&depth| depth >= info.depth);
        if is_known {
            return false;
        }
        self.depths.insert(info.line_number, info.depth);
        self.selective_depth = self.selective_depth.max(info.selective_depth);
        if info.line_number <= 1 {
            self.newest = Some(info.clone());
        }
        true
    }

    /// The last state, unless it was told already.
    pub fn last_news(&self, outcome: &Outcome) -> Option<Info> {
        let is_known = self.newest.as_ref().is_some_and(|info| {
            info.depth == outcome.depth
                && info.score == outcome.score
                && info.nodes == outcome.nodes
                && info.principal_variation == outcome.principal_variation
        });
        (!is_known).then(|| Info {
            line_number: 1,
            depth: outcome.depth,
            selective_depth: self.selective_depth,
            score: outcome.score,
            nodes: outcome.nodes,
            elapsed: outcome.elapsed,
            principal_variation: outcome.principal_variation.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::parse_moves;
    use crate::search::Score;
    use std::time::Duration;

    fn info(line_number: usize, depth: u32) -> Info {
        Info {
            line_number,
            depth,
            selective_depth: depth + 3,
            score: Score::ZERO,
            nodes: u64::from(depth) * 10,
            elapsed: Duration::ZERO,
            principal_variation: parse_moves("h8").unwrap(),
        }
    }

    #[test]
    fn one_state_for_each_iteration_and_line() {
        let mut progress = Progress::new(2);
        let told: Vec<bool> = [(1, 1), (2, 1), (1, 1), (1, 2), (1, 2), (2, 2), (2, 1)]
            .map(|(line, depth)| progress.is_news(&info(line, depth)))
            .to_vec();
        assert_eq!(told, [true, true, false, true, false, true, false]);
    }

    #[test]
    fn the_end_is_told_if_it_is_new() {
        let mut progress = Progress::new(1);
        let mut outcome = Outcome {
            best: parse_moves("h8").unwrap()[0],
            score: Score::ZERO,
            depth: 4,
            nodes: 40,
            elapsed: Duration::from_millis(7),
            principal_variation: parse_moves("h8").unwrap(),
            lines: Vec::new(),
            book: None,
        };
        assert_eq!(progress.last_news(&outcome).unwrap().depth, 4);
        assert!(progress.is_news(&info(1, 4)));
        assert_eq!(progress.last_news(&outcome), None);
        outcome.nodes = 45;
        let last = progress.last_news(&outcome).unwrap();
        assert_eq!((last.nodes, last.selective_depth), (45, 7));
    }
}
