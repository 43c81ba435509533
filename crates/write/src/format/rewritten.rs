//! A text in which a profile has rewritten more than blanks, and how its changes go together with those of formatting.

use hclkit_syntax::{Document, Edit, Span, parse};

use super::{Formatted, Formatter, Style, format_tokens, markers, terraform};

/// A text with rewrites applied.
#[derive(Debug, Clone)]
pub(super) struct Rewritten {
    /// The rewrites by their places in the source, in order and apart.
    edits: Vec<Edit>,
    document: Box<Document>,
    /// What is not to be formatted of it.
    kept: Vec<Span>,
}

impl Rewritten {
    /// The rewrites of a document, but for the parts that are to stay. `None` if there are none, or if they made a text
    /// with mistakes of one without.
    pub(super) fn of(document: &Document, kept: &[Span], formatter: Formatter) -> Option<Self> {
        let stays =
            |edit: &Edit| kept.iter().any(|span| edit.span.start < span.end && span.start < edit.span.end);
        let mut edits = if formatter.profile.rewrites() { terraform::rewrites(document) } else { Vec::new() };
        // What a profile replaces is not changed in another way as well.
        let mut added = formatter.style.edits(document);
        added.retain(|new| {
            let next = edits.partition_point(|edit| edit.span.end < new.span.start);
            edits.get(next).is_none_or(|edit| edit.span.start > new.span.end)
        });
        edits.extend(added);
        edits.sort_by_key(|edit| edit.span);
        edits.retain(|edit| !stays(edit) && document.source().slice(edit.span) != edit.replacement);
        if edits.is_empty() {
            return None;
        }
        let mut text = String::new();
        let mut from = 0;
        for edit in &edits {
            text.push_str(document.source().slice(Span::new(from, edit.span.start)));
            text.push_str(&edit.replacement);
            from = edit.span.end;
        }
        text.push_str(document.source().slice(Span::new(from, document.source().len())));
        let document = Box::new(parse(text));
        let kept = if formatter.markers { markers::kept(&document) } else { Vec::new() };
        (!document.has_errors()).then_some(Self { edits, document, kept })
    }

    pub(super) fn text(&self) -> &str {
        self.document.source().text()
    }

    /// It, formatted, as changes of the source.
    pub(super) fn formatted(self, source: &[u8], style: Style) -> Formatted<'_> {
        let gaps = format_tokens(self.document.source(), self.document.tokens(), &self.kept, style).gaps;
        Formatted { source, rewritten: Some(self), gaps }
    }

    /// The rewrites and further edits of the rewritten text as edits of the source. Those that touch become one.
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
            // Up to where the rewritten text is replaced, and up to where that has been put into the replacement.
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
