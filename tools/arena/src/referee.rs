//! Judges moves with the rules library and the manager's draw rule.

use crate::record::{Outcome, Reason};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use yonsan::board::{Colour, Point, Size};
use yonsan::rules::{Game, GameResult, Rule, WinReason, judge};

/// Free points left when Piskvork, and in renju the cup's judge, calls it a draw.
const PISKVORK_FREE_POINTS: usize = 25;

/// When a game without a winner is a draw. Managers differ in this, so the
/// rule used stands in the results file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DrawRule {
    /// The board is full.
    FullBoard,
    /// So many stones are on the board.
    After(u32),
    /// At most 25 points are free, under every rule: Piskvork's way.
    Piskvork,
    /// At most 25 points are free in renju, otherwise a full board: the way
    /// of the cup's judge.
    Cup,
}

impl DrawRule {
    /// Number of stones at which the game is a draw.
    #[must_use]
    pub fn stone_limit(self, rule: Rule, size: Size) -> usize {
        let early = size.area().saturating_sub(PISKVORK_FREE_POINTS);
        match self {
            Self::After(stones) => stones as usize,
            Self::Piskvork => early,
            Self::Cup if rule == Rule::Renju => early,
            Self::FullBoard | Self::Cup => size.area(),
        }
    }

    /// Whether Black has to move even where all points are forbidden, and so
    /// loses. The managers that draw at 25 free points know no way out, and
    /// hardly need one.
    const fn forces_fouls(self) -> bool {
        matches!(self, Self::Piskvork | Self::Cup)
    }
}

impl fmt::Display for DrawRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FullBoard => f.write_str("full-board"),
            Self::After(stones) => write!(f, "{stones}"),
            Self::Piskvork => f.write_str("piskvork"),
            Self::Cup => f.write_str("cup"),
        }
    }
}

impl FromStr for DrawRule {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "full-board" => Ok(Self::FullBoard),
            "piskvork" => Ok(Self::Piskvork),
            "cup" => Ok(Self::Cup),
            _ => text.parse().map(Self::After).map_err(|_| {
                format!(
                    "'{text}' is no draw rule: use full-board, piskvork, cup or a number of stones"
                )
            }),
        }
    }
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Who won.
    pub outcome: Outcome,
    /// Why.
    pub reason: Reason,
    /// In plain words.
    pub detail: String,
}

impl Verdict {
    /// The side lost for this reason.
    #[must_use]
    pub const fn loss(colour: Colour, reason: Reason, detail: String) -> Self {
        let outcome = match colour {
            Colour::Black => Outcome::White,
            Colour::White => Outcome::Black,
        };
        Self {
            outcome,
            reason,
            detail,
        }
    }

    /// Nobody won.
    #[must_use]
    pub const fn draw(reason: Reason, detail: String) -> Self {
        Self {
            outcome: Outcome::Draw,
            reason,
            detail,
        }
    }
}

/// A game under judgement.
#[derive(Clone, Debug)]
pub struct Referee {
    game: Game,
    stone_limit: usize,
    forces_fouls: bool,
}

impl Referee {
    /// A game that has not begun.
    #[must_use]
    pub fn new(rule: Rule, size: Size, draw_rule: DrawRule) -> Self {
        Self {
            game: Game::new(rule, size),
            stone_limit: draw_rule.stone_limit(rule, size),
            forces_fouls: draw_rule.forces_fouls(),
        }
    }

    /// The game so far.
    #[must_use]
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// Whose turn it is.
    #[must_use]
    pub fn side_to_move(&self) -> Colour {
        self.game.position().side_to_move()
    }

    /// The stones in order.
    #[must_use]
    pub fn moves(&self) -> Vec<Point> {
        let stones = self.game.position().stones();
        stones.iter().map(|stone| stone.point).collect()
    }

    /// Judges the point `(x, y)` as a move of the side to move; `None` if the
    /// game goes on. A move that cannot be made loses and is not made.
    pub fn play_at(&mut self, x: i64, y: i64) -> Option<Verdict> {
        let size = self.game.position().size();
        let on_board = u8::try_from(x).ok().zip(u8::try_from(y).ok());
        match on_board.and_then(|(x, y)| size.point(x, y)) {
            Some(point) => self.play(point),
            None => Some(Verdict::loss(
                self.side_to_move(),
                Reason::IllegalMove,
                format!("{x},{y} is outside the {size} board"),
            )),
        }
    }

    /// Judges a move of the side to move; `None` if the game goes on.
    pub fn play(&mut self, point: Point) -> Option<Verdict> {
        let mover = self.side_to_move();
        match self.game.play(point) {
            Err(error) => Some(Verdict::loss(mover, Reason::IllegalMove, error.to_string())),
            Ok(GameResult::Won(winner, WinReason::Five)) => {
                let detail = format!("{winner} made a row at {point}");
                Some(Verdict::loss(!winner, Reason::Five, detail))
            }
            Ok(GameResult::Won(winner, WinReason::Foul(foul))) => {
                let detail = format!("{foul} at {point}");
                Some(Verdict::loss(!winner, Reason::Foul, detail))
            }
            Ok(GameResult::Draw) => {
                let detail = "no free point is left".to_owned();
                Some(Verdict::draw(Reason::FullBoard, detail))
            }
            Ok(GameResult::Ongoing) => self.early_draw(),
        }
    }

    /// The draw by number of stones or because nothing is left to do, which an
    /// opening can reach too.
    #[must_use]
    pub fn early_draw(&self) -> Option<Verdict> {
        let stones = self.game.position().stones().len();
        if stones >= self.stone_limit {
            let detail = format!("draw rule: {stones} stones are on the board");
            return Some(Verdict::draw(Reason::MoveLimit, detail));
        }
        self.is_dead().then(|| {
            let detail = "every free point is forbidden to Black, and none helps White";
            Verdict::draw(Reason::FullBoard, detail.to_owned())
        })
    }

    /// Whether Black is to move and may not, and White could not make a row
    /// even with all the points that are left. The International Rules of Renju
    /// let Black pass then; the protocol has no word for it, so the game ends.
    fn is_dead(&self) -> bool {
        let mut position = self.game.position().clone();
        if self.forces_fouls
            || self.game.rule() != Rule::Renju
            || position.side_to_move() != Colour::Black
        {
            return false;
        }
        let free: Vec<Point> = position.empty_points().collect();
        let is_foul = |&point: &Point| judge::renju_foul(&position, point).is_some();
        if !free.iter().all(is_foul) {
            return false;
        }
        let mut gives_row = |point| {
            let wins = judge::wins(&position, Rule::Renju, point, Colour::White);
            position.set_side_to_move(Colour::White);
            position.play(point);
            wins
        };
        !free.into_iter().any(&mut gives_row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use yonsan::board::parse_moves;

    fn play_all(referee: &mut Referee, moves: &str) -> Option<Verdict> {
        let mut verdict = None;
        for point in parse_moves(moves).unwrap() {
            assert_eq!(verdict, None, "over before {point}");
            verdict = referee.play(point);
        }
        verdict
    }

    fn referee(rule: Rule, side: u8, draw_rule: DrawRule) -> Referee {
        Referee::new(rule, Size::square(side).unwrap(), draw_rule)
    }

    /// Rows of two colours in pairs of columns; no five anywhere.
    fn full_board_moves(side: u8) -> Vec<Point> {
        let size = Size::square(side).unwrap();
        let (black, white): (Vec<Point>, Vec<Point>) =
            size.points().partition(|p| (p.x() / 2 + p.y()) % 2 == 0);
        let mut white = white.into_iter();
        black
            .into_iter()
            .flat_map(|b| std::iter::once(b).chain(white.next()))
            .collect()
    }

    #[test]
    fn draw_rules_of_the_managers_differ() {
        let size = Size::square(15).unwrap();
        let limit = |draw: DrawRule, rule| draw.stone_limit(rule, size);
        assert_eq!(limit(DrawRule::Cup, Rule::Renju), 200);
        assert_eq!(limit(DrawRule::Cup, Rule::Caro), 225);
        assert_eq!(limit(DrawRule::Piskvork, Rule::Freestyle), 200);
        assert_eq!(limit(DrawRule::FullBoard, Rule::Renju), 225);
        assert_eq!(limit(DrawRule::After(60), Rule::Renju), 60);
        for text in ["full-board", "piskvork", "cup", "77"] {
            assert_eq!(text.parse::<DrawRule>().unwrap().to_string(), text);
        }
        assert!("often".parse::<DrawRule>().is_err());
    }

    /// Piskvork ends a 5x5 game after one move and a 6x6 game after eleven.
    #[test]
    fn piskvork_draws_small_boards_early() {
        let mut five = referee(Rule::Freestyle, 5, DrawRule::Piskvork);
        let verdict = play_all(&mut five, "c3").unwrap();
        assert_eq!(
            (verdict.outcome, verdict.reason),
            (Outcome::Draw, Reason::MoveLimit)
        );
        let mut six = referee(Rule::Freestyle, 6, DrawRule::Piskvork);
        let verdict = play_all(&mut six, "a1a2b1b2d1d2e1e2a3a4b3");
        assert_eq!(verdict.unwrap().reason, Reason::MoveLimit);
        assert_eq!(six.moves().len(), 11);
    }

    #[test]
    fn a_full_board_is_a_draw() {
        let mut referee = referee(Rule::Standard, 6, DrawRule::FullBoard);
        let mut verdict = None;
        for point in full_board_moves(6) {
            assert_eq!(verdict, None);
            verdict = referee.play(point);
        }
        assert_eq!(verdict.unwrap().reason, Reason::FullBoard);
    }

    /// On the last free point, d3, Black would make six; in the second game
    /// White has four stones in its column.
    const ONLY_A_FOUL_IS_LEFT: &str =
        "g1f2g5b2a2g2e1e4b5c2a3g3d4f1c5f4a1g4c3d1e2b1e3d5f5e5c1b4f3c4a4d2b3a5";
    const WHITE_COULD_WIN: &str =
        "f1a5a4b4b1d2b2e5b3c5g2e4a3d4f5e1a1d5g4e2c4a2c3f2b5d1g1c1c2g3f3g5e3f4";

    #[test]
    fn black_need_not_make_the_last_move_if_it_is_a_foul() {
        let size = Size::new(7, 5).unwrap();
        let verdict = |rule, draw, moves| {
            let mut referee = Referee::new(rule, size, draw);
            let verdict = play_all(&mut referee, moves);
            assert_eq!(referee.moves().len(), 34);
            verdict.map(|v| (v.outcome, v.reason))
        };
        let draw = Some((Outcome::Draw, Reason::FullBoard));
        for rule in [DrawRule::FullBoard, DrawRule::After(35)] {
            assert_eq!(verdict(Rule::Renju, rule, ONLY_A_FOUL_IS_LEFT), draw);
            assert_eq!(verdict(Rule::Renju, rule, WHITE_COULD_WIN), None);
        }
        let full = DrawRule::FullBoard;
        assert_eq!(verdict(Rule::Standard, full, ONLY_A_FOUL_IS_LEFT), None);
    }

    #[test]
    fn bad_points_lose_and_are_not_played() {
        let mut referee = referee(Rule::Freestyle, 15, DrawRule::FullBoard);
        assert_eq!(referee.play_at(7, 7), None);
        for (x, y) in [(7, 7), (15, 0), (-1, 3), (0, 255), (1 << 40, 0)] {
            let verdict = referee.play_at(x, y).unwrap();
            assert_eq!(verdict.outcome, Outcome::Black, "{x},{y}");
            assert_eq!(verdict.reason, Reason::IllegalMove);
            assert_eq!(referee.moves().len(), 1);
        }
    }

    #[test]
    fn fouls_and_rows_are_told_apart() {
        let mut renju = referee(Rule::Renju, 15, DrawRule::Cup);
        let verdict = play_all(&mut renju, "g8a1i8c1h7e1h9g1h8").unwrap();
        assert_eq!(
            (verdict.outcome, verdict.reason),
            (Outcome::White, Reason::Foul)
        );
        assert_eq!(verdict.detail, "double three at h8");
        let mut free = referee(Rule::Freestyle, 15, DrawRule::Cup);
        let verdict = play_all(&mut free, "h8a1h9b1h10c1h11d1h12").unwrap();
        assert_eq!(
            (verdict.outcome, verdict.reason),
            (Outcome::Black, Reason::Five)
        );
    }

    /// Case log 22: seven in a row is a win, nothing or a foul, by rule.
    #[test]
    fn sevens_are_judged_by_rule() {
        let moves = "d8c8e8a1f8c2g8a15i8c14j8o1h8";
        for (rule, expected) in [
            (Rule::Freestyle, Some(Reason::Five)),
            (Rule::Standard, None),
            (Rule::Renju, Some(Reason::Foul)),
            (Rule::Caro, Some(Reason::Five)),
            (Rule::CaroExact, None),
        ] {
            let mut referee = referee(rule, 15, DrawRule::FullBoard);
            let verdict = play_all(&mut referee, moves);
            assert_eq!(verdict.map(|v| v.reason), expected, "{rule}");
        }
    }
}
