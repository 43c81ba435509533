//! The files in an archive of tar. Links are counted, and not followed. A file whose name leads out of the archive is not read, and becomes a
//! row of `diagnostics`.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use flate2::read::MultiGzDecoder;
use hclkit_tables::{Content, Entry, too_large};

use super::slashed;
use crate::input::Selection;

/// How much an archive may have in all, so that a small one cannot take hours.
const MOST: u64 = 16 << 30;

/// Gives on the files that are selected, and counts links, which are skipped. Returns false if no more are wanted.
pub(super) fn each(
    file: File,
    compressed: bool,
    name: &Arc<str>,
    selection: &Selection,
    most_bytes: u64,
    links: &mut usize,
    emit: &mut dyn FnMut(Entry) -> bool,
) -> io::Result<bool> {
    let file = BufReader::with_capacity(1 << 16, file);
    let content: Box<dyn Read> =
        if compressed { Box::new(MultiGzDecoder::new(file)) } else { Box::new(file) };
    let mut archive = tar::Archive::new(Limited { from: content, left: MOST });
    for file in archive.entries()? {
        let mut file = file?;
        let kind = file.header().entry_type();
        let is_link = kind.is_symlink() || kind.is_hard_link();
        if !is_link && !kind.is_file() && !kind.is_gnu_sparse() && !kind.is_contiguous() {
            continue;
        }
        let named = file.path()?.into_owned();
        let (inside, is_inside) = inside(&named);
        if !selection.takes_inside(&inside) {
            continue;
        }
        if is_link {
            *links += 1;
            continue;
        }
        let path = if is_inside { inside } else { named };
        let size = file.size();
        let content = if !is_inside {
            let why = "its name leads out of the archive".to_owned();
            Content::Unread { bytes: size, code: "unreadable-file", why }
        } else if size > most_bytes {
            too_large(size, most_bytes)
        } else {
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes)?;
            Content::Bytes(bytes)
        };
        let entry = Entry { repo: Some(name.clone()), commit: None, path: slashed(&path).into(), content };
        if !emit(entry) {
            return Ok(false);
        }
    }
    Ok(true)
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

/// Reads up to a limit, which is an error.
struct Limited<R> {
    from: R,
    left: u64,
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            return Err(io::Error::other(format!("the archive has more than {MOST} bytes")));
        }
        let most = bytes.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
        let read = self.from.read(&mut bytes[..most])?;
        self.left -= read as u64;
        Ok(read)
    }
}
