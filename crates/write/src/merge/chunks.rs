//! Bodies and objects as lists of chunks: an attribute, a block, an item or a comment each, with what is above it. The
//! chunks and what follows them are the whole text, so nothing is lost. Only what is on lines of its own has chunks.

use std::borrow::Cow;
use std::ops::Range;

use hclkit_syntax::ast::{BlockNode, BodyNode, ExpressionKind, ExpressionNode, Item, ObjectKey};
use hclkit_syntax::{Document, Span};

/// What is looked up in the other versions.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Key<'t> {
    /// A comment with a blank line after it.
    Comment,
    Attribute(&'t str),
    /// An item of an object whose key is a text.
    Item(Cow<'t, str>),
    /// Another item of an object, by the source of its key.
    Computed(&'t str),
    Block(&'t str, Vec<Cow<'t, str>>),
}

/// What a chunk is.
#[derive(Debug, Clone, Copy)]
pub(super) enum Node<'t> {
    Comment,
    /// The value of an attribute or an item.
    Value(ExpressionNode<'t>),
    Block(BlockNode<'t>),
}

#[derive(Debug)]
pub(super) struct Chunk<'t> {
    pub(super) key: Key<'t>,
    pub(super) node: Node<'t>,
    /// The blank lines above.
    pub(super) gap: &'t str,
    /// The comment above, without blank lines in between.
    pub(super) lead: &'t str,
    /// All lines of it.
    pub(super) item: &'t str,
    /// Where the item starts in the source.
    pub(super) at: usize,
    /// The comment above and the item.
    pub(super) content: &'t str,
}

/// The chunks of a body or an object.
#[derive(Debug, Default)]
pub(super) struct Container<'t> {
    pub(super) chunks: Vec<Chunk<'t>>,
    /// The blank lines at the end.
    pub(super) tail: &'t str,
}

/// Something with braces on lines of their own: a block or an object.
pub(super) struct Braced<'t> {
    /// Up to the end of the line with the opening brace.
    pub(super) open: &'t str,
    pub(super) inside: Container<'t>,
    /// From the start of the line with the closing brace.
    pub(super) close: &'t str,
}

fn range(span: Span) -> Range<usize> {
    span.start as usize..span.end as usize
}

/// The chunks of a document, whose text must end with a line break. `None` if something is not on lines of its own.
pub(super) fn of_document(document: &Document) -> Option<Container<'_>> {
    let text = document.source().text();
    container(text, body_items(document.body()), 0..text.len())
}

/// The parts of a block. `at` is where the line starts on which it starts.
pub(super) fn of_block<'t>(
    document: &'t Document,
    block: BlockNode<'t>,
    item: Range<usize>,
) -> Option<Braced<'t>> {
    let (open, close) = (range(block.open_span()), range(block.close_span()));
    if open.is_empty() || close.is_empty() {
        return None;
    }
    braced(document.source().text(), body_items(block.body()), item, open.end..close.start)
}

/// The parts of an object.
pub(super) fn of_object<'t>(document: &'t Document, object: ExpressionNode<'t>) -> Option<Braced<'t>> {
    let span = range(object.span());
    let inside = span.start + 1..span.end.checked_sub(1)?;
    braced(document.source().text(), object_items(object), span, inside)
}

fn braced<'t>(
    text: &'t str,
    items: impl Iterator<Item = Found<'t>>,
    whole: Range<usize>,
    inside: Range<usize>,
) -> Option<Braced<'t>> {
    let first_end = inside.start + text[inside.clone()].find('\n')? + 1;
    let last_start = line_start(text, inside.end);
    let is_alone =
        is_line_end(&text[inside.start..first_end]) && text[last_start..inside.end].trim().is_empty();
    if !is_alone || last_start < first_end {
        return None;
    }
    let inside = container(text, items, first_end..last_start)?;
    Some(Braced { open: &text[whole.start..first_end], inside, close: &text[last_start..whole.end] })
}

/// The items of an object on one line.
pub(super) fn of_inline_object<'t>(document: &'t Document, object: ExpressionNode<'t>) -> Option<Inline<'t>> {
    let text = document.source().text();
    let span = range(object.span());
    let source = &text[span.clone()];
    if source.contains('\n') || !source.ends_with('}') {
        return None;
    }
    let mut items = Vec::new();
    let mut at = span.start + 1;
    for found in object_items(object) {
        let own = range(found.span);
        let between = text[at..own.start].trim();
        if !(between.is_empty() && items.is_empty() || between == ",") {
            return None;
        }
        at = own.end;
        let (source, key) = (&text[own.clone()], found.key);
        let node = found.node;
        items.push(Chunk { key, node, gap: "", lead: "", item: source, at: own.start, content: source });
    }
    let (first, last) = (items.first()?.at, at);
    let after = &text[last..span.end];
    if !after.trim_start_matches([' ', '\t', ',']).starts_with('}') {
        return None;
    }
    Some(Inline {
        open: &text[span.start..first],
        inside: Container { chunks: items, tail: "" },
        close: after,
    })
}

/// An object on one line.
pub(super) struct Inline<'t> {
    pub(super) open: &'t str,
    pub(super) inside: Container<'t>,
    pub(super) close: &'t str,
}

struct Found<'t> {
    span: Span,
    key: Key<'t>,
    node: Node<'t>,
}

fn body_items(body: BodyNode<'_>) -> impl Iterator<Item = Found<'_>> {
    body.items().map(|item| match item {
        Item::Attribute(attribute) => Found {
            span: attribute.span(),
            key: Key::Attribute(attribute.name()),
            node: Node::Value(attribute.value()),
        },
        Item::Block(block) => Found {
            span: block.span(),
            key: Key::Block(block.block_type(), block.label_texts()),
            node: Node::Block(block),
        },
    })
}

fn object_items(object: ExpressionNode<'_>) -> impl Iterator<Item = Found<'_>> {
    object.items().map(|item| Found {
        span: item.span(),
        key: key(item.key()),
        node: Node::Value(item.value()),
    })
}

/// The key of an item. `a` and `"a"` are equal.
pub(super) fn key(key: ObjectKey<'_>) -> Key<'_> {
    match key {
        ObjectKey::Name(name) => Key::Item(Cow::Borrowed(name.text)),
        ObjectKey::Expression(expression) => {
            let literal = match expression.kind() {
                ExpressionKind::Template(template) => template.as_literal(),
                _ => None,
            };
            literal.map_or_else(|| Key::Computed(expression.text()), Key::Item)
        }
    }
}

/// Divides whole lines of a text.
fn container<'t>(
    text: &'t str,
    items: impl Iterator<Item = Found<'t>>,
    lines: Range<usize>,
) -> Option<Container<'t>> {
    let mut chunks = Vec::new();
    let mut at = lines.start;
    for Found { span, key, node } in items {
        let own = range(span);
        let start = line_start(text, own.start);
        let end = own.end + text[own.end..lines.end].find('\n')? + 1;
        if start < at || !text[start..own.start].trim().is_empty() || !is_line_end(&text[own.end..end]) {
            return None;
        }
        let (gap, lead) = comments(text, at..start, &mut chunks)?;
        let (gap, lead) = match lead {
            Some(lead) => (gap, lead),
            None => (gap, start..start),
        };
        chunks.push(Chunk {
            key,
            node,
            gap: &text[gap],
            lead: &text[lead.clone()],
            item: &text[start..end],
            at: start,
            content: &text[lead.start..end],
        });
        at = end;
    }
    let (gap, lead) = comments(text, at..lines.end, &mut chunks)?;
    if let Some(lead) = lead {
        chunks.push(comment(text, gap, lead));
        return Some(Container { chunks, tail: "" });
    }
    Some(Container { chunks, tail: &text[gap] })
}

fn comment(text: &str, gap: Range<usize>, lines: Range<usize>) -> Chunk<'_> {
    let source = &text[lines.clone()];
    let (key, node) = (Key::Comment, Node::Comment);
    Chunk { key, node, gap: &text[gap], lead: "", item: source, at: lines.start, content: source }
}

/// Divides lines that contain only comments. Adds a chunk for each that has a blank line after it, and returns the blank lines
/// before the last one and that one, if there is no blank line after it.
#[allow(clippy::type_complexity, reason = "two ranges")]
fn comments<'t>(
    text: &'t str,
    lines: Range<usize>,
    chunks: &mut Vec<Chunk<'t>>,
) -> Option<(Range<usize>, Option<Range<usize>>)> {
    let mut gap = lines.start..lines.start;
    let mut group: Option<Range<usize>> = None;
    let mut at = lines.start;
    while at < lines.end {
        let end = at + text[at..lines.end].find('\n')? + 1;
        let line = text[at..end].trim();
        if line.is_empty() {
            if let Some(group) = group.take() {
                chunks.push(comment(text, gap, group));
                gap = at..at;
            }
            gap.end = end;
            at = end;
            continue;
        }
        let end = if line.starts_with("/*") {
            let start = at + text[at..].find("/*")? + 2;
            let close = start + text[start..lines.end].find("*/")? + 2;
            let end = close + text[close..lines.end].find('\n')? + 1;
            if !is_line_end(&text[close..end]) {
                return None;
            }
            end
        } else if line.starts_with('#') || line.starts_with("//") {
            end
        } else {
            return None;
        };
        group = Some(group.map_or(at, |group| group.start)..end);
        at = end;
    }
    Some((gap, group))
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |newline| newline + 1)
}

/// Whether nothing but a comma and comments is here, which end on the line.
fn is_line_end(text: &str) -> bool {
    let text = text.trim_start();
    let mut text = text.strip_prefix(',').map_or(text, str::trim_start);
    while let Some(comment) = text.strip_prefix("/*") {
        let Some((_, after)) = comment.split_once("*/") else { return false };
        text = after.trim_start();
    }
    text.is_empty() || text.starts_with('#') || text.starts_with("//")
}
