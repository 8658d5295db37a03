//! The results file: one JSON object a line. The first line, and a line after
//! every resume, is a [`Record::Event`] with the whole set-up; every other
//! line is one finished game. Files of shards of one event are merged by
//! concatenation. This is the only definition of the format.

use serde::{Deserialize, Serialize};

/// Version of the format; readers refuse others.
pub const FORMAT_VERSION: u32 = 1;

/// One line of a results file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Record {
    /// What is played: enough to resume.
    Event(Box<EventRecord>),
    /// A finished game.
    Game(Box<GameRecord>),
}

/// The set-up of an event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EventRecord {
    /// [`FORMAT_VERSION`].
    pub version: u32,
    /// The whole configuration, as the runner defines it.
    pub config: serde_json::Value,
    /// Engine names, in the order of the configuration.
    pub engines: Vec<String>,
    /// Number of games in the whole event, all shards.
    pub game_count: u64,
    /// Part of the event that was played into this file, `[I, N]` for shard
    /// I of N; none for the whole event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<[u64; 2]>,
    /// Seconds since 1970.
    pub started_unix: u64,
}

/// One finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Number in the schedule of the event, from 0: the same in every shard
    /// and after every resume.
    pub number: u64,
    /// Number of the pair of games that share opening and players.
    pub pair: u64,
    /// Rule name: freestyle, standard, renju, caro, caro-exact.
    pub rule: String,
    /// Columns.
    pub width: u8,
    /// Rows.
    pub height: u8,
    /// Opening procedure: free, swap, swap2, pro, long-pro.
    pub procedure: String,
    /// Where the opening stands in its file, such as `openings.txt:12`; empty if none.
    pub opening_source: String,
    /// Index of the engine that had Black at the end, into the event's engines.
    pub black: usize,
    /// Index of the engine that had White at the end.
    pub white: usize,
    /// Name of Black.
    pub black_name: String,
    /// Name of White.
    pub white_name: String,
    /// Moves in order, opening included.
    pub moves: Vec<MoveRecord>,
    /// Who won.
    pub outcome: Outcome,
    /// Why.
    pub reason: Reason,
    /// Reason in plain words, such as "double three at g9".
    pub detail: String,
    /// The last lines the losing engine wrote, if it failed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub last_lines: Vec<String>,
    /// Whether the machine was too slow when an engine was out of time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub overloaded: bool,
    /// Start of the game, seconds since 1970.
    pub started_unix: u64,
    /// Length of the game in milliseconds.
    pub duration_ms: u64,
    /// Largest unshared memory seen, Black and White, in bytes; 0 if not measured.
    pub peak_memory: [u64; 2],
    /// Longest time over the limit, in milliseconds, Black and White (tolerance not taken off).
    pub worst_overstep_ms: [u64; 2],
}

/// One move of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MoveRecord {
    /// Point in letters, such as `h8`.
    pub point: String,
    /// Whether it was given by the opening.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub opening: bool,
    /// Thinking time in milliseconds.
    #[serde(default)]
    pub time_ms: u64,
    /// Score for the mover as its engine told it in a MESSAGE; wins as ±(30000 - plies).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<i32>,
    /// Depth as told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Nodes as told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// MESSAGE and DEBUG lines during this move, if they are recorded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<String>,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Black won.
    Black,
    /// White won.
    White,
    /// Nobody won.
    Draw,
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// A winning row.
    Five,
    /// Black made an overline, a double four or a double three in renju.
    Foul,
    /// No free point is left.
    FullBoard,
    /// The draw rule of the manager: enough moves made.
    MoveLimit,
    /// Both engines' scores agreed long enough.
    Adjudicated,
    /// An engine resigned or its score was lost long enough.
    Resigned,
    /// Move or match time overstepped by more than the tolerance.
    Timeout,
    /// A taken point, a point outside the board, or a broken opening procedure.
    IllegalMove,
    /// The process ended.
    Crash,
    /// An answer that is none.
    Garbage,
    /// More memory than allowed.
    Memory,
    /// The engine could not be started, or did not answer START with OK.
    StartFailure,
}

impl Reason {
    /// Whether the loser failed, rather than being outplayed.
    #[must_use]
    pub const fn is_failure(self) -> bool {
        matches!(
            self,
            Self::Timeout
                | Self::IllegalMove
                | Self::Crash
                | Self::Garbage
                | Self::Memory
                | Self::StartFailure
        )
    }
}
