//! Command line: one file for each subcommand, nothing but arguments and
//! messages in them.

mod play;
mod puzzles;
mod show;
mod stats;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Exit code of a command that failed.
const ERROR_CODE: u8 = 2;

/// Self-play games for fitting the evaluation.
#[derive(Debug, Parser)]
#[command(name = "datagen", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Play(play::PlayArguments),
    Puzzles(puzzles::PuzzlesArguments),
    Stats(stats::StatsArguments),
    Show(show::ShowArguments),
}

/// Runs the command line; returns the exit code of the process.
pub fn run() -> ExitCode {
    let arguments = Arguments::parse();
    let result = match arguments.command {
        Command::Play(arguments) => play::run(arguments),
        Command::Puzzles(arguments) => puzzles::run(&arguments),
        Command::Stats(arguments) => stats::run(&arguments),
        Command::Show(arguments) => show::run(&arguments),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("datagen: {error:#}");
            ExitCode::from(ERROR_CODE)
        }
    }
}
