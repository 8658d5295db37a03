//! The file of a net, `*.ynn`, all numbers little-endian:
//!
//! | Bytes | What |
//! |---|---|
//! | 8 | `8f 59 4e 4e 0d 0a 1a 0a` |
//! | 2 | version, 1 |
//! | 2 × 5 | channels; units of the hidden layers of the value head, both, and of the policy head; number of rule sides |
//! | 2 + n | length of the description of the data, at most 4,096; the description, UTF-8 |
//! | 4 + n | length of the payload; the payload |
//! | 4 | CRC-32 of all before |
//!
//! The payload begins with the lengths of the sides, four bytes each. A side
//! is the numbers of its heads in the order of their fields, [`Heads`], and
//! its coded table, [`FactorTable`].

use super::dense::{Heads, POLICY_HIDDEN, VALUE_HIDDEN};
use super::table::{CHANNELS, FactorTable};
use crate::board::Colour;
use crate::rules::Rule;
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

const MAGIC: [u8; 8] = *b"\x8fYNN\r\n\x1a\n";
const VERSION: u16 = 1;
/// The most bytes a description can have.
pub const LONGEST_DESCRIPTION: usize = 4_096;
const SIZES: [u16; 5] = [
    CHANNELS as u16,
    VALUE_HIDDEN as u16,
    VALUE_HIDDEN as u16,
    POLICY_HIDDEN as u16,
    RuleSide::ALL.len() as u16,
];

/// Whose weights: a rule, and in renju a colour too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RuleSide {
    /// Either colour in freestyle.
    Freestyle,
    /// Either colour in standard.
    Standard,
    /// Either colour in caro and caro-exact.
    Caro,
    /// Black in renju.
    RenjuBlack,
    /// White in renju.
    RenjuWhite,
}

impl RuleSide {
    /// All, in the order of the file.
    pub const ALL: [Self; 5] = [
        Self::Freestyle,
        Self::Standard,
        Self::Caro,
        Self::RenjuBlack,
        Self::RenjuWhite,
    ];

    /// The side of a colour under a rule.
    #[must_use]
    pub const fn new(rule: Rule, colour: Colour) -> Self {
        match (rule, colour) {
            (Rule::Freestyle, _) => Self::Freestyle,
            (Rule::Standard, _) => Self::Standard,
            (Rule::Caro | Rule::CaroExact, _) => Self::Caro,
            (Rule::Renju, Colour::Black) => Self::RenjuBlack,
            (Rule::Renju, Colour::White) => Self::RenjuWhite,
        }
    }

    /// 0 to 4, the place in the file.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// The weights of one rule side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideWeights {
    /// The dense layers.
    pub heads: Heads,
    /// The rows of the windows.
    pub table: FactorTable,
}

impl SideWeights {
    /// Weights of nothing but zeros.
    #[must_use]
    pub fn zero() -> Self {
        Self {
            heads: Heads::ZERO,
            table: FactorTable::new(),
        }
    }
}

/// Why bytes are no net, or weights make none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetError {
    /// They do not begin as a net does.
    NotANet,
    /// A version this program does not know.
    OtherVersion(u16),
    /// Layers of other sizes.
    OtherSizes,
    /// The end is missing.
    Cut,
    /// There is more behind the end.
    TooLong,
    /// The checksum does not fit.
    Damaged,
    /// A description that is too long or no UTF-8.
    BadDescription,
    /// A table of a side that cannot be decoded, or is not in order.
    BadTable,
    /// A weight or bias that is too great.
    OutOfRange,
}

impl fmt::Display for NetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::NotANet => "not a net of Yonsan",
            Self::OtherVersion(version) => {
                return write!(
                    f,
                    "a net of version {version}; this program reads {VERSION}"
                );
            }
            Self::OtherSizes => "a net with layers of other sizes",
            Self::Cut => "a net whose end is missing",
            Self::TooLong => "a net with something behind its end",
            Self::Damaged => "a damaged net: its checksum does not fit",
            Self::BadDescription => "a net whose description is too long or no UTF-8",
            Self::BadTable => "a net whose table is out of order",
            Self::OutOfRange => "a net with a weight that is too great",
        };
        f.write_str(text)
    }
}

impl std::error::Error for NetError {}

/// The file of a net, checked but not decoded.
#[derive(Clone, Debug)]
pub struct NetFile {
    bytes: Cow<'static, [u8]>,
    description: String,
    sides: [Range<usize>; RuleSide::ALL.len()],
}

impl NetFile {
    /// Checks a file.
    ///
    /// # Errors
    ///
    /// If it is anything but a whole and undamaged file of this version. What
    /// the tables hold is seen only by [`NetFile::side`].
    pub fn new(bytes: impl Into<Cow<'static, [u8]>>) -> Result<Self, NetError> {
        let bytes = bytes.into();
        let mut reader = Reader {
            bytes: &bytes,
            place: 0,
        };
        if !bytes.starts_with(&MAGIC) {
            return Err(NetError::NotANet);
        }
        reader.take(MAGIC.len())?;
        let version = reader.short()?;
        if version != VERSION {
            return Err(NetError::OtherVersion(version));
        }
        for expected in SIZES {
            if reader.short()? != expected {
                return Err(NetError::OtherSizes);
            }
        }
        let description_length = usize::from(reader.short()?);
        let description = reader.take(description_length)?;
        let payload_length = reader.long()? as usize;
        let payload_start = reader.place;
        let lengths_start = Reader { ..reader };
        reader.take(payload_length)?;
        let checked = reader.place;
        let sum = reader.long()?;
        if reader.place != bytes.len() {
            return Err(NetError::TooLong);
        }
        if crc32(&bytes[..checked]) != sum {
            return Err(NetError::Damaged);
        }
        if description_length > LONGEST_DESCRIPTION {
            return Err(NetError::BadDescription);
        }
        let description = str::from_utf8(description)
            .map_err(|_| NetError::BadDescription)?
            .to_owned();
        let sides = side_ranges(lengths_start, payload_start + payload_length)?;
        Ok(Self {
            description,
            sides,
            bytes,
        })
    }

    /// Of which data the net was made.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Decodes the weights of a side.
    ///
    /// # Errors
    ///
    /// If the table cannot be decoded or a number is too great: a file that is
    /// not damaged but was never right.
    pub fn side(&self, side: RuleSide) -> Result<SideWeights, NetError> {
        let bytes = &self.bytes[self.sides[side.index()].clone()];
        let (heads, table) = bytes.split_first_chunk().ok_or(NetError::BadTable)?;
        let heads = Heads::from_bytes(heads);
        if !heads.are_in_range() {
            return Err(NetError::OutOfRange);
        }
        let table = FactorTable::decode(table).ok_or(NetError::BadTable)?;
        Ok(SideWeights { heads, table })
    }

    /// The file of a net with the sides in the order of [`RuleSide::ALL`].
    ///
    /// # Errors
    ///
    /// If the description or a number is beyond its limit, or a table is not
    /// in order.
    pub fn write(description: &str, sides: [&SideWeights; 5]) -> Result<Vec<u8>, NetError> {
        if description.len() > LONGEST_DESCRIPTION {
            return Err(NetError::BadDescription);
        }
        let mut bytes = MAGIC.to_vec();
        let shorts = [VERSION].into_iter().chain(SIZES);
        bytes.extend(
            shorts
                .chain([description.len() as u16])
                .flat_map(u16::to_le_bytes),
        );
        bytes.extend_from_slice(description.as_bytes());
        let mut coded = Vec::new();
        for side in sides {
            if !side.heads.are_in_range() {
                return Err(NetError::OutOfRange);
            }
            if !side.table.is_well_formed() {
                return Err(NetError::BadTable);
            }
            coded.push([side.heads.to_bytes(), side.table.encode()].concat());
        }
        let mut payload: Vec<u8> = coded
            .iter()
            .flat_map(|side| (side.len() as u32).to_le_bytes())
            .collect();
        payload.extend(coded.concat());
        bytes.extend_from_slice(&(payload.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&payload);
        bytes.extend_from_slice(&crc32(&bytes).to_le_bytes());
        Ok(bytes)
    }
}

/// Where the sides are, from the lengths at the start of the payload.
fn side_ranges(
    mut lengths: Reader<'_>,
    payload_end: usize,
) -> Result<[Range<usize>; RuleSide::ALL.len()], NetError> {
    let mut start = lengths.place + RuleSide::ALL.len() * size_of::<u32>();
    let mut ranges = [const { 0..0 }; RuleSide::ALL.len()];
    for range in &mut ranges {
        let end = start.saturating_add(lengths.long()? as usize);
        *range = start..end;
        start = end;
    }
    if start == payload_end {
        Ok(ranges)
    } else {
        Err(NetError::BadTable)
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    place: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], NetError> {
        let rest = self.bytes.get(self.place..).unwrap_or_default();
        let taken = rest.get(..count).ok_or(NetError::Cut)?;
        self.place += count;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], NetError> {
        let bytes = self.take(N)?;
        bytes.try_into().map_err(|_| NetError::Cut)
    }

    fn short(&mut self) -> Result<u16, NetError> {
        self.array().map(u16::from_le_bytes)
    }

    fn long(&mut self) -> Result<u32, NetError> {
        self.array().map(u32::from_le_bytes)
    }
}

/// The CRC-32 of Ethernet and PNG: reflected polynomial `edb88320`.
fn crc32(bytes: &[u8]) -> u32 {
    static TABLE: [u32; 256] = crc_table();
    let step = |sum: u32, &byte: &u8| sum >> 8 ^ TABLE[(sum as u8 ^ byte) as usize];
    !bytes.iter().fold(!0, step)
}

const fn crc_table() -> [u32; 256] {
    const POLYNOMIAL: u32 = 0xedb8_8320;
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < table.len() {
        let mut sum = byte as u32;
        let mut bit = 0;
        while bit < u8::BITS {
            sum = sum >> 1 ^ (sum & 1).wrapping_neg() & POLYNOMIAL;
            bit += 1;
        }
        table[byte] = sum;
        byte += 1;
    }
    table
}

const _: () = assert!(LONGEST_DESCRIPTION <= u16::MAX as usize);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::nnue::{BIAS_LIMIT, WEIGHT_LIMIT, WindowId};

    const DESCRIPTION: &str = "three games, 五目";

    fn sides() -> [SideWeights; 5] {
        RuleSide::ALL.map(|side| {
            let number = side.index() as i8 + 1;
            let mut weights = SideWeights::zero();
            weights.heads.value.first[3][4] = i16::from(number);
            weights.table.narrow[1_000 * side.index()] = [-number; CHANNELS];
            let id = WindowId::new(150_000 + side.index()).unwrap();
            weights.table.residual.push((id, [number; CHANNELS]));
            weights
        })
    }

    fn file() -> Vec<u8> {
        NetFile::write(DESCRIPTION, sides().each_ref()).unwrap()
    }

    fn error(bytes: Vec<u8>) -> NetError {
        NetFile::new(bytes).expect_err("a bad file")
    }

    /// A file whose checksum fits what was done to it.
    fn resealed(mut bytes: Vec<u8>) -> Vec<u8> {
        bytes.truncate(bytes.len() - 4);
        let sum = crc32(&bytes);
        bytes.extend_from_slice(&sum.to_le_bytes());
        bytes
    }

    #[test]
    fn nets_come_back_as_written() {
        let file = NetFile::new(file()).unwrap();
        assert_eq!(file.description(), DESCRIPTION);
        for (side, weights) in RuleSide::ALL.into_iter().zip(sides()) {
            assert_eq!(file.side(side), Ok(weights));
        }
    }

    #[test]
    fn bad_files_are_refused() {
        let good = file();
        let changed = |place: usize| {
            let mut bytes = good.clone();
            bytes[place] ^= 1;
            bytes
        };
        let length = good.len();
        assert_eq!(error(vec![]), NetError::NotANet);
        assert_eq!(error(changed(1)), NetError::NotANet);
        assert_eq!(error(changed(9)), NetError::OtherVersion(257));
        for place in [10, 12, 14, 16, 18] {
            assert_eq!(error(changed(place)), NetError::OtherSizes);
        }
        for end in [8, 9, 15, 21, 30, 50, 1_000, length - 5, length - 1] {
            assert_eq!(error(good[..end].to_vec()), NetError::Cut, "{end}");
        }
        assert_eq!(error([good.as_slice(), &[0]].concat()), NetError::TooLong);
        for place in [25, 60, 70, 1_000, length - 5, length - 1] {
            assert_eq!(error(changed(place)), NetError::Damaged, "{place}");
        }
        let mut bytes = good;
        bytes[22] = 0xff;
        assert_eq!(error(resealed(bytes)), NetError::BadDescription);
    }

    /// Content that was wrong before the checksum was made.
    #[test]
    fn bad_content_is_refused() {
        let mut bytes = file();
        let lengths = 22 + DESCRIPTION.len() + 4;
        bytes[lengths] += 4;
        assert_eq!(error(resealed(bytes.clone())), NetError::BadTable);
        bytes[lengths + 4] -= 4;
        let shifted = NetFile::new(resealed(bytes)).unwrap();
        assert_eq!(shifted.side(RuleSide::Freestyle), Err(NetError::BadTable));
        assert_eq!(shifted.side(RuleSide::Caro), Ok(sides()[2].clone()));

        let mut bytes = file();
        let first_weight = lengths + 20;
        bytes[first_weight + 1] = 0x40;
        let file = NetFile::new(resealed(bytes)).unwrap();
        assert_eq!(file.side(RuleSide::Freestyle), Err(NetError::OutOfRange));
    }

    #[test]
    fn bad_weights_are_not_written() {
        let write = |description: &str, change: fn(&mut SideWeights)| {
            let mut sides = sides();
            change(&mut sides[3]);
            NetFile::write(description, sides.each_ref())
        };
        let long = "x".repeat(LONGEST_DESCRIPTION + 1);
        assert!(write(&long[1..], |_| {}).is_ok());
        assert_eq!(write(&long, |_| {}), Err(NetError::BadDescription));
        let weight = write("", |s| s.heads.policy.last[0] = WEIGHT_LIMIT + 1);
        assert_eq!(weight, Err(NetError::OutOfRange));
        let bias = write("", |s| s.heads.value.last_bias[0] = -BIAS_LIMIT - 1);
        assert_eq!(bias, Err(NetError::OutOfRange));
        let short = write("", |s| s.table.narrow.truncate(5));
        assert_eq!(short, Err(NetError::BadTable));
        let twice = write("", |s| s.table.residual.push(s.table.residual[0]));
        assert_eq!(twice, Err(NetError::BadTable));
        let too_low = write("", |s| s.table.narrow[7][3] = i8::MIN);
        assert_eq!(too_low, Err(NetError::BadTable));
    }

    #[test]
    fn errors_are_one_line_each() {
        let errors = [
            NetError::NotANet,
            NetError::OtherVersion(7),
            NetError::OtherSizes,
            NetError::Cut,
            NetError::TooLong,
            NetError::Damaged,
            NetError::BadDescription,
            NetError::BadTable,
            NetError::OutOfRange,
        ];
        let texts: std::collections::HashSet<String> =
            errors.iter().map(NetError::to_string).collect();
        assert_eq!(texts.len(), errors.len());
        assert!(texts.iter().all(|text| !text.contains('\n')));
    }

    /// The check value of the CRC catalogue.
    #[test]
    fn checksum_is_the_usual_one() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    }
}
