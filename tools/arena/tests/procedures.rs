//! Opening procedures between engines.

mod common;

use arena::record::{GameRecord, Outcome, Reason};
use common::{Bench, mock};

/// A pair of games with a procedure; the first game has `one` as beginner.
fn play(procedure: &str, one: &str, two: &str) -> Vec<GameRecord> {
    let bench = Bench::new();
    let (one, two) = (mock("one", one), mock("two", two));
    let words = [
        "match",
        "-e",
        &one,
        "-e",
        &two,
        "--turn",
        "2",
        "--procedure",
        procedure,
    ];
    bench.run_well(&words);
    let games = bench.games();
    assert!(games.iter().all(|game| game.procedure == procedure));
    games
}

fn start(game: &GameRecord, count: usize) -> String {
    game.moves[..count]
        .iter()
        .map(|m| m.point.as_str())
        .collect()
}

fn given(game: &GameRecord) -> usize {
    game.moves.iter().filter(|m| m.opening).count()
}

#[test]
fn swap2_second_takes_black() {
    let games = play("swap2", "--row 3 --swap swap", "--row 9 --swap swap");
    for (game, white, row) in [(&games[0], "one", "a4"), (&games[1], "two", "a10")] {
        // Who put the stones is White and goes on.
        assert_eq!((game.white_name.as_str(), given(game)), (white, 3));
        assert_eq!(start(game, 4), format!("h8i9j8{row}"));
        assert_eq!((game.outcome, game.reason), (Outcome::White, Reason::Five));
    }
}

#[test]
fn swap2_second_stays_white() {
    let games = play("swap2", "--row 3 --swap stay", "--row 9 --swap stay");
    for (game, black, row) in [(&games[0], "one", "a10"), (&games[1], "two", "a4")] {
        assert_eq!((game.black_name.as_str(), given(game)), (black, 3));
        assert_eq!(start(game, 4), format!("h8i9j8{row}"));
        assert!(!game.moves[3].opening);
    }
}

#[test]
fn swap2_first_chooses_after_two_more() {
    // The first stays White: it moves sixth.
    let games = play("swap2", "--row 3 --swap stay", "--row 9 --swap two");
    assert_eq!((games[0].white_name.as_str(), given(&games[0])), ("one", 5));
    assert_eq!(start(&games[0], 6), "h8i9j8b2c3a4");
    // The first takes Black, so the other moves sixth.
    let games = play("swap2", "--row 3 --swap swap", "--row 9 --swap two");
    assert_eq!((games[0].black_name.as_str(), given(&games[0])), ("one", 5));
    assert_eq!(start(&games[0], 6), "h8i9j8b2c3a10");
}

#[test]
fn swap_knows_no_third_way() {
    let games = play("swap", "--row 3", "--row 9 --swap two");
    assert_eq!((games[0].black_name.as_str(), given(&games[0])), ("one", 3));
    assert_eq!(start(&games[0], 4), "h8i9j8a10");
    let games = play("swap", "--row 3", "--row 9 --swap swap");
    assert_eq!(games[0].black_name, "two");
}

/// Black is told of the closed points; whoever plays there all the same has lost.
#[test]
fn pro_closes_the_centre_for_the_third_stone() {
    for (procedure, third, square) in [("pro", "k8", "5x5"), ("long-pro", "l8", "7x7")] {
        let games = play(procedure, "--row 7 --from 8", "--row 0");
        assert_eq!(games[0].black_name, "one");
        for (game, second) in games.iter().zip(["a1", "i8"]) {
            assert_eq!((start(game, 1), given(game)), ("h8".to_owned(), 1));
            assert_eq!(game.moves[1].point, second);
            assert_eq!(game.reason, Reason::Five, "{}", game.detail);
        }
        assert_eq!(games[0].moves[2].point, third);
        let games = play(procedure, "--row 7 --from 8 --ignore-closed", "--row 0");
        let detail = format!("i8 is not outside the central {square} points");
        assert_eq!(
            (games[0].reason, &games[0].detail),
            (Reason::IllegalMove, &detail)
        );
        assert_eq!(games[0].outcome, Outcome::White);
    }
}

#[test]
fn small_boards_and_openings_do_not_go_with_pro() {
    let bench = Bench::new();
    let (one, two) = (mock("one", ""), mock("two", ""));
    let openings = bench.write("o.txt", "h8\n");
    let refused = |more: &[&str], word: &str| {
        let mut words = vec!["match", "-e", &one, "-e", &two, "--turn", "1"];
        words.extend(more);
        let output = bench.run(&words);
        let errors = common::text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(errors.contains(word), "{errors}");
    };
    refused(&["--procedure", "pro", "--size", "5"], "too small for pro");
    refused(
        &["--procedure", "long-pro", "--size", "7"],
        "too small for long-pro",
    );
    refused(
        &[
            "--procedure",
            "swap2",
            "--openings",
            openings.to_str().unwrap(),
        ],
        "free",
    );
}
