//! Formatting of an edited text: parts that were formatted before are formatted again, others are not.

mod window;

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeSet;

use hclkit_syntax::{Document, Edit, NodeId, NodeKind, Source, Span, StartSymbol, Syntax};

use super::changes;
use super::splice::{self, Splice};
use crate::Formatter;
use window::Window;

/// What is read of a document once, for many edits of it.
#[derive(Debug, Default)]
pub(super) struct Before {
    /// Where the text can be divided. `None` if it cannot.
    borders: OnceCell<Option<Vec<u32>>>,
    /// Whether the formatter leaves the text as it is.
    is_formatted: OnceCell<bool>,
}

/// Formats what edits made of a document.
#[derive(Debug)]
pub(super) struct Tidy<'a> {
    pub(super) document: &'a Document,
    pub(super) formatter: &'a Formatter,
    pub(super) before: &'a Before,
}

impl Tidy<'_> {
    /// Formats an edited text. The splices are those that produced it, sorted; the spans are their places in the new text.
    pub(super) fn tidied(&self, splices: &[Splice], spans: &[Span], text: String) -> Document {
        let name = self.document.source().name();
        if self.document.syntax() == Syntax::Json {
            return Document::parse_json(Source::new(name, text));
        }
        // Formatting a part is faster, and the result is the same.
        let Some(window) = self.window(splices) else {
            return whole(self.document, &self.formatter(), splices, spans, text);
        };
        let (splices, spans) = (window.splices(splices), window.spans(spans));
        let before = parsed("", self.document.source().slice(window.inside()));
        let tidied = whole(&before, &self.formatter(), &splices, &spans, window.new_text(&text).to_owned());
        parsed(name, window.with(&text, tidied.source().text()))
    }

    /// The edits of a document, with what formatting adds to them. Only the part of the text around them is read.
    /// `None` if it is not enough to read a part, or if the edits are impossible.
    pub(super) fn edits(&self, splices: &mut [Splice]) -> Option<Vec<Edit>> {
        splice::sort(splices);
        splice::size(self.document.source().text().len(), splices).ok()?;
        if self.document.syntax() == Syntax::Json {
            return self.edits_of_json(splices);
        }
        let window = self.window(splices)?;
        let (inside, mut splices) = (window.inside(), window.splices(splices));
        let before = parsed("", self.document.source().slice(inside));
        let old = before.source().text();
        let (text, spans) = splice::apply(old, &mut splices).ok()?;
        let after = whole(&before, &self.formatter(), &splices, &spans, text);
        // A new name may be one that another part has.
        let names = |document: &Document| -> BTreeSet<String> {
            document.body().attributes().map(|own| own.name().to_owned()).collect()
        };
        if after.has_errors() || !names(&after).is_subset(&names(&before)) {
            return None;
        }
        let mut edits = changes::between(old, &splices, after.source().text());
        for edit in &mut edits {
            edit.span = Span::new(edit.span.start + inside.start, edit.span.end + inside.start);
        }
        Some(edits)
    }

    /// The same in the JSON syntax: the edits as they are, if the smallest object around them stays valid.
    fn edits_of_json(&self, splices: &[Splice]) -> Option<Vec<Edit>> {
        let (tree, source) = (self.document.tree(), self.document.source());
        let first = splices.first()?.span.start;
        let last = splices.iter().map(|splice| splice.span.end).max()?;
        let mut node = Some(NodeId::ROOT).filter(|_| !self.document.has_errors());
        let mut around = None;
        while let Some(own) = node {
            node = tree.children(own).find(|&child| {
                let span = self.document.span(child);
                span.start < first && last < span.end
            });
            around = node.filter(|&node| tree.kind(node) == NodeKind::Object).or(around);
        }
        let window = Window::of(self.document.span(around?), source.len())?;
        let (text, _) = splice::apply(source.slice(window.inside()), &mut window.splices(splices)).ok()?;
        let edit = |Splice { span, text }: &Splice| Edit::new(*span, text.clone());
        let is_valid = !Document::parse_json(Source::new("", text)).has_errors();
        is_valid.then(|| splices.iter().map(edit).collect())
    }

    /// The part of the text around edits.
    fn window(&self, splices: &[Splice]) -> Option<Window> {
        let is_native = self.document.syntax() == Syntax::Native;
        if !is_native || !self.formatter.is_local() {
            return None;
        }
        let borders = self.before.borders.get_or_init(|| Window::borders(self.document));
        Window::around(borders.as_ref()?, self.document.source().len(), splices)
    }

    /// The formatter of the edited text: it changes only blanks unless the text was formatted before.
    fn formatter(&self) -> Cow<'_, Formatter> {
        let is_formatted =
            || *self.before.is_formatted.get_or_init(|| self.formatter.format(self.document).is_unchanged());
        if self.formatter.changes_more_than_blanks() && is_formatted() {
            Cow::Borrowed(self.formatter)
        } else {
            Cow::Owned(self.formatter.for_blanks())
        }
    }
}

fn parsed(name: &str, text: impl Into<String>) -> Document {
    Document::parse(Source::new(name, text.into()), StartSymbol::Config)
}

/// Formats an edited text, all of which may change.
fn whole(
    before: &Document,
    formatter: &Formatter,
    splices: &[Splice],
    spans: &[Span],
    text: String,
) -> Document {
    let parse = |text: String| parsed(before.source().name(), text);
    let document = parse(text);
    if formatter.changes_more_than_blanks() {
        let formatted = formatter.format(&document);
        return match formatted.bytes() {
            Cow::Borrowed(_) => document,
            // The source is UTF-8, and so is the result.
            Cow::Owned(text) => parse(String::from_utf8_lossy(&text).into_owned()),
        };
    }
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
    use hclkit_syntax::Visit;

    use super::super::Edits;
    use super::*;
    use crate::raw;

    const PARAGRAPHS: [&str; 10] = [
        "a@ = 1\nlonger@ = 2 # two\n",
        "a@      = 1\nlonger@ = 2 # two\n",
        "# apart\n\n# about b\nb \"x\" {\n  c = [1, 2]\n\n  d = 3\n}\n",
        "b {\n c=1\n}\n",
        "/* a comment\n\n   with a blank line */\ne@ = <<EOT\n  ${f(1)}\nEOT\n",
        "g {} # g\nh {} # h\n",
        "i@ = {\n  j = 1\n  k =  2 }\n",
        "\n\n\nl@ = 1\n",
        "m@ = [\n  1,\n\n  2,\n]\n",
        "variable \"v@\" {\n  type    = \"string\"\n  default = \"${x}\"\n}\n",
    ];

    /// A part is formatted as it would be in the whole.
    #[test]
    fn a_part_is_formatted_like_the_whole() {
        let (mut rng, mut parts, mut fixes, mut errors) = (Rng::with_seed(1), [0; 2], 0, 0);
        for _ in 0..6_000 {
            let count = rng.usize(4..24);
            let text: String = (0..count)
                .map(|number| {
                    let paragraph = PARAGRAPHS[rng.usize(..PARAGRAPHS.len())];
                    let blank = ["\n", "\n", " \n", ""][rng.usize(..4)];
                    paragraph.replace('@', &number.to_string()) + blank
                })
                .collect();
            let name = ["a.hcl", "a.tf"][rng.usize(..2)];
            let formatter = Formatter::of_path(name).with_markers();
            let document = parsed(name, text);
            let is_clean = rng.bool();
            let document = if is_clean {
                parsed(name, String::from_utf8_lossy(&formatter.format(&document).bytes()).into_owned())
            } else {
                document
            };
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
            let done = match rng.u8(..6) {
                0 => edits.remove(node),
                1 => edits.insert_after(node, "much_longer = 1"),
                2 => edits.set(node, raw("[\n1,\n\n2]")),
                3 => edits.set(node, raw("\"${a}\"")),
                4 => edits.insert_after(node, &format!("a{} = 1", rng.u8(..30))),
                _ => edits.append(node, "n { }"),
            };
            let Ok(mut splices) = done.and_then(|()| edits.splices()) else { continue };
            let old = document.source().text();
            let (text, spans) = splice::apply(old, &mut splices).unwrap();
            let tidy = Tidy { document: &document, formatter: &formatter, before: &Before::default() };
            let tidied = tidy.tidied(&splices, &spans, text.clone());
            let expected = whole(&document, &tidy.formatter(), &splices, &spans, text);
            // Edits that make errors are refused, and then nobody sees the text.
            assert_eq!(tidied.has_errors(), expected.has_errors(), "{old}");
            if !expected.has_errors() {
                assert_eq!(tidied.source().text(), expected.source().text(), "{old}");
            }
            let name = document.source().name();
            parts[usize::from(name == "a.tf")] += usize::from(tidy.window(&splices).is_some());
            if let Some(edits) = tidy.edits(&mut splices) {
                assert!(!expected.has_errors(), "{old}");
                assert_eq!(edits, changes::between(old, &splices, expected.source().text()), "{old}");
                fixes += 1;
            } else if tidy.window(&splices).is_some() {
                errors += usize::from(expected.has_errors());
            }
        }
        assert!(parts.iter().all(|&parts| parts > 400), "{parts:?}");
        assert!(fixes > 500 && errors > 20, "{fixes} {errors}");
    }
}
