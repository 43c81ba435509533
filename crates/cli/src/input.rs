//! Which files are meant: names on the command line, what lies in directories, standard input; and reading them.

mod globs;

use std::collections::HashSet;
use std::error::Error;
use std::ffi::OsStr;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use hclkit::{Source, Syntax};
use ignore::{DirEntry, WalkBuilder};

use crate::output::Failure;
use globs::Globs;

/// How standard input is called in messages.
pub(crate) const STDIN_NAME: &str = "<stdin>";

/// Something to read.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Input {
    Stdin,
    File(PathBuf),
}

/// Why an input cannot be read, or its mended text not be written.
#[derive(Debug, Clone)]
pub(crate) struct Unreadable {
    pub(crate) name: String,
    pub(crate) why: String,
    /// `read` or `write`
    pub(crate) action: &'static str,
}

impl std::fmt::Display for Unreadable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "cannot {} {}: {}", self.action, self.name, self.why)
    }
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

    /// How it is called in messages.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Stdin => STDIN_NAME.to_owned(),
            Self::File(path) => path.display().to_string(),
        }
    }

    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Self::Stdin => None,
            Self::File(path) => Some(path),
        }
    }

    /// Whether it is in the JSON syntax, as its name tells.
    pub(crate) fn is_json(&self) -> bool {
        self.path().is_some_and(|path| Syntax::of(path) == Syntax::Json)
    }

    /// Its text under its name, which must not be that of a file in the JSON syntax.
    pub(crate) fn read(&self) -> Result<Source, Unreadable> {
        if self.is_json() {
            return Err(self.unreadable(&"it is in the JSON syntax, and this command reads the native one"));
        }
        self.read_text()
    }

    /// Its text under its name, whatever it is.
    pub(crate) fn read_text(&self) -> Result<Source, Unreadable> {
        let read = match self {
            Self::Stdin => stdin(),
            Self::File(path) => std::fs::read(path),
        };
        read.map(|text| Source::new(self.name(), text)).map_err(|error| self.unreadable(&error))
    }

    fn unreadable(&self, why: &impl ToString) -> Unreadable {
        Unreadable { name: self.name(), why: why.to_string(), action: "read" }
    }
}

/// All of standard input, once.
fn stdin() -> io::Result<Vec<u8>> {
    static IS_READ: AtomicBool = AtomicBool::new(false);
    if IS_READ.swap(true, Ordering::Relaxed) {
        return Err(io::Error::other("it is for one thing, and was read for another one"));
    }
    let mut text = Vec::new();
    io::stdin().lock().read_to_end(&mut text)?;
    Ok(text)
}

/// What is taken of a directory.
#[derive(Debug)]
pub(crate) struct Selection {
    include: Option<Globs>,
    exclude: Option<Globs>,
    no_ignore: bool,
    hidden: bool,
    /// Files that are not taken from directories.
    left_out: Vec<PathBuf>,
    /// Whether files of variables are not taken from directories either.
    no_variables: bool,
}

/// What was found under the names on the command line, each once, in their order.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) inputs: Vec<Input>,
    pub(crate) unreadable: Vec<Unreadable>,
}

impl Selection {
    pub(crate) fn new(
        include: &[String],
        exclude: &[String],
        no_ignore: bool,
        hidden: bool,
    ) -> Result<Self, Failure> {
        let (include, exclude) = (Globs::new(include)?, Globs::new(exclude)?);
        Ok(Self { include, exclude, no_ignore, hidden, left_out: Vec::new(), no_variables: false })
    }

    /// The same, which does not take these files from directories.
    pub(crate) fn without(mut self, files: &[PathBuf]) -> Self {
        self.left_out = files.iter().filter_map(|file| file.canonicalize().ok()).collect();
        self
    }

    /// The same, which says whether directories' files of variables are left out.
    pub(crate) fn without_variables(self, no_variables: bool) -> Self {
        Self { no_variables, ..self }
    }

    pub(crate) fn find(&self, paths: &[PathBuf]) -> Found {
        let mut found = Found::default();
        let mut seen = HashSet::new();
        for path in paths {
            let input = Input::of(path);
            if input != Input::Stdin && path.is_dir() {
                self.walk(path, &mut found, &mut seen);
            } else if seen.insert(Input::of(path.strip_prefix("./").unwrap_or(path))) {
                found.inputs.push(input);
            }
        }
        found
    }

    fn walk(&self, folder: &Path, found: &mut Found, seen: &mut HashSet<Input>) {
        let (hidden, exclude, root) = (self.hidden, self.exclude.clone(), folder.to_owned());
        let walk = WalkBuilder::new(folder)
            // Hidden files count: .terraform.lock.hcl, .tflint.hcl. Hidden directories are caches.
            .hidden(false)
            .standard_filters(!self.no_ignore)
            .hidden(false)
            .require_git(false)
            .sort_by_file_name(OsStr::cmp)
            .filter_entry(move |entry| {
                let name = entry.file_name().as_encoded_bytes();
                let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
                let excluded =
                    exclude.as_ref().is_some_and(|globs| globs.matches(&root, entry.path(), is_folder));
                let hidden_folder = is_folder && name.starts_with(b".") && (!hidden || name == b".git");
                entry.depth() == 0 || !(excluded || hidden_folder)
            })
            .build();
        for entry in walk {
            match entry {
                Ok(entry) if is_file(&entry) => self.take(folder, entry.into_path(), found, seen),
                Ok(_) => {}
                Err(error) => found.unreadable.push(of_walk(folder, &error)),
            }
        }
    }

    fn take(&self, folder: &Path, path: PathBuf, found: &mut Found, seen: &mut HashSet<Input>) {
        let taken = match &self.include {
            Some(include) => include.matches(folder, &path, false),
            None => Syntax::of_path(&path).is_some(),
        };
        if !taken || self.leaves_out(&path) {
            return;
        }
        // The current directory goes without saying.
        let path = path.strip_prefix("./").map(Path::to_owned).unwrap_or(path);
        let input = Input::File(path);
        if seen.insert(input.clone()) {
            found.inputs.push(input);
        }
    }

    fn leaves_out(&self, path: &Path) -> bool {
        if self.no_variables && holds_variables(path) {
            return true;
        }
        !self.left_out.is_empty() && path.canonicalize().is_ok_and(|path| self.left_out.contains(&path))
    }
}

/// Whether a file sets variables, by its name: it is no configuration.
fn holds_variables(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let name = name.strip_suffix(".json").unwrap_or(&name);
    [".tfvars", ".pkrvars.hcl", ".pkrvars"].iter().any(|ending| name.ends_with(ending))
}

/// Whether a directory's entry is to be read. Links to files are, links to directories may go in circles.
fn is_file(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|kind| kind.is_file() || kind.is_symlink() && !entry.path().is_dir())
}

fn of_walk(folder: &Path, error: &ignore::Error) -> Unreadable {
    let mut inner = error;
    let mut name = folder.display().to_string();
    let why = loop {
        match inner {
            ignore::Error::WithPath { path, err } => (name, inner) = (path.display().to_string(), err),
            ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => inner = err,
            // What went wrong lies behind what was being done.
            ignore::Error::Io(error) => break root_cause(error).to_string(),
            other => break other.to_string(),
        }
    };
    Unreadable { name, why, action: "read" }
}

fn root_cause(error: &dyn Error) -> &dyn Error {
    error.source().map_or(error, root_cause)
}
