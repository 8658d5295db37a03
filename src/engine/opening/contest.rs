//! Finding the best of many candidates with few searches: all of them get a
//! short one, the better ones a longer one, until the best is left.

use super::scout::Scout;
use crate::rules::opening::{Act, Opening};

/// Of so many candidates one goes on to the next round.
const ROUND_SHARE: usize = 4;
/// Candidates that are left when the last round begins, at most.
const FINALISTS: usize = 2;

/// What makes a candidate good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    /// Neither colour is better.
    Even,
    /// Black is better.
    Black,
    /// White is better.
    White,
}

impl Goal {
    /// How far Black's score is from what is wanted; less is better.
    pub(super) const fn distance(self, black: i32) -> i32 {
        match self {
            Self::Even => black.abs(),
            Self::Black => -black,
            Self::White => black,
        }
    }
}

/// A candidate and Black's score after it; `None` before it was searched.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) act: Act,
    after: Opening,
    pub(super) black: Option<i32>,
}

/// How many candidates take part in each round.
fn rounds(count: usize) -> Vec<usize> {
    let mut sizes = vec![count];
    let mut size = count;
    while size > FINALISTS {
        size = size.div_ceil(ROUND_SHARE);
        sizes.push(size.max(1));
    }
    sizes.retain(|&size| size > 1 || count == 1);
    sizes
}

impl Scout<'_> {
    /// The best of the acts that the opening allows; `None` if there is none.
    pub(super) fn contest(&mut self, acts: Vec<Act>, goal: Goal) -> Option<Candidate> {
        let mut candidates: Vec<Candidate> = acts
            .into_iter()
            .filter_map(|act| {
                let mut after = self.opening().clone();
                after.apply(&act).ok()?;
                Some(Candidate {
                    act,
                    after,
                    black: None,
                })
            })
            .collect();
        if candidates.len() > 1 {
            // If there is no time at all, a look must do.
            candidates.sort_by_cached_key(|c| goal.distance(self.look(c.after.position())));
            self.play_rounds(&mut candidates, goal);
        }
        candidates.into_iter().next()
    }

    fn play_rounds(&mut self, candidates: &mut [Candidate], goal: Goal) {
        let sizes = rounds(candidates.len());
        for (number, &size) in sizes.iter().enumerate() {
            let rounds_left = sizes.len() - number;
            let Some(players) = candidates.get_mut(..size) else {
                return;
            };
            for (index, candidate) in players.iter_mut().enumerate() {
                if self.is_spent() {
                    break;
                }
                // The rest of this round, and as much as a round for each
                // later one.
                let parts = (size - index) + (rounds_left - 1) * size;
                candidate.black = Some(self.worth(&candidate.after, parts as u32));
            }
            // Stable, so that ties keep the order in which they were drawn.
            players.sort_by_key(|candidate| {
                let distance = |black| goal.distance(black);
                candidate.black.map_or(i32::MAX, distance)
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_shrink() {
        assert_eq!(rounds(24), [24, 6, 2]);
        assert_eq!(rounds(10), [10, 3]);
        assert_eq!(rounds(3), [3]);
        assert_eq!(rounds(2), [2]);
        assert_eq!(rounds(1), [1]);
    }

    #[test]
    fn goals_order_scores() {
        let best = |goal: Goal| {
            let scores = [-200, -10, 30, 300];
            scores.into_iter().min_by_key(|&black| goal.distance(black))
        };
        assert_eq!(best(Goal::Even), Some(-10));
        assert_eq!(best(Goal::Black), Some(300));
        assert_eq!(best(Goal::White), Some(-200));
    }
}
