//! Engine processes: starting, writing, reading with deadlines, stopping.
//!
//! A [`Process`] leads a process group of its own and is ended with all its
//! children when it is dropped and, with a [`Watchdog`], when the arena itself
//! is killed. Threads of its own read its output and its error output, and
//! writing never waits; so no engine can block the arena. Knows no protocol beyond lines.

mod command_line;
mod input;
mod memory;
mod reader;
mod registry;
mod system;

pub use command_line::{CommandLineError, Launch, split_words};
pub use memory::unshared_memory;
pub use reader::Line;
pub use registry::{Watchdog, watch};
pub use system::{available_cores, pin_thread};

use input::Input;
use reader::{Event, Gauge, Tail};
use std::collections::VecDeque;
use std::io;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, TryRecvError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

const POLL_INTERVAL: Duration = Duration::from_millis(2);
/// How long the error output of an ended process is waited for.
const LAST_WORDS_TIME: Duration = Duration::from_millis(200);

/// What reading gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading {
    /// A whole line.
    Line(Line),
    /// No line came before the deadline.
    Late,
    /// The output has ended, or the process.
    End,
    /// More came since the last writing than the flood limit allows.
    Flood,
}

/// A running engine.
#[derive(Debug)]
pub struct Process {
    child: Child,
    input: Option<Input>,
    events: Receiver<Vec<Event>>,
    /// Events taken from the channel and not read yet.
    waiting: VecDeque<Event>,
    error_reader: Option<JoinHandle<()>>,
    output_has_ended: bool,
    tail: Arc<Tail>,
    gauge: Arc<Gauge>,
    suspended: bool,
}

impl Process {
    /// Starts an engine. More than `flood_limit` bytes between two writings
    /// count as a flood.
    ///
    /// # Errors
    ///
    /// If the program cannot be started.
    pub fn start(launch: &Launch, flood_limit: u64) -> io::Result<Self> {
        let (program, arguments) = launch
            .words
            .split_first()
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "no program"))?;
        let mut command = Command::new(program);
        command.args(arguments);
        command.stdin(Stdio::piped());
        command.stdout(Stdio::piped());
        command.stderr(Stdio::piped());
        if let Some(directory) = &launch.directory {
            command.current_dir(directory);
        }
        system::separate(&mut command);
        let mut child = command.spawn()?;
        registry::add(child.id());
        let (events_in, events) = mpsc::channel();
        let tail = Arc::new(Tail::default());
        let gauge = Arc::new(Gauge::new(flood_limit));
        if let Some(output) = child.stdout.take() {
            let (tail, gauge) = (Arc::clone(&tail), Arc::clone(&gauge));
            thread::spawn(move || reader::read_output(output, &events_in, &tail, &gauge));
        }
        let mut error_reader = None;
        if let Some(errors) = child.stderr.take() {
            let tail = Arc::clone(&tail);
            error_reader = Some(thread::spawn(move || reader::read_errors(errors, &tail)));
        }
        let input = child.stdin.take().map(Input::new);
        Ok(Self {
            child,
            input,
            events,
            waiting: VecDeque::new(),
            error_reader,
            output_has_ended: false,
            tail,
            gauge,
            suspended: false,
        })
    }

    /// Number of the process.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Writes bytes, in order and without waiting for them to be read.
    /// Whether the engine is still there shows at the next reading.
    pub fn write(&self, bytes: impl AsRef<[u8]>) {
        self.gauge.reset();
        if let Some(input) = &self.input {
            input.write(bytes.as_ref());
        }
    }

    /// Closes the engine's input when everything is written.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Waits for the next line until a deadline.
    #[must_use]
    pub fn read(&mut self, deadline: Instant) -> Reading {
        if let Some(event) = self.waiting.pop_front() {
            return event.into();
        }
        let wait = deadline.saturating_duration_since(Instant::now());
        match self.events.recv_timeout(wait) {
            Ok(batch) => self.take(batch),
            Err(RecvTimeoutError::Disconnected) => Reading::End,
            // On a busy machine a line may have come in the last instant.
            Err(RecvTimeoutError::Timeout) => match self.events.try_recv() {
                Ok(batch) => self.take(batch),
                // A grandchild can hold the output open.
                Err(_) if system::has_ended(self.id()) => Reading::End,
                Err(_) => Reading::Late,
            },
        }
    }

    /// What has come already, without waiting.
    #[must_use]
    pub fn read_pending(&mut self) -> Option<Reading> {
        if let Some(event) = self.waiting.pop_front() {
            return Some(event.into());
        }
        match self.events.try_recv() {
            Ok(batch) => Some(self.take(batch)),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Reading::End),
        }
    }

    /// The first of some events; the others wait. No batch is empty.
    fn take(&mut self, batch: Vec<Event>) -> Reading {
        self.output_has_ended |= matches!(batch.last(), Some(Event::End));
        self.waiting.extend(batch);
        self.waiting.pop_front().map_or(Reading::Late, Into::into)
    }

    /// The newest lines of output and error output. Of a process that has
    /// ended they are complete, unless children of it live on.
    #[must_use]
    pub fn last_lines(&self) -> Vec<String> {
        // A process closes its output a moment before it has ended.
        if self.output_has_ended || system::has_ended(self.id()) {
            let deadline = Instant::now() + LAST_WORDS_TIME;
            let is_read = || {
                self.error_reader
                    .as_ref()
                    .is_none_or(JoinHandle::is_finished)
            };
            while !is_read() && Instant::now() < deadline {
                thread::sleep(POLL_INTERVAL);
            }
        }
        self.tail.lines()
    }

    /// Stops the processes of the engine until [`Process::resume`].
    pub fn suspend(&mut self) {
        if !self.suspended {
            system::suspend_group(self.id());
            self.suspended = true;
        }
    }

    /// Lets a suspended engine go on.
    pub fn resume(&mut self) {
        if self.suspended {
            system::resume_group(self.id());
            self.suspended = false;
        }
    }

    /// Unshared memory of the engine and its children in bytes, if known.
    #[must_use]
    pub fn unshared_memory(&self) -> Option<u64> {
        unshared_memory(self.id())
    }

    /// Waits until the process has ended by itself; false at the deadline.
    #[must_use]
    pub fn wait_for_end(&mut self, deadline: Instant) -> bool {
        loop {
            // Looking must not collect the status: the group is ended first.
            if cfg!(unix) {
                if system::has_ended(self.id()) {
                    return true;
                }
            } else if !matches!(self.child.try_wait(), Ok(None)) {
                return true;
            }
            if Instant::now() >= deadline {
                return false;
            }
            thread::sleep(POLL_INTERVAL);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        registry::kill_and_remove(self.child.id());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl From<Event> for Reading {
    fn from(event: Event) -> Self {
        match event {
            Event::Line(line) => Self::Line(line),
            Event::Flood => Self::Flood,
            Event::End => Self::End,
        }
    }
}
