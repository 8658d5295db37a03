//! Layer 6: speaks the Gomocup (Piskvork) protocol and the part of Yixin's
//! extension that managers use.
//!
//! Three threads: one reads lines and stamps them, one owns the
//! [`Engine`](crate::engine::Engine) and thinks, and the caller's owns all
//! state and is the only one that writes. Both others talk to it through one
//! channel, so what the search tells always comes before its move. Nothing is
//! written that nobody asked for, and no input ends the process but `END` and
//! the end of input. May import the engine, book, rules, board and search
//! types.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

mod block;
mod command;
mod complaints;
mod event;
mod input;
mod message;
mod preferences;
mod progress;
mod session;
mod setting;
mod thinker;

use crate::book::Source;
use crate::eval::Evaluation;
use session::Session;
use std::io;
use std::sync::mpsc;

/// How many events may wait: enough for any real manager, and a bound on the
/// memory that a flood of input can take.
const EVENT_QUEUE_LEN: usize = 1024;

/// What the command line says; a manager's own wishes are heard on top of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Number of search threads until the manager names one; `None` for one
    /// a processor.
    pub threads: Option<usize>,
    /// Memory for the whole process in bytes; the manager can only lower it.
    /// `None` for no bound of our own.
    pub memory_bytes: Option<u64>,
    /// Which evaluation plays.
    pub evaluation: Evaluation,
    /// Where chance begins; `None` for another place every time.
    pub seed: Option<u64>,
    /// The opening book to play with.
    pub book: Source,
}

/// Plays for a manager until `END` or the end of `input`.
///
/// Every answer is one write and one flush of `output`. A search that runs
/// when the input ends is told to stop and not waited for.
///
/// # Errors
///
/// If `output` cannot be written, or a thread cannot be started or has died.
///
/// # Examples
///
/// ```
/// use yonsan::protocol::{Settings, run};
///
/// let mut output = Vec::new();
/// run(&b"START 15\r\nEND\r\n"[..], &mut output, Settings::default()).unwrap();
/// assert_eq!(output, b"OK\n");
/// ```
pub fn run(
    input: impl io::Read + Send + 'static,
    output: impl io::Write,
    settings: Settings,
) -> io::Result<()> {
    let (sender, events) = mpsc::sync_channel(EVENT_QUEUE_LEN);
    input::start(input, sender.clone())?;
    let jobs = thinker::start(sender)?;
    Session::new(output, events, jobs, settings).run()
}
