//! Games and folders for the tests of the commands.

use std::path::{Path, PathBuf};
use tempfile::TempDir;
use yonsan::board::{Point, Position, Random, Size};
use yonsan::eval::classical::{evaluate, move_score, point_table};
use yonsan::pattern::Board;
use yonsan::rules::{self, GameResult, Rule, WinReason};
use yonsan_format::{Appender, Effort, End, Facts, Game, Header, Ply, Score};

const OPENING_LEN: u8 = 3;
const HEADER: Header = Header {
    seed: 1,
    settings: 2,
};

/// A game of two players who look at nothing but the order of moves, and now
/// and then at their toes.
fn play(rule: Rule, random: &mut Random) -> Game {
    let size = Size::square(9).unwrap();
    let mut referee = rules::Game::new(rule, size);
    let mut board = Board::new(Position::new(size), point_table(rule));
    let mut plies = Vec::new();
    while referee.result() == GameResult::Ongoing {
        let score = Score::new(evaluate(&board).clamp(-2_000, 2_000)).unwrap();
        let is_opening = plies.len() < usize::from(OPENING_LEN);
        let mut points: Vec<Point> = board.position().empty_points().collect();
        random.shuffle(&mut points);
        let point = if is_opening || random.index(8) == 0 {
            points[0]
        } else {
            points
                .into_iter()
                .max_by_key(|&p| move_score(&board, p))
                .unwrap()
        };
        plies.push(Ply {
            score,
            is_random: is_opening,
            effort: Effort::of_nodes(100),
            ..Ply::of_opening(point)
        });
        referee.play(point).unwrap();
        board.play(point);
    }
    let (winner, end) = match referee.result() {
        GameResult::Won(side, WinReason::Five) => (Some(side), End::Five),
        GameResult::Won(side, WinReason::Foul(_)) => (Some(side), End::Foul),
        GameResult::Draw | GameResult::Ongoing => (None, End::Full),
    };
    let facts = Facts {
        rule,
        size,
        winner,
        end,
        opening_len: OPENING_LEN,
        generation: 0,
        seed: 0,
    };
    Game::new(facts, plies).unwrap()
}

/// Writes so many games of each rule to a file.
pub fn write_games(path: &Path, rules: &[Rule], count: usize) {
    let mut random = Random::new(21);
    let (mut file, _) = Appender::open(path, HEADER).unwrap();
    for _ in 0..count {
        for &rule in rules {
            file.append(&play(rule, &mut random)).unwrap();
        }
    }
}

/// A folder that goes away with the test.
pub struct Place {
    folder: TempDir,
}

impl Place {
    pub fn new() -> Self {
        Self {
            folder: TempDir::new().unwrap(),
        }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn text(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }
}

/// The last number behind `key` in a report.
pub fn number_behind(report: &str, key: &str) -> f64 {
    let line = report.lines().rfind(|line| line.contains(key));
    let rest = line.unwrap().split(key).nth(1).unwrap().trim_start();
    let number = rest.split([' ', ',', '%']).next().unwrap();
    number.parse().unwrap()
}
