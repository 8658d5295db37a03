//! The threads that read what an engine writes. They never wait for anybody:
//! whatever an engine does, its output is taken, bounded and stamped.

use std::collections::VecDeque;
use std::io::Read;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Longest line kept, in bytes; the rest of a longer one is dropped.
const MAX_LINE_BYTES: usize = 64 << 10;
const CHUNK_BYTES: usize = 64 << 10;
/// What a queued line costs besides its text.
const LINE_COST_BYTES: u64 = 64;
const TAIL_LINES: usize = 20;
const TAIL_LINE_CHARACTERS: usize = 300;

/// A line of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The text without line end; bytes that are no UTF-8 are replaced.
    pub text: String,
    /// When it was read.
    pub at: Instant,
}

/// What comes from an engine's output.
#[derive(Debug)]
pub(super) enum Event {
    Line(Line),
    Flood,
    End,
}

/// The newest lines of an engine, output and error output together.
#[derive(Debug, Default)]
pub(super) struct Tail(Mutex<VecDeque<String>>);

impl Tail {
    fn push(&self, line: &str) {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() == TAIL_LINES {
            lines.pop_front();
        }
        lines.push_back(line.chars().take(TAIL_LINE_CHARACTERS).collect());
    }

    pub(super) fn lines(&self) -> Vec<String> {
        let lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lines.iter().cloned().collect()
    }
}

/// Counts what came since the engine was last written to.
#[derive(Debug)]
pub(super) struct Gauge {
    bytes: AtomicU64,
    limit: u64,
}

impl Gauge {
    pub(super) const fn new(limit: u64) -> Self {
        let bytes = AtomicU64::new(0);
        Self { bytes, limit }
    }

    pub(super) fn reset(&self) {
        self.bytes.store(0, Ordering::Relaxed);
    }

    /// Whether more than the limit has come.
    fn add(&self, bytes: u64) -> bool {
        self.bytes.fetch_add(bytes, Ordering::Relaxed) + bytes > self.limit
    }
}

/// Cuts a stream of bytes into lines at LF; a CR before it goes too.
#[derive(Default)]
struct Splitter {
    pending: Vec<u8>,
}

impl Splitter {
    fn feed(&mut self, bytes: &[u8], mut take: impl FnMut(String)) {
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            let (text, ended) = match piece.split_last() {
                Some((b'\n', text)) => (text, true),
                _ => (piece, false),
            };
            let room = MAX_LINE_BYTES - self.pending.len();
            self.pending
                .extend_from_slice(&text[..text.len().min(room)]);
            if ended {
                take(self.take_line());
            }
        }
    }

    fn take_line(&mut self) -> String {
        let line = String::from_utf8_lossy(&self.pending);
        let line = line.trim_end_matches('\r').to_owned();
        self.pending.clear();
        line
    }
}

/// Reads chunk by chunk until the end of the stream.
fn read_chunks(mut source: impl Read, mut take: impl FnMut(&[u8], Instant)) {
    let mut buffer = vec![0; CHUNK_BYTES];
    loop {
        match source.read(&mut buffer) {
            Ok(0) => return,
            Ok(count) => take(&buffer[..count], Instant::now()),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}

/// Sends the lines of the output on, all of a chunk together, so that nobody
/// sees the first of two lines without the second. After a flood nothing more
/// is sent until the gauge is reset, but reading goes on.
pub(super) fn read_output(
    source: impl Read,
    events: &Sender<Vec<Event>>,
    tail: &Tail,
    gauge: &Gauge,
) {
    let mut splitter = Splitter::default();
    let mut flooded = false;
    read_chunks(source, |bytes, at| {
        let is_over = gauge.add(bytes.len() as u64);
        let mut batch = Vec::new();
        splitter.feed(bytes, |text| {
            if !gauge.add(LINE_COST_BYTES) {
                tail.push(&text);
                batch.push(Event::Line(Line { text, at }));
            }
        });
        if is_over && !flooded {
            batch.push(Event::Flood);
        }
        flooded = is_over;
        if !batch.is_empty() {
            let _ = events.send(batch);
        }
    });
    if !splitter.pending.is_empty() {
        tail.push(&splitter.take_line());
    }
    let _ = events.send(vec![Event::End]);
}

/// Keeps the newest lines of the error output, marked as such.
pub(super) fn read_errors(source: impl Read, tail: &Arc<Tail>) {
    let mut splitter = Splitter::default();
    read_chunks(source, |bytes, _| {
        splitter.feed(bytes, |text| tail.push(&format!("stderr: {text}")));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(chunks: &[&str]) -> (Vec<String>, usize) {
        let mut splitter = Splitter::default();
        let mut lines = Vec::new();
        for chunk in chunks {
            splitter.feed(chunk.as_bytes(), |line| lines.push(line));
        }
        (lines, splitter.pending.len())
    }

    #[test]
    fn lines_are_put_together() {
        let (lines, rest) = split(&["7,", "7\r", "\nOK\n\n", "tor"]);
        assert_eq!(lines, ["7,7", "OK", ""]);
        assert_eq!(rest, 3);
    }

    #[test]
    fn endless_lines_are_cut() {
        let long = "x".repeat(MAX_LINE_BYTES);
        let (lines, rest) = split(&[&long, &long, "\nOK\n"]);
        assert_eq!(lines, [long.as_str(), "OK"]);
        assert_eq!(rest, 0);
    }

    #[test]
    fn floods_are_told_once() {
        let (sender, receiver) = std::sync::mpsc::channel();
        let gauge = Gauge::new(1000);
        let text = "spam\n".repeat(100_000);
        read_output(text.as_bytes(), &sender, &Tail::default(), &gauge);
        drop(sender);
        let events: Vec<Event> = receiver.into_iter().flatten().collect();
        let floods = events.iter().filter(|e| matches!(e, Event::Flood)).count();
        assert_eq!(floods, 1);
        assert!(events.len() < 20, "{}", events.len());
    }
}
