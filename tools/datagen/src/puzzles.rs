//! Finds wins by force in recorded games.
//!
//! A puzzle is a position of a game some plies before its end in which the
//! later winner has a win by fours and threes. Every win is played out against
//! every defence by the slow referee before it counts.

use std::fmt;
use yonsan::board::{Point, Position, Size, format_moves};
use yonsan::eval::classical;
use yonsan::pattern::{Board, Class, Group};
use yonsan::rules::Rule;
use yonsan::threat::wincheck::static_win;
use yonsan::threat::{VcfSolver, VctSolver, Verdict, referee};
use yonsan_format::Game;

/// Bytes of the solver's table.
const TABLE_BYTES: usize = 32 << 20;
/// Positions looked at for a win by fours.
const VCF_BUDGET: u64 = 20_000;
/// Positions looked at for a win by fours and threes.
const VCT_BUDGET: u64 = 8_000;
/// And for a shorter one.
const SHORTER_BUDGET: u64 = 5_000;
/// And for each other first move.
const MOVE_BUDGET: u64 = 3_000;
/// And for the whole win.
const TREE_BUDGET: u64 = 1_000_000;
/// Positions without a win after which a game is not followed further back.
const MOST_MISSES: u32 = 2;
/// Shortest win that is a puzzle, in plies: shorter ones are seen at a glance.
const LEAST_PLIES: u32 = 5;
/// Most nodes of a win: larger ones take the referee too long.
const MOST_NODES: usize = 1_500;

/// How a puzzle is won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// By fours alone.
    Vcf,
    /// By fours and threes; fours alone do not do it.
    Vct,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Vcf => "vcf",
            Self::Vct => "vct",
        })
    }
}

/// A position whose side to move wins by force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// The rule.
    pub rule: Rule,
    /// The board.
    pub size: Size,
    /// How it is won.
    pub kind: Kind,
    /// Plies of the shortest win that was found.
    pub plies: u32,
    /// The moves that lead to the position.
    pub moves: Vec<Point>,
    /// All first moves that win by fours and threes, if that is known.
    pub firsts: Option<Vec<Point>>,
    /// None of the first moves wins so in freestyle.
    pub needs_rule: bool,
}

/// One line of a puzzle file, without number.
impl fmt::Display for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let firsts = self.firsts.as_deref();
        write!(
            f,
            "{}\t{}\t{}\t{}\t{}\t{}\t{}",
            self.rule,
            self.size,
            self.kind,
            self.plies,
            format_moves(&self.moves),
            firsts.map_or("*".to_owned(), format_moves),
            if self.needs_rule { "rule" } else { "-" },
        )
    }
}

/// Finds puzzles under one rule.
#[derive(Debug)]
pub struct Finder {
    rule: Rule,
    vcf: VcfSolver,
    vct: VctSolver,
}

impl Finder {
    /// A finder for a rule.
    #[must_use]
    pub fn new(rule: Rule) -> Self {
        Self {
            rule,
            vcf: VcfSolver::new(),
            vct: VctSolver::with_bytes(TABLE_BYTES),
        }
    }

    /// The puzzles of a game with a winner, the last positions first; none if
    /// the game has another rule.
    pub fn find(&mut self, game: &Game) -> Vec<Puzzle> {
        let facts = game.facts();
        let moves: Vec<Point> = game.moves().collect();
        let mut puzzles = Vec::new();
        let Some(winner) = facts.winner.filter(|_| facts.rule == self.rule) else {
            return puzzles;
        };
        let mut misses = 0;
        // Black made the moves with even numbers.
        let turns = (0..moves.len()).filter(|number| number % 2 == winner.index());
        for number in turns.rev() {
            let start = &moves[..number];
            let Ok(position) = Position::from_moves(facts.size, start) else {
                return puzzles;
            };
            let mut board = Board::new(position, classical::point_table(self.rule));
            if static_win(&mut board).is_some() {
                continue;
            }
            match self.solve(&mut board, start) {
                Some(puzzle) => puzzles.push(puzzle),
                None => misses += 1,
            }
            if misses >= MOST_MISSES {
                break;
            }
        }
        puzzles
    }

    /// The position after these moves as a puzzle; `None` if they cannot be
    /// made, or no win is found.
    pub fn at(&mut self, size: Size, moves: &[Point]) -> Option<Puzzle> {
        let position = Position::from_moves(size, moves).ok()?;
        let mut board = Board::new(position, classical::point_table(self.rule));
        self.solve(&mut board, moves)
    }

    fn solve(&mut self, board: &mut Board, moves: &[Point]) -> Option<Puzzle> {
        let (kind, plies) = self.kind(board)?;
        Some(Puzzle {
            rule: self.rule,
            size: board.size(),
            kind,
            plies,
            moves: moves.to_vec(),
            firsts: None,
            needs_rule: false,
        })
    }

    /// How the side to move wins, and plies.
    fn kind(&mut self, board: &mut Board) -> Option<(Kind, u32)> {
        if let Verdict::Win { plies, .. } = self.vcf.solve(board, VCF_BUDGET) {
            return Some((Kind::Vcf, plies));
        }
        match self.vct.solve(board, VCT_BUDGET) {
            Verdict::Win { plies, .. } => Some((Kind::Vct, plies)),
            Verdict::NoWin | Verdict::Unknown => None,
        }
    }

    /// Completes a puzzle: the shortest win and all first moves; returns it
    /// with the longest line of the win. `None` if the win is too short, too
    /// large, or does not stand up to the referee.
    pub fn complete(&mut self, mut puzzle: Puzzle) -> Option<(Puzzle, Vec<Point>)> {
        let position = Position::from_moves(puzzle.size, &puzzle.moves).ok()?;
        let mut board = Board::new(position, classical::point_table(self.rule));
        let shorter = (LEAST_PLIES..puzzle.plies).step_by(2).find(|&plies| {
            let verdict = self.vct.solve_within(&mut board, plies, SHORTER_BUDGET);
            matches!(verdict, Verdict::Win { .. })
        });
        let limit = shorter.unwrap_or(puzzle.plies);
        let tree = self.vct.win_tree(&mut board, limit, TREE_BUDGET)?;
        if tree.nodes().len() > MOST_NODES {
            return None;
        }
        let plies = match referee::check(&tree, board.position(), self.rule) {
            Ok(plies) => plies,
            Err(refutation) => {
                eprintln!("WRONG: {puzzle}: {refutation}");
                return None;
            }
        };
        puzzle.plies = plies;
        puzzle.firsts = self.firsts(&mut board);
        puzzle.needs_rule = self.needs_rule(&puzzle);
        (plies >= LEAST_PLIES).then(|| (puzzle, tree.longest_line()))
    }

    /// The first position on the line of a win, after moves of both sides, in
    /// which fours alone win.
    pub fn fours_on(&mut self, puzzle: &Puzzle, line: &[Point]) -> Option<Puzzle> {
        let mut moves = puzzle.moves.clone();
        for pair in line.chunks_exact(2) {
            moves.extend(pair);
            let found = self.at(puzzle.size, &moves)?;
            if found.kind == Kind::Vcf {
                return Some(found);
            }
        }
        None
    }

    /// All winning threats; `None` if one could not be decided.
    fn firsts(&mut self, board: &mut Board) -> Option<Vec<Point>> {
        let side = board.side_to_move();
        // Whoever must stop a five may do so by a quiet move.
        let is_forced = board.count(!side, Group::Five) > 0;
        let free: Vec<Point> = board.position().empty_points().collect();
        let mut firsts = Vec::new();
        for point in free {
            if board.class(point, side) == Class::Quiet && !is_forced {
                continue;
            }
            match self.vct.solve_move(board, point, MOVE_BUDGET) {
                Verdict::Win { .. } => firsts.push(point),
                Verdict::NoWin => {}
                Verdict::Unknown => return None,
            }
        }
        Some(firsts)
    }

    /// Whether none of the known first moves wins in freestyle.
    fn needs_rule(&self, puzzle: &Puzzle) -> bool {
        let position = Position::from_moves(puzzle.size, &puzzle.moves);
        let (Ok(position), Some(firsts)) = (position, &puzzle.firsts) else {
            return false;
        };
        let mut board = Board::new(position, classical::point_table(Rule::Freestyle));
        let mut solver = VctSolver::new();
        let mut firsts = firsts.iter();
        self.rule != Rule::Freestyle
            && firsts.all(|&first| {
                let verdict = solver.solve_move(&mut board, first, MOVE_BUDGET);
                verdict == Verdict::NoWin
            })
    }
}
