//! Round trips, fixed examples and names that try to break out.

use super::*;
use crate::record::{GameRecord, Outcome, Reason};
use yonsan::board::{Colour, parse_moves};
use yonsan::game_file::{DEFAULT_SIZE, FileError, FileGame, ToldResult, read_psq};
use yonsan::rules::Rule;

/// Names with everything that means something in one of the formats.
const HOSTILE: [&str; 6] = [
    "D[x]:\\",
    "a\"b,c\nd",
    "];W[aa](;",
    "3,4,500",
    "<script>alert(1)</script>",
    "Ünïcødé \u{202e} 五子棋",
];

fn read_sgf(text: &str) -> Result<Vec<FileGame>, FileError> {
    yonsan::game_file::read_sgf(text, DEFAULT_SIZE)
}

fn move_record(point: &str, time_ms: u64) -> MoveRecord {
    MoveRecord {
        point: point.to_owned(),
        opening: false,
        time_ms,
        score: None,
        depth: None,
        nodes: None,
        messages: Vec::new(),
    }
}

/// Black makes five on column h with the last move.
fn game(black: &str, white: &str) -> GameRecord {
    let points = ["h8", "a1", "h9", "b1", "h10", "c1", "h11", "d1", "h12"];
    let mut moves: Vec<MoveRecord> = points
        .iter()
        .zip(0..)
        .map(|(point, ply)| move_record(point, 100 * ply))
        .collect();
    moves[0].opening = true;
    moves[3].score = Some(-35);
    moves[3].depth = Some(12);
    moves[3].nodes = Some(123_456);
    moves[4].messages = vec!["MESSAGE score: 3] \\ (;B[aa]".to_owned()];
    GameRecord {
        number: 4,
        pair: 2,
        rule: "standard".to_owned(),
        width: 15,
        height: 15,
        procedure: "free".to_owned(),
        opening_source: "book.txt:3".to_owned(),
        black: 0,
        white: 1,
        black_name: black.to_owned(),
        white_name: white.to_owned(),
        moves,
        outcome: Outcome::Black,
        reason: Reason::Five,
        detail: String::new(),
        last_lines: Vec::new(),
        overloaded: false,
        started_unix: 1_764_374_400,
        duration_ms: 3600,
        peak_memory: [0; 2],
        worst_overstep_ms: [0; 2],
    }
}

/// A record with what the format cannot hold taken out.
fn stripped(game: &GameRecord, number: u64) -> GameRecord {
    let mut game = game.clone();
    game.number = number;
    game.pair = number;
    game.opening_source = String::new();
    game.started_unix = 0;
    for entry in &mut game.moves {
        entry.messages.clear();
    }
    game
}

#[test]
fn psq_has_the_known_form() {
    let text = write_psq(&game("Alpha", "Beta"));
    let expected = "Piskvorky 15x15, 11:11, 0\n8,8,0\n1,1,100\n8,9,200\n2,1,300\n8,10,400\n\
                    3,1,500\n8,11,600\n4,1,700\n8,12,800\nAlpha\nBeta\n-1\n1,Standard\n";
    assert_eq!(text, expected);
}

#[test]
fn psq_comes_back() {
    for name in HOSTILE {
        let original = game(name, "Beta");
        let read = read_psq(&write_psq(&original)).unwrap();
        let record = to_record(&read, 9, Rule::Freestyle).unwrap();
        let mut expected = stripped(&original, 9);
        // A line break in a name cannot stand in a format of lines.
        expected.black_name = name.replace('\n', " ");
        for entry in &mut expected.moves {
            entry.opening = false;
            entry.score = None;
            entry.depth = None;
            entry.nodes = None;
        }
        assert_eq!(record, expected);
    }
}

/// A file as Piskvork's users pass it around: carriage returns, no names, the
/// moves of an overline that wins without exact five (a report about the
/// manager's renju plug-in).
#[test]
fn psq_of_piskvork_is_read() {
    let moves = "2,10 5,10 6,11 7,9 6,10 8,8 6,8 7,7 6,7 9,10 6,12 17,5 6,9";
    let body: String = moves.split(' ').map(|m| format!("{m},17\r\n")).collect();
    let read = read_psq(&format!("Piskvorky 20x20, 11:11, 0\r\n{body}")).unwrap();
    let expected = parse_moves("b10e10f11g9f10h8f8g7f7i10f12q5f9").unwrap();
    let points: Vec<_> = read.moves.iter().map(|entry| entry.point).collect();
    assert_eq!(points, expected);
    assert_eq!(read.moves[0].time_ms, 17);
    let record = to_record(&read, 0, Rule::Freestyle).unwrap();
    assert_eq!(
        (record.outcome, record.reason),
        (Outcome::Black, Reason::Five)
    );
    // Under renju the same last move is a foul.
    let record = to_record(&read, 0, Rule::Renju).unwrap();
    assert_eq!(
        (record.outcome, record.reason),
        (Outcome::White, Reason::Foul)
    );
    assert_eq!(record.detail, "overline at f9");
}

#[test]
fn psq_with_the_second_player_beginning() {
    let text = "Piskvorky 15x15, 11:11, 1\n8,8,0\nfirst\nsecond\n-1\n1,Freestyle\n";
    let read = read_psq(text).unwrap();
    assert_eq!(
        (read.black_name.as_str(), read.white_name.as_str()),
        ("second", "first")
    );
    assert_eq!(read.result, Some(ToldResult::Won(Colour::White)));
}

#[test]
fn bad_psq_is_refused_with_its_line() {
    for (text, expected) in [
        ("", "line 1: no header"),
        ("Piskvorky 99x99, 1:1, 0", "line 1: a board of 99x99"),
        (
            "Piskvorky 15x15, 1:1, 0\n8,8,1\n16,1,1",
            "line 3: 16,1 is outside",
        ),
        ("Piskvorky 15x15, 1:1, 0\n0,1,1", "line 2: 0,1 is outside"),
        (
            "Piskvorky 15x15, 1:1, 0\n8,8,1\n8,8,1",
            "line 3: 8,8 is taken",
        ),
    ] {
        let error = read_psq(text).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
    let unfinished = read_psq("Piskvorky 15x15, 1:1, 0\n8,8,1").unwrap();
    assert!(to_record(&unfinished, 0, Rule::Freestyle).is_err());
}

#[test]
fn sgf_comes_back_whatever_the_names_are() {
    let games: Vec<GameRecord> = HOSTILE.iter().map(|name| game(name, "D[x]")).collect();
    let read = read_sgf(&write_sgf(&games)).unwrap();
    assert_eq!(read.len(), games.len());
    for (read, original) in read.iter().zip(&games) {
        let record = to_record(read, 1, Rule::Freestyle).unwrap();
        assert_eq!(record, stripped(original, 1));
    }
}

#[test]
fn sgf_escapes_what_ends_and_splits_values() {
    let text = write_sgf(&[game("D[x]", "a:b\\c")]);
    assert!(text.starts_with("(;FF[4]GM[4]CA[UTF-8]AP[arena:"), "{text}");
    assert!(text.contains("SZ[15]RU[standard]PB[D[x\\]]PW[a\\:b\\\\c]RE[B+]"));
    assert!(text.contains("DT[2025-11-29]"), "{text}");
    assert!(text.contains(";B[hh]C[opening]\n;W[aa]C[time 100 ms]\n;B[hi]"));
}

/// Variations, set-up stones, odd blanks, an old name and a rectangle.
#[test]
fn sgf_of_others_is_read() {
    let text = "junk (;GaMe[4] SZ [15:20]\n AB[hh][ii]AW[jj] PB[a\\]b] RE[W+R]\n\
                (;W[kt];B[aa]C[fine [\\]])(;W[bb];B[cc])) (;GM[4];B[h8];W[oo])";
    let read = read_sgf(text).unwrap();
    assert_eq!(read.len(), 2);
    let points = |game: &FileGame| -> String {
        game.moves
            .iter()
            .map(|entry| entry.point.to_string())
            .collect()
    };
    assert_eq!(points(&read[0]), "h8j10i9k20a1");
    assert_eq!(read[0].size.to_string(), "15x20");
    assert_eq!(read[0].black_name, "a]b");
    assert_eq!(read[0].result, Some(ToldResult::Won(Colour::White)));
    assert!(read[0].moves[2].opening && !read[0].moves[3].opening);
    assert_eq!(points(&read[1]), "h8o15");
    assert_eq!(read[1].result, None);
}

#[test]
fn bad_sgf_is_refused_with_its_line() {
    for (text, expected) in [
        ("", "line 1: no game tree"),
        ("(;GM[1]SZ[19];B[aa])", "line 1: game 1 is not Gomoku"),
        (
            "(;GM[4]\n;B[aa]\n;B[bb])",
            "line 3: move 2 is made by the wrong side",
        ),
        ("(;GM[4]\n;B[aa]\n;W[aa])", "line 3: a1 is taken"),
        ("(;GM[4];B[zz])", "line 1: 'zz' is no point"),
        ("(;GM[4]\n;B[aa", "line 2: a value does not end"),
        ("(;GM[4];B[aa]", "line 1: the game does not end"),
        ("(;GM[4]SZ[99])", "line 1: no board such as 99"),
        ("(;GM[4]AB[aa][bb])", "line 1: set-up stones"),
        ("(;GM[4]B;)", "line 1: B has no value"),
    ] {
        let error = read_sgf(text).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{text}: {error}");
    }
}

#[test]
fn pgn_has_one_safe_line_a_tag() {
    let mut drawn = game("a\"b\\c\nd", "Beta");
    drawn.outcome = Outcome::Draw;
    let text = write_pgn(&[drawn, game("Alpha", "Beta")]);
    assert!(text.contains("[Black \"a\\\"b\\\\c d\"]\n[Result \"1/2-1/2\"]\n"));
    assert!(text.contains("[Black \"Alpha\"]\n[Result \"0-1\"]\n"));
    assert!(text.contains("[GomokuMoves \"h8a1h9b1h10c1h11d1h12\"]"));
    assert!(text.contains("[Date \"2025.11.29\"]"));
    assert_eq!(text.matches("\n\n1. e4 e5 ").count(), 2);
}

#[test]
fn csv_rows_tell_the_result_of_the_mover() {
    let text = write_csv(&[game("a\"b,c", "Beta")]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 10);
    assert_eq!(lines[1], "4,0,\"a\"\"b,c\",,h8,1,0,,2");
    assert_eq!(lines[4], "4,3,Beta,h8a1h9,b1,0,300,-35,0");
    let mut drawn = game("A", "B");
    drawn.outcome = Outcome::Draw;
    assert!(
        write_csv(&[drawn])
            .lines()
            .skip(1)
            .all(|line| line.ends_with(",1"))
    );
}

#[test]
fn score_lines_count_draws_as_half() {
    let mut games = vec![
        game("A", "B"),
        game("B", "A"),
        game("A", "B"),
        game("C", "A"),
    ];
    games[2].outcome = Outcome::Draw;
    assert_eq!(
        write_scores(&games),
        "A vs B: 1 - 1 - 1 [0.500] 3\nC vs A: 1 - 0 - 0 [1.000] 1\n"
    );
}

#[test]
fn results_are_told_with_their_reason() {
    let re = |outcome, reason| {
        let mut game = game("A", "B");
        (game.outcome, game.reason) = (outcome, reason);
        let text = write_sgf(&[game]);
        let start = text.find("RE[").unwrap() + 3;
        text[start..].split(']').next().unwrap().to_owned()
    };
    assert_eq!(re(Outcome::White, Reason::Timeout), "W+T");
    assert_eq!(re(Outcome::White, Reason::Foul), "W+F");
    assert_eq!(re(Outcome::Black, Reason::Crash), "B+F");
    assert_eq!(re(Outcome::Black, Reason::Resigned), "B+R");
    assert_eq!(re(Outcome::Draw, Reason::FullBoard), "0");
}
