//! How the numbers of the tables hang together.
//!
//! A *leaf* is one number of a table. It is the sum of its *parents*, which it
//! shares with other leaves, and of its own *deviation*. Fitting moves parents
//! and deviations, and every deviation is pulled to 0: leaves that are seldom
//! seen follow what the others teach their parents. A leaf may also be the
//! *twin* of another one, and always equal to it. All numbers are natural
//! logarithms of odds.

/// Rounds of [`Tying::split`]; each brings all parents nearer to their best.
const SPLIT_ROUNDS: usize = 200;
/// Weight of a parent's own pull to 0 in [`Tying::split`]: settles what the
/// leaves leave open.
const SPLIT_PULL: f32 = 1e-3;

/// How far, as a standard deviation, numbers are expected to stray; in units
/// of log odds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// Parents, from where they started.
    pub parent: f32,
    /// Deviations, from 0.
    pub deviation: f32,
}

/// The parents of every leaf.
#[derive(Clone, Debug, Default)]
pub struct Tying {
    parent_count: usize,
    parents: Vec<u16>,
    /// Where the parents of each leaf end.
    ends: Vec<usize>,
    /// Expected stray of each leaf's deviation.
    deviations: Vec<f32>,
    /// Expected stray of each parent.
    spreads: Vec<f32>,
    /// Leaves that are twins, and whose.
    twins: Vec<[usize; 2]>,
}

impl Tying {
    /// Adds a table: `parent_count` new parents, and a leaf for each list of
    /// numbers of these parents. A parent may stand in a list more than once.
    pub fn add_table(
        &mut self,
        parent_count: usize,
        spread: Spread,
        leaves: impl IntoIterator<Item = Vec<u16>>,
    ) {
        let first = self.parent_count as u16;
        for list in leaves {
            self.parents
                .extend(list.iter().map(|parent| first + parent));
            self.ends.push(self.parents.len());
            self.deviations.push(spread.deviation);
        }
        self.parent_count += parent_count;
        self.spreads.resize(self.parent_count, spread.parent);
    }

    /// Makes a leaf the twin of another one, which is no twin itself.
    pub fn add_twin(&mut self, leaf: usize, of: usize) {
        self.twins.push([leaf, of]);
    }

    /// Number of leaves.
    #[must_use]
    pub const fn leaf_count(&self) -> usize {
        self.ends.len()
    }

    /// Number of parents and deviations together; the parents come first.
    #[must_use]
    pub const fn parameter_count(&self) -> usize {
        self.parent_count + self.leaf_count()
    }

    fn parents_of(&self, leaf: usize) -> &[u16] {
        let start = leaf.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.parents[start..self.ends[leaf]]
    }

    /// The leaves that the parameters make.
    pub fn leaves(&self, parameters: &[f32], leaves: &mut [f32]) {
        let (parents, deviations) = parameters.split_at(self.parent_count);
        for (leaf, value) in leaves.iter_mut().enumerate() {
            let inherited = self.parents_of(leaf).iter().map(|&p| parents[p as usize]);
            *value = deviations[leaf] + inherited.sum::<f32>();
        }
        for &[leaf, of] in &self.twins {
            leaves[leaf] = leaves[of];
        }
    }

    /// The gradient by parameter that belongs to a gradient by leaf.
    pub fn gradient(&self, by_leaf: &[f32], by_parameter: &mut [f32]) {
        let (parents, deviations) = by_parameter.split_at_mut(self.parent_count);
        parents.fill(0.0);
        deviations.copy_from_slice(by_leaf);
        for &[leaf, of] in &self.twins {
            deviations[of] += std::mem::take(&mut deviations[leaf]);
        }
        for (leaf, &slope) in deviations.iter().enumerate() {
            if slope != 0.0 {
                for &parent in self.parents_of(leaf) {
                    parents[parent as usize] += slope;
                }
            }
        }
    }

    /// Adds the gradient of the pulls, divided by the number of samples that
    /// the pulls stand against.
    pub fn add_pull(
        &self,
        parameters: &[f32],
        start: &[f32],
        samples: f32,
        by_parameter: &mut [f32],
    ) {
        let strays = self.spreads.iter().chain(&self.deviations);
        for (index, (slope, stray)) in by_parameter.iter_mut().zip(strays).enumerate() {
            let home = if index < self.parent_count {
                start[index]
            } else {
                0.0
            };
            *slope += (parameters[index] - home) / (stray * stray * samples);
        }
    }

    /// Parameters that make the given leaves, but for twins, with deviations as
    /// small as can be: least squares, solved parent by parent in turn.
    #[must_use]
    pub fn split(&self, leaves: &[f32]) -> Vec<f32> {
        let mut parents = vec![0.0f32; self.parent_count];
        let mut children = vec![Vec::new(); self.parent_count];
        let is_twin = |leaf: &usize| self.twins.iter().any(|[twin, _]| twin == leaf);
        for leaf in (0..self.leaf_count()).filter(|leaf| !is_twin(leaf)) {
            let list = self.parents_of(leaf);
            for (place, &parent) in list.iter().enumerate() {
                if !list[..place].contains(&parent) {
                    let times = list.iter().filter(|&&other| other == parent).count();
                    children[parent as usize].push((leaf, times as f32));
                }
            }
        }
        let mut rest = leaves.to_vec();
        for _ in 0..SPLIT_ROUNDS {
            for (parent, children) in parents.iter_mut().zip(&children) {
                let squares: f32 = children.iter().map(|(_, times)| times * times).sum();
                let along: f32 = children
                    .iter()
                    .map(|&(leaf, times)| times * rest[leaf])
                    .sum();
                let change = (along - SPLIT_PULL * *parent) / (squares + SPLIT_PULL);
                *parent += change;
                for &(leaf, times) in children {
                    rest[leaf] -= times * change;
                }
            }
        }
        for &[leaf, _] in &self.twins {
            rest[leaf] = 0.0;
        }
        parents.extend(rest);
        parents
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use yonsan::board::Random;

    const SPREAD: Spread = Spread {
        parent: 2.0,
        deviation: 0.5,
    };

    /// Two tables; the leaves of the second are all pairs of three parents.
    /// The last of these is the twin of the first.
    fn example() -> Tying {
        let mut tying = Tying::default();
        tying.add_table(1, SPREAD, [vec![0], vec![0, 0], vec![]]);
        let pairs = (0..9).map(|n| vec![n / 3, n % 3]);
        tying.add_table(3, SPREAD, pairs);
        tying.add_twin(11, 3);
        tying
    }

    fn leaves_of(tying: &Tying, parameters: &[f32]) -> Vec<f32> {
        let mut leaves = vec![0.0; tying.leaf_count()];
        tying.leaves(parameters, &mut leaves);
        leaves
    }

    #[test]
    fn leaves_are_sums() {
        let tying = example();
        let mut parameters = vec![0.0; tying.parameter_count()];
        parameters[..4].copy_from_slice(&[10.0, 1.0, 2.0, 3.0]);
        parameters[4 + 2] = 0.5;
        let leaves = leaves_of(&tying, &parameters);
        assert_eq!(leaves[..3], [10.0, 20.0, 0.5]);
        assert_eq!(leaves[3..], [2.0, 3.0, 4.0, 3.0, 4.0, 5.0, 4.0, 5.0, 2.0]);
    }

    #[test]
    fn the_gradient_is_that_of_the_sums() {
        let tying = example();
        let mut random = Random::new(3);
        let slopes: Vec<f32> = (0..tying.leaf_count()).map(|_| random.unit()).collect();
        let mut gradient = vec![0.0; tying.parameter_count()];
        tying.gradient(&slopes, &mut gradient);
        for (index, &slope) in gradient.iter().enumerate() {
            // The leaves are linear, so a step of 1 tells the slope exactly.
            let mut parameters = vec![0.0; tying.parameter_count()];
            parameters[index] = 1.0;
            let moved = leaves_of(&tying, &parameters);
            let expected: f32 = moved.iter().zip(&slopes).map(|(a, b)| a * b).sum();
            assert!((slope - expected).abs() < 1e-5, "{index}");
        }
    }

    #[test]
    fn pulls_lead_home() {
        let tying = example();
        let start = vec![1.0; tying.parameter_count()];
        let parameters = vec![3.0; tying.parameter_count()];
        let mut gradient = vec![0.0; tying.parameter_count()];
        tying.add_pull(&parameters, &start, 10.0, &mut gradient);
        assert!((gradient[0] - 2.0 / (4.0 * 10.0)).abs() < 1e-6);
        assert!((gradient[4] - 3.0 / (0.25 * 10.0)).abs() < 1e-6);
    }

    #[test]
    fn splitting_finds_parents_and_keeps_the_leaves() {
        let tying = example();
        let mut parameters = vec![0.0; tying.parameter_count()];
        parameters[..4].copy_from_slice(&[0.7, 0.1, -0.2, 0.4]);
        let leaves = leaves_of(&tying, &parameters);
        let split = tying.split(&leaves);
        for (found, wanted) in split.iter().zip(&parameters) {
            assert!((found - wanted).abs() < 2e-3, "{split:?}");
        }
        let again = leaves_of(&tying, &split);
        for (found, wanted) in again.iter().zip(&leaves) {
            assert!((found - wanted).abs() < 1e-5);
        }
    }
}
