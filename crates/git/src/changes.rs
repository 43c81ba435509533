//! What has changed in a working tree since it branched off from a commit. Files are compared as they are, without the filters that a
//! repository can configure: a file that its entry in the index describes is as it was, and any other counts by its content.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use gix_hash::ObjectId;
use gix_index::entry::{Flags, Mode, Stat, stat};
use gix_object::{Kind, tree::EntryKind};
use hclkit_limits::open_file;

use crate::index::is_conflict;
use crate::objects::Objects;
use crate::tree::{Path as TreePath, files, find, is_inside, path_of};
use crate::{Error, File, Id, Repository};

/// What has changed. Paths are relative to the working tree.
#[derive(Debug, Default)]
pub struct Changes {
    /// The files that differ from the commit, that are gone, or that are new in the index.
    pub files: HashSet<PathBuf>,
    /// All files in the index. A file that is not one of them is new, unless it is ignored.
    pub tracked: HashSet<PathBuf>,
}

/// A file of a tree: its mode and content.
type Entry = (EntryKind, ObjectId);

impl Repository {
    /// What has changed since the working tree branched off from a commit, as people write it: a branch, a tag, an id, or one of these
    /// with `~2` or `^`. If there are several commits from which both come, what differs from any of them counts.
    ///
    /// # Errors
    /// There is no such commit, or none from which both come, such as in a shallow clone; something in the repository is damaged.
    pub fn changes_since(&self, revision: &str) -> Result<Changes, Error> {
        let commit = self.commit(revision)?;
        let head = self.head()?.ok_or_else(|| Error::new("the repository has no commit yet"))?;
        let mut changes = Changes::default();
        let mut trees = Vec::new();
        for base in self.merge_bases(head, commit)? {
            trees.push(entries_of(&self.objects, base)?);
        }
        self.each_tracked(&mut |path| {
            changes.tracked.insert(path);
        })?;
        let now = self.now()?;
        for tree in trees {
            let differs =
                |(path, own): (&PathBuf, &Entry)| (now.get(path) != Some(own)).then(|| path.clone());
            changes.files.extend(tree.iter().filter_map(differs));
            changes.files.extend(now.keys().filter(|path| !tree.contains_key(*path)).cloned());
        }
        Ok(changes)
    }

    /// The content that a file had where the working tree branched off from a commit, or none if there was no such file. The path is
    /// relative to the working tree.
    ///
    /// # Errors
    /// As for [`changes_since`](Self::changes_since), or the file is larger than `most`.
    pub fn file_before(&self, revision: &str, path: &Path, most: u64) -> Result<Option<Vec<u8>>, Error> {
        let commit = self.commit(revision)?;
        let head = self.head()?.ok_or_else(|| Error::new("the repository has no commit yet"))?;
        let base = self.merge_bases(head, commit)?[0];
        match find(&self.objects, self.objects.tree_of(base)?, path)? {
            Some((EntryKind::Blob | EntryKind::BlobExecutable, id)) => {
                self.objects.file(Id(id), most).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// The files in the index, as they are in the working tree: those that are gone are left out, and ids are those that their contents
    /// have as objects, also if the repository does not have these.
    ///
    /// # Errors
    /// The index is damaged or too large.
    pub fn working_files(&self) -> Result<Vec<File>, Error> {
        let file = |(path, (mode, id)): (PathBuf, Entry)| {
            let bytes = path.as_os_str().as_encoded_bytes();
            let kind = File::of(&TreePath { bytes, is_inside: is_inside(bytes) }, mode, id).kind;
            File { path, id: Id(id), kind }
        };
        Ok(self.now()?.into_iter().map(file).collect())
    }

    /// The files in the index, as they are in the working tree.
    fn now(&self) -> Result<HashMap<PathBuf, Entry>, Error> {
        let mut now = HashMap::new();
        let (Some(index), Some(top)) = (self.index()?, self.place.tree()) else { return Ok(now) };
        let written = index.timestamp();
        let mut real = HashMap::new();
        for entry in index.entries() {
            let path = entry.path(&index);
            if entry.mode == Mode::DIR {
                let prefix = path.strip_suffix(b"/").unwrap_or(path);
                files(&self.objects, entry.id, prefix, &mut |path, mode, id| {
                    now.insert(path_of(path.bytes), (mode, id));
                    ControlFlow::Continue(())
                })?;
                continue;
            }
            let path = path_of(path);
            let kind = entry.mode.to_tree_entry_mode().map(|mode| mode.kind());
            let Some(kind) = kind else { continue };
            if is_conflict(entry) {
                // It differs from all commits.
                now.insert(path, (kind, self.objects.hash().null()));
            } else if is_in_tree(top, &path, &mut real)
                && let Some(own) = self.own(&top.join(&path), kind, entry, written)
            {
                now.insert(path, own);
            }
        }
        Ok(now)
    }

    /// The mode and the content of a file in the working tree, if it exists.
    fn own(
        &self,
        path: &Path,
        kind: EntryKind,
        entry: &gix_index::Entry,
        written: filetime::FileTime,
    ) -> Option<Entry> {
        if kind == EntryKind::Commit {
            // A submodule that is not there has not changed.
            let head = Self::around(path).ok().flatten().filter(|own| own.top().ends_with(path));
            let head = head.and_then(|own| own.head().ok().flatten());
            return Some((kind, head.map_or(entry.id, |head| head.0)));
        }
        let Ok(metadata) = gix_index::fs::Metadata::from_path_no_follow(path) else {
            let is_left_out = entry.flags.contains(Flags::SKIP_WORKTREE);
            return is_left_out.then_some((kind, entry.id));
        };
        let options = stat::Options::default();
        let same = Stat::from_fs(&metadata)
            .is_ok_and(|own| own.matches(&entry.stat, options) && !entry.stat.is_racy(written, options));
        let own_kind = if metadata.is_symlink() {
            EntryKind::Link
        } else if metadata.is_executable() && kind != EntryKind::Link {
            EntryKind::BlobExecutable
        } else {
            EntryKind::Blob
        };
        // Not all file systems have executable files and links.
        let own_kind = if cfg!(unix) { own_kind } else { kind };
        if same && own_kind == kind {
            return Some((kind, entry.id));
        }
        let hash = self.objects.hash();
        Some((own_kind, content(path, own_kind, hash).unwrap_or(hash.null())))
    }

    /// The commit from which two others come, or the best one of several.
    ///
    /// # Errors
    /// There is none, such as in a shallow clone, or a commit is missing or damaged.
    pub fn merge_base(&self, one: Id, other: Id) -> Result<Id, Error> {
        Ok(self.merge_bases(one, other)?[0])
    }

    /// The commits from which two others come.
    fn merge_bases(&self, one: Id, other: Id) -> Result<Vec<Id>, Error> {
        let none = || {
            let why = "is the clone shallow? `git fetch --unshallow` completes it";
            Error::new(format!("HEAD and the commit have no commit in common ({why})"))
        };
        let found = self.objects.lend(|reader| {
            let mut graph = gix_revwalk::Graph::new(self.objects.checked(reader), None);
            gix_revision::merge_base(one.0, &[other.0], &mut graph)
        });
        let found = found.map_err(|error| Error::new(format!("the commits cannot be compared: {error}")))?;
        Ok(found.ok_or_else(none)?.into_iter().map(Id).collect())
    }
}

/// Whether the directory of a file is in the working tree, and not behind a link. `known` has the answers so far.
fn is_in_tree(top: &Path, path: &Path, known: &mut HashMap<PathBuf, bool>) -> bool {
    let Some(parent) = path.parent() else { return false };
    if let Some(known) = known.get(parent) {
        return *known;
    }
    let own = top.join(parent);
    // What is not there has no links. It may be left out of the working tree.
    let is_real = own.canonicalize().map_or(true, |real| real == own);
    known.insert(parent.to_owned(), is_real);
    is_real
}

/// All files of a commit.
fn entries_of(objects: &Objects, commit: Id) -> Result<HashMap<PathBuf, Entry>, Error> {
    let mut all = HashMap::new();
    files(objects, objects.tree_of(commit)?, b"", &mut |path, mode, id| {
        all.insert(path_of(path.bytes), (mode, id));
        ControlFlow::Continue(())
    })?;
    Ok(all)
}

/// The id that a file's content has as an object. A file that cannot be read differs from all.
fn content(path: &Path, kind: EntryKind, hash: gix_hash::Kind) -> Option<ObjectId> {
    if kind == EntryKind::Link {
        let target = path.read_link().ok()?;
        let target = target.into_os_string().into_encoded_bytes();
        return gix_object::compute_hash(hash, Kind::Blob, &target).ok();
    }
    let mut file = open_file(path).ok()?;
    let length = file.metadata().ok()?.len();
    let mut hasher = gix_hash::hasher(hash);
    hasher.update(&gix_object::encode::loose_header(Kind::Blob, length));
    let mut buffer = vec![0; 1 << 16];
    let mut left = length;
    loop {
        let read = std::io::Read::read(&mut file, &mut buffer).ok()?;
        if read == 0 {
            break;
        }
        // It may grow meanwhile.
        left = left.checked_sub(read as u64)?;
        hasher.update(&buffer[..read]);
    }
    if left > 0 { None } else { hasher.try_finalize().ok() }
}
