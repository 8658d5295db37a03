//! Searching a tree of openings for a book: at our turns the best move, at the
//! opponent's the best few.
//!
//! The tree is searched ply by ply, once with us as Black and once as White,
//! so that a book that is broken off is good for its first plies. The opponent's
//! best moves are kept too: so a build that was broken off goes on where it
//! ended, and one with more plies or more positions a search adds to it.

use super::search::Searcher;
use super::{Failure, Kind, Line, game, note, parse_line, read_or_begin, save, show};
use crate::parse_seconds;
use clap::Args;
use std::collections::HashSet;
use std::fs;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use yonsan::board::{Colour, Point, Position};
use yonsan::book::{self, Book, Entry};
use yonsan::engine::Options;
use yonsan::rules::{Game, GameResult};
use yonsan::search::Limits;

/// How often the book is saved on the way.
const SAVE_EVERY: Duration = Duration::from_secs(30);
/// How often it is told how far things are.
const NOTE_EVERY: Duration = Duration::from_secs(10);

/// Which tree, how deep, and where the book goes.
#[derive(Args, Debug)]
pub(super) struct Arguments {
    #[command(flatten)]
    kind: Kind,
    /// Moves after an opening
    #[arg(long, default_value_t = 6, value_name = "N")]
    plies: u32,
    /// Positions searched for each entry
    #[arg(long, default_value = "100000", value_name = "N")]
    nodes: NonZeroU64,
    /// Answers of the opponent that are looked at
    #[arg(long, default_value_t = 3, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u8).range(1..=book::MOST_MOVES as i64))]
    replies: u8,
    /// Openings besides the empty board, one a line: h8i9j10
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// End after this time; what is missing can be added later
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time: Option<Duration>,
    /// Where the book goes; a book that is there is added to
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

/// Builds the book and tells what is in it.
pub(super) fn run(arguments: &Arguments, options: Options) -> Result<(), Failure> {
    let mut builder = Builder::new(arguments, options)?;
    let roots = roots(arguments)?;
    for ours in Colour::ALL {
        for game in &roots {
            builder.next.push(Node {
                game: game.clone(),
                ours,
            });
        }
    }
    let is_done = builder.build()?;
    builder.save()?;
    if !is_done {
        note(format_args!(
            "the time is over; the same command goes on from here"
        ));
    }
    show::print(&arguments.output, &builder.book)
}

/// The games to begin with: the empty board and those of the file.
fn roots(arguments: &Arguments) -> Result<Vec<Game>, Failure> {
    let mut roots = vec![game(arguments.kind, &[])?];
    if let Some(path) = &arguments.openings {
        roots.extend(read_openings(path, arguments.kind)?);
    }
    Ok(roots)
}

/// The games of a file of openings. Blank lines and what stands behind `#` are
/// passed over.
fn read_openings(path: &Path, kind: Kind) -> Result<Vec<Game>, Failure> {
    let text =
        fs::read_to_string(path).map_err(|error| Failure::Openings(path.to_owned(), error))?;
    let mut games = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let moves = line.split('#').next().unwrap_or_default().trim();
        if moves.is_empty() {
            continue;
        }
        let bad = |text: String| Failure::Opening(path.to_owned(), number, text);
        let Line(moves) = parse_line(moves).map_err(|error| bad(error.to_string()))?;
        games.push(game(kind, &moves).map_err(|failure| bad(failure.to_string()))?);
    }
    Ok(games)
}

/// A position in the tree.
struct Node {
    game: Game,
    /// The side the book is to play.
    ours: Colour,
}

struct Builder<'a> {
    arguments: &'a Arguments,
    searcher: Searcher,
    book: Book,
    /// The positions of the next ply.
    next: Vec<Node>,
    searched: usize,
    started: Instant,
    saved: Instant,
    noted: Instant,
}

impl<'a> Builder<'a> {
    fn new(arguments: &'a Arguments, options: Options) -> Result<Self, Failure> {
        let now = Instant::now();
        Ok(Self {
            arguments,
            searcher: Searcher::new(options),
            book: read_or_begin(&arguments.output)?,
            next: Vec::new(),
            searched: 0,
            started: now,
            saved: now,
            noted: now,
        })
    }

    /// Searches ply by ply; false if the time was over before the end.
    fn build(&mut self) -> Result<bool, Failure> {
        for ply in 0..self.arguments.plies {
            let nodes = self.distinct();
            let count = nodes.len();
            note(format_args!(
                "ply {}: {count} positions; {} searched so far, {} s",
                ply + 1,
                self.searched,
                self.started.elapsed().as_secs()
            ));
            let is_last = ply + 1 == self.arguments.plies;
            for (index, node) in nodes.into_iter().enumerate() {
                if self.is_time_over() {
                    return Ok(false);
                }
                self.expand(&node, is_last);
                self.look_at_the_clock(index + 1, count)?;
            }
        }
        Ok(true)
    }

    /// The positions of the next ply, each in one symmetric copy only.
    fn distinct(&mut self) -> Vec<Node> {
        let mut seen = HashSet::new();
        let nodes = std::mem::take(&mut self.next);
        nodes
            .into_iter()
            .filter(|Node { game, ours }| {
                let key = book::position_key(game.position(), game.rule());
                game.result() == GameResult::Ongoing && seen.insert((key, *ours))
            })
            .collect()
    }

    /// Searches a position unless that was done before, and puts what follows
    /// on the next ply. Where the game is decided, nothing needs to follow.
    fn expand(&mut self, node: &Node, is_last: bool) {
        let position = node.game.position();
        let is_ours = position.side_to_move() == node.ours;
        if !is_ours && is_last {
            return;
        }
        let entry = if is_ours {
            self.answer(position)
        } else {
            self.replies(position)
        };
        let Some(entry) = entry else { return };
        if entry.worth.is_proved() {
            return;
        }
        let count = if is_ours {
            1
        } else {
            usize::from(self.arguments.replies)
        };
        for point in entry.moves().take(count) {
            self.push_after(node, point);
        }
    }

    fn push_after(&mut self, node: &Node, point: Point) {
        let mut game = node.game.clone();
        if game.play(point) == Ok(GameResult::Ongoing) {
            self.next.push(Node {
                game,
                ours: node.ours,
            });
        }
    }

    /// Our best move.
    fn answer(&mut self, position: &Position) -> Option<Entry> {
        let Arguments { kind, nodes, .. } = self.arguments;
        let known = self.book.answer(position, kind.rule);
        let is_enough = |entry: &Entry| entry.worth.is_proved() || entry.work.nodes >= nodes.get();
        if let Some(entry) = known.filter(is_enough) {
            return Some(entry);
        }
        let limits = Limits::nodes(nodes.get());
        let entry = self.searcher.search(position, kind.rule, limits, &mut ())?;
        self.keep(position, entry)
    }

    /// The opponent's best moves; of those that lead to copies of one position,
    /// one.
    fn replies(&mut self, position: &Position) -> Option<Entry> {
        let Arguments {
            kind,
            nodes,
            replies,
            ..
        } = self.arguments;
        let twins = book::twins(position);
        let different = position.empty_count() as usize - twins.iter().count();
        let count = usize::from(*replies).min(different);
        let known = self.book.probe(position, kind.rule, book::Kind::Replies);
        let is_enough = |entry: &Entry| {
            entry.worth.is_proved()
                || (entry.work.nodes >= nodes.get() && entry.moves().count() >= count)
        };
        if let Some(entry) = known.filter(is_enough) {
            return Some(entry);
        }
        let nodes = nodes.get();
        let entry = self
            .searcher
            .replies(position, kind.rule, nodes, count, twins)?;
        self.keep(position, entry)
    }

    fn keep(&mut self, position: &Position, entry: Entry) -> Option<Entry> {
        self.searched += 1;
        let rule = self.arguments.kind.rule;
        self.book.put(position, rule, entry);
        self.book.probe(position, rule, entry.kind())
    }

    fn is_time_over(&self) -> bool {
        let time = self.arguments.time;
        time.is_some_and(|time| self.started.elapsed() >= time)
    }

    fn look_at_the_clock(&mut self, done: usize, count: usize) -> Result<(), Failure> {
        if self.noted.elapsed() >= NOTE_EVERY {
            self.noted = Instant::now();
            let (searched, seconds) = (self.searched, self.started.elapsed().as_secs());
            note(format_args!(
                "  {done} of {count}; {searched} searched so far, {seconds} s"
            ));
        }
        if self.saved.elapsed() >= SAVE_EVERY {
            self.save()?;
        }
        Ok(())
    }

    fn save(&mut self) -> Result<(), Failure> {
        save(&mut self.book, &self.arguments.output)?;
        self.saved = Instant::now();
        Ok(())
    }
}
