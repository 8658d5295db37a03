//! Playing below full strength, in ten levels.
//!
//! People err in their own ways, and so do the levels. The lower ones judge at
//! a glance: they look near the last stones, prefer what their eye likes, and
//! now and then do not notice a threat, a slanting one sooner than a straight
//! one; a threat missed now may be noticed a move later. The upper ones search,
//! the higher the further, and the lower of them misjudge what they have found.
//! Nothing is a blunder by dice alone.
//!
//! All chance comes from the seed and the position: the same game against the
//! same moves goes the same way.

use super::{Engine, Outcome, Request, board};
use crate::board::{Colour, Direction, Point, mix};
use crate::eval::classical;
use crate::pattern::{Board, Class, Shape};
use crate::search::{Control, Info, Limits, Line, Reporter, Score};
use std::fmt;
use std::str::FromStr;

/// How well the engine plays, 1, for beginners, to 10, which is still far below full strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(u8);

/// What a level does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Skill {
    Glance(Glance),
    Search(Depths),
}

/// A level that does not search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Glance {
    /// Chance not to notice that a stone makes a five, in thousandths.
    misses_five: u64,
    /// The same for an open four or better, own or the opponent's.
    misses_four: u64,
    /// The same for points where two threats meet.
    misses_fork: u64,
    /// Half the range of what the eye likes, in units of move scores.
    taste: i32,
}

/// A level that searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Depths {
    /// Positions searched for a move.
    nodes: u64,
    /// Plies searched.
    depth: u32,
    /// Best lines it chooses from.
    choice: usize,
    /// Half the range of its misjudgement, in units of scores.
    misjudges: i32,
}

const fn glance(misses_five: u64, misses_four: u64, misses_fork: u64, taste: i32) -> Skill {
    Skill::Glance(Glance {
        misses_five,
        misses_four,
        misses_fork,
        taste,
    })
}

const fn search(nodes: u64, depth: u32, choice: usize, misjudges: i32) -> Skill {
    Skill::Search(Depths {
        nodes,
        depth,
        choice,
        misjudges,
    })
}

/// The levels from 1 on.
const SKILLS: [Skill; Level::HIGHEST as usize] = [
    glance(120, 400, 800, 120),
    glance(80, 290, 690, 100),
    glance(40, 180, 480, 75),
    glance(12, 80, 290, 50),
    glance(0, 10, 60, 17),
    search(300, 3, 4, 87),
    search(800, 4, 3, 76),
    search(1_400, 5, 3, 48),
    search(2_000, 6, 2, 34),
    search(1_800, 99, 1, 0),
];

impl Level {
    /// The highest level.
    pub const HIGHEST: u8 = 10;

    /// The level with this number; `None` if it is not 1 to 10.
    #[must_use]
    pub const fn new(number: u8) -> Option<Self> {
        if number >= 1 && number <= Self::HIGHEST {
            Some(Self(number))
        } else {
            None
        }
    }

    /// The level that comes nearest to a strength in per cent; `None` for 100
    /// and more, which is the engine's own strength.
    #[must_use]
    pub const fn from_percent(percent: u32) -> Option<Self> {
        if percent < 100 {
            Self::new((percent * Self::HIGHEST as u32 / 100) as u8 + 1)
        } else {
            None
        }
    }

    /// Most positions the engine searches for a move at this level; 0 if it
    /// does not search.
    #[must_use]
    pub const fn node_budget(self) -> u64 {
        match self.skill() {
            Skill::Glance(_) => 0,
            Skill::Search(depths) => depths.nodes,
        }
    }

    const fn skill(self) -> Skill {
        SKILLS[self.0 as usize - 1]
    }
}

impl Default for Level {
    /// Level 5.
    fn default() -> Self {
        Self(5)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "level {}", self.0)
    }
}

/// A text that names no level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelError(String);

impl fmt::Display for LevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no level '{}': use 1 to {}", self.0, Level::HIGHEST)
    }
}

impl std::error::Error for LevelError {}

impl FromStr for Level {
    type Err = LevelError;

    fn from_str(text: &str) -> Result<Self, LevelError> {
        let number = text.parse().ok();
        number
            .and_then(Self::new)
            .ok_or_else(|| LevelError(text.to_owned()))
    }
}

impl Engine {
    /// [`Engine::go`] at a level. The level bounds the search further than the
    /// request does; the number of lines asked for does not matter.
    pub fn go_at(
        &mut self,
        level: Level,
        seed: u64,
        request: &Request,
        control: &Control,
        reporter: &mut dyn Reporter,
    ) -> Option<Outcome> {
        let chance = Chance(mix(seed ^ mix(request.position.hash())));
        match level.skill() {
            Skill::Glance(glance) => {
                let best = look(&mut board(request), &glance, &request.limits, chance)?;
                let outcome = at_a_glance(request, best);
                reporter.report(&info(&outcome));
                Some(outcome)
            }
            Skill::Search(depths) => {
                let request = depths.narrowed(request);
                let outcome = self.go(&request, control, &mut FirstLine(reporter))?;
                Some(depths.choose(outcome, chance))
            }
        }
    }
}

impl Depths {
    fn narrowed(&self, request: &Request) -> Request {
        let limits = &request.limits;
        Request {
            limits: Limits {
                max_nodes: Some(limits.max_nodes.map_or(self.nodes, |n| n.min(self.nodes))),
                max_depth: Some(limits.max_depth.map_or(self.depth, |d| d.min(self.depth))),
                ..limits.clone()
            },
            line_count: self.choice,
            ..request.clone()
        }
    }

    /// The line that looks best to someone who misjudges a little. A win that
    /// was seen is played, a loss that was seen is not.
    fn choose(&self, mut outcome: Outcome, chance: Chance) -> Outcome {
        let seems = |line: &Line| {
            let error = chance.number(Topic::Line(line.moves.first().copied()));
            line.score.raw() + error.spread(self.misjudges)
        };
        if outcome.score.is_forced() {
            return outcome;
        }
        let plain = outcome.lines.iter().filter(|line| !line.score.is_forced());
        if let Some(line) = plain.max_by_key(|line| seems(line)).cloned()
            && let Some(&best) = line.moves.first()
        {
            outcome.best = best;
            outcome.score = line.score;
            outcome.principal_variation = line.moves;
        }
        outcome
    }
}

/// Passes on what concerns the best line only.
struct FirstLine<'a>(&'a mut dyn Reporter);

impl Reporter for FirstLine<'_> {
    fn report(&mut self, info: &Info) {
        if info.line_number <= 1 {
            self.0.report(info);
        }
    }
}

fn at_a_glance(request: &Request, best: Point) -> Outcome {
    let score = Score::plain(classical::evaluate(&board(request)));
    let moves = vec![best];
    Outcome {
        best,
        score,
        depth: 0,
        nodes: 1,
        elapsed: request.limits.started.elapsed(),
        principal_variation: moves.clone(),
        lines: vec![Line { score, moves }],
        book: None,
    }
}

fn info(outcome: &Outcome) -> Info {
    Info {
        line_number: 1,
        depth: outcome.depth,
        selective_depth: outcome.depth,
        score: outcome.score,
        nodes: outcome.nodes,
        elapsed: outcome.elapsed,
        principal_variation: outcome.principal_variation.clone(),
    }
}

/// What chance decides in one position.
#[derive(Clone, Copy, Debug)]
struct Chance(u64);

/// Something that chance decides; every topic has a number of its own.
#[derive(Clone, Copy, Debug)]
enum Topic {
    /// Whether threats of a kind are noticed: the rank of the threat.
    Threat(i32),
    /// How the eye likes a point.
    Point(Point),
    /// How a line is misjudged.
    Line(Option<Point>),
}

/// A number that chance has drawn.
#[derive(Clone, Copy, Debug)]
struct Drawn(u64);

impl Chance {
    fn number(self, topic: Topic) -> Drawn {
        const NO_POINT: u64 = u32::MAX as u64;
        let (kind, number) = match topic {
            Topic::Threat(rank) => (1, rank as u64),
            Topic::Point(point) => (2, point.index() as u64),
            Topic::Line(point) => (3, point.map_or(NO_POINT, |p| p.index() as u64)),
        };
        Drawn(mix(self.0 ^ mix(number << 2 | kind)))
    }
}

impl Drawn {
    /// Whether something of this chance, in thousandths, happens.
    const fn happens(self, permille: u64) -> bool {
        (self.0 >> 32) % 1_000 < permille
    }

    /// A number from -`most` to `most`, those near 0 more often.
    const fn spread(self, most: i32) -> i32 {
        let range = 2 * most as u64 + 1;
        let sum = (self.0 >> 40) % range + (self.0 >> 16 & 0xff_ffff) % range;
        (sum / 2) as i32 - most
    }
}

/// How far from any stone a glance goes, in steps.
const SIGHT: u8 = 2;
/// What a threat that was not noticed may at most seem to be worth.
const UNNOTICED: i32 = 60;
/// What a slanting threat multiplies the chance to miss it with, in per cent.
const SLANT_PERCENT: u64 = 150;
/// What each step away from the newest stone takes from a point.
const DISTANCE_COST: i32 = 4;
/// Steps that count so.
const MOST_STEPS: i32 = 6;

/// The move of somebody who does not search; `None` if no point is free.
fn look(board: &mut Board, glance: &Glance, limits: &Limits, chance: Chance) -> Option<Point> {
    let side = board.side_to_move();
    let points: Vec<Point> = board.position().empty_points().collect();
    let is_legal = |board: &mut Board, point| !board.is_forbidden(point, side);
    let mut best = None;
    for &point in &points {
        let is_seen = is_near_stones(board, point) && !limits.excluded.contains(point);
        if !is_seen || !is_legal(board, point) {
            continue;
        }
        let appeal = appeal(board, point, glance, chance);
        if best.is_none_or(|(most, _)| appeal > most) {
            best = Some((appeal, point));
        }
    }
    // Far from all stones, or where only fouls are left, anything will do.
    let anywhere = || {
        let legal = points.iter().copied().find(|&p| is_legal(board, p));
        legal.or_else(|| points.first().copied())
    };
    best.map(|(_, point)| point).or_else(anywhere)
}

/// On an empty board only the centre is near.
fn is_near_stones(board: &Board, point: Point) -> bool {
    let stones = board.position().stones();
    if stones.is_empty() {
        return point == board.size().centre();
    }
    stones
        .iter()
        .any(|stone| stone.point.distance(point) <= SIGHT)
}

/// How much a point appeals to somebody at a glance.
fn appeal(board: &Board, point: Point, glance: &Glance, chance: Chance) -> i32 {
    let side = board.side_to_move();
    let threats = [(side, 1), (!side, 0)].map(|(colour, bonus)| {
        let rank = rank(board.class(point, colour));
        let is_noticed = rank > 0 && notices(board, point, colour, rank, glance, chance);
        if is_noticed { 2 * rank + bonus } else { 0 }
    });
    let noticed = threats.into_iter().max().unwrap_or(0);
    let is_threat = rank(board.class(point, side)).max(rank(board.class(point, !side))) > 0;
    let looks = classical::move_score(board, point);
    let looks = if is_threat && noticed == 0 {
        looks.min(UNNOTICED)
    } else {
        looks
    };
    let steps = board
        .position()
        .last()
        .map_or(0, |last| i32::from(last.point.distance(point)));
    let taste = chance.number(Topic::Point(point)).spread(glance.taste);
    noticed * RANK_WORTH + looks + taste - steps.min(MOST_STEPS) * DISTANCE_COST
}

/// More than any difference in looks and taste.
const RANK_WORTH: i32 = 100_000;

/// How pressing a threat of a class is; 0 for none.
const fn rank(class: Class) -> i32 {
    match class {
        Class::Quiet | Class::Three | Class::Four | Class::Forbidden => 0,
        Class::DoubleThree => 1,
        Class::FourThree => 2,
        Class::DoubleFour | Class::OpenFour => 3,
        Class::Five => 4,
    }
}

fn notices(
    board: &Board,
    point: Point,
    colour: Colour,
    rank: i32,
    glance: &Glance,
    chance: Chance,
) -> bool {
    let misses = match rank {
        4 => glance.misses_five,
        3 => glance.misses_four,
        _ => glance.misses_fork,
    };
    let percent = if is_slanting(board, point, colour) {
        SLANT_PERCENT
    } else {
        100
    };
    // One number for all points of a rank: a row of three is noticed at both
    // of its ends or at none. Own threats and the opponent's differ.
    let topic = Topic::Threat(2 * rank + i32::from(colour == board.side_to_move()));
    !chance.number(topic).happens(misses * percent / 100)
}

/// Whether the best that a stone makes lies on a diagonal.
fn is_slanting(board: &Board, point: Point, colour: Colour) -> bool {
    let best = Direction::ALL
        .into_iter()
        .max_by_key(|&direction| board.shape(point, colour, direction) as Shape as u8);
    matches!(best, Some(Direction::Diagonal | Direction::AntiDiagonal))
}
