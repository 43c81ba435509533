//! Paths in their shortest form.

use std::path::{Component, Path, PathBuf};

/// Removes `.` and `..` from a path without resolving symbolic links, like the reference.
pub(crate) fn clean(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => match out.components().next_back() {
                Some(Component::Normal(_)) => {
                    out.pop();
                }
                Some(Component::RootDir | Component::Prefix(_)) => {}
                _ => out.push(part),
            },
            part => out.push(part),
        }
    }
    out
}
