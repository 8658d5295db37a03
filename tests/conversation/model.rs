//! A plain model of the protocol: which line deserves which answer.
//!
//! Knows nothing of time or strength. Written from the protocol's rules, not
//! from the program, and shares no code with it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Lines far beyond this are cut by the program; none is anywhere near it.
const LONGEST_LINE: usize = 16_384;
/// Managers have fixed buffers.
const LONGEST_ANSWER: usize = 1_000;

type Place = (u32, u32);

/// What a line deserves.
#[derive(Debug)]
enum Deserved {
    Nothing,
    Start(&'static str),
    Exactly(String),
    Move,
    TwoMoves,
    /// The first stones of an opening.
    Three,
    /// A colour, told by `SWAP` or a move, or two stones more if that is allowed.
    Choice {
        may_add: bool,
    },
}

impl Deserved {
    /// Whether the answer takes thinking, which the end of the input can cut.
    fn takes_thought(&self) -> bool {
        matches!(
            self,
            Self::Move | Self::TwoMoves | Self::Three | Self::Choice { .. }
        )
    }
}

/// A line as the model sees it.
enum Line {
    Command(String, String),
    /// `INFO`, stops and the like: no answer, no effect here.
    Silent,
    End,
    /// No command.
    Other(String),
}

enum Mode {
    Command,
    /// The word that opened the block, and the stones so far.
    Block(String, BTreeMap<Place, u8>),
    Path,
}

/// The state of the conversation.
struct Model {
    size: Option<Place>,
    stones: BTreeSet<Place>,
    blocked: BTreeSet<Place>,
    mode: Mode,
    /// Lines of the block so far.
    line_count: usize,
}

/// Says what is wrong with the output.
pub fn judge(input: &[u8], output: &[u8]) -> Result<(), String> {
    let mut answers = answers(output)?;
    let mut model = Model {
        size: None,
        stones: BTreeSet::new(),
        blocked: BTreeSet::new(),
        mode: Mode::Command,
        line_count: 0,
    };
    let lines = lines(input);
    let mut is_unanswered = false;
    let mut rest = lines.into_iter();
    while let Some(line) = rest.next() {
        let shown = match &line {
            Line::End if answers.is_empty() => return Ok(()),
            Line::End => return Err(format!("{answers:?} after END")),
            Line::Silent => {
                model.end_path();
                continue;
            }
            Line::Command(word, rest) => format!("{word} {rest}"),
            Line::Other(text) => text.chars().take(80).collect(),
        };
        if is_unanswered {
            // END waits a moment for a search, not for ever.
            let is_ended = rest.any(|line| matches!(line, Line::End));
            return if is_ended {
                Ok(())
            } else {
                Err(format!("no move before {shown:?}"))
            };
        }
        match model.take(line) {
            Deserved::Nothing => {}
            deserved if deserved.takes_thought() && answers.is_empty() => is_unanswered = true,
            deserved => {
                let answer = answers.pop_front();
                let answer = answer.ok_or(format!("no answer to {shown:?}"))?;
                if !model.accepts(&deserved, &answer) {
                    return Err(format!("{shown:?} deserved {deserved:?}, got {answer:?}"));
                }
            }
        }
    }
    if is_unanswered || !answers.is_empty() {
        return Err(format!("left at the end: {answers:?}"));
    }
    Ok(())
}

/// The lines of the output that are answers, all of them well-formed.
fn answers(output: &[u8]) -> Result<VecDeque<String>, String> {
    let text = std::str::from_utf8(output).map_err(|e| e.to_string())?;
    if !text.is_empty() && !text.ends_with('\n') {
        return Err("the last line has no end".to_owned());
    }
    let mut answers = VecDeque::new();
    for line in text.lines() {
        if line.len() > LONGEST_ANSWER || !line.bytes().all(|b| (b' '..=b'~').contains(&b)) {
            return Err(format!("a line that nobody can read: {line:?}"));
        }
        // INFO lines come only if the manager has asked for details.
        if !line.starts_with("MESSAGE ") && !line.starts_with("INFO ") {
            answers.push_back(line.to_owned());
        }
    }
    Ok(answers)
}

/// The lines of the input that are not blank.
fn lines(input: &[u8]) -> Vec<Line> {
    let mut lines = Vec::new();
    for bytes in input.split(|&b| b == b'\n' || b == b'\r') {
        let is_cut = bytes.len() > LONGEST_LINE;
        let text = String::from_utf8_lossy(bytes);
        let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
        if text.is_empty() {
            continue;
        }
        let word = text.split_whitespace().next().unwrap_or_default();
        let rest = text[word.len()..].trim().to_owned();
        let word = word.to_ascii_uppercase();
        lines.push(match word.as_str() {
            "INFO" => Line::Silent,
            _ if is_cut => Line::Other(String::new()),
            "STOP" | "YXSTOP" => Line::Silent,
            "END" => Line::End,
            "START" | "RECTSTART" | "RESTART" | "BEGIN" | "TURN" | "PLAY" | "TAKEBACK"
            | "BOARD" | "SWAP2BOARD" | "ABOUT" => Line::Command(word, rest),
            _ if word.starts_with("YX") => Line::Command(word, rest),
            _ => Line::Other(text.to_owned()),
        });
    }
    lines
}

/// Decimal numbers with commas between, and how many there are.
fn numbers(text: &str) -> Option<Vec<u32>> {
    text.split(',')
        .map(str::trim)
        .map(|part| {
            part.bytes()
                .all(|b| b.is_ascii_digit())
                .then(|| part.parse().ok())?
        })
        .collect()
}

fn place(text: &str) -> Option<Place> {
    match numbers(text)?[..] {
        [x, y] => Some((x, y)),
        _ => None,
    }
}

const ERROR: Deserved = Deserved::Start("ERROR ");
const UNKNOWN: Deserved = Deserved::Start("UNKNOWN ");

fn ok() -> Deserved {
    Deserved::Exactly("OK".to_owned())
}

impl Model {
    fn accepts(&mut self, deserved: &Deserved, answer: &str) -> bool {
        match deserved {
            Deserved::Nothing => false,
            Deserved::Start(start) => answer.starts_with(start),
            Deserved::Exactly(text) => answer == text,
            Deserved::Move => self.puts(answer, 1),
            Deserved::TwoMoves => self.puts(answer, 2),
            Deserved::Three => self.puts(answer, 3),
            Deserved::Choice { may_add } => {
                answer == "SWAP" || self.puts(answer, 1) || *may_add && self.puts(answer, 2)
            }
        }
    }

    /// Whether the answer is so many free points with one blank between; they
    /// are taken then.
    fn puts(&mut self, answer: &str, count: usize) -> bool {
        let texts: Vec<&str> = answer.split(' ').collect();
        texts.len() == count && texts.into_iter().all(|text| self.put(text))
    }

    fn put(&mut self, text: &str) -> bool {
        let parts = text.split_once(',');
        let is_plain = parts.is_some_and(|(x, y)| {
            [x, y]
                .iter()
                .all(|n| n.parse::<u32>().is_ok_and(|value| value.to_string() == **n))
        });
        let point = place(text).filter(|&p| is_plain && self.is_free(p));
        point.is_some_and(|point| self.stones.insert(point))
    }

    fn is_free(&self, (x, y): Place) -> bool {
        let is_inside = self.size.is_some_and(|(w, h)| x < w && y < h);
        is_inside && !self.stones.contains(&(x, y)) && !self.blocked.contains(&(x, y))
    }

    /// A known command where a path should be is no path, and obeyed.
    fn end_path(&mut self) {
        if matches!(self.mode, Mode::Path) {
            self.mode = Mode::Command;
        }
    }

    fn take(&mut self, line: Line) -> Deserved {
        match (std::mem::replace(&mut self.mode, Mode::Command), line) {
            (Mode::Block(word, stones), Line::Other(text)) => self.take_entry(word, stones, &text),
            (Mode::Path, Line::Other(_)) | (_, Line::Silent | Line::End) => Deserved::Nothing,
            (Mode::Command, Line::Other(_)) => UNKNOWN,
            (_, Line::Command(word, rest)) => self.obey(word, &rest),
        }
    }

    fn obey(&mut self, word: String, rest: &str) -> Deserved {
        match word.as_str() {
            "ABOUT" => Deserved::Start("name="),
            "START" => self.start(start_size(rest)),
            "RECTSTART" => self.start(place(rest)),
            "RESTART" => self.start(self.size),
            "BEGIN" if self.stones.is_empty() => self.think(),
            "BEGIN" => ERROR,
            "TURN" | "PLAY" => match place(rest).filter(|&point| self.is_free(point)) {
                None => ERROR,
                Some(point) => {
                    self.stones.insert(point);
                    if word == "TURN" {
                        self.think()
                    } else {
                        Deserved::Exactly(format!("{},{}", point.0, point.1))
                    }
                }
            },
            "TAKEBACK" => match place(rest) {
                Some(point) if self.stones.remove(&point) => ok(),
                _ => ERROR,
            },
            "YXNBEST" | "YXBALANCEONE" | "YXSEARCHDEFEND" => self.think(),
            "YXBALANCETWO" => match self.free_count() {
                Some(2..) => Deserved::TwoMoves,
                _ => ERROR,
            },
            "YXSHOWFORBID" => Deserved::Start("FORBID "),
            "YXSHOWINFO" | "YXHASHCLEAR" | "YXSHOWHASHUSAGE" | "YXBLOCKRESET"
            | "YXBLOCKPATHRESET" | "YXSWAP2STEP1" | "YXSWAP2STEP2" | "YXSWAP2STEP3" => {
                Deserved::Nothing
            }
            "YXHASHDUMP" | "YXHASHLOAD" | "YXSETDATABASE" | "YXDBTOPOS" | "YXDBTOTXT"
            | "YXTXTTODB" => {
                self.mode = Mode::Path;
                Deserved::Nothing
            }
            _ if opens_block(&word) => self.open(word, rest),
            _ => UNKNOWN,
        }
    }

    fn start(&mut self, size: Option<Place>) -> Deserved {
        let range = 5..=22;
        match size {
            Some((width, height)) if range.contains(&width) && range.contains(&height) => {
                self.size = size;
                self.stones.clear();
                self.blocked.clear();
                ok()
            }
            _ => ERROR,
        }
    }

    fn think(&self) -> Deserved {
        match self.free_count() {
            Some(1..) => Deserved::Move,
            _ => ERROR,
        }
    }

    fn free_count(&self) -> Option<usize> {
        let (width, height) = self.size?;
        let taken = self.stones.len() + self.blocked.len();
        Some((width * height) as usize - taken)
    }

    fn open(&mut self, word: String, rest: &str) -> Deserved {
        self.line_count = 0;
        let mut mode = Mode::Block(word, BTreeMap::new());
        for text in rest.split_whitespace() {
            let Mode::Block(word, stones) = mode else {
                break;
            };
            let deserved = self.take_entry(word, stones, text);
            mode = std::mem::replace(&mut self.mode, Mode::Command);
            if text.eq_ignore_ascii_case("DONE") {
                return deserved;
            }
        }
        self.mode = mode;
        Deserved::Nothing
    }

    /// Takes a line of a block; `DONE` closes it.
    fn take_entry(
        &mut self,
        word: String,
        mut stones: BTreeMap<Place, u8>,
        text: &str,
    ) -> Deserved {
        if text.eq_ignore_ascii_case("DONE") {
            return self.close(&word, &stones);
        }
        self.line_count += 1;
        let owned = text.rsplit_once(',').and_then(|(text, kind)| {
            let kind = match kind.trim() {
                "1" => 1,
                "2" => 2,
                "3" => 3,
                _ => return None,
            };
            Some((place(text)?, kind))
        });
        // Stones of an opening need no owner.
        let bare = || Some((place(text)?, 1)).filter(|_| word == "SWAP2BOARD");
        let stone = owned.or_else(bare);
        let is_inside = |&((x, y), _): &(Place, u8)| self.size.is_some_and(|(w, h)| x < w && y < h);
        if let Some((point, kind)) = stone.filter(is_inside) {
            stones.entry(point).or_insert(kind);
        }
        self.mode = Mode::Block(word, stones);
        Deserved::Nothing
    }

    fn close(&mut self, word: &str, stones: &BTreeMap<Place, u8>) -> Deserved {
        match word {
            "BOARD" | "YXBOARD" => {
                let (blocked, owned): (Vec<_>, Vec<_>) =
                    stones.iter().partition(|(_, kind)| **kind == 3);
                self.blocked = blocked.into_iter().map(|(&point, _)| point).collect();
                self.stones = owned.into_iter().map(|(&point, _)| point).collect();
                if word == "BOARD" {
                    self.think()
                } else {
                    Deserved::Nothing
                }
            }
            "SWAP2BOARD" if self.size.is_none() => ERROR,
            "SWAP2BOARD" => {
                self.blocked.clear();
                self.stones = stones.keys().copied().collect();
                let is_sound = self.line_count == stones.len();
                match self.line_count {
                    0 => Deserved::Three,
                    3 if is_sound => Deserved::Choice { may_add: true },
                    5 if is_sound => Deserved::Choice { may_add: false },
                    _ => self.think(),
                }
            }
            _ => Deserved::Nothing,
        }
    }
}

/// `15`, or `15 15` of which the second number does not matter.
fn start_size(text: &str) -> Option<Place> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let all_digits = words.iter().all(|w| w.bytes().all(|b| b.is_ascii_digit()));
    match words[..] {
        [side] | [side, _] if all_digits => side.parse().ok().map(|side| (side, side)),
        _ => None,
    }
}

fn opens_block(word: &str) -> bool {
    let foreign = ["YXBLOCK", "YXQUERYDATABASE", "YXEDIT", "YXDELETE"];
    matches!(word, "BOARD" | "YXBOARD" | "SWAP2BOARD")
        || word.starts_with("YX") && word.ends_with("DATABASE")
        || foreign.iter().any(|start| word.starts_with(start))
}
