//! One thread's count of positions, and its eye on the limits.

use super::shared::Shared;
use std::sync::atomic::Ordering::Relaxed;

/// Positions between two looks at the clock.
const CHECK_INTERVAL: u64 = 128;

/// Counts the positions of one thread and says when to stop.
#[derive(Debug)]
pub(super) struct Meter<'a> {
    shared: &'a Shared<'a>,
    nodes: u64,
    /// How many of them are part of the total.
    published: u64,
    next_check: u64,
    pub is_stopped: bool,
}

impl<'a> Meter<'a> {
    pub(super) fn new(shared: &'a Shared<'a>) -> Self {
        Self {
            shared,
            nodes: 0,
            published: 0,
            next_check: CHECK_INTERVAL.min(shared.max_nodes),
            is_stopped: false,
        }
    }

    /// Notes work done, and now and then asks whether it is time to stop.
    #[inline]
    pub(super) fn count(&mut self, nodes: u64) {
        self.nodes += nodes;
        if self.nodes >= self.next_check {
            self.check();
        }
    }

    fn check(&mut self) {
        let total = self.publish();
        let left = self.shared.max_nodes.saturating_sub(total);
        self.next_check = self.nodes + CHECK_INTERVAL.min(left);
        if left == 0
            || self.shared.control.is_stopped()
            || self.shared.clock.is_over(self.shared.control)
        {
            self.shared.stop.store(true, Relaxed);
        }
        self.is_stopped |= self.shared.stop.load(Relaxed);
    }

    /// Makes the positions of this thread part of the total, which it returns.
    pub(super) fn publish(&mut self) -> u64 {
        let new = self.nodes - self.published;
        self.published = self.nodes;
        self.shared.nodes.fetch_add(new, Relaxed) + new
    }
}
