//! Git repositories, read without the program `git`: the files of a commit (`tree.rs`), those in the index (`index.rs`), and what has
//! changed since a commit (`changes.rs`). A repository is data: nothing that it configures is run, followed to files outside of it, or
//! fetched. `place.rs` finds its directories and decides which files may be opened; `objects.rs` reads objects within limits.
#![forbid(unsafe_code)]

mod changes;
mod index;
mod objects;
mod place;
mod references;
mod revision;
mod tree;

use std::fmt;
use std::path::{Path, PathBuf};

pub use changes::Changes;
pub use objects::Objects;
pub use tree::{File, FileKind};

use place::Place;

/// The largest file of a repository's own, such as its index. Packs may be larger: they are not read as a whole.
const MOST_BYTES: u64 = 1 << 30;

/// The id of an object.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Id(gix_hash::ObjectId);

/// The hexadecimal digits, as Git writes them.
impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The hexadecimal digits.
impl fmt::Debug for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Id({self})")
    }
}

/// Why something in a repository cannot be read, in words. The message has no text of the repository but names of files and
/// references.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    message: String,
    is_limit: bool,
}

impl Error {
    fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), is_limit: false }
    }

    /// Something is larger than anything real.
    fn limit(message: impl Into<String>) -> Self {
        Self { message: message.into(), is_limit: true }
    }

    /// Returns true if something is not damaged, but too large.
    pub fn is_limit(&self) -> bool {
        self.is_limit
    }

    /// A file of the repository cannot be read.
    fn file(path: &Path, why: impl fmt::Display) -> Self {
        Self::new(format!("{}: {why}", path.display()))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

/// A repository.
#[derive(Debug)]
pub struct Repository {
    place: Place,
    config: Config,
    objects: Objects,
}

/// The settings of a repository that are used: only what its own file says, without the files that this includes.
#[derive(Debug, Default)]
struct Config {
    hash: Option<gix_hash::Kind>,
    origin: Option<String>,
}

impl Repository {
    /// The repository whose working tree contains a directory: that of the nearest directory with an entry `.git`, or none.
    ///
    /// # Errors
    /// The entry `.git` is not a repository, or one that is outside and does not have this working tree; or the repository has a
    /// format that is not supported.
    pub fn around(directory: &Path) -> Result<Option<Self>, Error> {
        Place::around(directory)?.map(Self::open).transpose()
    }

    /// A directory with the files of a repository, such as a bare one. The directories that contain it are not searched.
    ///
    /// # Errors
    /// The directory is not a repository, or one with a format that is not supported.
    pub fn bare(directory: &Path) -> Result<Self, Error> {
        Place::bare(directory).and_then(Self::open)
    }

    fn open(place: Place) -> Result<Self, Error> {
        let config = Config::read(&place)?;
        let objects = Objects::open(&place, config.hash())?;
        Ok(Self { place, config, objects })
    }

    /// The directory of the working tree without links, or else that of the repository.
    pub fn top(&self) -> &Path {
        self.place.top()
    }

    /// The file `info/exclude` of the repository whose entry `.git` a directory contains. There is none without a repository, but the
    /// repository need not be complete.
    ///
    /// # Errors
    /// It is not a regular file, or it is outside of the repository.
    pub fn exclude_file(directory: &Path) -> Result<Option<PathBuf>, Error> {
        let place = Place::with_directory(directory).or_else(|| Place::of_top(directory).ok().flatten());
        place.map_or(Ok(None), |place| place.common_file("info/exclude", MOST_BYTES))
    }

    /// The address of the remote `origin`, as it is written.
    pub fn origin(&self) -> Option<&str> {
        self.config.origin.as_deref()
    }

    /// The commit `HEAD`. A repository without commits has none.
    ///
    /// # Errors
    /// `HEAD` is damaged, or it is not a commit.
    pub fn head(&self) -> Result<Option<Id>, Error> {
        match references::follow(&self.place, self.config.hash(), "HEAD")? {
            Some(id) => self.objects.commit(Id(id)).map(Some),
            None => Ok(None),
        }
    }

    /// The objects, for threads of their own.
    pub fn objects(&self) -> &Objects {
        &self.objects
    }
}

impl Config {
    fn hash(&self) -> gix_hash::Kind {
        self.hash.unwrap_or(gix_hash::Kind::Sha1)
    }

    fn read(place: &Place) -> Result<Self, Error> {
        let Some(text) = place.read_common("config", 1 << 20)? else { return Ok(Self::default()) };
        let damaged = |_| Error::file(&place.common().join("config"), "the file is damaged");
        let meta = gix_config::file::Metadata::from(gix_config::Source::Local);
        let file =
            gix_config::File::from_bytes_no_includes(&text, meta, gix_config::file::init::Options::default())
                .map_err(damaged)?;
        let value = |key: &str| file.string(key).map(|value| value.to_string());
        let hash = match value("extensions.objectFormat").map(|name| name.to_lowercase()).as_deref() {
            None => None,
            Some("sha1") => Some(gix_hash::Kind::Sha1),
            Some("sha256") => Some(gix_hash::Kind::Sha256),
            Some(_) => return Err(Error::new("the repository has an unknown format of objects")),
        };
        if value("extensions.refStorage").is_some_and(|format| !format.eq_ignore_ascii_case("files")) {
            return Err(Error::new(
                "the repository keeps its references in another format than files, which is not supported",
            ));
        }
        Ok(Self { hash, origin: value("remote.origin.url").filter(|url| !url.is_empty()) })
    }
}
