//! The messages about builds of Packer.

use hclkit_syntax::Diagnostic;

use super::codes::INVALID_SOURCE;

pub(crate) fn invalid_source(text: &str) -> Diagnostic {
    let note =
        format!("`{text}` is not a source. Write its type and its name, as in `source.amazon-ebs.base`.");
    Diagnostic::error(INVALID_SOURCE).with_note(note)
}

pub(crate) fn unknown_source(source_type: &str, name: &str) -> Diagnostic {
    let note = format!("The build refers to the source `{source_type}.{name}`, but no block declares it.");
    Diagnostic::error(INVALID_SOURCE).with_note(note)
}
