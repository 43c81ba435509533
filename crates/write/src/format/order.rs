//! The order of attributes: Terraform's own arguments as in its style guide, and other attributes sorted by name.
//! Comments move with the attribute that they belong to.

use hclkit_syntax::ast::{AttributeNode, BlockNode, BodyNode, Item};
use hclkit_syntax::{Document, Edit, NodeId, Span, TokenKind};

use super::Style;
use crate::Profile;
use crate::edit::Edits;

/// The arguments that come first and last in blocks of a type.
struct Order {
    types: &'static [&'static str],
    first: &'static [&'static str],
    last: &'static [&'static str],
}

/// From Terraform's style guide, which does not mention `provider` and `providers`.
const ORDERS: &[Order] = &[
    Order {
        types: &["resource", "data", "ephemeral"],
        first: &["count", "for_each", "provider"],
        last: &["lifecycle", "depends_on"],
    },
    Order {
        types: &["module"],
        first: &["source", "version", "count", "for_each", "providers"],
        last: &["depends_on"],
    },
    Order { types: &["provider"], first: &["alias"], last: &[] },
    Order {
        types: &["variable"],
        first: &["type", "description", "default", "sensitive", "nullable", "ephemeral"],
        last: &["validation"],
    },
    Order {
        types: &["output"],
        first: &["description", "value", "sensitive", "ephemeral"],
        last: &["precondition", "depends_on"],
    },
];

impl Order {
    /// The order of the arguments of a block, if they are Terraform's.
    fn of(block: BlockNode<'_>, style: Style, profile: Profile) -> Option<&'static Self> {
        let is_terraform = matches!(profile, Profile::Terraform | Profile::Tofu);
        (is_terraform && style.orders_meta_arguments())
            .then(|| ORDERS.iter().find(|order| order.types.contains(&block.block_type())))?
    }
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

/// Moves Terraform's own arguments to the start and the end of blocks at the top of a file. Nothing moves in a block
/// that is partly excluded.
pub(super) fn meta_arguments(
    document: &Document,
    kept: &[Span],
    style: Style,
    profile: Profile,
) -> Vec<Edit> {
    if !style.orders_meta_arguments() {
        return Vec::new();
    }
    let mut edits = Edits::new(document);
    for block in document.body().blocks() {
        let Some(order) = Order::of(block, style, profile) else { continue };
        if is_exempt(block.span(), kept) {
            continue;
        }
        let items: Vec<Item<'_>> = block.body().items().collect();
        let named = |names: &[&str]| {
            let items = items.iter();
            let mut found: Vec<Item<'_>> =
                items.copied().filter(|item| names.contains(&name(*item))).collect();
            found.sort_by_key(|item| names.iter().position(|known| *known == name(*item)));
            found.into_iter().map(id).collect::<Vec<_>>()
        };
        let all: Vec<NodeId> = items.iter().copied().map(id).collect();
        let (first, last) = (named(order.first), named(order.last));
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
pub(super) fn sorted(document: &Document, kept: &[Span], style: Style, profile: Profile) -> Vec<Edit> {
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
                .map(|block| (block.body(), if is_top { Order::of(block, style, profile) } else { None })),
        );
    }
    edits.changes().unwrap_or_default()
}

fn sort_body(body: BodyNode<'_>, kept: &[Span], order: Option<&Order>, edits: &mut Edits<'_>) {
    let is_ordered = |attribute: AttributeNode<'_>| {
        let name = attribute.name();
        order.is_some_and(|order| order.first.contains(&name) || order.last.contains(&name))
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
