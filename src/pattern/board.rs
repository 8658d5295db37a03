//! A position together with its shapes.

use super::combo::{Class, Combo, Group};
use super::grid::Grid;
use super::shape::Shape;
use super::table::PointTable;
use crate::board::{Bitboard, Colour, Direction, Point, Position, Size};
use crate::rules::Rule;

/// A position whose shapes are kept up to date: what all searches work on.
///
/// It plays moves without asking whether they are fouls; [`Board::is_forbidden`]
/// tells.
#[derive(Clone, Debug)]
pub struct Board {
    position: Position,
    grid: Grid,
}

impl Board {
    /// The board of a position.
    #[must_use]
    pub fn new(position: Position, table: &'static PointTable) -> Self {
        let grid = Grid::new(table, position.size(), position.lines());
        Self { position, grid }
    }

    /// The stones.
    #[must_use]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The shapes.
    #[must_use]
    pub const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The rule.
    #[must_use]
    pub const fn rule(&self) -> Rule {
        self.grid.table().rule()
    }

    /// The size of the board.
    #[must_use]
    pub const fn size(&self) -> Size {
        self.position.size()
    }

    /// Whose turn it is.
    #[must_use]
    pub const fn side_to_move(&self) -> Colour {
        self.position.side_to_move()
    }

    /// Puts a stone of the side to move.
    ///
    /// # Panics
    ///
    /// If the point is taken or outside the board.
    #[inline]
    pub fn play(&mut self, point: Point) {
        self.position.play_observed(point, &mut self.grid);
    }

    /// Takes back the newest stone.
    #[inline]
    pub fn undo(&mut self) {
        self.position.undo_observed(&mut self.grid);
    }

    /// Does something with a stone of the side to move on the board, and takes
    /// the stone back.
    ///
    /// # Panics
    ///
    /// If the point is taken or outside the board.
    pub fn with_move<T>(&mut self, point: Point, action: impl FnOnce(&mut Self) -> T) -> T {
        self.play(point);
        let result = action(self);
        self.undo();
        result
    }

    /// Does something with a stone of this colour on the board, whoever's turn
    /// it is, and takes the stone back.
    ///
    /// # Panics
    ///
    /// If the point is taken or outside the board.
    pub fn with_stone<T>(
        &mut self,
        point: Point,
        colour: Colour,
        action: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let side = self.side_to_move();
        self.position.set_side_to_move(colour);
        let result = self.with_move(point, action);
        self.position.set_side_to_move(side);
        result
    }

    /// Lets `action` play on the bare stones, while no shapes are kept. It must
    /// leave them as it found them.
    pub fn on_position<T>(&mut self, action: impl FnOnce(&mut Position) -> T) -> T {
        let hash = self.position.hash();
        let result = action(&mut self.position);
        debug_assert_eq!(self.position.hash(), hash, "stones left on the board");
        result
    }

    /// Passes the turn to the other side; a second pass takes it back.
    pub const fn pass(&mut self) {
        let side = self.position.side_to_move();
        self.position.set_side_to_move(side.opponent());
    }

    /// The points of a group, [`Grid::group`].
    #[inline]
    #[must_use]
    pub const fn group(&self, colour: Colour, group: Group) -> &Bitboard {
        self.grid.group(colour, group)
    }

    /// Number of points of a group, [`Grid::count`].
    #[inline]
    #[must_use]
    pub const fn count(&self, colour: Colour, group: Group) -> u32 {
        self.grid.count(colour, group)
    }

    /// The points where a stone makes exactly one four.
    #[inline]
    #[must_use]
    pub fn fours(&self, colour: Colour) -> Bitboard {
        *self.group(colour, Group::Four) | *self.group(colour, Group::FourThree)
    }

    /// Number of points where a stone makes exactly one four.
    #[inline]
    #[must_use]
    pub const fn four_count(&self, colour: Colour) -> u32 {
        self.count(colour, Group::Four) + self.count(colour, Group::FourThree)
    }

    /// What a stone on a free point amounts to, [`Grid::class`].
    #[inline]
    #[must_use]
    pub fn class(&self, point: Point, colour: Colour) -> Class {
        self.grid.class(point, colour)
    }

    /// The folded shapes of a free point, [`Grid::combo`].
    #[inline]
    #[must_use]
    pub const fn combo(&self, point: Point, colour: Colour) -> Combo {
        self.grid.combo(point, colour)
    }

    /// What a stone on a free point makes in one direction, [`Grid::shape`].
    #[inline]
    #[must_use]
    pub const fn shape(&self, point: Point, colour: Colour, direction: Direction) -> Shape {
        self.grid.shape(point, colour, direction)
    }
}
