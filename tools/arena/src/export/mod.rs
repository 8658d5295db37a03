//! Games in the formats of other programs, and back.
//!
//! Writing: PSQ of Piskvork, SGF, PGN for rating programs, CSV rows and score
//! lines. [`yonsan::game_file`] reads PSQ and SGF back. Points are the
//! protocol's: column and row from 0 without any turning, so SGF `hg` and PSQ
//! `8,7` are the protocol's `7,6`.
//! Names and comments come from engines and are not trusted: each format has
//! its own way to keep them from breaking it.

mod csv;
mod import;
mod pgn;
mod psq;
mod scores;
mod sgf;

pub use csv::write_csv;
pub use import::to_record;
pub use pgn::write_pgn;
pub use psq::write_psq;
pub use scores::write_scores;
pub(crate) use sgf::date;
pub use sgf::write_sgf;

use crate::record::MoveRecord;
use yonsan::board::Point;

/// A text with every line break and control character turned into a blank.
fn one_line(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
}

/// The point of a move, if the record holds one.
fn point_of(entry: &MoveRecord) -> Option<Point> {
    entry.point.parse().ok()
}

#[cfg(test)]
mod tests;
