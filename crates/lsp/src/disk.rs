//! Files on disk. The workspace decides what may be read. Paths that lead to other machines are not even asked for.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io;
use std::path::Path;

use hclkit::limits::{Limits, is_network_path, read_target};
use hclkit_ide::{Entry, FileSystem};

/// The files on disk. Pipes, devices and network paths are not read.
#[derive(Clone, Copy, Debug, Default)]
pub struct DiskFiles;

/// A path on this machine.
fn local(path: &str) -> io::Result<&Path> {
    if is_network_path(path) {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "network paths are not read"));
    }
    Ok(Path::new(path))
}

impl FileSystem for DiskFiles {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        read_target(local(path)?, Limits::SOURCE_BYTES)
    }

    fn list(&self, directory: &str) -> io::Result<Vec<Entry>> {
        let mut entries = Vec::new();
        for entry in std::fs::read_dir(local(directory)?)? {
            let entry = entry?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            let kind = entry.file_type()?;
            let is_link = kind.is_symlink();
            let is_directory = kind.is_dir() || is_link && entry.path().is_dir();
            if is_directory || kind.is_file() || is_link && entry.path().is_file() {
                entries.push(Entry { name, is_directory, is_link });
            }
        }
        entries.sort_unstable_by(|one, other| one.name.cmp(&other.name));
        Ok(entries)
    }

    fn stamp(&self, path: &str) -> io::Result<u64> {
        let about = std::fs::metadata(local(path)?)?;
        let mut hasher = DefaultHasher::new();
        (about.len(), about.modified().ok()).hash(&mut hasher);
        Ok(hasher.finish())
    }

    fn resolve(&self, path: &str) -> io::Result<String> {
        let resolved = local(path)?.canonicalize()?;
        let resolved = resolved.into_os_string().into_string();
        let text =
            resolved.map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "the path is not UTF-8"))?;
        if !cfg!(windows) {
            return Ok(text);
        }
        let text = text.strip_prefix(r"\\?\").unwrap_or(&text);
        // The path is on another machine if a link or the letter of a drive leads there.
        let text = text.strip_prefix(r"UNC\").map_or_else(|| text.to_owned(), |rest| format!(r"\\{rest}"));
        local(&text)?;
        Ok(text.replace('\\', "/"))
    }
}
