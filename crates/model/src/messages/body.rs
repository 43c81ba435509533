//! The messages of bodies and their schemas, in both syntaxes, and of `function` blocks.

use hclkit_syntax::Code;

use super::{Message, did_you_mean, listed};

// Arguments.

pub(crate) fn missing_argument(name: &str) -> Message {
    Message::new(&Code::MissingAttribute, format!("The argument `{name}` is required, but it is not set."))
}

pub(crate) fn duplicate_argument(name: &str) -> Message {
    Message::new(&Code::DuplicateAttribute, format!("The argument `{name}` is already set."))
}

/// `first` is the place of the first one.
pub(crate) fn duplicate_argument_at(name: &str, first: &str) -> Message {
    Message::new(&Code::DuplicateAttribute, format!("The argument `{name}` is already set at {first}."))
}

pub(crate) fn unsupported_argument(name: &str, meant: Option<&str>) -> Message {
    Message::new(
        &Code::UnsupportedArgument,
        format!("An argument named `{name}` is not expected here.{}", did_you_mean(meant)),
    )
}

pub(crate) fn argument_for_block(name: &str) -> Message {
    Message::new(
        &Code::UnsupportedArgument,
        format!("An argument named `{name}` is not expected here. To define a block, remove the `=`."),
    )
}

// Blocks and labels.

pub(crate) fn unsupported_block(block_type: &str, meant: Option<&str>) -> Message {
    Message::new(
        &Code::UnsupportedBlock,
        format!("Blocks of type `{block_type}` are not expected here.{}", did_you_mean(meant)),
    )
}

pub(crate) fn block_for_argument(name: &str) -> Message {
    Message::new(
        &Code::UnsupportedBlock,
        format!(
            "Blocks of type `{name}` are not expected here. To set the argument `{name}`, add `=` after its name."
        ),
    )
}

/// `name` is the type with the labels.
pub(crate) fn no_block_to_override(name: &str) -> Message {
    Message::new(&Code::UnsupportedBlock, format!("There is no block `{name}` to override."))
}

pub(crate) fn several_blocks_to_override(name: &str) -> Message {
    Message::new(&Code::UnsupportedBlock, format!("There are several blocks `{name}` to override."))
}

pub(crate) fn only_arguments(block_type: &str) -> Message {
    Message::new(
        &Code::UnexpectedBlock,
        format!("The block `{block_type}` is not allowed here. Only arguments are expected."),
    )
}

pub(crate) fn extra_label(block_type: &str, labels: &[&str]) -> Message {
    let names = listed(labels.iter().copied());
    let note = match labels.len() {
        0 => format!("No labels are expected for `{block_type}` blocks."),
        1 => format!("Only one label ({names}) is expected for `{block_type}` blocks."),
        count => format!("Only {count} labels ({names}) are expected for `{block_type}` blocks."),
    };
    Message::new(&Code::ExtraLabel, note)
}

/// `labels` are all that a block must have. It can have more if others are optional.
pub(crate) fn missing_label(block_type: &str, missing: &str, labels: &[&str], more: bool) -> Message {
    let at_least = if more { "at least " } else { "" };
    let all = match labels.len() {
        1 => format!("{at_least}one label"),
        count => format!("{at_least}{count} labels ({})", listed(labels.iter().copied())),
    };
    Message::new(
        &Code::MissingLabel,
        format!("The label `{missing}` is missing. `{block_type}` blocks must have {all}."),
    )
}

// The JSON syntax.

/// `label` names the label that property names are, if they are not arguments and blocks.
pub(crate) fn object_required(label: Option<&str>) -> Message {
    Message::new(&Code::JsonBodyRequired, format!("Expected an object {}.", with_properties(label)))
}

pub(crate) fn objects_required(label: Option<&str>) -> Message {
    Message::new(
        &Code::JsonBodyRequired,
        format!("Expected an object or an array of objects {}.", with_properties(label)),
    )
}

fn with_properties(label: Option<&str>) -> String {
    match label {
        Some(label) => format!("with `{label}` labels as property names"),
        None => "with arguments and blocks".to_owned(),
    }
}

pub(crate) fn arguments_required() -> Message {
    Message::new(&Code::JsonBodyRequired, "Expected an object whose properties are the arguments.")
}

/// Labels may be missing in the source, so that the name of an argument was read as a label.
pub(crate) fn block_body_required(block_type: &str, label_names: &[&str], found: &[&str]) -> Message {
    let names = listed(label_names.iter().copied());
    let hint = match label_names.len() {
        0 => String::new(),
        1 => format!(" The property name before it is the label {names} of the block."),
        _ => format!(" The property names before it are the labels {names} of the block."),
    };
    let labels: Vec<String> = found.iter().map(|label| format!(" {label:?}")).collect();
    let labels = labels.concat();
    Message::new(
        &Code::JsonBodyRequired,
        format!(
            "Expected an object (the body of the block `{block_type}{labels}`) or an array of objects.{hint}"
        ),
    )
}

pub(crate) fn missing_json_label(block_type: &str, label: &str) -> Message {
    Message::new(
        &Code::MissingLabel,
        format!(
            "The label `{label}` of a `{block_type}` block is missing. It must be the property name of an object."
        ),
    )
}

pub(crate) fn unknown_property(name: &str, meant: Option<&str>) -> Message {
    Message::new(
        &Code::JsonUnknownProperty,
        format!("No argument or block type named `{name}` is expected here.{}", did_you_mean(meant)),
    )
}

// `function` blocks.

pub(crate) fn invalid_parameter() -> Message {
    Message::new(&Code::InvalidFunction, "A parameter must be a plain name.")
}
