//! Random numbers that are the same on every machine and in every version:
//! games depend on them, so they never change.

use super::zobrist::mix;

/// What one number adds to the counter.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
/// Spreads the numbers of purposes, which are small, over the whole word.
const PURPOSE_FACTOR: u64 = 0xd134_2543_de82_ef95;

/// `SplitMix64` (Steele, Lea and Flood, 2014): a counter behind [`mix`].
///
/// # Examples
///
/// ```
/// use yonsan::board::Random;
///
/// let mut random = Random::new(7);
/// let mut points = [1, 2, 3, 4];
/// random.shuffle(&mut points);
/// assert!(random.index(points.len()) < 4);
/// ```
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Numbers that depend on the seed alone.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Numbers that depend on the seed and a purpose, so that different uses
    /// of one seed do not go in step.
    #[must_use]
    pub const fn for_purpose(seed: u64, purpose: u64) -> Self {
        Self(mix(seed) ^ purpose.wrapping_mul(PURPOSE_FACTOR))
    }

    /// The next 64 bits.
    pub const fn bits(&mut self) -> u64 {
        let bits = mix(self.0);
        self.0 = self.0.wrapping_add(STEP);
        bits
    }

    /// A number below `bound`, all equally likely; 0 if `bound` is 0.
    pub const fn below(&mut self, bound: u64) -> u64 {
        // The high half of the product: even to 2^-32 for small bounds.
        ((self.bits() as u128 * bound as u128) >> u64::BITS) as u64
    }

    /// An index into something of this length; 0 if it is empty.
    pub const fn index(&mut self, length: usize) -> usize {
        self.below(length as u64) as usize
    }

    /// A number from `least` to `most`, both included.
    ///
    /// # Panics
    ///
    /// If `most` is below `least`.
    pub const fn between(&mut self, least: u8, most: u8) -> u8 {
        assert!(least <= most, "there is nothing between");
        least + self.below((most - least) as u64 + 1) as u8
    }

    /// True once in so many times.
    pub const fn one_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    /// An index into the weights, as likely as its weight; 0 if all are 0.
    pub fn weighted(&mut self, weights: &[u64]) -> usize {
        let mut left = self.below(weights.iter().sum());
        let chosen = weights.iter().position(|&weight| {
            let is_here = left < weight;
            left = left.saturating_sub(weight);
            is_here
        });
        chosen.unwrap_or(0)
    }

    /// A number from 0 to 1, 1 excluded, in steps of 2^-24.
    pub fn unit(&mut self) -> f32 {
        const BITS: u32 = f32::MANTISSA_DIGITS;
        (self.bits() >> (u64::BITS - BITS)) as f32 / (1u64 << BITS) as f32
    }

    /// Puts the items into a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.index(last + 1));
        }
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
    fn numbers_keep_to_their_bounds() {
        let mut random = Random::new(1);
        let mut seen = [0; 7];
        let mut sum = 0.0;
        for _ in 0..7_000 {
            seen[random.index(7)] += 1;
            let unit = random.unit();
            assert!((0.0..1.0).contains(&unit));
            sum += unit;
        }
        assert!(seen.iter().all(|&n| (850..1_150).contains(&n)), "{seen:?}");
        assert!((3_350.0..3_650.0).contains(&sum), "{sum}");
        assert_eq!((random.below(0), random.index(0)), (0, 0));
    }

    #[test]
    fn ranges_are_filled_evenly() {
        let mut random = Random::new(1);
        let mut counts = [0; 6];
        for _ in 0..6_000 {
            counts[usize::from(random.between(5, 10)) - 5] += 1;
        }
        assert!(counts.iter().all(|&count| (850..1_150).contains(&count)));
        assert_eq!(random.below(1), 0);
    }

    #[test]
    fn weights_are_kept() {
        let mut random = Random::new(9);
        let mut counts = [0; 4];
        for _ in 0..6_000 {
            counts[random.weighted(&[1, 0, 2, 3])] += 1;
        }
        for (count, expected) in counts.into_iter().zip([1_000u32, 0, 2_000, 3_000]) {
            assert!(expected.abs_diff(count) < 150, "{counts:?}");
        }
        assert_eq!(counts[1], 0);
        assert_eq!((random.weighted(&[]), random.weighted(&[0, 0])), (0, 0));
    }

    #[test]
    fn shuffling_keeps_every_item_and_depends_on_the_seed() {
        let sorted: Vec<u32> = (0..50).collect();
        let shuffled = |seed| {
            let mut items = sorted.clone();
            Random::new(seed).shuffle(&mut items);
            items
        };
        let (one, other) = (shuffled(1), shuffled(2));
        assert_eq!(one, shuffled(1));
        assert_ne!(one, other);
        let mut again = one.clone();
        again.sort_unstable();
        assert_eq!(again, sorted);
        assert_ne!(one, sorted);
    }

    #[test]
    fn purposes_do_not_go_in_step() {
        let first = |purpose| Random::for_purpose(5, purpose).bits();
        assert_ne!(first(1), first(2));
        assert_eq!(first(1), first(1));
    }
}
