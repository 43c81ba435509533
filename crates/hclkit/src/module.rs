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

use std::path::Path;
use std::sync::Arc;

use hclkit_model::Functions;
use hclkit_value::{Function, Parameter, Type, Value};

#[doc(hidden)]
pub use hclkit_bake::{BAKE_FILES, BakeNames};
pub use hclkit_bake::{Bake, Plan, Planned};
pub use hclkit_module::{
    Address, AddressKind, AddressedValue, AttributeSchema, BlockSchema, Cause, Derivation, Derivations,
    Dialect, Disk, Evaluation, Files, Graph, GraphNode, Memory, Module, ModuleLoader, NestedSchema,
    PackedSchema, PathError, Pattern, Reason, Reasons, Schemas,
};
#[doc(hidden)]
pub use hclkit_module::{
    LOCK_FILE, MOST_SIGN_BYTES, ModuleTree, PartialFile, Signs, Target, WriteValue, choose_version,
    is_provider, join_path, locked_versions, opentofu_by_calls, relative_path, report_exceeded,
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
    // A plan does not know them inside of templates, either.
    let grants = grants.clone().with_unknown_in_templates(language.impure());
    let mut functions = library.functions(&grants);
    for name in language.impure() {
        // The type of the results of a whole namespace is unknown, too.
        let result = if name.ends_with("::*") { Type::Dynamic } else { Type::String };
        functions.insert(name, unknown(&result));
    }
    functions
}

#[doc(hidden)]
/// Returns the same functions. The results of functions that read files or the environment are unknown, too.
pub fn functions_without_files(language: &Dialect) -> Functions {
    let mut functions = functions(language, &Grants::new());
    for name in language.readers() {
        functions.insert(name, unknown(&Type::Dynamic));
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
        functions.insert(name, unknown(&Type::String));
    }
    functions
}

/// A function whose result is unknown.
fn unknown(result: &Type) -> Function {
    let any = Parameter::new("arguments", Type::Dynamic).with_dynamic().with_unknowns().with_nulls();
    let ty = result.clone();
    Function::unnamed(result.clone(), move |_, _| Ok(Value::unknown(ty.clone()))).with_variadic(any)
}
