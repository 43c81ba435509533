//! Source text to insert: an item, an element or an argument with its comments. Its lines can be indented again.

use hclkit_limits::Meter;
use hclkit_syntax::ast::{Item, TemplateKind};
use hclkit_syntax::{
    Document, NodeId, NodeKind, Root, Source, Span, Syntax, TokenKind, parse, parse_expression,
    parse_template,
};

use super::error::EditError;
use super::operand::Operand;
use super::sequence::{Container, Sequence, Slot, indentation};

/// Source text as lines without the indentation of the first one. A line that starts within a token belongs to the line
/// before, because its indentation is part of the token.
#[derive(Debug, Clone)]
pub(super) struct Lines {
    lines: Vec<String>,
    /// True if the text is from the edited document and has its line breaks.
    is_own: bool,
}

impl Lines {
    pub(super) fn of(document: &Document, span: Span, is_own: bool) -> Self {
        let (source, tokens) = (document.source(), document.tokens());
        let base = indentation(source, span.start);
        let mut lines = Vec::new();
        let mut start = span.start;
        let mut at = tokens.at(span.start);
        while tokens.start(at) < span.end && tokens.kind(at) != TokenKind::Eof {
            if tokens.kind(at) == TokenKind::Newline {
                let end = tokens.span(at).end.min(span.end);
                lines.push(source.slice(Span::new(start, end)));
                start = end;
            }
            at += 1;
        }
        lines.push(source.slice(Span::new(start, span.end)));
        let mut dedented: Vec<String> = Vec::with_capacity(lines.len());
        for (number, line) in lines.into_iter().enumerate() {
            let common = line.bytes().zip(base.bytes()).take_while(|(one, other)| one == other).count();
            dedented.push(line[if number == 0 { 0 } else { common }..].to_owned());
        }
        Self { lines: dedented, is_own }
    }

    /// How many lines there are.
    pub(super) fn count(&self) -> usize {
        self.lines.len()
    }

    /// The text with all lines but the first indented.
    pub(super) fn indented(&self, indent: &str, line_break: &str) -> String {
        let mut text = String::new();
        for (number, line) in self.lines.iter().enumerate() {
            if number > 0 && !line.trim_matches(['\r', '\n']).is_empty() {
                text.push_str(indent);
            }
            text.push_str(line);
        }
        if self.is_own { text } else { text.replace("\r\n", "\n").replace('\n', line_break) }
    }
}

/// Something to insert.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    pub(super) text: Lines,
    /// Comments after it on its line.
    pub(super) trailing: Vec<String>,
    /// True if it starts with a block, and true if it ends with one.
    pub(super) blocks: (bool, bool),
    /// True if it ends with a heredoc, which must be followed by a line break.
    pub(super) ends_with_heredoc: bool,
    /// True if it ends with an ellipsis, which no comma can follow.
    pub(super) is_expanded: bool,
    /// True if a blank line should precede it, and true if one should follow it.
    pub(super) apart: (bool, bool),
}

impl Piece {
    /// The text that belongs to a slot of the edited document or of other source text.
    fn of_slot(sequence: &Sequence<'_>, slot: &Slot, is_own: bool) -> Self {
        let document = sequence.document;
        let is_block = document.tree().kind(slot.node) == NodeKind::Block;
        Self {
            text: Lines::of(document, Span::new(slot.first, slot.span.end), is_own),
            trailing: slot.trailing.iter().map(|&span| document.source().slice(span).to_owned()).collect(),
            blocks: (is_block, is_block),
            ends_with_heredoc: ends_with(document, slot.span, TokenKind::CloseHeredoc),
            is_expanded: ends_with(document, slot.span, TokenKind::Ellipsis),
            apart: (false, false),
        }
    }

    /// Slot `index` of a sequence, to move it.
    pub(super) fn moved(sequence: &Sequence<'_>, index: usize) -> Self {
        Self::of_slot(sequence, &sequence.slots[index], true)
    }

    /// The size of its text.
    pub(super) fn bytes(&self) -> usize {
        self.text.lines.iter().chain(&self.trailing).map(String::len).sum()
    }

    /// The comments after it, for the end of a line.
    pub(super) fn trailing_text(&self) -> String {
        self.trailing.iter().flat_map(|comment| [" ", comment]).collect()
    }

    /// The comments after it, written so that the line can continue.
    pub(super) fn trailing_inline(&self) -> String {
        let inline = |comment: &String| {
            let text = comment.trim_start_matches(['#', '/']).trim();
            if comment.starts_with("/*") {
                format!(" {comment}")
            } else {
                format!(" /* {} */", text.replace("*/", "* /"))
            }
        };
        self.trailing.iter().map(inline).collect()
    }

    /// Parses text to insert into a container.
    pub(super) fn read(container: Container, source: &str, syntax: Syntax) -> Result<Vec<Self>, EditError> {
        let is_json = syntax == Syntax::Json;
        let (brackets, container, expected) = match container {
            Container::Body => return read_items(source).map(|piece| vec![piece]),
            Container::Object if is_json => {
                (["{\n", "\n}"], container, "a JSON property, such as `\"key\": 1`")
            }
            Container::Object => (["{\n", "\n}"], container, "an object item, such as `key = value`"),
            Container::Tuple | Container::Call if is_json => {
                (["[\n", "\n]"], Container::Tuple, "a JSON value")
            }
            Container::Tuple => (["[\n", "\n]"], container, "an expression"),
            // The last argument can be expanded: `list...`.
            Container::Call => (["f(\n", "\n)"], container, "an expression"),
        };
        read_list(source, brackets, container, syntax, expected)
    }
}

fn ends_with(document: &Document, span: Span, kind: TokenKind) -> bool {
    let tokens = document.tokens();
    tokens.kind(tokens.at(span.end.saturating_sub(1))) == kind
}

fn invalid(source: &str, expected: &'static str, document: &Document) -> EditError {
    // The source was not read because of a limit.
    if let Some(exceeded) = Meter::current().exceeded() {
        return exceeded.into();
    }
    let diagnostics = document.diagnostics().clone();
    EditError::InvalidSource { source: source.to_owned(), expected, diagnostics }
}

fn read_items(source: &str) -> Result<Piece, EditError> {
    // A heredoc ends with a line break.
    let document = parse(format!("{source}\n"));
    let expected = "an attribute or a block";
    if document.has_errors() || source.trim().is_empty() {
        return Err(invalid(source, expected, &document));
    }
    let tokens = document.tokens();
    let count = tokens.len() as u32;
    let mut content =
        (0..count).filter(|&at| !matches!(tokens.kind(at), TokenKind::Newline | TokenKind::Eof));
    let Some(first) = content.next() else { return Err(invalid(source, expected, &document)) };
    let last = content.next_back().unwrap_or(first);
    let span = Span::new(tokens.start(first), tokens.span(last).end);
    let is_block = |item: Option<Item<'_>>| item.is_some_and(|item| item.block().is_some());
    let blocks = (is_block(document.body().items().next()), is_block(document.body().items().last()));
    let ends_with_heredoc = ends_with(&document, span, TokenKind::CloseHeredoc);
    let (text, trailing) = (Lines::of(&document, span, false), Vec::new());
    let apart = (source.starts_with(['\r', '\n']), false);
    Ok(Piece { text, trailing, blocks, ends_with_heredoc, is_expanded: false, apart })
}

/// Parses an expression, or a JSON value, and returns the document and the node of the value.
fn parse_value(source: &str, syntax: Syntax) -> (Document, Option<NodeId>) {
    let document = match syntax {
        // A heredoc ends with a line break. Edits of HCL 1 are refused when they are applied.
        Syntax::Native | Syntax::Hcl1 => parse_expression(format!("{source}\n")),
        // The root of a file is an object.
        Syntax::Json => Document::parse_json(Source::new("", format!("{{\"\": {source}\n}}"))),
    };
    let value = match document.root() {
        Root::Expression(expression) if !document.has_errors() => match syntax {
            Syntax::Native | Syntax::Hcl1 => Some(expression.id()),
            Syntax::Json => match (expression.items().next(), expression.items().nth(1)) {
                (Some(item), None) => Some(item.value().id()),
                _ => None,
            },
        },
        _ => None,
    };
    (document, value)
}

fn read_list(
    source: &str,
    [open, close]: [&str; 2],
    container: Container,
    syntax: Syntax,
    expected: &'static str,
) -> Result<Vec<Piece>, EditError> {
    let (document, list) = parse_value(&format!("{open}{source}{close}"), syntax);
    let sequence = list.and_then(|list| Sequence::of(&document, list));
    let sequence = sequence.filter(|sequence| sequence.container == container);
    match sequence {
        Some(sequence) if !sequence.slots.is_empty() => {
            Ok(sequence.slots.iter().map(|slot| Piece::of_slot(&sequence, slot, false)).collect())
        }
        // The errors of the text itself have its positions.
        _ if syntax == Syntax::Json => Err(invalid(source, expected, &document)),
        _ => Err(invalid(source, expected, &parse_expression(source))),
    }
}

/// An expression that replaces another one.
#[derive(Debug, Clone)]
pub(crate) struct NewExpression {
    pub(super) text: Lines,
    ends_with_heredoc: bool,
    pub(super) operand: Operand,
}

impl NewExpression {
    /// Reads an expression without comments around it.
    pub(crate) fn read(source: &str, syntax: Syntax) -> Result<Self, EditError> {
        let (document, value) = parse_value(source, syntax);
        let expected = if syntax == Syntax::Json { "a JSON value" } else { "an expression" };
        let Some(value) = value else { return Err(invalid(source, expected, &document)) };
        let tokens = document.tokens();
        let span = document.span(value);
        let is_comment_outside = |at: u32| {
            tokens.kind(at).is_comment() && (tokens.start(at) < span.start || tokens.start(at) >= span.end)
        };
        if (0..tokens.len() as u32).any(is_comment_outside) {
            return Err(invalid(source, "an expression without comments around it", &document));
        }
        let ends_with_heredoc = ends_with(&document, span, TokenKind::CloseHeredoc);
        let operand = Operand::of(document.expression_at(value).kind());
        Ok(Self { text: Lines::of(&document, span, false), ends_with_heredoc, operand })
    }

    /// Returns true if it means the same wherever it is put.
    pub(crate) fn is_term(&self) -> bool {
        self.operand.is_term() && !self.ends_with_heredoc
    }

    pub(crate) fn ends_with_heredoc(&self) -> bool {
        self.ends_with_heredoc
    }

    /// The text with all lines but the first indented.
    pub(crate) fn indented(&self, indent: &str, line_break: &str) -> String {
        self.text.indented(indent, line_break)
    }

    /// Returns the text if it is a single line.
    pub(crate) fn line(&self) -> Option<&str> {
        match self.text.lines.as_slice() {
            [line] if !line.contains('\n') => Some(line),
            _ => None,
        }
    }
}

/// Checks source text that becomes part of a template.
pub(super) fn check_template(
    source: &str,
    kind: TemplateKind,
    marker: Option<&str>,
) -> Result<(), EditError> {
    let expected = "text and sequences of a template";
    if kind == TemplateKind::Quoted {
        let document = parse_expression(format!("\"{source}\""));
        let whole = match document.root() {
            Root::Expression(root) => {
                matches!(document.tree().kind(root.id()), NodeKind::String | NodeKind::QuotedTemplate)
            }
            _ => false,
        };
        return if whole && !document.has_errors() {
            Ok(())
        } else {
            Err(invalid(source, expected, &document))
        };
    }
    let document = parse_template(source);
    let closes = marker.is_some_and(|marker| source.lines().any(|line| line.trim() == marker));
    if document.has_errors() || closes { Err(invalid(source, expected, &document)) } else { Ok(()) }
}
