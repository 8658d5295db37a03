//! How engines fail, and how that is put in words.

use super::Trouble;
use crate::record::Reason;

/// How an engine failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What it is counted as.
    pub reason: Reason,
    /// In plain words.
    pub detail: String,
    /// Whether the machine was too slow at that time.
    pub overloaded: bool,
}

impl Failure {
    /// On a machine that was quick enough.
    pub(super) fn new(reason: Reason, detail: String) -> Self {
        Self {
            reason,
            detail,
            overloaded: false,
        }
    }
}

/// Whether the engine says that it does not know a command.
pub(super) fn is_unknown(line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or("");
    word.eq_ignore_ascii_case("UNKNOWN")
}

/// A timeout after UNKNOWN is easier to understand with it.
pub(super) fn with_complaint(mut trouble: Trouble, complaint: Option<String>) -> Trouble {
    if let (Trouble::Failed(failure), Some(complaint)) = (&mut trouble, complaint)
        && failure.reason == Reason::Timeout
    {
        failure.detail += &format!("; said '{}'", shortened(&complaint));
    }
    trouble
}

/// It said what is no answer.
pub(super) fn garbage(detail: String) -> Trouble {
    Trouble::Failed(Failure::new(Reason::Garbage, detail))
}

/// It did not start.
pub(super) fn start_failure(detail: String) -> Trouble {
    Trouble::Failed(Failure::new(Reason::StartFailure, detail))
}

/// What a line of an engine looks like in a sentence.
pub(super) fn shortened(text: &str) -> String {
    const SHOWN: usize = 80;
    let mut short: String = text.chars().take(SHOWN).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
