//! The names that managers and cups go by.
//!
//! Piskvork takes a program for one that speaks the protocol if its name begins
//! `pbrain-`, and out of an archive it prefers a `64` on 64-bit Windows. The
//! judge of Gomocup drops such a `64` and then reads endings such as
//! `_renju-15` as "only for this rule and size": a version number must not end
//! like one of these by accident.

use crate::release::{Date, Release};
use anyhow::{Result, ensure};

/// Program for 32-bit Windows.
pub const WINDOWS_32: &str = "pbrain-yonsan.exe";
/// Program for 64-bit Windows.
pub const WINDOWS_64: &str = "pbrain-yonsan64.exe";
/// Program for Linux.
pub const LINUX: &str = "pbrain-yonsan";
/// The instructions for users.
pub const READ_ME: &str = "README.txt";

const RULES: [&str; 4] = ["freestyle", "standard", "renju", "caro"];
const SIZES: [&str; 2] = ["15", "20"];

/// The package for Windows, Piskvork and cups: `YONSAN26.zip`.
#[must_use]
pub fn windows_package(date: Date) -> String {
    format!("YONSAN{:02}.zip", date.short_year())
}

/// The package for Linux.
#[must_use]
pub fn linux_package(release: &Release) -> String {
    format!("yonsan-{}-linux-x86_64.zip", release.version)
}

/// Checks that every manager takes a program of this name for any rule and
/// size.
///
/// # Errors
///
/// If one would not.
pub fn check_windows_program(name: &str) -> Result<()> {
    let lower = name.to_ascii_lowercase();
    ensure!(
        lower.starts_with("pbrain-"),
        "{name}: does not begin pbrain-"
    );
    let Some(stem) = lower.strip_suffix(".exe") else {
        anyhow::bail!("{name}: does not end in .exe");
    };
    let stem = ["_64", "-64", "64"]
        .iter()
        .find_map(|bits| stem.strip_suffix(bits))
        .unwrap_or(stem);
    for size in SIZES {
        ensure!(
            !stem.ends_with(&format!("_{size}")),
            "{name}: only for {size}"
        );
        for rule in RULES {
            let both = format!("_{rule}-{size}");
            ensure!(!stem.ends_with(&both), "{name}: only for {rule} on {size}");
        }
    }
    for rule in RULES {
        ensure!(
            !stem.ends_with(&format!("_{rule}")),
            "{name}: only for {rule}"
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_programs_are_for_everything() {
        check_windows_program(WINDOWS_32).unwrap();
        check_windows_program(WINDOWS_64).unwrap();
    }

    #[test]
    fn names_that_lose_games_are_refused() {
        for name in [
            "yonsan.exe",
            "pbrainyonsan.exe",
            "pbrain-yonsan",
            "pbrain-yonsan.zip",
            "pbrain-yonsan_15.exe",
            "pbrain-yonsan_20_64.exe",
            "pbrain-yonsan_Renju64.exe",
            "pbrain-yonsan_caro-15.exe",
        ] {
            assert!(check_windows_program(name).is_err(), "{name}");
        }
        for name in ["pbrain-yonsan_1.5.exe", "PBRAIN-YONSAN26.EXE"] {
            check_windows_program(name).unwrap();
        }
    }

    #[test]
    fn the_year_names_the_package() {
        let date = |text| Date::parse(text).unwrap();
        assert_eq!(windows_package(date("2026-11-29")), "YONSAN26.zip");
        assert_eq!(windows_package(date("2103-01-01")), "YONSAN03.zip");
    }
}
