//! The messages about configurations of providers.

use hclkit_syntax::{Diagnostic, Place};

use super::codes::{DUPLICATE, INVALID_IMPORT, PROVIDER};

pub(crate) fn undeclared(name: &str, alias: &str, near: Option<&str>) -> Diagnostic {
    let note = match near {
        Some(near) => {
            format!("The provider configuration `{name}.{alias}` is not declared. Did you mean `{near}`?")
        }
        None => format!(
            "The provider configuration `{name}.{alias}` is not declared. Add a block `provider \"{name}\"` with `alias = \"{alias}\"`, or \
             list it in `configuration_aliases` if callers pass it."
        ),
    };
    Diagnostic::error(PROVIDER).with_note(note)
}

pub(crate) fn not_required(name: &str) -> Diagnostic {
    Diagnostic::error(PROVIDER).with_note(format!(
        "Functions of the provider `{name}` require an entry for `{name}` in `required_providers` of this module."
    ))
}

/// The place is that of the other block.
pub(crate) fn duplicate(name: &str, alias: Option<&str>, first: &Place) -> Diagnostic {
    let note = match alias {
        Some(alias) => format!("Another `provider \"{name}\"` block also has the alias `{alias}`."),
        None => format!("Another `provider \"{name}\"` block also has no alias. Set `alias` in one of them."),
    };
    Diagnostic::error(DUPLICATE).with_note(note).with_related(
        &first.source,
        first.span,
        "The first block is here.",
    )
}

pub(crate) fn map_required() -> Diagnostic {
    Diagnostic::error(PROVIDER)
        .with_note("`providers` must be a map of configurations, written as `{ aws = aws.west }`.")
}

pub(crate) fn passed_twice(name: &str) -> Diagnostic {
    Diagnostic::error(PROVIDER).with_note(format!("A configuration is already passed as `{name}`."))
}

/// The place is that of the element of `configuration_aliases`.
pub(crate) fn missing_configuration(module: &str, name: &str, declared: &Place) -> Diagnostic {
    let note = format!(
        "The module `{module}` requires a configuration named `{name}`. Pass one in `providers`, as in `providers = {{ \
         {name} = … }}`."
    );
    Diagnostic::error(PROVIDER).with_note(note).with_related(
        &declared.source,
        declared.span,
        "The module declares it here.",
    )
}

/// The place is that of the block in the module.
pub(crate) fn cannot_replace(module: &str, name: &str, block: &Place) -> Diagnostic {
    let note = format!(
        "The module `{module}` configures `{name}` itself, so another configuration cannot be passed."
    );
    Diagnostic::error(PROVIDER).with_note(note).with_related(
        &block.source,
        block.span,
        "The module configures it here.",
    )
}

pub(crate) fn other_provider(value: &str, own: &str, name: &str, inner: &str) -> Diagnostic {
    Diagnostic::error(PROVIDER).with_note(format!(
        "`{value}` is a configuration of the provider {own}, but `{name}` is one of {inner} in the module."
    ))
}

pub(crate) fn own_configurations(module: &str, argument: &str) -> Diagnostic {
    Diagnostic::error(PROVIDER).with_note(format!(
        "A call of the module `{module}` cannot have `{argument}`, because the module has `provider` blocks with arguments. \
         Move them to the root module, and pass the configurations in `providers`."
    ))
}

pub(crate) fn import_in_module() -> Diagnostic {
    Diagnostic::error(INVALID_IMPORT).with_note(
        "`import` blocks are only allowed in the root module. Move the block there, and put the address of this module before \
         that of the resource.",
    )
}
