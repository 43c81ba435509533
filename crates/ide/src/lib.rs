//! What an editor asks about HCL files: diagnostics, hover, completion, references, renaming and more. There is no protocol
//! here, no thread, and no access to files but through [`FileSystem`]. A [`Workspace`] has the open documents; a [`Snapshot`]
//! of it answers questions. Answers about names, checks and formatting are those of the program `hcl`.
//!
//! ```
//! use std::sync::Arc;
//! use hclkit_ide::{MemoryFiles, Workspace};
//!
//! let mut workspace = Workspace::new(Arc::new(MemoryFiles::default()), ["/net"]);
//! let text = "locals {\n  zones = [\"a\", \"b\"]\n  count = length(local.zones)\n}\n";
//! workspace.open("/net/main.tf", text, Some(1), None);
//! let snapshot = workspace.snapshot();
//! let hover = snapshot.hover("/net/main.tf", text.find("zones)").unwrap() as u32).unwrap();
//! assert!(hover.text.contains("local.zones = [\"a\", \"b\"]"));
//! ```
#![forbid(unsafe_code)]

mod actions;
mod body_schema;
mod budget;
mod calls;
mod completion;
mod diagnostics;
mod file;
mod files;
mod formatting;
mod functions;
mod hover;
mod index;
mod inlay;
mod instances;
mod links;
mod lookup;
mod markdown;
mod module;
mod moving;
mod names;
mod position;
mod providers;
mod refactorings;
mod rename;
#[cfg(feature = "rules")]
mod rules;
mod scope;
mod specs;
mod structure;
mod symbols;
mod sync;
mod table;
mod tokens;
mod units;
mod usage;
mod workspace;

pub use actions::{Action, ActionKind};
pub use calls::{Lens, ModuleCalls, ModuleNode};
pub use completion::{Completion, CompletionKind};
pub use file::File;
pub use files::{Entry, FileSystem, MemoryFiles};
pub use functions::SignatureHelp;
pub use hclkit_settings::{Settings, SpecPattern};
pub use hover::Hover;
pub use inlay::InlayHint;
pub use links::Link;
pub use names::{Declaration, Location, Reference};
pub use position::{Encoding, LinePosition, Lines};
pub use rename::{Edits, Renamable};
pub use structure::{Fold, FoldKind};
pub use symbols::{Symbol, SymbolKind, WorkspaceSymbol};
pub use tokens::{SemanticToken, TokenMeaning};
pub use workspace::{Snapshot, Workspace};
