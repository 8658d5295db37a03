//! Sorting what an engine writes: bytes become lines, floods are bounded and
//! the newest lines are kept. Reads nothing itself, so it never waits.

use super::streams::{Piece, Stream};
use std::collections::VecDeque;
use std::time::Instant;

/// Longest line kept, in bytes; the rest of a longer one is dropped.
const MAX_LINE_BYTES: usize = 64 << 10;
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
struct Tail(VecDeque<String>);

impl Tail {
    fn push(&mut self, line: &str) {
        if self.0.len() == TAIL_LINES {
            self.0.pop_front();
        }
        let end = line.char_indices().nth(TAIL_LINE_CHARACTERS);
        let end = end.map_or(line.len(), |(at, _)| at);
        self.0.push_back(line[..end].to_owned());
    }
}

/// Counts what came since the engine was last written to.
#[derive(Debug)]
struct Gauge {
    bytes: u64,
    limit: u64,
}

impl Gauge {
    /// Whether more than the limit has come.
    const fn add(&mut self, bytes: u64) -> bool {
        self.bytes += bytes;
        self.bytes > self.limit
    }
}

/// Cuts a stream of bytes into lines at LF; a CR before it goes too.
#[derive(Debug, Default)]
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

/// Takes the pieces of both streams and keeps the events until they are asked for.
#[derive(Debug)]
pub(super) struct Sorter {
    output: Splitter,
    errors: Splitter,
    tail: Tail,
    gauge: Gauge,
    /// Nothing more is queued after a flood until the next writing.
    is_flooded: bool,
    output_has_ended: bool,
    errors_have_ended: bool,
    events: VecDeque<Event>,
}

impl Sorter {
    /// Nothing has come yet; more than `flood_limit` bytes are a flood.
    pub(super) fn new(flood_limit: u64) -> Self {
        Self {
            output: Splitter::default(),
            errors: Splitter::default(),
            tail: Tail::default(),
            gauge: Gauge {
                bytes: 0,
                limit: flood_limit,
            },
            is_flooded: false,
            output_has_ended: false,
            errors_have_ended: false,
            events: VecDeque::new(),
        }
    }

    /// The engine is written to: what comes from now on counts anew.
    pub(super) fn reset_gauge(&mut self) {
        self.gauge.bytes = 0;
        self.is_flooded = false;
    }

    /// The next event that waits.
    pub(super) fn next(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    pub(super) fn has_events(&self) -> bool {
        !self.events.is_empty()
    }

    pub(super) const fn output_has_ended(&self) -> bool {
        self.output_has_ended
    }

    pub(super) const fn errors_have_ended(&self) -> bool {
        self.errors_have_ended
    }

    /// The newest lines of both streams.
    pub(super) fn last_lines(&self) -> Vec<String> {
        self.tail.0.iter().cloned().collect()
    }

    /// Takes a piece that was read now.
    pub(super) fn take(&mut self, piece: Piece<'_>) {
        match piece {
            Piece::Bytes(Stream::Output, bytes) => self.take_output(bytes),
            Piece::Bytes(Stream::Errors, bytes) => {
                let (errors, tail) = (&mut self.errors, &mut self.tail);
                errors.feed(bytes, |text| tail.push(&format!("stderr: {text}")));
            }
            Piece::End(Stream::Output) => {
                if !self.output.pending.is_empty() {
                    self.tail.push(&self.output.take_line());
                }
                self.output_has_ended = true;
                self.events.push_back(Event::End);
            }
            Piece::End(Stream::Errors) => self.errors_have_ended = true,
            Piece::Nothing => {}
        }
    }

    fn take_output(&mut self, bytes: &[u8]) {
        let at = Instant::now();
        let is_over = self.gauge.add(bytes.len() as u64);
        let (tail, gauge, events) = (&mut self.tail, &mut self.gauge, &mut self.events);
        self.output.feed(bytes, |text| {
            if !gauge.add(LINE_COST_BYTES) {
                tail.push(&text);
                events.push_back(Event::Line(Line { text, at }));
            }
        });
        if is_over && !self.is_flooded {
            events.push_back(Event::Flood);
        }
        self.is_flooded = is_over;
    }
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
    fn the_tail_keeps_the_beginning_of_long_lines() {
        let mut tail = Tail::default();
        for length in [TAIL_LINE_CHARACTERS - 1, TAIL_LINE_CHARACTERS + 1] {
            tail.push(&"é".repeat(length));
        }
        let lengths: Vec<usize> = tail.0.iter().map(|line| line.chars().count()).collect();
        assert_eq!(lengths, [TAIL_LINE_CHARACTERS - 1, TAIL_LINE_CHARACTERS]);
    }

    fn events(sorter: &mut Sorter) -> Vec<Event> {
        std::iter::from_fn(|| sorter.next()).collect()
    }

    #[test]
    fn floods_are_told_once_until_the_next_writing() {
        let mut sorter = Sorter::new(1000);
        for _ in 0..2 {
            for _ in 0..100 {
                let spam = "spam\n".repeat(1000);
                sorter.take(Piece::Bytes(Stream::Output, spam.as_bytes()));
            }
            let events = events(&mut sorter);
            let floods = events.iter().filter(|e| matches!(e, Event::Flood)).count();
            assert_eq!(floods, 1);
            assert!(events.len() < 20, "{}", events.len());
            sorter.reset_gauge();
        }
    }

    #[test]
    fn both_streams_end_with_their_last_lines() {
        let mut sorter = Sorter::new(1000);
        sorter.take(Piece::Bytes(Stream::Errors, b"oh "));
        sorter.take(Piece::Bytes(Stream::Output, b"OK\n7,"));
        sorter.take(Piece::Bytes(Stream::Errors, b"no\n"));
        sorter.take(Piece::End(Stream::Output));
        assert!(sorter.output_has_ended() && !sorter.errors_have_ended());
        sorter.take(Piece::End(Stream::Errors));
        assert!(sorter.errors_have_ended() && sorter.has_events());
        assert_eq!(sorter.last_lines(), ["OK", "stderr: oh no", "7,"]);
        assert!(matches!(
            events(&mut sorter)[..],
            [Event::Line(_), Event::End]
        ));
    }
}
