//! Counts of a running event: points, failures, and what they mean so far.

use crate::config::EventConfig;
use crate::record::{GameRecord, Outcome, Reason};
use crate::stats::{Points, Sprt, SprtStatus, Tally};
use std::collections::BTreeMap;
use std::fmt::Write as _;

const NAME_WIDTH: usize = 24;
const TITLE: &str = "games   points      %      W-D-L            Elo";

/// The counts of all engines.
#[derive(Clone, Debug)]
pub struct Standings {
    names: Vec<String>,
    tallies: Vec<Tally>,
    failures: Vec<BTreeMap<&'static str, u64>>,
    overloaded: u64,
    games: u64,
    sprt: Option<Sprt>,
}

/// The word for a reason in tables.
#[must_use]
pub const fn reason_word(reason: Reason) -> &'static str {
    match reason {
        Reason::Five => "five",
        Reason::Foul => "foul",
        Reason::FullBoard => "full board",
        Reason::MoveLimit => "move limit",
        Reason::Adjudicated => "adjudicated",
        Reason::Resigned => "resigned",
        Reason::Timeout => "timeout",
        Reason::IllegalMove => "illegal move",
        Reason::Crash => "crash",
        Reason::Garbage => "garbage",
        Reason::Memory => "memory",
        Reason::StartFailure => "start failure",
    }
}

impl Standings {
    /// No game yet.
    #[must_use]
    pub fn new(config: &EventConfig) -> Self {
        let count = config.engines.len();
        Self {
            names: config.engines.iter().map(|e| e.name.clone()).collect(),
            tallies: vec![Tally::default(); count],
            failures: vec![BTreeMap::new(); count],
            overloaded: 0,
            games: 0,
            sprt: config.sprt,
        }
    }

    /// Counts a game.
    pub fn add(&mut self, game: &GameRecord) {
        self.games += 1;
        self.overloaded += u64::from(game.overloaded);
        for (engine, is_black) in [(game.black, true), (game.white, false)] {
            if let Some(tally) = self.tallies.get_mut(engine) {
                tally.add(game.pair, Points::of(game.outcome, is_black));
            }
        }
        let loser = match game.outcome {
            Outcome::Black => Some(game.white),
            Outcome::White => Some(game.black),
            Outcome::Draw => None,
        };
        if game.reason.is_failure() || game.reason == Reason::Foul {
            let failures = loser.and_then(|loser| self.failures.get_mut(loser));
            if let Some(failures) = failures {
                *failures.entry(reason_word(game.reason)).or_default() += 1;
            }
        }
    }

    /// Number of games counted.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// The results of an engine.
    #[must_use]
    pub fn tally(&self, engine: usize) -> Option<&Tally> {
        self.tallies.get(engine)
    }

    /// How the sequential test stands, if there is one.
    #[must_use]
    pub fn sprt_status(&self) -> Option<SprtStatus> {
        let sprt = self.sprt?;
        Some(sprt.status(self.tallies.first()?))
    }

    /// One line: the first engine against the second in a match, the leader otherwise.
    #[must_use]
    pub fn line(&self) -> String {
        let best = self.order().first().copied().unwrap_or(0);
        let engine = if self.names.len() == 2 { 0 } else { best };
        let Some(tally) = self.tallies.get(engine) else {
            return String::new();
        };
        let mut text = format!(
            "{}: {} W, {} D, {} L, Elo {}",
            self.names[engine],
            tally.wins(),
            tally.draws(),
            tally.losses(),
            tally.elo()
        );
        let failures: u64 = self.failures.iter().flat_map(BTreeMap::values).sum();
        if failures > 0 {
            let _ = write!(text, ", {failures} failures");
        }
        if let Some(sprt) = &self.sprt {
            let _ = write!(text, ", LLR {:.2}", sprt.llr(tally));
        }
        text
    }

    /// The table of all engines, best first, and the test.
    #[must_use]
    pub fn table(&self) -> String {
        let mut text = format!("{:<NAME_WIDTH$} {TITLE}  failures\n", "engine");
        for engine in self.order() {
            let tally = &self.tallies[engine];
            let games = tally.game_count();
            let percent = tally
                .score()
                .map_or("-".to_owned(), |score| format!("{:.1}", 100.0 * score));
            let points = tally.wins() as f64 + tally.draws() as f64 / 2.0;
            let results = format!("{}-{}-{}", tally.wins(), tally.draws(), tally.losses());
            let name: String = self.names[engine].chars().take(NAME_WIDTH).collect();
            let _ = writeln!(
                text,
                "{name:<NAME_WIDTH$} {games:>5} {points:>8.1} {percent:>6} {results:>10} {:>14}  {}",
                tally.elo().to_string(),
                self.failure_text(engine)
            );
        }
        if self.names.len() == 2 {
            text += &self.match_lines();
        }
        if self.overloaded > 0 {
            let _ = writeln!(
                text,
                "timeouts while the machine was overloaded: {}",
                self.overloaded
            );
        }
        text
    }

    fn match_lines(&self) -> String {
        let Some(tally) = self.tallies.first() else {
            return String::new();
        };
        let mut text = format!(
            "pairs of 0, ½, 1, 1½, 2 points: {:?}, LOS {:.1} %",
            tally.pairs(),
            100.0 * tally.los()
        );
        if let Some(rate) = tally.draw_rate() {
            let _ = write!(text, ", draws {:.1} %", 100.0 * rate);
        }
        text.push('\n');
        if let Some(sprt) = &self.sprt {
            let _ = writeln!(
                text,
                "SPRT {} to {} Elo: LLR {:.3} ({:.3} to {:.3}), {}",
                sprt.elo0,
                sprt.elo1,
                sprt.llr(tally),
                sprt.lower_bound(),
                sprt.upper_bound(),
                sprt.status(tally)
            );
        }
        text
    }

    fn failure_text(&self, engine: usize) -> String {
        let failures = self.failures[engine].iter();
        let words: Vec<String> = failures
            .map(|(word, count)| format!("{count} {word}"))
            .collect();
        words.join(", ")
    }

    /// Engines by their share of points, best first.
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        let share = |engine: &usize| self.tallies[*engine].score().unwrap_or(0.0);
        order.sort_by(|a, b| share(b).total_cmp(&share(a)));
        order
    }
}
