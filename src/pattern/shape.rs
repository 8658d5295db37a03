//! What a stone makes in one direction.

/// The best that a stone on a free point makes in one line, for one colour.
///
/// Each shape is defined by what one more stone could make of it, so the same
/// names fit every rule:
/// a *four* is one stone from a win, an *open* four cannot be stopped by any
/// single stone in its line; a *three* is one stone from a four, an *open*
/// three from an open four; and so on down. *Wide* shapes have more than one
/// such stone to choose from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Shape {
    /// No winning row through this point is possible.
    Dead = 0,
    /// Four more stones win, but no open two can arise.
    ClosedOne,
    /// One more stone makes an open two.
    OpenOne,
    /// Three more stones win, but no open three can arise.
    ClosedTwo,
    /// One more stone makes an open three.
    OpenTwo,
    /// At least two stones make a wide three.
    WideTwo,
    /// One more stone makes a four.
    ClosedThree,
    /// Exactly one stone makes an open four.
    OpenThree,
    /// At least two stones make an open four.
    WideThree,
    /// One more stone wins; one stone of the opponent prevents it.
    Four,
    /// Two fours in one line: forbidden for Black in renju.
    DoubleFour,
    /// One more stone wins whatever the opponent does in this line.
    OpenFour,
    /// A winning row.
    Five,
    /// Six or more in a row where that is forbidden.
    Overline,
}

impl Shape {
    /// Number of shapes.
    pub const COUNT: usize = 14;
    /// Bits a shape takes in a packed code.
    pub const BITS: u32 = 4;

    /// All shapes, weakest first.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Dead,
        Self::ClosedOne,
        Self::OpenOne,
        Self::ClosedTwo,
        Self::OpenTwo,
        Self::WideTwo,
        Self::ClosedThree,
        Self::OpenThree,
        Self::WideThree,
        Self::Four,
        Self::DoubleFour,
        Self::OpenFour,
        Self::Five,
        Self::Overline,
    ];

    /// The shape in the lowest bits of a code; codes hold nothing else than
    /// shapes.
    #[must_use]
    pub(super) const fn from_bits(bits: u32) -> Self {
        let index = (bits & 15) as usize;
        if index < Self::COUNT {
            Self::ALL[index]
        } else {
            Self::Dead
        }
    }

    /// An open or wide three.
    #[must_use]
    pub const fn is_open_three(self) -> bool {
        matches!(self, Self::OpenThree | Self::WideThree)
    }

    /// An open or wide two.
    #[must_use]
    pub const fn is_open_two(self) -> bool {
        matches!(self, Self::OpenTwo | Self::WideTwo)
    }
}

const _: () = assert!(Shape::COUNT <= 1 << Shape::BITS);
