//! The program as people and managers start it: arguments, the game on the
//! terminal, the log. Everything goes through the real binary and pipes.

use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use yonsan::board::{Colour, Size, parse_moves};
use yonsan::rules::{Game, GameResult, Rule, WinReason};

/// Far more than any of these runs needs.
const PATIENCE: Duration = Duration::from_secs(120);

/// What a run left behind.
struct Run {
    code: i32,
    stdout: String,
    stderr: String,
}

impl Run {
    /// What was said after each line of input; first what was said before.
    fn replies(&self) -> Vec<String> {
        let one_prompt = self.stdout.replace("new, undo or quit> ", "your move> ");
        one_prompt.split("your move> ").map(str::to_owned).collect()
    }
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pbrain-yonsan"));
    command
        .args(arguments)
        .env_remove("RUST_LOG")
        .env_remove("YONSAN_LOG")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn read_all(mut pipe: impl Read + Send + 'static) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        pipe.read_to_end(&mut bytes).expect("the pipe can be read");
        String::from_utf8(bytes).expect("the output is UTF-8")
    })
}

/// Waits for the end of a process; a process that hangs fails the test.
fn wait(child: &mut Child) -> i32 {
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("the process can be asked") {
            return status.code().expect("the process was not killed");
        }
        if started.elapsed() > PATIENCE {
            child.kill().expect("the process can be killed");
            panic!("the program hangs");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn run_command(mut command: Command, input: &[u8]) -> Run {
    let mut child = command.spawn().expect("the program starts");
    let stdout = read_all(child.stdout.take().expect("stdout is a pipe"));
    let stderr = read_all(child.stderr.take().expect("stderr is a pipe"));
    let mut stdin = child.stdin.take().expect("stdin is a pipe");
    // The program may leave before it has read everything.
    let _ = stdin.write_all(input);
    drop(stdin);
    let code = wait(&mut child);
    Run {
        code,
        stdout: stdout.join().expect("stdout is read"),
        stderr: stderr.join().expect("stderr is read"),
    }
}

fn run(arguments: &[&str], input: &str) -> Run {
    run_command(command(arguments), input.as_bytes())
}

/// A game on the terminal at the lowest level, which must end well.
fn play(arguments: &[&str], input: &str) -> Run {
    let mut all = vec![
        "play",
        "--threads",
        "1",
        "--memory",
        "64",
        "--level",
        "1",
        "--seed",
        "1",
    ];
    all.extend(arguments);
    let run = run(&all, input);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{}", run.stdout);
    run
}

/// A path for a file of this test, nothing there yet.
fn fresh_path(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_file(&path);
    path
}

#[test]
fn help_and_version_go_to_standard_output() {
    for arguments in [
        &["--help"][..],
        &["-h"],
        &["play", "--help"],
        &["play", "-h"],
    ] {
        let help = run(arguments, "");
        assert_eq!((help.code, help.stderr.as_str()), (0, ""));
        assert!(help.stdout.contains("Usage: pbrain-yonsan"));
        let widest = help.stdout.lines().max_by_key(|line| line.len()).unwrap();
        assert!(widest.len() <= 80, "{widest}");
    }
    let version = run(&["--version"], "");
    let expected = format!("pbrain-yonsan {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!((version.code, version.stdout), (0, expected));
}

#[test]
fn senseless_arguments_are_refused() {
    for arguments in [
        &["--threads", "0"][..],
        &["--memory", "-1"],
        &["--nonsense"],
        &["juggle"],
        &["bench", "--depth", "0"],
        &["play", "--size", "4"],
        &["play", "--size", "15x23"],
        &["play", "--rule", "chess"],
        &["play", "--level", "11"],
        &["play", "--time", "0"],
        &["play", "--colour", "red"],
        &["play", "--moves", "h8z9"],
        &["play", "--moves", "h8h8"],
        &["play", "--moves", "p1"],
    ] {
        let refused = run(arguments, "");
        assert_eq!((refused.code, refused.stdout.as_str()), (2, ""));
        assert!(refused.stderr.starts_with("error: "), "{arguments:?}");
    }
}

#[test]
fn rows_win_by_the_rule() {
    const OPEN_FOUR: &str = "h8a1h9c1h10e1h11g1";
    const CLOSED_FOUR: &str = "h8h7h9h13h10a1h11c1";
    const GAP_OF_SIX: &str = "h8a1h9c1h10e1h12g1h13i1";
    // Position, move, and the rules in which the move wins.
    let cases: [(&str, &str, &[Rule]); 3] = [
        (OPEN_FOUR, "h12", &Rule::ALL),
        (
            CLOSED_FOUR,
            "h12",
            &[Rule::Freestyle, Rule::Standard, Rule::Renju],
        ),
        (GAP_OF_SIX, "h11", &[Rule::Freestyle, Rule::Caro]),
    ];
    for (moves, point, winning) in cases {
        for rule in Rule::ALL {
            let game = play(
                &["--rule", rule.name(), "--moves", moves],
                &format!("{point}\nmoves\n"),
            );
            let text = format!("{point} makes the winning row. You win with Black.\n");
            assert_eq!(
                game.stdout.contains(&text),
                winning.contains(&rule),
                "{rule} {moves}"
            );
            assert!(game.replies()[2].starts_with(&format!("{moves}{point}")));
        }
    }
}

#[test]
fn white_wins_renju_with_six() {
    let game = play(
        &[
            "--rule",
            "renju",
            "--colour",
            "white",
            "--moves",
            "a1h8c1h9e1h10g1h12i1h13k1",
        ],
        "h11\n",
    );
    assert!(
        game.stdout
            .contains("h11 makes the winning row. You win with White.\n")
    );
}

#[test]
fn fouls_lose_and_can_be_taken_back() {
    let cases = [
        ("h8a1h9c1h10e1h12g1h13i1", "h11", "overline"),
        ("h9a1h10a15i8o1j8o15", "h8", "double three"),
        ("h9a1h10c1h11e1i8g1j8i1k8k1", "h8", "double four"),
    ];
    for (moves, point, foul) in cases {
        let game = play(
            &["--rule", "renju", "--moves", moves],
            &format!("{point}\na2\nundo\nmoves\n"),
        );
        let replies = game.replies();
        let text = format!(
            "{point} makes a foul: {foul}, forbidden to Black. The engine wins with White.\n"
        );
        assert!(replies[1].ends_with(&text), "{}", replies[1]);
        assert_eq!(replies[2], "The game is over.\n");
        assert_eq!(replies[4], format!("{moves}\n"));
    }
}

#[test]
fn forbidden_points_are_marked_in_renju_only() {
    let moves = "h9a1h10a15i8o1j8o15";
    let row = " 8  . . . . . . . ! X X . . . . .";
    let renju = play(&["--rule", "renju", "--moves", moves], "");
    assert!(renju.stdout.contains(row), "{}", renju.stdout);
    assert!(renju.stdout.contains("! forbidden to Black"));
    for rule in ["freestyle", "standard", "caro", "caro-exact"] {
        assert!(
            !play(&["--rule", rule, "--moves", moves], "")
                .stdout
                .contains('!')
        );
    }
}

#[test]
fn undo_takes_both_moves_back() {
    let game = play(
        &[],
        "undo\nh8\nmoves\nundo\nmoves\nh8\nresign\nundo\nmoves\n",
    );
    let replies = game.replies();
    assert_eq!(replies[1], "You have made no move.\n");
    let moves = parse_moves(&replies[3]).unwrap();
    assert_eq!((moves.len(), moves[0].to_string().as_str()), (2, "h8"));
    assert_eq!(replies[5], "\n");
    // After giving up it is only that which is taken back.
    assert_eq!(parse_moves(&replies[9]).unwrap().len(), 2);
}

#[test]
fn undo_leaves_the_engines_first_move() {
    let game = play(&["--colour", "white"], "undo\nmoves\n");
    let replies = game.replies();
    assert_eq!(replies[1], "You have made no move.\n");
    assert_eq!(parse_moves(&replies[2]).unwrap().len(), 1);
}

#[test]
fn bad_input_changes_nothing() {
    let mut input = Vec::new();
    for line in ["h8", "p1", "x", "h8h9", "", "  \t"] {
        input.extend(line.as_bytes());
        input.push(b'\n');
    }
    input.extend(b"\xff\xfe\x00\n");
    input.extend(vec![b'h'; 100_000]);
    input.extend(b"\nmoves");
    let arguments = ["play", "--level", "1", "--moves", "h8a1"];
    let game = run_command(command(&arguments), &input);
    assert_eq!((game.code, game.stderr.as_str()), (0, ""));
    let replies = game.replies();
    let no_command =
        |text: &str| format!("'{text}' is neither a move such as h8 nor a command; type help.\n");
    assert_eq!(replies[1], "h8 is taken.\n");
    assert_eq!(replies[2], "p1 is outside the board.\n");
    assert_eq!(replies[3], no_command("x"));
    assert_eq!(replies[4], no_command("h8h9"));
    assert_eq!(replies[5..=6], ["", ""]);
    assert_eq!(replies[7], no_command("\u{fffd}\u{fffd}?"));
    assert_eq!(replies[8], no_command("hhhhhhhhhhhhhhhhhhhh"));
    assert_eq!(replies[9], "h8a1\n");
}

#[test]
fn the_end_of_input_ends_the_game() {
    for input in ["", "h8", "h8\n", "quit\nh8\n"] {
        let game = play(&[], input);
        assert!(
            game.stdout
                .starts_with("Type a move such as h8, or help.\n")
        );
        assert!(!game.stdout.contains('\x1b'), "escapes in a pipe");
    }
}

#[test]
fn words_do_what_they_say() {
    let game = play(
        &[],
        "help\nhint\nswap\nmoves\nresign\nhint\nnew\nmoves\nboard\n",
    );
    let replies = game.replies();
    assert!(replies[1].contains("undo    take back"));
    assert!(replies[2].starts_with("Hint: "), "{}", replies[2]);
    assert!(replies[3].contains("X Black: engine, level 1"));
    assert_eq!(parse_moves(&replies[4]).unwrap().len(), 1);
    assert!(replies[5].ends_with("White resigns. The engine wins with Black.\n"));
    assert_eq!(replies[6], "The game is over.\n");
    // The colours stay, so that the engine begins.
    assert!(replies[7].contains("O White: you"));
    assert_eq!(parse_moves(&replies[8]).unwrap().len(), 1);
    assert!(replies[9].contains("Freestyle on 15x15"));
}

#[test]
fn time_bounds_a_move() {
    let started = Instant::now();
    let arguments = [
        "play",
        "--threads",
        "1",
        "--time",
        "0.2",
        "--colour",
        "white",
    ];
    let game = run(&arguments, "");
    assert!(game.stdout.contains("engine, 0.2 s a move"));
    assert!(started.elapsed() < Duration::from_secs(10));
}

/// What the program says of a game that ended like this.
fn expected_ending(result: GameResult, player: Colour) -> String {
    match result {
        GameResult::Ongoing => panic!("the game goes on"),
        GameResult::Draw => "The board is full: a draw.".to_owned(),
        GameResult::Won(colour, reason) => {
            let winner = if colour == player {
                "You win"
            } else {
                "The engine wins"
            };
            let cause = match reason {
                WinReason::Five => "makes the winning row".to_owned(),
                WinReason::Foul(foul) => format!("makes a foul: {foul}, forbidden to Black"),
            };
            format!("{cause}. {winner} with {colour}.")
        }
    }
}

/// Whole games: the player tries all points one after the other until the game
/// is over, and the referee of the library agrees with how it ended.
#[test]
fn games_go_to_their_end_in_every_rule() {
    for rule in Rule::ALL {
        for (size, colour) in [("9", "black"), ("7x5", "white"), ("5x6", "black")] {
            let size_of_board = match size {
                "9" => Size::square(9),
                "7x5" => Size::new(7, 5),
                _ => Size::new(5, 6),
            };
            let board = size_of_board.unwrap();
            let mut input: String = board.points().map(|point| format!("{point}\n")).collect();
            input.push_str("moves\n");
            let arguments = ["--rule", rule.name(), "--size", size, "--colour", colour];
            let run = play(&arguments, &input);
            let replies = run.replies();
            let mut game = Game::new(rule, board);
            for point in parse_moves(&replies[board.area() + 1]).unwrap() {
                game.play(point).expect("the program plays legal moves");
            }
            let player = if colour == "black" {
                Colour::Black
            } else {
                Colour::White
            };
            let ending = expected_ending(game.result(), player);
            assert!(run.stdout.contains(&ending), "{ending}\n{}", run.stdout);
        }
    }
}

#[test]
fn the_largest_board_fits_80_columns() {
    let game = play(
        &["--size", "22", "--rule", "caro-exact"],
        "k11\nhint\nhelp\nnonsense\nresign\n",
    );
    for line in game.stdout.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    assert!(game.stdout.contains("22  . ."));
}

#[test]
fn bench_tells_a_signature() {
    let bench = run(&["bench", "--depth", "2"], "");
    assert_eq!((bench.code, bench.stderr.as_str()), (0, ""));
    let last = bench.stdout.lines().last().unwrap();
    let signature = last.strip_prefix("Signature: ").expect(last);
    assert!(u32::from_str_radix(signature, 16).is_ok(), "{signature}");
    assert!(bench.stdout.contains("\nNodes: "));
}

#[test]
fn the_log_is_written_beside_the_protocol() {
    let input = "START 15\nABOUT\nEND\n";
    let silent = run(&[], input);
    assert_eq!((silent.code, silent.stderr.as_str()), (0, ""));
    assert!(silent.stdout.starts_with("OK\n"), "{}", silent.stdout);

    let path = fresh_path("cli.log");
    let logged = run(&["--log", path.to_str().unwrap()], input);
    assert_eq!((logged.code, logged.stderr.as_str()), (0, ""));
    assert_eq!(logged.stdout, silent.stdout);
    let log = std::fs::read_to_string(&path).unwrap();
    assert!(log.contains("START 15"), "{log}");

    // The variable chooses what goes in.
    let mut filtered = command(&["--log", path.to_str().unwrap()]);
    filtered.env("RUST_LOG", "off");
    assert_eq!(
        run_command(filtered, input.as_bytes()).stdout,
        silent.stdout
    );
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "");
}

#[test]
fn managers_without_arguments_name_the_log_in_the_environment() {
    let path = fresh_path("variable.log");
    let mut command = command(&[]);
    command.env("YONSAN_LOG", &path);
    let run = run_command(command, b"START 15\nEND\n");
    assert_eq!(
        (run.code, run.stdout.as_str(), run.stderr.as_str()),
        (0, "OK\n", "")
    );
    assert!(std::fs::read_to_string(&path).unwrap().contains("START 15"));
}

#[test]
fn an_unwritable_log_stops_nothing() {
    let path = fresh_path("no-such-folder").join("cli.log");
    let input = "START 15\nEND\n";
    let run = run(&["--log", path.to_str().unwrap()], input);
    assert_eq!((run.code, run.stdout.as_str()), (0, "OK\n"));
    assert!(run.stderr.starts_with("MESSAGE no log: "), "{}", run.stderr);
    assert_eq!(run.stderr.lines().count(), 1);
}

#[test]
fn the_variable_alone_logs_to_standard_error() {
    let input = "START 15\nEND\n";
    let mut command = command(&[]);
    command.env("RUST_LOG", "debug");
    let run = run_command(command, input.as_bytes());
    assert_eq!((run.code, run.stdout.as_str()), (0, "OK\n"));
    assert!(run.stderr.contains("START 15"), "{}", run.stderr);
}

#[test]
fn a_reader_that_leaves_is_no_failure() {
    for (arguments, line) in [(&["play", "--level", "1"][..], "board\n"), (&[], "ABOUT\n")] {
        let mut child = command(arguments).spawn().expect("the program starts");
        drop(child.stdout.take());
        let stderr = read_all(child.stderr.take().expect("stderr is a pipe"));
        let mut stdin = child.stdin.take().expect("stdin is a pipe");
        for _ in 0..100 {
            if stdin.write_all(line.as_bytes()).is_err() {
                break;
            }
        }
        drop(stdin);
        assert_eq!(wait(&mut child), 0, "{arguments:?}");
        assert_eq!(stderr.join().expect("stderr is read"), "");
    }
}

/// Piskvork gives both outputs one pipe. Under Wine a closed pipe is no "broken
/// pipe" but some other error, which here the full device stands for; telling
/// of it made the program crash.
#[cfg(unix)]
#[test]
fn a_complaint_that_nobody_reads_is_no_crash() {
    let full = std::fs::File::create("/dev/full").expect("the device is there");
    let mut child = command(&[])
        .stdout(full)
        .spawn()
        .expect("the program starts");
    drop(child.stderr.take());
    let mut stdin = child.stdin.take().expect("stdin is a pipe");
    // The program may be gone before it has read this.
    let _ = stdin.write_all(b"ABOUT\n");
    drop(stdin);
    assert_eq!(wait(&mut child), 1);
}

/// The signature of a short bench with these options, and what was said on
/// standard error.
fn signature(options: &[&str]) -> (String, String) {
    let run = run(&[&["bench", "--depth", "2"], options].concat(), "");
    assert_eq!(run.code, 0, "{}", run.stderr);
    let mut lines = run.stdout.lines();
    let found = lines.find_map(|line| line.strip_prefix("Signature: "));
    (found.expect("a signature").to_owned(), run.stderr)
}

/// Files that are no nets and no tables are refused with one line, and the
/// engine goes on as if none had been named.
#[test]
fn bad_weights_are_refused_and_the_engine_plays() {
    let (good, silence) = signature(&[]);
    assert_eq!(silence, "");
    let absent = fresh_path("absent.weights");
    let other = fresh_path("other.weights");
    std::fs::write(&other, "no weights at all").unwrap();
    for option in ["--weights", "--tables"] {
        for path in [&absent, &other] {
            let path = path.to_str().unwrap();
            let (bad, complaint) = signature(&[option, path]);
            assert_eq!(bad, good, "{option} {path}");
            let is_named = complaint.starts_with(&format!("MESSAGE {path}: "));
            assert!(is_named, "{complaint}");
            assert_eq!(complaint.lines().count(), 1, "{complaint}");
        }
    }
    signature(&["--eval", "classical"]);
    assert_eq!(run(&["bench", "--eval", "guess"], "").code, 2);
}

/// Tables by rule of thumb make it search otherwise, and without the built-in
/// net, which does not fit them; those it was built with, from their file, do
/// not.
#[test]
fn tables_are_played_with() {
    let built_in = signature(&["--eval", "classical"]);
    let by_hand = signature(&["--eval", "classical", "--tables", "hand"]);
    assert_ne!(by_hand.0, built_in.0);
    assert_eq!(by_hand.1, "");
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/src/eval/classical.weights");
    let from_file = signature(&["--eval", "classical", "--tables", file]);
    assert_eq!(from_file, built_in);
    assert_eq!(signature(&["--tables", "hand"]), by_hand);
    let with_net = signature(&[]);
    assert_ne!(with_net, built_in);
    assert_eq!(signature(&["--tables", file]), with_net);
}

/// The built-in net is the one of the file it was built from.
#[test]
fn nets_are_played_with() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/src/eval/nnue.weights");
    assert_eq!(signature(&["--weights", file]), signature(&[]));
}
