//! The game itself: whose turn it is, what the player typed, what comes of it.

use super::PlayError;
use super::command::{self, Command};
use super::options::PlayOptions;
use super::progress::ProgressLine;
use super::screen::{self, Look, Note};
use super::words::{self, Ending, HELP, TEXT_WIDTH, counted, evaluation, wrap};
use crate::board::{Bitboard, Colour, format_moves};
use crate::engine::{Engine, Level, Outcome, Request, random_seed};
use crate::rules::{Game, GameResult, Rule, judge};
use crate::search::{Control, Limits, Reporter};
use std::io::{self, BufRead, Write};

/// Whether the session goes on after a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// Show the board and ask again.
    Board,
    /// Ask again.
    Ask,
    /// Leave.
    Leave,
}

/// A player, an engine and a game between them.
pub(super) struct Session<R, W> {
    options: PlayOptions,
    start: Game,
    game: Game,
    resigned: Option<Colour>,
    engine: Engine,
    /// Where chance begins at a level.
    seed: u64,
    /// What the engine thought about its newest move.
    thought: Option<Outcome>,
    look: Look,
    input: R,
    output: W,
}

impl<R: BufRead, W: Write> Session<R, W> {
    /// A session whose start position is on the board.
    ///
    /// # Errors
    ///
    /// If the start position cannot be set up.
    pub(super) fn new(
        options: PlayOptions,
        input: R,
        output: W,
        look: Look,
    ) -> Result<Self, PlayError> {
        let mut start = Game::new(options.rule, options.size);
        for (index, &point) in options.moves.iter().enumerate() {
            start.play(point).map_err(|error| PlayError::Start {
                number: index + 1,
                error,
            })?;
        }
        let mut engine = Engine::new();
        engine.set_options(options.engine.clone());
        engine.set_book(options.book.clone());
        Ok(Self {
            game: start.clone(),
            seed: options.seed.unwrap_or_else(random_seed),
            options,
            start,
            resigned: None,
            engine,
            thought: None,
            look,
            input,
            output,
        })
    }

    /// Plays until the player leaves or the input ends.
    ///
    /// # Errors
    ///
    /// If reading or writing fails.
    pub(super) fn run(mut self) -> Result<(), PlayError> {
        self.say("Type a move such as h8, or help.")?;
        let mut next = Next::Board;
        while next != Next::Leave {
            if next == Next::Board {
                self.answer()?;
                self.show()?;
            }
            next = self.ask()?;
        }
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.resigned.is_some() || self.game.result() != GameResult::Ongoing
    }

    fn is_players_turn(&self) -> bool {
        self.game.position().side_to_move() == self.options.player
    }

    /// Writes a text, broken into lines.
    fn say(&mut self, text: &str) -> io::Result<()> {
        for line in wrap(text, TEXT_WIDTH) {
            writeln!(self.output, "{line}")?;
        }
        Ok(())
    }

    /// Lets the engine move if it is its turn.
    fn answer(&mut self) -> io::Result<()> {
        if self.is_over() || self.is_players_turn() {
            return Ok(());
        }
        self.thought = self.think(self.options.level_in_force(), self.options.limits())?;
        let played = match &self.thought {
            Some(outcome) => self.game.play(outcome.best).is_ok(),
            None => false,
        };
        if !played {
            // A game that goes on has a free point, so this is a fault of the
            // engine's: it loses, and the board stays as it is.
            self.resigned = Some(!self.options.player);
        }
        Ok(())
    }

    /// Lets the engine find a move for the side to move, at a level if it is
    /// not to play as well as it can.
    fn think(&mut self, level: Option<Level>, limits: Limits) -> io::Result<Option<Outcome>> {
        let request = Request {
            position: self.game.position().clone(),
            rule: self.options.rule,
            limits,
            line_count: 1,
        };
        let (engine, seed) = (&mut self.engine, self.seed);
        let mut go = |reporter: &mut dyn Reporter| match level {
            None => engine.play(&request, &Control::new(), reporter),
            Some(level) => engine.go_at(level, seed, &request, &Control::new(), reporter),
        };
        match self.look {
            Look::Plain => Ok(go(&mut ())),
            Look::Colour => {
                let mut progress =
                    ProgressLine::new(&mut self.output, self.game.position().side_to_move());
                let outcome = go(&mut progress);
                progress.finish()?;
                Ok(outcome)
            }
        }
    }

    /// Shows the board, and how the game ended if it has.
    fn show(&mut self) -> io::Result<()> {
        let forbidden = self.forbidden();
        let notes = self.notes(&forbidden);
        let text = screen::draw(self.game.position(), &forbidden, &notes, self.look);
        write!(self.output, "\n{text}")?;
        if self.is_over() {
            let last = self.game.position().last().map(|stone| stone.point);
            let text = words::ending(self.ending(), self.options.player, last);
            self.say(&text)?;
        }
        Ok(())
    }

    fn ending(&self) -> Ending {
        self.resigned
            .map_or(Ending::Result(self.game.result()), Ending::Resigned)
    }

    /// The points that renju forbids to Black, while it matters.
    fn forbidden(&self) -> Bitboard {
        let mut points = Bitboard::EMPTY;
        if self.options.rule == Rule::Renju && !self.is_over() {
            let position = self.game.position();
            for point in position.empty_points() {
                if judge::renju_foul(position, point).is_some() {
                    points.insert(point);
                }
            }
        }
        points
    }

    /// The panel beside the board.
    fn notes(&self, forbidden: &Bitboard) -> Vec<Note> {
        let position = self.game.position();
        let mut notes = vec![Note::Text(format!(
            "{} on {}",
            rule_title(self.options.rule),
            self.options.size
        ))];
        for colour in Colour::ALL {
            notes.push(Note::Side(colour, self.name(colour)));
        }
        notes.push(Note::Text(String::new()));
        let count = position.stones().len() + 1;
        let side = position.side_to_move();
        notes.push(Note::Text(if self.is_over() {
            "The game is over.".to_owned()
        } else {
            format!("Move {count}, {side}")
        }));
        if !forbidden.is_empty() {
            notes.push(Note::Forbidden("forbidden to Black".to_owned()));
        }
        if let Some(outcome) = &self.thought {
            notes.push(Note::Text(String::new()));
            notes.extend(
                thoughts(outcome, !self.options.player)
                    .into_iter()
                    .map(Note::Text),
            );
        }
        notes
    }

    fn name(&self, colour: Colour) -> String {
        if colour == self.options.player {
            format!("{colour}: you")
        } else {
            format!("{colour}: engine, {}", self.options.strength())
        }
    }

    /// Asks for a line and does what it says.
    fn ask(&mut self) -> io::Result<Next> {
        let prompt = if self.is_over() {
            "new, undo or quit> "
        } else {
            "your move> "
        };
        self.output.write_all(prompt.as_bytes())?;
        self.output.flush()?;
        let Some(line) = self.read_line()? else {
            writeln!(self.output)?;
            return Ok(Next::Leave);
        };
        match command::parse(&line) {
            Ok(command) => self.obey(command),
            Err(error) => {
                self.say(&error.to_string())?;
                Ok(Next::Ask)
            }
        }
    }

    /// A line of whatever bytes; `None` at the end of the input.
    fn read_line(&mut self) -> io::Result<Option<String>> {
        let mut bytes = Vec::new();
        let count = self.input.read_until(b'\n', &mut bytes)?;
        Ok((count > 0).then(|| String::from_utf8_lossy(&bytes).into_owned()))
    }

    fn obey(&mut self, command: Command) -> io::Result<Next> {
        match command {
            Command::Quit => return Ok(Next::Leave),
            Command::Nothing => return Ok(Next::Ask),
            Command::Board => return Ok(Next::Board),
            Command::Undo => return self.undo(),
            Command::Help => {
                self.output.write_all(HELP.as_bytes())?;
                return Ok(Next::Ask);
            }
            Command::Moves => return self.tell_moves(),
            Command::New => {
                self.game = self.start.clone();
                self.resigned = None;
                self.thought = None;
                self.engine.new_game();
                return Ok(Next::Board);
            }
            _ if self.is_over() => {
                self.say("The game is over.")?;
                return Ok(Next::Ask);
            }
            Command::Hint => return self.hint(),
            Command::Swap => {
                self.options.player = !self.options.player;
                self.thought = None;
            }
            Command::Resign => self.resigned = Some(self.options.player),
            Command::Move(point) => {
                if let Err(error) = self.game.play(point) {
                    self.say(&format!("{error}."))?;
                    return Ok(Next::Ask);
                }
            }
        }
        Ok(Next::Board)
    }

    /// Takes stones back until the player has his newest move to make again.
    fn undo(&mut self) -> io::Result<Next> {
        let player = self.options.player;
        let stones = self.game.position().stones();
        if self.resigned.take().is_some() {
            return Ok(Next::Board);
        }
        let Some(index) = stones.iter().rposition(|stone| stone.colour == player) else {
            self.say("You have made no move.")?;
            return Ok(Next::Ask);
        };
        for _ in index..stones.len() {
            self.game.undo();
        }
        self.thought = None;
        Ok(Next::Board)
    }

    fn hint(&mut self) -> io::Result<Next> {
        let text = match self.think(None, self.options.hint_limits())? {
            Some(outcome) => format!(
                "Hint: {}, {}, depth {}.",
                outcome.best,
                evaluation(outcome.score, self.game.position().side_to_move()),
                outcome.depth
            ),
            None => "No point is free.".to_owned(),
        };
        self.say(&text)?;
        Ok(Next::Ask)
    }

    fn tell_moves(&mut self) -> io::Result<Next> {
        let stones = self.game.position().stones();
        let points: Vec<_> = stones.iter().map(|stone| stone.point).collect();
        // One word however long it is: it is meant to be copied.
        writeln!(self.output, "{}", format_moves(&points))?;
        Ok(Next::Ask)
    }
}

fn rule_title(rule: Rule) -> &'static str {
    match rule {
        Rule::Freestyle => "Freestyle",
        Rule::Standard => "Standard",
        Rule::Renju => "Renju",
        Rule::Caro => "Caro",
        Rule::CaroExact => "Caro, exactly five,",
    }
}

/// What the engine thought, playing this side, line by line.
fn thoughts(outcome: &Outcome, side: Colour) -> Vec<String> {
    let mut lines = vec![
        format!("Engine: {}", outcome.best),
        evaluation(outcome.score, side),
        format!("depth {}", outcome.depth),
    ];
    match outcome.book {
        Some(_) => lines.push("from the book".to_owned()),
        None => {
            lines.push(counted(outcome.nodes, "position"));
            lines.push(format!("{:.2} s", outcome.elapsed.as_secs_f64()));
        }
    }
    let expected = outcome.principal_variation.get(1..).unwrap_or_default();
    if !expected.is_empty() {
        const SHOWN: usize = 8;
        let points: Vec<_> = expected
            .iter()
            .take(SHOWN)
            .map(ToString::to_string)
            .collect();
        lines.push(format!("expects {}", points.join(" ")));
    }
    lines
}
