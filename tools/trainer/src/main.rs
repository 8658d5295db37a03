//! The command `trainer`; everything happens in the library.

use clap::{Parser, Subcommand};
use std::process::ExitCode;
use trainer::{classical, nnue};

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
    Classical(classical::command::Options),
    /// Trains the net
    Nnue(nnue::command::Options),
}

fn main() -> ExitCode {
    let log = &mut std::io::stderr();
    let outcome = match Arguments::parse().command {
        Command::Classical(options) => classical::command::run(&options, log),
        Command::Nnue(options) => nnue::command::run(&options, log),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("trainer: {error:#}");
            ExitCode::FAILURE
        }
    }
}
