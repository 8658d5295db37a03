//! ZIP archives with the same bytes wherever they are made: files sorted by
//! name, all of one time, all compressed alike.

use crate::release::Date;
use anyhow::{Context as _, Result, ensure};
use std::collections::BTreeMap;
use std::io::{Cursor, Write as _};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// The best that deflate can do.
const LEVEL: i64 = 9;

/// What a file is, which decides whether it may be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Something to read.
    Text,
    /// Something to run.
    Program,
}

impl Kind {
    /// The rights of the file on a Unix system.
    const fn mode(self) -> u32 {
        match self {
            Self::Text => 0o644,
            Self::Program => 0o755,
        }
    }
}

/// An archive in the making; all its files lie at the top level.
#[derive(Clone, Debug, Default)]
pub struct Archive {
    files: BTreeMap<String, (Kind, Vec<u8>)>,
}

impl Archive {
    /// Adds a file.
    ///
    /// # Errors
    ///
    /// If there is one of that name, or the name leads into a folder or is not
    /// plain ASCII, which old programs would read otherwise.
    pub fn add(&mut self, name: &str, kind: Kind, bytes: Vec<u8>) -> Result<()> {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        ensure!(
            !name.is_empty() && name.chars().all(is_plain),
            "{name:?} is no plain file name"
        );
        ensure!(!bytes.is_empty(), "{name} is empty");
        let lower = |name: &str| name.to_ascii_lowercase();
        ensure!(
            self.files.keys().all(|other| lower(other) != lower(name)),
            "{name} is there twice"
        );
        self.files.insert(name.to_owned(), (kind, bytes));
        Ok(())
    }

    /// The bytes of the archive, every file dated at the beginning of the day.
    ///
    /// # Errors
    ///
    /// If it cannot be written, which a date out of range can cause.
    pub fn to_bytes(&self, date: Date) -> Result<Vec<u8>> {
        let time = zip::DateTime::try_from(date).context("a date that ZIP cannot hold")?;
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, (kind, bytes)) in &self.files {
            let options = SimpleFileOptions::default()
                .compression_method(CompressionMethod::Deflated)
                .compression_level(Some(LEVEL))
                .last_modified_time(time)
                .unix_permissions(kind.mode());
            writer.start_file(name.as_str(), options)?;
            writer.write_all(bytes)?;
        }
        Ok(writer.finish()?.into_inner())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_names_and_each_once() {
        let mut archive = Archive::default();
        archive.add("a.txt", Kind::Text, vec![1]).unwrap();
        for name in [
            "a.txt",
            "A.TXT",
            "",
            "b/c",
            "b\\c",
            "../c",
            "gr\u{fc}n",
            "a b",
        ] {
            assert!(archive.add(name, Kind::Text, vec![1]).is_err(), "{name:?}");
        }
        assert!(archive.add("b", Kind::Program, Vec::new()).is_err());
    }
}
