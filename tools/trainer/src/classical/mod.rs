//! Fits the tables of the engine's classical evaluation to games.
//!
//! A position is worth the sum of table numbers, one for each free point and
//! side, and of a number for the threats there are; taken as log odds of a
//! win, that is logistic regression. The tables that order moves are fitted to
//! the moves that the search chose among its candidates. [`command`] has it
//! all in a row; from below: [`features`] and [`store`] hold positions,
//! [`samples`] makes them from games, [`model`] has the losses, [`tying`] lets
//! numbers seldom used follow the others, [`fit`] descends, [`report`] judges.

pub mod adam;
pub mod command;
pub mod features;
pub mod fit;
pub mod model;
pub mod report;
pub mod samples;
pub mod store;
pub mod tables;
pub mod tying;
