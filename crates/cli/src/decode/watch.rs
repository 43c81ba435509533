//! `--watch`: decodes, or tests, again when a file changes. It watches directories instead of files, because editors replace files
//! when they save.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use notify::{Event, EventKind, RecursiveMode, Watcher as _};

use super::{inputs, once};
use crate::args::Decode;
use crate::input::{FoundFile, Input};
use crate::outcome::{Failure, Outcome};
use crate::output::complain;

/// How long to wait for further changes. Writing a file causes several events.
const QUIET: Duration = Duration::from_millis(50);

/// How long to wait for them at most.
const LONGEST: Duration = Duration::from_millis(500);

/// Decodes now and after each change, until the program is stopped or its output is closed.
pub(super) fn run(command: &Decode) -> Result<Outcome, Failure> {
    watch(|| files(command), || once(command))
}

/// Works now and after each change of some files, until the program is stopped or its output is closed.
pub(crate) fn watch(
    files: impl Fn() -> Result<BTreeSet<PathBuf>, Failure>,
    once: impl Fn() -> Result<Outcome, Failure>,
) -> Result<Outcome, Failure> {
    let watched = files()?;
    let failed = |error: notify::Error| Failure::new(format!("cannot watch files: {error}"));
    let (sender, events) = mpsc::channel();
    let mut watcher = notify::recommended_watcher(sender).map_err(failed)?;
    for folder in watched.iter().filter_map(|file| file.parent()).collect::<BTreeSet<_>>() {
        watcher.watch(folder, RecursiveMode::NonRecursive).map_err(failed)?;
    }
    loop {
        // A pipe may have taken the place of a file; opening it would wait for a writer.
        match files().and_then(|_| once()) {
            Err(failure) if failure.is_unread_output() => return Ok(Outcome::Fine),
            // A deleted file may be created again.
            Err(failure) => complain(failure),
            Ok(_) => {}
        }
        if !wait(&events, &watched) {
            return Err(Failure::new("file watching has stopped"));
        }
    }
}

/// The files to watch.
fn files(command: &Decode) -> Result<BTreeSet<PathBuf>, Failure> {
    let mut paths = vec![command.spec.clone()];
    for input in command.features.inputs().into_iter().chain(inputs(command).unwrap_or_default()) {
        match input {
            Input::File(path) | Input::Found(FoundFile { path, .. }) => paths.push(path),
            Input::Stdin => {
                return Err(Failure::new("--watch requires files; standard input cannot be watched"));
            }
        }
    }
    absolute(&paths)
}

/// The absolute paths of files, which must be regular ones.
pub(crate) fn absolute(paths: &[PathBuf]) -> Result<BTreeSet<PathBuf>, Failure> {
    let absolute = |path: &PathBuf| {
        if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
            let why = format!("--watch requires regular files; {} is not one", path.display());
            return Err(Failure::new(why));
        }
        whole(path).map_err(|error| Failure::new(format!("cannot watch {}: {error}", path.display())))
    };
    paths.iter().map(absolute).collect()
}

/// The absolute path with symbolic links in directories resolved, as in events.
fn whole(path: &Path) -> std::io::Result<PathBuf> {
    let path = std::path::absolute(path)?;
    match (path.parent(), path.file_name()) {
        (Some(folder), Some(name)) => Ok(folder.canonicalize()?.join(name)),
        _ => Ok(path),
    }
}

/// Waits until one of the files has changed and no further changes follow. Returns false if there are no more events.
fn wait(events: &Receiver<notify::Result<Event>>, files: &BTreeSet<PathBuf>) -> bool {
    let concerns = |event: &notify::Result<Event>| match event {
        Ok(event) => {
            !matches!(event.kind, EventKind::Access(_)) && event.paths.iter().any(|path| files.contains(path))
        }
        // Events may have been lost.
        Err(_) => true,
    };
    loop {
        match events.recv() {
            Ok(event) if concerns(&event) => break,
            Ok(_) => {}
            Err(_) => return false,
        }
    }
    // Changes of other files do not matter, and steady ones must not delay the result forever.
    let end = Instant::now() + LONGEST;
    let mut quiet = Instant::now() + QUIET;
    loop {
        let left = quiet.min(end).saturating_duration_since(Instant::now());
        match events.recv_timeout(left) {
            Ok(event) if concerns(&event) => quiet = Instant::now() + QUIET,
            Ok(_) if !left.is_zero() => {}
            _ => return true,
        }
    }
}
