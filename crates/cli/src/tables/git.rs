//! The files of the commit `HEAD` of a bare repository, without a checkout.

use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use hclkit_git::{FileKind, Repository};
use hclkit_tables::{Content, Entry, Expansion, too_large};

use super::slashed;
use crate::input::Selection;

/// What each file counts besides its content, because of its rows.
const ENTRY: u64 = 1 << 10;

/// The commit `HEAD`.
pub(super) fn commit(repository: &Path) -> Result<String, String> {
    let opened = Repository::bare(repository).map_err(|error| error.to_string())?;
    let head = opened.head().map_err(|error| error.to_string())?;
    head.map(|commit| commit.to_string()).ok_or_else(|| "it has no commit yet".to_owned())
}

/// Which files are given on, how large they may be, and how many bytes all may have.
pub(super) struct Wanted<'w> {
    pub(super) name: &'w Arc<str>,
    pub(super) selection: &'w Selection,
    pub(super) most_bytes: u64,
    pub(super) in_flight: u64,
}

/// What was not given on.
#[derive(Default)]
pub(super) struct Skipped {
    /// The number of links.
    pub(super) links: usize,
    /// The number of objects that cannot be read. Each of their files is given on as unread.
    pub(super) damaged: usize,
}

/// Gives on the files that are selected, and counts what is skipped. Returns false if no more are wanted.
pub(super) fn each(
    repository: &Path,
    wanted: &Wanted<'_>,
    skipped: &mut Skipped,
    emit: &mut dyn FnMut(Entry) -> bool,
) -> io::Result<bool> {
    let repository = Repository::bare(repository).map_err(io::Error::other)?;
    let head = repository.head().map_err(io::Error::other)?;
    let head = head.ok_or_else(|| io::Error::other("it has no commit yet"))?;
    let commit: Arc<str> = head.to_string().into();
    let objects = repository.objects();
    let mut expansion = Expansion::new(objects.packed_bytes(), wanted.in_flight);
    let mut ended = None;
    let more = repository.files(head, &mut |file| {
        if file.kind == FileKind::Submodule || !wanted.selection.takes_inside(&file.path) {
            return ControlFlow::Continue(());
        }
        if file.kind == FileKind::Link {
            skipped.links += 1;
            return ControlFlow::Continue(());
        }
        let unread = |why: String| Content::Unread { bytes: 0, code: "unreadable-file", why };
        let content = if file.kind == FileKind::Outside {
            unread("its name leads out of the repository".to_owned())
        } else {
            match objects.size(file.id) {
                Ok(size) if size > wanted.most_bytes => too_large(size, wanted.most_bytes),
                Ok(size) => {
                    if let Err(error) = expansion.count(size + ENTRY) {
                        ended = Some(error);
                        return ControlFlow::Break(());
                    }
                    objects.file(file.id, wanted.most_bytes).map_or_else(
                        |error| {
                            skipped.damaged += 1;
                            unread(error.to_string())
                        },
                        Content::Bytes,
                    )
                }
                Err(error) => {
                    skipped.damaged += 1;
                    unread(error.to_string())
                }
            }
        };
        let (repo, commit) = (Some(wanted.name.clone()), Some(commit.clone()));
        let entry = Entry { repo, commit, path: slashed(&file.path).into(), content };
        if emit(entry) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    ended.map_or_else(|| more.map_err(limit), Err)
}

/// A commit with more files than any real one is too large.
fn limit(error: hclkit_git::Error) -> io::Error {
    let kind = if error.is_limit() { io::ErrorKind::FileTooLarge } else { io::ErrorKind::Other };
    io::Error::new(kind, error)
}
