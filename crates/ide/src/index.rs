//! What the files of a workspace declare, and which modules they call. Of most files that are not open, only this is kept.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Weak};

use hclkit::limits::Meter;
use hclkit::refactor::{ModuleCall, may_have_calls};

use crate::Snapshot;
use crate::file::File;
use crate::files::{join_absolute, parent};
use crate::symbols::{Declared, declared};
use crate::usage::Usage;

/// The maximum number of directories that wait.
const MOST: usize = 100_000;

/// The files of a workspace, by directory.
#[derive(Debug, Default)]
pub(crate) struct Index {
    directories: BTreeMap<String, Directory>,
    /// The directories with calls, by the directories of the modules that they call.
    callers: BTreeMap<String, BTreeSet<String>>,
    /// Directories that may have changed.
    stale: BTreeSet<String>,
    /// Directories that were not looked into yet.
    pending: Vec<String>,
    is_read: bool,
}

/// The files of a directory.
type Directory = Vec<Indexed>;

/// What is known about a file.
#[derive(Clone, Debug)]
struct Indexed {
    path: String,
    /// The parsed file, if it is kept for something else.
    file: Weak<File>,
    /// The directories of the modules that it calls.
    calls: Vec<String>,
    /// What it declares. Nothing if it is open, because its text often changes.
    declared: Box<[Declared]>,
    /// What it uses.
    usage: Arc<Usage>,
}

impl Index {
    /// Says that a directory may have changed.
    pub(crate) fn forget(&mut self, directory: &str) {
        self.stale.insert(directory.to_owned());
    }

    /// Reads what is new. If a limit ends this, the next question goes on.
    pub(crate) fn update(&mut self, snapshot: &Snapshot) {
        if !self.is_read {
            self.is_read = true;
            self.pending = snapshot.roots().to_vec();
            let opened = snapshot.open_files().map(|file| parent(file.path()).to_owned());
            self.stale.extend(opened);
        }
        let is_over = || Meter::current().look().is_err();
        while let Some(directory) = self.pending.pop() {
            if is_over() {
                self.pending.push(directory);
                return;
            }
            for name in snapshot.directories(&directory) {
                if !name.starts_with('.') && name != "node_modules" && self.pending.len() < MOST {
                    self.pending.push(format!("{}/{name}", directory.trim_end_matches('/')));
                }
            }
            self.stale.insert(directory);
        }
        while let Some(directory) = self.stale.pop_first() {
            if is_over() {
                self.stale.insert(directory);
                return;
            }
            let before = self.directories.get(&directory);
            let read = read(snapshot, &directory, before.map_or(&[], |own| &own[..]));
            // What is read while a limit ends the work is not all of it.
            if is_over() {
                self.stale.insert(directory);
                return;
            }
            self.replace(directory, read);
        }
    }

    /// Replaces what is known about a directory.
    fn replace(&mut self, directory: String, read: Option<Directory>) {
        for called in calls(self.directories.get(&directory)) {
            if let Some(callers) = self.callers.get_mut(called) {
                callers.remove(&directory);
            }
        }
        for called in calls(read.as_ref()) {
            self.callers.entry(called.to_owned()).or_default().insert(directory.clone());
        }
        match read {
            Some(own) => self.directories.insert(directory, own),
            None => self.directories.remove(&directory),
        };
    }

    /// The directories with calls of the module in a directory.
    pub(crate) fn callers(&self, directory: &str) -> Vec<&str> {
        self.callers.get(directory).into_iter().flatten().map(String::as_str).collect()
    }

    /// Whether nothing is left to read.
    pub(crate) fn is_complete(&self) -> bool {
        self.is_read && self.pending.is_empty() && self.stale.is_empty()
    }

    /// The directories of the modules that the one in a directory calls.
    pub(crate) fn called(&self, directory: &str) -> BTreeSet<String> {
        calls(self.directories.get(directory)).map(str::to_owned).collect()
    }

    /// The directories whose modules call the one in a directory, also through others.
    pub(crate) fn all_callers(&self, directory: &str) -> BTreeSet<String> {
        let mut found: BTreeSet<String> = BTreeSet::new();
        let mut open = vec![directory.to_owned()];
        while let Some(called) = open.pop() {
            for caller in self.callers(&called) {
                if caller != directory && found.insert(caller.to_owned()) {
                    open.push(caller.to_owned());
                }
            }
        }
        found
    }

    /// The directories with files, below a directory or all.
    pub(crate) fn directories(&self) -> impl Iterator<Item = &str> {
        self.directories.keys().map(String::as_str)
    }

    /// The paths of all files.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        self.directories.values().flatten().map(|file| file.path.as_str())
    }

    /// What the files of other directories use, as far as they are read.
    pub(crate) fn usage<'i>(
        &'i self,
        directory: &'i str,
    ) -> impl Iterator<Item = impl Iterator<Item = &'i Usage>> {
        let others = self.directories.iter().filter(move |(own, _)| *own != directory);
        others.map(|(_, files)| files.iter().map(|file| &*file.usage))
    }

    /// The declarations in files that are not open, with the paths of the files.
    pub(crate) fn declared(&self) -> impl Iterator<Item = (&str, &Declared)> {
        let files = self.directories.values().flatten();
        files.flat_map(|own| own.declared.iter().map(|declared| (own.path.as_str(), declared)))
    }
}

/// The directories of the modules that a directory calls.
fn calls(directory: Option<&Directory>) -> impl Iterator<Item = &str> {
    directory.into_iter().flatten().flat_map(|own| &own.calls).map(String::as_str)
}

/// Reads a directory. `before` is what was known about it.
fn read(snapshot: &Snapshot, directory: &str, before: &[Indexed]) -> Option<Directory> {
    let names = snapshot.list(directory).ok()?;
    let mut all = Directory::new();
    let is_open = snapshot.open_files().any(|file| parent(file.path()) == directory);
    for name in names {
        let path = format!("{}/{name}", directory.trim_end_matches('/'));
        if !snapshot.is_configuration(&path) {
            continue;
        }
        // The files beside an open one are parsed for its module anyway.
        if is_open {
            let Some(file) = snapshot.file(&path) else { continue };
            let known = before.iter().find(|own| own.path == path && own.is_of(&file));
            all.push(known.map_or_else(|| Indexed::new(snapshot, &file), Indexed::clone));
        } else {
            let Ok(text) = snapshot.read(&path) else { continue };
            let file = Arc::new(File::new(&path, text, None, snapshot.dialect_of(&path)));
            all.push(Indexed::new(snapshot, &file));
        }
    }
    (!all.is_empty()).then_some(all)
}

impl Indexed {
    fn new(snapshot: &Snapshot, file: &Arc<File>) -> Self {
        let document = file.document();
        let may_call = may_have_calls(file.path(), file.text());
        let calls = if may_call { ModuleCall::all(document) } else { Vec::new() };
        let calls = calls.iter().filter_map(|call| call.directory(document));
        let is_open = snapshot.open_file(file.path()).is_some();
        Self {
            path: file.path().to_owned(),
            file: Arc::downgrade(file),
            calls: calls.filter_map(|path| Some(join_absolute(path.to_str()?))).collect(),
            declared: if is_open { Box::default() } else { declared(file).collect() },
            usage: if is_open {
                Arc::default()
            } else {
                Arc::new(file.usage().for_others(!file.dialect().is_some_and(|own| own.has_modules())))
            },
        }
    }

    /// Whether this is known about a file as it is now.
    fn is_of(&self, file: &Arc<File>) -> bool {
        std::ptr::eq(self.file.as_ptr(), Arc::as_ptr(file))
    }
}
