//! Access to files, which an editor may keep on disk, in memory or on another machine. Paths are absolute and use `/`.

use std::collections::BTreeMap;
use std::fmt;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io;

use hclkit::module::{ModuleTree, join_path};

/// An entry of a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The name.
    pub name: String,
    /// Whether it is a directory, or a link to one.
    pub is_directory: bool,
    /// Whether it is a link.
    pub is_link: bool,
}

/// Access to the files that are not open.
pub trait FileSystem: fmt::Debug + Send + Sync {
    /// The content of a regular file.
    ///
    /// # Errors
    /// The file cannot be read.
    fn read(&self, path: &str) -> io::Result<Vec<u8>>;

    /// The entries of a directory, in the order of their names.
    ///
    /// # Errors
    /// The directory cannot be read.
    fn list(&self, directory: &str) -> io::Result<Vec<Entry>>;

    /// The path without links.
    ///
    /// # Errors
    /// There is nothing at the path.
    fn resolve(&self, path: &str) -> io::Result<String> {
        Ok(path.to_owned())
    }

    /// A number that changes with the content of a file. It need not read the file.
    ///
    /// # Errors
    /// The file cannot be read.
    fn stamp(&self, path: &str) -> io::Result<u64> {
        let mut hasher = DefaultHasher::new();
        self.read(path)?.hash(&mut hasher);
        Ok(hasher.finish())
    }
}

/// Files in memory.
///
/// ```
/// use hclkit_ide::{FileSystem, MemoryFiles};
/// let files = MemoryFiles::from_iter([("/net/main.tf", "locals {}\n")]);
/// assert_eq!(files.list("/net")?[0].name, "main.tf");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct MemoryFiles(BTreeMap<String, Vec<u8>>);

/// The paths. The contents are left out.
impl fmt::Debug for MemoryFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

impl<P: Into<String>, T: Into<Vec<u8>>> FromIterator<(P, T)> for MemoryFiles {
    fn from_iter<I: IntoIterator<Item = (P, T)>>(files: I) -> Self {
        Self(files.into_iter().map(|(path, text)| (path.into(), text.into())).collect())
    }
}

impl FileSystem for MemoryFiles {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.0.get(path).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn list(&self, directory: &str) -> io::Result<Vec<Entry>> {
        let prefix = format!("{}/", directory.trim_end_matches('/'));
        let mut entries: Vec<Entry> = Vec::new();
        for path in self.0.keys().filter_map(|path| path.strip_prefix(&prefix)) {
            let (name, is_directory) = path.split_once('/').map_or((path, false), |(name, _)| (name, true));
            if entries.last().is_none_or(|last| last.name != name) {
                entries.push(Entry { name: name.to_owned(), is_directory, is_link: false });
            }
        }
        if entries.is_empty() { Err(io::ErrorKind::NotFound.into()) } else { Ok(entries) }
    }
}

/// The directory of a path.
pub(crate) fn parent(path: &str) -> &str {
    match path.rfind('/') {
        Some(0) => "/",
        Some(at) => &path[..at],
        None => "",
    }
}

/// The last name of a path.
pub(crate) fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

/// An absolute path in its shortest form.
pub(crate) fn join_absolute(path: &str) -> String {
    let path = if cfg!(windows) { path.replace('\\', "/") } else { path.to_owned() };
    match path.strip_prefix('/') {
        Some(rest) => join_path("/", rest),
        None => join_path("", &path),
    }
}

/// Whether a file has tests, according to its name.
pub(crate) fn is_test_file(path: &str) -> bool {
    ModuleTree::is_test_file(name(path))
}

/// Whether a path is a directory, or in it. Whole names count, and a path that goes up after the directory is not in it.
pub(crate) fn is_in(path: &str, directory: &str) -> bool {
    let directory = directory.trim_end_matches('/');
    let Some(rest) = path.strip_prefix(directory) else { return false };
    let is_name = |part: &str| !part.split('\\').any(|part| cfg!(windows) && part == "..") && part != "..";
    (rest.is_empty() || rest.starts_with('/')) && rest.split('/').all(is_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names in a path, unless it goes up.
    fn names(path: &str) -> Vec<&str> {
        path.split('/').filter(|name| !name.is_empty()).collect()
    }

    #[test]
    fn a_path_is_in_a_directory_by_whole_names() {
        let parts = ["a", "b", "bc", "ab", "..", "..a", "a..", "B", "\\", "a\\b"];
        let mut random = fastrand::Rng::with_seed(7);
        let mut path = |most: usize| -> String {
            let count = random.usize(0..=most);
            (0..count).flat_map(|_| ["/", parts[random.usize(0..parts.len())]]).collect()
        };
        let (mut inside, mut beside) = (0, 0);
        for _ in 0..100_000 {
            let (directory, own) = (path(2), path(4));
            let (above, all) = (names(&directory), names(&own));
            let expected = all.starts_with(&above) && !all[above.len()..].contains(&"..");
            for slashes in ["", "/", "//"] {
                let directory = format!("{directory}{slashes}");
                assert_eq!(is_in(&own, &directory), expected, "{own} in {directory}");
            }
            inside += usize::from(expected && !above.is_empty());
            // What the texts alone would say.
            beside += usize::from(!expected && own.starts_with(&directory));
        }
        assert!(inside > 100 && beside > 100, "{inside} {beside}");
    }
}
