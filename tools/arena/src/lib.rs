//! Match runner for engines of the Gomocup/Piskvork protocol: plays, judges,
//! counts and shows.
//!
//! The playing half starts engines ([`process`]), asks them for moves, judges
//! with the rules library ([`referee`]) and writes one line for each game
//! ([`record`], [`results`]). The reading half makes statistics, reports and
//! exports out of that file. Imports `board` and `rules` of the engine library
//! only, so that an engine's search never judges its own games.

pub mod check;
pub mod collect;
pub mod config;
pub mod duration;
pub mod export;
pub mod generate;
pub mod live;
pub mod message;
pub mod opening_file;
pub mod process;
pub mod record;
pub mod referee;
pub mod report;
pub mod results;
pub mod runner;
pub mod schedule;
pub mod settings;
pub mod standings;
pub mod stats;

/// Version of the arena.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
