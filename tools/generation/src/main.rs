//! The command `generation`; everything happens in the library.

use anyhow::{Context, Result, ensure};
use clap::{Args, Parser, Subcommand};
use generation::child::Programs;
use generation::keeper;
use generation::run::Run;
use generation::settings::Settings;
use generation::state::State;
use generation::table::table;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A new generation of the evaluation with one command.
#[derive(Debug, Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Run(RunArguments),
    Table(TableArguments),
}

/// Games, fit, net, matches and a report
///
/// Goes on where it stood if it is called again after a kill or Ctrl-C.
#[derive(Debug, Args)]
struct RunArguments {
    /// What is wanted; README.md tells all fields
    #[arg(value_name = "SETTINGS.toml")]
    settings: PathBuf,
    /// Folder for everything; data/NAME, by the name in the settings, if not given
    #[arg(long, value_name = "FOLDER")]
    work_dir: Option<PathBuf>,
}

/// Prints the table of generations, Markdown
#[derive(Debug, Args)]
struct TableArguments {
    /// Work folders; those without a state are passed over
    #[arg(required = true, value_name = "FOLDER")]
    folders: Vec<PathBuf>,
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().collect();
    let result = match words.get(1) {
        Some(word) if word == keeper::WORD => keeper::keep(&words[2..]),
        _ => match Arguments::parse().command {
            Command::Run(arguments) => run(arguments),
            Command::Table(arguments) => show_table(&arguments.folders),
        }
        .map(|()| ExitCode::SUCCESS),
    };
    result.unwrap_or_else(|error| {
        eprintln!("generation: {error:#}");
        ExitCode::FAILURE
    })
}

fn run(arguments: RunArguments) -> Result<()> {
    let own = std::env::current_exe().context("cannot tell where this program is")?;
    let programs = Programs::beside(&own)?;
    let (settings, text) = Settings::read(&arguments.settings)?;
    let folder = arguments
        .work_dir
        .unwrap_or_else(|| Path::new("data").join(&settings.name));
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed))
        .context("cannot listen for interrupts")?;
    let mut run = Run::open(settings, text, &folder, programs)?;
    run.go(&stop, &mut io::stdout().lock())
}

fn show_table(folders: &[PathBuf]) -> Result<()> {
    let states = folders.iter().map(|folder| State::load(folder));
    let states: Vec<State> = states
        .filter_map(Result::transpose)
        .collect::<Result<_>>()?;
    ensure!(!states.is_empty(), "no folder has a state of a generation");
    print!("{}", table(&states));
    Ok(())
}
