//! All engine processes alive, told to the watchdog, which ends them when the
//! arena itself is killed, aborts or leaves in a hurry.

use super::system;
use std::collections::BTreeSet;
use std::io::Write;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

struct Registry {
    groups: BTreeSet<u32>,
    watchdog: Option<ChildStdin>,
}

static REGISTRY: Mutex<Registry> = Mutex::new(Registry {
    groups: BTreeSet::new(),
    watchdog: None,
});

/// A thread that panicked leaves the set whole.
fn registry() -> MutexGuard<'static, Registry> {
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Registry {
    fn tell_watchdog(&mut self, sign: char, id: u32) {
        if let Some(watchdog) = &mut self.watchdog
            && watchdog
                .write_all(format!("{sign}{id}\n").as_bytes())
                .is_err()
        {
            self.watchdog = None;
        }
    }
}

/// Notes a process that leads a group.
pub(super) fn add(id: u32) {
    let mut registry = registry();
    registry.groups.insert(id);
    registry.tell_watchdog('+', id);
}

/// Ends a group and forgets it. To be called before the exit status of its
/// leader is collected: until then its number belongs to nobody else.
pub(super) fn kill_and_remove(id: u32) {
    let mut registry = registry();
    if registry.groups.remove(&id) {
        system::kill_group(id);
        registry.tell_watchdog('-', id);
    }
}

/// A small process that ends the engines when the arena is killed without
/// warning. Goes away with this value.
#[derive(Debug)]
pub struct Watchdog(Child);

impl Watchdog {
    /// Starts `command`, a program that runs [`watch`].
    ///
    /// # Errors
    ///
    /// If it cannot be started.
    pub fn start(command: &mut Command) -> std::io::Result<Self> {
        system::separate(command);
        let command = command.stdin(Stdio::piped()).stdout(Stdio::null());
        let mut child = command.stderr(Stdio::null()).spawn()?;
        registry().watchdog = child.stdin.take();
        Ok(Self(child))
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        registry().watchdog = None;
        let _ = self.0.wait();
    }
}

/// What the watchdog process does: follows `+ID` and `-ID` lines, and at
/// their end, which comes when the arena is gone, ends the groups left.
pub fn watch(input: impl std::io::BufRead) {
    let mut groups = BTreeSet::new();
    for line in input.lines().map_while(Result::ok) {
        let Some(id) = line.get(1..).and_then(|id| id.parse().ok()) else {
            continue;
        };
        if line.starts_with('+') {
            groups.insert(id);
        } else {
            groups.remove(&id);
        }
    }
    groups.into_iter().for_each(system::kill_group);
}
