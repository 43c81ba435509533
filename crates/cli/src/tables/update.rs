//! `hcl tables --incremental`: which repositories have changed since the last run, as a file in the directory of the tables says. A line
//! is added for each repository whose tables are complete, so that the next run after a killed one goes on where it ended.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::UNIX_EPOCH;

use hclkit_tables::{Caller, Failures, Format, InputKind, VERSION, commit_of, input_kind, name_of};
use serde::{Deserialize, Serialize};

use super::partition_file;
use crate::args::Tables;
use crate::atomic_write::{OutputDirectory, unwritable};
use crate::host::Host;
use crate::input::or_here;
use crate::outcome::Failure;
use crate::output::note;

/// The name of the file. Engines skip files that start with a dot.
const NAME: &str = ".hcl-tables.ndjson";

/// The first line: what the rows depend on besides the repositories. If it differs, all repositories are read.
#[derive(PartialEq, Eq, Serialize, Deserialize)]
struct Head {
    options: String,
}

/// A repository with files in the directory.
#[derive(Clone, Serialize, Deserialize)]
struct Line {
    repo: String,
    /// The commit, or the size and the time of an archive. `None` if the files may be incomplete.
    state: Option<String>,
    /// The tables that have a file. Without rows, there is none.
    tables: Vec<String>,
    extension: String,
}

impl Line {
    fn of(repo: &str, state: Option<String>, tables: Vec<String>, format: Format) -> Self {
        Self { repo: repo.to_owned(), state, tables, extension: format.extension().to_owned() }
    }

    fn files(&self) -> impl Iterator<Item = PathBuf> + '_ {
        self.tables.iter().map(|table| partition_file(table, &self.repo, "data", &self.extension))
    }
}

/// What an update does.
pub(super) struct Update<'u> {
    directory: &'u OutputDirectory,
    tables: Vec<String>,
    format: Format,
    /// The states of the repositories that are read.
    read: BTreeMap<String, String>,
    /// The paths that are not read.
    kept: HashSet<PathBuf>,
    /// The repositories of the last run that are gone, and all files of the last run.
    removed: usize,
    before: BTreeSet<PathBuf>,
    head: Head,
    progress: Mutex<Progress>,
    /// The next run reads these again: Git may have fetched what is missing.
    failures: Failures,
}

struct Progress {
    log: File,
    lines: BTreeMap<String, Line>,
}

impl<'u> Update<'u> {
    /// Compares the repositories with those of the last run.
    pub(super) fn plan(
        command: &Tables,
        directory: &'u OutputDirectory,
        format: Format,
        caller: &dyn Caller,
    ) -> Result<Self, Failure> {
        let tables: Vec<String> = command.tables().iter().map(ToString::to_string).collect();
        let head = Head { options: options(command, format) };
        let text = directory.read(Path::new(NAME)).map_err(|error| unreadable(directory, &error))?;
        let all = all_lines(&text, &head);
        let before = all.iter().flat_map(Line::files).collect();
        // The last line about a repository counts.
        let mut lines: BTreeMap<String, Line> =
            all.into_iter().map(|line| (line.repo.clone(), line)).collect();
        let (mut read, mut kept, failures) = (BTreeMap::new(), HashSet::new(), Failures::default());
        let mut named: BTreeMap<String, &PathBuf> = BTreeMap::new();
        for path in or_here(&command.paths) {
            let repo = name_of(path).to_string();
            if let Some(other) = named.insert(repo.clone(), path) {
                let why = "have the same name, but --incremental requires different ones";
                return Err(Failure::new(format!("{} and {} {why}", other.display(), path.display())));
            }
            let state = match input_kind(path, caller) {
                InputKind::Bare => commit_of(path),
                InputKind::Archive { .. } => state_of_file(path),
                _ => {
                    let why = "is neither a bare repository of Git nor an archive: only these say whether \
                               they have changed. Use `git clone --mirror`, or leave out --incremental";
                    return Err(Failure::new(format!("{} {why}", path.display())));
                }
            };
            let is_kept = |line: &Line| {
                line.state == state.as_ref().ok().cloned() && line.files().all(|file| directory.has(&file))
            };
            match &state {
                Ok(_) if lines.get(&repo).is_some_and(is_kept) => drop(kept.insert(path.clone())),
                Ok(state) => {
                    read.insert(repo.clone(), state.clone());
                    if let Some(line) = lines.get_mut(&repo) {
                        line.state = None;
                    }
                }
                // Its files stay.
                Err(why) => {
                    caller.fail(&format!("cannot read {}: {why}", path.display()));
                    kept.insert(path.clone());
                    failures.note(&repo);
                }
            }
        }
        let removed = lines.keys().filter(|repo| !named.contains_key(*repo)).count();
        // A run that is killed may leave files of these, also of one that is gone before the next run.
        let started = read.keys().map(|repo| Line::of(repo, None, tables.clone(), format));
        save(directory, &head, lines.values().cloned().chain(started))?;
        let log = directory.append(Path::new(NAME)).map_err(|error| unreadable(directory, &error))?;
        let progress = Mutex::new(Progress { log, lines });
        Ok(Self { directory, tables, format, read, kept, removed, before, head, progress, failures })
    }

    /// Forgets the last run, because another one replaces its files.
    pub(super) fn forget(directory: &OutputDirectory) -> Result<(), Failure> {
        directory.remove(Path::new(NAME))
    }

    /// Whether a path is not read.
    pub(super) fn keeps(&self, path: &Path) -> bool {
        self.kept.contains(path)
    }

    /// Where repositories are noted of which only a part can be read.
    pub(super) fn failures(&self) -> Failures {
        self.failures.clone()
    }

    /// Notes that all files of a repository have their names.
    pub(super) fn complete(&self, repo: &str) -> io::Result<()> {
        let mut progress = self.progress();
        let line = self.line(repo, self.tables.clone());
        add(&mut progress.log, &line)?;
        progress.lines.insert(line.repo.clone(), line);
        Ok(())
    }

    fn line(&self, repo: &str, tables: Vec<String>) -> Line {
        let state = self.read.get(repo).filter(|_| !self.failures.contain(repo)).cloned();
        Line::of(repo, state, tables, self.format)
    }

    /// Removes the files that no repository has any more, and says what was done.
    pub(super) fn finish(&self) -> Result<(), Failure> {
        let Progress { lines, .. } = &mut *self.progress();
        let now: BTreeSet<&str> = self.read.keys().map(String::as_str).collect();
        let kept: BTreeSet<String> = self.kept.iter().map(|path| name_of(path).to_string()).collect();
        lines.retain(|repo, _| now.contains(&**repo) || kept.contains(repo));
        for repo in self.read.keys().filter(|repo| !self.failures.contain(repo)) {
            // A repository without rows got no files.
            if lines.get(repo).is_none_or(|line| line.state.is_none()) {
                lines.insert(repo.clone(), self.line(repo, Vec::new()));
            }
        }
        let files: BTreeSet<PathBuf> = lines.values().flat_map(Line::files).collect();
        for file in self.before.difference(&files) {
            self.directory.remove(file)?;
        }
        save(self.directory, &self.head, lines.values().cloned())?;
        let kept = kept.iter().filter(|repo| !self.failures.contain(repo)).count();
        let (read, removed) = (self.read.len(), self.removed);
        let read = format!("{read} {}", if read == 1 { "repository" } else { "repositories" });
        let failed = self.failures.count();
        let failed = if failed == 0 { String::new() } else { format!(", {failed} with errors") };
        note(format!("read {read}, kept {kept}, removed {removed}{failed}"));
        Ok(())
    }

    fn progress(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn unreadable(directory: &OutputDirectory, error: &io::Error) -> Failure {
    unwritable(&directory.path().join(NAME), error)
}

/// What rows depend on besides the repositories.
fn options(command: &Tables, format: Format) -> String {
    let host = Host::current();
    let global = host.options();
    let limits =
        (global.max_size, global.max_nesting, global.max_steps, global.max_elements, global.max_bytes);
    let limits = (limits, command.max_in_flight);
    let (tables, files) = (command.tables(), &command.files);
    let values = (command.variable_values, command.no_formulas);
    let (version, settings) = (env!("CARGO_PKG_VERSION"), host.settings());
    format!(
        "{version} {VERSION} {format} {tables:?} {values:?} {files:?} {limits:?} {:?} {settings:?}",
        global.timeout
    )
}

fn state_of_file(path: &Path) -> Result<String, String> {
    let metadata = path.metadata().map_err(|error| error.to_string())?;
    let time = metadata.modified().map_err(|error| error.to_string())?;
    let time = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    Ok(format!("{} bytes {}.{:09}", metadata.len(), time.as_secs(), time.subsec_nanos()))
}

/// The lines of the file. One that a killed run did not complete does not count. If the options were others, no state is known.
fn all_lines(text: &[u8], head: &Head) -> Vec<Line> {
    let mut lines = text.split_inclusive(|byte| *byte == b'\n').filter(|line| line.ends_with(b"\n"));
    let first = lines.next().and_then(|line| serde_json::from_slice::<Head>(line).ok());
    let is_same = first.as_ref() == Some(head);
    let known = |line: Line| Line { state: line.state.filter(|_| is_same), ..line };
    lines.filter_map(|line| serde_json::from_slice(line).ok()).map(known).collect()
}

fn save(
    directory: &OutputDirectory,
    head: &Head,
    mut lines: impl Iterator<Item = Line>,
) -> Result<(), Failure> {
    let mut text = Vec::new();
    add(&mut text, head)?;
    lines.try_for_each(|line| add(&mut text, &line))?;
    directory.write(Path::new(NAME), &text)
}

fn add(out: &mut impl Write, line: &impl Serialize) -> io::Result<()> {
    let mut text = serde_json::to_vec(line)?;
    text.push(b'\n');
    out.write_all(&text)
}
