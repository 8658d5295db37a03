//! The command `trainer classical`: rule by rule, games in, tables out.

use super::fit::{Settings, fit};
use super::model::{MoveModel, ValueModel};
use super::report::{MoveQuality, ValueQuality};
use super::samples::{Samples, Split, collect};
use super::tables::{move_leaves, move_tying, set_moves, set_value, value_leaves, value_tying};
use crate::games::fit_score_unit;
use anyhow::{Context, Result, ensure};
use clap::Args;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;
use yonsan::board::Colour;
use yonsan::eval::weights::ClassicalWeights;
use yonsan::rules::Rule;

/// How far a value can move in the first step, in log odds.
const VALUE_PACE: f32 = 0.003;
/// How far a move score can move in the first step, in log odds.
const MOVE_PACE: f32 = 0.02;

/// Fits the tables of the classical evaluation to games.
#[derive(Args, Clone, Debug)]
pub struct Options {
    /// Files of games
    #[arg(required = true, value_name = "DATA")]
    pub data: Vec<PathBuf>,
    /// File of weights to write
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Times every sample is looked at
    #[arg(long, value_name = "N", default_value_t = 12)]
    pub epochs: u32,
    /// Samples for each step
    #[arg(long, value_name = "N", default_value_t = 4096)]
    pub batch: usize,
    /// Settles the order of the samples
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Where to start: `hand` for the weights by rule of thumb, or a file of weights
    #[arg(long, value_name = "hand|FILE", default_value = "hand")]
    pub init: PathBuf,
    /// Rules to fit, of which there must be games; the others keep the numbers
    /// of --init. Without it all rules of which there are games are fitted
    #[arg(long, value_name = "RULE,...", value_delimiter = ',')]
    pub rules: Vec<Rule>,
    /// Weights whose numbers the rules that are not fitted get, instead of those
    /// of --init
    #[arg(long, value_name = "FILE", requires = "rules")]
    pub others: Option<PathBuf>,
    /// What the result of the game weighs against the score of the search, 0 to 1
    #[arg(long, value_name = "L", default_value_t = 1.0)]
    pub result_weight: f32,
    /// Score in the games that stands for odds of e : 1, instead of finding it
    /// out from scores and results
    #[arg(long, value_name = "N")]
    pub score_scale: Option<f32>,
    /// Most values and most moves kept of each rule; the rest is thinned out
    #[arg(long, value_name = "N", default_value_t = 4_000_000)]
    pub max_samples: usize,
    /// Threads, 0 for all cores; the outcome does not depend on it
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub threads: usize,
}

impl Options {
    fn fits(&self, rule: Rule) -> bool {
        self.rules.is_empty() || self.rules.contains(&rule)
    }

    fn check(&self) -> Result<()> {
        ensure!(
            (0.0..=1.0).contains(&self.result_weight),
            "the weight of the result, {}, is not from 0 to 1",
            self.result_weight
        );
        ensure!(
            self.score_scale
                .is_none_or(|scale| scale.is_finite() && scale > 0.0),
            "the scale of the scores must be above 0"
        );
        ensure!(self.max_samples > 0, "there must be room for samples");
        ensure!(
            self.max_samples <= u32::MAX as usize,
            "more than {} samples cannot be numbered",
            u32::MAX
        );
        Ok(())
    }

    const fn settings(&self, pace: f32) -> Settings {
        Settings {
            epochs: self.epochs,
            batch: self.batch,
            pace,
            seed: self.seed,
        }
    }
}

/// Fits the tables of every rule of which there are games, and writes the
/// weights. Tells what it does on `log`.
///
/// # Errors
///
/// If an option is out of range, a file cannot be read or written, or there
/// are no samples at all.
pub fn run(options: &Options, log: &mut (dyn Write + Send)) -> Result<()> {
    options.check()?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.threads)
        .build()?;
    let mut weights = load(&options.init)?;
    if let Some(others) = &options.others {
        let others = load(others)?;
        for rule in Rule::ALL.into_iter().filter(|&rule| !options.fits(rule)) {
            for colour in Colour::ALL {
                weights
                    .side_mut(rule, colour)
                    .clone_from(others.side(rule, colour));
            }
        }
    }
    pool.install(|| fit_all(options, &mut weights, log))?;
    let name = options.output.display();
    fs::write(&options.output, weights.to_bytes()).with_context(|| format!("{name}"))?;
    writeln!(log, "written: {name}")?;
    Ok(())
}

fn load(path: &Path) -> Result<ClassicalWeights> {
    ClassicalWeights::load(path).with_context(|| format!("{}", path.display()))
}

fn fit_all(
    options: &Options,
    weights: &mut ClassicalWeights,
    log: &mut (dyn Write + Send),
) -> Result<()> {
    let mut found = 0;
    for rule in Rule::ALL.into_iter().filter(|&rule| options.fits(rule)) {
        let clock = Instant::now();
        // One rule after the other, so that memory holds the samples of one.
        let split = collect(&options.data, rule, options.max_samples)?;
        if found == 0 {
            for torn in &split.found.torn {
                writeln!(log, "cut short: {torn}")?;
            }
        }
        let here = split.learn.values.len() + split.learn.moves.len();
        ensure!(
            here > 0 || options.rules.is_empty(),
            "the games hold nothing to learn of {rule}"
        );
        found += here;
        tell_samples(&split, rule, clock.elapsed().as_secs_f64(), log)?;
        if !split.learn.values.is_empty() {
            fit_values(options, &split, rule, weights, log)?;
        }
        if !split.learn.moves.is_empty() {
            fit_moves(options, &split, rule, weights, log)?;
        }
    }
    ensure!(found > 0, "the games hold nothing to learn from");
    Ok(())
}

fn tell_samples(
    split: &Split,
    rule: Rule,
    seconds: f64,
    log: &mut (dyn Write + Send),
) -> Result<()> {
    writeln!(
        log,
        "{rule}: {} games, {} repeated ones left out, read in {seconds:.1} s",
        split.found.games, split.found.repeated
    )?;
    let tell = |samples: &Samples| {
        format!(
            "{} values (1 of {}), {} moves (1 of {})",
            samples.values.len(),
            samples.values.thinning(),
            samples.moves.len(),
            samples.moves.thinning()
        )
    };
    writeln!(log, "  learn:    {}", tell(&split.learn))?;
    writeln!(log, "  held out: {}", tell(&split.held_out))?;
    Ok(())
}

fn fit_values(
    options: &Options,
    split: &Split,
    rule: Rule,
    weights: &mut ClassicalWeights,
    log: &mut (dyn Write + Send),
) -> Result<()> {
    let (learn, held_out) = (&split.learn.values, &split.held_out.values);
    let unit = match options.score_scale {
        Some(scale) => 1.0 / scale,
        None => fit_score_unit(
            learn
                .iter()
                .filter_map(|s| Some((s.head.score?, s.head.ending.points()))),
        ),
    };
    writeln!(
        log,
        "  scores of the games: {:.0} stands for e : 1",
        1.0 / unit
    )?;
    let model = ValueModel::new(rule, options.result_weight, unit);
    let start = value_leaves(weights, rule);
    let before = ValueQuality::measure(&model, held_out, &start);
    writeln!(log, "  values before:   {before}")?;
    let clock = Instant::now();
    let mut told = Ok(());
    let leaves = fit(
        &model,
        learn,
        &value_tying(rule),
        &start,
        &options.settings(VALUE_PACE),
        |epoch, loss, leaves| {
            let quality = ValueQuality::measure(&model, held_out, leaves);
            let line = writeln!(
                log,
                "  values epoch {epoch:2}: learn {loss:.4}, held out: {quality}"
            );
            told = std::mem::replace(&mut told, Ok(())).and(line);
        },
    );
    told?;
    let speed = learn.len() as f64 * f64::from(options.epochs) / clock.elapsed().as_secs_f64();
    set_value(weights, rule, &leaves);
    // As the engine will use them: rounded.
    let rounded = value_leaves(weights, rule);
    let after = ValueQuality::measure(&model, learn, &rounded);
    writeln!(log, "  values, learn:    {after}")?;
    let after = ValueQuality::measure(&model, held_out, &rounded);
    writeln!(log, "  values, held out: {after}")?;
    write!(log, "{}", after.calibration())?;
    writeln!(log, "  {speed:.0} values a second")?;
    Ok(())
}

fn fit_moves(
    options: &Options,
    split: &Split,
    rule: Rule,
    weights: &mut ClassicalWeights,
    log: &mut (dyn Write + Send),
) -> Result<()> {
    let (learn, held_out) = (&split.learn.moves, &split.held_out.moves);
    let model = MoveModel::new(rule);
    let start = move_leaves(weights, rule);
    let before = MoveQuality::measure(&model, held_out, &start);
    writeln!(log, "  moves before:   {before}")?;
    let clock = Instant::now();
    let mut told = Ok(());
    let leaves = fit(
        &model,
        learn,
        &move_tying(rule),
        &start,
        &options.settings(MOVE_PACE),
        |epoch, loss, leaves| {
            let quality = MoveQuality::measure(&model, held_out, leaves);
            let line = writeln!(
                log,
                "  moves epoch {epoch:2}: learn {loss:.4}, held out: {quality}"
            );
            told = std::mem::replace(&mut told, Ok(())).and(line);
        },
    );
    told?;
    let speed = learn.len() as f64 * f64::from(options.epochs) / clock.elapsed().as_secs_f64();
    set_moves(weights, rule, &leaves);
    let rounded = move_leaves(weights, rule);
    let after = MoveQuality::measure(&model, learn, &rounded);
    writeln!(log, "  moves, learn:    {after}")?;
    let after = MoveQuality::measure(&model, held_out, &rounded);
    writeln!(log, "  moves, held out: {after}")?;
    writeln!(log, "  {speed:.0} moves a second")?;
    Ok(())
}
