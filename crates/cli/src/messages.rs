//! The catalog of this crate's diagnostics, which are about scripts of edits: the note of each one as a function of its
//! parts. Callers add places.

use hclkit::Diagnostic;

fn invalid_edit(note: impl Into<String>) -> Diagnostic {
    Diagnostic::error("Invalid edit").with_note(note.into())
}

/// `argument` is `set`, `rename`, `append` or `prepend`.
pub(crate) fn object_of_paths_required(argument: &str) -> Diagnostic {
    invalid_edit(format!(
        "`{argument}` must be an object of paths and values, such as `{{ \"tags.Env\" = \"prod\" }}`."
    ))
}

pub(crate) fn invalid_path() -> Diagnostic {
    invalid_edit("A path must be a name or a string.")
}

pub(crate) fn invalid_new_name() -> Diagnostic {
    invalid_edit("A new name must be a string.")
}

/// `argument` is `append` or `prepend`.
pub(crate) fn elements_required(argument: &str) -> Diagnostic {
    invalid_edit(format!("`{argument}` requires a tuple of elements or an object of items."))
}

pub(crate) fn tuple_of_paths_required() -> Diagnostic {
    invalid_edit("`delete` must be `true`, or a tuple of paths in quotes, such as `[\"tags.Old\"]`.")
}

pub(crate) fn quoted_path_required() -> Diagnostic {
    invalid_edit("`move` must be a path in quotes.")
}

pub(crate) fn invalid_place() -> Diagnostic {
    invalid_edit("The place must be `start`, `end`, `before` or `after`.")
}
