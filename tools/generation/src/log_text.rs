//! Reading numbers out of what the programs say.

/// How the line begins that comes before all a program says.
pub const BEGIN: &str = "$ ";

/// What the last program said that wrote into a log, its command line first.
#[must_use]
pub fn last_run(log: &str) -> &str {
    let inside = log.rfind(&format!("\n{BEGIN}"));
    inside.map_or(log, |at| &log[at + 1..])
}

/// The number behind the first place of `key` in a line.
#[must_use]
pub fn number_behind(line: &str, key: &str) -> Option<f64> {
    let (_, rest) = line.split_once(key)?;
    let rest = rest.trim_start();
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-');
    let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
    rest[..end].trim_end_matches('.').parse().ok()
}

/// The whole number right before the first place of `key` in a line.
#[must_use]
pub fn count_before(line: &str, key: &str) -> Option<u64> {
    let (rest, _) = line.split_once(key)?;
    let start = rest.rfind(|c: char| !c.is_ascii_digit());
    rest[start.map_or(0, |at| at + 1)..].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found() {
        let line = "  learn:    12 values (1 of 1), 340 moves (1 of 3)";
        assert_eq!(count_before(line, " values"), Some(12));
        assert_eq!(count_before(line, " moves"), Some(340));
        assert_eq!(count_before(line, " games"), None);
        let line = "values: loss 0.5123, winners told 71.5 %, gap -3";
        assert_eq!(number_behind(line, "loss"), Some(0.5123));
        assert_eq!(number_behind(line, "told"), Some(71.5));
        assert_eq!(number_behind(line, "gap"), Some(-3.0));
        assert_eq!(number_behind(line, "values:"), None);
        assert_eq!(number_behind(line, "moves"), None);
    }

    #[test]
    fn only_the_last_run_counts() {
        assert_eq!(last_run("$ a\nx\n$ b\ny\n"), "$ b\ny\n");
        assert_eq!(last_run("$ a\ncost: $ 3\n"), "$ a\ncost: $ 3\n");
        assert_eq!(last_run(""), "");
    }
}
