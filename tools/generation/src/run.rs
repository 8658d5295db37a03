//! A run: the steps one after another, those that are done passed over.

use crate::child::{Job, Programs};
use crate::report::{duration, report, summary};
use crate::results;
use crate::settings::Settings;
use crate::state::State;
use crate::steps::{Commands, Place, Step, plan};
use crate::table::row;
use anyhow::{Context, Result, bail, ensure};
use std::fs::{self, File, TryLockError};
use std::io::{BufRead as _, BufReader, ErrorKind, Write};
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// File in the work folder that is locked during a run.
const LOCK_NAME: &str = "run.lock";
const NAME_WIDTH: usize = 34;
const TIME_WIDTH: usize = 12;

/// A generation in its work folder.
#[derive(Debug)]
pub struct Run {
    state: State,
    place: Place,
    programs: Programs,
    /// Locked while this lives.
    _lock: File,
}

impl Run {
    /// Begins a generation in a folder, which is made, or goes on with it.
    ///
    /// # Errors
    ///
    /// If the folder cannot be used, another run is at work in it, or it was
    /// begun with other settings.
    pub fn open(
        settings: Settings,
        settings_text: String,
        folder: &Path,
        programs: Programs,
    ) -> Result<Self> {
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        let folder = std::path::absolute(folder)?;
        let lock = lock(&folder)?;
        let state = match State::load(&folder)? {
            Some(state) => {
                let changed = changes(&state.settings, &settings);
                ensure!(
                    changed.is_empty(),
                    "{} was begun with other settings ({}): take another folder",
                    folder.display(),
                    changed.join(", ")
                );
                state
            }
            None => State::new(settings, settings_text),
        };
        state.save(&folder)?;
        Ok(Self {
            state,
            place: Place::new(folder),
            programs,
            _lock: lock,
        })
    }

    /// Does all steps that are not done, and writes the report. Tells one line
    /// for each step.
    ///
    /// # Errors
    ///
    /// If a step fails, a file cannot be written, or `stop` is set.
    pub fn go(&mut self, stop: &AtomicBool, tell: &mut dyn Write) -> Result<()> {
        for step in plan(&self.state.settings) {
            let name = step.to_string();
            write!(tell, "{name:<NAME_WIDTH$}")?;
            tell.flush()?;
            let is_done = self.state.outcome(&name).is_some();
            if !is_done && let Err(error) = self.perform(step, stop) {
                writeln!(tell, "not done")?;
                return Err(error.context(name));
            }
            if let Some((seconds, outcome)) = self.done(&name) {
                let mark = if is_done { " (done before)" } else { "" };
                writeln!(tell, "{seconds:>TIME_WIDTH$}  {outcome}{mark}")?;
            }
        }
        let path = self.place.report();
        fs::write(&path, report(&self.state)).with_context(|| path.display().to_string())?;
        writeln!(tell, "{}\n{}", row(&self.state), path.display())?;
        Ok(())
    }

    /// Time and summary of a step that is done.
    fn done(&self, name: &str) -> Option<(String, String)> {
        let step = self.state.step(name)?;
        let outcome = step.outcome.as_ref()?;
        Some((duration(step.seconds), summary(outcome)))
    }

    fn perform(&mut self, step: Step, stop: &AtomicBool) -> Result<()> {
        let name = step.to_string();
        let spent = self.state.step(&name).map_or(0.0, |step| step.seconds);
        let commands = Commands {
            settings: &self.state.settings,
            place: &self.place,
            programs: &self.programs,
        };
        let (program, arguments) = commands.of(step, spent)?;
        if let Step::Gate(gate) = step {
            drop_torn_start(&self.place.results(gate))?;
        }
        let job = Job {
            program,
            arguments: &arguments,
            folder: self.place.folder(),
            log: &self.place.log(step),
        };
        let mut seconds = spent;
        self.programs.run(&job, stop, |elapsed| {
            seconds = spent + elapsed.as_secs_f64();
            self.state.note(&name, seconds, None);
            self.state.save(self.place.folder())
        })?;
        let outcome = results::read(step, &self.place)?;
        self.state.note(&name, seconds, Some(outcome));
        self.state.save(self.place.folder())
    }
}

/// Removes a results file that was torn in its first line: the arena goes on
/// with a file only if it tells what is played.
fn drop_torn_start(path: &Path) -> Result<()> {
    let name = || path.display().to_string();
    let file = match File::open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        file => file.with_context(name)?,
    };
    let mut line = Vec::new();
    let read = BufReader::new(file).read_until(b'\n', &mut line);
    read.with_context(name)?;
    if !line.ends_with(b"\n") {
        fs::remove_file(path).with_context(name)?;
    }
    Ok(())
}

fn lock(folder: &Path) -> Result<File> {
    let path = folder.join(LOCK_NAME);
    let file = File::create(&path).with_context(|| path.display().to_string())?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => {
            bail!("another run is at work in {}", folder.display())
        }
        // Some network file systems know no locks.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
    }
}

/// The parts of the settings that differ.
fn changes(old: &Settings, new: &Settings) -> Vec<&'static str> {
    let parts = [
        ("name", old.name != new.name),
        ("generation", old.generation != new.generation),
        ("threads", old.threads != new.threads),
        ("old", old.old != new.old),
        ("data", old.data != new.data),
        ("fit", old.fit != new.fit),
        ("net", old.net != new.net),
        ("gates", old.gates != new.gates),
    ];
    let changed = parts.into_iter().filter(|(_, differs)| *differs);
    changed.map(|(name, _)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_torn_first_line_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("gate.jsonl");
        drop_torn_start(&path).unwrap();
        for (text, stays) in [
            ("", false),
            ("{\"kind", false),
            ("{}\n", true),
            ("{}\n{", true),
        ] {
            fs::write(&path, text).unwrap();
            drop_torn_start(&path).unwrap();
            assert_eq!(path.exists(), stays, "{text}");
        }
    }

    #[test]
    fn changed_settings_are_told_by_their_part() {
        let text = "name = 'a'\n[data]\ngames = 1\n[gates]\nboards = []\n";
        let old = Settings::parse(text).unwrap();
        assert!(changes(&old, &old.clone()).is_empty());
        let mut new = old.clone();
        new.threads += 1;
        new.gates.seed += 1;
        assert_eq!(changes(&old, &new), ["threads", "gates"]);
    }
}
