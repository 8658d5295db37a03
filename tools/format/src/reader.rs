//! Reads games one after another.

use crate::error::FormatError;
use crate::game::Game;
use crate::header::{HEADER_LEN, Header};
use crate::record::{HEAD_LEN, decode, record_len};
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

/// The games of a file, in order. After the first error nothing more comes:
/// records have no marks to find the next one by.
#[derive(Debug)]
pub struct Reader<R> {
    source: R,
    header: Header,
    offset: u64,
    record: Vec<u8>,
    is_done: bool,
}

impl Reader<BufReader<File>> {
    /// Opens a file.
    ///
    /// # Errors
    ///
    /// If it cannot be read or has no good header.
    pub fn open(path: &Path) -> Result<Self, FormatError> {
        Self::new(BufReader::new(File::open(path)?))
    }
}

impl<R: Read> Reader<R> {
    /// Reads from a source, which should be buffered.
    ///
    /// # Errors
    ///
    /// If it cannot be read or has no good header.
    pub fn new(mut source: R) -> Result<Self, FormatError> {
        let mut bytes = [0; HEADER_LEN];
        if fill(&mut source, &mut bytes)? < HEADER_LEN {
            return Err(FormatError::NotGames);
        }
        Ok(Self {
            source,
            header: Header::from_bytes(&bytes)?,
            offset: HEADER_LEN as u64,
            record: Vec::new(),
            is_done: false,
        })
    }

    /// The header.
    #[must_use]
    pub const fn header(&self) -> Header {
        self.header
    }

    /// Where the next record begins; after an error, where the good ones end.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// The next game; `None` at the end.
    fn read(&mut self) -> Result<Option<Game>, FormatError> {
        let mut head = [0; HEAD_LEN];
        let got = fill(&mut self.source, &mut head)?;
        if got == 0 {
            return Ok(None);
        }
        if got < HEAD_LEN {
            return Err(FormatError::Torn(self.offset));
        }
        let len = record_len(&head).ok_or(FormatError::Damaged(self.offset))?;
        self.record.clear();
        self.record.extend(head);
        self.record.resize(len, 0);
        let rest = &mut self.record[HEAD_LEN..];
        if fill(&mut self.source, rest)? < rest.len() {
            return Err(FormatError::Torn(self.offset));
        }
        let game = decode(&self.record, self.offset)?;
        self.offset += len as u64;
        Ok(Some(game))
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<Game, FormatError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_done {
            return None;
        }
        let read = self.read();
        self.is_done = !matches!(read, Ok(Some(_)));
        read.transpose()
    }
}

/// Reads until the buffer is full or the source ends; returns what was read.
fn fill(source: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut got = 0;
    while got < buffer.len() {
        match source.read(&mut buffer[got..]) {
            Ok(0) => break,
            Ok(count) => got += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(got)
}
