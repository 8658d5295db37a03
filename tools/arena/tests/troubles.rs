//! Troubles people had with match runners and game files, and what they wish
//! for, each with the test that keeps it away from here. The list is held to
//! the files: a test that is renamed or dropped fails it.

mod common;

use arena::record::{GameRecord, MoveRecord, Outcome, Reason, Record};
use common::{Bench, mock};

/// Where it was told, what it is, and the file and name of its test.
const TROUBLES: [(&str, &str, &str, &str); 31] = [
    (
        "yzyray/lizzieyzy#3, #224",
        "draws counted as wins, or left out, so that 8 draws and 2 wins showed 100 %",
        "tests/troubles.rs",
        "eight_draws_and_two_wins_are_sixty_percent",
    ),
    (
        "raccrompton/BookBuilder#12",
        "draws are half a point in every figure",
        "src/stats/tally_tests.rs",
        "draws_are_half_points",
    ),
    (
        "c-gomoku-cli",
        "a test that never ends at 20-0",
        "src/stats/sprt_tests.rs",
        "twenty_to_nothing_stops",
    ),
    (
        "c-gomoku-cli",
        "a match won by one side only that goes on for ever",
        "tests/play.rs",
        "a_test_ends_the_match_and_tells_the_outcome",
    ),
    (
        "c-gomoku-cli",
        "both games of an opening taken as independent",
        "src/stats/tally_tests.rs",
        "pairs_take_out_the_colour",
    ),
    (
        "leela-zero/leela-zero#2047, #2322",
        "the same game over and over taken for evidence",
        "tests/troubles.rs",
        "one_game_over_and_over_is_told_and_proves_nothing",
    ),
    (
        "Disservin/fastchess#742",
        "every two engines meet on other openings",
        "tests/play.rs",
        "every_two_engines_meet_on_the_same_openings",
    ),
    (
        "lucasart/c-chess-cli#15",
        "no gauntlet and no round robin",
        "tests/troubles.rs",
        "many_engines_meet_as_often_as_they_should",
    ),
    (
        "c-gomoku-cli",
        "an engine name with a bracket breaks SGF",
        "src/export/tests.rs",
        "sgf_escapes_what_ends_and_splits_values",
    ),
    (
        "c-gomoku-cli",
        "names come back from SGF as they were",
        "src/export/tests.rs",
        "sgf_comes_back_whatever_the_names_are",
    ),
    (
        "c-gomoku-cli",
        "a name breaks a PGN tag",
        "src/export/tests.rs",
        "pgn_has_one_safe_line_a_tag",
    ),
    (
        "c-gomoku-cli",
        "no file holds the real moves",
        "tests/reading.rs",
        "exports_come_back_as_the_same_games",
    ),
    (
        "c-gomoku-cli",
        "an openings file read as something else than it is",
        "tests/play.rs",
        "bad_openings_are_told_with_their_place",
    ),
    (
        "Piskvork 8.5, herzbube/littlego#40",
        "a saved game holds moves that are not on the board",
        "tests/troubles.rs",
        "what_is_saved_is_what_is_on_the_board",
    ),
    (
        "herzbube/littlego#40",
        "side lines of a file taken for the game",
        "tests/troubles.rs",
        "side_lines_are_not_the_game",
    ),
    (
        "accreator/Yixin-Board#4",
        "openings are there and nobody can tell whether they are used",
        "tests/play.rs",
        "openings_are_played_from_both_sides_and_recorded",
    ),
    (
        "plastovicka/Piskvork#1, dhbloo/rapfi#16",
        "every rule is judged as it is",
        "tests/troubles.rs",
        "one_line_of_stones_ends_as_each_rule_says",
    ),
    (
        "MaciejKozarzewski/AlphaGomoku#5",
        "swap2 between engines",
        "tests/procedures.rs",
        "swap2_first_chooses_after_two_more",
    ),
    (
        "MaciejKozarzewski/AlphaGomoku#6",
        "long pro and pro between engines",
        "tests/procedures.rs",
        "pro_closes_the_centre_for_the_third_stone",
    ),
    (
        "MaciejKozarzewski/AlphaGomoku#2, #4",
        "engines are spoken to as every manager does",
        "tests/play.rs",
        "engines_are_told_everything_in_order",
    ),
    (
        "PolyKen/15_by_15_AlphaGomoku#2",
        "engines are spoken to as in the cup",
        "tests/play.rs",
        "the_cup_asks_by_board_and_waits_for_nothing",
    ),
    (
        "MaciejKozarzewski/AlphaGomoku#8",
        "an event is saved and can be gone on with after a kill",
        "tests/resume.rs",
        "kills_lose_at_most_the_running_games",
    ),
    (
        "MaciejKozarzewski/AlphaGomoku#8",
        "an event is saved and can be gone on with after Ctrl-C",
        "tests/resume.rs",
        "an_interrupt_leaves_no_children_and_a_good_file",
    ),
    (
        "Disservin/fastchess#742",
        "logs of what was sent and said",
        "tests/play.rs",
        "traces_show_both_sides",
    ),
    (
        "MaciejKozarzewski/AlphaGomoku#8",
        "draws by the rule of the manager, and told by which",
        "tests/play.rs",
        "draws_are_half_points_and_their_rule_is_recorded",
    ),
    (
        "SabakiHQ/Sabaki#295",
        "an engine on another machine",
        "tests/troubles.rs",
        "an_engine_can_sit_behind_a_network",
    ),
    (
        "MaciejKozarzewski/AlphaGomoku#8",
        "many machines play one event",
        "tests/resume.rs",
        "shards_join_to_the_whole_event",
    ),
    (
        "dhbloo/rapfi#24, hzyhhzy/KataGomo#1",
        "points that nobody may take are kept free",
        "tests/procedures.rs",
        "pro_closes_the_centre_for_the_third_stone",
    ),
    (
        "lihongxun945/gobang#5, hzyhhzy/KataGomo_fork#4",
        "lost and drawn games end when both engines say so",
        "tests/play.rs",
        "scores_end_games_if_asked",
    ),
    (
        "junghyun397/GomokuBot, accreator/Yixin-Board",
        "games as PSQ, SGF and lists of moves",
        "src/export/tests.rs",
        "psq_of_piskvork_is_read",
    ),
    (
        "MaciejKozarzewski/AlphaGomoku#2",
        "threads and memory reach the engine",
        "tests/play.rs",
        "engines_are_told_everything_in_order",
    ),
];

#[test]
fn every_trouble_has_its_test() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    for (source, trouble, file, test) in TROUBLES {
        let text = std::fs::read_to_string(root.join(file)).unwrap();
        // Some stand in modules.
        let lines = text.lines().map(|line| line.trim_start().to_owned() + "\n");
        let text: String = lines.collect();
        let head = format!("#[test]\nfn {test}() {{");
        assert!(
            text.contains(&head),
            "{source}: {trouble}: no {test} in {file}"
        );
        let before = text.split(&head).next().unwrap();
        assert!(!before.ends_with("#[ignore]\n"), "{test} is not run");
    }
}

fn record(number: u64, outcome: Outcome) -> Record {
    let (black, white) = ((number % 2) as usize, 1 - (number % 2) as usize);
    let name = |engine: usize| ["ours", "theirs"][engine].to_owned();
    let move_record = MoveRecord {
        point: "h8".to_owned(),
        opening: false,
        time_ms: 1,
        score: None,
        depth: None,
        nodes: None,
        messages: Vec::new(),
    };
    Record::Game(Box::new(GameRecord {
        number,
        pair: number / 2,
        rule: "freestyle".to_owned(),
        width: 15,
        height: 15,
        procedure: "free".to_owned(),
        opening_source: String::new(),
        black,
        white,
        black_name: name(black),
        white_name: name(white),
        moves: vec![move_record],
        outcome,
        reason: Reason::Adjudicated,
        detail: String::new(),
        last_lines: Vec::new(),
        overloaded: false,
        started_unix: number,
        duration_ms: 1,
        peak_memory: [0; 2],
        worst_overstep_ms: [0; 2],
    }))
}

#[test]
fn eight_draws_and_two_wins_are_sixty_percent() {
    let bench = Bench::new();
    let outcomes = [Outcome::Black, Outcome::White]
        .into_iter()
        .chain([Outcome::Draw; 8]);
    let lines: String = (0..)
        .zip(outcomes)
        .map(|(number, outcome)| serde_json::to_string(&record(number, outcome)).unwrap() + "\n")
        .collect();
    bench.write("ten.jsonl", &lines);
    let scores = bench.run_well(&["export", "ten.jsonl", "-f", "scores"]);
    assert_eq!(scores.trim_end(), "ours vs theirs: 2 - 0 - 8 [0.600] 10");
    bench.run_well(&["report", "ten.jsonl"]);
    let page = std::fs::read_to_string(bench.path("report.html")).unwrap();
    // Games, won, drawn, lost, score.
    assert!(page.contains("<td>10<td>2<td>8<td>0<td>60.0"), "{page}");
}

/// Engines that leave nothing to chance: without openings that is said, and
/// pairs that all end 1-1 are no evidence for or against anybody.
#[test]
fn one_game_over_and_over_is_told_and_proves_nothing() {
    let bench = Bench::new();
    let (one, two) = (mock("one", "--row 3"), mock("two", "--row 9"));
    let words = [
        "match",
        "-e",
        &one,
        "-e",
        &two,
        "--turn",
        "5",
        "--pairs",
        "20",
        "--sprt",
        "elo0=-5 elo1=5",
    ];
    let output = bench.run(&words);
    let (table, errors) = (common::text(&output.stdout), common::text(&output.stderr));
    assert!(errors.contains("repeat one game"), "{errors}");
    assert!(table.contains("[0, 0, 20, 0, 0]"), "{table}");
    assert!(table.contains("20-0-20"), "{table}");
    assert!(table.contains("LLR 0.000"), "{table}");
}

#[test]
fn many_engines_meet_as_often_as_they_should() {
    let names = ["a", "b", "c", "d"];
    for (command, meetings) in [("gauntlet", 3), ("tournament", 6)] {
        let bench = Bench::new();
        let engines = names.map(|name| mock(name, "--row 0"));
        let mut words = vec![command, "--turn", "5", "--pairs", "2", "-c", "2"];
        engines
            .iter()
            .for_each(|engine| words.extend(["-e", engine]));
        let table = bench.run_well(&words);
        let mut met = std::collections::BTreeMap::<(usize, usize), u64>::new();
        for game in bench.games() {
            *met.entry((game.black, game.white)).or_default() += 1;
        }
        // Every two of them, with either colour, twice.
        assert_eq!(met.len(), 2 * meetings, "{met:?}");
        assert!(met.values().all(|&games| games == 2), "{met:?}");
        let is_gauntlet = command == "gauntlet";
        let without_first = met.keys().any(|&(black, white)| black > 0 && white > 0);
        assert_eq!(without_first, !is_gauntlet);
        for name in names {
            assert!(table.lines().any(|line| line.starts_with(name)), "{table}");
        }
    }
}

/// A refused move ends the game and is in the record as words, not as a stone.
#[test]
fn what_is_saved_is_what_is_on_the_board() {
    let bench = Bench::new();
    let (one, bad) = (
        mock("one", "--row 3"),
        mock("bad", "--fault occupied --at 3"),
    );
    bench.run_well(&["match", "-e", &one, "-e", &bad, "--turn", "5"]);
    let moves = bench.run_well(&["export", "arena.jsonl", "-f", "moves"]);
    for (game, line) in bench.games().iter().zip(moves.lines()) {
        assert_eq!(game.reason, Reason::IllegalMove);
        assert!(game.detail.contains("is taken"), "{}", game.detail);
        let stones = if game.black_name == "bad" { 4 } else { 5 };
        assert_eq!(game.moves.len(), stones);
        let mut points: Vec<&str> = game.moves.iter().map(|m| m.point.as_str()).collect();
        assert_eq!(points.concat(), line);
        points.sort_unstable();
        points.dedup();
        assert_eq!(points.len(), stones);
    }
}

#[test]
fn side_lines_are_not_the_game() {
    let bench = Bench::new();
    let file = "(;GM[4]FF[4]SZ[15]RE[B+R];B[hh];W[hi](;B[ii];W[jj])(;B[aa];W[bb];B[cc]))";
    bench.write("tree.sgf", file);
    let moves = bench.run_well(&["import", "--moves", "tree.sgf"]);
    assert_eq!(moves.trim_end(), "h8h9i9j10");
}

/// Black's next stone fills the gap at d4: to six in a row, or to five between
/// two stones of White's.
#[test]
fn one_line_of_stones_ends_as_each_rule_says() {
    // Black has b4 to f4 without d4; White's stones stand elsewhere.
    let six = "b4a12c4c12e4e12f4g12g4i12";
    // White's stones stand at both ends of b4 to f4.
    let blocked = "b4a4c4g4e4e12f4g12";
    let cases = [
        ("freestyle", six, Some(Reason::Five)),
        ("standard", six, None),
        ("renju", six, Some(Reason::Foul)),
        ("caro", six, Some(Reason::Five)),
        ("caro-exact", six, None),
        ("freestyle", blocked, Some(Reason::Five)),
        ("standard", blocked, Some(Reason::Five)),
        ("renju", blocked, Some(Reason::Five)),
        ("caro", blocked, None),
        ("caro-exact", blocked, None),
    ];
    let (one, two) = (
        mock("one", "--row 3 --from 3"),
        mock("two", "--row 14 --from 10"),
    );
    for (rule, opening, end) in cases {
        let bench = Bench::new();
        let path = bench.write("o.txt", opening);
        bench.run_well(&[
            "match",
            "-e",
            &one,
            "-e",
            &two,
            "--turn",
            "5",
            "--rule",
            rule,
            "--openings",
            path.to_str().unwrap(),
        ]);
        let game = &bench.games()[0];
        let stones = opening.matches(|c: char| c.is_ascii_lowercase()).count();
        let ended_at_once = game.moves.len() == stones + 1;
        assert_eq!(game.moves[stones].point, "d4");
        assert_eq!(ended_at_once, end.is_some(), "{rule} {opening}");
        if let Some(reason) = end {
            assert_eq!(game.reason, reason, "{rule} {opening}: {}", game.detail);
            let is_win = reason == Reason::Five;
            assert_eq!(game.outcome == Outcome::Black, is_win);
        }
    }
}

/// The command of an engine is any command: here a shell joined to a socket
/// stands for `ssh HOST ENGINE`.
#[cfg(target_os = "linux")]
#[test]
fn an_engine_can_sit_behind_a_network() {
    use std::os::fd::OwnedFd;
    use std::process::{Command, Stdio};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let input = OwnedFd::from(stream.try_clone().unwrap());
            let mut engine = Command::new(env!("CARGO_BIN_EXE_mock_engine"));
            engine.args(["--row", "3"]).stdin(Stdio::from(input));
            let child = engine.stdout(Stdio::from(OwnedFd::from(stream))).spawn();
            std::thread::spawn(move || child.unwrap().wait());
        }
    });
    let bench = Bench::new();
    let joined = format!("exec 3<>/dev/tcp/127.0.0.1/{port}; cat <&3 & exec cat >&3");
    let bridge = bench.write("bridge.sh", &joined);
    let far = format!("cmd='bash {}' name=far", bridge.display());
    let near = mock("near", "--row 9");
    bench.run_well(&[
        "match", "-e", &far, "-e", &near, "--turn", "5", "--pairs", "2",
    ]);
    let games = bench.games();
    assert_eq!(games.len(), 4);
    assert!(
        games.iter().all(|game| game.reason == Reason::Five),
        "{games:?}"
    );
    // It is killed like any other engine when the run is over.
    let mark = bridge.display().to_string();
    assert_eq!(common::processes_with(&mark), Vec::<String>::new());
}
