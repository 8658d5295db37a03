//! The thinking thread: owns the engine and does one job after the other.

use super::event::Event;
use crate::engine::{Engine, Options, Request};
use crate::search::{Control, Info, Reporter};
use std::io;
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::thread;

/// Work for the thinking thread.
#[derive(Debug)]
pub enum Job {
    /// Find a move and tell it by [`Event::Finished`].
    Search {
        /// Options for this search and those that follow.
        options: Options,
        /// What to search.
        request: Box<Request>,
        /// Ends the search early.
        control: Control,
    },
    /// Forget earlier games.
    NewGame,
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
    for job in jobs {
        match job {
            Job::NewGame => engine.new_game(),
            Job::Search {
                options,
                request,
                control,
            } => {
                if *engine.options() != options {
                    engine.set_options(options);
                }
                let outcome = engine.go(&request, &control, &mut Forward(events));
                if events.send(Event::Finished(outcome)).is_err() {
                    return;
                }
            }
        }
    }
}

/// Sends what the search tells to the session.
struct Forward<'a>(&'a SyncSender<Event>);

impl Reporter for Forward<'_> {
    fn report(&mut self, info: &Info) {
        // If the session is gone, so is the interest in the report.
        let _ = self.0.send(Event::Progress(info.clone()));
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
