//! Which versions are compared: revisions, the index and the working tree of a Git repository, two directories, or one directory with
//! two sets of inputs.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hclkit_git::Repository;

use super::tree::Tree;
use crate::args::{self, Definition, Variables};
use crate::outcome::Failure;

/// The names of what is not a commit.
const INDEX: &str = ":index";
const WORKING_TREE: &str = ":worktree";

/// What is compared.
pub(super) enum Versions {
    /// Two versions of the repository, and the directories in it that are compared. Without any, all root modules are.
    Trees { old: Side, new: Side, directories: Vec<String> },
    /// Two directories.
    Directories(PathBuf, PathBuf),
    /// One directory with two sets of inputs, which are the definitions of each.
    Inputs { directory: PathBuf, old: Vec<Definition>, new: Vec<Definition>, names: [String; 2] },
}

/// A version of the repository.
pub(super) struct Side {
    pub(super) name: String,
    pub(super) tree: Arc<Tree>,
}

impl Versions {
    /// # Errors
    /// A version does not exist, or what the arguments mean is not clear.
    pub(super) fn of(command: &args::Diff) -> Result<Self, Failure> {
        let words: Vec<&str> = command.versions.iter().map(String::as_str).collect();
        let here =
            Path::new(".").canonicalize().map_err(|error| Failure::new(format!("cannot read .: {error}")))?;
        let (repository, why) = match Repository::around(&here) {
            Ok(Some(found)) => (Some(found), String::new()),
            Ok(None) => (None, "there is no Git repository here".to_owned()),
            Err(why) => (None, format!("the repository cannot be read: {why}")),
        };
        let is_version = |word: &str| {
            is_range(word)
                || [INDEX, WORKING_TREE].contains(&word)
                || !word.starts_with(['.', '/', '-'])
                    && repository.as_ref().is_some_and(|repository| repository.commit(word).is_ok())
        };
        let is_directory = |word: &str| Path::new(word).is_dir();
        if let Some(word) = words.iter().take(2).find(|word| is_version(word) && is_directory(word)) {
            return Err(Failure::new(format!(
                "{word} is a revision and a directory; write ./{word} for the directory, or refs/heads/{word}"
            )));
        }
        match &words[..] {
            [first, ..] if is_version(first) => Self::revisions(repository.as_ref(), &words, &is_version),
            [old, new] if is_directory(old) && is_directory(new) => {
                Ok(Self::Directories((*old).into(), (*new).into()))
            }
            [] | [_] if is_directory(words.first().unwrap_or(&".")) => {
                Self::inputs(command, words.first().unwrap_or(&"."))
            }
            [] => unreachable_directory("."),
            words => {
                let Some(wrong) = words.iter().find(|word| !is_directory(word)) else {
                    return Err(Failure::new("expected two directories"));
                };
                let why = if repository.is_some() { "not a revision of the repository" } else { &why };
                Err(Failure::new(format!("{wrong} is not a directory, and {why}")))
            }
        }
    }

    fn revisions(
        repository: Option<&Repository>,
        words: &[&str],
        is_version: &dyn Fn(&str) -> bool,
    ) -> Result<Self, Failure> {
        let Some(repository) = repository else {
            return Err(Failure::new(
                "revisions require a Git repository, and there is none around this directory",
            ));
        };
        let (old, new, directories) = match words {
            [range, directories @ ..] if is_range(range) => {
                let (old, new) = of_range(repository, range)?;
                (old, new, directories)
            }
            [old, new, directories @ ..] if is_version(new) => {
                ((*old).to_owned(), (*new).to_owned(), directories)
            }
            [old, directories @ ..] => ((*old).to_owned(), WORKING_TREE.to_owned(), directories),
            [] => return Err(Failure::new("expected a revision")),
        };
        let directories =
            directories.iter().map(|word| inside(repository, word)).collect::<Result<_, _>>()?;
        let (old, new) = (Side::of(repository, &old, true)?, Side::of(repository, &new, false)?);
        Ok(Self::Trees { old, new, directories })
    }

    /// One directory: the first variable file is that of the old version, and the second that of the new one. What is set otherwise
    /// counts for both.
    fn inputs(command: &args::Diff, directory: &str) -> Result<Self, Failure> {
        let is_file =
            |own: &&Definition| matches!(own, Definition::Variables { from: Variables::File(_), .. });
        let files: Vec<&Definition> = command.definitions.0.iter().filter(is_file).collect();
        let [old_file, new_file] = files[..] else {
            return Err(Failure::new(
                "expected two versions, such as `main...HEAD` or two directories, or two --var-file for one directory",
            ));
        };
        let without = |file: &Definition| {
            command.definitions.0.iter().filter(|own| !std::ptr::eq(*own, file)).cloned().collect::<Vec<_>>()
        };
        let name = |file: &Definition| match file {
            Definition::Variables { from: Variables::File(input), .. } => input.name(),
            _ => String::new(),
        };
        let names = [name(old_file), name(new_file)];
        Ok(Self::Inputs {
            directory: directory.into(),
            old: without(new_file),
            new: without(old_file),
            names,
        })
    }
}

fn unreachable_directory<T>(directory: &str) -> Result<T, Failure> {
    Err(Failure::new(format!("cannot read the directory {directory}")))
}

fn is_range(word: &str) -> bool {
    !word.starts_with(['.', '/']) && word.contains("..") && !word.contains("/..")
}

/// The versions of a range: `A..B`, or `A...B` from where B branched off. HEAD is the default of each.
fn of_range(repository: &Repository, range: &str) -> Result<(String, String), Failure> {
    let or_head = |word: &str| if word.is_empty() { "HEAD".to_owned() } else { word.to_owned() };
    let Some((old, new)) = range.split_once("...") else {
        let (old, new) = range.split_once("..").unwrap_or((range, ""));
        return Ok((or_head(old), or_head(new)));
    };
    let (old, new) = (or_head(old), or_head(new));
    let failed = |name: &str, why: hclkit_git::Error| Failure::new(format!("{name}: {why}"));
    let one = repository.commit(&old).map_err(|why| failed(&old, why))?;
    let other = if new == WORKING_TREE || new == INDEX { "HEAD" } else { &new };
    let other = repository.commit(other).map_err(|why| failed(&new, why))?;
    let base = repository.merge_base(one, other).map_err(|why| failed(range, why))?;
    Ok((base.to_string(), new))
}

/// A directory relative to the repository. It need not exist in the working tree.
fn inside(repository: &Repository, directory: &str) -> Result<String, Failure> {
    let failed = |why: &str| Failure::new(format!("{directory}: {why}"));
    let absolute = std::path::absolute(directory).map_err(|error| failed(&error.to_string()))?;
    let absolute = hclkit::limits::clean_path(&absolute);
    let real = absolute.canonicalize().unwrap_or(absolute);
    let inside =
        real.strip_prefix(repository.top()).map_err(|_| failed("it is outside of the repository"))?;
    let inside = inside.to_str().ok_or_else(|| failed("its name is not UTF-8"))?;
    Ok(if cfg!(windows) { inside.replace('\\', "/") } else { inside.to_owned() })
}

impl Side {
    fn of(repository: &Repository, name: &str, is_old: bool) -> Result<Self, Failure> {
        let failed = |why: String| Failure::new(format!("{name}: {why}"));
        let tree = match name {
            INDEX => Tree::of_index(repository).map_err(|why| failed(why.to_string()))?,
            WORKING_TREE => Tree::of_working_tree(repository).map_err(failed)?,
            revision => {
                let commit = repository.commit(revision).map_err(|why| failed(why.to_string()))?;
                let label = if is_old { format!("{}:", short(revision)) } else { String::new() };
                Tree::of_commit(repository, commit, label).map_err(|why| failed(why.to_string()))?
            }
        };
        Ok(Self { name: short(name).to_owned(), tree: Arc::new(tree) })
    }
}

/// The id of a commit as it is shown.
fn short(revision: &str) -> &str {
    let is_id = revision.len() >= 40 && revision.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_id { &revision[..10] } else { revision }
}
