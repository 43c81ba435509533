//! The files of the commit `HEAD` of a bare repository, without a checkout. The program `git` reads the objects.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hclkit_tables::{Content, Entry, too_large};

use super::slashed;
use crate::git;
use crate::input::Selection;

/// A file of a commit.
struct Blob {
    id: String,
    size: u64,
    path: PathBuf,
    is_link: bool,
}

/// The commit `HEAD`.
pub(super) fn commit(repository: &Path) -> Result<String, String> {
    let commit = git::output(repository, &["rev-parse", "--verify", "HEAD^{commit}"])?;
    Ok(String::from_utf8_lossy(&commit).trim().to_owned())
}

/// Gives on the files that are selected, and counts links, which are skipped. Returns false if no more are wanted.
pub(super) fn each(
    repository: &Path,
    name: &Arc<str>,
    selection: &Selection,
    most_bytes: u64,
    links: &mut usize,
    emit: &mut dyn FnMut(Entry) -> bool,
) -> io::Result<bool> {
    let commit: Arc<str> = commit(repository).map_err(io::Error::other)?.into();
    let listed = ["ls-tree", "-r", "-z", "--long", "--full-tree", &*commit];
    let listed = git::output(repository, &listed).map_err(io::Error::other)?;
    let blobs: Vec<Blob> = listed.split(|byte| *byte == 0).filter_map(blob).collect();
    let selected = blobs.into_iter().filter(|blob| selection.takes_inside(&blob.path));
    let (linked, blobs): (Vec<Blob>, Vec<Blob>) = selected.partition(|blob| blob.is_link);
    *links += linked.len();
    let small: Vec<String> =
        blobs.iter().filter(|blob| blob.size <= most_bytes).map(|blob| format!("{}\n", blob.id)).collect();
    let mut child = git::start(repository, &["cat-file", "--batch"])?;
    let (input, output) = (child.stdin.take(), child.stdout.take());
    let (Some(mut input), Some(output)) = (input, output) else {
        return Err(io::Error::other("git has no streams"));
    };
    let more = std::thread::scope(|scope| {
        // If git ends early, reading its output fails.
        scope.spawn(move || small.iter().try_for_each(|line| input.write_all(line.as_bytes())));
        let mut output = BufReader::with_capacity(1 << 16, output);
        for blob in blobs {
            let content = if blob.size > most_bytes {
                too_large(blob.size, most_bytes)
            } else {
                Content::Bytes(read(&mut output, &blob)?)
            };
            let path = slashed(&blob.path).into();
            let (repo, commit) = (Some(name.clone()), Some(commit.clone()));
            if !emit(Entry { repo, commit, path, content }) {
                return Ok(false);
            }
        }
        Ok::<_, io::Error>(true)
    });
    // It may still be writing.
    let _ = child.kill();
    let _ = child.wait();
    more
}

/// The next object in the output of `git cat-file --batch`.
fn read(output: &mut impl BufRead, blob: &Blob) -> io::Result<Vec<u8>> {
    let mut head = String::new();
    output.by_ref().take(1 << 10).read_line(&mut head)?;
    let words: Vec<&str> = head.split_whitespace().collect();
    let [id, "blob", size] = words[..] else {
        return Err(io::Error::other(format!("{}: the object is missing", blob.path.display())));
    };
    if id != blob.id || size.parse() != Ok(blob.size) {
        return Err(io::Error::other(format!("{}: git answered with another object", blob.path.display())));
    }
    let mut bytes = Vec::new();
    output.by_ref().take(blob.size + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 != blob.size + 1 {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    bytes.pop();
    Ok(bytes)
}

/// A line of `git ls-tree --long`: mode, type, id, size and path. Submodules are no files.
fn blob(line: &[u8]) -> Option<Blob> {
    let tab = line.iter().position(|byte| *byte == b'\t')?;
    let head = std::str::from_utf8(&line[..tab]).ok()?;
    let words: Vec<&str> = head.split_whitespace().collect();
    let [mode, "blob", id, size] = words[..] else { return None };
    let path = git::path(&line[tab + 1..]);
    Some(Blob { id: id.to_owned(), size: size.parse().ok()?, path, is_link: mode == "120000" })
}
