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
