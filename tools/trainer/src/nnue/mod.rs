//! Trains the net of the engine: a table of rows, one for each window, and
//! small dense heads for values and moves.
//!
//! [`command`] has it all in a row; from below: [`data`] holds games and what
//! is asked of them, [`target`] what a value should be, [`sight`] finds the windows of a position, [`layout`]
//! says of which trained rows the row of a window is the sum, [`head`] has the
//! dense layers, [`net`] all numbers, [`part`] the losses and gradients of some
//! samples, [`optimiser`] the steps, [`train`] the run, [`report`] the figures
//! of the games held out, [`export`] the rounded net in the engine's format.

pub mod checkpoint;
pub mod command;
pub mod data;
pub mod export;
pub mod head;
pub mod kernel;
pub mod layout;
pub mod net;
pub mod optimiser;
pub mod page;
pub mod part;
pub mod proof;
pub mod report;
pub mod sight;
pub mod target;
#[cfg(test)]
mod test_games;
pub mod train;
pub mod watch;
