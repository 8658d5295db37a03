//! `datagen stats`.

use anyhow::{Context, Result, bail};
use clap::Args;
use datagen::stats::Stats;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use yonsan_format::{FormatError, Reader};

/// Count what files hold
#[derive(Debug, Args)]
pub struct StatsArguments {
    /// Play every game over with the slow referee as well
    #[arg(long)]
    verify: bool,
    /// The files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// Runs the command.
pub fn run(arguments: &StatsArguments) -> Result<()> {
    let mut stats = Stats::default();
    let mut bad_games = 0;
    for path in &arguments.files {
        bad_games +=
            add(&mut stats, path, arguments.verify).with_context(|| path.display().to_string())?;
    }
    write!(io::stdout().lock(), "{stats}")?;
    if bad_games > 0 {
        bail!("{bad_games} games are not as recorded");
    }
    Ok(())
}

/// Adds the games of a file; returns the number of those that are wrong.
fn add(stats: &mut Stats, path: &Path, is_verified: bool) -> Result<u64> {
    let mut bad_games = 0;
    for (number, game) in Reader::open(path)?.enumerate() {
        let game = match game {
            // A file that is being written to ends like this.
            Err(error @ FormatError::Torn(_)) => {
                eprintln!("{}: {error}", path.display());
                break;
            }
            game => game?,
        };
        if is_verified && let Err(error) = game.verify() {
            eprintln!("{}: game {}: {error}", path.display(), number + 1);
            bad_games += 1;
        }
        stats.add(&game);
    }
    Ok(bad_games)
}
