//! The program itself with a tiny budget: through all steps, killed on the way
//! and called again.

use generation::state::State;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::Once;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

const PATIENCE: Duration = Duration::from_secs(120);

const TINY: &str = "
name = 'tiny'
threads = 2
[old]
tables = 'hand'
weights = 'none'
[data]
rules = 'freestyle'
sizes = '9'
nodes = 100
balance = 10000
hash = 1
games = 60
seed = 2
[fit]
epochs = 1
[net]
epochs = 1
[gates]
boards = ['freestyle 9']
players = ['tables', 'net']
nodes = { games = 4, nodes = 200 }
time = { games = 2, seconds = 0.01 }
opening-nodes = 100
opening-balance = 10000
";

/// The steps of these settings.
const STEPS: [&str; 8] = [
    "data",
    "fit",
    "net",
    "openings freestyle 9",
    "gate tables freestyle 9 nodes",
    "gate net freestyle 9 nodes",
    "gate tables freestyle 9 time",
    "gate net freestyle 9 time",
];

/// Builds the programs that work for this one, if they are not all beside it:
/// cargo builds only the programs of a test's own package for it.
fn build_programs() {
    static BUILD: Once = Once::new();
    BUILD.call_once(|| {
        let folder = Path::new(env!("CARGO_BIN_EXE_generation"))
            .parent()
            .unwrap();
        let is_there = |name: &&str| {
            let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
            folder.join(file).is_file()
        };
        let names = ["pbrain-yonsan", "datagen", "trainer", "arena"];
        if names.iter().all(is_there) {
            return;
        }
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
        command.current_dir(root).arg("build").arg("--bins");
        for package in ["yonsan", "datagen", "trainer", "arena"] {
            command.args(["-p", package]);
        }
        let profile = match folder.file_name().unwrap().to_str().unwrap() {
            "debug" => "dev",
            name => name,
        };
        command.args(["--profile", profile, "--target-dir"]);
        command.arg(folder.parent().unwrap());
        assert!(command.status().unwrap().success());
        assert!(names.iter().all(is_there));
    });
}

fn generation(words: &[&str]) -> Command {
    build_programs();
    let mut command = Command::new(env!("CARGO_BIN_EXE_generation"));
    command.args(words).stdin(Stdio::null());
    command
}

/// A settings file and a work folder.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new(settings: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("settings.toml"), settings).unwrap();
        Self { folder }
    }

    /// A blank in the path must not matter.
    fn work(&self) -> PathBuf {
        self.folder.path().join("a work folder")
    }

    fn command(&self) -> Command {
        let settings = self.folder.path().join("settings.toml");
        let mut command = generation(&["run"]);
        command.arg(settings).arg("--work-dir").arg(self.work());
        command
    }

    fn run(&self) -> Output {
        self.command().output().unwrap()
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.work().join(name)).unwrap()
    }

    /// When each file was last written, but for locks and the report.
    fn times(&self) -> Vec<(PathBuf, SystemTime)> {
        let entries = fs::read_dir(self.work()).unwrap().map(Result::unwrap);
        let mut times: Vec<_> = entries
            .map(|entry| (entry.path(), entry.metadata().unwrap().modified().unwrap()))
            .filter(|(path, _)| {
                let ending = path.extension().unwrap();
                ending != "lock" && ending != "md" && !path.ends_with("state.json")
            })
            .collect();
        times.sort();
        times
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn wait_for(what: &str, mut holds: impl FnMut() -> bool) {
    let started = Instant::now();
    while !holds() {
        assert!(started.elapsed() < PATIENCE, "{what} does not come");
        thread::sleep(Duration::from_millis(5));
    }
}

fn kill(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

/// The step that a line of the progress is about.
fn step_of(line: &str) -> &str {
    line[..34].trim_end()
}

/// Killed among the games, gone on with, and called once more.
#[test]
fn a_generation_is_made_once() {
    let place = Place::new(TINY);
    let child = place.command().stdout(Stdio::null()).spawn().unwrap();
    let games = place.work().join("games.ygd");
    let size = || fs::metadata(&games).map_or(0, |data| data.len());
    wait_for("a game", || size() > 600);
    kill(child);
    let killed = State::load(&place.work()).unwrap().unwrap();
    assert_eq!(killed.outcome("data"), None);

    let whole = place.run();
    let (out, err) = (text(&whole.stdout), text(&whole.stderr));
    assert!(whole.status.success(), "{out}\n{err}");
    let said: Vec<&str> = out.lines().take(STEPS.len()).map(step_of).collect();
    assert_eq!(said, STEPS, "{out}");
    assert!(out.contains("60 games, "), "{out}");
    assert!(!out.contains("done before"), "{out}");
    let log = place.read("data.log");
    assert!(log.contains(" games, "), "{log}");
    assert!(
        log.contains(" are there"),
        "the games are gone on with: {log}"
    );
    let report = place.read("report.md");
    assert!(report.contains("| freestyle | 60 | "), "{report}");
    assert!(
        report.contains("| net | freestyle 9 | 200 nodes | 4 | "),
        "{report}"
    );
    assert!(
        report.contains("| net | freestyle 9 | 0.01 s | 2 | "),
        "{report}"
    );
    let state = place.read("state.json");
    let times = place.times();
    assert!(times.len() >= 2 * STEPS.len(), "{times:?}");

    let again = place.run();
    let out = text(&again.stdout);
    assert!(again.status.success(), "{out}");
    assert_eq!(out.matches("(done before)").count(), STEPS.len(), "{out}");
    assert_eq!(place.read("report.md"), report);
    assert_eq!(place.read("state.json"), state);
    assert_eq!(place.times(), times);

    let folder = place.work();
    let shown = generation(&["table", folder.to_str().unwrap()])
        .output()
        .unwrap();
    let table = text(&shown.stdout);
    assert!(table.starts_with("| Name | "), "{table}");
    assert!(table.contains("\n| tiny | 0 | 100 | 60 | "), "{table}");
    assert!(report.contains(&table), "{table}\n{report}");

    fs::write(
        place.folder.path().join("settings.toml"),
        TINY.replace("games = 60", "games = 61"),
    )
    .unwrap();
    let other = place.run();
    assert!(!other.status.success());
    assert!(text(&other.stderr).contains("other settings (data)"));
    assert_eq!(place.read("state.json"), state);
}

/// Its last words are told.
#[test]
fn a_program_that_fails_stops_the_run() {
    let place = Place::new(&TINY.replace("'freestyle'", "'chess'"));
    let failed = place.run();
    assert_eq!(failed.status.code(), Some(1));
    let error = text(&failed.stderr);
    assert!(
        error.contains("generation: data: datagen has failed"),
        "{error}"
    );
    assert!(error.contains("chess"), "{error}");
    assert!(error.contains("data.log"), "{error}");
    assert_eq!(
        State::load(&place.work()).unwrap().unwrap().outcome("data"),
        None
    );
}

/// Two runs in one folder would spoil each other's games.
#[test]
fn one_run_at_a_time() {
    let place = Place::new(&TINY.replace("games = 60", "games = 100000"));
    let first = place.command().stdout(Stdio::null()).spawn().unwrap();
    wait_for("a game", || place.work().join("games.ygd").exists());
    let second = place.run();
    kill(first);
    assert!(!second.status.success());
    let error = text(&second.stderr);
    assert!(error.contains("another run is at work"), "{error}");
    // What the killed run had started ends by itself.
    wait_for("the end of datagen", || {
        let lock = fs::File::create(place.work().join("child.lock")).unwrap();
        lock.try_lock().is_ok()
    });
}

/// Ctrl-C, or the end of a batch job: the program at work ends, too, and what
/// it has done stays.
#[cfg(unix)]
#[test]
fn an_interrupt_ends_all_and_loses_nothing() {
    let place = Place::new(&TINY.replace("games = 60", "games = 100000"));
    let mut command = place.command();
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    let games = place.work().join("games.ygd");
    let size = || fs::metadata(&games).map_or(0, |data| data.len());
    wait_for("a game", || size() > 600);
    let id = child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &id]).status().unwrap();
    assert!(sent.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let error = text(&output.stderr);
    assert!(error.contains("interrupted"), "{error}");
    // The lock is free: nobody is at work any more.
    let lock = fs::File::create(place.work().join("child.lock")).unwrap();
    assert!(lock.try_lock().is_ok());
    assert!(size() > 600);
    let state = State::load(&place.work()).unwrap().unwrap();
    assert!(state.step("data").unwrap().seconds > 0.0);
    assert_eq!(state.outcome("data"), None);
}

#[test]
fn bad_words_are_told() {
    let place = Place::new("name = 'x'\nspeed = 3\n");
    let error = text(&place.run().stderr);
    assert!(
        error.contains("settings.toml") && error.contains("speed"),
        "{error}"
    );
    assert!(!place.work().exists());
    let empty = place.folder.path().to_str().unwrap();
    let table = generation(&["table", empty]).output().unwrap();
    assert!(!table.status.success());
    assert!(text(&table.stderr).contains("no folder has a state"));
}
