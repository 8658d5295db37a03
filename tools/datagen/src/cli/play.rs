//! `datagen play`.

use anyhow::{Context, Result};
use clap::Args;
use datagen::mixture::{Boards, Mixture};
use datagen::progress::Progress;
use datagen::run::{self, Bounds};
use datagen::settings::Settings;
use datagen::stats::Proofs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use yonsan::eval::weights::ClassicalWeights;
use yonsan::eval::{Evaluation, classical, nnue};
use yonsan::rules::Rule;
use yonsan_format::{Appender, Found};

const SECONDS_PER_HOUR: f64 = 3600.0;
/// Exit code of a process that was interrupted twice.
const INTERRUPTED_CODE: i32 = 130;

/// Play games and append them to a file
///
/// Goes on with the file if it was begun with the same settings. After Ctrl-C
/// the games that have begun are finished; a second Ctrl-C drops them.
#[derive(Debug, Args)]
pub struct PlayArguments {
    /// Rules by weight
    #[arg(
        long,
        value_name = "RULE:WEIGHT,...",
        default_value = "freestyle:35,standard:25,renju:25,caro:10,caro-exact:5"
    )]
    rules: Mixture<Rule>,
    /// Boards by weight: 15, 13-19 for square ones, 20x15
    #[arg(
        long,
        value_name = "BOARD:WEIGHT,...",
        default_value = "15:50,20:20,13-19:20,5-12:8,21-22:2"
    )]
    sizes: Mixture<Boards>,
    /// Nodes a ply, give or take a tenth
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    nodes: u64,
    /// Scores of openings lie within plus and minus this
    #[arg(long, value_name = "SCORE", default_value_t = 150, value_parser = clap::value_parser!(i32).range(0..))]
    balance: i32,
    /// Most plies by which an opening goes astray
    #[arg(long, value_name = "PLIES", default_value_t = 16, value_parser = clap::value_parser!(u64).range(0..=200))]
    stray: u64,
    /// Transposition table of each thread in MiB
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = clap::value_parser!(u64).range(1..=65_536))]
    hash: u64,
    /// Generation of the engine, written into every game
    #[arg(long, default_value_t = 0)]
    generation: u16,
    /// Seed of all games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Evaluation: net or classical
    #[arg(long, value_name = "KIND", default_value = "net", value_parser = evaluation)]
    eval: Evaluation,
    /// A net to play with instead of the built-in one
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Tables of the classical evaluation instead of the built-in ones: a file,
    /// or `hand` for those by rule of thumb
    #[arg(long, value_name = "hand|FILE")]
    tables: Option<PathBuf>,
    /// Games the file is to have, those in it included
    #[arg(long, value_name = "NUMBER")]
    games: Option<u64>,
    /// Hours to play
    #[arg(long, value_parser = hours)]
    hours: Option<Duration>,
    /// Games at a time
    #[arg(short, long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    threads: u16,
    /// The file
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

fn hours(text: &str) -> Result<Duration, String> {
    let hours = text.parse::<f64>().ok();
    hours
        .and_then(|hours| Duration::try_from_secs_f64(hours * SECONDS_PER_HOUR).ok())
        .ok_or_else(|| format!("'{text}' is no number of hours"))
}

fn evaluation(text: &str) -> Result<Evaluation, String> {
    match text {
        "net" => Ok(Evaluation::Net),
        "classical" => Ok(Evaluation::Classical),
        _ => Err("net or classical is wanted".to_owned()),
    }
}

/// Makes the files that are named the evaluation of the engine.
fn install(arguments: &PlayArguments) -> Result<()> {
    if let Some(path) = &arguments.weights {
        let bytes = std::fs::read(path).map_err(anyhow::Error::from);
        let installed = bytes.and_then(|bytes| Ok(nnue::install(bytes)?));
        installed.with_context(|| path.display().to_string())?;
    }
    if let Some(source) = &arguments.tables {
        let weights = ClassicalWeights::load(source).map_err(anyhow::Error::from);
        let installed = weights.and_then(|weights| Ok(classical::install(weights)?));
        installed.with_context(|| source.display().to_string())?;
    }
    Ok(())
}

/// Runs the command.
pub fn run(arguments: PlayArguments) -> Result<()> {
    install(&arguments)?;
    let deadline = arguments
        .hours
        .and_then(|time| Instant::now().checked_add(time));
    let settings = Settings {
        rules: arguments.rules,
        sizes: arguments.sizes,
        nodes: arguments.nodes,
        balance: arguments.balance,
        stray: arguments.stray,
        hash_mib: arguments.hash,
        generation: arguments.generation,
        seed: arguments.seed,
        evaluation: arguments.eval,
    };
    let path = arguments.output.display();
    let (mut appender, found) =
        Appender::open(&arguments.output, settings.header()).with_context(|| path.to_string())?;
    tell_found(found);
    let stop = stop_on_interrupt()?;
    let bounds = Bounds {
        first: found.games,
        end: arguments.games.unwrap_or(u64::MAX),
        deadline,
        stop: &stop,
    };
    let mut progress = Progress::start(found.games, arguments.games);
    let mut proofs = Proofs::default();
    let result = run::run(&settings, arguments.threads.into(), &bounds, |game| {
        if let Some(game) = game {
            appender.append(&game)?;
            progress.add(game.plies().len());
            proofs.add(&game);
        }
        progress.tick();
        Ok(())
    });
    progress.finish();
    appender.sync().with_context(|| path.to_string())?;
    let pace = progress.pace();
    eprintln!("{} games, {} plies, {pace}", pace.games, pace.plies);
    eprintln!("{proofs}");
    result.with_context(|| path.to_string())
}

fn tell_found(found: Found) {
    if found.cut_bytes > 0 {
        eprintln!("{} bytes of a torn game cut off", found.cut_bytes);
    }
    if found.games > 0 {
        eprintln!("{} games, {} plies are there", found.games, found.plies);
    }
}

/// A flag that the first interrupt sets; the second ends the process.
fn stop_on_interrupt() -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED_CODE);
        }
    })
    .context("cannot listen for interrupts")?;
    Ok(stop)
}
