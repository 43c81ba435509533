//! Since and until which version of the application a language has its blocks, arguments and functions.

use std::collections::BTreeMap;

use hclkit_value::Name;

use crate::version::Version;

/// Names with the versions that brought them, or that were the last ones with them. A name is that of a type of blocks (`action`), of what is in them (`variable.const`), of
/// the objects with a first label (`resource.terraform_data`) or of what is in these (`resource.terraform_data.store`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Since(BTreeMap<Name, Version>);

impl Since {
    pub(crate) fn new(names: impl IntoIterator<Item = (Name, Version)>) -> Self {
        Self(names.into_iter().collect())
    }

    /// The version of a name, without patches. `None` if all versions that the table describes have it.
    pub fn get(&self, name: &str) -> Option<&Version> {
        self.0.get(name)
    }

    /// All names, sorted, with their versions.
    pub fn iter(&self) -> impl Iterator<Item = (&Name, &Version)> {
        self.0.iter()
    }

    /// Returns true if a version lacks some of the names.
    pub fn has_newer(&self, version: &Version) -> bool {
        self.0.values().any(|own| own.compare(version).is_gt())
    }
}
