//! Openings that go astray: random stones, then moves that look good, more or
//! less.
//!
//! Most positions that a search values come about by moves nobody would play.
//! An evaluation that has seen only what good play leads to does not know
//! them: games that begin there taught it more, with fewer positions; figures
//! stand in the README of `tools/trainer`.

use yonsan::board::{Point, Random};
use yonsan::eval::classical::{move_score, point_table};
use yonsan::pattern::Board;
use yonsan::rules::{Game, GameResult};

/// Farthest a move is from all stones.
const REACH: u8 = 2;
/// A move whose score is so much below the best one's is chosen e times as
/// seldom.
const TEMPERATURE: f64 = 48.0;
/// Weight of the move with the best score; every other one has one more than
/// its share of that.
const TOP_WEIGHT: f64 = 100_000.0;

/// Goes on with a game by so many moves; they are added to the list. `None` if
/// that ends the game, or there is no move.
pub fn go_astray(
    game: &mut Game,
    moves: &mut Vec<Point>,
    count: u64,
    random: &mut Random,
) -> Option<()> {
    for _ in 0..count {
        let point = choose(game, random)?;
        if game.play(point) != Ok(GameResult::Ongoing) {
            return None;
        }
        moves.push(point);
    }
    Some(())
}

/// A legal move near the stones.
fn choose(game: &Game, random: &mut Random) -> Option<Point> {
    let mut board = Board::new(game.position().clone(), point_table(game.rule()));
    let scored = scored_moves(&mut board);
    let top = scored.iter().map(|&(_, score)| score).max()?;
    let weight = |score: i32| {
        let share = (f64::from(score - top) / TEMPERATURE).exp();
        share.mul_add(TOP_WEIGHT, 1.0) as u64
    };
    let weights: Vec<u64> = scored.iter().map(|&(_, score)| weight(score)).collect();
    Some(scored[random.weighted(&weights)].0)
}

/// The legal moves near the stones, and how urgent they look.
fn scored_moves(board: &mut Board) -> Vec<(Point, i32)> {
    let side = board.side_to_move();
    let position = board.position();
    let is_near = |&point: &Point| {
        let mut stones = position.stones().iter();
        stones.any(|stone| stone.point.distance(point) <= REACH)
    };
    let mut near: Vec<Point> = position.empty_points().filter(is_near).collect();
    near.retain(|&point| !board.is_forbidden(point, side));
    let scored = near
        .into_iter()
        .map(|point| (point, move_score(board, point)));
    scored.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use yonsan::board::{Size, parse_moves};
    use yonsan::rules::Rule;

    fn game(rule: Rule, moves: &str) -> Game {
        let mut game = Game::new(rule, Size::square(15).unwrap());
        for point in parse_moves(moves).unwrap() {
            game.play(point).unwrap();
        }
        game
    }

    #[test]
    fn moves_are_near_and_settled_by_the_seed() {
        let stray = |seed| {
            let mut game = game(Rule::Freestyle, "h8");
            let mut moves = Vec::new();
            go_astray(&mut game, &mut moves, 9, &mut Random::new(seed))?;
            assert_eq!(game.position().stones().len(), 1 + moves.len());
            for (number, point) in moves.iter().enumerate() {
                let before = &game.position().stones()[..=number];
                assert!(before.iter().any(|s| s.point.distance(*point) <= REACH));
            }
            Some(moves)
        };
        let many: Vec<_> = (0..20).filter_map(stray).collect();
        assert!(many.len() > 15);
        assert!(many.iter().all(|moves| moves.len() == 9));
        assert_eq!(stray(3), stray(3));
        assert_ne!(stray(3), stray(4));
    }

    /// White must stop a three; most of its moves do, some do not.
    #[test]
    fn good_moves_come_more_often_but_not_always() {
        let game = game(Rule::Standard, "h8a1h9c1h10");
        let mut random = Random::new(1);
        let stops = parse_moves("h6h7h11h12").unwrap();
        let mut count = 0;
        for _ in 0..300 {
            count += usize::from(stops.contains(&choose(&game, &mut random).unwrap()));
        }
        assert!((150..300).contains(&count), "{count}");
    }

    /// A game that has ended goes nowhere.
    #[test]
    fn the_end_of_the_game_is_no_opening() {
        let mut game = game(Rule::Freestyle, "h8a1h9c1h10e1h11g1h12");
        let mut moves = Vec::new();
        let found = go_astray(&mut game, &mut moves, 1, &mut Random::new(1));
        assert_eq!((found, moves.len()), (None, 0));
    }

    /// Black may not play the crossing of two threes in renju.
    #[test]
    fn forbidden_points_are_left_out() {
        let crossing = parse_moves("h8").unwrap()[0];
        let has = |rule| {
            let game = game(rule, "h9a1h10c1j8e1k8g1");
            let mut board = Board::new(game.position().clone(), point_table(rule));
            scored_moves(&mut board).iter().any(|m| m.0 == crossing)
        };
        assert_eq!((has(Rule::Renju), has(Rule::Standard)), (false, true));
    }
}
