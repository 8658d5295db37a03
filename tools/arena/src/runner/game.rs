//! One game between two engines.

use super::adjudicate::Adjudicator;
use super::answer::{Answer, Coordinates};
use super::crew::Crew;
use super::failure::Failure;
use super::player::{Player, Reply};
use super::procedure::{self, describe, other};
use super::trace::{merged, unix_seconds};
use super::{RunOptions, Setting, Trouble};
use crate::record::{GameRecord, MoveRecord, Outcome, Reason};
use crate::referee::{Referee, Verdict};
use crate::schedule::GameSpec;
use anyhow::{Context, Result};
use std::path::Path;
use std::time::Instant;
use yonsan::board::{Colour, Point, Size};

/// Why no more moves are made.
#[derive(Debug)]
pub(super) enum Ending {
    /// The game is decided.
    Decided(Verdict),
    /// An engine failed.
    Failed {
        seat: usize,
        verdict: Verdict,
        overloaded: bool,
    },
    /// The run was stopped.
    Stopped,
}

/// A game in progress. Seat 0 is the engine that began, whatever its colour.
pub(super) struct Table<'t, 's> {
    pub(super) players: [&'t mut Player<'s>; 2],
    black_seat: usize,
    referee: Referee,
    adjudicator: Adjudicator,
    records: Vec<MoveRecord>,
}

impl Table<'_, '_> {
    pub(super) fn size(&self) -> Size {
        self.referee.game().position().size()
    }

    pub(super) fn moves(&self) -> Vec<Point> {
        self.referee.moves()
    }

    /// The engine at this seat has Black from now on.
    pub(super) fn set_black(&mut self, seat: usize) {
        self.black_seat = seat;
    }

    fn colour_of(&self, seat: usize) -> Colour {
        if seat == self.black_seat {
            Colour::Black
        } else {
            Colour::White
        }
    }

    fn seat_to_move(&self) -> usize {
        match self.referee.side_to_move() {
            Colour::Black => self.black_seat,
            Colour::White => other(self.black_seat),
        }
    }

    /// The engine at this seat has failed.
    pub(super) fn loss(&self, seat: usize, reason: Reason, detail: String) -> Ending {
        Ending::Failed {
            seat,
            verdict: Verdict::loss(self.colour_of(seat), reason, detail),
            overloaded: false,
        }
    }

    pub(super) fn failure(&self, seat: usize, failure: Failure) -> Ending {
        Ending::Failed {
            seat,
            verdict: Verdict::loss(self.colour_of(seat), failure.reason, failure.detail),
            overloaded: failure.overloaded,
        }
    }

    /// Puts a stone that nobody chose.
    pub(super) fn put_given(&mut self, point: Point) -> Result<(), Ending> {
        let verdict = self.referee.play(point);
        self.record(point, None);
        verdict.map_or(Ok(()), |verdict| Err(Ending::Decided(verdict)))
    }

    /// Puts the stones an engine proposes in a swap opening.
    pub(super) fn put_proposed(
        &mut self,
        seat: usize,
        stones: &[Coordinates],
        time_ms: u64,
    ) -> Result<(), Ending> {
        for &(x, y) in stones {
            if let Some(verdict) = self.referee.play_at(x, y) {
                let detail = format!("proposed {}: {}", describe((x, y)), verdict.detail);
                return Err(self.loss(seat, Reason::IllegalMove, detail));
            }
            if let Some(point) = self.moves().last().copied() {
                self.record(point, None);
            }
        }
        if let Some(last) = self.records.last_mut() {
            last.time_ms = time_ms;
        }
        Ok(())
    }

    /// Asks the engine whose turn it is and judges its move.
    pub(super) fn play_turn(&mut self, closed: &[Point]) -> Result<(), Ending> {
        let seat = self.seat_to_move();
        let moves = self.moves();
        match self.players[seat].ask_move(&moves, closed) {
            Ok(reply) => match reply.answer {
                Answer::Point(coordinates) => self.judge(coordinates, reply),
                _ => Err(self.loss(seat, Reason::Garbage, "no move".to_owned())),
            },
            Err(Trouble::Failed(failure)) => Err(self.failure(seat, failure)),
            Err(Trouble::Stopped) => Err(Ending::Stopped),
        }
    }

    /// Judges a move of the side to move.
    pub(super) fn judge(&mut self, (x, y): Coordinates, reply: Reply) -> Result<(), Ending> {
        let seat = self.seat_to_move();
        let mover = self.referee.side_to_move();
        let score = reply.told.score;
        let before = self.moves().len();
        let verdict = self.referee.play_at(x, y);
        if let Some(&point) = self.moves().get(before) {
            self.record(point, Some(reply));
        }
        match verdict {
            Some(verdict) if verdict.reason.is_failure() => {
                Err(self.loss(seat, verdict.reason, verdict.detail))
            }
            Some(verdict) => Err(Ending::Decided(verdict)),
            None => {
                let verdict = self.adjudicator.note(mover, score, before + 1);
                verdict.map_or(Ok(()), |verdict| Err(Ending::Decided(verdict)))
            }
        }
    }

    fn record(&mut self, point: Point, reply: Option<Reply>) {
        let mut record = MoveRecord {
            point: point.to_string(),
            opening: reply.is_none(),
            time_ms: 0,
            score: None,
            depth: None,
            nodes: None,
            messages: Vec::new(),
        };
        if let Some(reply) = reply {
            record.time_ms = reply.time_ms;
            record.score = reply.told.score;
            record.depth = reply.told.depth;
            record.nodes = reply.told.nodes;
            record.messages = reply.messages;
        }
        self.records.push(record);
    }

    /// Plays from the first stone to the end.
    fn play_out(&mut self, setting: &Setting<'_>, spec: &GameSpec) -> Ending {
        let mut play = || {
            for &point in &spec.opening {
                self.put_given(point)?;
            }
            procedure::play(self, setting.config.procedure)?;
            loop {
                if let Some(verdict) = self.referee.early_draw() {
                    return Err(Ending::Decided(verdict));
                }
                self.play_turn(&[])?;
            }
        };
        let result: Result<std::convert::Infallible, Ending> = play();
        match result {
            Ok(never) => match never {},
            Err(ending) => ending,
        }
    }
}

/// Why a game could not begin.
struct NoStart {
    seat: usize,
    trouble: Trouble,
    last_lines: Vec<String>,
}

/// Seats the players of the game and waits until both are ready.
fn seat_players<'s>(
    setting: &'s Setting<'s>,
    spec: &GameSpec,
    crew: &mut Crew<'s>,
) -> Result<[Player<'s>; 2], NoStart> {
    let mut seat = |seat: usize, engine: usize| {
        crew.seat(setting, engine).map_err(|trouble| NoStart {
            seat,
            trouble,
            last_lines: Vec::new(),
        })
    };
    // Both start at the same time.
    let mut players = [seat(0, spec.first)?, seat(1, spec.second)?];
    for (seat, player) in players.iter_mut().enumerate() {
        player.make_ready().map_err(|trouble| NoStart {
            seat,
            trouble,
            last_lines: player.last_lines(),
        })?;
    }
    Ok(players)
}

/// Plays a game; `None` if the run was stopped. The players come from the crew
/// and go back to it; one that failed is killed without further words.
pub(super) fn play<'s>(
    setting: &'s Setting<'s>,
    spec: &GameSpec,
    crew: &mut Crew<'s>,
    options: &RunOptions,
) -> Result<Option<GameRecord>> {
    let started = Instant::now();
    let mut record = blank_record(setting, spec);
    let verdict = match seat_players(setting, spec, crew) {
        Ok(mut players) => {
            let Some((verdict, failed_seat)) =
                play_seated(setting, spec, &mut players, &mut record)
            else {
                return Ok(None);
            };
            if let Some(directory) = &options.trace_directory {
                write_trace(directory, spec, &players, started)?;
            }
            for (seat, player) in players.into_iter().enumerate() {
                if failed_seat != Some(seat) {
                    crew.dismiss([spec.first, spec.second][seat], player);
                }
            }
            verdict
        }
        Err(no_start) => {
            let Trouble::Failed(failure) = no_start.trouble else {
                return Ok(None);
            };
            record.last_lines = no_start.last_lines;
            let colour = Colour::ALL[no_start.seat];
            Verdict::loss(colour, failure.reason, failure.detail)
        }
    };
    record.outcome = verdict.outcome;
    record.reason = verdict.reason;
    record.detail = verdict.detail;
    record.duration_ms = started.elapsed().as_millis() as u64;
    Ok(Some(record))
}

/// Plays a game whose players have started and fills in its record; gives the
/// verdict and the seat that failed, or nothing if the run was stopped.
fn play_seated(
    setting: &Setting<'_>,
    spec: &GameSpec,
    players: &mut [Player<'_>; 2],
    record: &mut GameRecord,
) -> Option<(Verdict, Option<usize>)> {
    let config = setting.config;
    let [one, two] = &mut *players;
    let mut table = Table {
        players: [one, two],
        black_seat: 0,
        referee: Referee::new(config.rule, setting.size, config.draw_rule),
        adjudicator: Adjudicator::new(config.resign, config.draw_by_score),
        records: Vec::new(),
    };
    let (verdict, failed_seat) = match table.play_out(setting, spec) {
        Ending::Stopped => return None,
        Ending::Decided(verdict) => (verdict, None),
        Ending::Failed {
            seat,
            verdict,
            overloaded,
        } => {
            record.overloaded = overloaded;
            record.last_lines = table.players[seat].last_lines();
            (verdict, Some(seat))
        }
    };
    let seats = [table.black_seat, other(table.black_seat)];
    record.moves = table.records;
    [record.black, record.white] = seats.map(|seat| [spec.first, spec.second][seat]);
    record.black_name = players[seats[0]].engine().name.clone();
    record.white_name = players[seats[1]].engine().name.clone();
    record.peak_memory = seats.map(|seat| players[seat].peak_memory());
    record.worst_overstep_ms = seats.map(|seat| players[seat].worst_overstep_ms());
    Some((verdict, failed_seat))
}

fn write_trace(
    directory: &Path,
    spec: &GameSpec,
    players: &[Player<'_>; 2],
    started: Instant,
) -> Result<()> {
    let [one, two] = players;
    let traces = [one, two].map(|player| (player.engine().name.as_str(), player.trace()));
    let path = directory.join(format!("game-{:06}.log", spec.number));
    std::fs::write(&path, merged(traces, started))
        .with_context(|| format!("cannot write {}", path.display()))
}

/// A record with everything known before the game.
fn blank_record(setting: &Setting<'_>, spec: &GameSpec) -> GameRecord {
    let config = setting.config;
    GameRecord {
        number: spec.number,
        pair: spec.pair,
        rule: config.rule.name().to_owned(),
        width: config.width,
        height: config.height,
        procedure: config.procedure.name().to_owned(),
        opening_source: spec.source.clone(),
        black: spec.first,
        white: spec.second,
        black_name: config.engines[spec.first].name.clone(),
        white_name: config.engines[spec.second].name.clone(),
        moves: Vec::new(),
        outcome: Outcome::Draw,
        reason: Reason::FullBoard,
        detail: String::new(),
        last_lines: Vec::new(),
        overloaded: false,
        started_unix: unix_seconds(),
        duration_ms: 0,
        peak_memory: [0; 2],
        worst_overstep_ms: [0; 2],
    }
}
