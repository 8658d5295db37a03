//! Rust source as tokens and comments: enough to find paths, macros and
//! `unsafe` without being misled by strings, comments and lifetimes.

use std::collections::BTreeMap;

/// A word, `::`, or a single other character.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    pub text: String,
    /// From 1.
    pub line: usize,
}

/// A file, read.
#[derive(Debug, Default)]
pub struct Source {
    pub tokens: Vec<Token>,
    /// The text of all comments on a line.
    pub comments: BTreeMap<usize, String>,
    /// Number of lines.
    pub line_count: usize,
}

impl Source {
    pub fn new(text: &str) -> Self {
        let mut reader = Reader {
            chars: text.chars().collect(),
            at: 0,
            line: 1,
            source: Self {
                line_count: text.lines().count(),
                ..Self::default()
            },
        };
        while reader.step() {}
        reader.source
    }

    /// The text of the token, or nothing behind the end.
    pub fn text(&self, index: usize) -> &str {
        self.tokens.get(index).map_or("", |token| &token.text)
    }
}

struct Reader {
    chars: Vec<char>,
    at: usize,
    line: usize,
    source: Source,
}

impl Reader {
    fn peek(&self, ahead: usize) -> char {
        self.chars.get(self.at + ahead).copied().unwrap_or('\0')
    }

    fn bump(&mut self) -> char {
        let c = self.peek(0);
        self.at += 1;
        if c == '\n' {
            self.line += 1;
        }
        c
    }

    /// Reads one token, string, comment or blank; false at the end.
    fn step(&mut self) -> bool {
        if self.at >= self.chars.len() {
            return false;
        }
        match (self.peek(0), self.peek(1)) {
            ('/', '/') => self.line_comment(),
            ('/', '*') => self.block_comment(),
            ('"', _) => self.string(),
            ('\'', _) => self.quote(),
            (c, _) if is_word(c) => self.word(),
            (':', ':') => {
                self.push("::".to_owned(), self.line);
                self.at += 2;
            }
            (c, _) => {
                if !c.is_whitespace() {
                    self.push(c.to_string(), self.line);
                }
                self.bump();
            }
        }
        true
    }

    fn push(&mut self, text: String, line: usize) {
        self.source.tokens.push(Token { text, line });
    }

    fn comment_char(&mut self) {
        let line = self.line;
        let c = self.bump();
        self.source.comments.entry(line).or_default().push(c);
    }

    fn line_comment(&mut self) {
        while self.at < self.chars.len() && self.peek(0) != '\n' {
            self.comment_char();
        }
    }

    fn block_comment(&mut self) {
        let mut depth = 0;
        while self.at < self.chars.len() {
            match (self.peek(0), self.peek(1)) {
                ('/', '*') => depth += 1,
                ('*', '/') => depth -= 1,
                _ => {
                    self.comment_char();
                    continue;
                }
            }
            self.comment_char();
            self.comment_char();
            if depth == 0 {
                return;
            }
        }
    }

    fn string(&mut self) {
        self.bump();
        while self.at < self.chars.len() {
            match self.bump() {
                '\\' => {
                    self.bump();
                }
                '"' => return,
                _ => {}
            }
        }
    }

    fn raw_string(&mut self) {
        let mut hashes = 0;
        while self.peek(0) == '#' {
            hashes += 1;
            self.bump();
        }
        self.bump();
        while self.at < self.chars.len() {
            let closes = (1..=hashes).all(|ahead| self.peek(ahead) == '#');
            if self.bump() == '"' && closes {
                self.at += hashes;
                return;
            }
        }
    }

    /// A character such as `'x'`, or a lifetime, which is no token here.
    fn quote(&mut self) {
        self.bump();
        if self.peek(0) == '\\' {
            self.bump();
            self.bump();
            while self.at < self.chars.len() && self.bump() != '\'' {}
        } else if self.peek(1) == '\'' {
            self.bump();
            self.bump();
        } else {
            while is_word(self.peek(0)) {
                self.bump();
            }
        }
    }

    fn word(&mut self) {
        let line = self.line;
        let mut text = String::new();
        while is_word(self.peek(0)) {
            text.push(self.bump());
        }
        let is_raw = matches!(text.as_str(), "r" | "br" | "cr");
        let is_prefix = matches!(text.as_str(), "b" | "c");
        match (self.peek(0), self.peek(1)) {
            ('"', _) if is_raw => self.raw_string(),
            ('#', '"' | '#') if is_raw => self.raw_string(),
            ('"', _) if is_prefix => self.string(),
            ('\'', _) if text == "b" => self.quote(),
            ('#', next) if text == "r" && is_word(next) => {
                // A raw identifier: the word behind the mark counts.
                self.bump();
                self.word();
            }
            _ => self.push(text, line),
        }
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
