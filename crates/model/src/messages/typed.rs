//! The messages of decoding to Rust types.

use hclkit_syntax::{Code, Diagnostic, nearest_name};
use hclkit_value::Error;

use super::{Message, listed, or_did_you_mean_quoted, sentence};

/// Another label is read as the same key.
pub(crate) fn duplicate_key(block_type: &str, label: &str) -> Message {
    Message::new(
        &Code::DuplicateBlock,
        format!(
            "The label `{label}` is the same key as the label of an earlier block of type `{block_type}`."
        ),
    )
}

// Arguments.

/// The value cannot be converted to the type of the field.
pub(crate) fn unconvertible_argument(name: &str, error: &Error) -> Message {
    Message::new(&Code::InvalidAttributeValue, invalid(name, error))
}

/// The value has the type of the field, but a check or a conversion of the application rejects it.
pub(crate) fn rejected_argument(name: &str, error: &Error) -> Message {
    Message::new(&Code::InvalidValue, invalid(name, error))
}

fn invalid(name: &str, error: &Error) -> String {
    sentence(format!("Invalid value for the argument `{name}`: {error}"))
}

pub(crate) fn same_argument(first: &str, second: &str) -> Message {
    Message::new(
        &Code::DuplicateAttribute,
        format!("`{first}` and `{second}` set the same argument. Remove one of them."),
    )
}

pub(crate) fn argument_and_block(name: &str) -> Message {
    Message::new(
        &Code::DuplicateAttribute,
        format!("`{name}` is set as an argument and as a block. Remove one of them."),
    )
}

/// `instead` is what the application advises, or empty.
pub(crate) fn deprecated(name: &str, instead: &str) -> Diagnostic {
    Diagnostic::warning(Code::Deprecated).with_note(if instead.is_empty() {
        format!("The argument `{name}` is deprecated.")
    } else {
        sentence(format!("The argument `{name}` is deprecated: {instead}"))
    })
}

pub(crate) fn invalid_default(name: &str, error: &Error) -> Message {
    Message::new(&Code::InvalidValue, format!("The default of the argument `{name}` is invalid: {error}."))
}

// Blocks and labels.

pub(crate) fn missing_block_of(types: &[&str]) -> Message {
    let note = match types {
        [one] => format!("A block of type `{one}` is required here."),
        several => format!("A block is required here: {}.", listed(several.iter().copied())),
    };
    Message::new(&Code::MissingBlock, note)
}

pub(crate) fn too_few_blocks(types: &[&str], required: usize, found: usize) -> Message {
    let types = alternatives(types);
    let note = match (required, found) {
        (1, _) => format!("A block of type {types} is required here."),
        (least, 0) => format!("At least {least} blocks of type {types} are required, but none was found."),
        (least, 1) => {
            format!("At least {least} blocks of type {types} are required, but only one was found.")
        }
        (least, count) => {
            format!("At least {least} blocks of type {types} are required, but only {count} were found.")
        }
    };
    Message::new(&Code::TooFewBlocks, note)
}

pub(crate) fn too_many_blocks(types: &[&str], allowed: usize, found: usize) -> Message {
    let types = alternatives(types);
    let note = match allowed {
        1 => format!("Only one block of type {types} is allowed, but {found} were found."),
        most => format!("No more than {most} blocks of type {types} are allowed, but {found} were found."),
    };
    Message::new(&Code::TooManyBlocks, note)
}

/// ``a` or `b``
fn alternatives(types: &[&str]) -> String {
    let types: Vec<String> = types.iter().map(|one| format!("`{one}`")).collect();
    types.join(" or ")
}

pub(crate) fn no_labels_in_file() -> Message {
    Message::new(
        &Code::NoBlockLabel,
        "This type describes a block with labels, but the body of a file was decoded.",
    )
}

pub(crate) fn invalid_label_value(error: impl std::fmt::Display) -> Message {
    Message::new(&Code::InvalidValue, sentence(format!("Invalid label: {error}")))
}

pub(crate) fn invalid_block(error: impl std::fmt::Display) -> Message {
    Message::new(&Code::InvalidValue, sentence(format!("Invalid block: {error}")))
}

pub(crate) fn invalid_file(error: impl std::fmt::Display) -> Message {
    Message::new(&Code::InvalidValue, sentence(format!("Invalid file: {error}")))
}

// Names of variants.

pub(crate) fn unknown_variant(found: &str, names: &[&str]) -> Message {
    let mut note = sentence(expected_names(found, names));
    note[..1].make_ascii_uppercase();
    Message::new(&Code::InvalidValue, note)
}

/// `expected "a", "b" or "c", found "d"`
pub(crate) fn expected_names(found: &str, names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
    let expected = match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => "nothing".to_owned(),
    };
    // Often only the case is different.
    let same = names.iter().copied().find(|name| name.eq_ignore_ascii_case(found));
    let near = same.or_else(|| nearest_name(found, names.iter().copied()));
    format!("expected {expected}, found \"{found}\"{}", or_did_you_mean_quoted(near))
}

// Parts of values, as the end of a sentence.

pub(crate) fn unexpected_attribute(name: &str, meant: Option<&str>) -> String {
    format!("an attribute named \"{name}\" is not expected here{}", or_did_you_mean_quoted(meant))
}

pub(crate) fn same_attribute(first: &str, second: &str) -> String {
    format!("\"{first}\" and \"{second}\" set the same attribute")
}

pub(crate) fn required_attribute(name: &str) -> String {
    format!("the attribute \"{name}\" is required")
}
