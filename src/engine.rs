//! Layer 5: the engine as its users see it. Give it a position, a rule and
//! limits; it answers with a move. [`opening`] is for opening procedures.

pub mod opening;

mod book;
mod hash_file;
mod level;

pub use hash_file::HashFileError;
pub use level::{Level, LevelError};

use crate::board::{Point, Position};
use crate::book::{Book, Entry};
use crate::eval::{Evaluation, classical};
use crate::pattern::Board;
use crate::rules::Rule;
use crate::search::{Control, Found, Limits, Line, Reporter, Score, Searcher, Stones};
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::sync::Arc;
use std::time::Duration;

/// Settings that hold for more than one search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Number of search threads, at least 1.
    pub threads: usize,
    /// Memory the whole process may use, in bytes; `None` for the default.
    pub memory_bytes: Option<u64>,
    /// Size of the transposition table in bytes, if it is to be other than
    /// what the memory suggests.
    pub hash_bytes: Option<u64>,
    /// Which evaluation plays.
    pub evaluation: Evaluation,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            threads: std::thread::available_parallelism().map_or(1, Into::into),
            memory_bytes: None,
            hash_bytes: None,
            evaluation: Evaluation::default(),
        }
    }
}

/// What to search.
#[derive(Clone, Debug)]
pub struct Request {
    /// The position; its side to move is the one to find a move for.
    pub position: Position,
    /// The rule.
    pub rule: Rule,
    /// When to stop.
    pub limits: Limits,
    /// Number of best lines to find, at least 1.
    pub line_count: usize,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The move to play.
    pub best: Point,
    /// Its score for the side to move.
    pub score: Score,
    /// Depth of the last finished iteration; 0 if none was needed.
    pub depth: u32,
    /// Positions searched, by all threads.
    pub nodes: u64,
    /// Time taken.
    pub elapsed: Duration,
    /// Best line, beginning with `best`.
    pub principal_variation: Vec<Point>,
    /// The best lines, the one above first.
    pub lines: Vec<Line>,
    /// The entry of the opening book that this is, if nothing was searched.
    pub book: Option<Entry>,
}

impl Outcome {
    /// `None` if the line is empty.
    fn new(found: Found, limits: &Limits) -> Option<Self> {
        Some(Self {
            best: *found.line.first()?,
            score: found.score,
            depth: found.depth,
            nodes: found.nodes,
            elapsed: limits.started.elapsed(),
            principal_variation: found.line,
            lines: found.lines,
            book: None,
        })
    }
}

/// What a search for a defence found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefenceOutcome {
    /// The best move and what is known of it.
    pub outcome: Outcome,
    /// The moves that are not known to lose, the best first.
    pub holding: Vec<Point>,
    /// The moves that lose by force.
    pub lost: Vec<Point>,
}

/// Memory of the process that is no transposition table, in bytes: code,
/// shape tables of a rule, stacks and buffers.
const BASE_MEMORY: u64 = 24 << 20;
/// What each thread needs besides.
const MEMORY_PER_THREAD: u64 = 4 << 20;
/// Transposition table where nothing is said about memory.
const DEFAULT_HASH: u64 = 256 << 20;
/// Smallest transposition table.
const LEAST_HASH: u64 = 1 << 20;
/// Largest transposition table; on a 32-bit system, where it must fit into an
/// address space of two to four gigabytes in one piece, less.
const MOST_HASH: u64 = if usize::BITS < u64::BITS {
    1 << 30
} else {
    16 << 30
};

impl Options {
    /// Size of the transposition table that follows from these options, in
    /// bytes: all the memory there is, or 256 MiB where nothing is said about
    /// memory, unless the user wants less.
    #[must_use]
    pub fn table_bytes(&self) -> u64 {
        let threads = MEMORY_PER_THREAD * self.threads.max(1) as u64;
        let most = match self.memory_bytes {
            Some(bytes) => bytes.saturating_sub(BASE_MEMORY + threads),
            None => self.hash_bytes.unwrap_or(DEFAULT_HASH),
        };
        let wanted = self.hash_bytes.unwrap_or(most);
        wanted.min(most).clamp(LEAST_HASH, MOST_HASH)
    }
}

/// The engine: tables that live from search to search.
#[derive(Debug, Default)]
pub struct Engine {
    options: Options,
    searcher: Option<Searcher>,
    /// What the searcher was made for and last used on.
    made_for: Option<(u64, usize)>,
    last_rule: Option<Rule>,
    /// What [`Engine::play`] plays from.
    book: Option<Arc<Book>>,
    /// That of its newest search with these options.
    speed: Option<book::Speed>,
}

impl Engine {
    /// An engine with default options. Cheap: tables are made at the first search.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The options in force.
    #[must_use]
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// Changes the options; takes effect at the next search.
    pub fn set_options(&mut self, options: Options) {
        self.speed = None;
        self.options = options;
    }

    /// Does some of what the first search under a rule would have to do: makes
    /// the tables, then takes their memory from the system piece by piece. To
    /// be called while nothing else is to be done, until it says false: that all
    /// is done.
    pub fn get_ready(&mut self, rule: Rule) -> bool {
        let _ = classical::point_table(rule);
        let wanted = self.wanted();
        if self.made_for != Some(wanted) {
            self.make_searcher(wanted);
            return true;
        }
        self.searcher.as_mut().is_some_and(Searcher::claim_memory)
    }

    /// Forgets everything about earlier games.
    pub fn new_game(&mut self) {
        if let Some(searcher) = &mut self.searcher {
            searcher.clear();
        }
    }

    /// Finds a move; `None` if no point is free. Returns when a limit is
    /// reached, the game is decided or `control` says stop.
    pub fn go(
        &mut self,
        request: &Request,
        control: &Control,
        reporter: &mut dyn Reporter,
    ) -> Option<Outcome> {
        let board = board(request);
        let limits = &request.limits;
        let searcher = self.prepare(request.rule);
        let found = searcher.search(board, limits, request.line_count, control, reporter)?;
        Outcome::new(found, limits)
    }

    /// Finds one or two stones after which the score for the side to move is
    /// as near to `target` as can be; they begin the best line. `None` if too
    /// few points are free. The target is a plain score.
    pub fn balance(
        &mut self,
        request: &Request,
        stones: Stones,
        target: i32,
        control: &Control,
        reporter: &mut dyn Reporter,
    ) -> Option<Outcome> {
        let board = board(request);
        let limits = &request.limits;
        let searcher = self.prepare(request.rule);
        let found = searcher.balance(board, limits, stones, target, control, reporter)?;
        Outcome::new(found, limits)
    }

    /// Finds out which moves lose by force, and the best of the others;
    /// `None` if no point is free.
    pub fn defend(
        &mut self,
        request: &Request,
        control: &Control,
        reporter: &mut dyn Reporter,
    ) -> Option<DefenceOutcome> {
        let board = board(request);
        let limits = &request.limits;
        let searcher = self.prepare(request.rule);
        let defence = searcher.defend(board, limits, control, reporter)?;
        Some(DefenceOutcome {
            outcome: Outcome::new(defence.found, limits)?,
            holding: defence.holding,
            lost: defence.lost,
        })
    }

    /// Searches a position until a limit is reached or `control` says stop, and
    /// says nothing: what is found helps the next search of the game.
    pub fn ponder(&mut self, request: &Request, control: &Control) {
        let board = board(request);
        self.prepare(request.rule)
            .ponder(board, &request.limits, control);
    }

    /// What the options leave for the table beside the book.
    fn table_bytes(&self) -> u64 {
        let book = self.book.as_ref().map_or(0, |book| book.memory_bytes());
        let bytes = self.options.table_bytes();
        bytes.saturating_sub(book).max(LEAST_HASH)
    }

    /// What a searcher for the present options is made for.
    fn wanted(&self) -> (u64, usize) {
        (self.table_bytes(), self.options.threads.max(1))
    }

    fn make_searcher(&mut self, (table_bytes, threads): (u64, usize)) {
        // Free the old table before the new one is made.
        self.searcher = None;
        self.searcher = Some(Searcher::new(table_bytes, threads));
        self.made_for = Some((table_bytes, threads));
    }

    /// The searcher for the present options. What is known under one rule is
    /// wrong under another, so a change of rule clears it.
    fn prepare(&mut self, rule: Rule) -> &mut Searcher {
        let wanted = self.wanted();
        if self.made_for != Some(wanted) {
            self.make_searcher(wanted);
        } else if self.last_rule.is_some_and(|last| last != rule) {
            self.new_game();
        }
        self.last_rule = Some(rule);
        let evaluation = self.options.evaluation;
        let searcher = self
            .searcher
            .get_or_insert_with(|| Searcher::new(wanted.0, wanted.1));
        searcher.set_evaluation(evaluation);
        searcher
    }
}

/// A seed for those who want chance to begin elsewhere: another number at
/// every call.
#[must_use]
pub fn random_seed() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// The position of a request with its shapes.
fn board(request: &Request) -> Board {
    let table = classical::point_table(request.rule);
    Board::new(request.position.clone(), table)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With or without getting ready, the engine finds the same.
    #[test]
    fn getting_ready_comes_to_an_end_and_changes_nothing() {
        let request = Request {
            position: Position::from_moves(
                crate::board::Size::square(15).unwrap(),
                &crate::board::parse_moves("h8 i9 g9").unwrap(),
            )
            .unwrap(),
            rule: Rule::Freestyle,
            limits: Limits::depth(6),
            line_count: 1,
        };
        let outcome = |engine: &mut Engine| {
            let outcome = engine.go(&request, &Control::new(), &mut ()).unwrap();
            (outcome.best, outcome.score, outcome.nodes)
        };
        let mut engine = Engine::new();
        for mib in [3, 9] {
            engine.set_options(Options {
                threads: 1,
                hash_bytes: Some(mib << 20),
                ..Options::default()
            });
            let steps = (0..99).take_while(|_| engine.get_ready(request.rule));
            assert!((2..9).contains(&steps.count()), "{mib} MiB");
            let mut other = Engine::new();
            other.set_options(engine.options().clone());
            assert_eq!(outcome(&mut engine), outcome(&mut other));
            assert!(!engine.get_ready(request.rule));
        }
    }

    #[test]
    fn the_table_fits_into_the_memory() {
        let table = |memory_bytes, hash_bytes| {
            let options = Options {
                threads: 2,
                memory_bytes,
                hash_bytes,
                evaluation: Evaluation::default(),
            };
            options.table_bytes()
        };
        const MIB: u64 = 1 << 20;
        assert_eq!(table(None, None), DEFAULT_HASH);
        assert_eq!(table(None, Some(512 * MIB)), 512 * MIB);
        assert_eq!(table(Some(350 * MIB), None), (350 - 24 - 8) * MIB);
        assert_eq!(table(Some(350 * MIB), Some(64 * MIB)), 64 * MIB);
        assert_eq!(
            table(Some(350 * MIB), Some(900 * MIB)),
            (350 - 24 - 8) * MIB
        );
        assert_eq!(table(Some(1), None), LEAST_HASH);
        assert_eq!(table(Some(u64::MAX), None), MOST_HASH);
    }
}
