//! The catalog of this crate's diagnostics: the note of each one as a function of its parts. Summaries are
//! those of the codes. Callers add places.

pub(crate) mod meta;

use std::fmt;
use std::io::ErrorKind;
use std::sync::Arc;

use hclkit_model::Block;
use hclkit_syntax::{Code, Diagnostic, Place, Severity, Source, Span, did_you_mean, is_identifier};
use hclkit_value::{Name, Value};

use hclkit_dialect::SourceError;
use hclkit_model::shown_source;

pub(crate) fn unreadable(name: &str, error: &std::io::Error) -> Diagnostic {
    let code = match error.kind() {
        ErrorKind::FileTooLarge => Code::SourceTooLarge,
        _ => Code::UnreadableFile,
    };
    Diagnostic::error(code).with_note(format!("{name}: {error}."))
}

pub(crate) fn no_files(name: &str, language: &str, patterns: &str) -> Diagnostic {
    let name = if name.is_empty() { "The directory" } else { name };
    let note = format!("{name} has no files of the language {language} ({patterns}).");
    Diagnostic::error(Code::UnreadableFile).with_note(note)
}

/// The other addresses may be meant.
pub(crate) fn nothing_at(address: &str, others: &[String]) -> Diagnostic {
    const MOST: usize = 5;
    let names: Vec<String> = others.iter().take(MOST).map(|name| format!("`{name}`")).collect();
    let hint = match (names.as_slice(), others.len()) {
        ([], _) => String::new(),
        ([name], _) => format!(" Did you mean {name}?"),
        (_, ..=MOST) => format!(" Did you mean one of {}?", names.join(", ")),
        (_, all) => format!(" Did you mean one of {} or {} others?", names.join(", "), all - MOST),
    };
    Diagnostic::error(Code::UnknownAddress).with_note(format!("There is nothing at `{address}`.{hint}"))
}

pub(crate) fn no_instances(address: &str, block: &str) -> Diagnostic {
    let note = format!("There is nothing at `{address}`, because `{block}` has no instances.");
    Diagnostic::error(Code::UnknownAddress).with_note(note)
}

/// The text at the place of a value that depends on one with an error, through these names.
pub(crate) fn needed_by(address: &str, through: impl ExactSizeIterator<Item = String>) -> String {
    const MOST: usize = 8;
    let all = through.len();
    let names: Vec<String> = through.take(MOST).map(|name| format!("`{name}`")).collect();
    match all {
        0 => format!("`{address}` depends on it."),
        1..=MOST => format!("`{address}` depends on it through {}.", names.join(", ")),
        _ => format!("`{address}` depends on it through {} and {} others.", names.join(", "), all - MOST),
    }
}

/// Warns about a declaration that nothing refers to.
pub fn unused(address: &str) -> Diagnostic {
    Diagnostic::warning(Code::UnusedDeclaration)
        .with_note(format!("Nothing in this directory refers to `{address}`."))
}

pub(crate) fn misspelled(written: &str, meant: &str) -> Diagnostic {
    let note = format!(
        "No object of this type in the directory sets `{written}`, but one sets `{meant}`. Did you mean `{meant}`?"
    );
    Diagnostic::warning(Code::UnsupportedAttribute).with_note(note)
}

pub(crate) fn invalid_name(name: &str) -> Diagnostic {
    let note = format!(
        "`{name}` is not a valid name. Use letters, digits, `_` and `-`, and do not start with a digit."
    );
    Diagnostic::error(Code::InvalidName).with_note(note)
}

pub(crate) fn reserved_name(name: &str) -> Diagnostic {
    let note = format!("`{name}` is reserved, because it is an argument of a block that sets this name.");
    Diagnostic::error(Code::InvalidName).with_note(note)
}

/// The source and the span are those of the first declaration.
pub(crate) fn duplicate(address: &str, source: &Arc<Source>, span: Span) -> Diagnostic {
    Diagnostic::error(Code::DuplicateDeclaration)
        .with_note(format!("`{address}` is already declared."))
        .with_related(source, span, "The first declaration is here.")
}

pub(crate) fn missing_base(address: &str) -> Diagnostic {
    let note = format!("An override file changes `{address}`, but no other file declares it.");
    Diagnostic::error(Code::MissingBase).with_note(note)
}

pub(crate) fn final_block(block_type: &str) -> Diagnostic {
    let note = format!("An override file must not have a `{block_type}` block. Move it to another file.");
    Diagnostic::error(Code::MissingBase).with_note(note)
}

/// About the message of a condition.
pub(crate) fn message_is_no_string(ty: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidCustomCondition)
        .with_note(format!("`error_message` must be a string, not {ty}."))
}

/// About a block that the application leaves out.
pub(crate) fn ignored_block(block_type: &str) -> Diagnostic {
    let note = format!("`{block_type}` blocks of override files have no effect. Move it to another file.");
    Diagnostic::warning(Code::MissingBase).with_note(note)
}

pub(crate) fn final_part(name: &str, block_type: &str) -> Diagnostic {
    let note = format!(
        "An override file must not have `{name}` in a `{block_type}` block. Put it where the block is declared."
    );
    Diagnostic::error(Code::MissingBase).with_note(note)
}

pub(crate) fn literal_bool_required(name: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidMetaArgument).with_note(format!("`{name}` must be `true` or `false`."))
}

pub(crate) fn invalid_condition_argument(name: &str, problem: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidMetaArgument)
        .with_note(format!("The value of `{name}` is invalid: {problem}."))
}

pub(crate) fn condition_argument_is_null(name: &str) -> Diagnostic {
    invalid_condition_argument(name, "it is null")
}

pub(crate) fn marked_condition(name: &str) -> Diagnostic {
    let note =
        format!("`{name}` must not be sensitive or ephemeral, because the number of instances is shown.");
    Diagnostic::error(Code::InvalidMetaArgument).with_note(note)
}

pub(crate) fn several_escaping(block: &Block, first: &Block) -> Diagnostic {
    let note = format!("There can be only one `{}` block here. Put all arguments in it.", block.block_type);
    Diagnostic::error(Code::DuplicateDeclaration).with_note(note).with_related(
        &first.source,
        first.definition_span,
        "The first block is here.",
    )
}

pub(crate) fn both_repeats(one: &str, other: &str) -> Diagnostic {
    let note = format!("`{one}` and `{other}` cannot be used in the same block.");
    Diagnostic::error(Code::InvalidMetaArgument).with_note(note)
}

/// At least two names.
fn alternatives(names: &[Name]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match &names[..] {
        [rest @ .., last] => format!("{} or {last}", rest.join(", ")),
        [] => String::new(),
    }
}

pub(crate) fn one_required(names: &[Name]) -> Diagnostic {
    Diagnostic::error(Code::MissingAttribute).with_note(format!("Set {}.", alternatives(names)))
}

pub(crate) fn only_one(names: &[Name]) -> Diagnostic {
    let note = format!("Only one of {} can be set.", alternatives(names));
    Diagnostic::error(Code::InvalidMetaArgument).with_note(note)
}

pub(crate) fn not_null(name: &str) -> Diagnostic {
    let note = format!("The default value must not be null, because `{name}` has `nullable = false`.");
    Diagnostic::error(Code::InvalidVariable).with_note(note)
}

/// `problem` is what a conversion reports.
pub(crate) fn invalid_default(problem: &str) -> Diagnostic {
    let note = format!("The default value does not have the type of the variable: {problem}.");
    Diagnostic::error(Code::InvalidVariable).with_note(note)
}

/// Why the value of a sensitive variable is invalid, without showing any part of the value.
pub(crate) const NOT_CONVERTIBLE: &str = "it cannot be converted";
pub(crate) const NOT_A_LITERAL: &str = "it is not a literal expression";

pub(crate) fn for_module(name: &str) -> String {
    format!("for the module `{name}`")
}

pub(crate) fn invalid_value(name: &str, origin: impl fmt::Display, problem: &str) -> Diagnostic {
    let note = format!("The value of `{name}` {origin} does not have the type of the variable: {problem}.");
    Diagnostic::error(Code::InvalidVariable).with_note(note)
}

pub(crate) fn null_value(name: &str) -> Diagnostic {
    let note = format!("The value of `{name}` is null, but the variable has `nullable = false`.");
    Diagnostic::error(Code::InvalidVariable).with_note(note)
}

pub(crate) fn missing_variable(name: &str) -> Diagnostic {
    let note = format!("The variable `{name}` has no default, and no value is set.");
    Diagnostic::error(Code::MissingVariable).with_note(note)
}

pub(crate) fn undeclared_variable(name: &str, origin: impl fmt::Display, meant: Option<&str>) -> Diagnostic {
    let hint = did_you_mean(meant);
    let note = format!("A value is set {origin}, but there is no variable named `{name}`.{hint}");
    Diagnostic::error(Code::UndeclaredVariable).with_note(note)
}

pub(crate) fn undeclared_in_file(name: &str, meant: Option<&str>) -> Diagnostic {
    let hint = did_you_mean(meant);
    let note = format!("There is no variable named `{name}`, so this value is not used.{hint}");
    Diagnostic::warning(Code::UndeclaredVariable).with_note(note)
}

/// The title of a fix.
pub(crate) fn fix_write(name: &str) -> String {
    format!("Write `{name}`")
}

/// About a reference to something that is declared by another name.
pub(crate) fn undefined(name: &str, meant: &str) -> String {
    format!("`{name}` is not defined.{}", did_you_mean(Some(meant)))
}

/// Adds a fix that writes another name at the place of one, in quotes as this one.
pub(crate) fn with_name(found: Diagnostic, at: &Place, name: &str) -> Diagnostic {
    if !is_identifier(name) {
        return found;
    }
    let quote = if at.source.slice(at.span).starts_with('"') { "\"" } else { "" };
    found.with_edit(fix_write(name), at.span, format!("{quote}{name}{quote}"))
}

/// `problem` is what a conversion reports.
pub(crate) fn count_is_no_number(problem: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidCount).with_note(format!("The value is not a number: {problem}."))
}

pub(crate) fn count_is_null() -> Diagnostic {
    Diagnostic::error(Code::InvalidCount).with_note("The value is null. A whole number is required.")
}

pub(crate) fn invalid_count(value: &Value) -> Diagnostic {
    let note = format!("The value is {value}. A whole number that is not negative is required.");
    Diagnostic::error(Code::InvalidCount).with_note(note)
}

pub(crate) fn too_many_instances() -> Diagnostic {
    Diagnostic::error(Code::InvalidCount).with_note("There are too many instances.")
}

pub(crate) fn marked_count(value: &Value) -> Diagnostic {
    Diagnostic::error(Code::InvalidCount).with_note(marked("count", value))
}

pub(crate) fn for_each_is_null() -> Diagnostic {
    Diagnostic::error(Code::InvalidInstanceKeys)
        .with_note("The value is null. A map or a set of strings is required.")
}

pub(crate) fn for_each_element(ty: &str) -> Diagnostic {
    let note = format!("The elements of a set must be strings, and not null. The value is a {ty}.");
    Diagnostic::error(Code::InvalidInstanceKeys).with_note(note)
}

pub(crate) fn invalid_for_each(ty: &str, is_list: bool) -> Diagnostic {
    let hint = if is_list { " Use `toset` for a list of strings without duplicates." } else { "" };
    let note = format!("The value is a {ty}. A map or a set of strings is required.{hint}");
    Diagnostic::error(Code::InvalidInstanceKeys).with_note(note)
}

pub(crate) fn marked_for_each(value: &Value) -> Diagnostic {
    Diagnostic::error(Code::InvalidInstanceKeys).with_note(marked("for_each", value))
}

fn marked(name: &str, value: &Value) -> String {
    let marks = value.marks();
    let marks = marks.names().join(" and ");
    format!("`{name}` must not be {marks}, because the keys of instances are shown. The value is {marks}.")
}

pub(crate) fn source_must_be_literal() -> Diagnostic {
    Diagnostic::error(Code::InvalidModuleSource).with_note("The source of a module must be a literal string.")
}

/// What is known when modules are installed. With `constant`, variables must be declared as such.
fn known_early(constant: bool) -> &'static str {
    if constant { "local values and on variables with `const = true`" } else { "variables and local values" }
}

pub(crate) fn source_must_be_static(name: &str, constant: bool) -> Diagnostic {
    let known = known_early(constant);
    Diagnostic::error(Code::InvalidModuleSource)
        .with_note(format!("The {name} of a module must be a string that depends only on {known}."))
}

/// `variable` is the address of one that is not constant.
pub(crate) fn source_is_unknown(name: &str, variable: Option<&str>) -> Diagnostic {
    let note = match variable {
        Some(variable) => format!(
            "The {name} of a module must be known when modules are installed, but `{variable}` is not known then. Declare the \
             variable with `const = true`."
        ),
        None => format!(
            "The {name} of a module must be known when modules are installed. It can depend only on {}.",
            known_early(true)
        ),
    };
    Diagnostic::error(Code::InvalidModuleSource).with_note(note)
}

/// `name` is that of a function.
pub(crate) fn source_of_late_function(name: &str) -> Diagnostic {
    let note = format!(
        "Modules are installed before a plan, and the result of `{name}` is not known then. Do not call it here."
    );
    Diagnostic::error(Code::InvalidModuleSource).with_note(note)
}

/// A constant variable must not be sensitive or ephemeral.
pub(crate) fn constant_variable_is(what: &str) -> Diagnostic {
    let note =
        format!("A variable with `const = true` must not be {what}, because it is used before a plan.");
    Diagnostic::error(Code::InvalidVariable).with_note(note)
}

pub(crate) fn argument_must_be_static(name: &str, constant: bool) -> Diagnostic {
    let known = known_early(constant);
    Diagnostic::error(Code::InvalidVariable).with_note(format!(
        "`{name}` is declared with `const = true`. Its value must depend only on {known}."
    ))
}

pub(crate) fn source_must_be_text(is_null: bool) -> Diagnostic {
    let note = if is_null {
        "The source of a module must not be null."
    } else {
        "The source of a module must be a string."
    };
    Diagnostic::error(Code::InvalidModuleSource).with_note(note)
}

pub(crate) fn source_is_marked(name: &str, mark: &str) -> Diagnostic {
    let note =
        format!("The {name} of a module must not be {mark}, but it depends on a value that is {mark}.");
    Diagnostic::error(Code::InvalidModuleSource).with_note(note)
}

pub(crate) fn source_leads_nowhere(source: &str, error: &SourceError) -> Diagnostic {
    let source = shown_source(source);
    let note = match error.suggestion.as_deref().map(shown_source) {
        _ if source.is_empty() => "The source of a module must not be empty.".to_owned(),
        _ if error.is_outside => {
            format!("The directory after `//` in `{source}` is outside of the package. Remove the `..`.")
        }
        Some(path) if path.starts_with('.') => format!(
            "`{source}` is neither an address in a registry nor a URL. For a local directory, write `{path}`."
        ),
        Some(other) => {
            format!("`{source}` is neither an address in a registry nor a URL. Did you mean `{other}`?")
        }
        None => format!(
            "`{source}` is neither an address in a registry nor a URL, and a local directory begins with `./` or `../`."
        ),
    };
    Diagnostic::error(Code::InvalidModuleSource).with_note(note)
}

pub(crate) fn module_outside(name: &str) -> Diagnostic {
    let note = format!("{name} is outside the directory of the root module and was not read.");
    Diagnostic::warning(Code::InvalidModuleSource).with_note(note)
}

pub(crate) fn module_not_readable(name: &str) -> Diagnostic {
    let note = format!(
        "{name} is outside of the root module's repository, or of its directory if that is in none. It was not read, and its \
         results are unknown. Allow another directory with `--allow-fs DIR` (program) or `Disk::with_readable` (library)."
    );
    Diagnostic::warning(Code::InvalidModuleSource).with_note(note)
}

pub(crate) fn not_a_module(name: &str, language: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidModuleSource)
        .with_note(format!("The directory {name} has no files of the language {language}."))
}

pub(crate) fn missing_module(name: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidModuleSource).with_note(format!("The directory {name} does not exist."))
}

pub(crate) fn module_cycle(name: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidModuleSource)
        .with_note(format!("{name} calls itself, directly or through other modules."))
}

/// The names are those of a cycle, in order.
pub(crate) fn cycle(names: &[String]) -> Diagnostic {
    const MOST: usize = 8;
    let mut steps: Vec<String> = names.iter().take(MOST).map(|name| format!("`{name}`")).collect();
    if names.len() > MOST {
        steps.push(format!("{} others", names.len() - MOST));
    }
    steps.extend(names.first().map(|first| format!("`{first}`")));
    steps.dedup();
    let note = format!(
        "These definitions depend on each other in a cycle: {}. Arguments such as `depends_on`, conditions and provisioners \
         count, too.",
        steps.join(" → ")
    );
    Diagnostic::error(Code::ReferenceCycle).with_note(note)
}

pub(crate) fn too_many_changes(address: &str, most: usize) -> Diagnostic {
    Diagnostic::error(Code::DuplicateDeclaration)
        .with_note(format!("More than {most} blocks in override files change `{address}`."))
}

pub(crate) fn too_many_modules(most: usize) -> Diagnostic {
    Diagnostic::error(Code::InvalidModuleSource).with_note(format!(
        "The modules below this directory have more than {most} declarations, counted once for each call."
    ))
}

pub(crate) fn too_long_addresses(most: usize) -> Diagnostic {
    Diagnostic::error(Code::InvalidModuleSource).with_note(format!(
        "The addresses of the declarations in the modules below this directory have more than {most} characters. Use \
         shorter names, or fewer levels of modules."
    ))
}

pub(crate) fn too_many_modules_in_modules(error: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidCount)
        .with_note(format!("There are too many instances of modules: {error}."))
}

pub(crate) fn missing_input(name: &str, module: &str) -> Diagnostic {
    let note = format!("The module `{module}` requires the input `{name}`, but it is not set.");
    Diagnostic::error(Code::MissingInput).with_note(note)
}

pub(crate) fn unsupported_input(name: &str, meant: Option<&str>) -> Diagnostic {
    let hint = did_you_mean(meant);
    let note = format!("The module has no variable named `{name}`.{hint}");
    Diagnostic::error(Code::UnsupportedInput).with_note(note)
}

/// The error message of a condition is marked.
pub(crate) const SENSITIVE_MESSAGE: &str = "The error message is sensitive.";

/// The error message of a condition is not a known string.
pub(crate) const UNKNOWN_MESSAGE: &str = "The error message is unknown.";

pub(crate) fn condition_failed(about: &str, message: &str, warns: bool) -> Diagnostic {
    let note = format!("{about}: {message}");
    if warns {
        Diagnostic::warning(Code::ConditionFailed).with_note(note)
    } else {
        Diagnostic::error(Code::ConditionFailed).with_note(note)
    }
}

/// The error of a condition that is null.
pub fn condition_is_null() -> Diagnostic {
    Diagnostic::error(Code::InvalidCustomCondition)
        .with_note("The condition is null. It must be `true` or `false`.")
}

/// The error of a condition that is neither true nor false.
pub fn condition_is_no_bool() -> Diagnostic {
    Diagnostic::error(Code::InvalidCustomCondition).with_note("The condition must be `true` or `false`.")
}

/// `problem` is what a conversion reports.
pub(crate) fn invalid_result(name: &str, problem: &str) -> Diagnostic {
    let note = format!("The value of `{name}` does not have the type of the output: {problem}.");
    Diagnostic::error(Code::InvalidResult).with_note(note)
}

pub(crate) fn deprecated_at_root(name: &str) -> Diagnostic {
    let note = format!(
        "`{name}` is deprecated, but this is the root module: no module calls it, so that nothing can use another output."
    );
    Diagnostic::error(Code::InvalidResult).with_note(note)
}

/// A use of something that is deprecated: `instead` is what its module says.
pub(crate) fn deprecated(address: &str, instead: &str) -> Diagnostic {
    let instead = instead.trim();
    let end = if instead.is_empty() || instead.ends_with(['.', '!', '?']) { "" } else { "." };
    let note = match instead {
        "" => format!("`{address}` is deprecated."),
        instead => format!("`{address}` is deprecated: {instead}{end}"),
    };
    Diagnostic::warning(Code::Deprecated).with_note(note)
}

/// About a condition that refers to its own object. `name` is the one that the object has in the condition, if it has one.
pub(crate) fn condition_of_itself(address: &str, name: Option<&str>) -> Diagnostic {
    let hint = match name {
        Some(name) => format!("Write `{name}` instead."),
        None => "Use a `postcondition`, in which `self` is the object.".to_owned(),
    };
    Diagnostic::error(Code::InvalidCustomCondition)
        .with_note(format!("A condition of `{address}` must not refer to `{address}`. {hint}"))
}

pub(crate) fn sensitive_result(name: &str) -> Diagnostic {
    let note = format!(
        "The value of `{name}` is derived from a sensitive value. Set `sensitive = true`, or use `nonsensitive` if it can be shown."
    );
    Diagnostic::error(Code::SensitiveResult).with_note(note)
}

pub(crate) fn ephemeral_result(name: &str, is_ephemeral: bool, root: bool) -> Diagnostic {
    let note = match (root, is_ephemeral) {
        (true, _) => {
            format!("The value of `{name}` is ephemeral. Results of the root module cannot be ephemeral.")
        }
        (false, true) => {
            format!("The value of `{name}` is derived from an ephemeral value. Set `ephemeral = true`.")
        }
        (false, false) => format!("`{name}` is declared as ephemeral, but its value is not ephemeral."),
    };
    Diagnostic::error(Code::EphemeralResult).with_note(note)
}

pub(crate) fn ephemeral_argument(name: &str, module: &str) -> Diagnostic {
    Diagnostic::error(Code::EphemeralValue).with_note(format!(
        "The value of `{name}` is ephemeral, but the module `{module}` does not declare the variable as ephemeral. Set `ephemeral = true` there."
    ))
}

pub(crate) fn ephemeral_attribute(name: &str) -> Diagnostic {
    Diagnostic::error(Code::EphemeralValue)
        .with_note(format!("The value of `{name}` is ephemeral, but this argument is stored."))
}

pub(crate) fn constant_condition() -> Diagnostic {
    Diagnostic::error(Code::InvalidCustomCondition).with_note(
        "The condition refers to no other value, so its result is always the same. Refer to what it checks.",
    )
}

pub(crate) fn condition_without_variable(name: &str) -> Diagnostic {
    let note = format!("A validation must refer to the variable that it checks, `{name}`.");
    Diagnostic::error(Code::InvalidCustomCondition).with_note(note)
}

/// A file that is not what a provider's schemas are written as.
pub(crate) const NO_SCHEMAS: &str =
    "expected an object with `provider_schemas`, as `terraform providers schema -json` writes it";

/// A file in the compact form that cannot be read.
pub(crate) const DAMAGED_SCHEMAS: &str =
    "the packed schema is damaged. Write it again with `hcl schema pack`";

pub(crate) fn invalid_attribute(name: &str, problem: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidAttributeValue)
        .with_note(format!("Invalid value for the argument `{name}`: {problem}."))
}

pub(crate) fn refused_by_provider(argument: &str, problem: &str) -> Diagnostic {
    Diagnostic::error(Code::InvalidValue)
        .with_note(format!("Invalid value for the argument `{argument}`: {problem}."))
}

pub(crate) fn object_required(name: &str) -> Diagnostic {
    invalid_attribute(name, "an object is required")
}

/// The setting, and what is meant instead, unless they must not be shown.
pub(crate) fn unknown_setting(
    name: &str,
    block_type: &str,
    kind: &str,
    setting: Option<(&str, Option<&str>)>,
) -> Diagnostic {
    let of = format!("Invalid value for the argument `{name}`: the {block_type} `{kind}` has no argument");
    Diagnostic::error(Code::InvalidAttributeValue).with_note(match setting {
        Some((setting, meant)) => format!("{of} `{setting}`.{}", did_you_mean(meant)),
        None => format!("{of} of one of its names, which are sensitive."),
    })
}

pub(crate) fn empty_attribute(name: &str) -> Diagnostic {
    invalid_attribute(name, "it must not be null or empty")
}

pub(crate) fn unsupported_dynamic(name: &str, meant: Option<&str>) -> Diagnostic {
    let hint = did_you_mean(meant);
    Diagnostic::error(Code::UnsupportedBlock)
        .with_note(format!("Blocks of type `{name}` are not expected here.{hint}"))
}

pub(crate) fn too_few_blocks(name: &str, min: usize) -> Diagnostic {
    let (blocks, are) = if min == 1 { ("block", "is") } else { ("blocks", "are") };
    Diagnostic::error(if min == 1 { Code::MissingBlock } else { Code::TooFewBlocks })
        .with_note(format!("At least {min} {blocks} of type `{name}` {are} required."))
}

pub(crate) fn too_many_blocks(name: &str, max: usize) -> Diagnostic {
    let (blocks, are) = if max == 1 { ("block", "is") } else { ("blocks", "are") };
    Diagnostic::error(if max == 1 { Code::DuplicateBlock } else { Code::TooManyBlocks })
        .with_note(format!("At most {max} {blocks} of type `{name}` {are} allowed."))
}

/// An error as a warning, with a sentence that follows its note.
pub(crate) fn weakened(error: Diagnostic, sentence: &str) -> Diagnostic {
    let note = format!("{} {sentence}", error.note());
    error.with_severity(Severity::Warning).with_note(note)
}

/// About an error in a block that is only read in root modules. Follows its note.
pub(crate) const ONLY_IN_ROOT: &str = "The block is ignored when other modules call this one.";

/// About an error that a validation does not find. Follows its note.
pub(crate) const MAYBE_GENERATED: &str = "A file that Terragrunt generates may declare it.";
pub(crate) const ONLY_IN_PLANS: &str = "A validation accepts this, but a plan with these values fails.";

/// About an undefined name in the content of a dynamic block. Follows its note.
pub(crate) const ONLY_WITH_BLOCKS: &str = "It is an error as soon as the dynamic block creates a block.";

/// Why a value is unknown.
pub(crate) const SET_BY_PROVIDER: &str = "a provider sets it";
pub(crate) const NO_VALUE: &str = "it has no value";
pub(crate) const HAS_ERRORS: &str = "it has an error";
pub(crate) const WHEN_APPLIED: &str = "known only at run time";
pub(crate) const UNKNOWN_FUNCTION: &str = "the result of a function is unknown";
pub(crate) const OTHER_MODULE: &str = "its module is neither in a local directory nor downloaded";
pub(crate) const MORE_REASONS: &str = "and more";

/// The messages about builds of Packer.
pub(crate) mod build {
    use hclkit_syntax::{Code, Diagnostic};

    pub(crate) fn invalid_source(text: &str) -> Diagnostic {
        let note =
            format!("`{text}` is not a source. Write its type and its name, as in `source.amazon-ebs.base`.");
        Diagnostic::error(Code::InvalidSource).with_note(note)
    }

    /// An override, or the one for a source, that is no object.
    pub(crate) fn invalid_override(source: Option<&str>) -> Diagnostic {
        let note = match source {
            Some(source) => {
                format!("The override for `{source}` must be an object with arguments of the provisioner.")
            }
            None => "An override must be an object with an object for each source, such as \
                     `{ example = { inline = [\"true\"] } }`."
                .to_owned(),
        };
        Diagnostic::error(Code::InvalidSource).with_note(note)
    }

    pub(crate) fn unknown_source(source_type: &str, name: &str) -> Diagnostic {
        let note =
            format!("The build refers to the source `{source_type}.{name}`, but no block declares it.");
        Diagnostic::error(Code::InvalidSource).with_note(note)
    }
}
