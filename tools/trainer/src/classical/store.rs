//! Samples in memory: a head each, and a run of items of different lengths.
//!
//! A store never holds more samples than its limit. When it is full it halves
//! itself: it keeps the samples whose key has one more zero bit, and from then
//! on takes only such. So what is kept depends on the samples alone, not on
//! their order or number.

/// A sample: what it is about, and its items.
#[derive(Debug)]
pub struct Sample<'a, H, I> {
    /// What there is once.
    pub head: &'a H,
    /// What there is many times.
    pub items: &'a [I],
}

#[derive(Clone, Debug)]
struct Entry<H> {
    head: H,
    key: u32,
    start: usize,
}

/// Samples with heads `H` and items `I`.
#[derive(Clone, Debug)]
pub struct Store<H, I> {
    entries: Vec<Entry<H>>,
    items: Vec<I>,
    limit: usize,
    /// Bits that must be 0 in the keys of samples.
    mask: u32,
}

impl<H: Copy, I: Copy> Store<H, I> {
    /// An empty store for at most `limit` samples.
    #[must_use]
    pub const fn new(limit: usize) -> Self {
        Self {
            entries: Vec::new(),
            items: Vec::new(),
            limit,
            mask: 0,
        }
    }

    /// Number of samples.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no sample.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// One of how many samples is kept: 1, or a power of two.
    #[must_use]
    pub const fn thinning(&self) -> u64 {
        self.mask as u64 + 1
    }

    /// Adds a sample, or does not if the store is thinned and the key, which
    /// should be a hash of the sample, says so.
    pub fn push(&mut self, key: u32, head: H, items: &[I]) {
        if key & self.mask != 0 {
            return;
        }
        self.entries.push(Entry {
            head,
            key,
            start: self.items.len(),
        });
        self.items.extend_from_slice(items);
        while self.entries.len() > self.limit && self.mask != u32::MAX {
            self.mask = self.mask << 1 | 1;
            self.thin();
        }
    }

    /// The sample with this number.
    ///
    /// # Panics
    ///
    /// If there are not so many.
    #[must_use]
    pub fn get(&self, index: usize) -> Sample<'_, H, I> {
        let entry = &self.entries[index];
        Sample {
            head: &entry.head,
            items: &self.items[entry.start..self.end_of(index)],
        }
    }

    /// All samples.
    pub fn iter(&self) -> impl Iterator<Item = Sample<'_, H, I>> {
        (0..self.len()).map(|index| self.get(index))
    }

    fn end_of(&self, index: usize) -> usize {
        self.entries
            .get(index + 1)
            .map_or(self.items.len(), |next| next.start)
    }

    /// Throws out the samples whose keys the mask refuses.
    fn thin(&mut self) {
        let (mut kept, mut end) = (0, 0);
        for index in 0..self.entries.len() {
            let items = self.entries[index].start..self.end_of(index);
            if self.entries[index].key & self.mask == 0 {
                let length = items.len();
                self.items.copy_within(items, end);
                self.entries[kept] = Entry {
                    start: end,
                    ..self.entries[index]
                };
                kept += 1;
                end += length;
            }
        }
        self.entries.truncate(kept);
        self.items.truncate(end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sample n has n % 5 items, all of them n.
    fn filled(limit: usize, count: u32) -> Store<u32, u32> {
        let mut store = Store::new(limit);
        for n in 0..count {
            store.push(n, n, &vec![n; n as usize % 5]);
        }
        store
    }

    fn check(store: &Store<u32, u32>, step: usize) {
        for (index, sample) in store.iter().enumerate() {
            let n = (index * step) as u32;
            assert_eq!(*sample.head, n);
            assert_eq!(sample.items, vec![n; n as usize % 5]);
        }
    }

    #[test]
    fn samples_come_back() {
        let store = filled(1_000, 1_000);
        assert_eq!((store.len(), store.thinning()), (1_000, 1));
        check(&store, 1);
    }

    #[test]
    fn a_full_store_keeps_every_fourth_sample() {
        let store = filled(300, 1_000);
        assert_eq!((store.len(), store.thinning()), (250, 4));
        check(&store, 4);
    }
}
