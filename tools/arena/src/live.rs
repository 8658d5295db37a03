//! What is shown while an event is running: a table and a bar on a terminal,
//! a line every so often anywhere else.

use crate::duration::format_ms;
use crate::standings::{Space, Standings};
use console::Term;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

const BAR_TEMPLATE: &str = "{msg}\n[{bar:40}] {pos} of {len} games";
/// Below the table: the pace, the bar, and the line of the cursor.
const ROWS_BELOW: usize = 3;
const MS_PER_MINUTE: f64 = 60_000.0;

/// The display; it goes to the error output, so that the final table alone
/// stands on the output.
#[derive(Debug)]
pub struct Live {
    bar: Option<ProgressBar>,
    interval: Duration,
    last_line: Instant,
    started: Instant,
    done_before: u64,
    total: u64,
}

impl Live {
    /// Begins to show. `done_before` of the `total` games were played in
    /// earlier runs; without a terminal a line comes every `interval`.
    #[must_use]
    pub fn start(done_before: u64, total: u64, interval: Duration) -> Self {
        let style = ProgressStyle::with_template(BAR_TEMPLATE).ok();
        let bar = style
            .filter(|_| std::io::stderr().is_terminal())
            .map(|style| {
                let bar = ProgressBar::new(total).with_style(style.progress_chars("=> "));
                bar.set_position(done_before);
                bar
            });
        Self {
            bar,
            interval,
            last_line: Instant::now(),
            started: Instant::now(),
            done_before,
            total,
        }
    }

    /// Shows the standings; to be called after every game and now and then.
    pub fn update(&mut self, standings: &Standings) {
        let pace = self.pace(standings);
        if let Some(bar) = &self.bar {
            // The window may have been made larger or smaller.
            let (rows, columns) = Term::stderr().size();
            let space = Space {
                columns: usize::from(columns),
                rows: usize::from(rows).saturating_sub(ROWS_BELOW),
            };
            bar.set_message(format!("{}{pace}", standings.table(space)));
            bar.set_position(standings.games());
        } else if self.last_line.elapsed() >= self.interval {
            self.last_line = Instant::now();
            let (games, total) = (standings.games(), self.total);
            eprintln!("{games}/{total} games, {}, {pace}", standings.line());
        }
    }

    /// A line that stays, such as a failure.
    pub fn note(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.println(text),
            None => eprintln!("{text}"),
        }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn pace(&self, standings: &Standings) -> String {
        let done = standings.games().saturating_sub(self.done_before);
        let left = self.total.saturating_sub(standings.games());
        let elapsed_ms = self.started.elapsed().as_millis() as f64;
        describe_pace(done, left, elapsed_ms)
    }
}

fn describe_pace(done: u64, left: u64, elapsed_ms: f64) -> String {
    if done == 0 || elapsed_ms <= 0.0 {
        return format!("{left} games to go");
    }
    let per_minute = done as f64 * MS_PER_MINUTE / elapsed_ms;
    let left_ms = left as f64 * elapsed_ms / done as f64;
    format!(
        "{per_minute:.1} games/min, {} left",
        format_ms(left_ms as u64)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pace_and_time_left() {
        assert_eq!(describe_pace(30, 60, 60_000.0), "30.0 games/min, 2:00 left");
        assert_eq!(describe_pace(0, 60, 60_000.0), "60 games to go");
    }
}
