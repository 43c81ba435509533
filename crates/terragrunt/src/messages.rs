//! The messages about files of Terragrunt: the note of each one, and the parts of notes.

use std::io;

use hclkit_syntax::{Code, Diagnostic, did_you_mean};
use hclkit_value::Error;

pub(crate) fn unreadable(name: &str, error: &io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::NotFound => Error::new(no_file(name)),
        _ => Error::new(format!("cannot read {name}: {error}")),
    }
}

pub(crate) fn no_file(name: &str) -> String {
    format!("there is no file {name}")
}

pub(crate) fn not_granted(name: &str) -> String {
    format!(
        "{name} is outside of the directories that may be read: the repository, and those that are granted"
    )
}

pub(crate) fn not_in_parents(name: &str, last: &str, is_whole: bool) -> String {
    let rest = if is_whole { "" } else { "; those above it may not be read" };
    format!("there is no file `{name}` in the directories above, up to {last}{rest}")
}

pub(crate) fn missing_file(problem: &str) -> Diagnostic {
    Diagnostic::error(Code::UnreadableFile).with_note(format!("The file cannot be read: {problem}."))
}

pub(crate) fn unreadable_file(name: &str, error: &io::Error) -> Diagnostic {
    match error.kind() {
        io::ErrorKind::NotFound => missing_file(&no_file(name)),
        _ => Diagnostic::error(Code::UnreadableFile).with_note(format!("Cannot read {name}: {error}.")),
    }
}

pub(crate) fn nested_include(name: &str) -> Diagnostic {
    Diagnostic::error(Code::UnreadableFile)
        .with_note(format!("{name} includes a file itself, which Terragrunt does not support."))
}

pub(crate) fn duplicate_block(kind: &str) -> Diagnostic {
    Diagnostic::error(Code::DuplicateDeclaration)
        .with_note(format!("There is more than one block `{kind}` in this file."))
}

pub(crate) fn duplicate_label(kind: &str, label: &str) -> Diagnostic {
    Diagnostic::error(Code::DuplicateDeclaration)
        .with_note(format!("There is more than one block `{kind}` with the name `{label}` in this file."))
}

pub(crate) fn invalid_argument(name: &str, problem: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidAttributeValue)
        .with_note(format!("Invalid value for the argument `{name}`: {problem}."))
}

pub(crate) fn invalid_choice(name: &str, text: &str, known: &[&str]) -> Diagnostic {
    let known = known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    invalid_argument(name, &format!("expected one of {known}, found `{text}`"))
}

pub(crate) fn removed_argument(name: &str, instead: &str) -> Diagnostic {
    Diagnostic::warning(Code::Deprecated)
        .with_note(format!("Terragrunt 1.0 has no argument `{name}`; use the block `{instead}`."))
}

pub(crate) fn list_over(list: &str, other: &str) -> String {
    format!("a deep merge cannot put a {list} over a {other}")
}

pub(crate) fn no_unit(name: &str) -> Diagnostic {
    Diagnostic::error(Code::UnreadableFile)
        .with_note(format!("There is no unit in {name}: it has no terragrunt.hcl."))
}

pub(crate) fn not_generated(name: &str) -> Diagnostic {
    Diagnostic::warning(Code::UnreadableFile)
        .with_note(format!("There is no unit in {name} before `terragrunt stack generate` is run."))
}

pub(crate) fn cycle(names: &[String]) -> Diagnostic {
    let note = format!("The units depend on each other: {}.", names.join(" → "));
    Diagnostic::error(Code::ReferenceCycle).with_note(note)
}

pub(crate) fn reads_itself(name: &str) -> String {
    format!("{name} is read while it is evaluated itself")
}

pub(crate) fn unused_input(name: &str, module: &str, meant: Option<&str>) -> Diagnostic {
    let note = format!(
        "The module {module} has no variable named `{name}`. Terraform ignores the value.{}",
        did_you_mean(meant)
    );
    Diagnostic::warning(Code::UnsupportedInput).with_note(note)
}

pub(crate) fn missing_input(name: &str, module: &str) -> Diagnostic {
    let note =
        format!("The module {module} requires a value for its variable `{name}`, but it is not an input.");
    Diagnostic::error(Code::MissingInput).with_note(note)
}

pub(crate) fn invalid_input(name: &str, problem: &str) -> Diagnostic {
    let note = format!("Invalid value for the variable `{name}` of the module: {problem}.");
    Diagnostic::error(Code::InvalidAttributeValue).with_note(note)
}

pub(crate) fn no_module(name: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidModuleSource).with_note(format!("There is no directory {name}."))
}

pub(crate) fn empty_module(name: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidModuleSource)
        .with_note(format!("The directory {name} has no files of Terraform."))
}
