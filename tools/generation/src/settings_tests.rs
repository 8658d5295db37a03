use super::*;

const SMALL: &str = "
    name = 'small'
    [data]
    games = 10
    [gates]
    boards = ['freestyle 15', 'caro 20x15']
    nodes = { games = 4, nodes = 200 }
";

fn complaint(text: &str) -> String {
    format!("{:#}", Settings::parse(text).unwrap_err())
}

#[test]
fn what_is_not_said_is_usual() {
    let settings = Settings::parse(SMALL).unwrap();
    assert_eq!(settings.generation, 0);
    assert_eq!(settings.old, Old::default());
    assert_eq!(settings.data.nodes, 1_000);
    assert_eq!(settings.data.games, Some(10));
    assert!(settings.net.train);
    assert_eq!(settings.gates.players, [Player::Net]);
    let boards: Vec<String> = settings.gates.boards.iter().map(Board::to_string).collect();
    assert_eq!(boards, ["freestyle 15", "caro 20x15"]);
    assert_eq!(settings.gates.boards[1].size, Size::new(20, 15).unwrap());
    assert_eq!(settings.gates.opening_count(), 2);
    let without = Settings::parse(&format!("{SMALL}\n[net]\ntrain = false")).unwrap();
    assert_eq!(without.gates.players, [Player::Tables]);
}

#[test]
fn unknown_fields_are_errors_everywhere() {
    for table in ["old", "fit", "net"] {
        let text = format!("{SMALL}\n[{table}]\nspeed = 3");
        assert!(complaint(&text).contains("speed"), "{table}");
    }
    for (place, with) in [
        ("name = 'small'", "name = 'small'\nspeed = 3"),
        ("games = 10", "games = 10\nspeed = 3"),
        ("[gates]", "[gates]\nspeed = 3"),
        ("nodes = 200", "nodes = 200, speed = 3"),
    ] {
        assert!(SMALL.contains(place));
        assert!(complaint(&SMALL.replacen(place, with, 1)).contains("speed"));
    }
}

#[test]
fn bad_values_are_told_by_their_field() {
    for (place, with, word) in [
        ("games = 10", "minutes = -1", "data.minutes"),
        ("games = 10", "minutes = nan", "data.minutes"),
        ("games = 10", "seed = 1", "minutes or games"),
        ("games = 10", "games = 0", "data.games"),
        ("games = 10", "games = 'many'", "games"),
        ("games = 4", "games = 5", "gates.nodes"),
        ("nodes = 200", "nodes = 0", "gates.nodes"),
        ("freestyle 15", "freestyle", "no rule and board"),
        ("freestyle 15", "chess 15", "no rule and board"),
        ("freestyle 15", "freestyle 4", "no rule and board"),
        ("freestyle 15", "caro 20x15", "twice"),
        ("name = 'small'", "name = 'a|b'", "name"),
        ("name = 'small'", "", "name"),
        ("name = 'small'", "name = 'a'\nthreads = 0", "threads"),
        (
            "[gates]",
            "[fit]\nresult-weight = 1.5\n[gates]",
            "fit.result-weight",
        ),
        ("[gates]", "[net]\nevery = 0\n[gates]", "net.every"),
        (
            "[gates]",
            "[net]\ntrain = false\n[gates]\nplayers = ['net']",
            "no net",
        ),
        ("[gates]", "[gates]\nplayers = ['net', 'net']", "twice"),
        (
            "[gates]",
            "[gates]\ntime = { games = 2, seconds = 0 }",
            "gates.time",
        ),
    ] {
        assert!(SMALL.contains(place), "{place}");
        let found = complaint(&SMALL.replacen(place, with, 1));
        assert!(found.contains(word), "{with}: {found}");
    }
}

#[test]
fn files_are_found_or_missed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.toml");
    let tables = folder.path().join("old.weights");
    let text = format!(
        "{SMALL}\n[old]\ntables = '{}'\nweights = 'none'",
        tables.display()
    );
    std::fs::write(&path, &text).unwrap();
    let error = format!("{:#}", Settings::read(&path).unwrap_err());
    assert!(error.contains("old.tables"), "{error}");
    std::fs::write(&tables, "").unwrap();
    let (settings, kept) = Settings::read(&path).unwrap();
    assert!(settings.old.tables.is_absolute());
    assert_eq!(settings.old.weights, Path::new("none"));
    assert_eq!(kept, text);
}

/// The two examples can be used as they are.
#[test]
fn examples_are_good() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (full, _) = Settings::read(&folder.join("settings.toml")).unwrap();
    assert_eq!(full.data.minutes, Some(150.0));
    assert_eq!(full.data.nodes, 1_000);
    assert_eq!(
        full.gates.nodes.map(|gate| (gate.games, gate.nodes)),
        Some((400, 20_000))
    );
    assert_eq!(
        full.gates.time.map(|gate| (gate.games, gate.seconds)),
        Some((400, 0.1))
    );
    for rule in Rule::ALL {
        assert!(
            full.gates.boards.iter().any(|board| board.rule == rule),
            "{rule}"
        );
    }
    let (quick, _) = Settings::read(&folder.join("quick.toml")).unwrap();
    assert_eq!(quick.old.tables, Path::new("hand"));
    assert_eq!(
        quick.gates.nodes.map(|gate| (gate.games, gate.nodes)),
        Some((100, 2_000))
    );
    assert_eq!(quick.gates.boards.len(), 1);
}
