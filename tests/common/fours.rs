//! Wins by fours found by trying everything, with nothing but the slow judge:
//! every move that makes a five possible, every reply of the other side; and
//! what that says of a move. For rules without fouls.

use yonsan::board::{Cell, Colour, Direction, Point, Position};
use yonsan::rules::{Rule, judge};

/// Stones that a row of five has beside the two that a four still lacks,
/// before it is made.
const STONES_BEFORE_FOUR: usize = 3;
/// Steps between the first and the last stone of a five.
const FIVE_REACH: i8 = 4;
/// Fours of the longest win that a move's fate takes into account.
const FOURS: u32 = 4;
/// Fours that the side in trouble may throw in before it is given up.
const SPITE_FOURS: u32 = 3;

/// What a move leads to if nobody can do more than fours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It wins by force.
    Wins,
    /// Neither.
    Holds,
    /// The other side wins by force, whatever fours are thrown in.
    Loses,
}

/// The points where a stone of the colour wins at once. The side that would
/// have a row of five without a stone next to the last one does not exist, so
/// only points beside a stone of its own are asked about.
pub fn fives(position: &Position, rule: Rule, colour: Colour) -> Vec<Point> {
    let is_five = |&point: &Point| {
        touches(position, point, colour) && judge::wins(position, rule, point, colour)
    };
    position.empty_points().filter(is_five).collect()
}

fn touches(position: &Position, point: Point, colour: Colour) -> bool {
    Direction::ALL.into_iter().any(|direction| {
        [-1, 1]
            .into_iter()
            .any(|steps| holds(position, point, direction, steps, colour))
    })
}

fn holds(
    position: &Position,
    point: Point,
    direction: Direction,
    steps: i8,
    colour: Colour,
) -> bool {
    point
        .step(direction, steps)
        .is_some_and(|p| position.cell(p) == Cell::from(colour))
}

/// The points where a stone of the colour may make a five possible: three of
/// its stones stand in one line with it within four steps.
pub fn four_candidates(position: &Position, colour: Colour) -> Vec<Point> {
    let near = |point: Point, direction| {
        (-FIVE_REACH..=FIVE_REACH)
            .filter(|&steps| steps != 0 && holds(position, point, direction, steps, colour))
            .count()
    };
    let is_candidate = |&point: &Point| {
        let mut directions = Direction::ALL.into_iter();
        directions.any(|direction| near(point, direction) >= STONES_BEFORE_FOUR)
    };
    position.empty_points().filter(is_candidate).collect()
}

/// Whether the side to move wins by a five at once or at most `fours` fours
/// before it.
pub fn wins_by_fours(position: &mut Position, rule: Rule, fours: u32) -> bool {
    let attacker = position.side_to_move();
    if !fives(position, rule, attacker).is_empty() {
        return true;
    }
    fours > 0
        && four_candidates(position, attacker)
            .into_iter()
            .any(|point| wins_with(position, rule, point, fours - 1))
}

/// Whether the side to move wins with this move: it is a five, or a four after
/// which every reply loses to at most `fours` more fours.
pub fn wins_with(position: &mut Position, rule: Rule, point: Point, fours: u32) -> bool {
    let attacker = position.side_to_move();
    if judge::wins(position, rule, point, attacker) {
        return true;
    }
    position.play(point);
    let threats = fives(position, rule, attacker);
    let wins = !threats.is_empty()
        && fives(position, rule, !attacker).is_empty()
        && every_reply_loses(position, rule, &threats, fours);
    position.undo();
    wins
}

/// Whether no reply of the side to move, which cannot win at once, helps
/// against the fives that threaten on these points.
fn every_reply_loses(position: &mut Position, rule: Rule, threats: &[Point], fours: u32) -> bool {
    let replies: Vec<Point> = position.empty_points().collect();
    replies.into_iter().all(|reply| {
        let defender = position.side_to_move();
        position.play(reply);
        let loses =
            !are_void(position, rule, threats, !defender) || wins_by_fours(position, rule, fours);
        position.undo();
        loses
    })
}

/// Whether the colour no longer wins on any of these points.
fn are_void(position: &Position, rule: Rule, points: &[Point], colour: Colour) -> bool {
    let mut left = points.iter().filter(|&&p| position.is_empty(p));
    !left.any(|&p| judge::wins(position, rule, p, colour))
}

/// What the move of the side to move leads to.
pub fn fate(position: &mut Position, rule: Rule, point: Point) -> Fate {
    fate_within(position, rule, point, SPITE_FOURS)
}

fn fate_within(position: &mut Position, rule: Rule, point: Point, spite_fours: u32) -> Fate {
    if wins_with(position, rule, point, FOURS - 1) {
        return Fate::Wins;
    }
    position.play(point);
    // The short wins first: they are many and cheap.
    let loses = (0..=FOURS).any(|fours| wins_by_fours(position, rule, fours))
        || spite_fours > 0 && is_mere_delay(position, rule, spite_fours - 1);
    position.undo();
    if loses { Fate::Loses } else { Fate::Holds }
}

/// Whether the newest stone makes a four and a reply to it leaves the other
/// side nothing but moves that lose.
fn is_mere_delay(position: &mut Position, rule: Rule, spite_fours: u32) -> bool {
    let troubled = !position.side_to_move();
    let threats = fives(position, rule, troubled);
    let replies: Vec<Point> = position.empty_points().collect();
    !threats.is_empty()
        && replies.into_iter().any(|reply| {
            position.play(reply);
            let points: Vec<Point> = position.empty_points().collect();
            let is_lost = are_void(position, rule, &threats, troubled)
                && points
                    .into_iter()
                    .all(|point| fate_within(position, rule, point, spite_fours) == Fate::Loses);
            position.undo();
            is_lost
        })
}
