//! What the tests of the rules share: the judges they try, and how a position
//! is set up. A judge is passed in as a function, so that
//! several judges can be run through the same data.

use yonsan::board::{Colour, Point, Position, Size};
use yonsan::rules::Rule;
use yonsan::rules::judge::Foul;

/// What a black stone on the free point would be in renju.
pub type FoulJudge = fn(&Position, Point) -> Option<Foul>;

/// Whether a stone of the colour on the free point wins at once.
pub type WinJudge = fn(&Position, Rule, Point, Colour) -> bool;

/// Something that answers both questions.
#[derive(Clone, Copy)]
pub struct Judge {
    pub foul: FoulJudge,
    pub wins: WinJudge,
}

/// The name a foul has in the data.
pub fn foul_name(foul: Option<Foul>) -> &'static str {
    match foul {
        None => "legal",
        Some(Foul::Overline) => "overline",
        Some(Foul::DoubleFour) => "double-four",
        Some(Foul::DoubleThree) => "double-three",
    }
}

/// A position with these stones, Black to move.
pub fn set_up(size: Size, black: &[Point], white: &[Point], blocked: &[Point]) -> Position {
    let mut position = Position::new(size);
    for (colour, stones) in [(Colour::Black, black), (Colour::White, white)] {
        for &point in stones {
            position.set_side_to_move(colour);
            position.play(point);
        }
    }
    for &point in blocked {
        position.block(point);
    }
    position.set_side_to_move(Colour::Black);
    position
}
