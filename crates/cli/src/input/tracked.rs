//! Files that are ignored, but that are in the index of Git. `git` is asked once something is ignored.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::git;
use crate::output::warn;

/// The files in the index, and the ignored directories that the search has entered because of them.
pub(super) struct Tracked {
    root: PathBuf,
    files: Option<HashSet<PathBuf>>,
    folders: HashSet<PathBuf>,
    /// The ignored directories that were entered, with the name of the ignore file.
    entered: Vec<(PathBuf, &'static str)>,
}

impl Tracked {
    pub(super) fn of(root: &Path) -> Self {
        Self { root: root.to_owned(), files: None, folders: HashSet::new(), entered: Vec::new() }
    }

    /// The ignore file because of which everything in the directory of an entry is ignored.
    pub(super) fn around(&self, inside: &Path) -> Option<&'static str> {
        let is_around = |(folder, _): &&(PathBuf, &str)| inside != folder && inside.starts_with(folder);
        self.entered.iter().find(is_around).map(|(_, by)| *by)
    }

    /// Returns true for a file in the index, and for a directory with one, which is entered.
    pub(super) fn has(&mut self, inside: &Path, is_folder: bool, by: &'static str) -> bool {
        let files = self.files.get_or_insert_with(|| {
            let files = git::tracked(&self.root).unwrap_or_else(|why| {
                warn(format_args!("{why}; ignored files are skipped, even those that Git tracks"));
                HashSet::new()
            });
            let parents = files.iter().flat_map(|file| file.ancestors().skip(1));
            self.folders = parents.map(Path::to_owned).collect();
            files
        });
        if !is_folder {
            return files.contains(inside);
        }
        let has = self.folders.contains(inside);
        if has {
            self.entered.push((inside.to_owned(), by));
        }
        has
    }
}
