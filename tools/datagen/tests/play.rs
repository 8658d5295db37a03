//! Tiny runs: the same settings give the same bytes whatever the number of
//! threads and however often the run was killed, and every game is legal.

use datagen::run::{Bounds, run};
use datagen::settings::Settings;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use yonsan::eval::Evaluation;
use yonsan::rules::Rule;
use yonsan_format::{Appender, Game, Reader};

fn settings(rule: Rule, seed: u64) -> Settings {
    Settings {
        rules: format!("{rule}").parse().unwrap(),
        sizes: "7,9".parse().unwrap(),
        nodes: 50,
        balance: 150,
        stray: 16,
        hash_mib: 1,
        generation: 3,
        seed,
        evaluation: Evaluation::default(),
    }
}

/// Plays until the file has `games` games; returns how many were there.
fn play(path: &Path, settings: &Settings, threads: usize, games: u64) -> u64 {
    let (mut appender, found) = Appender::open(path, settings.header()).unwrap();
    let bounds = Bounds {
        first: found.games,
        end: games,
        deadline: None,
        stop: &AtomicBool::new(false),
    };
    run(settings, threads, &bounds, |game| {
        if let Some(game) = game {
            appender.append(&game)?;
        }
        Ok(())
    })
    .unwrap();
    found.games
}

fn read(path: &Path) -> Vec<Game> {
    Reader::open(path).unwrap().map(Result::unwrap).collect()
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for rule in Rule::ALL {
        let settings = settings(rule, 11);
        let names = [
            format!("{rule}-1"),
            format!("{rule}-1-again"),
            format!("{rule}-2"),
        ];
        for (name, threads) in names.iter().zip([1, 1, 2]) {
            assert_eq!(play(&path(name), &settings, threads, 4), 0);
        }
        let bytes = names.map(|name| fs::read(path(&name)).unwrap());
        assert_eq!(bytes[0], bytes[1], "{rule}: two runs differ");
        assert_eq!(bytes[0], bytes[2], "{rule}: threads make a difference");
    }
}

#[test]
fn games_are_legal_and_as_ordered() {
    let folder = tempfile::tempdir().unwrap();
    for rule in Rule::ALL {
        let path = folder.path().join(rule.name());
        let settings = settings(rule, 12);
        play(&path, &settings, 1, 4);
        let games = read(&path);
        assert_eq!(games.len(), 4);
        for (number, game) in (0..).zip(&games) {
            game.verify().unwrap();
            let facts = game.facts();
            assert_eq!(facts.rule, rule);
            assert!([7, 9].contains(&facts.size.width()));
            assert_eq!(facts.seed, settings.game_seed(number));
            assert_eq!(facts.generation, 3);
            let opening = usize::from(facts.opening_len);
            assert!((1..=8 + 16).contains(&opening));
            for (ply_number, ply) in game.plies().iter().enumerate() {
                let may_be_random = ply_number < opening + 6;
                assert!(!ply.is_random || may_be_random, "{rule}: ply {ply_number}");
                assert!(ply_number >= opening || ply.is_random);
            }
        }
        assert!(games[0] != games[1]);
    }
}

#[test]
fn a_torn_file_is_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let settings = settings(Rule::Freestyle, 13);
    let whole = folder.path().join("whole");
    play(&whole, &settings, 1, 5);
    let bytes = fs::read(&whole).unwrap();
    let torn = folder.path().join("torn");
    for len in [bytes.len() - 1, bytes.len() / 2, 40, 10, 0] {
        fs::write(&torn, &bytes[..len]).unwrap();
        let there = play(&torn, &settings, 2, 5);
        assert!(there < 5);
        assert_eq!(fs::read(&torn).unwrap(), bytes, "cut at {len}");
    }
    assert_eq!(play(&torn, &settings, 1, 5), 5);
    assert_eq!(fs::read(&torn).unwrap(), bytes);
}

#[test]
fn a_stop_leaves_whole_games_in_order() {
    let settings = settings(Rule::Standard, 14);
    let stop = AtomicBool::new(false);
    let bounds = Bounds {
        first: 0,
        end: u64::MAX,
        deadline: None,
        stop: &stop,
    };
    let mut seeds = Vec::new();
    run(&settings, 2, &bounds, |game| {
        seeds.extend(game.map(|game| game.facts().seed));
        stop.store(seeds.len() >= 3, Ordering::Relaxed);
        Ok(())
    })
    .unwrap();
    assert!(seeds.len() >= 3);
    let expected: Vec<u64> = (0..seeds.len() as u64)
        .map(|n| settings.game_seed(n))
        .collect();
    assert_eq!(seeds, expected);
}

#[test]
fn an_error_ends_the_run() {
    let stop = AtomicBool::new(false);
    let bounds = Bounds {
        first: 0,
        end: u64::MAX,
        deadline: None,
        stop: &stop,
    };
    let settings = settings(Rule::Caro, 15);
    let result = run(&settings, 2, &bounds, |game| match game {
        Some(_) => anyhow::bail!("disk full"),
        None => Ok(()),
    });
    assert_eq!(result.unwrap_err().to_string(), "disk full");
}
