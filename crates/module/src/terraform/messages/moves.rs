//! Messages about `moved`, `removed` and `import` blocks, and about checks.

use hclkit_dialect::{Over, Repeat};
use hclkit_syntax::{Code, Diagnostic, Place};

pub(crate) fn invalid_address() -> Diagnostic {
    Diagnostic::error(Code::InvalidAddress).with_note(
        "Expected the address of a resource or a module, such as `aws_instance.web` or `module.net`.",
    )
}

pub(crate) fn different_kinds(from: &str, to: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidMove)
        .with_note(format!("`{from}` and `{to}` must both be resources, or both be modules."))
}

pub(crate) fn redundant(address: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidMove).with_note(format!("`{address}` moves to itself. Remove the block."))
}

/// The place is that of the other block.
pub(crate) fn ambiguous(address: &str, end: &str, first: &Place) -> Diagnostic {
    Diagnostic::error(Code::InvalidMove)
        .with_note(format!("Another block also moves {end} `{address}`."))
        .with_related(&first.source, first.span, "The first block is here.")
}

pub(crate) fn circular(address: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidMove)
        .with_note(format!("The moves of `{address}` and others form a cycle."))
}

pub(crate) fn moved_exists(from: &str, to: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidMove).with_note(format!(
        "`{from}` moves to `{to}`, but it is still declared. Remove its block, or this one."
    ))
}

pub(crate) fn key_of_removed(address: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidRemoval)
        .with_note(format!("`{address}` must not have instance keys, because all instances are removed."))
}

pub(crate) fn removed_is_no_resource(address: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidRemoval).with_note(format!(
        "`{address}` must be the address of a resource or a module. Nothing else is removed."
    ))
}

pub(crate) fn provisioner_of_module() -> Diagnostic {
    Diagnostic::error(Code::InvalidRemoval)
        .with_note("Only the removal of a resource can have provisioners, not that of a module.")
}

pub(crate) fn provisioner_of_removed() -> Diagnostic {
    Diagnostic::error(Code::InvalidRemoval).with_note(
        "A provisioner of a removed resource can only run when it is destroyed. Add `when = destroy`.",
    )
}

pub(crate) fn removed_exists(address: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidRemoval).with_note(format!(
        "`{address}` is removed, but it is still declared. Remove its block, or this one."
    ))
}

pub(crate) fn invalid_import(address: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidImport)
        .with_note(format!("`{address}` must be the address of a resource."))
}

/// The place is that of the other import.
pub(crate) fn duplicate_import(address: &str, first: &Place) -> Diagnostic {
    Diagnostic::error(Code::InvalidImport)
        .with_note(format!("Another block also imports `{address}`."))
        .with_related(&first.source, first.span, "The first import is here.")
}

pub(crate) fn import_with_key(own: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidImport)
        .with_note(format!("`{own}` is not repeated, so that it has no keys. Write `{own}`."))
}

/// Also about a key of the other kind.
pub(crate) fn import_without_key(own: &str, repeat: &Repeat) -> Diagnostic {
    let (attribute, key) = (&repeat.attribute, if repeat.over == Over::Number { "0" } else { "\"key\"" });
    Diagnostic::error(Code::InvalidImport).with_note(format!(
        "`{own}` has `{attribute}`, so that only its instances can be imported, such as `{own}[{key}]`."
    ))
}

pub(crate) fn import_without_target(address: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidImport)
        .with_note(format!("No block declares `{address}`. Add a block for the imported object."))
}

pub(crate) fn imports_of_no_collection(ty: &str) -> Diagnostic {
    let note = format!("The value is a {ty}. A list, a set or a map is required.");
    Diagnostic::error(Code::InvalidInstanceKeys).with_note(note)
}

pub(crate) fn import_key(ty: &str) -> Diagnostic {
    let note = format!("The value of the key is a {ty}. A string or a whole number is required.");
    Diagnostic::error(Code::InvalidImport).with_note(note)
}

pub(crate) fn dynamic_import(name: Option<&str>) -> Diagnostic {
    let note = match name {
        Some(name) => format!("The keys in `to` can refer to `each`, but not to `{name}`."),
        None => "The keys in `to` can only refer to `each` if the block has `for_each`.".to_owned(),
    };
    Diagnostic::error(Code::InvalidImport).with_note(note)
}

pub(crate) fn provider_of_import(address: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidImport).with_note(format!(
        "`{address}` is declared, and its block says which provider it has. Remove `provider` here."
    ))
}

pub(crate) fn provider_required() -> Diagnostic {
    Diagnostic::error(Code::InvalidImport)
        .with_note("`provider` must be a reference to a provider, such as `aws.west`.")
}

pub(crate) fn import_id_is_null() -> Diagnostic {
    Diagnostic::error(Code::InvalidImport).with_note("`id` is null. The identifier of an object is required.")
}

pub(crate) fn import_id_is_empty() -> Diagnostic {
    Diagnostic::error(Code::InvalidImport)
        .with_note("`id` is empty. The identifier of an object is required.")
}

/// `what` is an argument, and `mark` what its value is.
pub(crate) fn import_of_marked(what: &str, mark: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidImport)
        .with_note(format!("`{what}` must not be {mark}, because the identifiers of objects are shown."))
}

/// `problem` is what a conversion reports.
pub(crate) fn import_id_is_no_string(problem: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidImport).with_note(format!("`id` must be a string: {problem}."))
}

pub(crate) fn import_of_itself(address: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidImport).with_note(format!(
        "The import of `{address}` cannot refer to `{address}`, whose attributes are unknown before it is imported."
    ))
}

pub(crate) fn check_without_conditions(name: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidCheck).with_note(format!("The check `{name}` has no `assert` block."))
}
