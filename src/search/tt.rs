//! The transposition table: what is known of positions, shared by all threads
//! without locks.
//!
//! An entry is two words; the key word holds the hash mixed with the data
//! word, so that an entry torn by two writers is not recognised (Hyatt's
//! lockless hashing, 2002). Four entries fill one cache line.
#![allow(unsafe_code)]

use super::score::Value;
use crate::board::{POINT_ARRAY_LEN, Point};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What a stored value says of the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// At most this.
    Upper = 1,
    /// At least this.
    Lower = 2,
    /// Just this.
    Exact = 3,
}

/// What is stored of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Best move, if one is known.
    pub best: Option<Point>,
    /// Value, wins counted from this position.
    pub value: Value,
    /// Static evaluation.
    pub eval: Value,
    /// Depth of the search behind it, 0 to 255.
    pub depth: i32,
    /// What the value says.
    pub bound: Bound,
}

#[derive(Debug)]
struct Slot {
    key: AtomicU64,
    data: AtomicU64,
}

const BUCKET_LEN: usize = 4;

#[derive(Debug)]
#[repr(C, align(64))]
struct Bucket([Slot; BUCKET_LEN]);

const _: () = assert!(size_of::<Bucket>() == 64);

const POINT_BITS: u32 = 10;
const DEPTH_SHIFT: u32 = 10;
const BOUND_SHIFT: u32 = 18;
const AGE_SHIFT: u32 = 20;
const AGE_MASK: u64 = 63;
const VALUE_SHIFT: u32 = 26;
const EVAL_SHIFT: u32 = 42;
const NO_POINT: u64 = POINT_ARRAY_LEN as u64 - 1;
const _: () = assert!(POINT_ARRAY_LEN == 1 << POINT_BITS);

/// The table.
#[derive(Debug)]
pub struct TranspositionTable {
    buckets: Box<[Bucket]>,
    age: u64,
}

impl TranspositionTable {
    /// A table of at most this many bytes, at least one cache line. Its memory
    /// is taken from the system only as it is used.
    #[must_use]
    pub fn new(bytes: u64) -> Self {
        let count = usize::try_from(bytes / size_of::<Bucket>() as u64)
            .unwrap_or(usize::MAX)
            .max(1);
        let zeroed = Box::<[Bucket]>::new_zeroed_slice(count);
        // SAFETY: a bucket is an array of atomic integers, for which all bits
        // zero is a valid value, and the slice has been zeroed.
        let buckets = unsafe { zeroed.assume_init() };
        Self { buckets, age: 0 }
    }

    /// Size in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        size_of_val(&*self.buckets) as u64
    }

    /// Begins a new search: older entries are replaced first.
    pub const fn new_search(&mut self) {
        self.age = (self.age + 1) & AGE_MASK;
    }

    fn bucket(&self, hash: u64) -> &Bucket {
        let index = (u128::from(hash) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }

    /// What is known of the position with this hash.
    #[must_use]
    pub fn probe(&self, hash: u64) -> Option<Entry> {
        self.bucket(hash).0.iter().find_map(|slot| {
            let data = slot.data.load(Relaxed);
            (slot.key.load(Relaxed) ^ data == hash && data != 0).then(|| unpack(data))?
        })
    }

    /// Stores what was found, in place of the least valuable entry.
    pub fn store(&self, hash: u64, mut entry: Entry) {
        let bucket = self.bucket(hash);
        let mut victim = &bucket.0[0];
        let mut least = i32::MAX;
        for slot in &bucket.0 {
            let data = slot.data.load(Relaxed);
            if slot.key.load(Relaxed) ^ data == hash && data != 0 {
                if let Some(old) = unpack(data) {
                    if entry.best.is_none() {
                        entry.best = old.best;
                    }
                    if entry.bound != Bound::Exact
                        && old.depth > entry.depth + Self::KEEP_DEEPER_BY
                        && data >> AGE_SHIFT & AGE_MASK == self.age
                    {
                        return;
                    }
                }
                victim = slot;
                break;
            }
            let worth = self.worth(data);
            if worth < least {
                least = worth;
                victim = slot;
            }
        }
        let data = pack(entry, self.age);
        victim.data.store(data, Relaxed);
        victim.key.store(hash ^ data, Relaxed);
    }

    /// An entry of the same position is kept if it is deeper by more than this.
    const KEEP_DEEPER_BY: i32 = 3;
    /// Plies of depth that one search of age outweighs.
    const AGE_WEIGHT: i32 = 8;

    fn worth(&self, data: u64) -> i32 {
        if data == 0 {
            return i32::MIN;
        }
        let depth = (data >> DEPTH_SHIFT & 255) as i32;
        let age = (self.age.wrapping_sub(data >> AGE_SHIFT) & AGE_MASK) as i32;
        depth - Self::AGE_WEIGHT * age
    }
}

fn pack(entry: Entry, age: u64) -> u64 {
    let point = entry.best.map_or(NO_POINT, |p| p.index() as u64);
    point
        | (entry.depth.clamp(0, 255) as u64) << DEPTH_SHIFT
        | (entry.bound as u64) << BOUND_SHIFT
        | age << AGE_SHIFT
        | u64::from(entry.value as i16 as u16) << VALUE_SHIFT
        | u64::from(entry.eval as i16 as u16) << EVAL_SHIFT
}

fn unpack(data: u64) -> Option<Entry> {
    let bound = match data >> BOUND_SHIFT & 3 {
        1 => Bound::Upper,
        2 => Bound::Lower,
        3 => Bound::Exact,
        _ => return None,
    };
    Some(Entry {
        best: Point::from_index((data & NO_POINT) as usize),
        value: Value::from((data >> VALUE_SHIFT) as u16 as i16),
        eval: Value::from((data >> EVAL_SHIFT) as u16 as i16),
        depth: (data >> DEPTH_SHIFT & 255) as i32,
        bound,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_back_as_they_were() {
        let table = TranspositionTable::new(1 << 16);
        assert_eq!(table.bytes(), 1 << 16);
        for (i, bound) in [Bound::Upper, Bound::Lower, Bound::Exact]
            .into_iter()
            .enumerate()
        {
            let entry = Entry {
                best: Point::new(21 - i as u8, 3),
                value: -30_000 + i as Value,
                eval: 20_000,
                depth: 255,
                bound,
            };
            let hash = crate::board::mix(i as u64);
            assert_eq!(table.probe(hash), None);
            table.store(hash, entry);
            assert_eq!(table.probe(hash), Some(entry));
        }
    }

    #[test]
    fn old_and_shallow_entries_go_first() {
        let mut table = TranspositionTable::new(64);
        let entry = |depth| Entry {
            best: None,
            value: 0,
            eval: 0,
            depth,
            bound: Bound::Exact,
        };
        for (hash, depth) in [(1, 9), (2, 3), (3, 8), (4, 7)] {
            table.store(hash, entry(depth));
        }
        table.store(5, entry(1));
        assert_eq!(table.probe(2), None);
        table.new_search();
        table.store(6, entry(1));
        assert_eq!(table.probe(5), None);
        assert!(table.probe(1).is_some());
        table.new_search();
        table.store(7, entry(1));
        assert_eq!(table.probe(6), None);
    }
}
