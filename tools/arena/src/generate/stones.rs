//! Stones put by chance, and telling equal positions apart from new ones.

use yonsan::board::{Point, Position, Random, Size, Symmetry};
use yonsan::rules::{Game, GameResult, Rule};

/// What openings look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The rule: no opening ends the game or has a foul in it.
    pub rule: Rule,
    /// The board.
    pub size: Size,
    /// Fewest stones, at least 1.
    pub fewest: u8,
    /// Most stones.
    pub most: u8,
    /// Each stone is so many rows and columns from an earlier one at most.
    pub spread: u8,
    /// The first stone keeps so far from the edges.
    pub margin: u8,
}

/// Tries for one stone before a candidate is given up.
const MOST_TRIES: u32 = 100;

/// The stones of an attempt; `None` if chance put them badly.
#[must_use]
pub fn candidate(shape: &Shape, seed: u64, attempt: u64) -> Option<Vec<Point>> {
    let mut random = Random::for_purpose(seed, attempt);
    let size = shape.size;
    let count = shape.fewest + random.index(usize::from(shape.most - shape.fewest) + 1) as u8;
    let mut game = Game::new(shape.rule, size);
    let mut moves = vec![first_stone(shape, &mut random)?];
    game.play(moves[0]).ok()?;
    while moves.len() < usize::from(count) {
        let point = near_stone(shape, game.position(), &moves, &mut random)?;
        if game.play(point).ok()? != GameResult::Ongoing {
            return None;
        }
        moves.push(point);
    }
    (game.result() == GameResult::Ongoing).then_some(moves)
}

fn first_stone(shape: &Shape, random: &mut Random) -> Option<Point> {
    let mut along = |side: u8| {
        // A margin that leaves nothing leaves the middle.
        let margin = shape.margin.min((side - 1) / 2);
        margin + random.index(usize::from(side - 2 * margin)) as u8
    };
    let (x, y) = (along(shape.size.width()), along(shape.size.height()));
    shape.size.point(x, y)
}

/// A free point near a stone that chance chooses.
fn near_stone(
    shape: &Shape,
    position: &Position,
    moves: &[Point],
    random: &mut Random,
) -> Option<Point> {
    let spread = i32::from(shape.spread);
    for _ in 0..MOST_TRIES {
        let stone = moves[random.index(moves.len())];
        let mut step = || random.index(2 * shape.spread as usize + 1) as i32 - spread;
        let (x, y) = (i32::from(stone.x()) + step(), i32::from(stone.y()) + step());
        let on_board = u8::try_from(x).ok().zip(u8::try_from(y).ok());
        let point = on_board.and_then(|(x, y)| shape.size.point(x, y));
        if let Some(point) = point.filter(|&point| position.is_empty(point)) {
            return Some(point);
        }
    }
    None
}

/// A key that two openings share exactly if one is the other turned or
/// mirrored, every stone in its own colour; the order of moves is no matter.
#[must_use]
pub fn canonical(moves: &[Point], size: Size) -> Vec<u16> {
    let image = |symmetry: Symmetry| {
        let mut stones: Vec<u16> = moves
            .iter()
            .enumerate()
            .map(|(ply, &point)| {
                let index = symmetry.apply(point, size).index() as u16;
                index * 2 + (ply % 2) as u16
            })
            .collect();
        stones.sort_unstable();
        stones
    };
    Symmetry::all(size).map(image).min().unwrap_or_default()
}
