//! Times as people write them: `0.5`, `500ms`, `3m`; whole milliseconds inside.

/// Units and their milliseconds; the longer suffix first.
const UNITS: [(&str, f64); 5] = [
    ("ms", 1.0),
    ("min", 60_000.0),
    ("m", 60_000.0),
    ("h", 3_600_000.0),
    ("s", 1_000.0),
];
/// Longest time taken, so that sums never overflow: about 31 years.
const MAX_MS: f64 = 1e12;

/// Reads a time in seconds, or with a unit `ms`, `s`, `m` or `min`, `h`, and
/// gives milliseconds.
///
/// # Errors
///
/// If it is no number, negative or absurdly long.
///
/// # Examples
///
/// ```
/// assert_eq!(arena::duration::parse_ms("0.5"), Ok(500));
/// assert_eq!(arena::duration::parse_ms("3m"), Ok(180_000));
/// ```
pub fn parse_ms(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let (number, factor) = UNITS
        .iter()
        .find_map(|&(unit, factor)| Some((text.strip_suffix(unit)?, factor)))
        .unwrap_or((text, 1_000.0));
    let value = number.trim_end().parse::<f64>().ok();
    match value.map(|value| (value * factor).round()) {
        Some(ms) if (0.0..=MAX_MS).contains(&ms) => Ok(ms as u64),
        _ => Err(format!("'{text}' is no time such as 0.5, 500ms or 3m")),
    }
}

/// A time for people: `450 ms`, `12 s`, `3:05`, `2:03:05`.
#[must_use]
pub fn format_ms(ms: u64) -> String {
    const SECOND: u64 = 1_000;
    const MINUTE: u64 = 60 * SECOND;
    const HOUR: u64 = 60 * MINUTE;
    let (hours, minutes, seconds) = (ms / HOUR, ms % HOUR / MINUTE, ms % MINUTE / SECOND);
    match ms {
        0..SECOND => format!("{ms} ms"),
        SECOND..MINUTE => format!("{seconds} s"),
        MINUTE..HOUR => format!("{minutes}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read() {
        let cases = [
            ("1", 1_000),
            ("0", 0),
            (" 0.3 s", 300),
            ("250ms", 250),
            ("1.5min", 90_000),
            ("2h", 7_200_000),
        ];
        for (text, ms) in cases {
            assert_eq!(parse_ms(text), Ok(ms), "{text}");
        }
        for text in ["", "x", "-1", "1d", "nan", "inf", "1e300", "s"] {
            assert!(parse_ms(text).is_err(), "{text}");
        }
    }

    #[test]
    fn times_are_written() {
        let cases = [
            (450, "450 ms"),
            (12_345, "12 s"),
            (185_000, "3:05"),
            (7_385_000, "2:03:05"),
        ];
        for (ms, text) in cases {
            assert_eq!(format_ms(ms), text);
        }
    }
}
