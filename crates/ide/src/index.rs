//! What the files of a workspace declare, and which modules they call. Of files that are not open, only this is kept.

use std::collections::{BTreeMap, BTreeSet};

use hclkit::limits::Meter;
use hclkit::module::join_path;
use hclkit::refactor::ModuleCall;

use crate::file::File;
use crate::files::parent;
use crate::symbols::{self, SymbolKind};
use crate::{LinePosition, Snapshot};

/// The maximum number of directories that wait.
const MOST: usize = 100_000;

/// The files of a workspace, by directory.
#[derive(Debug, Default)]
pub(crate) struct Index {
    directories: BTreeMap<String, Directory>,
    /// Directories that may have changed.
    stale: BTreeSet<String>,
    /// Directories that were not looked into yet.
    pending: Vec<String>,
    is_read: bool,
}

#[derive(Debug, Default)]
struct Directory {
    /// The directories of the modules that are called.
    calls: BTreeSet<String>,
    declared: Vec<Declared>,
}

/// A declaration in a file.
#[derive(Clone, Debug)]
pub(crate) struct Declared {
    pub(crate) name: String,
    pub(crate) kind: SymbolKind,
    pub(crate) path: String,
    /// The start and the end of the name, in characters of UTF-8, UTF-16 and UTF-32.
    pub(crate) range: [(LinePosition, LinePosition); 3],
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
            let read = Directory::read(snapshot, &directory);
            // What is read while a limit ends the work is not all of it.
            if is_over() {
                self.stale.insert(directory);
                return;
            }
            match read {
                Some(own) => self.directories.insert(directory, own),
                None => self.directories.remove(&directory),
            };
        }
    }

    /// The directories with calls of the module in a directory.
    pub(crate) fn callers(&self, directory: &str) -> Vec<&str> {
        let all = self.directories.iter().filter(|(_, own)| own.calls.contains(directory));
        all.map(|(path, _)| path.as_str()).collect()
    }

    /// Whether nothing is left to read.
    pub(crate) fn is_complete(&self) -> bool {
        self.is_read && self.pending.is_empty() && self.stale.is_empty()
    }

    /// The directories of the modules that the one in a directory calls.
    pub(crate) fn called(&self, directory: &str) -> impl Iterator<Item = String> {
        let own = self.directories.get(directory);
        own.map(|own| own.calls.clone()).unwrap_or_default().into_iter()
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

    /// The declarations.
    pub(crate) fn declared(&self) -> impl Iterator<Item = &Declared> {
        self.directories.values().flat_map(|directory| &directory.declared)
    }
}

impl Directory {
    fn read(snapshot: &Snapshot, directory: &str) -> Option<Directory> {
        let names = snapshot.list(directory).ok()?;
        let mut own = Directory::default();
        let mut has_files = false;
        let is_open = snapshot.open_files().any(|file| parent(file.path()) == directory);
        for name in names {
            let path = format!("{}/{name}", directory.trim_end_matches('/'));
            if !snapshot.is_configuration(&path) {
                continue;
            }
            // The files beside an open one are parsed for its module anyway.
            let file = if is_open {
                let Some(file) = snapshot.file(&path) else { continue };
                file
            } else {
                let Ok(text) = snapshot.read(&path) else { continue };
                File::new(&path, text, None, snapshot.dialect_of(&path)).into()
            };
            has_files = true;
            own.add(&file);
        }
        has_files.then_some(own)
    }

    fn add(&mut self, file: &File) {
        let document = file.document();
        if file.text().contains("module") {
            let called = ModuleCall::all(document);
            let called = called.iter().filter_map(|call| call.directory(document));
            self.calls.extend(called.filter_map(|path| Some(join_absolute(path.to_str()?))));
        }
        for symbol in symbols::declarations(file) {
            let range = |encoding| {
                let position = |offset| file.position(offset, encoding);
                (position(symbol.name_span.start), position(symbol.name_span.end))
            };
            self.declared.push(Declared {
                name: symbol.name.clone(),
                kind: symbol.kind,
                path: file.path().to_owned(),
                range: [crate::Encoding::Utf8, crate::Encoding::Utf16, crate::Encoding::Utf32].map(range),
            });
        }
    }
}

/// An absolute path in its shortest form.
pub(crate) fn join_absolute(path: &str) -> String {
    let path = if cfg!(windows) { path.replace('\\', "/") } else { path.to_owned() };
    match path.strip_prefix('/') {
        Some(rest) => join_path("/", rest),
        None => join_path("", &path),
    }
}
