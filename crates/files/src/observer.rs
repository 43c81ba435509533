//! Who is told which files are read.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hclkit::Document;
use hclkit::module::{Disk, Files};

/// Is told of files and directories before they are read.
pub trait Observer: Send + Sync {
    /// A file is read next.
    fn opens(&self, path: &Path) {
        let _ = path;
    }

    /// A directory is read next. Returns whether that changed its files.
    fn enters(&self, directory: &Path) -> bool {
        let _ = directory;
        false
    }

    /// A directory inside of one that was entered is read next.
    fn descends(&self, directory: &Path) {
        self.enters(directory);
    }
}

/// The files of a module on disk, for an observer.
#[derive(Clone)]
pub struct ObservedDisk {
    disk: Disk,
    root: PathBuf,
    observer: Arc<dyn Observer>,
    documents: Arc<HashMap<String, Document>>,
}

/// The observer is left out.
impl std::fmt::Debug for ObservedDisk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ObservedDisk").field("root", &self.root).finish_non_exhaustive()
    }
}

impl ObservedDisk {
    /// The files of a module in the directory `root`.
    pub fn new(disk: Disk, root: &Path, observer: Arc<dyn Observer>) -> Self {
        Self { disk, root: root.to_owned(), observer, documents: Arc::default() }
    }

    /// Adds files that are parsed already, by their names.
    #[must_use]
    pub fn with_documents(self, documents: Arc<HashMap<String, Document>>) -> Self {
        Self { documents, ..self }
    }
}

impl Files for ObservedDisk {
    fn list(&self, directory: &str) -> io::Result<Vec<String>> {
        let names = self.disk.list(directory)?;
        if self.observer.enters(&self.root.join(directory)) { self.disk.list(directory) } else { Ok(names) }
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.observer.opens(&self.root.join(path));
        self.disk.read(path)
    }

    fn parsed(&self, path: &str) -> Option<Document> {
        self.documents.get(&self.disk.name(path)).filter(|_| self.disk.may_read(path)).cloned()
    }

    fn is_inside(&self, path: &str) -> bool {
        self.disk.is_inside(path)
    }

    fn may_read(&self, path: &str) -> bool {
        self.disk.may_read(path)
    }

    fn name(&self, path: &str) -> String {
        self.disk.name(path)
    }
}
