//! The dense layers of a rule side, as they are trained and stored.
//!
//! All weights are 1,024 to the unit and at most ±8; a bias has the scale of
//! the sum it is added to. With biases of at most ±[`BIAS_LIMIT`] no sum can
//! leave 32 bits.

use super::table::CHANNELS;
use crate::board::Size;

/// Inputs of the value head and of the policy head: the channels of the side
/// to move, then those of the other side.
pub const INPUTS: usize = 2 * CHANNELS;
/// Units of each of the two hidden layers of the value head.
pub const VALUE_HIDDEN: usize = 32;
/// What the value head tells: win, draw and loss of the side to move.
pub const OUTCOMES: usize = 3;
/// Units of the hidden layer of the policy head.
pub const POLICY_HIDDEN: usize = 16;
/// Classes of board sizes, see [`size_class`].
pub const SIZE_CLASSES: usize = 5;

/// The greatest weight: 8.
pub const WEIGHT_LIMIT: i16 = 8 << 10;
/// The greatest bias.
pub const BIAS_LIMIT: i32 = 1 << 30;
/// The greatest number that goes into a layer, but for the first layer of the
/// policy head.
pub const ACTIVATION_LIMIT: i32 = 4_095;
/// The greatest sum of four rows.
pub const CELL_LIMIT: i32 = 4 * i8::MAX as i32;

const _: () = {
    // Every layer has at most 32 inputs; the shift rounds up by at most 512.
    let most = INPUTS as i64 * WEIGHT_LIMIT as i64 * ACTIVATION_LIMIT as i64;
    assert!(INPUTS <= VALUE_HIDDEN && POLICY_HIDDEN <= INPUTS);
    assert!(CELL_LIMIT <= ACTIVATION_LIMIT);
    assert!(most + BIAS_LIMIT as i64 + 512 <= i32::MAX as i64);
};

/// Which biases a board uses, by its longer side: up to 9, 12, 15, 19 or 22.
#[must_use]
pub const fn size_class(size: Size) -> usize {
    let longer = if size.width() > size.height() {
        size.width()
    } else {
        size.height()
    };
    match longer {
        ..=9 => 0,
        10..=12 => 1,
        13..=15 => 2,
        16..=19 => 3,
        _ => 4,
    }
}

/// The value head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueHead {
    /// First layer, by unit and input.
    pub first: [[i16; INPUTS]; VALUE_HIDDEN],
    /// Its biases by size class, 2^15 to the unit.
    pub first_bias: [[i32; VALUE_HIDDEN]; SIZE_CLASSES],
    /// Second layer, by unit and input.
    pub second: [[i16; VALUE_HIDDEN]; VALUE_HIDDEN],
    /// Its biases, 2^18 to the unit.
    pub second_bias: [i32; VALUE_HIDDEN],
    /// The logits of a win, a draw and a loss, by input.
    pub last: [[i16; VALUE_HIDDEN]; OUTCOMES],
    /// Their biases, 2^18 to the unit.
    pub last_bias: [i32; OUTCOMES],
}

/// The policy head: how good a move on a cell looks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyHead {
    /// First layer, by unit and input.
    pub first: [[i16; INPUTS]; POLICY_HIDDEN],
    /// Its biases, 2^15 to the unit.
    pub first_bias: [i32; POLICY_HIDDEN],
    /// The logit, by input.
    pub last: [i16; POLICY_HIDDEN],
    /// Its bias, 2^18 to the unit.
    pub last_bias: i32,
}

impl ValueHead {
    /// A head of nothing but zeros.
    pub const ZERO: Self = Self {
        first: [[0; INPUTS]; VALUE_HIDDEN],
        first_bias: [[0; VALUE_HIDDEN]; SIZE_CLASSES],
        second: [[0; VALUE_HIDDEN]; VALUE_HIDDEN],
        second_bias: [0; VALUE_HIDDEN],
        last: [[0; VALUE_HIDDEN]; OUTCOMES],
        last_bias: [0; OUTCOMES],
    };

    fn visit(&mut self, visitor: &mut impl Visitor) {
        visitor.weights(self.first.as_flattened_mut());
        visitor.biases(self.first_bias.as_flattened_mut());
        visitor.weights(self.second.as_flattened_mut());
        visitor.biases(&mut self.second_bias);
        visitor.weights(self.last.as_flattened_mut());
        visitor.biases(&mut self.last_bias);
    }
}

impl PolicyHead {
    /// A head of nothing but zeros.
    pub const ZERO: Self = Self {
        first: [[0; INPUTS]; POLICY_HIDDEN],
        first_bias: [0; POLICY_HIDDEN],
        last: [0; POLICY_HIDDEN],
        last_bias: 0,
    };

    fn visit(&mut self, visitor: &mut impl Visitor) {
        visitor.weights(self.first.as_flattened_mut());
        visitor.biases(&mut self.first_bias);
        visitor.weights(&mut self.last);
        visitor.biases(std::slice::from_mut(&mut self.last_bias));
    }
}

/// Both heads of a rule side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heads {
    /// What a position is worth.
    pub value: ValueHead,
    /// How good moves look.
    pub policy: PolicyHead,
}

impl Heads {
    /// Heads of nothing but zeros.
    pub const ZERO: Self = Self {
        value: ValueHead::ZERO,
        policy: PolicyHead::ZERO,
    };
    /// Length of [`Heads::to_bytes`].
    pub(super) const BYTES: usize = 2 * Self::WEIGHTS + 4 * Self::BIASES;

    const WEIGHTS: usize =
        VALUE_HIDDEN * (INPUTS + VALUE_HIDDEN + OUTCOMES) + POLICY_HIDDEN * (INPUTS + 1);
    const BIASES: usize = VALUE_HIDDEN * (SIZE_CLASSES + 1) + OUTCOMES + POLICY_HIDDEN + 1;

    /// Whether no number is greater than allowed.
    #[must_use]
    pub fn are_in_range(&self) -> bool {
        let mut check = RangeCheck(true);
        self.clone().visit(&mut check);
        check.0
    }

    /// All numbers in the order of the fields, little-endian.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer(Vec::with_capacity(Self::BYTES));
        self.clone().visit(&mut writer);
        writer.0
    }

    /// Reads what [`Heads::to_bytes`] wrote.
    pub(super) fn from_bytes(bytes: &[u8; Self::BYTES]) -> Self {
        let mut heads = Self::ZERO;
        heads.visit(&mut Reader(bytes));
        heads
    }

    fn visit(&mut self, visitor: &mut impl Visitor) {
        self.value.visit(visitor);
        self.policy.visit(visitor);
    }
}

/// Something that goes through all numbers in the order of the file.
trait Visitor {
    fn weights(&mut self, weights: &mut [i16]);
    fn biases(&mut self, biases: &mut [i32]);
}

struct RangeCheck(bool);

impl Visitor for RangeCheck {
    fn weights(&mut self, weights: &mut [i16]) {
        let is_good = |weight: &i16| weight.unsigned_abs() <= WEIGHT_LIMIT as u16;
        self.0 &= weights.iter().all(is_good);
    }

    fn biases(&mut self, biases: &mut [i32]) {
        let is_good = |bias: &i32| bias.unsigned_abs() <= BIAS_LIMIT as u32;
        self.0 &= biases.iter().all(is_good);
    }
}

struct Writer(Vec<u8>);

impl Visitor for Writer {
    fn weights(&mut self, weights: &mut [i16]) {
        self.0.extend(weights.iter().flat_map(|n| n.to_le_bytes()));
    }

    fn biases(&mut self, biases: &mut [i32]) {
        self.0.extend(biases.iter().flat_map(|n| n.to_le_bytes()));
    }
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    /// The next bytes; zeros behind the end, which the length of the input
    /// rules out.
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (head, rest) = self.0.split_first_chunk().unwrap_or((&[0; N], &[]));
        self.0 = rest;
        *head
    }
}

impl Visitor for Reader<'_> {
    fn weights(&mut self, weights: &mut [i16]) {
        for weight in weights {
            *weight = i16::from_le_bytes(self.take());
        }
    }

    fn biases(&mut self, biases: &mut [i32]) {
        for bias in biases {
            *bias = i32::from_le_bytes(self.take());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_classes() {
        let class = |width, height| size_class(Size::new(width, height).unwrap());
        let sides = [5, 9, 10, 12, 13, 15, 16, 19, 20, 22];
        let classes = sides.map(|side| class(side, side));
        assert_eq!(classes, [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]);
        assert_eq!(class(5, 20), 4);
        assert_eq!(class(13, 7), 2);
    }

    #[test]
    fn heads_come_back_as_written() {
        let mut heads = Heads::ZERO;
        heads.value.first[0][1] = 0x0102;
        heads.value.last_bias[2] = -5;
        heads.policy.last_bias = 0x0102_0304;
        let bytes = heads.to_bytes();
        assert_eq!(bytes.len(), 6_192);
        assert_eq!(bytes[..4], [0, 0, 2, 1]);
        assert_eq!(bytes[6_188..], [4, 3, 2, 1]);
        let bytes: [u8; Heads::BYTES] = bytes.try_into().unwrap();
        assert_eq!(Heads::from_bytes(&bytes), heads);
    }

    #[test]
    fn limits_are_limits() {
        let mut heads = Heads::ZERO;
        heads.value.second[31][31] = -WEIGHT_LIMIT;
        heads.policy.last_bias = BIAS_LIMIT;
        assert!(heads.are_in_range());
        heads.policy.last[0] = WEIGHT_LIMIT + 1;
        assert!(!heads.are_in_range());
        heads.policy.last[0] = i16::MIN;
        assert!(!heads.are_in_range());
        heads.policy.last[0] = 0;
        heads.value.first_bias[4][31] = i32::MIN;
        assert!(!heads.are_in_range());
    }
}
