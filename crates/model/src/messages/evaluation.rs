//! The messages of evaluation, static analysis, scopes and dynamic blocks.

use std::ops::RangeInclusive;

use hclkit_syntax::Code;
use hclkit_value::Type;

use super::mismatch::with_article;
use super::{Message, did_you_mean};

// Variables, attributes and elements.

pub(crate) fn variables_not_allowed() -> Message {
    Message::new(
        &Code::VariablesNotAllowed,
        "Variables may not be used here. Only literal values are allowed.",
    )
}

pub(crate) fn unknown_variable(name: &str, meant: Option<&str>) -> Message {
    Message::new(
        &Code::UnknownVariable,
        format!("There is no variable named `{name}`.{}", did_you_mean(meant)),
    )
}

pub(crate) fn null_has_no_attribute(name: &str) -> Message {
    Message::new(&Code::NullAttribute, format!("This value is null, so it has no attribute `{name}`."))
}

pub(crate) fn no_attribute(name: &str) -> Message {
    Message::new(&Code::UnsupportedAttribute, format!("This object has no attribute named `{name}`."))
}

/// Replaces the message about an attribute with a sensitive name.
pub(crate) const NO_SUCH_ATTRIBUTE: &str = "This object has no attribute with this name.";

pub(crate) fn no_attributes(ty: &Type, name: &str) -> Message {
    let what = ty.friendly_name();
    let note = match ty {
        Type::List(element) if matches!(**element, Type::Object(_)) => format!(
            "This value is a {what}, not an object. Use `[*].{name}` for the attribute of each element, or `[0].{name}` for the first element."
        ),
        Type::Set(element) if matches!(**element, Type::Object(_)) => format!(
            "This value is a {what}, not an object. Use `[*].{name}` for the attribute of each element."
        ),
        _ => format!("This value is a {what}, which has no attributes."),
    };
    Message::new(&Code::UnsupportedAttribute, note)
}

pub(crate) fn no_map_element(key: &str) -> Message {
    Message::new(&Code::MissingElement, format!("This map has no element with the key {key:?}."))
}

pub(crate) fn null_has_no_elements() -> Message {
    Message::new(&Code::NullIndex, "This value is null, so it has no elements.")
}

pub(crate) fn null_index() -> Message {
    Message::new(&Code::InvalidIndex, "A null value cannot be used as a key.")
}

pub(crate) fn set_index() -> Message {
    Message::new(
        &Code::InvalidIndex,
        "Set elements have no keys. Convert the set to a list first, or use a `for` expression.",
    )
}

pub(crate) fn no_elements(ty: &Type) -> Message {
    Message::new(
        &Code::InvalidIndex,
        format!("This value is a {}, which has no elements.", ty.friendly_name()),
    )
}

pub(crate) fn invalid_index(error: &str) -> Message {
    Message::new(&Code::InvalidIndex, format!("The key does not identify an element of this value: {error}."))
}

/// An error of the operation itself, such as indexing.
pub(crate) fn index_failed(error: String) -> Message {
    Message::new(&Code::InvalidIndex, error)
}

pub(crate) fn fractional_index() -> Message {
    Message::new(&Code::InvalidIndex, "The key must be a whole number.")
}

pub(crate) fn negative_index() -> Message {
    Message::new(&Code::InvalidIndex, "The key must not be negative. Keys start at 0.")
}

/// `what` is `list` or `tuple`.
pub(crate) fn index_out_of_range(what: &str, count: u64) -> Message {
    let note = match count {
        0 => format!("This {what} has no elements."),
        1 => format!("This {what} has only one element, with the key 0."),
        count => format!("This {what} has {count} elements, with the keys 0 to {}.", count - 1),
    };
    Message::new(&Code::InvalidIndex, note)
}

/// `what` is `list`, `map` or `tuple`.
pub(crate) fn no_such_element(what: &str) -> Message {
    Message::new(&Code::InvalidIndex, format!("This {what} has no element with this key."))
}

// Function calls.

pub(crate) fn functions_not_allowed() -> Message {
    Message::new(&Code::FunctionsNotAllowed, "Functions may not be called here.")
}

pub(crate) fn unknown_function(name: &str, meant: Option<&str>) -> Message {
    Message::new(
        &Code::UnknownFunction,
        format!("There is no function named `{name}`.{}", did_you_mean(meant)),
    )
}

pub(crate) fn removed_function(name: &str, replacement: &str) -> Message {
    Message::new(
        &Code::UnknownFunction,
        format!("The function `{name}` is no longer available. Use `{replacement}` instead."),
    )
}

/// `ty` is the type of the argument, or nothing if it is null.
pub(crate) fn invalid_expanded_value(ty: Option<&Type>) -> Message {
    let what = ty.map_or_else(|| "null".to_owned(), with_article);
    Message::new(
        &Code::InvalidExpandedValue,
        format!("The argument before `...` is {what}; it must be a list, set or tuple."),
    )
}

pub(crate) fn missing_argument(function: &str, parameter: &str) -> Message {
    Message::new(
        &Code::MissingArgument,
        format!("The function `{function}` requires a value for `{parameter}`."),
    )
}

pub(crate) fn too_many_arguments(function: &str, accepted: usize) -> Message {
    let only = match accepted {
        0 => "no arguments".to_owned(),
        1 => "only one argument".to_owned(),
        accepted => format!("only {accepted} arguments"),
    };
    Message::new(&Code::TooManyArguments, format!("The function `{function}` accepts {only}."))
}

pub(crate) fn invalid_argument(function: &str, parameter: &str, error: &str) -> Message {
    Message::new(
        &Code::InvalidArgument,
        format!("Invalid value for the argument `{parameter}` of `{function}`: {error}."),
    )
}

/// `code` says whether the function failed or lacks a grant.
pub(crate) fn function_failed(code: &'static Code, function: &str, error: &str) -> Message {
    let end = if error.ends_with(['.', '?', '!']) { "" } else { "." };
    Message::new(code, format!("Call to function `{function}` failed: {error}{end}"))
}

/// The end of a message that must not show a sensitive value.
pub(crate) const DETAILS_WITHHELD: &str =
    "the details are withheld because they may contain a sensitive value";

pub(crate) fn expanded_type_argument() -> Message {
    Message::new(&Code::InvalidType, "Expected a type. An expanded argument cannot be a type.")
}

// Operators and conditionals.

/// `side` is `left` or `right`.
pub(crate) fn invalid_operand(side: &str, operator: &str, error: &str) -> Message {
    Message::new(
        &Code::InvalidOperand,
        format!("Invalid value for the {side} operand of `{operator}`: {error}."),
    )
}

pub(crate) fn invalid_unary_operand(operator: &str, error: &str) -> Message {
    Message::new(&Code::InvalidOperand, format!("Invalid value for the operand of `{operator}`: {error}."))
}

/// A reason why an operation failed.
pub(crate) const NULL_OPERAND: &str = "an operand must not be null";

pub(crate) fn operation_failed(operator: &str, error: &str) -> Message {
    Message::new(&Code::OperationFailed, format!("The operation `{operator}` failed: {error}."))
}

pub(crate) fn null_condition() -> Message {
    Message::new(&Code::NullCondition, "The condition is null. It must be true or false.")
}

pub(crate) fn invalid_condition(error: &str) -> Message {
    Message::new(&Code::InvalidCondition, format!("Invalid condition: {error}."))
}

/// About a predicate of a path.
pub(crate) fn invalid_predicate(ty: &Type) -> Message {
    let what = ty.friendly_name();
    Message::new(
        &Code::InvalidCondition,
        format!(
            "A predicate must be true or false, but the type of this one is {what}. To select what has a value, write `… != null`."
        ),
    )
}

/// `difference` says how the types differ, if it may be shown.
pub(crate) fn inconsistent_results(difference: Option<&str>) -> Message {
    let rule = "The true and false results of a conditional must have consistent types";
    let note = match difference {
        Some(difference) => format!("{rule}, but {difference}."),
        None => format!("{rule}."),
    };
    Message::new(&Code::InconsistentResults, note)
}

pub(crate) fn result_cannot_be_converted(error: &str) -> Message {
    Message::new(
        &Code::InconsistentResults,
        format!("This result cannot be converted to the common type of both results: {error}."),
    )
}

// Objects, `for` expressions, splats and templates.

pub(crate) fn null_key() -> Message {
    Message::new(&Code::InvalidKey, "An object key must not be null.")
}

pub(crate) fn invalid_key(error: &str) -> Message {
    Message::new(&Code::InvalidKey, format!("Invalid object key: {error}."))
}

pub(crate) fn ambiguous_key(text: &str) -> Message {
    Message::new(
        &Code::AmbiguousKey,
        format!(
            "The key `{text}` is ambiguous. Write `\"{text}\"` for the name, or `({text})` for the value of the reference."
        ),
    )
}

pub(crate) fn null_property_name() -> Message {
    Message::new(&Code::InvalidKey, "A property name must not be null.")
}

pub(crate) fn invalid_property_name(error: &str) -> Message {
    Message::new(&Code::InvalidKey, format!("Invalid property name: {error}."))
}

/// `name` is missing if it must not be shown.
pub(crate) fn duplicate_property(name: Option<&str>) -> Message {
    let note = match name {
        Some(name) => format!("The property `{name}` is already set."),
        None => "A property with this name is already set.".to_owned(),
    };
    Message::new(&Code::DuplicateKey, note)
}

pub(crate) fn null_iteration() -> Message {
    Message::new(&Code::NullIteration, "A null value cannot be used as the collection of a `for` expression.")
}

pub(crate) fn not_iterable(ty: &Type) -> Message {
    let what = ty.friendly_name();
    Message::new(
        &Code::NotIterable,
        format!("A value of type {what} cannot be used as the collection of a `for` expression."),
    )
}

pub(crate) fn null_result_key() -> Message {
    Message::new(&Code::InvalidKey, "The key of a result must not be null.")
}

pub(crate) fn invalid_result_key(error: &str) -> Message {
    Message::new(&Code::InvalidKey, format!("Invalid key: {error}."))
}

/// `key` is missing if it must not be shown.
pub(crate) fn duplicate_result_key(key: Option<&str>) -> Message {
    let which = key.map_or_else(|| "the same key".to_owned(), |key| format!("the key {key:?}"));
    Message::new(
        &Code::DuplicateKey,
        format!(
            "Two results have {which}. To group the results of each key into a tuple, write `...` after the value."
        ),
    )
}

pub(crate) fn null_for_condition() -> Message {
    Message::new(&Code::InvalidForCondition, "The condition is null. It must be true or false.")
}

pub(crate) fn invalid_for_condition(error: &str) -> Message {
    Message::new(&Code::InvalidForCondition, format!("Invalid condition: {error}."))
}

pub(crate) fn null_splat() -> Message {
    Message::new(&Code::NullSplat, "A splat expression cannot be applied to a null list, set or tuple.")
}

pub(crate) fn mixed_splat() -> Message {
    Message::new(
        &Code::MixedSplat,
        "The results have different types and cannot form a list. To get a tuple, use `[for item in items : item[*]]`.",
    )
}

pub(crate) fn null_interpolation() -> Message {
    Message::new(&Code::InvalidInterpolation, "A null value cannot be included in a string template.")
}

pub(crate) fn invalid_interpolation(error: &str) -> Message {
    Message::new(
        &Code::InvalidInterpolation,
        format!("The value cannot be included in a string template: {error}."),
    )
}

// Expressions that are not evaluated, and definitions of scopes.

pub(crate) fn list_required() -> Message {
    Message::new(&Code::ListRequired, "A static list expression is required: `[…]`.")
}

pub(crate) fn map_required() -> Message {
    Message::new(&Code::MapRequired, "A static map expression is required: `{…}`.")
}

pub(crate) fn call_required() -> Message {
    Message::new(&Code::CallRequired, "A static function call is required.")
}

pub(crate) fn traversal_required() -> Message {
    Message::new(
        &Code::TraversalRequired,
        "A static variable reference is required: a variable name, optionally followed by attribute names and constant indices.",
    )
}

pub(crate) fn empty_definition_name() -> Message {
    Message::new(&Code::InvalidTraversal, "The name is empty.")
}

pub(crate) fn duplicate_definition(name: &str) -> Message {
    Message::new(&Code::DuplicateDefinition, format!("`{name}` is already defined. Names must be unique."))
}

pub(crate) fn undefined_name(name: &str, meant: Option<&str>) -> Message {
    Message::new(&Code::UnknownVariable, format!("`{name}` is not defined.{}", did_you_mean(meant)))
}

pub(crate) fn self_reference(name: &str) -> Message {
    Message::new(&Code::ReferenceCycle, format!("`{name}` refers to itself."))
}

/// `more` counts the names between the last one and the first one.
pub(crate) fn reference_cycle(names: &[&str], more: usize) -> Message {
    let mut steps: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    if more > 0 {
        steps.push(format!("… ({more} more)"));
    }
    steps.extend(names.first().map(|first| format!("`{first}`")));
    Message::new(
        &Code::ReferenceCycle,
        format!("These definitions refer to each other in a cycle: {}.", steps.join(" → ")),
    )
}

// Dynamic blocks.

pub(crate) fn invalid_iterator() -> Message {
    Message::new(&Code::InvalidIterator, "The iterator must be a single variable name.")
}

pub(crate) fn extra_content() -> Message {
    Message::new(&Code::ExtraContent, "A dynamic block must have only one `content` block.")
}

pub(crate) fn missing_content() -> Message {
    Message::new(
        &Code::MissingContent,
        "A dynamic block requires a `content` block, which is the body of the generated blocks.",
    )
}

pub(crate) fn dynamic_label_count(block_type: &str, allowed: RangeInclusive<usize>, found: usize) -> Message {
    let (least, most) = allowed.into_inner();
    let plural = if most == 1 { "" } else { "s" };
    let count = if least == most { most.to_string() } else { format!("{least} to {most}") };
    Message::new(
        &Code::InvalidDynamicLabel,
        format!("Blocks of type `{block_type}` require {count} label{plural}, found {found}."),
    )
}

pub(crate) fn null_label() -> Message {
    Message::new(&Code::InvalidDynamicLabel, "A label must not be null.")
}

pub(crate) fn invalid_label(error: &str) -> Message {
    Message::new(&Code::InvalidDynamicLabel, format!("Invalid label: {error}."))
}

pub(crate) fn unknown_label() -> Message {
    Message::new(&Code::InvalidDynamicLabel, "A label must be known, but this value is unknown.")
}

pub(crate) fn marked_label() -> Message {
    Message::new(
        &Code::InvalidDynamicLabel,
        "A label must not be marked, for example as sensitive, because labels are shown everywhere.",
    )
}

pub(crate) fn null_for_each() -> Message {
    Message::new(
        &Code::InvalidForEach,
        "Cannot use a null value in `for_each`. To generate no blocks, use an empty collection.",
    )
}

pub(crate) fn invalid_for_each(ty: &Type) -> Message {
    Message::new(
        &Code::InvalidForEach,
        format!("Cannot use a {} value in `for_each`. A collection is required.", ty.friendly_name()),
    )
}

/// The note in an explanation of a result of a conditional that is not its value.
pub(crate) const NOT_SELECTED: &str = "not selected";
