//! An engine that misbehaves on demand, for the tests of the arena. Without
//! a fault it is a quick and well-behaved player of chance moves.

use clap::{Parser, ValueEnum};
use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::sync::mpsc;
use std::thread::sleep;
use std::time::Duration;

const FOREVER: Duration = Duration::from_secs(3600);
const BYTES_PER_MIB: usize = 1 << 20;

/// What can go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Fault {
    /// Ends without an answer.
    Crash,
    /// Never answers.
    Hang,
    /// Answers after --ms.
    Late,
    /// Answers twice in one go.
    Twice,
    /// Answers again after --ms.
    Again,
    /// Says something that is no answer, and nothing else.
    Garbage,
    /// Says something that is no answer, then answers.
    Chatter,
    /// Answers with a taken point.
    Occupied,
    /// Answers with a point outside the board.
    Outside,
    /// Writes lines without end.
    Flood,
    /// Writes a line without end.
    FloodLine,
    /// Writes half an answer and ends.
    Torn,
    /// Takes --mib of memory, then answers.
    Memory,
    /// Complains instead of answering.
    Error,
    /// Says that it does not know the command.
    Unknown,
}

/// What can go wrong at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum StartFault {
    /// Never answers START.
    Hang,
    /// Ends at START.
    Crash,
    /// Answers START with an error.
    Error,
    /// Answers START with an error once it has made a move.
    Again,
    /// Talks before anything is asked.
    Banner,
}

/// Answers in a swap opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SwapChoice {
    Swap,
    Stay,
    Two,
}

#[derive(Debug, Parser)]
struct Arguments {
    /// What to do wrong
    #[arg(long)]
    fault: Option<Fault>,
    /// At which move of the process, from 1
    #[arg(long, default_value_t = 1)]
    at: u32,
    /// Time for faults with a time
    #[arg(long, default_value_t = 0)]
    ms: u64,
    /// Memory for faults with memory
    #[arg(long, default_value_t = 0)]
    mib: usize,
    /// What to do wrong at the start
    #[arg(long)]
    start_fault: Option<StartFault>,
    /// File that is made at the first start; the start fault then goes away
    #[arg(long)]
    once: Option<PathBuf>,
    /// Time before the process listens at all
    #[arg(long, default_value_t = 0)]
    start_ms: u64,
    /// Neither END nor the end of the input is obeyed
    #[arg(long)]
    ignore_end: bool,
    /// A child process that outlives its parent and holds its output
    #[arg(long)]
    child: bool,
    /// Plays along this row, while there is room
    #[arg(long)]
    row: Option<u8>,
    /// First column on that row
    #[arg(long, default_value_t = 0)]
    from: i64,
    /// Points that nobody may take are taken for free
    #[arg(long)]
    ignore_closed: bool,
    /// Time for every move
    #[arg(long, default_value_t = 0)]
    think_ms: u64,
    /// Time after every move in which commands get lost
    #[arg(long, default_value_t = 0)]
    deaf_ms: u64,
    /// Score told with every move
    #[arg(long, allow_hyphen_values = true)]
    score: Option<i32>,
    /// Answer to three and five stones of a swap opening
    #[arg(long, value_enum, default_value_t = SwapChoice::Stay)]
    swap: SwapChoice,
    /// Where to write down everything received
    #[arg(long)]
    log: Option<PathBuf>,
    /// Seed of the moves
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// The board as far as a mock needs it.
struct Mock {
    arguments: Arguments,
    width: i64,
    height: i64,
    taken: Vec<(i64, i64)>,
    moves_made: u32,
    /// Since the loop looked last.
    has_answered: bool,
    chance: u64,
    hoard: Vec<Vec<u8>>,
}

fn main() {
    let arguments = Arguments::parse();
    if arguments.child {
        let child = std::process::Command::new("sleep").arg("3600").spawn();
        // It is to be ended by whoever ends this process.
        drop(child);
    }
    sleep(Duration::from_millis(arguments.start_ms));
    if arguments.start_fault == Some(StartFault::Banner) {
        say("Welcome to Mock 1.0\n\n3,3");
        eprintln!("a line for nobody");
    }
    let mut mock = Mock {
        chance: arguments.seed,
        arguments,
        width: 0,
        height: 0,
        taken: Vec::new(),
        moves_made: 0,
        has_answered: false,
        hoard: Vec::new(),
    };
    let mut block: Option<(String, Vec<String>)> = None;
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut lines = std::io::stdin().lock().lines().map_while(Result::ok);
        lines.all(|line| sender.send(line).is_ok())
    });
    while let Ok(line) = receiver.recv() {
        let line = line.trim().to_owned();
        mock.write_down(&line);
        match &mut block {
            Some((_, lines)) if line != "DONE" => lines.push(line),
            Some(_) => {
                if let Some((command, lines)) = block.take() {
                    mock.obey_block(&command, &lines);
                }
            }
            None if line == "BOARD" || line == "SWAP2BOARD" => block = Some((line, Vec::new())),
            None => mock.obey(&line),
        }
        if mock.arguments.deaf_ms > 0 && mock.has_answered {
            mock.has_answered = false;
            sleep(Duration::from_millis(mock.arguments.deaf_ms));
            receiver.try_iter().for_each(drop);
        }
    }
    if mock.arguments.ignore_end {
        sleep(FOREVER);
    }
}

/// Says one or more lines in one write.
fn say(text: &str) {
    let mut output = std::io::stdout().lock();
    let _ = output.write_all(format!("{text}\n").as_bytes());
    let _ = output.flush();
}

fn numbers(text: &str) -> Vec<i64> {
    text.split([',', ' '])
        .filter_map(|n| n.trim().parse().ok())
        .collect()
}

impl Mock {
    fn write_down(&self, line: &str) {
        if let Some(path) = &self.arguments.log {
            let mut options = std::fs::OpenOptions::new();
            if let Ok(mut file) = options.create(true).append(true).open(path) {
                let _ = writeln!(file, "{line}");
            }
        }
    }

    fn obey(&mut self, line: &str) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "START" | "RECTSTART" => self.start(&numbers(rest)),
            "BEGIN" => self.answer(),
            "TURN" => {
                if let [x, y] = numbers(rest)[..] {
                    self.taken.push((x, y));
                }
                self.answer();
            }
            "ABOUT" => say("name=\"Mock\", version=\"1.0\", author=\"nobody\", country=\"-\""),
            "END" if !self.arguments.ignore_end => std::process::exit(0),
            _ => {}
        }
    }

    fn start(&mut self, sides: &[i64]) {
        self.width = sides.first().copied().unwrap_or(0);
        self.height = sides.get(1).copied().unwrap_or(self.width);
        self.taken.clear();
        let is_cured = self
            .arguments
            .once
            .as_ref()
            .is_some_and(|path| path.exists());
        if let Some(path) = &self.arguments.once {
            let _ = std::fs::write(path, "");
        }
        match self.arguments.start_fault {
            Some(StartFault::Hang) if !is_cured => sleep(FOREVER),
            Some(StartFault::Crash) if !is_cured => std::process::exit(1),
            Some(StartFault::Error) if !is_cured => say("ERROR no such board"),
            Some(StartFault::Again) if self.moves_made > 0 => say("ERROR not now"),
            _ => say("OK"),
        }
    }

    fn obey_block(&mut self, command: &str, lines: &[String]) {
        self.taken.clear();
        for line in lines {
            match numbers(line)[..] {
                [_, _, 3] if self.arguments.ignore_closed => {}
                [x, y, ..] => self.taken.push((x, y)),
                _ => {}
            }
        }
        if command == "BOARD" {
            self.answer();
            return;
        }
        match (lines.len(), self.arguments.swap) {
            (0, _) => say("7,7 8,8 9,7"),
            (_, SwapChoice::Swap) => say("SWAP"),
            (3, SwapChoice::Two) => say("1,1 2,2"),
            _ => self.answer(),
        }
    }

    fn answer(&mut self) {
        sleep(Duration::from_millis(self.arguments.think_ms));
        self.moves_made += 1;
        self.has_answered = true;
        if self.moves_made == self.arguments.at {
            self.misbehave();
        }
        if let Some(score) = self.arguments.score {
            say(&format!("MESSAGE depth 3-5 score {score} nodes 100 pv 1,1"));
        }
        let (x, y) = self.choose();
        self.taken.push((x, y));
        let is_now = self.moves_made == self.arguments.at;
        match self.arguments.fault {
            Some(Fault::Twice) if is_now => say(&format!("{x},{y}\n{},0", self.width - 1)),
            Some(Fault::Again) if is_now => {
                say(&format!("{x},{y}"));
                sleep(Duration::from_millis(self.arguments.ms));
                say("0,0");
            }
            _ => say(&format!("{x},{y}")),
        }
    }

    /// Does the fault, and comes back if an answer is to follow.
    fn misbehave(&mut self) {
        match self.arguments.fault {
            Some(Fault::Crash) => {
                eprintln!("thread 'main' panicked: out of ideas");
                std::process::exit(1);
            }
            Some(Fault::Hang) => sleep(FOREVER),
            Some(Fault::Late) => sleep(Duration::from_millis(self.arguments.ms)),
            Some(Fault::Garbage) => {
                say("I think seven seven");
                sleep(FOREVER);
            }
            Some(Fault::Chatter) => say("thinking hard"),
            Some(Fault::Error) => {
                say("ERROR I do not know");
                sleep(FOREVER);
            }
            Some(Fault::Unknown) => {
                say("UNKNOWN command");
                sleep(FOREVER);
            }
            Some(Fault::Occupied) => {
                let (x, y) = self.taken.first().copied().unwrap_or((-1, -1));
                say(&format!("{x},{y}"));
                sleep(FOREVER);
            }
            Some(Fault::Outside) => {
                say(&format!("{},0", self.width));
                sleep(FOREVER);
            }
            Some(Fault::Flood) => loop {
                say("MESSAGE all work and no play");
            },
            Some(Fault::FloodLine) => {
                let spam = vec![b'x'; BYTES_PER_MIB];
                while std::io::stdout().lock().write_all(&spam).is_ok() {}
            }
            Some(Fault::Torn) => {
                let _ = std::io::stdout().lock().write_all(b"7,");
                let _ = std::io::stdout().lock().flush();
                std::process::exit(0);
            }
            Some(Fault::Memory) => {
                // Written to, or the system would not give it.
                self.hoard.push(vec![1; self.arguments.mib * BYTES_PER_MIB]);
            }
            Some(Fault::Twice | Fault::Again) | None => {}
        }
    }

    fn choose(&mut self) -> (i64, i64) {
        let is_free = |point: &(i64, i64)| !self.taken.contains(point);
        if let Some(row) = self.arguments.row {
            let mut along = (self.arguments.from..self.width).map(|x| (x, i64::from(row)));
            if let Some(point) = along.find(is_free) {
                return point;
            }
        }
        let (width, height) = (self.width, self.height);
        let all = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let free: Vec<(i64, i64)> = all.filter(is_free).collect();
        self.chance = self
            .chance
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let index = (self.chance >> 33) as usize % free.len().max(1);
        free.get(index).copied().unwrap_or((-1, -1))
    }
}
