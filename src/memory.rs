//! Large tables in memory: got from the system untouched, moved into large
//! pages when there is time for it, and fetched before they are needed.
//!
//! A table is looked up at random. With pages of 4 KiB nearly every look-up has
//! to find out first where its page is, on a virtual machine by two dozen reads
//! of memory; with pages of 2 MiB the processor knows where all of them are. But
//! to find one free and to clear it can take the system 30 ms, so nobody should
//! wait for it in a search.
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
    let pairs = std::ptr::slice_from_raw_parts_mut(first, count);
    // SAFETY: the global allocator gave this memory for just this layout, as a
    // box wants it, and a pair is two atomic integers, for which all bits zero
    // is a valid value.
    Some(unsafe { Box::from_raw(pairs) })
}

/// No system has smaller pages.
const LEAST_PAGE: usize = 4 << 10;
/// Size of a large page.
const LARGE_PAGE: usize = 2 << 20;

/// Takes the beginning of a table from the system, as far as one large page
/// reaches, in a large page if there are any; returns how many pairs that were.
/// What is in the table stays.
pub(crate) fn claim_page(pairs: &mut [WordPair]) -> usize {
    let bytes = size_of_val(pairs);
    let reach = match pairs.as_ptr().cast::<u8>().align_offset(LARGE_PAGE) {
        0 => LARGE_PAGE,
        before => before,
    };
    let is_whole = reach == LARGE_PAGE && reach <= bytes;
    let count = reach.min(bytes).div_ceil(size_of::<WordPair>());
    let page = &mut pairs[..count];
    if is_whole {
        advise(page, PREFER_LARGE_PAGE);
    }
    let step = LEAST_PAGE / size_of::<WordPair>();
    for [word, _] in page.iter_mut().step_by(step) {
        // What is opaque to the compiler it has to write.
        *word.get_mut() = std::hint::black_box(*word.get_mut());
    }
    if is_whole {
        advise(page, MOVE_TO_LARGE_PAGE);
    }
    count
}

/// `MADV_HUGEPAGE` of Linux' `mman.h`: what is written to for the first time is
/// to be a large page.
const PREFER_LARGE_PAGE: i32 = 14;
/// `MADV_COLLAPSE`, since Linux 6.1: what is in small pages is to be in a large one.
const MOVE_TO_LARGE_PAGE: i32 = 25;

/// Gives the system one of these two pieces of advice on a large page. It may
/// refuse; what is in the memory stays as it is.
#[cfg(target_os = "linux")]
fn advise(page: &mut [WordPair], advice: i32) {
    use std::ffi::{c_int, c_void};
    // SAFETY: as the manual page madvise(2) has it.
    unsafe extern "C" {
        fn madvise(address: *mut c_void, length: usize, advice: c_int) -> c_int;
    }
    // SAFETY: the range is that of the slice, and neither advice changes
    // anything a program could see.
    unsafe { madvise(page.as_mut_ptr().cast(), size_of_val(page), advice) };
}

#[cfg(not(target_os = "linux"))]
const fn advise(_page: &mut [WordPair], _advice: i32) {}

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
        let mut pairs = zeroed_pairs(1_000_000).unwrap();
        pairs[0][0].store(7, Relaxed);
        pairs[999_999][1].store(8, Relaxed);
        claim(&mut pairs);
        let words = pairs.iter().flatten().map(|word| word.load(Relaxed));
        let written: Vec<(usize, u64)> = words.enumerate().filter(|w| w.1 != 0).collect();
        assert_eq!(written, [(0, 7), (1_999_999, 8)]);
    }

    /// Claims all of a table.
    fn claim(mut pairs: &mut [WordPair]) {
        while !pairs.is_empty() {
            let count = claim_page(pairs);
            assert!(count > 0 && size_of_val(&pairs[..count]) <= LARGE_PAGE);
            pairs = &mut pairs[count..];
        }
    }

    /// Linux tells what it has given, and that it was asked for large pages.
    #[cfg(target_os = "linux")]
    #[test]
    fn claimed_memory_is_there() {
        const MIB: usize = 1 << 20;
        let mut pairs = zeroed_pairs(64 * MIB / size_of::<WordPair>()).unwrap();
        claim(&mut pairs);
        // A place in the middle: the ends may count as another piece.
        let address = std::ptr::from_ref(&pairs[pairs.len() / 2]).addr();
        let resident = told_of(address, "Rss:");
        let resident_kib: usize = resident.trim().trim_end_matches(" kB").parse().unwrap();
        assert!(resident_kib >= 60 << 10, "{resident}");
        let has_large_pages = std::fs::exists("/sys/kernel/mm/transparent_hugepage").unwrap();
        assert_eq!(is_advised(address), has_large_pages);
    }

    /// In a search nobody waits for a large page.
    #[cfg(target_os = "linux")]
    #[test]
    fn what_was_not_claimed_comes_in_small_pages() {
        let pairs = zeroed_pairs(LARGE_PAGE).unwrap();
        assert!(!is_advised(
            std::ptr::from_ref(&pairs[LARGE_PAGE / 2]).addr()
        ));
    }

    #[cfg(target_os = "linux")]
    fn is_advised(address: usize) -> bool {
        told_of(address, "VmFlags:")
            .split(' ')
            .any(|flag| flag == "hg")
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
        // Memory that nobody looks at the compiler need not ask for.
        let is_refused = |count| std::hint::black_box(zeroed_pairs(count)).is_none();
        assert!(is_refused(isize::MAX as usize / 16 - 1));
        assert!(is_refused(usize::MAX));
    }
}
