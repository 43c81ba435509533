//! Writes files completely or not at all. Content is written to a temporary file that then replaces the target. The new
//! file keeps the owner, mode, extended attributes and access control lists of the old one. Temporary files are in
//! `atomic_write/temporary.rs`, changes of several files in `atomic_write/transaction.rs`, their journal in `atomic_write/journal.rs`,
//! and directories of new files in `atomic_write/tree.rs`.

#[cfg(unix)]
mod attributes;
mod journal;
mod temporary;
mod transaction;
mod tree;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt;
use std::fs::{File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use hclkit::limits::{directory_of, path_on_disk};
use temporary::Temporary;
pub(crate) use transaction::{Change, change_all};
#[cfg(feature = "tables")]
pub(crate) use tree::NewFile;
pub(crate) use tree::OutputDirectory;

use crate::host::Host;
use crate::input::{self, Input};
use crate::outcome::Failure;

/// Finishes the changes of several files that killed runs began in these directories and those above. Returns whether there
/// were any.
pub(crate) fn finish_changes<'a>(folders: impl IntoIterator<Item = &'a Path>) -> bool {
    let whole = folders.into_iter().filter_map(|folder| folder.canonicalize().ok());
    let all: BTreeSet<PathBuf> =
        whole.flat_map(|folder| folder.ancestors().map(Path::to_owned).collect::<Vec<_>>()).collect();
    all.iter().filter(|folder| journal::finish(folder)).count() > 0
}

/// Finishes a change that a killed run began in this directory.
pub(crate) fn finish_changes_in(folder: &Path) {
    if let Ok(folder) = folder.canonicalize() {
        journal::finish(&folder);
    }
}

/// The directories that the arguments of a command line are in, and the current one.
pub(crate) fn folders_of(line: &[OsString]) -> BTreeSet<PathBuf> {
    let value = |argument: &OsString| {
        let text = argument.to_str()?;
        text.strip_prefix("--")?.split_once('=').map(|(_, value)| PathBuf::from(value))
    };
    let paths = line.iter().skip(1).map(|argument| value(argument).unwrap_or_else(|| argument.into()));
    let folder = |path: PathBuf| if path.is_dir() { path } else { directory_of(&path).to_owned() };
    paths.map(folder).chain([PathBuf::from(".")]).collect()
}

/// Fails if a file that is to be written is an input.
pub(crate) fn refuse_input(path: &Path) -> Result<(), Failure> {
    match Host::current().input_at(path) {
        Some(input) => {
            Err(Failure::new(format!("the output would overwrite the input file {}", input.display())))
        }
        None => Ok(()),
    }
}

/// Removes the temporary files that killed runs left in the directories of the inputs.
pub(crate) fn clean_beside(inputs: &[Input]) {
    temporary::remove_on_signals();
    let folders: BTreeSet<_> = inputs.iter().filter_map(|input| input.path()?.parent()).collect();
    for folder in folders {
        clean(path_on_disk(folder));
    }
}

/// Removes abandoned files from a directory, after the changes that need them.
fn clean(folder: &Path) {
    finish_changes([folder]);
    temporary::clean(folder);
}

/// The output file, if any. `-` is standard output, which may be a file that has more than one run writes.
pub(crate) fn file(out: Option<&PathBuf>) -> Option<&Path> {
    let is_stdout = |path: &Path| ["-", "/dev/stdout"].iter().any(|name| path == Path::new(name));
    out.map(PathBuf::as_path).filter(|path| !is_stdout(path))
}

/// Writes `contents` to a file.
pub(crate) fn write(path: &Path, contents: &[u8]) -> Result<(), Failure> {
    write_with(path, |out| out.write_all(contents))
}

/// Writes to a file, which is replaced when everything was written.
pub(crate) fn write_with(
    path: &Path,
    contents: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    // Inputs may be read while the output is written.
    let mut refused = Ok(());
    let checked = |out: &mut dyn Write| {
        contents(out)?;
        refused = refuse_input(path);
        if refused.is_err() { Err(io::ErrorKind::InvalidInput.into()) } else { Ok(()) }
    };
    let replaced = replace(path, checked);
    refused?;
    replaced.map_err(|error| unwritable(path, in_words(&error)))
}

/// The failure to write a file or a directory.
pub(crate) fn unwritable(path: &Path, why: impl fmt::Display) -> Failure {
    Failure::new(format!("cannot write {}: {why}", path.display()))
}

/// Replaces the contents of a file that was read before and that `open` opens again. If the contents are not `before`,
/// the file is not written. Returns whether the file has other hard links, which keep the old contents.
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
        // Check last, to leave no time for changes in between, and alone.
        let _lock = lock(directory_of(&target));
        if input::all(&opened)? == before && is_same(&metadata, &target.symlink_metadata()?) {
            temporary.take_place_of(&target)?;
            return Ok(names(&metadata) > 1);
        }
        // This run may have fixed the same file through another name.
        if input::all(open()?)? == contents {
            return Ok(false);
        }
        Err(io::Error::other("the file was changed in the meantime and was not written"))
    };
    rewritten().map_err(|error| in_words(&error))
}

/// Removes the name of the temporary file from an error.
fn in_words(error: &io::Error) -> String {
    let why = error.to_string();
    why.split_once(" at path ").map_or(why.as_str(), |(why, _)| why).to_owned()
}

/// Replaces a file. A symbolic link keeps its target.
fn replace(path: &Path, contents: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let target = resolve(path)?;
    clean(directory_of(&target));
    let before = match target.metadata() {
        // Devices and pipes can be written but not replaced.
        Ok(metadata) if !metadata.is_file() => {
            return contents(&mut std::fs::OpenOptions::new().write(true).open(&target)?);
        }
        Ok(metadata) => {
            refuse_read_only(&metadata)?;
            Some(metadata)
        }
        Err(_) => None,
    };
    let temporary = Temporary::beside(&target, before.is_none())?;
    contents(&mut temporary.file())?;
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

/// The number of hard links of a file.
#[cfg(unix)]
fn names(metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(metadata)
}

#[cfg(not(unix))]
fn names(_: &Metadata) -> u64 {
    1
}

/// Resolves symbolic links, also to a file that does not exist.
fn resolve(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    loop {
        match path.canonicalize() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => match path.read_link() {
                Ok(target) => path = directory_of(&path).join(target),
                Err(_) => return Ok(path),
            },
            // Links in a circle are an error of another kind.
            other => return other,
        }
    }
}

/// Locks a directory until the result is dropped. A file is compared with what was read, and replaced, while its directory is
/// locked, so that two runs cannot replace the same text. Nothing is left of a lock when a run is killed. Some network file systems do not support locks.
fn lock(folder: &Path) -> Option<File> {
    #[cfg(unix)]
    {
        let folder = File::open(folder).ok()?;
        rustix::fs::flock(&folder, rustix::fs::FlockOperation::LockExclusive).ok()?;
        Some(folder)
    }
    #[cfg(not(unix))]
    {
        let _ = folder;
        None
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_concurrent_save_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let (path, other) = (folder.path().join("a.hcl"), folder.path().join("b.hcl"));
        // An editor writes to the file.
        std::fs::write(&path, "before").unwrap();
        let open = || {
            std::fs::write(&path, "saved")?;
            File::open(&path)
        };
        let refused = rewrite(&path, open, b"before", b"fixed").unwrap_err();
        assert!(refused.contains("changed in the meantime"), "{refused}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "saved");
        // An editor replaces the file while the old one is still open.
        std::fs::write(&path, "before").unwrap();
        let open = || {
            let opened = File::open(&path);
            std::fs::write(&other, "saved")?;
            std::fs::rename(&other, &path)?;
            opened
        };
        let refused = rewrite(&path, open, b"before", b"fixed").unwrap_err();
        assert!(refused.contains("changed in the meantime"), "{refused}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "saved");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "a temporary file is left");
    }
}
