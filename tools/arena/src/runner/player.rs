//! An engine at the board: starting it, asking it, telling how it failed.
//!
//! Every waiting has an end: the clock of a move, the tolerance of a start,
//! or the stop of the whole run. An engine that failed is not asked again.

use super::answer::{Answer, board_command, parse_answer, start_command, swap_command};
use super::clock::{Clock, NO_LIMIT_MS};
use super::failure::{Failure, garbage, is_unknown, shortened, start_failure, with_complaint};
use super::trace::Trace;
use super::{Setting, Trouble};
use crate::config::{BoardUse, MemoryWatch, Restart};
use crate::message::{Told, is_message};
use crate::process::{Launch, Process, Reading};
use crate::record::Reason;
use crate::settings::EngineConfig;
use std::time::{Duration, Instant};
use yonsan::board::Point;

/// Longest wait without a look at the stop flag.
const STOP_INTERVAL: Duration = Duration::from_millis(100);
/// A start that took longer is worth keeping the process for.
const SLOW_START: Duration = Duration::from_millis(500);
/// So is one that took more than this part of the game: in its first moves a
/// new process builds tables and gets memory, which takes several times as long.
const START_SHARE: u32 = 500;
/// Messages kept for a move; engines can send thousands.
const MAX_MESSAGES: usize = 200;
/// Share of the tolerance that the machine may be late itself.
const OVERLOAD_SHARE: u32 = 4;

/// An answer and what came with it.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The answer.
    pub answer: Answer,
    /// Time taken, in milliseconds.
    pub time_ms: u64,
    /// What the messages told.
    pub told: Told,
    /// The messages themselves.
    pub messages: Vec<String>,
}

/// A running engine and its state in the present game.
#[derive(Debug)]
pub struct Player<'s> {
    setting: &'s Setting<'s>,
    engine: &'s EngineConfig,
    process: Process,
    launched: Instant,
    /// How long the process took to get ready, if it was waited for.
    startup: Option<Duration>,
    clock: Clock,
    /// The stones the engine knows of; `None` if it must be shown them all.
    known: Option<Vec<Point>>,
    was_asked: bool,
    /// When it answered last.
    answered: Option<Instant>,
    peak_memory: u64,
    trace: Trace,
    /// When a process that was told to go is killed.
    end_deadline: Instant,
}

impl<'s> Player<'s> {
    /// Starts the process and says START, without waiting.
    ///
    /// # Errors
    ///
    /// If the program cannot be started, or the run has been stopped.
    pub fn launch(setting: &'s Setting<'s>, engine: &'s EngineConfig) -> Result<Self, Trouble> {
        let process = start_process(setting, engine)?;
        // Whoever stops the run expects no process to be left.
        setting.check_stop()?;
        let now = Instant::now();
        let mut player = Self {
            setting,
            engine,
            process,
            launched: now,
            startup: None,
            clock: Clock::new(engine, setting.config.manners.hang_ms),
            known: Some(Vec::new()),
            was_asked: false,
            answered: None,
            peak_memory: 0,
            trace: Trace::new(setting.keeps_traces),
            end_deadline: now,
        };
        player.begin_game();
        Ok(player)
    }

    /// Says START for another game in the same process.
    pub fn begin_game(&mut self) {
        self.let_rest();
        self.clock = Clock::new(self.engine, self.setting.config.manners.hang_ms);
        self.known = Some(Vec::new());
        self.was_asked = false;
        self.peak_memory = 0;
        self.trace = Trace::new(self.setting.keeps_traces);
        self.process.resume();
        self.launched = Instant::now();
        self.send(&[start_command(self.setting.size)]);
        if !self.setting.config.manners.wait_for_ok {
            self.send_information();
            self.pause();
        }
    }

    /// Waits until the engine has answered START, and tells it the rest. A
    /// start that hangs or dies is tried again as often as configured.
    ///
    /// # Errors
    ///
    /// If the engine does not start.
    pub fn make_ready(&mut self) -> Result<(), Trouble> {
        let manners = &self.setting.config.manners;
        if !manners.wait_for_ok {
            return Ok(());
        }
        let mut tries_left = manners.start_retries;
        loop {
            match self.wait_for_ok() {
                Ok(()) => break,
                Err(StartProblem::Stopped) => return Err(Trouble::Stopped),
                Err(StartProblem::Final(detail)) => return Err(start_failure(detail)),
                Err(StartProblem::Passing(detail)) if tries_left == 0 => {
                    let tries = manners.start_retries + 1;
                    return Err(start_failure(format!("{detail}, {tries} times")));
                }
                Err(StartProblem::Passing(_)) => {
                    tries_left -= 1;
                    self.process = start_process(self.setting, self.engine)?;
                    self.startup = None;
                    self.setting.check_stop()?;
                    self.begin_game();
                }
            }
        }
        // Another game in the same process begins sooner.
        self.startup.get_or_insert(self.launched.elapsed());
        self.send_information();
        Ok(())
    }

    /// Asks for a move in the position after `moves`; the engine is told that
    /// nobody may play on `closed` points.
    ///
    /// # Errors
    ///
    /// If it fails, or the run is stopped.
    pub fn ask_move(&mut self, moves: &[Point], closed: &[Point]) -> Result<Reply, Trouble> {
        let command = self.move_command(moves, closed);
        let reply = self.ask(&command, |answer| matches!(answer, Answer::Point(_)))?;
        self.known = None;
        if let (Answer::Point((x, y)), true) = (reply.answer, closed.is_empty()) {
            let on_board = u8::try_from(x).ok().zip(u8::try_from(y).ok());
            let own = on_board.and_then(|(x, y)| self.setting.size.point(x, y));
            self.known = own.map(|point| moves.iter().copied().chain([point]).collect());
        }
        Ok(reply)
    }

    /// Asks a question of a swap opening.
    ///
    /// # Errors
    ///
    /// If it fails, or the run is stopped.
    pub fn ask_swap(&mut self, moves: &[Point]) -> Result<Reply, Trouble> {
        self.known = None;
        let stones = moves.len();
        self.ask(&swap_command(moves), |answer| match answer {
            Answer::Three(_) => stones == 0,
            Answer::Two(_) => stones == 3,
            Answer::Point(_) | Answer::Swap => stones > 0,
        })
    }

    fn move_command(&self, moves: &[Point], closed: &[Point]) -> Vec<String> {
        let use_board = match self.setting.config.manners.board {
            BoardUse::Always => true,
            BoardUse::First => !self.was_asked,
            BoardUse::IfNeeded => false,
        };
        match (&self.known, moves.split_last()) {
            _ if use_board || !closed.is_empty() => board_command(moves, closed),
            (Some(known), None) if known.is_empty() => vec!["BEGIN".to_owned()],
            (Some(known), Some((last, earlier))) if known == earlier => {
                vec![format!("TURN {},{}", last.x(), last.y())]
            }
            _ => board_command(moves, closed),
        }
    }

    /// Sends a question and waits for an answer that fits.
    fn ask(
        &mut self,
        command: &[String],
        fits: impl Fn(&Answer) -> bool,
    ) -> Result<Reply, Trouble> {
        self.setting.check_stop()?;
        self.let_rest();
        self.take_unasked()?;
        self.clock.begin_move();
        let mut lines = vec![format!("INFO time_left {}", self.clock.time_left_ms())];
        lines.extend_from_slice(command);
        self.was_asked = true;
        let asked = Instant::now();
        self.process.resume();
        self.send(&lines);
        let (mut told, mut messages) = (Told::default(), Vec::new());
        let (mut stray, mut complaint) = (None, None);
        let deadline = asked + self.clock.patience();
        loop {
            let line = match self.read(deadline)? {
                Reading::Line(line) => line,
                reading => {
                    let trouble = self.failure_of(&reading, asked, stray.as_deref());
                    return Err(with_complaint(trouble, complaint));
                }
            };
            if is_message(&line.text) {
                told.read(&line.text);
                if self.setting.config.manners.record_messages && messages.len() < MAX_MESSAGES {
                    messages.push(line.text);
                }
                continue;
            }
            match parse_answer(&line.text) {
                Some(answer) if fits(&answer) => {
                    self.answered = Some(line.at);
                    let used = self.clock.end_move(line.at.duration_since(asked));
                    if used.is_late {
                        return Err(self.timeout(asked, Some(used.ms)));
                    }
                    self.pause();
                    self.watch_memory()?;
                    return Ok(Reply {
                        answer,
                        time_ms: used.ms,
                        told,
                        messages,
                    });
                }
                _ if self.is_expected(&line.text) => {
                    complaint = Some(line.text)
                        .filter(|text| is_unknown(text))
                        .or(complaint);
                }
                _ if self.setting.config.manners.strict => {
                    return Err(garbage(format!("answered '{}'", shortened(&line.text))));
                }
                _ => stray = Some(line.text),
            }
        }
    }

    /// Waits until the engine has had the rest it needs after its last answer.
    fn let_rest(&self) {
        let rest = Duration::from_millis(self.engine.rest_ms);
        if let Some(answered) = self.answered {
            std::thread::sleep(rest.saturating_sub(answered.elapsed()));
        }
    }

    /// Looks at what was said since the last answer. Another answer is a
    /// failure: a manager would take it for the next move.
    fn take_unasked(&mut self) -> Result<(), Trouble> {
        while let Some(reading) = self.process.read_pending() {
            let Reading::Line(line) = reading else {
                return Err(self.failure_of(&reading, Instant::now(), None));
            };
            self.trace.received(&line);
            let text = &line.text;
            let is_answer = parse_answer(text).is_some() && self.was_asked;
            let is_tolerated =
                is_message(text) || self.is_expected(text) || !self.setting.config.manners.strict;
            if is_answer || !is_tolerated {
                return Err(garbage(format!(
                    "said '{}' without being asked",
                    shortened(text)
                )));
            }
        }
        Ok(())
    }

    /// Lines that are no answer and no fault: OK where nobody waits for it,
    /// and complaints about INFO keys, which not every engine knows.
    fn is_expected(&self, line: &str) -> bool {
        let word = line.split_whitespace().next().unwrap_or("");
        let is_late_ok = word == "OK" && !self.setting.config.manners.wait_for_ok;
        word.is_empty() || is_late_ok || is_unknown(word)
    }

    fn read(&mut self, deadline: Instant) -> Result<Reading, Trouble> {
        loop {
            let slice = Instant::now() + STOP_INTERVAL;
            match self.process.read(deadline.min(slice)) {
                Reading::Late if slice < deadline => self.setting.check_stop()?,
                reading => {
                    if let Reading::Line(line) = &reading {
                        self.trace.received(line);
                    } else {
                        self.setting.check_stop()?;
                    }
                    return Ok(reading);
                }
            }
        }
    }

    fn wait_for_ok(&mut self) -> Result<(), StartProblem> {
        let tolerance = self.setting.config.manners.startup_tolerance_ms;
        let deadline = self.launched + Duration::from_millis(tolerance);
        let mut other = None;
        loop {
            let line = match self.read(deadline).map_err(|_| StartProblem::Stopped)? {
                Reading::Line(line) => line.text,
                Reading::End => {
                    return Err(StartProblem::Passing(
                        "ended before it answered START".to_owned(),
                    ));
                }
                Reading::Late | Reading::Flood => {
                    let said = other.map_or_else(String::new, |line: String| {
                        format!(" but said '{}'", shortened(&line))
                    });
                    let detail =
                        format!("did not answer START with OK within {tolerance} ms{said}");
                    return Err(StartProblem::Passing(detail));
                }
            };
            if line.trim_end() == "OK" {
                return Ok(());
            }
            if line
                .get(..5)
                .is_some_and(|word| word.eq_ignore_ascii_case("ERROR"))
            {
                let detail = format!("answered START with '{}'", shortened(&line));
                // Some engines are not ready for another game right after
                // their last move, and a new process is.
                return Err(if self.startup.is_some() {
                    StartProblem::Passing(detail)
                } else {
                    StartProblem::Final(detail)
                });
            }
            // Banners, and late answers of an earlier game.
            if !is_message(&line) {
                other = Some(line);
            }
        }
    }

    /// The INFO lines of a new game, in the order of the cup's judge.
    fn send_information(&mut self) {
        let engine = self.engine;
        let mut lines = Vec::new();
        let mut info =
            |key: &str, value: &dyn std::fmt::Display| lines.push(format!("INFO {key} {value}"));
        // Engines that are told no turn time choose one; the game is the limit.
        if let Some(ms) = engine.turn_ms.or(engine.match_ms) {
            info("timeout_turn", &ms);
        }
        info("timeout_match", &engine.match_ms.unwrap_or(0));
        info("max_memory", &engine.memory_bytes);
        info("game_type", &1);
        info("rule", &self.setting.config.rule.code());
        if let Some(folder) = &engine.folder {
            info("folder", &folder.display());
        }
        if let Some(depth) = engine.depth {
            info("max_depth", &depth);
        }
        if let Some(nodes) = engine.nodes {
            info("max_node", &nodes);
        }
        if let Some(threads) = engine.threads {
            info("thread_num", &threads);
        }
        for (key, value) in &engine.options {
            info(key, value);
        }
        self.send(&lines);
    }

    fn send(&mut self, lines: &[String]) {
        let end = self.engine.line_end.text();
        let mut text = String::new();
        for line in lines {
            self.trace.sent(line);
            text.push_str(line);
            text.push_str(end);
        }
        self.process.write(text);
    }

    fn pause(&mut self) {
        if self.setting.config.manners.suspend {
            self.process.suspend();
        }
    }

    fn watch_memory(&mut self) -> Result<(), Trouble> {
        let watch = self.setting.config.manners.memory;
        if watch == MemoryWatch::Off {
            return Ok(());
        }
        let used = self.process.unshared_memory().unwrap_or(0);
        self.peak_memory = self.peak_memory.max(used);
        let limit = self.engine.memory_bytes;
        if watch == MemoryWatch::Enforce && limit > 0 && used > limit {
            let detail = format!("used {used} bytes of memory, {limit} are allowed");
            return Err(Trouble::Failed(Failure::new(Reason::Memory, detail)));
        }
        Ok(())
    }

    fn failure_of(&mut self, reading: &Reading, asked: Instant, stray: Option<&str>) -> Trouble {
        match (reading, stray) {
            (Reading::End, _) => {
                let detail = "the process has ended".to_owned();
                Trouble::Failed(Failure::new(Reason::Crash, detail))
            }
            (Reading::Late, Some(stray)) => {
                self.clock.end_move(asked.elapsed());
                garbage(format!("gave no move but said '{}'", shortened(stray)))
            }
            (Reading::Late, None) => {
                self.clock.end_move(asked.elapsed());
                self.timeout(asked, None)
            }
            _ => garbage("flooded its output".to_owned()),
        }
    }

    fn timeout(&self, asked: Instant, answered_ms: Option<u64>) -> Trouble {
        let limit = self.clock_limit_text();
        let mut detail = match answered_ms {
            Some(ms) => format!("answered after {ms} ms{limit}"),
            None => format!(
                "gave no answer within {} ms{limit}",
                asked.elapsed().as_millis()
            ),
        };
        let delay = self.setting.heartbeat.worst_since(asked);
        let tolerance = Duration::from_millis(self.engine.tolerance_ms);
        let overloaded = delay > Duration::ZERO && delay >= tolerance / OVERLOAD_SHARE;
        if overloaded {
            detail += &format!(
                "; the machine was overloaded, {} ms late itself",
                delay.as_millis()
            );
        }
        Trouble::Failed(Failure {
            reason: Reason::Timeout,
            detail,
            overloaded,
        })
    }

    fn clock_limit_text(&self) -> String {
        let left = self.clock.time_left_ms();
        let turn = self.engine.turn_ms.map(|ms| format!("turn {ms} ms"));
        let game = (left != NO_LIMIT_MS).then(|| format!("left then {left} ms"));
        let parts: Vec<String> = turn.into_iter().chain(game).collect();
        let parts = if parts.is_empty() {
            "no clock".to_owned()
        } else {
            parts.join(", ")
        };
        format!(" ({parts}, tolerance {} ms)", self.engine.tolerance_ms)
    }

    /// The engine's settings.
    #[must_use]
    pub const fn engine(&self) -> &'s EngineConfig {
        self.engine
    }

    /// Largest unshared memory seen in this game, in bytes.
    #[must_use]
    pub const fn peak_memory(&self) -> u64 {
        self.peak_memory
    }

    /// Largest time over the limit in this game, in milliseconds.
    #[must_use]
    pub const fn worst_overstep_ms(&self) -> u64 {
        self.clock.worst_overstep_ms()
    }

    /// The newest lines of the engine.
    #[must_use]
    pub fn last_lines(&mut self) -> Vec<String> {
        self.process.last_lines()
    }

    /// What was sent and received in this game, if it is kept.
    #[must_use]
    pub const fn trace(&self) -> &Trace {
        &self.trace
    }

    /// Whether the process is to be used for another game.
    #[must_use]
    pub fn is_to_be_kept(&self) -> bool {
        match self.setting.config.manners.restart {
            Restart::On => false,
            Restart::Off => true,
            Restart::Auto => {
                let game = self.launched.elapsed();
                self.startup
                    .is_some_and(|startup| is_slow_start(startup, game))
            }
        }
    }

    /// Says END. The process is killed when the player is dropped, or at the
    /// end of the grace that begins now if [`Player::wait_for_end`] is called.
    pub fn say_end(&mut self) {
        self.process.resume();
        self.send(&["END".to_owned()]);
        let grace = Duration::from_millis(self.setting.config.manners.end_grace_ms);
        self.end_deadline = Instant::now() + grace;
    }

    /// Gives the process what is left of its time to leave, and ends it.
    pub fn wait_for_end(mut self) {
        let _ = self.process.wait_for_end(self.end_deadline);
    }
}

/// Why a start did not succeed.
enum StartProblem {
    /// Trying again may help.
    Passing(String),
    Final(String),
    Stopped,
}

/// Whether a start took so long, for a game of this length, that the next
/// game is better begun without one.
fn is_slow_start(startup: Duration, game: Duration) -> bool {
    startup > SLOW_START || startup * START_SHARE > game
}

fn start_process(setting: &Setting<'_>, engine: &EngineConfig) -> Result<Process, Trouble> {
    let launch = Launch::new(&engine.command, engine.directory.as_deref());
    let launch = launch.map_err(|error| start_failure(error.to_string()))?;
    let flood_limit = setting.config.manners.flood_bytes;
    Process::start(&launch, flood_limit)
        .map_err(|error| start_failure(format!("cannot start {}: {error}", launch.words[0])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_is_slow_for_the_game() {
        let is_slow = |startup, game| {
            is_slow_start(Duration::from_millis(startup), Duration::from_millis(game))
        };
        assert!(is_slow(501, 3_600_000) && !is_slow(500, 3_600_000));
        assert!(is_slow(21, 10_000) && !is_slow(19, 10_000));
        assert!(is_slow(2, 5));
    }
}
