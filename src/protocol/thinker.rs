//! The thinking thread: owns the engine and does one job after the other.

use super::event::Event;
use super::message;
use crate::book::Book;
use crate::engine::opening::OpeningRequest;
use crate::engine::{DefenceOutcome, Engine, Level, Options, Outcome, Request};
use crate::rules::Rule;
use crate::search::{Control, Info, Reporter, RootEvent, Stones};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender, SyncSender, TryRecvError};
use std::thread;

/// What to find in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// The best move.
    Play,
    /// A move at a level, with a seed.
    PlayAt(Level, u64),
    /// Stones that bring the score for the side to move near this one.
    Balance(Stones, i32),
    /// The moves that do not lose.
    Defend,
}

/// Work for the thinking thread.
#[derive(Debug)]
pub enum Job {
    /// Search, and tell the result by [`Event::Finished`].
    Search {
        /// Options for this search and those that follow.
        options: Options,
        /// What to search.
        request: Box<Request>,
        /// What to find.
        task: Task,
        /// Whether to tell which moves at the root are being searched.
        tells_moves: bool,
        /// Ends the search early.
        control: Control,
    },
    /// Decide in an opening and tell it by [`Event::Decided`].
    Decide {
        /// Options for this decision and what follows.
        options: Options,
        /// What to decide.
        request: Box<OpeningRequest>,
        /// Whether to tell which moves at the root are being searched.
        tells_moves: bool,
        /// Ends the decision early.
        control: Control,
    },
    /// Search until told to stop; tell nothing.
    Ponder {
        /// Options for this search and those that follow.
        options: Options,
        /// What to search.
        request: Box<Request>,
        /// Ends the search.
        control: Control,
    },
    /// Use idle time to get ready for searches under a rule with these options.
    GetReady(Options, Rule),
    /// Play from this opening book.
    TakeBook(Arc<Book>),
    /// Forget earlier games.
    NewGame,
    /// Save what is known of positions; then [`Event::Done`].
    DumpHash(PathBuf),
    /// Add what a file knows of positions under a rule; then [`Event::Done`].
    LoadHash(Options, PathBuf, Rule),
    /// Say how full the table is by [`Event::Done`].
    ShowHashUsage,
}

/// Starts the thread; it ends when the sender of jobs is dropped.
///
/// # Errors
///
/// If the system refuses.
pub fn start(events: SyncSender<Event>) -> io::Result<Sender<Job>> {
    let (sender, jobs) = mpsc::channel();
    thread::Builder::new()
        .name("thinker".to_owned())
        .spawn(move || {
            let farewell = Farewell(events);
            work(&jobs, &farewell.0);
        })?;
    Ok(sender)
}

fn work(jobs: &Receiver<Job>, events: &SyncSender<Event>) {
    let mut engine = Engine::new();
    let mut rule = None;
    while let Some(job) = next_job(jobs, &mut engine, rule) {
        let event = match job {
            Job::GetReady(options, new_rule) => {
                set_options(&mut engine, options);
                rule = Some(new_rule);
                continue;
            }
            Job::TakeBook(book) => {
                engine.set_book(Some(book));
                continue;
            }
            Job::NewGame => {
                engine.new_game();
                continue;
            }
            Job::Ponder {
                options,
                request,
                control,
            } => {
                set_options(&mut engine, options);
                engine.ponder(&request, &control);
                continue;
            }
            Job::Search {
                options,
                request,
                task,
                tells_moves,
                control,
            } => {
                set_options(&mut engine, options);
                let mut forward = Forward {
                    events,
                    tells_moves,
                };
                Event::Finished(search(&mut engine, task, &request, &control, &mut forward))
            }
            Job::Decide {
                options,
                request,
                tells_moves,
                control,
            } => {
                set_options(&mut engine, options);
                let mut forward = Forward {
                    events,
                    tells_moves,
                };
                Event::Decided(engine.decide(&request, &control, &mut forward))
            }
            Job::DumpHash(path) => Event::Done(match engine.dump_hash(&path) {
                Ok(count) => message::positions_saved(count),
                Err(error) => message::file_error("saved", &error),
            }),
            Job::LoadHash(options, path, rule) => {
                set_options(&mut engine, options);
                Event::Done(match engine.load_hash(&path, rule) {
                    Ok(count) => message::positions_loaded(count),
                    Err(error) => message::file_error("loaded", &error),
                })
            }
            Job::ShowHashUsage => Event::Done(message::hash_usage(engine.hash_permille())),
        };
        if events.send(event).is_err() {
            return;
        }
    }
}

/// The next job; `None` if there will be none. While there is none yet the
/// engine gets ready for the rule.
fn next_job(jobs: &Receiver<Job>, engine: &mut Engine, rule: Option<Rule>) -> Option<Job> {
    loop {
        match jobs.try_recv() {
            Ok(job) => return Some(job),
            Err(TryRecvError::Disconnected) => return None,
            Err(TryRecvError::Empty) => {
                if !rule.is_some_and(|rule| engine.get_ready(rule)) {
                    return jobs.recv().ok();
                }
            }
        }
    }
}

fn set_options(engine: &mut Engine, options: Options) {
    if *engine.options() != options {
        engine.set_options(options);
    }
}

fn search(
    engine: &mut Engine,
    task: Task,
    request: &Request,
    control: &Control,
    forward: &mut Forward<'_>,
) -> Option<Outcome> {
    match task {
        Task::Play => engine.play(request, control, forward),
        Task::PlayAt(level, seed) => engine.go_at(level, seed, request, control, forward),
        Task::Balance(stones, target) => engine.balance(request, stones, target, control, forward),
        Task::Defend => {
            let DefenceOutcome {
                outcome,
                holding,
                lost,
            } = engine.defend(request, control, forward)?;
            for remark in message::defences(&holding, &lost) {
                forward.send(Event::Remark(remark));
            }
            Some(outcome)
        }
    }
}

/// Sends what the search tells to the session.
struct Forward<'a> {
    events: &'a SyncSender<Event>,
    tells_moves: bool,
}

impl Forward<'_> {
    fn send(&self, event: Event) {
        // If the session is gone, so is the interest in the news.
        let _ = self.events.send(event);
    }
}

impl Reporter for Forward<'_> {
    fn report(&mut self, info: &Info) {
        self.send(Event::Progress(info.clone()));
    }

    fn root_event(&mut self, event: RootEvent) {
        if self.tells_moves {
            self.send(Event::RootMove(event));
        }
    }
}

/// Tells the session, which would wait for ever, that the thread has died.
struct Farewell(SyncSender<Event>);

impl Drop for Farewell {
    fn drop(&mut self) {
        if thread::panicking() {
            let _ = self.0.send(Event::ThinkerLost);
        }
    }
}
