//! The files of a module, on disk or in memory, and which of them it may read. Paths are relative to the directory of the
//! root module and use `/`. What functions may read is in `crates/functions/src/grants.rs`.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hclkit_dialect::Dialect;
use hclkit_limits::path_on_disk;
use hclkit_syntax::Document;

use crate::config::Target;

/// Access to files.
pub trait Files: fmt::Debug + Send + Sync {
    /// Returns the names of the regular files in a directory.
    ///
    /// # Errors
    /// The directory cannot be read. The results of a module in a directory with an error of the kind
    /// [`Unsupported`](io::ErrorKind::Unsupported) are unknown; with others, its call is an error.
    fn list(&self, directory: &str) -> io::Result<Vec<String>>;

    /// Returns the content of a file.
    ///
    /// # Errors
    /// The file cannot be read.
    fn read(&self, path: &str) -> io::Result<Vec<u8>>;

    /// Returns the content of a file that a function reads. The path is relative to the directory of a root module.
    ///
    /// # Errors
    /// The file cannot be read. [`NotFound`](io::ErrorKind::NotFound) says that there is none.
    #[doc(hidden)]
    fn read_for(&self, root: &str, path: &str) -> io::Result<Vec<u8>> {
        let path = join(root, path);
        if self.may_read(&path) { self.read(&path) } else { Err(io::ErrorKind::PermissionDenied.into()) }
    }

    /// Returns a file that is parsed already. Its source has the name that [`name`](Files::name) returns.
    #[doc(hidden)]
    fn parsed(&self, path: &str) -> Option<Document> {
        let _ = path;
        None
    }

    /// Returns true if a file or directory is inside the directory of the root module, even after following links.
    fn is_inside(&self, path: &str) -> bool {
        let _ = path;
        true
    }

    /// Returns true if the module may read a file or directory. The results of modules in other directories are unknown,
    /// with a warning.
    fn may_read(&self, path: &str) -> bool {
        let _ = path;
        true
    }

    /// Returns the version of an application that a directory is for, as far as other files than those of its module say so.
    #[doc(hidden)]
    fn target(&self, directory: &str, language: &Dialect) -> Option<Target> {
        let _ = (directory, language);
        None
    }

    /// Returns true if a program adds files to the module in a directory before that is used.
    #[doc(hidden)]
    fn is_completed(&self, directory: &str) -> bool {
        let _ = directory;
        false
    }

    /// Returns the name of a file or directory for messages.
    fn name(&self, path: &str) -> String {
        path.to_owned()
    }
}

/// The files of a directory on disk. A module can read the [repository](Disk::repository) that contains its directory, and
/// nothing outside, whatever its calls and its links refer to.
///
/// ```
/// use hclkit_module::{Disk, Files};
///
/// let directory = tempfile::tempdir()?;
/// std::fs::create_dir_all(directory.path().join("repository/.git"))?;
/// std::fs::create_dir_all(directory.path().join("repository/live"))?;
/// let files = Disk::new(directory.path().join("repository/live"));
/// assert!(files.may_read("../modules/network"));
/// assert!(!files.may_read("../.."));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Disk {
    root: PathBuf,
    max_size: u64,
    /// The directories that the module can read, without links.
    readable: Vec<PathBuf>,
}

impl Disk {
    /// Gives access to the files of a module in a directory.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        let disk = Self::without_repository(root);
        let readable = Self::repository(&disk.root).into_iter().collect();
        Self { readable, ..disk }
    }

    /// Gives access to nothing but the directories of [`with_readable`](Disk::with_readable). Relative paths are those of a
    /// directory.
    #[doc(hidden)]
    pub fn without_repository(root: impl Into<PathBuf>) -> Self {
        let root = path_on_disk(&root.into()).to_owned();
        Self { root, max_size: u64::from(u32::MAX), readable: Vec::new() }
    }

    /// Sets the maximum size of a file in bytes.
    #[must_use]
    pub fn with_max_size(self, max_size: u64) -> Self {
        Self { max_size, ..self }
    }

    /// Lets the module read another directory. Has no effect if the directory does not exist.
    #[must_use]
    pub fn with_readable(mut self, directory: impl AsRef<Path>) -> Self {
        self.readable.extend(directory.as_ref().canonicalize());
        self
    }

    /// Returns what a module in a directory can read: the nearest of its parents, or itself, that contains `.git`, or else
    /// the directory. The path has no symbolic links.
    ///
    /// # Errors
    /// The directory does not exist.
    pub fn repository(directory: impl AsRef<Path>) -> io::Result<PathBuf> {
        let own = path_on_disk(directory.as_ref()).canonicalize()?;
        let repository = own.ancestors().find(|parent| parent.join(".git").symlink_metadata().is_ok());
        Ok(repository.unwrap_or(&own).to_owned())
    }

    fn path(&self, path: &str) -> PathBuf {
        if path.is_empty() { self.root.clone() } else { self.root.join(path) }
    }

    /// The path without links, if the module may read it.
    fn readable(&self, path: &str) -> io::Result<PathBuf> {
        let found = self.path(path).canonicalize();
        if !self.may_read(path) {
            let why = "it is outside of the directories that the module may read";
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, why));
        }
        found
    }
}

impl Files for Disk {
    fn list(&self, directory: &str) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in std::fs::read_dir(self.readable(directory)?)? {
            let entry = entry?;
            // Links to files count, and so do dangling ones, whose target is missing. Pipes and devices do not.
            let is_file = match std::fs::metadata(entry.path()) {
                Ok(target) => target.is_file(),
                Err(_) => entry.file_type().is_ok_and(|own| own.is_symlink()),
            };
            if is_file {
                names.extend(entry.file_name().into_string().ok());
            }
        }
        names.sort();
        Ok(names)
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let target = self.readable(path)?;
        // Otherwise, a module could have any file read: messages show parts of what is read.
        if extension(&target) != extension(&self.path(path)) {
            return Err(io::Error::other("it is a link to a file with another extension"));
        }
        hclkit_limits::read_target(&target, self.max_size)
    }

    fn is_inside(&self, path: &str) -> bool {
        let (root, own) = (self.root.canonicalize(), self.path(path).canonicalize());
        matches!((root, own), (Ok(root), Ok(own)) if own.starts_with(&root))
    }

    fn may_read(&self, path: &str) -> bool {
        let full = self.path(path);
        let target = full.canonicalize().or_else(|_| {
            // The same answer for what does not exist.
            let root = self.root.canonicalize()?;
            io::Result::Ok(hclkit_limits::clean_path(&root.join(path)))
        });
        target.is_ok_and(|target| self.readable.iter().any(|directory| target.starts_with(directory)))
    }

    fn name(&self, path: &str) -> String {
        if self.root == Path::new(".") && !path.is_empty() {
            return path.to_owned();
        }
        let full = self.path(path);
        let shown = if path.starts_with("..") { hclkit_limits::short_path(&full) } else { full };
        shown.to_string_lossy().into_owned()
    }
}

/// The extension of a file, such as `tf`, or `tf.json`.
fn extension(path: &Path) -> Option<String> {
    let mut parts = path.file_name()?.to_str()?.rsplit('.');
    match (parts.next()?, parts.next()) {
        ("json", Some(before)) => Some(format!("{before}.json")),
        (last, _) => Some(last.to_owned()),
    }
}

/// Files in memory.
///
/// ```
/// use hclkit_module::{Dialect, ModuleLoader, Memory};
///
/// let files = Memory::from_iter([("main.tf", "locals {\n  a = 1\n}\n")]);
/// let module = ModuleLoader::new(Dialect::terraform()).with_files(files).load();
/// let found = module.evaluate(&[]);
/// assert_eq!(found.values[0].address, "local.a");
/// assert_eq!(found.values[0].value, 1.into());
/// ```
#[derive(Clone, Default)]
pub struct Memory(BTreeMap<String, Vec<u8>>);

/// The paths. The contents are left out.
#[doc(hidden)]
impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

impl<P: Into<String>, T: Into<Vec<u8>>> FromIterator<(P, T)> for Memory {
    fn from_iter<I: IntoIterator<Item = (P, T)>>(files: I) -> Self {
        Self(files.into_iter().map(|(path, text)| (path.into(), text.into())).collect())
    }
}

impl Files for Memory {
    fn list(&self, directory: &str) -> io::Result<Vec<String>> {
        let prefix = if directory.is_empty() { String::new() } else { format!("{directory}/") };
        let names = self.0.keys().filter_map(|path| path.strip_prefix(&prefix));
        let names: Vec<String> = names.filter(|name| !name.contains('/')).map(str::to_owned).collect();
        if names.is_empty() && !prefix.is_empty() && !self.0.keys().any(|path| path.starts_with(&prefix)) {
            return Err(io::ErrorKind::NotFound.into());
        }
        Ok(names)
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.0.get(path).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

/// A path relative to a directory, in its shortest form.
pub fn join(directory: &str, path: &str) -> String {
    let root = if directory.starts_with('/') { "" } else { "./" };
    clean(&format!("{root}{directory}/{path}"))
}

/// The path that leads from a directory to another one.
pub fn relative(from: &str, to: &str) -> String {
    let parts = |path: &'_ str| {
        path.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect::<Vec<_>>()
    };
    let (from_parts, to_parts) = (parts(from), parts(to));
    let same = from_parts.iter().zip(&to_parts).take_while(|(one, other)| one == other).count();
    let up = &from_parts[same..];
    // The name of what `..` leaves is unknown.
    if from.starts_with('/') != to.starts_with('/') || up.iter().any(|part| part == "..") {
        return to.to_owned();
    }
    let up = up.iter().map(|_| "..");
    up.chain(to_parts[same..].iter().map(String::as_str)).collect::<Vec<_>>().join("/")
}

/// A path without `.` and with as few `..` as possible. The current directory is the empty path. Unlike paths of the system,
/// names are always separated by `/`.
pub fn clean(path: &str) -> String {
    let is_absolute = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => drop(parts.pop()),
            ".." if is_absolute => {}
            _ => parts.push(part),
        }
    }
    let root = if is_absolute { "/" } else { "" };
    format!("{root}{}", parts.join("/"))
}

/// Files of which those of a module in a directory are only one.
#[derive(Debug)]
pub(crate) struct Lone {
    pub(crate) files: Arc<dyn Files>,
    pub(crate) language: Arc<Dialect>,
    pub(crate) directory: String,
    pub(crate) name: String,
}

impl Files for Lone {
    fn list(&self, directory: &str) -> io::Result<Vec<String>> {
        let mut names = self.files.list(directory)?;
        if directory == self.directory {
            names.retain(|name| *name == self.name || !self.language.is_module_file(name));
        }
        Ok(names)
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.files.read(path)
    }

    fn read_for(&self, root: &str, path: &str) -> io::Result<Vec<u8>> {
        self.files.read_for(root, path)
    }

    fn parsed(&self, path: &str) -> Option<Document> {
        self.files.parsed(path)
    }

    fn is_inside(&self, path: &str) -> bool {
        self.files.is_inside(path)
    }

    fn may_read(&self, path: &str) -> bool {
        self.files.may_read(path)
    }

    fn target(&self, directory: &str, language: &Dialect) -> Option<Target> {
        self.files.target(directory, language)
    }

    fn is_completed(&self, directory: &str) -> bool {
        self.files.is_completed(directory)
    }

    fn name(&self, path: &str) -> String {
        self.files.name(path)
    }
}
