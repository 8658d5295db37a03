//! Reading transcripts.

use fancy_regex::Regex;
use std::fmt;
use std::time::Duration;

/// What a line of a transcript does.
#[derive(Debug)]
pub(super) enum Step {
    /// Send a line; `{LAST}` stands for the last answer.
    Send(String),
    /// The next answer.
    Answer(Pattern),
    /// A message that came since the last sending, or comes.
    Message(Pattern),
    /// Ends sent lines from here on.
    LineEnd(&'static str),
    /// Time for the next answer.
    Max(Duration),
    /// No answer may come.
    Silence(Duration),
    /// Time between an answer and the next sending.
    Gap(Duration),
    Wait(Duration),
    /// Bytes without a line end.
    Raw(Vec<u8>),
    /// Answers passed over from here on.
    Skip(Pattern),
    Suspend,
    Resume,
    /// End of the engine's input.
    CloseInput,
    /// The process must end.
    Exit(Duration),
    /// The process must run.
    Alive,
    /// Unshared memory at most, in MiB.
    Memory(f64),
}

/// A pattern that a whole line must match.
#[derive(Debug)]
pub(super) struct Pattern {
    /// As it stands in the transcript.
    pub text: String,
    regex: Regex,
}

impl Pattern {
    /// `{Mn}` stands for a point of a board of n by n.
    fn new(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let regex = Regex::new(&format!("^(?:{})$", expand(text)?))
            .map_err(|error| format!("no pattern: {error}"))?;
        let text = text.to_owned();
        Ok(Self { text, regex })
    }

    pub(super) fn matches(&self, line: &str) -> bool {
        self.regex.is_match(line).unwrap_or(false)
    }
}

fn expand(text: &str) -> Result<String, String> {
    let mut expanded = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("{M") {
        expanded.push_str(before);
        let side = behind.split_once('}').and_then(|(number, behind)| {
            rest = behind;
            number.parse::<u32>().ok()
        });
        let side = side.ok_or("{M wants a number and }")?;
        // Longer numbers first: the first that fits is taken.
        let numbers: Vec<String> = (0..side).rev().map(|n| n.to_string()).collect();
        let one = format!("(?:{})", numbers.join("|"));
        expanded.push_str(&format!("(?:{one},{one})"));
    }
    expanded.push_str(rest);
    Ok(expanded)
}

/// A transcript that can be run.
#[derive(Debug)]
pub struct Transcript {
    /// Name of its file without extension.
    pub name: String,
    /// The comment at its head.
    pub about: String,
    /// Steps with the number and text of their line.
    pub(super) steps: Vec<(usize, String, Step)>,
}

/// A line that is no step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TranscriptError {
    /// Name of the transcript.
    pub name: String,
    /// Line, from 1.
    pub line: usize,
    /// What is wrong.
    pub problem: String,
}

impl fmt::Display for TranscriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.name, self.line, self.problem)
    }
}

impl std::error::Error for TranscriptError {}

impl Transcript {
    /// Reads a transcript, one step a line:
    ///
    /// - `> TEXT`: send the text and a line end; `{LAST}` is the last answer
    /// - `< PATTERN`: the next answer must match as a whole. Lines that begin
    ///   `MESSAGE ` or `DEBUG ` are no answers. `{M15}` is a point of a board
    ///   of 15 by 15
    /// - `<< PATTERN`: such a message must have come since the last sending,
    ///   or come now
    /// - `! max N`: the next answer must come within N milliseconds of the
    ///   last sending, otherwise within 10 seconds
    /// - `! none N`, `! wait N`, `! gap N`: no answer for N ms; sleep; wait
    ///   from here on N ms (30 at the start) before an answer is followed
    /// - `! eol crlf|lf|cr`, `! raw TEXT`, `! long N C`: line end from here
    ///   on; bytes with escapes such as `\x00`; N times the character C
    /// - `! skip PATTERN`: such answers are passed over from here on
    /// - `! sigstop`, `! sigcont`, `! eof`, `! exit N`, `! alive`, `! uss N`:
    ///   stop the process, let it go on, close its input, it must end within
    ///   N ms, it must run, its unshared memory is at most N MiB
    /// - `# TEXT` and blank lines mean nothing
    ///
    /// # Errors
    ///
    /// The first line that is none of these.
    pub fn parse(name: &str, text: &str) -> Result<Self, TranscriptError> {
        let mut steps = Vec::new();
        for (index, line) in text.lines().enumerate() {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let step = parse_step(line).map_err(|problem| TranscriptError {
                name: name.to_owned(),
                line: index + 1,
                problem,
            })?;
            steps.push((index + 1, line.to_owned(), step));
        }
        let about: Vec<&str> = text
            .lines()
            .map_while(|line| line.strip_prefix('#'))
            .map(str::trim)
            .collect();
        Ok(Self {
            name: name.to_owned(),
            about: about.join(" "),
            steps,
        })
    }
}

fn parse_step(line: &str) -> Result<Step, String> {
    if let Some(pattern) = line.strip_prefix("<<") {
        return Ok(Step::Message(Pattern::new(pattern)?));
    }
    if let Some(pattern) = line.strip_prefix('<') {
        return Ok(Step::Answer(Pattern::new(pattern)?));
    }
    if let Some(text) = line.strip_prefix('>') {
        return Ok(Step::Send(text.trim_start_matches(' ').to_owned()));
    }
    let Some(directive) = line.strip_prefix('!') else {
        return Err(format!("'{line}' is no step"));
    };
    let directive = directive.trim_start();
    let (word, rest) = directive.split_once(' ').unwrap_or((directive, ""));
    let number = || {
        rest.trim()
            .parse::<u64>()
            .map_err(|_| format!("'{word}' wants a number, not '{rest}'"))
    };
    let time = || number().map(Duration::from_millis);
    Ok(match word.trim() {
        "max" => Step::Max(time()?),
        "none" => Step::Silence(time()?),
        "gap" => Step::Gap(time()?),
        "wait" => Step::Wait(time()?),
        "exit" => Step::Exit(time()?),
        "uss" => Step::Memory(number()? as f64),
        "eol" => Step::LineEnd(match rest.trim() {
            "crlf" => "\r\n",
            "lf" => "\n",
            "cr" => "\r",
            other => return Err(format!("no line end '{other}'")),
        }),
        "raw" => Step::Raw(unescape(rest)?),
        "long" => long_line(rest)?,
        "skip" => Step::Skip(Pattern::new(rest)?),
        "sigstop" => Step::Suspend,
        "sigcont" => Step::Resume,
        "eof" => Step::CloseInput,
        "alive" => Step::Alive,
        other => return Err(format!("no directive '{other}'")),
    })
}

/// `N C`: so many times the character, as a line to send.
fn long_line(text: &str) -> Result<Step, String> {
    let mut words = text.split_whitespace();
    let count = words.next().and_then(|word| word.parse().ok());
    match (count, words.next()) {
        (Some(count), Some(character)) => Ok(Step::Send(character.repeat(count))),
        _ => Err("'long' wants a number and a character".to_owned()),
    }
}

/// Bytes from a text with the escapes `\r \n \t \0 \\ \xHH`.
fn unescape(text: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            bytes.extend(c.to_string().as_bytes());
            continue;
        }
        bytes.push(match rest.next() {
            Some('r') => b'\r',
            Some('n') => b'\n',
            Some('t') => b'\t',
            Some('0') => 0,
            Some('\\') => b'\\',
            Some('x') => {
                let digits: String = rest.by_ref().take(2).collect();
                u8::from_str_radix(&digits, 16).map_err(|_| format!("no byte '\\x{digits}'"))?
            }
            other => return Err(format!("no escape '\\{}'", other.unwrap_or(' '))),
        });
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_whole_lines() {
        let free = Pattern::new("(?!7,7$){M15}").unwrap();
        assert!(free.matches("14,0") && free.matches("7,8") && free.matches("0,14"));
        assert!(!free.matches("7,7") && !free.matches("15,0") && !free.matches("7,8 "));
        assert!(!free.matches("x7,8"));
        let either = Pattern::new("UNKNOWN.*|{M15} {M15}").unwrap();
        assert!(either.matches("UNKNOWN command") && either.matches("1,2 3,4"));
        assert!(!either.matches("1,2"));
        assert!(Pattern::new("{M15").is_err() && Pattern::new("(").is_err());
    }

    #[test]
    fn bytes_are_unescaped() {
        assert_eq!(unescape(r"a\x00\xff\r\n\\").unwrap(), b"a\0\xff\r\n\\");
        assert!(unescape(r"\q").is_err() && unescape(r"\xzz").is_err());
    }

    #[test]
    fn bad_lines_are_told() {
        for (text, line) in [
            ("# fine\n\n> START\nSTART", 4),
            ("! dance", 1),
            ("! max soon", 1),
            ("! eol vt", 1),
            ("< (", 1),
            ("! long 5", 1),
        ] {
            let error = Transcript::parse("t", text).unwrap_err();
            assert_eq!(error.line, line, "{error}");
        }
    }

    #[test]
    fn the_head_tells_what_it_is_about() {
        let transcript = Transcript::parse("t", "# One\n#  two.\n> START 15\n# three").unwrap();
        assert_eq!(transcript.about, "One two.");
        assert_eq!(transcript.steps.len(), 1);
    }
}
