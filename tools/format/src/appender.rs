//! Writes games behind those that are there.

use crate::error::FormatError;
use crate::game::Game;
use crate::header::{HEADER_LEN, Header};
use crate::reader::Reader;
use crate::record::{LONGEST_RECORD, encode};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// A file open for more games. It is locked as long as this lives.
#[derive(Debug)]
pub struct Appender {
    file: File,
}

/// What was in a file when it was opened for more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Found {
    /// Whole games.
    pub games: u64,
    /// Their plies.
    pub plies: u64,
    /// Bytes of a torn game that were cut off.
    pub cut_bytes: u64,
}

impl Appender {
    /// Opens or makes a file. A torn game at its end is cut off.
    ///
    /// # Errors
    ///
    /// If the system says no, somebody else has the file open for writing, its
    /// header is another one, or more than one torn game would be lost.
    pub fn open(path: &Path, header: Header) -> Result<(Self, Found), FormatError> {
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(FormatError::Busy),
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
        let len = file.metadata()?.len();
        if len < HEADER_LEN as u64 {
            begin(&mut file, header)?;
            return Ok((Self { file }, Found::default()));
        }
        let (mut found, good_len) = survey(&file, header)?;
        found.cut_bytes = len - good_len;
        file.set_len(good_len)?;
        file.seek(SeekFrom::Start(good_len))?;
        Ok((Self { file }, found))
    }

    /// Appends a game. It is out of this process when this returns: a kill of
    /// the process cannot tear it any more.
    ///
    /// # Errors
    ///
    /// If the system says no; then the end of the file may be torn.
    pub fn append(&mut self, game: &Game) -> Result<(), FormatError> {
        self.file.write_all(&encode(game))?;
        Ok(())
    }

    /// Waits until everything is on the disk.
    ///
    /// # Errors
    ///
    /// If the system says no.
    pub fn sync(&self) -> Result<(), FormatError> {
        self.file.sync_all()?;
        Ok(())
    }
}

/// Writes the header of a file that has none, or only the beginning of it.
fn begin(file: &mut File, header: Header) -> Result<(), FormatError> {
    let mut there = Vec::new();
    file.read_to_end(&mut there)?;
    let bytes = header.to_bytes();
    if !bytes.starts_with(&there) {
        return Err(FormatError::NotGames);
    }
    file.write_all(&bytes[there.len()..])?;
    Ok(())
}

/// Counts the good games and says where they end.
fn survey(file: &File, header: Header) -> Result<(Found, u64), FormatError> {
    let mut reader = Reader::new(BufReader::new(file))?;
    if reader.header() != header {
        return Err(FormatError::OtherSettings);
    }
    let mut found = Found::default();
    while let Some(game) = reader.next() {
        match game {
            Ok(game) => {
                found.games += 1;
                found.plies += game.plies().len() as u64;
            }
            Err(error @ (FormatError::Torn(_) | FormatError::Damaged(_))) => {
                let bad = file.metadata()?.len() - reader.offset();
                if bad > LONGEST_RECORD as u64 {
                    return Err(error);
                }
            }
            Err(error) => return Err(error),
        }
    }
    Ok((found, reader.offset()))
}
