//! Paths in their shortest form. This is here because functions and the program both need it, and both use this crate.

use std::path::{Component, Path, PathBuf};

/// Returns a path without `.` and with as few `..` as possible, without resolving symbolic links. The current directory is
/// the empty path.
///
/// ```
/// use std::path::Path;
///
/// use hclkit_limits::clean_path;
///
/// assert_eq!(clean_path(Path::new("./a/../b/./c")), Path::new("b/c"));
/// assert_eq!(clean_path(Path::new("a/../../b")), Path::new("../b"));
/// ```
pub fn clean_path(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => match clean.components().next_back() {
                Some(Component::Normal(_)) => {
                    clean.pop();
                }
                Some(Component::RootDir | Component::Prefix(_)) => {}
                _ => clean.push(part),
            },
            part => clean.push(part),
        }
    }
    clean
}

/// Returns a path that the operating system accepts: `.` for the empty path, which is a [clean path](clean_path) of the current
/// directory.
pub fn path_on_disk(path: &Path) -> &Path {
    if path.as_os_str().is_empty() { Path::new(".") } else { path }
}

/// Returns the directory of a file: `.` for a file name alone.
pub fn directory_of(file: &Path) -> &Path {
    path_on_disk(file.parent().unwrap_or(Path::new("")))
}

/// Returns the [clean path](clean_path) if it leads to the same place. A symbolic link before `..` can lead elsewhere: then it
/// returns the path as it is.
pub fn short_path(path: &Path) -> PathBuf {
    let clean = clean_path(path);
    let is_same =
        matches!((path.canonicalize(), clean.canonicalize()), (Ok(path), Ok(clean)) if path == clean);
    if is_same { clean } else { path.to_owned() }
}
