//! The messages of values in HCL 1.

use hclkit_syntax::Code;

use super::Message;

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

pub(crate) fn null_in_list() -> Message {
    Message::new(&Code::InvalidValue, "HCL 1 has no null in lists. Remove the element.")
}
