//! What is shown while games are played: a bar on a terminal, a line a minute
//! anywhere else.

use indicatif::{ProgressBar, ProgressStyle};
use std::fmt;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

const BAR_TEMPLATE: &str = "[{bar:40}] {pos} of {len} games, {msg}";
const SPINNER_TEMPLATE: &str = "{spinner} {pos} games, {msg}";
const LINE_INTERVAL: Duration = Duration::from_secs(60);
const BAR_INTERVAL: Duration = Duration::from_millis(250);

/// Games and plies of this run, and how fast they came.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// Games.
    pub games: u64,
    /// Their plies.
    pub plies: u64,
    /// Time taken.
    pub elapsed: Duration,
}

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SECONDS_PER_HOUR: f64 = 3600.0;
        let hours = self.elapsed.as_secs_f64().max(1e-3) / SECONDS_PER_HOUR;
        write!(
            f,
            "{:.0} games/h, {:.0} positions/h",
            self.games as f64 / hours,
            self.plies as f64 / hours
        )
    }
}

/// The display, on the error output.
#[derive(Debug)]
pub struct Progress {
    bar: Option<ProgressBar>,
    shown: Instant,
    started: Instant,
    games_before: u64,
    games: u64,
    plies: u64,
}

impl Progress {
    /// Begins to show. `games_before` were there before this run; `total`,
    /// those included, is how many there are to be.
    #[must_use]
    pub fn start(games_before: u64, total: Option<u64>) -> Self {
        let template = match total {
            Some(_) => BAR_TEMPLATE,
            None => SPINNER_TEMPLATE,
        };
        let style = ProgressStyle::with_template(template).ok();
        let bar = style
            .filter(|_| std::io::stderr().is_terminal())
            .map(|style| {
                let bar = match total {
                    Some(total) => ProgressBar::new(total),
                    None => ProgressBar::no_length(),
                };
                bar.set_position(games_before);
                bar.with_style(style.progress_chars("=> "))
            });
        Self {
            bar,
            shown: Instant::now(),
            started: Instant::now(),
            games_before,
            games: 0,
            plies: 0,
        }
    }

    /// Counts a game.
    pub fn add(&mut self, plies: usize) {
        self.games += 1;
        self.plies += plies as u64;
    }

    /// Shows the state if it is time to; to be called often.
    pub fn tick(&mut self) {
        let interval = match self.bar {
            Some(_) => BAR_INTERVAL,
            None => LINE_INTERVAL,
        };
        if self.shown.elapsed() < interval {
            return;
        }
        self.shown = Instant::now();
        let games = self.games_before + self.games;
        match &self.bar {
            Some(bar) => {
                bar.set_position(games);
                bar.set_message(self.pace().to_string());
            }
            None => eprintln!("{games} games, {}", self.pace()),
        }
    }

    /// What came so far.
    #[must_use]
    pub fn pace(&self) -> Pace {
        Pace {
            games: self.games,
            plies: self.plies,
            elapsed: self.started.elapsed(),
        }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pace_is_by_the_hour() {
        let pace = Pace {
            games: 50,
            plies: 1_500,
            elapsed: Duration::from_secs(180),
        };
        assert_eq!(pace.to_string(), "1000 games/h, 30000 positions/h");
    }
}
