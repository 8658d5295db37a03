//! Which stones an opening might be made of.

use crate::board::{Point, Position, Random};
use crate::rules::opening::{Area, are_symmetric};

/// How far a stone stands from one that is there already, at most.
const REACH: u8 = 4;

fn pick(points: &[Point], random: &mut Random) -> Option<Point> {
    points.get(random.index(points.len())).copied()
}

/// Up to `count` different ways to put a stone into each of the areas. A
/// stone stands near earlier ones where it can; the first of all is anywhere.
pub(super) fn draw(
    position: &Position,
    areas: &[Area],
    count: usize,
    random: &mut Random,
) -> Vec<Vec<Point>> {
    if let [area] = areas {
        return draw_single(position, *area, count, random);
    }
    let mut drawn: Vec<Vec<Point>> = Vec::new();
    let mut hashes = Vec::new();
    // Small areas hold fewer different ways than are asked for.
    for _ in 0..4 * count {
        let mut after = position.clone();
        let mut points = Vec::new();
        for &area in areas {
            let Some(point) = pick(&places(&after, area), random) else {
                return drawn;
            };
            after.play(point);
            points.push(point);
        }
        if drawn.len() < count && !hashes.contains(&after.hash()) {
            hashes.push(after.hash());
            drawn.push(points);
        }
    }
    drawn
}

/// Single stones, no two of them the same by symmetry.
fn draw_single(
    position: &Position,
    area: Area,
    count: usize,
    random: &mut Random,
) -> Vec<Vec<Point>> {
    let mut left = places(position, area);
    let mut drawn: Vec<Point> = Vec::new();
    while drawn.len() < count && !left.is_empty() {
        let point = left.swap_remove(random.index(left.len()));
        let is_known = |&other: &Point| are_symmetric(position, other, point);
        if !drawn.iter().any(is_known) {
            drawn.push(point);
        }
    }
    drawn.into_iter().map(|point| vec![point]).collect()
}

/// The free points of an area that are near a stone, or all of them if none is.
pub(super) fn places(position: &Position, area: Area) -> Vec<Point> {
    let size = position.size();
    let free: Vec<Point> = position
        .empty_points()
        .filter(|&point| area.contains(size, point))
        .collect();
    let is_near = |&point: &Point| is_near_stone(position, point);
    let near: Vec<Point> = free.iter().copied().filter(is_near).collect();
    if near.is_empty() { free } else { near }
}

/// Whether a stone is no farther away than stones of an opening stand.
pub(super) fn is_near_stone(position: &Position, point: Point) -> bool {
    let stones = position.stones().iter();
    stones.map(|s| s.point.distance(point)).any(|d| d <= REACH)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Size, parse_moves};

    const THREE: [Area; 3] = [Area::Anywhere; 3];

    fn empty(side: u8) -> Position {
        Position::new(Size::square(side).unwrap())
    }

    #[test]
    fn seeds_decide() {
        let three = |seed| draw(&empty(15), &THREE, 20, &mut Random::new(seed));
        assert_eq!(three(1), three(1));
        assert_ne!(three(1), three(2));
        assert_eq!(three(1).len(), 20);
    }

    #[test]
    fn stones_fit_their_areas_and_stand_together() {
        let areas = [Area::Within(0), Area::Within(1), Area::Within(2)];
        let position = empty(15);
        let mut random = Random::new(7);
        for points in draw(&position, &areas, 20, &mut random) {
            for (&point, area) in points.iter().zip(areas) {
                assert!(area.contains(position.size(), point));
            }
        }
        for points in draw(&position, &THREE, 20, &mut random) {
            assert!(points[0].distance(points[1]) <= REACH);
            assert!(
                points[2]
                    .distance(points[0])
                    .min(points[2].distance(points[1]))
                    <= REACH
            );
        }
    }

    #[test]
    fn small_areas_give_what_they_have() {
        let mut random = Random::new(3);
        let one = draw(&empty(15), &[Area::Within(0)], 20, &mut random);
        assert_eq!(one, [[empty(15).size().centre()]]);
        // Eight points beside the centre, two by symmetry.
        let size = Size::square(15).unwrap();
        let begun = Position::from_moves(size, &parse_moves("h8").unwrap()).unwrap();
        assert_eq!(draw(&begun, &[Area::Within(1)], 20, &mut random).len(), 2);
        assert!(!draw(&empty(5), &THREE, 20, &mut random).is_empty());
    }
}
