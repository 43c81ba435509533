//! Which files have changed, and which are in the index, as the program `git` says. It runs no programs that the
//! configuration of a repository names.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::outcome::Failure;

/// Options that keep a repository from running programs, also those that fetch missing objects.
const SAFE: [&str; 8] = [
    "--no-optional-locks",
    "--no-pager",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "protocol.allow=never",
];

/// The files in the repository of a directory that have changed since it branched off from a commit, new files that are not
/// ignored, and files that are gone. The paths have no links, except for the last parts.
///
/// # Errors
/// There is no `git`, no repository or no such commit.
pub(crate) fn changed_since(reference: &str, directory: &Path) -> Result<Vec<PathBuf>, Failure> {
    let option = format!("--changed-since {reference}");
    if reference.is_empty() || reference.starts_with('-') {
        return Err(Failure::new(format!("{option}: expected a branch, a tag or another commit")));
    }
    let shown = directory.display();
    let top = output(directory, &["rev-parse", "--show-toplevel"])
        .map_err(|why| Failure::new(format!("{option}: {shown} is not in a Git repository: {why}")))?;
    let top = path(top.strip_suffix(b"\n").unwrap_or(&top));
    let failed = |why: String| Failure::new(format!("{option}: {why}"));
    let commit = format!("{reference}^{{commit}}");
    output(&top, &["rev-parse", "--verify", "--quiet", &commit])
        .map_err(|_| failed(format!("{} has no such commit", top.display())))?;
    let changes =
        ["diff", "--name-only", "--no-renames", "--no-ext-diff", "-z", "--merge-base", reference, "--"];
    let changes = output(&top, &changes).map_err(failed)?;
    let new = output(&top, &["ls-files", "--others", "--exclude-standard", "-z"]).map_err(failed)?;
    let names = [changes, new].concat();
    let names = names.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    let top = top.canonicalize().map_err(|error| failed(error.to_string()))?;
    Ok(names.map(|name| top.join(path(name))).collect())
}

/// The files below a directory that are in the index of its repository, relative to the directory. There are none without a
/// repository. If `git` cannot be run, this is an error.
pub(crate) fn tracked(directory: &Path) -> Result<HashSet<PathBuf>, String> {
    match output(directory, &["ls-files", "--cached", "-z", "--", "."]) {
        Ok(names) => Ok(names.split(|byte| *byte == 0).filter(|name| !name.is_empty()).map(path).collect()),
        Err(why) if why.starts_with(CANNOT_RUN) => Err(why),
        Err(_) => Ok(HashSet::new()),
    }
}

const CANNOT_RUN: &str = "cannot run git";

/// Starts `git` with pipes to it and from it.
#[cfg(feature = "tables")]
pub(crate) fn start(directory: &Path, arguments: &[&str]) -> std::io::Result<std::process::Child> {
    let mut command = command(directory, arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()
}

/// `git` in a directory.
fn command(directory: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("git");
    command.args(SAFE).arg("-C").arg(directory).args(arguments);
    command
}

/// The output of `git` about a repository, or else the first line of its errors.
pub(crate) fn output(directory: &Path, arguments: &[&str]) -> Result<Vec<u8>, String> {
    let output = command(directory, arguments)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("{CANNOT_RUN}: {error}"))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    let first = errors.lines().find(|line| !line.trim().is_empty());
    Err(first.map_or_else(|| output.status.to_string(), |line| line.trim_start_matches("fatal: ").to_owned()))
}

#[cfg(unix)]
pub(crate) fn path(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt as _;
    OsStr::from_bytes(bytes).into()
}

#[cfg(not(unix))]
pub(crate) fn path(bytes: &[u8]) -> PathBuf {
    let text = String::from_utf8_lossy(bytes);
    OsStr::new(&*text).into()
}
