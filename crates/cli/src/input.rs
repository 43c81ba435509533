//! Selects and reads input files: paths on the command line, files in directories and standard input.

use std::collections::{BTreeSet, HashSet};
use std::fs::File;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, LazyLock};

use hclkit::dialect::Dialect;
use hclkit::limits::directory_of;
pub(crate) use hclkit::render::FailedFile as Unreadable;
use hclkit::{Document, Source, Syntax};
use hclkit_files::{Found, is_template, read_all, read_of_size};
pub(crate) use hclkit_files::{FoundFile, Seen, Selection, Skipped, Why};

use crate::args::Files;
use crate::atomic_write;
use crate::host;
use crate::outcome::Failure;
use crate::output::{note, warn};

/// The name of standard input in messages.
pub(crate) const STDIN_NAME: &str = "<stdin>";

/// The default of `--max-size`.
pub(crate) const MAX_SIZE: u64 = 256 << 20;

/// Something to read.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Input {
    Stdin,
    /// A file specified on the command line.
    File(PathBuf),
    /// A file found in a directory.
    Found(FoundFile),
}

impl From<Unreadable> for Failure {
    fn from(unreadable: Unreadable) -> Self {
        Self::new(unreadable.to_string())
    }
}

impl Input {
    /// What tells it from other inputs, also in another run.
    pub(crate) fn identity(&self) -> (Option<&Path>, Option<PathBuf>) {
        let place = if let Self::Found(found) = self { Some(found.place()) } else { None };
        (self.path(), place)
    }

    /// `-` is standard input.
    pub(crate) fn of(path: &Path) -> Self {
        if path == Path::new("-") { Self::Stdin } else { Self::File(path.to_owned()) }
    }

    /// The name of the input in messages.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Stdin => host::Host::current().stdin_name().unwrap_or_else(|| STDIN_NAME.to_owned()),
            Self::File(path) | Self::Found(FoundFile { path, .. }) => path.to_string_lossy().into_owned(),
        }
    }

    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Self::Stdin => None,
            Self::File(path) | Self::Found(FoundFile { path, .. }) => Some(path),
        }
    }

    /// The language of the input, according to its name.
    pub(crate) fn dialect(&self) -> Option<Arc<Dialect>> {
        Dialect::of_path(self.name())
    }

    /// The path of a file without links in its directory, as changes have it. A link has changed if it refers to another file now.
    pub(crate) fn as_changed(&self) -> Option<PathBuf> {
        let path = self.path()?;
        Some(directory_of(path).canonicalize().ok()?.join(path.file_name()?))
    }

    /// The path without links.
    pub(crate) fn canonical(&self) -> Option<PathBuf> {
        self.path()?.canonicalize().ok()
    }

    /// The syntax of the input, according to its name.
    pub(crate) fn syntax(&self) -> Syntax {
        match self {
            Self::Stdin => Dialect::syntax_of(self.name()),
            Self::File(path) | Self::Found(FoundFile { path, .. }) => Dialect::syntax_of(path),
        }
    }

    /// Whether the input belongs to an application that reads HCL 1, and JSON as HCL 1 reads it.
    pub(crate) fn is_hcl1(&self) -> bool {
        self.dialect().is_some_and(|dialect| dialect.syntax() == Syntax::Hcl1)
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
            Self::Stdin => read_all(host::stdin()?, limit, ask),
            Self::File(path) => {
                let file = File::open(path)?;
                let size = file.metadata().map_or(0, |metadata| metadata.len());
                read_of_size(file, size, limit, ask)
            }
            Self::Found(found) => found.read(limit, ask),
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
            Self::Found(found) => found.open(),
        }
    }

    fn unreadable(&self, why: &impl ToString) -> Unreadable {
        Unreadable { name: self.name(), reason: why.to_string(), action: "read" }
    }
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

    fn extend(&mut self, found: Found) {
        found.warnings.iter().for_each(warn);
        self.inputs.extend(found.files.into_iter().map(Input::Found));
        self.unreadable.extend(found.unreadable);
        self.skipped.extend(found.skipped);
    }
}

/// Says which files of directories are selected.
pub(crate) fn selection(files: &Files) -> Result<Selection, Failure> {
    let selection = Selection::new(&files.include, &files.exclude).map_err(Failure::new)?;
    let selection =
        selection.with_no_ignore(files.no_ignore).with_hidden(files.hidden).with_follow(files.follow);
    Ok(selection.with_option_names("--no-ignore", "--follow"))
}

/// Finds the files that a command reads.
pub(crate) trait Find {
    /// Finds the files, in the current directory if no paths are given, and warns about links that are skipped.
    fn find(&self, paths: &[PathBuf]) -> FoundInputs;

    /// Finds the files, of which there must be at least one.
    fn find_in(&self, paths: &[PathBuf]) -> Result<FoundInputs, Failure>;
}

impl Find for Selection {
    fn find(&self, paths: &[PathBuf]) -> FoundInputs {
        let found = find_once(self, paths);
        let folders: BTreeSet<&Path> =
            found.inputs.iter().filter_map(|input| input.path()?.parent()).collect();
        // Finishing a change that a killed run began may create and remove files.
        let found = if atomic_write::finish_changes(folders) { find_once(self, paths) } else { found };
        for skipped in found.skipped.iter().filter(|skipped| skipped.why == Why::Template) {
            note(format!("{} is left out: it is a template, which is not HCL", skipped.path.display()));
        }
        found
    }

    fn find_in(&self, paths: &[PathBuf]) -> Result<FoundInputs, Failure> {
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
}

fn find_once(selection: &Selection, paths: &[PathBuf]) -> FoundInputs {
    let mut found = FoundInputs::default();
    let paths = or_here(paths);
    let mut seen = if paths.len() > 1 { Seen::default() } else { Seen::off() };
    for path in paths {
        let input = Input::of(path);
        if input != Input::Stdin && path.is_dir() {
            let mut below = Found::default();
            selection.walk(path, &mut below, &mut seen);
            found.extend(below);
        } else if let Some(below) = selection.matching(path, &mut seen) {
            found.extend(below);
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

/// Reads everything, up to the size limit.
pub(crate) fn all(from: impl io::Read) -> io::Result<Vec<u8>> {
    read_all(from, host::Host::current().max_size(), &mut |_| Ok(()))
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

/// The source of an expression on the command line. The closing delimiter of a heredoc does not require a line break.
pub(crate) fn argument(name: String, text: &str) -> Source {
    let end = if text.contains("<<") { "\n" } else { "" };
    Source::new(name, format!("{text}{end}"))
}
