//! Pages of small events with the worst names there are.

use super::*;
use crate::record::{EventRecord, FORMAT_VERSION, GameRecord, MoveRecord, Outcome, Reason, Record};

/// Everything that means something in HTML, attributes, script or JSON.
const HOSTILE: &str = "</script><script>alert('x')</script>\"onload=\"<!--&\u{202e}";

fn moves(points: &[&str]) -> Vec<MoveRecord> {
    points
        .iter()
        .enumerate()
        .map(|(ply, point)| MoveRecord {
            point: (*point).to_owned(),
            opening: ply < 2,
            time_ms: 10 * ply as u64,
            score: (ply > 3).then_some(15),
            depth: (ply > 3).then_some(9),
            nodes: None,
            messages: Vec::new(),
        })
        .collect()
}

fn game(number: u64, players: [&str; 2], outcome: Outcome, reason: Reason) -> GameRecord {
    GameRecord {
        number,
        pair: number / 2,
        rule: "freestyle".to_owned(),
        width: 15,
        height: 15,
        procedure: "free".to_owned(),
        opening_source: "book.txt:1".to_owned(),
        black: 0,
        white: 1,
        black_name: players[0].to_owned(),
        white_name: players[1].to_owned(),
        moves: moves(&["h8", "a1", "h9", "b1", "h10", "c1", "h11", "d1", "h12"]),
        outcome,
        reason,
        detail: HOSTILE.to_owned(),
        last_lines: vec![HOSTILE.to_owned()],
        overloaded: false,
        started_unix: 1_764_374_400,
        duration_ms: 90_000,
        peak_memory: [0; 2],
        worst_overstep_ms: [0; 2],
    }
}

fn collection(engines: &[&str], games: Vec<GameRecord>) -> Collection {
    let event = EventRecord {
        version: FORMAT_VERSION,
        config: serde_json::json!({
            "name": HOSTILE,
            "sprt": { "elo0": 0.0, "elo1": 200.0, "alpha": 0.05, "beta": 0.05, "model": "logistic" },
        }),
        engines: engines.iter().map(|&name| name.to_owned()).collect(),
        game_count: 20,
        shard: None,
        started_unix: 1,
    };
    let records = games.into_iter().map(|game| Record::Game(Box::new(game)));
    let lines: Vec<String> = std::iter::once(Record::Event(Box::new(event)))
        .chain(records)
        .map(|record| serde_json::to_string(&record).unwrap())
        .collect();
    let mut collection = Collection::default();
    collection.add_text(&lines.join("\n"), "test").unwrap();
    collection
}

fn options() -> ReportOptions {
    ReportOptions {
        max_replayed: 100,
        ..ReportOptions::default()
    }
}

/// A match in which the first wins three of four and the other crashes once.
fn small_match(name: &str) -> Collection {
    let games = vec![
        game(0, [name, "B"], Outcome::Black, Reason::Five),
        game(1, ["B", name], Outcome::White, Reason::Crash),
        game(2, [name, "B"], Outcome::Black, Reason::Five),
        game(3, ["B", name], Outcome::Black, Reason::Five),
    ];
    collection(&[name, "B"], games)
}

#[test]
fn hostile_names_stay_text() {
    let page = render(&mut small_match(HOSTILE), &options()).unwrap();
    // Our own two script elements and no other; no way out of an attribute.
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!(page.matches("</script>").count(), 2);
    assert!(!page.contains("<!--"));
    // Quotes and characters that turn text around reach the data only.
    let markup = page.replace(data(&page), "");
    assert!(!markup.contains("\"onload="));
    assert!(!markup.contains('\u{202e}'));
    // The script still gets the real name.
    let json: serde_json::Value = serde_json::from_str(data(&page)).unwrap();
    assert_eq!(json["engines"][0], HOSTILE);
    assert_eq!(json["games"][3]["players"], serde_json::json!([1, 0]));
    assert_eq!(json["games"][0]["moves"], "h8a1h9b1h10c1h11d1h12");
    assert_eq!(json["games"][0]["given"], 2);
    assert_eq!(json["games"][1]["failed"], true);
}

fn data(page: &str) -> &str {
    let start = page.find("id=\"data\">").unwrap() + "id=\"data\">".len();
    page[start..].split("</script>").next().unwrap()
}

#[test]
fn the_page_loads_nothing() {
    let page = render(&mut small_match("A"), &options()).unwrap();
    for foreign in ["http://", "https://", "src=", "@import", "url(h", "<link"] {
        let used = page.replace("http://www.w3.org/2000/svg", "");
        assert!(!used.contains(foreign), "{foreign}");
    }
}

/// What the script takes hold of is in the page, and every key the page names
/// is one the script knows.
#[test]
fn games_are_stepped_by_what_the_page_offers() {
    let page = render(&mut small_match("A"), &options()).unwrap();
    let script = page.rsplit("<script").next().unwrap();
    let named = |call: &str| -> Vec<String> {
        let parts = script.split(call).skip(1);
        parts
            .map(|part| part.split('"').next().unwrap().to_owned())
            .collect()
    };
    let ids = named("byId(\"");
    assert!(ids.len() > 15, "{ids:?}");
    for id in &ids {
        // Of the page, or made by the script itself.
        let places = [format!(" id=\"{id}\""), format!("{{ id: \"{id}\" }}")];
        assert!(places.iter().any(|place| page.contains(place)), "no {id}");
    }
    let clicked = ["first", "back", "next", "last", "play", "moves", "list"];
    for id in clicked {
        let listener = format!("byId(\"{id}\").addEventListener(\"click\"");
        assert!(script.contains(&listener), "{id}");
    }
    for (shown, key) in [
        ("←", "ArrowLeft:"),
        ("→", "ArrowRight:"),
        ("Home", "Home:"),
        ("End", "End:"),
        ("↑", "ArrowUp:"),
        ("↓", "ArrowDown:"),
        ("space", "\" \":"),
        ("n", "n:"),
    ] {
        assert!(page.contains(&format!("<kbd>{shown}</kbd>")), "{shown}");
        assert!(script.contains(&format!("\n    {key}")), "{key}");
    }
}

#[test]
fn a_match_shows_its_figures() {
    let page = render(&mut small_match("A"), &options()).unwrap();
    // 3-1 in two pairs of 2 and 1 points: 75 %, 190.8 Elo.
    assert!(page.contains("75.0 %"));
    assert!(page.contains("+190.8 <small>"));
    assert!(page.contains("<span class=\"bad\">crash</span>"));
    assert!(page.contains("4 of 20 games"));
    assert!(page.contains("Sequential test <span class=\"\">not decided</span>"));
    assert!(!page.contains("Cross table"));
}

#[test]
fn a_tournament_has_a_cross_table_and_anchors() {
    let games = vec![
        game(0, ["A", "B"], Outcome::Black, Reason::Five),
        game(1, ["B", "A"], Outcome::Draw, Reason::FullBoard),
        game(2, ["B", "C"], Outcome::White, Reason::Timeout),
        game(3, ["C", "A"], Outcome::White, Reason::Foul),
    ];
    let mut field = collection(&["A", "B", "C"], games);
    let mut options = options();
    options.anchors = vec![("B".to_owned(), 2000.0)];
    options.title = Some("<Cup>".to_owned());
    let page = render(&mut field, &options).unwrap();
    assert!(page.contains("<h1>&lt;Cup&gt;</h1>"));
    assert!(page.contains("Cross table"));
    assert!(page.contains("<b>2000</b><td>held"));
    assert!(page.contains("<span class=\"bad\">timeout</span>"));
    options.anchors = vec![("nobody".to_owned(), 1.0)];
    assert!(render(&mut field, &options).is_err());
}

#[test]
fn overloaded_machines_are_named() {
    let mut slow = game(0, ["A", "B"], Outcome::Black, Reason::Timeout);
    slow.overloaded = true;
    let mut slow = collection(&["A", "B"], vec![slow]);
    let page = render(&mut slow, &options()).unwrap();
    assert!(page.contains("In 1 of the timeouts the machine was overloaded"));
    let page = render(&mut small_match("A"), &options()).unwrap();
    assert!(!page.contains("overloaded"));
}

#[test]
fn the_newest_games_are_kept_for_replay() {
    let mut options = options();
    options.max_replayed = 1;
    let page = render(&mut small_match("A"), &options).unwrap();
    let json: serde_json::Value = serde_json::from_str(data(&page)).unwrap();
    assert_eq!(json["games"].as_array().unwrap().len(), 1);
    assert_eq!(json["games"][0]["n"], 4);
    assert!(page.contains("The oldest 3 games are counted"));
}
