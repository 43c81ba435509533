//! Whole directories of HCL: Terraform modules, Packer templates and others. A [`Dialect`] determines what a
//! directory declares. Values are evaluated on demand in the scopes of `hclkit-model`, across files, instances and
//! called modules, without providers, state or network access. Values that only a provider can supply are unknown.
//!
//! ```
//! use hclkit_module::{Dialect, ModuleLoader, Memory};
//!
//! let files = Memory::from_iter([
//!     ("main.tf", "variable \"name\" {}\nmodule \"net\" {\n  source = \"./net\"\n  name   = \"my-${var.name}\"\n}\n"),
//!     ("net/main.tf", "variable \"name\" {}\noutput \"id\" {\n  value = \"net-${var.name}\"\n}\n"),
//! ]);
//! let module = ModuleLoader::new(Dialect::terraform())
//!     .with_files(files)
//!     .with_variable("name", "shop")
//!     .load();
//! let found = module.evaluate(&["module.net.id".parse()?]);
//! assert!(!found.diagnostics.has_errors());
//! assert_eq!(found.values[0].value.to_string(), "\"net-my-shop\"");
//! # Ok::<(), hclkit_module::PathError>(())
//! ```
#![forbid(unsafe_code)]

mod address;
mod block_rules;
mod conditions;
mod config;
mod data_prefix;
mod data_sources;
mod explain;
mod files;
mod graph;
mod inputs;
mod instance;
mod instances;
mod known_objects;
mod lint;
mod load;
mod messages;
mod misspelled;
mod module;
mod module_tree;
mod newer;
mod origin;
mod parallel;
mod partial;
mod pattern;
mod provider_name;
mod schema;
mod settings;
mod signs;
mod signs_on_disk;
mod step;
mod summary;
mod terraform;
mod unevaluated;

pub use address::{Address, AddressKind};
#[doc(hidden)]
pub use conditions::{CheckedCondition, ConditionKind};
#[doc(hidden)]
pub use config::{MappedSources, Target};
pub use data_sources::DataSource;
pub use explain::{Derivation, Derivations, Reason, Reasons};
#[doc(hidden)]
pub use explain::{Meaning, Meanings, OldAddress};
pub use files::{Disk, Files, Memory};
#[doc(hidden)]
pub use files::{join as join_path, relative as relative_path};
pub use graph::{Graph, GraphNode};
pub use hclkit_dialect::Dialect;
pub use hclkit_model::path::PathError;
#[doc(hidden)]
pub use known_objects::{ComputedValues, ObjectKnowledge, ReplacedObject};
pub use load::ModuleLoader;
#[doc(hidden)]
pub use load::ReadFile;
#[doc(hidden)]
pub use module::report_exceeded;
pub use module::{AddressedValue, Evaluation, Module};
#[doc(hidden)]
pub use module_tree::opentofu_by_calls;
#[doc(hidden)]
pub use module_tree::{CallEffects, ModuleTree};
pub use origin::Cause;
#[doc(hidden)]
pub use partial::{PartialFile, WriteValue, source_of_value, with_changes};
pub use pattern::Pattern;
pub use schema::{AttributeSchema, BlockSchema, NestedSchema, PackedSchema, Schemas};
#[doc(hidden)]
pub use schema::{LOCK_FILE, choose_version, is_provider, locked_versions};
#[doc(hidden)]
pub use settings::{Setting, SettingKind};
#[doc(hidden)]
pub use signs::{MOST_SIGN_BYTES, Signs};
pub use signs_on_disk::SignsOnDisk;
pub use summary::{
    CallSummary, DefaultSummary, InputSummary, ObjectSummary, OutputSummary, ProviderSummary,
    RequirementSummary, Summary,
};
#[doc(hidden)]
pub use terraform::Moves;
#[doc(hidden)]
pub use terraform::TestBlock;

/// What `hclkit-bake` shares with this crate.
#[doc(hidden)]
pub mod shared {
    pub use crate::files::clean;
    pub use crate::graph::Directory;
    pub use crate::messages::{condition_is_no_bool, condition_is_null, unused};
}
