//! How long to think.

use super::limits::{Control, Limits};
use std::time::Duration;

/// Time kept back for everything between the last look at the clock and the
/// answer's arrival.
const OVERHEAD_MS: u64 = 30;
/// Part of the remaining match time that one move may take at most.
const MOST_MATCH_SHARE: u32 = 6;
/// Part of the remaining match time that an ordinary move takes.
const MATCH_SHARE: u32 = 20;
/// A new iteration takes about twice as long as all before it: none is begun
/// when more than this part of the time for a move is over, in percent.
const NEW_ITERATION_PERCENT: u32 = 55;

/// Iterations with the same best move after which it is trusted.
const STABLE_ITERATIONS: u32 = 6;
/// Time for a move in percent of the ordinary one when its best move has just
/// changed, and what each iteration that confirms it takes off.
const UNSTABLE_PERCENT: u32 = 140;
const STABILITY_PERCENT: u32 = 15;
/// What each point by which the value has fallen adds, in percent.
const PERCENT_PER_POINT_LOST: u32 = 1;
/// Larger falls count as this.
const MOST_POINTS_LOST: u32 = 120;

/// How the search is getting on, for deciding whether to go on.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Progress {
    /// Finished iterations in a row that agree on the best move.
    pub stable_iterations: u32,
    /// By how much the value is lower than it was two iterations ago, or 0.
    pub points_lost: u32,
}

/// The clock of one search.
///
/// Where each move has its own time, all of it is used: what is left over is
/// worth nothing. Where the moves share the time of the match, an ordinary
/// move takes a fixed share of what is left, a clear one less, and one whose
/// value falls more.
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

    /// See [`Limits::judges_only_move`].
    pub(super) const fn judges_only_move(&self) -> bool {
        self.limits.judges_only_move
    }

    fn turn(&self, control: &Control) -> Option<Duration> {
        control.changed_turn().or(self.limits.turn)
    }

    /// The time after which the search must end.
    fn hard(&self, control: &Control) -> Option<Duration> {
        let share = self.limits.match_left.map(|left| {
            // With little time left, think at least a moment, but never more
            // than half of it.
            let share = left / MOST_MATCH_SHARE;
            share.max(Duration::from_millis(50)).min(left / 2)
        });
        let bound = self.turn(control).into_iter().chain(share).min()?;
        // Short times cannot spare the whole overhead.
        let overhead = Duration::from_millis(OVERHEAD_MS).min(bound / 3);
        Some(bound.saturating_sub(overhead))
    }

    /// The time an ordinary move should take, if the moves share their time.
    fn soft(&self, control: &Control) -> Option<Duration> {
        let share = self.limits.match_left? / MATCH_SHARE;
        let is_scarce = self.turn(control).is_none_or(|turn| share < turn);
        is_scarce.then_some(share)
    }

    /// Whether the time is up.
    pub(super) fn is_over(&self, control: &Control) -> bool {
        self.hard(control)
            .is_some_and(|hard| self.elapsed() >= hard)
    }

    /// Whether another iteration is not worth its time.
    pub(super) fn is_late(&self, control: &Control, progress: Progress) -> bool {
        self.soft(control).is_some_and(|soft| {
            let target = soft * progress.percent() / 100;
            self.elapsed() >= target * NEW_ITERATION_PERCENT / 100
        })
    }
}

impl Limits {
    /// The time that an ordinary search within these bounds takes if nothing
    /// but its clock ends it; `None` if it has none.
    #[must_use]
    pub fn ordinary_time(&self, control: &Control) -> Option<Duration> {
        let clock = Clock::new(self.clone());
        let times = [clock.hard(control), clock.soft(control)];
        times.into_iter().flatten().min()
    }
}

impl Progress {
    /// Time worth spending, in percent of the ordinary time.
    fn percent(self) -> u32 {
        let stable = self.stable_iterations.min(STABLE_ITERATIONS);
        let lost = self.points_lost.min(MOST_POINTS_LOST);
        UNSTABLE_PERCENT - STABILITY_PERCENT * stable + PERCENT_PER_POINT_LOST * lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

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
        assert_eq!(hard(Some(30_000), Some(180_000)), Some(29_970));
        assert_eq!(hard(Some(30_000), Some(90_000)), Some(14_970));
        assert_eq!(hard(Some(30_000), Some(300)), Some(33));
        assert_eq!(hard(Some(30_000), Some(0)), Some(0));
    }

    #[test]
    fn an_ordinary_search_takes_its_share() {
        let ordinary = |turn_ms: Option<u64>, left_ms: Option<u64>| {
            let limits = Limits {
                turn: turn_ms.map(Duration::from_millis),
                match_left: left_ms.map(Duration::from_millis),
                ..Limits::unlimited()
            };
            let time = limits.ordinary_time(&Control::new())?;
            Some(time.as_millis() as u64)
        };
        assert_eq!(ordinary(None, None), None);
        assert_eq!(ordinary(Some(0), None), Some(0));
        assert_eq!(ordinary(Some(5_000), None), Some(4_970));
        assert_eq!(ordinary(Some(5_000), Some(180_000)), Some(4_970));
        assert_eq!(ordinary(Some(30_000), Some(180_000)), Some(9_000));
        assert_eq!(ordinary(None, Some(180_000)), Some(9_000));
    }

    #[test]
    fn a_change_during_the_search_counts() {
        let clock = Clock::new(Limits::time(Duration::from_secs(100)));
        let control = Control::new();
        assert!(!clock.is_over(&control));
        control.set_turn(Duration::ZERO);
        assert!(clock.is_over(&control));
    }

    #[test]
    fn clear_moves_are_fast_and_bad_ones_slow() {
        let calm = Progress {
            stable_iterations: 20,
            points_lost: 0,
        };
        let alarmed = Progress {
            stable_iterations: 0,
            points_lost: 500,
        };
        assert_eq!(calm.percent(), 50);
        assert_eq!(alarmed.percent(), 260);

        // A minute ago, with ten minutes left: an ordinary move takes 30 s.
        let mut limits = Limits {
            started: Instant::now().checked_sub(Duration::from_secs(60)).unwrap(),
            match_left: Some(Duration::from_secs(600)),
            ..Limits::unlimited()
        };
        let control = Control::new();
        assert!(Clock::new(limits.clone()).is_late(&control, alarmed));
        limits.started = Instant::now().checked_sub(Duration::from_secs(12)).unwrap();
        assert!(Clock::new(limits.clone()).is_late(&control, calm));
        assert!(!Clock::new(limits.clone()).is_late(&control, alarmed));

        // A turn that is shorter than its share of the match is used up.
        limits.turn = Some(Duration::from_secs(20));
        assert!(!Clock::new(limits).is_late(&control, calm));
    }
}
