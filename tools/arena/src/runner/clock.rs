//! The clock of an engine in a game.

use crate::settings::EngineConfig;
use std::time::Duration;

/// What `INFO time_left` says when the game has no limit.
pub const NO_LIMIT_MS: i64 = 2_147_483_647;

/// Time used and left.
#[derive(Clone, Debug)]
pub struct Clock {
    turn_ms: Option<i64>,
    /// Below zero when a move took more than was left, within the tolerance.
    left_ms: Option<i64>,
    increment_ms: i64,
    tolerance_ms: i64,
    hang_ms: i64,
    worst_overstep_ms: u64,
}

/// How a move stands to its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Used {
    /// Time taken, in milliseconds.
    pub ms: u64,
    /// Whether it is more than the limit and the tolerance.
    pub is_late: bool,
}

fn signed(ms: u64) -> i64 {
    i64::try_from(ms).unwrap_or(i64::MAX)
}

impl Clock {
    /// A full clock. Without any limit a move must still come within `hang_ms`.
    #[must_use]
    pub fn new(engine: &EngineConfig, hang_ms: u64) -> Self {
        Self {
            turn_ms: engine.turn_ms.map(signed),
            left_ms: engine.match_ms.map(signed),
            increment_ms: signed(engine.increment_ms),
            tolerance_ms: signed(engine.tolerance_ms),
            hang_ms: signed(hang_ms),
            worst_overstep_ms: 0,
        }
    }

    /// Adds the increment before a move.
    pub fn begin_move(&mut self) {
        if let Some(left) = &mut self.left_ms {
            *left += self.increment_ms;
        }
    }

    /// What the engine is told is left, in milliseconds.
    #[must_use]
    pub fn time_left_ms(&self) -> i64 {
        self.left_ms.unwrap_or(NO_LIMIT_MS)
    }

    /// The limit of this move in milliseconds, without tolerance.
    #[must_use]
    pub fn limit_ms(&self) -> i64 {
        let limits = self.turn_ms.into_iter().chain(self.left_ms);
        limits.min().unwrap_or(self.hang_ms)
    }

    /// The limit with the tolerance: later is too late.
    #[must_use]
    pub fn patience(&self) -> Duration {
        let ms = self.limit_ms().saturating_add(self.tolerance_ms).max(0);
        Duration::from_millis(ms.unsigned_abs())
    }

    /// Takes the time of a move off the clock.
    pub fn end_move(&mut self, elapsed: Duration) -> Used {
        let ms = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
        let overstep = signed(ms) - self.limit_ms();
        self.worst_overstep_ms = self.worst_overstep_ms.max(overstep.max(0).unsigned_abs());
        let is_late = elapsed > self.patience();
        if let Some(left) = &mut self.left_ms {
            *left -= signed(ms);
        }
        Used { ms, is_late }
    }

    /// The largest overstep so far in milliseconds, tolerance not taken off.
    #[must_use]
    pub const fn worst_overstep_ms(&self) -> u64 {
        self.worst_overstep_ms
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{Defaults, Settings};

    fn clock(settings: &str) -> Clock {
        let settings = Settings::parse(&format!("cmd=x {settings}")).unwrap();
        Clock::new(&settings.settle(&Defaults::default()).unwrap(), 60_000)
    }

    fn take(clock: &mut Clock, ms: u64) -> Used {
        clock.begin_move();
        clock.end_move(Duration::from_millis(ms))
    }

    #[test]
    fn the_tighter_limit_counts() {
        let mut clock = clock("turn=5 match=8 tolerance=1");
        assert_eq!(clock.patience(), Duration::from_secs(6));
        assert!(!take(&mut clock, 5_900).is_late);
        assert_eq!(clock.time_left_ms(), 2_100);
        assert_eq!(clock.worst_overstep_ms(), 900);
        assert_eq!(clock.limit_ms(), 2_100);
        assert!(take(&mut clock, 3_200).is_late);
        assert_eq!(clock.worst_overstep_ms(), 1_100);
    }

    #[test]
    fn a_clock_can_go_below_zero_within_the_tolerance() {
        let mut clock = clock("match=1 tolerance=1");
        assert!(!take(&mut clock, 1_500).is_late);
        assert_eq!(clock.time_left_ms(), -500);
        assert_eq!(clock.patience(), Duration::from_millis(500));
    }

    #[test]
    fn increments_come_before_the_move() {
        let mut clock = clock("match=1 inc=0.5");
        clock.begin_move();
        assert_eq!(clock.time_left_ms(), 1_500);
        clock.end_move(Duration::from_millis(700));
        clock.begin_move();
        assert_eq!(clock.time_left_ms(), 1_300);
    }

    #[test]
    fn without_a_clock_a_hang_is_still_noticed() {
        let clock = clock("nodes=100 tolerance=1");
        assert_eq!(clock.time_left_ms(), NO_LIMIT_MS);
        assert_eq!(clock.patience(), Duration::from_secs(61));
    }
}
