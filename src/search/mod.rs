//! Layer 4: finds the best move. Never prints, reads no input, keeps no
//! globals; what it has to say goes to a [`Reporter`].
//!
//! [`Searcher`] deepens iteratively; each of its workers does an alpha-beta
//! search with a common transposition table.

mod aside;
mod balance;
mod candidates;
mod correction;
mod defend;
mod driver;
mod history;
mod iterate;
mod limits;
mod meter;
mod moves;
mod node;
mod order;
mod parallel;
mod params;
mod prune;
mod report;
mod root;
mod score;
mod shared;
mod table_file;
mod time;
mod tt;
mod worker;

pub use balance::Stones;
pub use defend::Defence;
pub use driver::{Found, Searcher};
pub use limits::{Control, Limits};
pub use report::{Info, Line, Reporter, RootEvent};
pub use score::Score;
pub use table_file::{TableFileError, check as check_table_file};
