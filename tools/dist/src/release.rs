//! What is packed: version, day and commit.

use anyhow::{Context as _, Result, ensure};
use std::fmt;
use std::path::Path;
use std::process::Command;

/// A day of the calendar, 1980 to 2107: what a ZIP archive can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Date {
    /// Full year.
    pub year: u16,
    /// 1 to 12.
    pub month: u8,
    /// 1 to 31.
    pub day: u8,
}

impl Date {
    /// Reads `2026-11-29`.
    ///
    /// # Errors
    ///
    /// If the text is no such day.
    pub fn parse(text: &str) -> Result<Self> {
        let parts: Vec<&str> = text.split('-').collect();
        let [year, month, day] = parts[..] else {
            anyhow::bail!("{text:?} is no date such as 2026-11-29");
        };
        let date = Self {
            year: year.parse().context("the year is no number")?,
            month: month.parse().context("the month is no number")?,
            day: day.parse().context("the day is no number")?,
        };
        zip::DateTime::try_from(date).with_context(|| format!("there is no day {text}"))?;
        Ok(date)
    }

    /// The last two digits of the year, as cups write it.
    #[must_use]
    pub const fn short_year(self) -> u16 {
        self.year % 100
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl TryFrom<Date> for zip::DateTime {
    type Error = zip::result::DateTimeRangeError;

    /// The very beginning of the day.
    fn try_from(date: Date) -> Result<Self, Self::Error> {
        Self::from_date_and_time(date.year, date.month, date.day, 0, 0, 0)
    }
}

/// What is packed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Release {
    /// Version of the engine, as in `Cargo.toml`.
    pub version: String,
    /// Day of the commit; it names the package and stamps every file in it.
    pub date: Date,
    /// Short hash of the commit.
    pub commit: String,
}

impl Release {
    /// The commit that is checked out in `repository`.
    ///
    /// # Errors
    ///
    /// If git knows of no commit, or if files were changed since: such a
    /// package could not be made again.
    pub fn of_commit(repository: &Path) -> Result<Self> {
        let changed = git(repository, &["status", "--porcelain", "-uno"])?;
        ensure!(
            changed.is_empty(),
            "commit first what has changed:\n{changed}"
        );
        Ok(Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            date: Date::parse(&git(
                repository,
                &["log", "-1", "--date=short-local", "--format=%cd"],
            )?)?,
            commit: git(repository, &["rev-parse", "--short=10", "HEAD"])?,
        })
    }
}

fn git(repository: &Path, arguments: &[&str]) -> Result<String> {
    let output = Command::new("git")
        .arg("-C")
        .arg(repository)
        .args(arguments)
        // Days begin at the same moment everywhere.
        .env("TZ", "UTC")
        .output()
        .context("cannot start git")?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "git {arguments:?}: {said}");
    Ok(String::from_utf8(output.stdout)?.trim_end().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_and_written() {
        let date = Date::parse("2026-02-09").unwrap();
        assert_eq!((date.year, date.month, date.day), (2026, 2, 9));
        assert_eq!(date.to_string(), "2026-02-09");
        assert_eq!(date.short_year(), 26);
        assert_eq!(Date::parse("2107-01-01").unwrap().short_year(), 7);
        for text in [
            "",
            "2026",
            "2026-13-01",
            "2026-02-30",
            "1979-01-01",
            "2026-1-x",
        ] {
            assert!(Date::parse(text).is_err(), "{text}");
        }
    }
}
