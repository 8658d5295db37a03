//! When two fifth moves are the same move.

use crate::board::{Cell, Point, Position, Symmetry};

/// Whether stones of the side to move on the free points `one` and `other`
/// lead to the same position, turned or mirrored about the middle of the board.
#[must_use]
pub fn are_symmetric(position: &Position, one: Point, other: Point) -> bool {
    let size = position.size();
    let side = position.side_to_move();
    let stones = position.stones().iter().map(|s| (s.point, s.colour));
    let stones: Vec<_> = stones.chain([(one, side)]).collect();
    // The images are as many as the stones of the other position, so it is
    // enough that each of them is there.
    Symmetry::all(size).any(|symmetry| {
        stones.iter().all(|&(point, colour)| {
            let image = symmetry.apply(point, size);
            if image == other {
                colour == side
            } else {
                position.cell(image) == Cell::from(colour)
            }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Size, parse_moves};

    fn check(moves: &str, one: &str, other: &str) -> bool {
        let size = Size::square(15).unwrap();
        let position = Position::from_moves(size, &parse_moves(moves).unwrap()).unwrap();
        let [one, other] = [one, other].map(|text| text.parse().unwrap());
        assert_eq!(
            are_symmetric(&position, one, other),
            are_symmetric(&position, other, one)
        );
        are_symmetric(&position, one, other)
    }

    #[test]
    fn mirrored_points_are_the_same() {
        // All stones stand in the h column.
        assert!(check("h8h9h10h7", "g8", "i8"));
        assert!(check("h8h9h10h7", "a1", "o1"));
        assert!(!check("h8h9h10h7", "g8", "i9"));
        assert!(!check("h8h9h10h7", "a1", "a15"));
        // And one that stands off it.
        assert!(!check("h8h9h10g7", "g8", "i8"));
        assert!(check("h8h9h10g7", "g8", "g8"));
    }

    #[test]
    fn the_place_on_the_board_counts() {
        // Symmetric in themselves, but not in the middle.
        assert!(!check("g8g9g10g7", "f8", "h8"));
    }
}
