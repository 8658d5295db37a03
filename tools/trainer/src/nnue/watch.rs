//! What is shown and remembered of a run: a bar on a terminal, a line now and
//! then anywhere else.

use super::part::Losses;
use super::report::Report;
use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

const BAR_TEMPLATE: &str = "[{bar:30}] step {pos} of {len}, {eta} left, {msg}";
/// Time between two lines where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);
/// Points of the curves.
const CURVE_POINTS: usize = 200;

/// Mean losses of some steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lesson {
    /// The last of the steps.
    pub step: usize,
    /// Of a value, in nats.
    pub value: f64,
    /// Of a move, in nats.
    pub urge: f64,
}

/// The course of a run.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// On the samples for learning, a few steps each.
    pub lessons: Vec<Lesson>,
    /// On the samples held out, with the step.
    pub exams: Vec<(usize, Report)>,
}

/// Shows and remembers a run.
#[derive(Debug)]
pub struct Watch {
    /// What is remembered.
    pub history: History,
    bar: Option<ProgressBar>,
    shown: Instant,
    since: Losses,
    lesson: Losses,
    lesson_steps: usize,
    step_count: usize,
}

impl Watch {
    /// Begins to watch a run of so many steps.
    #[must_use]
    pub fn start(step_count: usize) -> Self {
        let style = ProgressStyle::with_template(BAR_TEMPLATE).ok();
        let bar = style
            .filter(|_| std::io::stderr().is_terminal())
            .map(|style| {
                let bar = ProgressBar::new(step_count as u64);
                bar.with_style(style.progress_chars("=> "))
            });
        Self {
            history: History::default(),
            bar,
            shown: Instant::now(),
            since: Losses::default(),
            lesson: Losses::default(),
            lesson_steps: 0,
            step_count,
        }
    }

    /// Takes note of a step.
    ///
    /// # Errors
    ///
    /// If `log` cannot be written.
    pub fn step(&mut self, step: usize, losses: &Losses, log: &mut dyn Write) -> Result<()> {
        self.since.add(losses);
        self.lesson.add(losses);
        self.lesson_steps += 1;
        if self.lesson_steps >= self.step_count.div_ceil(CURVE_POINTS) {
            self.history.lessons.push(Lesson {
                step,
                value: self.lesson.mean_value(),
                urge: self.lesson.mean_move(),
            });
            self.lesson = Losses::default();
            self.lesson_steps = 0;
        }
        let is_last = step == self.step_count;
        let pause = if self.bar.is_some() {
            LINE_EVERY / 10
        } else {
            LINE_EVERY
        };
        if self.shown.elapsed() >= pause || is_last {
            let message = format!(
                "values {:.4}, moves {:.4}, {:.0} positions/s",
                self.since.mean_value(),
                self.since.mean_move(),
                self.since.samples as f64 / self.shown.elapsed().as_secs_f64().max(1e-3),
            );
            match &self.bar {
                Some(bar) => {
                    bar.set_position(step as u64);
                    bar.set_message(message);
                }
                None => writeln!(log, "step {step:5} of {}: {message}", self.step_count)?,
            }
            self.shown = Instant::now();
            self.since = Losses::default();
        }
        Ok(())
    }

    /// Takes note of the figures after a step.
    ///
    /// # Errors
    ///
    /// If `log` cannot be written.
    pub fn exam(&mut self, step: usize, report: Report, log: &mut dyn Write) -> Result<()> {
        let line = format!("after step {step}, held out: {}", report.short());
        match &self.bar {
            Some(bar) => bar.println(line),
            None => writeln!(log, "{line}")?,
        }
        self.history.exams.push((step, report));
        Ok(())
    }

    /// Ends watching; returns what is remembered.
    #[must_use]
    pub fn finish(self) -> History {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        self.history
    }
}
