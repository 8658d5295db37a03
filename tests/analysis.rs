//! What the engine does besides playing its best move: several lines, balanced
//! stones, defences, blocked points, searching ahead, tables in files, levels.

use std::fs;
use std::path::PathBuf;
use yonsan::board::{Colour, Point, Position, Size, parse_moves};
use yonsan::engine::{Engine, HashFileError, Level, Options, Outcome, Request};
use yonsan::eval::Evaluation;
use yonsan::protocol::{Settings, run};
use yonsan::rules::{Game, GameResult, Rule, judge};
use yonsan::search::{Control, Limits, Score, Stones};

fn engine() -> Engine {
    engine_with(Evaluation::default())
}

fn engine_with(evaluation: Evaluation) -> Engine {
    let mut engine = Engine::new();
    engine.set_options(Options {
        threads: 1,
        memory_bytes: None,
        hash_bytes: Some(8 << 20),
        evaluation,
    });
    engine
}

fn request(rule: Rule, moves: &str, limits: Limits) -> Request {
    let moves = parse_moves(moves).unwrap();
    Request {
        position: Position::from_moves(Size::square(15).unwrap(), &moves).unwrap(),
        rule,
        limits,
        line_count: 1,
    }
}

fn points(text: &str) -> Vec<Point> {
    parse_moves(text).unwrap()
}

fn go(request: &Request) -> Outcome {
    engine().go(request, &Control::new(), &mut ()).unwrap()
}

/// A quiet position of a game.
const QUIET: &str = "h8i9i7g9j8h9g8k8";
/// White, to move, has nothing; Black has three in a row, open at both ends.
const OPEN_THREE: &str = "h8a1i8o15j8";
/// Black, to move, has four in a row, open at both ends.
const OPEN_FOUR: &str = "h8a1h9c1h10e1h11g1";

#[test]
fn lines_are_different_and_in_order() {
    for rule in Rule::ALL {
        let mut request = request(rule, QUIET, Limits::depth(6));
        request.line_count = 5;
        let outcome = go(&request);
        assert_eq!(outcome.lines.len(), 5);
        assert_eq!(outcome.lines[0].moves, outcome.principal_variation);
        assert_eq!(outcome.lines[0].score, outcome.score);
        let scores: Vec<Score> = outcome.lines.iter().map(|line| line.score).collect();
        assert!(scores.is_sorted_by(|a, b| a >= b), "{rule}: {scores:?}");
        let mut first: Vec<Point> = outcome.lines.iter().map(|line| line.moves[0]).collect();
        first.sort();
        first.dedup();
        assert_eq!(first.len(), 5, "{rule}");
        for line in &outcome.lines {
            let mut position = request.position.clone();
            for &point in &line.moves {
                assert!(position.is_empty(point), "{rule}: {:?}", line.moves);
                position.play(point);
            }
        }
    }
}

/// Each line has the score that a search for it alone finds.
#[test]
fn lines_have_exact_scores() {
    let mut request = request(Rule::Freestyle, OPEN_FOUR, Limits::depth(5));
    request.line_count = 4;
    let outcome = go(&request);
    let winning = points("h7h12");
    for line in &outcome.lines[..2] {
        assert_eq!(line.score, Score::win_in(1));
        assert!(winning.contains(&line.moves[0]));
        assert_eq!(line.moves.len(), 1);
    }
    // With the winning points blocked the other lines are what remains.
    request.limits.excluded = winning.into_iter().collect();
    request.line_count = 2;
    let others = go(&request);
    let scores = |lines: &[yonsan::search::Line]| -> Vec<i32> {
        lines.iter().map(|line| line.score.raw()).collect()
    };
    for (line, other) in scores(&outcome.lines[2..])
        .into_iter()
        .zip(scores(&others.lines))
    {
        assert!((line - other).abs() <= 30, "{line} {other}");
    }
}

#[test]
fn excluded_points_are_no_answers() {
    let mut request = request(Rule::Freestyle, OPEN_FOUR, Limits::depth(3));
    request.limits.excluded = points("h7").into_iter().collect();
    let outcome = go(&request);
    assert_eq!(
        (outcome.best, outcome.score),
        (points("h12")[0], Score::win_in(1))
    );
    // Where nothing else is left they do not count.
    request.limits.excluded = request.position.size().points().collect();
    assert_eq!(go(&request).score, Score::win_in(1));
}

/// Of a balanced move: how much farther from the target its score is than the
/// nearest that a search for all lines finds, and how far it is from what the
/// position after it is worth.
fn errors(evaluation: Evaluation, moves: &str, depth: u32, target: i32) -> [i32; 2] {
    let mut request = request(Rule::Freestyle, moves, Limits::depth(depth));
    let go = |request: &Request| {
        let mut engine = engine_with(evaluation);
        engine.go(request, &Control::new(), &mut ()).unwrap()
    };
    let balanced = engine_with(evaluation)
        .balance(&request, Stones::One, target, &Control::new(), &mut ())
        .unwrap();
    request.line_count = 225;
    let nearest = go(&request)
        .lines
        .iter()
        .map(|line| (line.score.raw() - target).abs())
        .min()
        .unwrap();
    let mut after = request;
    after.position.play(balanced.best);
    after.limits = Limits::depth((depth - 1).max(1));
    after.line_count = 1;
    let said = balanced.score.raw();
    let found = -go(&after).score.raw();
    [(said - target).abs() - nearest, (said - found).abs()]
}

#[test]
fn one_stone_balances_as_well_as_any() {
    let targets = [-80, 0, 150];
    let openings = ["h8i9", "h8h9", "h8j9", "h8i10"];
    for evaluation in [Evaluation::Net, Evaluation::Classical] {
        for target in targets {
            let [excess, _] = errors(evaluation, "h8i9", 1, target);
            assert!(excess <= 0, "{target}");
        }
        // The table makes deeper searches differ a little.
        let deeper: Vec<[i32; 2]> = openings
            .iter()
            .flat_map(|moves| targets.map(|target| errors(evaluation, moves, 4, target)))
            .collect();
        for which in [0, 1] {
            let sum: i32 = deeper.iter().map(|errors| errors[which]).sum();
            assert!(sum <= 25 * deeper.len() as i32, "{evaluation:?} {deeper:?}");
        }
        // Within a search replies are left out that a search from there tries; a
        // net, which sets replies wider apart, has more of them left out.
        let most = match evaluation {
            Evaluation::Net => 80,
            Evaluation::Classical => 60,
        };
        assert!(deeper.iter().all(|[_, error]| *error <= most), "{deeper:?}");
    }
}

#[test]
fn two_stones_balance_an_uneven_position() {
    // Black has an advantage that a search sees; even is nearer afterwards.
    let request = request(Rule::Freestyle, "h8", Limits::depth(4));
    let outcome = engine()
        .balance(&request, Stones::Two, 0, &Control::new(), &mut ())
        .unwrap();
    let [first, second] = outcome.principal_variation[..2] else {
        panic!("{:?}", outcome.principal_variation);
    };
    assert_ne!(first, second);
    assert!(outcome.score.raw().abs() <= 20, "{}", outcome.score);
    let mut after = request.clone();
    after.position.play(first);
    after.position.play(second);
    assert_eq!(after.position.side_to_move(), Colour::White);
    let found = go(&after).score.raw();
    assert!(found.abs() <= 80, "{found}");
}

#[test]
fn an_open_three_has_two_defences() {
    let request = request(Rule::Freestyle, OPEN_THREE, Limits::depth(4));
    let mut found = engine().defend(&request, &Control::new(), &mut ()).unwrap();
    found.holding.sort();
    let mut expected = points("g8k8");
    expected.sort();
    assert_eq!(found.holding, expected);
    assert!(expected.contains(&found.outcome.best));
    assert!(
        points("f8l8")
            .iter()
            .all(|point| found.lost.contains(point))
    );
}

#[test]
fn a_lost_position_has_no_defence_but_a_move() {
    let mut request = request(Rule::Freestyle, OPEN_FOUR, Limits::depth(4));
    request.position.play(points("o15")[0]);
    request.position.set_side_to_move(Colour::White);
    let found = engine().defend(&request, &Control::new(), &mut ()).unwrap();
    assert_eq!(found.holding, []);
    assert!(!found.lost.is_empty());
    assert!(request.position.is_empty(found.outcome.best));
    assert_eq!(found.outcome.score, Score::loss_in(2));
}

/// Searching the position before the opponent's move gives the search after
/// it a start.
#[test]
fn pondering_helps_the_next_search() {
    let before = request(Rule::Freestyle, QUIET, Limits::nodes(150_000));
    let mut after = before.clone();
    let reply = go(&before).best;
    after.position.play(reply);
    after.limits = Limits::nodes(10_000);
    let cold = go(&after).depth;
    let mut warm_engine = engine();
    warm_engine.ponder(&before, &Control::new());
    let warm = warm_engine
        .go(&after, &Control::new(), &mut ())
        .unwrap()
        .depth;
    assert!(warm > cold, "{cold} {warm}");
}

#[test]
fn pondering_ends_when_told_to() {
    let control = Control::new();
    let request = request(Rule::Freestyle, QUIET, Limits::unlimited());
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(std::time::Duration::from_millis(100));
            control.stop();
        });
        engine().ponder(&request, &control);
    });
    assert!(control.is_stopped());
}

/// A path in the folder of test files, nothing there yet.
fn fresh_path(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    path
}

/// What a search takes jumps with its luck, so several are counted together.
#[test]
fn tables_come_back_from_their_files() {
    let path = fresh_path("table");
    let positions = [
        QUIET,
        "g8f4e4",
        "l5j4i6i5l1o5i4",
        "f6g3h1f3",
        "i8f6g7j6i6k6i7i9n8",
    ];
    let (mut all_cold, mut all_warm) = (0, 0);
    for moves in positions {
        let request = request(Rule::Renju, moves, Limits::depth(8));
        let mut first = engine();
        let cold = first.go(&request, &Control::new(), &mut ()).unwrap();
        let saved = first.dump_hash(&path).unwrap();
        assert!(saved > 100, "{moves}: {saved}");
        let mut second = engine();
        assert_eq!(second.load_hash(&path, Rule::Renju).unwrap(), saved);
        let warm = second.go(&request, &Control::new(), &mut ()).unwrap();
        all_cold += cold.nodes;
        all_warm += warm.nodes;
    }
    assert!(all_warm < all_cold * 3 / 4, "{all_cold} {all_warm}");
    // Nothing else has been left in the folder.
    let left = fs::read_dir(path.parent().unwrap()).unwrap();
    let is_part = |name: &str| name.starts_with("table") && name.ends_with(".part");
    assert!(
        !left
            .flatten()
            .any(|e| is_part(&e.file_name().to_string_lossy()))
    );
}

#[test]
fn files_that_are_not_ours_are_left_alone() {
    let path = fresh_path("damaged table");
    let request = request(Rule::Freestyle, QUIET, Limits::depth(3));
    let mut engine = engine();
    assert!(matches!(
        engine.dump_hash(&path),
        Err(HashFileError::NothingKnown)
    ));
    engine.go(&request, &Control::new(), &mut ());
    engine.dump_hash(&path).unwrap();
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 64;
    for content in [&bytes[..], &bytes[..middle], b"my diary, not a table", b""] {
        fs::write(&path, content).unwrap();
        let loaded = engine.load_hash(&path, Rule::Freestyle);
        assert!(matches!(loaded, Err(HashFileError::Unusable(_))));
        let saved = engine.dump_hash(&path);
        assert!(matches!(saved, Err(HashFileError::NotReplaced(_))));
        assert_eq!(fs::read(&path).unwrap(), content);
    }
}

/// A script that ends right behind the command still gets its file.
#[test]
fn the_end_waits_for_a_file() {
    let path = fresh_path("table of a script");
    let input = format!(
        "START 15\nINFO max_node 3000\nTURN 7,7\nyxhashdump\n{}\nEND\nABOUT\n",
        path.display()
    );
    let settings = Settings {
        threads: Some(1),
        memory_bytes: Some(64 << 20),
        ..Settings::default()
    };
    let mut output = Vec::new();
    run(io_input(input), &mut output, settings).unwrap();
    let output = String::from_utf8(output).unwrap();
    let last = output.lines().last().unwrap();
    let count = last
        .strip_prefix("MESSAGE ")
        .and_then(|l| l.split_once(' '));
    let (count, rest) = count.expect(&output);
    assert_eq!(rest, "positions saved", "{output}");
    // Five words around two for each position.
    let count: u64 = count.parse().unwrap();
    assert_eq!(fs::metadata(&path).unwrap().len(), (5 + 2 * count) * 8);
}

fn io_input(text: String) -> impl std::io::Read + Send + 'static {
    std::io::Cursor::new(text.into_bytes())
}

fn at_level(level: u8, seed: u64, request: &Request) -> Point {
    let level = Level::new(level).unwrap();
    engine()
        .go_at(level, seed, request, &Control::new(), &mut ())
        .unwrap()
        .best
}

#[test]
fn a_level_plays_the_same_under_the_same_seed() {
    for level in 1..=8 {
        let request = request(Rule::Freestyle, QUIET, Limits::unlimited());
        let moves: Vec<Point> = (0..30).map(|s| at_level(level, s, &request)).collect();
        let again: Vec<Point> = (0..30).map(|s| at_level(level, s, &request)).collect();
        assert_eq!(moves, again);
        // The higher ones hardly misjudge, and may well agree with themselves.
        let differs = moves.iter().any(|&point| point != moves[0]);
        assert!(differs || level > 6, "level {level} knows one move only");
    }
}

/// How often, in a hundred, a level meets a threat: told apart by rank alone.
fn share(level: u8, moves: &str, good: &str) -> usize {
    let request = request(Rule::Freestyle, moves, Limits::unlimited());
    let good = points(good);
    (0..100)
        .filter(|&seed| good.contains(&at_level(level, seed, &request)))
        .count()
}

#[test]
fn lower_levels_overlook_more() {
    let defended = |level| share(level, OPEN_THREE, "g8k8");
    let shares: Vec<usize> = (1..=5).map(defended).collect();
    assert!(shares.is_sorted_by(|a, b| a < b), "{shares:?}");
    assert!(shares[0] < 80 && shares[4] > 90, "{shares:?}");
    let won = |level| share(level, OPEN_FOUR, "h7h12");
    let shares: Vec<usize> = (1..=5).map(won).collect();
    assert!(shares.is_sorted(), "{shares:?}");
    // Even a beginner mostly sees a row of four.
    assert!(shares[0] > 75 && shares[4] == 100, "{shares:?}");
    // What slants is missed sooner.
    let slanting = share(1, "h8a1i9o1j10", "g7k11");
    assert!(slanting < defended(1), "{slanting}");
}

/// Two levels play under every rule, on a small board, to the end.
#[test]
fn levels_play_legal_games() {
    for rule in Rule::ALL {
        let mut game = Game::new(rule, Size::square(9).unwrap());
        let mut engine = engine();
        while game.result() == GameResult::Ongoing {
            let number = if game.position().side_to_move() == Colour::Black {
                2
            } else {
                4
            };
            let request = Request {
                position: game.position().clone(),
                rule,
                limits: Limits::unlimited(),
                line_count: 1,
            };
            let level = Level::new(number).unwrap();
            let outcome = engine
                .go_at(level, 5, &request, &Control::new(), &mut ())
                .unwrap();
            let is_foul = rule == Rule::Renju
                && game.position().side_to_move() == Colour::Black
                && judge::renju_foul(game.position(), outcome.best).is_some();
            let has_other = game
                .position()
                .empty_points()
                .any(|p| judge::renju_foul(game.position(), p).is_none());
            assert!(!is_foul || !has_other);
            game.play(outcome.best).unwrap();
        }
    }
}
