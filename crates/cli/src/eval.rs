//! `hcl eval`: evaluates an expression, a template or the attributes of a file. `eval/body.rs`, `eval/json_file.rs`,
//! `eval/hcl1_file.rs` and `eval/address.rs` find and evaluate attributes in files; `eval/inputs.rs` is about the variables of modules; `eval/compute.rs` has their results, and
//! `eval/write.rs` writes these.

mod address;
mod bake;
mod body;
mod compute;
mod hcl1_file;
mod inputs;
mod json_file;
mod module;
mod terragrunt;
mod write;

use std::path::{Path, PathBuf};

use clap::builder::styling::Style;
use hclkit::dialect::Dialect;
use hclkit::functions::{Grants, Library};
use hclkit::limits::{Meter, directory_of, path_on_disk};
use hclkit::module::Pattern;
use hclkit::render::Renderer;
use hclkit::syntax::{is_identifier, visible_line};
use hclkit::{Code, Diagnostic, Diagnostics, Document, Expression, Source, StartSymbol, Syntax, value};

use crate::args::{Definition, Eval, FunctionSet, Variables};
use crate::host;
use crate::input::{Input, argument};
use crate::outcome::{CommandError, Failure, Outcome, outcome_of};
use crate::output::{MAX_EXPLANATION, complain, print_styled};
use crate::report::write_report;
use crate::scope::{Scope, grant_hint};
use crate::watch::{Watched, watch};
use compute::{Computed, apply, compute};
use write::Writer;

const NAME: Style = Style::new().bold();

/// Whether Bake files are to be evaluated.
pub(crate) fn is_bake(command: &Eval) -> bool {
    let path = command.directory.as_deref().or(command.expression.as_deref());
    crate::bake::is_bake(path, &command.module.language)
}

pub(crate) fn run(command: &Eval) -> Result<Outcome, Failure> {
    if command.watch { watch(&watched(command)?, || once(command)) } else { once(command) }
}

/// What an evaluation reads: files, or a module, whose functions may read any file.
fn watched(command: &Eval) -> Result<Watched, Failure> {
    let mut paths: Vec<PathBuf> = command.files.clone();
    let place = command.directory.as_ref().or(command.expression.as_ref());
    paths.extend(place.map(PathBuf::from).filter(|path| path.exists() || path == Path::new("-")));
    if paths.is_empty() {
        return Err(Failure::new("--watch requires a file or the directory of a module"));
    }
    for definition in &command.scope.definitions.0 {
        if let Definition::Variables { from: Variables::File(input), .. } = definition {
            paths.push(input.path().unwrap_or(Path::new("-")).to_owned());
        }
    }
    paths.extend(command.module.providers.provider_schema.clone());
    let watched = Watched::default().with_paths(&paths)?;
    // A file of a module is evaluated with the others.
    let trees = watched.files.iter().filter(|path| {
        Dialect::of_path(path).is_some_and(|own| own.has_modules()) || crate::terragrunt::is_unit_file(path)
    });
    let trees: Vec<PathBuf> = trees.map(|path| path_on_disk(directory_of(path)).to_owned()).collect();
    Ok(Watched { all_names: true, trees: [watched.trees, trees].concat(), ..watched })
}

fn once(command: &Eval) -> Result<Outcome, Failure> {
    if command.inputs_template || command.inputs_check {
        return inputs::run(command);
    }
    if is_bake(command) {
        return bake::run(command);
    }
    if let Some(unit) = terragrunt::path(command) {
        return terragrunt::run(command, unit);
    }
    if let Some(option) =
        (!command.set.is_empty()).then_some("--set").or((command.files.len() > 1).then_some("several -f"))
    {
        return Err(Failure::new(format!("{option}: only supported for Bake files; add --language bake")));
    }
    if let (false, Some(_)) = (command.files.is_empty(), &command.expression) {
        return Err(Failure::new(
            "-f and an expression cannot be used together; use --attr to select an attribute",
        ));
    }
    let language = &command.module.language;
    let mut wanted: Vec<&str> = command.addresses.iter().map(String::as_str).collect();
    if let Some(directory) = &command.directory {
        wanted.splice(0..0, command.expression.as_deref());
        return module::run(command, &crate::module::required_place(directory, language)?, &wanted);
    }
    if let Some(text) = &command.expression {
        if let Some(place) = crate::module::place(text, language) {
            return module::run(command, &place, &wanted);
        }
        // A path can be read as a division.
        if !command.template && text.contains('/') && Path::new(text).is_file() {
            let why = "is not a file of a module";
            return Err(Failure::new(format!("{text} {why}; use `-f {text}` to evaluate it")));
        }
        check_path(text, wanted.is_empty())?;
        if let Some(address) = wanted.first() {
            return Err(unexpected(text, address));
        }
    }
    let is_hcl1 = command.file().is_some_and(|path| Input::of(path).is_hcl1());
    let of_modules = ["language", "no-data-sources", "provider-schema", "workspace"];
    command.given.reject(&of_modules[usize::from(is_hcl1)..], "only supported for modules")?;
    let mut warnings = Diagnostics::new();
    let ended = match evaluate(command, &mut warnings) {
        Err(CommandError::Failure(failure)) if failure.has_found_nothing() => {
            if command.matching.allow_empty {
                return Ok(Outcome::Fine);
            }
            complain(failure);
            return Ok(Outcome::Problems);
        }
        ended => ended,
    };
    let (problems, outcome) = outcome_of(ended, warnings)?;
    let files = usize::from(!command.files.is_empty());
    let hint = |found: &Diagnostics| hint(command, found);
    write_report(command.reporting.report, command.spacing, files, &problems.distinct(), hint)?;
    Ok(outcome)
}

/// Fails if an argument is the path of something that does not exist. Before addresses, it is no expression.
fn check_path(text: &str, is_alone: bool) -> Result<(), Failure> {
    let is_path = ["./", "../", "/", "~/"].iter().any(|start| text.starts_with(start)) || text == "..";
    let is_expression = Expression::parse(text).is_ok();
    let is_file = !is_expression && hclkit::dialect::syntax_of_path(text).is_some();
    let is_likely = is_file || !is_alone && text.contains('/');
    if (is_path && !is_expression || is_likely && !text.contains([' ', '"', '(']))
        && !Path::new(text).exists()
    {
        return Err(Failure::new(format!("cannot read {text}: there is no such file or directory")));
    }
    Ok(())
}

/// The further arguments are parts of an expression that was not quoted, or addresses without a module.
fn unexpected(first: &str, address: &str) -> Failure {
    let first = visible_line(first);
    let is_address = address.starts_with(char::is_alphabetic) && address.parse::<Pattern>().is_ok();
    let hint = if is_address {
        format!(
            "; addresses require a module, but `{first}` is not a directory or a file of one (or use -C DIR)"
        )
    } else {
        String::new()
    };
    Failure::new(format!(
        "unexpected argument `{}`: quote an expression to pass it as one argument, as in hcl eval 'a + b'{hint}",
        visible_line(address)
    ))
}

fn evaluate(command: &Eval, warnings: &mut Diagnostics) -> Result<(), CommandError> {
    if command.explain && command.output().is_some() {
        return Err(Failure::new("--explain supports --output only for addresses of a module").into());
    }
    if command.attr.is_some() && command.files.is_empty() {
        return Err(Failure::new("--attr requires a file; specify it with -f").into());
    }
    let writer = Writer::new(command)?;
    let scope = Scope::new(&command.scope)?;
    match command.file() {
        Some(path) if !command.template => {
            let source = Input::of(path).read_text().map_err(Failure::from)?;
            if Input::of(path).is_hcl1() {
                return hcl1_file::evaluate(command, &scope, &writer, source);
            }
            if Syntax::of(path) == Syntax::Json {
                return json_file::evaluate(command, &scope, &writer, source, warnings);
            }
            let document = Document::parse(source, StartSymbol::Config);
            if document.has_errors() {
                return Err(document.diagnostics().clone().into());
            }
            match &command.attr {
                Some(address) => selected(command, &scope, &writer, &document, address),
                None => body::evaluate(command, &scope, &writer, document.body()),
            }
        }
        _ => {
            let entry = if command.template { StartSymbol::Template } else { StartSymbol::Expression };
            let expression = Expression::read(source(command)?, entry)?;
            one(command, &scope, &writer, &expression, &value::Path::new())
        }
    }
}

/// Evaluates the attribute or block at an address.
fn selected(
    command: &Eval,
    scope: &Scope,
    writer: &Writer,
    document: &Document,
    address: &str,
) -> Result<(), CommandError> {
    match address::find(document.body(), address)? {
        address::Selected::Body(body) => body::evaluate(command, scope, writer, body),
        address::Selected::Value(expression, path) => {
            one(command, scope, writer, &Expression::from_ast(expression), &path)
        }
    }
}

/// Evaluates an expression and writes the part of its value that a path selects.
fn one(
    command: &Eval,
    scope: &Scope,
    writer: &Writer,
    expression: &Expression,
    path: &value::Path,
) -> Result<(), CommandError> {
    if command.explain {
        return explain(scope, expression);
    }
    let evaluate = |_: &_| compute(command, &scope.seen_by_all([expression], command.partial), expression);
    let computed = match scope.run(evaluate)? {
        Computed::Value(value) => Computed::Value(apply(command, path, &value)?),
        Computed::Rest(rest) if !path.is_empty() => {
            let why = format!("cannot select {path} in a value that is not fully known: {}", rest.text);
            return Err(Failure::new(why).into());
        }
        rest @ Computed::Rest(_) => rest,
    };
    scope.write(computed.value(), || writer.one(&computed))
}

/// Prints how a value is computed, even if evaluation fails.
fn explain(scope: &Scope, expression: &Expression) -> Result<(), CommandError> {
    let context = scope.context_for(expression);
    let renderer = Renderer::colored().with_width(host::stdout_width().min(MAX_EXPLANATION));
    let text = scope.run(|_| {
        let text = renderer.explanation(expression, &expression.explain(&context));
        let meter = Meter::current();
        // An explanation that a limit has ended says so itself.
        if meter.exceeded().is_none() {
            let room = meter.take_bytes(text.len());
            room.map_err(|exceeded| Diagnostic::exceeded(exceeded).at(expression.place()))?;
        }
        Ok(text)
    })?;
    print_styled(&text)?;
    scope.run(|_| expression.evaluate(&context))?;
    Ok(())
}

/// Prints how several values are computed, each after its name. The limits apply to all of them together.
fn explain_all(scope: &Scope, named: impl Iterator<Item = (String, Expression)>) -> Result<(), CommandError> {
    scope.run(|_| Ok(explain_each(scope, named)))?
}

fn explain_each(
    scope: &Scope,
    named: impl Iterator<Item = (String, Expression)>,
) -> Result<(), CommandError> {
    let mut problems = Diagnostics::new();
    for (at, (name, expression)) in named.enumerate() {
        let gap = if at > 0 { "\n" } else { "" };
        print_styled(&format!("{gap}{NAME}{}{NAME:#}\n", visible_line(&name)))?;
        match explain(scope, &expression) {
            Err(CommandError::Problems(found)) => problems.append(found),
            other => other?,
        }
        if Meter::current().exceeded().is_some() {
            break;
        }
    }
    if problems.has_errors() { Err(problems.into()) } else { Ok(()) }
}

/// The source of the expression or template.
fn source(command: &Eval) -> Result<Source, Failure> {
    let what = if command.template { "template" } else { "expression" };
    match (command.file(), &command.expression) {
        (Some(path), _) => Input::of(path).read_text().map_err(Failure::from),
        (None, Some(text)) if text != "-" => {
            if command.template && !text.contains(['$', '%']) && Path::new(text).is_file() {
                let why = "is a file; use -f to render its content as a template";
                return Err(Failure::new(format!("{text} {why}")));
            }
            let name = format!("<{what}>");
            Ok(if command.template { Source::new(name, text.as_str()) } else { argument(name, text) })
        }
        (None, text) => {
            if text.is_none() && host::stdin_is_terminal() {
                return Err(Failure::new("nothing to evaluate: specify an expression, or a file with -f"));
            }
            Input::Stdin.read_text().map_err(Failure::from)
        }
    }
}

/// A hint for a common mistake on the command line.
fn hint(command: &Eval, diagnostics: &Diagnostics) -> Option<String> {
    let first = |code: Code| diagnostics.iter().find(|diagnostic| diagnostic.has_code(code));
    if let Some(option) = grant_hint(&command.scope, diagnostics) {
        return Some(option.to_owned());
    }
    if let [file] = &command.files[..]
        && let Some(language) = file.file_name().and_then(|name| crate::module::of_file(name.to_str()?))
        && first(Code::UnknownVariable).is_some()
    {
        let (file, title) = (file.display(), language.title());
        return Some(format!("to evaluate it with the names of {title}, use hcl eval {file}"));
    }
    let file = command.expression.as_ref().filter(|text| Path::new(text).is_file());
    if let Some(file) = file {
        return Some(format!("{file} is also a file; use -f {file} to evaluate its attributes"));
    }
    let empty = |found: &&Diagnostic| found.source().is_some_and(|source| source.text().trim().is_empty());
    if let Some(found) =
        diagnostics.iter().filter(empty).find(|found| found.has_code(Code::MissingExpression))
        && let Some(variable) = found.source().and_then(|source| source.name().strip_prefix("--var "))
    {
        return Some(format!("to set an empty string, use --var '{variable}=\"\"'"));
    }
    if let Some(library) = first(Code::UnknownFunction).and_then(library_of) {
        return Some(format!("this function is in another library; use --functions {library}"));
    }
    let assigns = |found: &Diagnostic| {
        let source = found.source();
        command.files.is_empty() && source.is_some_and(|source| source.slice(found.span()) == "=")
    };
    if first(Code::ExtraCharacters).is_some_and(assigns) {
        return Some(
            "use -f FILE to evaluate attributes (`-` is standard input), or `==` to compare values"
                .to_owned(),
        );
    }
    if command.scope.functions == FunctionSet::None && first(Code::FunctionsNotAllowed).is_some() {
        return Some("use --functions LIBRARY to enable functions, such as --functions terraform".to_owned());
    }
    let unknown = first(Code::UnknownVariable)?;
    let name = unknown.source()?.name();
    if let Some(variable) = name.strip_prefix("--var ") {
        let text = unknown.source()?.text().trim();
        return is_identifier(text).then(|| format!("strings must be quoted: --var '{variable}=\"{text}\"'"));
    }
    let own = unknown.source()?.slice(unknown.span());
    if command.scope.functions.library().functions(&Grants::new()).get(own).is_some() {
        return Some(format!("`{own}` is a function; call it with parentheses: {own}(…)"));
    }
    let text = command.expression.as_deref().unwrap_or_default();
    if let Some(why) = missing_directory(text) {
        return Some(why);
    }
    if command.files.is_empty() && !command.template && !text.is_empty() && crate::module::is_here() {
        return Some(format!(
            "to evaluate it in the module of this directory, use hcl eval . '{}'",
            visible_line(text)
        ));
    }
    let hint = "set variables with --var NAME=EXPR or --vars FILE, or use --partial to evaluate as much as possible without them";
    (!command.partial).then(|| hint.to_owned())
}

/// Says that a directory does not exist, if an expression looks like its path: names with slashes of which the first is a
/// directory.
fn missing_directory(text: &str) -> Option<String> {
    let mut names = text.trim_end_matches('/').split('/');
    let is_name = |name: &str| {
        !name.is_empty() && name.chars().all(|own| own.is_alphanumeric() || matches!(own, '-' | '_' | '.'))
    };
    let first = names.next().filter(|first| is_name(first) && Path::new(first).is_dir())?;
    let rest: Vec<&str> = names.collect();
    let is_path = !rest.is_empty() && rest.iter().all(|name| is_name(name)) && !Path::new(text).exists();
    is_path.then(|| format!("{first} is a directory, but there is no {text}"))
}

/// The library that contains an unknown function.
fn library_of(unknown: &Diagnostic) -> Option<Library> {
    let name = unknown.source()?.slice(unknown.span());
    let has = |library: &Library| library.functions(&Grants::new()).get(name).is_some();
    [Library::Terraform, Library::OpenTofu, Library::Packer, Library::Cty].into_iter().find(has)
}
