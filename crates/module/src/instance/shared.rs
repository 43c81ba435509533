//! Which directories have several instances, and the values that these instances share.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use hclkit_limits::with_room;
use hclkit_model::SharedValues;

use crate::config::{Config, Content};

/// The values that the instances of a directory share, for each directory that can have several instances.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shared(HashMap<String, Arc<SharedValues>>);

impl Shared {
    /// Nothing is shared yet.
    pub(crate) fn new(root: &Config) -> Shared {
        let (mut callees_first, mut seen) = (Vec::new(), HashSet::new());
        visit(root, &mut seen, &mut callees_first);
        let mut several: HashMap<&str, bool> = HashMap::new();
        for config in callees_first.iter().rev() {
            let caller = several.get(config.directory.as_str()).copied().unwrap_or_default();
            for (called, is_repeated) in called(config) {
                let before = several.get(called.directory.as_str());
                let now = before.is_some() || caller || is_repeated;
                several.insert(&called.directory, now);
            }
        }
        let several = several.into_iter().filter(|(_, several)| *several);
        Shared(several.map(|(directory, _)| (directory.to_owned(), Arc::default())).collect())
    }

    pub(super) fn of(&self, config: &Config) -> Option<Arc<SharedValues>> {
        self.0.get(&config.directory).filter(|_| !config.computed).cloned()
    }
}

/// Adds a directory after those that it calls.
fn visit<'c>(config: &'c Config, seen: &mut HashSet<&'c str>, done: &mut Vec<&'c Config>) {
    if seen.insert(&config.directory) {
        with_room(|| called(config).for_each(|(called, _)| visit(called, seen, done)));
        done.push(config);
    }
}

/// The directories that a directory calls, with true for calls that are repeated.
fn called(config: &Config) -> impl Iterator<Item = (&Config, bool)> {
    config.items.iter().filter_map(|item| match &item.content {
        Content::Call(call) => Some((&**call.config.as_ref()?, item.repetition.is_some())),
        _ => None,
    })
}
