//! `arena check`: protocol transcripts against an engine.

use anyhow::{Context, Result, bail};
use arena::check::{Check, Finding, Transcript, embedded, run as run_transcript};
use arena::process::Launch;
use clap::Args;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Exit code when something failed.
const FAILED_CODE: u8 = 1;
/// Columns of the text that explains.
const WIDTH: usize = 76;

/// Runs protocol transcripts against an engine and says what managers would do to it.
#[derive(Debug, Args)]
pub struct CheckArguments {
    /// Command line of the engine.
    engine: String,
    /// Transcripts; those that are built in if none is given.
    files: Vec<PathBuf>,
    /// Directory of transcripts to use instead of those that are built in.
    #[arg(long, value_name = "DIR")]
    transcripts: Option<PathBuf>,
    /// Only transcripts with this in their name.
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Milliseconds added to every time limit.
    #[arg(long, value_name = "MS", default_value_t = 0)]
    slack: u64,
    /// List the transcripts and what they are about.
    #[arg(long)]
    list: bool,
    /// Show the lines exchanged before a failure.
    #[arg(short, long)]
    verbose: bool,
}

/// Runs the command.
pub fn run(arguments: &CheckArguments) -> Result<ExitCode> {
    let mut transcripts = load(arguments)?;
    if let Some(text) = &arguments.only {
        transcripts.retain(|transcript| transcript.name.contains(text));
    }
    if transcripts.is_empty() {
        bail!("no transcript to run");
    }
    if arguments.list {
        for transcript in &transcripts {
            println!("{}", transcript.name);
            println!("{}", indented(&transcript.about));
        }
        return Ok(ExitCode::SUCCESS);
    }
    let check = Check {
        slack: Duration::from_millis(arguments.slack),
    };
    let mut failed = 0;
    for transcript in &transcripts {
        // A new empty directory for each: as the managers do it, and what one
        // run leaves behind cannot help the next.
        let directory = tempfile::tempdir().context("no temporary directory")?;
        let launch = Launch::new(&arguments.engine, Some(directory.path()))?;
        let found = run_transcript(transcript, &launch, check)
            .with_context(|| format!("cannot start '{}'", arguments.engine))?;
        match found {
            None => println!("ok    {}", transcript.name),
            Some(finding) => {
                failed += 1;
                show(transcript, &finding, arguments.verbose);
            }
        }
    }
    println!("{} passed, {failed} failed", transcripts.len() - failed);
    Ok(match failed {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::from(FAILED_CODE),
    })
}

fn load(arguments: &CheckArguments) -> Result<Vec<Transcript>> {
    let mut files = arguments.files.clone();
    if let Some(directory) = &arguments.transcripts {
        files.extend(files_of(directory)?);
    }
    if files.is_empty() {
        return embedded()
            .map(|(name, text)| Ok(Transcript::parse(name, text)?))
            .collect();
    }
    files
        .iter()
        .map(|path| {
            let text = std::fs::read_to_string(path)
                .with_context(|| format!("cannot read {}", path.display()))?;
            let stem = path.file_stem().unwrap_or(path.as_os_str());
            Ok(Transcript::parse(&stem.to_string_lossy(), &text)?)
        })
        .collect()
}

/// The text files of a directory, in order.
fn files_of(directory: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(directory)
        .with_context(|| format!("cannot read {}", directory.display()))?;
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .collect();
    files.sort();
    Ok(files)
}

fn show(transcript: &Transcript, finding: &Finding, verbose: bool) {
    println!("FAIL  {}", transcript.name);
    let place = match finding.line {
        0 => finding.step.clone(),
        line => format!("line {line}: {}", finding.step),
    };
    println!("{}", indented(&format!("{place}: {}", finding.trouble)));
    println!(
        "{}",
        indented(&format!("Managers: {}.", finding.consequence))
    );
    println!("{}", indented(&format!("About: {}", transcript.about)));
    if verbose {
        for line in &finding.dialogue {
            println!("        {line}");
        }
    }
}

/// A text in lines of a readable length, set in.
fn indented(text: &str) -> String {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() && line.chars().count() + word.chars().count() >= WIDTH {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line);
    let lines: Vec<String> = lines.iter().map(|line| format!("      {line}")).collect();
    lines.join("\n")
}
