//! The file that keeps a transposition table.
//!
//! A sequence of little-endian words of 64 bits: the eight bytes `YONSANTT`;
//! the version (low half) and the rule's protocol number (high half); a
//! fingerprint of the engine, since the values of one mean nothing to another;
//! the number of entries; for each entry the hash of its position and the word
//! the table holds for it; at last a checksum over all the words before.
//!
//! Whoever reads checks the whole file before anything of it is used.

use super::score::INFINITE;
use super::tt::TranspositionTable;
use crate::board::{Position, Size, mix, parse_moves};
use crate::eval::{Evaluation, Evaluator, classical};
use crate::pattern::Board;
use crate::rules::Rule;
use std::fmt;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};

const MAGIC: u64 = u64::from_le_bytes(*b"YONSANTT");
const VERSION: u32 = 1;
const RULE_SHIFT: u32 = 32;
const WORD: usize = size_of::<u64>();
/// Bytes read and written at a time.
const BUFFER_BYTES: usize = 1 << 16;
/// A position that tells one evaluation, or one set of hash keys, from others.
const SAMPLE_MOVES: &str = "h8i9g9j7h10";

/// What the values in a table depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Origin {
    pub rule: Rule,
    pub evaluation: Evaluation,
}

/// Why a file is not used.
#[derive(Debug)]
pub enum TableFileError {
    /// It cannot be read or written.
    Io(io::Error),
    /// It does not begin as such a file does.
    NotATable,
    /// It is of another version of the engine, or of another evaluation.
    OtherVersion,
    /// It was made under another rule; its number, if it names none we know.
    OtherRule(Result<Rule, u32>),
    /// It is cut, too long, or its checksum does not fit.
    Damaged,
}

impl fmt::Display for TableFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::NotATable => f.write_str("not a file of search results"),
            Self::OtherVersion => f.write_str("search results of another engine or evaluation"),
            Self::OtherRule(Ok(rule)) => write!(f, "search results under the rule {rule}"),
            Self::OtherRule(Err(code)) => write!(f, "search results under an unknown rule, {code}"),
            Self::Damaged => f.write_str("a damaged file of search results"),
        }
    }
}

impl std::error::Error for TableFileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for TableFileError {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::UnexpectedEof {
            Self::Damaged
        } else {
            Self::Io(error)
        }
    }
}

/// Writes what the table knows; the number of entries.
pub(super) fn write(
    table: &TranspositionTable,
    origin: Origin,
    output: impl Write,
) -> io::Result<u64> {
    let mut writer = Writer {
        output: BufWriter::with_capacity(BUFFER_BYTES, output),
        sum: 0,
    };
    let count = table.words().count() as u64;
    for word in header(origin) {
        writer.put(word)?;
    }
    writer.put(count)?;
    for (hash, data) in table.words() {
        writer.put(hash)?;
        writer.put(data)?;
    }
    writer.put(writer.sum)?;
    writer.output.flush()?;
    Ok(count)
}

/// Reads a file into the table; the number of entries.
///
/// # Errors
///
/// If the file is not whole and of this engine, rule and evaluation; the table
/// is untouched then.
pub(super) fn read(
    table: &TranspositionTable,
    origin: Origin,
    mut input: impl Read + Seek,
) -> Result<u64, TableFileError> {
    let start = input.stream_position()?;
    let head = whole_head(&mut input)?;
    if head.rule_code != origin.rule.code() {
        let rule = Rule::from_code(head.rule_code).ok_or(head.rule_code);
        return Err(TableFileError::OtherRule(rule));
    }
    if head.fingerprint != fingerprint(origin) {
        return Err(TableFileError::OtherVersion);
    }
    input.seek(io::SeekFrom::Start(start))?;
    let mut reader = Reader::new(&mut input);
    let count = reader.head()?.count;
    for _ in 0..count {
        let (hash, data) = (reader.word()?, reader.word()?);
        table.store_words(hash, data);
    }
    Ok(count)
}

/// Whether this is a whole file of this kind, of whatever rule and evaluation.
///
/// # Errors
///
/// If it is not.
pub fn check(input: impl Read) -> Result<(), TableFileError> {
    whole_head(input).map(|_| ())
}

/// What stands before the entries of a file that is whole.
fn whole_head(input: impl Read) -> Result<Head, TableFileError> {
    let mut reader = Reader::new(input);
    let head = reader.head()?;
    for _ in 0..head.count {
        reader.word()?;
        reader.word()?;
    }
    let sum = reader.sum;
    let is_whole = reader.word()? == sum && reader.is_at_end()?;
    is_whole.then_some(head).ok_or(TableFileError::Damaged)
}

fn header(origin: Origin) -> [u64; 3] {
    let kind = u64::from(VERSION) | u64::from(origin.rule.code()) << RULE_SHIFT;
    [MAGIC, kind, fingerprint(origin)]
}

/// What changes when hash keys or evaluation change, or the engine's version.
fn fingerprint(origin: Origin) -> u64 {
    let Origin { rule, evaluation } = origin;
    let version = env!("CARGO_PKG_VERSION").bytes();
    let sum = version.fold(0, |sum, byte| mix(sum ^ u64::from(byte)));
    let position = Size::square(15)
        .zip(parse_moves(SAMPLE_MOVES).ok())
        .and_then(|(size, moves)| Position::from_moves(size, &moves).ok());
    position.map_or(sum, |position| {
        let hash = position.hash();
        let board = Board::new(position, classical::point_table(rule));
        let mut evaluator = Evaluator::new(evaluation, rule, board.size());
        let value = evaluator.value(&board, -INFINITE, INFINITE, None);
        mix(mix(sum ^ hash) ^ value as u64)
    })
}

fn add_to(sum: u64, word: u64) -> u64 {
    mix(sum ^ word)
}

struct Writer<W: Write> {
    output: BufWriter<W>,
    sum: u64,
}

impl<W: Write> Writer<W> {
    fn put(&mut self, word: u64) -> io::Result<()> {
        self.sum = add_to(self.sum, word);
        self.output.write_all(&word.to_le_bytes())
    }
}

/// What stands before the entries.
struct Head {
    rule_code: u32,
    fingerprint: u64,
    count: u64,
}

struct Reader<R> {
    input: BufReader<R>,
    sum: u64,
}

impl<R: Read> Reader<R> {
    fn new(input: R) -> Self {
        Self {
            input: BufReader::with_capacity(BUFFER_BYTES, input),
            sum: 0,
        }
    }

    fn word(&mut self) -> io::Result<u64> {
        let mut bytes = [0; WORD];
        self.input.read_exact(&mut bytes)?;
        let word = u64::from_le_bytes(bytes);
        self.sum = add_to(self.sum, word);
        Ok(word)
    }

    fn head(&mut self) -> Result<Head, TableFileError> {
        let magic = self.word();
        match magic {
            Ok(MAGIC) => {}
            Ok(_) => return Err(TableFileError::NotATable),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                return Err(TableFileError::NotATable);
            }
            Err(error) => return Err(error.into()),
        }
        let kind = self.word()?;
        if kind as u32 != VERSION {
            return Err(TableFileError::OtherVersion);
        }
        let rule_code = (kind >> RULE_SHIFT) as u32;
        let fingerprint = self.word()?;
        let count = self.word()?;
        Ok(Head {
            rule_code,
            fingerprint,
            count,
        })
    }

    fn is_at_end(&mut self) -> io::Result<bool> {
        Ok(self.input.read(&mut [0])? == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::tt::{Bound, Entry};
    use std::io::Cursor;

    fn entry(value: i32) -> Entry {
        Entry {
            best: None,
            value,
            eval: -value,
            depth: 7,
            bound: Bound::Exact,
        }
    }

    fn origin(rule: Rule) -> Origin {
        Origin {
            rule,
            evaluation: Evaluation::Classical,
        }
    }

    fn file() -> Vec<u8> {
        let table = TranspositionTable::new(1 << 16);
        for number in 0..100 {
            table.store(mix(number), entry(number as i32));
        }
        let mut bytes = Vec::new();
        assert_eq!(write(&table, origin(Rule::Renju), &mut bytes).unwrap(), 100);
        bytes
    }

    #[test]
    fn tables_come_back_as_written() {
        let bytes = file();
        // Magic, kind, fingerprint, count, 100 pairs of words, checksum.
        assert_eq!(bytes.len(), (4 + 200 + 1) * 8);
        assert_eq!(&bytes[..12], b"YONSANTT\x01\0\0\0");
        // A table of another size takes the entries as well.
        let table = TranspositionTable::new(1 << 18);
        assert_eq!(
            read(&table, origin(Rule::Renju), Cursor::new(bytes)).unwrap(),
            100
        );
        for number in 0..100 {
            assert_eq!(table.probe(mix(number)), Some(entry(number as i32)));
        }
    }

    #[test]
    fn bad_files_leave_the_table_alone() {
        let good = file();
        let table = TranspositionTable::new(1 << 18);
        let refused = |bytes: &[u8], rule| {
            let error = read(&table, origin(rule), Cursor::new(bytes)).unwrap_err();
            assert_eq!(table.words().count(), 0, "{error}");
            error.to_string()
        };
        let damaged = TableFileError::Damaged.to_string();
        for index in [24, 32, 500, good.len() - 1] {
            let mut bytes = good.clone();
            bytes[index] ^= 1;
            assert_eq!(refused(&bytes, Rule::Renju), damaged, "{index}");
        }
        for length in [8, 40, good.len() - 8, good.len() - 1] {
            assert_eq!(refused(&good[..length], Rule::Renju), damaged, "{length}");
        }
        let longer = [&good[..], b"x"].concat();
        assert_eq!(refused(&longer, Rule::Renju), damaged);
        for text in [&b""[..], b"short", b"a text of some length"] {
            let expected = TableFileError::NotATable.to_string();
            assert_eq!(refused(text, Rule::Renju), expected);
        }
        let mut other_version = good.clone();
        other_version[8] ^= 2;
        let expected = TableFileError::OtherVersion.to_string();
        assert_eq!(refused(&other_version, Rule::Renju), expected);
        // A whole file of another engine: its checksum fits.
        let mut foreign = good.clone();
        foreign[16] ^= 2;
        let (words, _) = foreign.as_chunks::<8>();
        let words = &words[..words.len() - 1];
        let sum = words
            .iter()
            .fold(0, |sum, word| add_to(sum, u64::from_le_bytes(*word)));
        let end = foreign.len() - 8;
        foreign[end..].copy_from_slice(&sum.to_le_bytes());
        assert_eq!(refused(&foreign, Rule::Renju), expected);
        assert!(check(&foreign[..]).is_ok());
        assert!(refused(&good, Rule::Caro).ends_with("renju"));
    }
}
