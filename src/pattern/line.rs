//! Finds the shape of a line from its cells: the definitions behind the tables.

use super::shape::Shape;
use crate::board::Colour;
use crate::rules::Rule;

/// Cells on either side of the point that can matter.
const REACH: u32 = 5;
const CENTRE: u32 = 1 << REACH;
/// Places where a stone can be in one winning row with the centre.
const ROW_CELLS: std::ops::RangeInclusive<u32> = REACH - 4..=REACH + 4;
const FIVE: u32 = 0b1_1111;

/// What counts as a winning row for one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LineRule {
    /// Six or more win too.
    pub long_wins: bool,
    /// A five with an opponent's stone at both ends wins nothing.
    pub closed_fails: bool,
    /// Six or more, and two fours, are fouls.
    pub has_fouls: bool,
}

impl LineRule {
    /// The rule of a line for one side.
    #[must_use]
    pub const fn new(rule: Rule, colour: Colour) -> Self {
        let black_renju = matches!((rule, colour), (Rule::Renju, Colour::Black));
        Self {
            long_wins: matches!(rule, Rule::Freestyle | Rule::Renju | Rule::Caro) && !black_renju,
            closed_fails: matches!(rule, Rule::Caro | Rule::CaroExact),
            has_fouls: black_renju,
        }
    }
}

/// The eleven cells around a point that holds a stone of the side in question,
/// one bit a cell in each set; cells in no set are free.
#[derive(Clone, Copy, Debug)]
struct Window {
    own: u32,
    opponent: u32,
    wall: u32,
}

/// A row of five cells with four own stones, and what stops it.
#[derive(Clone, Copy, Debug)]
struct FourRow {
    stones: u32,
    /// Cells where one stone of the opponent makes the row worthless.
    stoppers: u32,
}

/// Computes shapes, remembering all it has seen.
pub(super) struct ShapeFinder {
    rule: LineRule,
    /// By the key of [`Self::shape`]; [`ShapeFinder::UNKNOWN`] where not yet computed.
    known: Vec<u8>,
}

impl ShapeFinder {
    const UNKNOWN: u8 = u8::MAX;

    pub(super) fn new(rule: LineRule) -> Self {
        Self {
            rule,
            known: vec![Self::UNKNOWN; 1 << (4 * REACH)],
        }
    }

    /// The shape a stone in the centre makes. `key` holds the ten cells around
    /// it, two bits each: 0 free, 1 own, 2 the opponent's, 3 wall.
    pub(super) fn shape(&mut self, key: u32) -> Shape {
        let index = key as usize;
        if self.known[index] == Self::UNKNOWN {
            let shape = self.find(key) as u8;
            self.known[index] = shape;
            self.known[mirrored(key) as usize] = shape;
        }
        Shape::from_bits(u32::from(self.known[index]))
    }

    fn find(&mut self, key: u32) -> Shape {
        let window = Window::from_key(key);
        if (0..5).any(|shift| window.wins(self.rule, FIVE << (shift + 1))) {
            return Shape::Five;
        }
        if self.rule.has_fouls && window.run_length() > 5 {
            return Shape::Overline;
        }
        if let Some(four) = window.four_shape(self.rule) {
            return four;
        }
        let mut seen = [0; Shape::COUNT];
        for cell in ROW_CELLS.filter(|&cell| window.is_free(cell)) {
            let bits = if cell < REACH {
                2 * cell
            } else {
                2 * (cell - 1)
            };
            let next = self.shape(key | 1 << bits);
            seen[next as usize] += 1;
        }
        shape_from_next(&seen)
    }
}

/// The same ten cells seen from the other end.
const fn mirrored(key: u32) -> u32 {
    const LOW: u32 = 0x5555_5555;
    let bits = key.reverse_bits() >> (32 - 4 * REACH);
    (bits & LOW) << 1 | bits >> 1 & LOW
}

/// The shape from the numbers of shapes that one more stone can make.
fn shape_from_next(seen: &[u32; Shape::COUNT]) -> Shape {
    let count = |shape: Shape| seen[shape as usize];
    let open_threes = count(Shape::OpenThree) + count(Shape::WideThree);
    let open_twos = count(Shape::OpenTwo) + count(Shape::WideTwo);
    if count(Shape::OpenFour) >= 2 {
        Shape::WideThree
    } else if count(Shape::OpenFour) == 1 {
        Shape::OpenThree
    } else if count(Shape::Four) > 0 {
        Shape::ClosedThree
    } else if count(Shape::WideThree) >= 2 {
        Shape::WideTwo
    } else if open_threes > 0 {
        Shape::OpenTwo
    } else if count(Shape::ClosedThree) > 0 {
        Shape::ClosedTwo
    } else if open_twos > 0 {
        Shape::OpenOne
    } else if count(Shape::ClosedTwo) > 0 {
        Shape::ClosedOne
    } else {
        Shape::Dead
    }
}

impl Window {
    fn from_key(key: u32) -> Self {
        let mut window = Self {
            own: CENTRE,
            opponent: 0,
            wall: 0,
        };
        for place in 0..2 * REACH {
            let cell = if place < REACH { place } else { place + 1 };
            match key >> (2 * place) & 3 {
                0 => {}
                1 => window.own |= 1 << cell,
                2 => window.opponent |= 1 << cell,
                _ => window.wall |= 1 << cell,
            }
        }
        window
    }

    fn is_free(self, cell: u32) -> bool {
        (self.own | self.opponent | self.wall) >> cell & 1 == 0
    }

    /// The two cells right outside a row.
    fn ends(row: u32) -> u32 {
        (row << 1 | row >> 1) & !row
    }

    /// Whether five own stones in these cells would win, as their ends stand.
    fn row_counts(self, rule: LineRule, row: u32) -> bool {
        let ends = Self::ends(row);
        (rule.long_wins || self.own & ends == 0)
            && !(rule.closed_fails && self.opponent & ends == ends)
    }

    fn wins(self, rule: LineRule, row: u32) -> bool {
        self.own & row == row && self.row_counts(rule, row)
    }

    /// Number of own stones in a row through the centre.
    fn run_length(self) -> u32 {
        let above = (self.own >> REACH).trailing_ones();
        let below = (self.own << (31 - REACH)).leading_ones();
        above + below - 1
    }

    /// The rows through the centre that one more stone completes.
    fn four_rows(self, rule: LineRule) -> impl Iterator<Item = FourRow> {
        (0..5)
            .map(|shift| FIVE << (shift + 1))
            .filter_map(move |row| {
                let missing = row & !self.own;
                let free = missing & !self.opponent & !self.wall;
                if missing.count_ones() != 1 || free == 0 || !self.row_counts(rule, row) {
                    return None;
                }
                let ends = Self::ends(row);
                let mut stoppers = missing;
                if rule.closed_fails && self.opponent & ends != 0 && self.own & ends == 0 {
                    stoppers |= ends & !self.opponent & !self.wall;
                }
                Some(FourRow {
                    stones: row & self.own,
                    stoppers,
                })
            })
    }

    /// The four this window holds, if it holds one.
    fn four_shape(self, rule: LineRule) -> Option<Shape> {
        let mut rows = self.four_rows(rule);
        let first = rows.next()?;
        let mut common_stoppers = first.stoppers;
        let mut different_stones = false;
        for row in rows {
            common_stoppers &= row.stoppers;
            different_stones |= row.stones != first.stones;
        }
        Some(if rule.has_fouls && different_stones {
            Shape::DoubleFour
        } else if common_stoppers == 0 {
            Shape::OpenFour
        } else {
            Shape::Four
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The shape of the point marked `*` in a line of `.` free, `x` own, `o`
    /// opponent's and `#` wall; cells not drawn are free.
    fn shape(line: &str, rule: Rule) -> Shape {
        let centre = line.find('*').unwrap() as i32;
        let mut key = 0;
        for (i, c) in line.chars().enumerate() {
            let offset = i as i32 - centre;
            let bits = match c {
                'x' => 1,
                'o' => 2,
                '#' => 3,
                _ => continue,
            };
            let place = match offset {
                -5..=-1 => offset + 5,
                1..=5 => offset + 4,
                _ => continue,
            };
            key |= bits << (2 * place);
        }
        ShapeFinder::new(LineRule::new(rule, Colour::Black)).shape(key)
    }

    #[test]
    fn freestyle_shapes() {
        for (line, expected) in [
            ("xx*xx", Shape::Five),
            ("xxx*xx", Shape::Five),
            ("xx*x", Shape::OpenFour),
            ("oxx*x", Shape::Four),
            ("oxx*xo", Shape::Dead),
            ("x.x*x", Shape::Four),
            ("x.x*.x", Shape::WideThree),
            ("x.xx*.x", Shape::OpenFour),
            ("x.xx*", Shape::Four),
            ("x.xxx.*", Shape::Four),
            ("x.x*x.x", Shape::OpenFour),
            ("x*x", Shape::WideThree),
            ("x.*x", Shape::OpenThree),
            ("ox*x", Shape::ClosedThree),
            ("o.x*x.o", Shape::ClosedThree),
            ("o.x*x..", Shape::OpenThree),
            ("#.x*x..", Shape::OpenThree),
            ("x*", Shape::WideTwo),
            ("o.x*..o", Shape::ClosedTwo),
            ("ox*", Shape::ClosedTwo),
            ("*", Shape::OpenOne),
            ("#*", Shape::ClosedOne),
            ("o..*.o", Shape::Dead),
        ] {
            assert_eq!(shape(line, Rule::Freestyle), expected, "{line}");
        }
    }

    #[test]
    fn exact_fives_need_free_ends() {
        for (line, expected) in [
            ("xxx*xx", Shape::Dead),
            ("xx*xx", Shape::Five),
            ("x.xx*x", Shape::Four),
            ("x.xx*x.x", Shape::Dead),
            ("x.xxx*o", Shape::Dead),
        ] {
            assert_eq!(shape(line, Rule::Standard), expected, "{line}");
        }
        for (line, expected) in [
            ("xxx*xx", Shape::Overline),
            ("xx*xx", Shape::Five),
            ("x.x*x.x", Shape::DoubleFour),
            ("xx.x*.xx", Shape::DoubleFour),
            ("xxx.*.xxx", Shape::DoubleFour),
            ("xx*x", Shape::OpenFour),
            ("x.xx*x", Shape::Four),
            ("x.x*x", Shape::Four),
            ("x..x*x", Shape::OpenThree),
        ] {
            assert_eq!(shape(line, Rule::Renju), expected, "{line}");
        }
    }

    #[test]
    fn caro_rows_die_between_opponents() {
        for (line, expected) in [
            ("oxx*xxo", Shape::Dead),
            ("oxx*xx.", Shape::Five),
            ("#xx*xxo", Shape::Five),
            ("oxxx*xxo", Shape::Five),
            ("xx*x", Shape::OpenFour),
            ("xx*x.o", Shape::Four),
            ("o.xx*x.o", Shape::Four),
            ("oxx*x", Shape::Four),
            ("oxx*x.o", Shape::Dead),
            ("o.xx*x", Shape::Four),
        ] {
            assert_eq!(shape(line, Rule::Caro), expected, "{line}");
        }
        assert_eq!(shape("oxxx*xxo", Rule::CaroExact), Shape::Dead);
        assert_eq!(shape("xxx*xx", Rule::CaroExact), Shape::Dead);
    }

    #[test]
    fn a_line_has_one_shape_from_both_ends() {
        // Two bits a cell: 0 1 2 3 ... becomes ... 3 2 1 0.
        assert_eq!(
            mirrored(0b00_01_10_11_00_01_01_10_10_11),
            0b11_10_10_01_01_00_11_10_01_00
        );
        for colour in Colour::ALL {
            for rule in Rule::ALL {
                let line_rule = LineRule::new(rule, colour);
                for key in (0..1 << (4 * REACH)).step_by(1009) {
                    let from_one = ShapeFinder::new(line_rule).shape(key);
                    let from_other = ShapeFinder::new(line_rule).shape(mirrored(key));
                    assert_eq!(from_one, from_other, "{rule} {key:x}");
                }
            }
        }
    }

    #[test]
    fn nothing_outside_a_wall_matters() {
        assert_eq!(
            shape("xx#*.xx", Rule::Freestyle),
            shape("oo#*.xx", Rule::Freestyle)
        );
    }
}
