//! The procedures as tables of steps.

use super::Area::{Anywhere, Outside, Within};
use super::{Area, Procedure};
use crate::board::Colour::{self, Black, White};
use std::fmt;

/// What a player may be asked for in an opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Demand {
    /// To put a stone for each of the areas, in this order, the colours by
    /// turns as in the game.
    Place(&'static [Area]),
    /// To choose a colour; the opponent gets the other.
    Colour,
    /// To say how many fifth moves are to be offered: 1 to this number.
    FifthCount(u8),
    /// To offer so many different fifth moves for Black.
    Offer(u8),
    /// To choose one of the fifth moves offered; its stone is put.
    Pick,
}

impl fmt::Display for Demand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Place([Anywhere]) => f.write_str("put a stone"),
            Self::Place([area]) => write!(f, "put a stone {area}"),
            Self::Place(areas) => write!(f, "put {} stones", areas.len()),
            Self::Colour => f.write_str("choose a colour"),
            Self::FifthCount(most) => write!(f, "say how many fifth moves, 1 to {most}"),
            Self::Offer(count) => write!(f, "offer {count} fifth moves"),
            Self::Pick => f.write_str("choose a fifth move"),
        }
    }
}

/// What may be done in a step, and the number of the step that comes then.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    pub demand: Demand,
    pub next: usize,
}

/// A step: the player who has the colour at that time makes one of the choices.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub actor: Colour,
    pub choices: &'static [Choice],
}

/// The step behind the last one of every procedure.
pub(super) const END: usize = usize::MAX;
/// Stands in [`Demand::Offer`] for the number that was named.
pub(super) const AS_NAMED: u8 = 0;

const fn step(actor: Colour, choices: &'static [Choice]) -> Step {
    Step { actor, choices }
}

const fn choice(demand: Demand, next: usize) -> Choice {
    Choice { demand, next }
}

/// The 26 openings: the first stone in the centre, the second beside it, the
/// third at most two points away.
const RENJU_OPENING: Demand = Demand::Place(&[Within(0), Within(1), Within(2)]);
const THREE: Demand = Demand::Place(&[Anywhere, Anywhere, Anywhere]);
const TWO: Demand = Demand::Place(&[Anywhere, Anywhere]);
const ONE: Demand = Demand::Place(&[Anywhere]);
const CENTRE: Demand = Demand::Place(&[Within(0)]);

const PRO: &[Step] = &[
    step(Black, &[choice(CENTRE, 1)]),
    step(White, &[choice(ONE, 2)]),
    step(Black, &[choice(Demand::Place(&[Outside(2)]), END)]),
];

const LONG_PRO: &[Step] = &[
    step(Black, &[choice(CENTRE, 1)]),
    step(White, &[choice(ONE, 2)]),
    step(Black, &[choice(Demand::Place(&[Outside(3)]), END)]),
];

const SWAP_FIRST: &[Step] = &[
    step(Black, &[choice(ONE, 1)]),
    step(White, &[choice(Demand::Colour, END)]),
];

const SWAP: &[Step] = &[
    step(Black, &[choice(THREE, 1)]),
    step(White, &[choice(Demand::Colour, END)]),
];

const SWAP2: &[Step] = &[
    step(Black, &[choice(THREE, 1)]),
    step(White, &[choice(Demand::Colour, END), choice(TWO, 2)]),
    step(Black, &[choice(Demand::Colour, END)]),
];

const RIF: &[Step] = &[
    step(Black, &[choice(RENJU_OPENING, 1)]),
    step(White, &[choice(Demand::Colour, 2)]),
    step(White, &[choice(ONE, 3)]),
    step(Black, &[choice(Demand::Offer(2), 4)]),
    step(White, &[choice(Demand::Pick, END)]),
];

const SOOSORV: &[Step] = &[
    step(Black, &[choice(RENJU_OPENING, 1)]),
    step(White, &[choice(Demand::Colour, 2)]),
    step(White, &[choice(ONE, 3)]),
    step(White, &[choice(Demand::FifthCount(8), 4)]),
    step(Black, &[choice(Demand::Colour, 5)]),
    step(Black, &[choice(Demand::Offer(AS_NAMED), 6)]),
    step(White, &[choice(Demand::Pick, END)]),
];

/// After the fourth stone the text has two ways: the swap and a fifth stone in
/// the central 9x9, or ten fifth moves. The swap belongs to the first way only.
const TARAGUCHI: &[Step] = &[
    step(Black, &[choice(CENTRE, 1)]),
    step(White, &[choice(Demand::Colour, 2)]),
    step(White, &[choice(Demand::Place(&[Within(1)]), 3)]),
    step(Black, &[choice(Demand::Colour, 4)]),
    step(Black, &[choice(Demand::Place(&[Within(2)]), 5)]),
    step(White, &[choice(Demand::Colour, 6)]),
    step(White, &[choice(Demand::Place(&[Within(3)]), 7)]),
    step(
        Black,
        &[choice(Demand::Colour, 8), choice(Demand::Offer(10), 10)],
    ),
    step(Black, &[choice(Demand::Place(&[Within(4)]), 9)]),
    step(White, &[choice(Demand::Colour, END)]),
    step(White, &[choice(Demand::Pick, END)]),
];

/// The steps of a procedure; the first one is number 0.
pub(super) const fn steps(procedure: Procedure) -> &'static [Step] {
    match procedure {
        Procedure::Free => &[],
        Procedure::Pro => PRO,
        Procedure::LongPro => LONG_PRO,
        Procedure::SwapFirst => SWAP_FIRST,
        Procedure::Swap => SWAP,
        Procedure::Swap2 => SWAP2,
        Procedure::Rif => RIF,
        Procedure::Soosorv => SOOSORV,
        Procedure::Taraguchi => TARAGUCHI,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every step but the first is led to, every way leads forward, and stones
    /// are put by the player who has the colour to move.
    #[test]
    fn tables_are_sound() {
        for procedure in Procedure::ALL {
            let steps = steps(procedure);
            let mut stones = vec![None; steps.len()];
            if let Some(first) = stones.first_mut() {
                *first = Some(0);
            }
            for (number, step) in steps.iter().enumerate() {
                let before: usize = stones[number].expect("a step that nothing leads to");
                for choice in step.choices {
                    let added = match choice.demand {
                        Demand::Place(areas) => areas.len(),
                        Demand::Pick => 1,
                        _ => 0,
                    };
                    if matches!(choice.demand, Demand::Place(_) | Demand::Offer(_)) {
                        assert_eq!(step.actor, Colour::ALL[before % 2], "{procedure} {number}");
                    }
                    if choice.next == END {
                        continue;
                    }
                    assert!(choice.next > number && choice.next < steps.len());
                    let next = &mut stones[choice.next];
                    assert!(next.is_none_or(|count| count == before + added));
                    *next = Some(before + added);
                }
            }
        }
    }
}
