//! How long to think.

use super::limits::{Control, Limits};
use std::time::Duration;

/// Time kept back for everything between the last look at the clock and the
/// answer's arrival.
const OVERHEAD_MS: u64 = 30;
/// Part of the remaining match time one move may take at most.
const MATCH_SHARE: u32 = 10;
/// Part of the time for a move after which no new iteration is begun, in
/// percent.
const NEW_ITERATION_PERCENT: u32 = 70;

/// The clock of one search.
#[derive(Clone, Debug)]
pub(super) struct Clock {
    limits: Limits,
}

impl Clock {
    pub(super) const fn new(limits: Limits) -> Self {
        Self { limits }
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.limits.started.elapsed()
    }

    /// The time after which the search must end.
    fn hard(&self, control: &Control) -> Option<Duration> {
        let turn = control.changed_turn().or(self.limits.turn);
        let share = self.limits.match_left.map(|left| {
            let share = left / MATCH_SHARE;
            // With little time left, think at least a moment, but never more
            // than half of it.
            share.max(Duration::from_millis(50)).min(left / 2)
        });
        let bound = turn.into_iter().chain(share).min()?;
        // Short times cannot spare the whole overhead.
        let overhead = Duration::from_millis(OVERHEAD_MS).min(bound / 3);
        Some(bound.saturating_sub(overhead))
    }

    /// Whether the time is up.
    pub(super) fn is_over(&self, control: &Control) -> bool {
        self.hard(control)
            .is_some_and(|hard| self.elapsed() >= hard)
    }

    /// Whether another iteration would hardly get anywhere.
    pub(super) fn is_late(&self, control: &Control) -> bool {
        self.hard(control)
            .is_some_and(|hard| self.elapsed() >= hard * NEW_ITERATION_PERCENT / 100)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hard(turn_ms: Option<u64>, left_ms: Option<u64>) -> Option<u64> {
        let limits = Limits {
            turn: turn_ms.map(Duration::from_millis),
            match_left: left_ms.map(Duration::from_millis),
            ..Limits::unlimited()
        };
        let hard = Clock::new(limits).hard(&Control::new())?;
        Some(hard.as_millis() as u64)
    }

    #[test]
    fn the_turn_is_never_overstepped() {
        assert_eq!(hard(None, None), None);
        assert_eq!(hard(Some(1000), None), Some(970));
        assert_eq!(hard(Some(30), None), Some(20));
        assert_eq!(hard(Some(0), Some(100_000)), Some(0));
        assert_eq!(hard(Some(30_000), Some(180_000)), Some(17_970));
        assert_eq!(hard(Some(30_000), Some(300)), Some(33));
        assert_eq!(hard(Some(30_000), Some(0)), Some(0));
    }

    #[test]
    fn a_change_during_the_search_counts() {
        let clock = Clock::new(Limits::time(Duration::from_secs(100)));
        let control = Control::new();
        assert!(!clock.is_over(&control));
        control.set_turn(Duration::ZERO);
        assert!(clock.is_over(&control));
    }
}
