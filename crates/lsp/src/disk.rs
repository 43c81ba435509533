//! Files on disk. The workspace decides what may be read.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io;
use std::path::Path;

use hclkit::limits::{Limits, read_target};
use hclkit_ide::{Entry, FileSystem};

/// The files on disk. Pipes and devices are not read.
#[derive(Clone, Copy, Debug, Default)]
pub struct DiskFiles;

impl FileSystem for DiskFiles {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        read_target(Path::new(path), Limits::SOURCE_BYTES)
    }

    fn list(&self, directory: &str) -> io::Result<Vec<Entry>> {
        let mut entries = Vec::new();
        for entry in std::fs::read_dir(directory)? {
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
        let about = std::fs::metadata(path)?;
        let mut hasher = DefaultHasher::new();
        (about.len(), about.modified().ok()).hash(&mut hasher);
        Ok(hasher.finish())
    }

    fn resolve(&self, path: &str) -> io::Result<String> {
        let resolved = Path::new(path).canonicalize()?;
        let resolved = resolved.into_os_string().into_string();
        let text =
            resolved.map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "the path is not UTF-8"))?;
        let text = text.strip_prefix(r"\\?\").map(str::to_owned).unwrap_or(text);
        Ok(if cfg!(windows) { text.replace('\\', "/") } else { text })
    }
}
