//! Units and stacks of Terragrunt: what their configuration is, with that of the files that they include and read, and the
//! mocked outputs of their dependencies. No program is run, nothing is downloaded and no state is read: what only these
//! would say is unknown. `engine.rs` evaluates files, `functions.rs` has what only Terragrunt can call, and `merge.rs`
//! merges the configurations of several files.
#![forbid(unsafe_code)]

mod blocks;
mod check;
mod configuration;
mod engine;
mod functions;
mod graph;
mod mentions;
mod merge;
mod messages;
mod paths;
mod unit;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use hclkit_model::Functions;
use hclkit_module::{Files, MappedSources};

use engine::{Engine, FunctionsOf, Options, Purpose};
use paths::Tree;

pub use check::TerragruntChecker;
pub use mentions::{includes_outer_unit, may_be_read, names_one_of};
pub use unit::{TerragruntValue, Unit};

/// The names of the files of units and stacks.
pub const TERRAGRUNT_FILES: [&str; 3] = ["terragrunt.hcl", "terragrunt.hcl.json", "terragrunt.stack.hcl"];

/// Files of Terragrunt.
///
/// ```
/// use hclkit_module::Memory;
/// use hclkit_terragrunt::Terragrunt;
///
/// let files = Memory::from_iter([
///     ("root.hcl", "inputs = {\n  region = \"eu\"\n}\n"),
///     ("app/terragrunt.hcl", "include \"root\" {\n  path = find_in_parent_folders(\"root.hcl\")\n}\ninputs = {\n  name = \"app\"\n}\n"),
/// ]);
/// let (unit, diagnostics) = Terragrunt::new(files, "/live").evaluate("app");
/// assert!(!diagnostics.has_errors());
/// let values = unit.values().into_iter().map(|own| format!("{} = {}", own.address, own.value));
/// assert_eq!(values.collect::<Vec<_>>(), ["inputs.name = \"app\"", "inputs.region = \"eu\""]);
/// ```
#[derive(Clone)]
pub struct Terragrunt {
    files: Arc<dyn Files>,
    base: String,
    options: Options,
}

/// The directory of the files. Flags and the environment, which may be sensitive, are left out.
#[doc(hidden)]
impl fmt::Debug for Terragrunt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Terragrunt").field("directory", &self.base).finish_non_exhaustive()
    }
}

impl Terragrunt {
    /// Files below and around a directory with an absolute path, which is what their functions return.
    pub fn new(files: impl Files + 'static, directory: impl Into<String>) -> Self {
        let functions: Arc<FunctionsOf> = Arc::new(|_| Functions::new());
        let options = Options {
            functions,
            environment: None,
            flags: BTreeMap::new(),
            sources: MappedSources::default(),
            purpose: Purpose::Evaluation,
        };
        Self { files: Arc::new(files), base: directory.into(), options }
    }

    /// Makes functions available to the files in each directory, whose absolute path they get: those of Terraform.
    #[must_use]
    pub fn with_functions(mut self, functions: impl Fn(&str) -> Functions + Send + Sync + 'static) -> Self {
        self.options.functions = Arc::new(functions);
        self
    }

    /// Grants `get_env` an environment.
    #[must_use]
    pub fn with_environment<N: Into<String>, V: Into<String>>(
        mut self,
        variables: impl IntoIterator<Item = (N, V)>,
    ) -> Self {
        let variables = variables.into_iter().map(|(name, value)| (name.into(), value.into()));
        self.options.environment = Some(Arc::new(variables.collect()));
        self
    }

    /// Sets a feature flag.
    #[must_use]
    pub fn with_flag(mut self, name: impl Into<String>, text: impl Into<String>) -> Self {
        self.options.flags.insert(name.into(), text.into());
        self
    }

    /// Reads the modules, units and stacks with a source in a directory: an absolute path, or one from the directory of the files. Each `*` in the
    /// source is any text, which replaces a `*` in the directory.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<String>, directory: impl Into<String>) -> Self {
        self.options.sources.add(source.into(), directory.into());
        self
    }

    fn engine(&self, purpose: Purpose) -> Arc<Engine> {
        let tree = Tree::new(self.files.clone(), &self.base);
        Arc::new(Engine::new(tree, Options { purpose, ..self.options.clone() }))
    }
}
