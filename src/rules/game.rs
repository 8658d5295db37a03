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
/// ```
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::parse_moves;

    /// Plays the moves, all of which must leave the game going but the last.
    fn play_all(rule: Rule, side: u8, moves: &str) -> Game {
        let mut game = Game::new(rule, Size::square(side).unwrap());
        for point in parse_moves(moves).unwrap() {
            assert_eq!(game.result(), GameResult::Ongoing, "before {point}");
            game.play(point).unwrap();
        }
        game
    }

    fn point(text: &str) -> Point {
        text.parse().unwrap()
    }

    /// Orders the stones of a board drawn row by row from the lowest: Black
    /// and White by turns, each from the lowest point up.
    fn moves_of_drawing(rows: &[&str]) -> String {
        let points = |mark| {
            rows.iter().enumerate().flat_map(move |(y, row)| {
                row.char_indices()
                    .filter(move |&(_, c)| c == mark)
                    .map(move |(x, _)| Point::new(x as u8, y as u8).unwrap())
            })
        };
        let mut white = points('O');
        points('X')
            .flat_map(|black| [Some(black), white.next()])
            .flatten()
            .map(|point| point.to_string())
            .collect()
    }

    #[test]
    fn a_foul_loses_for_black_in_renju_only() {
        let moves = "h8g6f6g5f7g4h7g3g2a1g7";
        let foul = WinReason::Foul(Foul::DoubleThree);
        let game = play_all(Rule::Renju, 15, moves);
        assert_eq!(game.result(), GameResult::Won(Colour::White, foul));
        for rule in Rule::ALL.into_iter().filter(|&rule| rule != Rule::Renju) {
            assert_eq!(play_all(rule, 15, moves).result(), GameResult::Ongoing);
        }
    }

    #[test]
    fn white_may_do_in_renju_what_black_may_not() {
        let three_three = play_all(Rule::Renju, 15, "a1f8c2g8a15h9c14h10o1h8");
        assert_eq!(three_three.result(), GameResult::Ongoing);
        let six = play_all(Rule::Renju, 15, "a1d8c2e8a15f8c14g8o1i8n3h8");
        let won = GameResult::Won(Colour::White, WinReason::Five);
        assert_eq!(six.result(), won);
    }

    #[test]
    fn only_a_full_board_is_a_draw() {
        let drawing = ["XXOOX", "OOXXO", "XXOOX", "OOXXO", "XXOOX"];
        let moves = moves_of_drawing(&drawing);
        for rule in Rule::ALL {
            let mut game = play_all(rule, 5, &moves);
            assert_eq!(game.position().stones().len(), 25);
            assert_eq!(game.result(), GameResult::Draw);
            assert_eq!(game.play(point("a1")), Err(MoveError::Over));
        }
    }

    #[test]
    fn the_last_point_can_win() {
        let moves = moves_of_drawing(&["OOXOO", "XOOXO", "OXOOX", "OOXXX", "XXXXX"]);
        for rule in Rule::ALL {
            let game = play_all(rule, 5, &moves);
            assert!(game.position().is_full());
            let won = GameResult::Won(Colour::Black, WinReason::Five);
            assert_eq!(game.result(), won);
        }
    }

    #[test]
    fn errors_change_nothing() {
        let mut game = play_all(Rule::Standard, 6, "c3d4");
        let before = game.clone();
        let [g1, v22] = [point("g1"), point("v22")];
        for (bad, error) in [
            (g1, MoveError::Outside(g1)),
            (v22, MoveError::Outside(v22)),
            (point("c3"), MoveError::Taken(point("c3"))),
            (point("d4"), MoveError::Taken(point("d4"))),
        ] {
            assert_eq!(game.play(bad), Err(error));
            assert_eq!(game, before);
        }
        assert_eq!(game.play(point("a1")), Ok(GameResult::Ongoing));

        let mut over = play_all(Rule::Standard, 15, "h8a1h9b1h10c1h11d1h12");
        let before = over.clone();
        for text in ["o15", "h8", "p1"] {
            assert_eq!(over.play(point(text)), Err(MoveError::Over));
            assert_eq!(over, before);
        }
    }

    #[test]
    fn the_end_can_be_taken_back() {
        let ends = [
            (Rule::Freestyle, 15, "h8a1h9b1h10c1h11d1h12".to_owned()),
            (Rule::Renju, 15, "h8g6f6g5f7g4h7g3g2a1g7".to_owned()),
            (
                Rule::Caro,
                5,
                moves_of_drawing(&["XXOOX", "OOXXO", "XXOOX", "OOXXO", "XXOOX"]),
            ),
        ];
        for (rule, side, moves) in ends {
            let mut game = play_all(rule, side, &moves);
            let end = game.clone();
            let last = game.undo().unwrap();
            assert_eq!(game.result(), GameResult::Ongoing);
            assert_eq!(game.position().side_to_move(), Colour::Black);
            assert!(game.position().is_empty(last));
            assert_eq!(game.play(last), Ok(end.result()));
            assert_eq!(game, end);
            while game.undo().is_some() {}
            assert_eq!(game, Game::new(rule, Size::square(side).unwrap()));
        }
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let texts = [
            (MoveError::Outside(point("v22")), "v22 is outside the board"),
            (MoveError::Taken(point("h8")), "h8 is taken"),
            (MoveError::Over, "the game is over"),
        ];
        for (error, text) in texts {
            assert_eq!(error.to_string(), text);
        }
    }
}
