//! Which files of a repository have changed. The repository is read with `hclkit-git`: the program `git` obeys
//! what a repository configures, so no command starts it.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use hclkit::limits::{directory_of, path_on_disk};
use hclkit_files::untracked;
use hclkit_git::{Changes, Repository};

use crate::host::Host;
use crate::outcome::Failure;

/// The files in the repository of a directory that have changed since it branched off from a commit, new files that are not
/// ignored, and files that are gone. The paths have no links, except for the last parts.
///
/// # Errors
/// There is no repository or no such commit, or the repository cannot be read.
pub(crate) fn changed_since(revision: &str, directory: &Path) -> Result<Vec<PathBuf>, Failure> {
    let repository = repository(revision, directory)?;
    let top = repository.top();
    let failed = |why: String| failed(revision, &format!("{}: {why}", top.display()));
    let Changes { files, tracked } =
        repository.changes_since(revision).map_err(|why| failed(why.to_string()))?;
    let new = untracked(top, &tracked).map_err(|unreadable| failed(unreadable.to_string()))?;
    Ok(files.into_iter().chain(new).map(|path| top.join(path)).collect())
}

/// The files that have changed in the repositories of some paths.
///
/// # Errors
/// As for [`changed_since`].
pub(crate) fn changed_below(revision: &str, paths: &[PathBuf]) -> Result<HashSet<PathBuf>, Failure> {
    let place = |path: &PathBuf| match path {
        path if path.is_dir() => path.clone(),
        path => path.parent().map(Path::to_owned).unwrap_or_default(),
    };
    let mut all = HashSet::new();
    for place in paths.iter().map(place).collect::<HashSet<PathBuf>>() {
        all.extend(changed_since(revision, path_on_disk(&place))?);
    }
    Ok(all)
}

/// The text that a file had where the working tree branched off from a commit, or none if there was no such file. A file outside of
/// repositories had the text that it has now.
///
/// # Errors
/// As for [`changed_since`].
pub(crate) fn text_before(revision: &str, file: &Path, now: &[u8]) -> Result<Option<Vec<u8>>, Failure> {
    let directory =
        directory_of(file).canonicalize().map_err(|error| failed(revision, &error.to_string()))?;
    let repository = Repository::around(&directory).map_err(|why| failed(revision, &why.to_string()))?;
    let name = file.file_name().unwrap_or_default();
    let Some(repository) = repository else { return Ok(Some(now.to_owned())) };
    // A link counts as one, not as what it refers to.
    let file = directory.join(name);
    let Ok(inside) = file.strip_prefix(repository.top()) else { return Ok(Some(now.to_owned())) };
    let before = repository.file_before(revision, inside, Host::current().max_size());
    before.map_err(|why| failed(revision, &why.to_string()))
}

/// The repository around a directory, for a command with `--changed-since`.
fn repository(revision: &str, directory: &Path) -> Result<Repository, Failure> {
    if revision.is_empty() || revision.starts_with('-') {
        return Err(failed(revision, "expected a branch, a tag or another commit"));
    }
    let found = Repository::around(directory).map_err(|why| failed(revision, &why.to_string()))?;
    found.ok_or_else(|| failed(revision, &format!("{} is not in a Git repository", directory.display())))
}

fn failed(revision: &str, why: &str) -> Failure {
    Failure::new(format!("--changed-since {revision}: {why}"))
}
