//! Style beyond what the profiles' programs have: blank lines around blocks, trailing commas, no alignment.

use hclkit_syntax::ast::{BlockNode, BodyNode, ExpressionKind, Item};
use hclkit_syntax::{Document, Edit, NodeId, NodeKind, Span, TokenKind, Visit};

/// Style that is off by default, since no other formatter has it. It changes blanks, line breaks and commas only.
///
/// ```
/// use hclkit_write::{Formatter, Style};
///
/// let style = Style::new().with_alignment(false).with_blank_lines(true).with_trailing_commas(true);
/// let document = hclkit_syntax::parse("long = 1\na = [\n  1\n]\nb {}\nc {}\n");
/// let formatted = Formatter::plain().with_style(style).format(&document);
/// assert_eq!(formatted.text(), b"long = 1\na = [\n  1,\n]\n\nb {}\n\nc {}\n".as_slice());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    alignment: bool,
    blank_lines: bool,
    trailing_commas: bool,
}

impl Default for Style {
    fn default() -> Self {
        Self::new()
    }
}

impl Style {
    /// The style of the other formatters.
    pub const fn new() -> Self {
        Self { alignment: true, blank_lines: false, trailing_commas: false }
    }

    /// Sets whether equals signs and trailing comments are aligned. They are by default.
    #[must_use]
    pub const fn with_alignment(mut self, alignment: bool) -> Self {
        self.alignment = alignment;
        self
    }

    /// Sets whether there is a blank line before and after each block that has a neighbor, above its comments.
    #[must_use]
    pub const fn with_blank_lines(mut self, blank_lines: bool) -> Self {
        self.blank_lines = blank_lines;
        self
    }

    /// Sets whether there is a comma after the last element of a tuple and the last argument of a call, if the closing
    /// bracket is on another line.
    #[must_use]
    pub const fn with_trailing_commas(mut self, trailing_commas: bool) -> Self {
        self.trailing_commas = trailing_commas;
        self
    }

    pub(super) const fn aligns(self) -> bool {
        self.alignment
    }

    /// Whether more than blanks changes.
    pub(super) const fn rewrites(self) -> bool {
        self.blank_lines || self.trailing_commas
    }

    /// The line breaks and commas to insert into a document without errors.
    pub(super) fn edits(self, document: &Document) -> Vec<Edit> {
        let mut edits = Vec::new();
        if self.blank_lines {
            let mut bodies = vec![document.body()];
            while let Some(body) = bodies.pop() {
                blank_lines(document, body, &mut edits);
                bodies.extend(body.blocks().map(BlockNode::body));
            }
        }
        if self.trailing_commas {
            let tree = document.tree();
            for visit in tree.walk(NodeId::ROOT) {
                if let Visit::Enter(id) = visit
                    && matches!(tree.kind(id), NodeKind::Tuple | NodeKind::Call)
                {
                    edits.extend(trailing_comma(document, id));
                }
            }
        }
        edits
    }
}

fn blank_lines(document: &Document, body: BodyNode<'_>, edits: &mut Vec<Edit>) {
    let tokens = document.tokens();
    let mut before: Option<Item<'_>> = None;
    for item in body.items() {
        let Some(before) = before.replace(item) else { continue };
        if before.block().is_none() && item.block().is_none() {
            continue;
        }
        let first = tokens.at(before.span().end);
        let last = tokens.at(item.span().start);
        let breaks = || (first..last).filter(|&at| tokens.kind(at) == TokenKind::Newline);
        let has_blank_line = breaks().any(|at| tokens.kind(at + 1) == TokenKind::Newline);
        if let (false, Some(at)) = (has_blank_line, breaks().next()) {
            let span = tokens.span(at);
            let line_break = document.source().slice(span).to_owned();
            edits.push(Edit { span: Span::empty(span.end), replacement: line_break.into() });
        }
    }
}

fn trailing_comma(document: &Document, id: NodeId) -> Option<Edit> {
    let expression = document.expression(id);
    let last = match expression.kind() {
        ExpressionKind::Tuple => expression.elements().last()?,
        ExpressionKind::Call(call) if !call.expands_last() => call.arguments().last()?,
        _ => return None,
    };
    let (tokens, tree) = (document.tokens(), document.tree());
    let (_, last_token) = tree.token_range(last.id());
    let (_, close) = tree.token_range(id);
    if tokens.kind(last_token) == TokenKind::CloseHeredoc {
        return None;
    }
    let between = || (last_token + 1..close).map(|at| tokens.kind(at));
    let is_missing =
        between().any(|kind| kind == TokenKind::Newline) && !between().any(|kind| kind == TokenKind::Comma);
    is_missing.then(|| Edit { span: Span::empty(tokens.span(last_token).end), replacement: ",".into() })
}
