//! The transposition table: what is known of positions, shared by all threads
//! without locks.
//!
//! An entry is two words; the key word holds the hash mixed with the data
//! word, so that an entry torn by two writers is not recognised (Hyatt's
//! lockless hashing, 2002). Four entries fill one cache line. Every entry
//! bears the number of the table's generation; to forget everything, the table
//! begins another one, and what is left of earlier ones counts as empty.

use super::score::Value;
use crate::board::{POINT_ARRAY_LEN, Point};
use crate::memory::{self, WordPair};
use std::alloc::{Layout, handle_alloc_error};
use std::sync::atomic::Ordering::Relaxed;

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

/// The key word and the data word of an entry.
type Slot = WordPair;

/// Hash and data of the entry; of an entry that is torn, of another generation
/// or none, at least one of them fits nothing.
#[inline]
fn read([key, word]: &Slot) -> (u64, u64) {
    let data = word.load(Relaxed);
    (key.load(Relaxed) ^ data, data)
}

fn write([key, word]: &Slot, hash: u64, data: u64) {
    word.store(data, Relaxed);
    key.store(hash ^ data, Relaxed);
}

const BUCKET_LEN: usize = 4;

const LINE_BYTES: usize = 64;
const _: () = assert!(size_of::<Slot>() * BUCKET_LEN == LINE_BYTES);

const POINT_BITS: u32 = 10;
const DEPTH_SHIFT: u32 = 10;
const BOUND_SHIFT: u32 = 18;
const AGE_SHIFT: u32 = 20;
const AGE_MASK: u64 = 63;
const VALUE_SHIFT: u32 = 26;
const EVAL_SHIFT: u32 = 42;
const GENERATION_SHIFT: u32 = 58;
/// The highest generation; zero is that of words never written.
const LAST_GENERATION: u64 = u64::MAX >> GENERATION_SHIFT;
const NO_POINT: u64 = POINT_ARRAY_LEN as u64 - 1;
const _: () = assert!(POINT_ARRAY_LEN == 1 << POINT_BITS);

/// The table.
#[derive(Debug)]
pub struct TranspositionTable {
    slots: Box<[Slot]>,
    /// Slots before the first bucket, so that buckets begin with cache lines.
    offset: usize,
    bucket_count: usize,
    /// Slots whose memory was claimed.
    claimed: usize,
    age: u64,
    /// 1 to [`LAST_GENERATION`].
    generation: u64,
}

impl TranspositionTable {
    /// A table of at most this many bytes, at least one bucket; smaller if the
    /// system refuses so much. Its memory is taken from the system only as it
    /// is used.
    #[must_use]
    pub fn new(bytes: u64) -> Self {
        let mut bucket_count = usize::try_from(bytes / LINE_BYTES as u64)
            .unwrap_or(usize::MAX / LINE_BYTES - 1)
            .saturating_sub(1)
            .max(1);
        let slots = loop {
            match memory::zeroed_pairs((bucket_count + 1) * BUCKET_LEN) {
                Some(slots) => break slots,
                None if bucket_count > 1 => bucket_count /= 2,
                None => handle_alloc_error(Layout::new::<[Slot; BUCKET_LEN]>()),
            }
        };
        let offset = match slots.as_ptr().align_offset(LINE_BYTES) {
            offset if offset < BUCKET_LEN => offset,
            _ => 0,
        };
        Self {
            slots,
            offset,
            bucket_count,
            claimed: 0,
            age: 0,
            generation: 1,
        }
    }

    /// Forgets everything. Takes next to no time and keeps the memory: for a
    /// short game, to write to all of it or to get it anew from the system
    /// would be much of the work.
    pub fn clear(&mut self) {
        if self.generation < LAST_GENERATION {
            self.generation += 1;
            self.age = 0;
            return;
        }
        let bytes = self.bytes();
        // Free the old table first, so that both never exist together.
        self.slots = Box::default();
        *self = Self::new(bytes);
    }

    /// Has the system give another piece of the memory, in large pages, which
    /// it otherwise does in small ones when a search first writes there. False
    /// if all was given.
    pub fn claim_page(&mut self) -> bool {
        if self.claimed == self.slots.len() {
            return false;
        }
        self.claimed += memory::claim_page(&mut self.slots[self.claimed..]);
        true
    }

    /// Size in bytes.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        (self.bucket_count as u64 + 1) * LINE_BYTES as u64
    }

    /// Begins a new search: older entries are replaced first.
    pub const fn new_search(&mut self) {
        self.age = (self.age + 1) & AGE_MASK;
    }

    #[inline]
    fn bucket(&self, hash: u64) -> &[Slot] {
        let index = ((u128::from(hash) * self.bucket_count as u128) >> 64) as usize;
        let first = self.offset + index * BUCKET_LEN;
        &self.slots[first..first + BUCKET_LEN]
    }

    /// Brings what is known of the position with this hash nearer, without
    /// waiting for it: for a probe that comes soon. Changes nothing else.
    #[inline]
    pub fn prefetch(&self, hash: u64) {
        memory::prefetch(&self.bucket(hash)[0]);
    }

    /// What is known of the position with this hash.
    #[must_use]
    pub fn probe(&self, hash: u64) -> Option<Entry> {
        self.bucket(hash).iter().find_map(|slot| {
            let (found, data) = read(slot);
            (found == hash && self.is_current(data)).then(|| unpack(data))?
        })
    }

    /// Whether the data word of an entry was written since everything was
    /// last forgotten.
    #[inline]
    const fn is_current(&self, data: u64) -> bool {
        data >> GENERATION_SHIFT == self.generation
    }

    /// Stores what was found, in place of the least valuable entry.
    pub fn store(&self, hash: u64, mut entry: Entry) {
        let bucket = self.bucket(hash);
        let mut victim = &bucket[0];
        let mut least = i32::MAX;
        for slot in bucket {
            let (found, data) = read(slot);
            if found == hash && self.is_current(data) {
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
        write(victim, hash, pack(entry, self.age, self.generation));
    }

    /// Every entry as two words, for a file: the hash and what is packed.
    pub(super) fn words(&self) -> impl Iterator<Item = (u64, u64)> {
        self.slots.iter().filter_map(|slot| {
            let (hash, data) = read(slot);
            self.is_current(data).then_some((hash, data))
        })
    }

    /// Stores an entry from such words; words that are none do nothing.
    pub(super) fn store_words(&self, hash: u64, data: u64) {
        if let Some(entry) = unpack(data) {
            self.store(hash, entry);
        }
    }

    /// How full the table is, in thousandths, judged by its beginning.
    #[must_use]
    pub fn usage_permille(&self) -> u32 {
        const SAMPLE_LEN: usize = 8_000;
        let sample = self.slots.iter().skip(self.offset).take(SAMPLE_LEN);
        let used = sample
            .clone()
            .filter(|slot| self.is_current(read(slot).1))
            .count();
        (used * 1_000 / sample.count().max(1)) as u32
    }

    /// An entry of the same position is kept if it is deeper by more than this.
    const KEEP_DEEPER_BY: i32 = 3;
    /// Plies of depth that one search of age outweighs.
    const AGE_WEIGHT: i32 = 8;

    fn worth(&self, data: u64) -> i32 {
        if !self.is_current(data) {
            return i32::MIN;
        }
        let depth = (data >> DEPTH_SHIFT & 255) as i32;
        let age = (self.age.wrapping_sub(data >> AGE_SHIFT) & AGE_MASK) as i32;
        depth - Self::AGE_WEIGHT * age
    }
}

fn pack(entry: Entry, age: u64, generation: u64) -> u64 {
    let point = entry.best.map_or(NO_POINT, |p| p.index() as u64);
    point
        | (entry.depth.clamp(0, 255) as u64) << DEPTH_SHIFT
        | (entry.bound as u64) << BOUND_SHIFT
        | age << AGE_SHIFT
        | u64::from(entry.value as i16 as u16) << VALUE_SHIFT
        | u64::from(entry.eval as i16 as u16) << EVAL_SHIFT
        | generation << GENERATION_SHIFT
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
    fn claiming_comes_to_an_end_and_changes_nothing() {
        let mut table = TranspositionTable::new(5 << 20);
        let entry = Entry {
            best: None,
            value: 1,
            eval: 2,
            depth: 3,
            bound: Bound::Lower,
        };
        table.store(u64::MAX / 2, entry);
        let pieces = (0..9).take_while(|_| table.claim_page()).count();
        assert!((3..5).contains(&pieces), "{pieces}");
        assert_eq!(table.probe(u64::MAX / 2), Some(entry));
        assert_eq!(table.words().count(), 1);
    }

    /// A manager may name more memory than there is.
    #[test]
    fn a_table_that_is_too_large_becomes_smaller() {
        let table = TranspositionTable::new(u64::MAX);
        assert!(table.bytes() >= 1 << 20 && table.bytes() < 1 << 60);
        assert_eq!(table.probe(u64::MAX), None);
    }

    /// One bucket: whatever is stored goes into it.
    #[test]
    fn old_and_shallow_entries_go_first() {
        let mut table = TranspositionTable::new(128);
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
        assert_eq!(table.probe(4), None);
    }

    /// Many times over: generations come again.
    #[test]
    fn a_cleared_table_is_as_good_as_new() {
        const BYTES: u64 = 1 << 10;
        let mut used = TranspositionTable::new(BYTES);
        for game in 0..3 * LAST_GENERATION {
            let mut new = TranspositionTable::new(BYTES);
            for step in 0..200 {
                let random = crate::board::mix(game * 1_000 + step);
                let hash = crate::board::mix(random % 100);
                assert_eq!(used.probe(hash), new.probe(hash), "game {game}, {step}");
                let entry = Entry {
                    best: None,
                    value: (random >> 16) as i16 as Value,
                    eval: (random >> 32) as i16 as Value,
                    depth: (random >> 48 & 15) as i32,
                    bound: Bound::Lower,
                };
                for table in [&mut used, &mut new] {
                    table.store(hash, entry);
                    if step % 16 == 0 {
                        table.new_search();
                    }
                }
            }
            used.clear();
            for number in 0..100 {
                assert_eq!(used.probe(crate::board::mix(number)), None);
            }
        }
    }
}
