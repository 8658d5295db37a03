//! What was wrong with the input, kept until the manager listens.
//!
//! A manager reads nothing after `INFO` or between the lines of a block, so
//! complaints wait there and travel as `MESSAGE` with the next search.

use std::fmt::Display;

/// More than these are counted, not kept.
const MAX_KEPT: usize = 8;

/// The complaints since the last search.
#[derive(Debug, Default)]
pub struct Complaints {
    kept: Vec<String>,
    dropped_count: usize,
}

impl Complaints {
    /// Adds one.
    pub fn add(&mut self, complaint: impl Display) {
        log::debug!("complaint: {complaint}");
        if self.kept.len() < MAX_KEPT {
            self.kept.push(complaint.to_string());
        } else {
            self.dropped_count += 1;
        }
    }

    /// All so far, the oldest first; none are left.
    pub fn take(&mut self) -> Vec<String> {
        let dropped_count = std::mem::take(&mut self.dropped_count);
        let mut complaints = std::mem::take(&mut self.kept);
        if dropped_count > 0 {
            complaints.push(format!("and {dropped_count} more complaints"));
        }
        complaints
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_is_counted() {
        let mut complaints = Complaints::default();
        for number in 0..MAX_KEPT + 3 {
            complaints.add(number);
        }
        let taken = complaints.take();
        assert_eq!(taken.len(), MAX_KEPT + 1);
        assert_eq!(taken[0], "0");
        assert_eq!(taken[MAX_KEPT], "and 3 more complaints");
        assert!(complaints.take().is_empty());
    }
}
