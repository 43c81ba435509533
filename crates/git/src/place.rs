//! Where the files of a repository are, and which of them may be opened: regular files below its directories, also behind links. A
//! working tree whose `.git` is a file belongs to the repository that this names only if the repository is inside it, or knows it.

use std::io;
use std::path::{Path, PathBuf};

use hclkit_limits::{read_file, read_target};

use crate::{Error, MOST_BYTES};

/// The directories of a repository. All paths are without links.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// The working tree. A bare repository has none.
    tree: Option<PathBuf>,
    /// What only this working tree has: `HEAD` and the index.
    own: PathBuf,
    /// What all working trees share: objects, references and settings.
    common: PathBuf,
}

impl Place {
    /// The repository of the nearest directory that contains an entry `.git`.
    pub(crate) fn around(directory: &Path) -> Result<Option<Self>, Error> {
        let directory = real(directory)?;
        let top = directory.ancestors().find(|above| above.join(".git").symlink_metadata().is_ok());
        top.map_or(Ok(None), Self::of_top)
    }

    /// The repository of a directory that contains an entry `.git`.
    pub(crate) fn of_top(top: &Path) -> Result<Option<Self>, Error> {
        let tree = real(top)?;
        let git = tree.join(".git");
        if git.symlink_metadata().is_err() {
            return Ok(None);
        }
        let own = if git.is_dir() { real(&git)? } else { named_by(&git)? };
        let place = Self::with_common(Some(tree.clone()), own)?;
        if place.own.starts_with(&tree) && place.common.starts_with(&tree) || place.knows(&tree) {
            return Ok(Some(place));
        }
        let why = "leads to a repository outside of the directory that does not have it as a working tree";
        Err(Error::file(&git, why))
    }

    /// The directory `.git` in another one, which is no link, whatever it contains.
    pub(crate) fn with_directory(top: &Path) -> Option<Self> {
        let git = real(top).ok()?.join(".git");
        let is_directory = git.symlink_metadata().is_ok_and(|metadata| metadata.is_dir());
        is_directory.then(|| Self { tree: None, own: git.clone(), common: git })
    }

    /// A directory with the files of a repository.
    pub(crate) fn bare(directory: &Path) -> Result<Self, Error> {
        let own = real(directory)?;
        let place = Self::with_common(None, own)?;
        if place.own != place.common {
            return Err(Error::new("it is the directory of a working tree, whose repository is elsewhere"));
        }
        Ok(place)
    }

    fn with_common(tree: Option<PathBuf>, own: PathBuf) -> Result<Self, Error> {
        let common = match read_line(&own.join("commondir"))? {
            Some(common) => real(&own.join(common))?,
            None => own.clone(),
        };
        if !common.join("objects").is_dir() || !common.join("refs").is_dir() {
            return Err(Error::file(&common, "is not a Git repository"));
        }
        Ok(Self { tree, own, common })
    }

    /// Whether a repository elsewhere has a directory as a working tree: it says so, or the directory is one of its submodules.
    fn knows(&self, tree: &Path) -> bool {
        if self.own != self.common {
            // `git worktree add` writes this file.
            let back = read_line(&self.own.join("gitdir")).ok().flatten();
            let back = back.and_then(|back| real(&self.own.join(back)).ok());
            return self.own.parent() == Some(&*self.common.join("worktrees"))
                && back.is_some_and(|back| back == tree.join(".git"));
        }
        let mut above = tree.ancestors().skip(1);
        let outer = above.find(|above| above.join(".git").symlink_metadata().is_ok());
        let outer = outer.and_then(|outer| Self::of_top(outer).ok().flatten());
        outer.is_some_and(|outer| {
            [&outer.own, &outer.common].into_iter().any(|git| self.own.starts_with(git.join("modules")))
        })
    }

    pub(crate) fn top(&self) -> &Path {
        self.tree.as_deref().unwrap_or(&self.own)
    }

    /// The working tree.
    pub(crate) fn tree(&self) -> Option<&Path> {
        self.tree.as_deref()
    }

    pub(crate) fn own(&self) -> &Path {
        &self.own
    }

    pub(crate) fn common(&self) -> &Path {
        &self.common
    }

    /// The path of a file that only this working tree has, if there is one.
    pub(crate) fn own_file(&self, name: &str, most: u64) -> Result<Option<PathBuf>, Error> {
        self.file(&self.own.join(name), most)
    }

    /// The path of a file that all working trees share, if there is one.
    pub(crate) fn common_file(&self, name: &str, most: u64) -> Result<Option<PathBuf>, Error> {
        self.file(&self.common.join(name), most)
    }

    /// Reads a file that only this working tree has.
    pub(crate) fn read_own(&self, name: &str, most: u64) -> Result<Option<Vec<u8>>, Error> {
        self.read(&self.own.join(name), most)
    }

    /// Reads a file that all working trees share.
    pub(crate) fn read_common(&self, name: &str, most: u64) -> Result<Option<Vec<u8>>, Error> {
        self.read(&self.common.join(name), most)
    }

    fn read(&self, path: &Path, most: u64) -> Result<Option<Vec<u8>>, Error> {
        let Some(file) = self.file(path, most)? else { return Ok(None) };
        read_target(&file, most).map(Some).map_err(|error| Error::file(path, error))
    }

    /// The path of a file without links. It must be a regular file of the repository, and no larger than `most`.
    pub(crate) fn file(&self, path: &Path, most: u64) -> Result<Option<PathBuf>, Error> {
        let real = match path.canonicalize() {
            Ok(real) => real,
            Err(error) if is_absent(&error) => return Ok(None),
            Err(error) => return Err(Error::file(path, error)),
        };
        let metadata = real.metadata().map_err(|error| Error::file(path, error))?;
        if metadata.is_dir() {
            return Ok(None);
        }
        let why = match () {
            () if !real.starts_with(&self.own) && !real.starts_with(&self.common) => {
                "leads out of the repository"
            }
            () if !metadata.is_file() => "is not a regular file",
            () if metadata.len() > most => "is too large",
            () => return Ok(Some(real)),
        };
        Err(Error::file(path, why))
    }
}

fn real(path: &Path) -> Result<PathBuf, Error> {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    path.canonicalize().map_err(|error| Error::file(path, error))
}

/// Also for a path below a file.
fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// The directory that a file `.git` names.
fn named_by(git: &Path) -> Result<PathBuf, Error> {
    let line = read_line(git)?;
    let named = line.as_deref().and_then(|line| line.strip_prefix("gitdir:"));
    let Some(named) = named.map(str::trim).filter(|named| !named.is_empty()) else {
        return Err(Error::file(git, "does not name a repository"));
    };
    real(&git.parent().unwrap_or(Path::new("")).join(named))
}

/// The first line of a small file, if it exists.
fn read_line(path: &Path) -> Result<Option<String>, Error> {
    match read_file(path, MOST_BYTES.min(1 << 16)) {
        Ok(text) => {
            let text = String::from_utf8(text).map_err(|_| Error::file(path, "the file is not UTF-8"))?;
            Ok(text.lines().next().map(str::to_owned))
        }
        Err(error) if is_absent(&error) => Ok(None),
        Err(error) => Err(Error::file(path, error)),
    }
}
