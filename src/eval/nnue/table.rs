//! The table of a rule side as it is trained and stored: a row for the nine
//! cells in the middle of a window, and for the windows that were seen often
//! enough a row that is added to it.
//!
//! Coded as six streams of [`super::codec`]: which windows have a row of their
//! own; the signs and classes of size of all numbers, four streams side by
//! side, because a processor decodes four in little more time than one; and
//! the places of the numbers within their classes, as they are. Sign and class
//! are coded by models that depend on the channel, on the bits before and on
//! how large the number above it in the row before was.

use super::codec::{BitReader, BitWriter, Decoder, Encoder, Model};
use super::window::{NARROW_COUNT, WINDOW_COUNT, WindowId};

/// Numbers a window has for one point of view.
pub const CHANNELS: usize = 16;

/// The numbers of one window for one point of view, 32 to the unit.
pub type TableRow = [i8; CHANNELS];

/// Streams of signs and classes.
const LANES: usize = 4;
const STREAMS: usize = LANES + 2;
const LENGTH_BYTES: usize = size_of::<u32>();
/// A number's symbol: its class of size, the bit length of its magnitude, and
/// its sign as the lowest bit.
const SYMBOL_BITS: u32 = 4;
const SYMBOLS: usize = 1 << SYMBOL_BITS;
/// How many sizes of the number above models tell apart.
const SIZES: usize = 4;
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
    /// What some windows add to it, each at most once and in their order. No
    /// number of the table is -128.
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

    /// Whether there are as many rows as there must be, in order, and no -128.
    #[must_use]
    pub fn is_well_formed(&self) -> bool {
        let mut rows = self
            .narrow
            .iter()
            .chain(self.residual.iter().map(|row| &row.1));
        self.narrow.len() == NARROW_COUNT
            && self.residual.is_sorted_by(|a, b| a.0 < b.0)
            && rows.all(|row| !row.contains(&i8::MIN))
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
        let mut places = BitWriter::default();
        let own_rows: Vec<TableRow> = self.residual.iter().map(|row| row.1).collect();
        for rows in [&self.narrow, &own_rows] {
            let mut models = RowModels::new();
            let mut above = [0; CHANNELS];
            for row in rows {
                models.encode(row, &above, &mut lanes, &mut places);
                above = *row;
            }
        }
        let coded = [presence].into_iter().chain(lanes).map(Encoder::finish);
        let streams: Vec<Vec<u8>> = coded.chain([places.finish()]).collect();
        let lengths = streams.iter().map(|stream| stream.len() as u32);
        let mut bytes: Vec<u8> = lengths.flat_map(u32::to_le_bytes).collect();
        bytes.extend(streams.into_iter().flatten());
        bytes
    }

    /// Decodes a table; `None` if it is none.
    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let [presence, lanes @ .., places] = split(bytes)?;
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
        let mut lanes: [_; LANES] = lanes.map(Decoder::new);
        let mut places = BitReader::new(places);
        let mut rows = |count| {
            let mut models = RowModels::new();
            let mut above = [0; CHANNELS];
            let next = |_| {
                above = models.decode(&above, &mut lanes, &mut places);
                above
            };
            (0..count).map(next).collect::<Vec<TableRow>>()
        };
        let narrow = rows(NARROW_COUNT);
        let own_rows = rows(ids.len());
        let is_whole =
            presence.is_at_end() && lanes.iter().all(Decoder::is_at_end) && places.is_at_end();
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

/// Models of one symbol: by the bits already known, with a 1 before them.
type SymbolModels = [Model; SYMBOLS];

/// Models of the symbols of a row: by channel and size of the number above.
struct RowModels([[SymbolModels; SIZES]; CHANNELS]);

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
    const fn new() -> Self {
        Self([[[Model::NEW; SYMBOLS]; SIZES]; CHANNELS])
    }

    fn encode(
        &mut self,
        row: &TableRow,
        above: &TableRow,
        lanes: &mut [Encoder; LANES],
        places: &mut BitWriter,
    ) {
        for (channel, &number) in row.iter().enumerate() {
            let magnitude = number.unsigned_abs();
            let class = u8::BITS - magnitude.leading_zeros();
            let symbol = class << 1 | u32::from(number < 0);
            let models = &mut self.0[channel][size_of_number(above[channel])];
            let mut known = 1;
            for place in (0..SYMBOL_BITS).rev() {
                let bit = symbol >> place & 1;
                lanes[channel % LANES].encode(bit != 0, &mut models[known]);
                known = known << 1 | bit as usize;
            }
            places.write(magnitude, class.saturating_sub(1));
        }
    }

    fn decode(
        &mut self,
        above: &TableRow,
        lanes: &mut [Decoder<'_>; LANES],
        places: &mut BitReader<'_>,
    ) -> TableRow {
        let mut row = [0; CHANNELS];
        let (groups, _) = self.0.as_chunks_mut::<LANES>();
        let above = above.as_chunks::<LANES>().0;
        let numbers = row.as_chunks_mut::<LANES>().0;
        for ((group, above), numbers) in groups.iter_mut().zip(above).zip(numbers) {
            let symbols = decode_symbols(group, above, lanes);
            *numbers = symbols.map(|symbol| number_of(symbol, places));
        }
        row
    }
}

/// Decodes a symbol from each of the lanes, bit by bit side by side.
#[inline]
fn decode_symbols(
    models: &mut [[SymbolModels; SIZES]; LANES],
    above: &[i8; LANES],
    lanes: &mut [Decoder<'_>; LANES],
) -> [usize; LANES] {
    let mut known = [1; LANES];
    let sizes = above.map(size_of_number);
    for _ in 0..SYMBOL_BITS {
        for lane in 0..LANES {
            let models = &mut models[lane][sizes[lane]];
            let bit = lanes[lane].decode(&mut models[known[lane] & (SYMBOLS - 1)]);
            known[lane] = known[lane] << 1 | usize::from(bit);
        }
    }
    // The 1 before the four bits falls off.
    known.map(|known| known & (SYMBOLS - 1))
}

/// The number of a symbol and of its place within its class.
#[inline]
fn number_of(symbol: usize, places: &mut BitReader<'_>) -> i8 {
    let class = symbol as u32 >> 1;
    // The highest bit of a magnitude is known by the class.
    let magnitude = (1 << class >> 1) | places.read(class.saturating_sub(1));
    let sign = -(symbol as i8 & 1);
    (magnitude as i8 ^ sign) - sign
}

const _: () = assert!(CHANNELS.is_multiple_of(LANES) && WINDOW_COUNT < u32::MAX as usize);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::mix;

    fn row(seed: u64) -> TableRow {
        std::array::from_fn(|channel| (mix(seed << 8 | channel as u64) as i8).max(-i8::MAX))
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
        table.residual.push((last, [-127; CHANNELS]));
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
        assert_eq!(FactorTable::decode(&good[..23]), None);
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
        narrow[..4].copy_from_slice(&[100, -100, 7, -127]);
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
