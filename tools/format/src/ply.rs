//! One ply of a game and what the search thought of the position before it.

use std::fmt;
use yonsan::board::{Point, Size};

const POINT_BITS: u32 = 9;
const RANDOM: u32 = 1 << 9;
const FORCED: u32 = 1 << 10;
const PROVEN: u32 = 1 << 11;
const EFFORT_SHIFT: u32 = 12;
const SCORE_SHIFT: u32 = 16;

/// Nodes that count as one unit of effort, as a power of two.
const EFFORT_UNIT_BITS: u32 = 4;
const MOST_EFFORT: u8 = 15;

/// The worth of a position for the side to move, in the engine's units or as
/// the distance of a proven end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(i16);

impl Score {
    /// An even position.
    pub const ZERO: Self = Self(0);
    const WIN: i16 = 30_000;
    const LONGEST: i16 = 1_000;

    /// The score with this number; `None` beyond ±30,000.
    #[must_use]
    pub const fn new(raw: i32) -> Option<Self> {
        if raw.unsigned_abs() <= Self::WIN as u32 {
            Some(Self(raw as i16))
        } else {
            None
        }
    }

    /// The number behind the score, within ±30,000.
    #[must_use]
    pub const fn raw(self) -> i16 {
        self.0
    }

    /// Plies to the last stone of a proven win.
    #[must_use]
    pub const fn win_plies(self) -> Option<u32> {
        if self.0 >= Self::WIN - Self::LONGEST {
            Some((Self::WIN - self.0) as u32)
        } else {
            None
        }
    }

    /// Plies to the last stone of a proven loss.
    #[must_use]
    pub const fn loss_plies(self) -> Option<u32> {
        Self(-self.0).win_plies()
    }

    /// Whether the score is a proven win or loss.
    #[must_use]
    pub const fn is_proven(self) -> bool {
        self.win_plies().is_some() || self.loss_plies().is_some()
    }
}

/// `+M5` a win in five plies, `-M4` a loss in four, else the number.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match (self.win_plies(), self.loss_plies()) {
            (Some(plies), _) => format!("+M{plies}"),
            (_, Some(plies)) => format!("-M{plies}"),
            _ => self.0.to_string(),
        };
        f.pad(&text)
    }
}

/// How many nodes were searched, to a factor of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Effort(u8);

impl Effort {
    /// No search worth the name: fewer than 16 nodes.
    pub const NONE: Self = Self(0);

    /// The effort of a search of so many nodes.
    #[must_use]
    pub const fn of_nodes(nodes: u64) -> Self {
        let units = nodes >> EFFORT_UNIT_BITS;
        let bits = (u64::BITS - units.leading_zeros()) as u8;
        Self(if bits > MOST_EFFORT {
            MOST_EFFORT
        } else {
            bits
        })
    }

    /// The fewest nodes of such a search.
    #[must_use]
    pub const fn least_nodes(self) -> u64 {
        match self.0 {
            0 => 0,
            bits => 1 << (bits as u32 - 1 + EFFORT_UNIT_BITS),
        }
    }
}

/// One ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ply {
    /// Where the stone was put.
    pub point: Point,
    /// Whether it was not the search's choice.
    pub is_random: bool,
    /// Whether it was the only move, found without search: its score is that
    /// of the evaluation at most.
    pub is_forced: bool,
    /// What was searched.
    pub effort: Effort,
    /// Worth of the position before the ply, for the side to move.
    pub score: Score,
}

impl Ply {
    /// A ply of an opening.
    #[must_use]
    pub const fn of_opening(point: Point) -> Self {
        Self {
            point,
            is_random: true,
            is_forced: false,
            effort: Effort::NONE,
            score: Score::ZERO,
        }
    }

    /// Whether the score comes from a search or a proof.
    #[must_use]
    pub fn has_score(&self) -> bool {
        self.effort > Effort::NONE || self.score.is_proven()
    }

    /// The four bytes of the ply as a number.
    pub(crate) const fn to_bits(self, size: Size) -> u32 {
        let cell = self.point.y() as u32 * size.width() as u32 + self.point.x() as u32;
        let mut bits = cell;
        if self.is_random {
            bits |= RANDOM;
        }
        if self.is_forced {
            bits |= FORCED;
        }
        if self.score.is_proven() {
            bits |= PROVEN;
        }
        bits | (self.effort.0 as u32) << EFFORT_SHIFT | (self.score.0 as u16 as u32) << SCORE_SHIFT
    }

    /// The ply behind the number; `None` if no ply is written so.
    pub(crate) fn from_bits(bits: u32, size: Size) -> Option<Self> {
        let cell = bits & ((1 << POINT_BITS) - 1);
        let width = u32::from(size.width());
        let score = Score::new(i32::from((bits >> SCORE_SHIFT) as u16 as i16))?;
        if (bits & PROVEN != 0) != score.is_proven() {
            return None;
        }
        Some(Self {
            point: size.point((cell % width) as u8, (cell / width) as u8)?,
            is_random: bits & RANDOM != 0,
            is_forced: bits & FORCED != 0,
            effort: Effort((bits >> EFFORT_SHIFT) as u8 & MOST_EFFORT),
            score,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ply(point: &str, score: i32, nodes: u64) -> Ply {
        Ply {
            point: point.parse().unwrap(),
            is_random: false,
            is_forced: false,
            effort: Effort::of_nodes(nodes),
            score: Score::new(score).unwrap(),
        }
    }

    /// The table of the crate's head, worked out by hand.
    #[test]
    fn bits_are_the_documented_ones() {
        let size = Size::new(20, 15).unwrap();
        // c2: 1 * 20 + 2 = 22; 3,000 / 16 = 187 has eight bits.
        let searched = ply("c2", -2, 3_000);
        assert_eq!(searched.to_bits(size), 0xfffe_8016);
        let opening = Ply::of_opening("a1".parse().unwrap());
        assert_eq!(opening.to_bits(size), 0x0000_0200);
        // A win in 5: 29,995 = 0x752b; without nodes.
        assert_eq!(ply("a2", 29_995, 1).to_bits(size), 0x752b_0814);
        let forced = Ply {
            is_forced: true,
            ..ply("t15", 0, 0)
        };
        assert_eq!(forced.to_bits(size), 0x0000_0400 | 299);
    }

    #[test]
    fn every_ply_leads_back() {
        for side in [5, 15, 22] {
            let size = Size::new(side, 27 - side).unwrap();
            for (i, point) in size.points().enumerate() {
                let flags = i as u32;
                let ply = Ply {
                    point,
                    is_random: flags & 1 != 0,
                    is_forced: flags & 2 != 0,
                    effort: Effort::of_nodes(1 << (flags % 20)),
                    score: Score::new(i as i32 * 180 - 30_000).unwrap(),
                };
                assert_eq!(Ply::from_bits(ply.to_bits(size), size), Some(ply));
            }
        }
    }

    #[test]
    fn impossible_plies_are_refused() {
        let size = Size::square(15).unwrap();
        assert_eq!(Ply::from_bits(225, size), None, "outside");
        assert_eq!(Ply::from_bits(PROVEN, size), None, "proven without proof");
        let unmarked = ply("a1", 29_995, 1).to_bits(size) & !PROVEN;
        assert_eq!(Ply::from_bits(unmarked, size), None);
        assert_eq!(Ply::from_bits(30_001 << SCORE_SHIFT, size), None);
        let lowest = u32::from(i16::MIN as u16) << SCORE_SHIFT;
        assert_eq!(Ply::from_bits(lowest, size), None);
    }

    #[test]
    fn effort_is_known_to_a_factor_of_two() {
        assert_eq!(Effort::of_nodes(15), Effort::NONE);
        assert_eq!(Effort::of_nodes(16).least_nodes(), 16);
        assert_eq!(Effort::of_nodes(3_000).least_nodes(), 2_048);
        assert_eq!(Effort::of_nodes(u64::MAX).least_nodes(), 262_144);
    }

    #[test]
    fn scores_are_read_as_wins_and_losses() {
        let text = |raw| Score::new(raw).unwrap().to_string();
        assert_eq!(text(29_993), "+M7");
        assert_eq!(text(-29_998), "-M2");
        assert_eq!(text(20_000), "20000");
        assert_eq!(text(-20_000), "-20000");
        assert_eq!(Score::new(-30_001), None);
    }
}
