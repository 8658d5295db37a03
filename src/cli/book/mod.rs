//! `pbrain-yonsan book`: makes opening books and looks into them.
//!
//! A file that is no whole book of a known version is an error wherever it is
//! named, and stays as it is. Results go to standard output, progress and
//! errors to standard error.

mod build;
mod search;
mod show;

use clap::{Args, Subcommand};
use std::ffi::OsString;
use std::fmt;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use yonsan::board::{NotationError, Point, Position, Size, parse_moves};
use yonsan::book::{self, Book, BookError, Source};
use yonsan::engine;
use yonsan::rules::{Game, MoveError, Rule};
use yonsan::terminal::parse_size;

/// The word that stands for no book.
const OFF: &str = "off";

/// What `--book` means.
pub fn source(text: OsString) -> Source {
    if text == OFF {
        Source::Nowhere
    } else {
        Source::File(text.into())
    }
}

/// What to do with books.
#[derive(Args, Debug)]
pub struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand, Debug)]
enum Task {
    /// Search a tree of openings; adds to a book that is there already
    Build(build::Arguments),
    /// Search one position and keep what is found
    Add(search::Arguments),
    /// Tell what is in a book, and whether it is whole
    Show {
        /// The book
        file: PathBuf,
    },
    /// Tell what a book knows of a position
    Probe {
        /// The book
        file: PathBuf,
        #[command(flatten)]
        place: Place,
    },
    /// Put two books together; of a position in both the longer search stays
    Merge {
        /// The first book
        first: PathBuf,
        /// The second book
        second: PathBuf,
        /// Where the result goes; a book that is there is added to
        #[arg(short, long, value_name = "FILE")]
        output: PathBuf,
    },
}

/// A rule and a board.
#[derive(Args, Clone, Copy, Debug)]
struct Kind {
    /// Which rows win
    #[arg(long, default_value_t, value_name = "RULE")]
    rule: Rule,
    /// Sides 5 to 22; 20x10 is wider than high
    #[arg(long, default_value = "15", value_name = "SIZE", value_parser = parse_size)]
    size: Size,
}

/// A position.
#[derive(Args, Clone, Debug)]
struct Place {
    #[command(flatten)]
    kind: Kind,
    /// Moves that lead to it, such as h8i9; none if not given
    #[arg(
        long,
        default_value = "",
        value_name = "MOVES",
        hide_default_value = true
    )]
    #[arg(value_parser = parse_line)]
    moves: Line,
}

/// Moves: a type of its own, because clap takes a bare `Vec` for an argument
/// that is repeated.
#[derive(Clone, Debug)]
struct Line(Vec<Point>);

fn parse_line(text: &str) -> Result<Line, NotationError> {
    parse_moves(text).map(Line)
}

impl Place {
    fn position(&self) -> Result<Position, Failure> {
        Ok(game(self.kind, &self.moves.0)?.position().clone())
    }
}

/// The game after these moves.
fn game(kind: Kind, moves: &[Point]) -> Result<Game, Failure> {
    let mut game = Game::new(kind.rule, kind.size);
    for &point in moves {
        game.play(point).map_err(Failure::Move)?;
    }
    Ok(game)
}

/// Why a task is not done.
#[derive(Debug)]
enum Failure {
    /// A book cannot be used or written.
    Book(PathBuf, BookError),
    /// A file of openings cannot be read.
    Openings(PathBuf, io::Error),
    /// A line of a file of openings is no opening.
    Opening(PathBuf, usize, String),
    /// A move cannot be made.
    Move(MoveError),
    /// There is nothing to search.
    Over,
    /// Standard output is gone.
    Output(io::Error),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Book(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Openings(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Opening(path, line, text) => write!(f, "{}:{line}: {text}", path.display()),
            Self::Move(error) => error.fmt(f),
            Self::Over => f.write_str("the game is over there"),
            Self::Output(error) => error.fmt(f),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

/// Does what the arguments ask for.
pub fn run(arguments: &Arguments, options: engine::Options) -> ExitCode {
    let result = match &arguments.task {
        Task::Build(arguments) => build::run(arguments, options),
        Task::Add(arguments) => search::run(arguments, options),
        Task::Show { file } => show::show(file),
        Task::Probe { file, place } => show::probe(file, place),
        Task::Merge {
            first,
            second,
            output,
        } => merge(first, second, output),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            ExitCode::SUCCESS
        }
        Err(failure) => {
            note(format_args!("error: {failure}"));
            ExitCode::FAILURE
        }
    }
}

fn merge(first: &Path, second: &Path, output: &Path) -> Result<(), Failure> {
    let mut book = read(first)?;
    book.merge(&read(second)?);
    save(&mut book, output)?;
    show::print(output, &book)
}

fn read(path: &Path) -> Result<Book, Failure> {
    book::read(path).map_err(|error| Failure::Book(path.to_owned(), error))
}

/// The book in a file; an empty one if there is no such file.
fn read_or_begin(path: &Path) -> Result<Book, Failure> {
    match book::read(path) {
        Err(error) if error.is_absence() => Ok(Book::default()),
        result => result.map_err(|error| Failure::Book(path.to_owned(), error)),
    }
}

fn save(book: &mut Book, path: &Path) -> Result<(), Failure> {
    book::save(book, path).map_err(|error| Failure::Book(path.to_owned(), error))
}

/// Writes a line to standard error, if anybody listens.
fn note(text: fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr(), "{text}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_off_is_no_file() {
        assert_eq!(source("off".into()), Source::Nowhere);
        assert_eq!(source("./off".into()), Source::File("./off".into()));
        assert_eq!(source("a.book".into()), Source::File("a.book".into()));
    }
}
