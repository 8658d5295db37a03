//! The state of a conversation with a manager: takes events, keeps the game,
//! and writes the answers.
//!
//! While a search runs, a command that is not meant for it makes it answer at
//! once and waits in [`Session::waiting`] until the answer is out; what comes
//! behind it queues up. So every command is carried out, in order, and a move
//! always comes before the answer to what was asked after it.

mod blocks;
mod game;
mod opening;
mod thinking;

use super::Settings;
use super::block::Block;
use super::command::{self, Command, CommandError};
use super::complaints::Complaints;
use super::event::{Event, Line};
use super::message;
use super::preferences::Preferences;
use super::setting::Setting;
use super::thinker::{Job, Task};
use crate::board::{Bitboard, Position, Size};
use crate::book::Shelf;
use crate::engine::Options;
use crate::search::Control;
use std::collections::VecDeque;
use std::io;
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, Sender};
use std::time::{Duration, Instant};
use thinking::Search;

/// How long a stopped search is waited for once the input has ended. Managers
/// kill after half a second.
const FAREWELL: Duration = Duration::from_millis(300);

/// How long a job that was asked for is waited for once the input has ended.
/// Only somebody at a keyboard, or a script, asks for one.
const JOB_FAREWELL: Duration = Duration::from_secs(10);

/// With fewer bytes than this the engine may need more than it is allowed.
const SMALL_MEMORY: u64 = 16 << 20;

/// What the next line is.
enum Mode {
    /// A command.
    Command,
    /// Part of a block.
    Block(Block),
    /// A path for the named command.
    Path(String),
}

/// A conversation.
pub struct Session<W> {
    output: W,
    events: Receiver<Event>,
    jobs: Sender<Job>,
    preferences: Preferences,
    shelf: Shelf,
    complaints: Complaints,
    is_yixin: bool,
    position: Option<Position>,
    mode: Mode,
    search: Option<Search>,
    /// Ends the search in the opponent's time, if there is one.
    ponder: Option<Control>,
    /// Points that are no answers.
    excluded: Bitboard,
    /// Jobs that will be told of when they are done.
    open_jobs: usize,
    /// The command for which the search was stopped.
    waiting: Option<Line>,
    /// Lines behind `waiting`.
    queue: VecDeque<Line>,
    /// The input has ended: when to stop waiting for the search.
    deadline: Option<Instant>,
}

/// Whether the conversation goes on.
type Flow = io::Result<ControlFlow<()>>;

const GO_ON: ControlFlow<()> = ControlFlow::Continue(());

impl<W: io::Write> Session<W> {
    /// A conversation in which nothing was said.
    pub fn new(output: W, events: Receiver<Event>, jobs: Sender<Job>, settings: Settings) -> Self {
        Self {
            output,
            events,
            jobs,
            shelf: Shelf::new(settings.book.clone()),
            preferences: Preferences::new(settings),
            complaints: Complaints::default(),
            is_yixin: false,
            position: None,
            mode: Mode::Command,
            search: None,
            ponder: None,
            excluded: Bitboard::EMPTY,
            open_jobs: 0,
            waiting: None,
            queue: VecDeque::new(),
            deadline: None,
        }
    }

    /// Talks until the manager is done.
    ///
    /// # Errors
    ///
    /// If the output cannot be written or the thinking thread has died.
    pub fn run(mut self) -> io::Result<()> {
        let result = self.talk();
        if let Some(search) = &self.search {
            search.control.stop();
        }
        self.stop_pondering();
        result
    }

    fn talk(&mut self) -> io::Result<()> {
        while let Some(event) = self.next_event() {
            let flow = match event {
                Event::Line(line) => self.take_line(line)?,
                Event::InputEnded => self.input_ended(),
                Event::Progress(info) => self.tell_progress(&info)?,
                Event::RootMove(event) => self.tell_root_move(event)?,
                Event::Remark(text) => self.remark(&text)?,
                Event::Done(text) => {
                    self.open_jobs = self.open_jobs.saturating_sub(1);
                    self.remark(&text)?
                }
                Event::Finished(outcome) => self.finish(outcome)?,
                Event::Decided(decision) => self.finish_decision(decision)?,
                Event::ThinkerLost => return Err(thinker_lost()),
            };
            if flow.is_break() {
                break;
            }
        }
        Ok(())
    }

    /// What to look at next; `None` if the conversation is over.
    fn next_event(&mut self) -> Option<Event> {
        if self.search.is_none() || self.waiting.is_none() {
            let line = self.waiting.take().or_else(|| self.queue.pop_front());
            if let Some(line) = line {
                return Some(Event::Line(line));
            }
            if self.deadline.is_some() && self.open_jobs == 0 {
                return None;
            }
        }
        let Some(deadline) = self.deadline else {
            return self.events.recv().ok();
        };
        loop {
            let time = deadline.saturating_duration_since(Instant::now());
            match self.events.recv_timeout(time).ok()? {
                // Nothing counts that comes after the end.
                Event::Line(_) | Event::InputEnded => {}
                event => return Some(event),
            }
        }
    }

    fn input_ended(&mut self) -> ControlFlow<()> {
        if self.open_jobs == 0 && self.waiting.is_none() {
            return ControlFlow::Break(());
        }
        self.stop_pondering();
        self.deadline = Some(Instant::now() + self.farewell());
        GO_ON
    }

    /// How long what is under way is waited for once the input has ended.
    fn farewell(&self) -> Duration {
        let asks_for_job = |line| command::parse(line).is_ok_and(|c| c.asks_for_job());
        let mut lines = self.waiting.iter().chain(&self.queue);
        if self.open_jobs > 0 || lines.any(asks_for_job) {
            JOB_FAREWELL
        } else {
            FAREWELL
        }
    }

    fn take_line(&mut self, line: Line) -> Flow {
        let command = command::parse(&line);
        if self.waiting.is_some() {
            return Ok(self.queue_up(line, &command));
        }
        if matches!(command, Ok(Command::End)) {
            return Ok(self.input_ended());
        }
        if self.search.is_some() {
            self.interrupt(line, command);
            return Ok(GO_ON);
        }
        log::debug!("< {}", line.text);
        self.is_yixin |= command::is_yixin(&line);
        match std::mem::replace(&mut self.mode, Mode::Command) {
            Mode::Command => self.obey(command, line.read_at)?,
            Mode::Block(block) => self.take_block_line(block, command, &line)?,
            Mode::Path(name) => self.take_path(&name, command, &line)?,
        }
        Ok(GO_ON)
    }

    /// Keeps a line until those before it are done with.
    fn queue_up(&mut self, line: Line, command: &Result<Command, CommandError>) -> ControlFlow<()> {
        if self.deadline.is_none() {
            if matches!(command, Ok(Command::End)) {
                return self.input_ended();
            }
            self.queue.push_back(line);
        }
        GO_ON
    }

    /// Takes a line that comes while a search runs.
    fn interrupt(&mut self, line: Line, command: Result<Command, CommandError>) {
        let Some(search) = &self.search else { return };
        match command {
            Ok(Command::Stop | Command::Set(Setting::TurnTime(0))) => search.control.stop(),
            Ok(Command::Set(Setting::TurnTime(ms))) => {
                let turn = u64::try_from(ms).map_or(Duration::MAX, Duration::from_millis);
                search.control.set_turn(turn);
            }
            Ok(Command::Set(_)) | Err(CommandError::Setting(_)) => {}
            _ => {
                search.control.stop();
                self.waiting = Some(line);
                return;
            }
        }
        log::debug!("< {} (while thinking)", line.text);
        self.is_yixin |= command::is_yixin(&line);
        match command {
            Ok(Command::Set(setting)) => self.set(&setting),
            Err(error) => self.complaints.add(error),
            Ok(_) => {}
        }
    }

    /// Carries out a command while nothing is going on.
    fn obey(&mut self, command: Result<Command, CommandError>, read_at: Instant) -> io::Result<()> {
        let command = match command {
            Ok(command) => command,
            Err(CommandError::Setting(error)) => {
                self.complaints.add(error);
                return Ok(());
            }
            Err(error) => return self.answer(&message::command_error(&error)),
        };
        if !command.leaves_all_as_it_is() {
            self.stop_pondering();
        }
        match command {
            Command::Start(size) => self.new_game(size),
            Command::Restart => match self.size() {
                Some(size) => self.new_game(size),
                None => self.no_game(),
            },
            Command::Begin => self.begin(read_at),
            Command::Turn(point) => self.turn(point, read_at),
            Command::Play(point) => self.play(point),
            Command::TakeBack(point) => self.take_back(point),
            Command::OpenBlock(kind, text) => self.open_block(kind, &text, read_at),
            Command::Set(setting) => {
                let before = self.preferences.options();
                self.set(&setting);
                if self.position.is_some() && self.preferences.options() != before {
                    self.get_ready()?;
                }
                Ok(())
            }
            Command::About => self.answer(&message::about()),
            Command::ShowForbidden => self.show_forbidden(),
            Command::ShowLimits => {
                let thread_count = Options::default().threads;
                self.answer(&message::largest_settings(thread_count).join("\n"))
            }
            Command::ClearHash => self.give(Job::NewGame),
            Command::BestLines(count) => self.think(read_at, count),
            Command::Balance(stones, target) => self.balance(read_at, stones, target),
            Command::Defend => self.search_for(read_at, 1, Task::Defend),
            Command::Swap2Step(number) => self.swap2_step(number, read_at),
            Command::ResetBlocks => {
                self.excluded = Bitboard::EMPTY;
                Ok(())
            }
            Command::ShowHashUsage => self.give_open(Job::ShowHashUsage),
            Command::PathFollows(name) => {
                self.mode = Mode::Path(name);
                Ok(())
            }
            Command::End | Command::Stop | Command::Nothing => Ok(()),
        }
    }

    fn set(&mut self, setting: &Setting) {
        if let Setting::MaxMemory(bytes @ 1..SMALL_MEMORY) = setting {
            self.complaints
                .add(format!("{bytes} bytes are very little memory"));
        }
        if matches!(setting, Setting::Pondering(false)) {
            self.stop_pondering();
        }
        if let Setting::Folder(folder) = setting {
            self.shelf.add_folder(folder);
            if self.position.is_some() {
                self.take_book();
            }
        }
        if let Err(error) = self.preferences.set(setting, self.is_yixin) {
            self.complaints.add(error);
        }
    }

    fn stop_pondering(&mut self) {
        if let Some(control) = self.ponder.take() {
            control.stop();
        }
    }

    fn size(&self) -> Option<Size> {
        self.position.as_ref().map(Position::size)
    }

    fn no_game(&mut self) -> io::Result<()> {
        self.error("no game: START comes first")
    }

    fn error(&mut self, text: &str) -> io::Result<()> {
        self.answer(&message::error(text))
    }

    /// Writes a line, or several, in one piece.
    fn answer(&mut self, text: &str) -> io::Result<()> {
        log::debug!("> {text}");
        let line = format!("{text}\n");
        self.output.write_all(line.as_bytes())?;
        self.output.flush()
    }

    fn remark(&mut self, text: &str) -> Flow {
        self.answer(&message::message(text))?;
        Ok(GO_ON)
    }

    fn give(&self, job: Job) -> io::Result<()> {
        self.jobs.send(job).map_err(|_| thinker_lost())
    }

    /// Gives a job whose end will be told.
    fn give_open(&mut self, job: Job) -> io::Result<()> {
        self.open_jobs += 1;
        self.give(job)
    }
}

fn thinker_lost() -> io::Error {
    io::Error::other("the thinking thread has died")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;
    use std::thread;

    /// What a script has asked for is done, however long the search before it
    /// takes to stop.
    #[test]
    fn jobs_wait_for_a_slow_search() {
        let (events, received) = mpsc::sync_channel(16);
        let (jobs, given) = mpsc::channel();
        for text in ["START 15", "TURN 7,7", "yxhashdump", "table", "END"] {
            let line = Line {
                text: text.to_owned(),
                is_cut: false,
                read_at: Instant::now(),
            };
            events.send(Event::Line(line)).unwrap();
        }
        let talk = move || {
            let mut output = Vec::new();
            let session = Session::new(&mut output, received, jobs, Settings::default());
            session.run().map(|()| output)
        };
        let session = thread::spawn(talk);
        let mut has_saved = false;
        for job in given {
            match job {
                Job::Search { .. } => {
                    thread::sleep(2 * FAREWELL);
                    events.send(Event::Finished(None)).unwrap();
                }
                Job::DumpHash(path) => {
                    assert_eq!(path.to_str(), Some("table"));
                    has_saved = true;
                    events.send(Event::Done("saved".to_owned())).unwrap();
                }
                _ => {}
            }
        }
        let output = String::from_utf8(session.join().unwrap().unwrap()).unwrap();
        assert!(has_saved, "{output}");
        assert_eq!(output.lines().last(), Some("MESSAGE saved"), "{output}");
    }
}
