//! Yonsan plays Gomoku, Renju and Caro: five stones in a row win.
//!
//! This library is the engine; the program `pbrain-yonsan` puts it behind the
//! Gomocup/Piskvork protocol and on the terminal.
//!
//! # Tour
//!
//! The modules stand in layers, and each imports only from layers below it:
//!
//! | Layer | Module | Job |
//! |---|---|---|
//! | 0 | [`board`] | points, stones, positions, notation |
//! | 0 | [`mod@page`] | what pages for a browser have in common |
//! | 1 | [`rules`] | the five rules, who has won, what is forbidden; openings |
//! | 2 | [`game_file`] | games that other programs wrote |
//! | 2 | [`pattern`] | shapes of the stones on a line, kept up to date |
//! | 2 | [`book`] | positions and what long searches made of them, in a file |
//! | 3 | [`threat`] | wins by force, found without general search |
//! | 3 | [`eval`] | what a position is worth |
//! | 4 | [`search`] | the best move; bounds, scores, reports |
//! | 5 | [`engine`] | the library's front: position in, move out; openings |
//! | 6 | [`analysis`], [`mod@bench`], [`protocol`], [`terminal`] | the engine's users |
//!
//! Start with [`engine::Engine`] to let it play, with [`rules::Game`] for a
//! referee. Nothing below layer 6 prints, reads input or keeps globals.
//!
//! # Examples
//!
//! Black has four stones in a row, free at both ends, and is to move:
//!
//! ```
//! use yonsan::board::{Position, Size, parse_moves};
//! use yonsan::engine::{Engine, Request};
//! use yonsan::rules::Rule;
//! use yonsan::search::{Control, Limits};
//!
//! let size = Size::square(15).unwrap();
//! let moves = parse_moves("h8 a1 h9 c1 h10 e1 h11 g1").unwrap();
//! let request = Request {
//!     position: Position::from_moves(size, &moves).unwrap(),
//!     rule: Rule::Freestyle,
//!     limits: Limits::nodes(1_000),
//!     line_count: 1,
//! };
//! let outcome = Engine::new().go(&request, &Control::new(), &mut ()).unwrap();
//! assert!(["h7", "h12"].contains(&outcome.best.to_string().as_str()));
//! ```
//!
//! # Glossary
//!
//! - **ply**: one stone put down; a move of one side.
//! - **five, four, three**: a row that wins; a row that one more stone makes a
//!   five; a row that one more stone makes an open four, one with two places
//!   for the five.
//! - **overline**: six or more in a row.
//! - **foul**: a point that renju forbids to Black: overline, double four or
//!   double three. Playing it loses.
//! - **tt**: transposition table, what is known of positions already searched.
//! - **pv**: principal variation, the best line found.
//! - **vcf**: victory by continuous fours, a win whose every move makes a four.
//! - **vct**: victory by continuous threats, a win by fours and threes.
//! - **node**: a position the search looks at.
//! - **oracle**: the slow and plain judge, [`rules::judge`], against which
//!   everything fast is tested.

// One by one, with blank lines between: rustfmt would sort them otherwise, and
// they stand in the order of the layers.
pub mod board;

mod memory;

pub mod page;

pub mod rules;

pub mod game_file;

pub mod pattern;

pub mod book;

pub mod threat;

pub mod eval;

pub mod search;

pub mod engine;

pub mod analysis;

pub mod bench;

pub mod protocol;

pub mod terminal;
