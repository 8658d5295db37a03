//! The table of a rule side as it is trained and stored: a row for the nine
//! cells in the middle of a window, and for the windows that were seen often
//! enough a row that is added to it.
//!
//! Coded as five streams of [`super::codec`]: which windows have a row of
//! their own, and the rows, four streams side by side, because a processor
//! decodes four in little more time than one. A number is coded bit by bit,
//! highest first, by models that depend on the channel, on the bits before and
//! on how large the number above it in the row before was.

use super::codec::{Decoder, Encoder, Model};
use super::window::{NARROW_COUNT, WINDOW_COUNT, WindowId};

/// Numbers a window has for one point of view.
pub const CHANNELS: usize = 16;

/// The numbers of one window for one point of view, 32 to the unit.
pub type TableRow = [i8; CHANNELS];

/// Streams of rows.
const LANES: usize = 4;
const STREAMS: usize = 1 + LANES;
const LENGTH_BYTES: usize = size_of::<u32>();
/// How many classes of size the number above has.
const SIZES: usize = 4;
const BYTE_VALUES: usize = 256;
/// Windows before a window whose presence tells something of its own.
const NEIGHBOURS: u32 = 4;
const PRESENCE_CONTEXTS: usize = 1 << NEIGHBOURS;
/// Windows have 0 to 11 stones.
const STONE_COUNTS: usize = 12;

/// The table of one rule side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactorTable {
    /// By [`NarrowId`](super::NarrowId): the row of the nine cells in the
    /// middle. Always [`NARROW_COUNT`] rows.
    pub narrow: Vec<TableRow>,
    /// What some windows add to it, each at most once and in their order.
    pub residual: Vec<(WindowId, TableRow)>,
}

impl FactorTable {
    /// A table of nothing but zeros.
    #[must_use]
    pub fn new() -> Self {
        Self {
            narrow: vec![[0; CHANNELS]; NARROW_COUNT],
            residual: Vec::new(),
        }
    }

    /// Whether there are as many rows as there must be, and in order.
    #[must_use]
    pub fn is_well_formed(&self) -> bool {
        self.narrow.len() == NARROW_COUNT && self.residual.is_sorted_by(|a, b| a.0 < b.0)
    }

    /// The rows of all windows, by index: the sums, each cut to ±127, and 0
    /// for windows without a stone.
    #[must_use]
    pub fn expand(&self) -> Vec<TableRow> {
        let mut residual = self.residual.iter().peekable();
        let row = |id: WindowId| {
            let own = residual.next_if(|row| row.0 == id).map(|row| row.1);
            if id.stones() == 0 {
                return [0; CHANNELS];
            }
            let mut sum = self.narrow[id.narrow().index()];
            for (number, own) in sum.iter_mut().zip(own.unwrap_or_default()) {
                *number = number.saturating_add(own).max(-i8::MAX);
            }
            sum
        };
        WindowId::all().map(row).collect()
    }

    /// The coded table.
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut presence = Encoder::new();
        let mut residual = self.residual.iter().peekable();
        let mut models = PresenceModels::new();
        for id in WindowId::all() {
            let is_present = residual.next_if(|row| row.0 == id).is_some();
            presence.encode(is_present, models.of(id));
            models.note(is_present);
        }
        let mut lanes = [const { Encoder::new() }; LANES];
        let own_rows: Vec<TableRow> = self.residual.iter().map(|row| row.1).collect();
        for rows in [&self.narrow, &own_rows] {
            let mut models = RowModels::new();
            let mut above = [0; CHANNELS];
            for row in rows {
                models.encode(row, &above, &mut lanes);
                above = *row;
            }
        }
        let streams: Vec<Vec<u8>> = [presence]
            .into_iter()
            .chain(lanes)
            .map(Encoder::finish)
            .collect();
        let lengths = streams.iter().map(|stream| stream.len() as u32);
        let mut bytes: Vec<u8> = lengths.flat_map(u32::to_le_bytes).collect();
        bytes.extend(streams.into_iter().flatten());
        bytes
    }

    /// Decodes a table; `None` if it is none.
    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let [presence, lanes @ ..] = split(bytes)?;
        let mut presence = Decoder::new(presence);
        let mut models = PresenceModels::new();
        let mut ids = Vec::new();
        for id in WindowId::all() {
            let is_present = presence.decode(models.of(id));
            models.note(is_present);
            if is_present {
                ids.push(id);
            }
        }
        let mut lanes = lanes.map(Decoder::new);
        let mut rows = |count| {
            let mut models = RowModels::new();
            let mut above = [0; CHANNELS];
            let next = |_| {
                above = models.decode(&above, &mut lanes);
                above
            };
            (0..count).map(next).collect::<Vec<TableRow>>()
        };
        let narrow = rows(NARROW_COUNT);
        let own_rows = rows(ids.len());
        let is_whole = presence.is_at_end() && lanes.iter().all(Decoder::is_at_end);
        let residual = ids.into_iter().zip(own_rows).collect();
        is_whole.then_some(Self { narrow, residual })
    }
}

impl Default for FactorTable {
    fn default() -> Self {
        Self::new()
    }
}

/// The streams behind their lengths; `None` if the lengths do not add up.
fn split(bytes: &[u8]) -> Option<[&[u8]; STREAMS]> {
    let (lengths, mut rest) = bytes.split_at_checked(STREAMS * LENGTH_BYTES)?;
    let mut streams = [rest; STREAMS];
    let (lengths, _) = lengths.as_chunks::<LENGTH_BYTES>();
    for (stream, &length) in streams.iter_mut().zip(lengths) {
        let length = usize::try_from(u32::from_le_bytes(length)).ok()?;
        (*stream, rest) = rest.split_at_checked(length)?;
    }
    rest.is_empty().then_some(streams)
}

/// Models of whether a window has a row of its own: by its number of stones,
/// and by which of the windows before it have one.
struct PresenceModels {
    models: [[Model; PRESENCE_CONTEXTS]; STONE_COUNTS],
    before: usize,
}

impl PresenceModels {
    const fn new() -> Self {
        Self {
            models: [[Model::NEW; PRESENCE_CONTEXTS]; STONE_COUNTS],
            before: 0,
        }
    }

    fn of(&mut self, id: WindowId) -> &mut Model {
        &mut self.models[id.stones() as usize][self.before]
    }

    const fn note(&mut self, is_present: bool) {
        self.before = (self.before << 1 | is_present as usize) & (PRESENCE_CONTEXTS - 1);
    }
}

/// Models of one number: by the bits already known, with a 1 before them.
type ByteModels = [Model; BYTE_VALUES];

/// Models of the numbers of a row: by channel and size of the number above.
struct RowModels(Box<[[ByteModels; SIZES]; CHANNELS]>);

/// 0, small, middling or large.
const fn size_of_number(number: i8) -> usize {
    match number.unsigned_abs() {
        0 => 0,
        1..4 => 1,
        4..16 => 2,
        _ => 3,
    }
}

impl RowModels {
    fn new() -> Self {
        Self(Box::new([[[Model::NEW; BYTE_VALUES]; SIZES]; CHANNELS]))
    }

    fn encode(&mut self, row: &TableRow, above: &TableRow, lanes: &mut [Encoder; LANES]) {
        for (channel, &number) in row.iter().enumerate() {
            let models = &mut self.0[channel][size_of_number(above[channel])];
            let lane = &mut lanes[channel % LANES];
            let mut known = 1;
            for place in (0..u8::BITS).rev() {
                let bit = number as u8 >> place & 1;
                lane.encode(bit != 0, &mut models[known]);
                known = known << 1 | usize::from(bit);
            }
        }
    }

    #[inline]
    fn decode(&mut self, above: &TableRow, lanes: &mut [Decoder<'_>; LANES]) -> TableRow {
        let mut row = [0; CHANNELS];
        for first in (0..CHANNELS).step_by(LANES) {
            let mut known = [1; LANES];
            for _ in 0..u8::BITS {
                for (i, lane) in lanes.iter_mut().enumerate() {
                    let size = size_of_number(above[first + i]);
                    let model = &mut self.0[first + i][size][known[i] & (BYTE_VALUES - 1)];
                    known[i] = known[i] << 1 | usize::from(lane.decode(model));
                }
            }
            for (i, known) in known.into_iter().enumerate() {
                // The 1 before the eight bits falls off.
                row[first + i] = known as u8 as i8;
            }
        }
        row
    }
}

const _: () = assert!(CHANNELS.is_multiple_of(LANES) && WINDOW_COUNT < u32::MAX as usize);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::mix;

    fn row(seed: u64) -> TableRow {
        std::array::from_fn(|channel| mix(seed << 8 | channel as u64) as i8)
    }

    /// Every value of a number occurs, residuals at both ends.
    fn table() -> FactorTable {
        let mut table = FactorTable::new();
        for (i, narrow) in table.narrow.iter_mut().enumerate().skip(100) {
            *narrow = row(i as u64);
        }
        let ids = WindowId::all().filter(|id| id.index() % 97 == 0 || id.index() < 50);
        table.residual = ids.map(|id| (id, row(!(id.index() as u64)))).collect();
        let last = WindowId::new(WINDOW_COUNT - 1).unwrap();
        table.residual.push((last, [-128; CHANNELS]));
        table
    }

    #[test]
    fn tables_come_back_as_written() {
        for table in [FactorTable::new(), table()] {
            assert!(table.is_well_formed());
            assert_eq!(FactorTable::decode(&table.encode()).as_ref(), Some(&table));
        }
    }

    #[test]
    fn nothing_takes_hardly_any_room() {
        let length = FactorTable::new().encode().len();
        assert!(length < 2_000, "{length} bytes");
    }

    #[test]
    fn other_bytes_are_no_table() {
        let good = table().encode();
        assert_eq!(FactorTable::decode(&[]), None);
        assert_eq!(FactorTable::decode(&good[..19]), None);
        assert_eq!(FactorTable::decode(&good[..good.len() - 1]), None);
        let longer = [good.as_slice(), &[0; 4]].concat();
        assert_eq!(FactorTable::decode(&longer), None);
        // A stream that is a word too long, at the cost of the next one.
        let mut shifted = good;
        shifted[0] += 4;
        shifted[4] -= 4;
        assert_eq!(FactorTable::decode(&shifted), None);
    }

    #[test]
    fn rows_are_sums_cut_to_seven_bits() {
        let mut table = table();
        let id = WindowId::new(WINDOW_COUNT / 2).unwrap();
        let narrow = &mut table.narrow[id.narrow().index()];
        *narrow = [0; CHANNELS];
        narrow[..4].copy_from_slice(&[100, -100, 7, -128]);
        let mut own = [0; CHANNELS];
        own[..4].copy_from_slice(&[100, -100, -3, 0]);
        table.residual.retain(|row| row.0 != id);
        let place = table.residual.partition_point(|row| row.0 < id);
        table.residual.insert(place, (id, own));
        let rows = table.expand();
        assert_eq!(rows.len(), WINDOW_COUNT);
        assert_eq!(rows[id.index()][..5], [127, -127, 4, -127, 0]);
        let blank = WindowId::all().filter(|id| id.stones() == 0);
        for id in blank {
            assert_eq!(rows[id.index()], [0; CHANNELS]);
        }
    }
}
