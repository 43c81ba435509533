//! `--cache`: which files and directories had no findings, by fingerprints of all that their checks read. Findings are never
//! kept, so no text of a file is; whatever has some is checked again. What is kept is authenticated with a key of the user, so that nobody
//! else can say that a directory is fine.
//!
//! A check of a root module depends on the files of the modules that it calls, on what all calls mean for others
//! ([`CallEffects`]), and on what is not part of a module: names, settings, signs of a version, downloaded modules. If the last
//! changes, all modules are checked again. If a file of a module changes, those that reach it are, unless its calls then mean
//! something else.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use hclkit::limits::{clean_path, directory_of, path_on_disk};
use hclkit::module::{CallEffects, Disk};
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::Findings;
use super::modules::{Directories, Kind, Trees};
use super::selection::CheckTargets;
use crate::args::{Check, LanguageName};
use crate::documents::Documents;
use crate::host::{self, Host};
use crate::input::{self, Input};
use crate::outcome::Failure;
use crate::output::warn;

/// Changes with what is kept, and with how it is written.
const FORMAT: u32 = 1;

/// The value of `--cache` for a directory of the user.
const OF_USER: &str = "auto";

/// The file with the key.
const KEY: &str = "key";

/// The extension of the files with what is kept.
const EXTENSION: &str = "verdicts";

/// The most files with what is kept, and bytes of each: 256 MiB together.
const MOST_FILES: usize = 16;
const MOST_BYTES: u64 = 16 << 20;

/// The bytes of an authentication code, and of a key.
const CODE: usize = 32;

/// A fingerprint as text: half of SHA-256.
pub(super) type Fingerprint = String;

/// Something that a check read, other than the files of modules that were found.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) enum Read {
    /// The names in a directory.
    Names(String),
    File(String),
    /// A file that a function reads, relative to the directory of a root module.
    ByFunction(String, String),
}

/// What was read in a run.
#[derive(Debug, Default)]
pub(super) struct Reads(Mutex<BTreeMap<Read, Fingerprint>>);

impl Reads {
    pub(super) fn note(&self, read: Read, fingerprint: Fingerprint) {
        lock(&self.0).insert(read, fingerprint);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The fingerprint of names.
pub(super) fn of_names(names: &io::Result<Vec<String>>) -> Fingerprint {
    match names {
        Ok(names) => {
            hash(&[&["names".into()], &*names.iter().map(Into::into).collect::<Vec<Part<'_>>>()].concat())
        }
        Err(why) => of_error(why),
    }
}

/// The fingerprint of a content.
pub(super) fn of_content(content: &io::Result<Vec<u8>>) -> Fingerprint {
    match content {
        Ok(content) => hash(&["content".into(), Part(content)]),
        Err(why) => of_error(why),
    }
}

fn of_error(why: &io::Error) -> Fingerprint {
    hash(&["error".into(), Part(why.to_string().as_bytes())])
}

/// A part of what has a fingerprint.
#[derive(Clone, Copy)]
struct Part<'b>(&'b [u8]);

impl<'b> From<&'b str> for Part<'b> {
    fn from(text: &'b str) -> Self {
        Self(text.as_bytes())
    }
}

impl<'b> From<&'b String> for Part<'b> {
    fn from(text: &'b String) -> Self {
        Self(text.as_bytes())
    }
}

/// The fingerprint of several parts, in which each has its length.
fn hash(parts: &[Part<'_>]) -> Fingerprint {
    let mut hasher = Sha256::new();
    for Part(bytes) in parts {
        hasher.update((bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    }
    let mut text = String::with_capacity(CODE);
    for byte in &hasher.finalize()[..CODE / 2] {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// What is kept of a run.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Snapshot {
    /// The fingerprint of what all modules depend on.
    tree: Fingerprint,
    /// Those of files without findings.
    files: BTreeSet<Fingerprint>,
    reads: Vec<(Read, Fingerprint)>,
    /// The directories of modules, with the fingerprints of their files.
    directories: Vec<(String, Fingerprint)>,
    modules: Vec<KeptModule>,
    /// What the calls of modules without findings mean, by the names of the languages.
    effects: BTreeMap<String, KeptEffects>,
}

/// A root module.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct KeptModule {
    directory: String,
    language: String,
    is_fine: bool,
    /// The directories of its modules: places in the list of directories.
    reaches: Vec<usize>,
    /// The fingerprint of what its calls mean.
    effects: Fingerprint,
}

/// [`CallEffects`].
#[derive(Debug, Default, Serialize, Deserialize)]
struct KeptEffects {
    set: BTreeSet<(String, Vec<String>)>,
    called: BTreeSet<String>,
    unavailable: BTreeSet<String>,
}

/// What is kept from before, and what a run adds.
#[derive(Debug)]
pub(super) struct Cache {
    directory: PathBuf,
    key: Vec<u8>,
    /// The file with what is kept of runs with the same options.
    file: PathBuf,
    before: Snapshot,
    /// The fingerprints of files; `None` for those that cannot be read.
    fingerprints: Mutex<HashMap<Input, Option<Fingerprint>>>,
    fine_files: Mutex<BTreeSet<Fingerprint>>,
}

impl Cache {
    /// Opens the directory that `--cache` names, and creates it. That of the user is only used if it can be.
    ///
    /// # Errors
    /// Others can write to the directory, it is part of what is checked, or it cannot be used.
    pub(super) fn open(command: &Check) -> Result<Option<Self>, Failure> {
        let Some(directory) = &command.cache else { return Ok(None) };
        let is_of_user = directory == Path::new(OF_USER);
        if let Some(other) = excluding(command) {
            let refused = Failure::new(format!("--cache cannot be used with {other}"));
            return if is_of_user { Ok(None) } else { Err(refused) };
        }
        let options = options(command)?;
        if !is_of_user {
            let failed = |why| Failure::new(format!("--cache {}: {why}", directory.display()));
            return Self::within(command, directory, &options).map(Some).map_err(failed);
        }
        let opened = match host::directory_of_user("XDG_CACHE_HOME", ".cache") {
            Some(directory) => Self::within(command, &directory, &options)
                .map_err(|why| format!("{}: {why}", directory.display())),
            None => Err("there is no home directory".to_owned()),
        };
        Ok(opened.inspect_err(|why| warn(format_args!("--cache {OF_USER}: nothing is kept: {why}"))).ok())
    }

    fn within(command: &Check, directory: &Path, options: &str) -> Result<Self, String> {
        let with_error = |error: io::Error| error.to_string();
        outside_of_inputs(command, directory)?;
        create_private(directory).map_err(with_error)?;
        let directory = directory.canonicalize().map_err(with_error)?;
        // Again, because of links.
        outside_of_inputs(command, &directory)?;
        only_own(&directory)?;
        let key = key(&directory).map_err(with_error)?;
        let file = directory.join(options).with_extension(EXTENSION);
        let before = read(&file, &key).unwrap_or_default();
        Ok(Self {
            directory,
            key,
            file,
            before,
            fingerprints: Mutex::default(),
            fine_files: Mutex::default(),
        })
    }

    /// The fingerprint of a file with its name.
    fn fingerprint(&self, input: &Input, documents: &Documents) -> Option<Fingerprint> {
        let path = input.path()?;
        if let Some(known) = lock(&self.fingerprints).get(input) {
            return known.clone();
        }
        let text = documents.text(input).ok();
        let found = text.map(|text| hash(&[Part(path.as_os_str().as_encoded_bytes()), Part(text.bytes())]));
        lock(&self.fingerprints).insert(input.clone(), found.clone());
        found
    }

    /// Whether a file was checked before and had no findings.
    pub(super) fn is_fine(&self, input: &Input, documents: &Documents) -> bool {
        let Some(own) = self.fingerprint(input, documents) else { return false };
        let is_known = self.before.files.contains(&own);
        if is_known {
            lock(&self.fine_files).insert(own);
        }
        is_known
    }

    /// Keeps that a file has no findings.
    pub(super) fn note(&self, input: &Input, documents: &Documents, found: &Findings) {
        if found.is_fine()
            && let Some(own) = self.fingerprint(input, documents)
        {
            lock(&self.fine_files).insert(own);
        }
    }

    /// What of the modules must be checked.
    pub(super) fn plan(
        &self,
        directories: &Directories,
        targets: &CheckTargets,
        checked: &[(PathBuf, Kind)],
    ) -> Plan {
        let modules: HashSet<&Path> = checked
            .iter()
            .filter(|(_, kind)| matches!(kind, Kind::Module(_)))
            .map(|(path, _)| &**path)
            .collect();
        let mut plan = Plan::default();
        let mut parts: Vec<Vec<u8>> = Vec::new();
        for (path, kind) in checked {
            parts.push([path.as_os_str().as_encoded_bytes(), b" ", kind.name().as_bytes()].concat());
        }
        parts.push(targets.names().into_bytes());
        parts.push(directories.names().into_bytes());
        for (path, inputs) in directories.inputs() {
            let mut own = Vec::new();
            for input in inputs {
                let found = self.fingerprint(input, directories.documents());
                // Tests say something of other modules.
                if !modules.contains(path) || Directories::is_test(input) {
                    parts.push(format!("{:?} {found:?}", input.identity()).into_bytes());
                }
                own.push(found);
            }
            if let (Some(name), Some(own)) = (path.to_str(), own.into_iter().collect::<Option<Vec<_>>>())
                && modules.contains(path)
            {
                plan.now.insert(name.to_owned(), hash(&own.iter().map(Into::into).collect::<Vec<_>>()));
            } else if let Some(name) = path.to_str().filter(|_| modules.contains(path)) {
                plan.unread.insert(name.to_owned());
            }
        }
        plan.tree = hash(&parts.iter().map(|part| Part(part)).collect::<Vec<_>>());
        let before = &self.before;
        let is_same = |(read, before): &(Read, Fingerprint)| directories.read_again(read) == *before;
        if plan.tree != before.tree || !before.reads.iter().all(is_same) {
            return plan;
        }
        let is_known = |&at: &usize| {
            // Others are not files that were found, so that reads tell whether they are the same.
            before.directories.get(at).is_some_and(|(name, own)| match plan.now.get(name) {
                Some(now) => now == own,
                None => own.is_empty(),
            })
        };
        let fine = before.modules.iter().filter(|own| own.is_fine && own.reaches.iter().all(is_known));
        plan.fine = fine.map(|own| (own.directory.clone(), own.language.clone())).collect();
        plan
    }

    /// What the calls of modules that are not read mean.
    pub(super) fn effects(&self, language: &str) -> CallEffects {
        let Some(kept) = self.before.effects.get(language) else { return CallEffects::default() };
        let KeptEffects { set, called, unavailable } = kept;
        CallEffects { set: set.clone(), called: called.clone(), unavailable: unavailable.clone() }
    }

    /// Whether the calls of the modules that were read mean what they meant before.
    pub(super) fn has_same_effects(&self, checked: &[(PathBuf, Kind)], trees: &Trees<'_>) -> bool {
        let before = self.before.modules.iter();
        let before: HashMap<(&str, &str), &str> =
            before.map(|own| ((&*own.directory, &*own.language), &*own.effects)).collect();
        checked.iter().all(|(path, kind)| {
            let (Kind::Module(language), Some(name)) = (kind, path.to_str()) else { return true };
            let Some((_, effects)) = trees.effects(path, language) else { return true };
            before.get(&(name, language.name())) == Some(&&*of_effects(&effects))
        })
    }

    /// Writes what is known now. `fine` are the directories without findings, of those that were checked.
    pub(super) fn keep(
        &self,
        plan: &Plan,
        checked: &[(PathBuf, Kind)],
        fine: &HashSet<usize>,
        trees: &Trees<'_>,
        directories: &Directories,
    ) {
        let mut now = Snapshot { files: lock(&self.fine_files).clone(), ..Snapshot::default() };
        self.add_modules(&mut now, plan, checked, fine, trees, directories);
        if let Err(error) = self.write(&now) {
            warn(format_args!("--cache {}: cannot write: {error}", self.directory.display()));
        }
    }

    fn add_modules(
        &self,
        now: &mut Snapshot,
        plan: &Plan,
        checked: &[(PathBuf, Kind)],
        fine: &HashSet<usize>,
        trees: &Trees<'_>,
        directories: &Directories,
    ) {
        now.tree.clone_from(&plan.tree);
        let mut reads = BTreeMap::new();
        let mut places: HashMap<String, usize> = HashMap::new();
        let mut place = |now: &mut Snapshot, name: &str| {
            *places.entry(name.to_owned()).or_insert_with(|| {
                now.directories.push((name.to_owned(), plan.now.get(name).cloned().unwrap_or_default()));
                now.directories.len() - 1
            })
        };
        if !plan.fine.is_empty() {
            reads.extend(self.before.reads.iter().cloned());
            for own in &self.before.modules {
                if plan.fine.contains(&(own.directory.clone(), own.language.clone())) {
                    let name = |at: &usize| self.before.directories.get(*at).map(|(name, _)| name);
                    let reaches = own.reaches.iter().filter_map(name).map(|name| place(now, name)).collect();
                    now.modules.push(KeptModule { reaches, ..own.clone() });
                }
            }
            for (language, KeptEffects { set, called, unavailable }) in &self.before.effects {
                let own = now.effects.entry(language.clone()).or_default();
                own.set.extend(set.iter().cloned());
                own.called.extend(called.iter().cloned());
                own.unavailable.extend(unavailable.iter().cloned());
            }
        }
        for (at, (path, kind)) in checked.iter().enumerate() {
            let (Kind::Module(language), Some(name)) = (kind, path.to_str()) else { continue };
            if plan.is_fine(path, kind) {
                continue;
            }
            let Some((reached, effects)) = trees.effects(path, language) else { continue };
            // A source with a secret is never written.
            let is_shown = |source: &String| crate::sources::without_parameters(source) == *source;
            let is_fine = fine.contains(&at) && effects.unavailable.iter().all(is_shown);
            let own = reached.iter().map(|directory| clean_path(Path::new(directory)));
            let reaches: Option<Vec<String>> = own.map(|own| own.to_str().map(str::to_owned)).collect();
            let Some(reaches) = reaches else { continue };
            // A file that cannot be read has no fingerprint.
            let is_fine = is_fine && !reaches.iter().any(|name| plan.unread.contains(name));
            let places = reaches.iter().map(|name| place(now, name)).collect();
            now.modules.push(KeptModule {
                directory: name.to_owned(),
                language: language.name().to_owned(),
                is_fine,
                reaches: places,
                effects: of_effects(&effects),
            });
            if is_fine {
                let CallEffects { set, called, unavailable } = effects;
                let own = now.effects.entry(language.name().to_owned()).or_default();
                own.set.extend(set);
                own.called.extend(called);
                own.unavailable.extend(unavailable);
            }
        }
        reads.extend(directories.reads().map(|reads| lock(&reads.0).clone()).unwrap_or_default());
        now.reads = reads.into_iter().collect();
    }

    fn write(&self, now: &Snapshot) -> io::Result<()> {
        let text = serde_json::to_vec(now)?;
        if text.len() as u64 > MOST_BYTES {
            warn(format_args!(
                "--cache {}: there is too much to keep: {} bytes, and at most {MOST_BYTES} are written",
                self.directory.display(),
                text.len()
            ));
            return Ok(());
        }
        let mut file = tempfile::Builder::new().prefix(TEMPORARY).tempfile_in(&self.directory)?;
        file.write_all(&code(&self.key, &self.file, &text).finalize().into_bytes())?;
        file.write_all(&text)?;
        file.persist(&self.file).map_err(|error| error.error)?;
        remove_old(&self.directory)
    }
}

/// How names of temporary files start.
const TEMPORARY: &str = ".new-";

/// What of a run is checked.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// The fingerprint of what all modules depend on.
    tree: Fingerprint,
    /// The fingerprints of the directories of modules.
    now: BTreeMap<String, Fingerprint>,
    /// Those with files that cannot be read.
    unread: HashSet<String>,
    /// The modules that are not checked again: directories and languages.
    fine: HashSet<(String, String)>,
}

impl Plan {
    pub(super) fn is_fine(&self, path: &Path, kind: &Kind) -> bool {
        let Kind::Module(language) = kind else { return false };
        let Some(path) = path.to_str().filter(|_| !self.fine.is_empty()) else { return false };
        self.fine.contains(&(path.to_owned(), language.name().to_owned()))
    }

    /// Whether some modules are not checked again.
    pub(super) fn is_partial(&self) -> bool {
        !self.fine.is_empty()
    }

    /// Checks all modules again.
    pub(super) fn forget(&mut self) {
        self.fine.clear();
    }
}

fn of_effects(effects: &CallEffects) -> Fingerprint {
    hash(&[Part(format!("{effects:?}").as_bytes())])
}

/// An option with which nothing can be kept.
fn excluding(command: &Check) -> Option<&'static str> {
    let others = [
        ("--spec", command.spec.is_some()),
        ("--syntax-only", command.syntax_only),
        ("--fix", command.fix),
        ("--explain-version", command.explain_version),
    ];
    others.into_iter().find_map(|(name, is_given)| is_given.then_some(name))
}

/// The fingerprint of the program and of all options that findings depend on.
#[allow(clippy::unnecessary_debug_formatting, reason = "paths that are not UTF-8 stay different")]
fn options(command: &Check) -> Result<Fingerprint, Failure> {
    let host = Host::current();
    let global = host.options();
    let here = std::env::current_dir()?;
    let program = std::env::current_exe().and_then(|program| program.metadata());
    let program = program.map(|own| (own.len(), own.modified().ok())).ok();
    let settings = host.settings();
    let file = |path: &Path| format!("{path:?} {}", of_content(&fs::read(path_on_disk(path))));
    let mut files = vec![file(&settings.folder().join(hclkit_settings::Settings::NAME))];
    files.extend(settings.languages().iter().map(|path| file(&settings.folder().join(path))));
    files.extend(command.providers.provider_schema.as_deref().map(file));
    if let Some((LanguageName::Table(path), _)) = &command.language.language {
        files.push(file(path));
    }
    let text = format!(
        "{FORMAT} {} {program:?} {here:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {files:?}",
        env!("CARGO_PKG_VERSION"),
        input::or_here(&command.paths),
        command.files,
        command.features,
        command.language,
        (command.no_callers, &command.changed_since),
        crate::module::workspace(command.workspace.as_deref()),
        command.sources,
        command.providers,
        (global.max_size, global.max_nesting, global.max_steps, global.max_elements),
        (global.max_bytes, global.timeout),
        settings.folder(),
    );
    Ok(hash(&[Part(text.as_bytes())]))
}

/// Refuses a directory that is part of what is checked, because whoever writes the files could then write what is kept.
fn outside_of_inputs(command: &Check, directory: &Path) -> Result<(), String> {
    let here = std::env::current_dir().map_err(|error| error.to_string())?;
    let own = clean_path(&here.join(directory));
    // The part that exists has links.
    let existing = own.ancestors().find_map(|above| Some((above, above.canonicalize().ok()?)));
    let own = match existing {
        Some((above, real)) => real.join(own.strip_prefix(above).unwrap_or(Path::new(""))),
        None => own,
    };
    let modules = command.sources.module_dirs.iter().map(|(_, directory)| directory.as_path());
    let paths = input::or_here(&command.paths).iter().map(PathBuf::as_path).chain(modules);
    for path in paths.filter(|path| *path != Path::new("-")) {
        let folder = if path.is_dir() { path } else { directory_of(path) };
        let Ok(around) = Disk::repository(path_on_disk(folder)) else { continue };
        if own.starts_with(&around) || around.starts_with(&own) {
            return Err(format!(
                "it must be outside of {}, which is checked; use a directory such as ~/.cache/hcl",
                around.display()
            ));
        }
    }
    Ok(())
}

/// Creates a directory that only the user can open, unless it exists.
fn create_private(directory: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(directory)
}

/// Refuses a directory that others can open or that belongs to somebody else.
#[cfg(unix)]
fn only_own(directory: &Path) -> Result<(), String> {
    use std::os::unix::fs::MetadataExt as _;
    let found = directory.metadata().map_err(|error| error.to_string())?;
    if found.uid() != rustix::process::geteuid().as_raw() {
        return Err("it belongs to another user".to_owned());
    }
    if found.mode() & 0o077 != 0 {
        return Err("others can open it; make it private with chmod 700, or name a new directory".to_owned());
    }
    Ok(())
}

#[cfg(not(unix))]
fn only_own(_: &Path) -> Result<(), String> {
    Ok(())
}

/// The key, which is made if there is none.
fn key(directory: &Path) -> io::Result<Vec<u8>> {
    let path = directory.join(KEY);
    let read = || match fs::read(&path) {
        Ok(key) if key.len() == CODE => Ok(Some(key)),
        Ok(_) => Ok(None),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    };
    if let Some(key) = read()? {
        return Ok(key);
    }
    let mut key = vec![0; CODE];
    getrandom::fill(&mut key).map_err(|error| io::Error::other(error.to_string()))?;
    // The mode of temporary files is 0600.
    let mut file = tempfile::Builder::new().prefix(TEMPORARY).tempfile_in(directory)?;
    file.write_all(&key)?;
    let is_damaged = path.symlink_metadata().is_ok();
    if is_damaged {
        file.persist(&path).map_err(|error| error.error)?;
    } else {
        // Another run may have made one meanwhile.
        let _ = file.persist_noclobber(&path);
    }
    read()?.ok_or_else(|| io::Error::other("the file key is damaged"))
}

/// The authentication code of a file: of its name, too, so that it cannot take the place of another.
fn code(key: &[u8], file: &Path, text: &[u8]) -> Hmac<Sha256> {
    let mut code = Hmac::<Sha256>::new_from_slice(key).expect("a key may have any length");
    code.update(file.file_name().unwrap_or_default().as_encoded_bytes());
    code.update(b"\n");
    code.update(text);
    code
}

/// What a file says, unless it is missing, damaged, too large, or written with another key.
fn read(file: &Path, key: &[u8]) -> Option<Snapshot> {
    let found = file.symlink_metadata().ok()?;
    if !found.is_file() || found.len() > MOST_BYTES + CODE as u64 {
        return None;
    }
    let all = fs::read(file).ok()?;
    let (own, text) = all.split_at_checked(CODE)?;
    code(key, file, text).verify_slice(own).ok()?;
    serde_json::from_slice(text).ok()
}

/// Removes what was not written for the longest time, and what killed runs left.
fn remove_old(directory: &Path) -> io::Result<()> {
    let mut kept = Vec::new();
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let path = entry.path();
        let Ok(written) = entry.metadata().and_then(|own| own.modified()) else { continue };
        if path.extension().is_some_and(|own| own == EXTENSION) {
            kept.push((written, path));
        } else if entry.file_name().to_string_lossy().starts_with(TEMPORARY)
            && SystemTime::now().duration_since(written).is_ok_and(|age| age > Duration::from_secs(3600))
        {
            let _ = fs::remove_file(path);
        }
    }
    kept.sort_by(|one, other| other.cmp(one));
    for (_, path) in kept.into_iter().skip(MOST_FILES) {
        let _ = fs::remove_file(path);
    }
    Ok(())
}
