//! Root-parallel search: the only place that knows of rayon.
//!
//! All workers search the same root with a common transposition table; the
//! calling thread leads, the others help.

use std::fmt;

/// The helping threads.
pub(super) struct Pool(Option<rayon::ThreadPool>);

impl Pool {
    /// A pool for so many workers, the leading one included. If the system
    /// gives no threads the leader searches alone.
    pub(super) fn new(workers: usize) -> Self {
        if workers <= 1 {
            return Self(None);
        }
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(workers - 1)
            .thread_name(|number| format!("helper-{}", number + 1))
            .build();
        if let Err(error) = &pool {
            log::warn!("no helping threads: {error}");
        }
        Self(pool.ok())
    }

    /// Runs `help` for every item in the pool while `lead` runs here; returns
    /// when all are done. `lead` must make the helpers stop.
    pub(super) fn run<T: Send, R>(
        &self,
        items: &mut [T],
        help: impl Fn(usize, &mut T) + Sync,
        lead: impl FnOnce() -> R,
    ) -> R {
        let Some(pool) = &self.0 else {
            return lead();
        };
        let help = &help;
        pool.in_place_scope(|scope| {
            for (number, item) in items.iter_mut().enumerate() {
                scope.spawn(move |_| help(number, item));
            }
            lead()
        })
    }
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let threads = self
            .0
            .as_ref()
            .map_or(0, rayon::ThreadPool::current_num_threads);
        write!(f, "Pool({threads})")
    }
}
