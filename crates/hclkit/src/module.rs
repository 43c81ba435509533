//! Whole directories: reexports [`hclkit_module`], and adds the functions of each language.
//!
//! ```no_run
//! use hclkit::module::{self, Dialect};
//!
//! let module = module::loader(Dialect::terraform(), "infrastructure").load();
//! let found = module.evaluate(&["output.*".parse()?]);
//! for output in &found.values {
//!     println!("{} = {}", output.address, output.value);
//! }
//! # Ok::<(), hclkit::module::PathError>(())
//! ```

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hclkit_model::{Callable, Functions};
use hclkit_value::{ErrorKind, Function, Parameter, Type, Value};

#[doc(hidden)]
pub use hclkit_bake::{BAKE_FILES, BakeNames};
pub use hclkit_bake::{Bake, Plan, Planned};
pub use hclkit_module::{
    Address, AddressKind, AddressedValue, AttributeSchema, BlockSchema, CallSummary, Cause, DataSource,
    DefaultSummary, Derivation, Derivations, Dialect, Disk, Evaluation, Files, Graph, GraphNode,
    InputSummary, Memory, Module, ModuleLoader, NestedSchema, ObjectSummary, OutputSummary, PackedSchema,
    PathError, Pattern, ProviderSummary, Reason, Reasons, RequirementSummary, Schemas, Summary,
};
#[doc(hidden)]
pub use hclkit_module::{
    CallEffects, LOCK_FILE, MOST_SIGN_BYTES, Meaning, Meanings, ModuleTree, Moves, OldAddress, PartialFile,
    ReadFile, Setting, SettingKind, Signs, SignsOnDisk, Target, WriteValue, choose_version, is_provider,
    join_path, locked_versions, opentofu_by_calls, relative_path, report_exceeded,
};
#[doc(hidden)]
pub use hclkit_module::{
    CheckedCondition, ComputedValues, ConditionKind, ObjectKnowledge, ReplacedObject, TestBlock,
};
pub use hclkit_terragrunt::{
    TERRAGRUNT_FILES, Terragrunt, TerragruntChecker, TerragruntValue, Unit, includes_outer_unit, may_be_read,
    names_one_of,
};

use crate::functions::{Grants, Library};

/// Returns a loader for the module in a directory, with the functions of the language. With the feature `fs`, functions such
/// as `file` can read what the module can: its [repository](Disk::repository). Functions whose results differ from call to
/// call, such as `timestamp`, return unknown values.
pub fn loader(language: Arc<Dialect>, directory: impl AsRef<Path>) -> ModuleLoader {
    let directory = directory.as_ref();
    let functions = functions(&language, &files(Grants::new(), directory, &[] as &[&Path]));
    ModuleLoader::new(language).with_directory(directory).with_functions(functions)
}

/// Returns the files of Terragrunt around a directory, with the functions of Terraform. Paths are relative to the directory, and
/// files can read its [repository](Disk::repository). With the feature `fs`, functions such as `file` can, too.
pub fn terragrunt(directory: impl AsRef<Path>) -> Terragrunt {
    let directory = directory.as_ref();
    let base = directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
    let functions = terragrunt_functions(Grants::new(), Vec::new());
    Terragrunt::new(Disk::new(directory), base.to_string_lossy()).with_functions(functions)
}

#[doc(hidden)]
/// The functions of Terraform for files in each directory, which can read its repository and other directories.
pub fn terragrunt_functions(
    grants: Grants,
    others: Vec<PathBuf>,
) -> impl Fn(&str) -> Functions + Send + Sync + 'static {
    move |directory| {
        let grants = files(grants.clone(), Path::new(directory), &others);
        functions(&Dialect::terraform(), &grants)
    }
}

#[doc(hidden)]
/// Lets functions read the [repository](Disk::repository) of the root module in a directory, and other directories.
#[cfg_attr(not(feature = "fs"), allow(unused_variables, reason = "nothing to grant"))]
pub fn files<P: AsRef<Path>>(grants: Grants, root: &Path, others: &[P]) -> Grants {
    #[cfg(feature = "fs")]
    {
        let mut opened = Disk::repository(root).and_then(crate::functions::Directory::open);
        for directory in others {
            opened = opened.and_then(|opened| opened.and(directory));
        }
        if let Ok(directory) = opened.and_then(|opened| opened.starting_in(root)) {
            return grants.with_directory(directory);
        }
    }
    grants
}

#[doc(hidden)]
/// The functions of a language. Those whose results differ from call to call return unknown values.
pub fn functions(language: &Dialect, grants: &Grants) -> Functions {
    let library = language.functions().parse().unwrap_or(Library::None);
    let own = library.functions(&Grants::new());
    let impure: Vec<(&str, Function)> =
        language.impure().map(|name| (name, unknown(own.get(name), &Type::String))).collect();
    // A plan does not know them inside of templates, either.
    let in_templates = impure.iter().map(|(name, function)| ((*name).to_owned(), function.clone()));
    let mut functions = library.functions(&grants.clone().with_functions_in_templates(in_templates));
    functions.extend(impure);
    functions
}

#[doc(hidden)]
/// The functions of a language that open the file of their first argument, for checks: their results are unknown, but a missing
/// file or a broken template is an error. Files that a function may not read are unknown, too.
pub fn readers(language: &Dialect, read: Arc<ReadFile>) -> Functions {
    let library = language.functions().parse().unwrap_or(Library::None);
    let checked = |functions: &Functions| -> Vec<(String, Function)> {
        let own = language.openers().filter_map(|name| match functions.get(name) {
            Some(Callable::Function(function)) => Some((name.to_owned(), checked(function))),
            _ => None,
        });
        own.collect()
    };
    let grants = Grants::new().with_reader(move |path| read(path));
    let plain = library.functions(&grants);
    // Templates can call functions that read files, but only some can render templates.
    let unknown_ones =
        language.impure().map(|name| (name.to_owned(), unknown(plain.get(name), &Type::String)));
    let others = language.readers().map(|name| (name.to_owned(), unknown(plain.get(name), &Type::Dynamic)));
    let is_no_template = |(name, _): &(String, Function)| name != "templatefile";
    let opened = checked(&plain).into_iter().filter(is_no_template);
    let in_templates = unknown_ones.chain(others).chain(opened);
    checked(&library.functions(&grants.with_functions_in_templates(in_templates))).into_iter().collect()
}

/// A function whose result is unknown, but of the type that it would have.
fn checked(function: &Function) -> Function {
    let own = function.clone();
    let checked = Function::unnamed(Type::Dynamic, move |args, _| match own.call(args) {
        Ok(value) => Ok(Value::unknown(value.ty())),
        Err(error) if matches!(error.kind(), ErrorKind::NotGranted(_)) => Ok(Value::DYNAMIC),
        Err(error) => Err(error),
    });
    function.parameters().iter().cloned().fold(checked, Function::with_parameter)
}

#[doc(hidden)]
/// Returns the same functions. The results of functions that read files or the environment are unknown, too.
pub fn functions_without_files(language: &Dialect) -> Functions {
    let mut functions = functions(language, &Grants::new());
    for name in language.readers() {
        let unknown = unknown(functions.get(name), &Type::Dynamic);
        functions.insert(name, unknown);
    }
    functions
}

#[doc(hidden)]
/// Returns the functions of Bake for [`Bake::check`]. Those whose results depend on more than their arguments return unknown
/// values.
#[cfg(feature = "functions")]
pub fn bake_functions_without_files() -> Functions {
    let mut functions = Library::Bake.functions(&Grants::new());
    for name in ["bcrypt", "homedir", "timestamp", "uuidv4"] {
        let unknown = unknown(functions.get(name), &Type::String);
        functions.insert(name, unknown);
    }
    functions
}

/// A function whose result is unknown, with the parameters of another one. Without that, it takes anything, and even the type of
/// its result is unknown.
fn unknown(function: Option<&Callable>, result: &Type) -> Function {
    let Some(Callable::Function(function)) = function else {
        let any = Parameter::new("arguments", Type::Dynamic).with_dynamic().with_unknowns().with_nulls();
        return Function::unnamed(Type::Dynamic, |_, _| Ok(Value::DYNAMIC)).with_variadic(any);
    };
    let ty = result.clone();
    let unknown = Function::unnamed(result.clone(), move |_, _| Ok(Value::unknown(ty.clone())));
    let unknown = function.parameters().iter().cloned().fold(unknown, Function::with_parameter);
    function.variadic_parameter().cloned().into_iter().fold(unknown, Function::with_variadic)
}
