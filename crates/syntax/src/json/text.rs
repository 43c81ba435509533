//! What the text of a string is, escape sequences resolved, and where each piece of it stands in the source.

use std::borrow::Cow;

use super::document::Document;
use super::node::Form;
use super::string::{Escape, escape_at};
use crate::{NodeId, Span};

/// A string, or the name of a property.
#[derive(Debug, Clone, Copy)]
pub struct Text<'d> {
    document: &'d Document,
    id: NodeId,
}

impl<'d> Text<'d> {
    pub(super) fn new(document: &'d Document, id: NodeId) -> Self {
        Self { document, id }
    }

    /// The number of the string in the document, by which [`Document::value`] finds it, a name too.
    pub fn id(self) -> NodeId {
        self.id
    }

    /// Where it stands, quotes included.
    pub fn span(self) -> Span {
        self.document.node(self.id).span()
    }

    /// Where the text between the quotes stands.
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

    /// Its source text, quotes and escape sequences as they are written.
    pub fn source_text(self) -> &'d str {
        self.document.source().slice(self.span())
    }

    /// Whether the text stands in the source as it is, so that nothing has to be decoded.
    pub fn is_plain(self) -> bool {
        matches!(self.document.node(self.id).form, Form::Plain | Form::Bare)
    }

    /// What the string says: escape sequences are resolved, and what is no character is U+FFFD. Such are half of a
    /// surrogate pair and a byte that is no UTF-8. A backslash that begins no escape sequence is left out.
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

    /// The way from offsets in [`value`](Self::value) back to the source.
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

    /// Goes through the text piece by piece.
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
                    // The backslash goes, and what follows it stays, be it another backslash.
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

impl PartialEq<str> for Text<'_> {
    fn eq(&self, other: &str) -> bool {
        self.value() == other
    }
}

/// A piece of a text.
enum Piece {
    /// Stands in the source as it is.
    Same(Span),
    /// Stands for another character.
    Other { character: char, span: Span },
}

/// The way from byte offsets in the decoded text of a string back to the source; see [`Text::map`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextMap {
    /// Offsets in the text and in the source, from each of which on the two go in step.
    edges: Vec<(u32, u32)>,
    /// Where the text ends in the source.
    end: u32,
}

impl TextMap {
    /// The offset in the source of an offset in the text. Past the end of the text is the closing quote.
    pub fn offset(&self, decoded: u32) -> u32 {
        let after = self.edges.partition_point(|&(edge, _)| edge <= decoded);
        let (edge, start) = self.edges[after.saturating_sub(1)];
        // Within a character that is written otherwise, and past the end, there is nothing to count on to.
        let limit = self.edges.get(after).map_or(self.end, |&(_, next)| next);
        start.saturating_add(decoded - edge).min(limit)
    }

    /// The span in the source of a span in the text.
    pub fn span(&self, decoded: Span) -> Span {
        Span::new(self.offset(decoded.start), self.offset(decoded.end))
    }

    /// Whether the text stands in the source as it is, one byte for one.
    pub fn is_plain(&self) -> bool {
        self.edges.len() == 1
    }

    /// Takes note that an offset in the text is this one in the source, which offsets are told of in order.
    fn edge(&mut self, decoded: u32, source: u32) {
        let (edge, start) = self.edges[self.edges.len() - 1];
        if start + (decoded - edge) != source {
            self.edges.push((decoded, source));
        }
    }
}
