//! The order of attributes: the arguments of the language as in its style guide, and other attributes sorted by name.
//! Comments move with the attribute that they belong to.

use hclkit_dialect::{BlockRule, Dialect};
use hclkit_syntax::ast::{AttributeNode, BlockNode, BodyNode, Item};
use hclkit_syntax::{Document, Edit, NodeId, Span, TokenKind};
use hclkit_value::Name;

use super::Style;
use crate::edit::Edits;

/// The rule for a block whose arguments have an order, if the language and the style say so.
fn ordered<'d>(block: BlockNode<'_>, style: Style, dialect: Option<&'d Dialect>) -> Option<&'d BlockRule> {
    let rule = dialect?.block(block.block_type())?;
    (style.orders_meta_arguments() && !(rule.first.is_empty() && rule.last.is_empty())).then_some(rule)
}

fn name(item: Item<'_>) -> &str {
    match item {
        Item::Attribute(attribute) => attribute.name(),
        Item::Block(block) => block.block_type(),
    }
}

fn id(item: Item<'_>) -> NodeId {
    match item {
        Item::Attribute(attribute) => attribute.id(),
        Item::Block(block) => block.id(),
    }
}

/// Moves the arguments of the language to the start and the end of blocks at the top of a file. Nothing moves in a block
/// that is partly excluded.
pub(super) fn meta_arguments(
    document: &Document,
    kept: &[Span],
    style: Style,
    dialect: Option<&Dialect>,
) -> Vec<Edit> {
    if !style.orders_meta_arguments() {
        return Vec::new();
    }
    let mut edits = Edits::new(document);
    for block in document.body().blocks() {
        let Some(order) = ordered(block, style, dialect) else { continue };
        if is_exempt(block.span(), kept) {
            continue;
        }
        let items: Vec<Item<'_>> = block.body().items().collect();
        let named = |names: &[Name]| {
            let items = items.iter();
            let mut found: Vec<Item<'_>> =
                items.copied().filter(|item| names.iter().any(|own| *own == *name(*item))).collect();
            found.sort_by_key(|item| names.iter().position(|known| *known == *name(*item)));
            found.into_iter().map(id).collect::<Vec<_>>()
        };
        let all: Vec<NodeId> = items.iter().copied().map(id).collect();
        let (first, last) = (named(&order.first), named(&order.last));
        if !all.starts_with(&first) {
            edits.move_to_start(&first);
        }
        if !all.ends_with(&last) {
            edits.move_to_end(&last);
        }
    }
    edits.changes().unwrap_or_default()
}

/// Sorts runs of attributes by name.
pub(super) fn sorted(
    document: &Document,
    kept: &[Span],
    style: Style,
    dialect: Option<&Dialect>,
) -> Vec<Edit> {
    if !style.sorts_attributes() {
        return Vec::new();
    }
    let mut edits = Edits::new(document);
    let mut bodies = vec![(document.body(), None)];
    while let Some((body, order)) = bodies.pop() {
        sort_body(body, kept, order, &mut edits);
        let is_top = body.id() == document.body().id();
        bodies.extend(
            body.blocks()
                .map(|block| (block.body(), if is_top { ordered(block, style, dialect) } else { None })),
        );
    }
    edits.changes().unwrap_or_default()
}

fn sort_body(body: BodyNode<'_>, kept: &[Span], order: Option<&BlockRule>, edits: &mut Edits<'_>) {
    let is_ordered = |attribute: AttributeNode<'_>| {
        let mut names = order.iter().flat_map(|order| order.first.iter().chain(&order.last));
        names.any(|name| *name == *attribute.name())
    };
    let mut run: Vec<AttributeNode<'_>> = Vec::new();
    for item in body.items() {
        match item {
            Item::Attribute(attribute) if !is_ordered(attribute) && !is_exempt(attribute.span(), kept) => {
                if run.last().is_some_and(|last| is_apart(body.document(), last.span(), attribute.span())) {
                    sort(&mut run, edits);
                }
                run.push(attribute);
            }
            _ => sort(&mut run, edits),
        }
    }
    sort(&mut run, edits);
}

fn sort(run: &mut Vec<AttributeNode<'_>>, edits: &mut Edits<'_>) {
    let mut sorted = std::mem::take(run);
    if !sorted.is_sorted_by_key(|attribute| attribute.name()) {
        sorted.sort_by_key(|attribute| attribute.name());
        // Attributes of one body can always be sorted.
        let _ = edits.sort(sorted);
    }
}

fn is_exempt(span: Span, kept: &[Span]) -> bool {
    let next = kept.partition_point(|kept| kept.end <= span.start);
    kept.get(next).is_some_and(|kept| kept.start < span.end)
}

/// Returns true if there is a blank line between two items.
fn is_apart(document: &Document, before: Span, after: Span) -> bool {
    let tokens = document.tokens();
    let (from, to) = (tokens.at(before.end), tokens.at(after.start));
    (from..to).any(|at| tokens.kind(at) == TokenKind::Newline && tokens.kind(at + 1) == TokenKind::Newline)
}
