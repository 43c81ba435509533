//! The directories that functions can read. `..`, absolute paths and symbolic links cannot leave them.

use std::ffi::OsString;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::{fmt, iter};

use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions};
use hclkit_limits::{Glob, GlobError, READ_STEP, STEPS_TO_OPEN, clean_path};
use hclkit_value::Error;

use crate::grants::{Braces, unreadable};
use crate::limits::{check_length, take_steps};

/// One or several directories that functions can read.
///
/// Relative paths are resolved from the first directory, or from [`Directory::starting_in`]. The target of a path must be in
/// one of the directories after resolving symbolic links.
///
/// ```no_run
/// use hclkit_functions::{Directory, Grants, terraform};
/// use hclkit_value::Value;
///
/// let functions = terraform(&Grants::new().with_directory(Directory::open("project")?));
/// let text = functions["file"].call(&[Value::from("README.md")])?;
/// assert!(functions["file"].call(&[Value::from("../secret")]).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Directory {
    roots: Vec<Root>,
    /// The directory that relative paths are resolved from.
    start: PathBuf,
    /// The maximum size of a file in bytes.
    max_size: u64,
}

/// Files that are not on disk, such as those of a commit. Paths are relative to its top, use `/`, and contain no `.` and `..`; the top
/// is the empty path.
#[doc(hidden)]
pub trait FileTree: fmt::Debug + Send + Sync {
    /// The size of a file, or none for a directory.
    ///
    /// # Errors
    /// There is no such file or directory, or it cannot be read.
    fn size(&self, path: &str) -> io::Result<Option<u64>>;

    /// The content of a file.
    ///
    /// # Errors
    /// There is no such file, or it cannot be read.
    fn read(&self, path: &str) -> io::Result<Vec<u8>>;

    /// The names in a directory.
    ///
    /// # Errors
    /// There is no such directory.
    fn names(&self, path: &str) -> io::Result<Vec<String>>;
}

/// What a directory consists of.
enum Source {
    Disk(Dir),
    Tree(Arc<dyn FileTree>),
}

/// One of the directories.
struct Root {
    source: Source,
    /// Its canonical path.
    path: PathBuf,
    /// The absolute path with which it was opened.
    named: PathBuf,
}

/// The number of bytes to read before checking the limits again.
const CHUNK: u64 = 1 << 20;

/// The maximum number of files and directories to match against a pattern.
const SEARCH_LIMIT: usize = 1_000_000;

impl Directory {
    /// The default of [`Directory::with_max_size`]: 256 MiB.
    pub const MAX_SIZE: u64 = 256 << 20;

    /// Sets the maximum size of a file in bytes.
    #[must_use]
    pub fn with_max_size(self, bytes: u64) -> Self {
        Self { max_size: bytes, ..self }
    }

    /// Opens a directory.
    ///
    /// # Errors
    /// The directory does not exist or cannot be read.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        let root = Root::open(path.as_ref())?;
        Ok(Self { start: root.path.clone(), roots: vec![root], max_size: Self::MAX_SIZE })
    }

    /// Adds another directory that functions can read.
    ///
    /// # Errors
    /// The directory does not exist or cannot be read.
    pub fn and(mut self, path: impl AsRef<Path>) -> io::Result<Self> {
        self.roots.push(Root::open(path.as_ref())?);
        Ok(self)
    }

    /// Resolves relative paths from this directory, which functions do not need to be able to read.
    ///
    /// # Errors
    /// The directory does not exist.
    pub fn starting_in(self, path: impl AsRef<Path>) -> io::Result<Self> {
        let start = path.as_ref().canonicalize()?;
        if !start.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        Ok(Self { start, ..self })
    }

    /// Files that are not on disk, as if they were in a directory. Relative paths are resolved from another one.
    #[doc(hidden)]
    pub fn of_tree(tree: Arc<dyn FileTree>, top: &Path, start: &Path) -> Self {
        let (path, named) = (clean_path(top), clean_path(top));
        let root = Root { source: Source::Tree(tree), path, named };
        Self { roots: vec![root], start: clean_path(start), max_size: Self::MAX_SIZE }
    }

    /// The absolute form of a path, which can be outside of the directories.
    pub(crate) fn absolute(&self, path: &str) -> PathBuf {
        clean_path(&self.start.join(path))
    }

    /// The directory that contains a path, and the path relative to it; `.` is the directory itself.
    fn locate(&self, path: &str) -> Result<(&Root, PathBuf), Error> {
        let absolute = self.absolute(path);
        let found = self.roots.iter().find_map(|root| Some((root, root.inside(&absolute)?)));
        found.ok_or_else(|| {
            let whose = if self.roots.len() == 1 { "the directory" } else { "the directories" };
            Error::new(format!("{path:?} is outside of {whose} that functions may read"))
        })
    }

    /// The content of a file.
    pub(crate) fn read(&self, path: &str) -> Result<Vec<u8>, Error> {
        let failed = |error: io::Error| unreadable(path, &error);
        take_steps(STEPS_TO_OPEN)?;
        let (root, inside) = self.locate(path)?;
        let dir = match &root.source {
            Source::Disk(dir) => dir,
            Source::Tree(tree) => return self.read_of_tree(&**tree, path, &inside),
        };
        let mut options = OpenOptions::new();
        options.read(true);
        #[cfg(unix)]
        {
            use cap_std::fs::OpenOptionsExt as _;
            // Opening a pipe would block until it has a writer.
            options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
        }
        let file = dir.open_with(&inside, &options).map_err(failed)?;
        let metadata = file.metadata().map_err(failed)?;
        if !metadata.is_file() {
            return Err(Error::new(format!("{path:?} is not a file")));
        }
        self.check_size(path, metadata.len())?;
        take_steps(metadata.len() / READ_STEP)?;
        // The size is only a hint: a file can grow, and special system files report none.
        let mut file = file.take(self.max_size.saturating_add(1));
        let mut content = Vec::with_capacity(metadata.len() as usize);
        while file.by_ref().take(CHUNK).read_to_end(&mut content).map_err(failed)? > 0 {
            self.check_size(path, content.len() as u64)?;
        }
        Ok(content)
    }

    fn read_of_tree(&self, tree: &dyn FileTree, path: &str, inside: &Path) -> Result<Vec<u8>, Error> {
        let failed = |error: io::Error| unreadable(path, &error);
        let inside = in_tree(inside);
        let Some(size) = tree.size(&inside).map_err(failed)? else {
            return Err(Error::new(format!("{path:?} is not a file")));
        };
        self.check_size(path, size)?;
        take_steps(size / READ_STEP)?;
        tree.read(&inside).map_err(failed)
    }

    /// Checks that `bytes` bytes of a file may be read, by the maximum file size and by the limits of the thread.
    fn check_size(&self, path: &str, bytes: u64) -> Result<(), Error> {
        if bytes > self.max_size {
            return Err(Error::new(format!("the file {path:?} is larger than {} bytes", self.max_size)));
        }
        check_length(usize::try_from(bytes).unwrap_or(usize::MAX))
    }

    /// Returns true if a file exists.
    pub(crate) fn has_file(&self, path: &str) -> Result<bool, Error> {
        take_steps(STEPS_TO_OPEN)?;
        let (root, inside) = self.locate(path)?;
        match root.kind(&inside) {
            Ok(EntryKind::File) => Ok(true),
            Ok(_) => Err(Error::new(format!("{path:?} is not a file"))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(Error::new(format!("cannot access {path:?}: {error}"))),
        }
    }

    /// The files that match a pattern in a directory, as paths relative to it.
    pub(crate) fn matching(
        &self,
        directory: &str,
        pattern: &str,
        braces: Braces,
    ) -> Result<Vec<String>, Error> {
        let from = self.absolute(directory);
        let path = clean_path(&from.join(pattern.trim_start_matches('/')));
        // The parts before the first special character are a directory.
        let mut fixed = PathBuf::new();
        let mut rest = path.components().peekable();
        while let Some(part) =
            rest.next_if(|part| !part.as_os_str().to_string_lossy().contains(['*', '?', '[', '{', '\\']))
        {
            fixed.push(part);
        }
        let rest: PathBuf = rest.collect();
        let (text, fixed_text) = (rest.to_string_lossy(), fixed.to_string_lossy());
        let mut found = Vec::new();
        take_steps(STEPS_TO_OPEN)?;
        if text.is_empty() {
            if self.locate(&fixed_text).map(|(root, inside)| root.is_file(&inside))? {
                found.push(relative(&from, &fixed));
            }
            return Ok(found);
        }
        let glob = |text: &str| {
            Glob::new(text).map_err(|why| match why {
                GlobError::Limit(why) => Error::new(format!("invalid pattern: {why}")),
                why => Error::new(format!("invalid pattern {pattern:?}: {why}")),
            })
        };
        // A slash separates names even inside brackets, and in some libraries inside braces.
        let mut open = 0_u32;
        let mut names = text.split(|sign: char| {
            open = match sign {
                '{' if braces == Braces::Path => open.saturating_add(1),
                '}' => open.saturating_sub(1),
                _ => open,
            };
            sign == '/' && open == 0
        });
        names.try_for_each(|name| glob(name).map(drop))?;
        let matcher = glob(&text)?;
        let depth = if text.contains("**") { usize::MAX } else { text.matches('/').count() + 1 };
        let (root, start) = self.locate(&fixed_text)?;
        let mut tried = 0;
        // Unreadable directories count as empty, as in the reference.
        let Ok(path) = root.canonical(&start) else { return Ok(found) };
        let mut waiting = vec![(start, PathBuf::new(), 1, Rc::new(Searched { path, links: 0, outer: None }))];
        while let Some((inside, below, level, place)) = waiting.pop() {
            let Ok(entries) = root.entries(&inside) else { continue };
            for entry in entries {
                tried += place.cost();
                take_steps(STEPS_TO_OPEN)?;
                if tried > SEARCH_LIMIT {
                    return Err(Error::new(format!(
                        "{pattern:?} searches more than {SEARCH_LIMIT} files (below symbolic links to directories, \
                         each file counts several times)"
                    )));
                }
                let (inside, below) = (inside.join(&entry.name), below.join(&entry.name));
                let Ok(kind) = root.kind(&inside) else { continue };
                if kind == EntryKind::File && matcher.matches(&below) {
                    found.push(relative(&from, &fixed.join(below)));
                } else if kind == EntryKind::Directory
                    && level < depth
                    && let Some(place) = root.enter(&place, &inside, &entry)
                {
                    waiting.push((inside, below, level + 1, place));
                }
            }
        }
        Ok(found)
    }
}

/// What a name in a directory is, after following links.
#[derive(Clone, Copy, PartialEq, Eq)]
enum EntryKind {
    File,
    Directory,
    Other,
}

/// A name in a directory.
struct Entry {
    name: OsString,
    may_be_link: bool,
}

impl Root {
    fn open(path: &Path) -> io::Result<Self> {
        Ok(Self {
            source: Source::Disk(Dir::open_ambient_dir(path, ambient_authority())?),
            path: path.canonicalize()?,
            named: std::path::absolute(path)?,
        })
    }

    /// An absolute path relative to this directory, if it is inside.
    fn inside(&self, absolute: &Path) -> Option<PathBuf> {
        let inside =
            absolute.strip_prefix(&self.path).or_else(|_| absolute.strip_prefix(&self.named)).ok()?;
        Some(if inside.as_os_str().is_empty() { PathBuf::from(".") } else { inside.to_owned() })
    }

    fn kind(&self, inside: &Path) -> io::Result<EntryKind> {
        match &self.source {
            Source::Disk(dir) => dir.metadata(inside).map(|metadata| {
                if metadata.is_file() {
                    EntryKind::File
                } else if metadata.is_dir() {
                    EntryKind::Directory
                } else {
                    EntryKind::Other
                }
            }),
            Source::Tree(tree) => Ok(match tree.size(&in_tree(inside))? {
                Some(_) => EntryKind::File,
                None => EntryKind::Directory,
            }),
        }
    }

    fn is_file(&self, inside: &Path) -> bool {
        self.kind(inside).is_ok_and(|kind| kind == EntryKind::File)
    }

    /// The names in a directory.
    fn entries(&self, inside: &Path) -> io::Result<Box<dyn Iterator<Item = Entry>>> {
        match &self.source {
            Source::Disk(dir) => {
                let entry = |entry: cap_std::fs::DirEntry| Entry {
                    name: entry.file_name(),
                    may_be_link: entry.file_type().map_or(true, |kind| kind.is_symlink()),
                };
                Ok(Box::new(dir.read_dir(inside)?.flatten().map(entry)))
            }
            Source::Tree(tree) => {
                let entry = |name: String| Entry { name: name.into(), may_be_link: false };
                Ok(Box::new(tree.names(&in_tree(inside))?.into_iter().map(entry)))
            }
        }
    }

    /// A directory inside a searched one. `None` if a symbolic link leads back to a directory on the way to it, which
    /// would cause an endless search.
    fn enter(&self, outer: &Rc<Searched>, inside: &Path, entry: &Entry) -> Option<Rc<Searched>> {
        let is_link = entry.may_be_link;
        let path = if is_link { self.canonical(inside).ok()? } else { outer.path.join(&entry.name) };
        let links = outer.links + u32::from(is_link);
        let mut on_the_way = iter::successors(Some(outer), |searched| searched.outer.as_ref());
        if links > 0 && on_the_way.any(|searched| searched.path == path) {
            return None;
        }
        Some(Rc::new(Searched { path, links, outer: Some(outer.clone()) }))
    }

    /// The path of a directory without symbolic links.
    fn canonical(&self, inside: &Path) -> io::Result<PathBuf> {
        if inside == Path::new(".") {
            return Ok(PathBuf::new());
        }
        match &self.source {
            // The root is the empty path.
            Source::Disk(dir) => dir.canonicalize(inside).map(|path| clean_path(&path)),
            Source::Tree(_) => Ok(clean_path(inside)),
        }
    }
}

/// A path in a tree.
fn in_tree(inside: &Path) -> String {
    let text = inside.to_string_lossy();
    let text = if cfg!(windows) { text.replace('\\', "/") } else { text.into_owned() };
    text.strip_prefix("./").unwrap_or(if text == "." { "" } else { &text }).to_owned()
}

/// A directory that a search has reached, and the directories on the way to it.
struct Searched {
    /// Its path without symbolic links, relative to the root.
    path: PathBuf,
    /// How many symbolic links lead to it.
    links: u32,
    outer: Option<Rc<Self>>,
}

impl Searched {
    /// The number of steps that an entry counts as. Links between directories make the number of paths exponential in
    /// the number of links.
    fn cost(&self) -> usize {
        1 << self.links.min(usize::BITS / 2 - 1)
    }
}

/// The relative path from one absolute path to another, with slashes.
fn relative(from: &Path, to: &Path) -> String {
    let shared = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    let up = from.components().skip(shared).map(|_| "..".into());
    let down = to.components().skip(shared).map(|part| part.as_os_str().to_string_lossy().into_owned());
    up.chain(down).collect::<Vec<String>>().join("/")
}

#[doc(hidden)]
impl fmt::Debug for Directory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.roots.iter().map(|root| &root.path)).finish()
    }
}
