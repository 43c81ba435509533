//! The messages about configurations of providers.

use hclkit_dialect::Version;
use hclkit_syntax::{Code, Diagnostic, Place, did_you_mean};

pub(crate) fn undeclared(name: &str, alias: &str, near: Option<&str>) -> Diagnostic {
    let note = match near {
        Some(_) => {
            format!("The provider configuration `{name}.{alias}` is not declared.{}", did_you_mean(near))
        }
        None => format!(
            "The provider configuration `{name}.{alias}` is not declared. Add a block `provider \"{name}\"` with `alias = \"{alias}\"`, or \
             list it in `configuration_aliases` if callers pass it."
        ),
    };
    Diagnostic::error(Code::InvalidProvider).with_note(note)
}

pub(crate) fn not_required(name: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidProvider).with_note(format!(
        "Functions of the provider `{name}` require an entry for `{name}` in `required_providers` of this module."
    ))
}

/// The place is that of the other block.
pub(crate) fn duplicate(name: &str, alias: Option<&str>, first: &Place) -> Diagnostic {
    let note = match alias {
        Some(alias) => format!("Another `provider \"{name}\"` block also has the alias `{alias}`."),
        None => format!("Another `provider \"{name}\"` block also has no alias. Set `alias` in one of them."),
    };
    Diagnostic::error(Code::DuplicateDeclaration).with_note(note).with_related(
        &first.source,
        first.span,
        "The first block is here.",
    )
}

pub(crate) fn map_required() -> Diagnostic {
    Diagnostic::error(Code::InvalidProvider)
        .with_note("`providers` must be a map of configurations, written as `{ aws = aws.west }`.")
}

pub(crate) fn passed_twice(name: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidProvider)
        .with_note(format!("A configuration is already passed as `{name}`."))
}

/// The place is that of the element of `configuration_aliases`.
pub(crate) fn missing_configuration(module: &str, name: &str, declared: &Place) -> Diagnostic {
    let note = format!(
        "The module `{module}` requires a configuration named `{name}`. Pass one in `providers`, as in `providers = {{ \
         {name} = … }}`."
    );
    Diagnostic::error(Code::InvalidProvider).with_note(note).with_related(
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
    Diagnostic::error(Code::InvalidProvider).with_note(note).with_related(
        &block.source,
        block.span,
        "The module configures it here.",
    )
}

pub(crate) fn other_provider(value: &str, own: &str, name: &str, inner: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidProvider).with_note(format!(
        "`{value}` is a configuration of the provider {own}, but `{name}` is one of {inner} in the module."
    ))
}

pub(crate) fn own_configurations(module: &str, argument: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidProvider).with_note(format!(
        "A call of the module `{module}` cannot have `{argument}`, because the module has `provider` blocks with arguments. \
         Move them to the root module, and pass the configurations in `providers`."
    ))
}

/// About an error in the arguments of a provider that nothing uses. Follows its note.
pub(crate) const NOT_EVALUATED: &str = "Nothing uses this provider, so that its arguments are not evaluated.";

pub(crate) fn reference_required() -> Diagnostic {
    Diagnostic::error(Code::InvalidProvider)
        .with_note("`provider` must be a reference to a provider, such as `aws` or `aws.west`.")
}

/// About an instance of a configuration that is not repeated.
pub(crate) fn no_instances(name: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidProvider).with_note(format!(
        "`{name}` has no instances, because no `provider` block with `for_each` in this module declares it."
    ))
}

pub(crate) fn key_required(name: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidProvider).with_note(format!(
        "The `provider` block of `{name}` has `for_each`, so that the key of an instance is required, such as `{name}[each.key]`."
    ))
}

/// About the default configuration of a provider that a call passes.
pub(crate) fn not_configured(name: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidProvider).with_note(format!(
        "This module has no configuration named `{name}` to pass. Add a block `provider \"{name}\"`, or an entry for `{name}` in \
         `required_providers`."
    ))
}

pub(crate) fn implied_name(object_type: &str, name: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidProvider).with_note(format!(
        "`{object_type}` is a type of the provider `{name}`, which is not a valid name. Names of providers have lowercase letters, digits \
         and single dashes between them. Set `provider` if the provider has another name."
    ))
}

pub(crate) fn alias_required() -> Diagnostic {
    Diagnostic::error(Code::InvalidProvider).with_note(
        "A `provider` block with `for_each` requires `alias`, so that `aws.west[\"key\"]` refers to it.",
    )
}

/// `since` is the version that allows them.
pub(crate) fn import_in_module(since: Option<&Version>) -> Diagnostic {
    let since = since.map(|since| format!(" before version {since}")).unwrap_or_default();
    Diagnostic::error(Code::InvalidImport).with_note(format!(
        "`import` blocks are only allowed in the root module{since}. Move the block there, and put the address of this module \
         before that of the resource."
    ))
}

pub(crate) fn invalid_name(name: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidProvider).with_note(format!(
        "`{name}` cannot be the name of a provider. Such names have lowercase letters, digits and single dashes between them."
    ))
}

pub(crate) fn invalid_alias() -> Diagnostic {
    Diagnostic::error(Code::InvalidProvider)
        .with_note("`alias` must be a name in quotes, such as `\"west\"`.")
}

pub(crate) fn built_in_version() -> Diagnostic {
    Diagnostic::error(Code::InvalidProvider).with_note(
        "The provider `terraform` is part of the program and has no version of its own. Remove `version`.",
    )
}

pub(crate) fn entry_is_block(name: &str) -> Diagnostic {
    let note = format!("Entries of `required_providers` are attributes. Write `{name} = {{ … }}`.");
    Diagnostic::error(Code::InvalidProvider).with_note(note)
}

pub(crate) fn entry_required(name: &str) -> Diagnostic {
    let note = format!(
        "The entry must be an object, such as `{{ source = \"hashicorp/{name}\", version = \"~> 2.0\" }}`."
    );
    Diagnostic::error(Code::InvalidProvider).with_note(note)
}

pub(crate) fn invalid_source(part: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidProvider).with_note(format!(
        "`{part}` is not valid in the source of a provider. A source is written as `NAMESPACE/NAME`, which may follow the host of a \
         registry, such as `hashicorp/aws` or `registry.example.com/acme/tools`."
    ))
}

pub(crate) fn constant_text(name: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidProvider).with_note(format!("`{name}` must be a constant string."))
}

pub(crate) fn own_alias_required(name: &str) -> Diagnostic {
    let note = format!(
        "`configuration_aliases` must be a list of configurations of this provider, such as `[{name}.west]`."
    );
    Diagnostic::error(Code::InvalidProvider).with_note(note)
}

pub(crate) fn unknown_key() -> Diagnostic {
    Diagnostic::error(Code::InvalidProvider).with_note(
        "An entry of `required_providers` can only have `source`, `version` and `configuration_aliases`.",
    )
}
