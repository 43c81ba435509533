//! Paths in their shortest form, and those that lead to other machines. This is here because functions, the server and the program
//! need it, and all use this crate.

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

/// Returns true if a path leads to another machine or to a device: it begins with two slashes, in either direction. A file that
/// names such a path would make Windows connect to a machine of its choice, and log in there.
///
/// ```
/// use hclkit_limits::is_network_path;
///
/// assert!(is_network_path("//host/share") && is_network_path(r"\\host\share") && is_network_path(r"\\?\UNC\host\share"));
/// assert!(!is_network_path("/srv/share") && !is_network_path("share//host"));
/// ```
pub fn is_network_path(path: impl AsRef<Path>) -> bool {
    matches!(path.as_ref().as_os_str().as_encoded_bytes(), [b'/' | b'\\', b'/' | b'\\', ..])
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
