//! Which files the text of a unit names, without an evaluation: those that it may include or read.

use std::collections::BTreeSet;
use std::path::Path;

use hclkit_dialect::{Dialect, syntax_of_path};

/// Whether a unit can be, include or read a file with this name as a configuration.
#[doc(hidden)]
pub fn may_be_read(path: impl AsRef<Path>) -> bool {
    syntax_of_path(&path).is_some() && !Dialect::of_path(&path).is_some_and(|language| language.has_modules())
}

/// Whether a text has one of these names of files.
#[doc(hidden)]
pub fn names_one_of(text: &str, names: &BTreeSet<String>) -> bool {
    let is_part = |sign: char| sign.is_alphanumeric() || matches!(sign, '.' | '_' | '-' | '+' | '@');
    text.split(|sign| !is_part(sign)).any(|word| names.contains(word))
        || names.iter().any(|name| name.contains(|sign| !is_part(sign)) && text.contains(name.as_str()))
}

/// Whether a text includes the nearest file of a unit around it, which it need not name.
#[doc(hidden)]
pub fn includes_outer_unit(text: &str) -> bool {
    text.contains("find_in_parent_folders()")
}
