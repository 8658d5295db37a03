//! One game of the engine against itself.
//!
//! The slow referee judges every ply. A game may end earlier than on the
//! board: when the side to move has proven its win; when no row of five can come
//! any more; or when the board is nearly full and the scores have been even for
//! long. One game in a hundred
//! is played out all the same, so that wrong proofs come to light.

use crate::dead::is_dead;
use crate::opening;
use crate::settings::Settings;
use crate::thinker::Thinker;
use anyhow::{Context, Result};
use yonsan::board::{Colour, Point, Random};
use yonsan::engine::Outcome;
use yonsan::rules::{self, GameResult, WinReason};
use yonsan_format::{Effort, End, Facts, Game, Ply, Score};

/// Proven wins are played out once in so many games.
const PLAYED_OUT_IN: u64 = 100;

/// Plies after the opening in which another move than the best may be played.
const VARIED_PLIES: usize = 6;
/// How often one is, once in so many plies.
const VARIED_IN: u64 = 10;
/// Best moves it is chosen from.
const VARIED_MOVES: usize = 4;
/// How much worse than the best it may be: about a tenth of the games.
const VARIED_MARGIN: i32 = 70;
/// What several lines cost in nodes, against one.
const VARIED_NODES_FACTOR: u64 = 2;

/// Scores so near 0 are even.
const LEVEL_SCORE: i16 = 10;
/// Plies in a row they must be.
const LEVEL_PLIES: u32 = 10;
/// Part of the board that must be full, in percent.
const LEVEL_PERCENT: usize = 60;

/// Plays game `number`.
///
/// # Errors
///
/// If the engine finds no move, an illegal one or an impossible score: the
/// message names the game.
pub fn play_game(thinker: &mut Thinker, settings: &Settings, number: u64) -> Result<Game> {
    let seed = settings.game_seed(number);
    let mut random = Random::new(seed);
    let rule = *settings.rules.pick(&mut random);
    let size = settings.sizes.pick(&mut random).pick(&mut random);
    thinker.new_game();
    let opening = opening::choose(thinker, settings, rule, size, &mut random);
    let opening_len = u8::try_from(opening.len()).context("the opening is too long")?;
    let mut play = Play {
        thinker,
        settings,
        is_played_out: random.one_in(PLAYED_OUT_IN),
        random,
        referee: rules::Game::new(rule, size),
        plies: Vec::new(),
        varied_until: opening.len() + VARIED_PLIES,
        level_plies: 0,
    };
    let (winner, end) = play
        .run(&opening)
        .with_context(|| format!("game {number}, {rule} {size}, seed {seed}"))?;
    let facts = Facts {
        rule,
        size,
        winner,
        end,
        opening_len,
        generation: settings.generation,
        seed,
    };
    Ok(Game::new(facts, play.plies)?)
}

struct Play<'a> {
    thinker: &'a mut Thinker,
    settings: &'a Settings,
    random: Random,
    referee: rules::Game,
    plies: Vec<Ply>,
    is_played_out: bool,
    /// Number of plies up to which other moves than the best are tried.
    varied_until: usize,
    /// Even scores in a row.
    level_plies: u32,
}

type Verdict = (Option<Colour>, End);

impl Play<'_> {
    /// Plays to the end.
    fn run(&mut self, opening: &[Point]) -> Result<Verdict> {
        for &point in opening {
            self.put(Ply::of_opening(point))?;
        }
        loop {
            let ply = self.think()?;
            if let Some(verdict) = self.put(ply)? {
                return Ok(verdict);
            }
        }
    }

    /// Makes a ply; returns the result if it ends the game.
    fn put(&mut self, ply: Ply) -> Result<Option<Verdict>> {
        let mover = self.referee.position().side_to_move();
        let result = self.referee.play(ply.point)?;
        self.plies.push(ply);
        Ok(match result {
            GameResult::Won(side, WinReason::Five) => Some((Some(side), End::Five)),
            GameResult::Won(side, WinReason::Foul(_)) => Some((Some(side), End::Foul)),
            GameResult::Draw => Some((None, End::Full)),
            GameResult::Ongoing => self.adjudicate(mover, &ply),
        })
    }

    /// The result of a game that goes on but need not.
    fn adjudicate(&mut self, mover: Colour, ply: &Ply) -> Option<Verdict> {
        if ply.score.win_plies().is_some() && !self.is_played_out {
            return Some((Some(mover), End::Proof));
        }
        if ply.has_score() {
            let is_even = ply.score.raw().abs() <= LEVEL_SCORE;
            self.level_plies = if is_even { self.level_plies + 1 } else { 0 };
        }
        let position = self.referee.position();
        if self.plies.len() * 100 < position.size().area() * LEVEL_PERCENT {
            return None;
        }
        let is_drawn = self.level_plies >= LEVEL_PLIES || is_dead(position);
        is_drawn.then_some((None, End::Level))
    }

    /// The next ply.
    fn think(&mut self) -> Result<Ply> {
        let nodes = self.jittered_nodes();
        let is_varied = self.plies.len() < self.varied_until && self.random.one_in(VARIED_IN);
        let position = self.referee.position();
        let rule = self.referee.rule();
        if !is_varied {
            let found = self.thinker.best(position, rule, nodes);
            return to_ply(&found.context("no move found")?);
        }
        let nodes = nodes * VARIED_NODES_FACTOR;
        let found = self.thinker.several(position, rule, nodes, VARIED_MOVES);
        let (outcome, lines) = found.context("no move found")?;
        let mut ply = to_ply(&outcome)?;
        // The margin is far smaller than the distance to a proven loss.
        let near: Vec<Point> = lines
            .iter()
            .filter(|(_, score)| outcome.score.raw() - score.raw() <= VARIED_MARGIN)
            .map(|&(point, _)| point)
            .filter(|&point| point != ply.point)
            .collect();
        if !ply.score.is_proven() && !near.is_empty() {
            ply.point = near[self.random.index(near.len())];
            ply.is_random = true;
        }
        Ok(ply)
    }

    /// The nodes of the settings, give or take a tenth.
    fn jittered_nodes(&mut self) -> u64 {
        let tenth = self.settings.nodes / 10;
        self.settings.nodes - tenth + self.random.below(2 * tenth + 1)
    }
}

fn to_ply(outcome: &Outcome) -> Result<Ply> {
    let score = Score::new(outcome.score.raw()).context("a score beyond all scores")?;
    Ok(Ply {
        point: outcome.best,
        is_random: false,
        is_forced: outcome.depth == 0 && outcome.nodes <= 1 && !score.is_proven(),
        effort: Effort::of_nodes(outcome.nodes),
        score,
    })
}
