//! `hcl query`: prints what a path selects. Files are read in parallel and printed in order.

use std::path::{Path, PathBuf};

use hclkit::ast::ExpressionKind;
use hclkit::convert::{Converter, Json};
use hclkit::limits::Meter;
use hclkit::model::Partial;
use hclkit::render::Renderer;
use hclkit::syntax::Root;
use hclkit::syntax::json::{self, JsonKind, JsonValue};
use hclkit::write::{Match, Selector};
use hclkit::{
    Context, Diagnostics, Document, Expression, Layout, Position, Range, Span, Syntax, Value,
    parse_expression,
};
use indexmap::IndexMap;
use serde::Serialize;

use crate::args::{Query, Spacing};
use crate::edit;
use crate::host;
use crate::input::{Input, Selection, Unreadable};
use crate::output::{Failure, Outcome, complain, print_bytes, warn, write_json};
use crate::workers::Workers;

/// Why a file has no result.
pub(crate) enum NoAnswer {
    Wrong(Diagnostics),
    Unreadable(Unreadable),
}

impl NoAnswer {
    pub(crate) fn report(self) {
        use std::io::Write as _;
        match self {
            Self::Wrong(diagnostics) => {
                let text = Renderer::colored().diagnostics(&diagnostics);
                // Errors of writing to standard error cannot be reported.
                let _ = writeln!(host::styled_stderr(), "{text}");
            }
            Self::Unreadable(unreadable) => complain(unreadable),
        }
    }
}

/// Reads a file without syntax errors.
pub(crate) fn read(input: &Input) -> Result<Document, NoAnswer> {
    let document = input.parse().map_err(NoAnswer::Unreadable)?;
    if document.has_errors() {
        return Err(NoAnswer::Wrong(document.diagnostics().clone()));
    }
    Ok(document)
}

/// A match, ready to be printed.
enum Found {
    Text(String),
    /// An element of the array of `--json`, indented.
    Element(String),
    /// A line of `--ndjson`.
    Line(String),
    /// Only counted.
    One,
}

/// A line of `--ndjson`.
#[derive(Serialize)]
struct Line {
    file: String,
    range: Places,
    address: String,
    value: Json,
}

#[derive(Serialize)]
pub(crate) struct Places {
    pub(crate) start: Place,
    pub(crate) end: Place,
}

/// A position: line and column count from 1, bytes from 0.
#[derive(Serialize)]
pub(crate) struct Place {
    pub(crate) line: u32,
    pub(crate) column: u32,
    pub(crate) byte: u32,
}

impl From<Range> for Places {
    fn from(range: Range) -> Self {
        let place = |Position { line, column, byte }| Place { line, column, byte };
        Self { start: place(range.start), end: place(range.end) }
    }
}

pub(crate) fn run(command: &Query) -> Result<Outcome, Failure> {
    let wanted = Wanted::read(command)?;
    let found = Selection::new(&command.files)?.find(&command.paths);
    let workers = Workers::new(command.nesting.max_nesting);
    let context = edit::context();
    let groups = groups(command, found.inputs, &wanted)?;
    let one = |inputs: &Vec<Input>| match &wanted {
        Wanted::Path(path) => select(command, &inputs[0], path, &context).map(Some),
        Wanted::Expression(expression) => evaluate(command, inputs, expression, &context),
    };
    let mut failed = !found.unreadable.is_empty();
    found.unreadable.iter().for_each(complain);
    let (mut count, mut elements, mut skipped) = (0, 0, 0);
    workers.for_each(&groups, one, |answers| {
        for answer in answers {
            match answer {
                Ok(None) => skipped += 1,
                Ok(Some(matches)) => {
                    count += matches.len();
                    for found in matches {
                        match found {
                            Found::Text(text) | Found::Line(text) => print_bytes(text.as_bytes())?,
                            Found::Element(text) => {
                                print_bytes(if elements == 0 { b"[\n  " } else { b",\n  " })?;
                                print_bytes(text.as_bytes())?;
                                elements += 1;
                            }
                            Found::One => {}
                        }
                    }
                }
                Err(why) => {
                    failed = true;
                    why.report();
                }
            }
        }
        Ok::<_, Failure>(())
    })?;
    if skipped > 0
        && skipped == groups.len()
        && let Wanted::Expression(expression) = &wanted
    {
        warn(nothing_to_evaluate(expression));
    }
    if count == 0
        && !failed
        && let Wanted::Path(path) = &wanted
    {
        let text = &command.path;
        if is_operation(text) {
            warn(format_args!(
                "`{text}` is a path that matches nothing; use --expr to evaluate it as an expression"
            ));
        } else if path.may_be_expression() {
            let note = note(&Expression::parse(text.as_str()).err().unwrap_or_default());
            warn(format_args!("`{text}` is a path that matches nothing, and not an expression: {note}"));
        }
    }
    if command.json {
        print_bytes(if elements == 0 { b"[]\n" } else { b"\n]\n" })?;
    }
    if command.count {
        print_bytes(format!("{count}\n").as_bytes())?;
    }
    Ok(match (failed, count) {
        (true, _) => Outcome::Unreadable,
        (false, 0) if command.exit_code => Outcome::Problems,
        _ => Outcome::Fine,
    })
}

/// The note of the first error.
fn note(diagnostics: &Diagnostics) -> String {
    diagnostics.iter().next().map_or_else(String::new, |error| error.note().to_owned())
}

/// What to print for each file.
enum Wanted {
    Path(Selector),
    Expression(Expression),
}

impl Wanted {
    /// An argument that is a path is treated as one, unless it looks like an expression and is one.
    fn read(command: &Query) -> Result<Self, Failure> {
        let text = &command.path;
        let path = text.parse::<Selector>();
        if !command.expr && path.as_ref().is_ok_and(|path| !path.may_be_expression()) {
            return edit::parse(text).map(Self::Path);
        }
        match (path, Expression::parse(text.as_str())) {
            (_, Ok(expression)) => Ok(Self::Expression(expression)),
            (Ok(path), Err(_)) if !command.expr => Ok(Self::Path(path)),
            (path, Err(diagnostics)) => {
                let note = note(&diagnostics);
                Err(Failure::new(match path {
                    Err(error) if !command.expr => {
                        format!("`{text}` is neither a path ({error}) nor an expression: {note}")
                    }
                    _ => format!("invalid expression `{text}`: {note}"),
                }))
            }
        }
    }
}

/// Whether a text is an expression with an operator, such as `port*2`, which is a path with a wildcard, too.
fn is_operation(text: &str) -> bool {
    let is_operation = |kind: ExpressionKind<'_>| matches!(kind, ExpressionKind::Binary { .. });
    Expression::parse(text).is_ok_and(|parsed| parsed.ast().is_some_and(|node| is_operation(node.kind())))
}

/// Why an expression has no result in any file.
fn nothing_to_evaluate(expression: &Expression) -> String {
    let mut names: Vec<String> =
        expression.variables().iter().map(|variable| variable.root.to_string()).collect();
    names.sort_unstable();
    names.dedup();
    let hint = match names.first().map(String::as_str) {
        Some("local") => {
            "; local values are in `locals`, as in `locals[0].NAME`; `hcl eval DIR local.NAME` evaluates them"
        }
        Some("var") => "; variables have no values here, but `variable.NAME.default` has the default",
        Some("data" | "module" | "output" | "resource") | None => "",
        Some(_) => "; the variables of an expression are the attributes and block types of a file",
    };
    format!("nothing to evaluate: no file has {}{hint}", names.join(" or "))
}

/// The files that are read together: each on its own, or all of a directory.
fn groups(command: &Query, inputs: Vec<Input>, wanted: &Wanted) -> Result<Vec<Vec<Input>>, Failure> {
    if !command.merge {
        return Ok(inputs.into_iter().map(|input| vec![input]).collect());
    }
    if matches!(wanted, Wanted::Path(_)) {
        let why =
            "--merge requires an expression, but this is a path; use --expr to evaluate it as an expression";
        return Err(Failure::new(why));
    }
    let mut groups: IndexMap<Option<PathBuf>, Vec<Input>> = IndexMap::new();
    for input in inputs {
        let directory = input.path().and_then(Path::parent).map(Path::to_owned);
        groups.entry(directory).or_default().push(input);
    }
    Ok(groups.into_values().collect())
}

/// What to print of a file.
fn select(
    command: &Query,
    input: &Input,
    path: &Selector,
    context: &Context,
) -> Result<Vec<Found>, NoAnswer> {
    let document = read(input)?;
    let matches = path.select_with(&document, context).map_err(|errors| predicate_failed(input, &errors))?;
    let printed: Result<Vec<Found>, String> =
        matches.iter().map(|found| print(command, &document, found)).collect();
    printed.map_err(|reason| {
        let action = if command.json || command.ndjson { "convert" } else { "print" };
        NoAnswer::Unreadable(Unreadable { name: input.name(), reason, action })
    })
}

/// Why nothing was selected in a file: an error of a predicate.
fn predicate_failed(input: &Input, errors: &Diagnostics) -> NoAnswer {
    let action = "evaluate a predicate for";
    NoAnswer::Unreadable(Unreadable { name: input.name(), reason: edit::first(errors), action })
}

/// What an expression is in files that are read together, or nothing if they have none of its names.
fn evaluate(
    command: &Query,
    inputs: &[Input],
    expression: &Expression,
    context: &Context,
) -> Result<Option<Vec<Found>>, NoAnswer> {
    let documents = inputs.iter().map(read).collect::<Result<Vec<Document>, _>>()?;
    let roots = expression.variables();
    let is_about = |name: &str| {
        let path = format!("[{}]", Value::from(name)).parse::<Selector>();
        name == "self"
            || path.is_ok_and(|path| {
                let is_in = |document| path.select(document).is_ok_and(|found| !found.is_empty());
                documents.iter().any(is_in)
            })
    };
    if !roots.is_empty() && !roots.iter().any(|variable| is_about(&variable.root)) {
        return Ok(None);
    }
    let found = match &documents[..] {
        [document] => hclkit::write::evaluate(document, expression, context),
        _ => hclkit::write::evaluate_merged(&documents.iter().collect::<Vec<_>>(), expression, context),
    };
    match found {
        Ok(partial) => Ok(Some(print_partial(command, &documents[0], &partial).into_iter().collect())),
        Err(diagnostics) => Err(NoAnswer::Unreadable(Unreadable {
            name: if command.merge { directory(&inputs[0]) } else { inputs[0].name() },
            reason: diagnostics.iter().next().map_or("", |error| error.note()).to_owned(),
            action: "evaluate the expression in",
        })),
    }
}

/// The name of a file's directory.
fn directory(input: &Input) -> String {
    match input.path().and_then(Path::parent).map(|directory| directory.display().to_string()) {
        Some(name) if name.is_empty() => ".".to_owned(),
        Some(name) => name,
        None => input.name(),
    }
}

fn print(command: &Query, document: &Document, found: &Match<'_>) -> Result<Found, String> {
    if command.count {
        return Ok(Found::One);
    }
    // Matches can contain each other, and their text is kept until the file is printed. JSON is charged while it is written.
    let found = print_one(command, document, found)?;
    if let Found::Text(text) = &found {
        let too_large = |exceeded| format!("the matches are too large: {exceeded}");
        Meter::current().take_bytes(text.len()).map_err(too_large)?;
    }
    Ok(found)
}

fn print_one(command: &Query, document: &Document, found: &Match<'_>) -> Result<Found, String> {
    if command.json {
        return element(&value(document, found)?).map(Found::Element);
    }
    if command.ndjson {
        let span = document.span(found.node());
        let range = document.range(span);
        let (file, address) = (document.source().name().to_owned(), found.address().to_owned());
        return line(&Line { file, range: range.into(), address, value: value(document, found)? });
    }
    let expression = found.expression();
    if command.raw
        && document.syntax() == Syntax::Json
        && let Ok(Json::String(text)) = value(document, found)
    {
        return Ok(Found::Text(format!("{}\n", text.trim_end_matches('\n'))));
    }
    if command.raw
        && let Some(expression) = expression
        && let ExpressionKind::Template(template) = expression.without_parens().kind()
        && let Some(text) = template.as_literal()
    {
        return Ok(Found::Text(format!("{}\n", text.trim_end_matches('\n'))));
    }
    let node = expression.map_or(found.node(), hclkit::ast::ExpressionNode::id);
    let text = hclkit::write::source_of(document, node);
    Ok(Found::Text(format!("{}\n", text.trim_end_matches('\n'))))
}

/// The value of an expression in a file. `None` if it is null.
fn print_partial(command: &Query, document: &Document, partial: &Partial) -> Option<Found> {
    // An expression about something that is partly unknown can have a known result, such as a number of blocks.
    let value = match partial {
        Partial::Value(value) => Some(value),
        Partial::Rest(rest) => Some(&rest.value).filter(|value| value.is_wholly_known()),
    };
    if value.is_some_and(Value::is_null) {
        return None;
    }
    if command.count {
        return Some(Found::One);
    }
    let text = match (value, partial) {
        (Some(value), _) | (None, Partial::Value(value)) => match value.as_str().filter(|_| command.raw) {
            Some(text) => text.to_owned(),
            None => Layout::new().value(value),
        },
        (None, Partial::Rest(rest)) => rest.text.clone(),
    };
    if !command.json && !command.ndjson {
        return Some(Found::Text(format!("{}\n", text.trim_end_matches('\n'))));
    }
    let expression = parse_expression(format!("{text}\n"));
    let value = match expression.root() {
        Root::Expression(node) if !expression.has_errors() => Converter::new().convert_expression(node),
        _ => None,
    };
    let value = value.unwrap_or(Json::String(text));
    if command.json {
        return element(&value).ok().map(Found::Element);
    }
    let range = document.range(Span::new(0, document.source().len())).into();
    let file = document.source().name().to_owned();
    line(&Line { file, range, address: ".".to_owned(), value }).ok()
}

/// A value as an element of an array, indented.
pub(crate) fn element(value: &impl Serialize) -> Result<String, String> {
    let text = json_text(value, false)?;
    Ok(text.trim_end_matches('\n').replace('\n', "\n  "))
}

fn line(line: &Line) -> Result<Found, String> {
    json_text(line, true).map(Found::Line)
}

fn json_text(value: &impl Serialize, compact: bool) -> Result<String, String> {
    let mut bytes = Vec::new();
    write_json(value, Spacing { compact }, &mut bytes).map_err(|failure| failure.to_string())?;
    String::from_utf8(bytes).map_err(|error| error.to_string())
}

/// A value of the JSON syntax.
fn json_of(value: JsonValue<'_>) -> Json {
    match value.kind() {
        JsonKind::Object(object) => {
            let properties = object.properties();
            Json::Object(properties.map(|it| (it.name().value().into_owned(), json_of(it.value()))).collect())
        }
        JsonKind::Array(array) => Json::Array(array.elements().map(json_of).collect()),
        JsonKind::String(text) => Json::String(text.value().into_owned()),
        JsonKind::Number(digits) => Json::Number(digits.to_owned()),
        JsonKind::Bool(value) => Json::Bool(value),
        JsonKind::Null | JsonKind::Missing => Json::Null,
    }
}

/// A match as `hcl convert` writes it.
fn value(document: &Document, found: &Match<'_>) -> Result<Json, String> {
    if document.syntax() == Syntax::Json {
        let node = found.expression().map_or(found.node(), hclkit::ast::ExpressionNode::id);
        return Ok(json_of(json::parse(document.text(node)).root()));
    }
    let converter = Converter::new();
    let too_deep = || format!("{}: nested too deeply for JSON", found.address());
    if let Some(expression) = found.expression() {
        return converter.convert_expression(expression).ok_or_else(too_deep);
    }
    let body = match document.block_at(found.node()) {
        Some(block) => block.body(),
        None if found.node() == document.body().id() => document.body(),
        None => return Ok(Json::String(document.text(found.node()).to_owned())),
    };
    let mut values = |expression| converter.convert_expression(expression).unwrap_or(Json::Null);
    converter.convert_with(document, body, &mut values).map_err(|problems| {
        problems.first().map_or_else(too_deep, |problem| format!("{}: {}", found.address(), problem.note()))
    })
}
