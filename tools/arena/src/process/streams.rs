//! Output and error output of an engine, read by whoever waits for it: no
//! thread stands between an answer and the judge. What an engine writes while
//! nobody waits stays in its pipe. Two ways to wait for two pipes at once: the
//! system's, where it has one, and a thread for each pipe.

/// Which of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stream {
    Output,
    Errors,
}

/// What a stream gives.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece<'b> {
    /// Some bytes, at least one.
    Bytes(Stream, &'b [u8]),
    /// The stream has ended.
    End(Stream),
    /// Nothing has come; or the process has ended, where that can be waited for.
    Nothing,
}

const CHUNK_BYTES: usize = 64 << 10;

#[cfg(not(unix))]
pub(super) use threaded::Streams;
#[cfg(unix)]
pub(super) use waiting::Streams;

#[cfg(unix)]
mod waiting {
    use super::{CHUNK_BYTES, Piece, Stream};
    use crate::process::system::EndWatch;
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use std::io::Read;
    use std::os::fd::AsFd;
    use std::process::{Child, ChildStderr, ChildStdout};
    use std::time::Duration;

    /// Both streams of a process.
    #[derive(Debug)]
    pub(crate) struct Streams {
        output: Option<ChildStdout>,
        errors: Option<ChildStderr>,
        buffer: Box<[u8]>,
    }

    impl Streams {
        /// Takes the streams of a child whose outputs are pipes.
        pub(crate) fn new(child: &mut Child) -> Self {
            Self {
                output: child.stdout.take(),
                errors: child.stderr.take(),
                buffer: vec![0; CHUNK_BYTES].into_boxed_slice(),
            }
        }

        /// Waits for the next piece, not longer than `time`; the output goes
        /// first. With a watch, waiting also stops at the end of the process.
        pub(crate) fn wait(&mut self, time: Duration, watch: Option<&EndWatch>) -> Piece<'_> {
            match self.ready(time, watch) {
                Some(Stream::Output) => read(&mut self.output, &mut self.buffer, Stream::Output),
                Some(Stream::Errors) => read(&mut self.errors, &mut self.buffer, Stream::Errors),
                None => Piece::Nothing,
            }
        }

        /// The stream that can be read without waiting.
        fn ready(&self, time: Duration, watch: Option<&EndWatch>) -> Option<Stream> {
            let output = self.output.as_ref().map(AsFd::as_fd);
            let errors = self.errors.as_ref().map(AsFd::as_fd);
            let sources = [
                (output, Some(Stream::Output)),
                (errors, Some(Stream::Errors)),
                (watch.map(AsFd::as_fd), None),
            ];
            let mut polled = Vec::with_capacity(sources.len());
            let mut streams = Vec::with_capacity(sources.len());
            for (source, stream) in sources {
                if let Some(source) = source {
                    polled.push(PollFd::from_borrowed_fd(source, PollFlags::IN));
                    streams.push(stream);
                }
            }
            let time = Timespec::try_from(time).ok();
            // A signal ends the waiting early; callers look at the clock.
            poll(&mut polled, time.as_ref()).ok()?;
            let first = polled.iter().position(|fd| !fd.revents().is_empty())?;
            streams[first]
        }
    }

    /// Reads once; a stream that has ended is closed.
    fn read<'b>(pipe: &mut Option<impl Read>, buffer: &'b mut [u8], stream: Stream) -> Piece<'b> {
        let Some(open) = pipe else {
            return Piece::Nothing;
        };
        match open.read(buffer) {
            Ok(count) if count > 0 => Piece::Bytes(stream, &buffer[..count]),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => Piece::Nothing,
            _ => {
                *pipe = None;
                Piece::End(stream)
            }
        }
    }
}

#[cfg(any(test, not(unix)))]
mod threaded {
    use super::{CHUNK_BYTES, Piece, Stream};
    use crate::process::system::EndWatch;
    use std::io::Read;
    use std::process::Child;
    use std::sync::mpsc::{self, Receiver, SyncSender};
    use std::thread;
    use std::time::Duration;

    /// Chunks that wait for a reader; then the engine waits, as for a full pipe.
    const WAITING_CHUNKS: usize = 16;

    /// Both streams of a process.
    #[derive(Debug)]
    pub(crate) struct Streams {
        /// Empty chunks are ends.
        chunks: Receiver<(Stream, Vec<u8>)>,
        last: Vec<u8>,
    }

    impl Streams {
        /// Takes the streams of a child whose outputs are pipes.
        pub(crate) fn new(child: &mut Child) -> Self {
            let (sender, chunks) = mpsc::sync_channel(WAITING_CHUNKS);
            if let Some(output) = child.stdout.take() {
                let sender = sender.clone();
                thread::spawn(move || pass_on(output, Stream::Output, &sender));
            }
            if let Some(errors) = child.stderr.take() {
                thread::spawn(move || pass_on(errors, Stream::Errors, &sender));
            }
            let last = Vec::new();
            Self { chunks, last }
        }

        /// Waits for the next piece, not longer than `time`. The end of the
        /// process cannot be waited for.
        pub(crate) fn wait(&mut self, time: Duration, _: Option<&EndWatch>) -> Piece<'_> {
            match self.chunks.recv_timeout(time) {
                Ok((stream, bytes)) if bytes.is_empty() => Piece::End(stream),
                Ok((stream, bytes)) => {
                    self.last = bytes;
                    Piece::Bytes(stream, &self.last)
                }
                Err(mpsc::RecvTimeoutError::Timeout) => Piece::Nothing,
                // Both have ended, and that was told; this waits all the same.
                Err(mpsc::RecvTimeoutError::Disconnected) => {
                    thread::sleep(time);
                    Piece::Nothing
                }
            }
        }
    }

    fn pass_on(mut pipe: impl Read, stream: Stream, chunks: &SyncSender<(Stream, Vec<u8>)>) {
        let mut buffer = vec![0; CHUNK_BYTES];
        loop {
            let bytes = match pipe.read(&mut buffer) {
                Ok(count) => buffer[..count].to_vec(),
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(_) => Vec::new(),
            };
            let is_end = bytes.is_empty();
            // Nobody listens any more when the process was given up.
            if chunks.send((stream, bytes)).is_err() || is_end {
                return;
            }
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::{Piece, Stream, threaded, waiting};
    use std::process::{Child, Command, Stdio};
    use std::time::{Duration, Instant};

    const SHORT: Duration = Duration::from_millis(30);
    const LONG: Duration = Duration::from_secs(20);

    fn child(script: &str) -> Child {
        let mut command = Command::new("sh");
        command.args(["-c", script]).stdin(Stdio::piped());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    }

    /// Everything both streams give, and the time until they have ended.
    fn drain(mut wait: impl FnMut(Duration) -> Option<(Stream, Vec<u8>)>) -> [Vec<u8>; 2] {
        let (mut texts, mut ends) = ([Vec::new(), Vec::new()], 0);
        let before = Instant::now();
        while ends < 2 {
            assert!(before.elapsed() < LONG);
            if let Some((stream, bytes)) = wait(LONG) {
                ends += usize::from(bytes.is_empty());
                texts[usize::from(stream == Stream::Errors)].extend(bytes);
            }
        }
        // Whoever waits for streams that have ended waits in vain, but not longer.
        let before = Instant::now();
        assert_eq!(wait(SHORT), None);
        assert!(before.elapsed() >= SHORT);
        texts
    }

    fn owned(piece: Piece<'_>) -> Option<(Stream, Vec<u8>)> {
        match piece {
            Piece::Bytes(stream, bytes) => Some((stream, bytes.to_vec())),
            Piece::End(stream) => Some((stream, Vec::new())),
            Piece::Nothing => None,
        }
    }

    /// More than a pipe holds on each, so that neither may be forgotten.
    #[test]
    fn both_ways_give_all_of_both_streams() {
        const BYTES: usize = 300_000;
        let script = format!(
            "read go; head -c {BYTES} /dev/zero | tr '\\0' o; head -c {BYTES} /dev/zero | tr '\\0' e >&2"
        );
        let expected = [vec![b'o'; BYTES], vec![b'e'; BYTES]];
        for is_threaded in [false, true] {
            let mut child = child(&script);
            let input = child.stdin.take();
            let before = Instant::now();
            let texts = if is_threaded {
                let mut streams = threaded::Streams::new(&mut child);
                assert_eq!(streams.wait(SHORT, None), Piece::Nothing);
                assert!(before.elapsed() >= SHORT);
                drop(input);
                drain(|time| owned(streams.wait(time, None)))
            } else {
                let mut streams = waiting::Streams::new(&mut child);
                assert_eq!(streams.wait(SHORT, None), Piece::Nothing);
                assert!(before.elapsed() >= SHORT);
                drop(input);
                drain(|time| owned(streams.wait(time, None)))
            };
            assert!(texts == expected);
            child.wait().unwrap();
        }
    }
}
