//! The messages about test files.

use hclkit_model::Block;
use hclkit_syntax::{Code, Diagnostic, Place, did_you_mean};

pub(crate) fn several(block: &Block, first: &Block) -> Diagnostic {
    let labels = block.labels.iter().map(|label| format!(" \"{label}\""));
    let name = format!("{}{}", block.block_type, labels.collect::<String>());
    Diagnostic::error(Code::DuplicateDeclaration)
        .with_note(format!("There can be only one `{name}` block here. Remove or rename one of them."))
        .with_related(&first.source, first.definition_span, "The first block is here.")
}

/// The place is that of the other block.
pub(crate) fn duplicate_target(target: &str, first: &Place) -> Diagnostic {
    Diagnostic::error(Code::DuplicateDeclaration)
        .with_note(format!("Another block already overrides `{target}`. Remove one of them."))
        .with_related(&first.source, first.span, "The first block is here.")
}

pub(crate) fn unknown_run(name: &str, meant: Option<&str>) -> Diagnostic {
    let note = format!("This file has no `run` block named `{name}`.{}", did_you_mean(meant));
    Diagnostic::error(Code::InvalidTest).with_note(note)
}

pub(crate) fn later_run(name: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidTest).with_note(format!(
        "`run.{name}` has no results yet. Only the runs before this block can be referred to."
    ))
}

pub(crate) fn unknown_result(run: &str, name: &str, meant: Option<&str>) -> Diagnostic {
    let note =
        format!("The module that the run `{run}` tests has no output named `{name}`.{}", did_you_mean(meant));
    Diagnostic::error(Code::InvalidTest).with_note(note)
}

pub(crate) fn unavailable(reference: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidTest).with_note(format!(
        "Values of variables cannot refer to `{reference}`. They can refer to other variables (`var.region`) and to the results of \
         earlier runs (`run.setup.id`)."
    ))
}

pub(crate) fn undeclared_variable(name: &str, run: &str, meant: Option<&str>) -> Diagnostic {
    let note = format!(
        "The module that the run `{run}` tests has no variable named `{name}`.{}",
        did_you_mean(meant)
    );
    Diagnostic::warning(Code::UndeclaredVariable).with_note(note)
}

pub(crate) fn condition_is_no_bool(ty: &str) -> Diagnostic {
    let note = format!("The condition of an assertion must be true or false, not {ty}.");
    Diagnostic::error(Code::InvalidTest).with_note(note)
}

pub(crate) fn message_is_no_string(ty: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidTest).with_note(format!("`error_message` must be a string, not {ty}."))
}

pub(crate) fn not_checkable(reference: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidTest).with_note(format!(
        "`{reference}` has no conditions that can fail. `expect_failures` can list variables, outputs, `check` blocks, resources and \
         data sources of the module, such as `var.region` or `check.health`."
    ))
}

pub(crate) fn not_declared(reference: &str, meant: Option<&str>) -> Diagnostic {
    let note = format!("The module under test does not declare `{reference}`.{}", did_you_mean(meant));
    Diagnostic::error(Code::InvalidTest).with_note(note)
}

/// `kind` is what the block overrides, such as a resource; `example` is an address of one.
pub(crate) fn invalid_target(block_type: &str, kind: &str, example: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidTest).with_note(format!(
        "The target of `{block_type}` must be the address of {kind}, such as `{example}`."
    ))
}

pub(crate) fn unknown_target(target: &str) -> Diagnostic {
    Diagnostic::warning(Code::UnknownTarget)
        .with_note(format!("The module under test does not declare `{target}`, so nothing is overridden."))
}

pub(crate) fn object_required(name: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidTest)
        .with_note(format!("`{name}` must be an object, such as `{{ id = \"example\" }}`."))
}

pub(crate) fn list_required(name: &str, example: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidTest)
        .with_note(format!("`{name}` must be a list of references, written as `[{example}]`."))
}

pub(crate) fn invalid_source(source: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidTest).with_note(format!(
        "A run can only test modules in local directories, which start with `./` or `../`, and modules from a registry, such as \
         `example/network/aws`. `{source}` is neither."
    ))
}

pub(crate) fn missing_mocks(directory: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidTest)
        .with_note(format!("The directory {directory} with mock data does not exist."))
}

pub(crate) fn refresh_disabled() -> Diagnostic {
    Diagnostic::error(Code::InvalidTest)
        .with_note("`refresh = false` and `mode = refresh-only` contradict each other. Remove one of them.")
}

pub(crate) fn replace_without_plan() -> Diagnostic {
    Diagnostic::error(Code::InvalidTest).with_note(
        "`replace` requires `mode = normal`, because nothing is replaced with `mode = refresh-only`.",
    )
}

pub(crate) fn unknown_provider(name: &str, meant: Option<&str>) -> Diagnostic {
    Diagnostic::error(Code::InvalidTest).with_note(format!(
        "No `provider` or `mock_provider` block of this file declares the configuration `{name}`.{}",
        did_you_mean(meant)
    ))
}

/// About a configuration that an earlier run uses for the first source.
pub(crate) fn other_provider(name: &str, first: &str, source: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidProvider).with_note(format!(
        "This is a configuration of the provider {first} in this file, but `{name}` is one of {source} in the module that the run tests."
    ))
}

pub(crate) fn invalid_provider() -> Diagnostic {
    Diagnostic::error(Code::InvalidTest)
        .with_note("A configuration of a provider is required, such as `aws` or `aws.west`.")
}

/// About a variable that nothing declares. Follows its note.
pub(crate) const MUST_BE_GIVEN: &str = "It must be set with an option or in the environment.";
