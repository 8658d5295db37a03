//! Things by weight, as the command line names them: `15:50,13-19:20`.

use std::fmt;
use std::str::FromStr;
use yonsan::board::{MAX_SIDE, MIN_SIDE, Random, Size};

/// Items, each with a weight above 0; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mixture<T> {
    items: Vec<(T, u32)>,
}

impl<T> Mixture<T> {
    /// One of the items, by weight.
    ///
    /// # Panics
    ///
    /// Never: the weights add up to more than 0.
    pub fn pick(&self, random: &mut Random) -> &T {
        let total = self
            .items
            .iter()
            .map(|&(_, weight)| u64::from(weight))
            .sum();
        let mut left = random.below(total);
        for (item, weight) in &self.items {
            match left.checked_sub(u64::from(*weight)) {
                Some(rest) => left = rest,
                None => return item,
            }
        }
        unreachable!("a number below the sum of the weights meets one of them")
    }
}

/// A text that is no mixture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MixtureError {
    /// This item cannot be read.
    Item(String),
    /// This is no weight from 1 on.
    Weight(String),
}

impl fmt::Display for MixtureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Item(text) => f.write_str(text),
            Self::Weight(text) => write!(f, "'{text}' is no whole weight above 0"),
        }
    }
}

impl std::error::Error for MixtureError {}

/// Reads `item:weight,item:weight`; a weight left out is 1.
impl<T: FromStr<Err: fmt::Display>> FromStr for Mixture<T> {
    type Err = MixtureError;

    fn from_str(text: &str) -> Result<Self, MixtureError> {
        let mut items = Vec::new();
        for part in text.split(',') {
            let (item, weight) = part.split_once(':').unwrap_or((part, "1"));
            let item = item.trim().parse::<T>();
            let item = item.map_err(|error| MixtureError::Item(error.to_string()))?;
            let number = weight
                .trim()
                .parse()
                .ok()
                .filter(|&number: &u32| number > 0);
            let weight = number.ok_or_else(|| MixtureError::Weight(weight.to_owned()))?;
            items.push((item, weight));
        }
        Ok(Self { items })
    }
}

impl<T: fmt::Display> fmt::Display for Mixture<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, (item, weight)) in self.items.iter().enumerate() {
            let comma = if number == 0 { "" } else { "," };
            write!(f, "{comma}{item}:{weight}")?;
        }
        Ok(())
    }
}

/// One board or a range of square ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Boards {
    /// Square boards with sides from the first to the second, all equally
    /// likely.
    Squares(u8, u8),
    /// This board.
    One(Size),
}

impl Boards {
    /// One of the boards.
    ///
    /// # Panics
    ///
    /// If the range was not made by reading a text.
    pub fn pick(self, random: &mut Random) -> Size {
        match self {
            Self::One(size) => size,
            Self::Squares(least, most) => Size::square(random.between(least, most))
                .expect("ranges lie within the sides a board can have"),
        }
    }
}

/// A text that names no boards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardsError(String);

impl fmt::Display for BoardsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "'{}' is no board such as 15, 13-19 or 20x15, with sides of {MIN_SIDE} to {MAX_SIDE}",
            self.0
        )
    }
}

impl std::error::Error for BoardsError {}

/// Reads `15`, `13-19` or `20x15`.
impl FromStr for Boards {
    type Err = BoardsError;

    fn from_str(text: &str) -> Result<Self, BoardsError> {
        let read = || {
            if let Some((width, height)) = text.split_once('x') {
                let size = Size::new(width.parse().ok()?, height.parse().ok()?)?;
                return Some(Self::One(size));
            }
            let (least, most) = text.split_once('-').unwrap_or((text, text));
            let (least, most) = (least.parse().ok()?, most.parse().ok()?);
            let is_range = MIN_SIDE <= least && least <= most && most <= MAX_SIDE;
            is_range.then_some(Self::Squares(least, most))
        };
        read().ok_or_else(|| BoardsError(text.to_owned()))
    }
}

impl fmt::Display for Boards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::One(size) => size.fmt(f),
            Self::Squares(least, most) if least == most => least.fmt(f),
            Self::Squares(least, most) => write!(f, "{least}-{most}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use yonsan::rules::Rule;

    #[test]
    fn texts_lead_back() {
        for text in ["15:50,20:20,13-19:20,5-12:8", "20x15:3"] {
            assert_eq!(text.parse::<Mixture<Boards>>().unwrap().to_string(), text);
        }
        let rules = "renju:2,caro-exact".parse::<Mixture<Rule>>().unwrap();
        assert_eq!(rules.to_string(), "renju:2,caro-exact:1");
    }

    #[test]
    fn nonsense_is_refused() {
        for text in [
            "", "15:0", "15:", "15:x", "15,,20", "4", "23", "19-13", "5-23", "15x4",
        ] {
            assert!(text.parse::<Mixture<Boards>>().is_err(), "{text}");
        }
        assert!("gomoku:3".parse::<Mixture<Rule>>().is_err());
    }

    #[test]
    fn weights_are_obeyed() {
        let mixture: Mixture<Boards> = "15:3,20:1".parse().unwrap();
        let mut random = Random::new(3);
        let big = (0..4_000)
            .filter(|_| mixture.pick(&mut random).pick(&mut random).width() == 20)
            .count();
        assert!((850..1_150).contains(&big), "{big}");
        let range: Boards = "13-15".parse().unwrap();
        let mut seen = [0; 23];
        for _ in 0..300 {
            seen[usize::from(range.pick(&mut random).height())] += 1;
        }
        assert!(seen[13..=15].iter().all(|&count| count > 60));
        assert_eq!(seen.iter().sum::<u32>(), 300);
    }
}
