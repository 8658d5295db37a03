//! An adaptive binary range coder.
//!
//! Every bit is coded with a [`Model`] that has learnt from the bits coded with
//! it before how likely a 0 is; a likely bit takes less than a bit of the
//! output. The method is that of G. N. N. Martin, "Range encoding: an algorithm
//! for removing redundancy from a digitised message" (1979): the interval
//! `low .. low + range` shrinks to the part that belongs to the bit, and its
//! upper 32 bits go out when they can no longer change but for a carry.

/// Bits of a model's probability.
const CHANCE_BITS: u32 = 16;
const CERTAIN: u32 = 1 << CHANCE_BITS;
/// A model is the mean of two learners: the higher the rate, the slower.
const FAST_RATE: u32 = 4;
const SLOW_RATE: u32 = 7;
/// A range shorter than this is brought back to length.
const SHORTEST_RANGE: u64 = 1 << 32;
const WORD_BITS: u32 = u32::BITS;

/// What is known of the bits of one kind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Model {
    fast: u16,
    slow: u16,
}

impl Model {
    /// Nothing yet.
    pub(super) const NEW: Self = Self {
        fast: (CERTAIN / 2) as u16,
        slow: (CERTAIN / 2) as u16,
    };

    /// How much of a range belongs to a 0: never nothing and never all of it.
    #[inline]
    const fn share(self, range: u64) -> u64 {
        let chance = (self.fast as u64 + self.slow as u64) / 2;
        (range >> CHANCE_BITS) * chance
    }

    #[inline]
    const fn learn(&mut self, bit: bool) {
        self.fast = learnt(self.fast, bit, FAST_RATE);
        self.slow = learnt(self.slow, bit, SLOW_RATE);
    }
}

/// A chance of a 0 after a bit. The step is rounded down, so that it never
/// gets to 0 or to 1.
#[inline]
const fn learnt(chance: u16, bit: bool, rate: u32) -> u16 {
    let chance = chance as u32;
    let step = if bit { chance } else { CERTAIN - chance } >> rate;
    (if bit { chance - step } else { chance + step }) as u16
}

/// Writes bits.
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
        // Chosen by arithmetic: a jump would be foretold wrongly too often.
        let mask = u64::from(bit).wrapping_neg();
        self.offset -= share & mask;
        self.range = share ^ ((share ^ (self.range - share)) & mask);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::mix;

    /// Bits of which one in `rarity` is set.
    fn bits(count: u64, rarity: u64) -> Vec<bool> {
        (0..count).map(|i| mix(i * rarity) % rarity == 0).collect()
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
        encoder.encode(true, &mut Model { fast: 1, slow: 1 });
        assert_eq!(encoder.words, [8, 0, 0]);
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
