//! `--watch`: runs a command again when something that it reads changes. It watches directories instead of files, because editors
//! replace files when they save, and because new files count.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use hclkit::dialect::syntax_of_path;
use hclkit::limits::directory_of;
use hclkit::syntax::visible_line;
use notify::event::ModifyKind;
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};

use crate::host::Host;
use crate::outcome::{Failure, Outcome};
use crate::output::{complain, note};

/// How long to wait for further changes. Writing a file causes several events.
const QUIET: Duration = Duration::from_millis(50);

/// How long to wait for them at most.
const LONGEST: Duration = Duration::from_millis(500);

/// How many directories are watched at most.
const MOST: usize = 10_000;

/// The file with the settings of the project, which are read once.
const SETTINGS: &str = "hcl.toml";

/// Files that say something about others, such as which of them count.
const OTHERS: [&str; 7] = [
    SETTINGS,
    ".gitignore",
    ".hclignore",
    ".terraform.lock.hcl",
    ".terraform-version",
    ".opentofu-version",
    ".tool-versions",
];

/// What a command reads, before it has run. What a run reads besides is added.
#[derive(Debug, Default)]
pub(crate) struct Watched {
    /// Files, which must be regular ones.
    pub(crate) files: Vec<PathBuf>,
    /// Directories, with those in them.
    pub(crate) trees: Vec<PathBuf>,
    /// Whether all files in directories count, and not only those that may be in a known language.
    pub(crate) all_names: bool,
}

impl Watched {
    /// Adds paths that are files or directories.
    pub(crate) fn with_paths<'p>(
        mut self,
        paths: impl IntoIterator<Item = &'p PathBuf>,
    ) -> Result<Self, Failure> {
        for path in paths {
            if path == Path::new("-") {
                return Err(Failure::new("--watch requires files; standard input cannot be watched"));
            }
            if path.is_dir() { &mut self.trees } else { &mut self.files }.push(path.clone());
        }
        Ok(self)
    }
}

/// Runs a command now and after each change of what it reads, until the program is stopped or its output is closed. Standard error names
/// the file that has changed.
pub(crate) fn watch(
    watched: &Watched,
    once: impl Fn() -> Result<Outcome, Failure>,
) -> Result<Outcome, Failure> {
    absolute(&watched.files)?;
    let (sender, events) = mpsc::channel();
    let watcher = notify::recommended_watcher(sender).map_err(|error| failed(&error))?;
    let trees = watched.trees.iter().filter_map(|tree| tree.canonicalize().ok()).collect();
    let mut watch =
        Watch { watcher, folders: BTreeSet::new(), files: BTreeSet::new(), trees, given: watched };
    watch.update(&BTreeSet::new())?;
    loop {
        // A pipe may have taken the place of a file; opening it would wait for a writer.
        let host = Host::current();
        host.begin_noting_reads();
        match absolute(&watched.files).and_then(|_| once()) {
            Err(failure) if failure.is_unread_output() => return Ok(Outcome::Fine),
            // A deleted file may be created again.
            Err(failure) => complain(failure),
            Ok(_) => {}
        }
        let reads = host.take_reads();
        watch.update(&reads)?;
        let Some(changed) = watch.wait(&events) else {
            return Err(Failure::new("file watching has stopped"));
        };
        if changed.file_name() == Some(OsStr::new(SETTINGS)) {
            note(format_args!(
                "{SETTINGS} has changed; its settings apply when the program is started again"
            ));
        }
        note(format_args!("{} has changed", visible_line(&shown(&changed).to_string_lossy())));
        // What is new is watched before it is read.
        watch.update(&reads)?;
    }
}

fn failed(error: &notify::Error) -> Failure {
    Failure::new(format!("cannot watch files: {error}"))
}

/// The path from the current directory, if it is in there.
fn shown(path: &Path) -> &Path {
    let here = std::env::current_dir().and_then(|here| here.canonicalize());
    here.ok().and_then(|here| path.strip_prefix(here).ok()).unwrap_or(path)
}

struct Watch<'w> {
    watcher: RecommendedWatcher,
    /// The directories that are watched.
    folders: BTreeSet<PathBuf>,
    /// The files that count whatever their names are.
    files: BTreeSet<PathBuf>,
    /// The directories that are watched with those in them, without links.
    trees: Vec<PathBuf>,
    given: &'w Watched,
}

impl Watch<'_> {
    /// Watches what was given and what the last run has read, also what is new in directories.
    fn update(&mut self, reads: &BTreeSet<PathBuf>) -> Result<(), Failure> {
        let files = self.given.files.iter().chain(reads);
        self.files = files.filter_map(|path| whole(path).ok()).collect();
        let folders: BTreeSet<PathBuf> =
            self.files.iter().filter_map(|file| file.parent()).map(Path::to_owned).collect();
        self.folders.retain(|folder| folder.is_dir());
        for folder in folders {
            self.add(&folder)?;
        }
        let mut open = self.trees.clone();
        while let Some(folder) = open.pop() {
            self.add(&folder)?;
            let inside = folder.read_dir().into_iter().flatten().flatten();
            let is_searched = |name: &OsStr| !name.to_string_lossy().starts_with('.');
            // Links are not followed.
            let folders = inside.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
            open.extend(folders.filter(|entry| is_searched(&entry.file_name())).map(|entry| entry.path()));
        }
        Ok(())
    }

    fn add(&mut self, folder: &Path) -> Result<(), Failure> {
        if self.folders.contains(folder) {
            return Ok(());
        }
        if self.folders.len() == MOST {
            return Err(Failure::new(format!("--watch: more than {MOST} directories; watch a part of them")));
        }
        match self.watcher.watch(folder, RecursiveMode::NonRecursive) {
            Ok(()) => _ = self.folders.insert(folder.to_owned()),
            // It was removed meanwhile.
            Err(_) if !folder.is_dir() => {}
            Err(error) => return Err(failed(&error)),
        }
        Ok(())
    }

    /// Waits until something has changed and no further changes follow. Returns a path that has changed, or nothing if there are no
    /// more events.
    fn wait(&mut self, events: &Receiver<notify::Result<Event>>) -> Option<PathBuf> {
        let mut changed = loop {
            if let Some(path) = self.concerned(&events.recv().ok()?) {
                break path;
            }
        };
        // Changes of other files do not matter, and steady ones must not delay the result forever.
        let end = Instant::now() + LONGEST;
        let mut quiet = Instant::now() + QUIET;
        loop {
            let left = quiet.min(end).saturating_duration_since(Instant::now());
            match events.recv_timeout(left) {
                Ok(event) => match self.concerned(&event) {
                    Some(path) => {
                        // The name that a file has in the end tells more than that of a temporary one.
                        if self.files.contains(&path) {
                            changed = path;
                        }
                        quiet = Instant::now() + QUIET;
                    }
                    None if !left.is_zero() => {}
                    None => return Some(changed),
                },
                Err(_) => return Some(changed),
            }
        }
    }

    /// The path of an event that matters.
    fn concerned(&mut self, event: &notify::Result<Event>) -> Option<PathBuf> {
        let found = self.path_of(event);
        if let Ok(Event {
            kind: EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_)), paths, ..
        }) = event
        {
            // A directory that takes its place is another one.
            for path in paths {
                self.folders.remove(path);
            }
        }
        found
    }

    fn path_of(&self, event: &notify::Result<Event>) -> Option<PathBuf> {
        match event {
            Ok(event) if matches!(event.kind, EventKind::Access(_)) => None,
            Ok(event) => event.paths.iter().find(|path| self.is_concerned(path, event.kind)).cloned(),
            // Events may have been lost.
            Err(error) => Some(error.paths.first().cloned().unwrap_or_default()),
        }
    }

    fn is_concerned(&self, path: &Path, kind: EventKind) -> bool {
        if Host::current().is_output(path) {
            return false;
        }
        if self.files.contains(path) {
            return true;
        }
        let Some(name) = path.file_name().and_then(OsStr::to_str) else { return false };
        let is_inside = self.trees.iter().any(|tree| directory_of(path).starts_with(tree));
        // In other directories, new files of a module count.
        let is_known = OTHERS.contains(&name) || syntax_of_path(name).is_some();
        let is_hidden = name.starts_with('.');
        let is_structure = matches!(
            kind,
            EventKind::Create(_) | EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_))
        );
        let is_folder = is_structure && !is_hidden && (path.is_dir() || self.folders.contains(path));
        if is_inside {
            is_known || is_folder || self.given.all_names && !is_hidden
        } else {
            is_known && !self.trees.is_empty()
        }
    }
}

/// The absolute paths of files, which must be regular ones.
fn absolute(paths: &[PathBuf]) -> Result<BTreeSet<PathBuf>, Failure> {
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
