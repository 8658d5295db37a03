//! `pbrain-yonsan analyze`: reads a game, lets the engine judge it, writes
//! what it found. Judging and writing are [`yonsan::analysis`]'s work.

use crate::{EXIT_USAGE, complain, exit_code, parse_seconds};
use clap::{Args, ValueEnum};
use std::fs::File;
use std::io::{self, IsTerminal as _, Read as _, Write as _};
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use yonsan::analysis::{self, Analysis, Budget};
use yonsan::board::Size;
use yonsan::engine::{Engine, Options};
use yonsan::game_file::{DEFAULT_SIZE, FileGame, read_games, read_letters};
use yonsan::rules::Rule;
use yonsan::terminal::parse_size;

/// Time for a position where nothing is said.
const DEFAULT_TIME: Duration = Duration::from_secs(1);
/// The name of standard input among the files.
const STANDARD_INPUT: &str = "-";

/// What the help says below the options.
pub const FORMATS_AND_GRADES: &str = "\
FILE is a game of Piskvork (PSQ), an SGF file, or moves in letters such as
h8 i9 j10. A file with another size than --size is refused.

A move that loses 5% of the chances to win or more is an inaccuracy, 12% a
mistake, 25% a blunder. One of these that gives a forced win away is a missed
win; one that lets the opponent have one is an overlooked threat.

Ends with 0 if all went well, 1 if a file could not be read or written, 2 if
the game or an argument makes no sense.";

/// What to analyse, and how.
#[derive(Args, Debug)]
pub struct Arguments {
    /// The game; - is standard input; see below
    #[arg(value_name = "FILE", required_unless_present = "moves")]
    file: Option<PathBuf>,
    /// Moves in letters instead of a file
    #[arg(long, value_name = "MOVES", conflicts_with = "file")]
    moves: Option<String>,
    /// Which of the file's games
    #[arg(long, value_name = "N", default_value = "1")]
    game: NonZeroUsize,
    /// Rule; if not given, the file's, or freestyle
    #[arg(long, value_name = "RULE")]
    rule: Option<Rule>,
    /// Size where the file tells none; 15 if not given
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    size: Option<Size>,
    /// Moves that were given: they are not judged
    #[arg(long, value_name = "N", default_value_t = 0)]
    opening: usize,
    /// Time for a position; 1 if there is no --nodes either
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time: Option<Duration>,
    /// Positions that a search may look at
    #[arg(long, value_name = "N")]
    nodes: Option<NonZeroU64>,
    /// What to write: text, json or html
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    #[arg(value_enum, hide_possible_values = true)]
    format: Format,
    /// Where to write; standard output if not given
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
enum Format {
    Text,
    Json,
    Html,
}

impl Format {
    fn write(self, analysis: &Analysis) -> String {
        match self {
            Self::Text => analysis::text(analysis),
            Self::Json => analysis::json(analysis),
            Self::Html => analysis::html(analysis),
        }
    }
}

/// Why there is no analysis.
enum Failure {
    /// The game or the arguments are no good.
    Usage(String),
    /// A file cannot be read or written.
    File(String),
}

impl Failure {
    fn file(path: &Path, error: &io::Error) -> Self {
        Self::File(format!("{}: {error}", path.display()))
    }
}

/// Does what the arguments say.
pub fn run(arguments: &Arguments, options: Options) -> ExitCode {
    match analyze(arguments, options) {
        Ok(result) => exit_code(&result),
        Err(Failure::Usage(problem)) => {
            complain(format_args!("error: {problem}"));
            ExitCode::from(EXIT_USAGE)
        }
        Err(Failure::File(problem)) => {
            complain(format_args!("error: {problem}"));
            ExitCode::FAILURE
        }
    }
}

/// The inner result is that of writing to standard output.
fn analyze(arguments: &Arguments, options: Options) -> Result<io::Result<()>, Failure> {
    let (name, game) = arguments.read_game()?;
    let rule = arguments.rule.or(game.rule).unwrap_or_default();
    let refused = |error| Failure::Usage(format!("{name}: {error}"));
    game.play(rule).map_err(refused)?;
    // Before the long work, not after it; what is there stays until then.
    let open = |path| {
        let file = File::options()
            .write(true)
            .create(true)
            .truncate(false)
            .open(path);
        file.map_err(|error| Failure::file(path, &error))
    };
    let output = arguments.output.as_deref();
    let output = output.map(|path| open(path).map(|file| (path, file)));
    let output = output.transpose()?;
    let mut engine = Engine::new();
    engine.set_options(options);
    let mut bar = Bar::new();
    let analysis = analysis::analyse(
        &game,
        rule,
        arguments.opening,
        arguments.budget(),
        &mut engine,
        &mut |done, count| bar.show(done, count),
    );
    bar.wipe();
    let text = arguments.format.write(&analysis.map_err(refused)?);
    match output {
        Some((path, file)) => replace(&file, &text)
            .map(Ok)
            .map_err(|error| Failure::file(path, &error)),
        None => Ok(io::stdout().lock().write_all(text.as_bytes())),
    }
}

/// Puts a text in the place of what a file holds. A pipe or a device holds
/// nothing.
fn replace(mut file: &File, text: &str) -> io::Result<()> {
    if file.metadata()?.is_file() {
        file.set_len(0)?;
    }
    file.write_all(text.as_bytes())
}

impl Arguments {
    fn budget(&self) -> Budget {
        let nodes = self.nodes.map(NonZeroU64::get);
        let default = nodes.is_none().then_some(DEFAULT_TIME);
        Budget {
            time: self.time.or(default),
            nodes,
        }
    }

    /// The game, and where it comes from.
    fn read_game(&self) -> Result<(String, FileGame), Failure> {
        let size = self.size.unwrap_or(DEFAULT_SIZE);
        let (name, games) = match (&self.moves, &self.file) {
            (Some(moves), _) => (
                "--moves".to_owned(),
                read_letters(moves, size).map(|g| vec![g]),
            ),
            (None, file) => {
                let path = file.as_deref().unwrap_or(Path::new(STANDARD_INPUT));
                let (name, text) = read_text(path)?;
                let games = read_games(&text, size);
                (name, games)
            }
        };
        let refuse = |problem: String| Failure::Usage(format!("{name}: {problem}"));
        let mut games = games.map_err(|error| refuse(error.to_string()))?;
        let (number, count) = (self.game.get(), games.len());
        if number > count {
            let plural = if count == 1 { "" } else { "s" };
            return Err(refuse(format!(
                "no game {number}: there is {count} game{plural}"
            )));
        }
        let game = games.swap_remove(number - 1);
        if game.tells_size && self.size.is_some_and(|size| size != game.size) {
            return Err(refuse(format!(
                "the board is {}, not {size} as --size says",
                game.size
            )));
        }
        if game.moves.is_empty() {
            return Err(refuse("there are no moves".to_owned()));
        }
        Ok((name, game))
    }
}

/// What a file holds, and its name for messages.
fn read_text(path: &Path) -> Result<(String, String), Failure> {
    let mut bytes = Vec::new();
    let (name, result) = if path == Path::new(STANDARD_INPUT) {
        let result = io::stdin().lock().read_to_end(&mut bytes);
        ("standard input".to_owned(), result)
    } else {
        let result = File::open(path).and_then(|mut file| file.read_to_end(&mut bytes));
        (path.display().to_string(), result)
    };
    result.map_err(|error| Failure::File(format!("{name}: {error}")))?;
    // Names of players may be in whatever encoding: they are no reason to
    // refuse a game.
    Ok((name, String::from_utf8_lossy(&bytes).into_owned()))
}

/// A bar on standard error that tells how far the work is; nothing at all if
/// that is no terminal.
struct Bar {
    started: Instant,
    is_shown: bool,
}

impl Bar {
    fn new() -> Self {
        Self {
            started: Instant::now(),
            is_shown: io::stderr().is_terminal(),
        }
    }

    fn show(&mut self, done: usize, count: usize) {
        self.write(&format!(
            "\r{}",
            bar_text(done, count, self.started.elapsed())
        ));
    }

    /// Blanks, not an escape sequence: some terminals would print that.
    fn wipe(&mut self) {
        self.write(&format!("\r{}\r", " ".repeat(BAR_WIDTH)));
    }

    fn write(&mut self, text: &str) {
        let mut output = io::stderr().lock();
        if self.is_shown
            && output
                .write_all(text.as_bytes())
                .and_then(|()| output.flush())
                .is_err()
        {
            self.is_shown = false;
        }
    }
}

/// Columns of the whole line.
const BAR_WIDTH: usize = 72;
/// Columns between the brackets.
const BAR_CELLS: usize = 30;

/// `analysing [======>       ] 12 of 34, 0:22 left`, as wide as any other.
fn bar_text(done: usize, count: usize, elapsed: Duration) -> String {
    let cells = BAR_CELLS * done / count.max(1);
    let head = if cells < BAR_CELLS { ">" } else { "" };
    let bar = format!("{}{head}", "=".repeat(cells));
    let left = if done == 0 {
        String::new()
    } else {
        let seconds = elapsed.as_secs_f64() / done as f64 * count.saturating_sub(done) as f64;
        let seconds = seconds.round() as u64;
        format!(", {}:{:02} left", seconds / 60, seconds % 60)
    };
    let text = format!("analysing [{bar:BAR_CELLS$}] {done} of {count}{left}");
    format!("{text:BAR_WIDTH$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_grows_and_keeps_its_width() {
        let second = Duration::from_secs(1);
        let expected = format!("analysing [>{}] 0 of 40", " ".repeat(29));
        assert_eq!(bar_text(0, 40, Duration::ZERO).trim_end(), expected);
        let expected = format!(
            "analysing [{}>{}] 20 of 40, 1:30 left",
            "=".repeat(15),
            " ".repeat(14)
        );
        assert_eq!(bar_text(20, 40, second * 90).trim_end(), expected);
        let expected = format!("analysing [{}] 40 of 40, 0:00 left", "=".repeat(30));
        assert_eq!(bar_text(40, 40, second).trim_end(), expected);
        for done in 0..=485 {
            assert_eq!(bar_text(done, 485, second * 86_400).len(), BAR_WIDTH);
        }
    }
}
