//! Globs for `--include` and `--exclude`, written as in `.gitignore`.

use std::path::{Component, Path, PathBuf};

use hclkit::limits::check_glob;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::output::Failure;

/// Globs as in .gitignore: without a slash they match at any depth. With one they are relative to the directory that is
/// searched or to the current directory, or absolute paths.
#[derive(Debug, Clone)]
pub(super) struct Globs {
    relative: Gitignore,
    /// Those that are absolute paths, without the root.
    absolute: Gitignore,
    here: PathBuf,
}

impl Globs {
    pub(super) fn new(globs: &[String]) -> Result<Option<Self>, Failure> {
        if globs.is_empty() {
            return Ok(None);
        }
        let (mut relative, mut absolute) = (builder(), builder());
        for glob in globs {
            check_glob(glob).map_err(|why| {
                let start: String = glob.chars().take(20).collect();
                Failure::new(format!("the glob '{start}…' cannot be used: {why}"))
            })?;
            let invalid = |why: &str| Failure::new(format!("the glob '{glob}' is not valid: {why}"));
            if glob.trim().is_empty() {
                return Err(invalid("it is empty"));
            }
            let add = |to: &mut GitignoreBuilder, glob: &str| match to.add_line(None, glob) {
                Ok(_) => Ok(()),
                Err(error) => Err(invalid(&why(error))),
            };
            let (exception, pattern) = match glob.strip_prefix('!') {
                Some(pattern) => ("!", pattern),
                None => ("", glob.as_str()),
            };
            // A number sign would begin a comment.
            let escape = if pattern.starts_with('#') { "\\" } else { "" };
            let pattern = pattern.strip_prefix("./").map_or(pattern.to_owned(), |rest| format!("/{rest}"));
            add(&mut relative, &format!("{exception}{escape}{pattern}"))?;
            let path = Path::new(&pattern);
            if path.is_absolute() {
                let below: PathBuf =
                    path.components().filter(|part| matches!(part, Component::Normal(_))).collect();
                let folder = if pattern.ends_with('/') { "/" } else { "" };
                add(&mut absolute, &format!("{exception}/{}{folder}", below.display()))?;
            }
        }
        let build = |builder: GitignoreBuilder| {
            builder.build().map_err(|error| Failure::new(format!("the globs are not valid: {}", why(error))))
        };
        let here = std::env::current_dir().unwrap_or_default();
        Ok(Some(Self { relative: build(relative)?, absolute: build(absolute)?, here }))
    }

    /// Whether a path matches: as seen from the directory that is searched, as it was named, or from the root.
    pub(super) fn matches(&self, folder: &Path, path: &Path, is_folder: bool) -> bool {
        let named = path.strip_prefix("./").unwrap_or(path);
        let seen = path.strip_prefix(folder).unwrap_or(named);
        let is_match = |globs: &Gitignore, path: &Path| {
            // Globs are matched from a root that absolute paths are not below.
            path.is_relative() && globs.matched(path, is_folder).is_ignore()
        };
        is_match(&self.relative, seen) || is_match(&self.relative, named) || {
            !self.absolute.is_empty() && is_match(&self.absolute, &below_root(&self.here.join(named)))
        }
    }
}

fn builder() -> GitignoreBuilder {
    let mut builder = GitignoreBuilder::new("");
    builder.allow_unclosed_class(false);
    builder
}

/// What is wrong with a glob, without the glob.
fn why(error: ignore::Error) -> String {
    match error {
        ignore::Error::Glob { err, .. } => err,
        other => other.to_string(),
    }
}

/// An absolute path without its root; `.` and `..` are resolved.
fn below_root(path: &Path) -> PathBuf {
    let mut below = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => below.push(name),
            Component::ParentDir => _ = below.pop(),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    below
}
