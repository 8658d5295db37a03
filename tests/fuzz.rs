//! Random conversations with the protocol layer, in this process.
//!
//! Lines of the transcripts and of a small grammar are put together, damaged
//! and sent in pieces of any size. Afterwards a plain model of the protocol
//! walks through input and output side by side: every line must have got the
//! answer it deserves, in order, and nothing else may have been said.
//!
//! `YONSAN_FUZZ_SECONDS` says for how long (3 if not set), `YONSAN_FUZZ_SEED`
//! where to begin; a failure names its seed.

mod conversation {
    pub mod input;
    pub mod model;
}

use conversation::input::{self, Feed, Gate};
use conversation::model;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};
use yonsan::protocol::{Settings, run};

/// A conversation that takes longer hangs.
const CASE_MAX: Duration = Duration::from_secs(60);
/// A failure shows so much of the input; the seed gives the rest.
const SHOWN_INPUT: usize = 4_000;

fn from_environment(name: &str, default: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name}={text}")),
        Err(_) => default,
    }
}

/// Every line that a transcript sends.
fn corpus() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/protocol");
    let mut lines: Vec<Vec<u8>> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap())
        .flat_map(|text| {
            let sent = text.lines().filter_map(|line| line.strip_prefix("> "));
            // What is damaged must not name a file.
            sent.filter(|line| !line.starts_with("yxhash"))
                .map(|line| line.replace("{LAST}", "7,8").into_bytes())
                .collect::<Vec<_>>()
        })
        .collect();
    // The order of a folder is the system's affair, a seed's meaning is not.
    lines.sort();
    lines.dedup();
    assert!(lines.len() > 100);
    lines
}

/// Sends what the program writes to the gate that holds the end of input.
struct Output(Arc<Gate>);

impl io::Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Holds one conversation and judges it.
fn converse(input: Vec<u8>, seed: u64) -> Result<(), String> {
    let gate = Arc::new(Gate::new(input::LAST_WORD));
    let feed = Feed::new(input.clone(), seed, Arc::clone(&gate));
    let output = Output(Arc::clone(&gate));
    let settings = Settings {
        threads: Some(1),
        memory_bytes: Some(64 << 20),
        seed: Some(seed),
        ..Settings::default()
    };
    let (sender, result) = mpsc::channel();
    thread::spawn(move || {
        let _ = sender.send(run(feed, output, settings));
    });
    match result.recv_timeout(CASE_MAX) {
        Ok(Ok(())) => model::judge(&input, &gate.written()),
        Ok(Err(error)) => Err(format!("run failed: {error}")),
        Err(mpsc::RecvTimeoutError::Timeout) => Err("run did not end".to_owned()),
        Err(mpsc::RecvTimeoutError::Disconnected) => Err("run panicked".to_owned()),
    }
}

#[test]
fn random_conversations() {
    let corpus = corpus();
    let seconds = from_environment("YONSAN_FUZZ_SECONDS", 3);
    let first = from_environment("YONSAN_FUZZ_SEED", 1);
    let deadline = Instant::now() + Duration::from_secs(seconds);
    let mut seed = first;
    while Instant::now() < deadline || seed == first {
        let input = input::random_input(&corpus, seed);
        if let Err(failure) = converse(input.clone(), seed) {
            let shown = input.escape_ascii().to_string();
            let shown: String = shown.chars().take(SHOWN_INPUT).collect();
            panic!("seed {seed}: {failure}\ninput: \"{shown}\"");
        }
        seed += 1;
    }
    println!("{} conversations", seed - first);
}

#[test]
fn the_model_finds_faults() {
    let judge = |input: &str, output: &str| model::judge(input.as_bytes(), output.as_bytes());
    let start = "START 15\nTURN 7,7\nABOUT\n";
    for (input, output) in [
        (start, "OK\nMESSAGE x\n7,8\nname=\n"),
        ("TURN 1,1\rBOARD\r1,1,1\rDONE", "ERROR a\nERROR b\n"),
        ("START 15\nTURN 7,7\nEND\nABOUT", "OK\n"),
        ("START 15\nTURN 7,7\nEND\nABOUT", "OK\n1,1\n"),
        (
            "START 15\nBOARD\n7,7,1\nABOUT\nDONE",
            "OK\nname=\nUNKNOWN x\n",
        ),
        ("START 9\nSWAP2BOARD DONE", "OK\n1,1 2,2 3,3\n"),
        ("START 9\nSWAP2BOARD 1,1 2,2 3,3 DONE", "OK\nSWAP\n"),
        ("START 9\nSWAP2BOARD 1,1 2,2 3,3 DONE", "OK\n4,4 5,5\n"),
        ("START 9\nSWAP2BOARD 1,1 2,2 DONE", "OK\n4,4\n"),
        ("\u{1}\n\n  \nINFO x\nSTOP\n", "UNKNOWN x\n"),
        (
            "START 5\nyxbalancetwo 0\nyxblock\n9,9\ndone\nyxsearchdefend",
            "OK\n1,1 2,2\nMESSAGE x\n3,3\n",
        ),
        ("yxbalancetwo 0", "ERROR x\n"),
    ] {
        assert_eq!(judge(input, output), Ok(()), "{input:?} {output:?}");
    }
    for (input, output) in [
        (start, "OK\nname=\n"),
        (start, "OK\n7,8\n"),
        (start, "OK\n7,7\nname=\n"),
        (start, "OK\n15,0\nname=\n"),
        (start, "OK\n7,8\n7,9\nname=\n"),
        (start, "OK\n7,8\nname=\nname=\n"),
        (start, "OK\n7,8 \nname=\n"),
        ("START 5\nyxbalancetwo 0", "OK\n1,1 1,1\n"),
        ("START 5\nyxbalancetwo 0", "OK\n1,1\n"),
        ("START 5\nyxbalanceone 0", "OK\n1,1 2,2\n"),
        (start, "OK\nname=\n7,8\n"),
        (start, "OK\nMESSAGE\n7,8\nname=\n"),
        (start, "OK\n7,8\nname="),
        ("START 4\n", "OK\n"),
        ("START 9\nSWAP2BOARD DONE", "OK\n1,1 2,2 1,1\n"),
        ("START 9\nSWAP2BOARD DONE", "OK\n1,1  2,2 3,3\n"),
        ("START 9\nSWAP2BOARD 1,1 2,2 3,3 DONE", "OK\n3,3\n"),
        ("START 9\nSWAP2BOARD 1,1 2,2 2,2 DONE", "OK\nSWAP\n"),
        (
            "START 9\nSWAP2BOARD 1,1 2,2 3,3 4,4 5,5 DONE",
            "OK\n6,6 7,7\n",
        ),
        ("FOO\n", "ERROR x\n"),
        ("FOO\n", "UNKNOWN \u{7}\n"),
        ("INFO rule 0\n", "OK\n"),
        ("START 15\nTURN 7,7\nFOO\nEND\n", "OK\nUNKNOWN x\n"),
    ] {
        assert!(judge(input, output).is_err(), "{input:?} {output:?}");
    }
}
