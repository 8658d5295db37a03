//! Whether the machine itself is too slow: a thread that wants to wake up
//! every so often and notes how late it does. A timeout during such a time
//! may be the machine's fault and is marked.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

const BEAT: Duration = Duration::from_millis(20);
/// Less is what every system does now and then.
const NOTED_DELAY: Duration = Duration::from_millis(50);
const KEPT_DELAYS: usize = 1_000;

#[derive(Debug)]
struct Shared {
    delays: Mutex<Delays>,
    stop: AtomicBool,
}

#[derive(Debug)]
struct Delays {
    noted: VecDeque<(Instant, Duration)>,
    /// When the thread went to sleep.
    asleep_since: Instant,
}

/// The thread, until it is dropped.
#[derive(Debug)]
pub struct Heartbeat {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl Heartbeat {
    /// Starts the thread.
    #[must_use]
    pub fn start() -> Self {
        let shared = Arc::new(Shared::new());
        let thread = thread::spawn({
            let shared = Arc::clone(&shared);
            move || beat(&shared)
        });
        let thread = Some(thread);
        Self { shared, thread }
    }

    /// The longest delay noted since a moment, one that still lasts included;
    /// zero if there was none.
    #[must_use]
    pub fn worst_since(&self, moment: Instant) -> Duration {
        let delays = self.shared.lock();
        let later = delays.noted.iter().rev();
        let later = later.take_while(|(at, _)| *at >= moment);
        let worst = later.map(|(_, delay)| *delay).max().unwrap_or_default();
        let lasting = delays.asleep_since.elapsed().saturating_sub(BEAT);
        if lasting >= NOTED_DELAY {
            worst.max(lasting)
        } else {
            worst
        }
    }
}

impl Drop for Heartbeat {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn new() -> Self {
        let delays = Mutex::new(Delays {
            noted: VecDeque::new(),
            asleep_since: Instant::now(),
        });
        let stop = AtomicBool::new(false);
        Self { delays, stop }
    }

    fn lock(&self) -> MutexGuard<'_, Delays> {
        self.delays.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The thread has slept from one moment to another.
    fn note(&self, before: Instant, after: Instant) {
        let mut delays = self.lock();
        let delay = after.duration_since(before).saturating_sub(BEAT);
        if delay >= NOTED_DELAY {
            if delays.noted.len() == KEPT_DELAYS {
                delays.noted.pop_front();
            }
            delays.noted.push_back((after, delay));
        }
        delays.asleep_since = after;
    }
}

fn beat(shared: &Shared) {
    while !shared.stop.load(Ordering::Relaxed) {
        let before = Instant::now();
        thread::sleep(BEAT);
        shared.note(before, Instant::now());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_delays_after_the_moment_count() {
        let heartbeat = Heartbeat {
            shared: Arc::new(Shared::new()),
            thread: None,
        };
        let start = Instant::now();
        // In the future, so that no delay lasts while the test runs.
        let at = |seconds| start + Duration::from_secs(seconds);
        let note = |seconds, delay: Duration| {
            heartbeat
                .shared
                .note(at(seconds) - BEAT - delay, at(seconds));
        };
        note(1000, 3 * NOTED_DELAY);
        note(2000, 2 * NOTED_DELAY);
        note(3000, NOTED_DELAY / 2);
        assert_eq!(heartbeat.worst_since(start), 3 * NOTED_DELAY);
        assert_eq!(heartbeat.worst_since(at(2000)), 2 * NOTED_DELAY);
        assert_eq!(heartbeat.worst_since(at(3000)), Duration::ZERO);
    }

    #[test]
    fn a_delay_that_lasts_counts() {
        let heartbeat = Heartbeat {
            shared: Arc::new(Shared::new()),
            thread: None,
        };
        let before = Instant::now();
        thread::sleep(BEAT + NOTED_DELAY);
        assert!(heartbeat.worst_since(before) >= NOTED_DELAY);
    }
}
