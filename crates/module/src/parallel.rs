//! Evaluates the modules of a tree on several threads. This only finds values earlier: one thread then collects them, and
//! evaluates what has errors, so that values, errors and their order do not depend on the threads.

use std::collections::VecDeque;
use std::num::NonZero;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use hclkit_dialect::Dialects;
use hclkit_limits::{Meter, Share};
use hclkit_model::Reported;
use hclkit_value::Name;

use crate::config::{Content, Item};
use crate::instance::{Instance, block_without_value, condition_path};

/// The minimum number of declarations for which threads pay off.
const LEAST: usize = 1_000;

/// The maximum number of modules with errors. Each may have evaluated the same names in vain.
const MOST_FAILED: usize = 16;

/// Evaluates the names of a module and of the modules that it calls. Names with errors keep no value.
pub(crate) fn evaluate(root: &Arc<Instance>) {
    let threads = match root.tree.threads {
        _ if root.config.size.declarations < LEAST => 1,
        Some(threads) => threads,
        None => thread::available_parallelism().map_or(1, NonZero::get),
    };
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
                        instance(&task, &mut share);
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

/// Evaluates the names of one module up to the first error, after its calls are in the queue.
fn instance(task: &Task, share: &mut Share) {
    let instance = &task.instance;
    let calls = instance.config.items.iter().enumerate();
    let calls =
        calls.filter(|(_, item)| matches!(&item.content, Content::Call(call) if call.config.is_some()));
    for (at, _) in calls {
        task.queue.add(share.run(|| instance.create(at).0));
    }
    let evaluate = |name: &Vec<String>| {
        let name: Vec<&str> = name.iter().map(String::as_str).collect();
        let _ = instance.context.value_of_once(&name, &mut Reported::default());
        Meter::current().exceeded().is_some()
    };
    // What a name with an error needs may not be kept either, and other names may need it, too.
    if share.run(|| values(instance).iter().any(evaluate)) {
        return task.queue.failed();
    }
    for condition in conditions(instance) {
        share.run(|| evaluate(&condition));
    }
}

/// The names of all values.
fn values(instance: &Instance) -> Vec<Vec<String>> {
    let config = &instance.config;
    let own = |name: &[Name]| name.iter().map(ToString::to_string).collect();
    let value = |(at, item): (usize, &Item)| match &item.content {
        _ if item.has_effects() => Some(block_without_value(at).to_vec()),
        Content::Input(_) | Content::Output(_) | Content::Object(_) => Some(own(&item.address)),
        Content::Call(_) | Content::Check | Content::Settings(_) => None,
    };
    let values = config.values.iter().map(|named| own(&named.address));
    values.chain(config.items.iter().enumerate().filter_map(value)).collect()
}

/// The names of all conditions.
fn conditions(instance: &Instance) -> Vec<Vec<String>> {
    let items = instance.config.items.iter().enumerate();
    let of = |(at, item): (usize, &Item)| {
        (0..item.conditions.len()).map(move |condition| condition_path(at, condition).to_vec())
    };
    items.flat_map(of).collect()
}

/// The modules that are still to be evaluated.
struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    open: VecDeque<Arc<Instance>>,
    /// The number of modules that are being evaluated. They may add others.
    running: usize,
    failed: usize,
}

/// A module from the queue. It is done when it is dropped.
struct Task<'q> {
    queue: &'q Queue,
    instance: Arc<Instance>,
}

impl Queue {
    fn new(root: Arc<Instance>) -> Self {
        Self {
            state: Mutex::new(State { open: VecDeque::from([root]), running: 0, failed: 0 }),
            changed: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, instances: &[Arc<Instance>]) {
        self.state().open.extend(instances.iter().cloned());
        self.changed.notify_all();
    }

    /// Counts a module with an error. After too many, no others are evaluated.
    fn failed(&self) {
        self.state().failed += 1;
    }

    /// The next module. Waits while others may be added.
    fn take(&self) -> Option<Task<'_>> {
        let waits = |state: &mut State| state.open.is_empty() && state.running > 0;
        let mut state = self.changed.wait_while(self.state(), waits).unwrap_or_else(PoisonError::into_inner);
        let instance = state.open.pop_front().filter(|_| state.failed < MOST_FAILED)?;
        state.running += 1;
        Some(Task { queue: self, instance })
    }
}

impl Drop for Task<'_> {
    fn drop(&mut self) {
        self.queue.state().running -= 1;
        self.queue.changed.notify_all();
    }
}
