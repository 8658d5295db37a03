//! `arena openings`: balanced openings, made with an engine.

use super::event::parse_size;
use super::play::{INTERRUPTED_CODE, stop_at_signal};
use anyhow::{Result, bail};
use arena::duration::parse_ms;
use arena::generate::{Evaluator, EvaluatorSettings, OpeningFile, Progress, Settings, Shape, fill};
use arena::process::Launch;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use yonsan::board::Size;
use yonsan::rules::Rule;

const BAR_TEMPLATE: &str = "[{bar:40}] {pos} of {len} openings, {msg}, {eta} left";

/// Makes balanced openings with an engine; a file that is not full is gone on with.
#[derive(Debug, Args)]
pub struct OpeningsArguments {
    /// Command line of the engine that scores positions.
    #[arg(short, long, value_name = "COMMAND")]
    engine: String,
    /// Working directory of the engine, if not that of its program.
    #[arg(long, value_name = "DIR")]
    directory: Option<PathBuf>,
    /// Rule.
    #[arg(short, long, default_value = "freestyle")]
    rule: Rule,
    /// Board, as 15 or 20x15.
    #[arg(short, long, default_value = "15", value_parser = parse_size)]
    size: Size,
    /// Number of openings in the file when it is full.
    #[arg(short, long, default_value_t = 100)]
    count: u64,
    /// Positions searched for each score.
    #[arg(short, long, default_value_t = 100_000)]
    nodes: u64,
    /// Positions searched for a second score of what the first found even.
    #[arg(long, value_name = "NODES")]
    confirm: Option<u64>,
    /// Largest score for either side, in the engine's units.
    #[arg(short, long, default_value_t = 50)]
    balance: u32,
    /// Number of stones, as 5 or 3-9.
    #[arg(long, default_value = "3-9", value_parser = parse_stones)]
    stones: (u8, u8),
    /// Each stone is so many rows and columns from an earlier one at most.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=10))]
    spread: u8,
    /// The first stone keeps so far from the edges.
    #[arg(long, default_value_t = 3)]
    margin: u8,
    /// Seed of chance.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of engines at work.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: u16,
    /// Most time for a score, if the engine does not heed its number of positions.
    #[arg(long, default_value = "60s", value_parser = parse_ms)]
    time: u64,
    /// Further INFO line for the engine (may be given several times).
    #[arg(long, value_name = "KEY=VALUE", value_parser = parse_option)]
    option: Vec<(String, String)>,
    /// File of openings.
    #[arg(short, long, value_name = "PATH", default_value = "openings.txt")]
    output: PathBuf,
}

fn parse_stones(text: &str) -> Result<(u8, u8), String> {
    let (fewest, most) = text.split_once('-').unwrap_or((text, text));
    match (fewest.trim().parse(), most.trim().parse()) {
        (Ok(fewest), Ok(most)) if 1 <= fewest && fewest <= most => Ok((fewest, most)),
        _ => Err(format!("no numbers of stones '{text}', such as 5 or 3-9")),
    }
}

fn parse_option(text: &str) -> Result<(String, String), String> {
    let (key, value) = text
        .split_once('=')
        .ok_or_else(|| format!("'{text}' is no KEY=VALUE"))?;
    Ok((key.trim().to_owned(), value.to_owned()))
}

/// Runs the command.
pub fn run(arguments: OpeningsArguments) -> Result<ExitCode> {
    let (fewest, most) = arguments.stones;
    if usize::from(most) >= arguments.size.area() {
        bail!("{most} stones fill a board of {}", arguments.size);
    }
    let settings = Settings {
        shape: Shape {
            rule: arguments.rule,
            size: arguments.size,
            fewest,
            most,
            spread: arguments.spread,
            margin: arguments.margin,
        },
        balance: arguments.balance,
        nodes: arguments.nodes,
        confirm: arguments.confirm,
        seed: arguments.seed,
    };
    let evaluator = EvaluatorSettings {
        launch: Launch::new(&arguments.engine, arguments.directory.as_deref())?,
        rule: arguments.rule,
        size: arguments.size,
        time: Duration::from_millis(arguments.time),
        options: arguments.option,
    };
    let mut file = OpeningFile::open(&arguments.output, settings)?;
    let stop = stop_at_signal()?;
    let judges = (0..arguments.concurrency)
        .map(|_| Evaluator::start(evaluator.clone()))
        .collect::<Result<Vec<_>, _>>()?;
    let bar = ProgressBar::new(arguments.count);
    if let Ok(style) = ProgressStyle::with_template(BAR_TEMPLATE) {
        bar.set_style(style.progress_chars("=> "));
    }
    bar.set_position(file.openings().len() as u64);
    let result = fill(&mut file, judges, arguments.count, &stop, |progress| {
        bar.set_message(rate(progress));
        bar.set_position(progress.kept);
    });
    bar.finish_and_clear();
    let progress = result?;
    eprintln!(
        "{} of {} openings in {}, {}",
        progress.kept,
        arguments.count,
        arguments.output.display(),
        rate(progress)
    );
    Ok(if progress.kept < arguments.count {
        ExitCode::from(INTERRUPTED_CODE)
    } else {
        ExitCode::SUCCESS
    })
}

fn rate(progress: Progress) -> String {
    format!(
        "{} positions scored, {} attempts",
        progress.scored, progress.attempts
    )
}
