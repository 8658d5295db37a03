//! Results and lengths of games.

use super::percent;
use std::collections::BTreeMap;
use std::fmt;
use yonsan::board::Colour;
use yonsan::rules::Rule;
use yonsan_format::{End, Game};

/// Counts for one rule and board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Group {
    /// Games.
    pub games: u64,
    /// Their plies, openings included.
    pub plies: u64,
    /// Plies with a score from a search or a proof.
    pub scored: u64,
    /// Plies of the shortest game.
    pub shortest: usize,
    /// Plies of the longest game.
    pub longest: usize,
    /// Games won by Black and by White.
    pub won: [u64; 2],
    /// Games by their end, in the order of [`End::ALL`].
    pub ends: [u64; End::ALL.len()],
}

impl Group {
    fn add(&mut self, game: &Game) {
        let len = game.plies().len();
        let facts = game.facts();
        self.shortest = if self.games == 0 {
            len
        } else {
            self.shortest.min(len)
        };
        self.longest = self.longest.max(len);
        self.games += 1;
        self.plies += len as u64;
        self.scored += game.plies().iter().filter(|ply| ply.has_score()).count() as u64;
        if let Some(winner) = facts.winner {
            self.won[winner.index()] += 1;
        }
        self.ends[facts.end as usize] += 1;
    }

    fn merge(&mut self, other: &Self) {
        self.shortest = match (self.games, other.games) {
            (0, _) => other.shortest,
            (_, 0) => self.shortest,
            _ => self.shortest.min(other.shortest),
        };
        self.longest = self.longest.max(other.longest);
        self.games += other.games;
        self.plies += other.plies;
        self.scored += other.scored;
        for (sum, count) in self.won.iter_mut().zip(other.won) {
            *sum += count;
        }
        for (sum, count) in self.ends.iter_mut().zip(other.ends) {
            *sum += count;
        }
    }
}

/// A row of the table.
impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mean = self.plies as f64 / self.games.max(1) as f64;
        let won = |side: Colour| percent(self.won[side.index()], self.games);
        let drawn = self.games - self.won.iter().sum::<u64>();
        write!(
            f,
            "{:>8} {:>9} {:>9} {:>6.1} {:>4} {:>4} {:>6.1} {:>6.1} {:>6.1}",
            self.games,
            self.plies,
            self.scored,
            mean,
            self.shortest,
            self.longest,
            won(Colour::Black),
            won(Colour::White),
            percent(drawn, self.games),
        )?;
        for count in self.ends {
            write!(f, " {count:>7}")?;
        }
        Ok(())
    }
}

/// Rule, columns and rows.
type Key = (usize, u8, u8);

/// Counts by rule and board.
#[derive(Clone, Debug, Default)]
pub struct Lengths {
    groups: BTreeMap<Key, Group>,
}

impl Lengths {
    /// Counts a game.
    pub fn add(&mut self, game: &Game) {
        let facts = game.facts();
        let key = (facts.rule.index(), facts.size.width(), facts.size.height());
        self.groups.entry(key).or_default().add(game);
    }

    /// The counts of a rule on a board; zeros if there are no such games.
    #[must_use]
    pub fn group(&self, rule: Rule, width: u8, height: u8) -> Group {
        let group = self.groups.get(&(rule.index(), width, height));
        group.copied().unwrap_or_default()
    }

    /// The counts of a rule on all boards.
    #[must_use]
    pub fn rule(&self, rule: Rule) -> Group {
        self.sum(|key| key.0 == rule.index())
    }

    /// The counts of everything.
    #[must_use]
    pub fn total(&self) -> Group {
        self.sum(|_| true)
    }

    fn sum(&self, is_wanted: impl Fn(&Key) -> bool) -> Group {
        let mut sum = Group::default();
        for (key, group) in &self.groups {
            if is_wanted(key) {
                sum.merge(group);
            }
        }
        sum
    }
}

impl fmt::Display for Lengths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:<10} {:>5} {:>8} {:>9} {:>9} {:>6} {:>4} {:>4} {:>6} {:>6} {:>6}",
            "rule",
            "board",
            "games",
            "plies",
            "scored",
            "mean",
            "min",
            "max",
            "black",
            "white",
            "drawn"
        )?;
        for end in End::ALL {
            write!(f, " {:>7}", end.name())?;
        }
        writeln!(f)?;
        for rule in Rule::ALL {
            let groups = self.groups.iter().filter(|(key, _)| key.0 == rule.index());
            for (&(_, width, height), group) in groups.clone() {
                let board = format!("{width}x{height}");
                writeln!(f, "{rule:<10} {board:>5} {group}")?;
            }
            if groups.count() > 1 {
                writeln!(f, "{rule:<10} {:>5} {}", "all", self.rule(rule))?;
            }
        }
        writeln!(f, "{:<10} {:>5} {}", "all", "all", self.total())
    }
}
