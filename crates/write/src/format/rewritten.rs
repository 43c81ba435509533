//! A text in which the program of a language has rewritten more than spaces, and its changes combined with those of formatting.

use hclkit_syntax::{Document, Edit, Span, TokenKind, parse};

use super::{Formatted, Formatter, Style, format_tokens, line_width, markers, order, terraform};

/// A text with rewrites applied.
#[derive(Debug, Clone)]
pub(super) struct Rewritten {
    /// The rewrites by their places in the source, sorted and without overlaps.
    edits: Vec<Edit>,
    document: Document,
    /// The spans of it that are not formatted.
    kept: Vec<Span>,
    /// The text as rewritten by the program, before the style.
    unstyled: Document,
}

/// Finds the changes to a document in which some parts are excluded.
type Pass = fn(&Document, &[Span], &Formatter) -> Vec<Edit>;

const STYLE: &[Pass] = &[
    |document, kept, formatter| {
        order::meta_arguments(document, kept, formatter.style, formatter.dialect.as_deref())
    },
    |document, kept, formatter| order::sorted(document, kept, formatter.style, formatter.dialect.as_deref()),
    |document, _, formatter| formatter.style.edits(document),
    |document, kept, formatter| line_width::edits(document, kept, formatter.style),
];

impl Rewritten {
    /// The rewrites of a document, except in the parts that must not change. `None` if there are none. A pass that
    /// would cause errors is skipped.
    pub(super) fn of(document: &Document, kept: Vec<Span>, formatter: &Formatter) -> Option<Self> {
        let unstyled = document.clone();
        let mut all = Self { edits: Vec::new(), document: document.clone(), kept, unstyled };
        if formatter.rewrites {
            all.run(|document, _, _| terraform::rewrites(document), formatter);
            all.unstyled = all.document.clone();
        }
        if formatter.style.rewrites() {
            for &pass in STYLE {
                all.run(pass, formatter);
            }
        }
        (!all.edits.is_empty()).then_some(all)
    }

    fn run(&mut self, pass: Pass, formatter: &Formatter) {
        let source = self.document.source();
        let stays = |edit: &Edit| {
            self.kept.iter().any(|span| edit.span.start < span.end && span.start < edit.span.end)
        };
        let mut edits = pass(&self.document, &self.kept, formatter);
        edits.sort_by_key(|edit| edit.span);
        edits.retain(|edit| !stays(edit) && source.slice(edit.span) != edit.replacement);
        if edits.is_empty() {
            return;
        }
        let mut text = String::new();
        let mut from = 0;
        for edit in &edits {
            text.push_str(source.slice(Span::new(from, edit.span.start)));
            text.push_str(&edit.replacement);
            from = edit.span.end;
        }
        text.push_str(source.slice(Span::new(from, source.len())));
        let document = parse(text);
        if !document.has_errors() {
            self.edits = self.edits_with(edits.into_iter());
            self.kept = if formatter.markers { markers::kept(&document) } else { Vec::new() };
            self.document = document;
        }
    }

    /// Returns true if the style changed only line breaks, commas and, if allowed, the order.
    pub(super) fn is_faithful(&self, style: Style) -> bool {
        let tokens = |document: &Document| {
            let all = document.tokens();
            let mut tokens: Vec<(TokenKind, Vec<u8>)> = all
                .iter()
                .filter(|token| !matches!(token.kind, TokenKind::Newline | TokenKind::Comma))
                .map(|token| (token.kind, document.source().slice(token.span).as_bytes().to_owned()))
                .collect();
            if style.reorders() {
                tokens.sort_unstable();
            }
            tokens
        };
        !style.rewrites() || tokens(&self.unstyled) == tokens(&self.document)
    }

    pub(super) fn text(&self) -> &str {
        self.document.source().text()
    }

    /// Formats it, and returns the result as changes to the source.
    pub(super) fn formatted(self, source: &[u8], style: Style) -> Formatted<'_> {
        let gaps = format_tokens(self.document.source(), self.document.tokens(), &self.kept, style).gaps;
        Formatted { source, rewritten: Some(self), whole: None, gaps, style }
    }

    /// Combines the rewrites with further edits of the rewritten text into edits of the source. Edits that touch
    /// become one.
    pub(super) fn edits_with(&self, further: impl Iterator<Item = Edit>) -> Vec<Edit> {
        let mut all = Vec::new();
        let (mut rewrites, mut further) = (self.edits.iter().peekable(), further.peekable());
        // The end of the last rewrite: in the rewritten text, and in the source.
        let mut last = (0, 0);
        loop {
            let next_rewrite = rewrites.peek().map(|edit| last.0 + (edit.span.start - last.1));
            let next_further = further.peek().map(|edit| edit.span.start);
            let Some(start) = next_rewrite.into_iter().chain(next_further).min() else { return all };
            let source_start = last.1 + (start - last.0);
            // The end of the replaced part of the rewritten text, and the end of the part that was copied into the
            // replacement.
            let (mut end, mut done) = (start, start);
            let mut replacement = String::new();
            loop {
                let begin = |edit: &Edit| last.0 + (edit.span.start - last.1);
                if let Some(edit) = rewrites.next_if(|edit| begin(edit) <= end) {
                    last = (begin(edit) + edit.replacement.len() as u32, edit.span.end);
                    end = end.max(last.0);
                } else if let Some(edit) = further.next_if(|edit| edit.span.start <= end) {
                    replacement.push_str(self.slice(done, edit.span.start));
                    replacement.push_str(&edit.replacement);
                    done = edit.span.end;
                    end = end.max(done);
                } else {
                    break;
                }
            }
            replacement.push_str(self.slice(done, end));
            let span = Span::new(source_start, last.1 + (end - last.0));
            all.push(Edit { span, replacement: replacement.into() });
        }
    }

    fn slice(&self, start: u32, end: u32) -> &str {
        self.document.source().slice(Span::new(start, end))
    }
}
