//! Random numbers that are the same on every machine and in every version:
//! games depend on them, so they never change.

use yonsan::board::mix;

const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// `SplitMix64`: a counter behind a mixing function.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Numbers that depend on the seed alone.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub const fn bits(&mut self) -> u64 {
        let bits = mix(self.0);
        self.0 = self.0.wrapping_add(STEP);
        bits
    }

    /// A number below `bound`, all equally likely; 0 if `bound` is 0.
    pub const fn below(&mut self, bound: u64) -> u64 {
        ((self.bits() as u128 * bound as u128) >> 64) as u64
    }

    /// A number from `least` to `most`, both included.
    ///
    /// # Panics
    ///
    /// If `most` is below `least`.
    pub fn between(&mut self, least: u8, most: u8) -> u8 {
        assert!(least <= most, "nothing is from {least} to {most}");
        least + self.below(u64::from(most - least) + 1) as u8
    }

    /// True once in so many times.
    pub const fn one_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first outputs of the published generator for the state 1234567.
    #[test]
    fn numbers_are_the_published_ones() {
        let mut random = Random::new(1_234_567);
        let numbers = [random.bits(), random.bits(), random.bits()];
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
    fn ranges_are_filled_evenly() {
        let mut random = Random::new(1);
        let mut counts = [0; 6];
        for _ in 0..6_000 {
            counts[usize::from(random.between(5, 10)) - 5] += 1;
        }
        assert!(counts.iter().all(|&count| (850..1_150).contains(&count)));
        assert_eq!(random.below(0), 0);
        assert_eq!(random.below(1), 0);
    }
}
