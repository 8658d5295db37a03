//! Games whose truth is known, and the texts made of them.

use super::*;
use crate::engine::{Engine, Options};
use crate::game_file::{DEFAULT_SIZE, read_letters};
use serde_json::Value;

/// Enough for all that is asked here.
const BUDGET: Budget = Budget {
    time: None,
    nodes: Some(2_000),
};

fn analysis_of(rule: Rule, size: Size, given: usize, moves: &str) -> Analysis {
    let game = read_letters(moves, size).unwrap();
    let mut engine = Engine::new();
    engine.set_options(Options {
        threads: 1,
        hash_bytes: Some(1 << 20),
        ..Options::default()
    });
    analyse(&game, rule, given, BUDGET, &mut engine, &mut |_, _| {}).unwrap()
}

fn point(text: &str) -> Point {
    text.parse().unwrap()
}

/// Black has `h8`, a four and a three at once, and plays elsewhere (puzzle 1 of
/// `tests/data/puzzles`). White's open three `k3 l3 m3` then becomes an open
/// four and wins with the stone after next.
fn missed_win() -> Analysis {
    let moves = "e8d8f8k3g8l3h9m3h10c11 o15";
    analysis_of(Rule::Freestyle, DEFAULT_SIZE, 10, moves)
}

#[test]
fn a_missed_win_is_seen() {
    let analysis = missed_win();
    let last = &analysis.moves[10];
    assert_eq!((last.colour, last.best()), (Colour::Black, point("h8")));
    assert_eq!(last.before, Score::win_in(5));
    assert_eq!(last.after, Score::loss_in(4));
    assert_eq!(last.grade, Grade::Blunder);
    assert!(last.missed_win && last.overlooked_threat);
    assert!((last.loss() - 1.0).abs() < 1e-12);
    let reply = last.reply_line[0];
    assert!([point("j3"), point("n3")].contains(&reply), "{reply}");
    let black = analysis.summary(Colour::Black);
    assert_eq!((black.judged, black.blunders, black.missed_wins), (1, 1, 1));
    assert!((black.mean_loss - 1.0).abs() < 1e-12);
    assert_eq!(analysis.summary(Colour::White), SideSummary::default());
}

/// White must stop `a1` to `a4` at `a5`. That holds: on so small a board Black
/// has no other line with two stones in it.
#[test]
fn an_overlooked_threat_is_seen() {
    let size = Size::square(5).unwrap();
    let analysis = analysis_of(Rule::Freestyle, size, 7, "a1b2a2c3a3d5a4 e1");
    let last = &analysis.moves[7];
    assert_eq!((last.colour, last.best()), (Colour::White, point("a5")));
    assert_eq!(last.after, Score::loss_in(2));
    assert_eq!(last.before.loss_plies(), None);
    assert!(last.overlooked_threat && !last.missed_win);
    assert_eq!(last.reply_line, [point("a5")]);
}

/// White has four in a row that only `g7` stops, and there Black must not play.
#[test]
fn a_foul_that_could_not_be_helped_is_no_mistake() {
    let moves = "h8g6f6g5f7g4h7g3g2a1 g7";
    let analysis = analysis_of(Rule::Renju, DEFAULT_SIZE, 10, moves);
    let last = &analysis.moves[10];
    assert_eq!(last.foul, Some(Foul::DoubleThree));
    assert_eq!(
        (last.before, last.after),
        (Score::loss_in(2), Score::loss_in(1))
    );
    assert!(!last.grade.is_fault() && !last.overlooked_threat);
    let text = text(&analysis);
    assert!(
        text.contains("White wins: g7 is a foul, double three."),
        "{text}"
    );
    assert!(
        text.contains("A foul, forbidden to Black: double three."),
        "{text}"
    );
}

#[test]
fn scores_hang_together() {
    let moves = "h8i9g10i10i8h9g8j8g9g11h10f8f10j9i7j6e11";
    let analysis = analysis_of(Rule::Freestyle, DEFAULT_SIZE, 3, moves);
    for entry in &analysis.moves {
        assert!(entry.after <= entry.before, "{}", entry.point);
        assert_eq!(
            entry.grade == Grade::Best,
            entry.best() == entry.point && entry.grade != Grade::Given
        );
    }
    for pair in analysis.moves.windows(2) {
        assert_eq!(pair[0].after, pair[1].before.before_move());
    }
    let last = &analysis.moves[16];
    assert_eq!((last.after, last.grade), (Score::win_in(1), Grade::Best));
    assert!(last.reply_line.is_empty());
    assert!(analysis.moves[..3].iter().all(|m| m.grade == Grade::Given));
    let rates = analysis.black_win_rates();
    assert_eq!(rates.len(), 18);
    assert!((rates[17] - 1.0).abs() < 1e-12);
    // White's last move but one was lost already.
    assert!((rates[16] - 1.0).abs() < 1e-12);
}

#[test]
fn progress_counts_every_position() {
    let game = read_letters("h8 i9 h9", DEFAULT_SIZE).unwrap();
    let mut calls = Vec::new();
    let budget = Budget {
        time: None,
        nodes: Some(50),
    };
    let mut note = |done, count| calls.push((done, count));
    analyse(&game, Rule::Caro, 0, budget, &mut Engine::new(), &mut note).unwrap();
    assert_eq!(calls, [(0, 4), (1, 4), (2, 4), (3, 4), (4, 4)]);
}

#[test]
fn text_is_narrow_and_says_what_happened() {
    let mut analysis = missed_win();
    analysis.names = ["A\u{1b}[31m".repeat(60), "Bea".to_owned()];
    let text = text(&analysis);
    for line in text.lines() {
        assert!(line.chars().count() <= 80, "{line}");
        assert!(!line.contains('\u{1b}'));
    }
    for part in [
        "O White: Bea\n",
        "15x15, freestyle, 11 moves. Unfinished.",
        "  11 X o15      win in 3   loss in 2    100%  Blunder\n",
        "       Missed win: h8 wins in 3 moves.\n",
        "       Overlooked threat: White wins in 2 moves with ",
        " Missed wins                          1                 0\n",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

/// Names that try to end what they stand in.
const HOSTILE: [&str; 2] = ["</script><b>\"\\\n\u{7}", "<!-- \u{202e}'&amp;"];

#[test]
fn json_is_json_whatever_the_names_are() {
    let mut analysis = missed_win();
    analysis.names = HOSTILE.map(str::to_owned);
    let value: Value = serde_json::from_str(&json(&analysis)).unwrap();
    assert_eq!(value["schema"], SCHEMA);
    assert_eq!(value["schema_version"], 1);
    assert_eq!(
        (&value["black"], &value["white"]),
        (&HOSTILE[0].into(), &HOSTILE[1].into())
    );
    assert_eq!(
        (&value["width"], &value["rule"]),
        (&15.into(), &"freestyle".into())
    );
    assert_eq!(value["result"]["winner"], Value::Null);
    assert_eq!(value["engine"]["time_ms"], Value::Null);
    assert_eq!(value["engine"]["nodes"], 2_000);
    assert_eq!(value["summary"]["black"]["missed_wins"], 1);
    assert_eq!(value["black_win_rates"].as_array().unwrap().len(), 12);
    let moves = value["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 11);
    assert_eq!(moves[0]["grade"], "given");
    let last = &moves[10];
    for (field, expected) in [
        ("number", Value::from(11)),
        ("side", "black".into()),
        ("point", "o15".into()),
        ("best", "h8".into()),
        ("grade", "blunder".into()),
        ("loss", 1.0.into()),
        ("missed_win", true.into()),
        ("overlooked_threat", true.into()),
        ("foul", Value::Null),
    ] {
        assert_eq!(last[field], expected, "{field}");
    }
    assert_eq!(last["before"]["forced"], 5);
    assert_eq!(last["after"]["forced"], -4);
    assert_eq!(
        (&last["after"]["value"], &last["after"]["win_rate"]),
        (&Value::Null, &0.0.into())
    );
    assert_eq!(last["best_line"][0], "h8");
    assert_eq!(last["remarks"].as_array().unwrap().len(), 2);
}

#[test]
fn the_page_needs_nothing_from_elsewhere() {
    let mut analysis = missed_win();
    analysis.names = HOSTILE.map(str::to_owned);
    let page = html(&analysis);
    let namespace = "http://www.w3.org/2000/svg";
    let links = page.replace(namespace, "").replace("http-equiv", "");
    for word in [
        "http", "//www", "src=", "href=", "@import", "fetch(", "XMLHttp",
    ] {
        assert!(!links.contains(word), "{word}");
    }
    let addresses = page.matches("url(").count();
    assert_eq!(addresses, page.matches("url(#").count());
    assert!(page.contains("default-src 'none'"));
    // The data and the script, and no name has ended either.
    assert_eq!(page.matches("</script>").count(), 2);
    assert!(!page.contains("<b>\"") && !page.contains("<!-- "));
    let start = page.find("id=\"data\">").unwrap() + "id=\"data\">".len();
    let data = &page[start..];
    let data = &data[..data.find("</script>").unwrap()];
    let value: Value = serde_json::from_str(data).unwrap();
    assert_eq!(value["black"], HOSTILE[0]);
}
