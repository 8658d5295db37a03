//! Of which trained rows the row of a window is the sum.
//!
//! The table of the engine has one row for each rule side and window, far too
//! many to learn from the games there are. So the row is a sum: of a row for
//! the seven cells in the middle and one for the nine, which all rule sides
//! share, of one for the nine cells that is the rule side's own, and, if the
//! window has been seen often, of one for all eleven cells. A window is then
//! worth what its middle is worth until there are games that tell more.

use std::collections::HashMap;
use std::ops::Range;
use yonsan::board::CELL_BITS;
use yonsan::eval::nnue::{NARROW_COUNT, RuleSide, WINDOW_COUNT, WindowId};

/// Number of rule sides.
pub const SIDE_COUNT: usize = RuleSide::ALL.len();
/// Number of the row that is always 0: it stands for what is missing.
pub const ZERO_ROW: u32 = 0;

/// Cells of a window.
const WINDOW_CELLS: u32 = 11;

/// Number of a window of a rule side: side times [`WINDOW_COUNT`] plus window.
#[inline]
#[must_use]
pub const fn key(side: RuleSide, window: WindowId) -> usize {
    side.index() * WINDOW_COUNT + window.index()
}

/// Number of keys.
pub const KEY_COUNT: usize = SIDE_COUNT * WINDOW_COUNT;

/// Where the trained rows of every window stand.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Shared row of the seven cells by number of the nine cells.
    seven: Vec<u32>,
    /// By key: the rule side's row of the nine cells and the row of the eleven
    /// cells; [`ZERO_ROW`] for what there is not. Side by side because both
    /// are wanted, and memory is slow.
    ends: Vec<[u32; 2]>,
    /// Number of rows for seven cells.
    seven_count: usize,
    row_count: usize,
}

/// The cells up to `reach` from the centre, the same for mirror images; `None`
/// if there is no stone among them.
fn middle(window: WindowId, reach: u32) -> Option<u32> {
    let cut = WINDOW_CELLS / 2 - reach;
    let cells = 2 * reach + 1;
    let code = window.window() >> (cut * CELL_BITS) & ((1 << (cells * CELL_BITS)) - 1);
    let cell = |code: u32, place: u32| code >> (place * CELL_BITS) & 3;
    let mirrored = (0..cells).fold(0, |image, place| image << CELL_BITS | cell(code, place));
    let has_stone = (0..cells).any(|place| matches!(cell(code, place), 1 | 2));
    has_stone.then(|| code.min(mirrored))
}

impl Layout {
    /// The layout in which the keys that `is_frequent` names have rows for all
    /// eleven cells.
    #[must_use]
    pub fn new(is_frequent: impl Fn(usize) -> bool) -> Self {
        let mut layout = Self {
            seven: vec![ZERO_ROW; NARROW_COUNT],
            ends: vec![[ZERO_ROW; 2]; KEY_COUNT],
            seven_count: 0,
            row_count: 0,
        };
        let mut rows = HashMap::new();
        for window in WindowId::all() {
            if let Some(code) = middle(window, 3) {
                let next = rows.len() as u32 + 1;
                layout.seven[window.narrow().index()] = *rows.entry(code).or_insert(next);
            }
        }
        layout.seven_count = rows.len();
        layout.row_count = layout.side_rows(SIDE_COUNT);
        for window in WindowId::all() {
            let has_middle = middle(window, 4).is_some();
            for side in RuleSide::ALL {
                let key = key(side, window);
                let [own, whole] = &mut layout.ends[key];
                if has_middle {
                    let first = 1 + layout.seven_count + (1 + side.index()) * NARROW_COUNT;
                    *own = (first + window.narrow().index()) as u32;
                }
                if window.stones() > 0 && is_frequent(key) {
                    *whole = layout.row_count as u32;
                    layout.row_count += 1;
                }
            }
        }
        layout
    }

    /// Number of rows, that of [`ZERO_ROW`] included.
    #[must_use]
    pub const fn row_count(&self) -> usize {
        self.row_count
    }

    /// The rows that all rule sides share and that are first learned from: those
    /// of the seven cells.
    #[must_use]
    pub const fn seven_rows(&self) -> Range<usize> {
        1..1 + self.seven_count
    }

    /// Whether the window with this key has a row for all eleven cells.
    #[inline]
    #[must_use]
    pub fn has_whole(&self, key: usize) -> bool {
        self.ends[key][1] != ZERO_ROW
    }

    /// The rows for the nine cells that rule sides have of their own.
    #[must_use]
    pub const fn own_rows(&self) -> Range<usize> {
        self.side_rows(0)..self.side_rows(SIDE_COUNT)
    }

    /// The rows for all eleven cells.
    #[must_use]
    pub const fn whole_rows(&self) -> Range<usize> {
        self.side_rows(SIDE_COUNT)..self.row_count
    }

    /// First row of the nine cells of a rule side; the shared rows come before
    /// those of the first.
    const fn side_rows(&self, side: usize) -> usize {
        1 + self.seven_count + (1 + side) * NARROW_COUNT
    }

    /// The last two of the rows whose sum is the row of the window with this
    /// key: the rule side's own for the nine cells, which [`Layout::middle`]
    /// leads on from, and that for all cells.
    #[inline]
    #[must_use]
    pub fn ends(&self, key: usize) -> [u32; 2] {
        self.ends[key]
    }

    /// The rows that are added to a rule side's own row for nine cells: those
    /// of the seven cells and of the nine that all sides share.
    #[inline]
    #[must_use]
    pub fn middle(&self, own: usize) -> [u32; 2] {
        let narrow = (own - self.side_rows(0)) % NARROW_COUNT;
        [self.seven[narrow], (1 + self.seven_count + narrow) as u32]
    }

    /// The rule side's own row for nine cells, of which the number is given.
    #[must_use]
    pub const fn own_row(&self, side: RuleSide, narrow: usize) -> usize {
        self.side_rows(side.index()) + narrow
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// The rows of a window: seven cells, nine, the side's own nine, all.
    fn rows(layout: &Layout, side: RuleSide, window: WindowId) -> [u32; 4] {
        let [own, whole] = layout.ends(key(side, window));
        if own == ZERO_ROW {
            return [ZERO_ROW, ZERO_ROW, own, whole];
        }
        let [seven, shared] = layout.middle(own as usize);
        assert_eq!(layout.own_row(side, window.narrow().index()), own as usize);
        [seven, shared, own, whole]
    }

    #[test]
    fn windows_share_rows_as_far_as_they_look_alike() {
        let layout = Layout::new(|key| (key % WINDOW_COUNT).is_multiple_of(2));
        let mut nines: HashMap<u32, u32> = HashMap::new();
        let mut sevens: HashMap<u32, u32> = HashMap::new();
        let mut wholes = HashSet::new();
        for window in WindowId::all() {
            let [seven, shared, own, whole] = rows(&layout, RuleSide::Caro, window);
            // The same cells give the same row, and no others do.
            for (cells, row, known) in [(3, seven, &mut sevens), (4, shared, &mut nines)] {
                match middle(window, cells) {
                    None => assert_eq!(row, ZERO_ROW),
                    Some(code) => assert_eq!(*known.entry(code).or_insert(row), row),
                }
            }
            assert_eq!(own == ZERO_ROW, shared == ZERO_ROW);
            assert!(own == ZERO_ROW || layout.own_rows().contains(&(own as usize)));
            assert!(seven == ZERO_ROW || layout.seven_rows().contains(&(seven as usize)));
            let has_whole = window.stones() > 0 && window.index() % 2 == 0;
            assert_eq!(layout.has_whole(key(RuleSide::Caro, window)), has_whole);
            assert_eq!(whole != ZERO_ROW, has_whole, "{window:?}");
            if has_whole {
                assert!(layout.whole_rows().contains(&(whole as usize)));
                assert!(wholes.insert(whole));
            }
        }
        for known in [sevens, nines] {
            let rows: HashSet<u32> = known.values().copied().collect();
            assert_eq!(rows.len(), known.len());
            assert!(!rows.contains(&ZERO_ROW));
        }
        assert_eq!(layout.whole_rows().len(), SIDE_COUNT * wholes.len());
        assert_eq!(layout.row_count(), layout.whole_rows().end);
    }

    #[test]
    fn rule_sides_have_rows_of_their_own() {
        let layout = Layout::new(|_| false);
        let window = WindowId::new(1_000).unwrap();
        let rows = RuleSide::ALL.map(|side| rows(&layout, side, window));
        for (side, row) in rows.iter().enumerate() {
            assert_eq!(row[..2], rows[0][..2]);
            assert_eq!(row[3], ZERO_ROW);
            assert!(rows[..side].iter().all(|other| other[2] != row[2]));
        }
    }
}
