//! Whole files: what is written comes back, and what is torn or damaged is
//! noticed, cut where it can be, and never taken for a game.

use std::fs;
use std::path::Path;
use yonsan::board::{Colour, Point, Size, mix};
use yonsan::rules::Rule;
use yonsan_format::{
    Appender, Effort, End, Facts, FormatError, Found, Game, HEADER_LEN, Header, Ply, Reader, Score,
};

const HEADER: Header = Header {
    seed: 7,
    settings: 99,
};

/// A made-up game, different for every seed; it need not obey the rules.
fn game(seed: u64) -> Game {
    let mut state = seed;
    let mut below = |bound: u64| {
        state = mix(state);
        state % bound
    };
    let rule = Rule::ALL[below(5) as usize];
    let size = Size::new(5 + below(18) as u8, 5 + below(18) as u8).unwrap();
    let end = End::ALL[below(5) as usize];
    let winner = (!end.is_draw()).then_some(Colour::ALL[below(2) as usize]);
    let mut points: Vec<Point> = size.points().collect();
    for i in (1..points.len()).rev() {
        points.swap(i, below(i as u64 + 1) as usize);
    }
    points.truncate(1 + below(size.area() as u64) as usize);
    let plies = points.into_iter().map(|point| Ply {
        point,
        is_random: below(2) == 0,
        is_forced: below(2) == 0,
        effort: Effort::of_nodes(below(1 << 20)),
        score: Score::new(below(60_001) as i32 - 30_000).unwrap(),
    });
    let facts = Facts {
        rule,
        size,
        winner,
        end,
        opening_len: 1,
        generation: seed as u16,
        seed,
    };
    Game::new(facts, plies.collect()).unwrap()
}

fn write(path: &Path, seeds: std::ops::Range<u64>) -> Found {
    let (mut appender, found) = Appender::open(path, HEADER).unwrap();
    for seed in seeds {
        appender.append(&game(seed)).unwrap();
    }
    appender.sync().unwrap();
    found
}

fn read(path: &Path) -> Vec<Result<Game, FormatError>> {
    Reader::open(path).unwrap().collect()
}

fn assert_games(path: &Path, seeds: std::ops::Range<u64>) {
    let games: Vec<Game> = read(path).into_iter().map(Result::unwrap).collect();
    assert_eq!(games, seeds.map(game).collect::<Vec<_>>());
}

#[test]
fn what_is_written_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.ygd");
    assert_eq!(write(&path, 0..40), Found::default());
    assert_games(&path, 0..40);
    let found = write(&path, 40..100);
    let plies = (0..40).map(|seed| game(seed).plies().len() as u64).sum();
    let expected = Found {
        games: 40,
        plies,
        cut_bytes: 0,
    };
    assert_eq!(found, expected);
    assert_games(&path, 0..100);
    assert_eq!(Reader::open(&path).unwrap().header(), HEADER);
}

#[test]
fn a_torn_tail_is_told_and_cut_at_every_byte() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.ygd");
    write(&path, 0..2);
    let two = fs::read(&path).unwrap();
    write(&path, 2..3);
    let three = fs::read(&path).unwrap();
    for len in two.len() + 1..three.len() {
        fs::write(&path, &three[..len]).unwrap();
        let games = read(&path);
        assert_eq!(games.len(), 3);
        let torn_at = two.len() as u64;
        assert!(matches!(games[2], Err(FormatError::Torn(at)) if at == torn_at));
        let found = write(&path, 2..3);
        assert_eq!((found.games, found.cut_bytes), (2, len as u64 - torn_at));
        assert_eq!(fs::read(&path).unwrap(), three);
    }
}

#[test]
fn a_torn_header_is_completed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.ygd");
    for len in 0..HEADER_LEN {
        fs::write(&path, &HEADER.to_bytes()[..len]).unwrap();
        assert!(matches!(
            Reader::open(&path).unwrap_err(),
            FormatError::NotGames
        ));
        assert_eq!(write(&path, 0..1), Found::default());
        assert_games(&path, 0..1);
    }
}

#[test]
fn a_garbled_tail_is_cut_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.ygd");
    write(&path, 0..2);
    let good = fs::read(&path).unwrap();
    let zeros = [good.as_slice(), &[0; 100]].concat();
    fs::write(&path, zeros).unwrap();
    assert!(matches!(read(&path)[2], Err(FormatError::Damaged(_))));
    let found = write(&path, 2..3);
    assert_eq!((found.games, found.cut_bytes), (2, 100));
    assert_games(&path, 0..3);
}

#[test]
fn damage_far_from_the_end_is_not_cut() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.ygd");
    write(&path, 0..60);
    let mut bytes = fs::read(&path).unwrap();
    bytes[HEADER_LEN + 20] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let error = Appender::open(&path, HEADER).unwrap_err();
    assert!(matches!(error, FormatError::Damaged(at) if at == HEADER_LEN as u64));
    assert_eq!(fs::read(&path).unwrap(), bytes);
    let games = read(&path);
    assert_eq!(games.len(), 1, "nothing is made up behind the damage");
}

#[test]
fn foreign_files_stay_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.ygd");
    for text in ["x", "a text that is longer than any header of games"] {
        fs::write(&path, text).unwrap();
        let error = Appender::open(&path, HEADER).unwrap_err();
        assert!(matches!(error, FormatError::NotGames));
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    fs::remove_file(&path).unwrap();
    write(&path, 0..1);
    let before = fs::read(&path).unwrap();
    for other in [
        Header { seed: 8, ..HEADER },
        Header {
            settings: 1,
            ..HEADER
        },
    ] {
        let error = Appender::open(&path, other).unwrap_err();
        assert!(matches!(error, FormatError::OtherSettings));
    }
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn two_cannot_write_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.ygd");
    let first = Appender::open(&path, HEADER).unwrap();
    let error = Appender::open(&path, HEADER).unwrap_err();
    assert!(matches!(error, FormatError::Busy), "{error}");
    drop(first);
    assert!(Appender::open(&path, HEADER).is_ok());
}
