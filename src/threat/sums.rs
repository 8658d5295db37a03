//! How the numbers of a position follow from those of its children, and how
//! far to follow a child.

use super::proof::{INFINITE, Known, Numbers, add};
use crate::board::Point;

/// A move is left for the second best only when it is worse by this part.
const ROOM_DIVISOR: u32 = 4;

/// A move of the position at hand and what is known of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    pub point: Point,
    pub known: Known,
}

/// How the children of a position add up.
pub(super) struct Sum {
    pub numbers: Numbers,
    /// Index of the most promising child, and its rival's number.
    pub best: usize,
    pub rival: u32,
}

/// A limit a little above the rival's number, so that the search does not
/// change sides at every step.
pub(super) const fn with_room(rival: u32) -> u32 {
    if rival >= INFINITE {
        return INFINITE;
    }
    let limit = rival + rival / ROOM_DIVISOR + 1;
    if limit < INFINITE { limit } else { INFINITE }
}

/// What of a limit on a sum is left for one part of it.
pub(super) const fn share(limit: u32, sum: u32, part: u32) -> u32 {
    if limit == INFINITE {
        return INFINITE;
    }
    limit.saturating_sub(sum.saturating_sub(part))
}

/// The attacker is to move: one child won is enough, none may be left for a
/// disproof.
pub(super) fn sum_attack(children: &[Child]) -> Sum {
    let mut sum = Sum {
        numbers: Numbers::DISPROVEN,
        best: 0,
        rival: INFINITE,
    };
    for (i, child) in children.iter().enumerate() {
        let numbers = child.known.numbers;
        sum.numbers.disproof = add(sum.numbers.disproof, numbers.disproof);
        if numbers.proof < sum.numbers.proof {
            sum.rival = sum.numbers.proof;
            sum.numbers.proof = numbers.proof;
            sum.best = i;
        } else {
            sum.rival = sum.rival.min(numbers.proof);
        }
    }
    sum
}

/// The defender is to move: all children must be won, one lost is enough for a
/// disproof.
pub(super) fn sum_defence(children: &[Child]) -> Sum {
    let mut sum = Sum {
        numbers: Numbers::PROVEN,
        best: 0,
        rival: INFINITE,
    };
    for (i, child) in children.iter().enumerate() {
        let numbers = child.known.numbers;
        sum.numbers.proof = add(sum.numbers.proof, numbers.proof);
        if numbers.disproof < sum.numbers.disproof {
            sum.rival = sum.numbers.disproof;
            sum.numbers.disproof = numbers.disproof;
            sum.best = i;
        } else {
            sum.rival = sum.rival.min(numbers.disproof);
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn children(numbers: &[(u32, u32)]) -> Vec<Child> {
        let child = |&(proof, disproof): &(u32, u32)| Child {
            point: Point::new(0, 0).unwrap(),
            known: Known::new(Numbers { proof, disproof }),
        };
        numbers.iter().map(child).collect()
    }

    #[test]
    fn the_attacker_takes_the_least_proof() {
        let sum = sum_attack(&children(&[(5, 1), (2, 4), (3, 2)]));
        assert_eq!((sum.numbers.proof, sum.numbers.disproof), (2, 7));
        assert_eq!((sum.best, sum.rival), (1, 3));
        let won = sum_attack(&children(&[(5, 1), (0, INFINITE)]));
        assert_eq!(won.numbers, Numbers::PROVEN);
        let lost = sum_attack(&children(&[(INFINITE, 0), (INFINITE, 0)]));
        assert_eq!(lost.numbers, Numbers::DISPROVEN);
    }

    #[test]
    fn the_defender_takes_the_least_disproof() {
        let sum = sum_defence(&children(&[(5, 2), (2, 1), (3, 6)]));
        assert_eq!((sum.numbers.proof, sum.numbers.disproof), (10, 1));
        assert_eq!((sum.best, sum.rival), (1, 2));
        let won = sum_defence(&children(&[(0, INFINITE), (0, INFINITE)]));
        assert_eq!(won.numbers, Numbers::PROVEN);
        let lost = sum_defence(&children(&[(0, INFINITE), (INFINITE, 0)]));
        assert_eq!(lost.numbers, Numbers::DISPROVEN);
    }

    #[test]
    fn limits_leave_room() {
        assert_eq!(with_room(8), 11);
        assert_eq!(with_room(INFINITE), INFINITE);
        assert_eq!(share(10, 7, 3), 6);
        assert_eq!(share(INFINITE, 7, 3), INFINITE);
    }
}
