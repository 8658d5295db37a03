//! Ordinary events through the arena's program: what engines are told, what
//! is recorded, how events end.

mod common;

use arena::record::{GameRecord, Outcome, Reason};
use common::{Bench, events_of, mock, text};
use std::collections::BTreeMap;

/// What a mock wrote down.
fn log_lines(bench: &Bench, name: &str) -> Vec<String> {
    let text = std::fs::read_to_string(bench.path(name)).unwrap();
    text.lines().map(str::to_owned).collect()
}

fn logged_mock(bench: &Bench, name: &str, options: &str) -> String {
    let log = bench.path(&format!("{name}.log"));
    mock(name, &format!("{options} --log {}", log.display()))
}

fn points(game: &GameRecord) -> String {
    game.moves.iter().map(|m| m.point.as_str()).collect()
}

#[test]
fn engines_are_told_everything_in_order() {
    let bench = Bench::new();
    let one = logged_mock(&bench, "one", "--row 3");
    let one = format!("{one} tc=60/2+0.5 nodes=7 depth=9 threads=2 memory=100 option.hash_size=64");
    let two = mock("two", "--row 9");
    let words = [
        "match", "-e", &one, "-e", &two, "--turn", "1", "--rule", "caro",
    ];
    bench.run_well(&words);
    let lines = log_lines(&bench, "one.log");
    let expected = [
        "START 15",
        "INFO timeout_turn 2000",
        "INFO timeout_match 60000",
        "INFO max_memory 104857600",
        "INFO game_type 1",
        "INFO rule 8",
        "INFO max_depth 9",
        "INFO max_node 7",
        "INFO thread_num 2",
        "INFO hash_size 64",
        "INFO time_left 60500",
        "BEGIN",
    ];
    assert_eq!(lines[..expected.len()], expected);
    assert!(lines.contains(&"TURN 0,9".to_owned()));
    assert!(lines.contains(&"END".to_owned()));
}

/// The number of processes is that of the ENDs.
#[test]
fn slow_starters_are_kept_for_all_games() {
    let ends = |options: &str, restart: &str| {
        let bench = Bench::new();
        let one = logged_mock(&bench, "one", options);
        let two = mock("two", "--row 9");
        let words = [
            "match",
            "-e",
            &one,
            "-e",
            &two,
            "--turn",
            "5",
            "--games",
            "6",
            "--restart",
            restart,
        ];
        bench.run_well(&words);
        let lines = log_lines(&bench, "one.log");
        let count = |wanted: &str| lines.iter().filter(|line| *line == wanted).count();
        assert_eq!(count("START 15"), 6);
        count("END")
    };
    assert_eq!(ends("--row 3 --start-ms 600", "auto"), 1);
    assert_eq!(ends("--row 3", "on"), 6);
    assert_eq!(ends("--row 3", "off"), 1);
}

/// Whoever ignores END is ended at the end of its grace, and the games that
/// follow do not wait for it.
#[test]
fn nobody_waits_for_an_engine_that_is_slow_to_go() {
    let bench = Bench::new();
    let (one, two) = (mock("one", "--row 3 --ignore-end"), mock("two", "--row 9"));
    let before = std::time::Instant::now();
    bench.run_well(&[
        "match",
        "-e",
        &one,
        "-e",
        &two,
        "--turn",
        "5",
        "--games",
        "20",
        "--end-grace",
        "2",
    ]);
    let seconds = before.elapsed().as_secs();
    assert!((2..20).contains(&seconds), "{seconds}");
    assert_eq!(bench.games().len(), 20);
}

#[test]
fn the_cup_asks_by_board_and_waits_for_nothing() {
    let bench = Bench::new();
    let one = logged_mock(&bench, "one", "--row 3 --score 12");
    let two = mock("two", "--row 9");
    let words = [
        "match", "-e", &one, "-e", &two, "--tc", "180/30", "--cup", "--rule", "renju",
    ];
    bench.run_well(&words);
    let lines = log_lines(&bench, "one.log");
    let expected = [
        "START 15",
        "INFO timeout_turn 30000",
        "INFO timeout_match 180000",
        "INFO max_memory 367001600",
        "INFO game_type 1",
        "INFO rule 4",
        "INFO time_left 180000",
        "BOARD",
        "DONE",
    ];
    assert_eq!(lines[..expected.len()], expected);
    assert!(lines.contains(&"TURN 0,9".to_owned()));
    for game in bench.games() {
        assert_eq!(game.reason, Reason::Five, "{}", game.detail);
        assert!(game.peak_memory.iter().all(|&bytes| bytes > 0));
    }
    let config = &events_of(bench.records("arena.jsonl"))[0].config;
    assert_eq!(config["draw_rule"], "cup");
}

#[test]
fn openings_are_played_from_both_sides_and_recorded() {
    let bench = Bench::new();
    let text = "# two openings\r\n\r\nh8i9j10k11\r\n0,0, 1,1, 2,0\r\n";
    let openings = bench.write("my openings.txt", text);
    let one = logged_mock(&bench, "one", "--row 0 --score -33");
    let two = mock("two", "--row 14");
    let path = openings.to_str().unwrap();
    let words = [
        "match",
        "-e",
        &one,
        "-e",
        &two,
        "--turn",
        "1",
        "--pairs",
        "3",
        "--openings",
        path,
    ];
    bench.run_well(&words);
    let games = bench.games();
    let sources: Vec<&str> = games.iter().map(|g| g.opening_source.as_str()).collect();
    let (three, four) = ("my openings.txt:3", "my openings.txt:4");
    assert_eq!(sources, [three, three, four, four, three, three]);
    for (game, start) in games
        .iter()
        .zip(["h8i9j10k11", "h8i9j10k11", "h8i9j8", "h8i9j8"])
    {
        assert!(points(game).starts_with(start), "{}", points(game));
        let given = game.moves.iter().filter(|m| m.opening).count();
        assert_eq!(
            given,
            start.chars().filter(char::is_ascii_alphabetic).count()
        );
        let (index, first) = (0..)
            .zip(&game.moves)
            .find(|(_, m)| m.score.is_some())
            .unwrap();
        assert_eq!(index % 2 == 0, game.black_name == "one");
        assert_eq!(
            (first.score, first.depth, first.nodes),
            (Some(-33), Some(3), Some(100))
        );
    }
    assert_eq!((games[0].black, games[1].black), (0, 1));
    // Four stones: Black, engine one, sees its own as 1.
    let lines = log_lines(&bench, "one.log");
    let board = lines.iter().position(|line| line == "BOARD").unwrap();
    assert_eq!(
        lines[board + 1..board + 6],
        ["7,7,1", "8,8,2", "9,9,1", "10,10,2", "DONE"]
    );
}

#[test]
fn bad_openings_are_told_with_their_place() {
    let bench = Bench::new();
    let path = bench.write("bad.txt", "h8h9\n# x\nh8z3\n");
    let (one, two) = (mock("one", ""), mock("two", ""));
    let path = path.to_str().unwrap();
    let output = bench.run(&[
        "match",
        "-e",
        &one,
        "-e",
        &two,
        "--turn",
        "1",
        "--openings",
        path,
    ]);
    assert_eq!(output.status.code(), Some(2));
    let errors = text(&output.stderr);
    assert!(errors.contains("bad.txt:3:3: 'z3' is no point"), "{errors}");
}

#[test]
fn every_two_engines_meet_on_the_same_openings() {
    let bench = Bench::new();
    let engines = ["a", "b", "c"].map(|name| mock(name, "--row 0"));
    let path = bench.write("o.txt", "h8i9j10\nh8i9j9\nh8i9j8\nh8i9j7\nh8i9j6\n");
    let mut words = vec!["tournament", "--turn", "1", "--pairs", "4", "-c", "4"];
    words.extend([
        "--openings",
        path.to_str().unwrap(),
        "--order",
        "random",
        "--seed",
        "5",
    ]);
    for engine in &engines {
        words.extend(["-e", engine]);
    }
    bench.run_well(&words);
    let mut met = BTreeMap::<(usize, usize), Vec<String>>::new();
    for game in bench.games() {
        met.entry((game.black, game.white))
            .or_default()
            .push(game.opening_source);
    }
    assert_eq!(met.len(), 6);
    let first = met.values().next().unwrap();
    assert_eq!(first.len(), 4);
    assert!(met.values().all(|sources| sources == first), "{met:?}");
}

#[test]
fn a_test_ends_the_match_and_tells_the_outcome() {
    let words = |one: &str, two: &str| {
        let mut words = vec!["match".to_owned(), "--turn".into(), "5".into()];
        words.extend([
            "--games".into(),
            "400".into(),
            "--sprt".into(),
            "elo0=0 elo1=50".into(),
        ]);
        for engine in [one, two] {
            words.extend(["-e".to_owned(), engine.to_owned()]);
        }
        words
    };
    let (good, bad) = (mock("good", "--row 3"), mock("bad", "--fault outside"));
    for (one, two, code, outcome) in [
        (&good, &bad, 0, "H1 accepted"),
        (&bad, &good, 1, "H0 accepted"),
    ] {
        let bench = Bench::new();
        let words = words(one, two);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let output = bench.run(&words);
        assert_eq!(output.status.code(), Some(code), "{}", text(&output.stderr));
        assert!(
            text(&output.stdout).contains(outcome),
            "{}",
            text(&output.stdout)
        );
        assert!((4..200).contains(&bench.games().len()));
        // There is nothing left to resume either.
        let games = bench.games().len();
        assert_eq!(
            bench.run(&["resume", "arena.jsonl"]).status.code(),
            Some(code)
        );
        assert_eq!(bench.games().len(), games);
    }
}

#[test]
fn draws_are_half_points_and_their_rule_is_recorded() {
    let bench = Bench::new();
    let (one, two) = (mock("one", "--seed 4"), mock("two", "--seed 5"));
    let words = [
        "match",
        "-e",
        &one,
        "-e",
        &two,
        "--turn",
        "1",
        "--draw-after",
        "8",
        "--games",
        "4",
    ];
    let table = bench.run_well(&words);
    assert!(table.contains("50.0      0-4-0"), "{table}");
    assert!(table.contains("[0, 0, 2, 0, 0]"), "{table}");
    assert!(table.contains("draws 100.0 %"), "{table}");
    for game in bench.games() {
        assert_eq!(
            (game.outcome, game.reason),
            (Outcome::Draw, Reason::MoveLimit)
        );
        assert_eq!(game.moves.len(), 8);
    }
    let config = &events_of(bench.records("arena.jsonl"))[0].config;
    assert_eq!(config["draw_rule"]["after"], 8);
}

#[test]
fn scores_end_games_if_asked() {
    let bench = Bench::new();
    let (one, two) = (mock("one", "--row 3 --score -900"), mock("two", "--row 9"));
    bench.run_well(&[
        "match", "-e", &one, "-e", &two, "--turn", "1", "--resign", "800:2",
    ]);
    for game in bench.games() {
        assert_eq!(game.reason, Reason::Resigned, "{}", game.detail);
        let winner = if game.outcome == Outcome::Black {
            &game.black_name
        } else {
            &game.white_name
        };
        assert_eq!(winner, "two");
    }
    let bench = Bench::new();
    let (one, two) = (
        mock("one", "--row 3 --score 4"),
        mock("two", "--row 9 --score -5"),
    );
    bench.run_well(&[
        "match",
        "-e",
        &one,
        "-e",
        &two,
        "--turn",
        "1",
        "--draw-score",
        "5:2:4",
    ]);
    for game in bench.games() {
        assert_eq!(
            (game.reason, game.moves.len()),
            (Reason::Adjudicated, 4),
            "{}",
            game.detail
        );
    }
}

#[test]
fn a_file_says_what_the_command_line_says() {
    let bench = Bench::new();
    let program = env!("CARGO_BIN_EXE_mock_engine");
    let file = format!(
        r#"
        [event]
        rule = "standard"
        pairs = 3
        seed = 9
        record-messages = true
        [each]
        turn = 0.5
        [[engine]]
        command = '"{program}" --row 3 --score 7'
        name = "one [1]"
        [[engine]]
        command = '"{program}" --row 9'
        options = {{ hash_size = 64 }}
        "#
    );
    bench.write("event.toml", &file);
    bench.run_well(&[
        "match",
        "--config",
        "event.toml",
        "--pairs",
        "2",
        "--match",
        "60",
    ]);
    let events = events_of(bench.records("arena.jsonl"));
    let config = &events[0].config;
    assert_eq!(events[0].engines, ["one [1]", "mock_engine"]);
    assert_eq!(events[0].game_count, 4);
    assert_eq!(config["rule"], "standard");
    assert_eq!(config["seed"], 9);
    assert_eq!(config["engines"][1]["turn_ms"], 500);
    assert_eq!(config["engines"][1]["match_ms"], 60_000);
    assert_eq!(config["engines"][1]["options"]["hash_size"], "64");
    let games = bench.games();
    let first = &games[0].moves[0];
    assert_eq!(
        first.messages,
        ["MESSAGE depth 3-5 score 7 nodes 100 pv 1,1"]
    );
}

#[test]
fn the_same_engine_can_play_itself_and_boards_can_be_oblong() {
    let bench = Bench::new();
    let program = format!("'{}' --row 3", env!("CARGO_BIN_EXE_mock_engine"));
    let words = [
        "match", "-e", &program, "-e", &program, "--nodes", "9", "--size", "10x15",
    ];
    bench.run_well(&words);
    let names: Vec<String> = bench
        .games()
        .into_iter()
        .map(|game| game.white_name)
        .collect();
    assert_eq!(names, ["mock_engine-2", "mock_engine"]);
    assert!(
        bench
            .games()
            .iter()
            .all(|game| (game.width, game.height) == (10, 15))
    );
}

#[test]
fn traces_show_both_sides() {
    let bench = Bench::new();
    let (one, two) = (mock("one", "--row 3"), mock("two", "--row 9"));
    bench.run_well(&[
        "match", "-e", &one, "-e", &two, "--turn", "1", "--trace", "logs",
    ]);
    let trace = std::fs::read_to_string(bench.path("logs").join("game-000001.log")).unwrap();
    for line in [
        "two > INFO rule 0",
        "two > BEGIN",
        "two < 0,9",
        "one > TURN 0,9",
        "one < 0,3",
    ] {
        assert!(trace.contains(line), "{trace}");
    }
}

/// A machine too busy for the arena itself: the timeout is counted, and marked.
#[cfg(unix)]
#[test]
fn timeouts_under_overload_are_marked() {
    let bench = Bench::new();
    let (one, two) = (
        mock("one", "--row 3 --think-ms 100"),
        mock("two", "--row 9"),
    );
    let words = [
        "match",
        "-e",
        &one,
        "-e",
        &two,
        "--turn",
        "0.3",
        "--tolerance",
        "0.3",
    ];
    let mut child = bench.command(&words).spawn().unwrap();
    let signal = |name: &str| {
        let id = child.id().to_string();
        let status = std::process::Command::new("kill")
            .args([name, &id])
            .status();
        assert!(status.unwrap().success());
    };
    assert!(common::wait_until(|| bench.path("arena.jsonl").exists()));
    std::thread::sleep(std::time::Duration::from_millis(200));
    signal("-STOP");
    std::thread::sleep(std::time::Duration::from_millis(1500));
    signal("-CONT");
    assert!(child.wait().unwrap().success());
    let games = bench.games();
    let late: Vec<&GameRecord> = games
        .iter()
        .filter(|g| g.reason == Reason::Timeout)
        .collect();
    assert_eq!(late.len(), 1, "{games:?}");
    assert!(late[0].overloaded, "{}", late[0].detail);
    assert!(
        late[0].detail.contains("the machine was overloaded"),
        "{}",
        late[0].detail
    );
}

#[cfg(target_os = "linux")]
#[test]
fn pinning_needs_cores() {
    let bench = Bench::new();
    let (one, two) = (mock("one", "--row 3"), mock("two", "--row 9"));
    bench.run_well(&["match", "-e", &one, "-e", &two, "--turn", "1", "--pin"]);
    let words = [
        "match", "-e", &one, "-e", &two, "--turn", "1", "--pin", "-o", "x", "-c", "5000",
    ];
    let output = bench.run(&words);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("cannot pin 5000 games"));
}
