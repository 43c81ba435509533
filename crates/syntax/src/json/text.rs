//! The decoded text of strings, and the mapping of its offsets to the source.

use std::borrow::Cow;
use std::sync::Arc;

use super::document::JsonDocument;
use super::node::Form;
use super::string::{Escape, escape_at};
use crate::{Diagnostic, NodeId, Source, Span};

/// A string or the name of a property.
#[derive(Debug, Clone, Copy)]
pub struct JsonText<'d> {
    document: &'d JsonDocument,
    id: NodeId,
}

impl<'d> JsonText<'d> {
    pub(super) fn new(document: &'d JsonDocument, id: NodeId) -> Self {
        Self { document, id }
    }

    /// The document that contains it.
    pub fn document(self) -> &'d JsonDocument {
        self.document
    }

    /// The id of the string in the document. [`JsonDocument::value`] finds it, even if it is a name.
    pub fn id(self) -> NodeId {
        self.id
    }

    /// The span, including quotes.
    pub fn span(self) -> Span {
        self.document.node(self.id).span()
    }

    /// The span of the text between the quotes.
    pub fn inner_span(self) -> Span {
        let (span, raw) = (self.span(), self.source_text());
        let first = raw.chars().next().map_or(0, char::len_utf8) as u32;
        let last = raw.chars().next_back().map_or(0, char::len_utf8) as u32;
        match self.document.node(self.id).form {
            Form::Plain | Form::Encoded | Form::OtherQuotes => {
                Span::new(span.start + first, (span.end - last).max(span.start + first))
            }
            Form::Unclosed => Span::new(span.start + first, span.end),
            Form::Bare => span,
        }
    }

    /// The source text, with quotes and escape sequences as written.
    pub fn source_text(self) -> &'d str {
        self.document.source().slice(self.span())
    }

    /// Returns true if the text is identical to the source, so that nothing is decoded.
    pub fn is_plain(self) -> bool {
        matches!(self.document.node(self.id).form, Form::Plain | Form::Bare)
    }

    /// The decoded text: escape sequences are resolved. Unpaired surrogates and bytes that are not UTF-8 become U+FFFD.
    /// The backslash of an invalid escape sequence is removed.
    pub fn value(self) -> Cow<'d, str> {
        let raw = self.document.source().slice(self.inner_span());
        if self.is_plain() {
            return Cow::Borrowed(raw);
        }
        let mut out = String::with_capacity(raw.len());
        self.pieces(|piece| match piece {
            Piece::Same(span) => out.push_str(self.document.source().slice(span)),
            Piece::Other { character, .. } => out.push(character),
        });
        Cow::Owned(out)
    }

    /// Returns a mapping from offsets in [`value`](Self::value) to the source.
    ///
    /// ```
    /// use hclkit_syntax::{Span, json};
    /// let document = json::parse(r#"["\u00e9 ${a}"]"#);
    /// let text = document.root().elements().next().and_then(|value| value.as_string()).unwrap();
    /// assert_eq!(text.value(), "é ${a}");
    /// let found = text.map().span(Span::new(3, 7));
    /// assert_eq!(document.source().slice(found), "${a}");
    /// ```
    pub fn map(self) -> TextMap {
        let inner = self.inner_span();
        let mut map = TextMap { edges: vec![(0, inner.start)], end: inner.end };
        let mut decoded = 0;
        self.pieces(|piece| {
            let (len, span) = match piece {
                Piece::Same(span) => (span.len(), span),
                Piece::Other { character, span } => (character.len_utf8() as u32, span),
            };
            map.edge(decoded, span.start);
            decoded += len;
        });
        map.edge(decoded, inner.end);
        map
    }

    /// Visits the pieces of the text in order.
    fn pieces(self, mut take: impl FnMut(Piece)) {
        let inner = self.inner_span();
        let source = self.document.source();
        let bytes = source.text().as_bytes();
        let invalid = source.invalid();
        let mut bad = invalid.partition_point(|bad| bad.end <= inner.start);
        let (mut at, mut same, end) = (inner.start, inner.start, inner.end);
        while at < end {
            while invalid.get(bad).is_some_and(|bad| bad.end <= at) {
                bad += 1;
            }
            let next_bad = invalid.get(bad).map_or(end, |bad| bad.start.clamp(at, end));
            let clean = &bytes[at as usize..next_bad as usize];
            at = if self.is_plain() {
                end
            } else {
                memchr::memchr(b'\\', clean).map_or(next_bad, |found| at + found as u32)
            };
            if at == end {
                break;
            }
            let (len, character) = if at == next_bad {
                (1, Some(char::REPLACEMENT_CHARACTER))
            } else {
                match escape_at(&bytes[at as usize..end as usize]) {
                    Escape::Character { len, character } => (len, Some(character)),
                    Escape::Lone => (6, Some(char::REPLACEMENT_CHARACTER)),
                    // Remove the backslash and keep what follows it, even if that is another backslash.
                    Escape::Invalid { .. } => (1, None),
                }
            };
            take(Piece::Same(Span::new(same, at)));
            if let Some(character) = character {
                take(Piece::Other { character, span: Span::new(at, at + len) });
            }
            at += len;
            same = at;
        }
        take(Piece::Same(Span::new(same, end)));
    }
}

impl PartialEq<str> for JsonText<'_> {
    fn eq(&self, other: &str) -> bool {
        self.value() == other
    }
}

/// A piece of a text.
enum Piece {
    /// Identical to the source.
    Same(Span),
    /// A character that is written differently.
    Other { character: char, span: Span },
}

/// A mapping from byte offsets in the decoded text of a string to the source; see [`JsonText::map`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextMap {
    /// Pairs of an offset in the text and one in the source, from each of which both advance together.
    edges: Vec<(u32, u32)>,
    /// The end of the text in the source.
    end: u32,
}

impl TextMap {
    /// Maps an offset in the text to the source. An offset past the end is mapped to the closing quote.
    pub fn offset(&self, decoded: u32) -> u32 {
        let after = self.edges.partition_point(|&(edge, _)| edge <= decoded);
        let (edge, start) = self.edges[after.saturating_sub(1)];
        // Inside a character that is written differently, and past the end, offsets do not advance.
        let limit = self.edges.get(after).map_or(self.end, |&(_, next)| next);
        start.saturating_add(decoded - edge).min(limit)
    }

    /// Maps a span in the text to the source.
    pub fn span(&self, decoded: Span) -> Span {
        Span::new(self.offset(decoded.start), self.offset(decoded.end))
    }

    /// Returns true if the text is identical to the source.
    pub fn is_plain(&self) -> bool {
        self.edges.len() == 1
    }

    /// Adds a pair of offsets. Pairs must be added in order.
    fn edge(&mut self, decoded: u32, source: u32) {
        let (edge, start) = self.edges[self.edges.len() - 1];
        if start + (decoded - edge) != source {
            self.edges.push((decoded, source));
        }
    }

    /// Moves a diagnostic about the text to the source that the string is in. Its fix is kept only if the text is in the
    /// source as it is, and the new text needs no escapes.
    #[must_use]
    pub fn moved(&self, mut diagnostic: Diagnostic, source: &Arc<Source>) -> Diagnostic {
        diagnostic.source = Some(source.clone());
        diagnostic.span = self.span(diagnostic.span);
        diagnostic.context = diagnostic.context.map(|context| self.span(context));
        for related in &mut diagnostic.related {
            related.span = self.span(related.span);
        }
        let mut same = self.is_plain();
        for edit in diagnostic.fix.iter_mut().flat_map(|fix| &mut fix.edits) {
            same &= !edit.replacement.contains(|c: char| matches!(c, '"' | '\\') || c.is_control());
            edit.span = self.span(edit.span);
        }
        diagnostic.fix = diagnostic.fix.take().filter(|_| same);
        diagnostic
    }
}
