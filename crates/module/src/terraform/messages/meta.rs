//! Messages about arguments with a meaning for Terraform.

use hclkit_model::Block;
use hclkit_syntax::{Code, Diagnostic};

pub(crate) use crate::messages::meta::{
    constant_required, incomplete_reference, keyword_required, several, several_in_block, unknown_type,
};

pub(crate) fn list_required(name: &str, example: &str) -> Diagnostic {
    let note = format!("`{name}` must be a list, written as `[{example}]`.");
    Diagnostic::error(Code::InvalidMetaArgument).with_note(note)
}

pub(crate) fn reference_required(name: &str, example: &str) -> Diagnostic {
    let note = format!("The elements of `{name}` must be references, such as `{example}`.");
    Diagnostic::error(Code::InvalidMetaArgument).with_note(note)
}

pub(crate) fn undeclared_action(address: &str) -> Diagnostic {
    let note = format!("There is no block for the action `{address}` in this directory.");
    Diagnostic::error(Code::InvalidMetaArgument).with_note(note)
}

pub(crate) fn repeated_keyword(word: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidMetaArgument).with_note(format!("`{word}` is already in this list."))
}

pub(crate) fn undeclared_dependency(address: &str) -> Diagnostic {
    let note = format!("`depends_on` refers to `{address}`, which is not declared.");
    Diagnostic::error(Code::InvalidMetaArgument).with_note(note)
}

pub(crate) fn part_of_dependency(address: &str) -> Diagnostic {
    let note = format!("`depends_on` must refer to whole objects. Write `{address}`.");
    Diagnostic::error(Code::InvalidMetaArgument).with_note(note)
}

pub(crate) fn ignored_wildcard() -> Diagnostic {
    Diagnostic::error(Code::InvalidMetaArgument)
        .with_note("`\"*\"` is not supported. To ignore all changes, write `ignore_changes = all`.")
}

/// The known names are those of the arguments.
pub(crate) fn unknown_ignored(name: &str, known: &[&str]) -> Diagnostic {
    let known: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
    let note = format!(
        "`ignore_changes` must name attributes of its own block. There is no `{name}`; the attributes are {}.",
        known.join(", ")
    );
    Diagnostic::error(Code::InvalidMetaArgument).with_note(note)
}

pub(crate) fn own_address_ignored(address: &str) -> Diagnostic {
    let note = format!("`ignore_changes` must name attributes of its own block, without `{address}`.");
    Diagnostic::error(Code::InvalidMetaArgument).with_note(note)
}

pub(crate) fn resource_required() -> Diagnostic {
    Diagnostic::error(Code::InvalidMetaArgument).with_note(
        "`replace_triggered_by` must refer to resources or their attributes, without quotes. For another value, refer to a \
         `terraform_data` resource that has it in `triggers_replace`.",
    )
}

pub(crate) fn resource_only(name: &str, block_type: &str) -> Diagnostic {
    let note = format!("`{name}` is only for `resource` blocks. Remove it from the `{block_type}` block.");
    Diagnostic::error(Code::InvalidMetaArgument).with_note(note)
}

/// About a nested block with the labels of another one.
pub(crate) fn several_of_name(block: &Block, first: &Block) -> Diagnostic {
    let note =
        format!("There is another `{}` block with these labels. Remove one of them.", block.block_type);
    Diagnostic::error(Code::DuplicateDeclaration).with_note(note).with_related(
        &first.source,
        first.definition_span,
        "The first block is here.",
    )
}

pub(crate) fn reference_to_method() -> Diagnostic {
    Diagnostic::error(Code::InvalidMetaArgument)
        .with_note("`method` must be a reference to a method, such as `method.aes_gcm.example`.")
}

/// About a reference to a block that does not exist.
pub(crate) fn undeclared(root: &str, name: &str) -> Diagnostic {
    Diagnostic::error(Code::UnknownVariable).with_note(format!("`{root}.{name}` is not defined."))
}

pub(crate) fn instance_in_argument(name: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidMetaArgument).with_note(format!(
        "`{name}` also counts for instances that are no longer in the configuration, so it cannot refer to `count`, `each` or \
         `self`."
    ))
}

pub(crate) fn connection_without_host() -> Diagnostic {
    Diagnostic::error(Code::InvalidMetaArgument)
        .with_note("The connection of a provisioner requires `host`, such as `host = self.public_ip`.")
}

pub(crate) fn unknown_at_destroy(reference: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidMetaArgument).with_note(format!(
        "A provisioner that runs when its resource is destroyed cannot refer to `{reference}`, because it may no longer exist. \
         Refer to attributes of the resource itself, such as `self.id`."
    ))
}
