//! Which directories have several instances, and the values that these instances share.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use hclkit_limits::with_room;
use hclkit_model::SharedValues;

use crate::config::{Config, Content};

/// The values that the instances of a directory share, for each directory that can have several instances.
#[derive(Clone, Debug)]
pub(crate) enum Shared {
    /// By directory.
    Found(HashMap<String, Arc<SharedValues>>),
    /// By directory, from its second instance on, so that modules that are not evaluated take no time.
    OnDemand(Arc<Mutex<HashMap<String, Option<Arc<SharedValues>>>>>),
}

impl Shared {
    /// Nothing is shared yet.
    pub(crate) fn new(root: &Config) -> Self {
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
        Self::Found(several.map(|(directory, _)| (directory.to_owned(), Arc::default())).collect())
    }

    /// Nothing is known about the directories.
    pub(crate) fn on_demand() -> Self {
        Self::OnDemand(Arc::default())
    }

    pub(super) fn of(&self, config: &Config) -> Option<Arc<SharedValues>> {
        if config.computed {
            return None;
        }
        match self {
            Self::Found(all) => all.get(&config.directory).cloned(),
            Self::OnDemand(all) => {
                let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(shared) = all.get_mut(&config.directory) {
                    return Some(shared.get_or_insert_default().clone());
                }
                all.insert(config.directory.clone(), None);
                None
            }
        }
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
