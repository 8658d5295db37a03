//! The normal distribution.

use std::f64::consts::PI;

/// Standard deviations on either side of the mean that hold 95 % of a normal
/// distribution.
pub const QUANTILE_95: f64 = 1.959_963_984_540_054;

/// Above this the series loses digits and the tail fraction is exact enough.
const SERIES_LIMIT: f64 = 5.0;
const TAIL_STEPS: u32 = 60;

/// Probability that a standard normal variable is below `z`.
#[must_use]
pub fn normal_cumulative(z: f64) -> f64 {
    if z < 0.0 {
        return 1.0 - normal_cumulative(-z);
    }
    let density = (-z * z / 2.0).exp() / (2.0 * PI).sqrt();
    if z < SERIES_LIMIT {
        // Marsaglia's series: z + z³/3 + z⁵/(3·5) + z⁷/(3·5·7) + ...
        let (mut sum, mut term, mut odd) = (z, z, 1.0);
        while term > sum * f64::EPSILON {
            odd += 2.0;
            term *= z * z / odd;
            sum += term;
        }
        return 0.5 + density * sum;
    }
    if z.is_infinite() {
        return 1.0;
    }
    // Laplace's continued fraction of the upper tail.
    let mut fraction = z;
    for step in (1..=TAIL_STEPS).rev() {
        fraction = z + f64::from(step) / fraction;
    }
    1.0 - density / fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of the usual printed tables of the normal distribution.
    #[test]
    fn agrees_with_printed_tables() {
        for (z, expected) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746),
            (-1.0, 0.158_655_254),
            (1.644_853_627, 0.95),
            (QUANTILE_95, 0.975),
            (3.0, 0.998_650_102),
            (4.999_999, 0.999_999_713),
            (5.000_001, 0.999_999_713),
            (6.0, 0.999_999_999_0),
        ] {
            let got = normal_cumulative(z);
            assert!((got - expected).abs() < 1e-9, "{z}: {got}");
        }
        assert_eq!(normal_cumulative(f64::INFINITY), 1.0);
        assert_eq!(normal_cumulative(f64::NEG_INFINITY), 0.0);
    }
}
