//! What the value of a position should be: looking ahead in the game.

use crate::games::{Ending, searched_score, sigmoid};
use yonsan::board::Colour;
use yonsan_format::Ply;

/// What was thought of a position before a move, for the mover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thought {
    /// Nothing: the move was given or forced.
    None,
    /// A guess of the search.
    Score(i16),
    /// How it will end.
    Proof(Ending),
}

impl Thought {
    /// What was thought before a ply.
    #[must_use]
    pub fn of(ply: &Ply) -> Self {
        if ply.score.win_plies().is_some() {
            Self::Proof(Ending::Win)
        } else if ply.score.is_proven() {
            Self::Proof(Ending::Loss)
        } else {
            searched_score(ply).map_or(Self::None, Self::Score)
        }
    }
}

/// The mover's chances of win, draw and loss before every move of a game, from
/// what was thought then and, each ply less by the factor `lambda`, later; what is
/// left is the weight of the result. This is the target of TD(lambda): R. S.
/// Sutton, Learning to predict by the methods of temporal differences, 1988.
#[must_use]
pub fn look_ahead(
    thoughts: &[Thought],
    winner: Option<Colour>,
    scale: f32,
    lambda: f32,
) -> Vec<[f32; 3]> {
    let mut later = outcome(Ending::of(winner, Colour::ALL[thoughts.len() % 2]));
    let mut chances = vec![[0.0; 3]; thoughts.len()];
    for (chances, thought) in chances.iter_mut().zip(thoughts).rev() {
        later.reverse();
        later = match *thought {
            Thought::None => later,
            Thought::Proof(ending) => outcome(ending),
            Thought::Score(score) => {
                let win = sigmoid(f32::from(score) / scale);
                mixed([win, 0.0, 1.0 - win], later, lambda)
            }
        };
        *chances = later;
    }
    chances
}

/// The chances of win, draw and loss of what has ended so.
#[must_use]
pub const fn outcome(ending: Ending) -> [f32; 3] {
    match ending {
        Ending::Win => [1.0, 0.0, 0.0],
        Ending::Draw => [0.0, 1.0, 0.0],
        Ending::Loss => [0.0, 0.0, 1.0],
    }
}

/// The mean of two sets of chances, the second with this weight.
fn mixed(first: [f32; 3], second: [f32; 3], weight: f32) -> [f32; 3] {
    std::array::from_fn(|i| first[i] + weight * (second[i] - first[i]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use yonsan::board::Point;
    use yonsan_format::{Effort, Score};

    fn assert_close(found: &[[f32; 3]], expected: &[[f32; 3]]) {
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(expected) {
            let gap = found.iter().zip(expected).map(|(a, b)| (a - b).abs());
            assert!(gap.sum::<f32>() < 1e-3, "{found:?} {expected:?}");
        }
    }

    /// By hand, for odds of 1 : 1 and 3 : 1.
    #[test]
    fn targets_look_ahead() {
        let (win, loss) = ([1.0, 0.0, 0.0], [0.0, 0.0, 1.0]);
        let scale = 200.0;
        let good = Thought::Score((scale * 3.0f32.ln()).round() as i16);
        let even = Thought::Score(0);
        let black = Some(Colour::Black);
        // Nothing but the result, seen from both sides; a draw is one for both.
        let found = look_ahead(&[even, good, Thought::None], black, scale, 1.0);
        assert_close(&found, &[win, loss, win]);
        assert_close(&look_ahead(&[good], None, scale, 1.0), &[[0.0, 1.0, 0.0]]);
        // Nothing but the score; where there is none, that of the next ply.
        let found = look_ahead(&[Thought::None, good, even], black, scale, 0.0);
        let half = [0.5, 0.0, 0.5];
        assert_close(&found, &[[0.25, 0.0, 0.75], [0.75, 0.0, 0.25], half]);
        // The last score and the result are mixed, and that with the first score.
        let found = look_ahead(&[even, good], black, scale, 0.5);
        assert_close(&found, &[[0.5625, 0.0, 0.4375], [0.375, 0.0, 0.625]]);
        // Behind a proof nobody looks.
        let proof = Thought::Proof(Ending::Loss);
        let found = look_ahead(&[even, proof, good], None, scale, 0.5);
        assert_close(&found[..2], &[[0.75, 0.0, 0.25], loss]);
    }

    #[test]
    fn thoughts_are_guesses_or_proofs() {
        let ply = Ply {
            score: Score::new(-40).unwrap(),
            effort: Effort::of_nodes(3_000),
            ..Ply::of_opening(Point::new(7, 7).unwrap())
        };
        let proof = |score| Ply {
            score: Score::new(score).unwrap(),
            ..ply
        };
        assert_eq!(Thought::of(&ply), Thought::Score(-40));
        assert_eq!(Thought::of(&proof(29_990)), Thought::Proof(Ending::Win));
        assert_eq!(Thought::of(&proof(-29_990)), Thought::Proof(Ending::Loss));
        assert_eq!(Thought::of(&Ply::of_opening(ply.point)), Thought::None);
    }
}
