//! The directories in which a client lets tools work: its roots, or else the current directory.

use std::path::{Path, PathBuf};

use hclkit::limits::clean_path;
use rmcp::RoleServer;
use rmcp::service::RequestContext;

use super::tools::Arguments;

/// The directories, without links.
pub(super) struct Roots {
    all: Vec<PathBuf>,
    is_asked: bool,
}

impl Roots {
    pub(super) fn new(here: PathBuf) -> Self {
        Self { all: vec![here], is_asked: false }
    }

    /// Asks a client that has roots for them, once. Relative paths are then those of the first one.
    #[allow(
        deprecated,
        reason = "newer versions of the protocol have no roots, and clients of the older ones do"
    )]
    pub(super) async fn ask(&mut self, context: &RequestContext<RoleServer>) {
        if std::mem::replace(&mut self.is_asked, true)
            || context.client_capabilities().is_none_or(|all| all.roots.is_none())
        {
            return;
        }
        let Ok(found) = context.peer.list_roots().await else { return };
        let directories = found.roots.iter().filter_map(|root| path_of(&root.uri)?.canonicalize().ok());
        let directories: Vec<PathBuf> = directories.filter(|path| path.is_dir()).collect();
        // Without a root that exists, nothing is in one.
        if let Some(first) = directories.first() {
            let _ = std::env::set_current_dir(first);
        }
        self.all = directories;
    }

    /// # Errors
    /// A path leads out of the roots.
    pub(super) fn check(&self, arguments: &Arguments) -> Result<(), String> {
        for path in arguments.paths() {
            let real = real(Path::new(path));
            if !self.all.iter().any(|root| real.starts_with(root)) {
                return Err(format!("{path} is outside of the roots"));
            }
        }
        Ok(())
    }
}

/// A path without links, as far as it exists.
fn real(path: &Path) -> PathBuf {
    let Ok(absolute) = std::path::absolute(path) else { return path.to_owned() };
    let mut missing = Vec::new();
    // `..` after a link leads to the parent of its target.
    let mut at = absolute.as_path();
    loop {
        if let Ok(real) = at.canonicalize() {
            let whole = missing.iter().rev().fold(real, |path, part| path.join(part));
            return clean_path(&whole);
        }
        let (Some(parent), Some(last)) = (at.parent(), at.components().next_back()) else { return absolute };
        missing.push(last.as_os_str().to_owned());
        at = parent;
    }
}

/// The path of an address `file://…`.
fn path_of(uri: &str) -> Option<PathBuf> {
    let path = uri.strip_prefix("file://")?;
    let path = path.strip_prefix("localhost").unwrap_or(path);
    if !path.starts_with('/') {
        return None;
    }
    let (mut bytes, mut rest) = (Vec::new(), path.as_bytes());
    while let [first, after @ ..] = rest {
        rest = after;
        match (first, after) {
            (b'%', [high, low, more @ ..]) => {
                let digits = [*high, *low];
                let text = std::str::from_utf8(&digits).ok()?;
                bytes.push(u8::from_str_radix(text, 16).ok()?);
                rest = more;
            }
            _ => bytes.push(*first),
        }
    }
    String::from_utf8(bytes).ok().map(PathBuf::from)
}
