//! Protocol transcripts against any engine: does it do what managers expect,
//! and if not, what would they do to it?
//!
//! A transcript is a text of lines to send and answers to wait for; the
//! format is told in [`Transcript::parse`]. Engines are started as the
//! Piskvork GUI does it: in an empty directory, with the error output in the
//! same stream as the answers.

mod board;
mod run;
mod transcript;
mod words;

pub use run::{Check, Finding, run};
pub use transcript::{Transcript, TranscriptError};
pub use words::Trouble;

use include_dir::{Dir, include_dir};

/// The transcripts of this project.
static EMBEDDED: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../tests/data/protocol");

/// Name and text of every transcript that is built in, in order.
pub fn embedded() -> impl Iterator<Item = (&'static str, &'static str)> {
    let mut files: Vec<(&str, &str)> = EMBEDDED
        .files()
        .filter_map(|file| {
            let name = file.path().file_name()?.to_str()?;
            Some((name.strip_suffix(".txt")?, file.contents_utf8()?))
        })
        .collect();
    files.sort_unstable();
    files.into_iter()
}

#[cfg(test)]
mod tests;
