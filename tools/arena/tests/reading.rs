//! The commands that read results files and those that judge engines and
//! openings, as people call them.

mod common;

use common::{Bench, mock, text};

/// A results file of four quick games, one of which is lost by a crash.
fn played() -> Bench {
    let bench = Bench::new();
    let (good, bad) = (
        mock("'A [x]'", "--score 7"),
        mock("B", "--fault crash --at 3"),
    );
    let words = [
        "match", "-e", &good, "-e", &bad, "--turn", "5", "--pairs", "2",
    ];
    bench.run_well(&words);
    assert_eq!(bench.games().len(), 4);
    bench
}

#[test]
fn exports_come_back_as_the_same_games() {
    let bench = played();
    bench.run_well(&["export", "arena.jsonl", "-f", "sgf", "-o", "games.sgf"]);
    bench.run_well(&["import", "games.sgf", "-o", "back.jsonl"]);
    let back = common::games_of(bench.records("back.jsonl"));
    for (before, after) in bench.games().iter().zip(&back) {
        assert_eq!(before.black_name, after.black_name);
        assert_eq!(before.white_name, after.white_name);
        assert_eq!(before.outcome, after.outcome);
        let points = |game: &arena::record::GameRecord| -> Vec<(String, u64, Option<i32>)> {
            let entries = game.moves.iter();
            entries
                .map(|m| (m.point.clone(), m.time_ms, m.score))
                .collect()
        };
        assert_eq!(points(before), points(after));
    }
    // PSQ has one file a game; the moves are the same again.
    bench.run_well(&["export", "arena.jsonl", "-f", "psq", "-o", "psq"]);
    let mut files: Vec<String> = std::fs::read_dir(bench.path("psq"))
        .unwrap()
        .map(|entry| entry.unwrap().path().to_string_lossy().into_owned())
        .collect();
    files.sort();
    assert_eq!(files.len(), 4);
    let mut words = vec!["import", "--moves"];
    words.extend(files.iter().map(String::as_str));
    let moves = bench.run_well(&words);
    assert_eq!(
        moves,
        bench.run_well(&["export", "arena.jsonl", "-f", "moves"])
    );
}

#[test]
fn exports_for_rating_programs_and_spreadsheets() {
    let bench = played();
    let pgn = bench.run_well(&["export", "arena.jsonl", "-f", "pgn"]);
    assert_eq!(pgn.matches("[Result \"").count(), 4);
    let csv = bench.run_well(&["export", "arena.jsonl", "-f", "csv"]);
    let moves: usize = bench.games().iter().map(|game| game.moves.len()).sum();
    assert_eq!(csv.lines().count(), moves + 1);
    let scores = bench.run_well(&["export", "arena.jsonl", "-f", "scores"]);
    assert!(scores.starts_with("A [x] vs B: "), "{scores}");
    assert!(scores.trim_end().ends_with("] 4"), "{scores}");
    let one = bench.run_well(&["export", "arena.jsonl", "-f", "moves", "--game", "0"]);
    assert_eq!(one.lines().count(), 1);
    let nobody = bench.run(&["export", "arena.jsonl", "-f", "csv", "--engine", "C"]);
    assert_eq!(nobody.status.code(), Some(2));
}

#[test]
fn a_report_is_made_of_a_match_and_of_its_parts() {
    let bench = played();
    bench.run_well(&["report", "arena.jsonl"]);
    let page = std::fs::read_to_string(bench.path("report.html")).unwrap();
    assert!(page.contains("A [x]") && page.contains("crash"));
    // The same file twice is the same event: every game counts once.
    bench.run_well(&["report", "arena.jsonl", "arena.jsonl", "-o", "twice.html"]);
    let twice = std::fs::read_to_string(bench.path("twice.html")).unwrap();
    assert_eq!(page, twice);
    let missing = bench.run(&["report", "no.jsonl"]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(text(&missing.stderr).contains("no.jsonl"));
}

#[cfg(unix)]
#[test]
fn a_check_tells_good_from_bad_in_plain_words() {
    let bench = Bench::new();
    let program = env!("CARGO_BIN_EXE_mock_engine");
    let checked = |options: &str, name: &str| {
        let engine = format!("'{program}' {options}");
        let output = bench.run(&["check", &engine, "--only", name]);
        (output.status.code(), text(&output.stdout))
    };
    let (code, good) = checked("", "04_turn_first");
    assert_eq!(
        (code, good.as_str()),
        (Some(0), "ok    04_turn_first\n1 passed, 0 failed\n")
    );
    for (options, words) in [
        ("--fault crash", "neither a move nor a MESSAGE"),
        ("--fault garbage", "neither a move nor a MESSAGE"),
        ("--fault occupied", "an illegal move"),
        ("--fault outside", "outside the board"),
        ("--fault error", "would count an error"),
        ("--fault twice", "taken for the next move"),
        ("--start-fault banner", "compare the whole line with OK"),
        ("--start-fault crash", "notices a dead process only"),
    ] {
        let (code, told) = checked(options, "04_turn_first");
        let joined = told.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(code, Some(1), "{options}: {told}");
        assert!(joined.contains(words), "{options}: {told}");
        assert!(told.contains("0 passed, 1 failed"), "{told}");
    }
    let own = bench.write(
        "own.txt",
        "# Slow.\n> START 15\n< OK\n! max 100\n> TURN 7,7\n< {M15}\n",
    );
    let engine = format!("'{program}' --fault hang");
    let output = bench.run(&["check", &engine, &own.to_string_lossy()]);
    assert!(text(&output.stdout).contains("count this as a timeout"));
}

#[test]
fn openings_are_made_and_gone_on_with() {
    let bench = Bench::new();
    let program = env!("CARGO_BIN_EXE_mock_engine");
    let even = format!("'{program}' --score 12");
    let make = |count: &str| {
        let words = [
            "openings", "-e", &even, "-r", "caro", "-s", "12", "-c", count,
        ];
        bench.run_well(&words);
        std::fs::read_to_string(bench.path("openings.txt")).unwrap()
    };
    let five = make("5");
    assert_eq!(five.lines().count(), 6);
    let nine = make("9");
    assert!(nine.starts_with(&five), "{five}\n{nine}");
    assert_eq!(nine.lines().count(), 10);
    // The runner plays them.
    let (a, b) = (mock("A", ""), mock("B", ""));
    let words = [
        "match",
        "-e",
        &a,
        "-e",
        &b,
        "--rule",
        "caro",
        "--size",
        "12",
        "--turn",
        "5",
        "--pairs",
        "2",
        "--openings",
        "openings.txt",
    ];
    bench.run_well(&words);
    let first = nine
        .lines()
        .nth(1)
        .unwrap()
        .split(' ')
        .next()
        .unwrap()
        .to_owned();
    let games = bench.games();
    let given: String = games[0]
        .moves
        .iter()
        .filter(|entry| entry.opening)
        .map(|entry| entry.point.as_str())
        .collect();
    assert_eq!(given, first);
    // Other settings would mix two kinds of openings.
    let words = [
        "openings", "-e", &even, "-r", "caro", "-s", "12", "--seed", "9",
    ];
    let output = bench.run(&words);
    assert!(text(&output.stderr).contains("made with other settings"));
}
