//! `hcl query`: prints what a path selects. Files are read in parallel and printed in order.

use std::path::{Path, PathBuf};

use hclkit::ast::{ExpressionKind, ExpressionNode};
use hclkit::convert::{Json, ToJson};
use hclkit::dialect::{Dialect, Strings};
use hclkit::limits::Meter;
use hclkit::model::Partial;
use hclkit::render::Renderer;
use hclkit::syntax::json;
use hclkit::syntax::{Root, visible_line};
use hclkit::write::{Match, Selector};
use hclkit::{
    Context, Diagnostics, Document, Expression, Layout, Position, Range, Span, Syntax, Value,
    parse_expression,
};
use indexmap::IndexMap;
use serde::Serialize;

use crate::args::{Output, Query, Spacing};
use crate::edit;
use crate::host;
use crate::input::{Find, Input, Unreadable, selection};
use crate::outcome::{Failure, Outcome};
use crate::output::{complain, print_bytes, write_json};
use crate::values::{json_cell, json_of, longest_cell, table, yaml};
use crate::workers::Workers;

/// Why a file has no result.
pub(crate) enum NoAnswer {
    Wrong(Diagnostics),
    Unreadable(Unreadable),
}

impl NoAnswer {
    /// Reports the reason, and returns the best outcome that the run can still have.
    pub(crate) fn report(self) -> Outcome {
        use std::io::Write as _;
        match self {
            Self::Wrong(diagnostics) => {
                let text = Renderer::colored().diagnostics(&diagnostics);
                // Errors of writing to standard error cannot be reported.
                let _ = writeln!(host::styled_stderr(), "{text}");
                Outcome::of_errors(&diagnostics)
            }
            Self::Unreadable(unreadable) => {
                complain(unreadable);
                Outcome::Incomplete
            }
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
struct PrintedMatch {
    line: Option<u32>,
    content: Content,
}

enum Content {
    Text(String),
    /// An element of the array of `--json`, indented.
    Element(String),
    /// A line of `--output ndjson`.
    Line(String),
    /// The value with its address, for formats that need all values.
    Value(String, Json),
    /// Only counted.
    One,
}

/// What was found in files that are read together, and their name.
type Answer = Option<(String, Vec<PrintedMatch>)>;

/// A line of `--output ndjson`.
#[derive(Serialize)]
struct Line {
    file: String,
    range: Places,
    address: String,
    value: Json,
}

#[derive(Serialize)]
pub(crate) struct Places {
    pub(crate) start: JsonPosition,
    pub(crate) end: JsonPosition,
}

/// A position: line and column count from 1, bytes from 0.
#[derive(Serialize)]
pub(crate) struct JsonPosition {
    pub(crate) line: u32,
    pub(crate) column: u32,
    pub(crate) byte: u32,
}

impl From<Range> for Places {
    fn from(range: Range) -> Self {
        let place = |Position { line, column, byte }| JsonPosition { line, column, byte };
        Self { start: place(range.start), end: place(range.end) }
    }
}

pub(crate) fn run(command: &Query) -> Result<Outcome, Failure> {
    let wanted = Wanted::read(command)?;
    let found = selection(&command.files)?.find(&command.paths);
    let workers = Workers::new();
    let context = edit::context();
    let has_several = found.inputs.len() > 1;
    let groups = groups(command, found.inputs);
    let one = |inputs: &Vec<Input>| match &wanted {
        Wanted::Path(path) => select_all(command, inputs, path, &context).map(Some),
        Wanted::Expression(expression) => evaluate(command, inputs, expression, &context),
    };
    let mut failed = if found.unreadable.is_empty() { Outcome::Fine } else { Outcome::Incomplete };
    found.unreadable.iter().for_each(complain);
    let mut printer = MatchPrinter::new(command, has_several);
    let mut skipped = 0;
    workers.for_each(&groups, one, |answers| {
        for answer in answers {
            match answer {
                Ok(None) => skipped += 1,
                Ok(Some((name, matches))) => printer.add(&name, matches)?,
                Err(why) => failed = failed.max(why.report()),
            }
        }
        Ok::<_, Failure>(())
    })?;
    let count = printer.count;
    printer.end()?;
    if count > 0 || failed != Outcome::Fine || command.matching.allow_empty {
        return Ok(failed);
    }
    complain(match &wanted {
        Wanted::Expression(expression) if skipped > 0 && skipped == groups.len() => {
            nothing_to_evaluate(expression)
        }
        Wanted::Expression(_) => "the result is null".to_owned(),
        Wanted::Path(path) => {
            let all = |path: &Selector, inputs: &Vec<Input>| select_all(command, inputs, path, &context);
            match rejected(path, &groups, &workers, all)? {
                Some(why) => why,
                None => nothing_matches(&command.path, path, &groups),
            }
        }
    });
    Ok(Outcome::Problems)
}

/// Whether the predicates of a path are the reason for no matches. Standard input cannot be read again.
fn rejected(
    path: &Selector,
    groups: &[Vec<Input>],
    workers: &Workers,
    select: impl Fn(&Selector, &Vec<Input>) -> Result<(String, Vec<PrintedMatch>), NoAnswer> + Sync,
) -> Result<Option<String>, Failure> {
    let Some(whole) = path.without_predicates() else { return Ok(None) };
    if groups.iter().flatten().any(|input| *input == Input::Stdin) {
        return Ok(None);
    }
    let mut count = 0;
    workers.for_each(
        groups,
        |inputs| select(&whole, inputs),
        |answers| {
            count += answers.into_iter().flatten().map(|(_, matches)| matches.len()).sum::<usize>();
            Ok::<_, Failure>(())
        },
    )?;
    let which = match count {
        0 => return Ok(None),
        1 => "the match".to_owned(),
        _ => format!("any of the {count} matches"),
    };
    Ok(Some(format!("`{path}` matches nothing: the predicate is not true for {which} of `{whole}`")))
}

/// Why a path has no matches.
fn nothing_matches(text: &str, path: &Selector, groups: &[Vec<Input>]) -> String {
    // The path of a file can be read as a division.
    if text.contains(['/', '.']) && Path::new(text).exists() {
        return format!(
            "`{text}` matches nothing; it is a file or directory, which comes after the path of what to find in it"
        );
    }
    if is_operation(text) {
        return format!(
            "`{text}` is a path that matches nothing; use --expr to evaluate it as an expression"
        );
    }
    if path.may_be_expression() {
        let note = note(&Expression::parse(text).err().unwrap_or_default());
        return format!("`{text}` is a path that matches nothing, and not an expression: {note}");
    }
    match edit::path_of_address(text, groups.iter().flatten()) {
        Some(hint) => {
            format!("`{text}` matches nothing{hint} To find where a name is used, use hcl refs {text}")
        }
        None => format!("`{text}` matches nothing"),
    }
}

/// Prints matches in the requested format.
struct MatchPrinter<'c> {
    command: &'c Query,
    /// Whether there are several files.
    has_several: bool,
    count: usize,
    /// The values for formats that need all of them: with file, line and address.
    values: Vec<(String, Option<u32>, String, Json)>,
}

impl MatchPrinter<'_> {
    fn new(command: &Query, has_several: bool) -> MatchPrinter<'_> {
        MatchPrinter { command, has_several, count: 0, values: Vec::new() }
    }

    fn add(&mut self, name: &str, matches: Vec<PrintedMatch>) -> Result<(), Failure> {
        if self.command.count && self.has_names() && !matches.is_empty() {
            print_bytes(format!("{}:{}\n", visible_line(name), matches.len()).as_bytes())?;
        }
        for found in matches {
            match found.content {
                Content::Text(text) => {
                    let before = self.before(name, found.line);
                    print_bytes(format!("{before}{text}").as_bytes())?;
                }
                Content::Line(text) => print_bytes(text.as_bytes())?,
                Content::Element(text) => {
                    print_bytes(if self.count == 0 { b"[\n  " } else { b",\n  " })?;
                    print_bytes(text.as_bytes())?;
                }
                Content::Value(address, value) => {
                    self.values.push((name.to_owned(), found.line, address, value));
                }
                Content::One => {}
            }
            self.count += 1;
        }
        Ok(())
    }

    /// Whether `--count` prints the files.
    fn has_names(&self) -> bool {
        (self.has_several || self.command.with_filename) && !self.command.no_filename
    }

    /// The name of the file and the line, as far as they are printed.
    fn before(&self, name: &str, line: Option<u32>) -> String {
        let command = self.command;
        let usual = self.has_several && (!command.raw || command.line_number) && !command.no_filename;
        let name =
            if command.with_filename || usual { format!("{}:", visible_line(name)) } else { String::new() };
        match line {
            Some(line) if command.line_number || usual => format!("{name}{line}:"),
            _ => name,
        }
    }

    /// Prints what comes after all matches.
    fn end(self) -> Result<(), Failure> {
        match self.command.output() {
            _ if self.command.count && !self.has_names() => {
                print_bytes(format!("{}\n", self.count).as_bytes())
            }
            Output::Json => print_bytes(if self.count == 0 { b"[]\n" } else { b"\n]\n" }),
            Output::Yaml => {
                let all = self.values.iter().map(|(_, _, _, value)| value.clone());
                print_bytes(yaml(&Json::Array(all.collect()))?.as_bytes())
            }
            output @ (Output::Csv | Output::Tsv | Output::Table) => {
                let names = ["file", "line", "address", "value"];
                let head =
                    names.map(|name| if output == Output::Table { name.to_uppercase() } else { name.into() });
                let row = |(name, line, address, value): &(String, Option<u32>, String, Json)| {
                    let line = line.map_or_else(String::new, |line| line.to_string());
                    vec![name.clone(), line, address.clone(), json_cell(value)]
                };
                let rows: Vec<_> =
                    std::iter::once(head.to_vec()).chain(self.values.iter().map(row)).collect();
                print_bytes(table(&rows, output, longest_cell()).as_bytes())
            }
            _ => Ok(()),
        }
    }
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
fn groups(command: &Query, inputs: Vec<Input>) -> Vec<Vec<Input>> {
    if !command.merge {
        return inputs.into_iter().map(|input| vec![input]).collect();
    }
    let mut groups: IndexMap<Option<PathBuf>, Vec<Input>> = IndexMap::new();
    for input in inputs {
        let directory = input.path().and_then(Path::parent).map(Path::to_owned);
        groups.entry(directory).or_default().push(input);
    }
    groups.into_values().collect()
}

/// The name of files that are read together: of the file, or of their directory.
fn name_of(command: &Query, inputs: &[Input]) -> String {
    if command.merge { directory(&inputs[0]) } else { inputs[0].name() }
}

/// What to print of files that are read together.
fn select_all(
    command: &Query,
    inputs: &[Input],
    path: &Selector,
    context: &Context,
) -> Result<(String, Vec<PrintedMatch>), NoAnswer> {
    let all = inputs.iter().map(|input| select(command, input, path, context));
    let all = all.collect::<Result<Vec<_>, _>>()?;
    Ok((name_of(command, inputs), all.into_iter().flatten().collect()))
}

/// What to print of a file.
fn select(
    command: &Query,
    input: &Input,
    path: &Selector,
    context: &Context,
) -> Result<Vec<PrintedMatch>, NoAnswer> {
    let document = read(input)?;
    let matches = path.select_with(&document, context).map_err(|errors| predicate_failed(input, &errors))?;
    let statics = if matches.is_empty() { Vec::new() } else { statics(&document) };
    let printed: Result<Vec<PrintedMatch>, String> = matches
        .iter()
        .map(|found| {
            let line = Some(document.position(document.span(found.node()).start).line);
            Ok(PrintedMatch { line, content: print(command, &document, &statics, found)? })
        })
        .collect();
    printed.map_err(|reason| {
        let action = if command.output() == Output::Human { "print" } else { "convert" };
        NoAnswer::Unreadable(Unreadable { name: input.name(), reason, action })
    })
}

/// The values of a file that its application reads without evaluating them.
fn statics(document: &Document) -> Vec<Span> {
    let dialect = Dialect::of_path(document.source().name());
    let (Some(dialect), Syntax::Native) = (dialect, document.syntax()) else { return Vec::new() };
    let mut found = Vec::new();
    let mut open = vec![(None, document.body())];
    while let Some((block, body)) = open.pop() {
        for attribute in body.attributes() {
            if dialect.strings(block, attribute.name()) != Strings::Templates {
                found.push(attribute.value().span());
            }
        }
        open.extend(body.blocks().map(|block| (Some(block.block_type()), block.body())));
    }
    found
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
) -> Result<Answer, NoAnswer> {
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
        Ok(partial) => {
            let content = print_partial(command, &documents[0], &partial);
            let found = content.map(|content| PrintedMatch { line: None, content });
            Ok(Some((name_of(command, inputs), found.into_iter().collect())))
        }
        Err(diagnostics) => Err(NoAnswer::Unreadable(Unreadable {
            name: name_of(command, inputs),
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

fn print(
    command: &Query,
    document: &Document,
    statics: &[Span],
    found: &Match<'_>,
) -> Result<Content, String> {
    if command.count {
        return Ok(Content::One);
    }
    // Matches can contain each other, and their text is kept until the file is printed. JSON is charged while it is written.
    let found = print_one(command, document, statics, found)?;
    if let Content::Text(text) = &found {
        let too_large = |exceeded| format!("the matches are too large: {exceeded}");
        Meter::current().take_bytes(text.len()).map_err(too_large)?;
    }
    Ok(found)
}

fn print_one(
    command: &Query,
    document: &Document,
    statics: &[Span],
    found: &Match<'_>,
) -> Result<Content, String> {
    match command.output() {
        Output::Human => {}
        Output::Json => return element(&value(document, statics, found)?).map(Content::Element),
        Output::Ndjson => {
            let range = document.range(document.span(found.node())).into();
            let (file, address) = (document.source().name().to_owned(), found.address().to_owned());
            return line(&Line { file, range, address, value: value(document, statics, found)? });
        }
        _ => return Ok(Content::Value(found.address().to_owned(), value(document, statics, found)?)),
    }
    let expression = found.expression();
    if command.raw
        && document.syntax() == Syntax::Json
        && let Ok(Json::String(text)) = value(document, statics, found)
    {
        return Ok(Content::Text(format!("{}\n", text.trim_end_matches('\n'))));
    }
    if command.raw
        && let Some(expression) = expression
        && let ExpressionKind::Template(template) = expression.without_parens().kind()
        && let Some(text) = template.as_literal()
    {
        return Ok(Content::Text(format!("{}\n", text.trim_end_matches('\n'))));
    }
    let node = expression.map_or(found.node(), hclkit::ast::ExpressionNode::id);
    let text = hclkit::write::source_of(document, node);
    Ok(Content::Text(format!("{}\n", text.trim_end_matches('\n'))))
}

/// The value of an expression in a file. `None` if it is null.
fn print_partial(command: &Query, document: &Document, partial: &Partial) -> Option<Content> {
    // An expression about something that is partly unknown can have a known result, such as a number of blocks.
    let value = match partial {
        Partial::Value(value) => Some(value),
        Partial::Rest(rest) => Some(&rest.value).filter(|value| value.is_wholly_known()),
    };
    if value.is_some_and(Value::is_null) {
        return None;
    }
    if command.count {
        return Some(Content::One);
    }
    let text = match (value, partial) {
        (Some(value), _) | (None, Partial::Value(value)) => match value.as_str().filter(|_| command.raw) {
            Some(text) => text.to_owned(),
            None => Layout::new().value(value),
        },
        (None, Partial::Rest(rest)) => rest.text.clone(),
    };
    if command.output() == Output::Human {
        return Some(Content::Text(format!("{}\n", text.trim_end_matches('\n'))));
    }
    let expression = parse_expression(format!("{text}\n"));
    let value = match expression.root() {
        Root::Expression(node) if !expression.has_errors() => ToJson::new().convert_expression(node),
        _ => None,
    };
    let value = value.unwrap_or(Json::String(text));
    match command.output() {
        Output::Json => element(&value).ok().map(Content::Element),
        Output::Ndjson => {
            let range = document.range(Span::new(0, document.source().len())).into();
            let file = document.source().name().to_owned();
            line(&Line { file, range, address: ".".to_owned(), value }).ok()
        }
        _ => Some(Content::Value(".".to_owned(), value)),
    }
}

/// A value as an element of an array, indented.
pub(crate) fn element(value: &impl Serialize) -> Result<String, String> {
    let text = json_text(value, false)?;
    Ok(text.trim_end_matches('\n').replace('\n', "\n  "))
}

fn line(line: &Line) -> Result<Content, String> {
    json_text(line, true).map(Content::Line)
}

fn json_text(value: &impl Serialize, compact: bool) -> Result<String, String> {
    let mut bytes = Vec::new();
    write_json(value, Spacing { compact }, &mut bytes).map_err(|failure| failure.to_string())?;
    String::from_utf8(bytes).map_err(|error| error.to_string())
}

/// A match as `hcl convert` writes it.
fn value(document: &Document, statics: &[Span], found: &Match<'_>) -> Result<Json, String> {
    if document.syntax() == Syntax::Json {
        let node = found.expression().map_or(found.node(), hclkit::ast::ExpressionNode::id);
        return json_of(json::parse(document.text(node)).root())
            .map_err(|error| format!("{}: {}", found.address(), error.note()));
    }
    let too_deep = || format!("{}: nested too deeply for JSON", found.address());
    let converted = |expression: ExpressionNode<'_>| {
        let span = expression.span();
        let is_static = statics.iter().any(|all| all.start <= span.start && span.end <= all.end);
        ToJson::new().with_all_static(is_static).convert_expression(expression)
    };
    if let Some(expression) = found.expression() {
        return converted(expression).ok_or_else(too_deep);
    }
    let body = match document.block_at(found.node()) {
        Some(block) => block.body(),
        None if found.node() == document.body().id() => document.body(),
        None => return Ok(Json::String(document.text(found.node()).to_owned())),
    };
    let mut values = |expression| converted(expression).unwrap_or(Json::Null);
    ToJson::new().convert_with(document, body, &mut values).map_err(|problems| {
        problems.first().map_or_else(too_deep, |problem| format!("{}: {}", found.address(), problem.note()))
    })
}
