//! The four shapes of a point, folded: their order does not matter.

use super::line::LineRule;
use super::shape::Shape;
use super::table::boxed_array;
use once_cell::sync::Lazy;

/// Number of different combos: multisets of four out of 14 shapes.
pub const COMBO_COUNT: usize = 2380;

const _: () = assert!(
    COMBO_COUNT == Shape::COUNT * (Shape::COUNT + 1) * (Shape::COUNT + 2) * (Shape::COUNT + 3) / 24
);

const CODE_COUNT: usize = 1 << (4 * Shape::BITS);

/// What a stone on a free point makes in all four directions, for one colour:
/// a number below [`COMBO_COUNT`]. Combo 0 is four dead shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Combo(u16);

struct Folding {
    combos: Box<[Combo; CODE_COUNT]>,
    shapes: Vec<[Shape; 4]>,
}

static FOLDING: Lazy<Folding> = Lazy::new(Folding::new);

impl Folding {
    fn new() -> Self {
        let mut shapes = Vec::with_capacity(COMBO_COUNT);
        let mut combos = vec![Combo(0); CODE_COUNT];
        for a in Shape::ALL {
            for b in Shape::ALL.into_iter().take_while(|&b| b <= a) {
                for c in Shape::ALL.into_iter().take_while(|&c| c <= b) {
                    for d in Shape::ALL.into_iter().take_while(|&d| d <= c) {
                        combos[code([a, b, c, d])] = Combo(shapes.len() as u16);
                        shapes.push([a, b, c, d]);
                    }
                }
            }
        }
        for index in 0..CODE_COUNT {
            let mut parts = [0, 4, 8, 12].map(|bits| Shape::from_bits((index >> bits) as u32));
            parts.sort_unstable_by(|a, b| b.cmp(a));
            combos[index] = combos[code(parts)];
        }
        Self {
            combos: boxed_array(combos),
            shapes,
        }
    }
}

fn code(shapes: [Shape; 4]) -> usize {
    shapes
        .into_iter()
        .rev()
        .fold(0, |code, shape| code << Shape::BITS | shape as usize)
}

impl Combo {
    /// All combos.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..COMBO_COUNT as u16).map(Self)
    }

    /// The combo of four shapes in any order.
    #[must_use]
    pub fn of(shapes: [Shape; 4]) -> Self {
        FOLDING.combos[code(shapes)]
    }

    /// The combo of four packed shapes, the first in the lowest bits.
    pub(super) fn of_code(code: u32) -> Self {
        FOLDING.combos[code as usize & (CODE_COUNT - 1)]
    }

    /// The combo with this [`Combo::index`], which must be one.
    pub(super) const fn from_index(index: u16) -> Self {
        Self(index)
    }

    /// A number below [`COMBO_COUNT`], for tables.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The four shapes, strongest first.
    #[must_use]
    pub fn shapes(self) -> [Shape; 4] {
        FOLDING.shapes[self.index()]
    }

    /// What the stone amounts to under a rule.
    #[must_use]
    pub fn class(self, rule: LineRule) -> Class {
        let shapes = self.shapes();
        let count = |wanted: fn(Shape) -> bool| shapes.iter().filter(|&&s| wanted(s)).count();
        let fours = count(|s| matches!(s, Shape::Four | Shape::OpenFour));
        let threes = count(Shape::is_open_three);
        let has = |shape| shapes.contains(&shape);
        if has(Shape::Five) {
            Class::Five
        } else if rule.has_fouls && (has(Shape::Overline) || has(Shape::DoubleFour) || fours >= 2) {
            Class::Forbidden
        } else if has(Shape::OpenFour) {
            Class::OpenFour
        } else if fours >= 2 || has(Shape::DoubleFour) {
            Class::DoubleFour
        } else if fours == 1 {
            if threes > 0 {
                Class::FourThree
            } else {
                Class::Four
            }
        } else {
            match threes {
                0 => Class::Quiet,
                1 => Class::Three,
                _ => Class::DoubleThree,
            }
        }
    }

    /// Whether a stone may be a double three: to be found out by looking
    /// further, where that is forbidden.
    #[must_use]
    pub fn may_be_double_three(self) -> bool {
        self.shapes().iter().filter(|s| s.is_open_three()).count() >= 2
    }
}

/// What a stone on a free point amounts to, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Class {
    /// No threat.
    Quiet = 0,
    /// One open three.
    Three,
    /// Two or more open threes; in renju, for Black, perhaps forbidden.
    DoubleThree,
    /// One four.
    Four,
    /// A four and an open three.
    FourThree,
    /// Two fours in different directions.
    DoubleFour,
    /// An open four.
    OpenFour,
    /// A winning row.
    Five,
    /// An overline or a double four where that is forbidden.
    Forbidden,
}

impl Class {
    /// Number of classes.
    pub const COUNT: usize = 9;

    /// The group the class belongs to, if it belongs to one.
    #[must_use]
    pub const fn group(self) -> Option<Group> {
        match self {
            Self::Quiet => None,
            Self::Three => Some(Group::Three),
            Self::DoubleThree => Some(Group::DoubleThree),
            Self::Four => Some(Group::Four),
            Self::FourThree => Some(Group::FourThree),
            Self::DoubleFour | Self::OpenFour => Some(Group::StrongFour),
            Self::Five => Some(Group::Five),
            Self::Forbidden => Some(Group::Forbidden),
        }
    }
}

/// Classes of which the grid keeps point sets and counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Group {
    /// A stone makes one open three and no four.
    Three = 0,
    /// A stone makes two or more open threes and no four.
    DoubleThree,
    /// A stone makes exactly one four, which one stone stops, and no open three.
    Four,
    /// A stone makes exactly one four, and open threes.
    FourThree,
    /// A stone makes an open four or two fours: it wins unless the opponent
    /// can make a five first.
    StrongFour,
    /// A stone wins.
    Five,
    /// A stone is an overline or a double four where that is forbidden.
    Forbidden,
}

impl Group {
    /// Number of groups.
    pub const COUNT: usize = 7;

    /// All groups.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Three,
        Self::DoubleThree,
        Self::Four,
        Self::FourThree,
        Self::StrongFour,
        Self::Five,
        Self::Forbidden,
    ];
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Colour;
    use crate::rules::Rule;

    #[test]
    fn folding_forgets_the_order_only() {
        let mut used = vec![false; COMBO_COUNT];
        for index in 0..CODE_COUNT {
            let shapes = [0, 4, 8, 12].map(|bits| Shape::from_bits((index >> bits) as u32));
            let combo = Combo::of(shapes);
            let mut sorted = shapes;
            sorted.sort_unstable_by(|a, b| b.cmp(a));
            assert_eq!(combo.shapes(), sorted);
            used[combo.index()] = true;
        }
        assert!(used.into_iter().all(|used| used));
        assert_eq!(Combo::of([Shape::Dead; 4]), Combo::default());
    }

    #[test]
    fn classes_of_black_and_white_in_renju() {
        use Shape::{Dead, Five, Four, OpenFour, OpenThree, Overline, WideThree};
        let black = LineRule::new(Rule::Renju, Colour::Black);
        let white = LineRule::new(Rule::Renju, Colour::White);
        for (shapes, of_black, of_white) in [
            (
                [Four, Four, Dead, Dead],
                Class::Forbidden,
                Class::DoubleFour,
            ),
            ([Five, Four, Four, Overline], Class::Five, Class::Five),
            ([Overline, Dead, Dead, Dead], Class::Forbidden, Class::Quiet),
            (
                [Four, OpenThree, WideThree, Dead],
                Class::FourThree,
                Class::FourThree,
            ),
            (
                [OpenFour, Four, Dead, Dead],
                Class::Forbidden,
                Class::OpenFour,
            ),
            (
                [OpenThree, WideThree, Dead, Dead],
                Class::DoubleThree,
                Class::DoubleThree,
            ),
        ] {
            assert_eq!(Combo::of(shapes).class(black), of_black, "{shapes:?}");
            assert_eq!(Combo::of(shapes).class(white), of_white, "{shapes:?}");
        }
    }
}
