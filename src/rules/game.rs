//! A position under a rule, and how the game stands.

use super::Rule;
use super::judge::{self, Foul};
use crate::board::{Colour, Point, Position, Size};
use std::fmt;

/// Why a side has won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WinReason {
    /// It made a winning row.
    Five,
    /// The opponent, Black in renju, made a forbidden move.
    Foul(Foul),
}

/// How a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// Moves can be made.
    Ongoing,
    /// The side has won.
    Won(Colour, WinReason),
    /// The board is full.
    Draw,
}

/// A move that cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveError {
    /// Not a point of the board.
    Outside(Point),
    /// Somebody's or nobody's stone is there.
    Taken(Point),
    /// The game has ended.
    Over,
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Outside(point) => write!(f, "{point} is outside the board"),
            Self::Taken(point) => write!(f, "{point} is taken"),
            Self::Over => f.write_str("the game is over"),
        }
    }
}

impl std::error::Error for MoveError {}

/// A game: a position, its rule and its result, judged by the oracle.
///
/// # Examples
///
/// ```no_run
/// use yonsan::board::{Colour, Size, parse_moves};
/// use yonsan::rules::{Game, GameResult, Rule, WinReason};
///
/// let mut game = Game::new(Rule::Freestyle, Size::square(15).unwrap());
/// for point in parse_moves("h8a1h9b1h10c1h11d1h12").unwrap() {
///     game.play(point).unwrap();
/// }
/// assert_eq!(game.result(), GameResult::Won(Colour::Black, WinReason::Five));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    rule: Rule,
    position: Position,
    result: GameResult,
}

impl Game {
    /// A game that has not begun.
    #[must_use]
    pub fn new(rule: Rule, size: Size) -> Self {
        Self {
            rule,
            position: Position::new(size),
            result: GameResult::Ongoing,
        }
    }

    /// The rule.
    #[must_use]
    pub const fn rule(&self) -> Rule {
        self.rule
    }

    /// The stones.
    #[must_use]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// How the game stands.
    #[must_use]
    pub const fn result(&self) -> GameResult {
        self.result
    }

    /// Makes a move for the side to move. A foul can be played: it ends the
    /// game for Black.
    ///
    /// # Errors
    ///
    /// If the point is outside or taken, or the game is over; nothing changes.
    pub fn play(&mut self, point: Point) -> Result<GameResult, MoveError> {
        if self.result != GameResult::Ongoing {
            return Err(MoveError::Over);
        }
        if !self.position.size().contains(point) {
            return Err(MoveError::Outside(point));
        }
        if !self.position.is_empty(point) {
            return Err(MoveError::Taken(point));
        }
        let colour = self.position.side_to_move();
        let won = judge::wins(&self.position, self.rule, point, colour);
        let foul = if self.rule == Rule::Renju && colour == Colour::Black {
            judge::renju_foul(&self.position, point)
        } else {
            None
        };
        self.position.play(point);
        self.result = match foul {
            _ if won => GameResult::Won(colour, WinReason::Five),
            Some(foul) => GameResult::Won(!colour, WinReason::Foul(foul)),
            None if self.position.is_full() => GameResult::Draw,
            None => GameResult::Ongoing,
        };
        Ok(self.result)
    }

    /// Takes back the newest move, also when it ended the game.
    pub fn undo(&mut self) -> Option<Point> {
        let stone = self.position.undo()?;
        self.result = GameResult::Ongoing;
        Some(stone.point)
    }
}
