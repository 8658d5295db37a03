//! The file of a book, version 1.
//!
//! All numbers are little-endian, all fields marked 0 must be 0.
//!
//! | Bytes | What |
//! |---|---|
//! | 8 | `YONSANBK` |
//! | 4 | version of the format |
//! | 4 | number of sections |
//! | 8 | length of the whole file in bytes |
//! | 12 each | sections: rule (4), width (1), height (1), 0 (2), number of records (4) |
//! | 40 each | the records of all sections, one section after the other |
//! | 8 | checksum: FNV-1a with 64 bits over all bytes before it |
//!
//! A section is what is known under one rule, by its number in the protocol,
//! on one size of board. Sections stand in the order of rule, width and height,
//! records in the order of key and kind, so that they can be searched; nothing
//! comes twice and no section is empty. A record:
//!
//! | Bytes | What |
//! |---|---|
//! | 8 | key of the position, see `key.rs` |
//! | 8 | positions searched |
//! | 4 | time of the search in milliseconds, times its threads |
//! | 2 | score, signed: plain, or plies to the end of the game |
//! | 2 | depth in plies |
//! | 2 | stones on the board |
//! | 1 | kind: 0 the best line, 1 the best moves of one search |
//! | 1 | score: 0 plain, 1 won in so many plies, 2 lost in so many |
//! | 10 | one to five moves, column and row each; 255 255 where there is none |
//! | 2 | 0 |
//!
//! Whoever reads checks everything before anything is used. A change of the
//! format, a new rule among others, takes a new version: older engines then
//! say so and leave the file alone.

use super::entry::{Entry, Kind, MOST_MOVES, Work, Worth};
use super::key::Key;
use super::{Book, Record, Section};
use crate::board::{Point, Size};
use crate::rules::Rule;
use std::fmt;
use std::io;

/// The newest version of the format, which is the one written.
pub const VERSION: u32 = 1;

const MAGIC: [u8; 8] = *b"YONSANBK";
const HEAD_BYTES: usize = 24;
const SECTION_BYTES: usize = 12;
const RECORD_BYTES: usize = 40;
const SUM_BYTES: usize = 8;
const NO_MOVE: u8 = u8::MAX;

const ANSWER: u8 = 0;
const REPLIES: u8 = 1;
const PLAIN: u8 = 0;
const WON: u8 = 1;
const LOST: u8 = 2;

/// Why a file is not used.
#[derive(Debug)]
pub enum BookError {
    /// It cannot be read or written.
    Io(io::Error),
    /// The path leads to a folder, a device or the like, or nowhere.
    NoFile,
    /// It is larger than any book may be.
    TooLarge,
    /// It does not begin as a book does.
    NotABook,
    /// It has a version of the format that this engine does not know.
    Newer(u32),
    /// Its end is missing.
    Cut,
    /// Something in it cannot be.
    Damaged,
}

impl BookError {
    /// Whether there is no such file.
    #[must_use]
    pub fn is_absence(&self) -> bool {
        matches!(self, Self::Io(error) if error.kind() == io::ErrorKind::NotFound)
    }
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::NoFile => f.write_str("this is no ordinary file"),
            Self::TooLarge => f.write_str("the file is too large for an opening book"),
            Self::NotABook => f.write_str("this is no opening book"),
            Self::Newer(version) => write!(
                f,
                "an opening book of version {version}, newer than this engine, which knows {VERSION}"
            ),
            Self::Cut => f.write_str("the end of this opening book is missing"),
            Self::Damaged => f.write_str("this opening book is damaged"),
        }
    }
}

impl std::error::Error for BookError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for BookError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// FNV-1a with 64 bits, by Fowler, Noll and Vo (RFC 9923). Of two texts that
/// differ in one byte the sums always differ: every step is a bijection.
pub(super) fn checksum(bytes: &[u8]) -> u64 {
    const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    let step = |sum: u64, byte: &u8| (sum ^ u64::from(*byte)).wrapping_mul(PRIME);
    bytes.iter().fold(BASIS, step)
}

/// The file of a book.
pub(super) fn encode(book: &Book) -> Vec<u8> {
    let records = || book.sections.iter().flat_map(|section| &section.records);
    let length = HEAD_BYTES
        + book.sections.len() * SECTION_BYTES
        + records().count() * RECORD_BYTES
        + SUM_BYTES;
    let mut bytes = Vec::with_capacity(length);
    bytes.extend(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((book.sections.len() as u32).to_le_bytes());
    bytes.extend((length as u64).to_le_bytes());
    for section in &book.sections {
        bytes.extend(section.rule.code().to_le_bytes());
        bytes.extend([section.size.width(), section.size.height(), 0, 0]);
        bytes.extend((section.records.len() as u32).to_le_bytes());
    }
    for record in records() {
        encode_record(record, &mut bytes);
    }
    bytes.extend(checksum(&bytes).to_le_bytes());
    debug_assert_eq!(bytes.len(), length);
    bytes
}

fn encode_record(record: &Record, bytes: &mut Vec<u8>) {
    let Record { key, stones, entry } = record;
    let (form, value) = match entry.worth {
        Worth::Plain(value) => (PLAIN, value.to_le_bytes()),
        Worth::Win(plies) => (WON, plies.to_le_bytes()),
        Worth::Loss(plies) => (LOST, plies.to_le_bytes()),
    };
    let kind = match entry.kind() {
        Kind::Answer => ANSWER,
        Kind::Replies => REPLIES,
    };
    bytes.extend(key.0.to_le_bytes());
    bytes.extend(entry.work.nodes.to_le_bytes());
    bytes.extend(entry.work.thread_ms.to_le_bytes());
    bytes.extend(value);
    bytes.extend(entry.work.depth.to_le_bytes());
    bytes.extend(stones.to_le_bytes());
    bytes.extend([kind, form]);
    let mut moves = entry.moves();
    for _ in 0..MOST_MOVES {
        let place = moves.next().map(|point| [point.x(), point.y()]);
        bytes.extend(place.unwrap_or([NO_MOVE; 2]));
    }
    bytes.extend([0; 2]);
}

/// The book in a file.
///
/// # Errors
///
/// If the file is not whole, or anything in it cannot be.
pub(super) fn decode(bytes: &[u8]) -> Result<Book, BookError> {
    let (mut rest, length) = check_whole(bytes)?;
    let mut take = || -> Result<Book, Impossible> {
        let section_count: u32 = rest.number(u32::from_le_bytes)?;
        // The length was read already.
        rest.take::<8>()?;
        let mut heads = Vec::new();
        for _ in 0..section_count {
            heads.push(SectionHead::take(&mut rest)?);
        }
        let record_count: u64 = heads.iter().map(|head| u64::from(head.count)).sum();
        let expected = (HEAD_BYTES + heads.len() * SECTION_BYTES + SUM_BYTES) as u64
            + record_count * RECORD_BYTES as u64;
        check(expected == length)?;
        let sections = heads.into_iter().map(|head| head.section(&mut rest));
        let sections: Vec<Section> = sections.collect::<Result<_, _>>()?;
        check(sections.is_sorted_by(|one, next| one.place() < next.place()))?;
        Ok(Book { sections })
    };
    take().map_err(|Impossible| BookError::Damaged)
}

/// Looks at what does not depend on what stands in the file: what comes behind
/// the version, checksum excluded, and the length of the file.
fn check_whole(bytes: &[u8]) -> Result<(Rest<'_>, u64), BookError> {
    let mut rest = Rest(bytes);
    match rest.take::<8>() {
        Ok(MAGIC) => {}
        _ if !bytes.is_empty() && MAGIC.starts_with(bytes) => return Err(BookError::Cut),
        _ => return Err(BookError::NotABook),
    }
    let version = rest.number(u32::from_le_bytes);
    let version = version.map_err(|Impossible| BookError::Cut)?;
    if version > VERSION {
        return Err(BookError::Newer(version));
    }
    let behind_version = Rest(rest.0);
    let length = rest
        .take::<4>()
        .and_then(|_| rest.number(u64::from_le_bytes))
        .map_err(|Impossible| BookError::Cut)?;
    let has_sum = bytes
        .split_last_chunk::<SUM_BYTES>()
        .is_some_and(|(body, sum)| checksum(body) == u64::from_le_bytes(*sum));
    let is_whole = has_sum && version == VERSION && length == bytes.len() as u64;
    if is_whole {
        Ok((behind_version, length))
    } else if length > bytes.len() as u64 {
        Err(BookError::Cut)
    } else {
        Err(BookError::Damaged)
    }
}

/// What no writer of this format would have written.
struct Impossible;

fn check(is_possible: bool) -> Result<(), Impossible> {
    is_possible.then_some(()).ok_or(Impossible)
}

/// What is left to be read.
struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    fn take<const COUNT: usize>(&mut self) -> Result<[u8; COUNT], Impossible> {
        let (bytes, rest) = self.0.split_first_chunk().ok_or(Impossible)?;
        self.0 = rest;
        Ok(*bytes)
    }

    fn number<const COUNT: usize, T>(
        &mut self,
        convert: fn([u8; COUNT]) -> T,
    ) -> Result<T, Impossible> {
        self.take().map(convert)
    }

    fn zeros<const COUNT: usize>(&mut self) -> Result<(), Impossible> {
        check(self.take::<COUNT>()? == [0; COUNT])
    }
}

struct SectionHead {
    rule: Rule,
    size: Size,
    count: u32,
}

impl SectionHead {
    fn take(rest: &mut Rest<'_>) -> Result<Self, Impossible> {
        let rule = Rule::from_code(rest.number(u32::from_le_bytes)?).ok_or(Impossible)?;
        let [width, height] = rest.take()?;
        let size = Size::new(width, height).ok_or(Impossible)?;
        rest.zeros::<2>()?;
        let count = rest.number(u32::from_le_bytes)?;
        check(count > 0)?;
        Ok(Self { rule, size, count })
    }

    fn section(self, rest: &mut Rest<'_>) -> Result<Section, Impossible> {
        let Self { rule, size, count } = self;
        // The length of the file was compared with the count before.
        let mut records = Vec::with_capacity(count as usize);
        for _ in 0..count {
            records.push(take_record(rest, size)?);
        }
        check(records.is_sorted_by(|one: &Record, next| one.place() < next.place()))?;
        Ok(Section {
            rule,
            size,
            records,
        })
    }
}

fn take_record(rest: &mut Rest<'_>, size: Size) -> Result<Record, Impossible> {
    let key = Key(rest.number(u64::from_le_bytes)?);
    let nodes = rest.number(u64::from_le_bytes)?;
    let thread_ms = rest.number(u32::from_le_bytes)?;
    let value = rest.take()?;
    let depth = rest.number(u16::from_le_bytes)?;
    let stones = rest.number(u16::from_le_bytes)?;
    let [kind, form] = rest.take()?;
    let kind = match kind {
        ANSWER => Kind::Answer,
        REPLIES => Kind::Replies,
        _ => return Err(Impossible),
    };
    let worth = match form {
        PLAIN => Worth::Plain(i16::from_le_bytes(value)),
        WON => Worth::Win(u16::from_le_bytes(value)),
        LOST => Worth::Loss(u16::from_le_bytes(value)),
        _ => return Err(Impossible),
    };
    let moves = take_moves(rest, size)?;
    rest.zeros::<2>()?;
    check(usize::from(stones) + moves.len().min(1) <= size.area() && !moves.is_empty())?;
    let work = Work {
        depth,
        nodes,
        thread_ms,
    };
    let entry = Entry::new(kind, worth, work, &moves);
    Ok(Record { key, stones, entry })
}

fn take_moves(rest: &mut Rest<'_>, size: Size) -> Result<Vec<Point>, Impossible> {
    let mut moves = Vec::with_capacity(MOST_MOVES);
    let mut has_ended = false;
    for _ in 0..MOST_MOVES {
        let [x, y] = rest.take()?;
        if [x, y] == [NO_MOVE; 2] {
            has_ended = true;
            continue;
        }
        let point = size.point(x, y).ok_or(Impossible)?;
        check(!has_ended && !moves.contains(&point))?;
        moves.push(point);
    }
    Ok(moves)
}

#[cfg(test)]
#[path = "format_tests.rs"]
mod tests;
