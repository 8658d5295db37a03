//! An engine that is asked for scores, through the protocol.

use super::Judge;
use crate::message::{Told, is_message};
use crate::process::{Launch, Process, Reading};
use crate::runner::{board_command, parse_answer, start_command};
use anyhow::Result;
use std::fmt;
use std::time::{Duration, Instant};
use yonsan::board::{Point, Size};
use yonsan::rules::Rule;

const FLOOD_LIMIT: u64 = 32 << 20;
/// Time for the answer to START.
const START_PATIENCE: Duration = Duration::from_secs(30);
/// Beyond the time for a position.
const TOLERANCE: Duration = Duration::from_secs(5);
/// An engine that fails is started again so often in a row.
const MOST_RESTARTS: u32 = 3;
const END_GRACE: Duration = Duration::from_millis(500);
/// What managers send if there is no match limit.
const NO_LIMIT_MS: u64 = 2_147_483_647;

/// How an engine is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvaluatorSettings {
    /// The program.
    pub launch: Launch,
    /// The rule.
    pub rule: Rule,
    /// The board.
    pub size: Size,
    /// Time for a position.
    pub time: Duration,
    /// Further `INFO` lines, key and value.
    pub options: Vec<(String, String)>,
}

/// Why an engine gives no scores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EvaluatorError {
    /// It cannot be started, or does not answer START with OK.
    Start(String),
    /// It failed several times in a row.
    Failed(String),
}

impl fmt::Display for EvaluatorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start(why) => write!(f, "the engine does not start: {why}"),
            Self::Failed(why) => write!(f, "the engine fails again and again: {why}"),
        }
    }
}

impl std::error::Error for EvaluatorError {}

/// A running engine.
#[derive(Debug)]
pub struct Evaluator {
    settings: EvaluatorSettings,
    process: Process,
}

impl Evaluator {
    /// Starts the engine.
    ///
    /// # Errors
    ///
    /// If it cannot be started or does not get ready.
    pub fn start(settings: EvaluatorSettings) -> Result<Self, EvaluatorError> {
        let process = start_process(&settings)?;
        Ok(Self { settings, process })
    }

    /// Asks once; `Err` tells how the engine failed.
    fn ask(&mut self, moves: &[Point], nodes: u64) -> Result<Option<i32>, String> {
        let board = board_command(moves, &[]).join("\r\n");
        self.process
            .write(format!("INFO max_node {nodes}\r\n{board}\r\n"));
        let deadline = Instant::now() + self.settings.time + TOLERANCE;
        let mut told = Told::default();
        loop {
            match self.process.read(deadline) {
                Reading::Line(line) if is_message(&line.text) => told.read(&line.text),
                Reading::Line(line) if parse_answer(&line.text).is_some() => return Ok(told.score),
                Reading::Line(line) => return Err(format!("it said '{}'", line.text)),
                Reading::Late => return Err("no move in time".to_owned()),
                Reading::End => return Err("it ended".to_owned()),
                Reading::Flood => return Err("it writes without end".to_owned()),
            }
        }
    }
}

impl Judge for Evaluator {
    fn score(&mut self, moves: &[Point], nodes: u64) -> Result<Option<i32>> {
        let mut why = String::new();
        for _ in 0..MOST_RESTARTS {
            match self.ask(moves, nodes) {
                Ok(score) => return Ok(score),
                Err(problem) => why = problem,
            }
            self.process = start_process(&self.settings)?;
        }
        Err(EvaluatorError::Failed(why).into())
    }
}

impl Drop for Evaluator {
    fn drop(&mut self) {
        self.process.write("END\r\n");
        let _ = self.process.wait_for_end(Instant::now() + END_GRACE);
    }
}

fn start_process(settings: &EvaluatorSettings) -> Result<Process, EvaluatorError> {
    let failed = |why: String| EvaluatorError::Start(why);
    let mut process =
        Process::start(&settings.launch, FLOOD_LIMIT).map_err(|error| failed(error.to_string()))?;
    process.write(format!("{}\r\n", start_command(settings.size)));
    let deadline = Instant::now() + START_PATIENCE;
    loop {
        match process.read(deadline) {
            Reading::Line(line) if line.text.trim() == "OK" => break,
            Reading::Line(line) if is_message(&line.text) => {}
            Reading::Line(line) => return Err(failed(format!("it said '{}'", line.text))),
            Reading::Late => return Err(failed("no answer to START".to_owned())),
            Reading::End | Reading::Flood => {
                let last = process.last_lines().pop().unwrap_or_default();
                return Err(failed(format!("it ended {last}")));
            }
        }
    }
    let time_ms = settings.time.as_millis();
    let mut lines = vec![
        format!("INFO rule {}", settings.rule.code()),
        format!("INFO timeout_turn {time_ms}"),
        "INFO timeout_match 0".to_owned(),
        format!("INFO time_left {NO_LIMIT_MS}"),
        "INFO thread_num 1".to_owned(),
    ];
    let options = settings.options.iter();
    lines.extend(options.map(|(key, value)| format!("INFO {key} {value}")));
    process.write(lines.join("\r\n") + "\r\n");
    Ok(process)
}
