//! A process between this program and a program it started: it ends that
//! program when this one is gone, however it went, so that a run that is begun
//! again never meets what a killed one left at work.

use anyhow::{Context, Result, bail};
use std::fs::File;
use std::io;
use std::process::{Command, ExitCode, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// The hidden first argument of this process.
pub const WORD: &str = "__keep";

const PAUSE: Duration = Duration::from_millis(20);

/// Runs a program until it ends, or until the standard input does: whoever
/// started this holds the other end of it. The words are a file that is locked
/// all the while, the program and its arguments.
///
/// # Errors
///
/// If a word is missing, the file cannot be made, or the program cannot be
/// started.
pub fn keep(words: &[String]) -> Result<ExitCode> {
    let [lock, program, arguments @ ..] = words else {
        bail!("a lock and a program are wanted");
    };
    // Ctrl-C reaches everybody: this process stays until the program is gone.
    ctrlc::set_handler(|| {}).context("cannot listen for interrupts")?;
    let is_over = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&is_over);
    thread::spawn(move || {
        let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
        flag.store(true, Ordering::Relaxed);
    });
    let file = File::create(lock).context(lock.clone())?;
    // Waits for what an earlier run left; some file systems know no locks.
    let _ = file.lock();
    let mut command = Command::new(program);
    let mut child = command
        .args(arguments)
        .stdin(Stdio::null())
        .spawn()
        .context(program.clone())?;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(code(status));
        }
        if is_over.load(Ordering::Relaxed) {
            child.kill()?;
            child.wait()?;
            return Ok(ExitCode::FAILURE);
        }
        thread::sleep(PAUSE);
    }
}

/// The code of a program that ended by itself; that of a failure otherwise.
fn code(status: ExitStatus) -> ExitCode {
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    code.map_or(ExitCode::FAILURE, ExitCode::from)
}
