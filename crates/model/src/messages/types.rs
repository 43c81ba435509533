//! The messages of type expressions and type constraints.

use hclkit_syntax::Code;

use super::{Message, did_you_mean};

pub(crate) fn type_mismatch(error: &str) -> Message {
    Message::new(&Code::InvalidValue, format!("This value does not have the required type: {error}."))
}

pub(crate) fn json_type_required() -> Message {
    Message::new(&Code::InvalidType, "Expected a type in a string, such as `\"list(string)\"`.")
}

pub(crate) fn type_required() -> Message {
    Message::new(
        &Code::InvalidType,
        "Expected a primitive type (`string`, `number` or `bool`) or a type constructor such as `list(string)`.",
    )
}

pub(crate) fn quoted_type() -> Message {
    Message::new(&Code::InvalidType, "A type is written without quotes.")
}

pub(crate) fn any_not_allowed() -> Message {
    Message::new(&Code::InvalidType, "The type `any` is not allowed here. An exact type is required.")
}

/// `constructor` is the name of a type constructor that was written without arguments.
pub(crate) fn bare_constructor(constructor: &str) -> Message {
    let note = match constructor {
        "object" => "`object` requires attribute types: `object({ name = string })`.".to_owned(),
        "tuple" => "`tuple` requires element types: `tuple([string, number])`.".to_owned(),
        _ => format!("`{constructor}` requires an element type: `{constructor}(string)`."),
    };
    Message::new(&Code::InvalidType, note)
}

pub(crate) fn invalid_type(name: &str, meant: Option<&str>) -> Message {
    Message::new(&Code::InvalidType, format!("`{name}` is not a valid type.{}", did_you_mean(meant)))
}

pub(crate) fn invalid_constructor(name: &str, meant: Option<&str>) -> Message {
    Message::new(
        &Code::InvalidType,
        format!("`{name}` is not a valid type constructor.{}", did_you_mean(meant)),
    )
}

pub(crate) fn no_arguments_accepted(name: &str) -> Message {
    Message::new(&Code::InvalidType, format!("`{name}` does not accept arguments."))
}

pub(crate) fn one_argument_required(constructor: &str) -> Message {
    let which = match constructor {
        "object" => "the attribute types in braces",
        "tuple" => "the element types in brackets",
        _ => "the element type",
    };
    Message::new(&Code::InvalidType, format!("`{constructor}` requires one argument, {which}."))
}

pub(crate) fn brackets_required() -> Message {
    Message::new(
        &Code::InvalidType,
        "`tuple` requires its element types in brackets: `tuple([string, number])`.",
    )
}

pub(crate) fn braces_required() -> Message {
    Message::new(
        &Code::InvalidType,
        "`object` requires its attribute types in braces: `object({ name = string })`.",
    )
}

pub(crate) fn attribute_name_required() -> Message {
    Message::new(&Code::InvalidType, "Expected an attribute name without quotes.")
}

pub(crate) fn duplicate_attribute_type(name: &str) -> Message {
    Message::new(&Code::InvalidType, format!("The attribute `{name}` is already defined."))
}

// `optional`.

pub(crate) fn optional_outside_object() -> Message {
    Message::new(&Code::InvalidType, "`optional` is valid only for attributes of an object type.")
}

pub(crate) fn optional_in_exact_type() -> Message {
    Message::new(
        &Code::InvalidType,
        "Optional attributes are supported only in type constraints, not in exact types.",
    )
}

pub(crate) fn optional_without_type() -> Message {
    Message::new(&Code::InvalidType, "`optional` requires the attribute type: `optional(string)`.")
}

pub(crate) fn no_default_accepted() -> Message {
    Message::new(
        &Code::InvalidType,
        "A default is not supported here. `optional` accepts only the attribute type.",
    )
}

pub(crate) fn too_many_optional_arguments() -> Message {
    Message::new(&Code::InvalidType, "`optional` accepts only the attribute type and a default.")
}

pub(crate) fn incompatible_default(error: &str) -> Message {
    Message::new(
        &Code::InvalidType,
        format!("This default value is not compatible with the attribute type: {error}."),
    )
}
