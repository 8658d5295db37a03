//! A line that tells how far a running search is, rewritten in place.

use super::words::{TEXT_WIDTH, evaluation};
use crate::board::Colour;
use crate::search::{Info, Reporter};
use std::io::{self, Write};

/// Writes each report over the one before.
pub(super) struct ProgressLine<'a, W: Write> {
    side: Colour,
    output: &'a mut W,
    result: io::Result<()>,
}

impl<'a, W: Write> ProgressLine<'a, W> {
    /// A line on this output, empty at first, about a search for this side.
    pub(super) const fn new(output: &'a mut W, side: Colour) -> Self {
        Self {
            side,
            output,
            result: Ok(()),
        }
    }

    /// Wipes the line out.
    ///
    /// # Errors
    ///
    /// The first error of all writing so far.
    pub(super) fn finish(self) -> io::Result<()> {
        self.result?;
        self.output.write_all(b"\r\x1b[K")?;
        self.output.flush()
    }
}

impl<W: Write> Reporter for ProgressLine<'_, W> {
    fn report(&mut self, info: &Info) {
        let line = text(info, self.side);
        if self.result.is_ok() {
            self.result = write!(self.output, "\r\x1b[K{line}").and_then(|()| self.output.flush());
        }
    }
}

/// A report in less than a line: the cursor stays on it.
fn text(info: &Info, side: Colour) -> String {
    let mut text = format!(
        "thinking: depth {}, {}:",
        info.depth,
        evaluation(info.score, side)
    );
    for point in &info.principal_variation {
        let word = format!(" {point}");
        if text.len() + word.len() >= TEXT_WIDTH {
            break;
        }
        text.push_str(&word);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::parse_moves;
    use crate::search::Score;
    use std::time::Duration;

    fn info(moves: &str) -> Info {
        Info {
            line_number: 1,
            depth: 7,
            selective_depth: 11,
            score: Score::plain(20),
            nodes: 1,
            elapsed: Duration::ZERO,
            principal_variation: parse_moves(moves).unwrap(),
        }
    }

    #[test]
    fn reports_are_short_and_wiped_out() {
        let mut screen = Vec::new();
        let mut progress = ProgressLine::new(&mut screen, Colour::White);
        progress.report(&info("h8i9"));
        progress.report(&info(&"h10".repeat(100)));
        progress.finish().unwrap();
        let screen = String::from_utf8(screen).unwrap();
        let parts: Vec<&str> = screen.split("\r\x1b[K").collect();
        assert_eq!(parts[1], "thinking: depth 7, score +20 for White: h8 i9");
        assert!(parts[2].len() < TEXT_WIDTH);
        assert_eq!(parts[3], "");
    }
}
