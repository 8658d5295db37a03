//! The opening procedures: how the first stones come about and who gets
//! which colour. Swap and swap2 use SWAP2BOARD; pro and long pro need no
//! word of the protocol: Black's second move is asked for by a BOARD on which
//! the points it must not take are taken by nobody.

use super::Trouble;
use super::answer::{Answer, Coordinates};
use super::game::{Ending, Table};
use crate::config::Procedure;
use crate::record::Reason;
use yonsan::board::{Point, Size};

/// Index of the engine that begins.
const FIRST: usize = 0;
/// Index of the other.
const SECOND: usize = 1;

/// How far Black's second stone must be from the centre, at least.
#[must_use]
pub const fn least_distance(procedure: Procedure) -> Option<u8> {
    match procedure {
        Procedure::Pro => Some(3),
        Procedure::LongPro => Some(4),
        Procedure::Free | Procedure::Swap | Procedure::Swap2 => None,
    }
}

/// Free points nearer to the centre than Black's second stone may stand.
fn closed_points(size: Size, taken: &[Point], distance: u8) -> Vec<Point> {
    let is_closed = |p: &Point| p.distance(size.centre()) < distance && !taken.contains(p);
    size.points().filter(is_closed).collect()
}

/// Plays the procedure up to where the game goes on as any other.
pub(super) fn play(table: &mut Table<'_, '_>, procedure: Procedure) -> Result<(), Ending> {
    match procedure {
        Procedure::Free => Ok(()),
        Procedure::Swap | Procedure::Swap2 => play_swap(table, procedure == Procedure::Swap2),
        Procedure::Pro | Procedure::LongPro => {
            play_pro(table, least_distance(procedure).unwrap_or(0))
        }
    }
}

fn play_pro(table: &mut Table<'_, '_>, distance: u8) -> Result<(), Ending> {
    let size = table.size();
    table.put_given(size.centre())?;
    table.play_turn(&[])?;
    let closed = closed_points(size, &table.moves(), distance);
    let before = table.moves().len();
    table.play_turn(&closed)?;
    let stone = table.moves().get(before).copied();
    match stone.filter(|&p| p.distance(size.centre()) < distance) {
        Some(point) => {
            let side = 2 * distance - 1;
            let detail = format!("{point} is inside the central {side}x{side} points");
            Err(table.loss(FIRST, Reason::IllegalMove, detail))
        }
        None => Ok(()),
    }
}

/// A point as answer means the same with three and with five stones: the
/// engine stays White and this is its move; SWAP: it takes Black.
fn play_swap(table: &mut Table<'_, '_>, may_put_two: bool) -> Result<(), Ending> {
    let first = ask(table, FIRST)?;
    let Answer::Three(stones) = first.answer else {
        return Err(table.loss(FIRST, Reason::Garbage, "no three stones".to_owned()));
    };
    table.put_proposed(FIRST, &stones, first.time_ms)?;
    table.set_black(FIRST);
    let choice = ask(table, SECOND)?;
    match choice.answer {
        // In swap there is no third way; the engine has not swapped and is
        // asked for its move like anybody.
        Answer::Two(stones) if may_put_two => {
            table.put_proposed(SECOND, &stones, choice.time_ms)?;
            let last = ask(table, FIRST)?;
            settle(table, FIRST, last)
        }
        Answer::Two(_) => Ok(()),
        _ => settle(table, SECOND, choice),
    }
}

fn ask(table: &mut Table<'_, '_>, seat: usize) -> Result<super::Reply, Ending> {
    let moves = table.moves();
    let reply = table.players[seat].ask_swap(&moves);
    reply.map_err(|trouble| match trouble {
        Trouble::Failed(failure) => table.failure(seat, failure),
        Trouble::Stopped => Ending::Stopped,
    })
}

/// The engine at `seat` has chosen its colour.
fn settle(table: &mut Table<'_, '_>, seat: usize, reply: super::Reply) -> Result<(), Ending> {
    match reply.answer {
        Answer::Swap => {
            table.set_black(seat);
            Ok(())
        }
        Answer::Point((x, y)) => {
            table.set_black(other(seat));
            table.judge((x, y), reply)
        }
        Answer::Two(_) | Answer::Three(_) => {
            Err(table.loss(seat, Reason::Garbage, "no choice of colour".to_owned()))
        }
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
        let closed = closed_points(size, &[centre, neighbour], 3);
        assert_eq!(closed.len(), 5 * 5 - 2);
        assert!(!closed.contains(&neighbour));
        assert!(closed.contains(&Point::new(5, 9).unwrap()));
        assert!(!closed.contains(&Point::new(4, 7).unwrap()));
        assert_eq!(closed_points(size, &[centre], 4).len(), 7 * 7 - 1);
    }
}
