//! What the reading and the thinking thread tell the session.

use crate::engine::Outcome;
use crate::engine::opening::Decision;
use crate::search::{Info, RootEvent};
use std::time::Instant;

/// A line of input that is not blank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The text without its end and without blanks around it.
    pub text: String,
    /// Whether the line was too long and its tail is missing.
    pub is_cut: bool,
    /// When its end was read: the clock of a move starts here.
    pub read_at: Instant,
}

/// Something that happened outside the session's thread.
#[derive(Clone, Debug)]
pub enum Event {
    /// A line was read.
    Line(Line),
    /// There will be no more lines.
    InputEnded,
    /// The search tells how it stands.
    Progress(Info),
    /// Something has happened to a move at the root of the search.
    RootMove(RootEvent),
    /// The search tells something in words.
    Remark(String),
    /// A job that is no search is done; what to tell of it.
    Done(String),
    /// The search is over; `None` if no point was free.
    Finished(Option<Outcome>),
    /// The decision in an opening has been made; `None` if there was none to make.
    Decided(Option<Decision>),
    /// The thinking thread is gone, which is a bug.
    ThinkerLost,
}
