//! From the net's three logits to a score.
//!
//! Computed with nothing but additions, multiplications and divisions of
//! doubles, which every processor rounds alike: the library's exponential and
//! logarithm differ between systems, and searches must not.

use super::dense::OUTCOMES;
use crate::eval::weights::SCORE_SCALE;

/// The greatest score, far below any forced win.
pub const SCORE_LIMIT: i32 = 10_000;
/// Scores beyond this count as this when a net builds on them.
pub const PRIOR_LIMIT: i32 = 2_000;
const _: () = assert!(PRIOR_LIMIT as i64 * LOGIT_ONE as i64 <= i32::MAX as i64);
/// A logit of 1.
pub const LOGIT_ONE: i32 = 1 << 18;

/// Outcomes less likely than this times e^-60 are not told apart.
const LEAST_EXPONENT: f64 = -60.0;
/// ln 2 in two parts, the first with so few bits that multiples are exact.
const LN_2_HIGH: f64 = 0.693_145_751_953_125;
const LN_2_LOW: f64 = 1.428_606_820_309_417_3e-6;
const MANTISSA_BITS: u32 = f64::MANTISSA_DIGITS - 1;
const EXPONENT_BIAS: i64 = 1_023;

/// The score `SCORE_SCALE * ln((win + draw / 2) / (loss + draw / 2))` for
/// the chances that the logits of a win, a draw and a loss stand for, rounded,
/// within ±[`SCORE_LIMIT`].
#[must_use]
pub fn score([win, draw, loss]: [i32; OUTCOMES]) -> i32 {
    let greatest = win.max(draw).max(loss);
    let chance = |logit: i32| {
        let below = i64::from(logit) - i64::from(greatest);
        exponential((below as f64 / f64::from(LOGIT_ONE)).max(LEAST_EXPONENT))
    };
    let half_draw = chance(draw) * 0.5;
    let logarithm = logarithm_of_ratio(chance(win) + half_draw, chance(loss) + half_draw);
    let score = logarithm * f64::from(SCORE_SCALE);
    // Rounded away from 0 at the half, so that sides can be exchanged.
    let rounded = (score + 0.5_f64.copysign(score)) as i32;
    rounded.clamp(-SCORE_LIMIT, SCORE_LIMIT)
}

/// The logits that a net has together with the score it builds on, that of the
/// classical evaluation: it was trained to tell what that gets wrong.
#[inline]
#[must_use]
pub fn with_prior([win, draw, loss]: [i32; OUTCOMES], prior: i32) -> [i32; OUTCOMES] {
    let prior = prior.clamp(-PRIOR_LIMIT, PRIOR_LIMIT);
    let half = prior * LOGIT_ONE / (2.0 * SCORE_SCALE) as i32;
    [win + half, draw, loss - half]
}

/// e to the power of `x`, -60 to 0: a power of 2 times the Taylor series
/// around 0 for what is left, at most ln 2 / 2.
fn exponential(x: f64) -> f64 {
    let power = (x * std::f64::consts::LOG2_E - 0.5) as i64;
    let rest = x - power as f64 * LN_2_HIGH - power as f64 * LN_2_LOW;
    let mut sum = 1.0;
    for divisor in [6.0, 5.0, 4.0, 3.0, 2.0, 1.0] {
        sum = 1.0 + sum * (rest * (1.0 / divisor));
    }
    sum * f64::from_bits(((power + EXPONENT_BIAS) as u64) << MANTISSA_BITS)
}

/// The natural logarithm of `a / b`, both positive and normal: the powers of 2
/// apart, and for the mantissas the series of the inverse hyperbolic tangent,
/// `ln(m / n) = 2 artanh((m - n) / (m + n))`.
fn logarithm_of_ratio(a: f64, b: f64) -> f64 {
    let ((a, a_power), (b, b_power)) = (split(a), split(b));
    let t = (a - b) / (a + b);
    let square = t * t;
    let mut sum = 0.0;
    for divisor in [11.0, 9.0, 7.0, 5.0, 3.0, 1.0] {
        sum = sum * square + 1.0 / divisor;
    }
    2.0 * t * sum + (a_power - b_power) as f64 * std::f64::consts::LN_2
}

/// A positive, normal number as a mantissa, 1 to 2, and a power of 2.
const fn split(number: f64) -> (f64, i64) {
    let bits = number.to_bits();
    let power = (bits >> MANTISSA_BITS) as i64 - EXPONENT_BIAS;
    let mantissa = bits & ((1 << MANTISSA_BITS) - 1);
    let one = (EXPONENT_BIAS as u64) << MANTISSA_BITS;
    (f64::from_bits(mantissa | one), power)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::mix;

    /// The same by the library.
    fn expected(logits: [i32; 3]) -> f64 {
        let [win, draw, loss] = logits.map(|logit| f64::from(logit) / f64::from(LOGIT_ONE));
        let most = win.max(draw).max(loss);
        let [win, draw, loss] = [win, draw, loss].map(|logit| (logit - most).exp());
        200.0 * ((win + draw / 2.0) / (loss + draw / 2.0)).ln()
    }

    fn random(seed: u64, bits: u32) -> i32 {
        (mix(seed) as i64 >> (u64::BITS - bits)) as i32
    }

    #[test]
    fn scores_are_right() {
        for seed in 0..300_000 {
            // From a hundredth of a logit to thirty.
            let bits = 12 + (seed % 12) as u32;
            let logits = std::array::from_fn(|i| random(4 * seed + i as u64, bits));
            let error = f64::from(score(logits)) - expected(logits).clamp(-1e4, 1e4);
            assert!(error.abs() < 0.501, "{logits:?}: {error}");
        }
    }

    /// By hand: ln 3 * 200 = 219.72; ln((e + 1/2) / (1/e + 1/2)) * 200 = 262.11.
    #[test]
    fn known_scores() {
        let one = LOGIT_ONE;
        assert_eq!(score([0, 0, 0]), 0);
        assert_eq!(score([287_995, -30 * one, 0]), 220);
        assert_eq!(score([one, 0, -one]), 262);
        assert_eq!(score([0, -40 * one, -30 * one]), 6_000);
    }

    #[test]
    fn extremes_have_limits() {
        assert_eq!(score([i32::MAX, i32::MIN, i32::MIN]), SCORE_LIMIT);
        assert_eq!(score([i32::MIN, i32::MIN, i32::MAX]), -SCORE_LIMIT);
        assert_eq!(score([i32::MIN, i32::MAX, i32::MIN]), 0);
        assert_eq!(score([i32::MIN; 3]), 0);
    }

    #[test]
    fn sides_can_be_exchanged() {
        for seed in 0..100_000 {
            let [win, draw, loss] = std::array::from_fn(|i| random(3 * seed + i as u64, 22));
            assert_eq!(score([win, draw, loss]), -score([loss, draw, win]));
        }
    }
}
