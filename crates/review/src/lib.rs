//! What a change does: the difference of two versions of a module, or of one module with two sets of inputs. Both are evaluated, without
//! a provider, state or network. [`diff()`] returns the instances that are added, removed, moved and changed, the outputs, and what
//! the declarations say besides: variables, versions, backends. Values that are unknown before an apply are compared by what they are computed
//! from. A sensitive value is in no result: it has only changed or not.
//!
//! ```
//! use hclkit::module::{Dialect, Memory, Module, ModuleLoader};
//! use hclkit_review::{Action, diff};
//!
//! let module = |text: &str| -> Module {
//!     ModuleLoader::new(Dialect::terraform()).with_files(Memory::from_iter([("main.tf", text)])).load()
//! };
//! let old = module("locals {\n  size = 1\n}\nresource \"disk\" \"a\" {\n  size = local.size\n}\n");
//! let new = module("resource \"disk\" \"a\" {\n  size = 2 # larger\n}\n");
//! let found = diff(&old, &new);
//! assert_eq!((found.instances[0].action, found.instances[0].address.as_str()), (Action::Changed, "disk.a"));
//! assert_eq!(found.instances[0].attributes[0].to_string(), "size: 1 -> 2");
//! assert!(diff(&new, &new).is_empty());
//! ```
#![forbid(unsafe_code)]

mod cause;
mod compare;
mod diff;
mod matching;
mod names;
mod render;
mod rules;
mod settings;
mod shown;

pub use cause::Cause;
pub use compare::{Options, diff, diff_with};
pub use diff::{
    Action, AttributeChange, Certainty, Diff, InstanceChange, MoveSuggestion, OutputChange, SettingChange,
    Totals,
};
pub use render::{MOST_MARKDOWN, Review, Root, github, html, json, markdown, text};
pub use rules::RuleChanges;
pub use shown::Shown;
