//! What the paths on the command line are: directories, files, bare repositories, archives, tables of files. Their files are given
//! on in order, so that memory does not grow with their number.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hclkit_tables::{Content, Entry, JsonRows, ParquetRows, content_limit};

use super::directories::Directories;
use super::repos::Repos;
use super::update::{Failures, Update};
use super::{archive, git, slashed};
use crate::args::Tables;
use crate::host::{self, Host};
use crate::input::{Input, Selection, or_here};
use crate::output::{plural, warn};

/// Finds files.
pub(super) struct Inputs<'i> {
    command: &'i Tables,
    selection: Selection,
    /// Whether directories are evaluated, too.
    evaluates: bool,
    emit: &'i mut dyn FnMut(Entry) -> bool,
    fail: &'i dyn Fn(&dyn Display),
    update: Option<&'i Update<'i>>,
    failures: Failures,
    /// How many bytes a content may have.
    most_bytes: u64,
}

/// The kind of a path.
pub(super) enum Kind {
    Files,
    /// A pipe, a socket or a device, which could be endless.
    Special,
    Bare,
    Archive {
        compressed: bool,
    },
    Parquet,
    Lines,
}

impl<'i> Inputs<'i> {
    pub(super) fn new(
        command: &'i Tables,
        selection: Selection,
        evaluates: bool,
        emit: &'i mut dyn FnMut(Entry) -> bool,
        fail: &'i dyn Fn(&dyn Display),
        update: Option<&'i Update<'i>>,
    ) -> Self {
        let most_bytes = Host::current().max_size().min(content_limit(command.max_in_flight));
        let failures = update.map(Update::failures).unwrap_or_default();
        Self { command, selection, evaluates, emit, fail, update, failures, most_bytes }
    }

    /// Emits the files of all paths.
    pub(super) fn all(&mut self) {
        for path in or_here(&self.command.paths) {
            if self.update.is_some_and(|update| update.keeps(path)) {
                continue;
            }
            let more = match kind(path) {
                Kind::Files if path != Path::new("-") && path.symlink_metadata().is_err() => self
                    .unreadable(path.display().to_string(), "there is no such file or directory".to_owned()),
                Kind::Files => self.files(path) && self.bare_repositories(path),
                Kind::Special => self.unreadable(
                    path.display().to_string(),
                    "it is neither a regular file nor a directory; to read a pipe, use - for standard input"
                        .to_owned(),
                ),
                kind => self.read(path, &kind),
            };
            if !more {
                return;
            }
        }
    }

    /// The files in a repository, an archive or a table. If it cannot be read, that is said, and the others are read.
    fn read(&mut self, path: &Path, kind: &Kind) -> bool {
        self.within(path, kind).unwrap_or_else(|why| {
            (self.fail)(&format!("cannot read {}: {why}", path.display()));
            let is_limit = why.kind() == io::ErrorKind::FileTooLarge;
            let code = if is_limit { "source-too-large" } else { "unreadable-file" };
            self.failures.note(&name_of(path));
            let content = Content::Unread { bytes: 0, code, why: why.to_string() };
            let (repo, path) = (Some(name_of(path)), slashed(path).into());
            (self.emit)(Entry { repo, commit: None, path, content })
        })
    }

    /// The bare repositories in a directory, such as the mirrors of an organisation. Their names end in `.git`.
    fn bare_repositories(&mut self, path: &Path) -> bool {
        let entries = path.read_dir().into_iter().flatten().flatten().map(|entry| entry.path());
        let is_named = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "git");
        let mut found: Vec<PathBuf> =
            entries.filter(is_named).filter(|path| matches!(kind(path), Kind::Bare)).collect();
        found.sort();
        found.iter().all(|path| self.read(path, &Kind::Bare))
    }

    /// The files of a directory, or a single one.
    fn files(&mut self, path: &Path) -> bool {
        let selection = self.selection.clone();
        let mut repos = Repos::new(self.command.repo_from.as_ref());
        let most_bytes = self.most_bytes;
        let mut directories = Directories::new(self.evaluates, most_bytes);
        let more = selection.each(path, &mut |found| {
            let mut unreadable = found.unreadable.into_iter();
            if !unreadable.all(|own| self.unreadable(own.name, own.reason)) {
                return false;
            }
            found.inputs.into_iter().all(|input| {
                let name = input.name();
                let own = repos.of(input.path().unwrap_or(Path::new(&name)));
                let before = directories.found(&input, &own);
                let content = Content::Later(Box::new(move |allowance| {
                    input.bytes_within(most_bytes, &mut |bytes| allowance.ask(bytes))
                }));
                let entry = Entry { repo: own.repo, commit: own.commit, path: own.path, content };
                before.into_iter().all(|entry| (self.emit)(entry)) && (self.emit)(entry)
            })
        });
        more && directories.all().into_iter().all(|entry| (self.emit)(entry))
    }

    /// Says that something cannot be read, and gives it on as such.
    fn unreadable(&mut self, name: String, why: String) -> bool {
        (self.fail)(&format!("cannot read {name}: {why}"));
        let content = Content::Unread { bytes: 0, code: "unreadable-file", why };
        (self.emit)(Entry { repo: None, commit: None, path: name.into(), content })
    }

    /// The files in a repository, an archive or a table.
    fn within(&mut self, path: &Path, kind: &Kind) -> io::Result<bool> {
        let (most_bytes, in_flight) = (self.most_bytes, self.command.max_in_flight);
        let name = name_of(path);
        let mut directories = Directories::new(self.evaluates, most_bytes);
        let mut links = 0;
        let selection = &self.selection;
        let mut emit = |entry: Entry| {
            let before = directories.before(&entry);
            before.into_iter().all(|entry| (self.emit)(entry)) && {
                directories.add(&entry);
                (self.emit)(entry)
            }
        };
        let more = match kind {
            Kind::Bare => {
                let (at_once, failures) = (self.evaluates, self.failures.clone());
                let wanted = git::Wanted { name: &name, selection, most_bytes, in_flight, at_once, failures };
                git::each(path, &wanted, &mut links, &mut emit)?
            }
            Kind::Archive { compressed } => {
                let wanted = archive::Wanted { name: &name, selection, most_bytes, in_flight };
                archive::each(File::open(path)?, *compressed, &wanted, &mut links, &mut emit)?
            }
            Kind::Parquet => {
                let mut rows = ParquetRows::open_within(File::open(path)?, most_bytes, in_flight)?;
                rows.try_fold(true, |more, entry| Ok::<_, io::Error>(more && emit(entry?)))?
            }
            Kind::Lines if path == Path::new("-") => {
                lines(JsonRows::new(host::stdin()?, most_bytes).with_bytes_in_flight(in_flight), &mut emit)?
            }
            Kind::Lines => {
                let rows = JsonRows::new(BufReader::new(File::open(path)?), most_bytes);
                lines(rows.with_bytes_in_flight(in_flight), &mut emit)?
            }
            Kind::Files | Kind::Special => true,
        };
        if links > 0 {
            let (links, path) = (plural(links, "link"), path.display());
            warn(format_args!(
                "skipping {links} in {path}: links in archives and bare repositories are not followed"
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

/// The kind of a path, by its name and its content.
pub(super) fn kind(path: &Path) -> Kind {
    let named = match Input::of(path) {
        Input::Stdin => Input::Stdin.name(),
        _ => path.file_name().unwrap_or_default().to_string_lossy().to_lowercase(),
    };
    if path.is_dir() {
        let is_bare =
            path.join("HEAD").is_file() && path.join("objects").is_dir() && path.join("refs").is_dir();
        return if is_bare { Kind::Bare } else { Kind::Files };
    }
    if path != Path::new("-") && path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        return Kind::Special;
    }
    let ends = |ends: &[&str]| ends.iter().any(|end| named.ends_with(end));
    match () {
        () if ends(&[".tar"]) => Kind::Archive { compressed: false },
        () if ends(&[".tar.gz", ".tgz"]) => Kind::Archive { compressed: true },
        () if ends(&[".parquet"]) => Kind::Parquet,
        () if ends(&[".ndjson", ".jsonl"]) => Kind::Lines,
        () => Kind::Files,
    }
}

/// The name of a repository or an archive, without its ending.
pub(super) fn name_of(path: &Path) -> Arc<str> {
    let name = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let name = slashed(Path::new(name.file_name().unwrap_or_default()));
    let endings = [".git", ".tar.gz", ".tgz", ".tar"];
    let stem = endings.iter().find_map(|ending| name.strip_suffix(ending)).filter(|stem| !stem.is_empty());
    stem.unwrap_or(&name).into()
}
