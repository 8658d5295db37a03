//! Plays a transcript of the protocol against the real program.
//!
//! Each transcript gets a process of its own, started as managers do it:
//! stderr merged into stdout, an empty working directory, output read line by
//! line. A line of a transcript is one of
//!
//! - `> TEXT` send the text and a line end; `{LAST}` is the last answer
//! - `< REGEX` the next answer must match as a whole. `MESSAGE ` and `DEBUG `
//!   lines are no answers; an empty line is one. `{M15}` is a point of a
//!   15x15 board
//! - `<< REGEX` such a `MESSAGE` or `DEBUG` line has come since the last `>`
//!   or comes now
//! - `# TEXT` a comment
//! - `! eol E` line end from here on: `crlf` (at first), `lf` or `cr`
//! - `! max N` the next answer must come within N ms of what was sent last
//! - `! none N` no answer may come for N ms
//! - `! wait N` do nothing for N ms
//! - `! gap N` from here on wait N ms between an answer and the next line sent
//! - `! raw TEXT` send these bytes, with `\r`, `\n` and `\x00` read as escapes
//! - `! long N C` send a line of N times the character C
//! - `! skip REGEX` from here on answers that match are passed over
//! - `! sigstop`, `! sigcont` stop the process and let it go (Unix only)
//! - `! eof` close the input; `! exit N` it must end well within N ms
//! - `! alive` it must be running
//! - `! uss MB` it may use so many MiB that are its own (Linux only)
//!
//! At the end an answer that nobody asked for fails the transcript, and `END`
//! must end the process.

use fancy_regex::Regex;
use std::collections::VecDeque;
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

const DEFAULT_MAX: Duration = Duration::from_secs(10);
/// The cup's referee looks for answers this often, twice over.
const DEFAULT_GAP: Duration = Duration::from_millis(30);
/// How long an answer nobody asked for is waited for at the end.
const LISTEN: Duration = Duration::from_millis(150);
/// For the machine's own delays.
const GRACE: Duration = Duration::from_millis(50);
const END_MAX: Duration = Duration::from_secs(2);

pub type Outcome<T = ()> = Result<T, String>;

/// Plays a transcript; says where and why it failed.
pub fn play(name: &str, text: &str) -> Outcome {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("transcript_{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    let mut player = Player::start(&folder).map_err(|e| e.to_string())?;
    let mut place = String::new();
    let mut lines = text.lines().zip(1..);
    let result = lines
        .try_for_each(|(line, number)| {
            place = format!("line {number}");
            player.step(line)
        })
        .and_then(|()| {
            place = "at the end".to_owned();
            player.finish()
        })
        .map_err(|failure| format!("{place}: {failure}"));
    player.kill();
    let _ = fs::remove_dir_all(&folder);
    result
}

/// A process and the state of its transcript.
struct Player {
    child: Child,
    /// To the thread that writes, so that a full pipe blocks no test.
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<(Instant, String)>,
    /// Answers that came while a message was looked for.
    pending: VecDeque<(Instant, String)>,
    messages: Vec<String>,
    skipped: Vec<Regex>,
    line_end: &'static str,
    max: Option<Duration>,
    gap: Duration,
    sent: Instant,
    answered: Instant,
    last: String,
}

/// What a wait for a line brought.
enum Heard {
    Line(Instant, String),
    Nothing,
    End,
}

impl Player {
    fn start(folder: &Path) -> io::Result<Self> {
        let (reader, writer) = io::pipe()?;
        let mut command = Command::new(env!("CARGO_BIN_EXE_pbrain-yonsan"));
        command
            .current_dir(folder)
            .env_remove("RUST_LOG")
            .stdin(std::process::Stdio::piped())
            .stdout(writer.try_clone()?)
            .stderr(writer);
        let mut child = command.spawn()?;
        // The command holds the writing ends, and the end must be seen.
        drop(command);
        let mut stdin = child.stdin.take().expect("stdin is piped");
        let (input, to_write) = mpsc::channel::<Vec<u8>>();
        thread::spawn(move || {
            for bytes in to_write {
                if stdin.write_all(&bytes).is_err() {
                    return;
                }
            }
        });
        let (lines, output) = mpsc::channel();
        thread::spawn(move || read_lines(reader, &lines));
        Ok(Self {
            child,
            input: Some(input),
            output,
            pending: VecDeque::new(),
            messages: Vec::new(),
            skipped: Vec::new(),
            line_end: "\r\n",
            max: None,
            gap: DEFAULT_GAP,
            sent: Instant::now(),
            answered: Instant::now(),
            last: String::new(),
        })
    }

    fn step(&mut self, line: &str) -> Outcome {
        if line.trim().is_empty() || line.starts_with('#') {
            Ok(())
        } else if let Some(text) = line.strip_prefix('>') {
            let text = text.trim_start_matches(' ').replace("{LAST}", &self.last);
            self.send(format!("{text}{}", self.line_end).into_bytes())
        } else if let Some(regex) = line.strip_prefix("<<") {
            self.expect_message(&compile(regex)?)
        } else if let Some(regex) = line.strip_prefix('<') {
            self.expect_answer(&compile(regex)?)
        } else if let Some(directive) = line.strip_prefix('!') {
            let directive = directive.trim();
            let (word, argument) = directive.split_once(' ').unwrap_or((directive, ""));
            self.direct(word, argument)
        } else {
            Err(format!("unknown line {line:?}"))
        }
    }

    fn send(&mut self, bytes: Vec<u8>) -> Outcome {
        self.messages.clear();
        thread::sleep((self.answered + self.gap).saturating_duration_since(Instant::now()));
        self.sent = Instant::now();
        let input = self.input.as_ref().ok_or("the input is closed")?;
        input
            .send(bytes)
            .map_err(|_| "nobody reads the input".to_owned())
    }

    fn hear(&mut self, deadline: Instant) -> Heard {
        let time = deadline.saturating_duration_since(Instant::now());
        match self.output.recv_timeout(time) {
            Ok((at, line)) => Heard::Line(at, line),
            Err(RecvTimeoutError::Timeout) => Heard::Nothing,
            Err(RecvTimeoutError::Disconnected) => Heard::End,
        }
    }

    /// The next line that is an answer.
    fn answer(&mut self, deadline: Instant) -> Result<Heard, String> {
        loop {
            let heard = match self.pending.pop_front() {
                Some((at, line)) => Heard::Line(at, line),
                None => self.hear(deadline),
            };
            match heard {
                Heard::Line(_, line) if is_message(&line) => self.messages.push(line),
                Heard::Line(at, line) => {
                    let mut is_skipped = false;
                    for regex in &self.skipped {
                        is_skipped |= matches(regex, &line)?;
                    }
                    if !is_skipped {
                        return Ok(Heard::Line(at, line));
                    }
                }
                other => return Ok(other),
            }
        }
    }

    fn expect_answer(&mut self, regex: &Regex) -> Outcome {
        let max = self.max.take().unwrap_or(DEFAULT_MAX);
        let deadline = (self.sent + max + GRACE).max(Instant::now() + GRACE);
        let (at, line) = match self.answer(deadline)? {
            Heard::Line(at, line) => (at, line),
            Heard::Nothing => return Err(format!("no answer within {} ms", max.as_millis())),
            Heard::End => return Err("the process has ended".to_owned()),
        };
        let shown: String = line.chars().take(200).collect();
        if !matches(regex, &line)? {
            return Err(format!("got {shown:?}"));
        }
        self.answered = at;
        let took = at.saturating_duration_since(self.sent);
        if took > max {
            return Err(format!("got {shown:?} after {} ms", took.as_millis()));
        }
        self.last = line;
        Ok(())
    }

    fn expect_message(&mut self, regex: &Regex) -> Outcome {
        let deadline = Instant::now() + self.max.take().unwrap_or(DEFAULT_MAX);
        let mut seen = 0;
        loop {
            for message in self.messages.iter().skip(seen) {
                if matches(regex, message)? {
                    return Ok(());
                }
            }
            seen = self.messages.len();
            match self.hear(deadline) {
                Heard::Line(_, line) if is_message(&line) => self.messages.push(line),
                Heard::Line(at, line) => self.pending.push_back((at, line)),
                _ => return Err(format!("no such message, only {:?}", self.messages)),
            }
        }
    }

    fn direct(&mut self, word: &str, argument: &str) -> Outcome {
        match word {
            "eol" => {
                self.line_end = match argument.trim() {
                    "crlf" => "\r\n",
                    "lf" => "\n",
                    "cr" => "\r",
                    other => return Err(format!("unknown line end {other}")),
                }
            }
            "max" => self.max = Some(milliseconds(argument)?),
            "gap" => self.gap = milliseconds(argument)?,
            "wait" => thread::sleep(milliseconds(argument)?),
            "none" => self.expect_silence(milliseconds(argument)?)?,
            "raw" => self.send(unescape(argument)?)?,
            "long" => {
                let (count, text) = argument.split_once(' ').ok_or("two arguments, please")?;
                let count = count.parse().map_err(|_| "a number, please")?;
                self.send(format!("{}{}", text.repeat(count), self.line_end).into_bytes())?;
            }
            "skip" => self.skipped.push(compile(argument)?),
            "sigstop" => self.signal("STOP")?,
            "sigcont" => {
                self.signal("CONT")?;
                self.sent = Instant::now();
            }
            "eof" => {
                self.sent = Instant::now();
                self.input = None;
            }
            "exit" => self.expect_exit(milliseconds(argument)?)?,
            "alive" => {
                if self.child.try_wait().map_err(|e| e.to_string())?.is_some() {
                    return Err("not running".to_owned());
                }
            }
            "uss" => self.expect_memory(argument)?,
            other => return Err(format!("unknown directive {other}")),
        }
        Ok(())
    }

    fn expect_silence(&mut self, time: Duration) -> Outcome {
        match self.answer(Instant::now() + time)? {
            Heard::Nothing => Ok(()),
            Heard::Line(_, line) => Err(format!("got {line:?}")),
            Heard::End => Err("the process has ended".to_owned()),
        }
    }

    fn expect_exit(&mut self, max: Duration) -> Outcome {
        let deadline = Instant::now() + max;
        loop {
            match self.child.try_wait().map_err(|e| e.to_string())? {
                Some(status) if status.success() => return Ok(()),
                Some(status) => return Err(format!("ended with {status}")),
                None if Instant::now() > deadline => return Err("still running".to_owned()),
                None => thread::sleep(Duration::from_millis(5)),
            }
        }
    }

    fn expect_memory(&self, argument: &str) -> Outcome {
        let max: u64 = argument.trim().parse().map_err(|_| "a number, please")?;
        if cfg!(target_os = "linux") {
            let mib = unshared_kib(self.child.id())? / 1024;
            if mib > max {
                return Err(format!("uses {mib} MiB"));
            }
        }
        Ok(())
    }

    fn signal(&self, name: &str) -> Outcome {
        if !cfg!(unix) {
            return Ok(());
        }
        let command = format!("kill -{name} {}", self.child.id());
        let status = Command::new("sh").args(["-c", &command]).status();
        match status {
            Ok(status) if status.success() => Ok(()),
            other => Err(format!("{command}: {other:?}")),
        }
    }

    fn finish(&mut self) -> Outcome {
        if self.child.try_wait().map_err(|e| e.to_string())?.is_some() {
            return Ok(());
        }
        if let Heard::Line(_, line) = self.answer(Instant::now() + LISTEN)? {
            return Err(format!("got {line:?}"));
        }
        if self.input.is_some() {
            self.send(b"END\r\n".to_vec())?;
        }
        self.expect_exit(END_MAX)
    }

    fn kill(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Splits output at LF, CR LF and CR, and stamps the lines.
fn read_lines(mut reader: impl Read, lines: &Sender<(Instant, String)>) {
    let mut buffer = Vec::new();
    let mut chunk = [0; 65_536];
    loop {
        let count = reader.read(&mut chunk).unwrap_or(0);
        buffer.extend_from_slice(&chunk[..count]);
        let at = Instant::now();
        while let Some(end) = buffer.iter().position(|&b| b == b'\n' || b == b'\r') {
            let is_cr = buffer[end] == b'\r';
            if is_cr && end + 1 == buffer.len() && count > 0 {
                break;
            }
            let end_len = if is_cr && buffer.get(end + 1) == Some(&b'\n') {
                2
            } else {
                1
            };
            let line = String::from_utf8_lossy(&buffer[..end]).into_owned();
            buffer.drain(..end + end_len);
            if lines.send((at, line)).is_err() {
                return;
            }
        }
        if count == 0 {
            if !buffer.is_empty() {
                let line = String::from_utf8_lossy(&buffer).into_owned();
                let _ = lines.send((at, line));
            }
            return;
        }
    }
}

fn is_message(line: &str) -> bool {
    let line = line.to_ascii_uppercase();
    line.starts_with("MESSAGE ") || line.starts_with("DEBUG ")
}

fn matches(regex: &Regex, line: &str) -> Outcome<bool> {
    regex.is_match(line).map_err(|e| e.to_string())
}

/// A regular expression for a whole line, with `{M15}` filled in.
fn compile(text: &str) -> Outcome<Regex> {
    let mut expanded = String::new();
    let mut rest = text.trim();
    while let Some((head, tail)) = rest.split_once("{M") {
        let (side, tail) = tail.split_once('}').ok_or("an open {M")?;
        let side: u32 = side.parse().map_err(|_| "no number in {M}")?;
        let numbers: Vec<String> = (0..side).rev().map(|n| n.to_string()).collect();
        let one = numbers.join("|");
        expanded.push_str(&format!("{head}(?:(?:{one}),(?:{one}))"));
        rest = tail;
    }
    expanded.push_str(rest);
    Regex::new(&format!("^(?:{expanded})$")).map_err(|e| e.to_string())
}

fn milliseconds(text: &str) -> Outcome<Duration> {
    let number = text
        .trim()
        .parse()
        .map_err(|_| format!("no number: {text:?}"))?;
    Ok(Duration::from_millis(number))
}

/// The bytes of a text with `\r`, `\n` and `\x00` in it.
fn unescape(text: &str) -> Outcome<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some((head, tail)) = rest.split_once('\\') {
        bytes.extend_from_slice(head.as_bytes());
        let (byte, len) = match tail.as_bytes().first() {
            Some(b'r') => (b'\r', 1),
            Some(b'n') => (b'\n', 1),
            Some(b'x') => {
                let digits = tail.get(1..3).ok_or("a short \\x")?;
                let byte = u8::from_str_radix(digits, 16).map_err(|e| e.to_string())?;
                (byte, 3)
            }
            _ => return Err(format!("unknown escape before {tail:?}")),
        };
        bytes.push(byte);
        rest = &tail[len..];
    }
    bytes.extend_from_slice(rest.as_bytes());
    Ok(bytes)
}

/// Memory of a process and its children that nobody shares, as the cup's
/// referee measures it.
fn unshared_kib(process: u32) -> Outcome<u64> {
    let rollup = fs::read_to_string(format!("/proc/{process}/smaps_rollup"))
        .map_err(|e| format!("smaps_rollup: {e}"))?;
    let own: u64 = rollup
        .lines()
        .filter(|line| line.starts_with("Private_Clean") || line.starts_with("Private_Dirty"))
        .filter_map(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok())
        .sum();
    let tasks = fs::read_dir(format!("/proc/{process}/task")).map_err(|e| e.to_string())?;
    let mut total = own;
    for task in tasks.flatten() {
        // A thread may end while we look.
        let children = fs::read_to_string(task.path().join("children")).unwrap_or_default();
        for child in children.split_whitespace() {
            total += unshared_kib(child.parse().map_err(|_| "a strange child")?)?;
        }
    }
    Ok(total)
}
