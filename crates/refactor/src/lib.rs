//! Names across files: where a variable, a resource or another name is declared and referred to, and renaming it; and moving blocks to
//! other files of a module. The tables of the languages say what declares a name. This crate reads and writes no files.
//!
//! ```
//! let text = "variable \"region\" {\n}\nlocals {\n  zone = \"${var.region}-a\"\n}\n";
//! let document = hclkit_syntax::parse(text);
//! let names = hclkit_refactor::Names::of(&document);
//! let renamed = hclkit_refactor::rename(&[names], &"var.region".parse()?, "area", false)?;
//! let text = renamed[0].as_ref().unwrap().source().text().to_owned();
//! assert_eq!(text, "variable \"area\" {\n}\nlocals {\n  zone = \"${var.area}-a\"\n}\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod callers;
mod crossing;
mod declarations;
mod instances;
mod names;
mod occurrence;
mod rename;
mod split;
mod symbol;
mod terragrunt;
mod uses;

pub use callers::{
    ModuleCall, is_visible_to_callers, occurrences_in_callers, rename_in_callers, unfollowed_in_callers,
};
#[doc(hidden)]
pub use callers::{can_call, is_unit, may_have_calls};
pub use declarations::DeclaredName;
pub use names::Names;
#[doc(hidden)]
pub use names::unquoted;
pub use occurrence::{Occurrence, OccurrenceKind};
pub use rename::{RenameError, rename};
pub use split::{BlockMove, SplitError, SplitFile, SplitFiles, movable_blocks, split, style_moves};
pub use symbol::{Symbol, SymbolError, mentions};
pub use uses::NameUse;
