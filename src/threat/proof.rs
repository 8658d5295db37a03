//! Proof and disproof numbers, and the table that keeps them.
//!
//! The table is bounded: where a bucket is full, what is proven stays longest,
//! then what cost most, and what an earlier search left goes first.

/// How far a position is from being decided: the fewest leaves still to be
/// won for a proof of the attacker's win, and to be lost for a disproof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    pub proof: u32,
    pub disproof: u32,
}

/// Of what cannot be done any more.
pub(super) const INFINITE: u32 = 1 << 30;

impl Numbers {
    pub(super) const PROVEN: Self = Self {
        proof: 0,
        disproof: INFINITE,
    };
    pub(super) const DISPROVEN: Self = Self {
        proof: INFINITE,
        disproof: 0,
    };

    pub(super) const fn is_proven(self) -> bool {
        self.proof == 0
    }
}

/// A sum of numbers: infinite as soon as one of them is, and only then.
pub(super) const fn add(sum: u32, number: u32) -> u32 {
    if sum == INFINITE || number == INFINITE {
        return INFINITE;
    }
    let sum = sum + number;
    if sum < INFINITE { sum } else { INFINITE - 1 }
}

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    pub numbers: Numbers,
    /// Where the attacker is to move and wins: how. [`crate::board::Point::index`].
    pub point: u16,
    /// Plies to the winning stone if the win is proven, an upper bound.
    pub plies: u16,
}

impl Known {
    pub(super) const fn new(numbers: Numbers) -> Self {
        Self {
            numbers,
            point: 0,
            plies: 0,
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    key: u64,
    known: Known,
    /// Positions searched below this one, saturating.
    effort: u16,
    generation: u8,
}

impl Entry {
    const EMPTY: Self = Self {
        key: 0,
        known: Known::new(Numbers::DISPROVEN),
        effort: 0,
        generation: 0,
    };

    const fn is_empty(&self) -> bool {
        self.key == 0
    }

    /// How much would be lost with it.
    fn worth(&self, generation: u8) -> u32 {
        if self.is_empty() {
            return 0;
        }
        let is_new = u32::from(self.generation == generation);
        let is_proven = u32::from(self.known.numbers.is_proven());
        1 + u32::from(self.effort) + (is_proven << 17) + (is_new << 16)
    }
}

const ENTRY_BYTES: usize = 24;
const _: () = assert!(size_of::<Entry>() <= ENTRY_BYTES);
/// Entries among which a position has its place.
const BUCKET: usize = 4;

/// Numbers by position.
#[derive(Clone, Debug)]
pub(super) struct ProofTable {
    entries: Box<[Entry]>,
    generation: u8,
}

impl ProofTable {
    /// A table of no more than so many bytes, but of one bucket at least.
    pub(super) fn new(bytes: usize) -> Self {
        let most = bytes / (ENTRY_BYTES * BUCKET);
        let buckets = if most < 2 { 1 } else { 1 << most.ilog2() };
        Self {
            entries: vec![Entry::EMPTY; buckets * BUCKET].into_boxed_slice(),
            generation: 0,
        }
    }

    pub(super) fn clear(&mut self) {
        self.entries.fill(Entry::EMPTY);
    }

    /// What is in the table now may go first.
    pub(super) const fn new_search(&mut self) {
        self.generation = self.generation.wrapping_add(1);
    }

    fn bucket(&self, key: u64) -> usize {
        key as usize & (self.entries.len() - 1) & !(BUCKET - 1)
    }

    pub(super) fn probe(&self, key: u64) -> Option<Known> {
        let first = self.bucket(key);
        let mut bucket = self.entries[first..first + BUCKET].iter();
        let found = bucket.find(|entry| entry.key == key && !entry.is_empty());
        found.map(|entry| entry.known)
    }

    pub(super) fn store(&mut self, key: u64, known: Known, effort: u64) {
        let generation = self.generation;
        let first = self.bucket(key);
        let bucket = &mut self.entries[first..first + BUCKET];
        let same = bucket.iter().position(|entry| entry.key == key);
        let worst = || (0..BUCKET).min_by_key(|&i| bucket[i].worth(generation));
        let Some(place) = same.or_else(worst) else {
            return;
        };
        bucket[place] = Entry {
            key,
            known,
            effort: u16::try_from(effort).unwrap_or(u16::MAX),
            generation,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(proof: u32) -> Known {
        Known::new(Numbers { proof, disproof: 1 })
    }

    #[test]
    fn sums_are_infinite_only_by_a_part() {
        assert_eq!(add(2, 3), 5);
        assert_eq!(add(2, INFINITE), INFINITE);
        assert_eq!(add(INFINITE, 0), INFINITE);
        assert_eq!(add(INFINITE - 2, 1), INFINITE - 1);
        assert_eq!(add(INFINITE - 1, INFINITE - 1), INFINITE - 1);
    }

    #[test]
    fn the_newest_word_counts() {
        let mut table = ProofTable::new(1 << 12);
        assert_eq!(table.probe(5), None);
        table.store(5, known(3), 1);
        table.store(5, known(4), 1);
        assert_eq!(table.probe(5), Some(known(4)));
        table.clear();
        assert_eq!(table.probe(5), None);
    }

    /// One bucket: old before new, cheap before dear, open before proven.
    #[test]
    fn what_is_worth_least_goes_first() {
        let mut table = ProofTable::new(0);
        assert_eq!(table.entries.len(), BUCKET);
        table.store(1, known(1), 1_000_000);
        table.new_search();
        table.store(2, known(0), 1);
        table.store(3, known(3), 50);
        table.store(4, known(4), 20);
        for (key, gone) in [(5, 1), (6, 4), (7, 3)] {
            table.store(key, known(9), 100);
            assert_eq!(table.probe(gone), None);
            assert_eq!(table.probe(key), Some(known(9)));
        }
        assert_eq!(table.probe(2), Some(known(0)));
    }
}
