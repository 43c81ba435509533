//! The folders that functions may read, and cannot leave: neither by `..`, nor by absolute paths, nor by links.

use std::fmt;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions};
use globset::{GlobBuilder, GlobSet};
use hclkit_limits::check_glob;
use hclkit_value::Error;

/// A folder that functions may read, or several of them.
///
/// Relative paths start in the first folder, or where [`Folder::starting_in`] says. What a path leads to must lie in one
/// of the folders, links followed.
///
/// ```no_run
/// use hclkit_functions::{Folder, Grants, terraform};
/// use hclkit_value::Value;
///
/// let functions = terraform(&Grants::new().folder(Folder::open("project")?));
/// let text = functions["file"].call(&[Value::from("README.md")])?;
/// assert!(functions["file"].call(&[Value::from("../secret")]).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Folder {
    roots: Vec<Root>,
    /// The absolute path where relative paths start.
    start: PathBuf,
    /// How many bytes a file may have.
    max_size: u64,
}

/// One of the folders.
struct Root {
    dir: Dir,
    /// Its absolute path, links resolved.
    path: PathBuf,
    /// The absolute path by which it was opened.
    named: PathBuf,
}

/// How many files and folders a pattern may be tried on.
const SEARCH_LIMIT: usize = 1_000_000;

impl Folder {
    /// How many bytes a file may have unless another limit is set: 256 MiB.
    pub const MAX_SIZE: u64 = 256 << 20;

    /// The same, where a file may have so many bytes.
    #[must_use]
    pub fn max_size(self, bytes: u64) -> Folder {
        Folder { max_size: bytes, ..self }
    }

    /// Opens a folder.
    ///
    /// # Errors
    /// There is none at the path, or it must not be read.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Folder> {
        let root = Root::open(path.as_ref())?;
        Ok(Folder { start: root.path.clone(), roots: vec![root], max_size: Folder::MAX_SIZE })
    }

    /// The same with another folder that functions may read.
    ///
    /// # Errors
    /// There is none at the path, or it must not be read.
    pub fn and(mut self, path: impl AsRef<Path>) -> io::Result<Folder> {
        self.roots.push(Root::open(path.as_ref())?);
        Ok(self)
    }

    /// The same, where relative paths start in this folder. It need not be one that functions may read.
    ///
    /// # Errors
    /// There is no folder at the path.
    pub fn starting_in(self, path: impl AsRef<Path>) -> io::Result<Folder> {
        let start = path.as_ref().canonicalize()?;
        if !start.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        Ok(Folder { start, ..self })
    }

    /// The absolute form of a path, which need not lead into a folder that functions may read.
    pub(crate) fn absolute(&self, path: &str) -> PathBuf {
        clean(&self.start.join(path))
    }

    /// The folder that a path leads into, and the path as seen from there; `.` is the folder itself.
    fn locate(&self, path: &str) -> Result<(&Root, PathBuf), Error> {
        let absolute = self.absolute(path);
        let found = self.roots.iter().find_map(|root| Some((root, root.inside(&absolute)?)));
        found.ok_or_else(|| {
            let whose = if self.roots.len() == 1 { "the folder" } else { "the folders" };
            Error::new(format!("{path:?} leads out of {whose} that functions may read"))
        })
    }

    /// The content of a file.
    pub(crate) fn read(&self, path: &str) -> Result<Vec<u8>, Error> {
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => Error::new(format!("there is no file {path:?}")),
            _ => Error::new(format!("the file {path:?} cannot be read: {error}")),
        };
        let (Root { dir, .. }, inside) = self.locate(path)?;
        let mut options = OpenOptions::new();
        options.read(true);
        #[cfg(unix)]
        {
            use cap_std::fs::OpenOptionsExt as _;
            // Opening a pipe would wait for its writer.
            options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
        }
        let file = dir.open_with(&inside, &options).map_err(failed)?;
        if !file.metadata().map_err(failed)?.is_file() {
            return Err(Error::new(format!("{path:?} is not a file")));
        }
        let mut content = Vec::new();
        file.take(self.max_size.saturating_add(1)).read_to_end(&mut content).map_err(failed)?;
        if content.len() as u64 > self.max_size {
            return Err(Error::new(format!("the file {path:?} is larger than {} bytes", self.max_size)));
        }
        Ok(content)
    }

    /// Whether there is a file.
    pub(crate) fn has_file(&self, path: &str) -> Result<bool, Error> {
        let (Root { dir, .. }, inside) = self.locate(path)?;
        match dir.metadata(inside) {
            Ok(metadata) if metadata.is_file() => Ok(true),
            Ok(_) => Err(Error::new(format!("{path:?} is not a file"))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(Error::new(format!("{path:?} cannot be looked at: {error}"))),
        }
    }

    /// The files whose paths match a pattern that starts in a folder; the paths are as seen from that folder.
    pub(crate) fn matching(&self, folder: &str, pattern: &str) -> Result<Vec<String>, Error> {
        let from = self.absolute(folder);
        let path = clean(&from.join(pattern.trim_start_matches('/')));
        // What comes before the first special sign is a folder.
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
        if text.is_empty() {
            if self.locate(&fixed_text).map(|(root, inside)| root.is_file(&inside))? {
                found.push(relative(&from, &fixed));
            }
            return Ok(found);
        }
        check_glob(pattern).map_err(|why| Error::new(format!("the pattern cannot be used: {why}")))?;
        let glob = |text: &str| {
            let glob = GlobBuilder::new(text).literal_separator(true).backslash_escape(true).build();
            glob.map_err(|error| Error::new(format!("{pattern:?} is no pattern: {}", error.kind())))
        };
        // A slash separates names wherever it stands, also between brackets.
        text.split('/').try_for_each(|name| glob(name).map(drop))?;
        let matcher = GlobSet::builder().add(glob(&text)?).build();
        let matcher =
            matcher.map_err(|error| Error::new(format!("{pattern:?} is no pattern: {}", error.kind())))?;
        let depth = if text.contains("**") { usize::MAX } else { text.matches('/').count() + 1 };
        let (root, start) = self.locate(&fixed_text)?;
        let mut tried = 0;
        let mut waiting = vec![(start, PathBuf::new(), 1)];
        while let Some((inside, below, level)) = waiting.pop() {
            // What cannot be read has no files, as in the reference.
            let Ok(entries) = root.dir.read_dir(&inside) else { continue };
            for entry in entries.flatten() {
                tried += 1;
                if tried > SEARCH_LIMIT {
                    return Err(Error::new(format!(
                        "{pattern:?} would have more than {SEARCH_LIMIT} files tried"
                    )));
                }
                let (inside, below) = (inside.join(entry.file_name()), below.join(entry.file_name()));
                let Ok(metadata) = root.dir.metadata(&inside) else { continue };
                if metadata.is_dir() && level < depth && !root.leads_back(&inside) {
                    waiting.push((inside, below, level + 1));
                } else if metadata.is_file() && matcher.is_match(&below) {
                    found.push(relative(&from, &fixed.join(below)));
                }
            }
        }
        Ok(found)
    }
}

impl Root {
    fn open(path: &Path) -> io::Result<Root> {
        Ok(Root {
            dir: Dir::open_ambient_dir(path, ambient_authority())?,
            path: path.canonicalize()?,
            named: std::path::absolute(path)?,
        })
    }

    /// An absolute path as seen from here, if it leads here.
    fn inside(&self, absolute: &Path) -> Option<PathBuf> {
        let inside =
            absolute.strip_prefix(&self.path).or_else(|_| absolute.strip_prefix(&self.named)).ok()?;
        Some(if inside.as_os_str().is_empty() { PathBuf::from(".") } else { inside.to_owned() })
    }

    fn is_file(&self, inside: &Path) -> bool {
        self.dir.metadata(inside).is_ok_and(|metadata| metadata.is_file())
    }

    /// Whether a folder is a link to one above itself, so that going into it would have no end.
    fn leads_back(&self, inside: &Path) -> bool {
        if !self.dir.symlink_metadata(inside).is_ok_and(|metadata| metadata.is_symlink()) {
            return false;
        }
        // The root is the empty path, above which every other one is.
        let resolved = |path: &Path| {
            if path.as_os_str().is_empty() {
                return Ok(PathBuf::new());
            }
            self.dir.canonicalize(path).map(|path| clean(&path))
        };
        match (resolved(inside), resolved(inside.parent().unwrap_or(Path::new("")))) {
            (Ok(target), Ok(above)) => above.starts_with(target),
            _ => true,
        }
    }
}

/// The path without `.` and `..`, which are resolved without looking at links, as the reference does it.
pub(crate) fn clean(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => match out.components().next_back() {
                Some(Component::Normal(_)) => {
                    out.pop();
                }
                Some(Component::RootDir | Component::Prefix(_)) => {}
                _ => out.push(part),
            },
            part => out.push(part),
        }
    }
    out
}

/// The way from one absolute path to another, with slashes.
fn relative(from: &Path, to: &Path) -> String {
    let shared = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    let up = from.components().skip(shared).map(|_| "..".into());
    let down = to.components().skip(shared).map(|part| part.as_os_str().to_string_lossy().into_owned());
    up.chain(down).collect::<Vec<String>>().join("/")
}

impl fmt::Debug for Folder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.roots.iter().map(|root| &root.path)).finish()
    }
}
