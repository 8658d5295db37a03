//! The command `trainer`; everything happens in the library.

use clap::{Parser, Subcommand};
use std::process::ExitCode;
use trainer::classical::command;

/// Fits the evaluation of the engine to recorded games.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Fits the tables of the classical evaluation
    Classical(command::Options),
}

fn main() -> ExitCode {
    let Command::Classical(options) = Arguments::parse().command;
    match command::run(&options, &mut std::io::stderr()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("trainer: {error:#}");
            ExitCode::FAILURE
        }
    }
}
