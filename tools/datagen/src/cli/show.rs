//! `datagen show`.

use anyhow::{Context, Result};
use clap::Args;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::PathBuf;
use yonsan::board::{Colour, diagram};
use yonsan_format::{Game, Reader, Sample};

/// Show a game
#[derive(Debug, Args)]
pub struct ShowArguments {
    /// The file
    file: PathBuf,
    /// Number of the game in the file, from 1
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    number: u64,
}

/// Runs the command.
pub fn run(arguments: &ShowArguments) -> Result<()> {
    let path = arguments.file.display();
    let reader = Reader::open(&arguments.file).with_context(|| path.to_string())?;
    let mut game = None;
    for (number, next) in (1..=arguments.number).zip(reader) {
        let next = next.with_context(|| path.to_string())?;
        game = (number == arguments.number).then_some(next);
    }
    let game = game.with_context(|| format!("{path}: no game {}", arguments.number))?;
    io::stdout().lock().write_all(describe(&game).as_bytes())?;
    Ok(())
}

fn describe(game: &Game) -> String {
    let facts = game.facts();
    let winner = match facts.winner {
        Some(Colour::Black) => "Black wins",
        Some(Colour::White) => "White wins",
        None => "draw",
    };
    let mut text = format!(
        "{} {}, {winner} ({}), {} plies, generation {}, seed {}\n\n",
        facts.rule,
        facts.size,
        facts.end.name(),
        game.plies().len(),
        facts.generation,
        facts.seed,
    );
    let last = game.visit(|_, _| {});
    text += diagram(&last).trim_end();
    text += "\n\n";
    for sample in game.samples() {
        // Text in memory takes everything.
        let _ = writeln!(text, "{}", describe_ply(&sample));
    }
    text
}

fn describe_ply(sample: &Sample) -> String {
    let ply = &sample.ply;
    let mut text = format!("{:>3} {:<4}", sample.number + 1, ply.point);
    if ply.has_score() || ply.is_forced {
        let _ = write!(text, "{:>7}{:>8}+", ply.score, ply.effort.least_nodes());
    }
    for (is_so, word) in [(ply.is_random, "random"), (ply.is_forced, "forced")] {
        if is_so {
            text += "  ";
            text += word;
        }
    }
    text
}
