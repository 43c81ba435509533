//! Ignore files: `.gitignore`, `.ignore`, `.hclignore` and `.git/info/exclude`. The crate `ignore` matches their
//! patterns, but does not read them, because it would open anything with such a name, block on pipes, and read without
//! a limit. Files that are ignored may be in the index of Git, which is read once something is ignored.

use std::collections::HashSet;
use std::ops::Range;
use std::path::{Path, PathBuf};

#[cfg(feature = "git")]
use hclkit_git::Repository;
use hclkit_limits::{GlobError, IgnoreBuilder};
use ignore::gitignore::{Gitignore, gitconfig_excludes_path};

use crate::small::read_small;

/// The name of hcl's own ignore files.
const OWN_NAME: &str = ".hclignore";

/// An ignore file that cannot be used, and why.
pub(super) type Problem = (PathBuf, String);

/// The ignore files that apply to the entry that a search has reached.
#[derive(Debug)]
pub(super) struct Ignores {
    /// The canonical path of the searched directory.
    base: PathBuf,
    /// The ignore files of the directories from the root of the file system to the one that contains the entry.
    levels: Vec<Level>,
    /// How many of these directories contain the searched one.
    outer: usize,
    /// The user's own patterns for git.
    global: Gitignore,
    /// The kinds of ignore files that count.
    kinds: Range<usize>,
}

/// The ignore files of one directory, those with the highest precedence first.
type Level = [Gitignore; 4];

/// Their names, and that of the user's own patterns.
const NAMES: [&str; 5] =
    [OWN_NAME, ".ignore", ".gitignore", ".git/info/exclude", "the ignore file of git for all repositories"];

/// Whether an ignore file is one of Git, and not one of our own.
pub(super) fn is_of_git(name: &str) -> bool {
    name != OWN_NAME && name != ".ignore"
}

impl Ignores {
    /// Reads the ignore files of a directory to search and of those that contain it.
    pub(super) fn new(root: &Path) -> Result<Self, Problem> {
        let base = root.canonicalize().map_err(|error| (root.to_owned(), error.to_string()))?;
        let mut levels = Vec::new();
        for folder in base.ancestors() {
            levels.push(level(folder, folder, |_| true)?);
        }
        levels.reverse();
        let global = gitconfig_excludes_path().map(|path| patterns(Path::new(""), &path));
        let (outer, global) = (levels.len() - 1, global.unwrap_or_else(|| Ok(Gitignore::empty()))?);
        Ok(Self { base, levels, outer, global, kinds: 0..NAMES.len() - 1 })
    }

    /// Counts only the ignore files of Git.
    pub(super) fn of_git(self) -> Self {
        Self { kinds: 2..NAMES.len() - 1, ..self }
    }

    /// Returns the name of the ignore file because of which the search must skip an entry, whose path in the searched
    /// directory is given. It must call this for each entry, and [`enter`](Self::enter) for each directory before its
    /// entries.
    pub(super) fn skips(&mut self, inside: &Path, depth: usize, is_folder: bool) -> Option<&'static str> {
        self.levels.truncate(self.outer + depth);
        let kinds = self.kinds.clone();
        let own =
            kinds.flat_map(|kind| self.levels.iter().rev().map(move |level| (NAMES[kind], &level[kind])));
        let all = own.chain([(NAMES[4], &self.global)]);
        let mut patterns = all.filter(|(_, patterns)| !patterns.is_empty()).peekable();
        patterns.peek()?;
        let path = self.base.join(inside);
        let mut matches = patterns.map(|(name, patterns)| (name, patterns.matched(&path, is_folder)));
        let (name, found) = matches.find(|(_, found)| !found.is_none())?;
        found.is_ignore().then_some(name)
    }

    /// Reads the ignore files of a directory that is searched next: its path, its path in the searched directory, and
    /// whether it has an entry.
    pub(super) fn enter(
        &mut self,
        path: &Path,
        inside: &Path,
        has: impl Fn(&str) -> bool,
    ) -> Result<(), Problem> {
        self.levels.push(level(path, &self.base.join(inside), has)?);
        Ok(())
    }
}

/// Reads the ignore files of a directory: its path for messages, its absolute path, and whether it may have an entry.
fn level(named: &Path, folder: &Path, has: impl Fn(&str) -> bool) -> Result<Level, Problem> {
    let read = |name| if has(name) { patterns(folder, &named.join(name)) } else { Ok(Gitignore::empty()) };
    let exclude = if has(".git") { exclude_file(named) } else { Ok(None) };
    let exclude = exclude.map_err(|why| (named.join(".git"), in_full(&why)))?;
    let exclude = exclude.map(|exclude| patterns(folder, &exclude));
    Ok([
        read(OWN_NAME)?,
        read(".ignore")?,
        read(".gitignore")?,
        exclude.unwrap_or_else(|| Ok(Gitignore::empty()))?,
    ])
}

/// The patterns of an ignore file, or none if it does not exist. As in git, invalid patterns are skipped.
fn patterns(folder: &Path, path: &Path) -> Result<Gitignore, Problem> {
    let problem = |why: String| (path.to_owned(), in_full(&why));
    let Some(text) = read_small(path).map_err(problem)? else { return Ok(Gitignore::empty()) };
    let mut builder = IgnoreBuilder::new(folder);
    let text = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&text);
    for (at, line) in text.split(|&byte| byte == b'\n').enumerate() {
        let Ok(line) = std::str::from_utf8(line) else { continue };
        let line = line.strip_suffix('\r').unwrap_or(line);
        if let Err(GlobError::Limit(why)) = builder.add(line) {
            return Err(problem(format!("invalid pattern on line {}: {why}", at + 1)));
        }
    }
    builder.build().map_err(|why| problem(why.to_string()))
}

fn in_full(why: &str) -> String {
    format!("{why}; its directory was not searched")
}

/// The files in the index, and the ignored directories that the search has entered because of them.
pub(super) struct Tracked {
    root: PathBuf,
    files: Option<HashSet<PathBuf>>,
    folders: HashSet<PathBuf>,
    /// The ignored directories that were entered, with the name of the ignore file.
    entered: Vec<(PathBuf, &'static str)>,
}

impl Tracked {
    pub(super) fn of(root: &Path) -> Self {
        Self { root: root.to_owned(), files: None, folders: HashSet::new(), entered: Vec::new() }
    }

    /// The ignore file because of which everything in the directory of an entry is ignored.
    pub(super) fn around(&self, inside: &Path) -> Option<&'static str> {
        let is_around = |(folder, _): &&(PathBuf, &str)| inside != folder && inside.starts_with(folder);
        self.entered.iter().find(is_around).map(|(_, by)| *by)
    }

    /// Returns true for a file in the index, and for a directory with one, which is entered.
    pub(super) fn has(
        &mut self,
        inside: &Path,
        is_folder: bool,
        by: &'static str,
        warnings: &mut Vec<String>,
    ) -> bool {
        let files = self.files.get_or_insert_with(|| {
            let files = in_index(&self.root).unwrap_or_else(|why| {
                warnings.push(format!("{why}; ignored files are skipped, even those that Git tracks"));
                HashSet::new()
            });
            let parents = files.iter().flat_map(|file| file.ancestors().skip(1));
            self.folders = parents.map(Path::to_owned).collect();
            files
        });
        if !is_folder {
            return files.contains(inside);
        }
        let has = self.folders.contains(inside);
        if has {
            self.entered.push((inside.to_owned(), by));
        }
        has
    }
}

/// The file with what the repository in a directory ignores besides.
#[cfg(feature = "git")]
fn exclude_file(directory: &Path) -> Result<Option<PathBuf>, String> {
    Repository::exclude_file(directory).map_err(|why| why.to_string())
}

#[cfg(not(feature = "git"))]
#[allow(clippy::unnecessary_wraps, reason = "as with the feature")]
fn exclude_file(_: &Path) -> Result<Option<PathBuf>, String> {
    Ok(None)
}

/// The files below a directory that are in the index of its repository, relative to the directory. There are none without a
/// repository.
#[cfg(feature = "git")]
fn in_index(directory: &Path) -> Result<HashSet<PathBuf>, String> {
    let directory = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
    let found = Repository::around(directory).and_then(|found| {
        found.map_or_else(|| Ok(HashSet::new()), |repository| repository.tracked(directory))
    });
    found.map_err(|why| why.to_string())
}

#[cfg(not(feature = "git"))]
fn in_index(directory: &Path) -> Result<HashSet<PathBuf>, String> {
    let directory = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
    let directory = directory.canonicalize().map_err(|error| error.to_string())?;
    if directory.ancestors().any(|above| above.join(".git").exists()) {
        return Err("the index of Git is not read without the feature `git`".to_owned());
    }
    Ok(HashSet::new())
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;

    use rustix::fs::{CWD, FileType, Mode, mknodat};

    use super::*;

    /// Whether a search skips a file, after entering the directories above it.
    fn skips(ignores: &mut Ignores, root: &Path, path: &str) -> bool {
        let path = root.join(path);
        let inside = path.strip_prefix(root).unwrap();
        let folders: Vec<&Path> = inside.ancestors().skip(1).filter(|part| *part != Path::new("")).collect();
        for (at, folder) in folders.iter().rev().enumerate() {
            if ignores.skips(folder, at + 1, true).is_some() {
                return true;
            }
            ignores.enter(&root.join(folder), folder, |_| true).unwrap();
        }
        ignores.skips(inside, folders.len() + 1, path.is_dir()).is_some()
    }

    #[test]
    fn files_nearer_to_an_entry_and_our_own_files_take_precedence() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("outer/tree");
        for folder in ["a/b", "c", ".git/info", "gen"] {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        let write = |path: &str, text: &str| fs::write(root.join(path), text).unwrap();
        write("../.gitignore", "from-outside.hcl\n/tree/anchored.hcl\n");
        write(".gitignore", "\u{feff}*.gen.hcl\r\ngen/\n\\#x.hcl\n# comment.hcl\n[z-a].hcl\n");
        write("a/.gitignore", "!keep.gen.hcl\n/b.hcl\n");
        write("a/.ignore", "plain.hcl\n");
        write("c/.gitignore", "ours.hcl\n");
        write("c/.hclignore", "!ours.hcl\n");
        write(".git/info/exclude", "excluded.hcl\n");
        let mut ignores = Ignores::new(&root).unwrap();
        for (path, skipped) in [
            ("x.hcl", false),
            ("x.gen.hcl", true),
            ("#x.hcl", true),
            ("# comment.hcl", false),
            ("gen", true),
            ("gen/x.hcl", true),
            ("a/x.gen.hcl", true),
            ("a/keep.gen.hcl", false),
            ("keep.gen.hcl", true),
            ("a/b.hcl", true),
            ("a/b/b.hcl", false),
            ("a/b/plain.hcl", true),
            ("plain.hcl", false),
            ("c/ours.hcl", false),
            ("excluded.hcl", true),
            ("a/b/excluded.hcl", true),
            ("c/from-outside.hcl", true),
            ("anchored.hcl", true),
            ("a/anchored.hcl", false),
        ] {
            assert_eq!(skips(&mut ignores, &root, path), skipped, "{path}");
        }
    }

    #[test]
    fn a_working_tree_has_the_patterns_of_its_repository() {
        let folder = tempfile::tempdir().unwrap();
        let (tree, git) = (folder.path().join("tree"), folder.path().join("repository"));
        for directory in ["worktrees/tree", "info", "objects", "refs"] {
            fs::create_dir_all(git.join(directory)).unwrap();
        }
        fs::create_dir(&tree).unwrap();
        fs::write(git.join("info/exclude"), "excluded.hcl\n").unwrap();
        fs::write(git.join("worktrees/tree/commondir"), "../..\n").unwrap();
        fs::write(git.join("worktrees/tree/gitdir"), tree.join(".git").display().to_string()).unwrap();
        fs::write(tree.join(".git"), format!("gitdir: {}/worktrees/tree\n", git.display())).unwrap();
        let mut ignores = Ignores::new(&tree).unwrap();
        assert_eq!(ignores.skips(Path::new("excluded.hcl"), 1, false), Some(".git/info/exclude"));
        assert_eq!(ignores.skips(Path::new("other.hcl"), 1, false), None);
    }

    /// A pipe that replaces a file never blocks the search, whenever it appears.
    #[test]
    fn a_pipe_that_replaces_a_file_does_not_block() {
        let folder = tempfile::tempdir().unwrap();
        let (root, path) = (folder.path(), folder.path().join(".gitignore"));
        fs::write(root.join("file"), "*.hcl\n").unwrap();
        mknodat(CWD, root.join("pipe"), FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();
        let done = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    for name in ["file", "pipe"] {
                        fs::hard_link(root.join(name), root.join("next")).unwrap();
                        fs::rename(root.join("next"), &path).unwrap();
                        // If both names refer to one file, renaming does nothing.
                        _ = fs::remove_file(root.join("next"));
                    }
                }
            });
            let (mut files, mut pipes, mut other) = (0, 0, None);
            while (files < 100 || pipes < 100) && other.is_none() {
                match Ignores::new(root) {
                    Ok(_) => files += 1,
                    Err((_, why)) if why.starts_with("not a regular file;") => pipes += 1,
                    Err((_, why)) => other = Some(why),
                }
            }
            done.store(true, Ordering::Relaxed);
            assert_eq!(other, None);
        });
    }
}
