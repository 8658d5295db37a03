//! Searching one position for a book.

use super::show::line;
use super::{Failure, Place, note, read_or_begin, save};
use crate::parse_seconds;
use clap::Args;
use std::io::{self, Write as _};
use std::num::NonZeroU64;
use std::path::PathBuf;
use std::time::Duration;
use yonsan::board::{Bitboard, Position, format_moves};
use yonsan::book::{Entry, Kind};
use yonsan::engine::{Engine, Options, Request};
use yonsan::rules::{GameResult, Rule};
use yonsan::search::{Control, Info, Limits, Reporter};

/// Which position, how long, and where the result goes.
#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// The book; a new one if there is none
    file: PathBuf,
    #[command(flatten)]
    place: Place,
    /// Time of the search
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    #[arg(required_unless_present = "nodes")]
    time: Option<Duration>,
    /// Positions to search
    #[arg(long, value_name = "N")]
    nodes: Option<NonZeroU64>,
}

/// An engine and the number of its threads.
pub(super) struct Searcher {
    engine: Engine,
    threads: usize,
}

impl Searcher {
    pub(super) fn new(options: Options) -> Self {
        let threads = options.threads;
        let mut engine = Engine::new();
        engine.set_options(options);
        Self { engine, threads }
    }

    /// What a search finds; `None` if no point is free.
    pub(super) fn search(
        &mut self,
        position: &Position,
        rule: Rule,
        limits: Limits,
        reporter: &mut dyn Reporter,
    ) -> Option<Entry> {
        let request = Request {
            position: position.clone(),
            rule,
            limits,
            line_count: 1,
        };
        let outcome = self.engine.go(&request, &Control::new(), reporter)?;
        Some(outcome.entry(Kind::Answer, self.threads))
    }

    /// The best moves of a side, those left out that are excluded.
    pub(super) fn replies(
        &mut self,
        position: &Position,
        rule: Rule,
        nodes: u64,
        count: usize,
        excluded: Bitboard,
    ) -> Option<Entry> {
        let request = Request {
            position: position.clone(),
            rule,
            limits: Limits {
                excluded,
                ..Limits::nodes(nodes)
            },
            line_count: count,
        };
        let outcome = self.engine.go(&request, &Control::new(), &mut ())?;
        Some(outcome.entry(Kind::Replies, self.threads))
    }
}

/// Searches, and keeps what is found unless more is known already.
pub(super) fn run(arguments: &Arguments, options: Options) -> Result<(), Failure> {
    let Arguments {
        file,
        place,
        time,
        nodes,
    } = arguments;
    let game = super::game(place.kind, &place.moves.0)?;
    if game.result() != GameResult::Ongoing {
        return Err(Failure::Over);
    }
    // A file that is no book is better found now than after the search.
    read_or_begin(file)?;
    let limits = Limits {
        turn: *time,
        max_nodes: nodes.map(NonZeroU64::get),
        ..Limits::unlimited()
    };
    let rule = place.kind.rule;
    let entry = Searcher::new(options).search(game.position(), rule, limits, &mut Notes);
    let entry = entry.ok_or(Failure::Over)?;
    // What has come in meanwhile counts.
    let mut book = read_or_begin(file)?;
    let is_kept = book.put(game.position(), rule, entry);
    save(&mut book, file)?;
    let mut output = io::stdout().lock();
    writeln!(output, "{}", line(&entry))?;
    if !is_kept {
        writeln!(
            output,
            "not kept: the book has a longer search of this position"
        )?;
    }
    Ok(())
}

/// Tells every iteration on standard error.
struct Notes;

impl Reporter for Notes {
    fn report(&mut self, info: &Info) {
        note(format_args!(
            "depth {} score {} nodes {} time {} ms line {}",
            info.depth,
            info.score,
            info.nodes,
            info.elapsed.as_millis(),
            format_moves(&info.principal_variation)
        ));
    }
}
