//! Checks and evaluates large modules on several threads. Evaluation only finds values earlier: one thread then collects them,
//! and evaluates what has errors, so that values, errors and their order do not depend on the threads.

use std::collections::VecDeque;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use hclkit_dialect::Dialects;
use hclkit_limits::{Meter, Share};
use hclkit_model::Reported;
use hclkit_value::Name;

use crate::config::{Content, Item};
use crate::instance::{Instance, Session, block_without_value, condition_path};

/// The minimum number of declarations for which threads pay off.
const LEAST: usize = 1_000;

/// The number of declarations of a module that one thread evaluates at a time.
const BATCH: usize = 128;

/// The maximum number of modules with errors. Each may have evaluated the same names in vain.
const MOST_FAILED: usize = 16;

/// The number of threads for something with this many declarations.
fn threads(tree: &Session, declarations: usize) -> usize {
    match tree.threads {
        _ if declarations < LEAST => 1,
        Some(threads) => threads,
        None => thread::available_parallelism().map_or(1, NonZero::get),
    }
}

/// Runs two closures, the second on another thread if there are many declarations and a thread can be started.
pub(crate) fn both<A, B: Send>(
    tree: &Session,
    declarations: usize,
    one: impl FnOnce() -> A,
    other: impl Fn() -> B + Sync,
) -> (A, B) {
    if threads(tree, declarations) < 2 {
        return (one(), other());
    }
    let (meter, dialects) = (Meter::current(), Dialects::current());
    let mut share = meter.share(2);
    thread::scope(|scope| {
        let work = || (dialects.run(|| share.run(&other)), share);
        let worker = thread::Builder::new().stack_size(meter.limits().stack_size()).spawn_scoped(scope, work);
        let one = one();
        let Some((found, share)) = worker.ok().and_then(|worker| worker.join().ok()) else {
            return (one, other());
        };
        let _ = meter.take_share(&share);
        (one, found)
    })
}

/// Evaluates the names of a module and of the modules that it calls. Names with errors keep no value.
pub(crate) fn evaluate(root: &Arc<Instance>) {
    let threads = threads(&root.tree, root.config.size.declarations);
    if threads < 2 {
        return;
    }
    let (meter, dialects) = (Meter::current(), Dialects::current());
    // Half of the limits is left for what the threads cannot do.
    let share = meter.share(2 * threads as u64);
    let queue = Queue::new(root.clone());
    thread::scope(|scope| {
        let start = |_| {
            let (queue, mut share, dialects) = (&queue, share.clone(), dialects.clone());
            let work = move || {
                dialects.run(|| {
                    while let Some(task) = queue.take() {
                        batch(&task, &mut share);
                    }
                });
                share
            };
            // If no thread can be started, this one does all the work.
            thread::Builder::new().stack_size(meter.limits().stack_size()).spawn_scoped(scope, work).ok()
        };
        let workers: Vec<_> = (0..threads).map_while(start).collect();
        for share in workers.into_iter().filter_map(|worker| worker.join().ok()) {
            let _ = meter.take_share(&share);
        }
    });
}

/// Evaluates a batch of the names of a module up to the first error in the module. The first batch puts the others and the calls
/// in the queue.
fn batch(task: &Task, share: &mut Share) {
    let Batch { instance, at, failed } = &task.batch;
    let config = &instance.config;
    let count = config.declared();
    if *at == 0 {
        for (at, _) in config.items.iter().enumerate().filter(|(_, item)| is_call(item)) {
            task.queue.add(share.run(|| instance.create(at).0).iter().cloned().map(Batch::first));
        }
        task.queue.add((1..count.div_ceil(BATCH)).map(|at| Batch { at, ..task.batch.clone() }));
    }
    let (values, items) = config.in_range(&(at * BATCH..count.min((at + 1) * BATCH)));
    // Even one name can need a long chain of others, up to the error.
    let evaluate = |name: Vec<String>| {
        if failed.load(Ordering::Relaxed) {
            return true;
        }
        let name: Vec<&str> = name.iter().map(String::as_str).collect();
        let _ = instance.context.value_of_once(&name, &mut Reported::default());
        Meter::current().exceeded().is_some()
    };
    let own = |name: &[Name]| name.iter().map(ToString::to_string).collect();
    let value = |(at, item): (usize, &Item)| match &item.content {
        _ if item.has_effects() => Some(block_without_value(at).to_vec()),
        Content::Input(_) | Content::Output(_) | Content::Object(_) => Some(own(&item.address)),
        Content::Call(_) | Content::Check | Content::Settings(_) => None,
    };
    let items = || items.clone().zip(&config.items[items.clone()]);
    let mut names =
        config.values[values].iter().map(|named| own(&named.address)).chain(items().filter_map(value));
    // What a name with an error needs may not be kept either, and other names may need it, too.
    if share.run(|| names.any(evaluate)) {
        if !failed.swap(true, Ordering::Relaxed) {
            task.queue.failed();
        }
        return;
    }
    for (at, item) in items() {
        for condition in 0..item.conditions.len() {
            share.run(|| evaluate(condition_path(at, condition).to_vec()));
        }
    }
}

fn is_call(item: &Item) -> bool {
    matches!(&item.content, Content::Call(call) if call.config.is_some())
}

/// Some of the names of a module.
#[derive(Clone)]
struct Batch {
    instance: Arc<Instance>,
    /// Its number.
    at: usize,
    /// Whether a name of the module has an error.
    failed: Arc<AtomicBool>,
}

impl Batch {
    fn first(instance: Arc<Instance>) -> Self {
        Self { instance, at: 0, failed: Arc::default() }
    }
}

/// The batches that are still to be evaluated.
struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    open: VecDeque<Batch>,
    /// The number of batches that are being evaluated. They may add others.
    running: usize,
    /// The number of modules with errors.
    failed: usize,
}

/// A batch from the queue. It is done when it is dropped.
struct Task<'q> {
    queue: &'q Queue,
    batch: Batch,
}

impl Queue {
    fn new(root: Arc<Instance>) -> Self {
        Self {
            state: Mutex::new(State { open: VecDeque::from([Batch::first(root)]), running: 0, failed: 0 }),
            changed: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, batches: impl Iterator<Item = Batch>) {
        self.state().open.extend(batches);
        self.changed.notify_all();
    }

    /// Counts a module with an error. After too many, no others are evaluated.
    fn failed(&self) {
        self.state().failed += 1;
    }

    /// The next batch. Waits while others may be added.
    fn take(&self) -> Option<Task<'_>> {
        let waits = |state: &mut State| state.open.is_empty() && state.running > 0;
        let mut state = self.changed.wait_while(self.state(), waits).unwrap_or_else(PoisonError::into_inner);
        let batch = state.open.pop_front().filter(|_| state.failed < MOST_FAILED)?;
        state.running += 1;
        Some(Task { queue: self, batch })
    }
}

impl Drop for Task<'_> {
    fn drop(&mut self) {
        self.queue.state().running -= 1;
        self.queue.changed.notify_all();
    }
}
