//! The opening procedures: how the first stones come about and who gets
//! which colour. What is allowed is the library's affair; here it is put into
//! the words of the protocol. Swap and swap2 use SWAP2BOARD; pro and long pro
//! need no word: Black's second move is asked for by a BOARD on which the
//! points it must not take are taken by nobody.

use super::Trouble;
use super::answer::{Answer, Coordinates};
use super::game::{Ending, Table};
use crate::config::Procedure;
use crate::record::Reason;
use yonsan::board::{Colour, Point, Size};
use yonsan::rules::opening::{Act, Area, Demand, Opening, Seat};

/// Stones after which an engine that puts two more although it must not is
/// taken to stay White: in swap it may have meant swap2.
const FIRST_STONES: usize = 3;

/// Free points where a stone must not stand.
fn closed_points(size: Size, taken: &[Point], area: Area) -> Vec<Point> {
    let is_closed = |p: &Point| !area.contains(size, *p) && !taken.contains(p);
    size.points().filter(is_closed).collect()
}

/// Plays the procedure up to where the game goes on as any other.
pub(super) fn play(table: &mut Table<'_, '_>, procedure: Procedure) -> Result<(), Ending> {
    // The settings were checked: a board that is too small does not get here.
    let Ok(opening) = Opening::new(procedure.rules(), table.size()) else {
        return Ok(());
    };
    let mut play = Play { table, opening };
    while let Some(seat) = play.opening.actor() {
        let seat = index(seat);
        match play.opening.demands().first() {
            Some(Demand::Place([area])) => play.put_one(seat, *area)?,
            Some(Demand::Place(_)) => play.put_several(seat)?,
            Some(Demand::Colour) => play.choose(seat)?,
            _ => break,
        }
    }
    Ok(())
}

/// The index of a player's engine.
const fn index(seat: Seat) -> usize {
    match seat {
        Seat::First => 0,
        Seat::Second => 1,
    }
}

/// A procedure that is being played at a table.
struct Play<'p, 't, 's> {
    table: &'p mut Table<'t, 's>,
    opening: Opening,
}

impl Play<'_, '_, '_> {
    /// The engine has done something; if that was not allowed it has lost.
    fn apply(&mut self, seat: usize, act: &Act) -> Result<(), Ending> {
        let result = self.opening.apply(act);
        result.map_err(|error| {
            self.table
                .loss(seat, Reason::IllegalMove, error.to_string())
        })?;
        self.table
            .set_black(index(self.opening.seat_of(Colour::Black)));
        Ok(())
    }

    /// A stone that is asked for like any move, unless there is only one place
    /// for it.
    fn put_one(&mut self, seat: usize, area: Area) -> Result<(), Ending> {
        let size = self.table.size();
        let before = self.table.moves();
        if area == Area::Within(0) {
            self.table.put_given(size.centre())?;
        } else {
            let closed = closed_points(size, &before, area);
            self.table.play_turn(&closed)?;
        }
        let put = self.table.moves().split_off(before.len());
        self.apply(seat, &Act::Place(put))
    }

    fn put_several(&mut self, seat: usize) -> Result<(), Ending> {
        let reply = self.ask(seat)?;
        let Answer::Three(stones) = reply.answer else {
            return Err(self
                .table
                .loss(seat, Reason::Garbage, "no three stones".to_owned()));
        };
        self.put_proposed(seat, &stones, reply.time_ms)
    }

    fn put_proposed(
        &mut self,
        seat: usize,
        stones: &[Coordinates],
        time_ms: u64,
    ) -> Result<(), Ending> {
        let before = self.table.moves().len();
        self.table.put_proposed(seat, stones, time_ms)?;
        let put = self.table.moves().split_off(before);
        self.apply(seat, &Act::Place(put))
    }

    /// A point as answer means the same with three and with five stones: the
    /// engine stays White and this is its move; SWAP: it takes Black.
    fn choose(&mut self, seat: usize) -> Result<(), Ending> {
        let reply = self.ask(seat)?;
        let demands = self.opening.demands();
        let may_put = demands.iter().any(|d| matches!(d, Demand::Place(_)));
        match reply.answer {
            Answer::Swap => self.apply(seat, &Act::Choose(Colour::Black)),
            Answer::Point(coordinates) => {
                self.apply(seat, &Act::Choose(Colour::White))?;
                self.table.judge(coordinates, reply)
            }
            Answer::Two(stones) if may_put => self.put_proposed(seat, &stones, reply.time_ms),
            // The engine has not swapped and is asked for its move like anybody.
            Answer::Two(_) if self.table.moves().len() == FIRST_STONES => {
                self.apply(seat, &Act::Choose(Colour::White))
            }
            Answer::Two(_) | Answer::Three(_) => {
                let detail = "no choice of colour".to_owned();
                Err(self.table.loss(seat, Reason::Garbage, detail))
            }
        }
    }

    fn ask(&mut self, seat: usize) -> Result<super::Reply, Ending> {
        let moves = self.table.moves();
        let reply = self.table.players[seat].ask_swap(&moves);
        reply.map_err(|trouble| match trouble {
            Trouble::Failed(failure) => self.table.failure(seat, failure),
            Trouble::Stopped => Ending::Stopped,
        })
    }
}

/// The seat across the board.
pub(super) const fn other(seat: usize) -> usize {
    1 - seat
}

/// A coordinate for people.
pub(super) fn describe((x, y): Coordinates) -> String {
    format!("{x},{y}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closed_points_are_the_central_square() {
        let size = Size::square(15).unwrap();
        let centre = size.centre();
        let neighbour = Point::new(8, 8).unwrap();
        let closed = closed_points(size, &[centre, neighbour], Area::Outside(2));
        assert_eq!(closed.len(), 5 * 5 - 2);
        assert!(!closed.contains(&neighbour));
        assert!(closed.contains(&Point::new(5, 9).unwrap()));
        assert!(!closed.contains(&Point::new(4, 7).unwrap()));
        assert_eq!(
            closed_points(size, &[centre], Area::Outside(3)).len(),
            7 * 7 - 1
        );
        assert!(closed_points(size, &[centre], Area::Anywhere).is_empty());
    }
}
