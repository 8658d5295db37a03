//! Engines that misbehave: each is judged right, and the run goes on.

mod common;

use arena::record::{GameRecord, Outcome, Reason};
use common::{Bench, mock, text};

/// Plays two pairs of a faulty engine against a good one, with short times.
fn play(options: &str, words: &[&str]) -> (Bench, Vec<GameRecord>) {
    play_against_good(&mock("bad", options), words)
}

fn play_against_good(bad: &str, words: &[&str]) -> (Bench, Vec<GameRecord>) {
    let bench = Bench::new();
    let good = mock("good", "--row 9");
    let mut all = vec![
        "match", "-e", bad, "-e", &good, "--pairs", "2", "--tc", "10/0.3",
    ];
    all.extend(["--tolerance", "0.2", "--end-grace", "0.2"]);
    all.extend(words);
    bench.run_well(&all);
    let games = bench.games();
    assert_eq!(games.len(), 4);
    (bench, games)
}

/// Every game is lost by the faulty engine for this reason, in either colour.
fn assert_all_lost(games: &[GameRecord], reason: Reason, detail: &str) {
    for game in games {
        let loser = match game.outcome {
            Outcome::Black => &game.white_name,
            Outcome::White => &game.black_name,
            Outcome::Draw => panic!("a draw: {}", game.detail),
        };
        assert_eq!(
            (loser.as_str(), game.reason),
            ("bad", reason),
            "{}",
            game.detail
        );
        assert!(game.detail.contains(detail), "{}", game.detail);
    }
}

#[test]
fn a_crash_is_a_crash_and_its_last_lines_are_kept() {
    let (_, games) = play("--fault crash --at 2", &[]);
    assert_all_lost(&games, Reason::Crash, "ended");
    for game in &games {
        let last = game.last_lines.join("\n");
        assert!(
            last.contains("stderr: thread 'main' panicked: out of ideas"),
            "{last}"
        );
        assert!(game.moves.len() >= 2);
    }
}

/// Embryo 2021 loses commands that come right after its answer.
#[test]
fn an_engine_that_needs_rest_gets_it() {
    let bad = mock("bad", "--deaf-ms 100");
    let (_, games) = play_against_good(&bad, &[]);
    assert_all_lost(&games, Reason::Timeout, "no answer");
    let (_, games) = play_against_good(&format!("{bad} rest=300ms"), &[]);
    assert_all_lost(&games, Reason::Five, "a row");
    // The rest is no thinking time.
    let mut moves = games.iter().flat_map(|game| &game.moves);
    assert!(moves.all(|m| m.time_ms < 300));
}

#[test]
fn a_hang_is_a_timeout() {
    let (_, games) = play("--fault hang --at 2", &[]);
    assert_all_lost(&games, Reason::Timeout, "no answer");
    for game in &games {
        let bad = usize::from(game.white_name == "bad");
        assert!(
            game.worst_overstep_ms[bad] >= 200,
            "{:?}",
            game.worst_overstep_ms
        );
        assert!(game.duration_ms < 3_000, "{}", game.duration_ms);
    }
}

#[test]
fn a_late_answer_is_a_timeout() {
    let (_, games) = play("--fault late --ms 700 --at 2", &[]);
    assert_all_lost(&games, Reason::Timeout, "tolerance 200 ms");
}

#[test]
fn an_answer_within_the_tolerance_is_noted_and_good() {
    let bench = Bench::new();
    let (slow, good) = (
        mock("slow", "--fault late --ms 400 --row 3"),
        mock("good", "--row 9"),
    );
    let words = [
        "match",
        "-e",
        &slow,
        "-e",
        &good,
        "--turn",
        "0.3",
        "--tolerance",
        "2",
    ];
    bench.run_well(&words);
    for game in bench.games() {
        assert_eq!(game.reason, Reason::Five, "{}", game.detail);
        let slow = usize::from(game.white_name == "slow");
        assert!(
            game.worst_overstep_ms[slow] >= 100,
            "{:?}",
            game.worst_overstep_ms
        );
        assert_eq!(game.worst_overstep_ms[1 - slow], 0);
    }
}

#[test]
fn two_answers_are_garbage() {
    let (_, games) = play("--fault twice --at 2", &[]);
    assert_all_lost(&games, Reason::Garbage, "without being asked");
    // The opponent thinks while the second answer comes.
    let bench = Bench::new();
    let bad = mock("bad", "--fault again --ms 50 --at 2");
    let good = mock("good", "--row 9 --think-ms 250");
    bench.run_well(&["match", "-e", &bad, "-e", &good, "--turn", "2"]);
    assert_all_lost(
        &bench.games(),
        Reason::Garbage,
        "said '0,0' without being asked",
    );
}

#[test]
fn garbage_is_garbage() {
    let (_, games) = play("--fault garbage --at 2", &[]);
    assert_all_lost(&games, Reason::Garbage, "I think seven seven");
    let (_, games) = play("--fault error --at 1", &[]);
    assert_all_lost(&games, Reason::Garbage, "ERROR I do not know");
    // What a manager waits for in vain.
    let (_, games) = play("--fault unknown --at 1", &[]);
    assert_all_lost(&games, Reason::Timeout, "said 'UNKNOWN command'");
}

#[test]
fn chatter_is_passed_over_unless_strict() {
    let (_, games) = play("--fault chatter --row 3", &[]);
    assert!(games.iter().all(|game| game.reason == Reason::Five));
    let (_, games) = play("--fault chatter --at 2", &["--strict"]);
    assert_all_lost(&games, Reason::Garbage, "answered 'thinking hard'");
}

#[test]
fn taken_and_outside_points_are_illegal() {
    let (_, games) = play("--fault occupied --at 2", &[]);
    assert_all_lost(&games, Reason::IllegalMove, "is taken");
    let (_, games) = play("--fault outside --at 3", &[]);
    assert_all_lost(
        &games,
        Reason::IllegalMove,
        "15,0 is outside the 15x15 board",
    );
}

#[test]
fn floods_are_bounded() {
    for fault in ["flood", "flood-line"] {
        let options = format!("--fault {fault} --at 2");
        let (_, games) = play(&options, &["--flood-limit", "1"]);
        assert_all_lost(&games, Reason::Garbage, "flood");
    }
}

#[test]
fn half_an_answer_is_a_crash() {
    let (_, games) = play("--fault torn --at 2", &[]);
    assert_all_lost(&games, Reason::Crash, "ended");
    assert!(
        games
            .iter()
            .all(|game| game.last_lines.last().unwrap() == "7,")
    );
}

#[cfg(target_os = "linux")]
#[test]
fn too_much_memory_is_told_and_measured() {
    let words = ["--memory-watch", "enforce", "--memory", "40"];
    let (_, games) = play("--fault memory --mib 60 --at 2", &words);
    assert_all_lost(&games, Reason::Memory, "41943040 are allowed");
    for game in &games {
        let bad = usize::from(game.white_name == "bad");
        assert!(game.peak_memory[bad] > 60 << 20);
        assert!((1..40 << 20).contains(&game.peak_memory[1 - bad]));
    }
    let words = ["--memory-watch", "measure", "--memory", "40"];
    let (_, games) = play("--fault memory --mib 60 --row 3", &words);
    assert!(games.iter().all(|game| game.reason == Reason::Five));
}

#[test]
fn starts_that_fail_are_told() {
    let words = ["--startup-tolerance", "0.3", "--start-retries", "1"];
    let (_, games) = play("--start-fault hang", &words);
    assert_all_lost(&games, Reason::StartFailure, "within 300 ms, 2 times");
    let (_, games) = play("--start-fault crash", &words);
    assert_all_lost(
        &games,
        Reason::StartFailure,
        "ended before it answered START",
    );
    let (_, games) = play("--start-fault error", &words);
    assert_all_lost(&games, Reason::StartFailure, "ERROR no such board");
    assert!(
        games
            .iter()
            .all(|game| game.last_lines == ["ERROR no such board"])
    );
}

/// Engines under wine hang at some starts.
#[test]
fn a_start_that_hangs_once_is_tried_again() {
    let bench = Bench::new();
    let mark = bench.path("started");
    let options = format!("--row 3 --start-fault hang --once {}", mark.display());
    let (bad, good) = (mock("bad", &options), mock("good", "--row 9"));
    let words = [
        "match",
        "-e",
        &bad,
        "-e",
        &good,
        "--turn",
        "1",
        "--startup-tolerance",
        "0.4",
    ];
    bench.run_well(&words);
    assert!(mark.exists());
    assert!(bench.games().iter().all(|game| game.reason == Reason::Five));
}

/// A process that has played refuses the next game: a new one plays it.
#[test]
fn a_second_start_that_is_refused_is_tried_with_a_new_process() {
    for restart in ["off", "auto"] {
        let (_, games) = play("--start-fault again --row 3", &["--restart", restart]);
        assert!(games.iter().all(|game| game.reason == Reason::Five));
    }
    let words = ["--restart", "off", "--start-retries", "0"];
    let (_, games) = play("--start-fault again --row 3", &words);
    // The process that refused is gone: every second game goes well.
    let is_refused = |game: &&GameRecord| game.reason == Reason::StartFailure;
    assert_eq!(games.iter().filter(is_refused).count(), 2);
}

/// A coordinate in a banner must not become a move.
#[test]
fn talk_before_the_start_is_passed_over() {
    for restart in ["on", "off"] {
        let (_, games) = play("--start-fault banner --row 3", &["--restart", restart]);
        assert!(games.iter().all(|game| game.reason == Reason::Five));
        assert!(
            games
                .iter()
                .all(|game| !game.moves.iter().any(|m| m.point == "d4" && m.opening))
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn whoever_ignores_end_is_ended_with_its_children() {
    let mark = "--seed 77001";
    let (bench, games) = play(&format!("--ignore-end --child --row 3 {mark}"), &[]);
    assert!(games.iter().all(|game| game.reason == Reason::Five));
    let left = common::processes_with(mark);
    assert!(left.is_empty(), "{left:?}");
    drop(bench);
}

/// A grandchild that holds the output open must not hide a crash.
#[test]
fn a_crash_with_a_child_left_is_a_crash() {
    let (_, games) = play("--fault crash --at 2 --child", &[]);
    assert_all_lost(&games, Reason::Crash, "ended");
}

/// With one process for all games, a second answer at the end of a game must
/// not be taken for the first move of the next.
#[test]
fn late_answers_do_not_leak_into_the_next_game() {
    let bench = Bench::new();
    // Black wins with its fifth move in a row of its own; White's second
    // answer to its fourth move comes after the end of the game.
    let bad = mock("bad", "--fault again --ms 300 --at 4 --row 9");
    let good = mock("good", "--row 3");
    let words = [
        "match",
        "-e",
        &good,
        "-e",
        &bad,
        "--games",
        "4",
        "--turn",
        "3",
        "--restart",
        "off",
    ];
    bench.run_well(&words);
    let games = bench.games();
    assert_eq!(games.len(), 4);
    for game in &games {
        assert_eq!(
            (game.outcome, game.reason),
            (Outcome::Black, Reason::Five),
            "{}",
            game.detail
        );
        assert!(
            game.moves.iter().all(|m| m.point != "a1"),
            "game {}",
            game.number
        );
    }
}

#[test]
fn a_mistyped_program_is_an_error_at_once() {
    let bench = Bench::new();
    let good = mock("good", "");
    let output = bench.run(&[
        "match",
        "-e",
        "./no-such-engine",
        "-e",
        &good,
        "--turn",
        "1",
    ]);
    assert_eq!(output.status.code(), Some(2));
    let errors = text(&output.stderr);
    assert!(errors.contains("cannot start ./no-such-engine"), "{errors}");
    assert!(!bench.path("arena.jsonl").exists());
}

/// All of them in one event: it comes to its end, and failures are counted apart.
#[test]
fn a_gauntlet_of_faults_is_counted_by_kind() {
    let bench = Bench::new();
    let engines = [
        mock("good", "--row 3"),
        mock("crash", "--fault crash"),
        mock("hang", "--fault hang"),
        mock("illegal", "--fault outside"),
        mock("garbage", "--fault garbage"),
    ];
    let mut words = vec!["gauntlet", "--tc", "9/0.2", "--tolerance", "0.1", "-c", "4"];
    for engine in &engines {
        words.extend(["-e", engine]);
    }
    let table = bench.run_well(&words);
    for row in ["2 crash", "2 timeout", "2 illegal move", "2 garbage"] {
        assert!(table.contains(row), "{table}");
    }
    assert!(table.contains("8-0-0"), "{table}");
}
