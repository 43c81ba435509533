//! Comments that exclude parts of a text from formatting: `# hcl-fmt: off` up to `# hcl-fmt: on`, `# hcl-fmt: skip` for
//! an attribute or a block, `# hcl-fmt: skip-file`.

use hclkit_syntax::ast::Item;
use hclkit_syntax::{Document, Span, TokenKind};

/// The kind of a marker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Marker {
    Off,
    On,
    Skip,
    SkipFile,
}

/// The spans that must not change, sorted and without overlaps.
pub(super) fn kept(document: &Document) -> Vec<Span> {
    let source = document.source();
    // Most files have none.
    if memchr::memmem::find(source.bytes(), b"hcl-fmt:").is_none() {
        return Vec::new();
    }
    let (mut kept, mut off, mut skips) = (Vec::new(), None, Vec::new());
    let tokens = document.tokens();
    for at in 0..tokens.len() as u32 {
        if !tokens.kind(at).is_comment() {
            continue;
        }
        let span = tokens.span(at);
        match marker(source.slice(span)) {
            Some(Marker::SkipFile) => return vec![Span::new(0, source.len())],
            Some(Marker::Off) => off = off.or(Some(span.start)),
            Some(Marker::On) => kept.extend(off.take().map(|start| Span::new(start, span.end))),
            // Alone on its line, it applies to what follows; otherwise, to the item that ends or opens on the line.
            Some(Marker::Skip) if at == 0 || tokens.kind(at - 1) == TokenKind::Newline => {
                skips.push(tokens.span(tokens.significant_from(at)).start);
            }
            Some(Marker::Skip) => {
                skips.extend(tokens.significant_before(at).map(|before| tokens.span(before).end - 1));
            }
            None => {}
        }
    }
    kept.extend(off.map(|start| Span::new(start, source.len())));
    kept.extend(skips.into_iter().filter_map(|place| item_at(document, place)));
    joined(kept)
}

/// `# hcl-fmt: skip`, in any form of comment.
fn marker(comment: &str) -> Option<Marker> {
    let text = comment.trim_start_matches(['#', '/', '*']).trim_end_matches(['*', '/']).trim();
    Some(match text.strip_prefix("hcl-fmt:")?.trim() {
        "off" => Marker::Off,
        "on" => Marker::On,
        "skip" => Marker::Skip,
        "skip-file" => Marker::SkipFile,
        _ => return None,
    })
}

/// The innermost attribute or block around a place, up to the end of its last line.
fn item_at(document: &Document, place: u32) -> Option<Span> {
    let mut body = document.body();
    let mut found = None;
    loop {
        let item = body.items().find(|item| item.span().start <= place && place < item.span().end);
        let Some(item) = item else { break };
        found = Some(item.span());
        match item {
            Item::Block(block) if place > block.open_span().start && place < block.close_span().start => {
                body = block.body();
            }
            _ => break,
        }
    }
    let span = found?;
    let source = document.source();
    let end = source.line_span(source.line_of(span.end)).end;
    Some(Span::new(span.start, end.max(span.end)))
}

/// Sorts the spans, and merges those that touch.
fn joined(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_unstable_by_key(|span| span.start);
    let mut all: Vec<Span> = Vec::with_capacity(spans.len());
    for span in spans {
        match all.last_mut() {
            Some(last) if span.start <= last.end => last.end = last.end.max(span.end),
            _ => all.push(span),
        }
    }
    all
}
