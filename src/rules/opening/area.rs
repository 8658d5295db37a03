//! Parts of the board a stone of an opening is bound to.

use crate::board::{Point, Size};
use std::fmt;

/// Where a stone may stand. Squares lie around [`Size::centre`]; their radius
/// is in king's moves, so that radius 2 is the central 5x5 points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Area {
    /// On every free point.
    Anywhere,
    /// At most so far from the centre; 0 is the centre itself.
    Within(u8),
    /// Farther than this from the centre.
    Outside(u8),
}

impl Area {
    /// Whether a point of the board lies in the area.
    #[must_use]
    pub fn contains(self, size: Size, point: Point) -> bool {
        let distance = point.distance(size.centre());
        size.contains(point)
            && match self {
                Self::Anywhere => true,
                Self::Within(radius) => distance <= radius,
                Self::Outside(radius) => distance > radius,
            }
    }

    /// Whether the board is large enough: a central square lies on it as a
    /// whole, and there is a point outside one that must be left.
    pub(super) fn fits(self, size: Size) -> bool {
        match self {
            Self::Anywhere => true,
            Self::Within(radius) => {
                let centre = size.centre();
                let last = |middle: u8| middle + radius;
                centre.x() >= radius
                    && centre.y() >= radius
                    && last(centre.x()) < size.width()
                    && last(centre.y()) < size.height()
            }
            Self::Outside(_) => size.points().any(|point| self.contains(size, point)),
        }
    }
}

impl fmt::Display for Area {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |radius: u8| 2 * u32::from(radius) + 1;
        match *self {
            Self::Anywhere => f.write_str("on the board"),
            Self::Within(0) => f.write_str("in the centre"),
            Self::Within(radius) => write!(f, "inside the central {0}x{0} points", side(radius)),
            Self::Outside(radius) => write!(f, "outside the central {0}x{0} points", side(radius)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(area: Area, side: u8) -> usize {
        let size = Size::square(side).unwrap();
        size.points().filter(|&p| area.contains(size, p)).count()
    }

    #[test]
    fn areas_have_their_points() {
        assert_eq!(count(Area::Anywhere, 15), 225);
        assert_eq!(count(Area::Within(0), 15), 1);
        assert_eq!(count(Area::Within(2), 20), 25);
        assert_eq!(count(Area::Outside(2), 15), 200);
        assert_eq!(count(Area::Outside(3), 15), 176);
        let size = Size::square(15).unwrap();
        let off_the_board = Point::new(15, 7).unwrap();
        assert!(!Area::Anywhere.contains(size, off_the_board));
        assert!(!Area::Outside(2).contains(size, off_the_board));
    }

    #[test]
    fn areas_need_room() {
        let fits = |area: Area, width, height| area.fits(Size::new(width, height).unwrap());
        assert!(fits(Area::Within(2), 5, 5));
        assert!(!fits(Area::Within(3), 6, 9));
        assert!(fits(Area::Within(4), 9, 9));
        assert!(!fits(Area::Within(4), 8, 9));
        assert!(!fits(Area::Outside(2), 5, 5));
        assert!(fits(Area::Outside(2), 5, 6));
        assert!(!fits(Area::Outside(3), 7, 7));
    }

    #[test]
    fn areas_have_names() {
        let names = [
            (Area::Anywhere, "on the board"),
            (Area::Within(0), "in the centre"),
            (Area::Within(1), "inside the central 3x3 points"),
            (Area::Outside(3), "outside the central 7x7 points"),
        ];
        for (area, name) in names {
            assert_eq!(area.to_string(), name);
        }
    }
}
