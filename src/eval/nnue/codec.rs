//! An adaptive binary range coder.
//!
//! Every bit is coded with a [`Model`] that has learnt from the bits coded with
//! it before how likely a 0 is; a likely bit takes less than a bit of the
//! output. The method is that of G. N. N. Martin, "Range encoding: an algorithm
//! for removing redundancy from a digitised message" (1979): the interval
//! `low .. low + range` shrinks to the part that belongs to the bit, and its
//! upper 32 bits go out when they can no longer change but for a carry.

use std::hint::select_unpredictable;

/// Bits of a model's probability.
const CHANCE_BITS: u32 = 16;
const CERTAIN: u32 = 1 << CHANCE_BITS;
/// The higher, the slower models learn.
const RATE: u32 = 5;
/// A range shorter than this is brought back to length.
const SHORTEST_RANGE: u64 = 1 << 32;
const WORD_BITS: u32 = u32::BITS;
const BYTE_BITS: usize = u8::BITS as usize;

/// How likely a 0 is among the bits of one kind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Model(u16);

impl Model {
    /// Nothing is known yet.
    pub(super) const NEW: Self = Self((CERTAIN / 2) as u16);

    /// How much of a range belongs to a 0: never nothing and never all of it.
    #[inline]
    const fn share(self, range: u64) -> u64 {
        (range >> CHANCE_BITS) * self.0 as u64
    }

    /// Goes a part of the way to 0 or to 1, and never gets there.
    #[inline]
    fn learn(&mut self, bit: bool) {
        // Shifted down, a step to 0 would be rounded up.
        const TO_ZERO: i32 = (1 << RATE) - 1;
        let goal = select_unpredictable(bit, TO_ZERO, CERTAIN as i32);
        let chance = i32::from(self.0);
        self.0 = (chance + ((goal - chance) >> RATE)) as u16;
    }
}

/// Writes bits with models.
#[derive(Clone, Debug)]
pub(super) struct Encoder {
    low: u64,
    range: u64,
    words: Vec<u32>,
}

impl Encoder {
    pub(super) const fn new() -> Self {
        Self {
            low: 0,
            range: u64::MAX,
            words: Vec::new(),
        }
    }

    /// Writes a bit; the model learns from it.
    pub(super) fn encode(&mut self, bit: bool, model: &mut Model) {
        let share = model.share(self.range);
        if bit {
            let (low, carries) = self.low.overflowing_add(share);
            self.low = low;
            self.range -= share;
            if carries {
                self.carry();
            }
        } else {
            self.range = share;
        }
        model.learn(bit);
        if self.range < SHORTEST_RANGE {
            self.push_word();
            self.range <<= WORD_BITS;
        }
    }

    fn push_word(&mut self) {
        self.words.push((self.low >> WORD_BITS) as u32);
        self.low <<= WORD_BITS;
    }

    fn carry(&mut self) {
        for word in self.words.iter_mut().rev() {
            let (sum, carries) = word.overflowing_add(1);
            *word = sum;
            if !carries {
                break;
            }
        }
    }

    /// All that was written.
    pub(super) fn finish(mut self) -> Vec<u8> {
        self.push_word();
        self.push_word();
        self.words
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .collect()
    }
}

/// Reads what an [`Encoder`] wrote.
#[derive(Clone, Debug)]
pub(super) struct Decoder<'a> {
    /// Distance of the coded number from the lower end of the range.
    offset: u64,
    range: u64,
    words: &'a [[u8; 4]],
    /// Words read, those behind the end included.
    read: usize,
}

impl<'a> Decoder<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let (words, _) = bytes.as_chunks();
        let mut decoder = Self {
            offset: 0,
            range: u64::MAX,
            words,
            read: 0,
        };
        let high = u64::from(decoder.next_word());
        decoder.offset = high << WORD_BITS | u64::from(decoder.next_word());
        decoder
    }

    fn next_word(&mut self) -> u32 {
        let word = self.words.get(self.read).copied().unwrap_or_default();
        self.read += 1;
        u32::from_le_bytes(word)
    }

    /// Reads a bit; the model learns from it. Behind the end of the bytes the
    /// bits mean nothing: see [`Decoder::is_at_end`].
    #[inline]
    pub(super) fn decode(&mut self, model: &mut Model) -> bool {
        let share = model.share(self.range);
        let bit = self.offset >= share;
        self.offset -= select_unpredictable(bit, share, 0);
        self.range = select_unpredictable(bit, self.range - share, share);
        model.learn(bit);
        if self.range < SHORTEST_RANGE {
            self.range <<= WORD_BITS;
            self.offset = self.offset << WORD_BITS | u64::from(self.next_word());
        }
        bit
    }

    /// Whether all words have been read, and none behind the end.
    pub(super) const fn is_at_end(&self) -> bool {
        self.read == self.words.len()
    }
}

/// Writes bits as they are, for what no model can foretell.
#[derive(Clone, Debug, Default)]
pub(super) struct BitWriter {
    bytes: Vec<u8>,
    /// Bits written.
    count: usize,
}

impl BitWriter {
    /// Writes the lowest bits of a number, at most 8.
    pub(super) fn write(&mut self, number: u8, bits: u32) {
        for place in 0..bits {
            let within = self.count % BYTE_BITS;
            if within == 0 {
                self.bytes.push(0);
            }
            if let Some(last) = self.bytes.last_mut() {
                *last |= (number >> place & 1) << within;
            }
            self.count += 1;
        }
    }

    /// All that was written.
    pub(super) fn finish(self) -> Vec<u8> {
        self.bytes
    }
}

/// Reads what a [`BitWriter`] wrote.
#[derive(Clone, Debug)]
pub(super) struct BitReader<'a> {
    bytes: &'a [u8],
    /// Bits read, those behind the end included.
    count: usize,
}

impl<'a> BitReader<'a> {
    pub(super) const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, count: 0 }
    }

    /// Reads a number of at most 8 bits; bits behind the end are 0.
    #[inline]
    pub(super) fn read(&mut self, bits: u32) -> u8 {
        let place = self.count / BYTE_BITS;
        let byte = |place| self.bytes.get(place).copied().unwrap_or_default();
        let both = u16::from_le_bytes([byte(place), byte(place + 1)]);
        let number = both >> (self.count % BYTE_BITS) & ((1 << bits) - 1);
        self.count += bits as usize;
        number as u8
    }

    /// Whether all bytes have been read, and none behind the end.
    pub(super) const fn is_at_end(&self) -> bool {
        self.count.div_ceil(BYTE_BITS) == self.bytes.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::mix;

    /// Bits of which one in `rarity` is set.
    fn bits(count: u64, rarity: u64) -> Vec<bool> {
        (0..count)
            .map(|i| mix(i * rarity).is_multiple_of(rarity))
            .collect()
    }

    fn coded(bits: &[bool]) -> Vec<u8> {
        let mut encoder = Encoder::new();
        let mut model = Model::NEW;
        for &bit in bits {
            encoder.encode(bit, &mut model);
        }
        encoder.finish()
    }

    #[test]
    fn bits_come_back_as_written() {
        for rarity in [1, 2, 3, 10, 1_000, 1_000_000] {
            for count in [0, 1, 2, 100, 50_000] {
                let bits = bits(count, rarity);
                let bytes = coded(&bits);
                let mut decoder = Decoder::new(&bytes);
                let mut model = Model::NEW;
                for &bit in &bits {
                    assert_eq!(decoder.decode(&mut model), bit);
                }
                assert!(decoder.is_at_end(), "{count} bits, one in {rarity}");
            }
        }
    }

    #[test]
    fn carries_run_through_all_words() {
        let mut encoder = Encoder::new();
        encoder.words = vec![7, u32::MAX, u32::MAX];
        encoder.low = u64::MAX;
        encoder.encode(true, &mut Model(1));
        assert_eq!(encoder.words, [8, 0, 0]);
    }

    #[test]
    fn bare_bits_come_back_as_written() {
        let mut writer = BitWriter::default();
        let numbers = (0..1_000u64).map(|i| ((mix(i) >> 8) as u8, (mix(i) % 9) as u32));
        for (number, bits) in numbers.clone() {
            writer.write(number, bits);
        }
        let bytes = writer.finish();
        let mut reader = BitReader::new(&bytes);
        assert!(!reader.is_at_end());
        for (number, bits) in numbers {
            let mask = ((1 << bits) - 1) as u8;
            assert_eq!(reader.read(bits), number & mask);
        }
        assert!(reader.is_at_end());
        assert_eq!(reader.read(8), 0);
        assert!(!reader.is_at_end());
    }

    /// The length must be near the entropy: 1 bit each for fair bits, 0.469
    /// for one in ten.
    #[test]
    fn rare_bits_take_little() {
        let length = |rarity| coded(&bits(100_000, rarity)).len() as f64 * 8.0 / 100_000.0;
        assert!((0.99..1.03).contains(&length(2)), "{}", length(2));
        assert!((0.45..0.50).contains(&length(10)), "{}", length(10));
        assert!(length(1_000_000) < 0.01);
    }
}
