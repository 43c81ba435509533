//! Units and stacks of Terragrunt: which paths are some, and how options apply to them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use hclkit::functions::Grants;
use hclkit::module::{
    Dialect, Disk, Files, TERRAGRUNT_FILES, Terragrunt, functions_without_files, terragrunt_functions,
};

use crate::args::{self, Definition, LanguageName};
use crate::host::Host;
use crate::input::{Find, Input, selection};
use crate::module::{self, files_in};
use crate::outcome::{CommandError, Failure};
use crate::sources::Sources;

/// Returns true if the path is the file of a unit or a stack, a directory with one and no other language, or whatever
/// `--language` declares to be one.
pub(crate) fn is_unit(path: &Path, language: &args::LanguageOption) -> bool {
    if let Some(language) = &language.language {
        return *language == LanguageName::Terragrunt && path.exists();
    }
    if path.is_file() {
        return is_unit_file(path);
    }
    let has_other = || module::language_of(path).is_ok_and(|language| language.is_some());
    TERRAGRUNT_FILES.iter().any(|name| path.join(name).is_file()) && !has_other()
}

/// Whether a file has the name of one of a unit or a stack.
pub(crate) fn is_unit_file(path: &Path) -> bool {
    path.file_name().is_some_and(|name| TERRAGRUNT_FILES.iter().any(|own| name == *own))
}

/// The directory of a unit, and its path from there, which is empty for the directory itself.
pub(crate) fn place(path: &Path) -> (&Path, &str) {
    if path.is_dir() {
        return (path, "");
    }
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    (parent.unwrap_or(Path::new(".")), name)
}

/// Files around a directory, with the functions and flags of the options.
pub(crate) fn load(
    directory: &Path,
    scope: &args::Scope,
    sources: &args::Sources,
) -> Result<Terragrunt, CommandError> {
    let sources = Sources::new(sources)?;
    let mut others = module::directories(&scope.allow_fs)?;
    let grants = if scope.allow_env { Grants::new().with_environment() } else { Grants::new() };
    let functions = terragrunt_functions(grants, others.clone());
    others.extend(sources.granted().to_vec());
    let mut terragrunt = with_sources(files(directory, &others).with_functions(functions), Some(&sources));
    if scope.allow_env {
        terragrunt = terragrunt.with_environment(module::environment_texts());
    }
    for definition in &scope.definitions.0 {
        terragrunt = match definition {
            Definition::Variable { name, expression } => match name.as_slice() {
                [name] => terragrunt.with_flag(name.as_str(), expression.as_str()),
                [root, name] if root == "feature" => terragrunt.with_flag(name.as_str(), expression.as_str()),
                _ => {
                    let name = name.join(".");
                    let why = format!("--var {name}: expected the name of a feature flag");
                    return Err(Failure::new(why).into());
                }
            },
            Definition::Variables { .. } => {
                let why = "variable files are not supported for Terragrunt; use --var to set feature flags";
                return Err(Failure::new(why).into());
            }
        };
    }
    Ok(terragrunt)
}

/// Adds the sources of options.
fn with_sources(terragrunt: Terragrunt, sources: Option<&Sources>) -> Terragrunt {
    let all = sources.into_iter().flat_map(Sources::all);
    all.fold(terragrunt, |own, (source, directory)| own.with_source(source, directory))
}

/// The unit whose names a console uses. None if the path is none.
///
/// # Errors
/// The unit has errors, or an option is not for units.
#[cfg(feature = "console")]
pub(crate) fn of_console(
    path: &Path,
    command: &args::Console,
) -> Result<Option<hclkit::module::Unit>, CommandError> {
    if !is_unit(path, &command.module.language) {
        return Ok(None);
    }
    command
        .given
        .reject(&["no-data-sources", "provider-schema", "workspace"], "not supported for Terragrunt")?;
    let (directory, file) = place(path);
    let terragrunt = load(directory, &command.scope, &command.module.sources)?;
    let (unit, found) = crate::scope::run_limited(|| terragrunt.evaluate(file));
    if found.has_errors() {
        crate::scope::grant_hint(&command.scope, &found).into_iter().for_each(crate::output::note);
        return Err(found.into());
    }
    Ok(Some(unit))
}

/// Files around a directory, without functions.
fn files(directory: &Path, others: &[PathBuf]) -> Terragrunt {
    let disk = Disk::new(directory).with_max_size(Host::current().max_size());
    let disk = others.iter().fold(disk, Disk::with_readable);
    let base = directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
    Terragrunt::new(files_in(disk, directory), base.to_string_lossy())
}

/// The repositories around some directories. Paths are relative to the current directory.
pub(crate) fn repositories<'d>(directories: impl IntoIterator<Item = &'d Path>) -> Disk {
    let roots: BTreeSet<PathBuf> =
        directories.into_iter().filter_map(|path| Disk::repository(path).ok()).collect();
    let disk = Disk::without_repository("").with_max_size(Host::current().max_size());
    roots.iter().fold(disk, Disk::with_readable)
}

/// Files by their paths from the current directory, for checks and graphs: functions that read more than files of the language
/// have unknown results.
pub(crate) fn unevaluated(files: impl Files + 'static, sources: Option<&Sources>) -> Terragrunt {
    let here = Path::new(".").canonicalize().unwrap_or_default();
    let functions = functions_without_files(&Dialect::terraform());
    let terragrunt =
        Terragrunt::new(files, here.to_string_lossy()).with_functions(move |_| functions.clone());
    with_sources(terragrunt, sources)
}

/// The directories of units: one, or those below a directory without a module.
pub(crate) fn units(path: &str, language: &args::LanguageOption) -> Result<Vec<PathBuf>, Failure> {
    let path = Path::new(path);
    if is_unit(path, language) {
        return Ok(vec![place(path).0.to_owned()]);
    }
    let is_other = match &language.language {
        Some(language) => *language != LanguageName::Terragrunt,
        None => module::language_of(path).map_or(true, |language| language.is_some()),
    };
    if is_other || !path.is_dir() {
        return Ok(Vec::new());
    }
    let found = selection(&args::Files::default())?.find(&[path.to_owned()]);
    let files = found.inputs.iter().filter_map(Input::path).filter(|path| is_unit_file(path));
    Ok(files.map(|file| place(file).0.to_owned()).collect())
}
