//! Layer 4: finds the best move. Never prints, reads no input, keeps no globals.

mod limits;
mod report;
mod score;

pub use limits::{Control, Limits};
pub use report::{Info, Reporter};
pub use score::Score;
