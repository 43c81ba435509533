//! Errors of the tables.

use hclkit_syntax::{Code, Diagnostic};

fn invalid(note: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Code::InvalidValue).with_note(note.into())
}

pub(crate) fn unknown_dialect() -> Diagnostic {
    invalid("There is no language with this name.")
}

pub(crate) fn unknown_settings() -> Diagnostic {
    invalid("There is no table of settings with this name.")
}

pub(crate) fn unknown_label() -> Diagnostic {
    invalid("A name in braces must be `attribute` or one of the labels.")
}

pub(crate) fn fixed_name() -> Diagnostic {
    invalid("The last name must be `{attribute}` or a label in braces, such as `{name}`.")
}

pub(crate) fn inner_attribute() -> Diagnostic {
    invalid("Only the last name can be `{attribute}`.")
}

pub(crate) fn repeated_label() -> Diagnostic {
    invalid("Each label can be in the address once.")
}

pub(crate) fn address_of_block_required(role: &str) -> Diagnostic {
    invalid(format!(
        "Blocks with the role `{role}` need an address that ends with a label, such as `\"service.{{name}}\"`."
    ))
}

pub(crate) fn address_of_attributes_required(role: &str) -> Diagnostic {
    invalid(format!(
        "The attributes of blocks with the role `{role}` need an address, such as `\"local.{{attribute}}\"`."
    ))
}

pub(crate) fn string_required() -> Diagnostic {
    invalid("Expected a string.")
}

pub(crate) fn version_required() -> Diagnostic {
    invalid("Expected a version, such as `\"1.14\"`.")
}

pub(crate) fn versions_required() -> Diagnostic {
    invalid("Expected the first and the last version, such as `[\"1.0\", \"1\"]`.")
}

pub(crate) fn strings_required() -> Diagnostic {
    invalid("Expected a list of strings.")
}

pub(crate) fn unknown_choice<'a>(choices: impl Iterator<Item = &'a str>) -> Diagnostic {
    let choices: Vec<String> = choices.map(|choice| format!("`{choice}`")).collect();
    invalid(format!("Expected one of {}.", choices.join(", ")))
}
