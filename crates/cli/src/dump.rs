//! `hcl dump`: prints the tokens or the tree of a file, one per line or as a JSON array.

use std::io::{BufWriter, Write as _};

use hclkit::syntax::{NodeId, NodeKind, StartSymbol, Visit, visible_line};
use hclkit::{Document, Position, Range, Span};
use serde::Serialize;

use crate::args::{self, Dump, Output, ParseOutput};
use crate::host;
use crate::input::Input;
use crate::outcome::{Failure, Outcome};
use crate::output::{complain, print_diagnostics, print_json};

/// The maximum length of displayed text.
const MAX_TEXT: usize = 50;
/// The maximum indentation of the tree. A chain of operators is as deep as it is long.
const MAX_INDENT: usize = 40;

pub(crate) fn run(command: &Dump) -> Result<Outcome, Failure> {
    let input = match &command.file {
        Some(path) => Input::of(path),
        None if host::stdin_is_terminal() => {
            return Err(Failure::new("nothing to dump: specify a file, or `-` for standard input"));
        }
        None => Input::Stdin,
    };
    let is_hcl1 = input.is_hcl1();
    let source = match input.read() {
        Ok(source) => source,
        Err(error) => {
            complain(error);
            return Ok(Outcome::Incomplete);
        }
    };
    let entry = match command.entry {
        args::StartSymbol::Config => StartSymbol::Config,
        args::StartSymbol::Expression => StartSymbol::Expression,
        args::StartSymbol::Template => StartSymbol::Template,
        args::StartSymbol::Traversal => StartSymbol::Traversal,
        args::StartSymbol::PartialTraversal => StartSymbol::PartialTraversal,
    };
    let document = if is_hcl1 && entry == StartSymbol::Config {
        Document::parse_hcl1(source)
    } else {
        Document::parse(source, entry)
    };
    match (command.what, command.output()) {
        (ParseOutput::Tokens, Output::Json) => print_json(&tokens(&document).collect::<Vec<_>>())?,
        (ParseOutput::Tokens, _) => {
            print(tokens(&document).map(|row| row.line(0, row.text.unwrap_or_default())))?;
        }
        (ParseOutput::Tree, Output::Json) => {
            print_json(&nodes(&document).map(|(_, _, row)| row).collect::<Vec<_>>())?;
        }
        (ParseOutput::Tree, _) => print(nodes(&document).map(|(depth, text, row)| row.line(depth, text)))?,
    }
    print_diagnostics(document.diagnostics())?;
    Ok(if document.has_errors() { Outcome::of_errors(document.diagnostics()) } else { Outcome::Fine })
}

/// A token or a node.
#[derive(Debug, Serialize)]
struct Row<'d> {
    kind: String,
    /// For nodes, its number and the number of its parent. The tree is written as an array, because it can be nested
    /// more deeply than JSON parsers accept.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<usize>,
    range: RowRange,
    /// For tokens and for nodes without children.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'d str>,
}

#[derive(Debug, Serialize)]
struct RowRange {
    start: RowPosition,
    end: RowPosition,
}

#[derive(Debug, Serialize)]
struct RowPosition {
    line: u32,
    column: u32,
    byte: u32,
}

impl From<Range> for RowRange {
    fn from(Range { start, end }: Range) -> Self {
        Self { start: start.into(), end: end.into() }
    }
}

impl From<Position> for RowPosition {
    fn from(Position { line, column, byte }: Position) -> Self {
        Self { line, column, byte }
    }
}

impl Row<'_> {
    fn line(&self, depth: usize, text: &str) -> String {
        let RowRange { start, end } = &self.range;
        let place = format!("{}:{}-{}:{}", start.line, start.column, end.line, end.column);
        let indent = "  ".repeat(depth.min(MAX_INDENT));
        let deeper = if depth > MAX_INDENT { format!("[{depth}] ") } else { String::new() };
        let text =
            if text.is_empty() { String::new() } else { format!("  {}", visible_line(&shortened(text))) };
        format!("{place:<14} {indent}{deeper}{}{text}", self.kind)
    }
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_TEXT) {
        Some((end, _)) => format!("{:?}…", &text[..end]),
        None => format!("{text:?}"),
    }
}

fn tokens(document: &Document) -> impl Iterator<Item = Row<'_>> {
    let mut places = document.source().positions();
    document.tokens().iter().map(move |token| Row {
        kind: format!("{:?}", token.kind),
        id: None,
        parent: None,
        range: places.range(token.span).into(),
        text: Some(document.source().slice(token.span)),
    })
}

/// The nodes in pre-order, each with its depth and displayed text.
fn nodes(document: &Document) -> impl Iterator<Item = (usize, &str, Row<'_>)> {
    let tree = document.tree();
    let mut places = document.source().positions();
    let mut open: Vec<usize> = Vec::new();
    tree.walk(NodeId::ROOT).filter_map(move |visit| match visit {
        Visit::Leave(_) => {
            open.pop();
            None
        }
        Visit::Enter(id) => {
            let (depth, parent) = (open.len(), open.last().copied());
            open.push(id.index());
            let span: Span = document.span(id);
            let is_leaf = tree.children(id).next().is_none();
            let text = document.source().slice(span);
            let shown = match tree.kind(id) {
                NodeKind::Root | NodeKind::Body => "",
                _ => text,
            };
            let row = Row {
                kind: format!("{:?}", tree.kind(id)),
                id: Some(id.index()),
                parent,
                range: places.range(span).into(),
                text: is_leaf.then_some(text),
            };
            Some((depth, shown, row))
        }
    })
}

fn print(lines: impl Iterator<Item = String>) -> Result<(), Failure> {
    let mut out = BufWriter::new(host::stdout());
    for line in lines {
        writeln!(out, "{line}")?;
    }
    Ok(out.flush()?)
}
