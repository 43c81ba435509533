//! Checks directories as modules of Terraform, OpenTofu or Packer, after the syntax of their files. Only the files
//! that were found are read, and therefore nothing outside the given directories.

use std::collections::{BTreeMap, HashSet};
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use hclkit::Diagnostics;
use hclkit::module::{self, Files, Language, ModuleLoader};

use super::Findings;
use crate::input::Input;

/// The languages whose modules are checked.
const LANGUAGES: [&str; 3] = ["terraform", "opentofu", "packer"];

/// The files that were found in directories, by directory and name.
#[derive(Debug, Default)]
pub(super) struct Directories(Arc<BTreeMap<PathBuf, BTreeMap<String, Input>>>);

impl Directories {
    pub(super) fn of(inputs: &[Input]) -> Directories {
        let mut all: BTreeMap<PathBuf, BTreeMap<String, Input>> = BTreeMap::new();
        for input in inputs {
            if let Input::Found(path, ..) = input
                && let Some(name) = path.file_name().and_then(|name| name.to_str())
            {
                let directory = normal(path.parent().unwrap_or(Path::new("")));
                all.entry(directory).or_default().insert(name.to_owned(), input.clone());
            }
        }
        Directories(Arc::new(all))
    }

    /// Returns the directories that are modules, each with its language.
    pub(super) fn modules(&self) -> Vec<(PathBuf, Arc<Language>)> {
        let language = |names: &BTreeMap<String, Input>| {
            let is_tofu = |name: &String| {
                let plain = name.strip_suffix(".json").unwrap_or(name);
                Path::new(plain).extension().is_some_and(|extension| extension == "tofu")
            };
            if names.keys().any(is_tofu) {
                return Some(Language::opentofu());
            }
            let own = Language::of_files(names.keys().map(String::as_str))?;
            LANGUAGES.contains(&own.name()).then_some(own)
        };
        let module = |(directory, names): (&PathBuf, _)| Some((directory.clone(), language(names)?));
        self.0.iter().filter_map(module).filter(|(path, language)| self.is_complete(path, language)).collect()
    }

    /// Returns true if all files of a directory were found, and none was skipped.
    fn is_complete(&self, directory: &Path, language: &Language) -> bool {
        let Some(found) = self.0.get(directory) else { return false };
        let shown = if directory == Path::new("") { Path::new(".") } else { directory };
        let Ok(entries) = std::fs::read_dir(shown) else { return false };
        entries.flatten().all(|entry| {
            let name = entry.file_name();
            let Some(name) = name.to_str() else { return true };
            let is_directory = || entry.file_type().is_ok_and(|kind| kind.is_dir());
            !language.is_file(name) || found.contains_key(name) || is_directory()
        })
    }

    /// Checks a module. Variables have only the values of files that the language always reads.
    pub(super) fn check(&self, directory: &Path, language: &Arc<Language>) -> Diagnostics {
        let found = self.check_as(directory, language);
        // Files of OpenTofu can have the same names as those of Terraform.
        if found.has_errors() && language.name() == "terraform" {
            let other = self.check_as(directory, &Language::opentofu());
            if other.errors() < found.errors() {
                return other;
            }
        }
        found
    }

    fn check_as(&self, directory: &Path, language: &Arc<Language>) -> Diagnostics {
        let files = FoundFiles {
            directories: Directories(self.0.clone()),
            root: directory.to_owned(),
            language: language.clone(),
        };
        ModuleLoader::new(language.clone())
            .with_files(files)
            .with_functions(module::functions_without_files(language))
            .load()
            .check()
    }
}

/// The files that were found, as the files of a module.
#[derive(Debug)]
struct FoundFiles {
    directories: Directories,
    root: PathBuf,
    language: Arc<Language>,
}

impl Files for FoundFiles {
    fn list(&self, directory: &str) -> io::Result<Vec<String>> {
        let path = normal(&self.root.join(directory));
        match self.directories.0.get(&path) {
            Some(names) if self.directories.is_complete(&path, &self.language) => {
                Ok(names.keys().cloned().collect())
            }
            None if !path.is_dir() => Err(io::ErrorKind::NotFound.into()),
            _ => Err(io::ErrorKind::Unsupported.into()),
        }
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let source = self.input(path).ok_or(io::ErrorKind::NotFound)?.text()?;
        Ok(source.text().as_bytes().to_vec())
    }

    fn name(&self, path: &str) -> String {
        self.input(path).map_or_else(|| self.root.join(path).display().to_string(), Input::name)
    }
}

impl FoundFiles {
    fn input(&self, path: &str) -> Option<&Input> {
        let path = normal(&self.root.join(path));
        self.directories.0.get(path.parent()?)?.get(path.file_name()?.to_str()?)
    }
}

/// A path without `.` and as few `..` as possible.
fn normal(path: &Path) -> PathBuf {
    let mut parts = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(parts.components().next_back(), Some(Component::Normal(_))) => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    parts
}

/// The diagnostics that were reported. They are not reported again for a module that other modules call.
#[derive(Default)]
pub(super) struct Reported(HashSet<(String, String)>);

impl Reported {
    pub(super) fn add(&mut self, findings: &Findings) {
        findings.problems.iter().for_each(|found| drop(self.take_new(found)));
    }

    /// Returns the diagnostics that were not reported yet.
    pub(super) fn take_new(&mut self, found: &Diagnostics) -> Diagnostics {
        let key = |diagnostic: &hclkit::Diagnostic| {
            let name = diagnostic.source().map(|source| source.name().to_owned()).unwrap_or_default();
            (name, diagnostic.to_string())
        };
        found.iter().filter(|diagnostic| self.0.insert(key(diagnostic))).cloned().collect()
    }
}
