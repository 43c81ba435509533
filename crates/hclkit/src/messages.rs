//! The catalog of this crate's diagnostics: the code and the note of each one as a function of its parts, and texts at
//! related places. Callers add places.

use std::path::Path;

use hclkit_syntax::{Code, Diagnostic};

/// The texts at related places.
#[cfg(feature = "convert")]
pub(crate) mod related {
    pub(crate) const DEFINED_AS_ATTRIBUTE: &str = "defined as an attribute here";
    pub(crate) const DEFINED_AS_BLOCK: &str = "defined as a block here";
    pub(crate) const FIRST_BLOCK: &str = "first block here";
    pub(crate) const FIRST_SET: &str = "first set here";
}

pub(crate) fn unreadable_file(path: &Path, error: &std::io::Error) -> Diagnostic {
    let text = error.to_string();
    // `ParseOptions::open` says the same as the summary.
    let reason = text.strip_prefix(&format!("cannot read {}: ", path.display())).unwrap_or(&text);
    Diagnostic::error(Code::UnreadableFile).with_note(format!("{}: {reason}.", path.display()))
}

/// A report needs at least one diagnostic.
#[cfg(feature = "miette")]
pub(crate) fn no_problems() -> Diagnostic {
    Diagnostic::error("No problems")
}

/// A variable of the environment.
pub(crate) fn variable_is_not_text(name: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidVariable)
        .with_note(format!("The environment variable `{name}` is not valid UTF-8."))
}

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

#[cfg(feature = "convert")]
pub(crate) fn other_label_count(name: &str, found: usize, expected: usize) -> Diagnostic {
    let count = |labels| match labels {
        0 => "no labels".to_owned(),
        1 => "one label".to_owned(),
        _ => format!("{labels} labels"),
    };
    let (found, expected) = (count(found), count(expected));
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

/// The kinds of names.
#[cfg(feature = "convert")]
pub(crate) const ATTRIBUTE_NAME: &str = "name of an attribute";
#[cfg(feature = "convert")]
pub(crate) const BLOCK_TYPE: &str = "type of a block";

/// `what` is one of the constants above.
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

/// HCL 1 reads JSON as other values than HCL 2.
#[cfg(feature = "convert")]
pub(crate) fn json_is_not_native() -> Diagnostic {
    Diagnostic::error(Code::NotNative)
        .with_note("This file is JSON, and only its values are converted. Convert it to JSON or YAML.")
}

#[cfg(feature = "convert")]
pub(crate) fn source_is_not_native(error: &impl ToString) -> Diagnostic {
    Diagnostic::error(Code::NotNative).with_note(error.to_string())
}

#[cfg(feature = "convert")]
pub(crate) fn object_required() -> Diagnostic {
    Diagnostic::error(Code::JsonBodyRequired).with_note("Expected an object or an array of objects.")
}

// HCL 1 as HCL 2.

#[cfg(feature = "convert")]
pub(crate) fn set_twice(name: &str) -> String {
    format!("`{name}` is set twice. HCL 1 combines both values, which HCL 2 cannot do.")
}

#[cfg(feature = "convert")]
pub(crate) fn name_is_no_identifier(name: &str) -> String {
    format!("The name {name:?} is not an identifier, which names of arguments and blocks must be in HCL 2.")
}

#[cfg(feature = "convert")]
pub(crate) fn block_becomes_object(block_type: &str, name: &str) -> String {
    format!(
        "The block `{block_type}` becomes an object, because {name:?} cannot be the name of an argument in HCL 2."
    )
}

#[cfg(feature = "convert")]
pub(crate) fn number_in_hcl_2(text: &str, number: &str) -> String {
    format!("`{text}` is {number} in HCL 1. HCL 2 reads no octal and hexadecimal numbers.")
}

#[cfg(feature = "convert")]
pub(crate) const SEQUENCE_IN_HCL_2: &str = "`${ … }` and `%{ … }` are text in HCL 1. HCL 2 evaluates them, unless they are written as `$${` and `%%{`.";
#[cfg(feature = "convert")]
pub(crate) const HEREDOC_IN_HCL_2: &str = "HCL 1 keeps other white space of this heredoc than HCL 2 does.";
#[cfg(feature = "convert")]
pub(crate) const HEREDOC_TO_CHECK: &str =
    "HCL 2 reads this heredoc differently: check its white space and its interpolations.";
#[cfg(feature = "convert")]
pub(crate) const INTERPOLATION_TO_CHECK: &str =
    "HCL 2 cannot read this interpolation, so it is written as text. Write it as an expression of HCL 2.";

#[cfg(feature = "convert")]
pub(crate) fn removed_function(name: &str) -> String {
    let instead = if name == "list" { "`[ … ]`" } else { "`{ … }`" };
    format!("Terraform 0.12 and later have no function `{name}`. Write {instead}.")
}
