//! The file of openings: a head that says how it was made, then one opening a
//! line with its score and the number of its attempt behind `#`.

use super::stones::Shape;
use anyhow::{Context, Result, bail};
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;
use yonsan::board::{Point, Position, format_moves, parse_moves};

/// Everything that decides which openings are made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Stones.
    pub shape: Shape,
    /// Largest score for either side, in the engine's units.
    pub balance: u32,
    /// Positions the engine searches.
    pub nodes: u64,
    /// Positions it searches when it looks again at what it found even; `None`
    /// if it does not.
    pub confirm: Option<u64>,
    /// Seed of chance.
    pub seed: u64,
}

impl Settings {
    /// Whether a score is no larger for either side than is allowed.
    #[must_use]
    pub const fn is_even(&self, score: i32) -> bool {
        score.unsigned_abs() <= self.balance
    }
}

/// The head of a file; equal settings have equal heads.
impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shape = &self.shape;
        write!(
            f,
            "# openings: {} {}, {} to {} stones, spread {}, margin {}, balance {}, nodes {}, seed {}",
            shape.rule,
            shape.size,
            shape.fewest,
            shape.most,
            shape.spread,
            shape.margin,
            self.balance,
            self.nodes,
            self.seed
        )?;
        match self.confirm {
            Some(nodes) => write!(f, ", confirmed by {nodes}"),
            None => Ok(()),
        }
    }
}

/// A file of openings open for more.
#[derive(Debug)]
pub struct OpeningFile {
    file: File,
    settings: Settings,
    openings: Vec<Vec<Point>>,
    next_attempt: u64,
}

impl OpeningFile {
    /// Opens the file, or begins it if there is none. What a kill left of a
    /// last line is cut off.
    ///
    /// # Errors
    ///
    /// If it cannot be read or written, was made with other settings, or has
    /// a line that is none of ours.
    pub fn open(path: &Path, settings: Settings) -> Result<Self> {
        let name = path.display();
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .with_context(|| format!("cannot open {name}"))?;
        let mut text = String::new();
        file.read_to_string(&mut text)
            .with_context(|| format!("cannot read {name}"))?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        file.set_len(whole as u64)?;
        file.seek(SeekFrom::End(0))?;
        let mut opened = Self {
            file,
            settings,
            openings: Vec::new(),
            next_attempt: 0,
        };
        if whole == 0 {
            let head = format!("{}\n", opened.settings);
            opened.file.write_all(head.as_bytes())?;
            return Ok(opened);
        }
        let mut lines = (1..).zip(text[..whole].lines());
        let head = lines.next().map_or("", |(_, line)| line);
        let wanted = opened.settings.to_string();
        if head != wanted {
            bail!("{name} was made with other settings:\n  {head}\nand not\n  {wanted}");
        }
        for (number, line) in lines {
            opened
                .add_line(line)
                .with_context(|| format!("{name}:{number}"))?;
        }
        Ok(opened)
    }

    fn add_line(&mut self, line: &str) -> Result<()> {
        let (moves, note) = line.split_once('#').unwrap_or((line, ""));
        let moves = parse_moves(moves)?;
        if moves.is_empty() {
            return Ok(());
        }
        if Position::from_moves(self.settings.shape.size, &moves).is_err() {
            bail!("stones that cannot be: {line}");
        }
        let attempt = note
            .rsplit_once("attempt ")
            .and_then(|(_, number)| number.trim().parse::<u64>().ok())
            .context("no number of an attempt")?;
        self.next_attempt = attempt + 1;
        self.openings.push(moves);
        Ok(())
    }

    /// How the openings are made.
    #[must_use]
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The openings so far.
    #[must_use]
    pub fn openings(&self) -> &[Vec<Point>] {
        &self.openings
    }

    /// Number of the attempt after the last that was kept.
    #[must_use]
    pub const fn next_attempt(&self) -> u64 {
        self.next_attempt
    }

    /// Appends an opening.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn append(&mut self, moves: &[Point], score: i32, attempt: u64) -> Result<()> {
        let line = format!(
            "{} # score {score}, attempt {attempt}\n",
            format_moves(moves)
        );
        self.file.write_all(line.as_bytes())?;
        self.file.flush()?;
        self.openings.push(moves.to_vec());
        self.next_attempt = attempt + 1;
        Ok(())
    }
}
