//! `pbrain-yonsan analyze` through the real binary: games from files, pipes and
//! arguments, the three formats, and what is said of games that are none.

use serde_json::Value;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Puzzle 1 of `data/puzzles`, and Black plays elsewhere: `h8` wins.
const MISSED: &str = "e8d8f8k3g8l3h9m3h10c11o15";

struct Run {
    code: i32,
    stdout: String,
    stderr: String,
}

/// Runs the analysis with few nodes and one thread.
fn run(arguments: &[&str], input: &str) -> Run {
    let fixed = [
        "analyze",
        "--threads",
        "1",
        "--memory",
        "64",
        "--nodes",
        "500",
    ];
    run_with(&[&fixed, arguments].concat(), input)
}

fn run_with(arguments: &[&str], input: &str) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_pbrain-yonsan"))
        .args(arguments)
        .env_remove("RUST_LOG")
        .env_remove("YONSAN_LOG")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("stdin is a pipe");
    // The program may leave before it has read everything.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    let output = child.wait_with_output().expect("the program ends");
    Run {
        code: output.status.code().expect("the program was not killed"),
        stdout: String::from_utf8(output.stdout).expect("the output is UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("the errors are UTF-8"),
    }
}

/// A file of this test.
fn file(name: &str, text: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("the file can be written");
    path.to_string_lossy().into_owned()
}

fn json(arguments: &[&str], input: &str) -> Value {
    let run = run(&[&["--format", "json"], arguments].concat(), input);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{arguments:?}");
    serde_json::from_str(&run.stdout).expect("it is JSON")
}

fn points(value: &Value) -> String {
    let moves = value["moves"].as_array().expect("there are moves");
    moves.iter().filter_map(|m| m["point"].as_str()).collect()
}

#[test]
fn help_is_narrow() {
    for option in ["--help", "-h"] {
        let help = run_with(&["analyze", option], "");
        assert_eq!((help.code, help.stderr.as_str()), (0, ""));
        let widest = help.stdout.lines().max_by_key(|line| line.chars().count());
        assert!(
            widest.is_some_and(|line| line.chars().count() <= 80),
            "{widest:?}"
        );
    }
}

#[test]
fn a_missed_win_is_told() {
    let run = run(&["--moves", MISSED, "--opening", "10"], "");
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let row = "  11 X o15      win in 3   loss in 2    100%  Blunder\n";
    assert!(run.stdout.contains(row), "{}", run.stdout);
    let remark = "Missed win: h8 wins in 3 moves.\n";
    assert!(run.stdout.contains(remark), "{}", run.stdout);
}

#[test]
fn every_kind_of_game_is_read() {
    let psq = "Piskvorky 20x20, 11:11, 0\r\n8,8,-1\r\n9,9,0\r\nalpha\r\nbeta\r\n-1\r\n1,Renju\r\n";
    let game = json(&[&file("game.psq", psq)], "");
    assert_eq!(points(&game), "h8i9");
    assert_eq!(
        (&game["width"], &game["rule"]),
        (&20.into(), &"renju".into())
    );
    assert_eq!(
        (&game["black"], &game["white"]),
        (&"alpha".into(), &"beta".into())
    );
    assert_eq!(game["moves"][0]["grade"], "given");
    let result = &game["result"];
    assert_eq!(
        (&result["winner"], &result["by"]),
        (&"black".into(), &"file".into())
    );
    // An option counts more than the file.
    let game = json(&["--rule", "standard", "-"], psq);
    assert_eq!(game["rule"], "standard");

    let sgf = "(;GM[4]SZ[9:7]RU[caro]PB[one];B[ee])(;GM[4];B[aa];W[bb])";
    let game = json(&["-"], sgf);
    assert_eq!((&game["width"], &game["height"]), (&9.into(), &7.into()));
    assert_eq!(
        (points(&game), &game["rule"]),
        ("e5".to_owned(), &"caro".into())
    );
    let game = json(&["--game", "2", "--size", "10", "-"], sgf);
    assert_eq!(
        (points(&game), &game["width"]),
        ("a1b2".to_owned(), &10.into())
    );

    let letters = file("letters.txt", "# mine\n1. h8 i9\n2. j10\n");
    let game = json(&[&letters], "");
    assert_eq!(points(&game), "h8i9j10");
    assert_eq!(
        (&game["width"], &game["rule"]),
        (&15.into(), &"freestyle".into())
    );
    let game = json(&["--moves", "h8 t20", "--size", "20"], "");
    assert_eq!(points(&game), "h8t20");
}

#[test]
fn the_same_game_gets_the_same_answer() {
    let arguments = ["--format", "json", "--moves", "h8i9g10i10i8h9g8j8g9g11"];
    let first = run(&arguments, "");
    assert_eq!((first.code, first.stderr.as_str()), (0, ""));
    assert_eq!(first.stdout, run(&arguments, "").stdout);
}

#[test]
fn a_page_goes_into_a_file() {
    let path = file("page.html", &"old".repeat(100_000));
    let arguments = ["--format", "html", "-o", &path, "--moves", MISSED];
    let run = run(&arguments, "");
    assert_eq!(
        (run.code, run.stdout.as_str(), run.stderr.as_str()),
        (0, "", "")
    );
    let page = std::fs::read_to_string(&path).expect("the page is there");
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
}

#[test]
fn games_that_are_none_are_refused_with_their_place() {
    let psq = |body: &str| format!("Piskvorky 15x15, 11:11, 0\n{body}");
    let over = "h8a1h9b1h10c1h11d1h12";
    let foul = "h8g6f6g5f7g4h7g3g2a1g7";
    for (arguments, input, expected) in [
        (
            &["-"][..],
            String::new(),
            "standard input: line 1: no moves such as h8i9",
        ),
        (&["-"], psq(""), "standard input: there are no moves"),
        (
            &["-"],
            psq("8,8,0\n16,1,0\n"),
            "standard input: line 3: 16,1 is outside the 15x15 board (move 2)",
        ),
        (
            &["-"],
            psq("8,8,0\n\n8,8,0\n"),
            "standard input: line 4: 8,8 is taken by move 1 (move 2)",
        ),
        (
            &["-"],
            psq("8,8,0\n9,x,0\n10,10,0\n"),
            "standard input: line 3: '9,x,0' is no move such as 8,8,0 (move 2)",
        ),
        (
            &["-"],
            "Piskvorky 40x40, 11:11, 0\n".to_owned(),
            "standard input: line 1: a board of 40x40, but sides are 5 to 22",
        ),
        (
            &["--size", "20", "-"],
            psq("8,8,0\n"),
            "standard input: the board is 15x15, not 20x20 as --size says",
        ),
        (
            &["-"],
            "(;GM[1])".to_owned(),
            "standard input: line 1: game 1 is not Gomoku",
        ),
        (
            &["--game", "3", "-"],
            "(;GM[4];B[aa])".to_owned(),
            "standard input: no game 3: there is 1 game",
        ),
        (
            &["-"],
            "h8 i9\nj10 k".to_owned(),
            "standard input: line 2, column 5: 'k' is no point such as h8 (move 4)",
        ),
        (
            &["--moves", "h8p1"],
            String::new(),
            "--moves: line 1, column 3: p1 is outside the 15x15 board (move 2)",
        ),
        (
            &["-"],
            format!("{over}\ne1"),
            "standard input: line 2: e1 comes after the end of the game: move 9, h12, won for \
             Black under the rule freestyle (move 10)",
        ),
        (
            &["--rule", "renju", "-"],
            format!("{foul}\na2"),
            "standard input: line 2: a2 comes after the end of the game: move 11, g7, was a foul \
             under the rule renju, double three (move 12)",
        ),
    ] {
        let run = run(arguments, &input);
        let expected = format!("error: {expected}\n");
        assert_eq!(
            (run.code, run.stderr.as_str()),
            (2, expected.as_str()),
            "{input}"
        );
        assert_eq!(run.stdout, "");
    }
}

#[test]
fn a_refused_game_leaves_the_output_alone() {
    let path = file("kept.txt", "kept");
    let run = run(&["-o", &path, "--moves", "h8h8"], "");
    assert_eq!(run.code, 2);
    assert_eq!(std::fs::read_to_string(&path).expect("it is there"), "kept");
}

#[test]
fn a_broken_off_analysis_leaves_the_output_alone() {
    let path = file("broken-off.txt", "kept");
    let mut child = Command::new(env!("CARGO_BIN_EXE_pbrain-yonsan"))
        .args(["analyze", "--time", "60", "-o", &path, "--moves", MISSED])
        .spawn()
        .expect("the program starts");
    std::thread::sleep(std::time::Duration::from_millis(500));
    child.kill().expect("it is still at work");
    child.wait().expect("it ends");
    assert_eq!(std::fs::read_to_string(&path).expect("it is there"), "kept");
}

#[test]
fn files_that_cannot_be_used_are_named() {
    let nowhere = format!("{}/no/such/file", env!("CARGO_TARGET_TMPDIR"));
    for arguments in [&[nowhere.as_str()][..], &["--moves", "h8", "-o", &nowhere]] {
        let run = run(arguments, "");
        assert_eq!((run.code, run.stdout.as_str()), (1, ""));
        let beginning = format!("error: {nowhere}: ");
        assert!(run.stderr.starts_with(&beginning), "{}", run.stderr);
        assert_eq!(run.stderr.lines().count(), 1);
    }
}

#[test]
fn senseless_arguments_are_refused() {
    for arguments in [
        &[][..],
        &["--moves", "h8", "-"],
        &["--rule", "chess", "-"],
        &["--size", "4", "-"],
        &["--time", "0", "-"],
        &["--game", "0", "-"],
        &["--format", "pdf", "-"],
    ] {
        let refused = run(arguments, "h8");
        assert_eq!(
            (refused.code, refused.stdout.as_str()),
            (2, ""),
            "{arguments:?}"
        );
        assert!(refused.stderr.starts_with("error: "), "{arguments:?}");
    }
}
