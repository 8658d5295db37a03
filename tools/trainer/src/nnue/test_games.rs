//! Made-up games for tests.

use super::data::{Data, Wishes};
use std::collections::HashSet;
use yonsan::board::{Position, Random, Size};
use yonsan::eval::classical::{move_score, point_table};
use yonsan::pattern::{Board, Group};
use yonsan::rules::Rule;
use yonsan_format::{Effort, End, Facts, Game, Ply, Score};

/// A game of two players who move by the classical order and err now and then;
/// it ends when one can make a five.
fn play(rule: Rule, side: u8, random: &mut Random) -> Game {
    let size = Size::square(side).unwrap();
    let mut board = Board::new(Position::new(size), point_table(rule));
    let mut plies = Vec::new();
    let mut winner = None;
    while winner.is_none() && !board.position().is_full() {
        let mover = board.side_to_move();
        if board.count(mover, Group::Five) > 0 {
            winner = Some(mover);
        }
        let mut points: Vec<_> = board.position().empty_points().collect();
        random.shuffle(&mut points);
        points.retain(|&point| !board.is_forbidden(point, mover));
        let best = points.iter().max_by_key(|&&p| move_score(&board, p));
        let Some(&best) = best else { break };
        let errs = plies.len() < 2 || random.index(6) == 0;
        let point = if errs && winner.is_none() {
            points[0]
        } else {
            best
        };
        plies.push(Ply {
            score: Score::new(random.index(400) as i32 - 200).unwrap(),
            effort: Effort::of_nodes(1_000),
            is_random: plies.len() < 2,
            ..Ply::of_opening(point)
        });
        board.play(point);
    }
    let facts = Facts {
        rule,
        size,
        winner,
        end: if winner.is_some() {
            End::Five
        } else {
            End::Full
        },
        opening_len: 2,
        generation: 0,
        seed: 0,
    };
    Game::new(facts, plies).unwrap()
}

/// Data of so many games of each rule on a square board of each side; one of
/// twenty is held out.
pub fn data_of(kinds: &[(Rule, u8)], count: u64) -> Data {
    let mut random = Random::new(7);
    let mut games = Vec::new();
    for number in 0..count {
        for &(rule, side) in kinds {
            let hash = number + 1;
            games.push((hash, play(rule, side, &mut random)));
        }
    }
    let wishes = Wishes {
        every: 1,
        lambda: 0.5,
    };
    let mut data = Data::empty();
    data.add(&games, &wishes, &mut HashSet::new());
    data.set_targets(wishes.lambda);
    data
}
