//! The directories of modules that are not called by a path: those of `--module-dir`, and of the table `[modules]` in
//! `hcl.toml`.

use std::path::{Component, Path, PathBuf};

use hclkit::dialect::is_local_source;
use hclkit::limits::path_on_disk;
use hclkit::model::shown_source;
use hclkit::module::ModuleLoader;

use crate::args;
use crate::host::Host;
use crate::outcome::Failure;
use crate::output::note;

/// Sources with their directories, and what modules may therefore read.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    all: Vec<(String, String)>,
    granted: Vec<PathBuf>,
}

impl Sources {
    /// # Errors
    /// A directory does not exist, or the settings cannot be read or lead outside of their directory.
    pub(crate) fn new(options: &args::Sources) -> Result<Self, Failure> {
        let mut sources = Self::default();
        for (source, directory) in &options.module_dirs {
            sources.add(source, directory, None)?;
        }
        let settings = Host::current().settings();
        // The longest source is the most specific one.
        let mut mapped: Vec<(&String, &PathBuf)> = settings.modules().iter().collect();
        mapped.sort_by_key(|(source, _)| (std::cmp::Reverse(source.len()), *source));
        for (source, directory) in mapped {
            sources.add(source, directory, Some(settings.folder()))?;
        }
        Ok(sources)
    }

    /// Adds a directory. Settings of a project map sources only to directories of the project.
    fn add(&mut self, source: &str, directory: &Path, project: Option<&Path>) -> Result<(), Failure> {
        let failed = |why: &str| {
            let option = if project.is_some() { "[modules] in hcl.toml" } else { "--module-dir" };
            Failure::new(format!("{option}: {source}: {}: {why}", directory.display()))
        };
        let (fixed, pattern) = parts(directory);
        let fixed = project.unwrap_or(Path::new("")).join(fixed);
        let fixed = path_on_disk(&fixed);
        let found = fixed.canonicalize().map_err(|error| failed(&error.to_string()))?;
        if !found.is_dir() {
            return Err(failed("it is not a directory"));
        }
        if let Some(project) = project {
            let project = project.canonicalize().map_err(|error| failed(&error.to_string()))?;
            if !found.starts_with(&project) {
                return Err(failed("it is outside of the directory of hcl.toml; use --module-dir"));
            }
        }
        let whole = found.join(pattern);
        let Some(whole) = whole.to_str() else { return Err(failed("its name is not UTF-8")) };
        let whole = if cfg!(windows) { whole.replace('\\', "/") } else { whole.to_owned() };
        self.all.push((source.to_owned(), whole));
        self.granted.push(found);
        Ok(())
    }

    /// The directories that modules may read because of this.
    pub(crate) fn granted(&self) -> &[PathBuf] {
        &self.granted
    }

    /// Adds the sources to those of a loader.
    pub(crate) fn add_to(&self, loader: ModuleLoader) -> ModuleLoader {
        self.all().fold(loader, |loader, (source, directory)| loader.with_source(source, directory))
    }

    /// The sources, each with the directory that has it.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&str, &str)> {
        self.all.iter().map(|(source, directory)| (source.as_str(), directory.as_str()))
    }
}

/// A directory up to the first part with a `*`, and the rest.
fn parts(directory: &Path) -> (PathBuf, PathBuf) {
    let is_pattern = |part: &Component| part.as_os_str().to_string_lossy().contains('*');
    let fixed: PathBuf = directory.components().take_while(|part| !is_pattern(part)).collect();
    (fixed, directory.components().skip_while(|part| !is_pattern(part)).collect())
}

/// How many sources are named.
const NAMED: usize = 3;

/// A source as it may be shown, without its parameters.
pub(crate) fn without_parameters(source: &str) -> String {
    let source = source.split_once('?').map_or(source, |(before, _)| before);
    shown_source(source).into_owned()
}

/// Says which modules are not available: those of packages, and those in directories that were not given.
pub(crate) fn note_unavailable<'s>(sources: impl IntoIterator<Item = &'s str>) {
    let (local, other): (Vec<&str>, Vec<&str>) =
        sources.into_iter().partition(|source| is_local_source(source));
    let remedies = [
        (other, "use --module-dir SOURCE=DIR to read it", "use --module-dir SOURCE=DIR to read them"),
        (local, "to read it, specify its directory, too", "to read them, specify their directories, too"),
    ];
    for (all, for_one, for_several) in remedies {
        let names: Vec<String> = all.iter().take(NAMED).map(|source| without_parameters(source)).collect();
        let mut names = names.join(", ");
        if all.len() > NAMED {
            names = match all.len() - NAMED {
                1 => format!("{names} and 1 other"),
                others => format!("{names} and {others} others"),
            };
        }
        match all.len() {
            0 => {}
            1 => note(format!("1 module is not available: {names}; {for_one}")),
            count => note(format!("{count} modules are not available: {names}; {for_several}")),
        }
    }
}
