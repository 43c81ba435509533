//! Which files and directories are checked: those that are given or have changed, and those of the modules that call them,
//! also through others. The callers are searched in the repository; its other files are only read.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::convert::Infallible;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use hclkit::limits::{clean_path, path_on_disk};
use hclkit::module::{Dialect, Disk, includes_outer_unit, may_be_read, names_one_of};
use hclkit::refactor::{ModuleCall, may_have_calls};
use hclkit::{Code, Diagnostic};

use crate::args::Check;
use crate::bake::is_bake_file;
use crate::documents::Documents;
use crate::git;
use crate::input::{Find, FoundInputs, Input, Seen, Selection, relative};
use crate::outcome::Failure;
use crate::terragrunt::is_unit_file;
use crate::workers::Workers;

/// What is checked.
#[derive(Debug, Default)]
pub(super) struct CheckTargets {
    /// The files that are checked.
    pub(super) found: FoundInputs,
    /// Files that modules may refer to.
    pub(super) others: Vec<Input>,
    pub(super) keys: Keys,
    /// The directories that are checked as modules, by their keys; `None` for all.
    directories: Option<HashSet<PathBuf>>,
    /// The directories that are given, or in which files have changed, without those of callers.
    given: HashSet<PathBuf>,
}

/// The keys of directories: paths in their shortest form. If some lead out of the current directory, all are absolute, because
/// a path may lead out and back in.
#[derive(Clone, Debug, Default)]
pub(super) struct Keys(PathBuf);

impl Keys {
    fn of<'i>(mut inputs: impl Iterator<Item = &'i Input>) -> Self {
        let leads_out = |path: PathBuf| path.is_absolute() || path.starts_with("..");
        let some = inputs.any(|input| input.path().is_some_and(|path| leads_out(clean_path(path))));
        Self(some.then(std::env::current_dir).and_then(Result::ok).unwrap_or_default())
    }

    /// The key of a directory.
    pub(super) fn key(&self, directory: &Path) -> PathBuf {
        clean_path(&self.0.join(directory))
    }

    /// The key of the directory of a file.
    pub(super) fn of_file(&self, file: &Path) -> PathBuf {
        self.key(file.parent().unwrap_or(Path::new("")))
    }

    /// The directory of a key for messages.
    pub(super) fn shown(&self, key: &Path) -> PathBuf {
        if self.0.as_os_str().is_empty() { key.to_owned() } else { relative(&self.0, key) }
    }
}

impl CheckTargets {
    pub(super) fn of(found: FoundInputs) -> Self {
        let keys = Keys::of(found.inputs.iter());
        let given = found.inputs.iter().filter_map(Input::path).map(|path| keys.of_file(path)).collect();
        Self { found, keys, given, ..Self::default() }
    }

    /// Returns true if the directory with a key is checked as a module.
    pub(super) fn has(&self, directory: &Path) -> bool {
        self.directories.as_ref().is_none_or(|all| all.contains(directory))
    }

    /// The directories that are checked as modules, as text, and how they are named.
    pub(super) fn names(&self) -> String {
        let directories = self.directories.as_ref().map(|all| all.iter().collect::<BTreeSet<_>>());
        format!("{:?} {directories:?}", self.keys)
    }

    /// Whether to report a diagnostic: declarations that nothing uses concern only those who ask for their directory.
    pub(super) fn reports(&self, found: &Diagnostic) -> bool {
        let Some(source) = found.source().filter(|_| found.has_code(Code::UnusedDeclaration)) else {
            return true;
        };
        self.given.contains(&self.keys.of_file(Path::new(source.name())))
    }

    /// Adds the other files of the modules that files on the command line belong to.
    pub(super) fn with_modules_of_files(mut self, selection: &Selection) -> Self {
        let mut folders: Vec<PathBuf> = Vec::new();
        for input in &self.found.inputs {
            let Some(path) = input.path() else { continue };
            let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
            let is_part = Dialect::of_files([name]).is_some() || is_bake_file(path);
            let folder = path.parent().map(Path::to_owned).unwrap_or_default();
            if is_part && matches!(input, Input::File(_)) && path.is_file() && !folders.contains(&folder) {
                folders.push(folder);
            }
        }
        if folders.is_empty() {
            return self;
        }
        // Modules refer to those in the repository.
        let mut seen: HashSet<PathBuf> = HashSet::new();
        for folder in &folders {
            let folder = path_on_disk(folder);
            let found = selection.find(&[folder.to_owned()]);
            self.others.extend(found.inputs);
            self.found
                .skipped
                .extend(found.skipped.into_iter().filter(|own| own.path.parent() == Some(folder)));
            self.others.extend(outside(folder, selection, &mut seen));
        }
        only_new(&mut self.others, &self.found.inputs);
        self.keys = Keys::of(self.found.inputs.iter().chain(&self.others));
        let own = |input: &Input| input.path().map(|path| self.keys.of_file(path));
        self.given = self.found.inputs.iter().filter_map(own).collect();
        self.directories = Some(self.given.clone());
        self
    }

    /// Selects what has changed, and adds the callers.
    ///
    /// # Errors
    /// `git` cannot say what has changed.
    pub(super) fn with_callers(
        self,
        command: &Check,
        paths: &[PathBuf],
        selection: &Selection,
        documents: &Documents,
        workers: &Workers,
    ) -> Result<Self, Failure> {
        let changed = match &command.changed_since {
            Some(reference) => Some(git::changed_below(reference, paths)?),
            None => None,
        };
        let mut others: Vec<Input> = self.others.clone();
        // Modules that are called are read, also those outside.
        let mut seen: HashSet<PathBuf> = HashSet::new();
        let folders = paths.iter().filter(|path| path.is_dir());
        folders.for_each(|folder| others.extend(outside(folder, selection, &mut seen)));
        if others.is_empty() && changed.is_none() {
            return Ok(self);
        }
        let FoundInputs { inputs, unreadable, skipped } = self.found;
        let keys = Keys::of(inputs.iter().chain(&others));
        // The repository around one directory also has the others that are given.
        only_new(&mut others, &inputs);
        let own = |input: &Input| input.path().map(|path| keys.of_file(path));
        let given: HashSet<PathBuf> = inputs.iter().filter_map(own).collect();
        let mut callers = HashMap::new();
        if !command.no_callers {
            callers =
                find_callers(&inputs.iter().chain(&others).collect::<Vec<_>>(), documents, &keys, workers);
        }
        let (mut checked, directories, given) = match changed {
            None => (inputs, with_callers(given.clone(), &callers), given),
            Some(changed) => {
                let concerned = directories_of(&changed, inputs.iter().chain(&others), &keys);
                let inside = concerned.intersection(&given).cloned().collect();
                let mut all = with_callers(concerned.clone(), &callers);
                if !command.no_callers {
                    let read: Vec<&Input> = inputs.iter().chain(&others).collect();
                    all.extend(units_naming(&changed, &read, documents, &keys));
                }
                all.retain(|directory| given.contains(directory));
                all.extend(with_callers(inside, &callers));
                let is_changed =
                    |input: &Input| input.as_changed().is_some_and(|path| changed.contains(&path));
                let (own, unchanged): (Vec<_>, Vec<_>) = inputs.into_iter().partition(is_changed);
                others.extend(unchanged);
                (own, all, concerned)
            }
        };
        // Of a directory with a change, only the changed files are checked themselves.
        let before: HashSet<PathBuf> = checked.iter().filter_map(own).collect();
        let is_caller = |input: &Input| {
            own(input).is_some_and(|own| directories.contains(&own) && !before.contains(&own))
        };
        let (callers, others): (Vec<_>, Vec<_>) = others.into_iter().partition(is_caller);
        checked.extend(callers);
        let found = FoundInputs { inputs: checked, unreadable, skipped };
        Ok(Self { found, others, keys, directories: Some(directories), given })
    }
}

/// Keeps each file once, and only those that are not given, whatever paths lead to them.
fn only_new(others: &mut Vec<Input>, given: &[Input]) {
    let mut seen = Seen::default();
    for path in given.iter().filter_map(Input::path) {
        seen.insert(path);
    }
    others.retain(|input| input.path().is_some_and(|path| seen.insert(path)));
}

/// The files of the repository that contains a directory, without those in the directory. Their paths begin like that of the
/// directory.
fn outside(folder: &Path, selection: &Selection, seen: &mut HashSet<PathBuf>) -> Vec<Input> {
    let (Ok(own), Ok(repository)) = (folder.canonicalize(), Disk::repository(folder)) else {
        return Vec::new();
    };
    if own == repository || !seen.insert(repository.clone()) {
        return Vec::new();
    }
    let found = selection.find(std::slice::from_ref(&repository));
    let outside = found.inputs.into_iter().filter_map(|input| match input {
        Input::Found(file) if !file.path.starts_with(&own) => {
            let path = clean_path(&folder.join(relative(&own, &file.path)));
            Some(Input::Found(file.with_path(path)))
        }
        _ => None,
    });
    outside.collect()
}

/// The directories that changes concern: those of the files, or the nearest ones above them with files that are checked.
fn directories_of<'i>(
    changed: &HashSet<PathBuf>,
    inputs: impl Iterator<Item = &'i Input>,
    keys: &Keys,
) -> HashSet<PathBuf> {
    let mut known: HashMap<PathBuf, PathBuf> = HashMap::new();
    let mut seen: HashSet<&Path> = HashSet::new();
    for input in inputs {
        let parent = input.path().and_then(Path::parent);
        if parent.is_some_and(|parent| seen.insert(parent))
            && let (Some(path), Some(own)) = (input.as_changed(), input.path())
        {
            known.insert(path.parent().unwrap_or(Path::new("")).to_owned(), keys.of_file(own));
        }
    }
    let nearest = |path: &PathBuf| path.ancestors().skip(1).find_map(|parent| known.get(parent)).cloned();
    changed.iter().filter_map(nearest).collect()
}

/// The directories of units of Terragrunt with files that name changed ones, also through others that they include or read. A
/// computed name can be any.
fn units_naming(
    changed: &HashSet<PathBuf>,
    inputs: &[&Input],
    documents: &Documents,
    keys: &Keys,
) -> HashSet<PathBuf> {
    let files = inputs.iter().filter_map(|input| Some((input.path()?, *input)));
    let (units, others): (Vec<_>, Vec<_>) =
        files.filter(|(path, _)| may_be_read(path)).partition(|(path, _)| is_unit_file(path));
    if units.is_empty() {
        return HashSet::new();
    }
    let name = |path: &Path| Some(path.file_name()?.to_str()?.to_owned());
    let mut names: BTreeSet<String> = changed.iter().filter_map(|path| name(path)).collect();
    let is_read = |input: &Input, names: &BTreeSet<String>| {
        documents.text(input).is_ok_and(|text| {
            let text = text.text();
            names_one_of(text, names) || text.contains("}.")
        })
    };
    let mut open = others;
    loop {
        let (found, rest): (Vec<_>, Vec<_>) = open.into_iter().partition(|(_, input)| is_read(input, &names));
        open = rest;
        let before = names.len();
        names.extend(found.iter().filter_map(|(path, _)| name(path)));
        if names.len() == before {
            break;
        }
    }
    // Without a name, a unit includes the nearest file of a unit around it.
    let outer: HashSet<&Path> =
        changed.iter().filter(|path| is_unit_file(path)).filter_map(|path| path.parent()).collect();
    let includes_outer = |input: &Input| {
        let Some(path) = input.as_changed() else { return false };
        !outer.is_empty()
            && path.ancestors().skip(2).any(|around| outer.contains(around))
            && documents.text(input).is_ok_and(|text| includes_outer_unit(text.text()))
    };
    let concerned = units.into_iter().filter(|(_, input)| is_read(input, &names) || includes_outer(input));
    concerned.map(|(path, _)| keys.of_file(path)).collect()
}

/// The directories that call a directory, by that one.
type Callers = HashMap<PathBuf, HashSet<PathBuf>>;

fn find_callers(inputs: &[&Input], documents: &Documents, keys: &Keys, workers: &Workers) -> Callers {
    let mut callers = Callers::new();
    let add = |found: Vec<Vec<(PathBuf, PathBuf)>>| {
        for (caller, called) in found.into_iter().flatten() {
            callers.entry(called).or_default().insert(caller);
        }
        Ok::<_, Infallible>(())
    };
    let Ok(()) = workers.for_each(inputs, |input| calls(input, documents, keys), add);
    callers
}

/// Adds the directories of the modules that call those in some directories, also through others.
fn with_callers(directories: HashSet<PathBuf>, callers: &Callers) -> HashSet<PathBuf> {
    let mut open: Vec<PathBuf> = directories.iter().cloned().collect();
    let mut all = directories;
    while let Some(called) = open.pop() {
        for caller in callers.get(&called).into_iter().flatten() {
            if all.insert(caller.clone()) {
                open.push(caller.clone());
            }
        }
    }
    all
}

/// The directory of a file with those of the modules that it calls. Errors in the file are reported elsewhere.
fn calls(input: &Input, documents: &Documents, keys: &Keys) -> Vec<(PathBuf, PathBuf)> {
    let (Some(path), Ok(source)) = (input.path(), documents.text(input)) else { return Vec::new() };
    if !may_have_calls(path, source.text()) {
        return Vec::new();
    }
    let Ok(document) = documents.parse(input) else { return Vec::new() };
    let calls = ModuleCall::all(&document);
    let called = calls.iter().filter(|call| !call.is_include()).filter_map(|call| call.directory(&document));
    called.map(|called| (keys.of_file(path), keys.key(&called))).collect()
}
