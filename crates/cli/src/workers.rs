//! Threads: one for the work of a run, and several for work on many files in parallel.

mod queue;

use crate::host::Host;
use crate::outcome::Failure;
use crate::output::INTERNAL_ERROR;
use hclkit::Limits;
use queue::{End, EndOnPanic, Queue};

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

/// Threads with the host of the run, a stack for the nesting limit, and limits for each item.
pub(crate) struct Workers {
    threads: usize,
    host: Host,
    limits: Limits,
}

impl Workers {
    pub(crate) fn new() -> Self {
        let host = Host::current();
        let limits = host.with_timeout(host.limits().with_nesting(host.options().max_nesting));
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Self { threads, host, limits }
    }

    /// Also sets the limit on the depth of values.
    pub(crate) fn with_value_depth(mut self, depth: u32) -> Self {
        self.limits = self.limits.with_value_depth(depth);
        self
    }

    /// The number of threads.
    pub(crate) fn threads(&self) -> usize {
        self.threads
    }

    /// Works on this thread, within the same limits.
    pub(crate) fn run<T>(&self, work: impl FnOnce() -> T) -> T {
        self.limits.run(work)
    }

    /// Works on the items in parallel. `done` receives the results in the order of the items, several at a time.
    ///
    /// # Errors
    /// The first error of `done`, which ends the work.
    ///
    /// # Panics
    /// If the work panics.
    pub(crate) fn for_each<I: Sync, R: Send, E>(
        &self,
        items: &[I],
        work: impl Fn(&I) -> R + Sync,
        mut done: impl FnMut(Vec<R>) -> Result<(), E>,
    ) -> Result<(), E> {
        let one = |item: &I| self.host.run(|| self.limits.run(|| work(item)));
        let queue = Queue::new(items.len(), self.threads);
        let thread = || {
            let _end = EndOnPanic(&queue);
            self.host.enter();
            let mut results = Vec::new();
            while let Some(batch) = queue.next(results) {
                results = batch.map(|at| (at, one(&items[at]))).collect();
            }
        };
        std::thread::scope(|scope| {
            let _end = End(&queue);
            let start = || {
                let builder = std::thread::Builder::new().stack_size(self.limits.stack_size());
                builder.spawn_scoped(scope, thread)
            };
            let threads = (0..self.threads.min(items.len())).map_while(|_| start().ok()).count();
            if threads == 0 {
                return items.iter().try_for_each(|item| done(vec![one(item)]));
            }
            while let Some(results) = queue.finished() {
                done(results)?;
            }
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::time::Duration;

    use super::*;

    fn workers(threads: usize) -> Workers {
        Workers { threads, ..Workers::new() }
    }

    #[test]
    fn results_are_in_order() {
        for threads in [0, 1, 2, 7] {
            for items in [0, 1, 2, 9, 300, 5_000] {
                let items: Vec<usize> = (0..items).collect();
                let mut all = Vec::new();
                let work = |&item: &usize| {
                    if item % 251 == 3 {
                        std::thread::sleep(Duration::from_millis(1));
                    }
                    item
                };
                let done = |results: Vec<usize>| {
                    assert!(!results.is_empty());
                    all.extend(results);
                    Ok::<_, Infallible>(())
                };
                let Ok(()) = workers(threads).for_each(&items, work, done);
                assert_eq!(all, items, "{threads} threads");
            }
        }
    }

    #[test]
    fn an_error_or_a_panic_ends_the_work() {
        let items: Vec<usize> = (0..5_000).collect();
        for threads in [0, 1, 3] {
            let mut reported = 0;
            let ended = workers(threads).for_each(
                &items,
                |item| *item,
                |results| {
                    reported += results.len();
                    if reported > 600 { Err(reported) } else { Ok(()) }
                },
            );
            assert_eq!(ended, Err(reported));
            assert!(reported < 2_000, "{reported}");
            let panics = |at: usize| move |item: &usize| assert_ne!(*item, at);
            for at in [0, 700, 4_999] {
                let run = || workers(threads).for_each(&items, panics(at), |_| Ok::<_, Infallible>(()));
                assert!(catch_unwind(AssertUnwindSafe(run)).is_err(), "{threads} threads, {at}");
            }
            let run = || {
                workers(threads).for_each(&items, |_| (), |_| -> Result<(), Infallible> { panic!("done") })
            };
            assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
        }
    }
}
