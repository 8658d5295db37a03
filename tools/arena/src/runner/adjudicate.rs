//! Ending games by the engines' own scores, if asked for.

use crate::config::{DrawByScore, ResignRule};
use crate::record::Reason;
use crate::referee::Verdict;
use yonsan::board::Colour;

/// How long the conditions have held, by colour.
#[derive(Clone, Debug)]
pub struct Adjudicator {
    resign: Option<ResignRule>,
    draw: Option<DrawByScore>,
    lost_streak: [u32; 2],
    even_streak: [u32; 2],
}

impl Adjudicator {
    /// Nothing has been seen.
    #[must_use]
    pub const fn new(resign: Option<ResignRule>, draw: Option<DrawByScore>) -> Self {
        Self {
            resign,
            draw,
            lost_streak: [0; 2],
            even_streak: [0; 2],
        }
    }

    /// Takes the score an engine told for itself with a move, `None` if it
    /// told none, which breaks every streak.
    pub fn note(&mut self, mover: Colour, score: Option<i32>, stones: usize) -> Option<Verdict> {
        let side = mover.index();
        let is_lost = |rule: ResignRule, score: i32| i64::from(score) <= -i64::from(rule.score);
        let is_even = |rule: DrawByScore, score: i32| score.unsigned_abs() <= rule.score;
        let holds =
            |test: Option<bool>, streak: u32| if test == Some(true) { streak + 1 } else { 0 };
        let lost = self
            .resign
            .zip(score)
            .map(|(rule, score)| is_lost(rule, score));
        let even = self
            .draw
            .zip(score)
            .map(|(rule, score)| is_even(rule, score));
        self.lost_streak[side] = holds(lost, self.lost_streak[side]);
        self.even_streak[side] = holds(even, self.even_streak[side]);
        if let Some(rule) = self.resign
            && self.lost_streak[side] >= rule.moves
        {
            let detail = format!(
                "{mover} gives up: score {} or worse for {} moves",
                -i64::from(rule.score),
                rule.moves
            );
            return Some(Verdict::loss(mover, Reason::Resigned, detail));
        }
        if let Some(rule) = self.draw
            && stones >= rule.after as usize
            && self.even_streak.iter().all(|&streak| streak >= rule.moves)
        {
            let detail = format!("both scores within {} for {} moves", rule.score, rule.moves);
            return Some(Verdict::draw(Reason::Adjudicated, detail));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Outcome;
    use Colour::{Black, White};

    #[test]
    fn losing_scores_must_last() {
        let mut judge = Adjudicator::new(
            Some(ResignRule {
                score: 500,
                moves: 2,
            }),
            None,
        );
        assert_eq!(judge.note(Black, Some(-500), 10), None);
        assert_eq!(judge.note(White, Some(900), 11), None);
        assert_eq!(judge.note(Black, Some(-400), 12), None);
        assert_eq!(judge.note(Black, Some(-600), 14), None);
        assert_eq!(judge.note(Black, None, 16), None);
        assert_eq!(judge.note(Black, Some(-600), 18), None);
        let verdict = judge.note(Black, Some(-29_990), 20).unwrap();
        assert_eq!(
            (verdict.outcome, verdict.reason),
            (Outcome::White, Reason::Resigned)
        );
    }

    #[test]
    fn both_must_call_it_even() {
        let rule = DrawByScore {
            score: 10,
            moves: 2,
            after: 20,
        };
        let mut judge = Adjudicator::new(None, Some(rule));
        for stones in (10..20).step_by(2) {
            assert_eq!(judge.note(Black, Some(5), stones), None);
            assert_eq!(judge.note(White, Some(-10), stones + 1), None);
        }
        assert_eq!(judge.note(Black, Some(11), 20), None);
        assert_eq!(judge.note(White, Some(0), 21), None);
        assert_eq!(judge.note(Black, Some(0), 22), None);
        assert_eq!(judge.note(White, Some(0), 23), None);
        let verdict = judge.note(Black, Some(0), 24).unwrap();
        assert_eq!(
            (verdict.outcome, verdict.reason),
            (Outcome::Draw, Reason::Adjudicated)
        );
    }
}
