//! Command lines of engines: splitting into words, finding the program.

use std::fmt;
use std::path::{Path, PathBuf};

/// A command line that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandLineError {
    /// There is no word in it.
    Empty,
    /// A quote is opened and never closed; the text.
    OpenQuote(String),
}

impl fmt::Display for CommandLineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("the command is empty"),
            Self::OpenQuote(text) => write!(f, "a quote is not closed in: {text}"),
        }
    }
}

impl std::error::Error for CommandLineError {}

/// Splits a text into words at blanks. Single and double quotes keep blanks;
/// a backslash takes the special meaning off a following blank, quote or
/// backslash and is an ordinary character otherwise, as in Windows paths.
///
/// # Errors
///
/// If a quote is not closed.
///
/// # Examples
///
/// ```
/// let words = arena::process::split_words(r#"wine "C:\my engines\a.exe" -x"#).unwrap();
/// assert_eq!(words, ["wine", r"C:\my engines\a.exe", "-x"]);
/// ```
pub fn split_words(text: &str) -> Result<Vec<String>, CommandLineError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let special = |c: &char| matches!(c, '"' | '\'' | '\\') || c.is_whitespace();
        match (quote, character) {
            (Some(open), c) if c == open => quote = None,
            (None, c @ ('"' | '\'')) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None | Some('"'), '\\') if characters.peek().is_some_and(special) => {
                word.get_or_insert_default().extend(characters.next());
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        return Err(CommandLineError::OpenQuote(text.to_owned()));
    }
    words.extend(word);
    Ok(words)
}

/// A program, its arguments and the directory it is to run in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// Program and arguments, at least the program.
    pub words: Vec<String>,
    /// Working directory; `None` for the arena's own.
    pub directory: Option<PathBuf>,
}

impl Launch {
    /// Reads a command line. Without `directory` the engine runs in the
    /// directory of its program, as the managers do it; the program is then
    /// named by its full path, so that relative commands work. In
    /// `wine PATH` the program is PATH.
    ///
    /// # Errors
    ///
    /// If the text is empty or a quote is not closed.
    pub fn new(command: &str, directory: Option<&Path>) -> Result<Self, CommandLineError> {
        let mut words = split_words(command)?;
        let Some(first) = words.first() else {
            return Err(CommandLineError::Empty);
        };
        let is_loader = Path::new(first)
            .file_name()
            .is_some_and(|name| matches!(name.to_str(), Some("wine" | "wine64")));
        let index = usize::from(is_loader && words.len() > 1);
        let mut home = None;
        if let Some(path) = full_path(&words[index]) {
            home = path.parent().map(Path::to_owned);
            words[index] = path.to_string_lossy().into_owned();
        }
        let directory = directory.map(Path::to_owned).or(home);
        Ok(Self { words, directory })
    }

    /// The name of the program without directory, extension and the prefix
    /// `pbrain-`: what an engine is called when it is given no name.
    #[must_use]
    pub fn short_name(&self) -> String {
        let program = self
            .words
            .iter()
            .find(|word| !matches!(word.as_str(), "wine" | "wine64"));
        let file = program
            .and_then(|word| word.rsplit(['/', '\\']).next())
            .unwrap_or("engine");
        let stem = file.strip_suffix(".exe").unwrap_or(file);
        let name = stem.strip_prefix("pbrain-").unwrap_or(stem);
        if name.is_empty() { file } else { name }.to_owned()
    }
}

/// The full path of a program given with a directory; `None` for a bare name,
/// which is looked for in PATH.
fn full_path(word: &str) -> Option<PathBuf> {
    let path = Path::new(word);
    if path.components().count() < 2 {
        return None;
    }
    let path = std::path::absolute(path).ok()?;
    path.is_file().then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_with_blanks_and_quotes() {
        let cases: [(&str, &[&str]); 8] = [
            ("", &[]),
            ("  a  b\tc ", &["a", "b", "c"]),
            ("'my engine' x", &["my engine", "x"]),
            (r#""it's" "" z"#, &["it's", "", "z"]),
            (r"my\ engine", &["my engine"]),
            (r"C:\dir\a.exe", &[r"C:\dir\a.exe"]),
            (r#"a"b c"d"#, &["ab cd"]),
            (r#"'a\b' "a\"b""#, &[r"a\b", "a\"b"]),
        ];
        for (text, words) in cases {
            assert_eq!(split_words(text).unwrap(), words, "{text}");
        }
        assert!(split_words("'open").is_err());
    }

    #[test]
    fn relative_programs_run_at_home() {
        let folder = tempfile::tempdir().unwrap();
        let directory = folder.path().join("with blank");
        std::fs::create_dir(&directory).unwrap();
        let program = directory.join("pbrain-x.exe");
        std::fs::write(&program, "").unwrap();
        let text = format!("'{}' -a", program.display());
        let launch = Launch::new(&text, None).unwrap();
        assert_eq!(launch.directory.as_deref(), Some(directory.as_path()));
        assert_eq!(launch.short_name(), "x");
        let wine = Launch::new(&format!("wine {text}"), None).unwrap();
        assert_eq!(wine.directory.as_deref(), Some(directory.as_path()));
        assert_eq!(wine.short_name(), "x");
        let chosen = Launch::new(&text, Some(folder.path())).unwrap();
        assert_eq!(chosen.directory.as_deref(), Some(folder.path()));
        assert_eq!(Launch::new("cat -", None).unwrap().directory, None);
        assert_eq!(Launch::new("   ", None), Err(CommandLineError::Empty));
    }
}
