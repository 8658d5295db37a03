//! What the engine knows of positions, kept in a file.
//!
//! A file is written beside its place and then put there in one step, so that
//! there is never half a file. Only a whole file of the same kind is ever
//! replaced: whatever else bears the name is left alone.

use super::Engine;
use crate::rules::Rule;
use crate::search::{TableFileError, check_table_file};
use std::fmt;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// Why nothing was saved or loaded.
#[derive(Debug)]
pub enum HashFileError {
    /// Nothing has been searched yet.
    NothingKnown,
    /// The path names no file.
    NoFile,
    /// What bears the name now is not replaced.
    NotReplaced(TableFileError),
    /// The file cannot be used.
    Unusable(TableFileError),
}

impl fmt::Display for HashFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NothingKnown => f.write_str("nothing has been searched yet"),
            Self::NoFile => f.write_str("this is no name of a file"),
            Self::NotReplaced(error) => write!(f, "the file there is not replaced: {error}"),
            Self::Unusable(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for HashFileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::NothingKnown | Self::NoFile => None,
            Self::NotReplaced(error) | Self::Unusable(error) => Some(error),
        }
    }
}

impl From<io::Error> for HashFileError {
    fn from(error: io::Error) -> Self {
        Self::Unusable(TableFileError::Io(error))
    }
}

impl Engine {
    /// How full the table is, in thousandths.
    #[must_use]
    pub fn hash_permille(&self) -> u32 {
        self.searcher
            .as_ref()
            .map_or(0, crate::search::Searcher::table_permille)
    }

    /// Writes what is known to a file; the number of positions.
    ///
    /// # Errors
    ///
    /// If nothing is known, the file cannot be written, or what bears the name
    /// is anything but a whole file of this kind. It is as it was then.
    pub fn dump_hash(&self, path: &Path) -> Result<u64, HashFileError> {
        let (searcher, rule) = self
            .searcher
            .as_ref()
            .zip(self.last_rule)
            .ok_or(HashFileError::NothingKnown)?;
        match File::open(path) {
            Ok(old) => {
                check_table_file(old).map_err(HashFileError::NotReplaced)?;
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error.into()),
        }
        let beside = path_beside(path).ok_or(HashFileError::NoFile)?;
        let write = || {
            let mut file = File::create_new(&beside)?;
            let count = searcher.write_table(rule, &mut file)?;
            file.sync_all()?;
            drop(file);
            fs::rename(&beside, path)?;
            Ok(count)
        };
        write().map_err(|error: io::Error| {
            // What could not be written whole is of no use; that it cannot be
            // removed either is not the worse news.
            let _ = fs::remove_file(&beside);
            error.into()
        })
    }

    /// Adds what a file knows about positions under a rule; the number of
    /// positions in it.
    ///
    /// # Errors
    ///
    /// If the file is not whole and of this engine and rule.
    pub fn load_hash(&mut self, path: &Path, rule: Rule) -> Result<u64, HashFileError> {
        let file = File::open(path)?;
        self.prepare(rule)
            .read_table(rule, file)
            .map_err(HashFileError::Unusable)
    }
}

/// A name in the same folder that no other process uses.
fn path_beside(path: &Path) -> Option<PathBuf> {
    let mut name = path.file_name()?.to_owned();
    name.push(format!(".{}.part", std::process::id()));
    Some(path.with_file_name(name))
}
