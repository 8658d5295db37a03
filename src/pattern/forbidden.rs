//! The fast judgement of fouls in renju: the same answers as
//! [`crate::rules::judge`], from the shapes.

use super::board::Board;
use super::combo::Class;
use super::shape::Shape;
use crate::board::{Cell, Colour, Direction, Point};
use crate::rules::Rule;
use crate::rules::judge::Foul;

impl Board {
    /// Whether a stone of `colour` on the free point would be a foul: always
    /// `false` but for Black in renju.
    #[inline]
    #[must_use]
    pub fn is_forbidden(&mut self, point: Point, colour: Colour) -> bool {
        if self.rule() != Rule::Renju || colour == Colour::White {
            return false;
        }
        match self.class(point, Colour::Black) {
            Class::Forbidden => true,
            Class::DoubleThree | Class::FourThree | Class::OpenFour => {
                self.combo(point, Colour::Black).may_be_double_three()
                    && self.is_double_three(point)
            }
            Class::Quiet | Class::Three | Class::Four | Class::DoubleFour | Class::Five => false,
        }
    }

    /// Why a black stone on the free point would be a foul in renju, or `None`
    /// if it would be legal; `None` under every other rule.
    #[must_use]
    pub fn renju_foul(&mut self, point: Point) -> Option<Foul> {
        if !self.is_forbidden(point, Colour::Black) {
            return None;
        }
        if self.class(point, Colour::Black) != Class::Forbidden {
            return Some(Foul::DoubleThree);
        }
        let shapes = self.combo(point, Colour::Black).shapes();
        Some(if shapes.contains(&Shape::Overline) {
            Foul::Overline
        } else {
            Foul::DoubleFour
        })
    }

    /// Whether two or more of the threes a black stone would make are real.
    fn is_double_three(&mut self, point: Point) -> bool {
        let is_three = |d: &Direction| self.shape(point, Colour::Black, *d).is_open_three();
        let mut left = Direction::ALL.iter().filter(|d| is_three(d)).count();
        let threes = Direction::ALL.map(|d| is_three(&d));
        self.with_stone(point, Colour::Black, |board| {
            let mut real = 0;
            for direction in Direction::ALL.into_iter().filter(|d| threes[d.index()]) {
                if board.is_real_three(point, direction) {
                    real += 1;
                }
                left -= 1;
                if real >= 2 || real + left < 2 {
                    break;
                }
            }
            real >= 2
        })
    }

    /// Whether the black three through a stone can become a straight four by a
    /// legal move that does not make a five.
    fn is_real_three(&mut self, stone: Point, direction: Direction) -> bool {
        const FARTHEST: i8 = 3;
        (-FARTHEST..=FARTHEST).any(|steps| {
            stone.step(direction, steps).is_some_and(|point| {
                self.position().is_empty(point)
                    && self.shape(point, Colour::Black, direction) == Shape::OpenFour
                    && self.is_run_between(stone, direction, steps)
                    && self.class(point, Colour::Black) != Class::Five
                    && !self.is_forbidden(point, Colour::Black)
            })
        })
    }

    /// Whether all points between a stone and the point `steps` away are black.
    fn is_run_between(&self, stone: Point, direction: Direction, steps: i8) -> bool {
        (1..steps.abs()).all(|n| {
            stone
                .step(direction, n * steps.signum())
                .is_some_and(|p| self.position().cell(p) == Cell::Black)
        })
    }
}
