//! How games begin: a few random stones near each other that leave both sides
//! a chance.
//!
//! Half of them go [astray](crate::stray) from there. A quick search throws out
//! what is lopsided, a longer one has the last word. One game in ten begins
//! lopsided all the same: an evaluation that has never seen a lost position does
//! not know one.

use crate::settings::Settings;
use crate::stray::go_astray;
use crate::thinker::Thinker;
use yonsan::board::{Point, Random, Size};
use yonsan::rules::{Game, GameResult, Rule};

/// How often numbers of stones from 1 on are chosen. Few stones give few
/// different openings.
const COUNT_WEIGHTS: [u64; 8] = [1, 2, 4, 6, 6, 5, 4, 3];
/// Points of the board for each stone at least.
const AREA_PER_STONE: usize = 6;
/// Sides of the square the stones lie in.
const SQUARE_SIDES: (u8, u8) = (4, 6);
/// The square lies anywhere, not near the centre, once in so many openings.
const ANYWHERE_IN: u64 = 10;
/// Any balance will do once in so many openings.
const LOPSIDED_IN: u64 = 10;
/// Openings looked at before the most balanced one is taken.
const MOST_ATTEMPTS: u32 = 40;

/// An opening does not go astray once in so many.
const STRAIGHT_IN: u64 = 2;
/// What of the balance is asked of one that does, in percent.
const STRAY_BALANCE_PERCENT: i32 = 267;

/// The quick search has this part of the nodes of a ply.
const GLANCE_DIVISOR: u64 = 10;
/// The long one has so many times the nodes of a ply.
const JUDGE_FACTOR: u64 = 4;
/// What the quick search finds may be off the balance by this factor.
const GLANCE_SLACK: i32 = 3;

/// Random stones, Black's first, after which the game still goes on.
pub fn choose(
    thinker: &mut Thinker,
    settings: &Settings,
    rule: Rule,
    size: Size,
    random: &mut Random,
) -> Vec<Point> {
    let may_be_lopsided = random.one_in(LOPSIDED_IN);
    let mut best: Option<(i32, Vec<Point>)> = None;
    for _ in 0..MOST_ATTEMPTS {
        let Some(mut opening) = random_stones(rule, size, random) else {
            continue;
        };
        let balance = if random.one_in(STRAIGHT_IN) {
            settings.balance
        } else {
            let count = random.below(settings.stray + 1);
            if go_astray(&mut opening.game, &mut opening.moves, count, random).is_none() {
                continue;
            }
            let percent = if count == 0 {
                100
            } else {
                STRAY_BALANCE_PERCENT
            };
            settings.balance.saturating_mul(percent) / 100
        };
        let judge = Judge {
            thinker,
            settings,
            opening: &opening,
        };
        let Some(imbalance) = judge.imbalance(may_be_lopsided) else {
            continue;
        };
        if may_be_lopsided || imbalance <= balance {
            return opening.moves;
        }
        if best.as_ref().is_none_or(|(least, _)| imbalance < *least) {
            best = Some((imbalance, opening.moves));
        }
    }
    best.map_or_else(|| vec![size.centre()], |(_, moves)| moves)
}

struct Opening {
    game: Game,
    moves: Vec<Point>,
}

struct Judge<'a> {
    thinker: &'a mut Thinker,
    settings: &'a Settings,
    opening: &'a Opening,
}

impl Judge<'_> {
    /// How far from even the opening is; `None` if it is decided, or there is
    /// no choice of a move.
    fn imbalance(mut self, may_be_lopsided: bool) -> Option<i32> {
        let nodes = self.settings.nodes;
        let glance = self.search((nodes / GLANCE_DIVISOR).max(1))?;
        if !may_be_lopsided && glance > self.settings.balance.saturating_mul(GLANCE_SLACK) {
            return Some(glance);
        }
        self.search(nodes * JUDGE_FACTOR)
    }

    fn search(&mut self, nodes: u64) -> Option<i32> {
        let game = &self.opening.game;
        let found = self.thinker.best(game.position(), game.rule(), nodes)?;
        let is_settled = found.score.is_forced() || (found.depth == 0 && found.nodes <= 1);
        (!is_settled).then(|| found.score.raw().abs())
    }
}

/// Stones in a square; `None` if they end the game.
fn random_stones(rule: Rule, size: Size, random: &mut Random) -> Option<Opening> {
    let most = (size.area() / AREA_PER_STONE).clamp(1, COUNT_WEIGHTS.len());
    let count = random.weighted(&COUNT_WEIGHTS[..most]) + 1;
    let square = random.between(SQUARE_SIDES.0, SQUARE_SIDES.1);
    let is_anywhere = random.one_in(ANYWHERE_IN);
    let [(left, columns), (low, rows)] = [size.width(), size.height()].map(|side| {
        let span = square.min(side);
        let room = side - span;
        let corner = if is_anywhere {
            random.between(0, room)
        } else {
            // Off the middle by a point at most.
            (room / 2 + random.between(0, 2))
                .saturating_sub(1)
                .min(room)
        };
        (corner, span)
    });
    let mut game = Game::new(rule, size);
    let mut moves = Vec::with_capacity(count);
    while moves.len() < count {
        let x = left + random.between(0, columns - 1);
        let y = low + random.between(0, rows - 1);
        let Some(point) = size.point(x, y) else {
            continue;
        };
        if !game.position().is_empty(point) {
            continue;
        }
        if game.play(point) != Ok(GameResult::Ongoing) {
            return None;
        }
        moves.push(point);
    }
    Some(Opening { game, moves })
}

#[cfg(test)]
mod tests {
    use super::*;
    use yonsan::board::Position;
    use yonsan::eval::Evaluation;

    #[test]
    fn stones_lie_close_and_are_few_on_small_boards() {
        let mut random = Random::new(5);
        let mut counts = [0; 9];
        let mut far = 0;
        for side in [5, 15, 22] {
            let size = Size::square(side).unwrap();
            for _ in 0..500 {
                let Some(opening) = random_stones(Rule::Renju, size, &mut random) else {
                    continue;
                };
                let moves = &opening.moves;
                assert_eq!(opening.game.position().stones().len(), moves.len());
                assert!(moves.len() <= size.area() / 6);
                let spread = moves.iter().map(|p| p.distance(moves[0])).max();
                assert!(spread.unwrap() < 6);
                counts[moves.len()] += 1;
                far += u32::from(moves[0].distance(size.centre()) > 5);
            }
        }
        assert!(counts[1..].iter().all(|&count| count > 20), "{counts:?}");
        assert_eq!(counts[0], 0);
        assert!((30..200).contains(&far), "{far}");
    }

    /// With a balance nothing can meet, the most balanced opening is taken,
    /// and it can be played.
    #[test]
    fn an_opening_is_always_found() {
        let settings = Settings {
            rules: "freestyle:1".parse().unwrap(),
            sizes: "5:1".parse().unwrap(),
            nodes: 20,
            balance: -1,
            stray: 9,
            hash_mib: 1,
            generation: 0,
            seed: 1,
            evaluation: Evaluation::default(),
        };
        let mut thinker = Thinker::new(&settings);
        for seed in 0..5 {
            let size = Size::square(5 + seed as u8).unwrap();
            let mut random = Random::new(seed);
            let moves = choose(&mut thinker, &settings, Rule::Caro, size, &mut random);
            assert!(!moves.is_empty());
            assert!(Position::from_moves(size, &moves).is_ok());
        }
    }
}
