//! What the checks of several root modules share: called modules in which nothing was found, by their inputs.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use hclkit_syntax::Diagnostics;
use hclkit_value::{Name, Value};

use super::Instance;
use crate::config::Content;
use crate::files::relative;
use hclkit_dialect::Role;

/// The maximum number of values that are kept.
const MOST_VALUES: usize = 2_000_000;

/// Called modules in which checks found no errors and no warnings. With the same inputs, there are none either, and the
/// results are the same.
#[derive(Default)]
pub(crate) struct Checked(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    modules: HashMap<Key, Arc<Results>>,
    values: usize,
}

/// The values of results, by the index of the item.
pub(crate) type Results = HashMap<usize, Value>;

/// All that a check of a called module depends on.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    /// The address of the declarations, which exist as long as the key.
    config: usize,
    is_validation: bool,
    /// Its data sources are read later.
    waits: bool,
    /// The directory as expressions see it, if they may.
    directory: Option<String>,
    inputs: Box<[Value]>,
}

/// The number of modules. Values are left out.
#[doc(hidden)]
impl fmt::Debug for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        f.debug_struct("Checked").field("modules", &kept.modules.len()).finish_non_exhaustive()
    }
}

impl Checked {
    /// Keeps the modules that a root module calls, because nothing was found in any of them.
    pub(crate) fn keep(&self, root: &Arc<Instance>) {
        let mut open: Vec<Arc<Instance>> = root.calls().cloned().collect();
        while let Some(instance) = open.pop() {
            open.extend(instance.calls().cloned());
            let Some(key) = instance.key() else { continue };
            let results = instance.config.items.iter().enumerate();
            let results = results.filter(|(_, item)| item.rule.role == Role::Result);
            let results = results.filter_map(|(at, item)| {
                let path: Vec<&str> = item.address.iter().map(Name::as_str).collect();
                Some((at, instance.context.value_alone(&path)?))
            });
            let results: Results = results.collect();
            let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let values = key.inputs.len() + results.len() + 1;
            if kept.values + values <= MOST_VALUES && kept.modules.insert(key, Arc::new(results)).is_none() {
                kept.values += values;
            }
        }
    }

    fn find(&self, key: &Key) -> Option<Arc<Results>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).modules.get(key).cloned()
    }
}

impl Instance {
    /// Returns true if the check of another root module has shown that there is nothing to find in the module and in the
    /// modules that it calls.
    pub(crate) fn is_checked(&self) -> bool {
        self.checked_results().is_some()
    }

    /// The value of a result, if the check of another root module has found it.
    pub(super) fn checked_result(&self, item: usize) -> Option<Value> {
        self.checked_results()?.get(&item).cloned()
    }

    fn checked_results(&self) -> Option<&Arc<Results>> {
        let checked = self.tree.checked.as_ref()?;
        if self.known.get().is_none() {
            let found = self.key().and_then(|key| checked.find(&key));
            let _ = self.known.set(found);
        }
        self.known.get()?.as_ref()
    }

    /// The instances of called modules that were created, without those that were already checked.
    pub(crate) fn calls(&self) -> impl Iterator<Item = &Arc<Self>> {
        let all = 0..self.children.len();
        all.flat_map(|at| self.created(at)).filter(|child| !child.is_known())
    }

    /// Returns true if it was found out that the module is checked.
    pub(crate) fn is_known(&self) -> bool {
        matches!(self.known.get(), Some(Some(_)))
    }

    /// What a check of the module depends on. Inputs that may depend on results of the same call must not be evaluated
    /// before they are needed.
    fn key(&self) -> Option<Key> {
        if self.is_root() || !self.has_independent_inputs {
            return None;
        }
        let mut diagnostics = Diagnostics::new();
        let mut inputs = Vec::new();
        for item in &self.config.items {
            let Content::Input(input) = &item.content else { continue };
            // Conditions see inputs that nothing else sees.
            inputs.push(if self.is_validation {
                self.input(item, input, &mut diagnostics)
            } else {
                let path: Vec<&str> = item.address.iter().map(Name::as_str).collect();
                diagnostics.absorb(self.context.value_of(&path)?)
            });
        }
        if diagnostics.total() > 0 {
            return None;
        }
        let root = &self.tree.outside.root;
        let directory = match (self.config.has_file_names, self.config.has_paths) {
            // Relative names of files are those of the root module.
            (true, _) => Some(root.clone()),
            (false, has_paths) => has_paths.then(|| relative(root, &self.config.directory)),
        };
        let config = Arc::as_ptr(&self.config) as usize;
        let waits = self.tree.data_sources && self.waits();
        Some(Key { config, is_validation: self.is_validation, waits, directory, inputs: inputs.into() })
    }
}
