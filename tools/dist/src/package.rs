//! What goes into the packages, and the limits they keep.

use crate::archive::{Archive, Kind};
use crate::names;
use crate::release::Release;
use anyhow::{Result, ensure};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// A cup takes no more without asking, in bytes.
pub const MOST_BYTES: usize = 8_000_000;

/// The instructions for users, with places for what changes.
const READ_ME: &str = include_str!("../readme.txt");
const LICENCES: [(&str, &str); 2] = [
    (
        "LICENSE-APACHE.txt",
        include_str!("../../../LICENSE-APACHE"),
    ),
    ("LICENSE-MIT.txt", include_str!("../../../LICENSE-MIT")),
];

/// A finished package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Package {
    /// Name of its file.
    pub name: String,
    /// Its bytes, a ZIP archive.
    pub bytes: Vec<u8>,
}

/// Packs the programs for Windows.
///
/// # Errors
///
/// If a name or the size would make a manager or a cup refuse the package.
pub fn windows(
    release: &Release,
    libraries: &BTreeSet<String>,
    program_32: Vec<u8>,
    program_64: Vec<u8>,
) -> Result<Package> {
    let mut archive = Archive::default();
    for (name, bytes) in [
        (names::WINDOWS_32, program_32),
        (names::WINDOWS_64, program_64),
    ] {
        names::check_windows_program(name)?;
        archive.add(name, Kind::Program, bytes)?;
    }
    finish(
        archive,
        names::windows_package(release.date),
        release,
        libraries,
        "\r\n",
    )
}

/// Packs the program for Linux.
///
/// # Errors
///
/// If the package grows too large.
pub fn linux(release: &Release, libraries: &BTreeSet<String>, program: Vec<u8>) -> Result<Package> {
    let mut archive = Archive::default();
    archive.add(names::LINUX, Kind::Program, program)?;
    finish(
        archive,
        names::linux_package(release),
        release,
        libraries,
        "\n",
    )
}

/// Adds the texts, whose lines end as is usual on the system.
fn finish(
    mut archive: Archive,
    name: String,
    release: &Release,
    libraries: &BTreeSet<String>,
    line_end: &str,
) -> Result<Package> {
    let read_me = read_me(release, libraries)?;
    let texts = LICENCES
        .into_iter()
        .chain([(names::READ_ME, read_me.as_str())]);
    for (name, text) in texts {
        ensure!(text.is_ascii(), "{name}: old editors show only ASCII alike");
        ensure!(!text.contains('\r'), "{name}: has line ends of its own");
        let bytes = text.replace('\n', line_end).into_bytes();
        archive.add(name, Kind::Text, bytes)?;
    }
    let bytes = archive.to_bytes(release.date)?;
    let size = bytes.len();
    ensure!(
        size <= MOST_BYTES,
        "{name}: {size} bytes, over {MOST_BYTES}"
    );
    Ok(Package { name, bytes })
}

/// The instructions for this release.
fn read_me(release: &Release, libraries: &BTreeSet<String>) -> Result<String> {
    let mut list = String::new();
    for library in libraries {
        writeln!(list, "  {library}")?;
    }
    let text = READ_ME
        .replace("{version}", &release.version)
        .replace("{date}", &release.date.to_string())
        .replace("{commit}", &release.commit)
        .replace("{libraries}\n", &list);
    ensure!(
        !text.contains(['{', '}']),
        "a place in the readme stays empty"
    );
    Ok(text)
}

/// The checksums of the packages as `sha256sum --check` reads them.
#[must_use]
pub fn checksums(packages: &[Package]) -> String {
    let lines = packages.iter().map(|package| {
        let digest = Sha256::digest(&package.bytes);
        let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        format!("{hex}  {}\n", package.name)
    });
    lines.collect()
}
