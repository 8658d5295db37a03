//! Running a transcript.

use super::board::Board;
use super::transcript::{Pattern, Step, Transcript};
use super::words::{Trouble, Wanted};
use crate::process::{Launch, Line, Process, Reading};
use std::collections::VecDeque;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

const DEFAULT_LIMIT: Duration = Duration::from_secs(10);
const DEFAULT_GAP: Duration = Duration::from_millis(30);
/// Lines are looked for a little beyond a limit, to tell late from missing.
const MARGIN: Duration = Duration::from_millis(50);
/// At the end nothing may come for this time.
const LAST_SILENCE: Duration = Duration::from_millis(150);
const END_GRACE: Duration = Duration::from_secs(2);
const FLOOD_LIMIT: u64 = 32 << 20;
const BYTES_PER_MIB: u64 = 1 << 20;

/// How transcripts are run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Check {
    /// Added to every time limit, for slow starts and slow machines.
    pub slack: Duration,
}

/// What a transcript showed.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Line of the transcript; 0 at its end.
    pub line: usize,
    /// That line.
    pub step: String,
    /// What went wrong.
    pub trouble: Trouble,
    /// What managers would do.
    pub consequence: String,
    /// The newest lines sent (`>`) and received (`<`).
    pub dialogue: Vec<String>,
}

/// Runs a transcript with a new process of the engine. `None` if all went well.
///
/// # Errors
///
/// If the engine cannot be started.
pub fn run(transcript: &Transcript, launch: &Launch, check: Check) -> io::Result<Option<Finding>> {
    // The shell that joins the outputs can be started in any case.
    if let Some(program) = launch.words.first().filter(|word| !is_program(word)) {
        let problem = format!("there is no program '{program}'");
        return Err(io::Error::new(io::ErrorKind::NotFound, problem));
    }
    let process = Process::start(&with_errors_in_output(launch), FLOOD_LIMIT)?;
    let mut session = Session::new(process, check.slack);
    for (line, text, step) in &transcript.steps {
        if let Err(trouble) = session.step(step) {
            let wanted = match step {
                Step::Answer(pattern) => Wanted::of(&pattern.text),
                _ => Wanted::Other,
            };
            return Ok(Some(session.finding(*line, text, trouble, wanted)));
        }
    }
    Ok(session.leave().err().map(|trouble| {
        let text = "at the end";
        session.finding(0, text, trouble, Wanted::Other)
    }))
}

/// Whether a program is there: a path as it stands, a bare name in PATH.
fn is_program(word: &str) -> bool {
    if cfg!(windows) || Path::new(word).components().count() > 1 {
        return Path::new(word).is_file() || cfg!(windows);
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|directory| directory.join(word).is_file())
}

/// The launch with error output going where answers go, as under Piskvork. On
/// Windows there is no shell for it, and error output stays apart.
fn with_errors_in_output(launch: &Launch) -> Launch {
    if !cfg!(unix) {
        return launch.clone();
    }
    let shell = ["sh", "-c", "exec \"$0\" \"$@\" 2>&1"];
    let words = shell.iter().map(|&word| word.to_owned());
    Launch {
        words: words.chain(launch.words.iter().cloned()).collect(),
        directory: launch.directory.clone(),
    }
}

struct Session<'t> {
    process: Process,
    slack: Duration,
    board: Board,
    dialogue: VecDeque<String>,
    /// Answers that came while a message was looked for.
    waiting: VecDeque<Line>,
    /// Messages since the last sending.
    messages: Vec<String>,
    skipped: Vec<&'t Pattern>,
    line_end: &'static str,
    gap: Duration,
    limit: Option<Duration>,
    sent: Instant,
    answered: Instant,
    last_answer: String,
    input_is_closed: bool,
}

/// What looking for an answer gave.
enum Answer {
    Line(Line),
    None,
    End,
}

impl<'t> Session<'t> {
    fn new(process: Process, slack: Duration) -> Self {
        let now = Instant::now();
        Self {
            process,
            slack,
            board: Board::new(),
            dialogue: VecDeque::new(),
            waiting: VecDeque::new(),
            messages: Vec::new(),
            skipped: Vec::new(),
            line_end: "\r\n",
            gap: DEFAULT_GAP,
            limit: None,
            sent: now,
            answered: now,
            last_answer: String::new(),
            input_is_closed: false,
        }
    }

    fn step(&mut self, step: &'t Step) -> Result<(), Trouble> {
        match step {
            Step::Send(text) => {
                let text = text.replace("{LAST}", &self.last_answer);
                self.board.sent(&text);
                self.note('>', &text);
                self.send(format!("{text}{}", self.line_end).into_bytes());
            }
            Step::Raw(bytes) => {
                let text = String::from_utf8_lossy(bytes).into_owned();
                for line in text.lines() {
                    self.board.sent(line.trim_start_matches('\u{feff}'));
                    self.note('>', line);
                }
                self.send(bytes.clone());
            }
            Step::Answer(pattern) => self.expect(pattern)?,
            Step::Message(pattern) => self.expect_message(pattern)?,
            Step::LineEnd(end) => self.line_end = end,
            Step::Max(limit) => self.limit = Some(*limit),
            Step::Gap(gap) => self.gap = *gap,
            Step::Wait(time) => self.process.listen(*time),
            Step::Silence(time) => self.silence(*time)?,
            Step::Skip(pattern) => self.skipped.push(pattern),
            Step::Suspend => self.process.suspend(),
            Step::Resume => {
                self.process.resume();
                self.sent = Instant::now();
            }
            Step::CloseInput => {
                self.process.close_input();
                self.input_is_closed = true;
                self.sent = Instant::now();
            }
            Step::Exit(time) => {
                if !self
                    .process
                    .wait_for_end(Instant::now() + *time + self.slack)
                {
                    return Err(Trouble::StillRunning(time.as_millis()));
                }
            }
            Step::Alive => {
                if self.process.wait_for_end(Instant::now()) {
                    return Err(Trouble::Ended);
                }
            }
            Step::Memory(allowed) => self.check_memory(*allowed)?,
        }
        Ok(())
    }

    fn send(&mut self, bytes: Vec<u8>) {
        self.messages.clear();
        let ready = self.answered + self.gap;
        self.process
            .listen(ready.saturating_duration_since(Instant::now()));
        self.process.write(bytes);
        self.sent = Instant::now();
    }

    /// Keeps what was said for the report.
    fn note(&mut self, sign: char, text: &str) {
        const KEPT: usize = 14;
        const CHARACTERS: usize = 120;
        if self.dialogue.len() == KEPT {
            self.dialogue.pop_front();
        }
        let mut line: String = text.chars().take(CHARACTERS).collect();
        if line.len() < text.len() {
            line.push('…');
        }
        self.dialogue.push_back(format!("{sign} {line}"));
    }

    /// The next line that is an answer.
    fn answer(&mut self, deadline: Instant) -> Answer {
        loop {
            let line = match self.waiting.pop_front() {
                Some(line) => line,
                None => match self.process.read(deadline) {
                    Reading::Line(line) => {
                        self.note('<', &line.text);
                        line
                    }
                    Reading::Late => return Answer::None,
                    Reading::End | Reading::Flood => return Answer::End,
                },
            };
            if is_message(&line.text) {
                self.messages.push(line.text);
            } else if !self.skipped.iter().any(|skip| skip.matches(&line.text)) {
                return Answer::Line(line);
            }
        }
    }

    fn expect(&mut self, pattern: &Pattern) -> Result<(), Trouble> {
        let limit = self.limit.take().unwrap_or(DEFAULT_LIMIT);
        let allowed = limit + self.slack;
        let deadline = (self.sent + allowed).max(Instant::now()) + MARGIN;
        let line = match self.answer(deadline) {
            Answer::Line(line) => line,
            Answer::None => return Err(Trouble::NoAnswer(limit.as_millis())),
            Answer::End => return Err(Trouble::Ended),
        };
        if !pattern.matches(&line.text) {
            return Err(Trouble::Wrong(line.text));
        }
        self.answered = line.at;
        let took = line.at.saturating_duration_since(self.sent);
        if took > allowed {
            return Err(Trouble::Late(took.as_millis(), limit.as_millis()));
        }
        self.board.answered(&line.text);
        self.last_answer = line.text;
        Ok(())
    }

    fn expect_message(&mut self, pattern: &Pattern) -> Result<(), Trouble> {
        let limit = self.limit.take().unwrap_or(DEFAULT_LIMIT) + self.slack;
        let deadline = Instant::now() + limit;
        while !self.messages.iter().any(|line| pattern.matches(line)) {
            let Reading::Line(line) = self.process.read(deadline) else {
                return Err(Trouble::NoMessage);
            };
            self.note('<', &line.text);
            if is_message(&line.text) {
                self.messages.push(line.text);
            } else {
                self.waiting.push_back(line);
            }
        }
        Ok(())
    }

    fn silence(&mut self, time: Duration) -> Result<(), Trouble> {
        match self.answer(Instant::now() + time) {
            Answer::None => Ok(()),
            Answer::Line(line) => Err(Trouble::Unasked(line.text)),
            Answer::End => Err(Trouble::Ended),
        }
    }

    /// Passes where memory cannot be measured.
    fn check_memory(&self, allowed: f64) -> Result<(), Trouble> {
        let used = self.process.unshared_memory().unwrap_or(0) / BYTES_PER_MIB;
        if used as f64 > allowed {
            return Err(Trouble::Memory(used, allowed as u64));
        }
        Ok(())
    }

    /// After the last step nothing may come, then the engine is told to go.
    fn leave(&mut self) -> Result<(), Trouble> {
        if self.process.wait_for_end(Instant::now()) {
            return Ok(());
        }
        if let Answer::Line(line) = self.answer(Instant::now() + LAST_SILENCE) {
            return Err(Trouble::Unasked(line.text));
        }
        if !self.input_is_closed {
            self.send(b"END\r\n".to_vec());
        }
        // Whether it obeys is for the transcripts that ask for it; those that
        // do not are ended when the process is dropped.
        let _ = self.process.wait_for_end(Instant::now() + END_GRACE);
        Ok(())
    }

    fn finding(&self, line: usize, step: &str, trouble: Trouble, wanted: Wanted) -> Finding {
        Finding {
            line,
            step: step.to_owned(),
            consequence: trouble.consequence(wanted, &self.board),
            trouble,
            dialogue: self.dialogue.iter().cloned().collect(),
        }
    }
}

/// As the Piskvork window tells messages from answers: with the blank.
fn is_message(line: &str) -> bool {
    ["MESSAGE ", "DEBUG "].iter().any(|word| {
        line.get(..word.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(word))
    })
}
