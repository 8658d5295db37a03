//! The results file of a running event: every finished game is appended at
//! once, as one line, and reaches the disk before it is counted; games that
//! end while the disk is busy are written together. A line that was torn by a
//! kill is cut off when the event is resumed. The file is locked, so that no
//! two runs write into it.

use crate::config::EventConfig;
use crate::record::{EventRecord, FORMAT_VERSION, GameRecord, Record};
use crate::schedule::Shard;
use anyhow::{Context, Result, bail};
use std::collections::BTreeSet;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// How the line of an event begins.
const EVENT_START: &str = r#"{"kind":"event","#;

/// A results file open for writing.
#[derive(Debug)]
pub struct ResultsFile {
    file: File,
    path: PathBuf,
}

/// What a results file held when it was opened again.
#[derive(Clone, Debug)]
pub struct Progress {
    /// The event.
    pub config: EventConfig,
    /// The part of the event the file is for; the whole if it holds several parts.
    pub shard: Shard,
    /// The games played, each number once.
    pub games: Vec<GameRecord>,
    /// Whether a torn line was cut off.
    pub was_torn: bool,
}

impl ResultsFile {
    /// Begins a new file.
    ///
    /// # Errors
    ///
    /// If the file exists or cannot be written.
    pub fn create(path: &Path, event: EventRecord) -> Result<Self> {
        let mut options = OpenOptions::new();
        let file = options.append(true).create_new(true).open(path);
        let file = file.with_context(|| format!("cannot begin {}", path.display()))?;
        let mut results = Self::lock(file, path)?;
        results.append(&Record::Event(Box::new(event)))?;
        Ok(results)
    }

    /// Opens a file to go on with its event.
    ///
    /// # Errors
    ///
    /// If it cannot be read or written, is in use, holds a line that is no
    /// record, games of several events, or those of another version.
    pub fn resume(path: &Path) -> Result<(Self, Progress)> {
        let mut options = OpenOptions::new();
        let file = options.read(true).append(true).open(path);
        let file = file.with_context(|| format!("cannot open {}", path.display()))?;
        let mut results = Self::lock(file, path)?;
        let progress = results.read_progress();
        let progress = progress.with_context(|| format!("in {}", path.display()))?;
        Ok((results, progress))
    }

    fn lock(file: File, path: &Path) -> Result<Self> {
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                bail!("{} is being written by another run", path.display())
            }
            // Some network file systems know no locks.
            Err(TryLockError::Error(_)) => {}
        }
        let path = path.to_owned();
        Ok(Self { file, path })
    }

    /// Appends a record and waits until it is on the disk.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn append(&mut self, record: &Record) -> Result<()> {
        self.append_all(std::slice::from_ref(record))
    }

    /// Appends records, all in one write, and waits until they are on the disk.
    ///
    /// # Errors
    ///
    /// If they cannot be written.
    pub fn append_all(&mut self, records: &[Record]) -> Result<()> {
        let mut lines = Vec::new();
        for record in records {
            serde_json::to_writer(&mut lines, record)?;
            lines.push(b'\n');
        }
        let written = self
            .file
            .write_all(&lines)
            .and_then(|()| self.file.sync_data());
        written.with_context(|| format!("cannot write {}", self.path.display()))
    }

    fn read_progress(&mut self) -> Result<Progress> {
        let mut bytes = Vec::new();
        self.file.read_to_end(&mut bytes)?;
        let whole = bytes
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(0, |at| at + 1);
        let was_torn = whole < bytes.len();
        if was_torn {
            self.file.set_len(whole as u64)?;
            self.file.seek(SeekFrom::End(0))?;
        }
        bytes.truncate(whole);
        let text = String::from_utf8(bytes).context("not a text file")?;
        let mut reader = ProgressReader::default();
        for (index, line) in text.lines().enumerate() {
            reader
                .read_line(line)
                .with_context(|| format!("line {}", index + 1))?;
        }
        reader.finish(was_torn)
    }
}

/// Gathers the lines of a results file.
#[derive(Default)]
struct ProgressReader {
    config: Option<EventConfig>,
    shards: BTreeSet<[u64; 2]>,
    numbers: BTreeSet<u64>,
    games: Vec<GameRecord>,
}

impl ProgressReader {
    fn read_line(&mut self, line: &str) -> Result<()> {
        let record = serde_json::from_str(line).or_else(|error| {
            // Files that were joined although one ended in a torn line.
            let next = line.rfind(EVENT_START).filter(|&at| at > 0);
            next.map_or(Err(error), |at| serde_json::from_str(&line[at..]))
        });
        match record.context("no record")? {
            Record::Event(event) => {
                if event.version != FORMAT_VERSION {
                    bail!("format version {}, not {FORMAT_VERSION}", event.version);
                }
                let config: EventConfig = serde_json::from_value(event.config)
                    .context("a configuration this arena does not know")?;
                let whole = [Shard::WHOLE.index, Shard::WHOLE.count];
                self.shards.insert(event.shard.unwrap_or(whole));
                match &self.config {
                    Some(known) if *known != config => {
                        bail!("the file holds games of more than one event")
                    }
                    _ => self.config = Some(config),
                }
            }
            Record::Game(game) => {
                if self.config.is_none() {
                    bail!("a game before its event");
                }
                if self.numbers.insert(game.number) {
                    self.games.push(*game);
                }
            }
        }
        Ok(())
    }

    fn finish(self, was_torn: bool) -> Result<Progress> {
        let config = self.config.context("no event in it")?;
        if config.arena != crate::VERSION {
            bail!(
                "begun by arena {}, this is {}: results of both must not be mixed",
                config.arena,
                crate::VERSION
            );
        }
        let shard = match self.shards.first() {
            Some(&[index, count]) if self.shards.len() == 1 => Shard { index, count },
            _ => Shard::WHOLE,
        };
        Ok(Progress {
            config,
            shard,
            games: self.games,
            was_torn,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::EventKind;
    use crate::config::tests::event;
    use crate::record::{Outcome, Reason};

    fn event_record(config: &EventConfig, shard: Option<[u64; 2]>) -> EventRecord {
        EventRecord {
            version: FORMAT_VERSION,
            config: serde_json::to_value(config).unwrap(),
            engines: vec!["a".to_owned(), "b".to_owned()],
            game_count: 20,
            shard,
            started_unix: 1,
        }
    }

    fn own_event() -> EventConfig {
        let mut config = event(EventKind::Match, &["a", "b"]);
        config.arena = crate::VERSION.to_owned();
        config
    }

    fn game(number: u64) -> Record {
        Record::Game(Box::new(GameRecord {
            number,
            pair: number / 2,
            rule: "renju".to_owned(),
            width: 15,
            height: 15,
            procedure: "free".to_owned(),
            opening_source: String::new(),
            black: 0,
            white: 1,
            black_name: "a".to_owned(),
            white_name: "b".to_owned(),
            moves: Vec::new(),
            outcome: Outcome::Black,
            reason: Reason::Five,
            detail: "line\nbreak".to_owned(),
            last_lines: Vec::new(),
            overloaded: false,
            started_unix: 0,
            duration_ms: 0,
            peak_memory: [0; 2],
            worst_overstep_ms: [0; 2],
        }))
    }

    fn numbers(progress: &Progress) -> Vec<u64> {
        progress.games.iter().map(|game| game.number).collect()
    }

    #[test]
    fn a_torn_line_is_cut_and_the_rest_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.jsonl");
        let config = own_event();
        let mut file = ResultsFile::create(&path, event_record(&config, None)).unwrap();
        for number in [0, 2, 1, 2] {
            file.append(&game(number)).unwrap();
        }
        drop(file);
        let whole = std::fs::read(&path).unwrap();
        let lines = whole.iter().filter(|&&byte| byte == b'\n').count();
        assert_eq!(lines, 5);
        for cut in [1, 2, 30] {
            std::fs::write(&path, &whole[..whole.len() - cut]).unwrap();
            let (mut file, progress) = ResultsFile::resume(&path).unwrap();
            assert!(progress.was_torn);
            assert_eq!(numbers(&progress), [0, 2, 1]);
            assert_eq!(progress.config, config);
            file.append(&game(7)).unwrap();
            drop(file);
            let (_, progress) = ResultsFile::resume(&path).unwrap();
            assert!(!progress.was_torn);
            assert_eq!(numbers(&progress), [0, 2, 1, 7]);
        }
    }

    #[test]
    fn other_events_and_versions_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.jsonl");
        let refused = |events: &[EventRecord], word: &str| {
            let _ = std::fs::remove_file(&path);
            let mut file = ResultsFile::create(&path, events[0].clone()).unwrap();
            for event in &events[1..] {
                file.append(&Record::Event(Box::new(event.clone())))
                    .unwrap();
            }
            drop(file);
            let error = format!("{:#}", ResultsFile::resume(&path).unwrap_err());
            assert!(error.contains(word), "{error}");
        };
        let config = own_event();
        let mut other = config.clone();
        other.seed = 2;
        refused(
            &[event_record(&config, None), event_record(&other, None)],
            "more than one event",
        );
        let mut old = config.clone();
        old.arena = "0.0.1".to_owned();
        refused(&[event_record(&old, None)], "begun by arena 0.0.1");
        let mut future = event_record(&config, None);
        future.version += 1;
        refused(&[future], "format version");
        assert!(ResultsFile::create(&path, event_record(&config, None)).is_err());
    }

    #[test]
    fn joined_files_survive_a_torn_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.jsonl");
        let part = |index| event_record(&own_event(), Some([index, 2]));
        let mut file = ResultsFile::create(&path, part(1)).unwrap();
        file.append(&game(0)).unwrap();
        file.append(&game(1)).unwrap();
        drop(file);
        let mut joined = std::fs::read(&path).unwrap();
        joined.truncate(joined.len() - 30);
        let second = serde_json::to_string(&Record::Event(Box::new(part(2)))).unwrap();
        joined.extend_from_slice(second.as_bytes());
        joined.push(b'\n');
        std::fs::write(&path, joined).unwrap();
        let (_, progress) = ResultsFile::resume(&path).unwrap();
        assert_eq!(numbers(&progress), [0]);
        assert_eq!(progress.shard, Shard::WHOLE);
        std::fs::write(&path, "{}\n").unwrap();
        assert!(ResultsFile::resume(&path).is_err());
    }

    #[test]
    fn shards_are_known_and_merged() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.jsonl");
        let config = own_event();
        let part = |index| event_record(&config, Some([index, 3]));
        let mut file = ResultsFile::create(&path, part(2)).unwrap();
        file.append(&Record::Event(Box::new(part(2)))).unwrap();
        drop(file);
        let (mut file, progress) = ResultsFile::resume(&path).unwrap();
        assert_eq!(progress.shard, Shard { index: 2, count: 3 });
        file.append(&Record::Event(Box::new(part(1)))).unwrap();
        drop(file);
        let (file, progress) = ResultsFile::resume(&path).unwrap();
        assert_eq!(progress.shard, Shard::WHOLE);
        let error = ResultsFile::resume(&path).unwrap_err().to_string();
        assert!(error.contains("another run"), "{error}");
        drop(file);
    }
}
