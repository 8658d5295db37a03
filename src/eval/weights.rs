//! The numbers of the classical evaluation, and the file that holds them.
//!
//! The file, all numbers little-endian: eight bytes `YONSANCW`; version, `u32`;
//! number of combos and of threat masks, `u32` each; then for each rule in the
//! order of [`Rule::ALL`] and for Black and White in turn the four tables of
//! [`SideWeights`] in their order, `i16` each; then the low 32 bits of a
//! checksum over all that precedes, `u32`.

use crate::board::{Colour, mix};
use crate::pattern::{Board, COMBO_COUNT, Class, Combo, Group, LineRule, Shape};
use crate::rules::Rule;
use std::path::Path;
use std::{fmt, fs, io};

/// What stands for the weights by rule of thumb where a file could be named.
pub const HAND: &str = "hand";
/// A score of this size stands for winning chances of e : 1; the win rate is
/// `1 / (1 + exp(-score / SCORE_SCALE))`.
pub const SCORE_SCALE: f32 = 200.0;
/// Number of threat masks, see [`threat_mask`].
pub const THREAT_MASKS: usize = 512;

const MAGIC: &[u8; 8] = b"YONSANCW";
const VERSION: u32 = 1;
const HEADER_LEN: usize = MAGIC.len() + 3 * size_of::<u32>();
const SIDE_NUMBERS: usize = 3 * COMBO_COUNT + THREAT_MASKS;
const FILE_LEN: usize =
    HEADER_LEN + Rule::ALL.len() * 2 * SIDE_NUMBERS * size_of::<i16>() + size_of::<u32>();

/// The tables of one colour under one rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideWeights {
    /// By combo: worth of a free point for this colour. At most ±8,000, and
    /// 0 for the combo without any shape.
    pub value: Vec<i16>,
    /// By combo of this colour: how urgent a move of this colour is.
    pub attack: Vec<i16>,
    /// By combo of the opponent: how urgent a move of this colour is.
    pub defend: Vec<i16>,
    /// By threat mask: what is added when this colour is to move.
    pub threat: Vec<i16>,
}

/// All tables, by rule and colour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassicalWeights {
    sides: Vec<[SideWeights; 2]>,
}

/// Why bytes are no weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WeightsError {
    /// They do not begin as a file of weights does.
    NotWeights,
    /// They are of another version, or made for other tables.
    OtherVersion,
    /// Some are missing or too many.
    WrongLength,
    /// The checksum does not fit.
    Damaged,
}

impl fmt::Display for WeightsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotWeights => "not a file of evaluation weights",
            Self::OtherVersion => "weights of another version",
            Self::WrongLength => "a file of weights that is cut or too long",
            Self::Damaged => "a damaged file of weights",
        })
    }
}

impl std::error::Error for WeightsError {}

/// Why a file of weights is not used.
#[derive(Debug)]
pub enum LoadError {
    /// It cannot be read.
    Io(io::Error),
    /// It is no good.
    Weights(WeightsError),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Weights(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for LoadError {}

/// Which threats exist for the side to move: bits 0 to 3 say whether it has
/// points of the groups three, double three, four and four-three; bits 4 to 8
/// whether the opponent has points of these groups and of strong fours.
#[inline]
#[must_use]
pub fn threat_mask(board: &Board) -> usize {
    const COMMON: [Group; 4] = [
        Group::Three,
        Group::DoubleThree,
        Group::Four,
        Group::FourThree,
    ];
    let side = board.side_to_move();
    let mut mask = usize::from(board.count(!side, Group::StrongFour) > 0) << 8;
    for (bit, group) in COMMON.into_iter().enumerate() {
        mask |= usize::from(board.count(side, group) > 0) << bit;
        mask |= usize::from(board.count(!side, group) > 0) << (bit + COMMON.len());
    }
    mask
}

impl ClassicalWeights {
    /// Weights by rule of thumb: where fitting starts.
    #[must_use]
    pub fn hand() -> Self {
        let side = |rule, colour| {
            let by_combo = |value: &dyn Fn(Combo) -> i32| -> Vec<i16> {
                Combo::all().map(|combo| value(combo) as i16).collect()
            };
            let own = |combo| hand_value(combo, LineRule::new(rule, colour));
            let other = |combo| hand_value(combo, LineRule::new(rule, colour.opponent()));
            SideWeights {
                value: by_combo(&own),
                attack: by_combo(&|combo| 2 * own(combo)),
                defend: by_combo(&other),
                threat: (0..THREAT_MASKS).map(hand_threat).collect(),
            }
        };
        let sides = Rule::ALL.map(|rule| Colour::ALL.map(|colour| side(rule, colour)));
        Self {
            sides: sides.into(),
        }
    }

    /// The weights of a file, or those by rule of thumb for [`HAND`].
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is no good.
    pub fn load(source: &Path) -> Result<Self, LoadError> {
        if source == Path::new(HAND) {
            return Ok(Self::hand());
        }
        let bytes = fs::read(source).map_err(LoadError::Io)?;
        Self::from_bytes(&bytes).map_err(LoadError::Weights)
    }

    /// The tables of one colour under a rule.
    #[must_use]
    pub fn side(&self, rule: Rule, colour: Colour) -> &SideWeights {
        &self.sides[rule.index()][colour.index()]
    }

    /// The tables of one colour under a rule.
    pub fn side_mut(&mut self, rule: Rule, colour: Colour) -> &mut SideWeights {
        &mut self.sides[rule.index()][colour.index()]
    }

    /// The file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(FILE_LEN);
        bytes.extend_from_slice(MAGIC);
        for number in [VERSION, COMBO_COUNT as u32, THREAT_MASKS as u32] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        for side in self.sides.iter().flatten() {
            for table in [&side.value, &side.attack, &side.defend, &side.threat] {
                bytes.extend(table.iter().flat_map(|number| number.to_le_bytes()));
            }
        }
        bytes.extend_from_slice(&checksum(&bytes).to_le_bytes());
        bytes
    }

    /// Reads a file.
    ///
    /// # Errors
    ///
    /// If the bytes are anything but a whole and undamaged file of this version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, WeightsError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(WeightsError::NotWeights)?;
        let (header, _) = rest.as_chunks::<4>();
        let expected = [VERSION, COMBO_COUNT as u32, THREAT_MASKS as u32];
        if !header
            .iter()
            .copied()
            .map(u32::from_le_bytes)
            .take(3)
            .eq(expected)
        {
            return Err(WeightsError::OtherVersion);
        }
        if bytes.len() != FILE_LEN {
            return Err(WeightsError::WrongLength);
        }
        let (content, sum) = bytes.split_at(FILE_LEN - size_of::<u32>());
        if checksum(content).to_le_bytes() != sum {
            return Err(WeightsError::Damaged);
        }
        let (numbers, _) = content[HEADER_LEN..].as_chunks::<2>();
        let mut numbers = numbers.iter().copied().map(i16::from_le_bytes);
        let mut table = |length| numbers.by_ref().take(length).collect();
        let sides = Rule::ALL.map(|_| {
            Colour::ALL.map(|_| SideWeights {
                value: table(COMBO_COUNT),
                attack: table(COMBO_COUNT),
                defend: table(COMBO_COUNT),
                threat: table(THREAT_MASKS),
            })
        });
        Ok(Self {
            sides: sides.into(),
        })
    }
}

fn checksum(bytes: &[u8]) -> u32 {
    bytes
        .iter()
        .fold(0, |sum: u64, &byte| mix(sum ^ u64::from(byte))) as u32
}

/// Worth of a shape a stone would make, by rule of thumb.
const fn hand_shape(shape: Shape) -> i32 {
    match shape {
        Shape::Dead | Shape::Overline => 0,
        Shape::ClosedOne => 1,
        Shape::OpenOne => 3,
        Shape::ClosedTwo => 5,
        Shape::OpenTwo => 11,
        Shape::WideTwo => 15,
        Shape::ClosedThree => 18,
        Shape::OpenThree => 34,
        Shape::WideThree => 42,
        Shape::Four | Shape::DoubleFour => 48,
        Shape::OpenFour => 90,
        Shape::Five => 120,
    }
}

/// Worth of what the shapes of a point make together, by rule of thumb.
const fn hand_class(class: Class) -> i32 {
    match class {
        Class::Quiet | Class::Three | Class::Four => 0,
        Class::DoubleThree | Class::OpenFour | Class::Five => 60,
        Class::FourThree => 120,
        Class::DoubleFour => 140,
        Class::Forbidden => -60,
    }
}

fn hand_value(combo: Combo, rule: LineRule) -> i32 {
    let shapes: i32 = combo.shapes().into_iter().map(hand_shape).sum();
    (shapes + hand_class(combo.class(rule))).max(0)
}

/// What it is worth to be on the move, by rule of thumb: the more, the better
/// the threats one has, and less if the opponent's must be met.
fn hand_threat(mask: usize) -> i16 {
    const BITS: [i16; 9] = [40, 60, 30, 60, 0, -20, 0, -20, -40];
    let bits = (0..BITS.len()).filter(|bit| mask >> bit & 1 != 0);
    40 + bits.map(|bit| BITS[bit]).sum::<i16>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_come_back_as_written() {
        let mut weights = ClassicalWeights::hand();
        weights.side_mut(Rule::Caro, Colour::White).threat[511] = -32_768;
        let bytes = weights.to_bytes();
        assert_eq!(bytes.len(), FILE_LEN);
        assert_eq!(ClassicalWeights::from_bytes(&bytes), Ok(weights));
    }

    #[test]
    fn bad_files_are_refused() {
        let good = ClassicalWeights::hand().to_bytes();
        let changed = |index: usize| {
            let mut bytes = good.clone();
            bytes[index] ^= 1;
            ClassicalWeights::from_bytes(&bytes)
        };
        assert_eq!(changed(0), Err(WeightsError::NotWeights));
        assert_eq!(changed(8), Err(WeightsError::OtherVersion));
        assert_eq!(changed(5_000), Err(WeightsError::Damaged));
        assert_eq!(changed(FILE_LEN - 1), Err(WeightsError::Damaged));
        let short = ClassicalWeights::from_bytes(&good[..FILE_LEN - 1]);
        assert_eq!(short, Err(WeightsError::WrongLength));
        assert_eq!(
            ClassicalWeights::from_bytes(&[]),
            Err(WeightsError::NotWeights)
        );
        assert_eq!(
            ClassicalWeights::from_bytes(MAGIC),
            Err(WeightsError::OtherVersion)
        );
    }
}
