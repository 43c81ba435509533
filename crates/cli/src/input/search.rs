//! The search of a directory, one entry at a time.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::ignores::{Ignores, Tracked};
use super::read::Tree;
use super::walk::{Kind, Visited, Walk};
use super::{FoundInputs, Seen, Selection, Unreadable, unreadable};
use crate::atomic_write;

/// A search of a directory.
pub(super) struct Search<'s> {
    selection: &'s Selection,
    root: PathBuf,
    tree: Arc<Tree>,
    walk: Walk,
    ignores: Option<Ignores>,
    tracked: Tracked,
    /// Whether to finish what killed runs began in a directory before its entries are read.
    finishes: bool,
}

impl<'s> Search<'s> {
    pub(super) fn open(selection: &'s Selection, folder: &Path) -> Result<Self, Unreadable> {
        let follow = selection.follow;
        let opened = Tree::open(folder, follow).and_then(|tree| Ok((tree, Walk::new(folder, follow)?)));
        let (tree, walk) = opened.map_err(|error| unreadable(folder, &error))?;
        let ignores = (!selection.no_ignore).then(|| Ignores::new(folder)).transpose();
        let ignores = ignores.map_err(|(path, why)| unreadable(&path, &why))?;
        let (root, tracked) = (folder.strip_prefix("./").unwrap_or(folder).to_owned(), Tracked::of(folder));
        Ok(Self { selection, root, tree: Arc::new(tree), walk, ignores, tracked, finishes: false })
    }

    /// The same search, which finishes what killed runs began in each directory.
    #[cfg(feature = "tables")]
    pub(super) fn finishing_changes(self) -> Self {
        Self { finishes: true, ..self }
    }

    /// Adds the next entry, if it is a file that is selected. Returns false at the end.
    pub(super) fn step(&mut self, found: &mut FoundInputs, seen: &mut Seen) -> bool {
        let Some(entry) = self.walk.next() else { return false };
        let entry = match entry {
            Ok(entry) => entry,
            Err((path, error)) => {
                found.unreadable.push(unreadable(&path, &error));
                return true;
            }
        };
        let Self { selection, root, ignores, tracked, .. } = self;
        if selection.skips(&entry, root, ignores.as_mut(), tracked, found) {
            return true;
        }
        if entry.kind != Kind::Folder {
            selection.take(entry, root, &self.tree, found, seen);
        } else if !selection.flat
            && let Err((path, why)) = self.enter(&entry)
        {
            found.unreadable.push(unreadable(&path, &why));
        }
        true
    }

    /// Visits the entries of a directory next. Its ignore files are looked up among them.
    fn enter(&mut self, folder: &Visited) -> Result<(), (PathBuf, String)> {
        if self.finishes {
            atomic_write::finish_changes_in(&folder.path);
        }
        let walk = &mut self.walk;
        walk.enter(folder).map_err(|error| (folder.path.clone(), error.to_string()))?;
        let Some(ignores) = &mut self.ignores else { return Ok(()) };
        let entered = ignores.enter(&folder.path, &folder.inside, |name| walk.has(name));
        if entered.is_err() {
            walk.leave();
        }
        entered
    }
}
