//! The files of the commit `HEAD` of a bare repository, without a checkout.

use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use hclkit_git::{FileKind, Repository};
use hclkit_tables::{Content, Entry, too_large};

use super::slashed;
use crate::input::Selection;

/// The commit `HEAD`.
pub(super) fn commit(repository: &Path) -> Result<String, String> {
    let opened = Repository::bare(repository).map_err(|error| error.to_string())?;
    let head = opened.head().map_err(|error| error.to_string())?;
    head.map(|commit| commit.to_string()).ok_or_else(|| "it has no commit yet".to_owned())
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
    let repository = Repository::bare(repository).map_err(io::Error::other)?;
    let head = repository.head().map_err(io::Error::other)?;
    let head = head.ok_or_else(|| io::Error::other("it has no commit yet"))?;
    let commit: Arc<str> = head.to_string().into();
    let mut failed = None;
    let content = |id, kind| -> Result<Content, hclkit_git::Error> {
        if kind == FileKind::Outside {
            let why = "its name leads out of the repository".to_owned();
            return Ok(Content::Unread { bytes: 0, code: "unreadable-file", why });
        }
        let objects = repository.objects().clone();
        // A missing object is an error of the repository.
        let size = objects.size(id)?;
        if size > most_bytes {
            return Ok(too_large(size, most_bytes));
        }
        Ok(Content::Later(Box::new(move || objects.file(id, most_bytes).map_err(io::Error::other))))
    };
    let more = repository.files(head, &mut |file| {
        if file.kind == FileKind::Submodule || !selection.takes_inside(&file.path) {
            return ControlFlow::Continue(());
        }
        if file.kind == FileKind::Link {
            *links += 1;
            return ControlFlow::Continue(());
        }
        let content = match content(file.id, file.kind) {
            Ok(content) => content,
            Err(error) => {
                failed = Some(io::Error::other(format!("{}: {error}", file.path.display())));
                return ControlFlow::Break(());
            }
        };
        let (repo, commit) = (Some(name.clone()), Some(commit.clone()));
        let path = slashed(&file.path).into();
        if emit(Entry { repo, commit, path, content }) {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    failed.map_or_else(|| more.map_err(io::Error::other), Err)
}
