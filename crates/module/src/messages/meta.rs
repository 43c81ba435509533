//! Messages about references and arguments that are read without evaluation.

use hclkit_model::Block;
use hclkit_syntax::Diagnostic;

use super::codes::{DUPLICATE, INCOMPLETE_REFERENCE, INVALID_META};

/// `full` is the form of a reference.
pub(crate) fn incomplete_reference(root: &str, full: &str) -> Diagnostic {
    let note = format!("`{root}` is not a complete reference. Write, for example, `{full}`.");
    Diagnostic::error(INCOMPLETE_REFERENCE).with_note(note)
}

pub(crate) fn list_required(name: &str, example: &str) -> Diagnostic {
    let note = format!("`{name}` must be a list, written as `[{example}]`.");
    Diagnostic::error(INVALID_META).with_note(note)
}

pub(crate) fn reference_required(name: &str, example: &str) -> Diagnostic {
    let note = format!("The elements of `{name}` must be references, such as `{example}`.");
    Diagnostic::error(INVALID_META).with_note(note)
}

pub(crate) fn undeclared_dependency(address: &str) -> Diagnostic {
    let note = format!("`depends_on` refers to `{address}`, which is not declared.");
    Diagnostic::error(INVALID_META).with_note(note)
}

pub(crate) fn part_of_dependency(address: &str) -> Diagnostic {
    let note = format!("`depends_on` must refer to whole objects. Write `{address}`.");
    Diagnostic::error(INVALID_META).with_note(note)
}

pub(crate) fn ignored_wildcard() -> Diagnostic {
    Diagnostic::error(INVALID_META)
        .with_note("`\"*\"` is not supported. To ignore all changes, write `ignore_changes = all`.")
}

/// The known names are those of the arguments.
pub(crate) fn unknown_ignored(name: &str, known: &[&str]) -> Diagnostic {
    let known: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
    let note = format!(
        "`ignore_changes` must name attributes of its own block. There is no `{name}`; the attributes are {}.",
        known.join(", ")
    );
    Diagnostic::error(INVALID_META).with_note(note)
}

pub(crate) fn own_address_ignored(address: &str) -> Diagnostic {
    let note = format!("`ignore_changes` must name attributes of its own block, without `{address}`.");
    Diagnostic::error(INVALID_META).with_note(note)
}

pub(crate) fn resource_required() -> Diagnostic {
    Diagnostic::error(INVALID_META).with_note(
        "`replace_triggered_by` must refer to resources or their attributes, without quotes. For another value, refer to a \
         `terraform_data` resource that has it in `triggers_replace`.",
    )
}

pub(crate) fn resource_only(name: &str, block_type: &str) -> Diagnostic {
    let note = format!("`{name}` is only for `resource` blocks. Remove it from the `{block_type}` block.");
    Diagnostic::error(INVALID_META).with_note(note)
}

pub(crate) fn invalid_constraint(name: &str) -> Diagnostic {
    let note = format!("`{name}` must be a version constraint, such as `\"~> 1.2\"` or `\">= 1.2, < 2.0\"`.");
    Diagnostic::error(INVALID_META).with_note(note)
}

pub(crate) fn several(block: &Block, first: &Block) -> Diagnostic {
    let (one, other) = (&block.block_type, &first.block_type);
    let note = if one == other {
        format!("A module can have only one `{one}` block. Remove one of them.")
    } else {
        format!("A module cannot have both `{other}` and `{one}` blocks. Remove one of them.")
    };
    let related = "The first block is here.";
    Diagnostic::error(DUPLICATE).with_note(note).with_related(&first.source, first.definition_span, related)
}

pub(crate) fn version_of_directory() -> Diagnostic {
    Diagnostic::error(INVALID_META).with_note(
        "Only modules from a registry have versions. Remove `version`, because the source is a directory.",
    )
}
