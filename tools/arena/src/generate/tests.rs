//! The generator with judges that are functions, so that all is reproducible.

use super::*;
use crate::opening_file;
use std::path::Path;
use std::sync::atomic::AtomicUsize;
use yonsan::board::{Size, Symmetry, format_moves, parse_moves};
use yonsan::rules::{Game, GameResult, Rule};

/// Scores by the sum of columns: some positions are even, most are not.
struct ByColumns;

impl Judge for ByColumns {
    fn score(&mut self, moves: &[Point], nodes: u64) -> Result<Option<i32>> {
        let sum: i32 = moves.iter().map(|point| i32::from(point.x())).sum();
        // A longer search sees something else.
        Ok(Some(sum * 37 % 300 - 150 + (nodes / 100) as i32 - 10))
    }
}

/// Ends after some positions, as a killed run does.
struct Breaking<'a>(&'a AtomicUsize);

impl Judge for Breaking<'_> {
    fn score(&mut self, moves: &[Point], nodes: u64) -> Result<Option<i32>> {
        if self.0.fetch_add(1, Ordering::Relaxed) >= 120 {
            bail!("broken off");
        }
        ByColumns.score(moves, nodes)
    }
}

struct Mute;

impl Judge for Mute {
    fn score(&mut self, _: &[Point], _: u64) -> Result<Option<i32>> {
        Ok(None)
    }
}

fn settings(rule: Rule, side: u8) -> Settings {
    Settings {
        shape: Shape {
            rule,
            size: Size::square(side).unwrap(),
            fewest: 3,
            most: 7,
            spread: 2,
            margin: 3,
        },
        balance: 40,
        nodes: 1000,
        confirm: None,
        seed: 11,
    }
}

fn fill_file<J: Judge + Send>(path: &Path, judges: Vec<J>, count: u64) -> Result<Progress> {
    let mut file = OpeningFile::open(path, settings(Rule::Renju, 15))?;
    fill(&mut file, judges, count, &AtomicBool::new(false), |_| {})
}

#[test]
fn the_same_seed_makes_the_same_file_whatever_happens() {
    let folder = tempfile::tempdir().unwrap();
    let (plain, wide, broken) = (
        folder.path().join("plain"),
        folder.path().join("wide"),
        folder.path().join("broken"),
    );
    let progress = fill_file(&plain, vec![ByColumns], 60).unwrap();
    assert_eq!(progress.kept, 60);
    fill_file(&wide, vec![ByColumns, ByColumns, ByColumns], 60).unwrap();
    let expected = std::fs::read_to_string(&plain).unwrap();
    assert_eq!(std::fs::read_to_string(&wide).unwrap(), expected);
    // Broken off in the middle, and the last line torn.
    let calls = AtomicUsize::new(0);
    let error = fill_file(&broken, vec![Breaking(&calls)], 60).unwrap_err();
    assert_eq!(error.to_string(), "broken off");
    let text = std::fs::read_to_string(&broken).unwrap();
    assert!(text.lines().count() > 5 && text.len() < expected.len());
    std::fs::write(&broken, &text[..text.len() - 7]).unwrap();
    fill_file(&broken, vec![ByColumns], 60).unwrap();
    assert_eq!(std::fs::read_to_string(&broken).unwrap(), expected);
    // A file that is full stays as it is.
    fill_file(&broken, vec![Mute], 60).unwrap();
    assert_eq!(std::fs::read_to_string(&broken).unwrap(), expected);
}

#[test]
fn what_is_kept_is_balanced_new_and_legal() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("openings.txt");
    fill_file(&path, vec![ByColumns], 100).unwrap();
    let size = Size::square(15).unwrap();
    // The runner reads it as any other file of openings.
    let openings = opening_file::read(&path, Rule::Renju, size).unwrap();
    assert_eq!(openings.len(), 100);
    let mut keys = HashSet::new();
    for opening in &openings {
        let score = ByColumns.score(&opening.moves, 1000).unwrap().unwrap();
        assert!(score.abs() <= 40, "{score}");
        assert!((3..=7).contains(&opening.moves.len()));
        assert!(keys.insert(canonical(&opening.moves, size)));
        let mut game = Game::new(Rule::Renju, size);
        for &point in &opening.moves {
            assert_eq!(game.play(point).unwrap(), GameResult::Ongoing);
        }
    }
}

/// What looks even at first must look so at second sight too.
#[test]
fn what_is_confirmed_is_even_twice() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("openings.txt");
    let twice = Settings {
        confirm: Some(4000),
        ..settings(Rule::Renju, 15)
    };
    let mut file = OpeningFile::open(&path, twice.clone()).unwrap();
    fill(
        &mut file,
        vec![ByColumns],
        50,
        &AtomicBool::new(false),
        |_| {},
    )
    .unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(
        text.lines()
            .next()
            .unwrap()
            .ends_with(", confirmed by 4000")
    );
    for moves in file.openings() {
        let [first, second] = [1000, 4000].map(|n| ByColumns.score(moves, n).unwrap().unwrap());
        assert_eq!(second - first, 30);
        assert!((-40..=10).contains(&first), "{first}");
        // The file tells the second score.
        let line = format!("{} # score {second}, ", format_moves(moves));
        assert!(text.contains(&line), "{line}");
    }
    // It is gone on with in the same way only.
    let again = OpeningFile::open(&path, twice).unwrap();
    assert_eq!(again.openings().len(), 50);
    assert!(OpeningFile::open(&path, settings(Rule::Renju, 15)).is_err());
}

#[test]
fn stones_keep_near_each_other() {
    let shape = settings(Rule::Freestyle, 20).shape;
    let mut counts = HashSet::new();
    for attempt in 0..300 {
        let Some(moves) = candidate(&shape, 5, attempt) else {
            continue;
        };
        counts.insert(moves.len());
        let (x, y) = (moves[0].x(), moves[0].y());
        assert!((3..17).contains(&x) && (3..17).contains(&y));
        for (ply, point) in moves.iter().enumerate().skip(1) {
            assert!(moves[..ply].iter().any(|other| other.distance(*point) <= 2));
        }
    }
    assert_eq!(counts, HashSet::from([3, 4, 5, 6, 7]));
}

/// A board with room for nothing but its middle, and one that fills up.
#[test]
fn small_boards_do_not_hang() {
    let mut shape = settings(Rule::Freestyle, 5).shape;
    shape.margin = 9;
    let middle = shape.size.centre();
    assert!(
        (0..20).all(|attempt| {
            candidate(&shape, 1, attempt).is_none_or(|moves| moves[0] == middle)
        })
    );
    (shape.fewest, shape.most) = (25, 25);
    for attempt in 0..20 {
        let _ = candidate(&shape, 1, attempt);
    }
}

#[test]
fn images_are_equal_and_colours_are_not() {
    let size = Size::square(15).unwrap();
    let moves = parse_moves("h8 h9 i9 k5 c3").unwrap();
    let key = canonical(&moves, size);
    for symmetry in Symmetry::all(size) {
        let image: Vec<Point> = moves.iter().map(|&p| symmetry.apply(p, size)).collect();
        assert_eq!(canonical(&image, size), key, "{}", format_moves(&image));
    }
    // Another order of the same stones, and another colouring.
    let reordered = parse_moves("c3 k5 h8 h9 i9").unwrap();
    assert_eq!(canonical(&reordered, size), key);
    let recoloured = parse_moves("h9 h8 k5 i9 c3").unwrap();
    assert_ne!(canonical(&recoloured, size), key);
}

#[test]
fn files_of_other_settings_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("openings.txt");
    fill_file(&path, vec![ByColumns], 3).unwrap();
    let mut other = settings(Rule::Renju, 15);
    other.seed += 1;
    let error = OpeningFile::open(&path, other).unwrap_err().to_string();
    assert!(error.contains("other settings"), "{error}");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text + "h8h8 # score 1, attempt 99\n").unwrap();
    assert!(OpeningFile::open(&path, settings(Rule::Renju, 15)).is_err());
}

#[test]
fn engines_without_scores_end_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let error = fill_file(&folder.path().join("a"), vec![Mute], 3).unwrap_err();
    assert!(error.to_string().contains("tells no score"), "{error}");
}

#[test]
fn a_stop_ends_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    let mut file = OpeningFile::open(&path, settings(Rule::Renju, 15)).unwrap();
    let stop = AtomicBool::new(false);
    let progress = fill(&mut file, vec![ByColumns], 1_000, &stop, |progress| {
        if progress.kept == 10 {
            stop.store(true, Ordering::Relaxed);
        }
    });
    assert_eq!(progress.unwrap().kept, 10);
}
