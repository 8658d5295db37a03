//! Which free points are worth a thought.

use crate::board::{Bitboard, POINT_ARRAY_LEN, Point, Position, Size};

/// Steps `(dx, dy)` from a stone to the points that belong to its
/// neighbourhood: the square of two steps around it, and three steps along
/// each line.
fn is_near(dx: u8, dy: u8) -> bool {
    let far = dx.max(dy);
    far <= 2 || far == 3 && (dx == 0 || dy == 0 || dx == dy)
}

/// The neighbourhood of every point of a board.
#[derive(Clone, Debug)]
pub(super) struct Neighbourhoods {
    size: Size,
    sets: Vec<Bitboard>,
}

impl Neighbourhoods {
    pub(super) fn new(size: Size) -> Self {
        let mut sets = vec![Bitboard::EMPTY; POINT_ARRAY_LEN];
        for from in size.points() {
            sets[from.index()] = size
                .points()
                .filter(|p| is_near(p.x().abs_diff(from.x()), p.y().abs_diff(from.y())))
                .collect();
        }
        Self { size, sets }
    }

    pub(super) const fn size(&self) -> Size {
        self.size
    }

    #[inline]
    pub(super) fn of(&self, point: Point) -> Bitboard {
        self.sets[point.index()]
    }

    /// The neighbourhoods of all stones together; the centre of an empty board.
    pub(super) fn of_position(&self, position: &Position) -> Bitboard {
        let stones = position.stones();
        if stones.is_empty() {
            let mut set = Bitboard::EMPTY;
            set.insert(self.size.centre());
            return set;
        }
        stones
            .iter()
            .fold(Bitboard::EMPTY, |set, stone| set | self.of(stone.point))
    }
}
