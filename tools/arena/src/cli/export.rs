//! `arena export`: games in the formats of other programs.

use anyhow::{Context, Result, bail};
use arena::collect::Collection;
use arena::export::{write_csv, write_pgn, write_psq, write_scores, write_sgf};
use arena::record::GameRecord;
use clap::{Args, ValueEnum};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Game files of Piskvork, one for each game, into a directory.
    Psq,
    /// SGF, all games in one file.
    Sgf,
    /// PGN with dummy moves, for BayesElo and Ordo.
    Pgn,
    /// One row a move: game, ply, player, position, move, opening, time, score, result.
    Csv,
    /// Lines `A vs B: W - L - D [score] N`.
    Scores,
    /// Move lists in letters, one game a line.
    Moves,
}

/// Writes the games of results files in another format.
#[derive(Debug, Args)]
pub struct ExportArguments {
    /// Results files.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// What to write.
    #[arg(short, long, value_enum)]
    format: Format,
    /// File to write, or directory for psq; standard output if not given.
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
    /// Only this game (may be given several times).
    #[arg(short, long, value_name = "NUMBER")]
    game: Vec<u64>,
    /// Only games of this engine.
    #[arg(short, long, value_name = "NAME")]
    engine: Option<String>,
}

/// Runs the command.
pub fn run(arguments: &ExportArguments) -> Result<ExitCode> {
    let collection = Collection::read(&arguments.files)?;
    for warning in &collection.warnings {
        eprintln!("{warning}");
    }
    let wanted = |game: &GameRecord| {
        let number_fits = arguments.game.is_empty() || arguments.game.contains(&game.number);
        let engine_fits = arguments
            .engine
            .as_ref()
            .is_none_or(|name| [&game.black_name, &game.white_name].contains(&name));
        number_fits && engine_fits
    };
    let games: Vec<&GameRecord> = collection
        .games
        .iter()
        .map(|entry| &entry.game)
        .filter(|game| wanted(game))
        .collect();
    if games.is_empty() {
        bail!("no such game in these files");
    }
    let games_iter = games.iter().copied();
    let text = match arguments.format {
        Format::Psq => return export_psq(&games, arguments.output.as_deref()),
        Format::Sgf => write_sgf(games_iter),
        Format::Pgn => write_pgn(games_iter),
        Format::Csv => write_csv(games_iter),
        Format::Scores => write_scores(games_iter),
        Format::Moves => games_iter.map(move_line).collect(),
    };
    write_out(arguments.output.as_deref(), &text)?;
    Ok(ExitCode::SUCCESS)
}

/// One file a game, or a single game to standard output.
fn export_psq(games: &[&GameRecord], output: Option<&Path>) -> Result<ExitCode> {
    match (output, games) {
        (None, [game]) => write_out(None, &write_psq(game))?,
        (None, _) => bail!("{} games: name a directory with --output", games.len()),
        (Some(directory), _) => {
            std::fs::create_dir_all(directory)
                .with_context(|| format!("cannot make {}", directory.display()))?;
            for (index, game) in games.iter().enumerate() {
                // Events may share game numbers: the index keeps files apart.
                let path = directory.join(format!("{index:06}-game{}.psq", game.number));
                write_out(Some(&path), &write_psq(game))?;
            }
            eprintln!("{} games in {}", games.len(), directory.display());
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn move_line(game: &GameRecord) -> String {
    let points = game.moves.iter().map(|entry| entry.point.as_str());
    points.chain(["\n"]).collect()
}

/// Writes a file, or standard output. A reader that stops reading, such as
/// `head`, is no error.
pub(super) fn write_out(path: Option<&Path>, text: &str) -> Result<()> {
    let Some(path) = path else {
        return match std::io::stdout().write_all(text.as_bytes()) {
            Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(error.into()),
            _ => Ok(()),
        };
    };
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}
