//! From recorded games to samples.
//!
//! Games are replayed on the engine's own board; [`crate::games`] reads them
//! and says which are held out.

use super::features::{Candidates, ComboTimes, Extractor, Neighbourhood, is_forced, is_settled};
use super::model::ValueHead;
use super::store::Store;
use crate::games::{Ending, Found, is_held_out, read_games, searched_score};
use anyhow::Result;
use rayon::prelude::*;
use std::path::PathBuf;
use yonsan::board::{Colour, Position, Size, mix};
use yonsan::eval::classical::point_table;
use yonsan::pattern::Board;
use yonsan::rules::Rule;
use yonsan_format::Game;

/// Games that are replayed in parallel, and wait for each other.
const BLOCK: usize = 512;

/// Samples of one rule.
#[derive(Clone, Debug)]
pub struct Samples {
    /// Positions to value.
    pub values: Store<ValueHead, ComboTimes>,
    /// Moves to foretell.
    pub moves: Store<Colour, Candidates>,
}

impl Samples {
    const fn new(limit: usize) -> Self {
        Self {
            values: Store::new(limit),
            moves: Store::new(limit),
        }
    }

    fn append(&mut self, other: &Self, hash: u64) {
        // Thinning must not take the same plies of every game.
        let key = |index| mix(hash ^ index as u64) as u32;
        for (index, sample) in other.values.iter().enumerate() {
            self.values.push(key(index), *sample.head, sample.items);
        }
        for (index, sample) in other.moves.iter().enumerate() {
            self.moves.push(key(index), *sample.head, sample.items);
        }
    }
}

/// Samples of one rule for learning, and those held out.
#[derive(Clone, Debug)]
pub struct Split {
    /// For learning.
    pub learn: Samples,
    /// For checking what was learned.
    pub held_out: Samples,
    /// What the files held.
    pub found: Found,
}

/// Reads the games of a rule from files; keeps at most `limit` samples of each
/// kind.
///
/// # Errors
///
/// If a file cannot be read, is no file of games, or holds an impossible game.
/// What is missing or damaged at the end of a file is only reported.
pub fn collect(paths: &[PathBuf], rule: Rule, limit: usize) -> Result<Split> {
    let mut split = Split {
        learn: Samples::new(limit),
        held_out: Samples::new(limit),
        found: Found::default(),
    };
    let mut block = Vec::with_capacity(BLOCK);
    let found = read_games(
        paths,
        |game| game.facts().rule == rule,
        |hash, game| {
            block.push((hash, game));
            if block.len() == BLOCK {
                split.add(&block);
                block.clear();
            }
        },
    )?;
    split.add(&block);
    split.found = found;
    Ok(split)
}

impl Split {
    fn add(&mut self, games: &[(u64, Game)]) {
        let replayed: Vec<Samples> = games
            .par_iter()
            .map_init(Vec::new, |near, (_, game)| replay(game, near))
            .collect();
        for (samples, (hash, _)) in replayed.iter().zip(games) {
            let target = if is_held_out(*hash) {
                &mut self.held_out
            } else {
                &mut self.learn
            };
            target.append(samples, *hash);
        }
    }
}

/// The neighbourhoods of a size, computed when first asked for.
fn neighbourhood(known: &mut Vec<Neighbourhood>, size: Size) -> &Neighbourhood {
    let place = known.iter().position(|near| near.size() == size);
    let place = place.unwrap_or_else(|| {
        known.push(Neighbourhood::new(size));
        known.len() - 1
    });
    &known[place]
}

/// All samples of a game.
fn replay(game: &Game, near: &mut Vec<Neighbourhood>) -> Samples {
    let facts = game.facts();
    let near = neighbourhood(near, facts.size);
    let mut extractor = Extractor::new(facts.rule);
    let mut board = Board::new(Position::new(facts.size), point_table(facts.rule));
    let mut samples = Samples::new(usize::MAX);
    for (number, ply) in game.plies().iter().enumerate() {
        if number >= usize::from(facts.opening_len) && !ply.is_random {
            let mover = board.side_to_move();
            if !is_settled(&board) {
                let (outlook, items) = extractor.value(&board);
                let head = ValueHead {
                    outlook,
                    ending: Ending::of(facts.winner, mover),
                    score: searched_score(ply),
                };
                samples.values.push(0, head, items);
            }
            if !ply.is_forced && !is_forced(&board) {
                let candidates = extractor.candidates(&mut board, near, ply.point);
                if let Some(items) = candidates {
                    samples.moves.push(0, mover, items);
                }
            }
        }
        board.play(ply.point);
    }
    samples
}

#[cfg(test)]
mod tests {
    use super::*;
    use yonsan::board::{Point, parse_moves};
    use yonsan_format::{Effort, End, Facts, Ply, Score};

    fn ply(point: Point, score: i32) -> Ply {
        Ply {
            point,
            is_random: false,
            is_forced: false,
            effort: Effort::of_nodes(3_000),
            score: Score::new(score).unwrap(),
        }
    }

    fn game_of(points: &[Point], opening_len: u8) -> Game {
        let facts = Facts {
            rule: Rule::Freestyle,
            size: Size::square(15).unwrap(),
            winner: Some(Colour::Black),
            end: End::Five,
            opening_len,
            generation: 0,
            seed: 0,
        };
        let plies = points
            .iter()
            .enumerate()
            .map(|(n, &point)| ply(point, n as i32));
        Game::new(facts, plies.collect()).unwrap()
    }

    /// Three in a row after five plies, four after seven.
    const MOVES: &str = "h8a1h9c1h10e1h11g1h12";

    #[test]
    fn only_open_positions_give_samples() {
        let points = parse_moves(MOVES).unwrap();
        let samples = replay(&game_of(&points, 2), &mut Vec::new());
        // Plies 2 to 5: then Black has a strong four, and fives.
        let scores: Vec<_> = samples.values.iter().map(|s| s.head.score).collect();
        assert_eq!(scores, [2, 3, 4, 5].map(Some));
        let endings: Vec<_> = samples.values.iter().map(|s| s.head.ending).collect();
        assert_eq!(endings[..2], [Ending::Win, Ending::Loss]);
        // White's moves are too far away from Black's, but near its own.
        let movers: Vec<_> = samples.moves.iter().map(|s| *s.head).collect();
        use Colour::{Black, White};
        assert_eq!(movers, [Black, White, Black, White, Black]);
    }

    #[test]
    fn random_and_forced_plies_and_proofs_are_told_apart() {
        let points = parse_moves(MOVES).unwrap();
        let game = game_of(&points, 2);
        let mut plies = game.plies().to_vec();
        plies[2].is_random = true;
        plies[3].is_forced = true;
        plies[4].score = Score::new(29_991).unwrap();
        plies[5].effort = Effort::NONE;
        let game = Game::new(*game.facts(), plies).unwrap();
        let samples = replay(&game, &mut Vec::new());
        let scores: Vec<_> = samples.values.iter().map(|s| s.head.score).collect();
        assert_eq!(scores, [Some(3), None, None]);
        assert_eq!(samples.moves.len(), 3);
    }
}
