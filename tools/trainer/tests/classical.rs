//! The command from games to a file of weights, as a user runs it.

mod common;

use common::{Place, number_behind, write_games};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use yonsan::board::Colour;
use yonsan::eval::weights::ClassicalWeights;
use yonsan::rules::Rule;

fn trainer(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_trainer"))
        .arg("classical")
        .args(arguments)
        .output()
        .unwrap()
}

fn weights(path: &Path) -> ClassicalWeights {
    ClassicalWeights::from_bytes(&fs::read(path).unwrap()).unwrap()
}

#[test]
fn games_become_weights_that_load() {
    let place = Place::new();
    write_games(&place.path("games"), &[Rule::Freestyle, Rule::Renju], 120);
    let fit = |output: &str, threads: &str| {
        let (games, output) = (place.text("games"), place.text(output));
        let options = ["--epochs", "4", "--batch", "128", "--threads", threads];
        let run = trainer(&[&[games.as_str(), "-o", &output], &options[..]].concat());
        assert!(run.status.success(), "{run:?}");
        String::from_utf8(run.stderr).unwrap()
    };
    let report = fit("one", "1");
    fit("two", "2");
    let fitted = weights(&place.path("one"));
    assert!(fitted == weights(&place.path("two")), "threads matter");
    let hand = ClassicalWeights::hand();
    for rule in Rule::ALL {
        let [black, white] = Colour::ALL.map(|colour| fitted.side(rule, colour));
        let is_fitted = matches!(rule, Rule::Freestyle | Rule::Renju);
        assert_eq!(black != hand.side(rule, Colour::Black), is_fitted, "{rule}");
        assert_eq!(black != white, rule == Rule::Renju, "{rule}");
        assert_eq!((black.value[0], white.value[0]), (0, 0));
    }
    // The last rule with games is renju; what was learned must help there.
    let before = number_behind(&report, "moves before:   loss");
    let after = number_behind(&report, "moves, learn:    loss");
    assert!(after < before - 0.1, "{report}");
    let before = number_behind(&report, "values before:   loss");
    let after = number_behind(&report, "values, learn:    loss");
    assert!(after < before, "{report}");
}

#[test]
fn a_torn_file_is_used_up_to_the_tear() {
    let place = Place::new();
    write_games(&place.path("games"), &[Rule::Caro], 12);
    let mut bytes = fs::read(place.path("games")).unwrap();
    bytes.truncate(bytes.len() - 7);
    fs::write(place.path("games"), &bytes).unwrap();
    let run = trainer(&[
        &place.text("games"),
        "-o",
        &place.text("out"),
        "--epochs",
        "1",
    ]);
    assert!(run.status.success(), "{run:?}");
    let report = String::from_utf8(run.stderr).unwrap();
    assert!(report.contains("cut short: "), "{report}");
    assert!(report.contains("caro: 11 games"), "{report}");
    weights(&place.path("out"));
}

#[test]
fn fitting_can_go_on_from_a_file() {
    let place = Place::new();
    write_games(&place.path("games"), &[Rule::Standard], 12);
    let mut start = ClassicalWeights::hand();
    start.side_mut(Rule::Caro, Colour::White).threat[3] = 1_234;
    fs::write(place.path("start"), start.to_bytes()).unwrap();
    let (games, output, start) = (place.text("games"), place.text("out"), place.text("start"));
    let run = trainer(&[&games, "-o", &output, "--init", &start, "--epochs", "1"]);
    assert!(run.status.success(), "{run:?}");
    let fitted = weights(&place.path("out"));
    assert_eq!(fitted.side(Rule::Caro, Colour::White).threat[3], 1_234);
    assert!(
        fitted.side(Rule::Standard, Colour::White)
            != ClassicalWeights::hand().side(Rule::Standard, Colour::White)
    );
}

#[test]
fn rules_not_asked_for_keep_their_numbers() {
    let place = Place::new();
    write_games(&place.path("games"), &[Rule::Standard, Rule::Caro], 12);
    let (games, output) = (place.text("games"), place.text("out"));
    let run = trainer(&[&games, "-o", &output, "--rules", "caro", "--epochs", "1"]);
    assert!(run.status.success(), "{run:?}");
    let fitted = weights(&place.path("out"));
    let hand = ClassicalWeights::hand();
    let is_of = |fitted: &ClassicalWeights, other: &ClassicalWeights, rule| {
        fitted.side(rule, Colour::White) == other.side(rule, Colour::White)
    };
    assert!(is_of(&fitted, &hand, Rule::Standard));
    assert!(!is_of(&fitted, &hand, Rule::Caro));
    // The numbers for the others may come from elsewhere.
    let mut others = ClassicalWeights::hand();
    others.side_mut(Rule::Standard, Colour::White).threat[3] = 1_234;
    fs::write(place.path("others"), others.to_bytes()).unwrap();
    let (first, elsewhere) = (place.text("first"), place.text("others"));
    fs::rename(place.path("out"), place.path("first")).unwrap();
    let run = trainer(&[
        &games, "-o", &output, "--rules", "caro", "--init", &first, "--others", &elsewhere,
        "--epochs", "0",
    ]);
    assert!(run.status.success(), "{run:?}");
    let merged = weights(&place.path("out"));
    assert!(is_of(&merged, &others, Rule::Standard));
    assert!(is_of(&merged, &fitted, Rule::Caro));
}

#[test]
fn what_cannot_be_done_is_told_and_nothing_written() {
    let place = Place::new();
    write_games(&place.path("none"), &[], 0);
    write_games(&place.path("games"), &[Rule::Standard], 1);
    fs::write(
        place.path("text"),
        "these are not games, only a text of some length",
    )
    .unwrap();
    let (none, games, text) = (place.text("none"), place.text("games"), place.text("text"));
    let missing = place.text("missing");
    let output = place.text("out");
    for (arguments, complaint) in [
        (vec![none.as_str()], "nothing to learn from"),
        (vec![&text], "not a file of games"),
        (vec![&missing], "missing"),
        (
            vec![&games, "--init", &text],
            "not a file of evaluation weights",
        ),
        (
            vec![&games, "--rules", "renju"],
            "nothing to learn of renju",
        ),
        (vec![&games, "--result-weight", "1.5"], "not from 0 to 1"),
        (vec![&games, "--score-scale", "0"], "must be above 0"),
        (vec![&games, "--max-samples", "0"], "room"),
    ] {
        let run = trainer(&[&arguments[..], &["-o", &output]].concat());
        assert_eq!(run.status.code(), Some(1), "{arguments:?}");
        let told = String::from_utf8(run.stderr).unwrap();
        assert!(told.contains(complaint), "{told}");
        assert!(!place.path("out").exists());
    }
}
