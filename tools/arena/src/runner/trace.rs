//! Everything sent to and received from an engine in a game, for people who
//! look for the reason of a failure.

use crate::process::Line;
use std::fmt::Write as _;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// Lines kept for one engine in one game.
const MAX_LINES: usize = 100_000;

#[derive(Clone, Debug)]
struct Entry {
    at: Instant,
    is_sent: bool,
    text: String,
}

/// The lines of one engine, or nothing if traces are not kept.
#[derive(Clone, Debug)]
pub struct Trace {
    entries: Option<Vec<Entry>>,
}

impl Trace {
    /// An empty trace.
    #[must_use]
    pub fn new(is_kept: bool) -> Self {
        let entries = is_kept.then(Vec::new);
        Self { entries }
    }

    fn add(&mut self, at: Instant, is_sent: bool, text: &str) {
        if let Some(entries) = &mut self.entries
            && entries.len() < MAX_LINES
        {
            let text = text.to_owned();
            entries.push(Entry { at, is_sent, text });
        }
    }

    /// A line that is sent now.
    pub fn sent(&mut self, text: &str) {
        self.add(Instant::now(), true, text);
    }

    /// A line that was received.
    pub fn received(&mut self, line: &Line) {
        self.add(line.at, false, &line.text);
    }
}

/// The lines of both engines in order of time: milliseconds since `start`,
/// the engine, `>` for sent and `<` for received.
#[must_use]
pub fn merged(traces: [(&str, &Trace); 2], start: Instant) -> String {
    let mut lines: Vec<(&str, &Entry)> = traces
        .iter()
        .flat_map(|(name, trace)| {
            trace
                .entries
                .iter()
                .flatten()
                .map(move |entry| (*name, entry))
        })
        .collect();
    lines.sort_by_key(|(_, entry)| entry.at);
    let mut text = String::new();
    for (name, entry) in lines {
        let ms = entry.at.saturating_duration_since(start).as_millis();
        let mark = if entry.is_sent { '>' } else { '<' };
        let _ = writeln!(text, "{ms:>8} {name} {mark} {}", entry.text);
    }
    text
}

/// Seconds since 1970.
#[must_use]
pub fn unix_seconds() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |duration| duration.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn traces_are_merged_by_time() {
        let start = Instant::now();
        let (mut one, mut other) = (Trace::new(true), Trace::new(true));
        let line = |ms, text: &str| Line {
            text: text.to_owned(),
            at: start + Duration::from_millis(ms),
        };
        one.received(&line(30, "7,7"));
        other.received(&line(10, "OK"));
        other.received(&line(40, "8,8"));
        let text = merged([("a", &one), ("b", &other)], start);
        let expected = "      10 b < OK\n      30 a < 7,7\n      40 b < 8,8\n";
        assert_eq!(text, expected);
        let mut none = Trace::new(false);
        none.sent("x");
        assert_eq!(merged([("a", &none), ("b", &none)], start), "");
    }
}
