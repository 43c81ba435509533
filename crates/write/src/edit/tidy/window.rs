//! The part of a text that an edit can change, apart from the rest by blank lines outside of all brackets: no alignment
//! and no indentation reaches across them. Formatting that part takes less time than formatting the whole.

use hclkit_syntax::{Document, Span};
use memchr::memmem;

use super::super::splice::Splice;

/// The part of a text around its edits, and the rest of the text, which stays.
#[derive(Debug)]
pub(super) struct Window {
    /// In the old text.
    inside: Span,
    /// The length of the text after it.
    after: usize,
}

impl Window {
    /// Where the text of a document can be divided, in its order. `None` if it cannot.
    pub(super) fn borders(document: &Document) -> Option<Vec<u32>> {
        let text = document.source().text();
        // A comment that excludes a part may be far away.
        if document.has_errors() || memmem::find(text.as_bytes(), b"hcl-fmt:").is_some() {
            return None;
        }
        let mut borders = Vec::new();
        let mut end = 0;
        for item in document.tree().children(document.body().id()).map(|item| document.span(item)) {
            borders.extend(border(&text[end as usize..item.start as usize]).map(|at| end + at));
            end = item.end;
        }
        Some(borders)
    }

    /// The paragraphs around the edits of a text with such borders, and one more on each side. `None` if that is most of the text.
    pub(super) fn around(borders: &[u32], length: u32, splices: &[Splice]) -> Option<Self> {
        let first = splices.first()?.span.start;
        let last = splices.iter().map(|splice| splice.span.end).max()?;
        let before = borders.partition_point(|&border| border <= first);
        let after = before + borders[before..].partition_point(|&border| border < last);
        let start = before.checked_sub(2).map_or(0, |at| borders[at]);
        let inside = Span::new(start, borders.get(after + 1).copied().unwrap_or(length));
        Self::of(inside, length)
    }

    /// A part of a text. `None` if it is most of the text.
    pub(super) fn of(inside: Span, length: u32) -> Option<Self> {
        let is_small = 2 * inside.len() < length;
        is_small.then(|| Self { inside, after: (length - inside.end) as usize })
    }

    /// The window in the old text.
    pub(super) fn inside(&self) -> Span {
        self.inside
    }

    /// Splices as places in the window.
    pub(super) fn splices(&self, splices: &[Splice]) -> Vec<Splice> {
        let splice = |splice: &Splice| Splice { span: self.within(splice.span), text: splice.text.clone() };
        splices.iter().map(splice).collect()
    }

    /// Spans as places in the window.
    pub(super) fn spans(&self, spans: &[Span]) -> Vec<Span> {
        spans.iter().map(|&span| self.within(span)).collect()
    }

    fn within(&self, span: Span) -> Span {
        Span::new(span.start - self.inside.start, span.end - self.inside.start)
    }

    /// The window in the new text.
    pub(super) fn new_text<'t>(&self, text: &'t str) -> &'t str {
        &text[self.inside.start as usize..text.len() - self.after]
    }

    /// The new text with another content of the window.
    pub(super) fn with(&self, text: &str, content: &str) -> String {
        [&text[..self.inside.start as usize], content, &text[text.len() - self.after..]].concat()
    }
}

/// The end of the first blank line between two items, unless it may be in a comment.
fn border(between: &str) -> Option<u32> {
    if between.contains("/*") {
        return None;
    }
    let mut at = between.find('\n')? + 1;
    for line in between[at..].split_inclusive('\n') {
        at += line.len();
        if line.ends_with('\n') && line.trim_ascii().is_empty() {
            return Some(at as u32);
        }
    }
    None
}
