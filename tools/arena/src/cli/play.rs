//! Playing the games of an event that are not played yet, shared by the
//! subcommands that begin an event and by `resume`.
//!
//! Exit codes: 0 all games are played or H1 is accepted, 1 H0 is accepted,
//! 2 an error, 3 interrupted.

use anyhow::{Context, Result, bail};
use arena::config::EventConfig;
use arena::live::Live;
use arena::process::{Launch, Process, Watchdog};
use arena::record::{EventRecord, FORMAT_VERSION, GameRecord, Outcome, Record};
use arena::results::{Progress, ResultsFile};
use arena::runner::{self, Notice, RunOptions, unix_seconds};
use arena::schedule::{Schedule, Shard};
use arena::standings::{Space, Standings, reason_word};
use arena::stats::SprtStatus;
use clap::Args;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const H0_CODE: u8 = 1;
pub(super) const INTERRUPTED_CODE: u8 = 3;
/// The hidden first argument of the watchdog process.
pub const WATCHDOG_WORD: &str = "__watchdog";

/// How and where the games run; not part of what the event is.
#[derive(Debug, Args)]
#[command(next_help_heading = "Running")]
pub struct RunArguments {
    /// Games at a time
    #[arg(short, long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: u16,
    /// Give every game cores of its own (Linux)
    #[arg(long)]
    pin: bool,
    /// Results file, one JSON object a line
    #[arg(short, long, value_name = "FILE", default_value = "arena.jsonl")]
    output: PathBuf,
    /// Go on if the results file exists and is of the very same event
    #[arg(long)]
    resume: bool,
    /// Play part I of N only, by pairs; files of all parts are joined by cat
    #[arg(long, value_name = "I/N", default_value = "1/1")]
    shard: Shard,
    /// Write everything sent and received into this directory, a file a game
    #[arg(long, value_name = "DIR")]
    trace: Option<PathBuf>,
    /// Time between two lines when there is no terminal
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    interval: u64,
}

/// Arguments of `resume`.
#[derive(Debug, Args)]
pub struct ResumeArguments {
    /// The results file
    file: PathBuf,
    /// Games at a time
    #[arg(short, long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: u16,
    /// Give every game cores of its own (Linux)
    #[arg(long)]
    pin: bool,
    /// Write everything sent and received into this directory, a file a game
    #[arg(long, value_name = "DIR")]
    trace: Option<PathBuf>,
    /// Time between two lines when there is no terminal
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    interval: u64,
}

/// Begins an event, or goes on with it if that is asked for.
pub fn start(config: EventConfig, arguments: &RunArguments) -> Result<ExitCode> {
    let schedule = Schedule::new(&config)?;
    let path = &arguments.output;
    if path.exists() && !arguments.resume {
        bail!(
            "{} exists: go on with `arena resume`, or give another --output",
            path.display()
        );
    }
    if config.openings.is_none() && config.rounds > 1 {
        eprintln!("note: without --openings engines that leave nothing to chance repeat one game");
    }
    check_programs(&config)?;
    let run = Run {
        options: run_options(
            arguments.concurrency,
            arguments.pin,
            arguments.trace.clone(),
        )?,
        interval: Duration::from_secs(arguments.interval),
    };
    if path.exists() {
        let (file, progress) = ResultsFile::resume(path)?;
        if progress.config != config || progress.shard != arguments.shard {
            bail!("{} is of another event: its set-up differs", path.display());
        }
        return run.go_on(file, progress, &schedule);
    }
    let event = event_record(&config, arguments.shard, &schedule)?;
    let file = ResultsFile::create(path, event)?;
    run.play(file, &config, arguments.shard, &schedule, &[])
}

/// Goes on with the event of a results file.
pub fn resume(arguments: &ResumeArguments) -> Result<ExitCode> {
    let run = Run {
        options: run_options(
            arguments.concurrency,
            arguments.pin,
            arguments.trace.clone(),
        )?,
        interval: Duration::from_secs(arguments.interval),
    };
    let (file, progress) = ResultsFile::resume(&arguments.file)?;
    let schedule = Schedule::new(&progress.config)?;
    check_programs(&progress.config)?;
    run.go_on(file, progress, &schedule)
}

fn run_options(concurrency: u16, pin: bool, trace: Option<PathBuf>) -> Result<RunOptions> {
    if let Some(directory) = &trace {
        std::fs::create_dir_all(directory)
            .with_context(|| format!("cannot make {}", directory.display()))?;
    }
    Ok(RunOptions {
        concurrency: usize::from(concurrency),
        pin,
        trace_directory: trace,
    })
}

fn event_record(config: &EventConfig, shard: Shard, schedule: &Schedule) -> Result<EventRecord> {
    Ok(EventRecord {
        version: FORMAT_VERSION,
        config: serde_json::to_value(config)?,
        engines: config.engines.iter().map(|e| e.name.clone()).collect(),
        game_count: schedule.game_count(),
        shard: (shard != Shard::WHOLE).then_some([shard.index, shard.count]),
        started_unix: unix_seconds(),
    })
}

/// A mistyped program is an error now, and not a lost game each.
fn check_programs(config: &EventConfig) -> Result<()> {
    for engine in &config.engines {
        let launch = Launch::new(&engine.command, engine.directory.as_deref())?;
        Process::start(&launch, config.manners.flood_bytes)
            .with_context(|| format!("{}: cannot start {}", engine.name, launch.words[0]))?;
    }
    Ok(())
}

/// Ctrl-C ends the run in order; a second one at once.
pub(super) fn stop_at_signal() -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::SeqCst) {
            std::process::exit(i32::from(INTERRUPTED_CODE));
        }
    })
    .context("cannot watch for Ctrl-C")?;
    Ok(stop)
}

/// The process that ends the engines when this one is killed; a run without
/// it is as good until then.
fn start_watchdog() -> Option<Watchdog> {
    let program = std::env::current_exe().ok()?;
    Watchdog::start(Command::new(program).arg(WATCHDOG_WORD)).ok()
}

struct Run {
    options: RunOptions,
    interval: Duration,
}

impl Run {
    fn go_on(
        self,
        mut file: ResultsFile,
        progress: Progress,
        schedule: &Schedule,
    ) -> Result<ExitCode> {
        if progress.was_torn {
            eprintln!("note: a torn line at the end of the results file was cut off");
        }
        let (config, shard) = (progress.config, progress.shard);
        let event = event_record(&config, shard, schedule)?;
        file.append(&Record::Event(Box::new(event)))?;
        self.play(file, &config, shard, schedule, &progress.games)
    }

    /// Plays the games of a shard that are not among those `done`.
    fn play(
        self,
        mut file: ResultsFile,
        config: &EventConfig,
        shard: Shard,
        schedule: &Schedule,
        done: &[GameRecord],
    ) -> Result<ExitCode> {
        let played: BTreeSet<u64> = done.iter().map(|game| game.number).collect();
        let of_shard = |number: &u64| shard.has(number / 2);
        let own: Vec<u64> = (0..schedule.game_count()).filter(of_shard).collect();
        let left: Vec<u64> = own
            .iter()
            .copied()
            .filter(|n| !played.contains(n))
            .collect();
        let mut standings = Standings::new(config);
        done.iter().for_each(|game| standings.add(game));
        self.warn_of_overload(config);
        let _watchdog = start_watchdog();
        let stop = stop_at_signal()?;
        let mut live = Live::start(
            standings.games(),
            standings.games() + left.len() as u64,
            self.interval,
        );
        let is_open = |standings: &Standings| {
            standings
                .sprt_status()
                .is_none_or(|status| status == SprtStatus::Continue)
        };
        if !left.is_empty() && is_open(&standings) {
            runner::run(config, schedule, &left, &self.options, &stop, |notice| {
                if let Notice::Games(games) = notice {
                    let records = games.into_iter().map(|game| Record::Game(Box::new(game)));
                    let records: Vec<Record> = records.collect();
                    file.append_all(&records)?;
                    for record in &records {
                        if let Record::Game(game) = record {
                            standings.add(game);
                            note_failure(&live, game);
                        }
                    }
                }
                live.update(&standings);
                Ok(is_open(&standings))
            })?;
        }
        live.finish();
        print!("{}", standings.table(Space::ENDLESS));
        let is_complete = standings.games() >= own.len() as u64;
        Ok(match standings.sprt_status() {
            Some(SprtStatus::AcceptH0) => ExitCode::from(H0_CODE),
            Some(SprtStatus::AcceptH1) => ExitCode::SUCCESS,
            _ if is_complete => ExitCode::SUCCESS,
            _ => ExitCode::from(INTERRUPTED_CODE),
        })
    }

    fn warn_of_overload(&self, config: &EventConfig) {
        let threads = config.engines.iter().map(|e| e.threads.unwrap_or(1));
        let wanted = self.options.concurrency * threads.max().unwrap_or(1) as usize;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        if wanted > cores {
            eprintln!("note: {wanted} thinking threads on {cores} cores: times will suffer");
        }
    }
}

/// Every failure is told when it happens.
fn note_failure(live: &Live, game: &GameRecord) {
    if !game.reason.is_failure() {
        return;
    }
    let loser = match game.outcome {
        Outcome::Black => &game.white_name,
        Outcome::White => &game.black_name,
        Outcome::Draw => return,
    };
    let mark = if game.overloaded { " (overload)" } else { "" };
    let word = reason_word(game.reason);
    live.note(&format!(
        "game {}: {loser}: {word}{mark}: {}",
        game.number, game.detail
    ));
}
