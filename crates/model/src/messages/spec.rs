//! The messages of decoding with a spec, and of the spec language.

use hclkit_syntax::{Code, did_you_mean};
use hclkit_value::{Number, Str};

use super::Message;

/// The advice for several spec blocks.
const WRAP: &str = "To use several, wrap them in `object { ... }` and label each with its attribute name in the result, or wrap them in `tuple { ... }`.";

// Values.

pub(crate) fn invalid_argument(name: &str, error: &str) -> Message {
    Message::new(&Code::InvalidAttributeValue, format!("Invalid value for the argument `{name}`: {error}."))
}

pub(crate) fn invalid_argument_in(name: &str, block_type: &str, error: &str) -> Message {
    Message::new(
        &Code::InvalidAttributeValue,
        format!("Invalid value for the argument `{name}` in `{block_type}`: {error}."),
    )
}

/// The error of a check or a function of the application.
pub(crate) fn invalid_value(error: &str) -> Message {
    Message::new(&Code::InvalidValue, error.to_owned())
}

pub(crate) fn same_argument_normalized(name: &str) -> Message {
    Message::new(
        &Code::DuplicateAttribute,
        format!("The argument `{name}` is already set. The two names differ only in Unicode normalization."),
    )
}

// Blocks.

pub(crate) fn missing_block(block_type: &str) -> Message {
    Message::new(&Code::MissingBlock, format!("A block of type `{block_type}` is required here."))
}

pub(crate) fn second_block(block_type: &str) -> Message {
    Message::new(&Code::DuplicateBlock, format!("Only one block of type `{block_type}` is allowed here."))
}

pub(crate) fn too_few_blocks(block_type: &str, required: usize, found: usize) -> Message {
    let rule = match required {
        1 => format!("A block of type `{block_type}` is required"),
        least => format!("At least {least} blocks of type `{block_type}` are required"),
    };
    let note = match found {
        0 => format!("{rule}, but none was found."),
        1 => format!("{rule}, but only one was found."),
        count => format!("{rule}, but only {count} were found."),
    };
    Message::new(&Code::TooFewBlocks, note)
}

pub(crate) fn too_many_blocks(block_type: &str, allowed: usize, found: usize) -> Message {
    let rule = match allowed {
        1 => format!("Only one block of type `{block_type}` is allowed"),
        most => format!("No more than {most} blocks of type `{block_type}` are allowed"),
    };
    Message::new(&Code::TooManyBlocks, format!("{rule}, but {found} were found."))
}

/// `kind` is the kind of spec that requires equal types.
pub(crate) fn inconsistent_blocks(block_type: &str, kind: &str) -> Message {
    Message::new(
        &Code::InconsistentBlocks,
        format!(
            "The values of all blocks of type `{block_type}` must have the same type. In the spec, set the type of the arguments that differ, or use `block_tuple` instead of `{kind}`."
        ),
    )
}

/// `labels` is missing if they must not be shown.
pub(crate) fn duplicate_labels(block_type: &str, labels: Option<&[&str]>) -> Message {
    let which = match labels {
        None => "the same labels".to_owned(),
        Some([label]) => format!("the label `{label}`"),
        Some(labels) => {
            let labels: Vec<String> = labels.iter().map(|label| format!("`{label}`")).collect();
            format!("the labels {}", labels.join(" "))
        }
    };
    Message::new(
        &Code::DuplicateBlock,
        format!("A block of type `{block_type}` with {which} already exists."),
    )
}

pub(crate) fn no_block_label() -> Message {
    Message::new(
        &Code::NoBlockLabel,
        "The spec requests a block label, but this body does not belong to a block with that label.",
    )
}

// Spec files.

pub(crate) fn several_top_level_specs() -> Message {
    Message::new(&Code::InvalidSpec, format!("A spec file must have only one top-level spec block. {WRAP}"))
}

pub(crate) fn no_top_level_spec() -> Message {
    Message::new(
        &Code::InvalidSpec,
        "A spec file requires a spec block that defines the result, such as `object`.",
    )
}

pub(crate) fn several_nested_specs() -> Message {
    Message::new(&Code::InvalidSpec, format!("Only one nested spec block is allowed here. {WRAP}"))
}

pub(crate) fn no_nested_spec() -> Message {
    Message::new(&Code::InvalidSpec, "A nested spec block is required here to define the value.")
}

pub(crate) fn empty_default() -> Message {
    Message::new(
        &Code::InvalidSpec,
        "A `default` requires at least one nested spec block. The result is the first value that is not null.",
    )
}

/// Follows the message about an extra label of a spec block.
pub(crate) const LABELS_IN_OBJECTS: &str =
    "A spec block can have a label only directly inside an `object`. Wrap it in `object { ... }`.";

pub(crate) fn invalid_spec_argument(name: &str, error: &str) -> Message {
    Message::new(&Code::InvalidSpec, format!("Invalid value for `{name}`: {error}."))
}

pub(crate) fn whole_number_required(name: &str) -> Message {
    Message::new(&Code::InvalidSpec, format!("`{name}` must be a whole number."))
}

pub(crate) fn duplicate_spec_attribute(name: &str) -> Message {
    Message::new(&Code::InvalidSpec, format!("The attribute `{name}` is already defined in this object."))
}

/// `what` is what the argument sets in the configuration.
pub(crate) fn missing_name(argument: &str, what: &str) -> Message {
    Message::new(
        &Code::InvalidSpec,
        format!(
            "`{argument}` is required: it sets {what} in the configuration. It can be omitted only directly inside an `object`, where it defaults to the attribute name."
        ),
    )
}

/// The subjects of an argument of the spec language whose default is the name of its attribute.
pub(crate) const ARGUMENT_NAME: &str = "the name of the argument";
pub(crate) const BLOCK_TYPE: &str = "the type of the blocks";

pub(crate) fn optional_in_spec() -> Message {
    Message::new(
        &Code::InvalidSpec,
        "Optional object attributes are not supported in a spec. Describe each attribute with its own `attr`.",
    )
}

pub(crate) fn max_below_min() -> Message {
    Message::new(&Code::InvalidSpec, "`max_items` must not be less than `min_items`.")
}

pub(crate) fn max_value_below_min() -> Message {
    Message::new(&Code::InvalidSpec, "`max` must not be less than `min`.")
}

pub(crate) fn limit_of_numbers(name: &str) -> Message {
    Message::new(&Code::InvalidSpec, format!("`{name}` requires `type = number`."))
}

pub(crate) fn values_of_strings() -> Message {
    Message::new(&Code::InvalidSpec, "`values` requires `type = string`. Use `min` and `max` for numbers.")
}

pub(crate) fn pattern_of_strings() -> Message {
    Message::new(&Code::InvalidSpec, "`pattern` requires `type = string`.")
}

pub(crate) fn no_patterns() -> Message {
    let note = "This build has no regular expressions, so that `pattern` cannot be checked. Build hclkit with the feature \
                `functions`.";
    Message::new(&Code::InvalidSpec, note)
}

pub(crate) fn invalid_pattern(error: &str) -> Message {
    Message::new(&Code::InvalidSpec, format!("Invalid `pattern`: {error}"))
}

/// Why a string is not accepted by a pattern.
pub(crate) fn no_match(pattern: &str) -> String {
    format!("Expected text that matches the regular expression `{pattern}`.")
}

pub(crate) fn no_values() -> Message {
    Message::new(&Code::InvalidSpec, "`values` must have at least one element.")
}

/// Why a string is not one of those that an argument accepts. The values are literals of the spec.
pub(crate) fn not_a_value(names: &[Str], found: &str) -> String {
    let all = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let hint = hclkit_syntax::nearest_name(found, names.iter().map(|name| &**name));
    match names.len() {
        ..=1 => format!("Expected {all}."),
        _ => format!("Expected one of {all}.{}", did_you_mean(hint)),
    }
}

pub(crate) fn below_min(min: &Number) -> String {
    format!("Expected a number of at least {min}.")
}

pub(crate) fn above_max(max: &Number, is_included: bool) -> String {
    if is_included {
        format!("Expected a number of at most {max}.")
    } else {
        format!("Expected a number less than {max}.")
    }
}

pub(crate) fn null_label_name() -> Message {
    Message::new(&Code::InvalidSpec, "A label name must not be null.")
}

pub(crate) fn too_many_labels(most: usize) -> Message {
    Message::new(
        &Code::InvalidSpec,
        format!("Each label is a nested map, and at most {most} levels of them are supported."),
    )
}

pub(crate) fn no_label_names() -> Message {
    Message::new(
        &Code::InvalidSpec,
        "At least one label is required, because block labels become the keys of the result.",
    )
}

pub(crate) fn label_outside_block() -> Message {
    Message::new(&Code::InvalidSpec, "This spec is not inside a block spec, so there are no labels.")
}

pub(crate) fn switch_on_label(last: usize) -> Message {
    Message::new(
        &Code::InvalidSpec,
        format!("`on` must be a label of the block, as in `label(0)`, with a number from 0 to {last}."),
    )
}

pub(crate) fn empty_switch() -> Message {
    Message::new(&Code::InvalidSpec, "A `switch` needs at least one `case` block.")
}

pub(crate) fn too_many_choices(most: usize) -> Message {
    Message::new(
        &Code::InvalidSpec,
        format!(
            "The combinations of all `switch` cases have more than {most} specs. Use fewer `switch` blocks in one body."
        ),
    )
}

pub(crate) fn duplicate_case(label: &str) -> Message {
    Message::new(&Code::InvalidSpec, format!("There is already a case for {label:?}."))
}

pub(crate) fn second_switch_default() -> Message {
    Message::new(&Code::InvalidSpec, "A `switch` has only one `default` block.")
}

pub(crate) fn invalid_label_index(last: usize) -> Message {
    Message::new(&Code::InvalidSpec, format!("`index` must be the number of a label, from 0 to {last}."))
}
