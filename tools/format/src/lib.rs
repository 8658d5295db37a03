//! Files of self-play games: the one definition of what their bytes mean.
//!
//! A file holds games, never features, so that every later idea of what to
//! learn from them can use them. It is a header and then records, one for each
//! game, only ever appended. All numbers are little-endian. Imports `board`
//! and `rules` of the engine library only.
//!
//! # Header, 32 bytes
//!
//! | Bytes | Meaning |
//! |---|---|
//! | 0-7 | `8f 59 47 44 0d 0a 1a 0a`, damaged by anything that takes the file for text |
//! | 8-9 | version, now 1 |
//! | 10 | checksum scheme: 1 for CRC-32 (IEEE 802.3) |
//! | 11 | 0 |
//! | 12-19 | seed from which all games come |
//! | 20-27 | fingerprint of the settings the games were made with |
//! | 28-31 | checksum of bytes 0-27 |
//!
//! # Record, 20 bytes and 4 for each ply
//!
//! | Bytes | Meaning |
//! |---|---|
//! | 0 | bits 0-2 rule: 0 freestyle, 1 standard, 2 renju, 3 caro, 4 caro-exact; bits 3-4 winner: 0 nobody, 1 Black, 2 White; bits 5-7 end: 0 five, 1 foul, 2 full board, 3 proven win, 4 called a draw |
//! | 1 | columns, 5 to 22 |
//! | 2 | rows, 5 to 22 |
//! | 3 | number of plies that were set up as the opening |
//! | 4-5 | number of plies, opening included, at most columns times rows |
//! | 6-7 | generation of the engine that played |
//! | 8-15 | seed of the game |
//! | then 4 each | the plies, Black's first |
//! | last 4 | checksum of the record up to here |
//!
//! # Ply, 4 bytes
//!
//! | Bits | Meaning |
//! |---|---|
//! | 0-8 | point: row times columns plus column, both from 0 |
//! | 9 | random: not the search's choice |
//! | 10 | forced: the only move, found without search |
//! | 11 | proven: the score is a proven win or loss |
//! | 12-15 | effort: bit length of a sixteenth of the nodes searched, at most 15 |
//! | 16-31 | score of the position before the ply, for the side to move, signed: within ±20,000, or 30,000 - n for a win whose last stone is put after n plies, n - 30,000 for a loss |
//!
//! A ply of the opening has no score: it is random, with effort 0 and score 0.
//! A random ply after the opening carries the score of the best move, not of
//! the one that was played.
//!
//! # Torn files
//!
//! A record is written at one go. Where a kill or a full disk leaves part of
//! one behind, its length or checksum is wrong; [`Appender::open`] cuts it off.

mod appender;
mod error;
mod game;
mod header;
mod ply;
mod reader;
mod record;

pub use appender::{Appender, Found};
pub use error::FormatError;
pub use game::{End, Facts, Game, GameError, Sample};
pub use header::{HEADER_LEN, Header, VERSION};
pub use ply::{Effort, Ply, Score};
pub use reader::Reader;
pub use record::{LONGEST_RECORD, decode, encode};
