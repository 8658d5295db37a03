//! Random numbers that are the same on every machine: a fit can be repeated.

use yonsan::board::mix;

/// Added to the state at every step; odd, so that no state comes back early.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// A stream of random numbers fixed by its seed.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The stream of a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub const fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        mix(self.0)
    }

    /// A number below `bound`; 0 if `bound` is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        // The high half of the product is a number below the bound.
        ((u128::from(self.bits()) * bound as u128) >> u64::BITS) as usize
    }

    /// A number from 0 to 1, 1 excluded.
    pub fn unit(&mut self) -> f32 {
        const BITS: u32 = f32::MANTISSA_DIGITS;
        (self.bits() >> (u64::BITS - BITS)) as f32 / (1u64 << BITS) as f32
    }

    /// Puts the items into a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.below(last + 1);
            items.swap(last, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_to_their_bounds() {
        let mut random = Random::new(1);
        let mut seen = [0; 7];
        let mut sum = 0.0;
        for _ in 0..7_000 {
            seen[random.below(7)] += 1;
            let unit = random.unit();
            assert!((0.0..1.0).contains(&unit));
            sum += unit;
        }
        assert!(seen.iter().all(|&n| (850..1_150).contains(&n)), "{seen:?}");
        assert!((3_350.0..3_650.0).contains(&sum), "{sum}");
        assert_eq!(random.below(0), 0);
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
}
