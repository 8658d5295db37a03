use super::*;
use crate::results::Quality;
use crate::settings::Settings;
use crate::table::row;

const SETTINGS: &str = "\
name = 'third'
generation = 3
[data]
games = 10
[gates]
boards = ['freestyle 15', 'renju 15']
players = ['tables', 'net']
nodes = { games = 100, nodes = 2000 }
time = { games = 2, seconds = 0.5 }
";

fn quality(loss: f64, right: f64) -> Quality {
    Quality { loss, right }
}

fn fit(rule: &str, value_count: u64, after: f64) -> RuleFit {
    RuleFit {
        rule: rule.to_owned(),
        value_count,
        values: Some(Change {
            before: quality(0.65, 61.5),
            after: quality(after, 68.25),
        }),
        moves: None,
    }
}

fn gate(wins: u64, draws: u64, losses: u64, failures: u64) -> Outcome {
    Outcome::Gate(GateFigures {
        wins,
        draws,
        losses,
        standard_error: Some(0.0125),
        failures,
    })
}

fn state() -> State {
    let settings = Settings::parse(SETTINGS).unwrap();
    let mut state = State::new(settings, SETTINGS.to_owned());
    let rules = [("freestyle", 1_200, 40_000), ("renju", 34, 1_000)];
    let rules = rules.map(|(rule, games, positions)| RuleGames {
        rule: rule.to_owned(),
        games,
        positions,
    });
    let rules = rules.to_vec();
    state.note("data", 5_400.0, Some(Outcome::Data { rules }));
    let rules = vec![fit("freestyle", 300, 0.5), fit("renju", 100, 0.6)];
    state.note("fit", 75.4, Some(Outcome::Fit { rules }));
    let net = NetFigures {
        learned: 38_000,
        held_out: 2_000,
        outcome_loss: 0.91,
        values: 0.51,
        table_values: 0.61,
        moves: quality(2.01, 33.5),
        table_moves: quality(2.21, 28.0),
    };
    state.note("net", 3.04, Some(Outcome::Net(net)));
    state.note(
        "openings freestyle 15",
        1.0,
        Some(Outcome::Openings { count: 50 }),
    );
    state.note(
        "gate tables freestyle 15 nodes",
        1.0,
        Some(gate(75, 0, 25, 0)),
    );
    state.note("gate tables renju 15 nodes", 1.0, Some(gate(70, 10, 20, 2)));
    state.note("gate net freestyle 15 nodes", 1.0, Some(gate(50, 0, 50, 0)));
    state
}

#[test]
fn everything_that_is_known_is_in_the_report() {
    let text = report(&state());
    for line in [
        "# Generation 3: third",
        "| freestyle | 1,200 | 40,000 |",
        "| all | 1,234 | 41,000 |",
        "| renju | 100 | 0.6500 → 0.6000 | 61.5 → 68.2 | – | – |",
        "38,000 positions for learning, 2,000 held out.",
        "| tables | 0.6100 | 2.2100 | 28.0 |",
        "| net | 0.5100 | 2.0100 | 33.5 |",
        "| tables | renju 15 | 2,000 nodes | 100 | 70 | 10 | 20 | +190.8 ± 22.8 | 2 |",
        "| net | freestyle 15 | 2,000 nodes | 100 | 50 | 0 | 50 | 0.0 ± 17.0 | 0 |",
        "| data | 1 h 30 min |",
        "| fit | 1 min 15 s |",
        "| net | 3.0 s |",
        "boards = ['freestyle 15', 'renju 15']",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
    // A match that is not played is not told.
    assert!(!text.contains("0.5 s"), "{text}");
    assert_eq!(text, report(&state()));
}

/// Loss of all rules: (300 * 0.5 + 100 * 0.6) / 400. Elo of the tables: 150
/// points of 200 in two matches, errors sqrt(2) * 1.25 of 200.
#[test]
fn a_generation_is_a_line_of_the_table() {
    let line = "| third | 3 | 1,000 | 1,234 | 41,000 | 0.5250 | 0.5100 \
                | +190.8 ± 16.1 | – | 0.0 ± 17.0 | – | 1.52 |";
    assert_eq!(row(&state()), line);
    let settings = Settings::parse(SETTINGS).unwrap();
    let empty = State::new(settings, SETTINGS.to_owned());
    let nothing = "| third | 3 | 1,000 | – | – | – | – | – | – | – | – | 0.00 |";
    assert_eq!(row(&empty), nothing);
    let text = table([&state(), &empty]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[2..], [line, nothing]);
    let columns = |line: &str| line.matches('|').count();
    assert!(lines.iter().all(|&found| columns(found) == columns(line)));
}

#[test]
fn times_read_well() {
    let cases = [
        (0.04, "0.0 s"),
        (59.94, "59.9 s"),
        (60.0, "1 min 00 s"),
        (3_599.0, "59 min 59 s"),
    ];
    for (seconds, text) in cases {
        assert_eq!(duration(seconds), text);
    }
    assert_eq!(duration(7_500.0), "2 h 05 min");
}
