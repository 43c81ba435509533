//! Loading a module: its files, the values of its variables, and its functions.

use std::collections::{BTreeSet, HashSet};
use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;

use hclkit_model::{Context, Functions};
use hclkit_syntax::Diagnostics;
use hclkit_value::{Error, Function, Name, Parameter, Type, Value};

use crate::config::{Config, Content, Item, Loading, MappedSources, Read, Store, Target};
use crate::files::{Disk, Files, Memory, join};
use crate::inputs::{self, InputOption, InputSources, RootInputs};
use crate::instance::{Names, Session, Shared, Stage, is_open};
use crate::known_objects::{KnownObjects, ObjectKnowledge};
use crate::module::Module;
use crate::schema::{BlockSchema, Schemas};
use hclkit_dialect::{Dialect, is_local_source};

/// Reads a module. Variables can be set here, in files that the language reads by default, and in the environment.
/// Values set here take precedence over files, and files over the environment. Of values set here, the last one wins,
/// except that in Packer, values of single variables take precedence over files.
///
/// ```
/// use hclkit_module::{Dialect, ModuleLoader, Memory};
///
/// let files = Memory::from_iter([
///     ("main.tf", "output \"name\" {\n  value = terraform.workspace\n}\n"),
///     ("broken.tf", "output {"),
/// ]);
/// let language = Dialect::of_files(["main.tf"]).unwrap();
/// let module = ModuleLoader::new(language).with_files(files).with_only(["main.tf"]).with_workspace("test").load();
/// let found = module.evaluate(&["output.name".parse()?]);
/// assert!(!found.diagnostics.has_errors());
/// assert_eq!(found.values[0].value.to_string(), "\"test\"");
/// # Ok::<(), hclkit_module::PathError>(())
/// ```
#[derive(Clone)]
#[allow(clippy::struct_excessive_bools, reason = "options that are independent of each other")]
pub struct ModuleLoader {
    pub(crate) language: Arc<Dialect>,
    pub(crate) files: Arc<dyn Files>,
    sources: MappedSources,
    pub(crate) only: Option<Vec<String>>,
    functions: Functions,
    readers: Option<Readers>,
    inputs: InputSources,
    unknown_variables: bool,
    workspace: Option<String>,
    current_directory: Option<String>,
    schemas: Schemas,
    threads: Option<usize>,
    target: Option<Arc<Target>>,
    called: bool,
    applied: bool,
    known: KnownObjects,
    data_sources: bool,
    /// The names of directories, if several modules share them.
    names: Arc<Names>,
}

/// Reads a file for a function.
#[doc(hidden)]
pub type ReadFile = dyn Fn(&str) -> io::Result<Vec<u8>> + Send + Sync;
/// Makes functions that read files.
type Readers = fn(&Dialect, Arc<ReadFile>) -> Functions;

/// The language. Variables and the environment, which may be sensitive, are left out.
#[doc(hidden)]
impl fmt::Debug for ModuleLoader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ModuleLoader").field("language", &self.language).finish_non_exhaustive()
    }
}

impl ModuleLoader {
    /// Returns a loader for a language, without files.
    pub fn new(language: Arc<Dialect>) -> Self {
        Self {
            language,
            files: Arc::new(Memory::default()),
            sources: MappedSources::default(),
            only: None,
            functions: Functions::new(),
            readers: None,
            inputs: InputSources::default(),
            unknown_variables: false,
            workspace: Some("default".to_owned()),
            current_directory: None,
            schemas: Schemas::default(),
            threads: None,
            target: None,
            called: false,
            applied: false,
            known: KnownObjects::default(),
            data_sources: true,
            names: Arc::default(),
        }
    }

    /// The language.
    #[doc(hidden)]
    pub fn language(&self) -> &Arc<Dialect> {
        &self.language
    }

    /// A loader for modules of the same directories, which share their names.
    pub(crate) fn for_tree(self) -> Self {
        Self { names: Arc::default(), ..self }
    }

    pub(crate) fn files(&self) -> &dyn Files {
        &*self.files
    }

    pub(crate) fn functions(&self) -> &Functions {
        &self.functions
    }

    pub(crate) fn sources(&self) -> &MappedSources {
        &self.sources
    }

    /// Reads the files of a directory on disk.
    #[must_use]
    pub fn with_directory(self, path: impl AsRef<Path>) -> Self {
        let path = path.as_ref();
        let current = path.canonicalize().ok().map(|path| path.to_string_lossy().into_owned());
        let mut loader = self.with_files(Disk::new(path));
        loader.current_directory = current;
        loader
    }

    /// Reads files through this implementation of [`Files`], such as [`Memory`].
    #[must_use]
    pub fn with_files(mut self, files: impl Files + 'static) -> Self {
        self.files = Arc::new(files);
        self
    }

    /// Reads modules with a source from a directory, unless they were downloaded. Each `*` in the source is any text, which
    /// replaces a `*` in the directory. A source also matches without its version and the directory inside of it.
    ///
    /// ```
    /// use hclkit_module::{Dialect, Memory, ModuleLoader};
    ///
    /// let files = Memory::from_iter([
    ///     ("main.tf", "module \"vpc\" {\n  source  = \"example/vpc/aws\"\n  version = \"~> 1.0\"\n}\n"),
    ///     ("vendor/vpc/main.tf", "output \"cidr\" {\n  value = \"10.0.0.0/16\"\n}\n"),
    /// ]);
    /// let loader = ModuleLoader::new(Dialect::terraform()).with_files(files);
    /// assert_eq!(loader.clone().load().unavailable(), ["example/vpc/aws"]);
    /// let module = loader.with_source("example/*/aws", "vendor/*").load();
    /// let found = module.evaluate(&["module.vpc.cidr".parse()?]);
    /// assert_eq!(found.values[0].value.to_string(), "\"10.0.0.0/16\"");
    /// # Ok::<(), hclkit_module::PathError>(())
    /// ```
    #[must_use]
    pub fn with_source(mut self, source: impl Into<String>, directory: impl Into<String>) -> Self {
        self.sources.add(source.into(), directory.into());
        self
    }

    /// Reads only the files with these names, instead of all files of the language.
    #[must_use]
    #[doc(hidden)]
    pub fn with_only<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.only = Some(names.into_iter().map(Into::into).collect());
        self
    }

    /// Makes functions available to expressions.
    #[must_use]
    pub fn with_functions(self, functions: impl Into<Functions>) -> Self {
        Self { functions: functions.into(), ..self }
    }

    /// Replaces functions by others, which read files: those that a module may read, relative to the directory of the root module.
    /// Modules that others call keep their functions, because such paths are those of the callers.
    #[must_use]
    #[doc(hidden)]
    pub fn with_readers(self, readers: Readers) -> Self {
        Self { readers: Some(readers), ..self }
    }

    /// Sets the environment. Variables with the prefix of the language set input variables.
    #[must_use]
    pub fn with_environment<N: Into<String>, V: Into<String>>(
        mut self,
        variables: impl IntoIterator<Item = (N, V)>,
    ) -> Self {
        self.inputs
            .environment
            .extend(variables.into_iter().map(|(name, value)| (name.into(), value.into())));
        self
    }

    /// Sets an input variable.
    #[must_use]
    pub fn with_variable(mut self, name: impl Into<Name>, value: impl Into<Value>) -> Self {
        self.inputs.options.push((Some(name.into()), InputOption::Value(value.into())));
        self
    }

    /// Sets an input variable from text, as a command-line option does. If the type of the variable is a string, a
    /// number or a bool, the text is the value; otherwise it is an expression.
    #[must_use]
    pub fn with_variable_text(mut self, name: impl Into<Name>, text: impl Into<String>) -> Self {
        self.inputs.options.push((Some(name.into()), InputOption::Text(text.into())));
        self
    }

    /// Sets input variables from the text of a file. The file name determines the syntax.
    #[must_use]
    pub fn with_variables(mut self, name: impl Into<String>, text: impl Into<Vec<u8>>) -> Self {
        self.inputs.options.push((None, InputOption::File(name.into(), text.into())));
        self
    }

    /// Sets input variables from files in a directory that the module may read: those that the language reads by default beside a
    /// module. They take precedence over those of the module. The path is relative to the directory of the module.
    #[must_use]
    #[doc(hidden)]
    pub fn with_variables_in(mut self, directory: impl Into<String>) -> Self {
        self.inputs.directories.push(directory.into());
        self
    }

    /// Sets the directory in which the program runs, for `path.cwd`.
    #[must_use]
    #[doc(hidden)]
    pub fn with_current_directory(self, directory: impl Into<String>) -> Self {
        Self { current_directory: Some(directory.into()), ..self }
    }

    /// Treats input variables without a value or default as unknown instead of reporting errors.
    #[must_use]
    pub fn with_unknown_variables(mut self, unknown: bool) -> Self {
        self.unknown_variables = unknown;
        self
    }

    /// Sets the name of the workspace. The default is `default`.
    #[must_use]
    pub fn with_workspace(mut self, name: impl Into<String>) -> Self {
        self.workspace = Some(name.into());
        self
    }

    /// Sets the schemas of providers. Objects of types that have one get its attributes, and what is not in it is an error.
    #[must_use]
    pub fn with_schemas(self, schemas: Schemas) -> Self {
        Self { schemas, ..self }
    }

    /// Sets the version of the application that the files are for. Otherwise, each directory is for the newest version that its
    /// `required_version` allows.
    #[must_use]
    #[doc(hidden)]
    pub fn with_target(self, target: Option<Target>) -> Self {
        Self { target: target.map(Arc::new), ..self }
    }

    pub(crate) fn target(&self) -> Option<&Target> {
        self.target.as_deref()
    }

    /// Treats the module as one that other modules call: its results may be sensitive or ephemeral.
    #[must_use]
    #[doc(hidden)]
    pub fn with_called(self, called: bool) -> Self {
        Self { called, ..self }
    }

    /// Treats resources that need no provider as created. Otherwise, attributes that are set when they are created are
    /// unknown, as in a plan: `terraform_data.NAME.output`, for example, which is then the value of `input`.
    #[must_use]
    #[doc(hidden)]
    pub fn with_applied(self, applied: bool) -> Self {
        Self { applied, ..self }
    }

    /// Sets what is known of objects and calls from elsewhere, such as an earlier apply.
    #[must_use]
    #[doc(hidden)]
    pub fn with_known_objects(self, known: Arc<dyn ObjectKnowledge>) -> Self {
        Self { known: KnownObjects::new(known), ..self }
    }

    /// Sets whether data sources that are pure functions of their arguments, those of [`DataSource::all`](crate::DataSource::all),
    /// have the values that their providers compute. They do by default; otherwise, these are unknown.
    ///
    /// ```
    /// use hclkit_module::{Dialect, Memory, ModuleLoader};
    ///
    /// let text = "data \"null_data_source\" \"a\" {\n  inputs = { name = \"Ada\" }\n}\n";
    /// let loader = ModuleLoader::new(Dialect::terraform()).with_files(Memory::from_iter([("main.tf", text)]));
    /// let address = ["data.null_data_source.a.outputs".parse()?];
    /// let found = loader.clone().load().evaluate(&address);
    /// assert_eq!(found.values[0].value.to_string(), "{ name = \"Ada\" }");
    /// let found = loader.with_data_sources(false).load().evaluate(&address);
    /// assert!(!found.values[0].value.is_known());
    /// # Ok::<(), hclkit_module::PathError>(())
    /// ```
    #[must_use]
    pub fn with_data_sources(self, computed: bool) -> Self {
        Self { data_sources: computed, ..self }
    }

    /// Sets how many threads evaluate or check a large module. The default is the number of processors. Values, errors and their order
    /// do not depend on it.
    #[must_use]
    #[doc(hidden)]
    pub fn with_threads(self, threads: usize) -> Self {
        Self { threads: Some(threads), ..self }
    }

    /// Reads the files. Errors in them are diagnostics of the module.
    pub fn load(self) -> Module {
        let mut diagnostics = Diagnostics::new();
        let outside = self.outside("", &mut diagnostics);
        let mut loading =
            Loading::new(&self.language, &*self.files, &outside, &self.functions, &self.sources);
        let root = loading.directory("", self.only.as_deref(), &[]);
        let configs = loading.in_order();
        let shared = Shared::new(&root);
        Self { names: Arc::default(), ..self }.with_configs(root, configs, outside, shared, diagnostics)
    }

    /// Whether a loaded module calls one with files that only another language reads.
    #[doc(hidden)]
    pub fn calls_files_of(&self, module: &Module, language: &Dialect) -> bool {
        let called = module.configs().iter().flat_map(|config| {
            let calls = config.items.iter().filter(|item| matches!(item.content, Content::Call(_)));
            // The directory may have no files of the language of the module.
            calls.filter_map(|item| {
                let source =
                    item.block.body.attribute("source")?.expression.evaluate(&Context::new()).ok()?;
                is_local_source(source.as_str()?)
                    .then(|| join(&config.directory, source.as_str().unwrap_or_default()))
            })
        });
        called.collect::<BTreeSet<String>>().iter().any(|directory| {
            let names = self.files.list(directory).unwrap_or_default();
            let names: HashSet<&str> = names.iter().map(String::as_str).collect();
            names.iter().any(|name| language.is_addition(name, &names))
        })
    }

    /// What the root module in a directory gets from outside.
    pub(crate) fn outside(&self, root: &str, diagnostics: &mut Diagnostics) -> RootInputs {
        RootInputs {
            inputs: self.inputs.read(&self.language, &*self.files, (root, self.only.is_none()), diagnostics),
            workspace: self.workspace.clone(),
            current_directory: self.current_directory.clone(),
            root: root.to_owned(),
        }
    }

    /// The directory of a root module, which is added to those that were read.
    pub(crate) fn root(&self, directory: &str, outside: &RootInputs, store: &mut Store) -> Arc<Config> {
        Loading::new(&self.language, &*self.files, outside, &self.functions, &self.sources)
            .root(directory, store)
    }

    /// The files of a directory.
    pub(crate) fn read(&self, directory: &str) -> Read {
        Loading::new(&self.language, &*self.files, &RootInputs::default(), &self.functions, &self.sources)
            .read(directory, None)
    }

    /// A root module.
    pub(crate) fn module(
        &self,
        root: Arc<Config>,
        configs: Vec<Arc<Config>>,
        outside: RootInputs,
        diagnostics: Diagnostics,
    ) -> Module {
        self.clone().with_configs(root, configs, outside, Shared::on_demand(), diagnostics)
    }

    fn with_configs(
        self,
        root: Arc<Config>,
        configs: Vec<Arc<Config>>,
        outside: RootInputs,
        shared: Shared,
        mut diagnostics: Diagnostics,
    ) -> Module {
        inputs::check_names(&outside.inputs, &root, &mut diagnostics);
        let mut functions = self.functions;
        if let Some(readers) = self.readers.filter(|_| root.has_file_names && !self.called) {
            let (files, own) = (self.files, outside.root.clone());
            let own = readers(&self.language, Arc::new(move |path| files.read_for(&own, path)));
            functions.extend(own.iter().map(|(name, function)| (name, function.clone())));
        }
        let names = self.language.default_functions.iter();
        let only = names.filter_map(|name| Some((name.clone(), functions.get(name)?.clone())));
        let default_functions: Functions = only.collect();
        for name in default_functions.names() {
            functions.insert(name, only_in_defaults(name));
        }
        for (name, function) in self.schemas.functions() {
            functions.insert(name, function.clone());
        }
        let open_types = has_open_types(&self.language, &self.schemas, &root);
        let tree = Session {
            open_types,
            language: self.language,
            functions,
            default_functions,
            schemas: Arc::new(self.schemas),
            outside: Arc::new(outside),
            unknown_inputs: self.unknown_variables,
            shared,
            names: self.names,
            checked: None,
            keeps_marks: false,
            target: self.target,
            threads: self.threads,
            called: self.called,
            known: self.known,
            data_sources: self.data_sources,
            stage: if self.applied { Stage::Apply } else { Stage::Plan },
        };
        Module::new(tree, root, configs, diagnostics)
    }
}

/// Whether the types of some values are unknown, because they come from objects without a schema, from blocks that a provider may set and
/// whose attributes have any type, or from modules that are not there.
fn has_open_types(language: &Dialect, schemas: &Schemas, config: &Arc<Config>) -> bool {
    let own = |item: &Item| match &item.content {
        Content::Call(call) => call.config.is_none(),
        Content::Object(_) => {
            is_open(language, schemas, config, item)
                || schemas.object(item, config).is_some_and(BlockSchema::has_open_blocks)
        }
        _ => false,
    };
    let below = |called: &Arc<Config>| hclkit_limits::with_room(|| has_open_types(language, schemas, called));
    *config.open_types.get_or_init(|| config.items.iter().any(own) || config.called().any(below))
}

/// A function that only defaults of variables can call, elsewhere.
fn only_in_defaults(name: &str) -> Function {
    let problem = format!(
        "it is only available in the default of a variable; declare one with `default = {name}(…)`, and refer to that"
    );
    let any = Parameter::new("arguments", Type::Dynamic).with_nulls().with_unknowns().with_dynamic();
    Function::unnamed(Type::Dynamic, move |_, _| Err(Error::new(problem.clone()))).with_variadic(any)
}
