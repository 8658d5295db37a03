//! Layer 4: finds the best move. Never prints, reads no input, keeps no
//! globals; what it has to say goes to a [`Reporter`].
//!
//! [`Searcher`] deepens iteratively; each of its workers does an alpha-beta
//! search with a common transposition table.

mod candidates;
mod driver;
mod history;
mod limits;
mod node;
mod order;
mod parallel;
mod params;
mod prune;
mod report;
mod score;
mod shared;
mod time;
mod tt;
mod worker;

pub use driver::{Found, Searcher};
pub use limits::{Control, Limits};
pub use report::{Info, Reporter};
pub use score::Score;
