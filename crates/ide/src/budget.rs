//! Budgets of answers that show values: about 100 ms and 64 MiB. They are counted, so that an answer does not depend on the
//! machine. What a budget ends is left out of the answer, and computed anew for the next one.

use std::cell::Cell;
use std::sync::Arc;

use hclkit::Limits;
use hclkit::limits::Meter;

use crate::Snapshot;
use crate::module::{Loaded, Module};

/// What all values of an answer may take together. While a text grows, it takes several times its length.
fn of_answer() -> Limits {
    Limits::new().with_steps(400_000).with_elements(400_000).with_bytes(4 << 20)
}

/// What one of several values may take, so that the others have a share.
fn of_value() -> Limits {
    Limits::new().with_steps(100_000).with_elements(100_000).with_bytes(2 << 20)
}

/// The budget of an answer.
#[derive(Default)]
pub(crate) struct Budget {
    is_exceeded: Cell<bool>,
}

impl Budget {
    /// Whether the budget has ended some of the work.
    pub(crate) fn is_exceeded(&self) -> bool {
        self.note();
        self.is_exceeded.get()
    }

    /// Computes one of several values.
    pub(crate) fn value<T>(&self, work: impl FnOnce() -> T) -> T {
        of_value().run(|| {
            let found = work();
            self.note();
            found
        })
    }

    fn note(&self) {
        self.is_exceeded.set(self.is_exceeded.get() || Meter::current().exceeded().is_some());
    }
}

/// Computes a value that needs no module, such as that of an expression without variables.
pub(crate) fn alone<T>(work: impl FnOnce() -> T) -> T {
    of_value().run(work)
}

impl Snapshot {
    /// Asks a module, or a unit of Terragrunt, for values within the budget of an answer. `None` if its files are neither.
    pub(crate) fn within_budget<T>(
        &self,
        own: &Arc<Module>,
        work: impl FnOnce(&Loaded, &Budget) -> T,
    ) -> Option<T> {
        let budget = Budget::default();
        let (found, is_exceeded) = of_answer().run(|| {
            let found = own.loaded(self).map(|loaded| work(loaded, &budget));
            (found, budget.is_exceeded())
        });
        if is_exceeded {
            // It may keep parts that are not complete.
            self.forget_module(own);
        }
        found
    }
}
