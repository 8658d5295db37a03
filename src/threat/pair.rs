//! Rows that lack two stones, as pairs of points: what wins by fours are made
//! of. One point is the gain square of a four, the other its cost square, in the
//! terms of Allis, van den Herik and Huntjens (*Go-Moku Solved by New Search
//! Techniques*, 1993).

use crate::board::{POINT_ARRAY_LEN, Point};

/// The two free points of a row whose other stones are one side's: a stone on
/// one makes a four, which a stone on the other stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pair(pub Point, pub Point);

impl Pair {
    pub(super) fn has(self, point: Point) -> bool {
        self.0 == point || self.1 == point
    }

    /// The point that stops a four on the other, which must be one of the pair.
    pub(super) fn stopper(self, four: Point) -> Point {
        if self.0 == four { self.1 } else { self.0 }
    }
}

/// Keeps those of `pairs[first..]` that fit.
pub(super) fn retain_from(pairs: &mut Vec<Pair>, first: usize, fits: impl Fn(Pair) -> bool) {
    let mut end = first;
    for index in first..pairs.len() {
        let pair = pairs[index];
        pairs[end] = pair;
        end += usize::from(fits(pair));
    }
    pairs.truncate(end);
}

/// Which points of a position have been seen to make a four, and what point
/// stops it.
#[derive(Clone, Debug)]
pub(super) struct SeenFours {
    /// Number of the position, and the point that stops the four.
    notes: Box<[(u32, Option<Point>); POINT_ARRAY_LEN]>,
    position: u32,
}

impl SeenFours {
    pub(super) fn new() -> Self {
        Self {
            notes: Box::new([(0, None); POINT_ARRAY_LEN]),
            position: 0,
        }
    }

    /// Begins another position.
    pub(super) fn forget(&mut self) {
        if self.position == u32::MAX {
            self.notes.fill((0, None));
            self.position = 0;
        }
        self.position += 1;
    }

    /// Notes a four and what stops it; if it has been seen already, returns
    /// what stopped it then.
    pub(super) fn note(&mut self, four: Point, stopper: Point) -> Option<Point> {
        let note = &mut self.notes[four.index()];
        if note.0 == self.position {
            return note.1;
        }
        *note = (self.position, Some(stopper));
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(text: &str) -> Point {
        text.parse().unwrap()
    }

    #[test]
    fn pairs_are_kept_from_an_index_on() {
        let [a, b, c] = ["a1", "b2", "c3"].map(point);
        let mut pairs = vec![Pair(a, b), Pair(b, c), Pair(a, b), Pair(c, a)];
        retain_from(&mut pairs, 1, |pair| !pair.has(b));
        assert_eq!(pairs, [Pair(a, b), Pair(c, a)]);
        assert_eq!([a, c].map(|four| pairs[1].stopper(four)), [c, a]);
    }

    #[test]
    fn fours_are_seen_once_a_position() {
        let [a, b, c] = ["a1", "b2", "c3"].map(point);
        let mut seen = SeenFours::new();
        seen.forget();
        assert_eq!(seen.note(a, b), None);
        assert_eq!(seen.note(a, c), Some(b));
        assert_eq!(seen.note(b, a), None);
        seen.forget();
        assert_eq!(seen.note(a, c), None);
        // Numbers begin again.
        seen.position = u32::MAX;
        assert_eq!(seen.note(b, c), None);
        seen.forget();
        assert_eq!(seen.note(b, a), None);
    }
}
