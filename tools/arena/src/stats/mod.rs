//! What the results of games say: scores, Elo with error bars, likelihood of
//! superiority, sequential tests and ratings of whole fields.
//!
//! Everything starts from a [`Tally`], which counts games one by one and
//! joins the two games of a pair, played from one opening with colours
//! changed. The games of a pair lean on each other, so errors and tests are
//! worked out from whole pairs: five possible results, 0 to 2 points, which is
//! called pentanomial. A draw is half a point everywhere. Imports nothing but
//! the results format.

mod elo;
mod matrix;
mod normal;
mod ratings;
mod sprt;
mod tally;

pub use elo::{Estimate, elo_from_score, score_from_elo};
pub use normal::{QUANTILE_95, normal_cumulative};
pub use ratings::{HeadToHead, Rating, RatingError, fit_ratings};
pub use sprt::{EloModel, Sprt, SprtError, SprtStatus};
pub use tally::{Points, Tally};

#[cfg(test)]
pub(crate) mod test_random;
