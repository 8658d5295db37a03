//! Fast against slow: in random positions under every rule the shapes must be
//! what a recount finds, and the fast judge must say what the oracle says.
//!
//! `YONSAN_DIFF_GAMES` sets the number of games a rule (default 60); every
//! position of every game is compared point by point.

use yonsan::board::{Colour, MAX_SIDE, MIN_SIDE, Point, Position, Size, mix};
use yonsan::eval::classical;
use yonsan::pattern::{Board, Class, Grid, Group};
use yonsan::rules::{Rule, judge};

/// A small random number generator: SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(1);
        (mix(self.0) % bound as u64) as usize
    }
}

fn game_count() -> u64 {
    std::env::var("YONSAN_DIFF_GAMES")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(60)
}

/// A board of a random size with a few blocked points now and then.
fn random_board(random: &mut Random, rule: Rule) -> Board {
    let sides = usize::from(MAX_SIDE - MIN_SIDE + 1);
    let mut side = || MIN_SIDE + random.below(sides) as u8;
    let size = Size::new(side(), side()).unwrap();
    let mut position = Position::new(size);
    if random.below(4) == 0 {
        for _ in 0..random.below(8) {
            let point = random_point(random, size, None);
            if position.is_empty(point) {
                position.block(point);
            }
        }
    }
    Board::new(position, classical::point_table(rule))
}

/// A point anywhere, or near another one, so that shapes arise.
fn random_point(random: &mut Random, size: Size, near: Option<Point>) -> Point {
    loop {
        let (x, y) = match near {
            Some(p) => (
                (usize::from(p.x()) + random.below(7)).wrapping_sub(3),
                (usize::from(p.y()) + random.below(7)).wrapping_sub(3),
            ),
            None => (random.below(22), random.below(22)),
        };
        if let (Ok(x), Ok(y)) = (u8::try_from(x), u8::try_from(y))
            && let Some(point) = size.point(x, y)
        {
            return point;
        }
    }
}

/// Plays a random game to a fairly full board, with a look at every position.
/// The stones of one colour stick together, so that many shapes arise.
fn play_random_game(board: &mut Board, random: &mut Random, mut look: impl FnMut(&mut Board)) {
    let size = board.size();
    let stones = random.below(size.area().min(120));
    for _ in 0..stones {
        if board.position().is_full() {
            break;
        }
        let side = board.side_to_move();
        let own: Vec<Point> = board
            .position()
            .stones()
            .iter()
            .filter(|stone| stone.colour == side)
            .map(|stone| stone.point)
            .collect();
        let near = (!own.is_empty() && random.below(8) != 0).then(|| own[random.below(own.len())]);
        let point = random_point(random, size, near);
        if board.position().is_empty(point) {
            board.play(point);
            look(board);
        }
    }
}

fn for_random_games(rule: Rule, mut look: impl FnMut(&mut Board)) {
    for game in 0..game_count() {
        let mut random = Random((rule.index() as u64) << 32 | game << 12);
        let mut board = random_board(&mut random, rule);
        play_random_game(&mut board, &mut random, &mut look);
    }
}

#[test]
fn shapes_equal_a_recount() {
    for rule in Rule::ALL {
        for_random_games(rule, |board| {
            let fresh = |board: &Board| {
                let position = board.position();
                Grid::new(board.grid().table(), position.size(), position.lines())
            };
            assert_eq!(board.grid(), &fresh(board), "{rule}");
            let before = board.clone();
            let free: Vec<Point> = board.position().empty_points().take(3).collect();
            for point in free {
                board.with_move(point, |board| assert_eq!(board.grid(), &fresh(board)));
                assert_eq!(board.grid(), before.grid(), "{rule}");
                assert_eq!(board.position(), before.position());
                assert_eq!(board.position().hash(), before.position().hash());
            }
        });
    }
}

#[test]
fn groups_and_counts_agree_with_classes() {
    for rule in Rule::ALL {
        for_random_games(rule, |board| {
            for colour in Colour::ALL {
                let mut counts = [0; Group::COUNT];
                for point in board.position().empty_points() {
                    let group = board.class(point, colour).group();
                    for other in Group::ALL {
                        let is_in = board.group(colour, other).contains(point);
                        assert_eq!(is_in, group == Some(other), "{rule} {point}");
                        counts[other as usize] += u32::from(is_in);
                    }
                }
                for (group, count) in Group::ALL.into_iter().zip(counts) {
                    assert_eq!(board.count(colour, group), count);
                    assert_eq!(board.group(colour, group).count(), count);
                }
            }
        });
    }
}

#[test]
fn fast_judge_agrees_with_the_oracle() {
    let (mut wins, mut fouls) = (0u64, 0u64);
    for rule in Rule::ALL {
        for_random_games(rule, |board| {
            let free: Vec<Point> = board.position().empty_points().collect();
            for point in free {
                for colour in Colour::ALL {
                    let fast = board.class(point, colour) == Class::Five;
                    let slow = judge::wins(board.position(), rule, point, colour);
                    assert_eq!(fast, slow, "{rule} {point} {colour}");
                    wins += u64::from(slow);
                }
                if rule == Rule::Renju {
                    let slow = judge::renju_foul(board.position(), point);
                    assert_eq!(board.renju_foul(point), slow, "{point}");
                    fouls += u64::from(slow.is_some());
                }
            }
        });
    }
    assert!(
        wins > 100 && fouls > 100,
        "only {wins} wins and {fouls} fouls"
    );
}

/// A point belongs to a group of fours just if the oracle sees a win for the
/// same colour after a stone there; and to the strong ones if no single stone
/// of the opponent takes all those wins away.
#[test]
fn fours_agree_with_the_oracle() {
    let mut seen = [0u64; 2];
    for rule in Rule::ALL {
        for_random_games(rule, |board| {
            if board.position().stones().len() % 7 != 0 {
                return;
            }
            let free: Vec<Point> = board.position().empty_points().collect();
            for colour in Colour::ALL {
                let before = fives(board.position(), rule, colour);
                if !before.is_empty() {
                    continue;
                }
                for &point in &free {
                    let class = board.class(point, colour);
                    if class == Class::Forbidden {
                        continue;
                    }
                    let (has_five, is_strong) = board.with_stone(point, colour, |board| {
                        fours_by_oracle(board.position(), rule, colour)
                    });
                    let group = class.group();
                    let is_four = matches!(
                        group,
                        Some(Group::Four | Group::FourThree | Group::StrongFour)
                    );
                    assert_eq!(is_four, has_five, "{rule} {point} {colour}");
                    assert_eq!(
                        group == Some(Group::StrongFour),
                        is_strong,
                        "{rule} {point} {colour}"
                    );
                    seen[0] += u64::from(has_five);
                    seen[1] += u64::from(is_strong);
                }
            }
        });
    }
    assert!(seen[0] > 1000 && seen[1] > 100, "{seen:?}");
}

fn fives(position: &Position, rule: Rule, colour: Colour) -> Vec<Point> {
    position
        .empty_points()
        .filter(|&point| judge::wins(position, rule, point, colour))
        .collect()
}

/// Whether the colour has a five to make, and whether it still has one after
/// any stone of the opponent.
fn fours_by_oracle(position: &Position, rule: Rule, colour: Colour) -> (bool, bool) {
    let targets = fives(position, rule, colour);
    let Some(&first) = targets.first() else {
        return (false, false);
    };
    // Only a stone near a five can take it away.
    let is_strong = position
        .empty_points()
        .filter(|p| p.distance(first) <= 6)
        .all(|reply| {
            let mut after = position.clone();
            after.set_side_to_move(!colour);
            after.play(reply);
            targets
                .iter()
                .any(|&five| five != reply && judge::wins(&after, rule, five, colour))
        });
    (true, is_strong)
}
