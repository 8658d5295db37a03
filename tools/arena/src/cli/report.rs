//! `arena report`: one HTML file out of results files.

use super::export::write_out;
use anyhow::{Context, Result, bail};
use arena::collect::Collection;
use arena::report::{ReportOptions, render};
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;

/// Makes one self-contained HTML file out of results files.
#[derive(Debug, Args)]
pub struct ReportArguments {
    /// Results files; parts of one event and different events alike.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// File to write.
    #[arg(short, long, value_name = "PATH", default_value = "report.html")]
    output: PathBuf,
    /// Title of the page.
    #[arg(short, long)]
    title: Option<String>,
    /// Rating at which an engine is held, as `Rapfi=3073` (may be given several times).
    #[arg(short, long, value_name = "NAME=ELO", value_parser = parse_anchor)]
    anchor: Vec<(String, f64)>,
    /// Most games that can be replayed in the page; the newest are kept.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    games: usize,
}

fn parse_anchor(text: &str) -> Result<(String, f64), String> {
    let (name, elo) = text
        .rsplit_once('=')
        .ok_or_else(|| "a name and a rating are wanted, as Rapfi=3073".to_owned())?;
    match elo.trim().parse::<f64>() {
        Ok(elo) if elo.is_finite() => Ok((name.to_owned(), elo)),
        _ => Err(format!("'{elo}' is no rating")),
    }
}

/// Runs the command.
pub fn run(arguments: &ReportArguments) -> Result<ExitCode> {
    let mut collection = Collection::read(&arguments.files)?;
    for warning in &collection.warnings {
        eprintln!("{warning}");
    }
    if collection.games.is_empty() {
        bail!("no finished game in these files");
    }
    let options = ReportOptions {
        title: arguments.title.clone(),
        anchors: arguments.anchor.clone(),
        max_replayed: arguments.games,
    };
    let page = render(&mut collection, &options)?;
    write_out(Some(&arguments.output), &page).context("the report")?;
    eprintln!(
        "{} games in {}",
        collection.games.len(),
        arguments.output.display()
    );
    Ok(ExitCode::SUCCESS)
}
