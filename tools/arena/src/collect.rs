//! Gathers finished games from results files for everything that reads them:
//! reports, exports, ratings.
//!
//! Files may be parts of one event, on several machines or after a resume, or
//! different events. A game that stands in two files, or twice in one, counts
//! once. The torn last line of a running or killed event is passed over.

use crate::record::{EventRecord, FORMAT_VERSION, GameRecord, Record};
use anyhow::{Context, Result, bail};
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// A game and the event it belongs to.
#[derive(Clone, Debug, PartialEq)]
pub struct CollectedGame {
    /// Index into [`Collection::events`]; `None` if no event was told before it.
    pub event: Option<usize>,
    /// The game.
    pub game: GameRecord,
}

/// Everything in a number of files.
#[derive(Clone, Debug, Default)]
pub struct Collection {
    /// The different set-ups, in the order they were met.
    pub events: Vec<EventRecord>,
    /// Every game once, in the order they were met.
    pub games: Vec<CollectedGame>,
    /// What was passed over, in plain words.
    pub warnings: Vec<String>,
    seen: HashSet<String>,
    pairs: HashMap<(Option<usize>, u64, String, String), u64>,
}

impl Collection {
    /// Reads files.
    ///
    /// # Errors
    ///
    /// If a file cannot be read, has a line inside that is no record, or was
    /// written in another version of the format.
    pub fn read<P: AsRef<Path>>(paths: &[P]) -> Result<Self> {
        let mut collection = Self::default();
        for path in paths {
            let path = path.as_ref();
            let bytes =
                std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
            collection.add_text(
                &String::from_utf8_lossy(&bytes),
                &path.display().to_string(),
            )?;
        }
        Ok(collection)
    }

    /// Adds the content of one results file; `name` is for messages.
    ///
    /// # Errors
    ///
    /// As [`Collection::read`].
    pub fn add_text(&mut self, text: &str, name: &str) -> Result<()> {
        let mut event = None;
        let last = text.lines().count();
        for (index, line) in text.lines().enumerate() {
            if line.trim().is_empty() {
                continue;
            }
            let number = index + 1;
            match serde_json::from_str(line) {
                Ok(Record::Event(found)) => event = Some(self.add_event(*found, name, number)?),
                Ok(Record::Game(game)) => self.add_game(event, *game),
                // A line that a kill cut short ends the file or stands before
                // the event line of the resume.
                Err(error) if error.is_eof() => self
                    .warnings
                    .push(format!("{name}:{number}: a torn line, passed over")),
                Err(error) if number == last && !text.ends_with('\n') => self.warnings.push(
                    format!("{name}:{number}: a torn line, passed over: {error}"),
                ),
                Err(error) => bail!("{name}:{number}: no record of a results file: {error}"),
            }
        }
        Ok(())
    }

    fn add_event(&mut self, event: EventRecord, name: &str, number: usize) -> Result<usize> {
        if event.version != FORMAT_VERSION {
            bail!(
                "{name}:{number}: written in version {} of the format, this program reads {FORMAT_VERSION}",
                event.version
            );
        }
        // A resume repeats the set-up at another time.
        let same = |other: &EventRecord| {
            other.config == event.config
                && other.engines == event.engines
                && other.game_count == event.game_count
        };
        if let Some(index) = self.events.iter().position(same) {
            return Ok(index);
        }
        self.events.push(event);
        Ok(self.events.len() - 1)
    }

    fn add_game(&mut self, event: Option<usize>, game: GameRecord) {
        // The whole record: the same game is the same to the millisecond.
        let Ok(key) = serde_json::to_string(&game) else {
            return;
        };
        if self.seen.insert(key) {
            self.games.push(CollectedGame { event, game });
        }
    }

    /// Adds a game that comes from elsewhere, such as a PSQ file.
    pub fn push(&mut self, game: GameRecord) {
        self.add_game(None, game);
    }

    /// Names of all engines: as the events name them, then as games do.
    #[must_use]
    pub fn engines(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        let listed = self.events.iter().flat_map(|event| &event.engines);
        let playing = self
            .games
            .iter()
            .flat_map(|entry| [&entry.game.black_name, &entry.game.white_name]);
        for name in listed.chain(playing) {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        names
    }

    /// A number for each game that it shares with the other game of its pair
    /// and with nobody else, whatever event it comes from.
    pub fn pair_numbers(&mut self) -> Vec<u64> {
        let mut numbers = Vec::with_capacity(self.games.len());
        for entry in &self.games {
            let (mut one, mut other) =
                (entry.game.black_name.clone(), entry.game.white_name.clone());
            if one > other {
                std::mem::swap(&mut one, &mut other);
            }
            let next = self.pairs.len() as u64;
            let key = (entry.event, entry.game.pair, one, other);
            numbers.push(*self.pairs.entry(key).or_insert(next));
        }
        numbers
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Outcome, Reason};

    fn game(number: u64, pair: u64) -> GameRecord {
        GameRecord {
            number,
            pair,
            rule: "freestyle".to_owned(),
            width: 15,
            height: 15,
            procedure: "free".to_owned(),
            opening_source: String::new(),
            black: 0,
            white: 1,
            black_name: "A".to_owned(),
            white_name: "B".to_owned(),
            moves: Vec::new(),
            outcome: Outcome::Draw,
            reason: Reason::FullBoard,
            detail: String::new(),
            last_lines: Vec::new(),
            overloaded: false,
            started_unix: 0,
            duration_ms: 0,
            peak_memory: [0; 2],
            worst_overstep_ms: [0; 2],
        }
    }

    fn event(started_unix: u64, seed: u64) -> EventRecord {
        EventRecord {
            version: FORMAT_VERSION,
            config: serde_json::json!({ "seed": seed }),
            engines: vec!["A".to_owned(), "B".to_owned()],
            game_count: 4,
            shard: None,
            started_unix,
        }
    }

    fn lines(records: &[Record]) -> String {
        records
            .iter()
            .map(|record| serde_json::to_string(record).unwrap() + "\n")
            .collect()
    }

    fn event_line(started: u64, seed: u64) -> Record {
        Record::Event(Box::new(event(started, seed)))
    }

    fn game_line(number: u64) -> Record {
        Record::Game(Box::new(game(number, number / 2)))
    }

    #[test]
    fn games_count_once_and_torn_lines_are_passed_over() {
        let first = lines(&[event_line(1, 7), game_line(0), game_line(1)]);
        let torn = &lines(&[game_line(2)])[..60];
        let rest = lines(&[event_line(9, 7), game_line(2), game_line(3)]);
        let file = format!("{first}{torn}\n{rest}");
        let mut collection = Collection::default();
        collection.add_text(&file, "a.jsonl").unwrap();
        collection.add_text(&first, "copy.jsonl").unwrap();
        let numbers: Vec<u64> = collection.games.iter().map(|g| g.game.number).collect();
        assert_eq!(numbers, [0, 1, 2, 3]);
        assert_eq!(collection.events.len(), 1);
        assert_eq!(collection.warnings, ["a.jsonl:4: a torn line, passed over"]);
        assert_eq!(collection.pair_numbers(), [0, 0, 1, 1]);
    }

    #[test]
    fn pairs_of_different_events_stay_apart() {
        let mut collection = Collection::default();
        let one = lines(&[event_line(1, 7), game_line(0)]);
        let mut later = game(1, 0);
        later.started_unix = 5;
        let other = lines(&[event_line(1, 8), Record::Game(Box::new(later))]);
        collection.add_text(&one, "a").unwrap();
        collection.add_text(&other, "b").unwrap();
        assert_eq!(collection.pair_numbers(), [0, 1]);
        assert_eq!(collection.engines(), ["A", "B"]);
    }

    #[test]
    fn other_versions_and_other_files_are_refused() {
        let mut newer = event(1, 7);
        newer.version += 1;
        let text = lines(&[Record::Event(Box::new(newer))]);
        let error = Collection::default().add_text(&text, "a").unwrap_err();
        assert!(error.to_string().starts_with("a:1: written in version"));
        let text = "{\"kind\":\"game\"}\n{\"kind\":\"game\"}\n";
        let error = Collection::default().add_text(text, "b").unwrap_err();
        assert!(error.to_string().starts_with("b:1: no record"), "{error}");
    }
}
