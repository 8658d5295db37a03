//! What fixes a run.

use crate::mixture::{Boards, Mixture};
use std::fmt;
use yonsan::board::mix;
use yonsan::eval::Evaluation;
use yonsan::rules::Rule;
use yonsan_format::Header;

/// Everything a game depends on besides the engine and its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Rules by weight.
    pub rules: Mixture<Rule>,
    /// Boards by weight.
    pub sizes: Mixture<Boards>,
    /// Nodes a ply, more or less.
    pub nodes: u64,
    /// Scores of openings lie within plus and minus this, in the engine's
    /// units.
    pub balance: i32,
    /// Most plies by which an opening goes astray, 0 to 200: more do not fit
    /// into the format.
    pub stray: u64,
    /// Transposition table in MiB.
    pub hash_mib: u64,
    /// Generation of the engine.
    pub generation: u16,
    /// Seed of all games.
    pub seed: u64,
    /// Whether a net plays. It is, as all of the engine, no part of the header.
    pub evaluation: Evaluation,
}

impl Settings {
    /// The seed of a game, by its number from 0.
    #[must_use]
    pub const fn game_seed(&self, number: u64) -> u64 {
        mix(self.seed ^ mix(number))
    }

    /// The header of the file.
    #[must_use]
    pub fn header(&self) -> Header {
        let text = self.to_string();
        Header {
            seed: self.seed,
            settings: text.bytes().fold(0, |sum, byte| mix(sum ^ u64::from(byte))),
        }
    }
}

/// All settings of the header but the seed, in one line.
impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "rules {} sizes {} nodes {} balance {} stray {} hash {} generation {}",
            self.rules,
            self.sizes,
            self.nodes,
            self.balance,
            self.stray,
            self.hash_mib,
            self.generation
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn settings() -> Settings {
        Settings {
            rules: "renju:1".parse().unwrap(),
            sizes: "15:1".parse().unwrap(),
            nodes: 100,
            balance: 150,
            stray: 16,
            hash_mib: 1,
            generation: 0,
            seed: 1,
            evaluation: Evaluation::default(),
        }
    }

    #[test]
    fn every_setting_shows_in_the_header() {
        let base = settings();
        let mut others = vec![base.clone(); 8];
        others[0].rules = "renju:2".parse().unwrap();
        others[1].sizes = "15:2".parse().unwrap();
        others[2].nodes = 101;
        others[3].balance = 151;
        others[4].hash_mib = 2;
        others[5].generation = 1;
        others[6].seed = 2;
        others[7].stray = 15;
        assert_eq!(base.header(), settings().header());
        for other in others {
            assert_ne!(other.header(), base.header(), "{other}");
        }
    }

    #[test]
    fn games_have_seeds_of_their_own() {
        let mut seeds = HashSet::new();
        for seed in 0..10 {
            let settings = Settings { seed, ..settings() };
            seeds.extend((0..1_000).map(|number| settings.game_seed(number)));
        }
        assert_eq!(seeds.len(), 10_000);
    }
}
