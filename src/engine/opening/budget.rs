//! What a decision that takes many searches may spend on each.

use crate::search::{Control, Limits};
use std::time::{Duration, Instant};

/// Time for a decision if there is no bound of any kind.
const DEFAULT_TIME: Duration = Duration::from_secs(5);
/// Longest time for a decision: more would hardly change it.
const LONGEST_TIME: Duration = Duration::from_secs(60);
/// Part of the time left for the game that a decision may take.
const MATCH_SHARE: u32 = 20;
/// Time kept back for everything that is no search, in percent.
const RESERVE_PERCENT: u32 = 10;

/// The bounds of a decision, and what is used up of them.
#[derive(Clone, Debug)]
pub(super) struct Budget {
    limits: Limits,
    nodes: u64,
}

impl Budget {
    pub(super) const fn new(limits: Limits) -> Self {
        Self { limits, nodes: 0 }
    }

    /// A search has looked at so many positions.
    pub(super) const fn spend(&mut self, nodes: u64) {
        self.nodes += nodes;
    }

    /// Whether no further search is worth its while.
    pub(super) fn is_spent(&self, control: &Control) -> bool {
        control.is_stopped()
            || self.time_left(control).is_some_and(|left| left.is_zero())
            || self.limits.max_nodes.is_some_and(|most| self.nodes >= most)
    }

    /// Limits of the next search if `parts` of equal length are still to come.
    pub(super) fn part(&self, parts: u32, control: &Control) -> Limits {
        let parts = parts.max(1);
        let nodes_left = |most: u64| most.saturating_sub(self.nodes) / u64::from(parts);
        Limits {
            started: Instant::now(),
            turn: self.time_left(control).map(|left| left / parts),
            match_left: None,
            max_nodes: self.limits.max_nodes.map(|most| nodes_left(most).max(1)),
            ..self.limits.clone()
        }
    }

    fn time_left(&self, control: &Control) -> Option<Duration> {
        let total = self.total(control)?;
        Some(total.saturating_sub(self.limits.started.elapsed()))
    }

    fn total(&self, control: &Control) -> Option<Duration> {
        let turn = control.changed_turn().or(self.limits.turn);
        let share = self.limits.match_left.map(|left| left / MATCH_SHARE);
        let is_bounded = self.limits.max_nodes.is_some() || self.limits.max_depth.is_some();
        let bound = match turn.into_iter().chain(share).min() {
            Some(bound) => bound.min(LONGEST_TIME),
            None if is_bounded => return None,
            None => DEFAULT_TIME,
        };
        Some(bound * (100 - RESERVE_PERCENT) / 100)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part_ms(limits: Limits, parts: u32) -> Option<u64> {
        let part = Budget::new(limits).part(parts, &Control::new());
        part.turn.map(|turn| turn.as_millis() as u64)
    }

    fn is_near(got: Option<u64>, wanted: u64) -> bool {
        got.is_some_and(|got| got <= wanted && got + 100 >= wanted)
    }

    #[test]
    fn time_is_shared_out() {
        let turn = |ms| Limits::time(Duration::from_millis(ms));
        assert!(is_near(part_ms(turn(10_000), 1), 9_000));
        assert!(is_near(part_ms(turn(10_000), 10), 900));
        assert_eq!(part_ms(turn(0), 3), Some(0));
        assert!(is_near(part_ms(turn(9_000_000), 1), 54_000));
        assert!(is_near(part_ms(Limits::unlimited(), 1), 4_500));
        let hurried = Limits {
            match_left: Some(Duration::from_secs(20)),
            ..turn(10_000)
        };
        assert!(is_near(part_ms(hurried, 1), 900));
    }

    #[test]
    fn nodes_are_shared_out() {
        let control = Control::new();
        let mut budget = Budget::new(Limits::nodes(1_000));
        assert_eq!(budget.part(4, &control).max_nodes, Some(250));
        assert_eq!(budget.part(4, &control).turn, None);
        budget.spend(600);
        assert_eq!(budget.part(4, &control).max_nodes, Some(100));
        assert!(!budget.is_spent(&control));
        budget.spend(600);
        assert_eq!(budget.part(4, &control).max_nodes, Some(1));
        assert!(budget.is_spent(&control));
    }

    #[test]
    fn a_stop_or_new_time_counts() {
        let control = Control::new();
        let budget = Budget::new(Limits::time(Duration::from_secs(100)));
        assert!(!budget.is_spent(&control));
        control.set_turn(Duration::ZERO);
        assert!(budget.is_spent(&control));
        let control = Control::new();
        control.stop();
        assert!(budget.is_spent(&control));
    }
}
