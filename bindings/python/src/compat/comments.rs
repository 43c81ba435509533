//! The comments of a document, as python-hcl2 8 groups them: what is between two other tokens is one group.

use hclkit::{Document, Span};

/// The groups of line breaks and comments that contain comments.
pub(super) struct Comments<'d> {
    document: &'d Document,
    groups: Vec<Span>,
}

impl<'d> Comments<'d> {
    pub(super) fn new(document: &'d Document) -> Self {
        let tokens = document.tokens();
        let (mut groups, mut open): (Vec<Span>, Option<Span>) = (Vec::new(), None);
        let mut has_comment = false;
        for at in 0..tokens.len() as u32 {
            let kind = tokens.kind(at);
            if kind.is_trivia() {
                let span = tokens.span(at);
                open = Some(open.map_or(span, |group| group.cover(span)));
                has_comment |= kind.is_comment();
            } else if let Some(group) = open.take() {
                if has_comment {
                    groups.push(group);
                }
                has_comment = false;
            }
        }
        groups.extend(open.filter(|_| has_comment));
        Self { document, groups }
    }

    /// The groups that begin in a span.
    pub(super) fn within(&self, span: Span) -> &[Span] {
        let start = self.groups.partition_point(|group| group.start < span.start);
        let count = self.groups[start..].partition_point(|group| group.start < span.end);
        &self.groups[start..start + count]
    }

    /// The texts of a group.
    pub(super) fn texts(&self, group: Span) -> Vec<&'d str> {
        let text = self.document.source().slice(group);
        let whole = text.trim();
        if let Some(inner) = whole.strip_prefix("/*").and_then(|inner| inner.strip_suffix("*/")) {
            let inner = inner.trim();
            return if inner.is_empty() { Vec::new() } else { vec![inner] };
        }
        let plain = |line: &'d str| {
            let line = line.trim();
            line.strip_prefix("//").or_else(|| line.strip_prefix('#')).unwrap_or(line)
        };
        text.split('\n').map(plain).filter(|line| !line.is_empty()).map(str::trim).collect()
    }

    /// Whether a group begins on the line on which a token ends.
    pub(super) fn is_inline(&self, group: Span) -> bool {
        !self.document.source().slice(group).starts_with(['\n', '\r'])
    }
}
