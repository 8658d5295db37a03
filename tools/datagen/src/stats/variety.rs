//! How different games are: openings and whole games, symmetric ones taken
//! for one.

use super::percent;
use std::collections::HashSet;
use std::fmt;
use yonsan::board::{Point, Position, Size, Symmetry};
use yonsan::rules::Rule;
use yonsan_format::Game;

/// Opening lengths that are told apart; longer ones count as the last.
const LENGTHS: usize = 10;

#[derive(Clone, Debug, Default)]
struct Group {
    games: u64,
    /// Games by the length of their opening.
    lengths: [u64; LENGTHS],
    openings: HashSet<u64>,
    ends: HashSet<u64>,
}

/// Openings and duplicates by rule.
#[derive(Clone, Debug, Default)]
pub struct Variety {
    groups: [Group; Rule::ALL.len()],
}

impl Variety {
    /// Counts a game.
    pub fn add(&mut self, game: &Game) {
        let facts = game.facts();
        let group = &mut self.groups[facts.rule.index()];
        let opening_len = usize::from(facts.opening_len);
        let moves: Vec<Point> = game.moves().collect();
        group.games += 1;
        group.lengths[opening_len.min(LENGTHS - 1)] += 1;
        let opening = &moves[..opening_len.min(moves.len())];
        group.openings.insert(class_of(facts.size, opening));
        group.ends.insert(class_of(facts.size, &moves));
    }

    /// Games of a rule whose last position another game has too, turned or
    /// mirrored or not: all but one of each kind.
    #[must_use]
    pub fn duplicates(&self, rule: Rule) -> u64 {
        let group = &self.groups[rule.index()];
        group.games - group.ends.len() as u64
    }

    /// Different openings of a rule.
    #[must_use]
    pub fn openings(&self, rule: Rule) -> usize {
        self.groups[rule.index()].openings.len()
    }
}

/// A number that positions share which are equal, turned or mirrored.
fn class_of(size: Size, moves: &[Point]) -> u64 {
    let hashes = Symmetry::all(size).map(|symmetry| {
        let mut position = Position::new(size);
        for &point in moves {
            position.play(symmetry.apply(point, size));
        }
        position.hash()
    });
    hashes.min().unwrap_or(0)
}

impl fmt::Display for Variety {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:<10} {:>8} {:>10}  {:>9}  percent of openings with so many stones\n{:<43}",
            "rule", "openings", "duplicates", "percent", ""
        )?;
        for len in 0..LENGTHS {
            write!(f, " {len:>5}")?;
        }
        writeln!(f)?;
        for (rule, group) in Rule::ALL.into_iter().zip(&self.groups) {
            if group.games == 0 {
                continue;
            }
            let duplicates = self.duplicates(rule);
            write!(
                f,
                "{rule:<10} {:>8} {duplicates:>10}  {:>9.2}  ",
                group.openings.len(),
                percent(duplicates, group.games)
            )?;
            for count in group.lengths {
                write!(f, " {:>5.1}", percent(count, group.games))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
