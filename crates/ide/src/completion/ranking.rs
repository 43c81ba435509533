//! Which items come first: those that are required and missing, those with the name of what they are a value of, those that are
//! declared and not used yet, and those that other files use at such a place.

use std::collections::BTreeMap;

use crate::Snapshot;
use crate::module::Module;
use crate::usage::{Form, Subject};

/// The most files of other directories that are asked.
const MOST_FILES: usize = 20_000;
/// The rank of what nothing speaks for.
pub(super) const LAST: u16 = 1_000;

/// How often a name is used: in the files of the module, and in others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Used {
    pub(super) near: u32,
    pub(super) far: u32,
    pub(super) form: Form,
}

impl Used {
    /// What speaks for the name: up to 300.
    pub(super) fn weight(self) -> u16 {
        // Twice as often is not twice as near.
        let of = |count: u32, each: u32| (count.min(1 << 12) + 1).ilog2() * each;
        (of(self.near, 25) + of(self.far, 12)).min(300) as u16
    }
}

pub(super) type Names = BTreeMap<String, Used>;

impl Snapshot {
    /// The names about a subject in the files of a module and of the workspace.
    pub(super) fn used_names(&self, module: &Module, subject: &Subject) -> Names {
        let mut found = Names::new();
        for file in &module.files {
            for (name, seen) in file.usage().about(subject) {
                let own = found.entry(name.to_owned()).or_default();
                own.near += seen.count;
                own.form = seen.form;
            }
        }
        let Some(index) = self.known_index() else { return found };
        for usage in index.usage(&module.directory).flatten().take(MOST_FILES) {
            for (name, seen) in usage.about(subject) {
                let own = found.entry(name.to_owned()).or_insert(Used { form: seen.form, ..Used::default() });
                own.far += seen.count;
            }
        }
        found
    }

    /// The names of the results that are used of a module that is elsewhere.
    pub(super) fn used_results(&self, module: &Module, source: &str) -> Names {
        let mut found = Names::new();
        let mut add = |usages: &[&crate::usage::Usage], is_near: bool| {
            let calls = usages.iter().flat_map(|usage| usage.calls()).filter(|(own, _)| *own == source);
            for (_, call) in calls {
                let subject = Subject::Members(format!("module.{call}"));
                for (name, seen) in usages.iter().flat_map(|usage| usage.about(&subject)) {
                    let own = found.entry(name.to_owned()).or_default();
                    *if is_near { &mut own.near } else { &mut own.far } += seen.count;
                }
            }
        };
        let near: Vec<&crate::usage::Usage> = module.files.iter().map(|file| file.usage()).collect();
        add(&near, true);
        if let Some(index) = self.known_index() {
            for directory in index.usage(&module.directory).take(MOST_FILES) {
                add(&directory.collect::<Vec<_>>(), false);
            }
        }
        found
    }
}

/// The parts of a name, without those of a plural.
fn words(name: &str) -> Vec<String> {
    let parts = name.split(['_', '-', '.']).filter(|part| !part.is_empty());
    parts.map(|part| part.trim_end_matches('s').to_lowercase()).collect()
}

/// How similar two names are: from 0 to 100, if they are the same.
pub(super) fn similarity(one: &str, other: &str) -> u16 {
    if one == other {
        return 100;
    }
    let (one, other) = (words(one), words(other));
    let most = one.len().max(other.len());
    if most == 0 || most > 32 {
        return 0;
    }
    let shared = one.iter().filter(|word| other.contains(word)).count();
    (90 * shared / most) as u16
}

/// A rank from what speaks for an item.
pub(super) fn rank(weight: u16) -> u16 {
    LAST - weight.min(LAST)
}
