//! The texts at related places.

pub(crate) const FIRST_DEFINED: &str = "first defined here";
pub(crate) const FIRST_SET: &str = "first set here";
pub(crate) const VALUE_ORIGIN: &str = "the value comes from here";

/// A definition on a cycle, and the next one.
pub(crate) fn refers_to(name: &str, next: &str) -> String {
    format!("`{name}` refers to `{next}` here")
}
