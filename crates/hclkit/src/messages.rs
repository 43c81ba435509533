//! The messages of this crate: the code and the note of each error as a function of its parts. Callers add places.

use hclkit_syntax::{Code, Diagnostic};

pub(crate) fn block_in_variables(block_type: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidBlock).with_note(format!(
        "A variables file must contain only arguments (`name = value`). To set `{block_type}` to an object, write `{block_type} = {{ … }}`."
    ))
}

pub(crate) fn variables_must_be_an_object() -> Diagnostic {
    Diagnostic::error(Code::JsonRoot)
        .with_note("A variables file must contain one object, with a property for each variable.")
}

#[cfg(feature = "convert")]
pub(crate) fn attribute_in_two_files(name: &str) -> Diagnostic {
    Diagnostic::error(Code::DuplicateAttribute)
        .with_note(format!("`{name}` is set twice. In JSON, it can be set only once in a body."))
}

/// `found` and `expected` are the numbers of labels in words.
#[cfg(feature = "convert")]
pub(crate) fn other_label_count(name: &str, found: &str, expected: &str) -> Diagnostic {
    Diagnostic::error(Code::LabelCount).with_note(format!(
        "This `{name}` block has {found}, but the first `{name}` block has {expected}. JSON cannot distinguish labels from names in a body."
    ))
}

#[cfg(feature = "convert")]
pub(crate) fn attribute_and_block(name: &str) -> Diagnostic {
    Diagnostic::error(Code::AttributeAndBlock).with_note(format!(
        "`{name}` is both an attribute and a block. In JSON, both would be the same property."
    ))
}

#[cfg(feature = "convert")]
pub(crate) fn too_deep_for_json(levels: usize) -> Diagnostic {
    Diagnostic::error(Code::TooDeepForJson)
        .with_note(format!("The JSON would be nested more than {levels} levels deep."))
}

#[cfg(feature = "convert")]
pub(crate) fn argument_set_twice(name: &str) -> Diagnostic {
    Diagnostic::error(Code::DuplicateAttribute).with_note(format!("The argument `{name}` is already set."))
}

#[cfg(feature = "convert")]
pub(crate) fn key_set_twice(name: &str) -> Diagnostic {
    Diagnostic::error(Code::DuplicateKey)
        .with_note(format!("The key `{name}` is already set in this object."))
}

/// `what` is what the name would name, such as `name of an attribute`.
#[cfg(feature = "convert")]
pub(crate) fn name_is_not_native(what: &str, name: &str) -> Diagnostic {
    Diagnostic::error(Code::NotNative).with_note(format!(
        "In the native syntax, the {what} must be an identifier, and {name:?} is not one."
    ))
}

#[cfg(feature = "convert")]
pub(crate) fn template_is_not_native() -> Diagnostic {
    Diagnostic::error(Code::NotNative).with_note("This template cannot be written in the native syntax.")
}

#[cfg(feature = "convert")]
pub(crate) fn source_is_not_native(error: &impl ToString) -> Diagnostic {
    Diagnostic::error(Code::NotNative).with_note(error.to_string())
}

#[cfg(feature = "convert")]
pub(crate) fn object_required() -> Diagnostic {
    Diagnostic::error(Code::JsonBodyRequired).with_note("Expected an object or an array of objects.")
}
