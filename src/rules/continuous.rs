//! The continuous game: after a win the game goes on, and the stones that won
//! are out of it.
//!
//! As Piskvork plays it: the stones of the row stay on the board and belong to
//! nobody, and so does a forbidden stone of Black's. They block a row, and at
//! the end of a row they are no opponent's stone.

use super::{Rule, judge};
use crate::board::{Colour, Point, Position, Stone};

/// The position as it counts in a continuous game: every row that has won,
/// and every forbidden stone, is blocked. The side to move stays the same.
///
/// The stones are judged in the order in which they stand in the position.
///
/// # Examples
///
/// ```
/// use yonsan::board::{Cell, Position, Size, parse_moves};
/// use yonsan::rules::{Rule, continuous};
///
/// let moves = parse_moves("h8a1h9b1h10c1h11d1h12").unwrap();
/// let position = Position::from_moves(Size::square(15).unwrap(), &moves).unwrap();
/// let position = continuous::without_wins(&position, Rule::Freestyle);
/// assert_eq!(position.stones().len(), 4);
/// assert_eq!(position.cell(moves[0]), Cell::Wall);
/// ```
#[must_use]
pub fn without_wins(position: &Position, rule: Rule) -> Position {
    let mut blocked: Vec<Point> = position.blocked().iter().collect();
    let mut rest = on_empty_board(position, &[], &blocked);
    for &stone in position.stones() {
        let mut row = judge::winning_row(&rest, rule, stone.point, stone.colour);
        let is_foul = row.is_empty()
            && rule == Rule::Renju
            && stone.colour == Colour::Black
            && judge::renju_foul(&rest, stone.point).is_some();
        if is_foul {
            row.push(stone.point);
        }
        if row.is_empty() {
            rest.set_side_to_move(stone.colour);
            rest.play(stone.point);
        } else {
            blocked.extend(&row);
            let mut stones = rest.stones().to_vec();
            stones.retain(|stone| !row.contains(&stone.point));
            rest = on_empty_board(&rest, &stones, &blocked);
        }
    }
    rest.set_side_to_move(position.side_to_move());
    rest
}

/// A board of the same size with these stones and blocked points.
fn on_empty_board(position: &Position, stones: &[Stone], blocked: &[Point]) -> Position {
    let mut rest = Position::new(position.size());
    for &point in blocked {
        rest.block(point);
    }
    for stone in stones {
        rest.set_side_to_move(stone.colour);
        rest.play(stone.point);
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Cell, Size, parse_moves};

    fn rest(rule: Rule, moves: &str) -> Position {
        let size = Size::square(15).unwrap();
        let position = Position::from_moves(size, &parse_moves(moves).unwrap()).unwrap();
        let rest = without_wins(&position, rule);
        assert_eq!(rest.side_to_move(), position.side_to_move());
        assert_eq!(rest.empty_count(), position.empty_count());
        rest
    }

    fn blocked(position: &Position) -> String {
        position.blocked().iter().map(|p| p.to_string()).collect()
    }

    #[test]
    fn nothing_changes_without_a_win() {
        let moves = "h8a1h9b1h10c1h11d1";
        let position = rest(Rule::Renju, moves);
        let size = Size::square(15).unwrap();
        let same = Position::from_moves(size, &parse_moves(moves).unwrap()).unwrap();
        assert_eq!(position, same);
    }

    #[test]
    fn a_row_that_won_is_nobodys() {
        let position = rest(Rule::Freestyle, "h8a1h9b1h10c1h11d1h12");
        assert_eq!(blocked(&position), "h8h9h10h11h12");
        assert_eq!(position.stones().len(), 4);
        assert_eq!(position.cell("a1".parse().unwrap()), Cell::White);
    }

    #[test]
    fn both_sides_can_win_one_after_the_other() {
        let position = rest(Rule::Standard, "h8a1h9b1h10c1h11d1h12e1");
        assert_eq!(blocked(&position), "a1b1c1d1e1h8h9h10h11h12");
        assert!(position.stones().is_empty());
    }

    /// Five more stones in line with the old ones are a new row of five, not
    /// a part of one of ten.
    #[test]
    fn old_rows_count_no_more() {
        let position = rest(Rule::Standard, "h4a1h5c1h6e1h7g1h8i1h9k1h10m1h11o1h12a3h13");
        assert_eq!(position.blocked().iter().count(), 10);
        assert!(position.stones().iter().all(|s| s.colour == Colour::White));
    }

    /// Piskvork marks one row: the column before the row of points.
    #[test]
    fn of_two_rows_one_is_blocked() {
        let position = rest(Rule::Freestyle, "h4a1h5a3h6a5h7a7d8a9e8a11f8a13g8a15h8");
        assert_eq!(blocked(&position), "h4h5h6h7h8");
        assert_eq!(position.cell("g8".parse().unwrap()), Cell::Black);
    }

    #[test]
    fn a_foul_in_renju_blocks_its_stone() {
        let moves = "h8g6f6g5f7g4h7g3g2a1g7";
        let position = rest(Rule::Renju, moves);
        assert_eq!(blocked(&position), "g7");
        assert_eq!(position.stones().len(), 10);
        assert_eq!(blocked(&rest(Rule::Freestyle, moves)), "");
    }

    #[test]
    fn points_blocked_before_stay_blocked() {
        let mut position = Position::new(Size::square(15).unwrap());
        position.block("h8".parse().unwrap());
        assert_eq!(without_wins(&position, Rule::Caro), position);
    }
}
