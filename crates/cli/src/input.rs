//! Selects and reads input files: paths on the command line, files in directories and standard input.

mod globs;
mod ignores;
pub(crate) mod read;
mod small;

use std::collections::HashSet;
use std::error::Error;
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use hclkit::{Document, Source, Syntax};
use ignore::{DirEntry, WalkBuilder};

use crate::args::Files;
use crate::host;
pub(crate) use hclkit::render::FailedFile as Unreadable;

use crate::output::{Failure, warn};
use globs::Globs;
use ignores::Ignores;
use read::{Entry, Tree};
pub(crate) use small::read_small;

/// The name of standard input in messages.
pub(crate) const STDIN_NAME: &str = "<stdin>";

/// Something to read.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Input {
    Stdin,
    /// A file specified on the command line.
    File(PathBuf),
    /// A file found in a directory: its name and its path in the directory.
    Found(PathBuf, PathBuf, Arc<Tree>),
}

impl From<Unreadable> for Failure {
    fn from(unreadable: Unreadable) -> Self {
        Self::new(unreadable.to_string())
    }
}

impl Input {
    /// `-` is standard input.
    pub(crate) fn of(path: &Path) -> Self {
        if path == Path::new("-") { Self::Stdin } else { Self::File(path.to_owned()) }
    }

    /// The name of the input in messages.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Stdin => host::Host::current().stdin_name().unwrap_or(STDIN_NAME).to_owned(),
            Self::File(path) | Self::Found(path, ..) => path.display().to_string(),
        }
    }

    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Self::Stdin => None,
            Self::File(path) | Self::Found(path, ..) => Some(path),
        }
    }

    /// Whether the input is in the JSON syntax, according to its name.
    pub(crate) fn is_json(&self) -> bool {
        let syntax = match self {
            Self::Stdin => Syntax::of(self.name()),
            Self::File(path) | Self::Found(path, ..) => Syntax::of(path),
        };
        syntax == Syntax::Json
    }

    /// Reads the input, which must not be in the JSON syntax.
    pub(crate) fn read(&self) -> Result<Source, Unreadable> {
        if self.is_json() {
            return Err(self.unreadable(
                &"the file is in the JSON syntax, but this command supports only the native syntax",
            ));
        }
        self.read_text()
    }

    /// Reads the input in any syntax.
    pub(crate) fn read_text(&self) -> Result<Source, Unreadable> {
        self.text().map_err(|error| match error.kind() {
            io::ErrorKind::FileTooLarge => {
                self.unreadable(&format!("{error}; use --max-size to raise the limit"))
            }
            _ => self.unreadable(&error),
        })
    }

    /// The same. Errors name neither the input nor an option.
    pub(crate) fn text(&self) -> io::Result<Source> {
        let text = match self {
            Self::Stdin => host::stdin().and_then(read::all),
            Self::File(path) => File::open(path).and_then(read::file),
            Self::Found(_, inside, tree) => tree.read(inside),
        };
        Ok(Source::new(self.name(), text?))
    }

    /// Reads and parses the input in the syntax of its name.
    pub(crate) fn parse(&self) -> Result<Document, Unreadable> {
        let source = self.read_text()?;
        Ok(if self.is_json() {
            Document::parse_json(source)
        } else {
            Document::parse(source, hclkit::Entry::Config)
        })
    }

    /// Opens the file for reading.
    pub(crate) fn open(&self) -> io::Result<File> {
        match self {
            Self::Stdin => Err(io::ErrorKind::Unsupported.into()),
            Self::File(path) => File::open(path),
            Self::Found(_, inside, tree) => tree.open_file(inside).map(|(file, _)| file),
        }
    }

    fn unreadable(&self, why: &impl ToString) -> Unreadable {
        Unreadable { name: self.name(), reason: why.to_string(), action: "read" }
    }
}

/// Selects files in directories.
#[derive(Debug, Clone)]
// Each flag is an option of the command line.
#[allow(clippy::struct_excessive_bools)]
pub(crate) struct Selection {
    include: Option<Globs>,
    exclude: Option<Globs>,
    no_ignore: bool,
    hidden: bool,
    /// Whether to follow symbolic links to files outside of directories.
    follow: bool,
    /// Files to exclude from directories.
    left_out: Vec<PathBuf>,
    /// Whether to exclude variable files from directories.
    no_variables: bool,
    /// Whether to skip subdirectories.
    flat: bool,
    /// Whether to find the tests of a module of Terraform, even if subdirectories are skipped.
    tests: bool,
}

/// The files found for the paths on the command line, each once, in their order.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) inputs: Vec<Input>,
    pub(crate) unreadable: Vec<Unreadable>,
}

impl Selection {
    pub(crate) fn new(files: &Files) -> Result<Self, Failure> {
        let (include, exclude) = (Globs::new(&files.include)?, Globs::new(&files.exclude)?);
        let (no_variables, flat, tests, left_out) = (false, false, false, Vec::new());
        let Files { no_ignore, hidden, follow, .. } = *files;
        Ok(Self { include, exclude, no_ignore, hidden, follow, left_out, no_variables, flat, tests })
    }

    /// Excludes these files from directories.
    pub(crate) fn without(mut self, files: &[PathBuf]) -> Self {
        self.left_out = files.iter().filter_map(|file| file.canonicalize().ok()).collect();
        self
    }

    /// Sets whether to exclude variable files from directories.
    pub(crate) fn without_variables(self, no_variables: bool) -> Self {
        Self { no_variables, ..self }
    }

    /// Sets whether to skip subdirectories.
    pub(crate) fn without_subdirectories(self, flat: bool) -> Self {
        Self { flat, ..self }
    }

    /// Also finds the files of tests in the subdirectory `tests`, where Terraform looks for them.
    pub(crate) fn with_tests(self) -> Self {
        Self { tests: true, ..self }
    }

    /// Finds the files, in the current directory if no paths are given, and warns about links that are skipped.
    pub(crate) fn find(&self, paths: &[PathBuf]) -> Found {
        let mut found = Found::default();
        let mut seen = HashSet::new();
        for path in or_here(paths) {
            let input = Input::of(path);
            if input != Input::Stdin && path.is_dir() {
                self.walk(path, &mut found, &mut seen);
                let tests = path.join("tests");
                if self.tests && self.flat && tests.is_dir() {
                    self.walk_tests(&tests, &mut found, &mut seen);
                }
            } else if let Some(below) = self.matching(path, &mut seen) {
                found.unreadable.extend(below.unreadable);
                found.inputs.extend(below.inputs);
            } else if seen.insert(path.strip_prefix("./").unwrap_or(path).to_owned()) {
                found.inputs.push(input);
            }
        }
        found
    }

    /// Finds the files that match a path with wildcards, as a shell does. `None` if there is a file with this name, or no
    /// wildcard.
    fn matching(&self, path: &Path, seen: &mut HashSet<PathBuf>) -> Option<Found> {
        let (folder, glob) = globs::of_path(path).filter(|_| path.symlink_metadata().is_err())?;
        let include = Globs::new(&[glob]).ok()?;
        let mut found = Found::default();
        Self { include, flat: false, ..self.clone() }.walk(&folder, &mut found, &mut HashSet::new());
        if found.inputs.is_empty() && found.unreadable.is_empty() {
            found.unreadable.push(unreadable(path, &"no file matches this pattern"));
        }
        found.inputs.retain(|input| input.path().is_some_and(|path| seen.insert(path.to_owned())));
        Some(found)
    }

    fn walk_tests(&self, folder: &Path, found: &mut Found, seen: &mut HashSet<PathBuf>) {
        let mut in_folder = Found::default();
        self.walk(folder, &mut in_folder, seen);
        found.unreadable.append(&mut in_folder.unreadable);
        for input in in_folder.inputs {
            match input.path() {
                Some(path) if !is_test(path) => _ = seen.remove(path),
                _ => found.inputs.push(input),
            }
        }
    }

    fn walk(&self, folder: &Path, found: &mut Found, seen: &mut HashSet<PathBuf>) {
        let tree = match Tree::open(folder, self.follow) {
            Ok(tree) => Arc::new(tree),
            Err(error) => return found.unreadable.push(unreadable(folder, &error)),
        };
        let ignores = match (!self.no_ignore).then(|| Ignores::new(folder)).transpose() {
            Ok(ignores) => Mutex::new(ignores),
            Err((path, why)) => return found.unreadable.push(unreadable(&path, &why)),
        };
        let problems = Arc::new(Mutex::new(Vec::new()));
        let (hidden, exclude, root) = (self.hidden, self.exclude.clone(), folder.to_owned());
        let (flat, reported) = (self.flat, problems.clone());
        let walk = WalkBuilder::new(folder)
            .max_depth(self.flat.then_some(1))
            // Ignore files are read here. Hidden files are included: .terraform.lock.hcl, .tflint.hcl.
            .standard_filters(false)
            .follow_links(self.follow)
            .sort_by_file_name(OsStr::cmp)
            .filter_entry(move |entry| {
                let (path, name) = (entry.path(), entry.file_name().as_encoded_bytes());
                let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
                let mut ignores = ignores.lock().unwrap_or_else(PoisonError::into_inner);
                if ignores.as_mut().is_some_and(|ignores| ignores.skips(path, entry.depth(), is_folder)) {
                    return false;
                }
                let excluded = exclude.as_ref().is_some_and(|globs| globs.matches(&root, path, is_folder));
                // Hidden directories are usually caches.
                let hidden_folder = is_folder && name.starts_with(b".") && (!hidden || name == b".git");
                if excluded || hidden_folder {
                    return false;
                }
                let searched = ignores.as_mut().filter(|_| is_folder && !flat);
                let entered = searched.map_or(Ok(()), |ignores| ignores.enter(path));
                let is_fine = entered.is_ok();
                reported.lock().unwrap_or_else(PoisonError::into_inner).extend(entered.err());
                is_fine
            })
            .build();
        for entry in walk {
            match entry {
                Ok(entry) if is_file(&entry) => self.take(folder, &entry, &tree, found, seen),
                Ok(_) => {}
                Err(error) => found.unreadable.push(of_walk(folder, &error)),
            }
        }
        let problems = std::mem::take(&mut *problems.lock().unwrap_or_else(PoisonError::into_inner));
        found.unreadable.extend(problems.iter().map(|(path, why)| unreadable(path, why)));
    }

    fn take(
        &self,
        folder: &Path,
        entry: &DirEntry,
        tree: &Arc<Tree>,
        found: &mut Found,
        seen: &mut HashSet<PathBuf>,
    ) {
        let path = entry.path();
        let taken = match &self.include {
            Some(include) => include.matches(folder, path, false),
            None => Syntax::of_path(path).is_some(),
        };
        if !taken || self.leaves_out(path) {
            return;
        }
        // Remove the prefix for the current directory.
        let name = path.strip_prefix("./").unwrap_or(path).to_owned();
        let is_regular = entry.file_type().is_some_and(|kind| kind.is_file());
        let kind = match path.strip_prefix(folder) {
            // No part of the path below the directory is a link.
            Ok(inside) if is_regular && !self.follow => Ok(Entry::File(inside.to_owned())),
            _ => tree.entry(path),
        };
        match kind {
            Ok(Entry::File(inside)) if seen.insert(name.clone()) => {
                found.inputs.push(Input::Found(name, inside, tree.clone()));
            }
            Ok(Entry::Outside) => warn(format_args!(
                "skipping {}, a symbolic link to a file outside of its directory; use --follow to read it",
                name.display()
            )),
            Ok(Entry::File(_) | Entry::Other) => {}
            Err(error) => found.unreadable.push(unreadable(&name, &error)),
        }
    }

    fn leaves_out(&self, path: &Path) -> bool {
        if self.no_variables && holds_variables(path) {
            return true;
        }
        !self.left_out.is_empty() && path.canonicalize().is_ok_and(|path| self.left_out.contains(&path))
    }
}

/// The paths, or the current directory if there are none.
pub(crate) fn or_here(paths: &[PathBuf]) -> &[PathBuf] {
    static HERE: LazyLock<[PathBuf; 1]> = LazyLock::new(|| [PathBuf::from(".")]);
    if paths.is_empty() { &*HERE } else { paths }
}

/// Whether a file is a variable file, according to its name.
fn holds_variables(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let name = name.strip_suffix(".json").unwrap_or(&name);
    [".tfvars", ".pkrvars.hcl", ".pkrvars"].iter().any(|ending| name.ends_with(ending))
}

/// Whether a file has tests of Terraform, according to its name.
pub(crate) fn is_test(path: &Path) -> bool {
    let name = path.to_string_lossy().to_ascii_lowercase();
    [".tftest.hcl", ".tftest.json", ".tofutest.hcl", ".tofutest.json"].iter().any(|end| name.ends_with(end))
}

/// Whether to read a directory entry. Links to files are read; links to directories are not, because they could form a
/// cycle.
fn is_file(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|kind| kind.is_file() || kind.is_symlink() && !entry.path().is_dir())
}

fn unreadable(path: &Path, why: &impl ToString) -> Unreadable {
    Unreadable { name: path.display().to_string(), reason: why.to_string(), action: "read" }
}

fn of_walk(folder: &Path, error: &ignore::Error) -> Unreadable {
    let mut inner = error;
    let mut name = folder.display().to_string();
    let why = loop {
        match inner {
            ignore::Error::WithPath { path, err } => (name, inner) = (path.display().to_string(), err),
            ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => inner = err,
            // The cause of the error is in its source.
            ignore::Error::Io(error) => break root_cause(error).to_string(),
            other => break other.to_string(),
        }
    };
    Unreadable { name, reason: why, action: "read" }
}

fn root_cause(error: &dyn Error) -> &dyn Error {
    error.source().map_or(error, root_cause)
}
