//! `hcl query`: prints what a path selects. Files are read in parallel and printed in order.

use hclkit::ast::{BlockNode, ExpressionKind};
use hclkit::convert::{Converter, Json};
use hclkit::render::Renderer;
use hclkit::write::{Match, Selector};
use hclkit::{Context, Diagnostics, Document, Entry, Position, Range};
use serde::Serialize;

use crate::args::{Query, Spacing};
use crate::edit;
use crate::host;
use crate::input::{Input, Selection, Unreadable};
use crate::output::{Failure, Outcome, complain, print_bytes, write_json};
use crate::workers::Workers;

/// What was found in a file.
enum Answer {
    Matches(Vec<Found>),
    Wrong(Diagnostics),
    Unreadable(Unreadable),
}

/// A match, ready to be printed.
enum Found {
    Text(String),
    Json(Json),
    Line(Box<Line>),
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
struct Places {
    start: Place,
    end: Place,
}

/// A position: line and column count from 1, bytes from 0.
#[derive(Serialize)]
struct Place {
    line: u32,
    column: u32,
    byte: u32,
}

impl From<Range> for Places {
    fn from(range: Range) -> Self {
        let place = |Position { line, column, byte }| Place { line, column, byte };
        Self { start: place(range.start), end: place(range.end) }
    }
}

pub(crate) fn run(command: &Query) -> Result<Outcome, Failure> {
    let path = edit::parse(&command.path)?;
    let mut found = Selection::new(&command.files)?.find(&command.paths);
    found.inputs.retain(|input| !(matches!(input, Input::Found(..)) && input.is_json()));
    let workers = Workers::new(command.nesting.max_nesting)?;
    let context = edit::context();
    let one = |input: &Input| answer(command, input, &path, &context);
    let mut failed = !found.unreadable.is_empty();
    found.unreadable.iter().for_each(complain);
    let (mut count, mut values) = (0, Vec::new());
    workers.for_each_chunk(&found.inputs, one, |answers| {
        for answer in answers {
            match answer {
                Answer::Matches(matches) => {
                    count += matches.len();
                    for found in matches {
                        match found {
                            Found::Text(text) => print_bytes(text.as_bytes())?,
                            Found::Json(json) => values.push(json),
                            Found::Line(line) => {
                                write_json(&line, Spacing { compact: true }, host::stdout())?;
                            }
                            Found::One => {}
                        }
                    }
                }
                Answer::Wrong(diagnostics) => {
                    failed = true;
                    complain_in_full(&Renderer::colored().diagnostics(&diagnostics));
                }
                Answer::Unreadable(unreadable) => {
                    failed = true;
                    complain(unreadable);
                }
            }
        }
        Ok::<_, Failure>(())
    })?;
    if command.json {
        write_json(&values, Spacing { compact: false }, host::stdout())?;
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

fn complain_in_full(text: &str) {
    use std::io::Write as _;
    // Errors of standard error cannot be reported.
    let _ = writeln!(host::styled_stderr(), "{text}");
}

fn answer(command: &Query, input: &Input, path: &Selector, context: &Context) -> Answer {
    let source = match input.read() {
        Ok(source) => source,
        Err(unreadable) => return Answer::Unreadable(unreadable),
    };
    let document = Document::parse(source, Entry::Config);
    if document.has_errors() {
        return Answer::Wrong(document.diagnostics().clone());
    }
    let matches = path.select_with(&document, context);
    let printed: Result<Vec<Found>, String> =
        matches.iter().map(|found| print(command, &document, found)).collect();
    match printed {
        Ok(found) => Answer::Matches(found),
        Err(why) => Answer::Unreadable(Unreadable { name: input.name(), reason: why, action: "convert" }),
    }
}

fn print(command: &Query, document: &Document, found: &Match) -> Result<Found, String> {
    if command.count {
        return Ok(Found::One);
    }
    if command.json {
        return value(document, found).map(Found::Json);
    }
    if command.ndjson {
        let span = document.span(found.node());
        let range = document.range(span);
        let (file, address) = (document.source().name().to_owned(), found.address().to_owned());
        return Ok(Found::Line(Box::new(Line {
            file,
            range: range.into(),
            address,
            value: value(document, found)?,
        })));
    }
    let expression = found.expression(document);
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

/// A match as `hcl convert` writes it.
fn value(document: &Document, found: &Match) -> Result<Json, String> {
    let converter = Converter::new();
    let too_deep = || format!("{}: nested too deeply for JSON", found.address());
    if let Some(expression) = found.expression(document) {
        return converter.convert_expression(expression).ok_or_else(too_deep);
    }
    let body = match BlockNode::at(document, found.node()) {
        Some(block) => block.body(),
        None if found.node() == document.body().id() => document.body(),
        None => return Ok(Json::String(document.text(found.node()).to_owned())),
    };
    let mut values = |expression| converter.convert_expression(expression).unwrap_or(Json::Null);
    converter.convert_with(document, body, &mut values).map_err(|problems| {
        problems.first().map_or_else(too_deep, |problem| format!("{}: {}", found.address(), problem.note()))
    })
}
