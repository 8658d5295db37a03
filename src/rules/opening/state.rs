//! The machine that walks through the steps of a procedure.

use super::script::{AS_NAMED, Choice, END, Step, steps};
use super::{Area, Demand, OpeningError, Procedure, are_symmetric};
use crate::board::{Colour, Point, Position, Size};
use std::ops::Not;

/// A player, whatever the colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Seat {
    /// The one who begins.
    First,
    /// The other.
    Second,
}

impl Not for Seat {
    type Output = Self;

    fn not(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

/// What a player does in an opening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// Puts stones, the colours by turns as in the game.
    Place(Vec<Point>),
    /// Takes this colour: a swap if it is the opponent's.
    Choose(Colour),
    /// Names the number of fifth moves.
    FifthCount(usize),
    /// Offers fifth moves.
    Offer(Vec<Point>),
    /// Chooses a fifth move that was offered.
    Pick(Point),
}

/// An opening in progress.
///
/// # Examples
///
/// ```
/// use yonsan::board::{Colour, Size, parse_moves};
/// use yonsan::rules::opening::{Act, Opening, Procedure, Seat};
///
/// let size = Size::square(15).unwrap();
/// let mut opening = Opening::new(Procedure::Swap2, size).unwrap();
/// assert_eq!(opening.actor(), Some(Seat::First));
/// opening.apply(&Act::Place(parse_moves("h8 i9 a1").unwrap())).unwrap();
/// assert_eq!(opening.actor(), Some(Seat::Second));
/// opening.apply(&Act::Choose(Colour::Black)).unwrap();
/// assert!(opening.is_finished());
/// assert_eq!(opening.seat_of(Colour::White), Seat::First);
/// assert_eq!(opening.position().side_to_move(), Colour::White);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    procedure: Procedure,
    position: Position,
    black: Seat,
    step: usize,
    fifth_count: u8,
    offers: Vec<Point>,
}

impl Opening {
    /// An opening on an empty board.
    ///
    /// # Errors
    ///
    /// If the board is too small for the procedure.
    pub fn new(procedure: Procedure, size: Size) -> Result<Self, OpeningError> {
        let demands = || steps(procedure).iter().flat_map(|step| step.choices);
        let fits = |choice: &Choice| match choice.demand {
            Demand::Place(areas) => areas.iter().all(|area| area.fits(size)),
            _ => true,
        };
        if !demands().all(fits) {
            return Err(OpeningError::SmallBoard);
        }
        Ok(Self {
            procedure,
            position: Position::new(size),
            black: Seat::First,
            step: if steps(procedure).is_empty() { END } else { 0 },
            fifth_count: 0,
            offers: Vec::new(),
        })
    }

    /// The procedure.
    #[must_use]
    pub const fn procedure(&self) -> Procedure {
        self.procedure
    }

    /// The stones so far; offered fifth moves are not among them.
    #[must_use]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// Who has the colour, as things stand.
    #[must_use]
    pub fn seat_of(&self, colour: Colour) -> Seat {
        match colour {
            Colour::Black => self.black,
            Colour::White => !self.black,
        }
    }

    /// The colour of a player, as things stand.
    #[must_use]
    pub fn colour_of(&self, seat: Seat) -> Colour {
        if seat == self.black {
            Colour::Black
        } else {
            Colour::White
        }
    }

    /// Whether the game goes on without the procedure.
    #[must_use]
    pub const fn is_finished(&self) -> bool {
        self.step == END
    }

    /// Who is to act; `None` if the procedure is finished.
    #[must_use]
    pub fn actor(&self) -> Option<Seat> {
        self.current().map(|step| self.seat_of(step.actor))
    }

    /// What the player who is to act may do: one of these. Empty if the
    /// procedure is finished.
    #[must_use]
    pub fn demands(&self) -> Vec<Demand> {
        let choices = self.current().map_or(&[][..], |step| step.choices);
        choices.iter().map(|c| self.resolve(c.demand)).collect()
    }

    /// What can be demanded after an act that answers `demand`; empty if the
    /// game goes on as usual then, or if `demand` is none of [`Self::demands`].
    #[must_use]
    pub fn demands_after(&self, demand: Demand) -> Vec<Demand> {
        let choices = self.current().map_or(&[][..], |step| step.choices);
        let next = choices.iter().find(|c| self.resolve(c.demand) == demand);
        next.and_then(|choice| steps(self.procedure).get(choice.next))
            .map_or_else(Vec::new, |step| {
                step.choices
                    .iter()
                    .map(|c| self.resolve(c.demand))
                    .collect()
            })
    }

    /// The fifth moves from which one is to be chosen.
    #[must_use]
    pub fn offers(&self) -> &[Point] {
        &self.offers
    }

    fn current(&self) -> Option<&'static Step> {
        steps(self.procedure).get(self.step)
    }

    fn resolve(&self, demand: Demand) -> Demand {
        match demand {
            Demand::Offer(AS_NAMED) => Demand::Offer(self.fifth_count),
            other => other,
        }
    }

    /// Does what the player has decided.
    ///
    /// # Errors
    ///
    /// If the procedure does not allow it; nothing changes.
    pub fn apply(&mut self, act: &Act) -> Result<(), OpeningError> {
        let step = self.current().ok_or(OpeningError::Finished)?;
        let found = step.choices.iter().find_map(|choice| {
            let demand = self.resolve(choice.demand);
            is_answer(act, demand).then_some((demand, choice.next))
        });
        let (demand, next) = found.ok_or_else(|| self.not_now())?;
        self.check(act, demand)?;
        match act {
            Act::Place(points) => points.iter().for_each(|&point| self.position.play(point)),
            Act::Choose(colour) => {
                let actor = self.seat_of(step.actor);
                self.black = match colour {
                    Colour::Black => actor,
                    Colour::White => !actor,
                };
            }
            Act::FifthCount(count) => self.fifth_count = u8::try_from(*count).unwrap_or(u8::MAX),
            Act::Offer(points) => self.offers.clone_from(points),
            Act::Pick(point) => {
                self.position.play(*point);
                self.offers.clear();
            }
        }
        self.step = next;
        Ok(())
    }

    fn not_now(&self) -> OpeningError {
        let wanted: Vec<String> = self.demands().iter().map(Demand::to_string).collect();
        OpeningError::NotNow(wanted.join(", or "))
    }

    fn check(&self, act: &Act, demand: Demand) -> Result<(), OpeningError> {
        match (act, demand) {
            (Act::Place(points), Demand::Place(areas)) => self.check_stones(points, areas),
            (Act::Offer(points), Demand::Offer(count)) => self.check_offer(points, count.into()),
            (&Act::FifthCount(got), Demand::FifthCount(most)) => {
                let most = usize::from(most);
                if (1..=most).contains(&got) {
                    Ok(())
                } else {
                    Err(OpeningError::FifthCount { got, most })
                }
            }
            (Act::Pick(point), Demand::Pick) if !self.offers.contains(point) => {
                Err(OpeningError::NotOffered(*point))
            }
            _ => Ok(()),
        }
    }

    fn check_stones(&self, points: &[Point], areas: &[Area]) -> Result<(), OpeningError> {
        self.check_points(points, areas.len())?;
        for (&point, &area) in points.iter().zip(areas) {
            if !area.contains(self.position.size(), point) {
                return Err(OpeningError::WrongPlace(point, area));
            }
        }
        Ok(())
    }

    fn check_offer(&self, points: &[Point], count: usize) -> Result<(), OpeningError> {
        self.check_points(points, count)?;
        for (index, &point) in points.iter().enumerate() {
            let earlier = points.iter().take(index);
            for &other in earlier {
                if are_symmetric(&self.position, other, point) {
                    return Err(OpeningError::Symmetric(other, point));
                }
            }
        }
        Ok(())
    }

    /// The number is right, and all points are free and different.
    fn check_points(&self, points: &[Point], wanted: usize) -> Result<(), OpeningError> {
        if points.len() != wanted {
            let got = points.len();
            return Err(OpeningError::Count { wanted, got });
        }
        for (index, point) in points.iter().enumerate() {
            if !self.position.size().contains(*point) {
                return Err(OpeningError::Outside(*point));
            }
            let is_repeated = points.iter().take(index).any(|earlier| earlier == point);
            if is_repeated || !self.position.is_empty(*point) {
                return Err(OpeningError::Taken(*point));
            }
        }
        Ok(())
    }
}

/// Whether the act is of the kind that is demanded.
const fn is_answer(act: &Act, demand: Demand) -> bool {
    matches!(
        (act, demand),
        (Act::Place(_), Demand::Place(_))
            | (Act::Choose(_), Demand::Colour)
            | (Act::FifthCount(_), Demand::FifthCount(_))
            | (Act::Offer(_), Demand::Offer(_))
            | (Act::Pick(_), Demand::Pick)
    )
}
