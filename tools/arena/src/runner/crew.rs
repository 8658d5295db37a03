//! The engines of a worker between its games: those that are kept for the
//! next one wait here, those that leave are seen off by a thread of its own,
//! so that no game waits for an engine that is slow to go.

use super::player::Player;
use super::{Setting, Trouble};
use std::collections::HashMap;
use std::sync::mpsc::{Receiver, Sender};

/// Running engines that are in no game, by their numbers in the event.
#[derive(Debug)]
pub(super) struct Crew<'s> {
    idle: HashMap<usize, Player<'s>>,
    leaving: Sender<Player<'s>>,
}

impl<'s> Crew<'s> {
    /// Nobody is there yet; whoever leaves goes to `leaving`.
    pub(super) fn new(leaving: Sender<Player<'s>>) -> Self {
        let idle = HashMap::new();
        Self { idle, leaving }
    }

    /// The engine at the beginning of a game, from its last game or new.
    ///
    /// # Errors
    ///
    /// If it cannot be started, or the run has been stopped.
    pub(super) fn seat(
        &mut self,
        setting: &'s Setting<'s>,
        engine: usize,
    ) -> Result<Player<'s>, Trouble> {
        match self.idle.remove(&engine) {
            Some(mut player) => {
                player.begin_game();
                Ok(player)
            }
            None => Player::launch(setting, &setting.config.engines[engine]),
        }
    }

    /// Takes an engine back after a game that it did not fail in.
    pub(super) fn dismiss(&mut self, engine: usize, player: Player<'s>) {
        if player.is_to_be_kept() {
            self.idle.insert(engine, player);
        } else {
            self.send_off(player);
        }
    }

    fn send_off(&self, mut player: Player<'s>) {
        player.say_end();
        // Without anybody to see it off it is ended at once.
        let _ = self.leaving.send(player);
    }
}

impl Drop for Crew<'_> {
    fn drop(&mut self) {
        for (_, player) in std::mem::take(&mut self.idle) {
            self.send_off(player);
        }
    }
}

/// Gives every engine that leaves its time to do so and ends it. Comes back
/// when all crews are gone. Engines that will not go take their time together.
pub(super) fn see_off(leaving: Receiver<Player<'_>>) {
    leaving.into_iter().for_each(Player::wait_for_end);
}
