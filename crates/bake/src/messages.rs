//! The messages about Bake files: the note of each one, and the parts of notes.

use hclkit_syntax::{Code, Diagnostic, did_you_mean, or_did_you_mean};

pub(crate) const MUST_NOT_BE_NULL: &str = "it must not be null";
pub(crate) const MUST_BE_KNOWN: &str = "it must be known";
pub(crate) const LIST_REQUIRED: &str = "a list is required";
pub(crate) const TEXT_OR_OBJECT_REQUIRED: &str = "a string or an object is required";
pub(crate) const WHOLE_NUMBER_REQUIRED: &str = "a whole number is required";
pub(crate) const ATTESTATION_TYPE_REQUIRED: &str = "the attestation has no `type`";
pub(crate) const OUTPUT_TYPE_REQUIRED: &str = "the output has no `type`";
pub(crate) const CACHE_TYPE_REQUIRED: &str = "the cache has no `type`";
pub(crate) const INVALID_CSV: &str = "a quote (`\"`) is misplaced";
pub(crate) const EMPTY_CSV: &str = "the value is empty";

pub(crate) fn pair_required(field: &str) -> String {
    format!("expected `name=value`, found `{field}`")
}

pub(crate) fn bool_required(text: &str) -> String {
    format!("expected `true` or `false`, found `{text}`")
}

pub(crate) fn number_required(text: &str) -> String {
    format!("expected a number, found `{text}`")
}

pub(crate) fn element_count(expected: usize, found: usize) -> String {
    format!("expected {expected} elements, found {found}")
}

pub(crate) fn not_from_text(ty: &str) -> String {
    format!("a value of type {ty} must be given as JSON, in the environment variable that ends in `_JSON`")
}

pub(crate) fn secret_type(found: &str) -> String {
    format!("expected the type `file` or `env`, found `{found}`")
}

pub(crate) fn unknown_field(name: &str) -> String {
    format!("the field `{name}` is not supported")
}

pub(crate) fn invalid_attribute(name: &str, problem: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidAttributeValue)
        .with_note(format!("Invalid value for the argument `{name}`: {problem}."))
}

pub(crate) fn ignored_attribute(name: &str, block: &str, meant: Option<&str>) -> Diagnostic {
    let hint = did_you_mean(meant);
    let note = format!("`{name}` is not an argument of a {block}. Bake ignores it.{hint}");
    Diagnostic::warning(Code::IgnoredItem).with_note(note)
}

pub(crate) fn ignored_block(name: &str) -> Diagnostic {
    Diagnostic::warning(Code::IgnoredItem)
        .with_note(format!("Blocks of type `{name}` are not supported in Bake files. Bake ignores them."))
}

pub(crate) fn compose_file(name: &str) -> Diagnostic {
    let note =
        format!("{name} is a Compose file. Bake reads it, too, but Compose files are not supported here.");
    Diagnostic::warning(Code::IgnoredItem).with_note(note)
}

pub(crate) fn no_bake_files(names: &str) -> Diagnostic {
    Diagnostic::error(Code::UnreadableFile).with_note(format!("No Bake file was found ({names})."))
}

pub(crate) fn invalid_label(name: &str) -> Diagnostic {
    let note = format!("`{name}` is not a valid name of a target. Use letters, digits, `_` and `-`.");
    Diagnostic::error(Code::InvalidName).with_note(note)
}

pub(crate) fn duplicate_instance(name: &str) -> Diagnostic {
    let note = format!("Two instances have the name `{name}`. Use all variables of `matrix` in `name`.");
    Diagnostic::error(Code::DuplicateDeclaration).with_note(note)
}

pub(crate) fn matrix_of_group() -> Diagnostic {
    Diagnostic::error(Code::InvalidMatrix).with_note("`matrix` and `name` are not supported in groups.")
}

pub(crate) fn name_without_matrix() -> Diagnostic {
    Diagnostic::error(Code::InvalidMatrix)
        .with_note("`name` requires `matrix`. Use the label to name the target.")
}

pub(crate) fn matrix_is_no_map() -> Diagnostic {
    Diagnostic::error(Code::InvalidMatrix).with_note("`matrix` must be an object of lists.")
}

pub(crate) fn matrix_is_no_list(name: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidMatrix).with_note(format!("`{name}` must be a list."))
}

pub(crate) fn too_many_instances() -> Diagnostic {
    Diagnostic::error(Code::InvalidMatrix).with_note("The matrix has too many instances.")
}

pub(crate) fn invalid_function(note: String) -> Diagnostic {
    Diagnostic::error(Code::InvalidFunction).with_note(note)
}

pub(crate) fn missing_in_function(part: &str) -> String {
    format!("The function requires `{part}`.")
}

pub(crate) fn parameter_is_no_name() -> String {
    "The name of a parameter must be an identifier.".to_owned()
}

pub(crate) fn undefined_variable(name: &str, meant: Option<&str>) -> Diagnostic {
    let hint = did_you_mean(meant);
    Diagnostic::error(Code::UnknownVariable).with_note(format!("There is no variable named `{name}`.{hint}"))
}

pub(crate) fn in_environment(name: &str) -> String {
    format!("in the environment variable `{name}`")
}

pub(crate) fn in_option(name: &str) -> String {
    format!("with `--var {name}`")
}

/// The origin is one of those above.
pub(crate) fn invalid_text(origin: &str, variable: &str, problem: &str) -> Diagnostic {
    let note = format!("The value of the variable `{variable}` {origin} is invalid: {problem}.");
    Diagnostic::error(Code::InvalidVariable).with_note(note)
}

pub(crate) fn invalid_default(name: &str, problem: &str) -> Diagnostic {
    let note = format!("The default of `{name}` does not have the type of the variable: {problem}.");
    Diagnostic::error(Code::InvalidVariable).with_note(note)
}

pub(crate) fn undeclared(name: &str, meant: Option<&str>) -> Diagnostic {
    let hint = did_you_mean(meant);
    let note = format!("A value is set with `--var {name}`, but there is no variable named `{name}`.{hint}");
    Diagnostic::warning(Code::UndeclaredVariable).with_note(note)
}

pub(crate) fn validation_failed(name: &str, message: &str) -> Diagnostic {
    let note = match message {
        "" => format!("The value of the variable `{name}` is not valid."),
        message => message.to_owned(),
    };
    Diagnostic::error(Code::ConditionFailed).with_note(note)
}

pub(crate) fn unknown_target(name: &str, meant: Option<&str>) -> Diagnostic {
    let hint = did_you_mean(meant);
    Diagnostic::error(Code::UnknownAddress)
        .with_note(format!("There is no target or group named `{name}`.{hint}"))
}

/// A group without targets, or inside itself, is treated as a target.
pub(crate) fn group_is_no_target(name: &str) -> Diagnostic {
    Diagnostic::error(Code::UnknownAddress)
        .with_note(format!("There is no target named `{name}`, only a group."))
}

pub(crate) fn no_default(names: &str) -> Diagnostic {
    let note = format!(
        "There is no target or group named `default`. Specify targets or groups on the command line: {names}."
    );
    Diagnostic::error(Code::UnknownAddress).with_note(note)
}

pub(crate) fn inherits_itself(name: &str) -> Diagnostic {
    Diagnostic::warning(Code::InvalidLink)
        .with_note(format!("The target `{name}` inherits from itself. Bake ignores that."))
}

pub(crate) fn nothing_matches(pattern: &str) -> Diagnostic {
    Diagnostic::error(Code::UnknownAddress).with_note(format!("No target matches `{pattern}`."))
}

pub(crate) fn link_to_itself(name: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidLink).with_note(format!("The target `{name}` uses itself as a context."))
}

pub(crate) fn link_cycle(name: &str, other: &str) -> Diagnostic {
    let note = format!("The contexts of the targets `{name}` and `{other}` depend on each other.");
    Diagnostic::error(Code::InvalidLink).with_note(note)
}

pub(crate) fn link_platforms(name: &str, other: &str) -> Diagnostic {
    let note = format!(
        "The target `{name}` cannot use the target `{other}` as a context, because `{other}` does not have all of its platforms."
    );
    Diagnostic::error(Code::InvalidLink).with_note(note)
}

pub(crate) fn invalid_override(text: &str, problem: &str) -> Diagnostic {
    let end = if problem.ends_with('?') { "" } else { "." };
    Diagnostic::error(Code::InvalidOverride).with_note(format!("`--set {text}`: {problem}{end}"))
}

pub(crate) const OVERRIDE_KEY_REQUIRED: &str = "expected `target.key=value`";
pub(crate) const OVERRIDE_VALUE_REQUIRED: &str = "the value is missing; expected `target.key=value`";

pub(crate) fn override_without_name(key: &str) -> String {
    format!("expected a name after the key, such as `target.{key}.NAME=value`")
}

pub(crate) fn override_with_name(key: &str) -> String {
    format!("the key `{key}` has no names below it")
}

pub(crate) fn override_cannot_append(key: &str) -> String {
    format!("`+=` is not supported for `{key}`")
}

pub(crate) fn unknown_override(key: &str, meant: Option<&str>) -> String {
    format!("the key `{key}` is not supported{}", or_did_you_mean(meant))
}

pub(crate) fn no_target_matches(pattern: &str) -> String {
    format!("no target matches `{pattern}`")
}

pub(crate) fn undeclared_secret(id: &str) -> String {
    format!("the target has no secret with the id `{id}`")
}

pub(crate) fn other_secret(id: &str, found: &str) -> String {
    format!("the id `{found}` differs from that of the secret, `{id}`")
}

pub(crate) fn invalid_print(target: &str, problem: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidAttributeValue)
        .with_note(format!("The target `{target}` is invalid: {problem}."))
}

pub(crate) fn from_standard_input(what: &str) -> String {
    format!("a {what} from standard input is not supported in Bake files")
}
