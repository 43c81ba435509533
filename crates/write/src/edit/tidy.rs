//! Formatting of an edited text: parts that were formatted before are formatted again, others are not.

mod window;

use std::borrow::Cow;

use hclkit_syntax::{Document, Edit, Source, Span, StartSymbol, Syntax};

use super::splice::Splice;
use crate::Formatter;
use window::Window;

/// Formats an edited text. The splices are those that produced it, sorted; the spans are their places in the new text.
pub(super) fn tidy(
    before: &Document,
    formatter: &Formatter,
    splices: &[Splice],
    spans: &[Span],
    text: String,
) -> Document {
    if before.syntax() == Syntax::Json {
        return Document::parse_json(Source::new(before.source().name(), text));
    }
    // Formatting a part is faster, and the result is the same, if only blanks change.
    let window = if formatter.changes_more_than_blanks() { None } else { Window::around(before, splices) };
    let Some(window) = window else { return whole(before, formatter, splices, spans, text) };
    let (inside, splices, spans) = window.of(splices, spans);
    let part = |text: &str| Document::parse(Source::new("", text), StartSymbol::Config);
    let tidied = whole(
        &part(before.source().slice(inside)),
        formatter,
        &splices,
        &spans,
        window.new_text(&text).to_owned(),
    );
    let text = window.with(&text, tidied.source().text());
    Document::parse(Source::new(before.source().name(), text), StartSymbol::Config)
}

/// Formats an edited text, all of which may change.
fn whole(
    before: &Document,
    formatter: &Formatter,
    splices: &[Splice],
    spans: &[Span],
    text: String,
) -> Document {
    let name = before.source().name();
    let parse = |text: String| Document::parse(Source::new(name, text), StartSymbol::Config);
    let document = parse(text);
    if formatter.changes_more_than_blanks() && formatter.format(before).is_unchanged() {
        let formatted = formatter.format(&document);
        return match formatted.bytes() {
            Cow::Borrowed(_) => document,
            // The source is UTF-8, and so is the result.
            Cow::Owned(text) => parse(String::from_utf8_lossy(&text).into_owned()),
        };
    }
    let formatter = &formatter.for_blanks();
    let old = blank_edits(before, formatter);
    let mut edits = blank_edits(&document, formatter);
    if !old.is_empty() {
        let unformatted = moved(splices, &old);
        let mut regions: Vec<Span> = paragraphs(document.source().text(), spans)
            .into_iter()
            .filter(|(_, around)| {
                let at = unformatted.partition_point(|&offset| offset < around.start);
                unformatted.get(at).is_none_or(|&offset| offset > around.end)
            })
            .map(|(paragraph, _)| paragraph)
            .collect();
        // Each region that starts earlier reaches as far as any before it.
        regions.sort_by_key(|region| region.start);
        for at in 1..regions.len() {
            regions[at].end = regions[at].end.max(regions[at - 1].end);
        }
        edits.retain(|edit| {
            let at = regions.partition_point(|region| region.start <= edit.span.start);
            at.checked_sub(1).is_some_and(|last| edit.span.end <= regions[last].end)
        });
    }
    if edits.is_empty() {
        return document;
    }
    let source = document.source().text();
    let mut text = String::with_capacity(source.len());
    let mut from = 0;
    for Edit { span, replacement } in &edits {
        text.push_str(&source[from..span.start as usize]);
        text.push_str(replacement);
        from = span.end as usize;
    }
    text.push_str(&source[from..]);
    parse(text)
}

/// The changes that format a text, except that a byte order mark stays.
fn blank_edits(document: &Document, formatter: &Formatter) -> Vec<Edit> {
    let mut edits = formatter.format(document).edits();
    let text = document.source().text();
    if text.starts_with('\u{feff}')
        && let Some(first) = edits.first_mut()
        && first.span.start == 0
    {
        first.span.start = "\u{feff}".len() as u32;
        // A text without tokens keeps its length: spaces replace the mark.
        let is_blank = first.span.end as usize == text.len();
        if is_blank || document.source().slice(first.span) == &*first.replacement {
            edits.remove(0);
        }
    }
    edits
}

/// The starts, in the new text, of the spans that are not formatted, without those that were replaced.
fn moved(splices: &[Splice], edits: &[Edit]) -> Vec<u32> {
    let mut splices = splices.iter().peekable();
    let (mut added, mut removed) = (0_u32, 0_u32);
    let mut replaced_to = 0;
    let mut out = Vec::new();
    for Edit { span, .. } in edits {
        while let Some(splice) = splices.next_if(|splice| splice.span.start <= span.start) {
            added += splice.text.len() as u32;
            removed += splice.span.len();
            replaced_to = splice.span.end;
        }
        if span.start >= replaced_to {
            out.push(span.start + added - removed);
        }
    }
    out
}

/// The paragraph of each span, with the nearest lines beyond it. Spans in the same paragraph share it, so that a long one is
/// read once.
fn paragraphs(text: &str, spans: &[Span]) -> Vec<(Span, Span)> {
    let is_single = |inner: Span| {
        let mut lines = text[inner.start as usize..inner.end as usize].lines();
        lines.all(|line| !line.trim_ascii().is_empty())
    };
    let mut found: Vec<(Span, Span)> = Vec::with_capacity(spans.len());
    let mut single = false;
    for &span in spans {
        match found.last() {
            Some(&(inner, around)) if single && inner.start <= span.start && span.end < inner.end => {
                found.push((inner, around));
            }
            _ => {
                let new = paragraph(text, span);
                single = is_single(new.0);
                found.push(new);
            }
        }
    }
    found
}

/// The lines around a span up to blank lines, and the same with the nearest lines beyond these.
fn paragraph(text: &str, span: Span) -> (Span, Span) {
    let bytes = text.as_bytes();
    let is_blank = |line: &[u8]| line.iter().all(u8::is_ascii_whitespace);
    let line_before =
        |at: usize| bytes[..at - 1].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let line_after = |at: usize| {
        bytes[at..].iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |len| at + len + 1)
    };
    let mut start =
        bytes[..span.start as usize].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let end = span.end as usize;
    let mut end = if end > start && bytes[end - 1] == b'\n' { end } else { line_after(end) };
    while start > 0 && !is_blank(&bytes[line_before(start)..start]) {
        start = line_before(start);
    }
    while end < bytes.len() && !is_blank(&bytes[end..line_after(end)]) {
        end = line_after(end);
    }
    let inner = Span::new(start as u32, end as u32);
    while start > 0 && is_blank(&bytes[line_before(start)..start]) {
        start = line_before(start);
    }
    if start > 0 {
        start = line_before(start);
    }
    while end < bytes.len() && is_blank(&bytes[end..line_after(end)]) {
        end = line_after(end);
    }
    (inner, Span::new(start as u32, line_after(end.min(bytes.len())) as u32))
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;
    use hclkit_syntax::{NodeId, NodeKind, Visit, parse};

    use super::super::{Edits, splice};
    use super::*;

    const PARAGRAPHS: [&str; 9] = [
        "a@ = 1\nlonger@ = 2 # two\n",
        "a@      = 1\nlonger@ = 2 # two\n",
        "# apart\n\n# about b\nb \"x\" {\n  c = [1, 2]\n\n  d = 3\n}\n",
        "b {\n c=1\n}\n",
        "/* a comment\n\n   with a blank line */\ne@ = <<EOT\n  ${f(1)}\nEOT\n",
        "g {} # g\nh {} # h\n",
        "i@ = {\n  j = 1\n  k =  2 }\n",
        "\n\n\nl@ = 1\n",
        "m@ = [\n  1,\n\n  2,\n]\n",
    ];

    /// A part is formatted as it would be in the whole.
    #[test]
    fn a_part_is_formatted_like_the_whole() {
        let (mut rng, mut parts) = (Rng::with_seed(1), 0);
        for _ in 0..3_000 {
            let count = rng.usize(4..24);
            let text: String = (0..count)
                .map(|number| {
                    let paragraph = PARAGRAPHS[rng.usize(..PARAGRAPHS.len())];
                    let blank = ["\n", "\n", " \n", ""][rng.usize(..4)];
                    paragraph.replace('@', &number.to_string()) + blank
                })
                .collect();
            let document = parse(text);
            let is_item = |kind| matches!(kind, NodeKind::Attribute | NodeKind::Block | NodeKind::Body);
            let nodes: Vec<NodeId> = document
                .tree()
                .walk(NodeId::ROOT)
                .filter_map(|visit| match visit {
                    Visit::Enter(id) => is_item(document.tree().kind(id)).then_some(id),
                    Visit::Leave(_) => None,
                })
                .collect();
            let mut edits = Edits::new(&document);
            let node = nodes[rng.usize(..nodes.len())];
            let done = match rng.u8(..4) {
                0 => edits.remove(node),
                1 => edits.insert_after(node, "much_longer = 1"),
                2 => edits.set(node, "[\n1,\n\n2]"),
                _ => edits.append(node, "n { }"),
            };
            let Ok(mut splices) = done.and_then(|()| edits.splices()) else { continue };
            let (text, spans) = splice::apply(document.source().text(), &mut splices).unwrap();
            let formatter = Formatter::plain().with_markers();
            parts += usize::from(Window::around(&document, &splices).is_some());
            let tidied = tidy(&document, &formatter, &splices, &spans, text.clone());
            let expected = whole(&document, &formatter, &splices, &spans, text);
            assert_eq!(tidied.source().text(), expected.source().text(), "{}", document.source().text());
        }
        assert!(parts > 500, "{parts}");
    }
}
