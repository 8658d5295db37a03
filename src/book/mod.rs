//! Layer 2: the opening book, a file of positions and what long searches made
//! of them.
//!
//! A [`Book`] knows positions under a rule and on a size of board, each in one
//! of its symmetric copies only; [`Book::answer`] turns what it knows back to
//! the position asked for and checks it. [`read`] and [`save`] keep books in
//! files, [`Shelf`] finds the one to play with. The format of the file stands
//! at the head of `format.rs`. May import `board` and `rules` only.

mod entry;
mod file;
mod format;
mod key;
mod shelf;

pub use entry::{Entry, Kind, MOST_MOVES, Work, Worth};
pub use file::{read, save};
pub use format::{BookError, VERSION};
pub use key::{position_key, twins};
pub use shelf::{FILE_NAME, Shelf, Source};

use crate::board::{Colour, Point, Position, Size};
use crate::rules::{Rule, judge};
use key::{Canonical, Key};

/// Positions and what searches made of them.
///
/// # Examples
///
/// ```
/// use yonsan::board::{Position, Size, parse_moves};
/// use yonsan::book::{Book, Entry, Kind, Work, Worth};
/// use yonsan::rules::Rule;
///
/// let position = |text: &str| {
///     let size = Size::square(15).unwrap();
///     Position::from_moves(size, &parse_moves(text).unwrap()).unwrap()
/// };
/// let mut book = Book::default();
/// let work = Work { depth: 12, nodes: 100_000, thread_ms: 800 };
/// let line = parse_moves("j9").unwrap();
/// let entry = Entry::new(Kind::Answer, Worth::Plain(-12), work, &line);
/// book.put(&position("h8h9j8"), Rule::Freestyle, entry);
/// // The same position in a mirror.
/// let turned = book.answer(&position("h8h9f8"), Rule::Freestyle).unwrap();
/// assert_eq!(turned.best().unwrap().to_string(), "f9");
/// assert!(book.answer(&position("h8h9f8"), Rule::Renju).is_none());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Book {
    /// In the order of rule and size, each with something in it.
    sections: Vec<Section>,
}

/// What is known under one rule on one size of board.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Section {
    rule: Rule,
    size: Size,
    /// In the order of [`Record::place`], no two alike.
    records: Vec<Record>,
}

/// What is known of one position, its moves turned as its key says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Record {
    key: Key,
    /// Number of stones on the board.
    stones: u16,
    entry: Entry,
}

impl Record {
    const fn place(&self) -> (Key, Kind) {
        (self.key, self.entry.kind())
    }
}

impl Section {
    /// The order of sections in a book.
    const fn place(&self) -> (u32, u8, u8) {
        place(self.rule, self.size)
    }

    fn find(&self, place: (Key, Kind)) -> Result<usize, usize> {
        self.records.binary_search_by_key(&place, Record::place)
    }

    /// Keeps the deeper one of this record and the one of the same position;
    /// whether it was this.
    fn put(&mut self, record: Record) -> bool {
        match self.find(record.place()) {
            Ok(index) => {
                let old = &mut self.records[index];
                let is_better = record.entry.is_deeper_than(&old.entry);
                if is_better {
                    *old = record;
                }
                is_better
            }
            Err(index) => {
                self.records.insert(index, record);
                true
            }
        }
    }
}

const fn place(rule: Rule, size: Size) -> (u32, u8, u8) {
    (rule.code(), size.width(), size.height())
}

/// What a book has under one rule on one size of board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The rule.
    pub rule: Rule,
    /// The size of the board.
    pub size: Size,
    /// Number of positions with an answer.
    pub answers: usize,
    /// Number of positions with an opponent's best replies.
    pub replies: usize,
    /// Stones in the position with most of them.
    pub most_stones: u16,
    /// Depth of the deepest search, in plies.
    pub deepest: u16,
    /// Positions the longest search looked at.
    pub most_nodes: u64,
}

impl Book {
    /// The move to play in a position, and what is known of it; `None` if
    /// nothing is, if there are blocked points, or if the move cannot be
    /// played, which means that another position has the same key.
    #[must_use]
    pub fn answer(&self, position: &Position, rule: Rule) -> Option<Entry> {
        self.probe(position, rule, Kind::Answer)
    }

    /// What is known of a position in this way; `None` as for
    /// [`Book::answer`].
    #[must_use]
    pub fn probe(&self, position: &Position, rule: Rule, kind: Kind) -> Option<Entry> {
        let section = self.section(rule, position.size())?;
        let canonical = Canonical::of(position, rule)?;
        let index = section.find((canonical.key, kind)).ok()?;
        let record = section.records[index];
        if usize::from(record.stones) != position.stones().len() {
            return None;
        }
        let back = canonical.symmetry.inverse();
        let entry = record
            .entry
            .with_moves(|point| back.apply(point, position.size()));
        is_playable(&entry, position, rule).then_some(entry)
    }

    /// Keeps what is known of a position unless something deeper is known;
    /// whether it is kept. Nothing is kept of positions with blocked points,
    /// and no moves that cannot be played.
    pub fn put(&mut self, position: &Position, rule: Rule, entry: Entry) -> bool {
        if !is_playable(&entry, position, rule) {
            return false;
        }
        let Some(canonical) = Canonical::of(position, rule) else {
            return false;
        };
        let Ok(stones) = u16::try_from(position.stones().len()) else {
            return false;
        };
        let size = position.size();
        let record = Record {
            key: canonical.key,
            stones,
            entry: entry.with_moves(|point| canonical.symmetry.apply(point, size)),
        };
        self.section_mut(rule, size).put(record)
    }

    /// Adds what another book knows; of a position in both the deeper entry
    /// stays. The number of entries that are new or deeper.
    pub fn merge(&mut self, other: &Self) -> usize {
        let mut count = 0;
        for section in &other.sections {
            let own = self.section_mut(section.rule, section.size);
            let news = section.records.iter().filter(|&&record| own.put(record));
            count += news.count();
        }
        count
    }

    /// Whether nothing is known.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.sections.is_empty()
    }

    /// What there is, one item for every rule and size.
    pub fn summaries(&self) -> impl Iterator<Item = Summary> {
        self.sections.iter().map(|section| {
            let entries = || section.records.iter().map(|record| record.entry);
            let of_kind = |kind| entries().filter(|entry| entry.kind() == kind).count();
            let stones = section.records.iter().map(|record| record.stones);
            Summary {
                rule: section.rule,
                size: section.size,
                answers: of_kind(Kind::Answer),
                replies: of_kind(Kind::Replies),
                most_stones: stones.max().unwrap_or(0),
                deepest: entries().map(|entry| entry.work.depth).max().unwrap_or(0),
                most_nodes: entries().map(|entry| entry.work.nodes).max().unwrap_or(0),
            }
        })
    }

    /// About how much memory the book takes, in bytes.
    #[must_use]
    pub fn memory_bytes(&self) -> u64 {
        let counts = self.sections.iter().map(|section| section.records.len());
        (counts.sum::<usize>() * size_of::<Record>()) as u64
    }

    fn find(&self, rule: Rule, size: Size) -> Result<usize, usize> {
        let wanted = place(rule, size);
        self.sections.binary_search_by_key(&wanted, Section::place)
    }

    fn section(&self, rule: Rule, size: Size) -> Option<&Section> {
        let index = self.find(rule, size).ok()?;
        self.sections.get(index)
    }

    fn section_mut(&mut self, rule: Rule, size: Size) -> &mut Section {
        let index = self.find(rule, size).unwrap_or_else(|index| {
            let section = Section {
                rule,
                size,
                records: Vec::new(),
            };
            self.sections.insert(index, section);
            index
        });
        &mut self.sections[index]
    }
}

/// Whether the moves of an entry can be played: one after the other, or for
/// replies each by itself. In renju a foul of the side to move cannot.
fn is_playable(entry: &Entry, position: &Position, rule: Rule) -> bool {
    let mut seen: Vec<Point> = Vec::with_capacity(MOST_MOVES);
    for point in entry.moves() {
        if !position.is_empty(point) || seen.contains(&point) {
            return false;
        }
        seen.push(point);
    }
    let own = match entry.kind() {
        Kind::Answer => seen.get(..1),
        Kind::Replies => Some(&seen[..]),
    };
    let is_black_in_renju = rule == Rule::Renju && position.side_to_move() == Colour::Black;
    let is_foul =
        |point: &Point| is_black_in_renju && judge::renju_foul(position, *point).is_some();
    own.is_some_and(|own| !own.is_empty() && !own.iter().any(is_foul))
}

#[cfg(test)]
mod tests;
