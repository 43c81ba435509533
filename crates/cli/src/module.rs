//! Modules: which directories and files are modules, and how the options of a command apply to them.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hclkit::functions::Grants;
use hclkit::module::{self, Dialect, Disk, Files, ModuleLoader, Schemas, SignsOnDisk};
use hclkit::{Source, Value};
use hclkit_files::{ObservedDisk, Observer};

use crate::args::{self, Definition, LanguageName, Variables};
use crate::atomic_write;
use crate::host::Host;
use crate::input::Input;
use crate::outcome::{CommandError, Failure};
use crate::output::warn;
use crate::sources::Sources;

/// Why `--functions` is rejected.
pub(crate) const FUNCTIONS_OF_LANGUAGE: &str = "the functions of a module are those of its language";

/// A directory, or one file of it.
pub(crate) struct ModulePath {
    pub(crate) directory: PathBuf,
    file: Option<String>,
}

impl ModulePath {
    /// A directory.
    pub(crate) fn of_directory(directory: PathBuf) -> Self {
        Self { directory, file: None }
    }

    /// The name of the file, if it is one.
    pub(crate) fn file(&self) -> Option<&str> {
        self.file.as_deref()
    }
}

/// The module at a path: a directory, or a file of a known language.
pub(crate) fn place(text: &str, language: &args::LanguageOption) -> Option<ModulePath> {
    let path = Path::new(text);
    if path.is_dir() {
        return Some(ModulePath { directory: path.to_owned(), file: None });
    }
    let name = path.file_name()?.to_str()?;
    let known = language.language.is_some() || of_file(name).is_some();
    if !known || !path.is_file() {
        return None;
    }
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    Some(ModulePath { directory: parent.unwrap_or(Path::new(".")).to_owned(), file: Some(name.to_owned()) })
}

/// The module at a path, which must be a module.
pub(crate) fn required_place(path: &str, language: &args::LanguageOption) -> Result<ModulePath, Failure> {
    place(path, language)
        .ok_or_else(|| Failure::new(format!("{path} is not a directory or a file of a known language")))
}

/// The language from the options, or else that of the files.
pub(crate) fn language(
    place: &ModulePath,
    option: &args::LanguageOption,
) -> Result<Arc<Dialect>, CommandError> {
    if let Some(language) = &option.language {
        if let LanguageName::Table(path) = language {
            return table(path);
        }
        let name = language.name();
        return Dialect::named(name).filter(|it| it.has_modules() || it.single_files && place.file.is_some()).ok_or_else(|| {
            let known: Vec<String> = Dialect::of_modules().map(|it| it.name().to_owned()).collect();
            Failure::new(format!(
                "--language {name}: directories of this language cannot be evaluated; expected one of {}, bake, or a \
                 file with a table",
                known.join(", ")
            ))
            .into()
        });
    }
    let language = match &place.file {
        Some(name) => of_file(name),
        None => language_of(&place.directory)
            .map_err(|error| Failure::new(format!("cannot read {}: {error}", place.directory.display())))?,
    };
    language.ok_or_else(|| Failure::new(no_module(&place.directory)).into())
}

/// Why a directory cannot be evaluated.
fn no_module(directory: &Path) -> String {
    let name = directory.display();
    let mut files = names_in(directory).unwrap_or_default();
    files.sort();
    let files = files.into_iter().filter_map(|file| Some((Dialect::of_path(&file)?, directory.join(file))));
    // Every other file can be one of HCL.
    let files: Vec<_> = files.filter(|(language, _)| language.name() != "hcl").collect();
    if let Some((language, file)) = files.iter().find(|(language, _)| language.single_files) {
        let (title, file) = (language.title(), file.display());
        return format!("{name} is not a module: each file of {title} is one by itself, such as {file}");
    }
    if let Some((language, _)) = files.first() {
        let title = language.title();
        return format!(
            "{name} has files of {title}, which are not evaluated; hcl query prints parts of them"
        );
    }
    format!("{name} has no files of a known language, such as main.tf; specify it with --language")
}

/// The language in which a file is evaluated, with the others of its directory or by itself.
pub(crate) fn of_file(name: &str) -> Option<Arc<Dialect>> {
    Dialect::of_files([name]).or_else(|| Dialect::of_path(name).filter(|language| language.single_files))
}

/// The language that a file describes.
pub(crate) fn table(path: &Path) -> Result<Arc<Dialect>, CommandError> {
    let table: Source = Input::of(path).read_text().map_err(Failure::from)?;
    Ok(Arc::new(Dialect::read(table)?))
}

/// The language of the files in a directory, if it is a known one.
pub(crate) fn language_of(directory: &Path) -> io::Result<Option<Arc<Dialect>>> {
    let by_names = Dialect::of_files(names_in(directory)?.iter().map(String::as_str));
    Ok(by_names.map(|language| SignsOnDisk::default().language(directory, &language)))
}

/// Whether a directory has files that are modules of a language.
pub(crate) fn has_files_of(directory: &Path, language: &Dialect) -> io::Result<bool> {
    Ok(names_in(directory)?.iter().any(|name| language.is_module_file(name)))
}

/// Whether the current directory has files of a module.
pub(crate) fn is_here() -> bool {
    language_of(Path::new(".")).is_ok_and(|language| language.is_some())
}

/// The names of the files in a directory.
fn names_in(directory: &Path) -> io::Result<Vec<String>> {
    let entries = std::fs::read_dir(directory)?.flatten();
    Ok(entries.filter_map(|entry| entry.file_name().into_string().ok()).collect())
}

/// A loader with the files of a place. The module may read its repository, and other directories.
pub(crate) fn files(
    language: Arc<Dialect>,
    place: &ModulePath,
    others: &[PathBuf],
    sources: &Sources,
) -> ModuleLoader {
    loader_of(language, place, sources, directory_files(place, others, sources))
}

/// The files of a place.
pub(crate) fn directory_files(place: &ModulePath, others: &[PathBuf], sources: &Sources) -> ObservedDisk {
    let disk = Disk::new(&place.directory).with_max_size(Host::current().max_size());
    let disk = others.iter().chain(sources.granted()).fold(disk, Disk::with_readable);
    files_in(disk, &place.directory)
}

/// A loader with these files of a place.
pub(crate) fn loader_of(
    language: Arc<Dialect>,
    place: &ModulePath,
    sources: &Sources,
    files: impl Files + 'static,
) -> ModuleLoader {
    let by_itself = language.name() == "packer" || language.single_files;
    let loader = ModuleLoader::new(language);
    let loader = sources.add_to(loader.with_directory(&place.directory).with_files(files));
    match &place.file {
        // A template of Packer can be a single file. In most other languages, a file belongs to its directory.
        Some(name) if by_itself => loader.with_only([name.as_str()]),
        _ => loader,
    }
}

/// Finishes changes of several files that killed runs began in a directory before it is read, and notes what is read.
pub(crate) struct Reads;

impl Observer for Reads {
    fn opens(&self, path: &Path) {
        Host::current().note_read(path);
    }

    fn enters(&self, directory: &Path) -> bool {
        atomic_write::finish_changes([directory])
    }

    fn descends(&self, directory: &Path) {
        atomic_write::finish_changes_in(directory);
    }
}

/// The files of a module in a directory.
pub(crate) fn files_in(disk: Disk, directory: &Path) -> ObservedDisk {
    ObservedDisk::new(disk, directory, Arc::new(Reads))
}

/// Loads a module. One of Terraform is one of `OpenTofu` if it calls a module that only that reads, unless a file or an option says
/// what it is.
pub(crate) fn load_by_calls(
    place: &ModulePath,
    option: &args::LanguageOption,
    language: &Arc<Dialect>,
    loader: impl Fn(&Arc<Dialect>) -> Result<ModuleLoader, CommandError>,
) -> Result<module::Module, CommandError> {
    let own = loader(language)?;
    let module = own.clone().load();
    let is_open = option.language.is_none() && language.name() == Dialect::terraform().name();
    let tofu = Dialect::opentofu();
    if is_open
        && own.calls_files_of(&module, &tofu)
        && SignsOnDisk::default().of(&place.directory).language(language).is_none()
    {
        return Ok(loader(&tofu)?.load());
    }
    Ok(module)
}

/// Reads a module with the variables and functions of the options. Variables without a value are unknown or errors.
pub(crate) fn load(
    place: &ModulePath,
    options: &args::Module,
    given: &args::ExplicitOptions,
    scope: &args::Scope,
    unknown_variables: bool,
) -> Result<module::Module, CommandError> {
    let by_name = language(place, &options.language)?;
    if by_name.name() == "packer" || by_name.single_files {
        let why = format!("not supported for {}", by_name.title());
        given.reject(&["applied", "no-data-sources", "provider-schema", "workspace"], &why)?;
    }
    let grants = if scope.allow_env { Grants::new().with_environment() } else { Grants::new() };
    let others = directories(&scope.allow_fs)?;
    let sources = Sources::new(&options.sources)?;
    let readable = [&others, sources.granted()].concat();
    let grants = module::files(grants, &place.directory, &readable);
    let schemas = schemas(&options.providers)?;
    let module = load_by_calls(place, &options.language, &by_name, |language| {
        let mut loader = files(language.clone(), place, &others, &sources)
            .with_functions(module::functions(language, &grants))
            .with_unknown_variables(unknown_variables)
            .with_applied(options.applied)
            .with_data_sources(!options.providers.no_data_sources)
            .with_workspace(workspace(options.workspace.as_deref()))
            .with_environment(environment(language));
        loader = schemas.iter().cloned().fold(loader, ModuleLoader::with_schemas);
        for definition in &scope.definitions.0 {
            loader = variable(loader, definition)?;
        }
        Ok(loader)
    })?;
    scope.definitions.0.iter().for_each(|definition| warn_of_quotes(&module, definition));
    Ok(module)
}

/// Warns if the text of a variable has quotes, which are part of its value.
fn warn_of_quotes(module: &module::Module, definition: &Definition) {
    let Definition::Variable { name, expression } = definition else { return };
    let inner = expression.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    let (Some(inner), [name]) = (inner.filter(|inner| !inner.is_empty()), &name[..]) else { return };
    let Ok(address) = format!("var.{name}").parse() else { return };
    let found = module.evaluate(&[address]);
    let is_text = |value: &Value| value.unmark().0.as_str() == Some(expression);
    if found.values.iter().any(|found| is_text(&found.value)) {
        // A value may be secret.
        let form = if inner.contains(' ') { format!("'{name}=…'") } else { format!("{name}=…") };
        warn(format_args!("the quotes in --var {name} are part of its text; without them, use --var {form}"));
    }
}

/// The schemas of providers.
pub(crate) fn schemas(providers: &args::Providers) -> Result<Option<Schemas>, Failure> {
    let Some(path) = &providers.provider_schema else { return Ok(None) };
    let text: Source = Input::of(path).read_text().map_err(Failure::from)?;
    let schemas = Schemas::read(text.bytes());
    schemas.map(Some).map_err(|why| Failure::new(format!("cannot read {}: {why}", path.display())))
}

/// The absolute paths of directories that a module may read, in addition to its repository.
pub(crate) fn directories(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let one = |path: &PathBuf| {
        let failed =
            |why: String| Failure::new(format!("cannot open the directory {}: {why}", path.display()));
        let found = path.canonicalize().map_err(|error| failed(error.to_string()))?;
        if !found.is_dir() {
            return Err(failed("it is not a directory".to_owned()));
        }
        Ok(found)
    };
    paths.iter().map(one).collect()
}

/// The name of the workspace.
pub(crate) fn workspace(option: Option<&str>) -> String {
    let variable = || std::env::var("TF_WORKSPACE").ok().filter(|name| !name.is_empty());
    option.map(str::to_owned).or_else(variable).unwrap_or_else(|| "default".to_owned())
}

/// The environment variables that set input variables.
pub(crate) fn environment(language: &Dialect) -> Vec<(String, String)> {
    let Some(prefix) = language.environment() else { return Vec::new() };
    environment_texts().filter(|(name, _)| name.starts_with(prefix)).collect()
}

/// The environment variables whose names and values are valid UTF-8.
pub(crate) fn environment_texts() -> impl Iterator<Item = (String, String)> {
    let text =
        |(name, value): (OsString, OsString)| Some((name.into_string().ok()?, value.into_string().ok()?));
    std::env::vars_os().filter_map(text)
}

pub(crate) fn variable(loader: ModuleLoader, definition: &Definition) -> Result<ModuleLoader, CommandError> {
    match definition {
        Definition::Variable { name, expression } => {
            // `var.region` is another way to write `region`.
            let name = match name.as_slice() {
                [name] => name,
                [root, name] if root == "var" => name,
                _ => {
                    let name = name.join(".");
                    return Err(Failure::new(format!(
                        "--var {name}: expected the name of a variable of the module"
                    ))
                    .into());
                }
            };
            Ok(loader.with_variable_text(name.as_str(), expression.as_str()))
        }
        Definition::Variables { from: Variables::File(input), .. } => {
            let source = input.read_text().map_err(Failure::from)?;
            Ok(loader.with_variables(input.name(), source.bytes()))
        }
        Definition::Variables { from: Variables::Json(text), .. } => {
            Ok(loader.with_variables("<--vars>.json", text.as_bytes()))
        }
    }
}
