//! The files in an archive of tar. Links are counted, and not followed. A file whose name leads out of the archive is not read, and becomes a
//! row of `diagnostics`. The library `tar` reads the headers; the loop over them is here, because it reads long names as a whole.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use flate2::read::MultiGzDecoder;
use hclkit_files::Selection;
use tar::{GnuExtSparseHeader, Header, PaxExtensions};

use super::slashed;
use crate::entry::{Content, Entry};
use crate::input::{Expansion, too_large};

/// How much an archive may have in all, also if it is not compressed, so that a file with holes cannot take hours.
const MOST: u64 = 16 << 30;

/// How much of a long name is read. Files with longer names are not.
const MOST_NAME: u64 = 8 << 10;

/// How large an extended header may be. Some have attributes of files.
const MOST_EXTENDED: u64 = 1 << 20;

/// The size of a header, and of what contents are a multiple of.
const BLOCK: u64 = 512;

/// Which files are emitted, and how large they may be.
pub(super) struct Wanted<'w> {
    pub(super) name: &'w Arc<str>,
    pub(super) selection: &'w Selection,
    pub(super) most_bytes: u64,
    pub(super) in_flight: u64,
}

/// Emits the files that are selected, and counts links, which are skipped. Returns false if no more are wanted.
pub(super) fn each(
    file: File,
    compressed: bool,
    wanted: &Wanted<'_>,
    links: &mut usize,
    emit: &mut dyn FnMut(Entry) -> bool,
) -> io::Result<bool> {
    let expansion = Expansion::new(file.metadata()?.len(), wanted.in_flight);
    let file = BufReader::with_capacity(1 << 16, file);
    let content: Box<dyn Read> =
        if compressed { Box::new(MultiGzDecoder::new(file)) } else { Box::new(file) };
    let mut archive = Archive { from: Limited { from: content, left: MOST, expansion } };
    while let Some(member) = archive.next()? {
        let kind = member.header.entry_type();
        let is_link = kind.is_symlink() || kind.is_hard_link();
        let is_file = kind.is_file() || kind.is_contiguous() || member.is_sparse;
        let (inside, is_inside) = inside(&member.path);
        // The end of a name that is too long is not known.
        let is_cut = member.path.as_os_str().len() as u64 >= MOST_NAME;
        if !(is_link || is_file) || !(is_cut || wanted.selection.takes_inside(&inside)) {
            archive.skip(member.stored)?;
            continue;
        }
        if is_link {
            *links += 1;
            archive.skip(member.stored)?;
            continue;
        }
        let unread =
            |why: &str| Content::Unread { bytes: member.size, code: "unreadable-file", why: why.to_owned() };
        let content = if !is_inside {
            unread("its name leads out of the archive")
        } else if member.size > wanted.most_bytes {
            too_large(member.size, wanted.most_bytes)
        } else if member.is_sparse {
            unread("it is a sparse file")
        } else {
            Content::Bytes(archive.read(member.stored)?)
        };
        if !matches!(content, Content::Bytes(_)) {
            archive.skip(member.stored)?;
        }
        let path = if is_inside { inside } else { member.path };
        let entry =
            Entry { repo: Some(wanted.name.clone()), commit: None, path: slashed(&path).into(), content };
        if !emit(entry) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A file, a link, a directory or something else. Its content is read or skipped next.
struct Member {
    header: Header,
    path: PathBuf,
    /// The size of the file, and of its content in the archive.
    size: u64,
    stored: u64,
    is_sparse: bool,
}

/// An archive that is read from its start to its end.
struct Archive<R> {
    from: R,
}

impl<R: Read> Archive<Limited<R>> {
    /// The next member. Headers that only describe it are read before.
    fn next(&mut self) -> io::Result<Option<Member>> {
        let (mut long_name, mut extended) = (None, Vec::new());
        loop {
            let Some(header) = self.header()? else { return Ok(None) };
            let (kind, size) = (header.entry_type(), header.entry_size()?);
            match () {
                () if kind.is_gnu_longname() => {
                    let mut name = self.read_start(size, MOST_NAME)?;
                    name.truncate(name.iter().position(|byte| *byte == 0).unwrap_or(name.len()));
                    long_name = Some(name);
                }
                () if kind.is_pax_local_extensions() => {
                    if size > MOST_EXTENDED {
                        let why = format!("an extended header has {size} bytes, more than {MOST_EXTENDED}");
                        return Err(io::Error::new(io::ErrorKind::FileTooLarge, why));
                    }
                    extended = self.read(size)?;
                }
                // Links are not followed, so that their targets do not matter.
                () if kind.is_gnu_longlink() || kind.is_pax_global_extensions() => self.skip(size)?,
                () => return self.member(header, size, long_name, &extended).map(Some),
            }
        }
    }

    fn member(
        &mut self,
        header: Header,
        size: u64,
        long_name: Option<Vec<u8>>,
        extended: &[u8],
    ) -> io::Result<Member> {
        let mut name = long_name.unwrap_or_else(|| header.path_bytes().into_owned());
        let (mut size, mut stored) = (size, size);
        let mut is_sparse = header.entry_type().is_gnu_sparse();
        if is_sparse {
            size = header.as_gnu().map_or(Ok(size), tar::GnuHeader::real_size)?;
            let mut is_extended = header.as_gnu().is_some_and(tar::GnuHeader::is_extended);
            while is_extended {
                let mut more = GnuExtSparseHeader::new();
                self.from.read_exact(more.as_mut_bytes())?;
                is_extended = more.is_extended();
            }
        }
        for record in PaxExtensions::new(extended) {
            let record = record?;
            match record.key_bytes() {
                b"path" | b"GNU.sparse.name" => name = record.value_bytes().to_vec(),
                b"size" => {
                    let value = record.value().ok().and_then(|value| value.parse().ok());
                    stored = value.ok_or_else(|| io::Error::other("the size of a file is invalid"))?;
                    size = stored;
                }
                key => is_sparse |= key.starts_with(b"GNU.sparse."),
            }
        }
        Ok(Member { header, path: path_of(name), size, stored, is_sparse })
    }

    /// The next header. There is none at the end, and after a block of zeros.
    fn header(&mut self) -> io::Result<Option<Header>> {
        let mut header = Header::new_old();
        let bytes = header.as_mut_bytes();
        let mut read = 0;
        while read < bytes.len() {
            match self.from.read(&mut bytes[read..]) {
                Ok(0) if read == 0 => return Ok(None),
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(count) => read += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        if bytes.iter().all(|byte| *byte == 0) {
            return Ok(None);
        }
        // The sum is written into itself as blanks.
        let sum = |bytes: &[u8]| bytes.iter().map(|byte| u32::from(*byte)).sum::<u32>();
        if sum(&bytes[..148]) + 8 * 32 + sum(&bytes[156..]) != header.cksum()? {
            return Err(io::Error::other("the checksum of a header is wrong"));
        }
        Ok(Some(header))
    }

    /// Reads a content.
    fn read(&mut self, size: u64) -> io::Result<Vec<u8>> {
        self.read_start(size, size)
    }

    /// Reads the start of a content, and skips the rest.
    fn read_start(&mut self, size: u64, most: u64) -> io::Result<Vec<u8>> {
        let wanted = size.min(most);
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(usize::try_from(wanted).map_err(io::Error::other)?)?;
        self.from.by_ref().take(wanted).read_to_end(&mut bytes)?;
        if bytes.len() as u64 != wanted {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.skip_bytes(size - wanted + padding(size))?;
        Ok(bytes)
    }

    /// Skips a content.
    fn skip(&mut self, size: u64) -> io::Result<()> {
        let whole = size.checked_add(padding(size));
        self.skip_bytes(whole.ok_or_else(|| io::Error::other("the size of a file is invalid"))?)
    }

    fn skip_bytes(&mut self, bytes: u64) -> io::Result<()> {
        // What a header claims is not searched for.
        if bytes > self.from.left {
            return Err(too_much());
        }
        let skipped = io::copy(&mut self.from.by_ref().take(bytes), &mut io::sink())?;
        if skipped == bytes { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }
}

/// How many bytes follow a content, so that the next header is at a block.
fn padding(size: u64) -> u64 {
    (BLOCK - size % BLOCK) % BLOCK
}

#[cfg(unix)]
fn path_of(name: Vec<u8>) -> PathBuf {
    use std::os::unix::ffi::OsStringExt as _;
    std::ffi::OsString::from_vec(name).into()
}

#[cfg(not(unix))]
fn path_of(name: Vec<u8>) -> PathBuf {
    String::from_utf8_lossy(&name).into_owned().into()
}

/// The names of a path, and whether there is nothing else that leads elsewhere.
fn inside(path: &Path) -> (PathBuf, bool) {
    let (mut out, mut is_inside) = (PathBuf::new(), true);
    for part in path.components() {
        match part {
            Component::Normal(name) => out.push(name),
            Component::CurDir => {}
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => is_inside = false,
        }
    }
    (out, is_inside)
}

fn too_much() -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, format!("the archive has more than {MOST} bytes"))
}

/// Reads up to a limit, which is an error.
struct Limited<R> {
    from: R,
    left: u64,
    expansion: Expansion,
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            return Err(too_much());
        }
        let most = bytes.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
        let read = self.from.read(&mut bytes[..most])?;
        self.left -= read as u64;
        self.expansion.count(read as u64)?;
        Ok(read)
    }
}
