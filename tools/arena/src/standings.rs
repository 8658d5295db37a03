//! Counts of a running event: points, failures, and what they mean so far.

use crate::config::EventConfig;
use crate::record::{GameRecord, Outcome, Reason};
use crate::stats::{Points, Sprt, SprtStatus, Tally};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Width of the names: as wide as the longest, within these bounds.
const NAME_WIDTHS: (usize, usize) = (8, 24);
const TITLE: &str = " games   points      %      W-D-L            Elo  ";
const FAILURES: &str = "failures";

/// How much can be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Space {
    /// Characters in a line.
    pub columns: usize,
    /// Lines.
    pub rows: usize,
}

impl Space {
    /// A file, or a terminal that scrolls.
    pub const ENDLESS: Self = Self {
        columns: usize::MAX,
        rows: usize::MAX,
    };
}

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

/// A text that is too long ends in an ellipsis.
fn shortened(text: &str, columns: usize) -> String {
    if text.chars().count() <= columns {
        return text.to_owned();
    }
    let kept = text.chars().take(columns.saturating_sub(1));
    kept.chain(['…']).collect()
}

/// A value that would be shown as -0.000 is shown as 0.000.
fn without_sign_of_zero(value: f64) -> f64 {
    const SHOWN_STEP: f64 = 0.000_5;
    if value.abs() < SHOWN_STEP { 0.0 } else { value }
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
            let _ = write!(text, ", LLR {:.2}", without_sign_of_zero(sprt.llr(tally)));
        }
        text
    }

    /// The table of the engines, best first, and the test. Where there is too
    /// little space lines are cut, and the last engines are only counted.
    #[must_use]
    pub fn table(&self, space: Space) -> String {
        let below = self.lines_below();
        let order = self.order();
        let rows = space.rows.saturating_sub(below.len() + 1).max(2);
        let shown = if order.len() > rows {
            rows - 1
        } else {
            order.len()
        };
        let failures: Vec<String> = order.iter().map(|&e| self.failure_text(e)).collect();
        let widest = failures.iter().map(|text| text.chars().count()).max();
        let beside = TITLE.len() + widest.unwrap_or(0).max(FAILURES.len());
        let width = self.name_width(space.columns.saturating_sub(beside));
        let mut lines = vec![format!("{:<width$}{TITLE}{FAILURES}", "engine")];
        for (&engine, failures) in order.iter().zip(&failures).take(shown) {
            lines.push(self.row(engine, width) + failures);
        }
        if shown < order.len() {
            lines.push(format!("and {} more", order.len() - shown));
        }
        lines.extend(below);
        let cut = |line: String| shortened(line.trim_end(), space.columns) + "\n";
        lines.into_iter().map(cut).collect()
    }

    /// Width of the names if there is room for so many characters.
    fn name_width(&self, room: usize) -> usize {
        let (least, most) = NAME_WIDTHS;
        let longest = self.names.iter().map(|name| name.chars().count()).max();
        longest.unwrap_or(0).min(room).clamp(least, most)
    }

    /// The figures of an engine, as wide as the title.
    fn row(&self, engine: usize, width: usize) -> String {
        let tally = &self.tallies[engine];
        let percent = tally
            .score()
            .map_or("-".to_owned(), |score| format!("{:.1}", 100.0 * score));
        let points = tally.wins() as f64 + tally.draws() as f64 / 2.0;
        let results = format!("{}-{}-{}", tally.wins(), tally.draws(), tally.losses());
        format!(
            "{:<width$} {:>5} {points:>8.1} {percent:>6} {results:>10} {:>14}  ",
            shortened(&self.names[engine], width),
            tally.game_count(),
            tally.elo().to_string(),
        )
    }

    fn lines_below(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if let ([_, _], Some(tally)) = (&self.names[..], self.tallies.first()) {
            lines.extend(self.match_lines(tally));
        }
        if self.overloaded > 0 {
            let count = self.overloaded;
            lines.push(format!(
                "timeouts while the machine was overloaded: {count}"
            ));
        }
        lines
    }

    fn match_lines(&self, tally: &Tally) -> Vec<String> {
        let mut pairs = format!(
            "pairs (0 ½ 1 1½ 2): {:?}, LOS {:.1} %",
            tally.pairs(),
            100.0 * tally.los()
        );
        if let Some(rate) = tally.draw_rate() {
            let _ = write!(pairs, ", draws {:.1} %", 100.0 * rate);
        }
        let test = self.sprt.map(|sprt| {
            format!(
                "SPRT {} to {} Elo: LLR {:.3} ({:.3} to {:.3}), {}",
                sprt.elo0,
                sprt.elo1,
                without_sign_of_zero(sprt.llr(tally)),
                sprt.lower_bound(),
                sprt.upper_bound(),
                sprt.status(tally)
            )
        });
        [Some(pairs), test].into_iter().flatten().collect()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::EventKind;
    use crate::config::tests::event;

    fn widths(table: &str) -> Vec<usize> {
        table.lines().map(|line| line.chars().count()).collect()
    }

    #[test]
    fn tables_fit_into_their_space() {
        let names: Vec<String> = (0..30)
            .map(|n| format!("an-engine-with-a-long-name-{n}"))
            .collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut standings = Standings::new(&event(EventKind::Tournament, &names));
        standings.failures[0].insert("illegal move", 3);
        standings.failures[0].insert("timeout", 12);
        let space = Space {
            columns: 80,
            rows: 20,
        };
        let table = standings.table(space);
        assert!(widths(&table).iter().all(|&width| width <= 80), "{table}");
        assert_eq!(table.lines().count(), 20);
        assert_eq!(table.lines().last(), Some("and 12 more"));
        assert_eq!(standings.table(Space::ENDLESS).lines().count(), 31);
        assert!(
            standings
                .table(Space::ENDLESS)
                .contains("3 illegal move, 12 timeout")
        );
    }

    #[test]
    fn short_names_leave_room() {
        let standings = Standings::new(&event(EventKind::Match, &["one", "two"]));
        let table = standings.table(Space::ENDLESS);
        assert!(widths(&table).iter().all(|&width| width < 80), "{table}");
        assert!(table.starts_with("engine   "), "{table}");
    }
}
