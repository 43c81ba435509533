//! Bake files: which paths are Bake files, and how the options of a command apply to them.

use std::path::{Path, PathBuf};

use hclkit::functions::Library;
use hclkit::module::{BAKE_FILES, Bake, Disk};

use crate::args::{self, Definition, LanguageName};
use crate::host::Host;
use crate::input::Input;
use crate::module::{self, files_in};
use crate::outcome::{CommandError, Failure};
use crate::scope::grants;

/// Returns true if the path is a Bake file, a directory with Bake files and no other language, or whatever `--language`
/// declares to be Bake.
pub(crate) fn is_bake(path: Option<&str>, language: &args::LanguageOption) -> bool {
    if let Some(language) = &language.language {
        return *language == LanguageName::Bake;
    }
    let path = Path::new(path.unwrap_or_default());
    if is_bake_file(path) {
        return path.is_file();
    }
    let has = |name: &&str| path.join(name).is_file();
    path.is_dir() && BAKE_FILES.iter().any(has) && !has_other_language(path)
}

pub(crate) fn is_bake_file(path: &Path) -> bool {
    path.file_name().is_some_and(|name| BAKE_FILES.iter().any(|own| name == *own))
}

fn has_other_language(directory: &Path) -> bool {
    module::language_of(directory).is_ok_and(|language| language.is_some())
}

pub(crate) enum Files {
    /// The files of a directory that Bake reads by default.
    Directory(PathBuf),
    These(Vec<PathBuf>),
}

impl Files {
    /// The files of a directory, or a file.
    pub(crate) fn at(path: &str) -> Self {
        let path = PathBuf::from(path);
        if path.is_dir() { Self::Directory(path) } else { Self::These(vec![path]) }
    }
}

/// Reads Bake files, with the variables and functions of the options.
pub(crate) fn load(files: Files, scope: &args::Scope) -> Result<Bake, CommandError> {
    let mut bake = Bake::new().with_functions(Library::Bake.functions(&grants(scope)?));
    bake = read(bake, files)?;
    for definition in &scope.definitions.0 {
        bake = match definition {
            Definition::Variable { name, expression } => bake.with_variable_text(name.join("."), expression),
            Definition::Variables { .. } => {
                let why = "variable files are not supported for Bake files; use --var, or add a file with -f";
                return Err(Failure::new(why).into());
            }
        };
    }
    Ok(bake.with_environment(environment()))
}

/// Adds files.
pub(crate) fn read(mut bake: Bake, files: Files) -> Result<Bake, Failure> {
    match files {
        Files::Directory(directory) => {
            let disk = Disk::new(&directory).with_max_size(Host::current().max_size());
            Ok(bake.with_directory(&files_in(disk, &directory)))
        }
        Files::These(paths) => {
            for path in paths {
                let source = Input::of(&path).read_text().map_err(Failure::from)?;
                bake = bake.with_file(source.name().to_owned(), source.text().as_bytes());
            }
            Ok(bake)
        }
    }
}

/// The environment variables, unless Buildx's own switch turns them off.
fn environment() -> Vec<(String, String)> {
    let is_off = std::env::var("BUILDX_BAKE_DISABLE_VARS_ENV_LOOKUP");
    if is_off.is_ok_and(|off| matches!(off.as_str(), "1" | "t" | "T" | "true" | "TRUE" | "True")) {
        return Vec::new();
    }
    module::environment_texts().collect()
}
