//! Which rules `hcl test` applies and tests, which are selected, and how modules are loaded.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hclkit::functions::Grants;
use hclkit::limits::Glob;
use hclkit::module::{self, Dialect, Disk, Files, ModuleLoader, Schemas};
use hclkit::{Diagnostics, Document};
use hclkit_policy::{Builtin, FileKind, Policies, Reader, Rules};

use super::run::Run;
use crate::args::{self, Test};
use crate::documents::Documents;
use crate::host::Host;
use crate::input::{Find, FoundInputs, Input, selection};
use crate::module::ModulePath;
use crate::outcome::Failure;
use crate::settings::Settings;
use crate::sources::Sources;

/// The kind of a file.
pub(super) fn kind_of(input: &Input) -> Option<FileKind> {
    FileKind::of_name(&input.path()?.file_name()?.to_string_lossy())
}

/// The rules of a run.
pub(super) struct Selected<'c> {
    command: &'c Test,
    globs: Vec<Glob>,
    /// The rules that are applied, if an option or the settings name some.
    named: Vec<PathBuf>,
    params: Vec<(String, String)>,
}

impl<'c> Selected<'c> {
    pub(super) fn new(command: &'c Test) -> Result<Self, Failure> {
        let glob =
            |text: &String| Glob::new(text).map_err(|why| Failure::new(format!("--filter {text}: {why}")));
        let globs = command.filter.iter().map(glob).collect::<Result<_, _>>()?;
        let settings = Settings::read()?;
        let named = if command.rules.is_empty() { settings.test_rules()? } else { command.rules.clone() };
        let mut params: Vec<(String, String)> =
            settings.test_params().iter().map(|(name, text)| (name.clone(), text.clone())).collect();
        for text in &command.params {
            let (name, value) = text.split_once('=').ok_or_else(|| {
                Failure::new(format!(
                    "--param {text}: expected NAME=EXPR, such as required_tags='[\"Owner\"]'"
                ))
            })?;
            params.retain(|(own, _)| own != name);
            params.push((name.to_owned(), value.to_owned()));
        }
        Ok(Self { command, globs, named, params })
    }

    /// Whether the rule, run or test with a name is run.
    pub(super) fn selects(&self, name: &str) -> bool {
        self.globs.is_empty() || self.globs.iter().any(|glob| glob.matches(name))
    }

    /// Finds the rules and policies that an option or the settings name.
    pub(super) fn named(&self) -> Result<Vec<Named<'_>>, Failure> {
        let mut all = Vec::new();
        for path in &self.named {
            all.push(Named::of(path, &self.command.files)?);
        }
        Ok(all)
    }

    /// Reads the rules that are applied, and those in the given paths, which are tested.
    pub(super) fn rules(
        &self,
        found: &FoundInputs,
        named: &[Named<'_>],
        documents: &Documents,
        policies: &AppliedPolicies,
        problems: &mut Diagnostics,
        run: &mut Run<'_>,
    ) -> Result<(Arc<Rules>, Arc<Rules>), Failure> {
        let read = |inputs: &[&Input], run: &mut Run<'_>| -> Vec<Document> {
            let (files, unreadable) = super::parsed(inputs, documents);
            run.unreadable(unreadable.into_iter());
            files
        };
        let is_rules = |input: &&Input| kind_of(input) == Some(FileKind::Rules);
        let here: Vec<&Input> = found.inputs.iter().filter(is_rules).collect();
        let here = read(&here, run);
        let mut applied = Vec::new();
        for own in named {
            applied.extend(own.documents(|inputs| read(inputs, run))?);
            if let Named::Found(_, found) = own {
                run.unreadable(found.unreadable.iter().cloned());
            }
        }
        if self.named.is_empty() {
            let (rules, found) = read_rules(self.reader(here, Some(policies)));
            problems.append(found);
            // They are applied and tested.
            let rules = Arc::new(rules);
            return Ok((rules.clone(), rules));
        }
        // What is tested does not get the parameters.
        let (tested, found) = read_rules(self.reader(here, None));
        problems.append(found);
        let (rules, found) = read_rules(self.reader(applied, Some(policies)));
        problems.append(found);
        *problems = std::mem::take(problems).distinct();
        Ok((Arc::new(rules), Arc::new(tested)))
    }

    /// Reads the policies of Terraform: those that are applied, and all.
    pub(super) fn policies(
        &self,
        found: &FoundInputs,
        named: &[Named<'_>],
        documents: &Documents,
        problems: &mut Diagnostics,
        run: &mut Run<'_>,
    ) -> Result<AppliedPolicies, Failure> {
        let mut read = |inputs: &[&Input]| -> Vec<Document> {
            let (files, unreadable) = super::parsed(inputs, documents);
            run.unreadable(unreadable.into_iter());
            run.checked(files.len());
            files
        };
        let here: Vec<&Input> = found.inputs.iter().filter(|own| is_policy(own)).collect();
        let here = read(&here);
        let mut elsewhere = Vec::new();
        for own in named {
            if let Named::Found(_, found) = own {
                let inputs: Vec<&Input> = found.inputs.iter().filter(|own| is_policy(own)).collect();
                elsewhere.extend(read(&inputs));
            }
        }
        let limited = |files: Vec<Document>| Host::current().limited(|| Policies::read(files));
        let applied = if self.named.is_empty() { here.clone() } else { elsewhere.clone() };
        let (mut all, found) = limited(here.into_iter().chain(elsewhere).collect());
        problems.append(found);
        let (mut applied, _) = limited(applied);
        for (name, text) in &self.params {
            // Others are those of rules.
            if all.inputs().any(|own| own == name) {
                let set = all.set_input(name, text);
                set.map_err(|why| Failure::new(format!("--param {name}: {why}")))?;
            }
            if applied.inputs().any(|own| own == name) {
                let set = applied.set_input(name, text);
                set.map_err(|why| Failure::new(format!("--param {name}: {why}")))?;
            }
        }
        Ok(AppliedPolicies { all, applied })
    }

    fn reader(&self, documents: Vec<Document>, policies: Option<&AppliedPolicies>) -> Reader<'static> {
        let reader = documents.into_iter().fold(Reader::new().with_files(open), Reader::with_document);
        let Some(policies) = policies else { return reader };
        let reader = reader.with_other_params(policies.all.inputs());
        self.params.iter().fold(reader, |reader, (name, text)| reader.with_param(name, text))
    }
}

/// What an option or the settings name.
pub(super) enum Named<'c> {
    /// A file of rules that the program contains, by its name.
    Builtin(&'c str),
    /// A path, with the files that were found there.
    Found(&'c Path, FoundInputs),
}

impl<'c> Named<'c> {
    fn of(path: &'c Path, files: &args::Files) -> Result<Self, Failure> {
        let builtin = path.to_str().and_then(|own| own.strip_prefix("builtin:"));
        Ok(match builtin {
            Some(name) => Self::Builtin(name),
            None => Self::Found(path, selection(files)?.find(std::slice::from_ref(&path.to_owned()))),
        })
    }

    /// The files of rules.
    fn documents(&self, read: impl FnOnce(&[&Input]) -> Vec<Document>) -> Result<Vec<Document>, Failure> {
        match self {
            Named::Builtin(name) => {
                Builtin::documents(name).map_err(|why| Failure::new(format!("--rules builtin:{name}: {why}")))
            }
            Named::Found(path, found) => {
                let is_rules = |input: &Input| kind_of(input) == Some(FileKind::Rules);
                let is_wanted =
                    |input: &&Input| matches!(input, Input::File(_)) && !is_policy(input) || is_rules(input);
                let inputs: Vec<&Input> = found.inputs.iter().filter(is_wanted).collect();
                let has_policies = found.inputs.iter().any(is_policy);
                if inputs.is_empty() && !has_policies && found.unreadable.is_empty() {
                    return Err(Failure::new(format!("no rules in {}", path.display())));
                }
                Ok(read(&inputs))
            }
        }
    }
}

/// The rules at these paths, or else those that the settings name, and what is wrong in them. `None` if there are none.
///
/// # Errors
/// There are no rules at a path, or they cannot be read.
#[cfg(feature = "git")]
pub(crate) fn rules_at(paths: &[PathBuf]) -> Result<Option<(Rules, Diagnostics)>, Failure> {
    let settings = Settings::read()?;
    let paths = if paths.is_empty() { settings.test_rules()? } else { paths.to_vec() };
    if paths.is_empty() {
        return Ok(None);
    }
    let documents = Documents::new(crate::documents::Keep::All);
    let mut reader = Reader::new().with_files(open);
    for path in &paths {
        let named = Named::of(path, &args::Files::default())?;
        let mut unreadable = Vec::new();
        let files = named.documents(|inputs| {
            let (files, others) = super::parsed(inputs, &documents);
            unreadable = others;
            files
        })?;
        if let Named::Found(_, found) = &named {
            unreadable.extend(found.unreadable.iter().cloned());
        }
        if let Some(file) = unreadable.first() {
            return Err(Failure::new(file.to_string()));
        }
        reader = files.into_iter().fold(reader, Reader::with_document);
    }
    let params = settings.test_params().iter();
    let reader = params.fold(reader, |reader, (name, text)| reader.with_param(name, text));
    Ok(Some(read_rules(reader)))
}

/// Reads rules within the limits of the options: their expressions are evaluated to find errors in them.
fn read_rules(reader: Reader<'_>) -> (Rules, Diagnostics) {
    Host::current().limited(|| reader.read())
}

fn is_policy(input: &Input) -> bool {
    kind_of(input) == Some(FileKind::TerraformPolicy)
}

/// The policies of Terraform of a run.
pub(super) struct AppliedPolicies {
    /// All of them, which tests can be about.
    pub(super) all: Policies,
    pub(super) applied: Policies,
}

/// Reads what a file of rules names.
pub(super) fn open(directory: &Path, path: &str) -> Result<Vec<(String, Vec<u8>)>, String> {
    let here = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
    let disk = Disk::new(here).with_max_size(Host::current().max_size());
    hclkit_policy::rules::open(&crate::module::files_in(disk, here), directory, path)
}

/// How modules are loaded.
pub(super) struct Loading {
    sources: Sources,
    schemas: Option<Schemas>,
    data_sources: bool,
}

impl Loading {
    pub(super) fn new(command: &Test) -> Result<Self, Failure> {
        Ok(Self {
            sources: Sources::new(&command.sources)?,
            schemas: crate::module::schemas(&command.providers)?,
            data_sources: !command.providers.no_data_sources,
        })
    }

    /// The types of resources whose schemas are known.
    pub(super) fn complete(&self) -> HashSet<String> {
        self.schemas.iter().flat_map(|own| own.types("resource")).map(str::to_owned).collect()
    }

    /// The module in a directory, in a language or in that of its files. It may read its repository and what options grant, but not the
    /// environment.
    pub(super) fn load(
        &self,
        directory: &Path,
        language: Option<&Arc<Dialect>>,
    ) -> Result<ModuleLoader, String> {
        let here = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
        let found = match language {
            Some(own) => crate::module::has_files_of(here, own).map(|has| has.then(|| own.clone())),
            None => crate::module::language_of(here),
        };
        let language = found
            .map_err(|why| format!("cannot read {}: {why}", here.display()))?
            .ok_or_else(|| format!("{} has no files of a language with modules", here.display()))?;
        let place = crate::module::ModulePath::of_directory(here.to_owned());
        let grants = module::files(Grants::new(), here, self.sources.granted());
        let functions = module::functions(&language, &grants);
        let files = crate::module::directory_files(&place, &[], &self.sources);
        Ok(self.loader(&language, &place, files).with_functions(functions))
    }

    /// The directories that modules may read besides their repositories.
    pub(super) fn granted(&self) -> &[PathBuf] {
        self.sources.granted()
    }

    /// A loader with these files of a place, and without functions.
    pub(super) fn loader(
        &self,
        language: &Arc<Dialect>,
        place: &ModulePath,
        files: impl Files + 'static,
    ) -> ModuleLoader {
        let loader = crate::module::loader_of(language.clone(), place, &self.sources, files);
        let loader = loader.with_data_sources(self.data_sources);
        self.schemas.iter().cloned().fold(loader, ModuleLoader::with_schemas)
    }
}
