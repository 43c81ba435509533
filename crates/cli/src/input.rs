//! Selects and reads input files: paths on the command line, files in directories and standard input.

mod globs;
mod ignores;
pub(crate) mod read;
mod search;
mod untracked;
mod walk;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt;
use std::fs::File;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, LazyLock};

use hclkit::dialect::{Dialect, FileKind, syntax_of_path};
use hclkit::limits::directory_of;
use hclkit::module::LOCK_FILE;
use hclkit::{Document, Source, Syntax};
use hclkit_ide::SpecPattern;

use crate::args::Files;
use crate::host;
pub(crate) use hclkit::render::FailedFile as Unreadable;

use crate::atomic_write;
use crate::outcome::Failure;
use crate::output::{note, warn};
use crate::settings;
use globs::Globs;
use ignores::Tracked;
use read::{Entry, Tree};
use search::Search;
pub(crate) use untracked::untracked;
use walk::{Kind, Visited};

/// The name of standard input in messages.
pub(crate) const STDIN_NAME: &str = "<stdin>";

/// Something to read.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Input {
    Stdin,
    /// A file specified on the command line.
    File(PathBuf),
    /// A file found in a directory: its name and its path in the directory.
    Found(PathBuf, PathBuf, Arc<Tree>),
}

impl From<Unreadable> for Failure {
    fn from(unreadable: Unreadable) -> Self {
        Self::new(unreadable.to_string())
    }
}

impl Input {
    /// `-` is standard input.
    pub(crate) fn of(path: &Path) -> Self {
        if path == Path::new("-") { Self::Stdin } else { Self::File(path.to_owned()) }
    }

    /// The name of the input in messages.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Stdin => host::Host::current().stdin_name().unwrap_or_else(|| STDIN_NAME.to_owned()),
            Self::File(path) | Self::Found(path, ..) => path.to_string_lossy().into_owned(),
        }
    }

    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Self::Stdin => None,
            Self::File(path) | Self::Found(path, ..) => Some(path),
        }
    }

    /// The language of the input, according to its name.
    pub(crate) fn dialect(&self) -> Option<Arc<Dialect>> {
        Dialect::of_path(self.name())
    }

    /// The path without links.
    pub(crate) fn canonical(&self) -> Option<PathBuf> {
        self.path()?.canonicalize().ok()
    }

    /// The syntax of the input, according to its name.
    pub(crate) fn syntax(&self) -> Syntax {
        match self {
            Self::Stdin => Syntax::of(self.name()),
            Self::File(path) | Self::Found(path, ..) => Syntax::of(path),
        }
    }

    /// Whether the input is in the JSON syntax, according to its name.
    pub(crate) fn is_json(&self) -> bool {
        self.syntax() == Syntax::Json
    }

    /// Reads the input, which must not be in the JSON syntax.
    pub(crate) fn read(&self) -> Result<Source, Unreadable> {
        if self.is_json() {
            return Err(self.unreadable(
                &"the file is in the JSON syntax, but this command supports only the native syntax",
            ));
        }
        self.read_text()
    }

    /// Reads the input in any syntax.
    pub(crate) fn read_text(&self) -> Result<Source, Unreadable> {
        self.text().map_err(|error| match error.kind() {
            io::ErrorKind::FileTooLarge => {
                self.unreadable(&format!("{error}; use --max-size to raise the limit"))
            }
            _ => self.unreadable(&error),
        })
    }

    /// The same. Errors name neither the input nor an option.
    pub(crate) fn text(&self) -> io::Result<Source> {
        Ok(Source::new(self.name(), self.bytes()?))
    }

    /// Reads the bytes of the input.
    pub(crate) fn bytes(&self) -> io::Result<Vec<u8>> {
        self.bytes_within(host::Host::current().max_size(), &mut |_| Ok(()))
    }

    /// Reads the bytes of the input, up to a limit. Asks for as many as the input claims to have before they are allocated.
    pub(crate) fn bytes_within(
        &self,
        limit: u64,
        ask: &mut dyn FnMut(u64) -> io::Result<()>,
    ) -> io::Result<Vec<u8>> {
        if let Some(path) = self.path() {
            host::Host::current().note_read(path);
        }
        match self {
            Self::Stdin => read::all_within(host::stdin()?, limit, ask),
            Self::File(path) => {
                let file = File::open(path)?;
                let size = file.metadata().map_or(0, |metadata| metadata.len());
                read::of_size(file, size, limit, ask)
            }
            Self::Found(_, inside, tree) => {
                let (file, size) = tree.open_file(inside)?;
                read::of_size(file, size, limit, ask)
            }
        }
    }

    /// Reads and parses the input in the syntax of its name.
    pub(crate) fn parse(&self) -> Result<Document, Unreadable> {
        Ok(Document::parse_in(self.read_text()?, self.syntax()))
    }

    /// Opens the file for reading.
    pub(crate) fn open(&self) -> io::Result<File> {
        match self {
            Self::Stdin => Err(io::ErrorKind::Unsupported.into()),
            Self::File(path) => File::open(path),
            Self::Found(_, inside, tree) => tree.open_file(inside).map(|(file, _)| file),
        }
    }

    fn unreadable(&self, why: &impl ToString) -> Unreadable {
        Unreadable { name: self.name(), reason: why.to_string(), action: "read" }
    }
}

/// Selects files in directories.
#[derive(Debug, Clone)]
// Each flag is an option of the command line.
#[allow(clippy::struct_excessive_bools)]
pub(crate) struct Selection {
    include: Option<Globs>,
    /// Patterns of files that are selected in addition to those with known names.
    also: Vec<SpecPattern>,
    exclude: Option<Globs>,
    no_ignore: bool,
    /// Whether to search hidden directories.
    hidden: bool,
    /// Whether to select files that the program of their language does not read because they are hidden.
    hidden_files: bool,
    /// Whether to follow symbolic links to files outside of directories.
    follow: bool,
    /// Files to exclude from directories.
    left_out: Vec<PathBuf>,
    /// Whether to exclude variable files from directories.
    no_variables: bool,
    /// Whether to skip subdirectories.
    flat: bool,
    /// Whether to find the tests of a module of Terraform, even if subdirectories are skipped.
    tests: bool,
}

/// The files found for the paths on the command line, each once, in their order.
#[derive(Debug, Default)]
pub(crate) struct FoundInputs {
    pub(crate) inputs: Vec<Input>,
    pub(crate) unreadable: Vec<Unreadable>,
    pub(crate) skipped: Vec<Skipped>,
}

impl FoundInputs {
    /// Whether files that are given are left out because they are templates.
    pub(crate) fn has_templates(&self) -> bool {
        self.skipped.iter().any(|skipped| skipped.why == Why::Template)
    }
}

/// Whether a language says that files with this name are templates.
fn is_template(path: &Path) -> bool {
    Dialect::all().any(|language| language.file_kind(path) == Some(FileKind::Template))
}

/// A file or directory that the searched directory has, but that was not searched for a reason other than an option.
#[derive(Debug)]
pub(crate) struct Skipped {
    pub(crate) path: PathBuf,
    pub(crate) is_folder: bool,
    pub(crate) why: Why,
}

/// Why an entry was skipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Why {
    /// The name of the ignore file.
    Ignored(&'static str),
    /// A link that leads outside of the directory.
    Outside,
    /// A pipe, a device, or a link to a directory.
    Special,
    /// A template, which is not HCL although its name ends like that of HCL.
    Template,
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ignored(by) => write!(f, "ignored by {by}"),
            Self::Outside => f.write_str("outside of the directory"),
            Self::Special => f.write_str("not regular"),
            Self::Template => f.write_str("left out as templates"),
        }
    }
}

/// The files that were found, if some of them could be found again by another path.
#[derive(Default)]
pub(crate) struct Seen {
    is_off: bool,
    /// The files: their names in directories without links. A link to a file is a file of its own.
    files: HashSet<PathBuf>,
    /// Directories without links, by the paths that lead to them.
    folders: HashMap<PathBuf, PathBuf>,
}

impl Seen {
    /// For files that can be found only once.
    fn off() -> Self {
        Self { is_off: true, ..Self::default() }
    }

    /// Returns true if the file was not found before, whatever path led to it.
    pub(crate) fn insert(&mut self, path: &Path) -> bool {
        if self.is_off {
            return true;
        }
        let file = self.file(path);
        self.files.insert(file)
    }

    fn remove(&mut self, path: &Path) {
        let file = self.file(path);
        self.files.remove(&file);
    }

    fn file(&mut self, path: &Path) -> PathBuf {
        let folder = directory_of(path);
        if !self.folders.contains_key(folder) {
            let real = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
            self.folders.insert(folder.to_owned(), real);
        }
        let real = self.folders.get(folder).map_or(folder, PathBuf::as_path);
        path.file_name().map_or_else(|| path.to_owned(), |name| real.join(name))
    }
}

impl Selection {
    pub(crate) fn new(files: &Files) -> Result<Self, Failure> {
        let (include, exclude) = (Globs::new(&files.include)?, Globs::new(&files.exclude)?);
        let (no_variables, flat, tests, left_out, also) = (false, false, false, Vec::new(), Vec::new());
        let Files { no_ignore, hidden, follow, .. } = *files;
        let hidden_files = hidden;
        Ok(Self {
            include,
            also,
            exclude,
            no_ignore,
            hidden,
            hidden_files,
            follow,
            left_out,
            no_variables,
            flat,
            tests,
        })
    }

    /// Excludes these files from directories.
    pub(crate) fn without(mut self, files: &[PathBuf]) -> Self {
        self.left_out = files.iter().filter_map(|file| file.canonicalize().ok()).collect();
        self
    }

    /// Also selects files that match these patterns.
    pub(crate) fn with_also<'p>(self, patterns: impl IntoIterator<Item = &'p SpecPattern>) -> Self {
        Self { also: patterns.into_iter().cloned().collect(), ..self }
    }

    /// Sets whether to exclude variable files from directories.
    pub(crate) fn without_variables(self, no_variables: bool) -> Self {
        Self { no_variables, ..self }
    }

    /// Also finds hidden files, because the program of a language decides which of them it reads.
    pub(crate) fn with_hidden_files(self) -> Self {
        Self { hidden_files: true, ..self }
    }

    /// Sets whether to skip subdirectories.
    pub(crate) fn without_subdirectories(self, flat: bool) -> Self {
        Self { flat, ..self }
    }

    /// Also finds the files of tests in the subdirectory `tests`, where Terraform looks for them.
    pub(crate) fn with_tests(self) -> Self {
        Self { tests: true, ..self }
    }

    /// Finds the files, in the current directory if no paths are given, and warns about links that are skipped.
    pub(crate) fn find(&self, paths: &[PathBuf]) -> FoundInputs {
        let found = self.find_once(paths);
        let folders: BTreeSet<&Path> =
            found.inputs.iter().filter_map(|input| input.path()?.parent()).collect();
        // Finishing a change that a killed run began may create and remove files.
        let found = if atomic_write::finish_changes(folders) { self.find_once(paths) } else { found };
        for skipped in found.skipped.iter().filter(|skipped| skipped.why == Why::Template) {
            note(format!("{} is left out: it is a template, which is not HCL", skipped.path.display()));
        }
        found
    }

    /// Finds the files, of which there must be at least one.
    pub(crate) fn find_in(&self, paths: &[PathBuf]) -> Result<FoundInputs, Failure> {
        let found = self.find(paths);
        if found.inputs.is_empty() && found.unreadable.is_empty() && !found.has_templates() {
            let names: Vec<String> = or_here(paths).iter().map(|path| path.display().to_string()).collect();
            return Err(Failure::new(format!(
                "no HCL files in {}; choose files with --include",
                names.join(", ")
            )));
        }
        Ok(found)
    }

    fn find_once(&self, paths: &[PathBuf]) -> FoundInputs {
        let mut found = FoundInputs::default();
        let paths = or_here(paths);
        let mut seen = if paths.len() > 1 { Seen::default() } else { Seen::off() };
        for path in paths {
            let input = Input::of(path);
            if input != Input::Stdin && path.is_dir() {
                self.walk(path, &mut found, &mut seen);
                let tests = path.join("tests");
                if self.tests && self.flat && tests.is_dir() {
                    self.walk_tests(&tests, &mut found, &mut seen);
                }
            } else if let Some(below) = self.matching(path, &mut seen) {
                found.unreadable.extend(below.unreadable);
                found.inputs.extend(below.inputs);
                found.skipped.extend(below.skipped);
            } else if input != Input::Stdin && path.is_file() && is_template(path) {
                let path = path.clone();
                found.skipped.push(Skipped { path, is_folder: false, why: Why::Template });
            } else if seen.insert(path) {
                found.inputs.push(input);
            }
        }
        if paths.len() > 1 {
            let inputs: HashSet<&Path> = found.inputs.iter().filter_map(Input::path).collect();
            let mut all = HashSet::new();
            found.skipped.retain(|own| !inputs.contains(&*own.path) && all.insert(own.path.clone()));
        }
        found
    }

    /// Finds the files that match a path with wildcards, as a shell does. `None` if there is a file with this name, or no
    /// wildcard.
    fn matching(&self, path: &Path, seen: &mut Seen) -> Option<FoundInputs> {
        let (folder, glob) = globs::of_path(path).filter(|_| path.symlink_metadata().is_err())?;
        let include = Globs::new(&[glob]).ok()?;
        let mut found = FoundInputs::default();
        Self { include, flat: false, ..self.clone() }.walk(&folder, &mut found, &mut Seen::off());
        if found.inputs.is_empty() && found.unreadable.is_empty() {
            found.unreadable.push(unreadable(path, &"no file matches this pattern"));
        }
        found.inputs.retain(|input| input.path().is_some_and(|path| seen.insert(path)));
        Some(found)
    }

    fn walk_tests(&self, folder: &Path, found: &mut FoundInputs, seen: &mut Seen) {
        let mut in_folder = FoundInputs::default();
        self.walk(folder, &mut in_folder, seen);
        found.unreadable.append(&mut in_folder.unreadable);
        for input in in_folder.inputs {
            match input.path() {
                Some(path) if !is_test(path) => seen.remove(path),
                _ => found.inputs.push(input),
            }
        }
    }

    fn walk(&self, folder: &Path, found: &mut FoundInputs, seen: &mut Seen) {
        match Search::open(self, folder) {
            Ok(mut search) => while search.step(found, seen) {},
            Err(why) => found.unreadable.push(why),
        }
    }

    /// Emits what is found for a path, bit by bit and in order: memory depends on the largest directory, not on the number of
    /// files. Changes that killed runs began are finished before a directory is read. Returns false if no more is wanted.
    #[cfg(feature = "tables")]
    pub(crate) fn each(&self, path: &Path, give: &mut dyn FnMut(FoundInputs) -> bool) -> bool {
        if Input::of(path) == Input::Stdin || !path.is_dir() {
            return give(self.find(&[path.to_owned()]));
        }
        atomic_write::finish_changes([path]);
        let mut search = match Search::open(self, path) {
            Ok(search) => search.finishing_changes(),
            Err(why) => return give(FoundInputs { unreadable: vec![why], ..FoundInputs::default() }),
        };
        loop {
            let mut found = FoundInputs::default();
            let has_more = search.step(&mut found, &mut Seen::off());
            let is_empty = found.inputs.is_empty() && found.unreadable.is_empty();
            if !is_empty && !give(found) {
                return false;
            }
            if !has_more {
                return true;
            }
        }
    }

    /// Whether to skip an entry because of ignore files, globs, or because it is a hidden directory.
    fn skips(
        &self,
        entry: &Visited,
        root: &Path,
        ignores: Option<&mut ignores::Ignores>,
        tracked: &mut Tracked,
        found: &mut FoundInputs,
    ) -> bool {
        let is_folder = entry.kind == Kind::Folder;
        let ignored = ignores.and_then(|ignores| ignores.skips(&entry.inside, entry.depth, is_folder));
        // Hidden directories are usually caches. Other hidden files are searched, such as .tflint.hcl.
        let name = entry.name.as_encoded_bytes();
        let is_hidden = is_folder && name.starts_with(b".") && (!self.hidden || name == b".git");
        if is_hidden || self.exclude.as_ref().is_some_and(|globs| globs.matches(root, &entry.path, is_folder))
        {
            return true;
        }
        let Some(by) = tracked.around(&entry.inside).or(ignored) else { return false };
        let is_wanted = if is_folder { !self.flat } else { self.takes(&entry.path, root) };
        // What is in the index is a part of the repository, whatever is ignored.
        if is_wanted && ignores::is_of_git(by) && tracked.has(&entry.inside, is_folder, by) {
            return false;
        }
        if is_wanted {
            found.skipped.push(Skipped { path: entry.path.clone(), is_folder, why: Why::Ignored(by) });
        }
        true
    }

    /// Whether a file in a repository or an archive is selected, by its path there.
    #[cfg(feature = "tables")]
    pub(crate) fn takes_inside(&self, path: &Path) -> bool {
        let root = Path::new("");
        let excluded = |exclude: &Globs| {
            exclude.matches(root, path, false)
                || path
                    .ancestors()
                    .skip(1)
                    .any(|above| !above.as_os_str().is_empty() && exclude.matches(root, above, true))
        };
        let is_hidden = |name: &std::ffi::OsStr| name.as_encoded_bytes().starts_with(b".");
        let hidden = !self.hidden && path.parent().is_some_and(|above| above.iter().any(is_hidden));
        !hidden && self.takes(path, root) && !self.exclude.as_ref().is_some_and(excluded)
    }

    /// Whether a file is one of those that are searched for, according to its name.
    fn takes(&self, path: &Path, root: &Path) -> bool {
        let is_named = if let Some(include) = &self.include {
            include.matches(root, path, false)
        } else {
            let is_also = || self.also.iter().any(|pattern| settings::is_match(pattern, path));
            syntax_of_path(path).is_some() && !self.is_hidden_file(path) || is_also()
        };
        is_named && !self.leaves_out(path)
    }

    /// Whether a file is hidden from the program of its language, such as the links that editors create, or written by it.
    fn is_hidden_file(&self, path: &Path) -> bool {
        let name = path.file_name().unwrap_or_default();
        let ignores = |language: Arc<Dialect>| language.has_modules() && !language.formats(path);
        !self.hidden_files
            && name.as_encoded_bytes().starts_with(b".")
            && (name == LOCK_FILE || Dialect::of_path(path).is_some_and(ignores))
    }

    fn take(&self, entry: Visited, root: &Path, tree: &Arc<Tree>, found: &mut FoundInputs, seen: &mut Seen) {
        let Visited { path, inside, kind, .. } = entry;
        if !self.takes(&path, root) {
            return;
        }
        let skipped = |path, why| Skipped { path, is_folder: false, why };
        if kind == Kind::Other {
            return found.skipped.push(skipped(path, Why::Special));
        }
        let target = match kind {
            // No part of the path below the directory is a link.
            Kind::File if !self.follow => Ok(Entry::File(inside)),
            _ => tree.entry(&path),
        };
        match target {
            Ok(Entry::File(inside)) if seen.insert(&path) => {
                found.inputs.push(Input::Found(path, inside, tree.clone()));
            }
            Ok(Entry::Outside) => {
                warn(format_args!(
                    "skipping {}, a symbolic link to a file outside of its directory; use --follow to read it",
                    path.display()
                ));
                found.skipped.push(skipped(path, Why::Outside));
            }
            Ok(Entry::Other) => found.skipped.push(skipped(path, Why::Special)),
            Ok(Entry::File(_)) => {}
            Err(error) => found.unreadable.push(unreadable(&path, &error)),
        }
    }

    fn leaves_out(&self, path: &Path) -> bool {
        if self.no_variables && holds_variables(path) {
            return true;
        }
        !self.left_out.is_empty() && path.canonicalize().is_ok_and(|path| self.left_out.contains(&path))
    }
}

/// The paths, or the current directory if there are none.
pub(crate) fn or_here(paths: &[PathBuf]) -> &[PathBuf] {
    static HERE: LazyLock<[PathBuf; 1]> = LazyLock::new(|| [PathBuf::from(".")]);
    if paths.is_empty() { &*HERE } else { paths }
}

/// The path from a directory to a file. Both are absolute.
pub(crate) fn relative(from: &Path, to: &Path) -> PathBuf {
    let same = from.components().zip(to.components()).take_while(|(one, other)| one == other).count();
    let up = from.components().skip(same).map(|_| Component::ParentDir);
    up.chain(to.components().skip(same)).collect()
}

/// Whether a file is a variable file, according to its name.
fn holds_variables(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let name = name.strip_suffix(".json").unwrap_or(&name);
    [".tfvars", ".pkrvars.hcl", ".pkrvars"].iter().any(|ending| name.ends_with(ending))
}

/// Whether a file has tests of Terraform, according to its name.
pub(crate) fn is_test(path: &Path) -> bool {
    let name = path.to_string_lossy().to_ascii_lowercase();
    [".tftest.hcl", ".tftest.json", ".tofutest.hcl", ".tofutest.json"].iter().any(|end| name.ends_with(end))
}

fn unreadable(path: &Path, why: &impl ToString) -> Unreadable {
    Unreadable { name: path.display().to_string(), reason: why.to_string(), action: "read" }
}

/// The source of an expression on the command line. The closing delimiter of a heredoc does not require a line break.
pub(crate) fn argument(name: String, text: &str) -> Source {
    let end = if text.contains("<<") { "\n" } else { "" };
    Source::new(name, format!("{text}{end}"))
}
