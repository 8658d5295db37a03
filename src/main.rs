//! The program `pbrain-yonsan`: reads the arguments and starts what they ask
//! for. Without a subcommand it speaks the Gomocup/Piskvork protocol, which is
//! how managers start it, and then prints nothing that the protocol does not
//! ask for.

use clap::builder::{OsStringValueParser, TypedValueParser as _};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::fmt;
use std::fs::File;
use std::io::{self, IsTerminal as _, Write as _};
use std::num::{NonZeroU16, NonZeroU32};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};
use yonsan::board::{Colour, NotationError, Point, Size, parse_moves};
use yonsan::book::{Shelf, Source};
use yonsan::engine::Level;
use yonsan::eval::weights::ClassicalWeights;
use yonsan::eval::{Evaluation, classical, nnue};
use yonsan::protocol::{self, Settings};
use yonsan::rules::Rule;
use yonsan::terminal::{self, Look, PlayError, PlayOptions, parse_size};
use yonsan::{bench, engine};

mod cli;

/// Names the log for managers that pass no arguments.
const LOG_VARIABLE: &str = "YONSAN_LOG";
/// What clap, too, returns for arguments that make no sense.
const EXIT_USAGE: u8 = 2;
const BYTES_PER_MIB: u64 = 1 << 20;

/// What came of a file of the evaluation.
type Installed = Result<(), Box<dyn std::error::Error>>;

/// Yonsan plays Gomoku, Renju and Caro.
///
/// Without a subcommand it speaks the Gomocup/Piskvork protocol on standard
/// input and output: give the program to a manager such as Piskvork.
#[derive(Parser, Debug)]
#[command(name = "pbrain-yonsan", version, verbatim_doc_comment)]
struct Arguments {
    /// Search threads; one for every processor if not given
    #[arg(long, global = true, display_order = 100, value_name = "N")]
    threads: Option<NonZeroU16>,
    /// Memory in all; a manager can only lower it
    #[arg(long, global = true, display_order = 101, value_name = "MIB")]
    memory: Option<NonZeroU32>,
    /// Evaluation: net or classical
    #[arg(long, global = true, display_order = 102, value_name = "KIND")]
    #[arg(value_enum, default_value_t, hide_possible_values = true)]
    eval: Evaluator,
    /// A net to use instead of the built-in one
    #[arg(long, global = true, display_order = 103, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Classical tables instead of the built-in ones, or hand
    #[arg(long, global = true, display_order = 104, value_name = "FILE")]
    tables: Option<PathBuf>,
    /// Opening book to play from, or off
    #[arg(long, global = true, display_order = 105, value_name = "FILE")]
    #[arg(value_parser = OsStringValueParser::new().map(cli::book::source))]
    book: Option<Source>,
    /// Play the same at a level and in openings every time
    #[arg(long, global = true, display_order = 106, value_name = "N")]
    seed: Option<u64>,
    /// Write a log; the variable RUST_LOG chooses what goes in
    #[arg(long, global = true, display_order = 107, value_name = "FILE")]
    log: Option<PathBuf>,
    #[command(subcommand)]
    task: Option<Task>,
}

#[derive(Subcommand, Debug)]
enum Task {
    /// Play against the engine on this terminal
    #[command(after_help = RULES_AND_LEVELS)]
    Play(PlayArguments),
    /// Judge the moves of a game: mistakes, better moves, missed wins
    #[command(alias = "analyse", after_help = cli::analyze::FORMATS_AND_GRADES)]
    Analyze(cli::analyze::Arguments),
    /// Search fixed positions; tell the speed and a signature of the answers
    Bench(BenchArguments),
    /// Make opening books and look into them
    Book(cli::book::Arguments),
}

#[derive(Args, Debug)]
struct BenchArguments {
    /// Depth of each search, in plies
    #[arg(long, default_value_t = bench::DEFAULT_DEPTH, value_name = "PLIES")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    depth: u32,
}

const RULES_AND_LEVELS: &str = "\
Rules:
  freestyle   five or more in a row win
  standard    exactly five
  renju       exactly five for Black, who has forbidden points; five or more
              for White
  caro        five with no opponent's stone at one end at least; six or more
  caro-exact  exactly five with no opponent's stone at one end at least

Levels 1 to 5 do not search: they judge at a glance and overlook things, the
lower the more. Levels 6 to 10 search further and further. Without --level and
without --time it is 5. If both are given, both bounds hold.";

#[derive(Args, Debug)]
struct PlayArguments {
    /// Which rows win; see below
    #[arg(long, default_value_t, value_name = "RULE")]
    rule: Rule,
    /// Sides 5 to 22; 20x10 is wider than high
    #[arg(long, default_value = "15", value_name = "SIZE", value_parser = parse_size)]
    size: Size,
    /// How well the engine plays, 1 to 10; see below
    #[arg(long, value_name = "LEVEL")]
    level: Option<Level>,
    /// Time of the engine for a move
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time: Option<Duration>,
    /// Yours, black or white; Black begins
    #[arg(long, alias = "color", default_value = "black", value_name = "COLOUR")]
    #[arg(value_enum, hide_possible_values = true)]
    colour: Side,
    /// Moves to begin with, such as h8i9
    #[arg(long, value_name = "MOVES", value_parser = parse_start)]
    moves: Option<Start>,
}

#[derive(ValueEnum, Clone, Copy, Debug, Default)]
enum Evaluator {
    /// The net, if there is one
    #[default]
    Net,
    /// The tables of the classical evaluation alone
    Classical,
}

impl From<Evaluator> for Evaluation {
    fn from(evaluator: Evaluator) -> Self {
        match evaluator {
            Evaluator::Net => Self::Net,
            Evaluator::Classical => Self::Classical,
        }
    }
}

#[derive(ValueEnum, Clone, Copy, Debug)]
enum Side {
    Black,
    White,
}

/// The moves of a start position: a type of its own, because clap takes a bare
/// `Vec` for an argument that is repeated.
#[derive(Clone, Debug)]
struct Start(Vec<Point>);

fn parse_start(text: &str) -> Result<Start, NotationError> {
    parse_moves(text).map(Start)
}

fn parse_seconds(text: &str) -> Result<Duration, String> {
    const LONGEST_SECONDS: f64 = 86_400.0;
    let seconds: f64 = text.parse().map_err(|error| format!("{error}"))?;
    if seconds > 0.0 && seconds <= LONGEST_SECONDS {
        Ok(Duration::from_secs_f64(seconds))
    } else {
        Err(format!("must be above 0 and at most {LONGEST_SECONDS}"))
    }
}

impl Arguments {
    fn settings(&self) -> Settings {
        Settings {
            threads: self.threads.map(|count| count.get().into()),
            memory_bytes: self.memory_bytes(),
            evaluation: self.eval.into(),
            seed: self.seed,
            book: self.book.clone().unwrap_or(Source::Usual),
        }
    }

    /// The file to log to; an empty variable is none.
    fn log(&self) -> Option<PathBuf> {
        let variable = std::env::var_os(LOG_VARIABLE).filter(|value| !value.is_empty());
        self.log.clone().or_else(|| variable.map(PathBuf::from))
    }

    fn memory_bytes(&self) -> Option<u64> {
        self.memory.map(|mib| u64::from(mib.get()) * BYTES_PER_MIB)
    }

    fn engine_options(&self) -> engine::Options {
        let mut options = engine::Options {
            memory_bytes: self.memory_bytes(),
            evaluation: self.eval.into(),
            ..engine::Options::default()
        };
        if let Some(count) = self.threads {
            options.threads = count.get().into();
        }
        options
    }
}

impl PlayArguments {
    fn options(&self, engine: engine::Options, seed: Option<u64>) -> PlayOptions {
        PlayOptions {
            rule: self.rule,
            size: self.size,
            level: self.level,
            seed,
            time: self.time,
            player: match self.colour {
                Side::Black => Colour::Black,
                Side::White => Colour::White,
            },
            moves: self.moves.clone().map_or_else(Vec::new, |start| start.0),
            engine,
            book: None,
        }
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if let Err(error) = start_log(arguments.log().as_deref()) {
        // Some managers mix the two outputs: a line that begins like this is
        // no answer to them. The engine plays all the same.
        complain(format_args!("MESSAGE no log: {error}"));
    }
    install(arguments.weights.as_deref(), install_net);
    install(arguments.tables.as_deref(), install_tables);
    match &arguments.task {
        None => speak_protocol(arguments.settings()),
        Some(Task::Play(play)) => {
            let mut options = play.options(arguments.engine_options(), arguments.seed);
            let mut shelf = Shelf::new(arguments.settings().book);
            let book = shelf.look(|text| complain(format_args!("{text}")));
            options.book = book.map(Arc::new);
            play_here(options)
        }
        Some(Task::Analyze(game)) => cli::analyze::run(game, arguments.engine_options()),
        Some(Task::Bench(BenchArguments { depth })) => measure(*depth, arguments.eval.into()),
        Some(Task::Book(book)) => cli::book::run(book, arguments.engine_options()),
    }
}

/// Makes a file, if one is named, part of the evaluation. Without a good one
/// the engine plays with what is built in.
fn install(path: Option<&Path>, with: fn(&Path) -> Installed) {
    if let Some(path) = path
        && let Err(error) = with(path)
    {
        let name = path.display();
        complain(format_args!("MESSAGE {name}: {error}; not used"));
    }
}

/// Reads a file of nets to play with.
fn install_net(path: &Path) -> Installed {
    nnue::install(std::fs::read(path)?)?;
    Ok(())
}

/// Reads tables of the classical evaluation to play with.
fn install_tables(source: &Path) -> Installed {
    classical::install(ClassicalWeights::load(source)?)?;
    Ok(())
}

fn measure(depth: u32, evaluation: Evaluation) -> ExitCode {
    let mut output = io::stdout().lock();
    let result = bench::run(depth, evaluation, &mut output)
        .and_then(|summary| writeln!(output, "{summary}"));
    exit_code(&result)
}

fn speak_protocol(settings: Settings) -> ExitCode {
    if io::stdin().is_terminal() {
        complain(format_args!(
            "Yonsan, an engine for Gomocup/Piskvork managers: give them this program.\n\
             To play against it here: pbrain-yonsan play. To leave: END."
        ));
    }
    exit_code(&protocol::run(io::stdin(), io::stdout().lock(), settings))
}

fn play_here(options: PlayOptions) -> ExitCode {
    let output = io::stdout().lock();
    let look = if output.is_terminal() && wants_colour(|name| std::env::var_os(name)) {
        Look::Colour
    } else {
        Look::Plain
    };
    match terminal::play(options, io::stdin().lock(), output, look) {
        Ok(()) => ExitCode::SUCCESS,
        Err(PlayError::Io(error)) => exit_code(&Err(error)),
        Err(error @ PlayError::Start { .. }) => {
            complain(format_args!("error: {error}"));
            ExitCode::from(EXIT_USAGE)
        }
    }
}

/// Whoever reads may leave at any time: that is no failure.
fn exit_code(result: &io::Result<()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            complain(format_args!("MESSAGE {error}"));
            ExitCode::FAILURE
        }
    }
}

/// Writes a line to standard error. A manager that gives both outputs one pipe
/// and has closed it gets no crash for it, as `eprintln` would make.
fn complain(text: fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// Whether a terminal with these environment variables shows colours. On
/// Windows only terminals that say who they are can be trusted to do so.
fn wants_colour(variable: impl Fn(&str) -> Option<OsString>) -> bool {
    let is_set = |name| variable(name).is_some_and(|value| !value.is_empty());
    let has_term = is_set("TERM") && variable("TERM").is_none_or(|term| term != "dumb");
    !is_set("NO_COLOR") && (has_term || is_set("WT_SESSION"))
}

/// Starts logging: to the file if there is one; otherwise to standard error,
/// but only if `RUST_LOG` asks for it.
fn start_log(path: Option<&Path>) -> io::Result<()> {
    let mut builder = env_logger::Builder::new();
    match path {
        Some(path) => {
            let file = File::create(path).map_err(|error| {
                io::Error::new(error.kind(), format!("{}: {error}", path.display()))
            })?;
            builder.filter_level(log::LevelFilter::Debug);
            builder.target(env_logger::Target::Pipe(Box::new(file)));
            log_panics();
        }
        None if std::env::var_os("RUST_LOG").is_none() => return Ok(()),
        None => {}
    }
    let started = Instant::now();
    builder.format(move |line, record| {
        let seconds = started.elapsed().as_secs_f64();
        let (level, target) = (record.level(), record.target());
        writeln!(line, "{seconds:10.3} {level:5} {target}: {}", record.args())
    });
    builder.parse_default_env();
    builder.try_init().map_err(io::Error::other)
}

/// Puts the text of a panic into the log: managers show nobody the standard
/// error of an engine.
fn log_panics() {
    let inform = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        log::error!("{panic}");
        inform(panic);
    }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    fn colour(variables: &[(&str, &str)]) -> bool {
        wants_colour(|name| {
            let found = variables.iter().find(|variable| variable.0 == name);
            found.map(|variable| variable.1.into())
        })
    }

    #[test]
    fn arguments_are_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn colour_needs_a_terminal_that_says_its_name() {
        assert!(colour(&[("TERM", "xterm-256color")]));
        assert!(colour(&[("WT_SESSION", "1")]));
        assert!(colour(&[("TERM", "xterm"), ("NO_COLOR", "")]));
        assert!(!colour(&[]));
        assert!(!colour(&[("TERM", "dumb")]));
        assert!(!colour(&[("TERM", "xterm"), ("NO_COLOR", "1")]));
        assert!(!colour(&[("WT_SESSION", "1"), ("NO_COLOR", "1")]));
    }

    #[test]
    fn seconds_are_read_or_refused() {
        assert_eq!(parse_seconds("1.5"), Ok(Duration::from_millis(1500)));
        for text in ["0", "-1", "nan", "inf", "1e9", "", "x"] {
            assert!(parse_seconds(text).is_err(), "{text}");
        }
    }

    #[test]
    fn options_reach_the_engine() {
        let line = [
            "x",
            "--memory",
            "350",
            "play",
            "--threads",
            "3",
            "--colour",
            "white",
        ];
        let arguments = Arguments::parse_from(line);
        assert_eq!(arguments.settings().memory_bytes, Some(367_001_600));
        assert_eq!(arguments.settings().threads, Some(3));
        let options = arguments.engine_options();
        assert_eq!(options.memory_bytes, Some(367_001_600));
        assert_eq!(options.threads, 3);
        let Some(Task::Play(play)) = &arguments.task else {
            panic!("no game");
        };
        assert_eq!(play.options(options, None).player, Colour::White);
    }
}
