//! What the operating system is asked for: signals to process groups and
//! pinning. On systems without process groups only the engine itself is ended.

#[cfg(unix)]
pub(super) use unix::*;

#[cfg(unix)]
mod unix {
    use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
    use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
    use std::os::unix::process::CommandExt;
    use std::process::{ChildStdin, Command};

    /// Becomes readable when a child has ended.
    #[derive(Debug)]
    pub(crate) struct EndWatch(OwnedFd);

    impl EndWatch {
        /// A watch on a child whose status is not collected; `None` where the
        /// system has no such thing.
        pub(crate) fn new(id: u32) -> Option<Self> {
            #[cfg(target_os = "linux")]
            {
                use rustix::process::{PidfdFlags, pidfd_open};
                pidfd_open(pid(id)?, PidfdFlags::empty()).ok().map(Self)
            }
            #[cfg(not(target_os = "linux"))]
            {
                let _ = id;
                None
            }
        }
    }

    impl AsFd for EndWatch {
        fn as_fd(&self) -> BorrowedFd<'_> {
            self.0.as_fd()
        }
    }

    fn pid(id: u32) -> Option<Pid> {
        i32::try_from(id).ok().and_then(Pid::from_raw)
    }

    /// Puts the program to be started into a process group of its own, away
    /// from the terminal's Ctrl-C.
    pub(crate) fn separate(command: &mut Command) {
        command.process_group(0);
    }

    /// A failure means that the group is gone already.
    fn signal_group(id: u32, signal: Signal) {
        if let Some(pid) = pid(id) {
            let _ = kill_process_group(pid, signal);
        }
    }

    /// Ends every process of the group at once.
    pub(crate) fn kill_group(id: u32) {
        signal_group(id, Signal::KILL);
    }

    /// Stops the group; it holds still until [`resume_group`].
    pub(crate) fn suspend_group(id: u32) {
        signal_group(id, Signal::STOP);
    }

    /// Lets a stopped group go on.
    pub(crate) fn resume_group(id: u32) {
        signal_group(id, Signal::CONT);
    }

    /// Makes writing to a pipe give up rather than wait; whether that is possible.
    pub(crate) fn set_nonblocking(pipe: &ChildStdin) -> bool {
        rustix::io::ioctl_fionbio(pipe, true).is_ok()
    }

    /// Whether the child has ended; its exit status stays to be collected, so
    /// that its number is not given to another process.
    pub(crate) fn has_ended(id: u32) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        pid(id).is_none_or(|pid| !matches!(waitid(WaitId::Pid(pid), options), Ok(None)))
    }
}

#[cfg(not(unix))]
pub(super) use other::*;

#[cfg(not(unix))]
mod other {
    use std::process::{ChildStdin, Command};

    /// There is nothing to wait with.
    #[derive(Debug)]
    pub(crate) enum EndWatch {}

    impl EndWatch {
        /// Not possible here.
        pub(crate) fn new(_: u32) -> Option<Self> {
            None
        }
    }

    /// Not known to be possible here.
    pub(crate) fn set_nonblocking(_: &ChildStdin) -> bool {
        false
    }

    /// There are no process groups.
    pub(crate) fn separate(_: &mut Command) {}

    /// The engine itself is ended by its handle.
    pub(crate) fn kill_group(_: u32) {}

    /// Not possible here.
    pub(crate) fn suspend_group(_: u32) {}

    /// Not possible here.
    pub(crate) fn resume_group(_: u32) {}

    /// Not known without collecting the exit status.
    pub(crate) fn has_ended(_: u32) -> bool {
        false
    }
}

/// Cores of this process, in rising order; empty if the system does not tell.
#[must_use]
pub fn available_cores() -> Vec<usize> {
    #[cfg(target_os = "linux")]
    if let Ok(set) = rustix::thread::sched_getaffinity(None) {
        return (0..rustix::thread::CpuSet::MAX_CPU)
            .filter(|&core| set.is_set(core))
            .collect();
    }
    Vec::new()
}

/// Binds the calling thread, and what it starts from now on, to some cores.
/// Returns whether the system did so.
#[must_use]
pub fn pin_thread(cores: &[usize]) -> bool {
    #[cfg(target_os = "linux")]
    {
        let mut set = rustix::thread::CpuSet::new();
        for &core in cores {
            set.set(core);
        }
        rustix::thread::sched_setaffinity(None, &set).is_ok()
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = cores;
        false
    }
}
