//! Engine processes: starting, writing, reading with deadlines, stopping.
//!
//! A [`Process`] leads a process group of its own and is ended with all its
//! children when it is dropped and, with a [`Watchdog`], when the arena itself
//! is killed. Reading has deadlines and writing never waits; so no engine can
//! block the arena. Knows no protocol beyond lines.

mod command_line;
mod input;
mod memory;
mod reader;
mod registry;
mod streams;
mod system;

pub use command_line::{CommandLineError, Launch, split_words};
pub use memory::unshared_memory;
pub use reader::Line;
pub use registry::{Watchdog, watch};
pub use system::{available_cores, pin_thread};

use input::Input;
use reader::{Event, Sorter};
use std::io;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use streams::{Piece, Streams};
use system::EndWatch;

/// How often the end of a process is looked for where it cannot be waited for.
const POLL_INTERVAL: Duration = Duration::from_millis(2);
/// How long the error output of an ended process is waited for.
const LAST_WORDS_TIME: Duration = Duration::from_millis(200);
/// Pieces of error output read at most when only what is there is wanted: an
/// engine may write faster than anybody reads.
const MOST_PENDING_PIECES: usize = 64;

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
    streams: Streams,
    sorter: Sorter,
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
        let streams = Streams::new(&mut child);
        let input = child.stdin.take().map(Input::new);
        Ok(Self {
            child,
            input,
            streams,
            sorter: Sorter::new(flood_limit),
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
    pub fn write(&mut self, bytes: impl AsRef<[u8]>) {
        self.sorter.reset_gauge();
        if let Some(input) = &self.input {
            input.write(bytes.as_ref());
        }
    }

    /// Closes the engine's input when everything is written.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Waits for the next line until a deadline. What has come by then counts,
    /// however late the machine looks.
    #[must_use]
    pub fn read(&mut self, deadline: Instant) -> Reading {
        loop {
            if let Some(event) = self.sorter.next() {
                return event.into();
            }
            if self.sorter.output_has_ended() {
                return Reading::End;
            }
            let wait = deadline.saturating_duration_since(Instant::now());
            self.take_piece(wait, None);
            if wait.is_zero() && !self.sorter.has_events() {
                // A grandchild can hold the output open.
                return if system::has_ended(self.id()) {
                    Reading::End
                } else {
                    Reading::Late
                };
            }
        }
    }

    /// What has come already, without waiting.
    #[must_use]
    pub fn read_pending(&mut self) -> Option<Reading> {
        for _ in 0..MOST_PENDING_PIECES {
            if let Some(event) = self.sorter.next() {
                return Some(event.into());
            }
            if self.sorter.output_has_ended() {
                return Some(Reading::End);
            }
            if !self.take_piece(Duration::ZERO, None) {
                return None;
            }
        }
        None
    }

    /// Waits, and takes down what comes meanwhile for later readings.
    pub fn listen(&mut self, time: Duration) {
        let deadline = Instant::now() + time;
        loop {
            let wait = deadline.saturating_duration_since(Instant::now());
            if wait.is_zero() {
                return;
            }
            self.take_piece(wait, None);
        }
    }

    /// Takes the next piece of either stream; whether there was one.
    fn take_piece(&mut self, wait: Duration, watch: Option<&EndWatch>) -> bool {
        let piece = self.streams.wait(wait, watch);
        let has_come = piece != Piece::Nothing;
        self.sorter.take(piece);
        has_come
    }

    /// The newest lines of output and error output. Of a process that has
    /// ended they are complete, unless children of it live on.
    #[must_use]
    pub fn last_lines(&mut self) -> Vec<String> {
        // A process closes its output a moment before it has ended.
        let is_over = self.sorter.output_has_ended() || system::has_ended(self.id());
        let time = if is_over {
            LAST_WORDS_TIME
        } else {
            Duration::ZERO
        };
        let deadline = Instant::now() + time;
        for _ in 0..MOST_PENDING_PIECES {
            let wait = deadline.saturating_duration_since(Instant::now());
            if self.sorter.errors_have_ended() || !self.take_piece(wait, None) {
                break;
            }
        }
        self.sorter.last_lines()
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
    /// What it writes meanwhile is kept for later readings.
    #[must_use]
    pub fn wait_for_end(&mut self, deadline: Instant) -> bool {
        if self.has_ended() {
            return true;
        }
        let watch = EndWatch::new(self.id());
        let longest = watch.as_ref().map_or(POLL_INTERVAL, |_| Duration::MAX);
        loop {
            let wait = deadline.saturating_duration_since(Instant::now());
            if wait.is_zero() {
                return self.has_ended();
            }
            self.take_piece(wait.min(longest), watch.as_ref());
            if self.has_ended() {
                return true;
            }
        }
    }

    fn has_ended(&mut self) -> bool {
        // Looking must not collect the status: the group is ended first.
        if cfg!(unix) {
            system::has_ended(self.id())
        } else {
            !matches!(self.child.try_wait(), Ok(None))
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
