//! The files of the commit `HEAD` of a bare repository, without a checkout.

use std::collections::HashMap;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use hclkit_files::Selection;
use hclkit_git::{FileKind, Id, Objects, Repository};

use super::{Failures, slashed};
use crate::entry::{Content, Entry};
use crate::input::{Expansion, too_large};

/// What each file counts besides its content, because of its rows.
const ENTRY: u64 = 1 << 10;

/// Of how many files the sizes are kept, because other names may have the same content.
const SIZES: usize = 10_000;

/// The commit `HEAD` of a bare repository.
///
/// # Errors
/// It cannot be read, or has no commit. The error is the reason in words.
pub fn commit_of(repository: &Path) -> Result<String, String> {
    let opened = Repository::bare(repository).map_err(|error| error.to_string())?;
    let head = opened.head().map_err(|error| error.to_string())?;
    head.map(|commit| commit.to_string()).ok_or_else(|| "it has no commit yet".to_owned())
}

/// Which files are emitted, how large they may be, and how many bytes all may have.
pub(super) struct Wanted<'w> {
    pub(super) name: &'w Arc<str>,
    pub(super) selection: &'w Selection,
    pub(super) most_bytes: u64,
    pub(super) in_flight: u64,
    /// Whether contents are needed at once. Otherwise, the threads that make rows of them read them.
    pub(super) at_once: bool,
    /// Notes repositories of which an object cannot be read. Its files are emitted as unread.
    pub(super) failures: Failures,
}

/// Emits the files that are selected, and counts the links that are skipped. Returns false if no more are wanted.
pub(super) fn each(
    repository: &Path,
    wanted: &Wanted<'_>,
    links: &mut usize,
    emit: &mut dyn FnMut(Entry) -> bool,
) -> io::Result<bool> {
    let repository = Repository::bare(repository).map_err(io::Error::other)?;
    let head = repository.head().map_err(io::Error::other)?;
    let head = head.ok_or_else(|| io::Error::other("it has no commit yet"))?;
    let commit: Arc<str> = head.to_string().into();
    let objects = repository.objects();
    let mut expansion = Expansion::new(objects.packed_bytes(), wanted.in_flight);
    let mut ended = None;
    let mut sizes = HashMap::new();
    let more = repository.files(head, &mut |file| {
        if file.kind == FileKind::Submodule || !wanted.selection.takes_inside(&file.path) {
            return ControlFlow::Continue(());
        }
        if file.kind == FileKind::Link {
            *links += 1;
            return ControlFlow::Continue(());
        }
        let content = if file.kind == FileKind::Outside {
            unread("its name leads out of the repository".to_owned())
        } else {
            let size = match sizes.get(&file.id) {
                Some(size) => Ok(*size),
                None => objects.size(file.id),
            };
            match size {
                Ok(size) if size > wanted.most_bytes => too_large(size, wanted.most_bytes),
                Ok(size) => {
                    if sizes.len() >= SIZES {
                        sizes.clear();
                    }
                    sizes.insert(file.id, size);
                    if let Err(error) = expansion.count(size + ENTRY) {
                        ended = Some(error);
                        return ControlFlow::Break(());
                    }
                    wanted.content(objects, file.id, size)
                }
                Err(error) => {
                    wanted.failures.note(wanted.name);
                    unread(error.to_string())
                }
            }
        };
        let (repo, commit) = (Some(wanted.name.clone()), Some(commit.clone()));
        let entry = Entry { repo, commit, path: slashed(&file.path).into(), content };
        if emit(entry) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    // Entries that wait keep the repository open.
    objects.forget();
    ended.map_or_else(|| more.map_err(limit), Err)
}

impl Wanted<'_> {
    /// The content of a file of so many bytes.
    fn content(&self, objects: &Objects, id: Id, size: u64) -> Content {
        let (name, failures) = (self.name.clone(), self.failures.clone());
        let objects = objects.clone();
        let read = move || objects.file_of_size(id, size).inspect_err(|_| failures.note(&name));
        if self.at_once {
            return read().map_or_else(|error| unread(error.to_string()), Content::Bytes);
        }
        Content::Later(Box::new(move |allowance| {
            allowance.ask(size)?;
            read().map_err(io::Error::other)
        }))
    }
}

fn unread(why: String) -> Content {
    Content::Unread { bytes: 0, code: "unreadable-file", why }
}

/// A commit with more files than any real one is too large.
fn limit(error: hclkit_git::Error) -> io::Error {
    let kind = if error.is_limit() { io::ErrorKind::FileTooLarge } else { io::ErrorKind::Other };
    io::Error::new(kind, error)
}
