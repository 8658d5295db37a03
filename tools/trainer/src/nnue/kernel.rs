//! Sums of products over short arrays, written so that they become vector
//! instructions: plain loops over arrays of fixed length do, iterators put
//! together often do not.

#![allow(clippy::needless_range_loop)]

/// Sixteen numbers in one line of the cache: a row for one point of view.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct Row(pub [f32; 16]);

impl Row {
    /// All 0.
    pub const ZERO: Self = Self([0.0; 16]);
}

/// Lanes in which dot products are added up.
const LANES: usize = 8;

/// `a * b + c`; rounded once only if the machine does that in one step.
#[inline(always)]
#[must_use]
pub fn fma(a: f32, b: f32, c: f32) -> f32 {
    if cfg!(target_feature = "fma") {
        a.mul_add(b, c)
    } else {
        a * b + c
    }
}

/// Adds `factor` times the items to the sums.
#[inline(always)]
pub fn add_scaled<const N: usize>(sums: &mut [f32; N], factor: f32, items: &[f32; N]) {
    for i in 0..N {
        sums[i] = fma(factor, items[i], sums[i]);
    }
}

/// Adds the items to the sums.
#[inline(always)]
pub fn add<const N: usize>(sums: &mut [f32; N], items: &[f32; N]) {
    for i in 0..N {
        sums[i] += items[i];
    }
}

/// The sum of the products; `N` is a multiple of 8.
#[inline(always)]
#[must_use]
pub fn dot<const N: usize>(first: &[f32; N], second: &[f32; N]) -> f32 {
    const { assert!(N.is_multiple_of(LANES)) };
    let mut sums = [0.0; LANES];
    for start in (0..N).step_by(LANES) {
        for lane in 0..LANES {
            sums[lane] = fma(first[start + lane], second[start + lane], sums[lane]);
        }
    }
    let mut half = [0.0; LANES / 2];
    for lane in 0..LANES / 2 {
        half[lane] = sums[lane] + sums[lane + LANES / 2];
    }
    (half[0] + half[2]) + (half[1] + half[3])
}

/// Every item, or 0 instead of negative ones.
#[inline(always)]
#[must_use]
pub fn positive<const N: usize>(items: &[f32; N]) -> [f32; N] {
    let mut positive = [0.0; N];
    for i in 0..N {
        positive[i] = if items[i] > 0.0 { items[i] } else { 0.0 };
    }
    positive
}

/// The slopes before [`positive`] of what it made.
#[inline(always)]
#[must_use]
pub fn positive_back<const N: usize>(positive: &[f32; N], slopes: &[f32; N]) -> [f32; N] {
    let mut before = [0.0; N];
    for i in 0..N {
        // A product: a choice would become a jump for each item.
        before[i] = slopes[i] * f32::from(u8::from(positive[i] > 0.0));
    }
    before
}

/// Every item cut to `0..=most`.
#[inline(always)]
#[must_use]
pub fn cut<const N: usize>(items: &[f32; N], most: f32) -> [f32; N] {
    let mut cut = positive(items);
    for i in 0..N {
        cut[i] = if cut[i] < most { cut[i] } else { most };
    }
    cut
}

/// The slopes before [`cut`] of what it made: 0 where it held an item back.
#[inline(always)]
#[must_use]
pub fn cut_back<const N: usize>(cut: &[f32; N], most: f32, slopes: &[f32; N]) -> [f32; N] {
    let mut before = positive_back(cut, slopes);
    for i in 0..N {
        before[i] *= f32::from(u8::from(cut[i] < most));
    }
    before
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_sums() {
        let first: [f32; 16] = std::array::from_fn(|i| i as f32);
        let second: [f32; 16] = std::array::from_fn(|i| (i % 3) as f32 - 1.0);
        let expected: f32 = (0..16).map(|i| (i * (i % 3)) as f32 - i as f32).sum();
        assert_eq!(dot(&first, &second), expected);
        let mut sums = first;
        add_scaled(&mut sums, 2.0, &second);
        add(&mut sums, &second);
        assert!((0..16).all(|i| sums[i] == i as f32 + 3.0 * second[i]));
    }

    #[test]
    fn nothing_flows_back_through_a_cut() {
        let cut = cut(&[-1.0, 0.5, 7.0], 4.0);
        assert_eq!(cut, [0.0, 0.5, 4.0]);
        assert_eq!(cut_back(&cut, 4.0, &[1.0, 2.0, 3.0]), [0.0, 2.0, 0.0]);
        let positive = positive(&[-1.0, 0.5, 7.0]);
        assert_eq!(positive, [0.0, 0.5, 7.0]);
        assert_eq!(positive_back(&positive, &[1.0, 2.0, 3.0]), [0.0, 2.0, 3.0]);
    }
}
