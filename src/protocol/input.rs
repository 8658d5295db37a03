//! The reading thread: bytes to lines.
//!
//! Lines end with CR, LF or both; blank ones are dropped, bytes that are no
//! text become replacement characters, and of a line that is too long only
//! the head is kept. The thread ends with its input.

use super::event::{Event, Line};
use std::io::{self, Read};
use std::sync::mpsc::SyncSender;
use std::thread;
use std::time::Instant;

/// Longest line in bytes. A full 22x22 board in one line has under 4,000.
const MAX_LINE_LEN: usize = 16_384;
const CHUNK_LEN: usize = 8_192;
const BYTE_ORDER_MARK: char = '\u{feff}';

/// Starts the thread.
///
/// # Errors
///
/// If the system refuses.
pub fn start(
    input: impl Read + Send + 'static,
    events: SyncSender<Event>,
) -> io::Result<thread::JoinHandle<()>> {
    thread::Builder::new()
        .name("input".to_owned())
        .spawn(move || {
            read_lines(input, |line| events.send(Event::Line(line)).is_ok());
            // Nobody listens any more if this fails, and that is fine.
            let _ = events.send(Event::InputEnded);
        })
}

/// Hands every line to `take` until the input ends or `take` says no more.
fn read_lines(mut input: impl Read, mut take: impl FnMut(Line) -> bool) {
    let mut splitter = Splitter::default();
    let mut chunk = [0; CHUNK_LEN];
    loop {
        let count = match input.read(&mut chunk) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => {
                log::warn!("reading failed: {error}");
                break;
            }
        };
        for &byte in chunk.iter().take(count) {
            if splitter.push(byte)
                && let Some(line) = splitter.finish()
                && !take(line)
            {
                return;
            }
        }
    }
    if let Some(line) = splitter.finish() {
        take(line);
    }
}

/// Collects the bytes of one line.
#[derive(Debug, Default)]
struct Splitter {
    bytes: Vec<u8>,
    is_cut: bool,
}

impl Splitter {
    /// Takes a byte; whether it ends the line.
    fn push(&mut self, byte: u8) -> bool {
        if byte == b'\n' || byte == b'\r' {
            return true;
        }
        if self.bytes.len() < MAX_LINE_LEN {
            self.bytes.push(byte);
        } else {
            self.is_cut = true;
        }
        false
    }

    /// The line so far, unless it is blank, and a fresh start.
    fn finish(&mut self) -> Option<Line> {
        let text = String::from_utf8_lossy(&self.bytes)
            .trim_matches(|c: char| c.is_whitespace() || c == BYTE_ORDER_MARK)
            .to_owned();
        let is_cut = std::mem::take(&mut self.is_cut);
        self.bytes.clear();
        (!text.is_empty() || is_cut).then(|| Line {
            text,
            is_cut,
            read_at: Instant::now(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(input: &[u8]) -> Vec<(String, bool)> {
        let mut lines = Vec::new();
        read_lines(input, |line| {
            lines.push((line.text, line.is_cut));
            true
        });
        lines
    }

    fn whole(texts: &[&str]) -> Vec<(String, bool)> {
        texts.iter().map(|text| ((*text).into(), false)).collect()
    }

    #[test]
    fn every_line_end_counts_and_blank_lines_do_not() {
        assert_eq!(
            lines(b"a b\r\nc\n\n \t\r\rd\re"),
            whole(&["a b", "c", "d", "e"])
        );
    }

    #[test]
    fn bytes_that_are_no_text_survive() {
        assert_eq!(lines(b"\xffx\n"), whole(&["\u{fffd}x"]));
        assert_eq!(lines(b"\xef\xbb\xbfSTART 15\r\n"), whole(&["START 15"]));
    }

    #[test]
    fn long_lines_are_cut() {
        let mut input = vec![b'A'; 1_000_000];
        input.extend_from_slice(b"\nSTART 15\n");
        let got = lines(&input);
        assert_eq!(got.len(), 2);
        assert_eq!(got[0], ("A".repeat(MAX_LINE_LEN), true));
        assert_eq!(got[1], ("START 15".into(), false));
        // Exactly as long as allowed is whole.
        let exact = vec![b'B'; MAX_LINE_LEN];
        assert_eq!(lines(&exact), whole(&[&"B".repeat(MAX_LINE_LEN)]));
    }

    #[test]
    fn reading_ends_when_nobody_listens() {
        let mut count = 0;
        read_lines(&b"a\nb\nc\n"[..], |_| {
            count += 1;
            false
        });
        assert_eq!(count, 1);
    }
}
