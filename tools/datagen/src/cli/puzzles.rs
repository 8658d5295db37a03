//! `datagen puzzles`.

use anyhow::{Context, Result};
use clap::Args;
use datagen::puzzles::{Finder, Kind, Puzzle};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::io::{self, Write};
use std::path::PathBuf;
use yonsan::board::{Size, parse_moves};
use yonsan::rules::Rule;
use yonsan_format::{FormatError, Game, Reader};

/// Find wins by force
///
/// Writes lines as in tests/data/puzzles: rule, board, kind, plies, moves and
/// winning first moves.
#[derive(Debug, Args)]
pub struct PuzzlesArguments {
    /// The rule
    #[arg(long)]
    rule: Rule,
    /// Puzzles to find
    #[arg(long, default_value_t = 80)]
    count: usize,
    /// Most puzzles of one kind and length
    #[arg(long, default_value_t = 10)]
    alike: usize,
    /// Look at every so manieth game only
    #[arg(long, default_value_t = 1, value_parser = step)]
    step: usize,
    /// Look at the position after these moves, such as h8i9, and at no files
    #[arg(long, conflicts_with = "files")]
    moves: Option<String>,
    /// Side of the square board for these moves
    #[arg(long, default_value_t = 15)]
    side: u8,
    /// The files
    #[arg(required_unless_present = "moves", value_name = "FILE")]
    files: Vec<PathBuf>,
}

fn step(text: &str) -> Result<usize, String> {
    let step = text.parse().ok().filter(|&step| step > 0);
    step.ok_or_else(|| format!("'{text}' is no number above 0"))
}

/// Runs the command.
pub fn run(arguments: &PuzzlesArguments) -> Result<()> {
    let mut search = Search {
        finder: Finder::new(arguments.rule),
        arguments,
        taken: HashMap::new(),
        found: 0,
    };
    if let Some(moves) = &arguments.moves {
        return search.show(moves);
    }
    for path in &arguments.files {
        let reader = Reader::open(path).with_context(|| path.display().to_string())?;
        for game in reader.step_by(arguments.step) {
            match game {
                // A file that is being written to ends like this.
                Err(FormatError::Torn(_)) => break,
                game => search.add(&game.with_context(|| path.display().to_string())?)?,
            }
            if search.found >= arguments.count {
                return Ok(());
            }
        }
    }
    Ok(())
}

struct Search<'a> {
    finder: Finder,
    arguments: &'a PuzzlesArguments,
    /// Puzzles by kind and plies.
    taken: HashMap<(Kind, u32), usize>,
    found: usize,
}

impl Search<'_> {
    /// Shows the puzzle after these moves.
    fn show(&mut self, moves: &str) -> Result<()> {
        let side = self.arguments.side;
        let size = Size::square(side).with_context(|| format!("no board has a side of {side}"))?;
        let moves = parse_moves(moves)?;
        let puzzle = self.finder.at(size, &moves).context("no win is found")?;
        let (puzzle, _) = self.finder.complete(puzzle).context("the win is short")?;
        Ok(writeln!(io::stdout().lock(), "{puzzle}")?)
    }

    /// Takes one puzzle of each kind from the game: of a length of which there
    /// are few so far, and rather a long one.
    fn add(&mut self, game: &Game) -> Result<()> {
        let puzzles = self.finder.find(game);
        for kind in [Kind::Vcf, Kind::Vct] {
            let of_kind = puzzles.iter().filter(|puzzle| puzzle.kind == kind);
            let mut wanted: Vec<(usize, &Puzzle)> = of_kind
                .map(|puzzle| (self.count(puzzle), puzzle))
                .filter(|&(count, _)| count < self.arguments.alike)
                .collect();
            wanted.sort_by_key(|&(count, puzzle)| (count, Reverse(puzzle.plies)));
            for (_, puzzle) in wanted {
                if self.take(puzzle.clone())? {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Completes and writes a puzzle, if it is good and still wanted.
    fn take(&mut self, puzzle: Puzzle) -> Result<bool> {
        let Some((puzzle, line)) = self.finder.complete(puzzle) else {
            return Ok(false);
        };
        if self.count(&puzzle) >= self.arguments.alike {
            return Ok(false);
        }
        *self.taken.entry((puzzle.kind, puzzle.plies)).or_default() += 1;
        self.found += 1;
        writeln!(io::stdout().lock(), "{puzzle}")?;
        if puzzle.kind == Kind::Vct
            && let Some(fours) = self.finder.fours_on(&puzzle, &line)
        {
            self.take(fours)?;
        }
        Ok(true)
    }

    fn count(&self, puzzle: &Puzzle) -> usize {
        let key = (puzzle.kind, puzzle.plies);
        self.taken.get(&key).copied().unwrap_or(0)
    }
}
