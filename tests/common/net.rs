//! Nets of random numbers, for tests and benches.

use yonsan::board::mix;
use yonsan::eval::nnue::{CHANNELS, Heads, PolicyHead, SideWeights, TableRow, ValueHead, WindowId};

/// A small random number generator: SplitMix64.
pub struct Random(pub u64);

impl Random {
    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(1);
        mix(self.0)
    }

    /// 0 to `bound` - 1.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.bits() % bound as u64) as usize
    }

    /// A number within ±`most`, small ones more often than great ones.
    fn bell(&mut self, most: i32) -> i32 {
        let mut part = || self.below(2 * most as usize + 1) as i32 - most;
        (part() + part() + part()) / 3
    }

    fn row(&mut self, most: i32) -> TableRow {
        std::array::from_fn::<_, CHANNELS, _>(|_| self.bell(most) as i8)
    }

    fn weights<const IN: usize, const OUT: usize>(&mut self, most: i32) -> [[i16; IN]; OUT] {
        std::array::from_fn(|_| std::array::from_fn(|_| self.bell(most) as i16))
    }

    fn biases<const OUT: usize>(&mut self, most: i32) -> [i32; OUT] {
        std::array::from_fn(|_| self.bell(most))
    }
}

/// A net with numbers of a likely size. One window in `rarity` has a row of
/// its own.
pub fn random_net(seed: u64, rarity: usize) -> SideWeights {
    let mut random = Random(seed << 32);
    let mut weights = SideWeights::zero();
    weights.heads = Heads {
        value: ValueHead {
            first: random.weights(600),
            first_bias: std::array::from_fn(|_| random.biases(1 << 15)),
            second: random.weights(900),
            second_bias: random.biases(1 << 18),
            last: random.weights(900),
            last_bias: random.biases(1 << 18),
        },
        policy: PolicyHead {
            first: random.weights(1_500),
            first_bias: random.biases(1 << 15),
            last: random.weights::<_, 1>(1_500)[0],
            last_bias: random.biases::<1>(1 << 18)[0],
        },
    };
    for row in &mut weights.table.narrow {
        *row = random.row(20);
    }
    for id in WindowId::all() {
        if random.below(rarity) == 0 {
            weights.table.residual.push((id, random.row(6)));
        }
    }
    weights
}
