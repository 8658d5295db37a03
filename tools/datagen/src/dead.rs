//! Positions nobody can win any more.

use yonsan::board::{Colour, Direction, Point, Position};

/// Length of the shortest row that wins under any rule.
const ROW: i8 = 5;

/// Whether no row of five can come for either side: on every stretch of five
/// points stands a stone of each, or the edge ends it. Then nobody wins under
/// any rule, and no foul is possible, for every foul is made of such rows.
#[must_use]
pub fn is_dead(position: &Position) -> bool {
    let mut points = position.size().points();
    !points.any(|point| {
        Direction::ALL
            .into_iter()
            .any(|direction| is_open(position, point, direction))
    })
}

/// Whether one side can still fill the stretch that begins at the point.
fn is_open(position: &Position, from: Point, direction: Direction) -> bool {
    let mut owner: Option<Colour> = None;
    for steps in 0..ROW {
        let Some(point) = from.step(direction, steps) else {
            return false;
        };
        if position.is_empty(point) {
            continue;
        }
        let Some(colour) = position.cell(point).colour() else {
            return false;
        };
        if *owner.get_or_insert(colour) != colour {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use yonsan::board::Size;

    /// A position drawn from the top row down; whose turn it is does not
    /// matter here.
    fn position(rows: &[&str]) -> Position {
        let (width, height) = (rows[0].len() as u8, rows.len() as u8);
        let mut position = Position::new(Size::new(width, height).unwrap());
        for (y, row) in (0..height).rev().zip(rows) {
            for (x, mark) in (0..width).zip(row.chars()) {
                let colour = match mark {
                    'X' => Colour::Black,
                    'O' => Colour::White,
                    _ => continue,
                };
                position.set_side_to_move(colour);
                position.play(Point::new(x, y).unwrap());
            }
        }
        position
    }

    #[test]
    fn one_open_stretch_keeps_the_game_alive() {
        let dead = [
            "XO.XO", //
            "OX.OX", //
            "..X..", //
            "XO.OX", //
            "OX.XO",
        ];
        // The column in the middle is Black's alone, and so is its row.
        assert!(!is_dead(&position(&dead)));
        let mut rows = dead;
        rows[2] = "O.X.."; // closes the row
        assert!(!is_dead(&position(&rows)));
        rows[0] = "XOOXO"; // closes the column
        assert!(is_dead(&position(&rows)));
        rows[0] = "XOXXO";
        assert!(!is_dead(&position(&rows)));
    }

    #[test]
    fn diagonals_and_white_count() {
        let rows = [
            "OX.XX", //
            "XOXOX", //
            "OXO.O", //
            "XOXOX", //
            "OX.X.",
        ];
        // One long diagonal is White's.
        assert!(!is_dead(&position(&rows)));
        let mut closed = rows;
        closed[4] = "OX.XX";
        assert!(is_dead(&position(&closed)));
    }

    #[test]
    fn an_empty_board_is_alive() {
        for (width, height) in [(5, 5), (22, 5), (22, 22)] {
            let size = Size::new(width, height).unwrap();
            assert!(!is_dead(&Position::new(size)));
        }
    }
}
