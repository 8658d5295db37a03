//! What engines say about their search in MESSAGE lines, as far as it can be
//! understood. There is no standard; known are the ways of this project's
//! engine, Rapfi, Yixin, Embryo and their likes. Never fails: what is not
//! understood is not told.

/// Score of a win on the spot, in a [`crate::record::MoveRecord`].
pub const WIN_SCORE: i32 = 30_000;
/// Plain scores are kept clear of wins.
const MAX_PLAIN_SCORE: i32 = 20_000;

/// What was told about a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Told {
    /// For the side that thinks; wins as ±(30000 - plies).
    pub score: Option<i32>,
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Positions searched.
    pub nodes: Option<u64>,
}

/// Whether a line is a message and no answer: `MESSAGE ` or `DEBUG ` at its
/// start, in letters of any size.
#[must_use]
pub fn is_message(line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or("");
    word.eq_ignore_ascii_case("MESSAGE") || word.eq_ignore_ascii_case("DEBUG")
}

impl Told {
    /// Takes what a message tells; later messages replace earlier ones.
    pub fn read(&mut self, message: &str) {
        let lower = message.to_ascii_lowercase();
        let mut words = lower
            .split(|c: char| {
                c.is_whitespace() || matches!(c, '|' | ':' | '=' | ',' | ';' | '(' | ')')
            })
            .filter(|word| !word.is_empty());
        let Some(mut key) = words.next() else { return };
        for value in words {
            match std::mem::replace(&mut key, value) {
                "score" | "eval" | "ev" | "evaluation" | "value" | "val" => {
                    self.score = parse_score(value).or(self.score);
                }
                "depth" | "d" => self.depth = parse_depth(value).or(self.depth),
                "nodes" | "node" | "n" => self.nodes = parse_count(value).or(self.nodes),
                // The rest of the line is moves, where `d` can be a column.
                "pv" | "bestline" => break,
                _ => {}
            }
        }
    }
}

/// `45`, `-0.25`, `+M5`, `-M 4` without the blank, `#3`, `mate4`, `win`.
fn parse_score(text: &str) -> Option<i32> {
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    for prefix in ["mate", "m", "#"] {
        if let Some(plies) = rest.strip_prefix(prefix) {
            let plies: i32 = plies.parse().ok()?;
            return (0..WIN_SCORE - MAX_PLAIN_SCORE)
                .contains(&plies)
                .then_some(sign * (WIN_SCORE - plies));
        }
    }
    let number = rest.trim_end_matches('%');
    if !number.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    let value: f64 = number.parse().ok()?;
    // A fraction is in stones or a probability; a hundredth is the unit here.
    let is_fraction = number.contains('.') && value <= 1.0;
    let value = if is_fraction { value * 100.0 } else { value };
    let limit = f64::from(MAX_PLAIN_SCORE);
    Some(sign * value.round().min(limit) as i32)
}

/// `12`, `12-23` (the second is the deepest line) or `12/23`.
fn parse_depth(text: &str) -> Option<u32> {
    text.split(['-', '/']).next()?.parse().ok()
}

/// `1234`, `123k`, `4.5m`, `1g`.
fn parse_count(text: &str) -> Option<u64> {
    let factor = match text.chars().last()? {
        'k' => 1e3,
        'm' => 1e6,
        'g' | 'b' => 1e9,
        _ => return text.parse().ok(),
    };
    let value: f64 = text[..text.len() - 1].parse().ok()?;
    (value >= 0.0).then_some((value * factor) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(message: &str) -> (Option<i32>, Option<u32>, Option<u64>) {
        let mut told = Told::default();
        told.read(message);
        (told.score, told.depth, told.nodes)
    }

    #[test]
    fn messages_of_many_engines() {
        let cases = [
            (
                "MESSAGE depth 12-23 score +M5 nodes 123 speed 456 time 789 pv h8 d 9",
                (Some(29_995), Some(12), Some(123)),
            ),
            (
                "MESSAGE depth 3-5 score -40 nodes 9",
                (Some(-40), Some(3), Some(9)),
            ),
            (
                "MESSAGE Depth: 12-30 | Eval: 45 | Time: 345ms | h8 i9",
                (Some(45), Some(12), None),
            ),
            (
                "MESSAGE Speed 855K | Depth 10-20 | Eval -M4 | Node 1.5M | Time 98ms",
                (Some(-29_996), Some(10), Some(1_500_000)),
            ),
            (
                "MESSAGE depth 13-20 ev 12 n 18M n/ms 100 tm 500",
                (Some(12), Some(13), Some(18_000_000)),
            ),
            ("message ev 0.5", (Some(50), None, None)),
            ("MESSAGE ev=-0.25 d=7", (Some(-25), Some(7), None)),
            ("MESSAGE EV: 51.2", (Some(51), None, None)),
            ("MESSAGE eval +123456789", (Some(20_000), None, None)),
            ("MESSAGE score M99999", (None, None, None)),
            ("MESSAGE score", (None, None, None)),
            ("MESSAGE score é depth - n k", (None, None, None)),
            ("DEBUG my score is high, depth is low", (None, None, None)),
        ];
        for (message, expected) in cases {
            assert_eq!(told(message), expected, "{message}");
        }
    }

    #[test]
    fn later_messages_replace_earlier_ones() {
        let mut told = Told::default();
        told.read("MESSAGE depth 1 score 10 nodes 5");
        told.read("MESSAGE depth 2 score 20");
        told.read("MESSAGE hello");
        let expected = Told {
            score: Some(20),
            depth: Some(2),
            nodes: Some(5),
        };
        assert_eq!(told, expected);
    }

    #[test]
    fn messages_are_told_from_answers() {
        for line in ["MESSAGE x", "debug y", "Message", "MESSAGE\tx"] {
            assert!(is_message(line), "{line}");
        }
        for line in ["7,7", "", "MESSAGES", "OK", "ERROR MESSAGE"] {
            assert!(!is_message(line), "{line}");
        }
    }
}
