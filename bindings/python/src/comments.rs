//! The comments of an attribute or a block: those directly above it, and the one behind it on its last line.

use hclkit::Span;
use hclkit::syntax::{Document, TokenKind};

/// The comments that belong to an item, without their markers.
pub(crate) fn of(document: &Document, item: Span) -> Vec<String> {
    let tokens = document.tokens();
    let source = document.source();
    let count = tokens.len() as u32;
    let line_of_end = |span: Span, text: &str| source.line_of(span.end - u32::from(text.ends_with('\n')));
    let mut above = Vec::new();
    let mut line = source.line_of(item.start);
    let mut at = first_at(document, item.start);
    while at > 0 && tokens.kind(at - 1).is_trivia() {
        at -= 1;
        if tokens.kind(at) == TokenKind::Newline {
            continue;
        }
        let (span, text) = (tokens.span(at), tokens.text(at, source));
        let start = source.line_of(span.start);
        let is_behind = at > 0 && !tokens.kind(at - 1).is_trivia() && {
            let before = tokens.span(at - 1);
            line_of_end(before, source.slice(before)) == start
        };
        // Behind another item, or separated by an empty line.
        if is_behind || line_of_end(span, text) + 1 < line {
            break;
        }
        line = start;
        above.push(plain(text));
    }
    let mut all: Vec<String> = above.into_iter().rev().collect();
    let mut at = first_at(document, item.end);
    while at < count && tokens.kind(at).is_comment() {
        let span = tokens.span(at);
        if source.line_of(span.start) != source.line_of(item.end.saturating_sub(1).max(item.start)) {
            break;
        }
        all.push(plain(tokens.text(at, source)));
        at += 1;
    }
    all
}

/// The first token that starts at an offset or after it.
fn first_at(document: &Document, offset: u32) -> u32 {
    let tokens = document.tokens();
    let (mut low, mut high) = (0, tokens.len() as u32);
    while low < high {
        let middle = low + (high - low) / 2;
        if tokens.span(middle).start < offset { low = middle + 1 } else { high = middle }
    }
    low
}

/// The text of a comment without its markers.
fn plain(comment: &str) -> String {
    let comment = comment.trim_end();
    if let Some(inner) = comment.strip_prefix("/*") {
        return inner.strip_suffix("*/").unwrap_or(inner).trim().to_owned();
    }
    let inner = comment.strip_prefix("//").or_else(|| comment.strip_prefix('#')).unwrap_or(comment);
    inner.strip_prefix(' ').unwrap_or(inner).to_owned()
}
