//! The files of a version in a Git repository: of a commit, of the index, or of the working tree. They are read without a checkout; links
//! lead only to other files of the same version.

use std::collections::{BTreeSet, HashMap};
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use hclkit::functions::FileTree;
use hclkit::module::{Disk, Files, join_path};
use hclkit_files::untracked;
use hclkit_git::{File, FileKind, Id, Objects, Repository};

use crate::host::Host;

/// How many links may lead to each other, as in Linux.
const MOST_LINKS: usize = 40;

/// Where contents are.
#[derive(Debug)]
enum Contents {
    Objects(Objects),
    Disk(PathBuf),
}

/// What is at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Node {
    Directory,
    /// A file, and its object if that is known.
    File(Option<Id>),
    Link(Option<Id>),
}

/// The files of a version. Paths are relative to the repository and use `/`.
#[derive(Debug)]
pub(super) struct Tree {
    /// The directory of the working tree.
    pub(super) top: PathBuf,
    /// What the version is called before the names of its files, or nothing.
    label: String,
    contents: Contents,
    nodes: HashMap<String, Node>,
    names: HashMap<String, Vec<String>>,
    max_size: u64,
}

impl Tree {
    fn new(repository: &Repository, contents: Contents, label: String) -> Self {
        let top = repository.top().to_owned();
        let nodes = HashMap::from([(String::new(), Node::Directory)]);
        let max_size = Host::current().max_size();
        Self { top, label, contents, nodes, names: HashMap::from([(String::new(), Vec::new())]), max_size }
    }

    /// The files of a commit.
    pub(super) fn of_commit(
        repository: &Repository,
        commit: Id,
        label: String,
    ) -> Result<Self, hclkit_git::Error> {
        let mut tree = Self::new(repository, Contents::Objects(repository.objects().clone()), label);
        repository.files(commit, &mut |file| {
            tree.add(&file);
            ControlFlow::Continue(())
        })?;
        Ok(tree.in_order())
    }

    /// The files of the index.
    pub(super) fn of_index(repository: &Repository) -> Result<Self, hclkit_git::Error> {
        let mut tree = Self::new(repository, Contents::Objects(repository.objects().clone()), String::new());
        repository.index_files(&mut |file| tree.add(&file))?;
        Ok(tree.in_order())
    }

    /// The files of the working tree that are in the index or not ignored.
    pub(super) fn of_working_tree(repository: &Repository) -> Result<Self, String> {
        let top = repository.top();
        let mut tree = Self::new(repository, Contents::Disk(top.to_owned()), String::new());
        repository.working_files().map_err(|error| error.to_string())?.iter().for_each(|file| tree.add(file));
        let tracked = repository.tracked(top).map_err(|error| error.to_string())?;
        for path in untracked(top, &tracked).map_err(|error| error.to_string())? {
            let Ok(metadata) = top.join(&path).symlink_metadata() else { continue };
            match path.to_str() {
                Some(path) if metadata.is_file() => tree.insert(path, Node::File(None)),
                Some(path) if metadata.is_symlink() => tree.insert(path, Node::Link(None)),
                _ => {}
            }
        }
        Ok(tree.in_order())
    }

    fn add(&mut self, file: &File) {
        let Some(path) = file.path.to_str() else { return };
        let path = if cfg!(windows) { path.replace('\\', "/") } else { path.to_owned() };
        match file.kind {
            FileKind::Regular => self.insert(&path, Node::File(Some(file.id))),
            FileKind::Link => self.insert(&path, Node::Link(Some(file.id))),
            _ => {}
        }
    }

    fn insert(&mut self, path: &str, node: Node) {
        if self.nodes.insert(path.to_owned(), node).is_some() {
            return;
        }
        let mut path = path;
        loop {
            let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
            self.names.entry(directory.to_owned()).or_default().push(name.to_owned());
            if self.nodes.contains_key(directory) {
                return;
            }
            self.nodes.insert(directory.to_owned(), Node::Directory);
            path = directory;
        }
    }

    fn in_order(mut self) -> Self {
        self.names.values_mut().for_each(|names| names.sort());
        self
    }

    /// What is before the names of its files.
    pub(super) fn label(&self) -> &str {
        &self.label
    }

    /// The directories with files.
    pub(super) fn directories(&self) -> impl Iterator<Item = &str> {
        self.names.keys().map(String::as_str)
    }

    /// The names of the files in a directory, links to files included.
    pub(super) fn files_in(&self, directory: &str) -> io::Result<Vec<String>> {
        let (at, node) = self.resolve(directory)?;
        if node != Node::Directory {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        let is_file = |name: &&String| {
            self.resolve(&join_path(&at, name)).is_ok_and(|(_, node)| node != Node::Directory)
        };
        Ok(self.names.get(&at).into_iter().flatten().filter(is_file).cloned().collect())
    }

    /// The paths whose contents differ in two versions. A file that is not an object counts as different from all others.
    pub(super) fn changed(&self, other: &Self) -> BTreeSet<String> {
        let is_same = |one: &Node, other: &Node| match (one, other) {
            (Node::File(None) | Node::Link(None), _) | (_, Node::File(None) | Node::Link(None)) => false,
            _ => one == other,
        };
        let of = |one: &Self, other: &Self| -> Vec<String> {
            let differs = |(path, node): &(&String, &Node)| {
                **node != Node::Directory && !other.nodes.get(*path).is_some_and(|own| is_same(node, own))
            };
            one.nodes.iter().filter(differs).map(|(path, _)| path.clone()).collect()
        };
        let mut changed: BTreeSet<String> = of(self, other).into_iter().chain(of(other, self)).collect();
        // A link changes with what it leads to.
        for tree in [self, other] {
            let links = tree.nodes.iter().filter(|(_, node)| matches!(node, Node::Link(_)));
            let leads_to_change = |path: &String| {
                tree.resolve(path).is_ok_and(|(at, node)| node != Node::Directory && changed.contains(&at))
            };
            let found: Vec<String> =
                links.map(|(path, _)| path).filter(|path| leads_to_change(path)).cloned().collect();
            changed.extend(found);
        }
        changed
    }

    /// The object of a file, if it is known.
    pub(super) fn id(&self, path: &str) -> Option<Id> {
        match self.nodes.get(path) {
            Some(Node::File(id)) => *id,
            _ => None,
        }
    }

    /// The path of a directory without links.
    pub(super) fn real(&self, directory: String) -> String {
        self.resolve(&directory).map_or(directory, |(real, _)| real)
    }

    /// What a path leads to through links, and where that is.
    fn resolve(&self, path: &str) -> io::Result<(String, Node)> {
        let not_found = || io::Error::from(io::ErrorKind::NotFound);
        let mut path = join_path("", path);
        for _ in 0..MOST_LINKS {
            if path == ".." || path.starts_with("../") || path.starts_with('/') {
                let why = "it is outside of the repository";
                return Err(io::Error::new(io::ErrorKind::PermissionDenied, why));
            }
            if let Some(node @ (Node::Directory | Node::File(_))) = self.nodes.get(&path) {
                return Ok((path, *node));
            }
            // The first part that is a link.
            let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
            let link = ends
                .map(|end| &path[..end])
                .find(|part| matches!(self.nodes.get(*part), Some(Node::Link(_))));
            let link = link.ok_or_else(not_found)?;
            let target = self.link_target(link)?;
            let directory = link.rsplit_once('/').map_or("", |(directory, _)| directory);
            let rest = path[link.len()..].trim_start_matches('/');
            path = join_path(&join_path(directory, &target), rest);
        }
        Err(io::Error::other("too many links lead to each other"))
    }

    fn link_target(&self, link: &str) -> io::Result<String> {
        let target = match (&self.contents, self.nodes.get(link)) {
            (Contents::Objects(objects), Some(Node::Link(Some(id)))) => {
                let text = objects.file(*id, 1 << 12).map_err(io::Error::other)?;
                String::from_utf8(text).map_err(io::Error::other)?
            }
            (Contents::Disk(top), _) => {
                let target = top.join(link).read_link()?;
                target.to_str().map(str::to_owned).ok_or(io::ErrorKind::InvalidData)?
            }
            _ => return Err(io::ErrorKind::NotFound.into()),
        };
        if target.starts_with('/') {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "it is outside of the repository"));
        }
        Ok(target)
    }

    /// The content of a file.
    pub(super) fn content(&self, path: &str) -> io::Result<Vec<u8>> {
        let (at, node) = self.resolve(path)?;
        let extension = |path: &str| Path::new(path).extension().map(ToOwned::to_owned);
        // As on disk: a module could otherwise have any file read.
        if extension(&at) != extension(path) {
            return Err(io::Error::other("it is a link to a file with another extension"));
        }
        match (&self.contents, node) {
            (_, Node::Directory) => Err(io::ErrorKind::IsADirectory.into()),
            (Contents::Objects(objects), Node::File(Some(id))) => {
                objects.file(id, self.max_size).map_err(io::Error::other)
            }
            (Contents::Disk(top), _) => {
                Host::current().note_read(&top.join(&at));
                Disk::without_repository(top).with_readable(top).with_max_size(self.max_size).read(&at)
            }
            _ => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn size(&self, path: &str) -> io::Result<Option<u64>> {
        let (at, node) = self.resolve(path)?;
        match (&self.contents, node) {
            (_, Node::Directory) => Ok(None),
            (Contents::Objects(objects), Node::File(Some(id))) => {
                objects.size(id).map(Some).map_err(io::Error::other)
            }
            (Contents::Disk(top), _) => Ok(Some(top.join(at).metadata()?.len())),
            _ => Err(io::ErrorKind::NotFound.into()),
        }
    }
}

/// The paths that a module asks for. Directories that are listed end in `/`.
pub(super) type Reads = Arc<Mutex<BTreeSet<String>>>;

fn note(reads: &Reads, path: String) {
    reads.lock().unwrap_or_else(PoisonError::into_inner).insert(path);
}

/// The files of a version for the functions of a module.
#[derive(Clone, Debug)]
pub(super) struct Functions {
    pub(super) tree: Arc<Tree>,
    pub(super) reads: Reads,
}

impl FileTree for Functions {
    fn size(&self, path: &str) -> io::Result<Option<u64>> {
        note(&self.reads, path.to_owned());
        // A link to a directory could lead back.
        match self.tree.nodes.get(path) {
            Some(Node::Link(_)) => match self.tree.size(path)? {
                Some(size) => Ok(Some(size)),
                None => Err(io::ErrorKind::NotFound.into()),
            },
            _ => self.tree.size(path),
        }
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        note(&self.reads, path.to_owned());
        self.tree.content(path)
    }

    fn names(&self, path: &str) -> io::Result<Vec<String>> {
        note(&self.reads, format!("{path}/"));
        let (at, _) = self.tree.resolve(path)?;
        self.tree.names.get(&at).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

/// The files of a version for a module in a directory. Absolute paths are those of directories that options grant.
#[derive(Clone, Debug)]
pub(super) struct TreeFiles {
    pub(super) tree: Arc<Tree>,
    /// The directory of the root module.
    pub(super) root: String,
    pub(super) granted: Disk,
}

impl TreeFiles {
    fn path(&self, path: &str) -> String {
        let path = if path.starts_with('/') { join_path("", path) } else { join_path(&self.root, path) };
        // A directory that options grant can be in the repository.
        let inside = Path::new(&path).strip_prefix(&self.tree.top).ok().and_then(Path::to_str);
        inside.map(str::to_owned).unwrap_or(path)
    }
}

impl Files for TreeFiles {
    fn list(&self, directory: &str) -> io::Result<Vec<String>> {
        let path = self.path(directory);
        if path.starts_with('/') { self.granted.list(&path) } else { self.tree.files_in(&path) }
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let path = self.path(path);
        if path.starts_with('/') { self.granted.read(&path) } else { self.tree.content(&path) }
    }

    fn is_inside(&self, path: &str) -> bool {
        let root = self.tree.resolve(&self.root).map_or_else(|_| self.root.clone(), |(root, _)| root);
        let own = self.tree.resolve(&self.path(path)).map(|(own, _)| own);
        own.is_ok_and(|own| root.is_empty() || own == root || own.starts_with(&format!("{root}/")))
    }

    fn may_read(&self, path: &str) -> bool {
        let path = self.path(path);
        if path.starts_with('/') {
            return self.granted.may_read(&path);
        }
        let denied = |error: io::Error| error.kind() == io::ErrorKind::PermissionDenied;
        !self.tree.resolve(&path).is_err_and(denied)
    }

    fn name(&self, path: &str) -> String {
        format!("{}{}", self.tree.label, self.path(path))
    }
}
