//! All numbers of a net in training.

use super::head::{Head, SIZE_CLASSES};
use super::kernel::{Row, add};
use super::layout::{Layout, SIDE_COUNT, ZERO_ROW};
use rayon::prelude::*;
use std::borrow::Cow;
use std::sync::Arc;
use yonsan::board::Random;

/// Steps of the engine's rows: 32 to a unit.
pub const ROW_SCALE: f32 = 32.0;
/// Largest number of a row, up and down: 127 of the engine's steps.
pub const MOST_ROW: f32 = 127.0 / ROW_SCALE;

/// Rows that are worth a task of their own.
const LEAST_ROWS: usize = 8_192;

/// Where the numbers of the arrays of [`Head::arrays`] begin: at random within
/// this, up and down. The first layer's inputs are sums over the board.
const SPREADS: [f32; super::head::ARRAYS] = [0.03, 0.2, 0.4, 0.1, 0.1, 0.0, 0.4, 0.1, 0.2];
/// The same for the rows of seven cells; all others begin at 0.
const ROW_SPREAD: f32 = 0.15;

/// A net.
#[derive(Clone, Debug)]
pub struct Net {
    /// Which rows make up the row of a window.
    pub layout: Arc<Layout>,
    /// The trained rows; the first stays 0.
    pub rows: Vec<Row>,
    /// The heads of the rule sides.
    pub heads: Vec<Head>,
}

impl Net {
    /// A net that knows nothing yet.
    #[must_use]
    pub fn new(layout: Arc<Layout>, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut spread = |most: f32| (2.0 * random.unit() - 1.0) * most;
        let mut rows = vec![Row::ZERO; layout.row_count()];
        for row in &mut rows[layout.seven_rows()] {
            row.0.fill_with(|| spread(ROW_SPREAD));
        }
        let mut head = Head::ZERO;
        for (array, most) in head.arrays_mut().into_iter().zip(SPREADS) {
            array.fill_with(|| spread(most));
        }
        // Size classes differ only where games say so.
        head.first_bias = [head.first_bias[0]; SIZE_CLASSES];
        Self {
            layout,
            rows,
            heads: vec![head; SIDE_COUNT],
        }
    }

    /// Moves all numbers a part of the way, 0 to 1, to those of another net.
    pub fn approach(&mut self, other: &Self, part: f32) {
        for (row, target) in self.rows.iter_mut().zip(&other.rows) {
            for (number, target) in row.0.iter_mut().zip(&target.0) {
                *number += part * (target - *number);
            }
        }
        for (head, target) in self.heads.iter_mut().zip(&other.heads) {
            for (array, target) in head.arrays_mut().into_iter().zip(target.arrays()) {
                for (number, target) in array.iter_mut().zip(target) {
                    *number += part * (target - *number);
                }
            }
        }
    }
}

/// A net made ready for computing: what the nine cells in the middle of windows
/// are worth is added up beforehand, and numbers are rounded if need be.
#[derive(Clone, Debug)]
pub struct Ready<'a> {
    /// Which rows make up the row of a window.
    pub layout: &'a Layout,
    /// The heads of the rule sides.
    pub heads: Cow<'a, [Head]>,
    rows: &'a [Row],
    middles: Vec<Row>,
    is_rounded: bool,
}

impl<'a> Ready<'a> {
    /// Makes a net ready, as it is or rounded as for the engine; `middles` is
    /// memory to use again.
    #[must_use]
    pub fn new(net: &'a Net, is_rounded: bool, mut middles: Vec<Row>) -> Self {
        let layout = &*net.layout;
        let own_rows = layout.own_rows().into_par_iter();
        own_rows
            .with_min_len(LEAST_ROWS)
            .map(|own| {
                let [seven, shared] = layout.middle(own);
                let mut sum = net.rows[seven as usize];
                add(&mut sum.0, &net.rows[shared as usize].0);
                add(&mut sum.0, &net.rows[own].0);
                sum
            })
            .collect_into_vec(&mut middles);
        let heads = if is_rounded {
            Cow::Owned(net.heads.iter().map(Head::rounded).collect())
        } else {
            Cow::Borrowed(&net.heads[..])
        };
        Self {
            layout,
            heads,
            rows: &net.rows,
            middles,
            is_rounded,
        }
    }

    /// Gives the memory back.
    #[must_use]
    pub fn into_middles(self) -> Vec<Row> {
        self.middles
    }

    /// What the nine cells are worth, by the rule side's own row for them.
    #[inline]
    #[must_use]
    pub fn middle(&self, own: usize) -> Row {
        self.finished(&self.middles[own - self.layout.own_rows().start])
    }

    /// The row of the window with this key, and its [`Layout::ends`].
    #[inline]
    #[must_use]
    pub fn row(&self, key: usize) -> (Row, [u32; 2]) {
        let [own, whole] = self.layout.ends(key);
        // What is missing is the row that is always 0.
        let mut row = self.rows[whole as usize];
        if own != ZERO_ROW {
            let place = own as usize - self.layout.own_rows().start;
            add(&mut row.0, &self.middles[place].0);
        }
        (self.finished(&row), [own, whole])
    }

    /// A row within the limits of the engine's table, and in its steps if
    /// everything is rounded.
    #[inline]
    fn finished(&self, row: &Row) -> Row {
        let row = row.0.map(|item| item.clamp(-MOST_ROW, MOST_ROW));
        Row(if self.is_rounded {
            row.map(|item| (item * ROW_SCALE).round() / ROW_SCALE)
        } else {
            row
        })
    }
}
