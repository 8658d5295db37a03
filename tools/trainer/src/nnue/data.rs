//! Games, and the positions in them from which to learn.

use super::layout::KEY_COUNT;
use super::sight::{Sight, Views};
use super::target::{Thought, look_ahead, outcome};
use crate::classical::features::{Neighbourhood, is_forced, is_settled};
use crate::classical::tables::MOVE_SCALE;
use crate::games::{
    Ending, Found, fit_score_unit, is_held_out, read_games, searched_score, sigmoid,
};
use anyhow::Result;
use rayon::prelude::*;
use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;
use yonsan::board::{Bitboard, Colour, Point, Position, Size, Symmetry, mix};
use yonsan::eval::classical::{evaluate, move_score, point_table};
use yonsan::eval::nnue::PRIOR_LIMIT;
use yonsan::eval::weights::SCORE_SCALE;
use yonsan::pattern::Board;
use yonsan::rules::Rule;
use yonsan_format::Game;

/// Games that are replayed in parallel, and wait for each other.
const BLOCK: usize = 512;
/// So many plies before a proven win the ending alone is the target.
const SURE_PLIES: usize = 8;
/// How many of the best moves are looked at for [`Classical::found`].
pub const PLACES: [f32; 3] = [1.0, 3.0, 8.0];

/// A position of a game as something to learn from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Number of the game in [`Data`].
    pub game: u32,
    /// Plies before the position.
    pub ply: u16,
    /// Whether its value is to be learned.
    pub has_value: bool,
    /// Whether its move is to be learned.
    pub has_move: bool,
    /// How the game ended for the mover.
    pub ending: Ending,
    /// The classical evaluation, which the net builds on.
    pub prior: i16,
    /// What the search thought; `None` if the ending alone counts.
    pub score: Option<i16>,
    /// The points forbidden to the mover near stones: the first in
    /// [`Data::fouls`], and how many.
    fouls: (u32, u8),
    /// Chances of win, draw and loss that the net should tell.
    pub target: [f32; 3],
}

impl Sample {
    /// What the classical evaluation adds to the logit of a win and takes from
    /// that of a loss.
    #[must_use]
    pub fn prior_logit(&self) -> f32 {
        f32::from(self.prior) / (2.0 * SCORE_SCALE)
    }
}

#[cfg(test)]
impl Sample {
    /// A sample with value and move of no game.
    pub(super) const fn for_tests(ending: Ending, target: [f32; 3]) -> Self {
        Self {
            game: 0,
            ply: 0,
            has_value: true,
            has_move: true,
            ending,
            prior: 0,
            score: None,
            fouls: (0, 0),
            target,
        }
    }
}

/// What the classical evaluation thinks of a position, to compare with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Classical {
    /// The points it expects, 0 to 1.
    pub points: f32,
    /// Loss of the played move in nats.
    pub move_loss: f32,
    /// Whether the played move is among the first of [`PLACES`], 0 to 1.
    pub found: [f32; 3],
}

/// What is the same for all positions of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameFacts {
    /// The rule.
    pub rule: Rule,
    /// The board.
    pub size: Size,
    /// The generation of the engine that played.
    pub generation: u16,
    /// Who won it.
    winner: Option<Colour>,
    /// Where its moves begin.
    start: usize,
}

/// What to learn from.
#[derive(Clone, Debug)]
pub struct Data {
    games: Vec<GameFacts>,
    moves: Vec<Point>,
    /// What the search thought before each of the moves.
    thoughts: Vec<Thought>,
    fouls: Vec<Point>,
    /// Positions for learning.
    pub learn: Vec<Sample>,
    /// Positions held out.
    pub held_out: Vec<Sample>,
    /// What the classical evaluation thinks of [`Data::held_out`].
    pub classical: Vec<Classical>,
    /// What the files held.
    pub found: Found,
    /// Positions that had come before.
    pub repeated: u64,
    /// Score that stands for odds of e : 1, by rule and generation.
    pub scales: BTreeMap<(usize, u16), f32>,
}

/// A position that a sample is about.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The rule.
    pub rule: Rule,
    /// The board.
    pub size: Size,
    /// The moves that led to it.
    pub moves: &'a [Point],
    /// The move that was played.
    pub played: Point,
    /// Points forbidden to the mover.
    pub fouls: &'a [Point],
}

impl View<'_> {
    /// Whose turn it is.
    #[must_use]
    pub const fn mover(&self) -> Colour {
        Colour::ALL[self.moves.len() % 2]
    }
}

/// What is to be read.
#[derive(Clone, Copy, Debug)]
pub struct Wishes {
    /// Of how many plies one is used.
    pub every: usize,
    /// What is expected after the next move weighs so much in a target, 0 to 1;
    /// the score of the position itself has the rest.
    pub lambda: f32,
}

/// A position as the replay of one game finds it.
struct Seen {
    sample: Sample,
    hash: u64,
    fouls: Vec<Point>,
    classical: Option<Classical>,
}

impl Data {
    pub(super) const fn empty() -> Self {
        Self {
            games: Vec::new(),
            moves: Vec::new(),
            thoughts: Vec::new(),
            fouls: Vec::new(),
            learn: Vec::new(),
            held_out: Vec::new(),
            classical: Vec::new(),
            found: Found {
                games: 0,
                repeated: 0,
                torn: Vec::new(),
            },
            repeated: 0,
            scales: BTreeMap::new(),
        }
    }

    /// Reads games from files.
    ///
    /// # Errors
    ///
    /// See [`read_games`].
    pub fn read(paths: &[PathBuf], wishes: &Wishes) -> Result<Self> {
        let mut data = Self::empty();
        let mut known = HashSet::new();
        let mut block = Vec::with_capacity(BLOCK);
        data.found = read_games(
            paths,
            |_| true,
            |hash, game| {
                block.push((hash, game));
                if block.len() == BLOCK {
                    data.add(&block, wishes, &mut known);
                    block.clear();
                }
            },
        )?;
        data.add(&block, wishes, &mut known);
        data.set_targets(wishes.lambda);
        Ok(data)
    }

    pub(super) fn add(&mut self, games: &[(u64, Game)], wishes: &Wishes, known: &mut HashSet<u64>) {
        let replayed: Vec<Vec<Seen>> = games
            .par_iter()
            .map_init(Vec::new, |near, (hash, game)| {
                replay(game, wishes.every, *hash, near)
            })
            .collect();
        for (seen, (hash, game)) in replayed.into_iter().zip(games) {
            for mut seen in seen {
                if !known.insert(seen.hash) {
                    self.repeated += 1;
                    continue;
                }
                seen.sample.game = self.games.len() as u32;
                seen.sample.fouls = (self.fouls.len() as u32, seen.fouls.len() as u8);
                self.fouls.extend(seen.fouls);
                if is_held_out(*hash) {
                    self.held_out.push(seen.sample);
                    self.classical.extend(seen.classical);
                } else {
                    self.learn.push(seen.sample);
                }
            }
            let facts = game.facts();
            self.games.push(GameFacts {
                rule: facts.rule,
                size: facts.size,
                generation: facts.generation,
                winner: facts.winner,
                start: self.moves.len(),
            });
            self.moves.extend(game.moves());
            self.thoughts.extend(game.plies().iter().map(Thought::of));
        }
    }

    /// Finds out what scores are worth and sets the targets.
    pub(super) fn set_targets(&mut self, lambda: f32) {
        let mut pairs: BTreeMap<(usize, u16), Vec<(i16, f32)>> = BTreeMap::new();
        let kind_of = |games: &[GameFacts], sample: &Sample| {
            let game = games[sample.game as usize];
            (game.rule.index(), game.generation)
        };
        for sample in self.learn.iter().filter(|sample| sample.has_value) {
            let pairs = pairs.entry(kind_of(&self.games, sample)).or_default();
            pairs.extend(sample.score.map(|score| (score, sample.ending.points())));
        }
        let scales = pairs
            .into_par_iter()
            .map(|(kind, pairs)| (kind, 1.0 / fit_score_unit(pairs.into_iter())));
        self.scales = scales.collect();
        let foreseen = self.foreseen(lambda);
        for sample in self.learn.iter_mut().chain(&mut self.held_out) {
            let place = self.games[sample.game as usize].start + usize::from(sample.ply);
            sample.target = match sample.score {
                Some(_) => foreseen[place],
                None => outcome(sample.ending),
            };
        }
    }

    /// The chances of the mover before every move of every game, see
    /// [`look_ahead`].
    fn foreseen(&self, lambda: f32) -> Vec<[f32; 3]> {
        let ends = self.games.iter().skip(1).map(|game| game.start);
        let ends = ends.chain([self.thoughts.len()]);
        let games = self.games.iter().zip(ends);
        let of_game = |(game, end): (&GameFacts, usize)| {
            let scale = self.scales.get(&(game.rule.index(), game.generation));
            let scale = scale.copied().unwrap_or(SCORE_SCALE);
            look_ahead(&self.thoughts[game.start..end], game.winner, scale, lambda)
        };
        games.flat_map(of_game).collect()
    }

    /// The game of a sample.
    #[inline]
    #[must_use]
    pub fn game(&self, sample: &Sample) -> &GameFacts {
        &self.games[sample.game as usize]
    }

    /// Number of games.
    #[must_use]
    pub const fn game_count(&self) -> usize {
        self.games.len()
    }

    /// The sizes of boards that occur, each once.
    #[must_use]
    pub fn sizes(&self) -> Vec<Size> {
        let sizes: HashSet<Size> = self.games.iter().map(|game| game.size).collect();
        let mut sizes: Vec<Size> = sizes.into_iter().collect();
        sizes.sort_by_key(|size| (size.width(), size.height()));
        sizes
    }

    /// The position of a sample.
    #[inline]
    #[must_use]
    pub fn view(&self, sample: &Sample) -> View<'_> {
        let game = self.game(sample);
        let end = game.start + usize::from(sample.ply);
        let (foul, count) = sample.fouls;
        View {
            rule: game.rule,
            size: game.size,
            moves: &self.moves[game.start..end],
            played: self.moves[end],
            fouls: &self.fouls[foul as usize..][..usize::from(count)],
        }
    }

    /// In how many games for learning each key occurs. Positions would be the
    /// wrong thing to count: a window stays for many plies, and they all have
    /// one result.
    #[must_use]
    pub fn frequencies(&self, sight: &Sight) -> Vec<u32> {
        const PART: usize = 1 << 11;
        let of_one_game = |one: &Sample, other: &Sample| one.game == other.game;
        let games: Vec<&[Sample]> = self.learn.chunk_by(of_one_game).collect();
        games
            .par_chunks(PART)
            .fold(Counts::new, |mut counts, games| {
                for (number, samples) in games.iter().enumerate() {
                    for sample in *samples {
                        sight.look(&self.view(sample), &mut counts.views);
                        counts.add(number as u32);
                    }
                }
                counts.forget_games();
                counts
            })
            .map(|counts| counts.counts)
            .reduce(
                || vec![0; KEY_COUNT],
                |mut sum, counts| {
                    for (sum, count) in sum.iter_mut().zip(counts) {
                        *sum += count;
                    }
                    sum
                },
            )
    }
}

/// Games in which keys were seen.
struct Counts {
    counts: Vec<u32>,
    /// The game in which a key was seen last, plus 1.
    last: Vec<u32>,
    views: Views,
}

impl Counts {
    fn new() -> Self {
        Self {
            counts: vec![0; KEY_COUNT],
            last: vec![0; KEY_COUNT],
            views: Views::default(),
        }
    }

    /// Counts what was seen of a game.
    fn add(&mut self, game: u32) {
        for &key in self.views.keys.iter().flatten() {
            let last = &mut self.last[key as usize];
            self.counts[key as usize] += u32::from(*last != game + 1);
            *last = game + 1;
        }
    }

    /// Other games may get the same numbers from now on.
    fn forget_games(&mut self) {
        self.last.fill(0);
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

/// Hashes of the images of a set of stones.
struct Images {
    size: Size,
    hashes: Vec<(Symmetry, u64)>,
    kind: u64,
}

impl Images {
    fn new(rule: Rule, size: Size) -> Self {
        Self {
            size,
            hashes: Symmetry::all(size).map(|symmetry| (symmetry, 0)).collect(),
            kind: mix((rule.index() as u64) << 16
                | u64::from(size.width()) << 8
                | u64::from(size.height())),
        }
    }

    fn put(&mut self, point: Point, colour: Colour) {
        for (symmetry, hash) in &mut self.hashes {
            let image = symmetry.apply(point, self.size).index() * 2 + colour.index();
            *hash ^= mix(image as u64 ^ self.kind);
        }
    }

    /// The same for all images.
    fn hash(&self) -> u64 {
        let lowest = self.hashes.iter().map(|(_, hash)| *hash).min();
        lowest.unwrap_or(0) ^ self.kind
    }
}

/// The ply from which on the ending was certain.
fn sure_from(game: &Game) -> usize {
    let end = game.plies().len();
    let proof = game.samples().find(|s| {
        let is_win = s.ply.score.win_plies().is_some();
        is_win && !s.ply.is_random && game.facts().winner == Some(s.mover)
    });
    let proof = proof.map_or(end, |sample| sample.number);
    if game.facts().winner.is_some() {
        proof.saturating_sub(SURE_PLIES)
    } else {
        end
    }
}

/// All positions of a game to learn from; of the plies one of `every`, which
/// one follows from `hash`.
fn replay(game: &Game, every: usize, hash: u64, near: &mut Vec<Neighbourhood>) -> Vec<Seen> {
    let facts = game.facts();
    let near = neighbourhood(near, facts.size);
    let mut board = Board::new(Position::new(facts.size), point_table(facts.rule));
    let mut images = Images::new(facts.rule, facts.size);
    let sure = sure_from(game);
    let first = hash as usize % every;
    let mut seen = Vec::new();
    for (number, ply) in game.plies().iter().enumerate() {
        let mover = board.side_to_move();
        let is_used = number >= usize::from(facts.opening_len)
            && !ply.is_random
            && number % every == first
            && !board.position().stones().is_empty();
        if is_used {
            let candidates = near.candidates(&mut board);
            let has_move = !ply.is_forced
                && !is_forced(&board)
                && candidates.count() > 1
                && candidates.contains(ply.point);
            let has_value = !is_settled(&board);
            if has_value || has_move {
                let sample = Sample {
                    game: 0,
                    ply: number as u16,
                    has_value,
                    has_move,
                    ending: Ending::of(facts.winner, mover),
                    prior: evaluate(&board).clamp(-PRIOR_LIMIT, PRIOR_LIMIT) as i16,
                    score: searched_score(ply).filter(|_| number < sure),
                    fouls: (0, 0),
                    target: [0.0; 3],
                };
                seen.push(Seen {
                    sample,
                    hash: images.hash(),
                    fouls: fouls(&board, near, candidates),
                    classical: is_held_out(hash)
                        .then(|| classical(&board, candidates, ply.point, has_move)),
                });
            }
        }
        images.put(ply.point, mover);
        board.play(ply.point);
    }
    seen
}

/// The free points near stones that are no candidates.
fn fouls(board: &Board, near: &Neighbourhood, candidates: Bitboard) -> Vec<Point> {
    near.around_stones(board.position())
        .iter()
        .filter(|&point| board.position().is_empty(point) && !candidates.contains(point))
        .collect()
}

/// What the classical evaluation thinks.
fn classical(board: &Board, candidates: Bitboard, played: Point, has_move: bool) -> Classical {
    let points = sigmoid(evaluate(board) as f32 / SCORE_SCALE);
    let logit = |point| move_score(board, point) as f32 / MOVE_SCALE;
    let (move_loss, found) = if has_move {
        let logits: Vec<f32> = candidates.iter().map(logit).collect();
        judge_move(&logits, logit(played))
    } else {
        (0.0, [0.0; PLACES.len()])
    };
    Classical {
        points,
        move_loss,
        found,
    }
}

/// The loss of the played move in nats, and whether it is among the first of
/// [`PLACES`], given the log odds of all candidates, the played one included.
#[must_use]
pub fn judge_move(logits: &[f32], played: f32) -> (f32, [f32; PLACES.len()]) {
    let highest = logits.iter().copied().fold(played, f32::max);
    let sum: f32 = logits.iter().map(|logit| (logit - highest).exp()).sum();
    let before = logits.iter().filter(|&&logit| logit > played).count() as f32;
    let equal = logits.iter().filter(|&&logit| logit == played).count() as f32;
    // Of equal candidates each is as likely to come first.
    let found = PLACES.map(|places| ((places - before) / equal.max(1.0)).clamp(0.0, 1.0));
    (sum.ln() - (played - highest), found)
}

#[cfg(test)]
#[path = "data_tests.rs"]
mod tests;
