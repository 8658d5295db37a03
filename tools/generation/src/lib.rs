//! One generation of the evaluation, from games to a report.
//!
//! [`settings`] say what is wanted, [`steps`] what has to be done for it and
//! with which program; [`run`] does it, and [`child`] starts the programs.
//! [`results`] reads what came out of a step, [`state`] keeps it in the work
//! folder, so that no step is done twice, and [`report`] tells it. Of the
//! engine library only `board` and `rules` are used: all else is done by the
//! programs themselves.

pub mod child;
pub mod keeper;
pub mod log_text;
pub mod report;
pub mod results;
pub mod run;
pub mod settings;
pub mod state;
pub mod steps;
pub mod table;
