//! `arena import`: games of other programs as a results file or move lists.

use super::export::write_out;
use anyhow::{Context, Result, bail};
use arena::export::to_record;
use arena::record::{EventRecord, FORMAT_VERSION, Record};
use clap::Args;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use yonsan::game_file::{DEFAULT_SIZE, FileFormat, FileGame, read_psq, read_sgf};
use yonsan::rules::Rule;

/// Reads PSQ and SGF files and writes a results file or move lists.
#[derive(Debug, Args)]
pub struct ImportArguments {
    /// PSQ or SGF files.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// File to write; standard output if not given.
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
    /// Rule of games whose file names none.
    #[arg(short, long, default_value = "freestyle")]
    rule: Rule,
    /// Write moves only, one game a line (`h8h9i10`), finished or not.
    #[arg(long)]
    moves: bool,
}

/// Runs the command.
pub fn run(arguments: &ImportArguments) -> Result<ExitCode> {
    let mut games = Vec::new();
    for path in &arguments.files {
        games.extend(read(path).with_context(|| path.display().to_string())?);
    }
    let text = if arguments.moves {
        games.iter().map(|(_, game)| move_line(game)).collect()
    } else {
        results_file(&games, arguments.rule)?
    };
    write_out(arguments.output.as_deref(), &text)?;
    Ok(ExitCode::SUCCESS)
}

/// The games of a file with a name for messages.
fn read(path: &Path) -> Result<Vec<(String, FileGame)>> {
    let bytes = std::fs::read(path).context("cannot be read")?;
    let text = String::from_utf8_lossy(&bytes);
    let games = match FileFormat::of(&text) {
        FileFormat::Psq => vec![read_psq(&text)?],
        // A list of moves tells neither size nor result.
        FileFormat::Sgf | FileFormat::Letters => read_sgf(&text, DEFAULT_SIZE)?,
    };
    let name = |index: usize| format!("{}, game {}", path.display(), index + 1);
    Ok((0..).map(name).zip(games).collect())
}

fn move_line(game: &FileGame) -> String {
    let points = game.moves.iter().map(|entry| entry.point.to_string());
    points.chain(["\n".to_owned()]).collect()
}

/// A results file; games without a result are left out and named.
fn results_file(games: &[(String, FileGame)], rule: Rule) -> Result<String> {
    let mut engines: Vec<String> = Vec::new();
    let mut records = Vec::new();
    for (name, game) in games {
        let mut record = match to_record(game, records.len() as u64, rule) {
            Ok(record) => record,
            Err(problem) => {
                eprintln!("{name}: left out: {problem}");
                continue;
            }
        };
        let mut index_of = |name: &String| {
            engines
                .iter()
                .position(|known| known == name)
                .unwrap_or_else(|| {
                    engines.push(name.clone());
                    engines.len() - 1
                })
        };
        record.black = index_of(&record.black_name);
        record.white = index_of(&record.white_name);
        records.push(record);
    }
    if records.is_empty() {
        bail!("no game with a result in these files");
    }
    let event = Record::Event(Box::new(EventRecord {
        version: FORMAT_VERSION,
        config: serde_json::json!({ "imported": true }),
        engines,
        game_count: records.len() as u64,
        shard: None,
        started_unix: 0,
    }));
    let games = records
        .into_iter()
        .map(|record| Record::Game(Box::new(record)));
    let mut text = String::new();
    for record in std::iter::once(event).chain(games) {
        text.push_str(&serde_json::to_string(&record)?);
        text.push('\n');
    }
    Ok(text)
}
