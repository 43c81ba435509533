//! Style settings that the programs of the languages do not support; blank lines around blocks and trailing commas.

use hclkit_syntax::ast::{BlockNode, BodyNode, ExpressionKind, Item};
use hclkit_syntax::{Document, Edit, NodeId, NodeKind, Span, TokenKind, Visit};

/// Style settings, all off by default because no other formatter supports them. They change only blanks, line breaks,
/// commas and the order of attributes.
///
/// ```
/// use hclkit_write::{Formatter, Style};
///
/// let style = Style::new().with_alignment(false).with_blank_lines(true).with_trailing_commas(true);
/// let document = hclkit_syntax::parse("long = 1\na = [\n  1\n]\nb {}\nc {}\n");
/// let formatted = Formatter::plain().with_style(style).format(&document);
/// assert_eq!(formatted.text(), "long = 1\na = [\n  1,\n]\n\nb {}\n\nc {}\n");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
// Each flag is a setting.
#[allow(clippy::struct_excessive_bools)]
pub struct Style {
    alignment: bool,
    blank_lines: bool,
    trailing_commas: bool,
    meta_arguments: bool,
    sorted_attributes: bool,
    width: Option<u32>,
    joined_lists: bool,
}

impl Default for Style {
    fn default() -> Self {
        Self::new()
    }
}

impl Style {
    /// The style of the other formatters.
    pub const fn new() -> Self {
        Self {
            alignment: true,
            blank_lines: false,
            trailing_commas: false,
            meta_arguments: false,
            sorted_attributes: false,
            width: None,
            joined_lists: false,
        }
    }

    /// Sets whether equals signs and trailing comments are aligned. The default is true.
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

    /// Sets whether the arguments that Terraform itself defines are in the order of its style guide, for Terraform and
    /// `OpenTofu`: `count` and `for_each` are first in a resource, `lifecycle` and `depends_on` last.
    ///
    /// ```
    /// use hclkit_dialect::Dialect;
    /// use hclkit_write::{Formatter, Style};
    ///
    /// let style = Style::new().with_meta_arguments(true);
    /// let document = hclkit_syntax::parse("resource \"a\" \"b\" {\n  size  = 1\n  count = 2\n}\n");
    /// let formatted = Formatter::new(Dialect::terraform()).with_style(style).format(&document);
    /// let text = "resource \"a\" \"b\" {\n  count = 2\n\n  size = 1\n}\n";
    /// assert_eq!(formatted.text(), text);
    /// ```
    #[must_use]
    pub const fn with_meta_arguments(mut self, meta_arguments: bool) -> Self {
        self.meta_arguments = meta_arguments;
        self
    }

    /// Sets whether attributes are sorted by name, between blank lines, blocks, and comments that do not belong to an
    /// attribute.
    #[must_use]
    pub const fn with_sorted_attributes(mut self, sorted_attributes: bool) -> Self {
        self.sorted_attributes = sorted_attributes;
        self
    }

    /// Sets the maximum width of a line in columns. Tuples, calls, objects and `for` expressions on longer lines are
    /// split, with a line for each element. Templates are not split, and comments at the end of a line do not count.
    ///
    /// ```
    /// use hclkit_write::{Formatter, Style};
    ///
    /// let document = hclkit_syntax::parse("ports = [80, 443, 8080]\n");
    /// let formatted = Formatter::plain().with_style(Style::new().with_width(20)).format(&document);
    /// assert_eq!(formatted.text(), "ports = [\n  80,\n  443,\n  8080\n]\n");
    /// ```
    #[must_use]
    pub const fn with_width(mut self, width: u32) -> Self {
        self.width = Some(width);
        self
    }

    /// Sets whether tuples and calls on several lines are joined if they fit into the [width](Self::with_width). Those
    /// that do not fit, or that contain comments, get a line for each element. Objects on several lines, and everything
    /// that contains one, do not change.
    #[must_use]
    pub const fn with_joined_lists(mut self, joined_lists: bool) -> Self {
        self.joined_lists = joined_lists;
        self
    }

    pub(super) const fn aligns(self) -> bool {
        self.alignment
    }

    pub(super) const fn adds_commas(self) -> bool {
        self.trailing_commas
    }

    pub(super) const fn width(self) -> Option<u32> {
        self.width
    }

    pub(super) const fn joins_lists(self) -> bool {
        self.joined_lists
    }

    pub(super) const fn orders_meta_arguments(self) -> bool {
        self.meta_arguments
    }

    pub(super) const fn sorts_attributes(self) -> bool {
        self.sorted_attributes
    }

    /// Returns true if the order of items can change.
    pub(super) const fn reorders(self) -> bool {
        self.meta_arguments || self.sorted_attributes
    }

    /// Returns true if more than blanks can change.
    pub(super) const fn rewrites(self) -> bool {
        self.blank_lines || self.trailing_commas || self.reorders() || self.width.is_some()
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
    let expression = document.expression_at(id);
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
