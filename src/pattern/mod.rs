//! Layer 2: what a stone on each free point would make.
//!
//! [`LineTable`] maps the cells around a point to the [`Shape`] a stone would
//! make in one direction; the four shapes of a point fold into a [`Combo`];
//! [`PointTable`] gives each combo its [`Class`] and value; [`Grid`] keeps all
//! this up to date, and [`Board`] is a position with its grid. May import
//! `board` and `rules`.

mod board;
mod combo;
mod forbidden;
mod grid;
mod line;
mod shape;
mod table;

pub use board::Board;
pub use combo::{COMBO_COUNT, Class, Combo, Group};
pub use grid::Grid;
pub use line::LineRule;
pub use shape::Shape;
pub use table::{LineTable, PointTable};
