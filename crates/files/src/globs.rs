//! Globs that select files or leave them out, with the syntax of `.gitignore` patterns.

use std::path::{Component, Path, PathBuf};

use hclkit::limits::clean_path;
use hclkit_limits::{GlobError, IgnoreBuilder};
use ignore::gitignore::Gitignore;

/// Globs with the syntax of .gitignore patterns. Without a slash, they match at any depth. With a slash, they are
/// absolute paths or relative to the searched directory or the current directory.
#[derive(Debug, Clone)]
pub(super) struct Globs {
    relative: Gitignore,
    /// The globs that are absolute paths, without the root.
    absolute: Gitignore,
    here: PathBuf,
}

impl Globs {
    pub(super) fn new(globs: &[String]) -> Result<Option<Self>, String> {
        if globs.is_empty() {
            return Ok(None);
        }
        let (mut relative, mut absolute) = (IgnoreBuilder::strict(""), IgnoreBuilder::strict(""));
        for glob in globs {
            let invalid = |why: &str| format!("invalid glob '{glob}': {why}");
            if glob.trim().is_empty() {
                return Err(invalid("it is empty"));
            }
            let add = |to: &mut IgnoreBuilder, line: &str| match to.add(line) {
                Err(GlobError::Limit(why)) => {
                    let start: String = glob.chars().take(20).collect();
                    Err(format!("invalid glob '{start}…': {why}"))
                }
                added => added.map_err(|why| invalid(&why.to_string())),
            };
            let (exception, pattern) = match glob.strip_prefix('!') {
                Some(pattern) => ("!", pattern),
                None => ("", glob.as_str()),
            };
            // A number sign would start a comment.
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
        let build = |builder: IgnoreBuilder| builder.build().map_err(|why| format!("invalid globs: {why}"));
        let here = std::env::current_dir().unwrap_or_default();
        Ok(Some(Self { relative: build(relative)?, absolute: build(absolute)?, here }))
    }

    /// Returns true if a glob matches the path: relative to the searched directory, as it was specified, or absolute.
    pub(super) fn matches(&self, folder: &Path, path: &Path, is_folder: bool) -> bool {
        let named = path.strip_prefix("./").unwrap_or(path);
        let seen = path.strip_prefix(folder).unwrap_or(named);
        let is_match = |globs: &Gitignore, path: &Path| {
            // Globs do not match absolute paths.
            path.is_relative() && globs.matched(path, is_folder).is_ignore()
        };
        is_match(&self.relative, seen) || is_match(&self.relative, named) || {
            !self.absolute.is_empty() && is_match(&self.absolute, &below_root(&self.here.join(named)))
        }
    }
}

/// Splits a path at its first name with a wildcard: returns the directory above that name, and the whole path as a glob.
/// Returns `None` if the path has no wildcard.
pub(super) fn of_path(path: &Path) -> Option<(PathBuf, String)> {
    let has_wildcard = |part: &Component<'_>| {
        part.as_os_str().as_encoded_bytes().iter().any(|byte| matches!(byte, b'*' | b'?' | b'[' | b'{'))
    };
    let text = path.to_str()?;
    let above: PathBuf = path.components().take_while(|part| !has_wildcard(part)).collect();
    if above.components().count() == path.components().count() {
        return None;
    }
    let here = above.as_os_str().is_empty();
    // Without a slash, the glob would match names at any depth.
    let glob = if here && !text.contains('/') { format!("/{text}") } else { text.to_owned() };
    Some((if here { PathBuf::from(".") } else { above }, glob))
}

/// An absolute path without its root; `.` and `..` are resolved.
fn below_root(path: &Path) -> PathBuf {
    clean_path(path).components().filter(|part| matches!(part, Component::Normal(_))).collect()
}
