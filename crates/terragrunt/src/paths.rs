//! Files by their absolute paths, which is how Terragrunt names them. [`Files`] get the paths relative to their own directory.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use hclkit_limits::{Meter, READ_STEP, STEPS_TO_OPEN};
use hclkit_module::shared::clean;
use hclkit_module::{Files, join_path, relative_path};

use crate::messages;

/// The names of the files in a directory, if there is one.
type Names = Option<Arc<Vec<String>>>;

/// Files by absolute paths.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    files: Arc<dyn Files>,
    /// The absolute path of their directory.
    base: String,
    /// Directories that stacks generate, each with the one that it is a copy of. The last ones come first.
    copies: Vec<(String, String)>,
    /// The names of files in directories.
    listed: Arc<Mutex<HashMap<String, Names>>>,
}

impl Tree {
    pub(crate) fn new(files: Arc<dyn Files>, base: &str) -> Self {
        Self { files, base: clean(base), copies: Vec::new(), listed: Arc::default() }
    }

    /// The same files, with a directory that is a copy of another one.
    pub(crate) fn with_copy(&self, copy: &str, of: &str) -> Self {
        let mut copies = vec![(copy.to_owned(), of.to_owned())];
        copies.extend(self.copies.iter().cloned());
        Self { copies, ..self.clone() }
    }

    pub(crate) fn base(&self) -> &str {
        &self.base
    }

    /// The absolute path of a relative one.
    pub(crate) fn absolute(&self, path: &str) -> String {
        join(&self.base, path)
    }

    /// Where the file at a path is: that path, or one in the directory that its own is a copy of.
    fn place(&self, path: &str) -> String {
        let mut path = path.to_owned();
        for (copy, of) in &self.copies {
            if let Some(rest) = path.strip_prefix(copy.as_str())
                && (rest.is_empty() || rest.starts_with('/'))
            {
                path = format!("{of}{rest}");
            }
        }
        relative_path(&self.base, &path)
    }

    /// The absolute path of the directory that one is a copy of, or of itself.
    pub(crate) fn original(&self, directory: &str) -> String {
        self.absolute(&self.place(directory))
    }

    pub(crate) fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let meter = Meter::current();
        let stopped = |_| io::Error::other("a limit is exceeded");
        meter.take_steps(STEPS_TO_OPEN).map_err(stopped)?;
        let text = self.files.read(&self.place(path))?;
        meter.take_steps(text.len() as u64 / READ_STEP).map_err(stopped)?;
        Ok(text)
    }

    fn list(&self, directory: &str) -> Names {
        Meter::current().take_steps(STEPS_TO_OPEN).ok()?;
        let mut listed = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        let place = self.place(directory);
        let found = listed.entry(place.clone()).or_insert_with(|| self.files.list(&place).ok().map(Arc::new));
        found.clone()
    }

    pub(crate) fn is_file(&self, path: &str) -> bool {
        let (directory, name) = split(path);
        self.list(directory).is_some_and(|names| names.iter().any(|own| own == name))
    }

    /// The names of the files in a directory.
    pub(crate) fn files_in(&self, directory: &str) -> Vec<String> {
        self.list(directory).map(|names| names.to_vec()).unwrap_or_default()
    }

    pub(crate) fn is_directory(&self, path: &str) -> bool {
        self.list(path).is_some()
    }

    /// Whether files below a directory may be read.
    pub(crate) fn may_read(&self, path: &str) -> bool {
        self.files.may_read(&self.place(path))
    }

    /// Why there is no file at a path.
    pub(crate) fn missing(&self, path: &str) -> String {
        let name = self.name(path);
        if self.may_read(path) { messages::no_file(&name) } else { messages::not_granted(&name) }
    }

    /// The name of a file in messages.
    pub(crate) fn name(&self, path: &str) -> String {
        self.files.name(&self.place(path))
    }

    /// The root of the repository around a directory.
    pub(crate) fn repository(&self, directory: &str) -> Option<String> {
        let is_root = |path: &&str| {
            let git = join_path(path, ".git");
            self.is_file(&git) || self.is_directory(&git)
        };
        ancestors(directory).take_while(|path| self.may_read(path)).find(is_root).map(str::to_owned)
    }
}

/// A directory and those around it, from the inside out.
pub(crate) fn ancestors(directory: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(directory), |path| {
        let path: &str = path;
        (path != "/" && !path.is_empty()).then(|| split(path).0)
    })
}

/// The directory and the name of a file.
pub(crate) fn split(path: &str) -> (&str, &str) {
    match path.rsplit_once('/') {
        Some(("", name)) => ("/", name),
        Some((directory, name)) => (directory, name),
        None => ("", path),
    }
}

/// A path relative to a directory, unless it is absolute.
pub(crate) fn join(directory: &str, path: &str) -> String {
    if path.starts_with('/') { clean(path) } else { join_path(directory, path) }
}

/// The path that leads from a directory to another one, which is `.` for itself.
pub(crate) fn leading(from: &str, to: &str) -> String {
    let path = relative_path(from, to);
    if path.is_empty() { ".".to_owned() } else { path }
}
