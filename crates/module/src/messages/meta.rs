//! Messages about references and arguments that are read without evaluation.

use hclkit_dialect::{Over, Repeat};
use hclkit_model::Block;
use hclkit_syntax::{Code, Diagnostic, did_you_mean, nearest_name};
use hclkit_value::{Name, Type};

use crate::step;
use hclkit_dialect::Version;

/// `full` is the form of a reference.
pub(crate) fn incomplete_reference(root: &str, full: &str) -> Diagnostic {
    let note = format!("`{root}` is not a complete reference. Write, for example, `{full}`.");
    Diagnostic::error(Code::IncompleteReference).with_note(note)
}

/// About an attribute that objects of the type of one do not have.
pub(crate) fn unknown_attribute(own: &str, name: &str, near: Option<&str>) -> Diagnostic {
    let note = format!("`{own}` has no attribute named `{name}`.{}", did_you_mean(near));
    Diagnostic::error(Code::UnsupportedAttribute).with_note(note)
}

/// About a part of an attribute that no value of its type has. `problem` is what an operation reports.
pub(crate) fn unknown_part(problem: &str, is_key: bool) -> Diagnostic {
    let code = if is_key { Code::InvalidIndex } else { Code::UnsupportedAttribute };
    Diagnostic::error(code).with_note(format!("No value of this attribute has this part: {problem}."))
}

/// About an attribute of an object that has instances. `rest` is what follows the address of the object.
pub(crate) fn missing_key(own: &str, rest: &str, repeat: &Repeat) -> Diagnostic {
    let attribute = &repeat.attribute;
    let key = step::address(&repeat.key);
    let write = match repeat.over {
        Over::Number => format!("Write `{own}[0]{rest}` for one of them, or `{own}[*]{rest}` for all."),
        _ => format!(
            "Write `{own}[\"key\"]{rest}` or `{own}[{key}]{rest}` for one of them, or `values({own})[*]{rest}` for all."
        ),
    };
    let note = format!("`{own}` has `{attribute}`, so that only its instances have attributes. {write}");
    Diagnostic::error(Code::UnsupportedAttribute).with_note(note)
}

/// About a key of an object that has no keys. `other` is the reference without it.
pub(crate) fn unexpected_key(own: &str, other: &str, attributes: &[Name]) -> Diagnostic {
    let attributes: Vec<String> = attributes.iter().map(|name| format!("`{name}`")).collect();
    let attributes = attributes.join(" or ");
    Diagnostic::error(Code::InvalidIndex)
        .with_note(format!("`{own}` does not have {attributes}, so that it has no keys. Write `{other}`."))
}

pub(crate) fn invalid_constraint(name: &str) -> Diagnostic {
    let note = format!("`{name}` must be a version constraint, such as `\"~> 1.2\"` or `\">= 1.2, < 2.0\"`.");
    Diagnostic::error(Code::InvalidMetaArgument).with_note(note)
}

pub(crate) fn pre_release(name: &str) -> Diagnostic {
    let note = format!("`{name}` must not name a pre-release. Remove what follows `-` in the version.");
    Diagnostic::error(Code::InvalidMetaArgument).with_note(note)
}

pub(crate) fn several(block: &Block, first: &Block) -> Diagnostic {
    let (one, other) = (&block.block_type, &first.block_type);
    let note = if one == other {
        format!("A module can have only one `{one}` block. Remove one of them.")
    } else {
        format!("A module cannot have both `{other}` and `{one}` blocks. Remove one of them.")
    };
    let related = "The first block is here.";
    Diagnostic::error(Code::DuplicateDeclaration).with_note(note).with_related(
        &first.source,
        first.definition_span,
        related,
    )
}

pub(crate) fn several_in_block(block: &Block, first: &Block, outer: &str) -> Diagnostic {
    let note =
        format!("A `{outer}` block can have only one `{}` block. Remove one of them.", block.block_type);
    let related = "The first block is here.";
    Diagnostic::error(Code::DuplicateDeclaration).with_note(note).with_related(
        &first.source,
        first.definition_span,
        related,
    )
}

pub(crate) fn version_of_directory() -> Diagnostic {
    Diagnostic::error(Code::InvalidMetaArgument).with_note(
        "Only modules from a registry have versions. Remove `version`, because the source is a directory.",
    )
}

pub(crate) fn version_of_url(source: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidMetaArgument).with_note(format!(
        "Only modules from a registry have versions, and `{source}` is not an address in a registry. Remove `version`. A URL can \
         select a version with `?ref=`."
    ))
}

/// The versions are the first and the last one that are supported.
pub(crate) fn other_versions(first: &Version, last: &Version) -> Diagnostic {
    Diagnostic::error(Code::InvalidMetaArgument).with_note(format!(
        "No version from {first} to {last}.x satisfies this constraint, so the module cannot be used."
    ))
}

/// What a version does not have: `what` is a name in backticks, and `because` says which version it is.
pub(crate) fn newer(what: &str, title: &str, since: &Version, because: &str) -> Diagnostic {
    let note = format!("{what} needs {title} {since}, but {because}.");
    Diagnostic::error(Code::UnsupportedVersion).with_note(note)
}

pub(crate) fn constant_required(name: &str) -> Diagnostic {
    let note = format!("`{name}` must be constant. It is read before variables and other values are known.");
    Diagnostic::error(Code::InvalidMetaArgument).with_note(note)
}

pub(crate) fn constant_block(block_type: &str) -> Diagnostic {
    let note =
        format!("The arguments of `{block_type}` must be constant. They cannot refer to other values.");
    Diagnostic::error(Code::InvalidMetaArgument).with_note(note)
}

pub(crate) fn early_block(block_type: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidMetaArgument).with_note(format!(
        "The arguments of `{block_type}` are read before resources and modules are known. They can only refer to variables and \
         local values."
    ))
}

pub(crate) fn constant_type(name: &str, ty: &Type) -> Diagnostic {
    let note = format!("`{name}` must be a {}, and not null.", ty.friendly_name());
    Diagnostic::error(Code::InvalidMetaArgument).with_note(note)
}

/// `until` is the last version with it.
pub(crate) fn removed_type(block_type: &str, own: &str, title: &str, until: Option<&Version>) -> Diagnostic {
    let note = match until {
        Some(until) => {
            format!("The {block_type} `{own}` was removed after {title} {until}. Use another one.")
        }
        None => format!("The {block_type} `{own}` was removed from the language. Use another one."),
    };
    Diagnostic::error(Code::InvalidMetaArgument).with_note(note)
}

pub(crate) fn unknown_type(block_type: &str, own: &str, known: &[Name]) -> Diagnostic {
    let near = nearest_name(own, known.iter().map(Name::as_str));
    let note = if near.is_some() {
        format!("There is no {block_type} named `{own}`.{}", did_you_mean(near))
    } else {
        let known: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
        format!("There is no {block_type} named `{own}`, only {}.", known.join(", "))
    };
    Diagnostic::error(Code::InvalidMetaArgument).with_note(note)
}

/// The known keywords may be empty.
pub(crate) fn keyword_required(name: &str, known: &[Name]) -> Diagnostic {
    let known: Vec<String> = known.iter().map(|word| format!("`{word}`")).collect();
    let note = match &known[..] {
        [] => format!("Stable versions support no `{name}`. Remove it."),
        [only] => format!("`{name}` must be {only}."),
        [rest @ .., last] => format!("`{name}` must be {} or {last}.", rest.join(", ")),
    };
    Diagnostic::error(Code::InvalidMetaArgument).with_note(note)
}

pub(crate) fn refused(name: &str, block_type: &str) -> Diagnostic {
    let note = format!("`{name}` is reserved. A `{block_type}` block must not have it.");
    Diagnostic::error(Code::InvalidMetaArgument).with_note(note)
}

pub(crate) fn refused_in_check(name: &str) -> Diagnostic {
    let note = format!("A data source in a `check` block must not have `{name}`.");
    Diagnostic::error(Code::InvalidMetaArgument).with_note(note)
}

/// About a reference from outside of the check with this address.
pub(crate) fn in_other_check(own: &str, check: &str) -> Diagnostic {
    let note = format!("`{own}` is declared in `{check}`. Only expressions in this check can refer to it.");
    Diagnostic::error(Code::UnknownVariable).with_note(note)
}

pub(crate) fn unknown_object_type(own: &str, block_type: &str, near: Option<&str>) -> Diagnostic {
    let note = format!("The provider has no type `{own}` for `{block_type}` blocks.{}", did_you_mean(near));
    Diagnostic::error(Code::InvalidMetaArgument).with_note(note)
}

pub(crate) fn unknown_built_in(own: &str, block_type: &str, known: &[&str]) -> Diagnostic {
    let known: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
    let note = match &known[..] {
        [] => format!("There is no type `{own}` for `{block_type}` blocks."),
        known => format!(
            "There is no type `{own}` for `{block_type}` blocks. Types that need no provider: {}.",
            known.join(", ")
        ),
    };
    Diagnostic::error(Code::InvalidMetaArgument).with_note(note)
}
