//! What has been done, in a small file of the work folder. It is written
//! beside its place and put there in one step, so a kill leaves the old one or
//! the new one.

use crate::results::Outcome;
use crate::settings::Settings;
use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{ErrorKind, Write as _};
use std::path::Path;

/// Name of the file in the work folder.
pub const FILE_NAME: &str = "state.json";
const VERSION: u32 = 1;

/// The settings and the steps that were begun.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    version: u32,
    /// What is wanted.
    pub settings: Settings,
    /// The settings file as it was written.
    pub settings_text: String,
    /// Steps in the order they were begun.
    steps: Vec<StepState>,
}

/// A step that was begun.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepState {
    /// Its name.
    pub name: String,
    /// Seconds it took so far, in all runs.
    pub seconds: f64,
    /// What came out; nothing while it is not done.
    pub outcome: Option<Outcome>,
}

impl State {
    /// Nothing is done.
    #[must_use]
    pub const fn new(settings: Settings, settings_text: String) -> Self {
        Self {
            version: VERSION,
            settings,
            settings_text,
            steps: Vec::new(),
        }
    }

    /// Reads the state of a work folder; `None` if there is none.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is torn, or of another version.
    pub fn load(folder: &Path) -> Result<Option<Self>> {
        let path = folder.join(FILE_NAME);
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            text => text.with_context(|| path.display().to_string())?,
        };
        let state: Self = serde_json::from_str(&text).with_context(|| {
            format!(
                "{} is torn or no state of this version; without it everything is done again",
                path.display()
            )
        })?;
        ensure!(
            state.version == VERSION,
            "{} is of version {}, not {VERSION}",
            path.display(),
            state.version
        );
        Ok(Some(state))
    }

    /// Writes the state into a work folder.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn save(&self, folder: &Path) -> Result<()> {
        let path = folder.join(FILE_NAME);
        let beside = folder.join(format!("{FILE_NAME}.new"));
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        let write = || {
            let mut file = File::create(&beside)?;
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            fs::rename(&beside, &path)
        };
        write().with_context(|| path.display().to_string())
    }

    /// A step that was begun.
    #[must_use]
    pub fn step(&self, name: &str) -> Option<&StepState> {
        self.steps.iter().find(|step| step.name == name)
    }

    /// What came out of a step that is done.
    #[must_use]
    pub fn outcome(&self, name: &str) -> Option<&Outcome> {
        self.step(name)?.outcome.as_ref()
    }

    /// Steps in the order they were begun.
    #[must_use]
    pub fn steps(&self) -> &[StepState] {
        &self.steps
    }

    /// Seconds of all steps together.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        // The sum of nothing would be -0.
        self.steps.iter().fold(0.0, |sum, step| sum + step.seconds)
    }

    /// Notes how long a step took so far, and what came out if it is done.
    pub fn note(&mut self, name: &str, seconds: f64, outcome: Option<Outcome>) {
        let index = self.steps.iter().position(|step| step.name == name);
        let step = StepState {
            name: name.to_owned(),
            seconds,
            outcome,
        };
        match index {
            Some(index) => self.steps[index] = step,
            None => self.steps.push(step),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state() -> State {
        let text = "name = 'a'\n[data]\ngames = 1\n[gates]\nboards = []\n";
        State::new(Settings::parse(text).unwrap(), text.to_owned())
    }

    #[test]
    fn what_was_done_is_known_again() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(State::load(folder.path()).unwrap(), None);
        let mut state = state();
        state.note("data", 1.5, None);
        state.note("openings", 2.0, Some(Outcome::Openings { count: 7 }));
        state.note("data", 3.25, None);
        state.save(folder.path()).unwrap();
        state.save(folder.path()).unwrap();
        let again = State::load(folder.path()).unwrap().unwrap();
        assert_eq!(again, state);
        assert_eq!(again.steps().len(), 2);
        assert_eq!(again.step("data").unwrap().seconds, 3.25);
        assert_eq!(again.outcome("data"), None);
        let outcome = again.outcome("openings");
        assert_eq!(outcome, Some(&Outcome::Openings { count: 7 }));
        let names: Vec<_> = fs::read_dir(folder.path()).unwrap().collect();
        assert_eq!(names.len(), 1);
    }

    #[test]
    fn a_torn_state_is_told() {
        let folder = tempfile::tempdir().unwrap();
        state().save(folder.path()).unwrap();
        let path = folder.path().join(FILE_NAME);
        let whole = fs::read_to_string(&path).unwrap();
        for length in [0, 1, whole.len() / 2, whole.trim_end().len() - 1] {
            fs::write(&path, &whole[..length]).unwrap();
            let error = format!("{:#}", State::load(folder.path()).unwrap_err());
            assert!(error.contains("state.json is torn"), "{error}");
        }
        let other = whole.replace("\"version\": 1", "\"version\": 2");
        fs::write(&path, other).unwrap();
        let error = format!("{:#}", State::load(folder.path()).unwrap_err());
        assert!(error.contains("of version 2"), "{error}");
    }
}
