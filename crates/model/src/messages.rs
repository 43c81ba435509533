//! The catalog of this crate's diagnostics: the code and the note of each one as a function of its parts, texts at
//! related places, and titles of fixes. Summaries are those of the codes. Callers add places, values and fixes.

pub(crate) mod body;
mod evaluation;
pub(crate) mod hcl1;
pub(crate) mod mismatch;
pub(crate) mod spec;
pub(crate) mod typed;
pub(crate) mod types;

use std::borrow::Cow;
use std::sync::Arc;

use hclkit_syntax::{At, Code, Diagnostic, Source, Span};

pub(crate) use evaluation::*;

/// A text that may be built from parts.
pub(crate) type Text = Cow<'static, str>;

/// The code and the note of an error.
pub(crate) struct Message {
    /// A reference, because messages are returned by value.
    pub(crate) code: &'static Code,
    pub(crate) note: Text,
}

impl Message {
    fn new(code: &'static Code, note: impl Into<Text>) -> Self {
        Self { code, note: note.into() }
    }

    /// The error at a place.
    pub(crate) fn at(self, at: impl Into<At>) -> Diagnostic {
        Diagnostic::error(*self.code).with_note(self.note).at(at)
    }

    /// The error at a part of a source.
    pub(crate) fn in_source(self, source: &Arc<Source>, span: Span) -> Diagnostic {
        self.at(span).with_source(source)
    }
}

pub(crate) use hclkit_syntax::did_you_mean;

/// The same about a key of a map.
pub(crate) fn did_you_mean_key(meant: &str) -> String {
    format!(" Did you mean {meant:?}?")
}

/// The same in a message about values, whose names are in double quotes.
pub(crate) fn or_did_you_mean_quoted(meant: Option<&str>) -> String {
    meant.map_or_else(String::new, |meant| format!("; did you mean \"{meant}\"?"))
}

/// A text with a full stop, unless it ends in a question.
fn sentence(mut text: String) -> String {
    if !text.ends_with(['.', '?', '!']) {
        text.push('.');
    }
    text
}

/// Names in backticks, separated by commas.
fn listed<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

/// The titles of fixes: imperatives.
pub(crate) mod fix {
    use std::fmt::Display;

    pub(crate) const ADD_EQUALS_SIGN: &str = "Add an equals sign";
    pub(crate) const REMOVE_EQUALS_SIGN: &str = "Remove the equals sign";
    pub(crate) const USE_VALUE_OF_REFERENCE: &str = "Use the value of the reference";

    pub(crate) fn write(name: impl Display) -> String {
        format!("Write `{name}`")
    }
}

/// The texts at related places.
pub(crate) mod related {
    pub(crate) const FIRST_DEFINED: &str = "first defined here";
    pub(crate) const FIRST_SET: &str = "first set here";
    pub(crate) const VALUE_ORIGIN: &str = "the value comes from here";

    /// A definition on a cycle, and the next one.
    pub(crate) fn refers_to(name: &str, next: &str) -> String {
        format!("`{name}` refers to `{next}` here")
    }
}

/// A diagnostic with its source, if it is known.
pub(crate) fn in_source(diagnostic: Diagnostic, source: Option<&Arc<Source>>) -> Diagnostic {
    match source {
        Some(source) => diagnostic.with_source(source),
        None => diagnostic,
    }
}
