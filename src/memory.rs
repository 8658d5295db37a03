//! Large tables in memory: got from the system untouched, and fetched before
//! they are needed.
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
    fn what_the_system_does_not_have_it_refuses() {
        assert!(zeroed_pairs(isize::MAX as usize / 16 - 1).is_none());
        assert!(zeroed_pairs(usize::MAX).is_none());
    }
}
