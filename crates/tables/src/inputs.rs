//! What paths are: directories, files, bare repositories, archives, tables of files. Their files are given on in order, so that memory
//! does not grow with their number.

mod archive;
mod directories;
mod entries;
mod git;
mod repos;

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hclkit_files::{FoundFile, Observer, Seen, Selection, is_template, read_all, read_of_size};

use crate::budget::content_limit;
use crate::entry::{Content, Entry};
use crate::input::JsonRows;
#[cfg(feature = "parquet")]
use crate::parquet_files::ParquetRows;
use crate::reader::Options;
use directories::Directories;
pub use entries::InputEntries;
pub use git::commit_of;
use repos::Repos;

/// For whom files are found: a program or another library.
pub trait Caller: Observer {
    /// Something cannot be read. It also becomes a row of `diagnostics`.
    fn fail(&self, what: &str);

    /// Something is left out, or users should know it.
    fn warn(&self, what: &str);

    /// Standard input, which is the path `-`. By default, there is none.
    ///
    /// # Errors
    /// It was read before, or there is none.
    fn stdin(&self) -> io::Result<Box<dyn BufRead>> {
        Err(io::Error::new(io::ErrorKind::Unsupported, "standard input is not read here"))
    }

    /// The name of standard input, which says what it contains.
    fn stdin_name(&self) -> String {
        "<stdin>".to_owned()
    }
}

/// What the repository of a file is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum RepoFrom {
    /// The remote of the repository of Git that contains it.
    Git,
    /// What the wildcards of a pattern match.
    Pattern(Vec<String>),
}

/// Reads `git`, or a pattern such as `repos/*/*`.
impl FromStr for RepoFrom {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "git" {
            return Ok(Self::Git);
        }
        let parts: Vec<String> =
            text.split('/').filter(|part| !part.is_empty() && *part != ".").map(str::to_owned).collect();
        if !parts.iter().any(|part| part == "*") {
            return Err("expected git, or a pattern with a directory `*`, such as repos/*/*");
        }
        Ok(Self::Pattern(parts))
    }
}

/// The repositories of which only a part could be read.
#[derive(Clone, Debug, Default)]
pub struct Failures(Arc<Mutex<HashSet<String>>>);

impl Failures {
    /// Adds a repository by its name.
    pub fn note(&self, repo: &str) {
        self.all().insert(repo.to_owned());
    }

    /// Whether a repository is one of them.
    pub fn contain(&self, repo: &str) -> bool {
        self.all().contains(repo)
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.all().len()
    }

    fn all(&self) -> MutexGuard<'_, HashSet<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Finds files.
pub struct Inputs {
    selection: Selection,
    caller: Arc<dyn Caller>,
    repo_from: Option<RepoFrom>,
    /// Whether directories are evaluated, too.
    evaluates: bool,
    /// How many bytes a content may have.
    most_bytes: u64,
    in_flight: u64,
    failures: Failures,
}

/// The caller is left out.
impl std::fmt::Debug for Inputs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { selection, repo_from, evaluates, most_bytes, in_flight, .. } = self;
        let mut debug = f.debug_struct("Inputs");
        debug.field("selection", selection).field("repo_from", repo_from).field("evaluates", evaluates);
        debug.field("most_bytes", most_bytes).field("in_flight", in_flight).finish_non_exhaustive()
    }
}

/// The kind of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InputKind {
    /// A file or a directory.
    Files,
    /// A pipe, a socket or a device, which could be endless.
    Special,
    /// A bare repository of Git.
    Bare,
    /// An archive of tar.
    Archive {
        /// Whether it is compressed with gzip.
        compressed: bool,
    },
    /// A table of files in Parquet.
    Parquet,
    /// A table of files as lines of JSON.
    Lines,
    /// An archive of a kind that is not read.
    Unsupported,
}

impl Inputs {
    /// The files that are selected, with contents within the default budget, and without directories that are evaluated.
    pub fn new(selection: Selection, caller: Arc<dyn Caller>) -> Self {
        let in_flight = Options::DEFAULT_BYTES_IN_FLIGHT;
        let (most_bytes, failures) = (content_limit(in_flight), Failures::default());
        Self { selection, caller, repo_from: None, evaluates: false, most_bytes, in_flight, failures }
    }

    /// Sets what the repository of a file on disk is. By default, it has none.
    #[must_use]
    pub fn with_repo_from(self, repo_from: Option<RepoFrom>) -> Self {
        Self { repo_from, ..self }
    }

    /// Sets whether directories are given on, too, after their files, so that they are evaluated.
    #[must_use]
    pub fn with_evaluation(self, evaluates: bool) -> Self {
        Self { evaluates, ..self }
    }

    /// Sets how many bytes a content may have, and how many may be in flight, of which a content may have a quarter.
    #[must_use]
    pub fn with_most_bytes(self, most_bytes: u64, in_flight: u64) -> Self {
        Self { most_bytes: most_bytes.min(content_limit(in_flight)), in_flight, ..self }
    }

    /// Sets where repositories are noted of which only a part can be read.
    #[must_use]
    pub fn with_failures(self, failures: Failures) -> Self {
        Self { failures, ..self }
    }

    /// Emits the files of a path. Returns false if `emit` does, which ends it.
    pub fn emit(&self, path: &Path, emit: &mut dyn FnMut(Entry) -> bool) -> bool {
        Emitter { inputs: self, emit }.path(path)
    }
}

/// Emits the files of a path.
struct Emitter<'i> {
    inputs: &'i Inputs,
    emit: &'i mut dyn FnMut(Entry) -> bool,
}

impl Emitter<'_> {
    fn path(&mut self, path: &Path) -> bool {
        match input_kind(path, self.inputs.caller.as_ref()) {
            InputKind::Files if path.is_dir() => self.directory(path) && self.bare_repositories(path),
            InputKind::Files => self.file(path),
            InputKind::Special => self.unreadable(
                path.display().to_string(),
                "it is neither a regular file nor a directory; to read a pipe, use - for standard input"
                    .to_owned(),
            ),
            InputKind::Unsupported => self.unreadable(
                path.display().to_string(),
                "archives of this kind are not read: unpack it, or convert it to .tar.gz".to_owned(),
            ),
            kind => self.read(path, kind),
        }
    }

    /// The files in a repository, an archive or a table. If it cannot be read, that is said, and the others are read.
    fn read(&mut self, path: &Path, kind: InputKind) -> bool {
        self.within(path, kind).unwrap_or_else(|why| {
            self.inputs.caller.fail(&format!("cannot read {}: {why}", path.display()));
            let is_limit = why.kind() == io::ErrorKind::FileTooLarge;
            let code = if is_limit { "source-too-large" } else { "unreadable-file" };
            self.inputs.failures.note(&name_of(path));
            let content = Content::Unread { bytes: 0, code, why: why.to_string() };
            let (repo, path) = (Some(name_of(path)), slashed(path).into());
            (self.emit)(Entry { repo, commit: None, path, content })
        })
    }

    /// The bare repositories in a directory, such as the mirrors of an organisation. Their names end in `.git`.
    fn bare_repositories(&mut self, path: &Path) -> bool {
        let entries = path.read_dir().into_iter().flatten().flatten().map(|entry| entry.path());
        let is_named = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "git");
        let mut found: Vec<PathBuf> = entries
            .filter(is_named)
            .filter(|path| input_kind(path, self.inputs.caller.as_ref()) == InputKind::Bare)
            .collect();
        found.sort();
        found.iter().all(|path| self.read(path, InputKind::Bare))
    }

    /// The files of a directory.
    fn directory(&mut self, path: &Path) -> bool {
        let inputs = self.inputs;
        let caller = &inputs.caller;
        let mut files = OnDisk::new(inputs);
        files.directories = files.directories.with_root(path);
        caller.enters(path);
        let before = &mut |directory: &Path| caller.descends(directory);
        let more = inputs.selection.each(path, before, &mut |found| {
            found.warnings.iter().for_each(|warning| caller.warn(warning));
            let mut unreadable = found.unreadable.into_iter();
            if !unreadable.all(|own| self.unreadable(own.name, own.reason)) {
                return false;
            }
            found
                .files
                .into_iter()
                .all(|file| files.entries(file, self.inputs).into_iter().all(&mut *self.emit))
        });
        more && files.directories.all().into_iter().all(&mut *self.emit)
    }

    /// A file, standard input, or the files that match a pattern.
    fn file(&mut self, path: &Path) -> bool {
        let inputs = self.inputs;
        let mut files = OnDisk::new(inputs);
        let entries = if path == Path::new("-") {
            vec![standard_input(inputs)]
        } else if let Some(found) = inputs.selection.matching(path, &mut Seen::off()) {
            let mut unreadable = found.unreadable.into_iter();
            if !unreadable.all(|own| self.unreadable(own.name, own.reason)) {
                return false;
            }
            found.files.into_iter().flat_map(|file| files.entries(file, inputs)).collect()
        } else if path.symlink_metadata().is_err() {
            let why = "there is no such file or directory".to_owned();
            return self.unreadable(path.display().to_string(), why);
        } else if is_template(path) {
            inputs
                .caller
                .warn(&format!("{} is left out: it is a template, which is not HCL", path.display()));
            Vec::new()
        } else {
            files.entries(path.to_owned(), inputs)
        };
        entries.into_iter().chain(files.directories.all()).all(&mut *self.emit)
    }

    /// Says that something cannot be read, and gives it on as such.
    fn unreadable(&mut self, name: String, why: String) -> bool {
        self.inputs.caller.fail(&format!("cannot read {name}: {why}"));
        let content = Content::Unread { bytes: 0, code: "unreadable-file", why };
        (self.emit)(Entry { repo: None, commit: None, path: name.into(), content })
    }

    /// The files in a repository, an archive or a table.
    fn within(&mut self, path: &Path, kind: InputKind) -> io::Result<bool> {
        let Inputs { selection, caller, evaluates, failures, .. } = self.inputs;
        let (most_bytes, in_flight) = (self.inputs.most_bytes, self.inputs.in_flight);
        let name = name_of(path);
        let mut directories = Directories::new(*evaluates, most_bytes, caller.clone());
        let mut links = 0;
        let mut emit = |entry: Entry| {
            let before = directories.before(&entry);
            before.into_iter().all(|entry| (self.emit)(entry)) && {
                directories.add(&entry);
                (self.emit)(entry)
            }
        };
        let more = match kind {
            InputKind::Bare => {
                let (at_once, failures) = (*evaluates, failures.clone());
                let wanted = git::Wanted { name: &name, selection, most_bytes, in_flight, at_once, failures };
                git::each(path, &wanted, &mut links, &mut emit)?
            }
            InputKind::Archive { compressed } => {
                let wanted = archive::Wanted { name: &name, selection, most_bytes, in_flight };
                archive::each(File::open(path)?, compressed, &wanted, &mut links, &mut emit)?
            }
            #[cfg(feature = "parquet")]
            InputKind::Parquet => {
                let mut rows = ParquetRows::open_within(File::open(path)?, most_bytes, in_flight)?;
                rows.try_fold(true, |more, entry| Ok::<_, io::Error>(more && emit(entry?)))?
            }
            InputKind::Lines if path == Path::new("-") => {
                lines(JsonRows::new(caller.stdin()?, most_bytes).with_bytes_in_flight(in_flight), &mut emit)?
            }
            InputKind::Lines => {
                let rows = JsonRows::new(BufReader::new(File::open(path)?), most_bytes);
                lines(rows.with_bytes_in_flight(in_flight), &mut emit)?
            }
            #[cfg(not(feature = "parquet"))]
            InputKind::Parquet => return Err(io::Error::other("Parquet is not supported by this build")),
            InputKind::Files | InputKind::Special | InputKind::Unsupported => true,
        };
        if links > 0 {
            let (ending, path) = (if links == 1 { "" } else { "s" }, path.display());
            caller.warn(&format!(
                "skipping {links} link{ending} in {path}: links in archives and bare repositories are not followed"
            ));
        }
        Ok(more && directories.all().into_iter().all(|entry| (self.emit)(entry)))
    }
}

fn lines(rows: JsonRows<impl io::BufRead>, emit: &mut dyn FnMut(Entry) -> bool) -> io::Result<bool> {
    for entry in rows {
        if !emit(entry?) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Files on disk, with their repositories, and the directories that they are in.
struct OnDisk<'i> {
    repos: Repos<'i>,
    directories: Directories,
}

/// A file on disk: one that was found in a directory, or one by itself.
trait FileOnDisk: Send + 'static {
    fn path(&self) -> &Path;
    fn read(&self, limit: u64, ask: &mut dyn FnMut(u64) -> io::Result<()>) -> io::Result<Vec<u8>>;
}

impl FileOnDisk for FoundFile {
    fn path(&self) -> &Path {
        &self.path
    }

    fn read(&self, limit: u64, ask: &mut dyn FnMut(u64) -> io::Result<()>) -> io::Result<Vec<u8>> {
        Self::read(self, limit, ask)
    }
}

impl FileOnDisk for PathBuf {
    fn path(&self) -> &Path {
        self
    }

    fn read(&self, limit: u64, ask: &mut dyn FnMut(u64) -> io::Result<()>) -> io::Result<Vec<u8>> {
        let file = File::open(self)?;
        let size = file.metadata().map_or(0, |metadata| metadata.len());
        read_of_size(file, size, limit, ask)
    }
}

impl<'i> OnDisk<'i> {
    fn new(inputs: &'i Inputs) -> Self {
        let repos = Repos::new(inputs.repo_from.as_ref(), inputs.caller.as_ref());
        Self {
            repos,
            directories: Directories::new(inputs.evaluates, inputs.most_bytes, inputs.caller.clone()),
        }
    }

    /// The entry of a file, after the directories that the search has left.
    fn entries(&mut self, file: impl FileOnDisk, inputs: &Inputs) -> Vec<Entry> {
        let own = self.repos.of(file.path());
        let mut entries = self.directories.found(file.path(), &own);
        let (caller, most_bytes) = (inputs.caller.clone(), inputs.most_bytes);
        let content = Content::Later(Box::new(move |allowance| {
            caller.opens(file.path());
            file.read(most_bytes, &mut |bytes| allowance.ask(bytes))
        }));
        entries.push(Entry { repo: own.repo, commit: own.commit, path: own.path, content });
        entries
    }
}

/// The entry of standard input. It is read in another thread.
fn standard_input(inputs: &Inputs) -> Entry {
    let (caller, most_bytes) = (inputs.caller.clone(), inputs.most_bytes);
    let path = caller.stdin_name().into();
    let content = Content::Later(Box::new(move |allowance| {
        read_all(caller.stdin()?, most_bytes, &mut |bytes| allowance.ask(bytes))
    }));
    Entry { repo: None, commit: None, path, content }
}

/// The kind of a path, by its name and its content.
pub fn input_kind(path: &Path, caller: &dyn Caller) -> InputKind {
    let is_stdin = path == Path::new("-");
    let named = if is_stdin {
        caller.stdin_name()
    } else {
        path.file_name().unwrap_or_default().to_string_lossy().to_lowercase()
    };
    if path.is_dir() {
        let is_bare =
            path.join("HEAD").is_file() && path.join("objects").is_dir() && path.join("refs").is_dir();
        return if is_bare { InputKind::Bare } else { InputKind::Files };
    }
    if !is_stdin && path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        return InputKind::Special;
    }
    let ends = |ends: &[&str]| ends.iter().any(|end| named.ends_with(end));
    match () {
        () if ends(&[".tar"]) => InputKind::Archive { compressed: false },
        () if ends(&[".tar.gz", ".tgz"]) => InputKind::Archive { compressed: true },
        () if ends(&[".zip", ".tar.zst", ".tar.xz", ".tar.bz2", ".7z"]) => InputKind::Unsupported,
        () if ends(&[".parquet"]) => InputKind::Parquet,
        () if ends(&[".ndjson", ".jsonl"]) => InputKind::Lines,
        () => InputKind::Files,
    }
}

/// The name of a repository or an archive, without its ending.
pub fn name_of(path: &Path) -> Arc<str> {
    let name = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let name = slashed(Path::new(name.file_name().unwrap_or_default()));
    let endings = [".git", ".tar.gz", ".tgz", ".tar"];
    let stem = endings.iter().find_map(|ending| name.strip_suffix(ending)).filter(|stem| !stem.is_empty());
    stem.unwrap_or(&name).into()
}

/// The path of a file as tables have it.
fn slashed(path: &Path) -> String {
    let text = path.to_string_lossy();
    if cfg!(windows) { text.replace('\\', "/") } else { text.into_owned() }
}
