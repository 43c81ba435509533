//! Which files are selected, and finding them.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hclkit::dialect::{Dialect, FileKind, syntax_of_path};
use hclkit::limits::directory_of;
use hclkit::module::LOCK_FILE;
use hclkit::render::FailedFile;
use hclkit_limits::Glob;

use crate::globs::{self, Globs};
use crate::ignores::{self, Ignores, Tracked};
use crate::open::{Entry, FoundFile, Tree};
use crate::search::Search;
use crate::walk::{Kind, Visited};

/// Selects files in directories.
#[derive(Debug, Clone)]
// Each flag is an option of callers.
#[allow(clippy::struct_excessive_bools)]
pub struct Selection {
    include: Option<Globs>,
    /// Patterns of files that are selected in addition to those with known names.
    also: Vec<Glob>,
    exclude: Option<Globs>,
    pub(super) no_ignore: bool,
    /// Whether to search hidden directories.
    hidden: bool,
    /// Whether to select files that the program of their language does not read because they are hidden.
    hidden_files: bool,
    /// Whether to follow symbolic links to files outside of directories.
    pub(super) follow: bool,
    /// Files to exclude from directories.
    left_out: Vec<PathBuf>,
    /// Whether to exclude variable files from directories.
    no_variables: bool,
    /// Whether to skip subdirectories.
    pub(super) flat: bool,
    /// Whether to find the tests of a module of Terraform, even if subdirectories are skipped.
    tests: bool,
    /// What the caller's users write to have ignore files skipped and links followed.
    names: [&'static str; 2],
}

/// What was found, in order.
#[derive(Debug, Default)]
pub struct Found {
    /// The files that are selected.
    pub files: Vec<FoundFile>,
    /// What could not be read.
    pub unreadable: Vec<FailedFile>,
    /// What was not searched or selected for a reason other than an option.
    pub skipped: Vec<Skipped>,
    /// What users should know besides.
    pub warnings: Vec<String>,
}

impl Found {
    fn is_empty(&self) -> bool {
        self.files.is_empty() && self.unreadable.is_empty() && self.warnings.is_empty()
    }
}

/// A file or directory that the searched directory has, but that was not searched for a reason other than an option.
#[derive(Debug)]
pub struct Skipped {
    /// The path.
    pub path: PathBuf,
    /// Whether it is a directory.
    pub is_folder: bool,
    /// The reason.
    pub why: Why,
}

/// Why an entry was skipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
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
#[derive(Debug, Default)]
pub struct Seen {
    is_off: bool,
    /// The files: their names in directories without links. A link to a file is a file of its own.
    files: HashSet<PathBuf>,
    /// Directories without links, by the paths that lead to them.
    folders: HashMap<PathBuf, PathBuf>,
}

impl Seen {
    /// For files that can be found only once.
    pub fn off() -> Self {
        Self { is_off: true, ..Self::default() }
    }

    /// Returns true if the file was not found before, whatever path led to it.
    pub fn insert(&mut self, path: &Path) -> bool {
        if self.is_off {
            return true;
        }
        let file = self.file(path);
        self.files.insert(file)
    }

    pub(super) fn remove(&mut self, path: &Path) {
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
    /// All files with names of HCL. Patterns with the syntax of `.gitignore` select others instead, or leave some out.
    ///
    /// # Errors
    /// A pattern is invalid. The message names it.
    pub fn new(include: &[String], exclude: &[String]) -> Result<Self, String> {
        Ok(Self {
            include: Globs::new(include)?,
            also: Vec::new(),
            exclude: Globs::new(exclude)?,
            no_ignore: false,
            hidden: false,
            hidden_files: false,
            follow: false,
            left_out: Vec::new(),
            no_variables: false,
            flat: false,
            tests: false,
            names: ["no_ignore", "follow"],
        })
    }

    /// Sets whether to skip ignore files.
    #[must_use]
    pub fn with_no_ignore(self, no_ignore: bool) -> Self {
        Self { no_ignore, ..self }
    }

    /// Sets whether to search hidden directories, and to select hidden files that the program of their language does not read.
    #[must_use]
    pub fn with_hidden(self, hidden: bool) -> Self {
        Self { hidden, hidden_files: hidden, ..self }
    }

    /// Sets whether to follow symbolic links to files outside of the directory.
    #[must_use]
    pub fn with_follow(self, follow: bool) -> Self {
        Self { follow, ..self }
    }

    /// Sets what messages call the options of [`with_no_ignore`](Self::with_no_ignore) and [`with_follow`](Self::with_follow).
    #[must_use]
    pub fn with_option_names(self, no_ignore: &'static str, follow: &'static str) -> Self {
        Self { names: [no_ignore, follow], ..self }
    }

    /// Why an ignore file ends the search of its directory, and what helps.
    pub(super) fn about_ignores(&self, why: &str) -> String {
        format!("{why} (use {} to skip ignore files)", self.names[0])
    }

    /// Excludes these files from directories.
    #[must_use]
    pub fn without(mut self, files: &[PathBuf]) -> Self {
        self.left_out = files.iter().filter_map(|file| file.canonicalize().ok()).collect();
        self
    }

    /// Also selects files that match these patterns.
    #[must_use]
    pub fn with_also(self, patterns: impl IntoIterator<Item = Glob>) -> Self {
        Self { also: patterns.into_iter().collect(), ..self }
    }

    /// Sets whether to exclude variable files from directories.
    #[must_use]
    pub fn without_variables(self, no_variables: bool) -> Self {
        Self { no_variables, ..self }
    }

    /// Also finds hidden files, because the program of a language decides which of them it reads.
    #[must_use]
    pub fn with_hidden_files(self) -> Self {
        Self { hidden_files: true, ..self }
    }

    /// Sets whether to skip subdirectories.
    #[must_use]
    pub fn without_subdirectories(self, flat: bool) -> Self {
        Self { flat, ..self }
    }

    /// Also finds the files of tests in the subdirectory `tests`, where Terraform looks for them.
    #[must_use]
    pub fn with_tests(self) -> Self {
        Self { tests: true, ..self }
    }

    /// Finds the files that match a path with wildcards, as a shell does. `None` if there is a file with this name, or no
    /// wildcard.
    pub fn matching(&self, path: &Path, seen: &mut Seen) -> Option<Found> {
        let (folder, glob) = globs::of_path(path).filter(|_| path.symlink_metadata().is_err())?;
        let include = Globs::new(&[glob]).ok()?;
        let mut found = Found::default();
        Self { include, flat: false, ..self.clone() }.search(&folder, &mut found, &mut Seen::off());
        if found.files.is_empty() && found.unreadable.is_empty() {
            found.unreadable.push(unreadable(path, &"no file matches this pattern"));
        }
        found.files.retain(|file| seen.insert(&file.path));
        Some(found)
    }

    /// Finds the files of a directory, and the tests of its module.
    pub fn walk(&self, folder: &Path, found: &mut Found, seen: &mut Seen) {
        self.search(folder, found, seen);
        let tests = folder.join("tests");
        if self.tests && self.flat && tests.is_dir() {
            self.search_tests(&tests, found, seen);
        }
    }

    fn search_tests(&self, folder: &Path, found: &mut Found, seen: &mut Seen) {
        let mut in_folder = Found::default();
        self.search(folder, &mut in_folder, seen);
        found.unreadable.append(&mut in_folder.unreadable);
        found.warnings.append(&mut in_folder.warnings);
        for file in in_folder.files {
            if is_test(&file.path) {
                found.files.push(file);
            } else {
                seen.remove(&file.path);
            }
        }
    }

    fn search(&self, folder: &Path, found: &mut Found, seen: &mut Seen) {
        match Search::open(self, folder) {
            Ok(mut search) => while search.step(found, seen, &mut |_| {}) {},
            Err(why) => found.unreadable.push(why),
        }
    }

    /// Gives what is found in a directory, bit by bit and in order: memory depends on the largest directory, not on the number of
    /// files. `before` is told of each directory in it before that is read. Returns false if `give` does, which ends the search.
    pub fn each(
        &self,
        directory: &Path,
        before: &mut dyn FnMut(&Path),
        give: &mut dyn FnMut(Found) -> bool,
    ) -> bool {
        let mut search = match Search::open(self, directory) {
            Ok(search) => search,
            Err(why) => return give(Found { unreadable: vec![why], ..Found::default() }),
        };
        loop {
            let mut found = Found::default();
            let has_more = search.step(&mut found, &mut Seen::off(), before);
            if !found.is_empty() && !give(found) {
                return false;
            }
            if !has_more {
                return true;
            }
        }
    }

    /// Whether to skip an entry because of ignore files, globs, or because it is a hidden directory.
    pub(super) fn skips(
        &self,
        entry: &Visited,
        root: &Path,
        ignores: Option<&mut Ignores>,
        tracked: &mut Tracked,
        found: &mut Found,
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
        if is_wanted
            && ignores::is_of_git(by)
            && tracked.has(&entry.inside, is_folder, by, &mut found.warnings)
        {
            return false;
        }
        if is_wanted {
            found.skipped.push(Skipped { path: entry.path.clone(), is_folder, why: Why::Ignored(by) });
        }
        true
    }

    /// Whether a file in a repository or an archive is selected, by its path there.
    pub fn takes_inside(&self, path: &Path) -> bool {
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
            let is_also = || self.also.iter().any(|pattern| pattern.matches_on_disk(path));
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

    pub(super) fn take(
        &self,
        entry: Visited,
        root: &Path,
        tree: &Arc<Tree>,
        found: &mut Found,
        seen: &mut Seen,
    ) {
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
                found.files.push(FoundFile::new(path, inside, tree.clone()));
            }
            Ok(Entry::Outside) => {
                found.warnings.push(format!(
                    "skipping {}, a symbolic link to a file outside of its directory; use {} to read it",
                    path.display(),
                    self.names[1]
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

/// Whether a file is a variable file, according to its name.
fn holds_variables(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let name = name.strip_suffix(".json").unwrap_or(&name);
    [".tfvars", ".pkrvars.hcl", ".pkrvars"].iter().any(|ending| name.ends_with(ending))
}

/// Whether a language says that files with this name are templates, which are not HCL.
pub fn is_template(path: &Path) -> bool {
    Dialect::has_file(path, &[FileKind::Template])
}

/// Whether a file has tests of Terraform, according to its name.
pub fn is_test(path: &Path) -> bool {
    let name = path.to_string_lossy().to_ascii_lowercase();
    [".tftest.hcl", ".tftest.json", ".tofutest.hcl", ".tofutest.json"].iter().any(|end| name.ends_with(end))
}

pub(super) fn unreadable(path: &Path, why: &impl ToString) -> FailedFile {
    FailedFile { name: path.display().to_string(), reason: why.to_string(), action: "read" }
}
