//! Arguments of `match`, `gauntlet` and `tournament`, and what they mean.

use super::play::{self, RunArguments};
use anyhow::{Context, Result, anyhow, bail};
use arena::config::{
    BoardUse, ConfigFile, DrawByScore, EventConfig, EventKind, Manners, MemoryWatch, OpeningChoice,
    OpeningOrder, Procedure, ResignRule, Restart, SymmetryUse,
};
use arena::duration::parse_ms;
use arena::opening_file;
use arena::process::split_words;
use arena::referee::DrawRule;
use arena::schedule::fingerprint;
use arena::settings::{Defaults, LineEnd, Settings};
use arena::stats::{EloModel, Sprt};
use clap::{Args, FromArgMatches};
use serde::de::DeserializeOwned;
use std::path::PathBuf;
use std::process::ExitCode;
use yonsan::board::Size;
use yonsan::rules::Rule;
use yonsan::rules::opening::Opening;

/// What to play and how.
#[derive(Debug, Args)]
pub struct EventArguments {
    /// An engine: a command line, or words such as `cmd='./a -x' name=A turn=1`
    #[arg(short, long = "engine", value_name = "ENGINE")]
    engines: Vec<String>,
    /// Settings for all engines, in the words of --engine
    #[arg(long, value_name = "SETTINGS")]
    each: Option<String>,
    /// TOML file with [event], [each] and [[engine]]; options given here go first
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    #[command(flatten)]
    game: GameArguments,
    #[command(flatten)]
    limits: LimitArguments,
    #[command(flatten)]
    manners: MannerArguments,
    #[command(flatten)]
    run: RunArguments,
}

/// The games.
#[derive(Debug, Args)]
#[command(next_help_heading = "Games")]
struct GameArguments {
    /// freestyle, standard, renju, caro, caro-exact, or their number
    #[arg(long, default_value = "freestyle")]
    rule: Rule,
    /// Side of the board, or WIDTHxHEIGHT
    #[arg(long, default_value = "15", value_parser = parse_size)]
    size: Size,
    /// Pairs of games that every two engines play: one opening from both sides
    #[arg(long, visible_alias = "rounds", conflicts_with = "games")]
    pairs: Option<u64>,
    /// Games that every two engines play, an even number
    #[arg(long)]
    games: Option<u64>,
    /// File of openings, one a line, in letters or offsets from the centre
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Order of the openings: sequential or random
    #[arg(long, default_value = "sequential", value_parser = parse_word::<OpeningOrder>)]
    order: OpeningOrder,
    /// Turned and mirrored openings: none, random, or all as openings of their own
    #[arg(long, default_value = "none", value_parser = parse_word::<SymmetryUse>)]
    symmetries: SymmetryUse,
    /// Opening procedure: free, swap, swap2, pro, long-pro
    #[arg(long, default_value = "free", value_parser = parse_word::<Procedure>)]
    procedure: Procedure,
    /// Seed of everything left to chance
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Draw at: full-board, piskvork, cup, or so many stones [default: full-board]
    #[arg(long, visible_alias = "draw-after", value_name = "RULE")]
    draw: Option<DrawRule>,
    /// An engine gives up at a score of -SCORE for MOVES moves in a row
    #[arg(long, value_name = "SCORE:MOVES")]
    resign: Option<String>,
    /// Draw when both scores are within SCORE for MOVES moves, from STONES stones on
    #[arg(long, value_name = "SCORE:MOVES:STONES")]
    draw_score: Option<String>,
    /// Sequential test that ends the match: `elo0=0 elo1=5 alpha=0.05 beta=0.05
    /// model=normalized` (or logistic)
    #[arg(long, value_name = "WORDS")]
    sprt: Option<String>,
}

/// Limits for all engines; those of --engine go first.
#[derive(Debug, Args)]
#[command(next_help_heading = "Limits of all engines (--engine can say otherwise)")]
struct LimitArguments {
    /// MATCH/TURN+INCREMENT, as in 180/5+0.1
    #[arg(long, value_name = "TIMES")]
    tc: Option<String>,
    /// Time for a move: seconds, or with a unit as in 500ms
    #[arg(long, value_name = "TIME")]
    turn: Option<String>,
    /// Time for a game
    #[arg(long, visible_alias = "match", value_name = "TIME")]
    match_time: Option<String>,
    /// Time added before every move
    #[arg(long, value_name = "TIME")]
    increment: Option<String>,
    /// Positions for a move
    #[arg(long, value_name = "N")]
    nodes: Option<String>,
    /// Depth in plies
    #[arg(long, value_name = "N")]
    depth: Option<String>,
    /// Search threads
    #[arg(long, value_name = "N")]
    threads: Option<String>,
    /// Memory in MiB, or with a unit as in 2g; 0 for no limit [default: 350]
    #[arg(long, value_name = "SIZE")]
    memory: Option<String>,
    /// Time over the limit that is forgiven [default: 1]
    #[arg(long, value_name = "TIME")]
    tolerance: Option<String>,
}

/// Dealing with engines.
#[derive(Debug, Args)]
#[command(next_help_heading = "Dealing with engines")]
struct MannerArguments {
    /// As the judge of the cup: no waiting for OK, engines stopped between
    /// moves, BOARD first, memory enforced, draw rule cup, CR LF
    #[arg(long)]
    cup: bool,
    /// A line that is neither message nor answer loses, as under Piskvork
    #[arg(long)]
    strict: bool,
    /// A new process for every game: on, off, or auto (only if it starts fast) [default: on]
    #[arg(long, value_parser = parse_word::<Restart>)]
    restart: Option<Restart>,
    /// Use of BOARD: if-needed, first, always [default: if-needed]
    #[arg(long, value_parser = parse_word::<BoardUse>)]
    board: Option<BoardUse>,
    /// Unshared memory: off, measure, enforce [default: off]
    #[arg(long, value_parser = parse_word::<MemoryWatch>)]
    memory_watch: Option<MemoryWatch>,
    /// Time for the answer to START; engines under wine need some
    #[arg(long, value_name = "TIME", default_value = "10")]
    startup_tolerance: String,
    /// How often a start that hangs or dies is tried again
    #[arg(long, value_name = "N", default_value_t = 2)]
    start_retries: u32,
    /// Time between END and the kill
    #[arg(long, value_name = "TIME", default_value = "0.5")]
    end_grace: String,
    /// MiB an engine may write between two commands
    #[arg(long, value_name = "MIB", default_value_t = 8)]
    flood_limit: u64,
    /// Time for a move if there is no clock
    #[arg(long, value_name = "TIME", default_value = "300")]
    hang_limit: String,
    /// Write MESSAGE and DEBUG lines into the results file
    #[arg(long)]
    record_messages: bool,
}

/// Plays an event.
pub fn run(kind: EventKind, mut arguments: EventArguments) -> Result<ExitCode> {
    let file = match &arguments.config {
        Some(path) => ConfigFile::read(path)?,
        None => ConfigFile::default(),
    };
    if !file.arguments.is_empty() {
        arguments = with_file_arguments(&file)?;
    }
    let config = arguments.to_config(kind, &file)?;
    play::start(config, &arguments.run)
}

/// Reads the command line once more, with the words of the file in front:
/// what is given twice counts as given last.
fn with_file_arguments(file: &ConfigFile) -> Result<EventArguments> {
    let command = clap::Command::new("arena").args_override_self(true);
    let command = EventArguments::augment_args(command);
    // Program and subcommand go.
    let own = std::env::args_os().skip(2);
    let words = file.arguments.iter().map(Into::into).chain(own);
    let program = std::iter::once("arena [event]".into());
    let matches = command.try_get_matches_from(program.chain(words));
    let matches = matches.map_err(|error| anyhow!("{error}"))?;
    Ok(EventArguments::from_arg_matches(&matches)?)
}

impl EventArguments {
    fn to_config(&self, kind: EventKind, file: &ConfigFile) -> Result<EventConfig> {
        let game = &self.game;
        let defaults = Defaults {
            line_end: if self.manners.cup {
                LineEnd::Crlf
            } else {
                LineEnd::Lf
            },
            ..Defaults::default()
        };
        let default_draw = if self.manners.cup {
            DrawRule::Cup
        } else {
            DrawRule::FullBoard
        };
        let mut config = EventConfig {
            arena: arena::VERSION.to_owned(),
            kind,
            engines: Vec::new(),
            rule: game.rule,
            width: game.size.width(),
            height: game.size.height(),
            procedure: game.procedure,
            openings: game.opening_choice()?,
            seed: game.seed,
            rounds: game.rounds()?,
            draw_rule: game.draw.unwrap_or(default_draw),
            resign: game.resign_rule()?,
            draw_by_score: game.draw_by_score()?,
            manners: self.manners.to_manners()?,
            sprt: game.sprt.as_deref().map(parse_sprt).transpose()?,
        };
        for mut settings in self.engine_settings(file)? {
            settings.fill_from(&self.limits.to_settings()?);
            if let Some(each) = &self.each {
                settings.fill_from(&Settings::parse(each)?);
            }
            settings.fill_from(&file.each);
            config.engines.push(settings.settle(&defaults)?);
        }
        number_equal_names(&mut config);
        config.validate()?;
        check_procedure_board(&config)?;
        Ok(config)
    }

    fn engine_settings(&self, file: &ConfigFile) -> Result<Vec<Settings>> {
        let mut engines = file.engines.clone();
        for text in &self.engines {
            engines.push(Settings::parse_engine(text).with_context(|| format!("engine {text}"))?);
        }
        Ok(engines)
    }
}

/// An engine that plays itself is called `name` and `name-2`.
fn number_equal_names(config: &mut EventConfig) {
    for index in 1..config.engines.len() {
        let name = config.engines[index].name.clone();
        let is_used = |config: &EventConfig, name: &str| {
            config.engines[..index]
                .iter()
                .any(|engine| engine.name == name)
        };
        let mut candidate = name.clone();
        let mut number = 2;
        while is_used(config, &candidate) {
            candidate = format!("{name}-{number}");
            number += 1;
        }
        config.engines[index].name = candidate;
    }
}

/// Every stone of the procedure must find room.
fn check_procedure_board(config: &EventConfig) -> Result<()> {
    let size = config.size()?;
    if Opening::new(config.procedure.rules(), size).is_err() {
        bail!(
            "a {size} board is too small for {}",
            config.procedure.name()
        );
    }
    Ok(())
}

impl GameArguments {
    fn rounds(&self) -> Result<u64> {
        match (self.pairs, self.games) {
            (Some(pairs), _) => Ok(pairs),
            (None, Some(games)) if games.is_multiple_of(2) => Ok(games / 2),
            (None, Some(games)) => bail!("--games {games} is odd: games are played in pairs"),
            (None, None) => Ok(1),
        }
    }

    fn opening_choice(&self) -> Result<Option<OpeningChoice>> {
        let Some(path) = &self.openings else {
            return Ok(None);
        };
        let openings = opening_file::read(path, self.rule, self.size)?;
        Ok(Some(OpeningChoice {
            file: std::path::absolute(path)?,
            fingerprint: fingerprint(&openings),
            order: self.order,
            symmetries: self.symmetries,
        }))
    }

    fn resign_rule(&self) -> Result<Option<ResignRule>> {
        let Some(text) = &self.resign else {
            return Ok(None);
        };
        match numbers(text)[..] {
            [Some(score), Some(moves)] if moves > 0 => Ok(Some(ResignRule { score, moves })),
            _ => bail!("--resign {text}: SCORE:MOVES is wanted"),
        }
    }

    fn draw_by_score(&self) -> Result<Option<DrawByScore>> {
        let Some(text) = &self.draw_score else {
            return Ok(None);
        };
        match numbers(text)[..] {
            [Some(score), Some(moves), Some(after)] if moves > 0 => {
                let rule = DrawByScore {
                    score,
                    moves,
                    after,
                };
                Ok(Some(rule))
            }
            _ => bail!("--draw-score {text}: SCORE:MOVES:STONES is wanted"),
        }
    }
}

impl LimitArguments {
    fn to_settings(&self) -> Result<Settings> {
        let mut settings = Settings::default();
        let given = [
            ("tc", &self.tc),
            ("turn", &self.turn),
            ("match", &self.match_time),
            ("increment", &self.increment),
            ("nodes", &self.nodes),
            ("depth", &self.depth),
            ("threads", &self.threads),
            ("memory", &self.memory),
            ("tolerance", &self.tolerance),
        ];
        for (key, value) in given {
            if let Some(value) = value {
                settings.set(key, value)?;
            }
        }
        Ok(settings)
    }
}

impl MannerArguments {
    fn to_manners(&self) -> Result<Manners> {
        const BYTES_PER_MIB: u64 = 1 << 20;
        let (board, memory) = if self.cup {
            (BoardUse::First, MemoryWatch::Enforce)
        } else {
            (BoardUse::IfNeeded, MemoryWatch::Off)
        };
        let ms = |text: &str| parse_ms(text).map_err(|problem| anyhow!(problem));
        Ok(Manners {
            wait_for_ok: !self.cup,
            suspend: self.cup,
            board: self.board.unwrap_or(board),
            restart: self.restart.unwrap_or_default(),
            strict: self.strict,
            memory: self.memory_watch.unwrap_or(memory),
            startup_tolerance_ms: ms(&self.startup_tolerance)?,
            start_retries: self.start_retries,
            end_grace_ms: ms(&self.end_grace)?,
            flood_bytes: self.flood_limit.saturating_mul(BYTES_PER_MIB),
            hang_ms: ms(&self.hang_limit)?,
            record_messages: self.record_messages,
        })
    }
}

pub(super) fn parse_size(text: &str) -> Result<Size, String> {
    let (width, height) = text.split_once(['x', 'X']).unwrap_or((text, text));
    let sides = width.parse().ok().zip(height.parse().ok());
    sides
        .and_then(|(width, height)| Size::new(width, height))
        .ok_or_else(|| format!("'{text}' is no board: sides are 5 to 22"))
}

/// A word as it stands in results files.
fn parse_word<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_value(text.into()).map_err(|error| error.to_string())
}

fn numbers(text: &str) -> Vec<Option<u32>> {
    text.split(':').map(|part| part.parse().ok()).collect()
}

fn parse_sprt(text: &str) -> Result<Sprt> {
    const USUAL_ERROR: f64 = 0.05;
    let (mut elo0, mut elo1) = (None, None);
    let (mut alpha, mut beta, mut model) = (USUAL_ERROR, USUAL_ERROR, EloModel::default());
    for word in split_words(text)? {
        let (key, value) = word.split_once('=').unwrap_or((&word, ""));
        let number = || {
            value
                .parse::<f64>()
                .with_context(|| format!("--sprt {word}"))
        };
        match key {
            "elo0" => elo0 = Some(number()?),
            "elo1" => elo1 = Some(number()?),
            "alpha" => alpha = number()?,
            "beta" => beta = number()?,
            "model" => model = parse_word(value).map_err(|problem| anyhow!(problem))?,
            _ => bail!("--sprt knows elo0, elo1, alpha, beta and model, not '{key}'"),
        }
    }
    let (elo0, elo1) = elo0.zip(elo1).context("--sprt needs elo0 and elo1")?;
    Ok(Sprt::new(elo0, elo1, alpha, beta, model)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_tests_are_read() {
        assert_eq!(parse_size("20"), Ok(Size::square(20).unwrap()));
        assert_eq!(parse_size("15x20"), Ok(Size::new(15, 20).unwrap()));
        assert!(parse_size("4").is_err());
        let sprt = parse_sprt("elo0=0 elo1=5 model=logistic").unwrap();
        assert_eq!(
            (sprt.elo1, sprt.alpha, sprt.model),
            (5.0, 0.05, EloModel::Logistic)
        );
        for text in [
            "elo0=0",
            "elo0=5 elo1=0",
            "elo0=x elo1=1",
            "elo=1",
            "elo0=0 elo1=1 model=x",
        ] {
            assert!(parse_sprt(text).is_err(), "{text}");
        }
    }
}
