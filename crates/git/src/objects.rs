//! Objects: blobs, trees, commits and tags, from packs and from files of their own. What decoding one takes is limited, whatever
//! sizes a pack claims. Objects in other repositories (`alternates`) are not read, and missing ones are not fetched.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use gix_error::ErrorExt as _;
use gix_hash::ObjectId;
use gix_object::{CommitRefIter, Find as _, Kind, TagRefIter};
use gix_odb::{HandleArc, Store, store};
use gix_pack::cache::lru::StaticLinkedList;

use crate::place::Place;
use crate::{Error, Id, MOST_BYTES};

/// How much memory decoding one object may take, with what it is a delta of. As many objects are decoded at the same time as there are
/// readers.
const MOST_DECODING: usize = 96 << 20;
const READERS: usize = 3;

/// How much each reader keeps of what others are deltas of.
const CACHE: usize = 16 << 20;

/// How many tags may refer to each other.
const MOST_TAGS: usize = 16;

/// The objects of a repository. Copies share everything, and can be used in several threads.
#[derive(Clone)]
pub struct Objects(Arc<Shared>);

struct Shared {
    directory: PathBuf,
    /// The directories for objects with files of their own, by the first byte of their IDs: whether what is there is a directory.
    loose: Box<[Option<bool>; 256]>,
    hash: gix_hash::Kind,
    packed_bytes: u64,
    store: Arc<Store>,
    /// The readers that are not used, and how many may still be made.
    readers: Mutex<(Vec<HandleArc>, usize)>,
    returned: Condvar,
}

/// The directory.
impl fmt::Debug for Objects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Objects").field(&self.0.directory).finish()
    }
}

impl Objects {
    pub(crate) fn open(place: &Place, hash: gix_hash::Kind) -> Result<Self, Error> {
        let directory = place.common().join("objects");
        let packed_bytes = check_directory(place, &directory)?;
        let loose = Box::new(loose_directories(&directory)?);
        let options = store::init::Options {
            alloc_limit_bytes: Some(MOST_DECODING),
            current_dir: Some(directory.clone()),
            ..Default::default()
        };
        let opened = Store::at_opts(directory.clone(), hash, &mut std::iter::empty(), options);
        let store = Arc::new(opened.map_err(|error| Error::file(&directory, error))?);
        let readers = Mutex::new((Vec::new(), READERS));
        Ok(Self(Arc::new(Shared {
            directory,
            loose,
            hash,
            packed_bytes,
            store,
            readers,
            returned: Condvar::new(),
        })))
    }

    /// The size of all packs in bytes.
    pub fn packed_bytes(&self) -> u64 {
        self.0.packed_bytes
    }

    pub(crate) fn hash(&self) -> gix_hash::Kind {
        self.0.hash
    }

    /// The content of a file. It is an error before any memory is taken if the file is larger than `most`.
    ///
    /// # Errors
    /// The object is missing, damaged, too large or not a file.
    pub fn file(&self, id: Id, most: u64) -> Result<Vec<u8>, Error> {
        self.read(id.0, Kind::Blob, most)
    }

    /// The content of a file whose size was asked for.
    ///
    /// # Errors
    /// The object is missing, damaged or not a file, or it has another size.
    pub fn file_of_size(&self, id: Id, size: u64) -> Result<Vec<u8>, Error> {
        let bytes = self.with(id.0, |reader| found(reader, id.0, Kind::Blob))?;
        if bytes.len() as u64 == size { Ok(bytes) } else { Err(damaged(id.0)) }
    }

    /// The size of a file in bytes, as the repository claims.
    ///
    /// # Errors
    /// The object is missing, damaged or not a file.
    pub fn size(&self, id: Id) -> Result<u64, Error> {
        let (kind, size) = self.with(id.0, |reader| header(reader, id.0))?;
        if kind == Kind::Blob { Ok(size) } else { Err(wrong_kind(id.0, Kind::Blob)) }
    }

    /// The commit that an object is or that a tag leads to.
    pub(crate) fn commit(&self, id: Id) -> Result<Id, Error> {
        let mut id = id.0;
        for _ in 0..MOST_TAGS {
            match self.with(id, |reader| header(reader, id))?.0 {
                Kind::Commit => return Ok(Id(id)),
                Kind::Tag => {
                    let tag = self.read(id, Kind::Tag, MOST_DECODING as u64)?;
                    let target = TagRefIter::from_bytes(&tag, self.hash()).target_id();
                    id = target.map_err(|_| damaged(id))?;
                }
                _ => return Err(wrong_kind(id, Kind::Commit)),
            }
        }
        Err(Error::new("a tag leads through too many others"))
    }

    /// The tree of a commit.
    pub(crate) fn tree_of(&self, commit: Id) -> Result<ObjectId, Error> {
        let text = self.read(commit.0, Kind::Commit, MOST_DECODING as u64)?;
        CommitRefIter::from_bytes(&text, self.hash()).tree_id().map_err(|_| damaged(commit.0))
    }

    /// The parents of a commit.
    pub(crate) fn parents(&self, commit: Id) -> Result<Vec<Id>, Error> {
        let text = self.read(commit.0, Kind::Commit, MOST_DECODING as u64)?;
        Ok(CommitRefIter::from_bytes(&text, self.hash()).parent_ids().map(Id).collect())
    }

    pub(crate) fn read(&self, id: ObjectId, kind: Kind, most: u64) -> Result<Vec<u8>, Error> {
        self.with(id, |reader| {
            let (found, size) = header(reader, id)?;
            if found != kind {
                return Err(wrong_kind(id, kind));
            }
            if size > most {
                return Err(Error::limit(format!("the object {id} has {size} bytes, more than {most}")));
            }
            self::found(reader, id, kind)
        })
    }

    /// Frees what readers keep of objects that others may be a delta of.
    pub fn forget(&self) {
        let mut readers = self.0.readers.lock().unwrap_or_else(PoisonError::into_inner);
        readers.1 += readers.0.len();
        readers.0.clear();
    }

    /// Lends a reader. It waits for one while others have all of them.
    pub(crate) fn lend<T>(&self, work: impl FnOnce(&HandleArc) -> T) -> T {
        let lock = || self.0.readers.lock().unwrap_or_else(PoisonError::into_inner);
        let mut readers = lock();
        let reader = loop {
            if let Some(reader) = readers.0.pop() {
                break reader;
            }
            if readers.1 > 0 {
                readers.1 -= 1;
                let cache = || Box::new(StaticLinkedList::<64>::new(CACHE)) as Box<gix_odb::cache::PackCache>;
                break self.0.store.to_cache_arc().with_pack_cache(cache);
            }
            readers = self.0.returned.wait(readers).unwrap_or_else(PoisonError::into_inner);
        };
        drop(readers);
        let done = work(&reader);
        lock().0.push(reader);
        self.0.returned.notify_one();
        done
    }

    /// Lends a reader for an object. If the object has a file of its own, this must be a regular one.
    fn with<T>(&self, id: ObjectId, work: impl FnOnce(&HandleArc) -> Result<T, Error>) -> Result<T, Error> {
        self.check(id)?;
        self.lend(work)
    }

    /// The objects that a reader finds, for what walks through them by itself.
    pub(crate) fn checked<'o>(&'o self, reader: &'o HandleArc) -> Checked<'o> {
        Checked { objects: self, reader }
    }

    fn check(&self, id: ObjectId) -> Result<(), Error> {
        let Some(is_directory) = self.0.loose[usize::from(id.first_byte())] else { return Ok(()) };
        let digits = id.to_string();
        let (directory, name) = digits.split_at(2);
        let directory = self.0.directory.join(directory);
        if !is_directory {
            return Err(Error::file(&directory, "is not a directory"));
        }
        let file = directory.join(name);
        match file.symlink_metadata() {
            Ok(metadata) if !metadata.is_file() => Err(Error::file(&file, "is not a regular file")),
            _ => Ok(()),
        }
    }
}

/// The entries that can be directories for objects with files of their own, and whether they are.
fn loose_directories(objects: &Path) -> Result<[Option<bool>; 256], Error> {
    let mut all = [None; 256];
    for entry in fs::read_dir(objects).map_err(|error| Error::file(objects, error))? {
        let entry = entry.map_err(|error| Error::file(objects, error))?;
        let name = entry.file_name();
        let digits = name.to_str().filter(|name| name.len() == 2);
        if let Some(first) = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            all[usize::from(first)] = Some(entry.file_type().is_ok_and(|kind| kind.is_dir()));
        }
    }
    Ok(all)
}

/// A reader that looks at the file of an object before it opens it.
pub(crate) struct Checked<'o> {
    objects: &'o Objects,
    reader: &'o HandleArc,
}

impl gix_object::Find for Checked<'_> {
    fn try_find<'a>(
        &self,
        id: &gix_hash::oid,
        buffer: &'a mut Vec<u8>,
    ) -> gix_error::Result<Option<gix_object::Data<'a>>> {
        if self.objects.check(id.to_owned()).is_err() {
            return Err(gix_error::message("the file of an object is not a regular file").raise());
        }
        self.reader.try_find(id, buffer)
    }
}

/// Checks what is opened without a look at it: packs, their indices, and the list of other repositories. Returns the size of all packs.
fn check_directory(place: &Place, objects: &Path) -> Result<u64, Error> {
    let is_own = objects.canonicalize().is_ok_and(|real| real == objects);
    if !is_own {
        return Err(Error::file(objects, "leads out of the repository"));
    }
    if let Some(file) = place.read_common("objects/info/alternates", 1 << 16)? {
        let mut lines = file.split(|byte| *byte == b'\n');
        if lines.any(|line| !line.trim_ascii().is_empty() && !line.starts_with(b"#")) {
            let why =
                "the repository uses objects of others, which are not read. `git repack -a -d` copies them";
            return Err(Error::file(&objects.join("info/alternates"), why));
        }
    }
    let packs = objects.join("pack");
    match packs.symlink_metadata() {
        Err(_) => return Ok(0),
        Ok(metadata) if metadata.is_dir() => {}
        Ok(_) => return Err(Error::file(&packs, "is not a directory")),
    }
    let mut bytes = 0_u64;
    for entry in fs::read_dir(&packs).map_err(|error| Error::file(&packs, error))? {
        let entry = entry.map_err(|error| Error::file(&packs, error))?;
        let is_index = entry.path().extension().is_some_and(|ending| ending == "idx");
        let file = place.file(&entry.path(), if is_index { MOST_BYTES } else { u64::MAX })?;
        let metadata = file.and_then(|file| file.metadata().ok()).filter(|_| !is_index);
        bytes = bytes.saturating_add(metadata.map_or(0, |metadata| metadata.len()));
    }
    Ok(bytes)
}

fn header(reader: &HandleArc, id: ObjectId) -> Result<(Kind, u64), Error> {
    let found = gix_odb::Header::try_header(reader, &id).map_err(|error| unreadable(id, &error))?;
    found.map(|header| (header.kind(), header.size())).ok_or_else(|| missing(id))
}

/// The content of an object.
fn found(reader: &HandleArc, id: ObjectId, kind: Kind) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let found = reader.try_find(&id, &mut bytes).map_err(|error| unreadable(id, &error))?;
    let found = found.ok_or_else(|| missing(id))?;
    if found.kind != kind {
        return Err(wrong_kind(id, kind));
    }
    // The object is at the beginning of the buffer.
    let length = found.data.len();
    bytes.truncate(length);
    bytes.shrink_to_fit();
    Ok(bytes)
}

fn missing(id: ObjectId) -> Error {
    Error::new(format!("the object {id} is missing"))
}

fn damaged(id: ObjectId) -> Error {
    Error::new(format!("the object {id} is damaged"))
}

fn unreadable(id: ObjectId, why: &impl fmt::Display) -> Error {
    Error::new(format!("the object {id} cannot be read: {why}"))
}

fn wrong_kind(id: ObjectId, expected: Kind) -> Error {
    Error::new(format!("the object {id} is not a {expected}"))
}
