//! The inner loops of the net, for several kinds of processors.
//!
//! [`Kernels`] names one of the ways to compute; all ways give the same bits.
//! The scalar one runs everywhere and is the model for the others. This folder
//! is the only place of the evaluation with `unsafe` code: calls of functions
//! for processors that have been asked, and loads and stores through pointers
//! that come from references to whole arrays.

#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod scalar;

use super::nnue::{ACTIVATION_LIMIT, CELL_LIMIT, INPUTS};
use crate::board::POINT_ARRAY_LEN;
use once_cell::sync::OnceCell;
use std::fmt;
use std::str::FromStr;

/// Numbers of a table row or a cell: 16 as Black sees it, 16 as White does.
pub(super) const LANES: usize = INPUTS;
/// Pairs of inputs of a layer.
const PAIRS: usize = LANES / 2;
/// The most rows one stone can replace: ten in each direction, and four around
/// its own cell.
pub(super) const MOST_CHANGES: usize = 44;

/// From the scale of the sums after a first layer to that of activations, and
/// what makes it round to nearest.
const FIRST_SHIFT: i32 = 7;
const FIRST_ROUNDING: i32 = 1 << (FIRST_SHIFT - 1);
/// The same after a second layer.
const SECOND_SHIFT: i32 = 10;
const SECOND_ROUNDING: i32 = 1 << (SECOND_SHIFT - 1);

// The differences of all changes of one stone are summed in 16 bits.
const _: () = assert!(MOST_CHANGES as i32 * CELL_LIMIT <= i16::MAX as i32);

/// What one window adds to its cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(32))]
pub(super) struct Row(pub [i8; LANES]);

/// The sum of the four rows of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(super) struct Cell(pub [i16; LANES]);

/// The cells of a board, by [`Point::index`](crate::board::Point::index).
pub(super) type Cells = [Cell; POINT_ARRAY_LEN];

/// The sums over all cells of their numbers, those below 0 as 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(super) struct Sums(pub [i32; LANES]);

/// A row of a cell that another one replaces.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Change {
    /// Index of the cell.
    pub cell: u32,
    /// Index of the row that goes.
    pub old: u32,
    /// Index of the row that comes.
    pub new: u32,
}

/// Something at a multiple of 64 bytes.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct Aligned<T>(pub T);

/// Weights of a layer with 32 inputs: for every two inputs, for every unit,
/// the two weights. `WIDTH` is twice the number of units.
pub(super) type PairedWeights<const WIDTH: usize> = Aligned<[[i16; WIDTH]; PAIRS]>;

/// Brings the weights of a layer into the order the kernels want.
pub(super) fn paired<const UNITS: usize, const WIDTH: usize>(
    weights: &[[i16; LANES]; UNITS],
) -> PairedWeights<WIDTH> {
    const { assert!(WIDTH == 2 * UNITS) };
    Aligned(std::array::from_fn(|pair| {
        std::array::from_fn(|place| weights[place / 2][2 * pair + place % 2])
    }))
}

/// The value head: two hidden layers of 32 units, three outputs.
#[derive(Clone, Debug)]
pub(super) struct ValueLayers {
    pub first: PairedWeights<64>,
    /// By size class.
    pub first_bias: Vec<Aligned<[i32; 32]>>,
    pub second: PairedWeights<64>,
    pub second_bias: Aligned<[i32; 32]>,
    pub last: Aligned<[[i16; 32]; 3]>,
    pub last_bias: [i32; 3],
}

/// The policy head: a hidden layer of 16 units, one output.
#[derive(Clone, Debug)]
pub(super) struct PolicyLayers {
    pub first: PairedWeights<32>,
    pub first_bias: Aligned<[i32; 16]>,
    pub last: Aligned<[i32; 16]>,
    pub last_bias: i32,
}

/// A way to compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Path {
    /// One number at a time, as far as the compiler does not know better.
    Scalar,
    /// 256 bits at a time: x86-64 processors with AVX2.
    Avx2,
    /// 512 bits at a time: x86-64 processors with AVX-512 F and BW.
    Avx512,
}

impl Path {
    /// All ways, the best last.
    pub const ALL: [Self; 3] = [Self::Scalar, Self::Avx2, Self::Avx512];

    /// Whether this processor can do it.
    #[must_use]
    pub fn is_available(self) -> bool {
        match self {
            Self::Scalar => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => is_x86_feature_detected!("avx2"),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => {
                Self::Avx2.is_available()
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
            }
            #[cfg(not(target_arch = "x86_64"))]
            Self::Avx2 | Self::Avx512 => false,
        }
    }

    /// The name in small letters.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Why a way to compute cannot be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathError {
    /// There is none of this name.
    Unknown(String),
    /// This processor cannot do it.
    Unavailable(Path),
    /// Another one is in use.
    TooLate(Path),
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(name) => {
                write!(f, "no way to compute '{name}': use scalar, avx2 or avx512")
            }
            Self::Unavailable(path) => write!(f, "this processor has no {path}"),
            Self::TooLate(path) => write!(f, "{path} is in use already"),
        }
    }
}

impl std::error::Error for PathError {}

impl FromStr for Path {
    type Err = PathError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|path| path.name() == text);
        found.ok_or_else(|| PathError::Unknown(text.to_owned()))
    }
}

/// The kernels this program uses from now on.
static CHOSEN: OnceCell<Kernels> = OnceCell::new();

/// A way to compute that this processor can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kernels(Path);

impl Kernels {
    /// A certain way; `None` if this processor cannot do it.
    #[must_use]
    pub fn new(path: Path) -> Option<Self> {
        path.is_available().then_some(Self(path))
    }

    /// The way that was chosen, or else the best one.
    #[must_use]
    pub fn chosen() -> Self {
        *CHOSEN.get_or_init(|| {
            let best = Path::ALL.into_iter().rev().find_map(Self::new);
            best.unwrap_or(Self(Path::Scalar))
        })
    }

    /// Chooses for the whole program, before anything is computed.
    ///
    /// # Errors
    ///
    /// If this processor cannot do it or another way is in use already.
    pub fn choose(path: Path) -> Result<(), PathError> {
        let kernels = Self::new(path).ok_or(PathError::Unavailable(path))?;
        match *CHOSEN.get_or_init(|| kernels) {
            Self(chosen) if chosen == path => Ok(()),
            Self(chosen) => Err(PathError::TooLate(chosen)),
        }
    }

    /// Which way this is.
    #[must_use]
    pub const fn path(self) -> Path {
        self.0
    }

    /// Replaces rows of cells, at most [`MOST_CHANGES`], and brings the sums
    /// up to date.
    #[inline]
    pub(super) fn replace_rows(
        self,
        table: &[Row],
        cells: &mut Cells,
        changes: &[Change],
        sums: &mut Sums,
    ) {
        debug_assert!(changes.len() <= MOST_CHANGES);
        match self.0 {
            // SAFETY: `Kernels` are made only of what the processor can do.
            #[cfg(target_arch = "x86_64")]
            Path::Avx2 => unsafe { avx2::replace_rows(table, cells, changes, sums) },
            // SAFETY: the processor has AVX-512, for the same reason.
            #[cfg(target_arch = "x86_64")]
            Path::Avx512 => unsafe { avx512::replace_rows(table, cells, changes, sums) },
            _ => scalar::replace_rows(table, cells, changes, sums),
        }
    }

    /// The three outputs of the value head. `first` is the place of the
    /// numbers of the side to move among the sums: 0 or 16.
    #[inline]
    pub(super) fn value(
        self,
        layers: &ValueLayers,
        size_class: usize,
        sums: &Sums,
        first: usize,
    ) -> [i32; 3] {
        let bias = &layers.first_bias[size_class];
        match self.0 {
            // SAFETY: `Kernels` are made only of what the processor can do.
            #[cfg(target_arch = "x86_64")]
            Path::Avx2 => unsafe { avx2::value(layers, bias, sums, first) },
            // SAFETY: the processor has AVX-512, for the same reason.
            #[cfg(target_arch = "x86_64")]
            Path::Avx512 => unsafe { avx512::value(layers, bias, sums, first) },
            _ => scalar::value(layers, bias, sums, first),
        }
    }

    /// Replaces every cell index by the output of the policy head for that
    /// cell. `first` is as for [`Kernels::value`].
    #[inline]
    pub(super) fn policy(
        self,
        layers: &PolicyLayers,
        cells: &Cells,
        first: usize,
        points: &mut [i32],
    ) {
        match self.0 {
            // SAFETY: `Kernels` are made only of what the processor can do.
            #[cfg(target_arch = "x86_64")]
            Path::Avx2 => unsafe { avx2::policy(layers, cells, first, points) },
            // SAFETY: the processor has AVX-512, for the same reason.
            #[cfg(target_arch = "x86_64")]
            Path::Avx512 => unsafe { avx512::policy(layers, cells, first, points) },
            _ => scalar::policy(layers, cells, first, points),
        }
    }
}
