//! Languages built on HCL, as data. A [`Dialect`] says which files belong to a language, which blocks it has, what they
//! define, how their arguments are read, and how its own program formats it. Each is an HCL file in `tables/`.
//!
//! ```
//! use hclkit_dialect::{Dialect, FileKind};
//!
//! let dialect = Dialect::of_path("modules/vpc/main.tf").unwrap();
//! assert_eq!(dialect.name(), "terraform");
//! assert_eq!(dialect.block("resource").unwrap().labels, ["type", "name"]);
//! assert_eq!(dialect.file_kind("prod.tfvars.json"), Some(FileKind::Values));
//! ```
#![forbid(unsafe_code)]

mod address;
mod blocks;
mod dialect;
mod dialects;
mod files;
mod help;
mod messages;
mod read;
mod settings;
mod since;
mod source;
#[doc(hidden)]
pub mod tree;
mod version;
mod withheld;

#[doc(hidden)]
pub use address::{AddressForm, Definition, NamePart};
#[doc(hidden)]
pub use blocks::{
    BlockRule, Builtin, Contents, Keywords, NestedRole, NestedRule, ObjectBlock, ObjectRule, Over, Repeat,
    Role, Shape, Statement, StringNames, Strings,
};
pub use dialect::Dialect;
pub use dialects::Dialects;
pub use files::{FileKind, syntax_of_path};
#[doc(hidden)]
pub use help::{FunctionHelp, Help, Takes};
#[doc(hidden)]
pub use since::Since;
#[doc(hidden)]
pub use source::{ModuleSource, PackageSource, RegistrySource, SourceError, is_local_source};
#[doc(hidden)]
pub use version::{Constraints, Version};
#[doc(hidden)]
pub use version::{Operator, read_constraints};
#[doc(hidden)]
pub use withheld::{FileFacts, hidden_in, is_hidden, withheld_in};
