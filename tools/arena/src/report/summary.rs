//! The numbers of a report.

use crate::collect::Collection;
use crate::record::{GameRecord, Reason};
use crate::standings::reason_word;
use crate::stats::{HeadToHead, Points, Rating, Sprt, Tally, fit_ratings};
use anyhow::{Result, bail};
use std::collections::BTreeMap;

/// Everything about one engine.
#[derive(Clone, Debug)]
pub struct Standing {
    /// Index into [`Summary::names`].
    pub engine: usize,
    /// All its games.
    pub tally: Tally,
    /// Its games with Black.
    pub black: Tally,
    /// Its games with White.
    pub white: Tally,
    /// Rating among all.
    pub rating: Rating,
    /// Its failures by kind.
    pub failures: BTreeMap<&'static str, u64>,
    /// Moves it thought about.
    pub move_count: u64,
    /// Time for them in milliseconds.
    pub time_ms: u64,
    /// Longest time for a move in milliseconds.
    pub longest_ms: u64,
    /// Sum of depths and number of moves with a depth.
    pub depth: (u64, u64),
    /// Largest unshared memory in bytes; 0 if not measured.
    pub peak_memory: u64,
}

/// The numbers of a report.
#[derive(Clone, Debug)]
pub struct Summary {
    /// Names of the engines.
    pub names: Vec<String>,
    /// For each game the engines with Black and White.
    pub players: Vec<[usize; 2]>,
    /// For each game its pair.
    pub pairs: Vec<u64>,
    /// Standings, the best first.
    pub standings: Vec<Standing>,
    /// Games between each two, seen from the first index.
    pub meetings: Vec<Vec<Tally>>,
    /// Games by the way they ended, the most frequent first.
    pub endings: Vec<(Reason, u64)>,
    /// The sequential test of the first event, if it had one.
    pub sprt: Option<Sprt>,
    /// Given ratings by engine.
    pub anchors: Vec<Option<f64>>,
}

impl Summary {
    /// Counts everything.
    pub fn new(collection: &mut Collection, anchors: &[(String, f64)]) -> Result<Self> {
        let names = collection.engines();
        let index_of = |name: &str| names.iter().position(|known| known == name);
        let mut given = vec![None; names.len()];
        for (name, elo) in anchors {
            match index_of(name) {
                Some(index) => given[index] = Some(*elo),
                None => bail!("no engine '{name}': there are {}", names.join(", ")),
            }
        }
        let pairs = collection.pair_numbers();
        let players: Vec<[usize; 2]> = collection
            .games
            .iter()
            .map(|entry| {
                [&entry.game.black_name, &entry.game.white_name]
                    .map(|name| index_of(name).unwrap_or_default())
            })
            .collect();
        let count = names.len();
        let mut meetings = vec![vec![Tally::default(); count]; count];
        for ((entry, &[black, white]), &pair) in collection.games.iter().zip(&players).zip(&pairs) {
            let outcome = entry.game.outcome;
            meetings[black][white].add(pair, Points::of(outcome, true));
            meetings[white][black].add(pair, Points::of(outcome, false));
        }
        let ratings = fit_ratings(&head_to_head(&meetings), &given)?;
        let mut standings: Vec<Standing> = ratings
            .into_iter()
            .enumerate()
            .map(|(engine, rating)| Standing::new(engine, rating))
            .collect();
        for ((entry, players), &pair) in collection.games.iter().zip(&players).zip(&pairs) {
            count_game(&mut standings, &entry.game, *players, pair);
        }
        standings.sort_by(|a, b| b.rating.elo.total_cmp(&a.rating.elo));
        let sprt = collection
            .events
            .first()
            .and_then(|event| serde_json::from_value(event.config.get("sprt")?.clone()).ok())
            .filter(|sprt: &Sprt| sprt.validate().is_ok());
        Ok(Self {
            players,
            pairs,
            standings,
            meetings,
            endings: endings(collection),
            sprt,
            anchors: given,
            names,
        })
    }
}

impl Standing {
    fn new(engine: usize, rating: Rating) -> Self {
        Self {
            engine,
            rating,
            tally: Tally::default(),
            black: Tally::default(),
            white: Tally::default(),
            failures: BTreeMap::new(),
            move_count: 0,
            time_ms: 0,
            longest_ms: 0,
            depth: (0, 0),
            peak_memory: 0,
        }
    }

    fn count_move(&mut self, entry: &crate::record::MoveRecord) {
        self.move_count += 1;
        self.time_ms += entry.time_ms;
        self.longest_ms = self.longest_ms.max(entry.time_ms);
        if let Some(depth) = entry.depth {
            self.depth.0 += u64::from(depth);
            self.depth.1 += 1;
        }
    }
}

/// All games between every two, for ratings.
pub fn head_to_head(meetings: &[Vec<Tally>]) -> Vec<HeadToHead> {
    let mut games = Vec::new();
    for (first, row) in meetings.iter().enumerate() {
        for (second, tally) in row.iter().enumerate().skip(first + 1) {
            if tally.game_count() > 0 {
                games.push(HeadToHead {
                    first,
                    second,
                    points: tally.wins() as f64 + tally.draws() as f64 / 2.0,
                    games: tally.game_count() as f64,
                });
            }
        }
    }
    games
}

fn count_game(standings: &mut [Standing], game: &GameRecord, players: [usize; 2], pair: u64) {
    for (side, &engine) in players.iter().enumerate() {
        let standing = &mut standings[engine];
        let is_black = side == 0;
        let points = Points::of(game.outcome, is_black);
        standing.tally.add(pair, points);
        let coloured = if is_black {
            &mut standing.black
        } else {
            &mut standing.white
        };
        coloured.add(pair, points);
        if points == Points::Loss && game.reason.is_failure() {
            *standing
                .failures
                .entry(reason_word(game.reason))
                .or_insert(0) += 1;
        }
        standing.peak_memory = standing.peak_memory.max(game.peak_memory[side]);
        for entry in game.moves.iter().skip(side).step_by(2) {
            if !entry.opening {
                standing.count_move(entry);
            }
        }
    }
}

fn endings(collection: &Collection) -> Vec<(Reason, u64)> {
    let mut counts: Vec<(Reason, u64)> = Vec::new();
    for entry in &collection.games {
        let reason = entry.game.reason;
        match counts.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, count)) => *count += 1,
            None => counts.push((reason, 1)),
        }
    }
    counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    counts
}
