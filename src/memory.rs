//! Large tables in memory: got from the system untouched and in large pages,
//! and fetched before they are needed.
//!
//! A table is looked up at random. With pages of 4 KiB nearly every look-up has
//! to find out first where its page is, on a virtual machine by two dozen reads
//! of memory; with pages of 2 MiB the processor knows where all of them are.
#![allow(unsafe_code)]

use std::alloc::{Layout, alloc_zeroed};
use std::sync::atomic::AtomicU64;

/// Two words that threads may write to at the same time.
pub(crate) type WordPair = [AtomicU64; 2];

/// So many pairs of zeros, at least one; `None` if the system refuses. Memory is
/// taken from the system only as it is written to.
pub(crate) fn zeroed_pairs(count: usize) -> Option<Box<[WordPair]>> {
    // Asked for with the alignment of its words only, zeroed memory comes
    // untouched from the system; with that of a cache line the allocator
    // would write to all of it.
    let layout = Layout::array::<WordPair>(count).ok()?;
    assert!(layout.size() > 0, "an empty table");
    // SAFETY: the layout is not of size zero, as was just checked.
    let first = unsafe { alloc_zeroed(layout) }.cast::<WordPair>();
    if first.is_null() {
        return None;
    }
    prefer_large_pages(first.cast(), layout.size());
    let pairs = std::ptr::slice_from_raw_parts_mut(first, count);
    // SAFETY: the global allocator gave this memory for just this layout, as a
    // box wants it, and a pair is two atomic integers, for which all bits zero
    // is a valid value.
    Some(unsafe { Box::from_raw(pairs) })
}

/// Writes to every page of a part of a table, without changing anything, so
/// that the system gives the memory now and not in the middle of a search.
pub(crate) fn claim(pairs: &mut [WordPair]) {
    for [first, _] in pairs.iter_mut().step_by(LEAST_PAGE / size_of::<WordPair>()) {
        // What is opaque to the compiler it has to write.
        *first.get_mut() = std::hint::black_box(*first.get_mut());
    }
}

/// No system has smaller pages.
const LEAST_PAGE: usize = 4 << 10;
/// Size of a large page.
const LARGE_PAGE: usize = 2 << 20;

/// Asks the system for large pages where memory is that nobody has written to
/// yet. It may refuse; what is in the memory, and where, stays as it is.
#[cfg(target_os = "linux")]
fn prefer_large_pages(first: *mut u8, bytes: usize) {
    use std::ffi::{c_int, c_void};
    /// `MADV_HUGEPAGE` of Linux' `mman.h`.
    const MADV_HUGEPAGE: c_int = 14;
    // SAFETY: as the manual page madvise(2) has it.
    unsafe extern "C" {
        fn madvise(address: *mut c_void, length: usize, advice: c_int) -> c_int;
    }
    // Only whole large pages: the system rounds nothing.
    let before = first.align_offset(LARGE_PAGE);
    let length = bytes.saturating_sub(before) / LARGE_PAGE * LARGE_PAGE;
    if length > 0 {
        let start = first.wrapping_add(before);
        // SAFETY: the range is a part of the given memory, and this advice
        // changes nothing a program could see. A refusal does no harm.
        unsafe { madvise(start.cast(), length, MADV_HUGEPAGE) };
    }
}

#[cfg(not(target_os = "linux"))]
const fn prefer_large_pages(_first: *mut u8, _bytes: usize) {}

/// Brings what stands here nearer to the processor, without waiting for it:
/// for a look that comes soon. Changes nothing else.
#[inline]
pub(crate) fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let place = std::ptr::from_ref(place);
        // SAFETY: a prefetch reads and writes nothing a program could see, and
        // SSE is part of x86_64.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(place.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering::Relaxed;

    #[test]
    fn pairs_are_zero_and_can_be_written() {
        let pairs = zeroed_pairs(100_000).unwrap();
        assert_eq!(pairs.len(), 100_000);
        for (index, [first, second]) in pairs.iter().enumerate() {
            assert_eq!((first.load(Relaxed), second.load(Relaxed)), (0, 0));
            second.store(index as u64, Relaxed);
        }
        prefetch(&pairs[7]);
        assert_eq!(pairs[99_999][1].load(Relaxed), 99_999);
    }

    #[test]
    fn claimed_memory_is_as_it_was() {
        const CLAIMED: usize = 100_000;
        let mut pairs = zeroed_pairs(2 * CLAIMED).unwrap();
        pairs[0][0].store(7, Relaxed);
        claim(&mut pairs[..CLAIMED]);
        let words: Vec<u64> = pairs.iter().flatten().map(|w| w.load(Relaxed)).collect();
        assert_eq!(words[0], 7);
        assert!(words[1..].iter().all(|&word| word == 0));
    }

    /// Linux tells what it has given.
    #[cfg(target_os = "linux")]
    #[test]
    fn claimed_memory_is_there() {
        const MIB: usize = 1 << 20;
        let mut pairs = zeroed_pairs(64 * MIB / size_of::<WordPair>()).unwrap();
        // A place in the middle: the ends may count as another piece.
        let resident_mib = |pairs: &[WordPair]| -> usize {
            let address = std::ptr::from_ref(&pairs[pairs.len() / 2]).addr();
            let text = told_of(address, "Rss:");
            text.trim()
                .trim_end_matches(" kB")
                .parse::<usize>()
                .unwrap()
                / 1024
        };
        let before = resident_mib(&pairs);
        claim(&mut pairs);
        let after = resident_mib(&pairs);
        assert!(after >= before + 60, "{before} MiB, then {after} MiB");
    }

    /// What Linux says of the piece of memory at an address.
    #[cfg(target_os = "linux")]
    fn told_of(address: usize, field: &str) -> String {
        let map = std::fs::read_to_string("/proc/self/smaps").unwrap();
        let mut is_here = false;
        for line in map.lines() {
            let range = line.split(' ').next().and_then(|r| r.split_once('-'));
            let ends = range.map(|(a, b)| [a, b].map(|n| usize::from_str_radix(n, 16)));
            if let Some([Ok(start), Ok(end)]) = ends {
                is_here = (start..end).contains(&address);
            } else if is_here && let Some(text) = line.strip_prefix(field) {
                return text.to_owned();
            }
        }
        panic!("no memory at {address:x}");
    }

    #[test]
    fn what_the_system_does_not_have_it_refuses() {
        assert!(zeroed_pairs(isize::MAX as usize / 16 - 1).is_none());
        assert!(zeroed_pairs(usize::MAX).is_none());
    }
}
