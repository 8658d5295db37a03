//! The programs that do the work: where they are, and one run of one of them
//! with all it says in a log file.

use crate::keeper;
use crate::log_text::{BEGIN, last_run};
use anyhow::{Context, Result, bail, ensure};
use std::env::consts::EXE_SUFFIX;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

const PAUSE: Duration = Duration::from_millis(20);
/// Between two notes of the time spent.
const NOTE_INTERVAL: Duration = Duration::from_secs(5);
/// Lines shown of a program that failed.
const LAST_LINES: usize = 8;
/// File in the work folder that is locked while a program runs.
const LOCK_NAME: &str = "child.lock";

/// A program of the workspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// The engine.
    Engine,
    /// Plays games to learn from.
    Datagen,
    /// Fits tables and trains nets.
    Trainer,
    /// Plays matches.
    Arena,
}

impl Program {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Engine, Self::Datagen, Self::Trainer, Self::Arena];

    /// Its file without what the system adds to programs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Engine => "pbrain-yonsan",
            Self::Datagen => "datagen",
            Self::Trainer => "trainer",
            Self::Arena => "arena",
        }
    }
}

/// Where the programs are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Programs {
    folder: PathBuf,
    /// Runs as a [`keeper`].
    own: PathBuf,
}

impl Programs {
    /// The programs beside a program that knows the word of [`keeper`].
    ///
    /// # Errors
    ///
    /// If one is missing; tells how to build it.
    pub fn beside(own: &Path) -> Result<Self> {
        let folder = own.parent().context("the program is in no folder")?;
        let programs = Self {
            folder: folder.to_owned(),
            own: own.to_owned(),
        };
        for program in Program::ALL {
            let path = programs.path(program);
            let profile = match folder.file_name().and_then(|name| name.to_str()) {
                Some("debug") => "",
                _ => " --release",
            };
            ensure!(
                path.is_file(),
                "{} is missing; this builds it:\n  \
                 cargo build{profile} -p yonsan -p datagen -p trainer -p arena -p generation",
                path.display()
            );
        }
        Ok(programs)
    }

    /// The file of a program.
    #[must_use]
    pub fn path(&self, program: Program) -> PathBuf {
        self.folder.join(format!("{}{EXE_SUFFIX}", program.name()))
    }

    /// Runs a program to its end. All it says is added to the log; `note` is
    /// called now and then with the time since the start. Once `stop` is set
    /// the program is killed.
    ///
    /// # Errors
    ///
    /// If the program cannot be started or fails, the log cannot be written,
    /// `note` fails, or the run is stopped.
    pub fn run(
        &self,
        job: &Job<'_>,
        stop: &AtomicBool,
        mut note: impl FnMut(Duration) -> Result<()>,
    ) -> Result<()> {
        let name = job.program.name();
        let log_name = || job.log.display().to_string();
        let log = begin_log(job).with_context(log_name)?;
        let mut command = Command::new(&self.own);
        command.arg(keeper::WORD).arg(job.folder.join(LOCK_NAME));
        command.arg(self.path(job.program)).args(job.arguments);
        command.stdin(Stdio::piped()).current_dir(job.folder);
        command.stdout(log.try_clone()?).stderr(log);
        let started = Instant::now();
        let mut child = command.spawn().context(name)?;
        let status = watch(&mut child, stop, || note(started.elapsed()))?;
        note(started.elapsed())?;
        if stop.load(Ordering::Relaxed) {
            bail!("interrupted; the same command goes on from here");
        }
        ensure!(
            status.success(),
            "{name} has failed ({status}); the end of {}:\n{}",
            job.log.display(),
            last_lines(&fs::read(job.log).with_context(log_name)?)
        );
        Ok(())
    }
}

/// Opens a log and writes the command line into it, on a line of its own even
/// if a kill has torn the last one.
fn begin_log(job: &Job<'_>) -> io::Result<File> {
    let mut log = OpenOptions::new().create(true).append(true).open(job.log)?;
    let end = if log.metadata()?.len() > 0 { "\n" } else { "" };
    let (name, arguments) = (job.program.name(), job.arguments.join(" "));
    log.write_all(format!("{end}{BEGIN}{name} {arguments}\n").as_bytes())?;
    Ok(log)
}

/// Waits for the end of a keeper, which comes soon once `stop` is set or `note`
/// has failed: without its pipe it ends the program.
fn watch(
    keeper: &mut Child,
    stop: &AtomicBool,
    mut note: impl FnMut() -> Result<()>,
) -> Result<ExitStatus> {
    let mut noted = Instant::now();
    loop {
        if let Some(status) = keeper.try_wait()? {
            return Ok(status);
        }
        let mut noting = Ok(());
        if noted.elapsed() >= NOTE_INTERVAL {
            noted = Instant::now();
            noting = note();
        }
        if noting.is_err() || stop.load(Ordering::Relaxed) {
            // This closes the pipe.
            let status = keeper.wait()?;
            return noting.map(|()| status);
        }
        thread::sleep(PAUSE);
    }
}

/// One run of a program.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// The program.
    pub program: Program,
    /// Its arguments.
    pub arguments: &'a [String],
    /// Where it runs.
    pub folder: &'a Path,
    /// What it says is added to this file.
    pub log: &'a Path,
}

fn last_lines(log: &[u8]) -> String {
    let text = String::from_utf8_lossy(log);
    let lines: Vec<&str> = last_run(&text).lines().collect();
    let first = lines.len().saturating_sub(LAST_LINES);
    let indented = lines[first..].iter().map(|line| format!("  {line}"));
    indented.collect::<Vec<_>>().join("\n")
}

/// A word as the arena reads it in command lines, whatever is in it.
#[must_use]
pub fn quoted(word: &str) -> String {
    let mut text = String::from("\"");
    for character in word.chars() {
        if matches!(character, '"' | '\\') {
            text.push('\\');
        }
        text.push(character);
    }
    text.push('"');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_words_come_through_twice() {
        let words = [
            "/a b/c",
            r"C:\x y\z.exe",
            "it's",
            r#"say "so""#,
            r"end\",
            "",
        ];
        for word in words {
            let line = format!("{} --x", quoted(word));
            assert_eq!(arena::process::split_words(&line).unwrap(), [word, "--x"]);
            let engine = format!("cmd={} name=a", quoted(&line));
            let outer = arena::process::split_words(&engine).unwrap();
            assert_eq!(outer, [format!("cmd={line}").as_str(), "name=a"]);
        }
    }

    #[test]
    fn a_missing_program_is_told_with_the_command_that_makes_it() {
        let folder = tempfile::tempdir().unwrap();
        let own = folder.path().join("generation");
        for program in ["pbrain-yonsan", "datagen", "arena"] {
            fs::write(folder.path().join(format!("{program}{EXE_SUFFIX}")), "").unwrap();
        }
        let error = Programs::beside(&own).unwrap_err().to_string();
        assert!(error.contains("trainer"), "{error}");
        assert!(error.contains("cargo build --release -p yonsan"), "{error}");
    }

    #[test]
    fn the_end_of_the_last_run_is_shown() {
        let mut log = format!("{BEGIN}first\nold\n{BEGIN}second\n");
        for number in 0..20 {
            log += &format!("line {number}\n");
        }
        let shown = last_lines(log.as_bytes());
        assert_eq!(shown.lines().count(), LAST_LINES);
        assert!(shown.ends_with("  line 19"), "{shown}");
        let short = last_lines(format!("{BEGIN}first\nold\n{BEGIN}second\nnew\n").as_bytes());
        assert_eq!(short, "  $ second\n  new");
    }
}
