//! The command `trainer nnue`: games in, net out.

use super::data::{Data, Wishes};
use super::layout::Layout;
use super::net::Net;
use super::page::page;
use super::report::{Report, rare_parts};
use super::sight::Sight;
use super::train::{Settings, Training};
use super::watch::Watch;
use super::{checkpoint, export, proof};
use anyhow::{Context, Result, ensure};
use clap::Args;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use yonsan::eval::classical;
use yonsan::eval::weights::ClassicalWeights;
use yonsan::rules::Rule;

/// How far the engine's net may be from the trained one, in points expected.
const MOST_GAP: f64 = 0.01;

/// Trains the net of the engine on games.
#[derive(Args, Clone, Debug)]
pub struct Options {
    /// Files of games
    #[arg(required = true, value_name = "DATA")]
    pub data: Vec<PathBuf>,
    /// Net to write
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Times every sample is looked at
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub epochs: usize,
    /// Samples for each step
    #[arg(long, value_name = "N", default_value_t = 1024)]
    pub batch: usize,
    /// Full rate of the steps
    #[arg(long, value_name = "X", default_value_t = 0.005)]
    pub rate: f32,
    /// Weight decay of the rows of whole windows
    #[arg(long, value_name = "X", default_value_t = 0.5)]
    pub decay: f32,
    /// What the loss of a move weighs against that of a value
    #[arg(long, value_name = "X", default_value_t = 0.5)]
    pub move_weight: f32,
    /// Games in which a window must come up to get a row of its own
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub frequent: u32,
    /// What is expected after the next move weighs so much against the score of the
    /// position: from 0, only that score, to 1, only the result of the game
    #[arg(long, value_name = "L", default_value_t = 0.9)]
    pub lambda: f32,
    /// Of how many plies one is used
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub every: usize,
    /// Settles the first numbers and the order of the samples
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Tables of the classical evaluation that the net builds on, instead of the
    /// built-in ones: a file, or `hand` for those by rule of thumb
    #[arg(long, value_name = "hand|FILE")]
    pub tables: Option<PathBuf>,
    /// Threads, 0 for all cores; the outcome does not depend on it
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub threads: usize,
    /// What the net says of itself, before the figures of its data
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub description: String,
    /// File in which the run is put away after every epoch; if it is there, the
    /// run goes on with it
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// Page about the run to write, HTML
    #[arg(long, value_name = "FILE")]
    pub page: Option<PathBuf>,
}

impl Options {
    fn check(&self) -> Result<()> {
        ensure!(
            (0.0..=1.0).contains(&self.lambda),
            "lambda, {}, is not from 0 to 1",
            self.lambda
        );
        ensure!(self.every > 0, "one of 0 plies is none");
        ensure!(self.batch > 0, "a step needs samples");
        for (name, number) in [
            ("rate", self.rate),
            ("decay", self.decay),
            ("move weight", self.move_weight),
        ] {
            ensure!(
                number.is_finite() && number >= 0.0,
                "the {name} must be 0 or more"
            );
        }
        Ok(())
    }

    const fn settings(&self) -> Settings {
        Settings {
            epochs: self.epochs,
            batch: self.batch,
            rate: self.rate,
            decay: self.decay,
            move_weight: self.move_weight,
            seed: self.seed,
        }
    }

    /// What the net says of itself.
    fn description(&self, data: &Data) -> String {
        let own = if self.description.is_empty() {
            String::new()
        } else {
            format!("{}; ", self.description)
        };
        format!(
            "{own}{} games, {} positions, {} epochs of batches of {}, rate {}, decay {}, \
             weight of moves {}, lambda {}, rows of windows from {} games on, seed {}",
            data.found.games,
            data.learn.len(),
            self.epochs,
            self.batch,
            self.rate,
            self.decay,
            self.move_weight,
            self.lambda,
            self.frequent,
            self.seed,
        )
    }
}

/// Trains a net and writes it. Tells what it does on `log`.
///
/// # Errors
///
/// If an option is out of range, a file cannot be read or written, there are
/// no samples at all, the tables are no good or others are in use, or the
/// rounded net says something else than the trained one.
pub fn run(options: &Options, log: &mut (dyn Write + Send)) -> Result<()> {
    options.check()?;
    if let Some(source) = &options.tables {
        let name = || format!("{}", source.display());
        classical::install(ClassicalWeights::load(source).with_context(name)?)?;
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.threads)
        .build()?;
    pool.install(|| train(options, log))
}

fn train(options: &Options, log: &mut (dyn Write + Send)) -> Result<()> {
    let clock = Instant::now();
    let wishes = Wishes {
        every: options.every,
        lambda: options.lambda,
    };
    let data = Data::read(&options.data, &wishes)?;
    ensure!(
        !data.learn.is_empty(),
        "the games hold nothing to learn from"
    );
    tell_data(&data, clock.elapsed(), log)?;
    let sight = Sight::new(&data.sizes());
    let layout = Arc::new(layout(options, &data, &sight, log)?);
    let rare = rare_parts(&data, &sight, &layout);
    let net = Net::new(layout, options.seed);
    let mut training = Training::new(&data, &sight, net, options.settings());
    let mut watch = Watch::start(training.step_count());
    descend(options, &mut training, &rare, &mut watch, log)?;
    let history = watch.finish();
    let net = training.outcome().clone();
    let verdicts = training.judge(&net, &data.held_out, true);
    let report = Report::new(&data, &verdicts, &rare);
    let free = training.judge(&net, &data.held_out, false);
    let free = Report::new(&data, &free, &rare);
    writeln!(log, "before rounding, held out: {}", free.short())?;
    writeln!(log, "rounded, held out: {}", report.short())?;
    write!(log, "{report}")?;
    let description = options.description(&data);
    let bytes = export::export(&net, &description)?;
    let gap = proof::compare(&bytes, &data, &verdicts)?;
    writeln!(log, "{gap}")?;
    let name = options.output.display();
    fs::write(&options.output, &bytes).with_context(|| format!("{name}"))?;
    writeln!(log, "written: {name}, {} bytes", bytes.len())?;
    if let Some(path) = &options.page {
        let text = page("A net in training", &description, &history, &report);
        fs::write(path, text).with_context(|| format!("{}", path.display()))?;
    }
    ensure!(
        gap.mean < MOST_GAP,
        "{name} is too far from the net that was trained"
    );
    Ok(())
}

fn tell_data(data: &Data, elapsed: Duration, log: &mut dyn Write) -> Result<()> {
    for torn in &data.found.torn {
        writeln!(log, "cut short: {torn}")?;
    }
    writeln!(
        log,
        "{} games, {} repeated ones left out; read in {:.1} s",
        data.found.games,
        data.found.repeated,
        elapsed.as_secs_f64()
    )?;
    writeln!(
        log,
        "{} positions for learning, {} held out, {} repeated ones left out",
        data.learn.len(),
        data.held_out.len(),
        data.repeated,
    )?;
    for ((rule, generation), scale) in &data.scales {
        let rule = Rule::ALL[*rule];
        writeln!(
            log,
            "  scores of generation {generation}, {rule}: {scale:.0} stands for e : 1"
        )?;
    }
    Ok(())
}

/// Counts windows and gives those that come up often rows of their own.
fn layout(options: &Options, data: &Data, sight: &Sight, log: &mut dyn Write) -> Result<Layout> {
    let frequencies = data.frequencies(sight);
    let count = |least| frequencies.iter().filter(|&&count| count >= least).count();
    let layout = Layout::new(|key| frequencies[key] >= options.frequent);
    writeln!(
        log,
        "{} windows of rule sides, {} of them in many games; {} rows to train",
        count(1),
        count(options.frequent.max(1)),
        layout.row_count()
    )?;
    Ok(layout)
}

/// All steps that are left.
fn descend(
    options: &Options,
    training: &mut Training<'_>,
    rare: &[f32],
    watch: &mut Watch,
    log: &mut dyn Write,
) -> Result<()> {
    let data = training.data();
    if let Some(path) = options.checkpoint.as_ref().filter(|path| path.exists()) {
        checkpoint::resume(training, path)?;
        writeln!(log, "goes on after step {}", training.steps())?;
    }
    while let Some(losses) = training.advance() {
        let step = training.steps();
        watch.step(step, &losses, log)?;
        if step.is_multiple_of(training.epoch_steps()) {
            let net = training.net.clone();
            let verdicts = training.judge(&net, &data.held_out, false);
            watch.exam(step, Report::new(data, &verdicts, rare), log)?;
            if let Some(path) = &options.checkpoint {
                checkpoint::save(training, path)?;
            }
        }
    }
    Ok(())
}
