//! Telling what is in a book.

use super::{Failure, Place, read};
use std::io::{self, Write as _};
use std::path::Path;
use yonsan::book::{Book, Entry, Kind, Summary, VERSION};
use yonsan::search::Score;

/// Tells what is in a file; that it can be read says that its checksum fits.
pub(super) fn show(path: &Path) -> Result<(), Failure> {
    let book = read(path)?;
    print(path, &book)
}

/// Tells what a book knows.
pub(super) fn print(path: &Path, book: &Book) -> Result<(), Failure> {
    let mut output = io::stdout().lock();
    writeln!(
        output,
        "{}: opening book, version {VERSION}, checksum good",
        path.display()
    )?;
    if book.is_empty() {
        writeln!(output, "no positions")?;
    }
    for summary in book.summaries() {
        let Summary {
            rule,
            size,
            answers,
            replies,
            most_stones,
            deepest,
            most_nodes,
        } = summary;
        writeln!(
            output,
            "{rule} {size}: {answers} answers, {replies} times replies; up to {most_stones} \
             stones, depth {deepest}, {most_nodes} positions searched"
        )?;
    }
    Ok(())
}

/// Tells what a book knows of one position.
pub(super) fn probe(path: &Path, place: &Place) -> Result<(), Failure> {
    let book = read(path)?;
    let position = place.position()?;
    let mut output = io::stdout().lock();
    let mut is_known = false;
    for kind in [Kind::Answer, Kind::Replies] {
        if let Some(entry) = book.probe(&position, place.kind.rule, kind) {
            writeln!(output, "{}", line(&entry))?;
            is_known = true;
        }
    }
    if !is_known {
        writeln!(output, "nothing known")?;
    }
    Ok(())
}

/// An entry in one line.
pub(super) fn line(entry: &Entry) -> String {
    let name = match entry.kind() {
        Kind::Answer => "answer",
        Kind::Replies => "replies",
    };
    let score = Score::from(entry.worth);
    let moves: Vec<String> = entry.moves().map(|point| point.to_string()).collect();
    let work = entry.work;
    format!(
        "{name} {} score {score} depth {} nodes {} time {} ms",
        moves.join(" "),
        work.depth,
        work.nodes,
        work.thread_ms
    )
}
