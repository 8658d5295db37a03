//! The command from games to a net, as a user runs it.

mod common;

use common::{Place, number_behind, write_games};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use yonsan::eval::nnue::{NetFile, RuleSide};
use yonsan::rules::Rule;

fn trainer(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_trainer"))
        .arg("nnue")
        .args(arguments)
        .output()
        .unwrap()
}

fn net(path: &Path) -> NetFile {
    NetFile::new(fs::read(path).unwrap()).unwrap()
}

#[test]
fn games_become_a_net_that_loads() {
    let place = Place::new();
    write_games(&place.path("games"), &[Rule::Freestyle, Rule::Renju], 60);
    let (games, output, page) = (place.text("games"), place.text("net"), place.text("page"));
    let run = trainer(&[
        &games,
        "-o",
        &output,
        "--page",
        &page,
        "--epochs",
        "12",
        "--batch",
        "128",
        "--rate",
        "0.01",
        "--frequent",
        "10",
        "--description",
        "games of a test",
    ]);
    assert!(run.status.success(), "{run:?}");
    let report = String::from_utf8(run.stderr).unwrap();
    // Uniform guesses cost ln 3; the classical order of moves made the games.
    assert!(number_behind(&report, ": values ") < 0.9, "{report}");
    assert!(
        number_behind(&report, "integers change points by") < 1.0,
        "{report}"
    );
    let net = net(&place.path("net"));
    assert!(net.description().starts_with("games of a test"));
    let sides = RuleSide::ALL.map(|side| net.side(side).unwrap());
    let rows = |side: RuleSide| &sides[side.index()].table;
    assert!(!rows(RuleSide::Freestyle).residual.is_empty());
    assert_ne!(rows(RuleSide::RenjuBlack), rows(RuleSide::RenjuWhite));
    // Of standard there were no games, so it has only what all rules share.
    assert!(rows(RuleSide::Standard).residual.is_empty());
    assert!(
        rows(RuleSide::Standard)
            .narrow
            .iter()
            .flatten()
            .any(|&n| n != 0)
    );
    let page = fs::read_to_string(place.path("page")).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("<svg"));
    assert!(!page.contains("http:") && !page.contains("https:"));
}

#[test]
fn a_stopped_run_goes_on() {
    let place = Place::new();
    write_games(&place.path("games"), &[Rule::Standard], 30);
    let games = place.text("games");
    let run = |output: &str, more: &[&str]| {
        let output = place.text(output);
        let common = [games.as_str(), "-o", &output, "--epochs", "3"];
        let run = trainer(&[&common, more].concat());
        assert!(run.status.success(), "{run:?}");
        String::from_utf8(run.stderr).unwrap()
    };
    let state = place.text("state");
    run("whole", &[]);
    run("first", &["--checkpoint", &state]);
    let report = run("again", &["--checkpoint", &state]);
    assert!(report.contains("goes on after step 3"), "{report}");
    let bytes = |name: &str| fs::read(place.path(name)).unwrap();
    assert_eq!(bytes("whole"), bytes("first"));
    assert_eq!(bytes("whole"), bytes("again"));
}

/// A net corrects the tables it is trained with: others give another net.
#[test]
fn the_tables_below_the_net_can_be_chosen() {
    let place = Place::new();
    write_games(&place.path("games"), &[Rule::Standard], 20);
    let games = place.text("games");
    let run = |tables: &[&str]| {
        let output = place.text("net");
        let common = [games.as_str(), "-o", &output, "--epochs", "1"];
        let run = trainer(&[&common, tables].concat());
        assert!(run.status.success(), "{run:?}");
        fs::read(place.path("net")).unwrap()
    };
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../src/eval/classical.weights"
    );
    let usual = run(&[]);
    assert_eq!(run(&["--tables", file]), usual);
    assert_ne!(run(&["--tables", "hand"]), usual);
}

#[test]
fn what_cannot_be_done_is_told_and_nothing_written() {
    let place = Place::new();
    write_games(&place.path("none"), &[], 0);
    write_games(&place.path("games"), &[Rule::Standard], 2);
    fs::write(
        place.path("text"),
        "no games, nor a checkpoint; a mere text",
    )
    .unwrap();
    let (none, games, text) = (place.text("none"), place.text("games"), place.text("text"));
    let output = place.text("out");
    for (arguments, complaint) in [
        (vec![none.as_str()], "nothing to learn from"),
        (vec![&text], "not a file of games"),
        (vec![&games, "--lambda", "2"], "not from 0 to 1"),
        (vec![&games, "--every", "0"], "one of 0 plies"),
        (vec![&games, "--batch", "0"], "needs samples"),
        (vec![&games, "--rate", "NaN"], "the rate must be"),
        (vec![&games, "--checkpoint", &text], "not a checkpoint"),
        (vec![&games, "--tables", &text], "not a file of evaluation"),
    ] {
        let run = trainer(&[&arguments[..], &["-o", &output]].concat());
        assert_eq!(run.status.code(), Some(1), "{arguments:?}");
        let told = String::from_utf8(run.stderr).unwrap();
        assert!(told.contains(complaint), "{told}");
        assert!(!place.path("out").exists());
    }
}
