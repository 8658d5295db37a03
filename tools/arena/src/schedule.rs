//! Which games an event consists of. A game is found from its number alone,
//! the same in every shard and after every resume: games `2p` and `2p + 1`
//! are pair `p`, one opening from both sides. In a round every two engines
//! that meet play one pair, all of them from the same opening, so that no
//! result depends on who got which opening.

use crate::config::{EventConfig, EventKind, OpeningChoice, OpeningOrder, SymmetryUse};
use crate::opening_file::{self, Opening};
use anyhow::{Result, bail};
use std::fmt;
use std::str::FromStr;
use yonsan::board::{Point, Random, Size, Symmetry, format_moves};

const ORDER_PURPOSE: u64 = 1;
const SYMMETRY_PURPOSE: u64 = 2;

/// A game to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameSpec {
    /// Number in the event, from 0.
    pub number: u64,
    /// Number of the pair.
    pub pair: u64,
    /// Index of the engine that begins: Black, or the one that puts the
    /// first stones of a swap opening.
    pub first: usize,
    /// Index of the other engine.
    pub second: usize,
    /// Stones given, Black first.
    pub opening: Vec<Point>,
    /// Where they stand, such as `openings.txt:12`; empty if nowhere.
    pub source: String,
}

/// All games of an event.
#[derive(Clone, Debug)]
pub struct Schedule {
    encounters: Vec<(usize, usize)>,
    /// For every round its opening; empty without openings.
    round_openings: Vec<(Vec<Point>, String)>,
    rounds: u64,
}

impl Schedule {
    /// The games of an event; reads its openings.
    ///
    /// # Errors
    ///
    /// If the openings cannot be read or are not those of the configuration.
    pub fn new(config: &EventConfig) -> Result<Self> {
        let round_openings = match &config.openings {
            None => Vec::new(),
            Some(choice) => {
                let size = config.size()?;
                let openings = opening_file::read(&choice.file, config.rule, size)?;
                let found = fingerprint(&openings);
                if found != choice.fingerprint {
                    bail!(
                        "the openings in {} are not those the event began with",
                        choice.file.display()
                    );
                }
                round_openings(&openings, choice, config, size)
            }
        };
        Ok(Self {
            encounters: encounters(config.kind, config.engines.len()),
            round_openings,
            rounds: config.rounds,
        })
    }

    /// Number of games.
    #[must_use]
    pub fn game_count(&self) -> u64 {
        2 * self.rounds * self.encounters.len() as u64
    }

    /// The game with this number.
    ///
    /// # Panics
    ///
    /// If there is no such game.
    #[must_use]
    pub fn game(&self, number: u64) -> GameSpec {
        assert!(number < self.game_count(), "no game {number}");
        let pair = number / 2;
        let count = self.encounters.len() as u64;
        let (round, encounter) = ((pair / count) as usize, (pair % count) as usize);
        let (one, other) = self.encounters[encounter];
        let (first, second) = if number.is_multiple_of(2) {
            (one, other)
        } else {
            (other, one)
        };
        let (opening, source) = self.round_openings.get(round).cloned().unwrap_or_default();
        GameSpec {
            number,
            pair,
            first,
            second,
            opening,
            source,
        }
    }
}

fn encounters(kind: EventKind, engine_count: usize) -> Vec<(usize, usize)> {
    let firsts = match kind {
        EventKind::Match | EventKind::Gauntlet => 1,
        EventKind::Tournament => engine_count,
    };
    (0..firsts)
        .flat_map(|one| (one + 1..engine_count).map(move |other| (one, other)))
        .collect()
}

/// A number that changes with the openings, but not with comments.
#[must_use]
pub fn fingerprint(openings: &[Opening]) -> String {
    const OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;
    // FNV-1a: nobody attacks this, it only has to notice changes.
    let mut hash = OFFSET_BASIS;
    for opening in openings {
        let text = format_moves(&opening.moves);
        for byte in text.bytes().chain(std::iter::once(b'\n')) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(PRIME);
        }
    }
    format!("{hash:016x}")
}

fn round_openings(
    openings: &[Opening],
    choice: &OpeningChoice,
    config: &EventConfig,
    size: Size,
) -> Vec<(Vec<Point>, String)> {
    let symmetries: Vec<Symmetry> = Symmetry::all(size).collect();
    let images = match choice.symmetries {
        SymmetryUse::All => symmetries.len(),
        SymmetryUse::None | SymmetryUse::Random => 1,
    };
    let list_length = openings.len() * images;
    let file = choice
        .file
        .file_name()
        .unwrap_or_default()
        .to_string_lossy();
    let mut chance = Random::for_purpose(config.seed, SYMMETRY_PURPOSE);
    let mut order = Vec::new();
    let mut shuffler = Random::for_purpose(config.seed, ORDER_PURPOSE);
    (0..config.rounds as usize)
        .map(|round| {
            if round % list_length == 0 {
                order = (0..list_length).collect();
                if choice.order == OpeningOrder::Random {
                    shuffler.shuffle(&mut order);
                }
            }
            let entry = order[round % list_length];
            let opening = &openings[entry / images];
            let symmetry = match choice.symmetries {
                SymmetryUse::None => Symmetry::IDENTITY,
                SymmetryUse::All => symmetries[entry % images],
                SymmetryUse::Random => symmetries[chance.index(symmetries.len())],
            };
            let moves = opening.moves.iter().map(|&p| symmetry.apply(p, size));
            (moves.collect(), format!("{file}:{}", opening.line))
        })
        .collect()
}

/// A part of an event: every `count`-th pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 1 to `count`.
    pub index: u64,
    /// Number of shards.
    pub count: u64,
}

impl Shard {
    /// The only shard of an event that is not divided.
    pub const WHOLE: Self = Self { index: 1, count: 1 };

    /// Whether a pair belongs to it.
    #[must_use]
    pub const fn has(self, pair: u64) -> bool {
        pair % self.count == self.index - 1
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('/');
        let numbers = parts.and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
        match numbers {
            Some((index, count)) if (1..=count).contains(&index) => Ok(Self { index, count }),
            _ => Err(format!("'{text}' is no shard I/N with I from 1 to N")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::tests::event;
    use std::collections::{BTreeMap, BTreeSet};
    use std::io::Write;
    use yonsan::rules::Rule;

    const OPENINGS: &str = "# five\nh8h9h10\nh8i9j10\nh8h9i10\nh8i9j11\nh8i9h10\n";

    fn schedule(
        kind: EventKind,
        names: &[&str],
        rounds: u64,
        order: OpeningOrder,
        symmetries: SymmetryUse,
    ) -> Schedule {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(OPENINGS.as_bytes()).unwrap();
        let size = Size::square(15).unwrap();
        let openings = opening_file::parse(OPENINGS, Rule::Renju, size).unwrap();
        let mut config = event(kind, names);
        config.rounds = rounds;
        config.openings = Some(OpeningChoice {
            file: file.path().to_owned(),
            fingerprint: fingerprint(&openings),
            order,
            symmetries,
        });
        Schedule::new(&config).unwrap()
    }

    #[test]
    fn pairs_change_colours_and_keep_the_opening() {
        let (order, none) = (OpeningOrder::Sequential, SymmetryUse::None);
        let schedule = schedule(EventKind::Match, &["a", "b"], 7, order, none);
        assert_eq!(schedule.game_count(), 14);
        for pair in 0..7 {
            let (one, two) = (schedule.game(2 * pair), schedule.game(2 * pair + 1));
            assert_eq!((one.pair, two.pair), (pair, pair));
            assert_eq!((one.first, one.second), (two.second, two.first));
            assert_eq!(one.opening, two.opening);
        }
        assert_eq!(schedule.game(0).opening, schedule.game(10).opening);
        assert!(schedule.game(2).source.ends_with(":3"));
    }

    /// The trouble of fastchess#742: pairs of engines met on different openings.
    #[test]
    fn every_encounter_gets_the_same_openings() {
        let names = ["a", "b", "c", "d"];
        for kind in [EventKind::Tournament, EventKind::Gauntlet] {
            let (order, all) = (OpeningOrder::Random, SymmetryUse::Random);
            let schedule = schedule(kind, &names, 12, order, all);
            let mut openings = BTreeMap::<_, Vec<_>>::new();
            for number in 0..schedule.game_count() {
                let game = schedule.game(number);
                let entry = openings.entry((game.first, game.second)).or_default();
                entry.push(format_moves(&game.opening));
            }
            let encounters = if kind == EventKind::Tournament { 6 } else { 3 };
            assert_eq!(openings.len(), 2 * encounters);
            let different: BTreeSet<_> = openings.into_values().collect();
            assert_eq!(different.len(), 1);
            assert_eq!(different.first().unwrap().len(), 12);
        }
    }

    #[test]
    fn all_images_are_used_once_in_a_cycle() {
        let (order, all) = (OpeningOrder::Random, SymmetryUse::All);
        let schedule = schedule(EventKind::Match, &["a", "b"], 40, order, all);
        let seen: BTreeSet<_> = (0..40)
            .map(|pair| schedule.game(2 * pair).opening)
            .collect();
        // h8h9h10 and h8i9j10 lie on an axis of symmetry: 4 images each.
        assert_eq!(seen.len(), 4 + 4 + 8 + 8 + 8);
    }

    #[test]
    fn seeds_decide_the_order() {
        let make = |seed| {
            let size = Size::square(15).unwrap();
            let openings = opening_file::parse(OPENINGS, Rule::Renju, size).unwrap();
            let mut config = event(EventKind::Match, &["a", "b"]);
            config.seed = seed;
            let choice = OpeningChoice {
                file: "x".into(),
                fingerprint: String::new(),
                order: OpeningOrder::Random,
                symmetries: SymmetryUse::None,
            };
            round_openings(&openings, &choice, &config, size)
        };
        assert_eq!(make(5), make(5));
        assert_ne!(make(5), make(6));
        let distinct: BTreeSet<_> = make(5)[..5].iter().cloned().collect();
        assert_eq!(distinct.len(), 5);
    }

    #[test]
    fn changed_openings_are_noticed() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(b"h8h9h10\n").unwrap();
        let mut config = event(EventKind::Match, &["a", "b"]);
        config.openings = Some(OpeningChoice {
            file: file.path().to_owned(),
            fingerprint: "0".to_owned(),
            order: OpeningOrder::Sequential,
            symmetries: SymmetryUse::None,
        });
        let error = Schedule::new(&config).unwrap_err().to_string();
        assert!(error.contains("not those the event began with"), "{error}");
    }

    #[test]
    fn shards_cover_every_pair_once() {
        for pair in 0..20 {
            let owners = (1..=3).filter(|&index| Shard { index, count: 3 }.has(pair));
            assert_eq!(owners.count(), 1);
            assert!(Shard::WHOLE.has(pair));
        }
        assert_eq!("2/3".parse(), Ok(Shard { index: 2, count: 3 }));
        for text in ["", "0/3", "4/3", "1", "1/0", "a/b", "1/2/3"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
