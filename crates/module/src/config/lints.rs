//! What lints have found in a directory, which is kept with it.

use hclkit_syntax::{Diagnostic, Diagnostics};
use hclkit_value::Name;

/// The findings in a directory.
#[derive(Debug)]
pub(crate) struct Lints {
    /// Those that are the same for all root modules.
    pub(crate) found: Diagnostics,
    /// Unused declarations.
    pub(crate) unused: Vec<Unused>,
}

/// A declaration that nothing in its directory refers to.
#[derive(Debug)]
pub(crate) struct Unused {
    pub(crate) address: Vec<Name>,
    pub(crate) is_variable: bool,
    pub(crate) warning: Diagnostic,
}
