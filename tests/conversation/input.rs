//! Random input, and the reader that hands it out in pieces.

use std::io;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Duration;

/// The last line of every input; its echo tells that all else is done.
pub const LAST_WORD: &str = "LAST-WORD";

/// How long the end of the input is held back for the last answer.
const GATE_MAX: Duration = Duration::from_secs(30);

/// A small random number generator (SplitMix64).
pub struct Random(u64);

impl Random {
    /// One whose numbers depend on the seed only.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    fn one_in(&mut self, bound: usize) -> bool {
        self.below(bound) == 0
    }

    fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// A conversation from a manager that is not quite well.
pub fn random_input(corpus: &[Vec<u8>], seed: u64) -> Vec<u8> {
    let mut random = Random::new(seed);
    let mut input = Vec::new();
    if !random.one_in(8) {
        input.extend_from_slice(b"START 15\n");
    }
    for _ in 0..5 + random.below(60) {
        // A line that names a file is never damaged: who knows what it names then.
        let names_a_file = random.one_in(40);
        let mut piece = if names_a_file {
            hash_file(&mut random)
        } else if random.one_in(2) {
            random.pick(corpus).clone()
        } else {
            sentence(&mut random)
        };
        if !names_a_file && random.one_in(5) {
            damage(&mut piece, corpus, &mut random);
        }
        let end = *random.pick(&["\n", "\r\n", "\r", "\n\n"]);
        for _ in 0..1 + usize::from(random.one_in(20)) {
            input.extend_from_slice(&piece);
            input.extend_from_slice(end.as_bytes());
        }
    }
    input.extend_from_slice(format!("\nABOUT\n{LAST_WORD}\n").as_bytes());
    input
}

/// A command about a table in a file, and the file's name.
fn hash_file(random: &mut Random) -> Vec<u8> {
    let command = random.pick(&["yxhashdump", "yxhashload", "YXHASHLOAD"]);
    let number = random.below(3);
    let folder = env!("CARGO_TARGET_TMPDIR");
    format!("{command}\n{folder}/fuzz hash {number}").into_bytes()
}

/// A command, or a few lines, that may well be in order.
fn sentence(random: &mut Random) -> Vec<u8> {
    let mut point = || format!("{},{}", random.below(16), random.below(16));
    let (first, second, third) = (point(), point(), point());
    let text = match random.below(22) {
        0 => format!("START {}", random.below(24)),
        1 => format!("RECTSTART {first}"),
        2 | 3 => format!("TURN {first}"),
        4 => format!("BOARD\n{first},1\n{second},2\n{third},3\nDONE"),
        5 => format!("BOARD {first},1 {second},2 DONE"),
        6 => format!("YXBOARD\r\n{first},2\r\n{second},1\r\n{third},2\r\nDONE"),
        7 => format!("TAKEBACK {first}"),
        8 => format!("TURN {first}\nTAKEBACK {first}"),
        9 => format!("PLAY {first}\nyxnbest 2"),
        10 => format!("INFO rule {}", random.below(12)),
        11 => format!("yxbalanceone {first}"),
        12 => format!("YXBALANCETWO {}", random.below(99)),
        13 => "yxsearchdefend".to_owned(),
        14 => format!("yxblock\n{first}\n{second}\nDONE"),
        15 => format!("yxblockundo {first} done\nyxblockreset"),
        16 => format!("INFO level {}", random.below(12)),
        17 => format!("INFO pondering {}", random.below(2)),
        18 => format!("INFO show_detail {}\nyxshowhashusage", random.below(4)),
        19 => "SWAP2BOARD\nDONE".to_owned(),
        20 => format!("SWAP2BOARD\n{first}\n{second}\n{third}\nDONE"),
        _ => format!("INFO timeout_turn {}", random.below(30)),
    };
    text.into_bytes()
}

/// Does one bad thing to a piece of input.
fn damage(piece: &mut Vec<u8>, corpus: &[Vec<u8>], random: &mut Random) {
    let place = random.below(piece.len().max(1)).min(piece.len());
    match random.below(7) {
        0 => {
            if let Some(byte) = piece.get_mut(place) {
                *byte ^= 1 << random.below(8);
            }
        }
        1 => piece.truncate(place),
        2 => piece.insert(place, random.below(256) as u8),
        3 => {
            piece.drain(..place);
        }
        4 => {
            piece.truncate(place);
            let other = random.pick(corpus);
            piece.extend_from_slice(&other[random.below(other.len())..]);
        }
        5 => {
            let copy = piece.clone();
            piece.extend_from_slice(&copy);
        }
        _ => {
            if random.one_in(4) {
                let byte = *random.pick(b"A7, \x00\xff");
                piece.extend(std::iter::repeat_n(byte, 100_000));
            } else {
                piece.make_ascii_lowercase();
            }
        }
    }
}

/// Collects output and opens when a word has come.
pub struct Gate {
    word: &'static str,
    output: Mutex<Vec<u8>>,
    changed: Condvar,
}

impl Gate {
    /// A gate that waits for the word.
    pub fn new(word: &'static str) -> Self {
        Self {
            word,
            output: Mutex::new(Vec::new()),
            changed: Condvar::new(),
        }
    }

    /// Takes output.
    pub fn write(&self, bytes: &[u8]) {
        self.output.lock().unwrap().extend_from_slice(bytes);
        self.changed.notify_all();
    }

    /// All output so far.
    pub fn written(&self) -> Vec<u8> {
        self.output.lock().unwrap().clone()
    }

    fn wait(&self) {
        let has_word = |output: &mut Vec<u8>| {
            let mut windows = output.windows(self.word.len());
            !windows.any(|window| window == self.word.as_bytes())
        };
        let output = self.output.lock().unwrap();
        let waited = self.changed.wait_timeout_while(output, GATE_MAX, has_word);
        drop(waited);
    }
}

/// A reader of random pieces, whose end waits for the gate.
pub struct Feed {
    input: Vec<u8>,
    place: usize,
    random: Random,
    gate: Arc<Gate>,
}

impl Feed {
    /// A reader of `input`.
    pub fn new(input: Vec<u8>, seed: u64, gate: Arc<Gate>) -> Self {
        Self {
            input,
            place: 0,
            random: Random::new(!seed),
            gate,
        }
    }
}

impl io::Read for Feed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let rest = &self.input[self.place..];
        if rest.is_empty() {
            self.gate.wait();
            return Ok(0);
        }
        if self.random.one_in(12) {
            thread::sleep(Duration::from_millis(self.random.below(4) as u64));
        }
        if self.random.one_in(50) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let longest = *self.random.pick(&[1, 5, 60, 1_000, 100_000]);
        let len = (1 + self.random.below(longest))
            .min(rest.len())
            .min(buffer.len());
        buffer[..len].copy_from_slice(&rest[..len]);
        self.place += len;
        Ok(len)
    }
}
