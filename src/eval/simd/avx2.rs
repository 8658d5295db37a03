//! The kernels for processors with AVX2.
//!
//! A layer takes its inputs two by two: both are put into every 32-bit lane
//! and `vpmaddwd` multiplies them with two weights of every unit.

use super::{
    ACTIVATION_LIMIT, Aligned, Cells, Change, FIRST_ROUNDING, FIRST_SHIFT, LANES, PAIRS,
    PairedWeights, PolicyLayers, Row, SECOND_ROUNDING, SECOND_SHIFT, Sums, ValueLayers,
};
use crate::board::POINT_ARRAY_LEN;
use std::arch::x86_64::*;

/// Inputs of a layer, two in every number: the first in the low half.
type Inputs = Aligned<[i32; PAIRS]>;

/// Undoes that packing works on halves of a register: quarters 0, 2, 1, 3.
const UNPACK_ORDER: i32 = 0b11_01_10_00;

#[inline]
#[target_feature(enable = "avx2")]
fn load_bytes(bytes: &[i8; 16]) -> __m128i {
    // SAFETY: the reference is to 16 bytes, and any address will do.
    unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn load_shorts(numbers: &[i16; 16]) -> __m256i {
    // SAFETY: the reference is to 32 bytes, and any address will do.
    unsafe { _mm256_loadu_si256(numbers.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn load_longs(numbers: &[i32; 8]) -> __m256i {
    // SAFETY: the reference is to 32 bytes, and any address will do.
    unsafe { _mm256_loadu_si256(numbers.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store_shorts(numbers: &mut [i16; 16], value: __m256i) {
    // SAFETY: the reference is to 32 bytes, and any address will do.
    unsafe { _mm256_storeu_si256(numbers.as_mut_ptr().cast(), value) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store_longs(numbers: &mut [i32; 8], value: __m256i) {
    // SAFETY: the reference is to 32 bytes, and any address will do.
    unsafe { _mm256_storeu_si256(numbers.as_mut_ptr().cast(), value) }
}

#[target_feature(enable = "avx2")]
pub(super) fn replace_rows(table: &[Row], cells: &mut Cells, changes: &[Change], sums: &mut Sums) {
    let zero = _mm256_setzero_si256();
    let mut difference = [zero; 2];
    for change in changes {
        let (old, _) = table[change.old as usize].0.as_chunks::<16>();
        let (new, _) = table[change.new as usize].0.as_chunks::<16>();
        let cell = &mut cells[change.cell as usize & (POINT_ARRAY_LEN - 1)].0;
        let (cell, _) = cell.as_chunks_mut::<16>();
        for half in 0..2 {
            let old = _mm256_cvtepi8_epi16(load_bytes(&old[half]));
            let new = _mm256_cvtepi8_epi16(load_bytes(&new[half]));
            let before = load_shorts(&cell[half]);
            let after = _mm256_add_epi16(before, _mm256_sub_epi16(new, old));
            store_shorts(&mut cell[half], after);
            let gain = _mm256_sub_epi16(
                _mm256_max_epi16(after, zero),
                _mm256_max_epi16(before, zero),
            );
            difference[half] = _mm256_add_epi16(difference[half], gain);
        }
    }
    let (sums, _) = sums.0.as_chunks_mut::<8>();
    for (sums, difference) in sums.as_chunks_mut::<2>().0.iter_mut().zip(difference) {
        let low = _mm256_cvtepi16_epi32(_mm256_castsi256_si128(difference));
        let high = _mm256_cvtepi16_epi32(_mm256_extracti128_si256::<1>(difference));
        for (sum, part) in sums.iter_mut().zip([low, high]) {
            let total = _mm256_add_epi32(load_longs(sum), part);
            store_longs(sum, total);
        }
    }
}

/// Cuts 32 sums to what a layer can take and puts them into pairs.
#[inline]
#[target_feature(enable = "avx2")]
fn to_inputs(sums: [__m256i; 4]) -> Inputs {
    let zero = _mm256_setzero_si256();
    let limit = _mm256_set1_epi32(ACTIVATION_LIMIT);
    let cut = sums.map(|sum| _mm256_min_epi32(_mm256_max_epi32(sum, zero), limit));
    let mut inputs = Aligned([0; PAIRS]);
    let (parts, _) = inputs.0.as_chunks_mut::<8>();
    for (part, sums) in parts.iter_mut().zip(cut.as_chunks::<2>().0) {
        let packed = _mm256_packs_epi32(sums[0], sums[1]);
        store_longs(part, _mm256_permute4x64_epi64::<UNPACK_ORDER>(packed));
    }
    inputs
}

/// The sums of a layer of eight units a register.
#[inline]
#[target_feature(enable = "avx2")]
fn layer<const REGISTERS: usize, const WIDTH: usize>(
    weights: &PairedWeights<WIDTH>,
    bias: &[[i32; 8]],
    inputs: &Inputs,
) -> [__m256i; REGISTERS] {
    let mut sums: [__m256i; REGISTERS] = std::array::from_fn(|i| load_longs(&bias[i]));
    for (weights, &pair) in weights.0.iter().zip(&inputs.0) {
        let pair = _mm256_set1_epi32(pair);
        let (weights, _) = weights.as_chunks::<16>();
        for (sum, weights) in sums.iter_mut().zip(weights) {
            *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(load_shorts(weights), pair));
        }
    }
    sums
}

/// Sum of the eight numbers of a register.
#[inline]
#[target_feature(enable = "avx2")]
fn total(numbers: __m256i) -> i32 {
    let four = _mm_add_epi32(
        _mm256_castsi256_si128(numbers),
        _mm256_extracti128_si256::<1>(numbers),
    );
    let two = _mm_add_epi32(four, _mm_unpackhi_epi64(four, four));
    let one = _mm_add_epi32(two, _mm_shuffle_epi32::<0b01>(two));
    _mm_cvtsi128_si32(one)
}

#[target_feature(enable = "avx2")]
pub(super) fn value(
    layers: &ValueLayers,
    first_bias: &Aligned<[i32; 32]>,
    sums: &Sums,
    first: usize,
) -> [i32; 3] {
    let (sums, _) = sums.0.as_chunks::<8>();
    // Half of the registers, if the other colour is to move.
    let turn = first / 8;
    let inputs = to_inputs(std::array::from_fn(|i| load_longs(&sums[(i ^ turn) & 3])));
    let hidden: [_; 4] = layer(&layers.first, first_bias.0.as_chunks().0, &inputs);
    let rounding = _mm256_set1_epi32(FIRST_ROUNDING);
    let scale = |sum| _mm256_srai_epi32::<FIRST_SHIFT>(_mm256_add_epi32(sum, rounding));
    let inputs = to_inputs(hidden.map(scale));
    let hidden: [_; 4] = layer(&layers.second, layers.second_bias.0.as_chunks().0, &inputs);
    let rounding = _mm256_set1_epi32(SECOND_ROUNDING);
    let scale = |sum| _mm256_srai_epi32::<SECOND_SHIFT>(_mm256_add_epi32(sum, rounding));
    let inputs = to_inputs(hidden.map(scale));
    let (inputs, _) = inputs.0.as_chunks::<8>();
    std::array::from_fn(|output| {
        let (weights, _) = layers.last.0[output].as_chunks::<16>();
        let low = _mm256_madd_epi16(load_shorts(&weights[0]), load_longs(&inputs[0]));
        let high = _mm256_madd_epi16(load_shorts(&weights[1]), load_longs(&inputs[1]));
        total(_mm256_add_epi32(low, high)) + layers.last_bias[output]
    })
}

/// The numbers of a cell as inputs: those of the side to move first, nothing
/// below 0.
#[inline]
#[target_feature(enable = "avx2")]
fn cell_inputs(cells: &Cells, point: i32, first: usize) -> Inputs {
    let zero = _mm256_setzero_si256();
    let turn = first / (LANES / 2);
    let cell = &cells[point as usize & (POINT_ARRAY_LEN - 1)].0;
    let (cell, _) = cell.as_chunks::<16>();
    let mut inputs = Aligned([0; PAIRS]);
    let (parts, _) = inputs.0.as_chunks_mut::<8>();
    for (half, part) in parts.iter_mut().enumerate() {
        let numbers = load_shorts(&cell[(half ^ turn) & 1]);
        store_longs(part, _mm256_max_epi16(numbers, zero));
    }
    inputs
}

/// The outputs of the policy head for some cells side by side, which load
/// every weight only once.
#[inline]
#[target_feature(enable = "avx2")]
fn policy_of<const COUNT: usize>(
    layers: &PolicyLayers,
    cells: &Cells,
    first: usize,
    points: &mut [i32; COUNT],
) {
    let inputs: [Inputs; COUNT] = std::array::from_fn(|i| cell_inputs(cells, points[i], first));
    let (bias, _) = layers.first_bias.0.as_chunks::<8>();
    let bias = [load_longs(&bias[0]), load_longs(&bias[1])];
    let mut sums = [bias; COUNT];
    for (number, weights) in layers.first.0.iter().enumerate() {
        let (weights, _) = weights.as_chunks::<16>();
        let weights = [load_shorts(&weights[0]), load_shorts(&weights[1])];
        for (sums, inputs) in sums.iter_mut().zip(&inputs) {
            let pair = _mm256_set1_epi32(inputs.0[number]);
            for (sum, weights) in sums.iter_mut().zip(weights) {
                *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(weights, pair));
            }
        }
    }
    let zero = _mm256_setzero_si256();
    let limit = _mm256_set1_epi32(ACTIVATION_LIMIT);
    let rounding = _mm256_set1_epi32(FIRST_ROUNDING);
    let (last, _) = layers.last.0.as_chunks::<8>();
    for (point, sums) in points.iter_mut().zip(sums) {
        let scaled = sums.map(|sum| {
            let scaled = _mm256_srai_epi32::<FIRST_SHIFT>(_mm256_add_epi32(sum, rounding));
            _mm256_min_epi32(_mm256_max_epi32(scaled, zero), limit)
        });
        let low = _mm256_mullo_epi32(scaled[0], load_longs(&last[0]));
        let high = _mm256_mullo_epi32(scaled[1], load_longs(&last[1]));
        *point = total(_mm256_add_epi32(low, high)) + layers.last_bias;
    }
}

#[target_feature(enable = "avx2")]
pub(super) fn policy(layers: &PolicyLayers, cells: &Cells, first: usize, points: &mut [i32]) {
    let (groups, rest) = points.as_chunks_mut::<4>();
    for group in groups {
        policy_of(layers, cells, first, group);
    }
    for point in rest {
        policy_of(layers, cells, first, std::array::from_mut(point));
    }
}
