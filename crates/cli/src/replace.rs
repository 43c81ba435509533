//! Writing files: never half of one. What is written goes to a temporary file beside the place, then takes it. A file that
//! was there keeps its owner, mode, extended attributes and access control lists. Temporary files are in
//! `replace/temporary.rs`.

#[cfg(unix)]
mod attributes;
mod temporary;

use std::fs::{File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use temporary::Temporary;
pub(crate) use temporary::clean;

use crate::input::read;

/// The file that is to be written, if one is: `-` is standard output, as it is standard input elsewhere.
pub(crate) fn file(out: Option<&PathBuf>) -> Option<&Path> {
    out.map(PathBuf::as_path).filter(|path| *path != Path::new("-"))
}

/// Makes `contents` what the file holds, or says why that failed.
pub(crate) fn write(path: &Path, contents: &[u8]) -> Result<(), String> {
    replace(path, contents).map_err(|error| in_words(&error))
}

/// Makes `contents` what a file holds that was read before, and that `open` opens again. If it holds something else by now
/// than `before`, nothing is written. Returns whether the file has other names, which keep the old text.
pub(crate) fn rewrite(
    path: &Path,
    open: impl Fn() -> io::Result<File>,
    before: &[u8],
    contents: &[u8],
) -> Result<bool, String> {
    let rewritten = || {
        let target = path.canonicalize()?;
        let opened = open()?;
        let metadata = opened.metadata()?;
        refuse_read_only(&metadata)?;
        let temporary = Temporary::beside(&target, false)?;
        temporary.file().write_all(contents)?;
        keep_attributes(&opened, &metadata, temporary.file())?;
        temporary.file().sync_all()?;
        // Last of all, so that nobody has time to write it in between.
        if read::all(&opened)? == before && is_same(&metadata, &target.symlink_metadata()?) {
            temporary.take_place_of(&target)?;
            return Ok(names(&metadata) > 1);
        }
        // By another name, this run may have fixed the same file.
        if read::all(open()?)? == contents {
            return Ok(false);
        }
        Err(io::Error::other("it was changed meanwhile, and is left as it is"))
    };
    rewritten().map_err(|error| in_words(&error))
}

/// The name of a temporary file that never came to be says nothing to anybody.
fn in_words(error: &io::Error) -> String {
    let why = error.to_string();
    why.split_once(" at path ").map_or(why.as_str(), |(why, _)| why).to_owned()
}

/// Puts a new file in the place; a symbolic link that was there keeps its target.
fn replace(path: &Path, contents: &[u8]) -> io::Result<()> {
    let target = resolve(path)?;
    clean(folder_of(&target));
    let before = match target.metadata() {
        // Devices and pipes cannot be replaced, only written to.
        Ok(metadata) if !metadata.is_file() => {
            return std::fs::OpenOptions::new().write(true).open(&target)?.write_all(contents);
        }
        Ok(metadata) => {
            refuse_read_only(&metadata)?;
            Some(metadata)
        }
        Err(_) => None,
    };
    let temporary = Temporary::beside(&target, before.is_none())?;
    temporary.file().write_all(contents)?;
    if let Some(metadata) = &before {
        keep_attributes(&File::open(&target)?, metadata, temporary.file())?;
    }
    temporary.file().sync_all()?;
    temporary.take_place_of(&target)
}

fn refuse_read_only(metadata: &Metadata) -> io::Result<()> {
    if metadata.permissions().readonly() {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the file is read-only"));
    }
    Ok(())
}

fn keep_attributes(from: &File, metadata: &Metadata, to: &File) -> io::Result<()> {
    #[cfg(unix)]
    attributes::copy(from, metadata, to)?;
    #[cfg(not(unix))]
    {
        let _ = from;
        to.set_permissions(metadata.permissions())?;
    }
    Ok(())
}

#[cfg(unix)]
fn is_same(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

#[cfg(not(unix))]
fn is_same(one: &Metadata, other: &Metadata) -> bool {
    (one.len(), one.modified().ok()) == (other.len(), other.modified().ok())
}

/// How many names a file has.
#[cfg(unix)]
fn names(metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(metadata)
}

#[cfg(not(unix))]
fn names(_: &Metadata) -> u64 {
    1
}

fn folder_of(target: &Path) -> &Path {
    match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// The file behind symbolic links; the path itself where nothing is there yet.
fn resolve(path: &Path) -> io::Result<PathBuf> {
    match path.canonicalize() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(path.to_owned()),
        other => other,
    }
}
