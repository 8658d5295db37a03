//! Random numbers that are the same on every machine and in every version:
//! the schedule of an event depends on them, so they never change.

/// SplitMix64: small, good enough for shuffling, and fixed for ever.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Numbers that depend on the seed and a purpose, so that different uses
    /// of one seed do not go in step.
    #[must_use]
    pub const fn new(seed: u64, purpose: u64) -> Self {
        let mut mixed = Self(seed);
        let start = mixed.next();
        Self(start ^ purpose.wrapping_mul(0xd134_2543_de82_ef95))
    }

    /// The next 64 bits.
    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A number below `bound`, all equally likely.
    ///
    /// # Panics
    ///
    /// If `bound` is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        assert!(bound > 0, "nothing is below 0");
        // The high half of the product is even to 2^-32 for small bounds.
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    /// Puts the items into a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first outputs of the published generator for the state 1234567.
    #[test]
    fn numbers_are_the_published_ones() {
        let mut random = Random(1_234_567);
        let numbers = [random.next(), random.next(), random.next()];
        assert_eq!(
            numbers,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423
            ]
        );
    }

    #[test]
    fn shuffles_keep_everything() {
        let mut items: Vec<usize> = (0..100).collect();
        Random::new(7, 1).shuffle(&mut items);
        assert_ne!(items, (0..100).collect::<Vec<_>>());
        let mut other: Vec<usize> = (0..100).collect();
        Random::new(7, 2).shuffle(&mut other);
        assert_ne!(items, other);
        items.sort_unstable();
        assert_eq!(items, (0..100).collect::<Vec<_>>());
    }
}
