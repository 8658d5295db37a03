//! Command line: one file for each subcommand, nothing but arguments and
//! messages in them.

mod check;
mod event;
mod export;
mod import;
mod openings;
mod play;
mod report;

use arena::config::EventKind;
use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Exit code of a command that failed.
const ERROR_CODE: u8 = 2;

/// Match runner for Gomoku, Renju and Caro engines of the Gomocup protocol.
#[derive(Debug, Parser)]
#[command(name = "arena", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Two engines against each other
    Match(Box<event::EventArguments>),
    /// The first engine against every other
    Gauntlet(Box<event::EventArguments>),
    /// Everybody against everybody
    Tournament(Box<event::EventArguments>),
    /// Go on with an event that was interrupted
    Resume(play::ResumeArguments),
    Report(report::ReportArguments),
    Export(export::ExportArguments),
    Import(import::ImportArguments),
    Check(check::CheckArguments),
    Openings(openings::OpeningsArguments),
}

/// Runs the command line; returns the exit code of the process.
pub fn run() -> ExitCode {
    // Before clap: the watchdog is no command for people.
    if std::env::args_os()
        .nth(1)
        .is_some_and(|word| word == play::WATCHDOG_WORD)
    {
        arena::process::watch(std::io::stdin().lock());
        return ExitCode::SUCCESS;
    }
    let arguments = Arguments::parse();
    let result: anyhow::Result<ExitCode> = match arguments.command {
        Command::Match(arguments) => event::run(EventKind::Match, *arguments),
        Command::Gauntlet(arguments) => event::run(EventKind::Gauntlet, *arguments),
        Command::Tournament(arguments) => event::run(EventKind::Tournament, *arguments),
        Command::Resume(arguments) => play::resume(&arguments),
        Command::Report(arguments) => report::run(&arguments),
        Command::Export(arguments) => export::run(&arguments),
        Command::Import(arguments) => import::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
        Command::Openings(arguments) => openings::run(arguments),
    };
    result.unwrap_or_else(|error| {
        eprintln!("arena: {error:#}");
        ExitCode::from(ERROR_CODE)
    })
}
