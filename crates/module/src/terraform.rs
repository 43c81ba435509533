//! What only Terraform and OpenTofu check: moved, removed and imported objects, configurations of providers, encryption, arguments
//! such as `lifecycle`, and test files. The engine calls the functions of this file, and uses this directory in no other way. The
//! directory may use all of the engine.

mod encryption;
mod messages;
mod meta_arguments;
mod moves;
mod providers;
mod testing;

use std::sync::Arc;

use hclkit_dialect::Dialect;
use hclkit_model::Context;
use hclkit_syntax::Diagnostics;

use crate::config::{Config, Item, Target};
use crate::instance::Instance;
use crate::lint::references::References;

pub use moves::Moves;
pub(crate) use providers::ProviderFindings;
pub use testing::TestBlock;
pub(crate) use testing::TestFile;

/// Checks the arguments of a block that need no evaluation, in a validation.
pub(crate) fn check_block(
    item: &Item,
    references: &References<'_>,
    names: &Context,
    diagnostics: &mut Diagnostics,
) {
    meta_arguments::check(item, references, names, diagnostics);
}

/// Checks the statements about addresses in an instance of a module, after its evaluation.
pub(crate) fn check_instance(instance: &Arc<Instance>, diagnostics: &mut Diagnostics) {
    moves::check(instance, diagnostics);
}

/// Checks configurations of providers in a root module and the modules that it calls, and what only root modules configure. What is
/// known from other root modules is not checked again.
pub(crate) fn check_root(root: &Instance, known: Option<&ProviderFindings>, diagnostics: &mut Diagnostics) {
    let tree = &root.tree;
    providers::check(&root.config, tree.called, &tree.language, known, diagnostics);
    if !tree.called {
        encryption::check(&root.config, &tree.language, diagnostics);
    }
}

/// Reports what a module that others call must not have. `target` is the version that a user says it is for.
pub(crate) fn check_called(
    config: &Config,
    language: &Dialect,
    target: Option<&Target>,
    diagnostics: &mut Diagnostics,
) {
    providers::check_imports(config, language, target, diagnostics);
}

/// Turns errors in what is not evaluated into warnings.
pub(crate) fn weaken(config: &Config, diagnostics: &mut Diagnostics) {
    providers::weaken_unused(config, diagnostics);
}
