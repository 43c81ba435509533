//! Which repository a file is from: the remote of the repository that contains it, or what the wildcards of a pattern match.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::{Caller, RepoFrom, slashed};
use crate::module_source::repository_name;
use hclkit::limits::directory_of;

/// A file in its repository.
#[derive(Clone, Debug)]
pub(super) struct InRepo {
    pub(super) repo: Option<Arc<str>>,
    pub(super) commit: Option<Arc<str>>,
    pub(super) path: Arc<str>,
}

/// Finds repositories.
pub(super) struct Repos<'r> {
    from: Option<&'r RepoFrom>,
    caller: &'r dyn Caller,
    /// Repositories by their directories.
    known: HashMap<PathBuf, Arc<Repository>>,
    /// The directory of the last file, and its repository.
    last: Option<(PathBuf, Option<Arc<Repository>>)>,
}

struct Repository {
    top: PathBuf,
    name: Option<Arc<str>>,
    commit: Option<Arc<str>>,
}

impl<'r> Repos<'r> {
    pub(super) fn new(from: Option<&'r RepoFrom>, caller: &'r dyn Caller) -> Self {
        Self { from, caller, known: HashMap::new(), last: None }
    }

    /// The repository of a file, and the path in it.
    pub(super) fn of(&mut self, path: &Path) -> InRepo {
        let plain = || InRepo { repo: None, commit: None, path: slashed(path).into() };
        match self.from {
            None => plain(),
            Some(RepoFrom::Pattern(pattern)) => matched(pattern, path).unwrap_or_else(plain),
            Some(RepoFrom::Git) => self.in_git(path).unwrap_or_else(plain),
        }
    }

    fn in_git(&mut self, path: &Path) -> Option<InRepo> {
        let folder = directory_of(path);
        let last = self.last.take().filter(|(last, _)| last == folder);
        let (_, repository) = last.unwrap_or_else(|| (folder.to_owned(), self.repository(folder)));
        self.last = Some((folder.to_owned(), repository.clone()));
        let repository = repository?;
        let whole = folder.canonicalize().ok()?.join(path.file_name()?);
        let inside = whole.strip_prefix(&repository.top).ok()?;
        let (repo, commit) = (repository.name.clone(), repository.commit.clone());
        Some(InRepo { repo, commit, path: slashed(inside).into() })
    }

    /// The repository around a directory. Each is asked for once.
    fn repository(&mut self, folder: &Path) -> Option<Arc<Repository>> {
        let whole = folder.canonicalize().ok()?;
        let top = whole.ancestors().find(|above| above.join(".git").symlink_metadata().is_ok())?;
        if let Some(known) = self.known.get(top) {
            return Some(known.clone());
        }
        let git = hclkit_git::Repository::around(top).and_then(|found| {
            let head = found.as_ref().map_or(Ok(None), hclkit_git::Repository::head)?;
            Ok((found, head))
        });
        let (git, head) = git.unwrap_or_else(|why| {
            let shown = top.display();
            self.caller.warn(&format!(
                "{shown}: {why}; its rows have no commit, and the name of the directory as repo"
            ));
            (None, None)
        });
        let origin = git.as_ref().and_then(hclkit_git::Repository::origin);
        let name = origin.map(|url| repository_name(url).into());
        let name = name.or_else(|| Some(slashed(Path::new(top.file_name()?)).into()));
        let commit = head.map(|head| head.to_string().into());
        let repository = Arc::new(Repository { top: top.to_owned(), name, commit });
        self.known.insert(top.to_owned(), repository.clone());
        Some(repository)
    }
}

/// The parts of a path that the wildcards of a pattern match, and the path after them. The pattern can begin at any directory.
fn matched(pattern: &[String], path: &Path) -> Option<InRepo> {
    let parts: Vec<String> = path
        .components()
        .filter_map(|part| match part {
            Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
            _ => None,
        })
        .collect();
    // The last part is the name of the file.
    let starts = parts.len().checked_sub(pattern.len() + 1)?;
    let fits =
        |start: usize| pattern.iter().zip(&parts[start..]).all(|(own, part)| own == "*" || own == part);
    let start = (0..=starts).find(|start| fits(*start))?;
    let names = pattern.iter().zip(&parts[start..]).filter(|(own, _)| *own == "*");
    let names: Vec<&str> = names.map(|(_, part)| part.as_str()).collect();
    let inside = parts[start + pattern.len()..].join("/");
    Some(InRepo { repo: Some(names.join("/").into()), commit: None, path: inside.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_whole_directories() {
        let of = |pattern: &str, path: &str| {
            let pattern: Vec<String> = pattern.split('/').map(str::to_owned).collect();
            matched(&pattern, Path::new(path)).map(|own| format!("{} {}", own.repo.unwrap(), own.path))
        };
        assert_eq!(of("repos/*/*", "repos/a/b/c/main.tf").as_deref(), Some("a/b c/main.tf"));
        assert_eq!(of("repos/*", "./x/repos/a/main.tf").as_deref(), Some("a main.tf"));
        assert_eq!(of("*", "a/main.tf").as_deref(), Some("a main.tf"));
        assert_eq!(of("*", "main.tf"), None);
        assert_eq!(of("repos/*/*", "repos/a/main.tf"), None);
        assert_eq!(of("repos/*", "other/a/main.tf"), None);
    }
}
