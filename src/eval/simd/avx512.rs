//! The kernels for processors with AVX-512: a cell, the 32 units of a hidden
//! layer in two registers, the 16 units of the policy head in one.

use super::{
    ACTIVATION_LIMIT, Aligned, Cells, Change, FIRST_ROUNDING, FIRST_SHIFT, PAIRS, PairedWeights,
    PolicyLayers, Row, SECOND_ROUNDING, SECOND_SHIFT, Sums, ValueLayers,
};
use crate::board::POINT_ARRAY_LEN;
use std::arch::x86_64::*;

/// Inputs of a layer, two in every number: the first in the low half.
type Inputs = Aligned<[i32; PAIRS]>;

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn load_bytes(bytes: &[i8; 32]) -> __m256i {
    // SAFETY: the reference is to 32 bytes, and any address will do.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn load_shorts(numbers: &[i16; 32]) -> __m512i {
    // SAFETY: the reference is to 64 bytes, and any address will do.
    unsafe { _mm512_loadu_si512(numbers.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn load_longs(numbers: &[i32; 16]) -> __m512i {
    // SAFETY: the reference is to 64 bytes, and any address will do.
    unsafe { _mm512_loadu_si512(numbers.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn store_shorts(numbers: &mut [i16; 32], value: __m512i) {
    // SAFETY: the reference is to 64 bytes, and any address will do.
    unsafe { _mm512_storeu_si512(numbers.as_mut_ptr().cast(), value) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn store_longs(numbers: &mut [i32; 16], value: __m512i) {
    // SAFETY: the reference is to 64 bytes, and any address will do.
    unsafe { _mm512_storeu_si512(numbers.as_mut_ptr().cast(), value) }
}

#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn replace_rows(table: &[Row], cells: &mut Cells, changes: &[Change], sums: &mut Sums) {
    let zero = _mm512_setzero_si512();
    let mut difference = zero;
    for change in changes {
        let old = _mm512_cvtepi8_epi16(load_bytes(&table[change.old as usize].0));
        let new = _mm512_cvtepi8_epi16(load_bytes(&table[change.new as usize].0));
        let cell = &mut cells[change.cell as usize & (POINT_ARRAY_LEN - 1)].0;
        let before = load_shorts(cell);
        let after = _mm512_add_epi16(before, _mm512_sub_epi16(new, old));
        store_shorts(cell, after);
        let gain = _mm512_sub_epi16(
            _mm512_max_epi16(after, zero),
            _mm512_max_epi16(before, zero),
        );
        difference = _mm512_add_epi16(difference, gain);
    }
    let (sums, _) = sums.0.as_chunks_mut::<16>();
    let low = _mm512_cvtepi16_epi32(_mm512_castsi512_si256(difference));
    let high = _mm512_cvtepi16_epi32(_mm512_extracti64x4_epi64::<1>(difference));
    for (sums, part) in sums.iter_mut().zip([low, high]) {
        let sum = _mm512_add_epi32(load_longs(sums), part);
        store_longs(sums, sum);
    }
}

/// Numbers cut to what a layer can take.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn cut(numbers: __m512i) -> __m512i {
    let limit = _mm512_set1_epi32(ACTIVATION_LIMIT);
    _mm512_min_epi32(_mm512_max_epi32(numbers, _mm512_setzero_si512()), limit)
}

/// Cuts 32 sums and puts them into pairs.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn to_inputs(sums: [__m512i; 2]) -> Inputs {
    let low = _mm512_castsi256_si512(_mm512_cvtepi32_epi16(cut(sums[0])));
    let high = _mm512_cvtepi32_epi16(cut(sums[1]));
    let mut inputs = Aligned([0; PAIRS]);
    store_longs(&mut inputs.0, _mm512_inserti64x4::<1>(low, high));
    inputs
}

/// The sums of a layer of sixteen units a register.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn layer<const REGISTERS: usize, const WIDTH: usize>(
    weights: &PairedWeights<WIDTH>,
    bias: &[[i32; 16]],
    inputs: &Inputs,
) -> [__m512i; REGISTERS] {
    let mut sums: [__m512i; REGISTERS] = std::array::from_fn(|i| load_longs(&bias[i]));
    for (weights, &pair) in weights.0.iter().zip(&inputs.0) {
        let pair = _mm512_set1_epi32(pair);
        let (weights, _) = weights.as_chunks::<32>();
        for (sum, weights) in sums.iter_mut().zip(weights) {
            *sum = _mm512_add_epi32(*sum, _mm512_madd_epi16(load_shorts(weights), pair));
        }
    }
    sums
}

#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn value(
    layers: &ValueLayers,
    first_bias: &Aligned<[i32; 32]>,
    sums: &Sums,
    first: usize,
) -> [i32; 3] {
    let (sums, _) = sums.0.as_chunks::<16>();
    let turn = first / 16;
    let inputs = to_inputs(std::array::from_fn(|i| load_longs(&sums[(i ^ turn) & 1])));
    let hidden: [_; 2] = layer(&layers.first, first_bias.0.as_chunks().0, &inputs);
    let rounding = _mm512_set1_epi32(FIRST_ROUNDING);
    let scale = |sum| _mm512_srai_epi32::<{ FIRST_SHIFT as u32 }>(_mm512_add_epi32(sum, rounding));
    let inputs = to_inputs(hidden.map(scale));
    let hidden: [_; 2] = layer(&layers.second, layers.second_bias.0.as_chunks().0, &inputs);
    let rounding = _mm512_set1_epi32(SECOND_ROUNDING);
    let scale = |sum| _mm512_srai_epi32::<{ SECOND_SHIFT as u32 }>(_mm512_add_epi32(sum, rounding));
    let inputs = load_longs(&to_inputs(hidden.map(scale)).0);
    std::array::from_fn(|output| {
        let products = _mm512_madd_epi16(load_shorts(&layers.last.0[output]), inputs);
        _mm512_reduce_add_epi32(products) + layers.last_bias[output]
    })
}

#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn policy(layers: &PolicyLayers, cells: &Cells, first: usize, points: &mut [i32]) {
    let zero = _mm512_setzero_si512();
    let rounding = _mm512_set1_epi32(FIRST_ROUNDING);
    let last = load_longs(&layers.last.0);
    for point in points {
        let cell = load_shorts(&cells[*point as usize & (POINT_ARRAY_LEN - 1)].0);
        let own_first = if first == 0 {
            cell
        } else {
            // The upper 256 bits go down and the lower ones up.
            _mm512_shuffle_i64x2::<0b01_00_11_10>(cell, cell)
        };
        let mut inputs = Aligned([0; PAIRS]);
        store_longs(&mut inputs.0, _mm512_max_epi16(own_first, zero));
        let [hidden]: [_; 1] = layer(&layers.first, layers.first_bias.0.as_chunks().0, &inputs);
        let sum = _mm512_add_epi32(hidden, rounding);
        let scaled = cut(_mm512_srai_epi32::<{ FIRST_SHIFT as u32 }>(sum));
        *point = _mm512_reduce_add_epi32(_mm512_mullo_epi32(scaled, last)) + layers.last_bias;
    }
}
