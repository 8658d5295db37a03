//! Runs the arena's own program on mock engines.

// Every test program uses a part of this.
#![allow(dead_code)]

use arena::record::{EventRecord, GameRecord, Record};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// The mock engine with options, as an engine of the command line.
pub fn mock(name: &str, options: &str) -> String {
    let program = env!("CARGO_BIN_EXE_mock_engine");
    format!("cmd='\"{program}\" {options}' name={name}")
}

/// A folder of its own, and runs of the arena in it.
pub struct Bench {
    pub folder: TempDir,
}

impl Bench {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { folder }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    /// The command with these words, blanks in a word kept; the error output
    /// goes to `errors.txt`, so that nobody has to read it while it runs.
    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
        command.args(words).current_dir(self.folder.path());
        command.stdin(Stdio::null());
        command
    }

    pub fn run(&self, words: &[&str]) -> Output {
        self.command(words).output().unwrap()
    }

    /// A run that must end well; gives what it printed.
    pub fn run_well(&self, words: &[&str]) -> String {
        let output = self.run(words);
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert!(output.status.success(), "{:?}\n{out}\n{err}", output.status);
        out
    }

    pub fn records(&self, name: &str) -> Vec<Record> {
        read_records(&self.path(name))
    }

    pub fn games(&self) -> Vec<GameRecord> {
        games_of(self.records("arena.jsonl"))
    }
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// All whole lines of a file; a torn one at its end is passed over.
pub fn read_records(path: &Path) -> Vec<Record> {
    let text = std::fs::read_to_string(path).unwrap();
    let whole = text.rfind('\n').map_or("", |at| &text[..at]);
    whole
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

pub fn games_of(records: Vec<Record>) -> Vec<GameRecord> {
    let mut games: Vec<GameRecord> = records
        .into_iter()
        .filter_map(|record| match record {
            Record::Game(game) => Some(*game),
            Record::Event(_) => None,
        })
        .collect();
    games.sort_by_key(|game| game.number);
    games
}

pub fn events_of(records: Vec<Record>) -> Vec<EventRecord> {
    records
        .into_iter()
        .filter_map(|record| match record {
            Record::Event(event) => Some(*event),
            Record::Game(_) => None,
        })
        .collect()
}

/// Command lines of all processes that hold this text.
#[cfg(target_os = "linux")]
pub fn processes_with(mark: &str) -> Vec<String> {
    let own = std::process::id().to_string();
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    entries
        .filter(|entry| entry.file_name().to_string_lossy() != own)
        .filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok())
        .map(|bytes| text(&bytes).replace('\0', " "))
        .filter(|line| line.contains(mark))
        .collect()
}

/// Waits for a condition, ten seconds at most.
pub fn wait_until(mut holds: impl FnMut() -> bool) -> bool {
    for _ in 0..1000 {
        if holds() {
            return true;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    holds()
}
