//! The comparison with `terraform fmt`, which loses comments between the labels of a block. Everything else must be equal.

use hclkit_syntax::ast::{BlockNode, BodyNode, Item};
use hclkit_syntax::{Document, Span, parse};

/// Returns true if two results for a text are equal, except for the headers in which the text has comments.
pub(crate) fn are_same(text: &Document, one: &[u8], other: &[u8]) -> bool {
    let commented: Vec<bool> = blocks(text.body()).iter().map(|block| has_comments(text, *block)).collect();
    let rest = |text: &[u8]| without(&parse(text), &commented);
    one == other
        || commented.contains(&true) && rest(one).is_some_and(|rest_of_one| Some(rest_of_one) == rest(other))
}

/// All blocks of a body, in the same order for all texts with the same blocks.
fn blocks(body: BodyNode<'_>) -> Vec<BlockNode<'_>> {
    let (mut open, mut found) = (vec![body], Vec::new());
    while let Some(body) = open.pop() {
        for item in body.items() {
            if let Item::Block(block) = item {
                found.push(block);
                open.push(block.body());
            }
        }
    }
    found
}

/// The part of a header from the block type to the last label.
fn header(block: BlockNode<'_>) -> Span {
    let start = block.type_span().end;
    Span::new(start, block.labels().last().map_or(start, |label| label.span().end))
}

fn has_comments(document: &Document, block: BlockNode<'_>) -> bool {
    let (tokens, header) = (document.tokens(), header(block));
    (tokens.at(header.start)..tokens.at(header.end)).any(|at| tokens.kind(at).is_comment())
}

/// The text without some headers and the spaces before comments at the ends of lines, which depend on them; `None` if it
/// has other blocks.
fn without(document: &Document, omitted: &[bool]) -> Option<Vec<u8>> {
    let blocks = blocks(document.body());
    let headers = blocks.iter().zip(omitted).filter(|(_, omitted)| **omitted);
    let mut ranges: Vec<(usize, usize)> = headers.map(|(block, _)| header(*block)).map(range).collect();
    let bytes = document.source().bytes();
    let comments = document.tokens().iter().filter(|token| token.kind.is_comment());
    for end in comments.map(|token| token.span.start as usize) {
        let start = bytes[..end].trim_ascii_end().len();
        let is_inside = ranges.iter().any(|(from, to)| (*from..*to).contains(&start));
        if !bytes[start..end].contains(&b'\n') && !is_inside {
            ranges.push((start, end));
        }
    }
    ranges.sort_unstable();
    let mut rest = bytes.to_vec();
    for (start, end) in ranges.into_iter().rev() {
        rest.drain(start..end);
    }
    (blocks.len() == omitted.len()).then_some(rest)
}

fn range(span: Span) -> (usize, usize) {
    (span.start as usize, span.end as usize)
}
