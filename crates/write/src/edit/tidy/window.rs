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
    /// The paragraphs around the edits, and one more on each side. `None` if that is most of the text, or if it cannot be
    /// formatted on its own.
    pub(super) fn around(document: &Document, splices: &[Splice]) -> Option<Self> {
        let text = document.source().text();
        let first = splices.first()?.span.start;
        let last = splices.iter().map(|splice| splice.span.end).max()?;
        // A comment that excludes a part may be far away.
        if document.has_errors() || memmem::find(text.as_bytes(), b"hcl-fmt:").is_some() {
            return None;
        }
        let (mut before, mut after) = ([0, 0], Vec::new());
        let mut end = 0;
        for item in document.tree().children(document.body().id()).map(|item| document.span(item)) {
            let border = border(&text[end as usize..item.start as usize]).map(|at| end + at);
            match border {
                Some(border) if border <= first => before = [before[1], border],
                Some(border) if border >= last => after.push(border),
                _ => {}
            }
            if after.len() == 2 {
                break;
            }
            end = item.end;
        }
        let inside = Span::new(before[0], after.get(1).copied().unwrap_or(document.source().len()));
        let is_small = 2 * inside.len() < document.source().len();
        is_small.then(|| Self { inside, after: text.len() - inside.end as usize })
    }

    /// The window in the old text, and splices and spans as places in it.
    pub(super) fn of(&self, splices: &[Splice], spans: &[Span]) -> (Span, Vec<Splice>, Vec<Span>) {
        let start = self.inside.start;
        let within = |span: Span| Span::new(span.start - start, span.end - start);
        let splice = |splice: &Splice| Splice { span: within(splice.span), text: splice.text.clone() };
        (self.inside, splices.iter().map(splice).collect(), spans.iter().copied().map(within).collect())
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
