//! The messages of values in HCL 1.

use hclkit_syntax::Code;

use super::{Message, did_you_mean, or_did_you_mean_quoted};

/// `first` and `other` are kinds of values with their articles.
pub(crate) fn conflict(first: &str, other: &str) -> Message {
    let note = format!(
        "The name is set to {first} before, and to {other} here. Only values of one kind can be combined."
    );
    Message::new(&Code::Hcl1Conflict, note)
}

pub(crate) fn without_label() -> Message {
    Message::new(
        &Code::Hcl1Conflict,
        "Other blocks with this name have a label, and this item has none. Names that differ only in case count as one.",
    )
}

pub(crate) fn not_an_object() -> Message {
    Message::new(
        &Code::Hcl1Conflict,
        "The name is set to an object before, so each element of this list must be an object.",
    )
}

pub(crate) fn large_number(text: &str) -> Message {
    Message::new(
        &Code::InvalidNumber,
        format!("{text} is out of range: whole numbers of HCL 1 have 64 bits. Put it in quotes."),
    )
}

pub(crate) fn literal_required() -> Message {
    let note = "The value is no literal. HCL 1 has strings, numbers, `true` and `false`, lists and objects.";
    Message::new(&Code::InvalidValue, note)
}

pub(crate) fn null_in_list() -> Message {
    Message::new(&Code::InvalidValue, "HCL 1 has no null in lists. Remove the element.")
}

// Settings. `title` is the name of the application.

pub(crate) fn unread_argument(name: &str, title: &str, meant: Option<&str>) -> Message {
    Message::new(
        &Code::UnsupportedArgument,
        format!("{title} reads no argument named `{name}` here.{}", did_you_mean(meant)),
    )
}

pub(crate) fn unread_block(name: &str, title: &str, meant: Option<&str>) -> Message {
    Message::new(
        &Code::UnsupportedBlock,
        format!("{title} reads no block named `{name}` here.{}", did_you_mean(meant)),
    )
}

/// `expected` and `found` are kinds of values with their articles.
pub(crate) fn other_type(name: &str, expected: &str, found: &str) -> Message {
    Message::new(&Code::InvalidValue, format!("`{name}` must be {expected}, and this is {found}."))
}

pub(crate) fn unknown_text(text: &str, texts: &[String], meant: Option<&str>) -> Message {
    let texts: Vec<String> = texts.iter().map(|text| format!("{text:?}")).collect();
    let note =
        format!("Expected one of {}, found {text:?}{}", texts.join(", "), or_did_you_mean_quoted(meant));
    Message::new(&Code::InvalidValue, super::sentence(note))
}

pub(crate) fn repeated_block(name: &str, title: &str) -> Message {
    Message::new(
        &Code::DuplicateBlock,
        format!("{title} reads one block `{name}` here, and refuses several. Put all in one block."),
    )
}

/// In tables.
pub(crate) fn unknown_type(name: &str) -> Message {
    Message::new(
        &Code::InvalidValue,
        format!(
            "There is no type `{name}`. Types are names, `list`, `map`, `labeled`, `text_or` and `one_of`."
        ),
    )
}
