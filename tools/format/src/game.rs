//! A recorded game.

use crate::ply::Ply;
use std::fmt;
use yonsan::board::{Bitboard, Colour, Point, Position, Size};
use yonsan::rules::{self, GameResult, Rule, WinReason};

/// How a recorded game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// A winning row stands.
    Five,
    /// Black made a forbidden move in renju.
    Foul,
    /// The board is full.
    Full,
    /// The side that made the last ply had proven its win.
    Proof,
    /// The game was called a draw on a board nearly full: no row of five can
    /// come any more, or the scores were even for long.
    Level,
}

impl End {
    /// All ends, in the order of their numbers in a file.
    pub const ALL: [Self; 5] = [Self::Five, Self::Foul, Self::Full, Self::Proof, Self::Level];

    /// Whether a game that ends so has no winner.
    #[must_use]
    pub const fn is_draw(self) -> bool {
        matches!(self, Self::Full | Self::Level)
    }

    /// One word for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Five => "five",
            Self::Foul => "foul",
            Self::Full => "full",
            Self::Proof => "proof",
            Self::Level => "level",
        }
    }
}

/// What is known of a game besides its plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Facts {
    /// The rule.
    pub rule: Rule,
    /// The board.
    pub size: Size,
    /// Who won; `None` for a draw.
    pub winner: Option<Colour>,
    /// How it ended.
    pub end: End,
    /// Plies that were set up, not played.
    pub opening_len: u8,
    /// Generation of the engine that played.
    pub generation: u16,
    /// Seed of the game.
    pub seed: u64,
}

/// What is wrong with a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameError {
    /// This point is off the board or used twice.
    BadPoint(Point),
    /// The opening is longer than the game.
    LongOpening,
    /// The winner does not go with the end.
    BadWinner,
    /// The referee saw another end than the one recorded.
    OtherEnd,
    /// The referee saw the game end before this ply, counted from 0.
    EarlyEnd(usize),
}

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadPoint(point) => write!(f, "{point} is off the board or used twice"),
            Self::LongOpening => f.write_str("the opening is longer than the game"),
            Self::BadWinner => f.write_str("the winner does not go with the end"),
            Self::OtherEnd => f.write_str("the game does not end as recorded"),
            Self::EarlyEnd(number) => write!(f, "the game was over before ply {}", number + 1),
        }
    }
}

impl std::error::Error for GameError {}

/// A recorded game: its points are on the board and different, and its winner
/// goes with its end. That its result is right is asked of [`Game::verify`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    facts: Facts,
    plies: Vec<Ply>,
}

/// A position of a game as something to learn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Plies before it.
    pub number: usize,
    /// Side to move.
    pub mover: Colour,
    /// What was played, and the score.
    pub ply: Ply,
    /// Result of the game for the side to move: 1, 0 or -1.
    pub result: i8,
}

impl Game {
    /// A game of these plies.
    ///
    /// # Errors
    ///
    /// If a point is off the board or used twice, the opening is longer than
    /// the game, or the winner does not go with the end.
    pub fn new(facts: Facts, plies: Vec<Ply>) -> Result<Self, GameError> {
        let mut taken = Bitboard::EMPTY;
        for ply in &plies {
            if !facts.size.contains(ply.point) || taken.contains(ply.point) {
                return Err(GameError::BadPoint(ply.point));
            }
            taken.insert(ply.point);
        }
        if usize::from(facts.opening_len) > plies.len() {
            return Err(GameError::LongOpening);
        }
        if facts.end.is_draw() != facts.winner.is_none() {
            return Err(GameError::BadWinner);
        }
        Ok(Self { facts, plies })
    }

    /// What is known besides the plies.
    #[must_use]
    pub const fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The plies, Black's first.
    #[must_use]
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// The points in the order they were played, opening included.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = Point> {
        self.plies.iter().map(|ply| ply.point)
    }

    /// The result for a side: 1 won, 0 drawn, -1 lost.
    #[must_use]
    pub fn result_for(&self, side: Colour) -> i8 {
        match self.facts.winner {
            None => 0,
            Some(winner) if winner == side => 1,
            Some(_) => -1,
        }
    }

    /// The positions in which a ply was made, opening included, without the
    /// stones; [`Game::visit`] has them.
    pub fn samples(&self) -> impl ExactSizeIterator<Item = Sample> {
        self.plies.iter().enumerate().map(|(number, &ply)| {
            let mover = Colour::ALL[number % 2];
            Sample {
                number,
                mover,
                ply,
                result: self.result_for(mover),
            }
        })
    }

    /// Calls `visitor` with every position in which a ply was made; returns
    /// the last position, in which none was.
    pub fn visit(&self, mut visitor: impl FnMut(&Position, Sample)) -> Position {
        let mut position = Position::new(self.facts.size);
        for sample in self.samples() {
            visitor(&position, sample);
            position.play(sample.ply.point);
        }
        position
    }

    /// Plays the game over with the slow referee.
    ///
    /// # Errors
    ///
    /// If it is over earlier, or ends otherwise, than recorded.
    pub fn verify(&self) -> Result<(), GameError> {
        let mut referee = rules::Game::new(self.facts.rule, self.facts.size);
        for (number, point) in self.moves().enumerate() {
            if referee.play(point).is_err() {
                return Err(GameError::EarlyEnd(number));
            }
        }
        let is_right = match (referee.result(), self.facts.winner, self.facts.end) {
            (GameResult::Won(side, WinReason::Five), winner, End::Five) => winner == Some(side),
            (GameResult::Won(side, WinReason::Foul(_)), winner, End::Foul) => winner == Some(side),
            (GameResult::Draw, None, End::Full) | (GameResult::Ongoing, None, End::Level) => true,
            (GameResult::Ongoing, Some(winner), End::Proof) => {
                let last = self.samples().last();
                last.is_some_and(|s| s.mover == winner && s.ply.score.win_plies().is_some())
            }
            _ => false,
        };
        if is_right {
            Ok(())
        } else {
            Err(GameError::OtherEnd)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ply::Score;
    use yonsan::board::parse_moves;

    fn facts(winner: Option<Colour>, end: End) -> Facts {
        Facts {
            rule: Rule::Freestyle,
            size: Size::square(15).unwrap(),
            winner,
            end,
            opening_len: 2,
            generation: 0,
            seed: 1,
        }
    }

    fn game(moves: &str, facts: Facts) -> Result<Game, GameError> {
        let points = parse_moves(moves).unwrap();
        Game::new(facts, points.into_iter().map(Ply::of_opening).collect())
    }

    const FIVE: &str = "h8a1h9b1h10c1h11d1h12";

    #[test]
    fn impossible_games_are_refused() {
        let black = facts(Some(Colour::Black), End::Five);
        let a1 = "a1".parse().unwrap();
        assert_eq!(game("a1b1a1", black), Err(GameError::BadPoint(a1)));
        let p1 = "p1".parse().unwrap();
        assert_eq!(game("a1p1", black), Err(GameError::BadPoint(p1)));
        assert_eq!(game("a1", black), Err(GameError::LongOpening));
        let drawn_five = facts(None, End::Five);
        assert_eq!(game("a1b1", drawn_five), Err(GameError::BadWinner));
        let won_draw = facts(Some(Colour::White), End::Level);
        assert_eq!(game("a1b1", won_draw), Err(GameError::BadWinner));
    }

    #[test]
    fn the_referee_is_asked() {
        let verdict = |moves, winner, end| game(moves, facts(winner, end)).unwrap().verify();
        let [black, white] = [Some(Colour::Black), Some(Colour::White)];
        assert_eq!(verdict(FIVE, black, End::Five), Ok(()));
        let other = Err(GameError::OtherEnd);
        assert_eq!(verdict(FIVE, white, End::Five), other);
        assert_eq!(verdict(FIVE, black, End::Foul), other);
        assert_eq!(verdict("h8a1h9", black, End::Five), other);
        assert_eq!(verdict("h8a1h9", None, End::Full), other);
        assert_eq!(verdict("h8a1h9", None, End::Level), Ok(()));
        assert_eq!(verdict("h8a1h9", black, End::Proof), other);
        let longer = format!("{FIVE}a9");
        assert_eq!(
            verdict(&longer, black, End::Five),
            Err(GameError::EarlyEnd(9))
        );
    }

    #[test]
    fn a_proof_is_the_last_movers() {
        let with_score = |raw, winner| {
            let mut game = game("h8a1h9b1h10", facts(Some(winner), End::Proof)).unwrap();
            game.plies[4].score = Score::new(raw).unwrap();
            game.verify()
        };
        assert_eq!(with_score(29_995, Colour::Black), Ok(()));
        let other = Err(GameError::OtherEnd);
        assert_eq!(with_score(29_995, Colour::White), other);
        assert_eq!(with_score(-29_995, Colour::Black), other);
        assert_eq!(with_score(500, Colour::Black), other);
    }

    #[test]
    fn positions_and_results_follow_the_moves() {
        let game = game(FIVE, facts(Some(Colour::Black), End::Five)).unwrap();
        let mut results = Vec::new();
        let last = game.visit(|position, sample| {
            assert_eq!(position.stones().len(), sample.number);
            assert_eq!(position.side_to_move(), sample.mover);
            assert!(position.is_empty(sample.ply.point));
            results.push(sample.result);
        });
        assert_eq!(results, [1, -1, 1, -1, 1, -1, 1, -1, 1]);
        let moves: Vec<Point> = game.moves().collect();
        assert_eq!(
            last,
            Position::from_moves(game.facts().size, &moves).unwrap()
        );
    }
}
