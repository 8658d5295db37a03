//! Writing to an engine without ever waiting for it. What the pipe takes is
//! written at once, as every ordinary command is; a thread is started for the
//! rest when an engine does not read.

use super::system;
use std::io::{self, Write};
use std::process::ChildStdin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

const RETRY_INTERVAL: Duration = Duration::from_millis(1);

/// The input of an engine; closed when it is dropped and all is written.
#[derive(Debug)]
pub(super) struct Input {
    pipe: Arc<ChildStdin>,
    never_blocks: bool,
    backlog: OnceLock<Sender<Vec<u8>>>,
    /// Pieces given to the thread and not written yet.
    outstanding: Arc<AtomicUsize>,
}

impl Input {
    pub(super) fn new(pipe: ChildStdin) -> Self {
        Self {
            never_blocks: system::set_nonblocking(&pipe),
            pipe: Arc::new(pipe),
            backlog: OnceLock::new(),
            outstanding: Arc::default(),
        }
    }

    /// Writes in order. That the engine is gone shows when it is read from.
    pub(super) fn write(&self, bytes: &[u8]) {
        let mut written = 0;
        if self.never_blocks && self.outstanding.load(Ordering::SeqCst) == 0 {
            match write_some(&self.pipe, bytes) {
                Ok(count) => written = count,
                Err(_) => return,
            }
        }
        if written < bytes.len() {
            self.outstanding.fetch_add(1, Ordering::SeqCst);
            let backlog = self.backlog.get_or_init(|| self.start_thread());
            let _ = backlog.send(bytes[written..].to_vec());
        }
    }

    fn start_thread(&self) -> Sender<Vec<u8>> {
        let (sender, receiver) = mpsc::channel::<Vec<u8>>();
        let (pipe, outstanding) = (Arc::clone(&self.pipe), Arc::clone(&self.outstanding));
        thread::spawn(move || {
            for bytes in receiver {
                let mut written = 0;
                while written < bytes.len() {
                    match write_some(&pipe, &bytes[written..]) {
                        Ok(0) => thread::sleep(RETRY_INTERVAL),
                        Ok(count) => written += count,
                        Err(_) => return,
                    }
                }
                outstanding.fetch_sub(1, Ordering::SeqCst);
            }
        });
        sender
    }
}

/// Writes what the pipe takes now; the number of bytes it took.
fn write_some(mut pipe: &ChildStdin, bytes: &[u8]) -> io::Result<usize> {
    let mut written = 0;
    while written < bytes.len() {
        match pipe.write(&bytes[written..]) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(count) => written += count,
            Err(error) => match error.kind() {
                io::ErrorKind::Interrupted => {}
                io::ErrorKind::WouldBlock => break,
                _ => return Err(error),
            },
        }
    }
    Ok(written)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::io::Read;
    use std::process::{Command, Stdio};

    /// More than any pipe holds, to a program that reads late.
    #[test]
    fn nothing_is_lost_and_nobody_waits() {
        const BYTES: usize = 1 << 20;
        let mut command = Command::new("sh");
        command.args(["-c", "sleep 0.3; wc -c"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let input = Input::new(child.stdin.take().unwrap());
        let before = std::time::Instant::now();
        input.write(&vec![b'x'; BYTES]);
        input.write(b"and more\n");
        assert!(before.elapsed() < Duration::from_millis(200));
        drop(input);
        let mut count = String::new();
        child
            .stdout
            .take()
            .unwrap()
            .read_to_string(&mut count)
            .unwrap();
        assert_eq!(count.trim(), (BYTES + 9).to_string());
        child.wait().unwrap();
    }
}
