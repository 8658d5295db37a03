//! Opening books through the real program: how they are made and looked into,
//! how the engine finds them and plays from them, and that a file that is no
//! whole book is told of and left alone.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;
use yonsan::board::{Point, Position, Random, Size, parse_moves};
use yonsan::book::{self, Book, Entry, Kind, Work, Worth};
use yonsan::rules::Rule;

/// Far more than any of these runs needs.
const PATIENCE: Duration = Duration::from_secs(120);

/// An empty folder for one test.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("book-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn position(side: u8, moves: &str) -> Position {
    let size = Size::square(side).unwrap();
    Position::from_moves(size, &parse_moves(moves).unwrap()).unwrap()
}

/// A book that plays a1 after h8i9 in freestyle, which no search does.
fn write_book(path: &Path) {
    let work = Work {
        depth: 12,
        nodes: 5_000,
        thread_ms: 2_000,
    };
    let line = parse_moves("a1c3").unwrap();
    let entry = Entry::new(Kind::Answer, Worth::Plain(33), work, &line);
    let mut book = Book::default();
    assert!(book.put(&position(15, "h8i9"), Rule::Freestyle, entry));
    book::save(&mut book, path).unwrap();
}

fn program(path: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(path);
    command
        .args(["--threads", "1", "--memory", "64"])
        .args(arguments)
        .env_remove("RUST_LOG")
        .env_remove("YONSAN_LOG")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// The program that the tests are about.
fn own() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_pbrain-yonsan"))
}

/// What a run left behind.
struct Run {
    code: i32,
    stdout: String,
    stderr: String,
}

/// Runs a subcommand of `book`.
fn run(arguments: &[&str]) -> Run {
    let all = [&["book"], arguments].concat();
    let output = program(own(), &all).output().unwrap();
    Run {
        code: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// A run that must go well; what it wrote.
fn good(arguments: &[&str]) -> String {
    let run = run(arguments);
    assert_eq!(run.code, 0, "{arguments:?}: {}", run.stderr);
    run.stdout
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A conversation with the engine.
struct Game {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Game {
    fn start(program_path: &Path, arguments: &[&str]) -> Self {
        let mut child = program(program_path, arguments).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || {
            for line in output.lines() {
                let _ = sender.send(line.unwrap());
            }
        });
        Self {
            input: child.stdin.take(),
            child,
            lines,
        }
    }

    fn send(&mut self, lines: &str) {
        let input = self.input.as_mut().unwrap();
        input.write_all(lines.as_bytes()).unwrap();
        input.flush().unwrap();
    }

    /// What is said up to the next line that is neither `OK` nor a message,
    /// that one included.
    fn answer(&mut self) -> Vec<String> {
        let mut said = Vec::new();
        loop {
            let line = self.lines.recv_timeout(PATIENCE).expect("an answer comes");
            let is_answer = line != "OK" && !line.starts_with("MESSAGE");
            said.push(line);
            if is_answer {
                return said;
            }
        }
    }

    /// Asks for a move after h8i9.
    fn ask(&mut self, settings: &str) -> Vec<String> {
        let board = "BOARD\n7,7,1\n8,8,2\nDONE\n";
        self.send(&format!("{settings}{board}"));
        self.answer()
    }
}

impl Drop for Game {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.child.wait();
    }
}

fn is_from_book(said: &[String]) -> bool {
    let has_remark = said.iter().any(|line| line.starts_with("MESSAGE book: "));
    assert_eq!(has_remark, said.last().unwrap() == "0,0", "{said:?}");
    has_remark
}

const START: &str = "START 15\nINFO max_node 2000\n";

#[test]
fn the_engine_plays_from_a_book_and_says_so() {
    let folder = folder("plays");
    let path = folder.join("a.book");
    write_book(&path);
    let mut game = Game::start(own(), &["--book", text(&path)]);
    let said = game.ask(START);
    assert_eq!(said[0], "OK");
    assert_eq!(
        said[1],
        "MESSAGE book: 5000 positions were searched to depth 12"
    );
    assert!(
        said[2].starts_with("MESSAGE depth 12-12 score 33 win "),
        "{said:?}"
    );
    assert!(said[2].ends_with(" pv a1 c3"), "{said:?}");
    assert_eq!(said[3..], ["0,0"]);
    // The same position, turned; then one that is not in the book.
    game.send("RESTART\nBOARD\n7,7,1\n6,8,2\nDONE\n");
    assert_eq!(game.answer().last().unwrap(), "14,0");
    game.send("RESTART\nBOARD\n7,7,1\n8,7,2\nDONE\n");
    assert!(!is_from_book(&game.answer()));
}

#[test]
fn a_book_is_played_from_only_where_it_is_meant_to_be() {
    let folder = folder("only");
    let path = folder.join("a.book");
    write_book(&path);
    let ask = |settings: &str| {
        let mut game = Game::start(own(), &["--book", text(&path)]);
        is_from_book(&game.ask(settings))
    };
    assert!(ask(START));
    assert!(ask("START 15\nINFO timeout_turn 0\n"));
    assert!(ask("START 15\nINFO max_node 5000\n"));
    // The search would be longer than the book's, or is none to play with.
    assert!(!ask("START 15\nINFO max_node 5001\n"));
    for settings in [
        "INFO rule 1\n",
        "INFO rule 4\n",
        "INFO level 9\n",
        "yxblock\n0,1\ndone\n",
    ] {
        assert!(!ask(&format!("{START}{settings}")), "{settings}");
    }
    assert!(!ask("START 16\nINFO max_node 2000\n"));
    let mut game = Game::start(own(), &["--book", text(&path)]);
    for command in ["yxnbest 2", "yxbalanceone 0", "yxsearchdefend"] {
        game.send(&format!("{START}yxboard\n7,7,1\n8,8,2\ndone\n{command}\n"));
        let said = game.answer();
        assert!(!said.iter().any(|line| line.contains("book")), "{said:?}");
    }
}

#[test]
fn a_book_beside_the_program_or_in_the_managers_folder_is_found() {
    let folder = folder("found");
    let program_path = folder.join(own().file_name().unwrap());
    if fs::hard_link(own(), &program_path).is_err() {
        fs::copy(own(), &program_path).unwrap();
    }
    let ask = |arguments: &[&str], settings: &str| {
        is_from_book(&Game::start(&program_path, arguments).ask(settings))
    };
    assert!(!ask(&[], START));
    let inner = folder.join("data of the manager");
    fs::create_dir(&inner).unwrap();
    write_book(&inner.join("yonsan.book"));
    let info = format!("INFO folder {}\n", inner.display());
    assert!(ask(&[], &format!("{info}{START}")));
    assert!(ask(&[], &format!("{START}{info}")));
    assert!(!ask(&["--book", "off"], &format!("{START}{info}")));
    fs::remove_dir_all(inner).unwrap();
    write_book(&folder.join("yonsan.book"));
    assert!(ask(&[], START));
    assert!(!ask(&["--book", "off"], START));
}

#[test]
fn a_bad_book_is_told_of_once_and_left_alone() {
    let folder = folder("bad");
    let path = folder.join("a.book");
    write_book(&path);
    let whole = fs::read(&path).unwrap();
    let mut damaged = whole.clone();
    damaged[50] ^= 1;
    let mut newer = whole.clone();
    newer[8] = 9;
    for (bytes, words) in [
        (&damaged[..], "this opening book is damaged; not used"),
        (
            &whole[..60],
            "the end of this opening book is missing; not used",
        ),
        (b"Dear diary", "this is no opening book; not used"),
        (&newer[..], "version 9, newer than this engine"),
    ] {
        fs::write(&path, bytes).unwrap();
        let mut game = Game::start(own(), &["--book", text(&path)]);
        let said = game.ask(START);
        let told = |said: &[String]| said.iter().filter(|line| line.contains(words)).count();
        assert_eq!(told(&said), 1, "{said:?}");
        assert!(said[1].starts_with("MESSAGE "), "{said:?}");
        assert!(!is_from_book(&said));
        let said = game.ask("RESTART\n");
        assert_eq!(told(&said), 0, "{said:?}");
        drop(game);
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
    assert_eq!(names(&folder), ["a.book"]);
    let mut game = Game::start(own(), &["--book", text(&folder.join("none"))]);
    assert!(game.ask(START)[1].ends_with("; not used"));
}

#[test]
fn books_are_built_shown_and_asked() {
    let folder = folder("built");
    let path = folder.join("a.book");
    let file = text(&path);
    let build = |more: &[&str]| {
        let fixed = ["build", "-o", file, "--rule", "renju", "--nodes", "300"];
        good(&[&fixed[..], more].concat())
    };
    let said = build(&["--plies", "3", "--replies", "2"]);
    assert!(said.contains("version 1, checksum good"), "{said}");
    let small = book::read(&path).unwrap();
    let answers = |book: &Book| {
        book.summaries()
            .map(|summary| summary.answers)
            .sum::<usize>()
    };
    // The empty board, two answers to its best move, the answer to that move.
    assert_eq!(answers(&small), 4);
    // Nothing is searched twice.
    let before = fs::read(&path).unwrap();
    build(&["--plies", "3", "--replies", "2"]);
    assert_eq!(fs::read(&path).unwrap(), before);
    // A deeper tree keeps what was there.
    let openings = folder.join("openings.txt");
    fs::write(&openings, "# two\n\nh8i9j10  # one\nh8h9h6\n").unwrap();
    let openings = text(&openings);
    build(&["--plies", "4", "--replies", "2", "--openings", openings]);
    let large = book::read(&path).unwrap();
    assert!(answers(&large) > 8, "{}", answers(&large));
    assert_eq!(large.clone().merge(&small), 0);

    let shown = good(&["show", file]);
    let counted = format!("renju 15x15: {} answers, ", answers(&large));
    assert!(shown.contains(&counted), "{shown}");
    let probe = |moves: &str| good(&["probe", file, "--rule", "renju", "--moves", moves]);
    let known = large.answer(&position(15, "h8i9j10"), Rule::Renju).unwrap();
    let expected = format!("answer {} ", known.best().unwrap());
    assert!(probe("h8i9j10").starts_with(&expected), "{expected}");
    assert_eq!(probe("a1o15b1"), "nothing known\n");
    assert_eq!(good(&["probe", file, "--moves", "h8"]), "nothing known\n");
}

#[test]
fn searches_of_one_position_are_added() {
    let folder = folder("added");
    let path = folder.join("a.book");
    let file = text(&path);
    let add = |nodes: &str| {
        let moves = ["--size", "9", "--moves", "e5d4"];
        good(&[&["add", file, "--nodes", nodes], &moves[..]].concat())
    };
    assert!(add("500").starts_with("answer "));
    let nodes = || {
        let book = book::read(&path).unwrap();
        let entry = book.answer(&position(9, "e5d4"), Rule::Freestyle);
        entry.unwrap().work.nodes
    };
    let first = nodes();
    assert!(add("100").contains("not kept"));
    assert_eq!(nodes(), first);
    assert!(!add("2000").contains("not kept"));
    assert!(nodes() > first);
    let timed = ["add", file, "--time", "0.1", "--moves", "h8"];
    assert!(good(&timed).starts_with("answer "));
    assert_eq!(book::read(&path).unwrap().summaries().count(), 2);
}

#[test]
fn merging_leaves_its_sources() {
    let folder = folder("merged");
    let [one, two, out] = ["one", "two", "out"].map(|name| folder.join(name));
    for (path, moves) in [(&one, "h8"), (&two, "h8h9")] {
        good(&["add", text(path), "--nodes", "100", "--moves", moves]);
    }
    let sources = || [&one, &two].map(|path| fs::read(path).unwrap());
    let before = sources();
    good(&["merge", text(&one), text(&two), "-o", text(&out)]);
    assert_eq!(sources(), before);
    let merged = book::read(&out).unwrap();
    for moves in ["h8", "h8h9"] {
        let known = merged.answer(&position(15, moves), Rule::Freestyle);
        assert!(known.is_some(), "{moves}");
    }
}

#[test]
fn no_command_writes_over_what_is_no_whole_book() {
    let folder = folder("kept");
    let [good_path, bad_path, out] = ["good", "bad", "out"].map(|name| folder.join(name));
    write_book(&good_path);
    let whole = fs::read(&good_path).unwrap();
    let mut damaged = whole.clone();
    damaged[70] ^= 16;
    let mut newer = whole.clone();
    newer[8] = 2;
    let [good_file, bad_file, out_file] = [&good_path, &bad_path, &out].map(|path| text(path));
    for bytes in [&damaged[..], &newer, &whole[..30], b"YONSANTT", b""] {
        fs::write(&bad_path, bytes).unwrap();
        for arguments in [
            &["build", "-o", bad_file, "--plies", "1", "--nodes", "50"][..],
            &["add", bad_file, "--nodes", "50"],
            &["merge", good_file, good_file, "-o", bad_file],
            &["merge", good_file, bad_file, "-o", out_file],
            &["merge", bad_file, good_file, "-o", out_file],
            &["show", bad_file],
            &["probe", bad_file],
        ] {
            let refused = run(arguments);
            assert_eq!((refused.code, refused.stdout.as_str()), (1, ""));
            let expected = format!("error: {bad_file}: ");
            let last = refused.stderr.lines().last().unwrap();
            assert!(last.starts_with(&expected), "{arguments:?}: {last}");
            assert_eq!(fs::read(&bad_path).unwrap(), bytes, "{arguments:?}");
        }
    }
    assert_eq!(fs::read(&good_path).unwrap(), whole);
    assert_eq!(names(&folder), ["bad", "good"]);
}

/// A book of many positions, so that writing it takes a while.
fn large_book() -> Book {
    let mut book = Book::default();
    for side in 10..20 {
        let size = Size::square(side).unwrap();
        let points: Vec<Point> = size.points().collect();
        let mut random = Random::new(side.into());
        for _ in 0..2_000 {
            let mut free = points.clone();
            random.shuffle(&mut free);
            let position = Position::from_moves(size, &free[..12]).unwrap();
            let worth = Worth::Plain(0);
            let entry = Entry::new(Kind::Answer, worth, Work::default(), &free[12..13]);
            assert!(book.put(&position, Rule::Standard, entry));
        }
    }
    book
}

#[test]
fn whoever_is_killed_while_writing_leaves_a_whole_book() {
    let folder = folder("killed");
    let [path, large] = ["a.book", "large.book"].map(|name| folder.join(name));
    book::save(&mut large_book(), &large).unwrap();
    write_book(&path);
    let old = fs::read(&path).unwrap();
    let mut kills = 0;
    for round in 0..20 {
        fs::write(&path, &old).unwrap();
        let arguments = [
            "book",
            "merge",
            text(&large),
            text(&large),
            "-o",
            text(&path),
        ];
        let mut child = program(own(), &arguments).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(2 * round));
        let _ = child.kill();
        child.wait().unwrap();
        let book = book::read(&path).unwrap();
        assert!(
            book.answer(&position(15, "h8i9"), Rule::Freestyle)
                .is_some()
        );
        kills += usize::from(fs::read(&path).unwrap() == old);
    }
    assert!(kills > 0, "all runs were faster than the kill");
    good(&["merge", text(&large), text(&large), "-o", text(&path)]);
    assert_eq!(book::read(&path).unwrap().summaries().count(), 11);
}

#[test]
fn help_fits_on_a_terminal() {
    for name in ["build", "add", "show", "probe", "merge"] {
        let help = good(&[name, "--help"]);
        assert!(help.contains("Usage: pbrain-yonsan book"), "{help}");
        let widest = help.lines().max_by_key(|line| line.len()).unwrap();
        assert!(widest.len() <= 80, "{widest}");
    }
}

#[test]
fn senseless_arguments_are_refused() {
    for arguments in [
        &["build"][..],
        &["build", "-o", "x", "--nodes", "0"],
        &["build", "-o", "x", "--replies", "6"],
        &["build", "-o", "x", "--size", "4"],
        &["add", "x"],
        &["add", "x", "--time", "0"],
        &["probe", "x", "--moves", "h8z9"],
        &["merge", "x", "y"],
        &["show"],
    ] {
        let refused = run(arguments);
        assert_eq!(
            (refused.code, refused.stdout.as_str()),
            (2, ""),
            "{arguments:?}"
        );
    }
    let folder = folder("senseless");
    let file = folder.join("a.book");
    for moves in ["h8h8", "p1", "h8a1h9b1h10c1h11d1h12"] {
        let refused = run(&["add", text(&file), "--nodes", "9", "--moves", moves]);
        assert_eq!((refused.code, refused.stdout.as_str()), (1, ""), "{moves}");
        assert!(refused.stderr.starts_with("error: "), "{}", refused.stderr);
    }
    let openings = folder.join("openings.txt");
    fs::write(&openings, "h8\nh8h8\n").unwrap();
    let refused = run(&["build", "-o", text(&file), "--openings", text(&openings)]);
    assert_eq!(refused.code, 1);
    assert!(
        refused.stderr.ends_with(":2: h8 is taken\n"),
        "{}",
        refused.stderr
    );
    assert_eq!(names(&folder), ["openings.txt"]);
}
