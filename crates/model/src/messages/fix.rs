//! The titles of fixes: imperatives.

use std::fmt::Display;

pub(crate) const ADD_EQUALS_SIGN: &str = "Add an equals sign";
pub(crate) const REMOVE_EQUALS_SIGN: &str = "Remove the equals sign";
pub(crate) const USE_VALUE_OF_REFERENCE: &str = "Use the value of the reference";

pub(crate) fn write(name: impl Display) -> String {
    format!("Write `{name}`")
}
