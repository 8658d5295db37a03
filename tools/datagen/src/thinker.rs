//! The engine as self-play uses it: one thread, a bound on nodes, no clock.

use crate::settings::Settings;
use yonsan::board::{Point, Position};
use yonsan::engine::{Engine, Options, Outcome, Request};
use yonsan::rules::Rule;
use yonsan::search::{Control, Info, Limits, Reporter, Score};

/// An engine for many games.
#[derive(Debug)]
pub struct Thinker {
    engine: Engine,
}

/// A move and its score for the side to move.
pub type ScoredMove = (Point, Score);

impl Thinker {
    /// An engine with the table of the settings.
    #[must_use]
    pub fn new(settings: &Settings) -> Self {
        let mut engine = Engine::new();
        engine.set_options(Options {
            threads: 1,
            memory_bytes: None,
            hash_bytes: Some(settings.hash_mib << 20),
            evaluation: settings.evaluation,
        });
        Self { engine }
    }

    /// Forgets earlier games.
    pub fn new_game(&mut self) {
        self.engine.new_game();
    }

    /// The best move; `None` if no point is free.
    pub fn best(&mut self, position: &Position, rule: Rule, nodes: u64) -> Option<Outcome> {
        self.go(position, rule, nodes, 1, &mut ())
    }

    /// What [`Thinker::best`] finds, and up to `count` best moves with their
    /// scores, the best one first.
    pub fn several(
        &mut self,
        position: &Position,
        rule: Rule,
        nodes: u64,
        count: usize,
    ) -> Option<(Outcome, Vec<ScoredMove>)> {
        let mut lines = Lines::default();
        let outcome = self.go(position, rule, nodes, count, &mut lines)?;
        Some((outcome, lines.whole()))
    }

    fn go(
        &mut self,
        position: &Position,
        rule: Rule,
        nodes: u64,
        line_count: usize,
        reporter: &mut dyn Reporter,
    ) -> Option<Outcome> {
        let request = Request {
            position: position.clone(),
            rule,
            limits: Limits::nodes(nodes),
            line_count,
        };
        self.engine.go(&request, &Control::new(), reporter)
    }
}

/// Gathers the best lines of each iteration. Only those of a finished one can
/// be compared, so the last whole iteration is kept beside the running one.
#[derive(Debug, Default)]
struct Lines {
    finished: Vec<ScoredMove>,
    running: Vec<ScoredMove>,
}

impl Lines {
    /// The lines of the last finished iteration; of the running one if none
    /// was.
    fn whole(self) -> Vec<ScoredMove> {
        if self.finished.len() < self.running.len() {
            self.running
        } else {
            self.finished
        }
    }
}

impl Reporter for Lines {
    fn report(&mut self, info: &Info) {
        if info.line_number == 1 {
            self.finished = std::mem::take(&mut self.running);
        }
        if let Some(&point) = info.principal_variation.first() {
            self.running.push((point, info.score));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn report(lines: &mut Lines, line_number: usize, point: &str) {
        lines.report(&Info {
            line_number,
            depth: 1,
            selective_depth: 1,
            score: Score::ZERO,
            nodes: 1,
            elapsed: Duration::ZERO,
            principal_variation: vec![point.parse().unwrap()],
        });
    }

    #[test]
    fn a_broken_iteration_is_left_out() {
        let mut lines = Lines::default();
        let points = |lines: &Lines| {
            let whole = Lines {
                finished: lines.finished.clone(),
                running: lines.running.clone(),
            };
            let points = whole
                .whole()
                .into_iter()
                .map(|(point, _)| point.to_string());
            points.collect::<Vec<_>>()
        };
        report(&mut lines, 1, "a1");
        assert_eq!(points(&lines), ["a1"]);
        report(&mut lines, 2, "a2");
        report(&mut lines, 1, "b1");
        assert_eq!(points(&lines), ["a1", "a2"]);
        report(&mut lines, 2, "b2");
        report(&mut lines, 1, "c1");
        assert_eq!(points(&lines), ["b1", "b2"]);
    }
}
