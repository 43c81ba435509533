//! The search of a directory, one entry at a time.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hclkit::render::FailedFile;

use crate::ignores::{Ignores, Tracked};
use crate::open::Tree;
use crate::selection::{Found, Seen, Selection, unreadable};
use crate::walk::{Kind, Visited, Walk};

/// A search of a directory.
pub(super) struct Search<'s> {
    selection: &'s Selection,
    root: PathBuf,
    tree: Arc<Tree>,
    walk: Walk,
    ignores: Option<Ignores>,
    tracked: Tracked,
}

impl<'s> Search<'s> {
    pub(super) fn open(selection: &'s Selection, folder: &Path) -> Result<Self, FailedFile> {
        let follow = selection.follow;
        let opened = Tree::open(folder, follow).and_then(|tree| Ok((tree, Walk::new(folder, follow)?)));
        let (tree, walk) = opened.map_err(|error| unreadable(folder, &error))?;
        let ignores = (!selection.no_ignore).then(|| Ignores::new(folder)).transpose();
        let ignores = ignores.map_err(|(path, why)| unreadable(&path, &selection.about_ignores(&why)))?;
        let (root, tracked) = (folder.strip_prefix("./").unwrap_or(folder).to_owned(), Tracked::of(folder));
        Ok(Self { selection, root, tree: Arc::new(tree), walk, ignores, tracked })
    }

    /// Adds the next entry, if it is a file that is selected. `before` is told of each directory before it is read. Returns false at the
    /// end.
    pub(super) fn step(&mut self, found: &mut Found, seen: &mut Seen, before: &mut dyn FnMut(&Path)) -> bool {
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
            && let Err((path, why)) = self.enter(&entry, before)
        {
            found.unreadable.push(unreadable(&path, &why));
        }
        true
    }

    /// Visits the entries of a directory next. Its ignore files are looked up among them.
    fn enter(&mut self, folder: &Visited, before: &mut dyn FnMut(&Path)) -> Result<(), (PathBuf, String)> {
        before(&folder.path);
        let walk = &mut self.walk;
        walk.enter(folder).map_err(|error| (folder.path.clone(), error.to_string()))?;
        let Some(ignores) = &mut self.ignores else { return Ok(()) };
        let entered = ignores.enter(&folder.path, &folder.inside, |name| walk.has(name));
        entered.map_err(|(path, why)| {
            walk.leave();
            (path, self.selection.about_ignores(&why))
        })
    }
}
