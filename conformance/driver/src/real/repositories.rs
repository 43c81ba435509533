//! The repositories of `conformance/repositories.txt` and `conformance/tested.txt`, and those that they call: bare clones, and their files at a commit.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use crate::programs::{answer, root, run};

/// A repository at a commit.
pub(super) struct Repository {
    /// The owner and the name.
    pub(super) name: String,
    pub(super) commit: String,
}

/// The repositories that a file lists.
pub(super) fn list(file: &str) -> Result<Vec<Repository>> {
    let text = fs::read_to_string(root().join(file))?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let (name, commit) = line.split_once(' ').with_context(|| format!("no commit: {line}"))?;
            Ok(Repository { name: name.to_owned(), commit: commit.trim().to_owned() })
        })
        .collect()
}

/// Bare clones of repositories in a directory.
#[derive(Clone)]
pub(super) struct Clones {
    directory: PathBuf,
    /// Whether a missing clone is made.
    fetch: bool,
}

impl Clones {
    pub(super) fn new(directory: Option<PathBuf>) -> Self {
        let fetch = directory.is_none();
        Self { directory: directory.unwrap_or_else(|| root().join(".cache/repositories")), fetch }
    }

    /// The clone of a repository that is there.
    pub(super) fn present(&self, name: &str) -> Option<PathBuf> {
        let flat = name.replace('/', "+");
        let places = [format!("{name}.git"), flat.clone(), format!("{flat}/repo")];
        places.iter().map(|place| self.directory.join(place)).find(|place| place.join("HEAD").is_file())
    }

    /// The clone of a repository of the list.
    pub(super) fn get(&self, name: &str) -> Result<PathBuf> {
        if let Some(present) = self.present(name) {
            return Ok(present);
        }
        ensure!(self.fetch, "{name} is not in {}", self.directory.display());
        let clone = self.directory.join(format!("{name}.git"));
        let url = format!("https://github.com/{name}.git");
        run(Command::new("git").args(["clone", "--quiet", "--bare", &url]).arg(&clone))?;
        Ok(clone)
    }

    /// Where a module from elsewhere is, if a clone is there.
    pub(super) fn resolve(&self, source: &str, version: Option<&str>) -> Option<Remote> {
        let (name, inside, reference) = parse_source(source)?;
        let clone = self.present(&name)?;
        let reference = match (reference, version) {
            (Some(reference), _) => reference,
            (None, Some(version)) => newest(&clone, version)?,
            (None, None) => newest(&clone, "").unwrap_or_else(|| "HEAD".to_owned()),
        };
        // A module of somebody else names it: it must not become an option.
        if reference.starts_with('-') {
            return None;
        }
        let commit =
            git(&clone, &["rev-parse", "--verify", "--quiet", &format!("{reference}^{{commit}}")]).ok()?;
        Some(Remote { name, inside, commit: commit.trim().to_owned(), clone })
    }
}

/// A directory of a repository at a commit.
pub(super) struct Remote {
    pub(super) name: String,
    pub(super) inside: String,
    pub(super) commit: String,
    pub(super) clone: PathBuf,
}

/// Writes the files of a commit to a directory that is not there.
pub(super) fn checkout(clone: &Path, commit: &str, directory: &Path) -> Result<()> {
    let partial = directory.with_extension("partial");
    if partial.exists() {
        fs::remove_dir_all(&partial)?;
    }
    fs::create_dir_all(&partial)?;
    let missing = missing(clone, commit)?;
    let mut git = Command::new("git");
    git.arg("--git-dir").arg(clone).args(["archive", commit, "."]).args(missing).stdout(Stdio::piped());
    let mut git = git.spawn().context("cannot run git")?;
    let archive = git.stdout.take().context("no output")?;
    run(Command::new("tar").args(["-x", "-C"]).arg(&partial).stdin(archive))?;
    ensure!(git.wait()?.success(), "{}: no commit {commit}", clone.display());
    fs::rename(partial, directory)?;
    Ok(())
}

/// The files that a partial clone lacks, as patterns that exclude them.
fn missing(clone: &Path, commit: &str) -> Result<Vec<String>> {
    let objects = git(clone, &["rev-list", "--objects", "--no-walk", "--missing=print", commit])?;
    let missing: HashSet<&str> = objects.lines().filter_map(|line| line.strip_prefix('?')).collect();
    if missing.is_empty() {
        return Ok(Vec::new());
    }
    let files = git(clone, &["ls-tree", "-r", "-z", commit])?;
    let entries = files.split('\0').filter_map(|entry| entry.split_once('\t'));
    let of = |(about, path): (&str, &str)| {
        let object = about.split(' ').nth(2)?;
        missing.contains(object).then(|| format!(":(exclude,literal){path}"))
    };
    Ok(entries.filter_map(of).collect())
}

pub(super) fn git(clone: &Path, arguments: &[&str]) -> Result<String> {
    answer(Command::new("git").arg("--git-dir").arg(clone).args(arguments).stderr(Stdio::null()))
}

/// The repository, the directory in it and the reference of a source on GitHub or in the registry.
fn parse_source(source: &str) -> Option<(String, String, Option<String>)> {
    let (source, query) =
        source.split_once('?').map_or((source, None), |(source, query)| (source, Some(query)));
    let reference =
        query.and_then(|query| query.split('&').find_map(|part| Some(part.strip_prefix("ref=")?.to_owned())));
    let plain =
        source.trim_start_matches("git::").trim_start_matches("ssh://").trim_start_matches("https://");
    let plain = plain.trim_start_matches("git@").replacen("github.com:", "github.com/", 1);
    let (path, inside) = plain.split_once("//").unwrap_or((&plain, ""));
    let parts: Vec<&str> = path.trim_end_matches(".git").split('/').collect();
    let name = match parts.as_slice() {
        ["github.com", owner, name] => format!("{owner}/{name}"),
        ["registry.terraform.io" | "registry.opentofu.org", owner, name, provider]
        | [owner, name, provider]
            if !owner.contains('.') =>
        {
            format!("{owner}/terraform-{provider}-{name}")
        }
        _ => return None,
    };
    Some((name, inside.to_owned(), reference))
}

/// The tag of the newest version that meets constraints.
fn newest(clone: &Path, constraints: &str) -> Option<String> {
    let mut versions = versions(clone).ok()?;
    versions.retain(|(version, _)| constraints.split(',').all(|one| meets(*version, one.trim())));
    versions.pop().map(|(_, tag)| tag)
}

/// The versions that a repository has tags of, in order.
pub(super) fn versions(clone: &Path) -> Result<Vec<([u32; 3], String)>> {
    let tags = git(clone, &["tag"])?;
    let of = |tag: &str| Some((version(tag.trim_start_matches('v'))?, tag.to_owned()));
    let mut all: Vec<_> = tags.lines().filter_map(of).collect();
    all.sort();
    Ok(all)
}

fn version(text: &str) -> Option<[u32; 3]> {
    let mut parts = text.split('.');
    let mut next = |or| parts.next().map_or(or, |part| part.parse().ok());
    let version = [next(None)?, next(Some(0))?, next(Some(0))?];
    parts.next().is_none().then_some(version)
}

fn meets(found: [u32; 3], constraint: &str) -> bool {
    let number = constraint.trim_start_matches(['=', '!', '<', '>', '~', ' ']);
    let operator = constraint[..constraint.len() - number.len()].trim();
    let Some(wanted) = version(number.trim_start_matches('v')) else { return constraint.is_empty() };
    match operator {
        "!=" => found != wanted,
        ">" => found > wanted,
        ">=" => found >= wanted,
        "<" => found < wanted,
        "<=" => found <= wanted,
        "~>" => {
            let given = number.split('.').count().max(2) - 1;
            found >= wanted && found[..given] == wanted[..given]
        }
        _ => found == wanted,
    }
}
