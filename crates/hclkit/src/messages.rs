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
