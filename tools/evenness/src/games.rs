//! Openings of the engine's own, played out against itself.

use crate::work::{Setting, decide, side_by_side};
use anyhow::{Context as _, Result};
use std::fmt;
use yonsan::board::{Colour, Point, format_moves};
use yonsan::engine::{Engine, Request};
use yonsan::rules::opening::Opening;
use yonsan::rules::{Game, GameResult};
use yonsan::search::Control;

/// A game that was played out.
#[derive(Clone, Debug)]
pub struct Played {
    /// The stones of the opening.
    pub opening: Vec<Point>,
    /// Black's score after them, as the engine saw it when it put them.
    pub score: i32,
    /// Who won; `None` for a draw.
    pub winner: Option<Colour>,
    /// Stones on the board at the end.
    pub length: usize,
}

impl fmt::Display for Played {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let winner = self.winner.map_or("draw".to_owned(), |w| w.to_string());
        let opening = format_moves(&self.opening);
        let (score, length) = (self.score, self.length);
        write!(
            f,
            "{opening:<16} score {score:>5}  {winner:<5} after {length} stones"
        )
    }
}

/// What Black got in a number of games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// Wins, draws and losses of Black.
    pub results: [usize; 3],
    /// Black's points of each hundred.
    pub percent: f64,
    /// Half the width of the 95 % interval, in points of each hundred.
    pub margin: f64,
}

impl Summary {
    /// Adds up the results.
    #[must_use]
    pub fn new(games: &[Played]) -> Self {
        let count = |winner| games.iter().filter(|game| game.winner == winner).count();
        let results = [
            count(Some(Colour::Black)),
            count(None),
            count(Some(Colour::White)),
        ];
        let [wins, draws, _] = results.map(|number| number as f64);
        let total = games.len().max(1) as f64;
        let mean = (wins + draws / 2.0) / total;
        let variance = (wins + draws / 4.0) / total - mean * mean;
        Self {
            results,
            percent: 100.0 * mean,
            margin: 100.0 * 1.96 * (variance / total).sqrt(),
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [wins, draws, losses] = self.results;
        write!(
            f,
            "Black: {wins} wins, {draws} draws, {losses} losses: {:.1} % +- {:.1}",
            self.percent, self.margin
        )
    }
}

/// Puts the first stones of the openings and plays the games.
///
/// # Errors
///
/// If the procedure does not fit the board, or does not begin with stones.
pub fn play(setting: &Setting) -> Result<Vec<Played>> {
    side_by_side(setting.count, setting.jobs, |engine, number| {
        let mut opening = Opening::new(setting.procedure, setting.size)?;
        let seed = setting.seed_of(number);
        let decision = decide(engine, &opening, setting, setting.effort, seed)?;
        opening.apply(&decision.act)?;
        let stones = opening.position().stones().iter().map(|s| s.point);
        let stones: Vec<Point> = stones.collect();
        engine.new_game();
        let game = play_out(engine, setting, &stones)?;
        let played = Played {
            opening: stones,
            score: decision.score.map_or(0, |score| score.raw()),
            winner: match game.result() {
                GameResult::Won(colour, _) => Some(colour),
                GameResult::Draw | GameResult::Ongoing => None,
            },
            length: game.position().stones().len(),
        };
        println!("{played}");
        Ok(played)
    })
}

fn play_out(engine: &mut Engine, setting: &Setting, opening: &[Point]) -> Result<Game> {
    let mut game = Game::new(setting.rule, setting.size);
    for &point in opening {
        game.play(point)?;
    }
    while game.result() == GameResult::Ongoing {
        let request = Request {
            position: game.position().clone(),
            rule: setting.rule,
            limits: setting.effort.limits(),
            line_count: 1,
        };
        let outcome = engine.go(&request, &Control::new(), &mut ());
        game.play(outcome.context("no move")?.best)?;
    }
    Ok(game)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_count_draws_as_half() {
        let played = |winner| Played {
            opening: Vec::new(),
            score: 0,
            winner,
            length: 9,
        };
        let mut games = vec![played(Some(Colour::Black)); 5];
        games.extend(vec![played(None); 2]);
        games.extend(vec![played(Some(Colour::White)); 3]);
        let summary = Summary::new(&games);
        assert_eq!(summary.results, [5, 2, 3]);
        assert!((summary.percent - 60.0).abs() < 1e-9);
        // The variance of 1, 1/2 and 0 in these numbers is 0.19.
        assert!((summary.margin - 100.0 * 1.96 * (0.019_f64).sqrt()).abs() < 1e-9);
    }
}
