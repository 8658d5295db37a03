//! The search as its users see it: what is kept between searches, and the
//! things that can be asked of a position.

use super::balance::{self, Stones};
use super::candidates::Neighbourhoods;
use super::defend::{self, Defence};
use super::iterate::Iterations;
use super::limits::{Control, Limits};
use super::parallel::Pool;
use super::params::MAX_DEPTH;
use super::report::{Info, Line, Reporter};
use super::root::{RootMove, answer_at_once, balance_moves, root_moves};
use super::score::Score;
use super::shared::{Memory, Shared};
use super::table_file::{self, Origin, TableFileError};
use super::time::Clock;
use super::tt::TranspositionTable;
use super::worker::Worker;
use crate::board::Point;
use crate::eval::Evaluation;
use crate::pattern::Board;
use crate::rules::Rule;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// What a search found.
#[derive(Clone, Debug)]
pub struct Found {
    /// Best line; its first move is the one to play.
    pub line: Vec<Point>,
    /// Its score.
    pub score: Score,
    /// Depth of the last finished iteration.
    pub depth: u32,
    /// Positions searched.
    pub nodes: u64,
    /// The best lines, the one above first, as many as were asked for and
    /// could be searched.
    pub lines: Vec<Line>,
}

impl Found {
    /// What is found without an iteration, after so many positions.
    pub(super) fn new(line: Vec<Point>, score: Score, nodes: u64) -> Self {
        let lines = vec![Line {
            score,
            moves: line.clone(),
        }];
        Self {
            line,
            score,
            depth: 0,
            nodes,
            lines,
        }
    }

    /// Takes the lines of the last finished iteration. The best line comes
    /// first, even if a later iteration, unfinished, has found it.
    pub(super) fn set_lines(&mut self, lines: Vec<Line>, count: usize) {
        let best = Line {
            score: self.score,
            moves: self.line.clone(),
        };
        let others = lines
            .into_iter()
            .filter(|line| line.moves.first() != self.line.first());
        self.lines = std::iter::once(best).chain(others).take(count).collect();
    }
}

/// The search with all it keeps from one call to the next.
#[derive(Debug)]
pub struct Searcher {
    table: TranspositionTable,
    memories: Vec<Memory>,
    neighbourhoods: Option<Neighbourhoods>,
    evaluation: Evaluation,
    pool: Pool,
}

/// The bounds of a search and the way to end it.
struct Bounds<'a> {
    limits: &'a Limits,
    control: &'a Control,
    clock: Clock,
}

impl<'a> Bounds<'a> {
    fn new(limits: &'a Limits, control: &'a Control) -> Self {
        let clock = Clock::new(limits.clone());
        Self {
            limits,
            control,
            clock,
        }
    }

    fn max_depth(&self) -> i32 {
        self.limits.max_depth.map_or(MAX_DEPTH, |depth| {
            i32::try_from(depth)
                .unwrap_or(MAX_DEPTH)
                .clamp(1, MAX_DEPTH)
        })
    }
}

impl Searcher {
    /// A search with a table of so many bytes and so many threads, at least 1.
    #[must_use]
    pub fn new(table_bytes: u64, threads: usize) -> Self {
        let threads = threads.max(1);
        Self {
            table: TranspositionTable::new(table_bytes),
            memories: vec![Memory::new(); threads],
            neighbourhoods: None,
            evaluation: Evaluation::default(),
            pool: Pool::new(threads),
        }
    }

    /// Says which evaluation plays; values of another one are forgotten.
    pub fn set_evaluation(&mut self, evaluation: Evaluation) {
        if self.evaluation != evaluation {
            self.evaluation = evaluation;
            self.clear();
        }
    }

    /// Forgets all earlier searches.
    pub fn clear(&mut self) {
        self.table.clear();
        for memory in &mut self.memories {
            memory.clear();
        }
    }

    /// Takes another piece of the table's memory from the system; false if
    /// there is none left to take.
    pub fn claim_memory(&mut self) -> bool {
        self.table.claim_page()
    }

    /// How full the table is, in thousandths.
    #[must_use]
    pub fn table_permille(&self) -> u32 {
        self.table.usage_permille()
    }

    /// Writes what is known of positions, all of them under this rule; the
    /// number of positions.
    ///
    /// # Errors
    ///
    /// If the output cannot be written.
    pub fn write_table(&self, rule: Rule, output: impl io::Write) -> io::Result<u64> {
        table_file::write(&self.table, self.origin(rule), output)
    }

    /// Adds what a file knows of positions under this rule; the number of
    /// positions in it.
    ///
    /// # Errors
    ///
    /// If the file is not whole and of this engine and rule; nothing of it is
    /// used then.
    pub fn read_table(
        &mut self,
        rule: Rule,
        input: impl io::Read + io::Seek,
    ) -> Result<u64, TableFileError> {
        table_file::read(&self.table, self.origin(rule), input)
    }

    fn origin(&self, rule: Rule) -> Origin {
        Origin {
            rule,
            evaluation: self.evaluation,
        }
    }

    /// Finds the best move; `None` if no point is free. `line_count` best
    /// lines are reported, at least one.
    pub fn search(
        &mut self,
        mut board: Board,
        limits: &Limits,
        line_count: usize,
        control: &Control,
        reporter: &mut dyn Reporter,
    ) -> Option<Found> {
        let bounds = Bounds::new(limits, control);
        self.begin(&board)?;
        if line_count <= 1
            && let Some(found) = answer_at_once(&mut board, limits, &mut self.memories[0])
        {
            let selective_depth = found.line.len() as u32;
            reporter.report(&info(&found, 1, selective_depth, &bounds.clock));
            return Some(found);
        }
        let neighbourhoods = self.neighbourhoods.as_ref()?;
        let moves = root_moves(&mut board, neighbourhoods, &limits.excluded);
        let (found, nodes) = self.run(&board, bounds, Some(&moves), |shared, memory, depth| {
            let worker = Worker::new(board.clone(), shared, memory);
            Iterations::new(worker, shared, moves.clone(), line_count).lead(depth, reporter)
        })?;
        Some(Found { nodes, ..found })
    }

    /// Searches for what it leaves in the table. Ends as soon as it is told to:
    /// nothing is tried that cannot be interrupted.
    pub fn ponder(&mut self, mut board: Board, limits: &Limits, control: &Control) {
        if self.begin(&board).is_none() {
            return;
        }
        let Some(neighbourhoods) = &self.neighbourhoods else {
            return;
        };
        let moves = root_moves(&mut board, neighbourhoods, &limits.excluded);
        let bounds = Bounds::new(limits, control);
        self.run(&board, bounds, Some(&moves), |shared, memory, depth| {
            let worker = Worker::new(board.clone(), shared, memory);
            Iterations::new(worker, shared, moves.clone(), 1).lead(depth, &mut ())
        });
    }

    /// Finds the stones after which the score for the side to move, `target`
    /// being a plain one, is as near to `target` as can be; `None` if too few
    /// points are free. Uses one thread.
    pub fn balance(
        &mut self,
        mut board: Board,
        limits: &Limits,
        stones: Stones,
        target: i32,
        control: &Control,
        reporter: &mut dyn Reporter,
    ) -> Option<Found> {
        self.begin(&board)?;
        let neighbourhoods = self.neighbourhoods.as_ref()?;
        let moves = balance_moves(&mut board, neighbourhoods, &limits.excluded);
        let bounds = Bounds::new(limits, control);
        let target = Score::plain(target).raw();
        let (found, nodes) =
            self.run(&board, bounds, None, |shared, memory, depth| match stones {
                Stones::One => {
                    let worker = Worker::new(board.clone(), shared, memory);
                    let mut iterations = Iterations::new(worker, shared, moves.clone(), 1);
                    Some(balance::one(&mut iterations, target, depth, reporter))
                }
                Stones::Two => {
                    let mut pairs =
                        balance::Pairs::new(&board, shared, memory, &moves, &limits.excluded)?;
                    Some(pairs.balance(target, depth, reporter))
                }
            })?;
        found.map(|found| Found { nodes, ..found })
    }

    /// Finds out which moves lose by force, and the best of the others; `None`
    /// if no point is free.
    pub fn defend(
        &mut self,
        mut board: Board,
        limits: &Limits,
        control: &Control,
        reporter: &mut dyn Reporter,
    ) -> Option<Defence> {
        self.begin(&board)?;
        let neighbourhoods = self.neighbourhoods.as_ref()?;
        let moves = root_moves(&mut board, neighbourhoods, &limits.excluded);
        let bounds = Bounds::new(limits, control);
        self.run(&board, bounds, Some(&moves), |shared, memory, depth| {
            let worker = Worker::new(board.clone(), shared, memory);
            let iterations = Iterations::new(worker, shared, moves.clone(), 1);
            defend::defend(iterations, depth, reporter)
        })
        .map(|(mut defence, nodes)| {
            defence.found.nodes = nodes;
            defence
        })
    }

    /// Prepares for a search; `None` if no point is free.
    fn begin(&mut self, board: &Board) -> Option<()> {
        if board.position().is_full() {
            return None;
        }
        if self.neighbourhoods.as_ref().map(Neighbourhoods::size) != Some(board.size()) {
            self.neighbourhoods = Some(Neighbourhoods::new(board.size()));
        }
        self.table.new_search();
        for memory in &mut self.memories {
            memory.history.fade();
        }
        Some(())
    }

    /// Lets `lead` search with the first thread's memory, up to a depth, while
    /// the other threads search the root moves, if there are any for them.
    /// Also says how many positions all of them have searched.
    fn run<R>(
        &mut self,
        board: &Board,
        bounds: Bounds<'_>,
        helped: Option<&[RootMove]>,
        lead: impl FnOnce(&Shared<'_>, &mut Memory, i32) -> R,
    ) -> Option<(R, u64)> {
        let max_depth = bounds.max_depth();
        let shared = Shared {
            table: &self.table,
            neighbourhoods: self.neighbourhoods.as_ref()?,
            evaluation: self.evaluation,
            control: bounds.control,
            clock: bounds.clock,
            max_nodes: bounds.limits.max_nodes.unwrap_or(u64::MAX),
            stop: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
        };
        let (first, others) = self.memories.split_first_mut()?;
        let (moves, others) = match helped {
            Some(moves) => (moves, others),
            None => (&[][..], &mut [][..]),
        };
        let result = self.pool.run(
            others,
            |number, memory| {
                let worker = Worker::new(board.clone(), &shared, memory);
                Iterations::new(worker, &shared, moves.to_vec(), 1).help(number, max_depth);
            },
            || {
                let result = lead(&shared, first, max_depth);
                shared.stop.store(true, Relaxed);
                result
            },
        );
        Some((result, shared.nodes.load(Relaxed)))
    }
}

/// The report on a line.
pub(super) fn info(found: &Found, line_number: usize, selective_depth: u32, clock: &Clock) -> Info {
    Info {
        line_number,
        depth: found.depth,
        selective_depth,
        score: found.score,
        nodes: found.nodes,
        elapsed: clock.elapsed(),
        principal_variation: found.line.clone(),
    }
}
