//! Threads: one for the work of a run, and several for work on many files in parallel.

use hclkit::Limits;
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use crate::host::Host;
use crate::output::{Failure, INTERNAL_ERROR};

/// Works on a thread with the host of the run and a stack for these limits.
///
/// # Errors
/// If the thread cannot be started, or the work panics.
pub(crate) fn on_thread<T: Send + 'static>(
    host: &Host,
    limits: &Limits,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Failure> {
    let host = host.clone();
    std::thread::Builder::new()
        .stack_size(limits.stack_size())
        .spawn(move || {
            host.enter();
            host.run(work)
        })
        .map_err(|error| Failure::new(format!("cannot start a thread: {error}")))?
        .join()
        .map_err(|_| Failure::new(INTERNAL_ERROR))
}

/// The minimum number of items to work on before reporting.
const CHUNK: usize = 64;

/// Threads with the host of the run, a stack for the nesting limit, and limits for each item.
pub(crate) struct Workers {
    pool: rayon::ThreadPool,
    host: Host,
    limits: Limits,
}

impl Workers {
    /// # Errors
    /// If the threads cannot be started.
    pub(crate) fn new(nesting: u32) -> Result<Self, Failure> {
        let host = Host::current();
        let limits = host.limits_of_text().with_nesting(nesting);
        let worker = host.clone();
        let pool = rayon::ThreadPoolBuilder::new()
            .start_handler(move |_| worker.enter())
            .stack_size(limits.stack_size())
            .build()
            .map_err(|error| Failure::new(format!("cannot start threads: {error}")))?;
        Ok(Self { pool, host, limits })
    }

    /// Also sets the limit on the depth of values.
    pub(crate) fn with_value_depth(mut self, depth: u32) -> Self {
        self.limits = self.limits.with_value_depth(depth);
        self
    }

    /// Works on the items in parallel, a chunk at a time. `done` receives the results of each chunk in the order of the
    /// items.
    ///
    /// # Errors
    /// The first error of `done`, which ends the work.
    pub(crate) fn for_each_chunk<I: Sync, R: Send, E>(
        &self,
        items: &[I],
        work: impl Fn(&I) -> R + Sync,
        mut done: impl FnMut(Vec<R>) -> Result<(), E>,
    ) -> Result<(), E> {
        let one = |item: &I| self.host.run(|| self.limits.run(|| work(item)));
        items
            .chunks(CHUNK.max(8 * self.pool.current_num_threads()))
            .try_for_each(|chunk| done(self.pool.install(|| chunk.par_iter().map(one).collect())))
    }
}
