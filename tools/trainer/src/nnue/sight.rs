//! The windows of a position: what the net sees of it.

use super::data::View;
use super::layout::key;
use crate::classical::features::Neighbourhood;
use yonsan::board::{Direction, Point, Position, Size};
use yonsan::eval::nnue::{RuleSide, WindowId};

/// Low bit of each of the eleven cells of a window.
const LOW_BITS: u32 = 0x0015_5555;

/// Whether there is a stone among the cells of a window: a cell of which one
/// bit of two is set.
#[inline(always)]
const fn has_stone(window: u32) -> bool {
    (window ^ window >> 1) & LOW_BITS != 0
}

/// What is known of a size of board.
#[derive(Clone, Debug)]
struct Sized {
    size: Size,
    empty: Position,
    points: Vec<Point>,
    near: Neighbourhood,
}

/// Takes positions apart on boards of given sizes.
#[derive(Clone, Debug)]
pub struct Sight {
    boards: Vec<Sized>,
}

/// What was seen of a position; keeps its memory from call to call.
#[derive(Clone, Debug, Default)]
pub struct Views {
    /// Keys of the windows with stones, cell by cell: as the mover sees it,
    /// and as the other side does.
    pub keys: Vec<[u32; 2]>,
    /// Where the keys of each cell end. Cells without any key are there only
    /// if they are candidates.
    pub ends: Vec<u32>,
    /// Numbers of the cells that are candidates for a move.
    pub candidates: Vec<u32>,
    /// Number of the played move's cell among the candidates; 0 if it is none.
    pub played: usize,
}

impl Sight {
    /// For boards of these sizes.
    #[must_use]
    pub fn new(sizes: &[Size]) -> Self {
        let board = |&size: &Size| Sized {
            size,
            empty: Position::new(size),
            points: size.points().collect(),
            near: Neighbourhood::new(size),
        };
        Self {
            boards: sizes.iter().map(board).collect(),
        }
    }

    /// Looks at a position.
    ///
    /// # Panics
    ///
    /// If its size was not announced.
    pub fn look(&self, view: &View<'_>, views: &mut Views) {
        let board = self.boards.iter().find(|board| board.size == view.size);
        let board = board.expect("a size that was announced");
        let mut position = board.empty.clone();
        for &point in view.moves {
            position.play(point);
        }
        let mover = view.mover();
        let [own, other] = [mover, !mover].map(|colour| RuleSide::new(view.rule, colour));
        let mut candidates = board.near.around_stones(&position);
        for &point in view.fouls {
            candidates.remove(point);
        }
        views.keys.clear();
        views.ends.clear();
        views.candidates.clear();
        views.played = 0;
        let lines = position.lines();
        for &point in &board.points {
            let start = views.keys.len();
            for direction in Direction::ALL {
                let window = lines.window(point, direction);
                if has_stone(window) {
                    views.keys.push([
                        key(own, WindowId::of(window, mover)) as u32,
                        key(other, WindowId::of(window, !mover)) as u32,
                    ]);
                }
            }
            let is_candidate = candidates.contains(point) && position.is_empty(point);
            if is_candidate {
                if point == view.played {
                    views.played = views.candidates.len();
                }
                views.candidates.push(views.ends.len() as u32);
            }
            if is_candidate || views.keys.len() > start {
                views.ends.push(views.keys.len() as u32);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;
    use yonsan::board::{Bitboard, Colour, parse_moves};
    use yonsan::rules::Rule;

    const MOVES: &str = "a1h8j9b2h9k11";

    fn seen(rule: Rule, played: &str, fouls: &[Point]) -> (Views, Position) {
        let moves = parse_moves(MOVES).unwrap();
        let size = Size::new(15, 13).unwrap();
        let view = View {
            rule,
            size,
            moves: &moves,
            played: parse_moves(played).unwrap()[0],
            fouls,
        };
        let sizes = [Size::square(9).unwrap(), size];
        let mut views = Views::default();
        Sight::new(&sizes).look(&view, &mut views);
        (views, Position::from_moves(size, &moves).unwrap())
    }

    /// Every cell that a stone stands on a line with, five steps away at most,
    /// has its windows, and each point of view its own number.
    #[test]
    fn windows_with_stones_are_seen() {
        let (views, position) = seen(Rule::Renju, "g10", &[]);
        let mut expected: HashMap<[u32; 2], usize> = HashMap::new();
        for point in position.size().points() {
            for direction in Direction::ALL {
                let stones = (-5..=5).filter_map(|steps| point.step(direction, steps));
                if stones.clone().any(|p| position.cell(p).colour().is_some()) {
                    let window = position.lines().window(point, direction);
                    let keys = [(Colour::Black, 3), (Colour::White, 4)].map(|(colour, side)| {
                        key(RuleSide::ALL[side], WindowId::of(window, colour)) as u32
                    });
                    *expected.entry(keys).or_default() += 1;
                }
            }
        }
        let mut found = HashMap::new();
        for &keys in &views.keys {
            *found.entry(keys).or_default() += 1;
        }
        assert_eq!(found, expected);
        assert_eq!(*views.ends.last().unwrap() as usize, views.keys.len());
    }

    #[test]
    fn candidates_leave_out_stones_and_fouls() {
        let foul = parse_moves("h10").unwrap();
        let near: Bitboard = {
            let position = seen(Rule::Freestyle, "g10", &[]).1;
            let set = Neighbourhood::new(position.size()).around_stones(&position);
            set.iter().filter(|&p| position.is_empty(p)).collect()
        };
        let (views, _) = seen(Rule::Freestyle, "g10", &[]);
        assert_eq!(views.candidates.len() as u32, near.count());
        let (fewer, _) = seen(Rule::Freestyle, "g10", &foul);
        assert_eq!(fewer.candidates.len() as u32, near.count() - 1);
        let played = parse_moves("g10").unwrap()[0];
        let place = near.iter().position(|point| point == played);
        assert_eq!(Some(views.played), place);
    }
}
