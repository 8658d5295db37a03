//! The program itself: a run that is killed and gone on with leaves the same
//! file as one that was not, and the reading commands read it.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(120);

fn datagen(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_datagen"));
    command.args(arguments).stdin(Stdio::null());
    command
}

fn play(path: &Path, seed: &str) -> Command {
    let path = path.to_str().expect("the path is text");
    let plan = [
        "--rules",
        "freestyle,renju",
        "--sizes",
        "7,9",
        "--nodes",
        "60",
    ];
    let mut command = datagen(&["play", "--seed", seed, "-o", path, "--hash", "1"]);
    command.args(plan).stderr(Stdio::null());
    command
}

fn output(command: &mut Command) -> Output {
    command.output().expect("the program runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the output is text")
}

#[test]
fn a_killed_run_is_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let [killed, whole] = ["killed", "whole"].map(|name| folder.path().join(name));
    let mut child = play(&killed, "5").args(["-t", "2"]).spawn().unwrap();
    let started = Instant::now();
    while fs::metadata(&killed).map_or(0, |data| data.len()) < 500 {
        assert!(started.elapsed() < PATIENCE, "no games come");
        thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let games = fs::read(&killed).unwrap().len() / 50;
    let games = games.to_string();
    for path in [&killed, &whole] {
        let done = output(play(path, "5").args(["--games", &games]));
        assert!(done.status.success());
    }
    assert_eq!(fs::read(&killed).unwrap(), fs::read(&whole).unwrap());
}

#[test]
fn files_are_read_and_guarded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let name = path.to_str().unwrap();
    assert!(
        output(play(&path, "5").args(["--games", "3"]))
            .status
            .success()
    );
    let before = fs::read(&path).unwrap();

    let stats = output(&mut datagen(&["stats", "--verify", name]));
    assert!(stats.status.success());
    let total = text(&stats.stdout);
    let row = total.lines().find(|line| line.starts_with("all"));
    let games = row.and_then(|row| row.split_whitespace().nth(2));
    assert_eq!(games, Some("3"), "{total}");

    let shown = output(&mut datagen(&["show", name, "3"]));
    assert!(shown.status.success());
    assert!(text(&shown.stdout).contains("  1 "));

    for bad in [vec!["show", name, "4"], vec!["stats", "no such file"]] {
        let failed = output(&mut datagen(&bad));
        assert_eq!(failed.status.code(), Some(2), "{bad:?}");
        assert!(text(&failed.stderr).starts_with("datagen: "));
    }
    let other = output(play(&path, "6").args(["--games", "9"]));
    assert_eq!(other.status.code(), Some(2), "another seed is refused");
    assert_eq!(fs::read(&path).unwrap(), before);
}

/// A four-three at h8; and a lone stone, which wins nothing.
#[test]
fn a_position_is_looked_at_for_wins() {
    let look = |moves| {
        output(&mut datagen(&[
            "puzzles", "--rule", "standard", "--moves", moves,
        ]))
    };
    let moves = "e8d8f8a1g8o1h9a15h10o15";
    let found = text(&look(moves).stdout);
    let fields: Vec<&str> = found.trim_end().split('\t').collect();
    assert_eq!(fields[..5], ["standard", "15x15", "vcf", "5", moves]);
    assert!(fields[5].contains("h8"), "{found}");
    assert_eq!(fields[6..], ["-"]);
    let nothing = look("h8");
    assert_eq!(text(&nothing.stdout), "");
    assert!(text(&nothing.stderr).contains("no win is found"));
}

/// Other tables play other games; a file that holds none plays nothing.
#[test]
fn tables_can_be_chosen() {
    let folder = tempfile::tempdir().unwrap();
    let games = |name: &str, options: &[&str]| {
        let path = folder.path().join(name);
        let mut command = play(&path, "5");
        let done = output(command.args(["--games", "4"]).args(options));
        done.status.success().then(|| fs::read(&path).unwrap())
    };
    let built_in = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../src/eval/classical.weights"
    );
    let usual = games("usual", &["--eval", "classical"]).unwrap();
    let named = games("named", &["--eval", "classical", "--tables", built_in]);
    assert_eq!(named.as_ref(), Some(&usual));
    let by_hand = games("hand", &["--tables", "hand"]).unwrap();
    assert_ne!(by_hand, usual);
    let text = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
    assert_eq!(games("none", &["--tables", text]), None);
    assert_eq!(games("none", &["--weights", text]), None);
    assert!(!folder.path().join("none").exists());
}
