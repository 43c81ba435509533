//! Promises for every text that is formatted with a style: the checks that the property tests and the fuzzer share.

use std::sync::Arc;

use hclkit_dialect::Dialect;
use hclkit_syntax::ast::{BodyNode, Item};
use hclkit_syntax::{Document, NodeId, TokenKind, parse};
use hclkit_write::{Edits, Formatter, Style, raw};

/// A style and a profile from random bits.
pub(crate) fn formatter(bits: u32) -> Formatter {
    let flag = |at: u32| bits >> at & 1 == 1;
    let mut style = Style::new()
        .with_alignment(!flag(0))
        .with_blank_lines(flag(1))
        .with_trailing_commas(flag(2))
        .with_meta_arguments(flag(3))
        .with_sorted_attributes(flag(4))
        .with_joined_lists(flag(5));
    if flag(6) || flag(7) {
        style = style.with_width(bits >> 8 & 0x7f);
    }
    Formatter::new(dialect(bits)).with_markers().with_style(style)
}

fn dialect(bits: u32) -> Arc<Dialect> {
    let flag = |at: u32| bits >> at & 1 == 1;
    match (flag(15) || flag(3), flag(16)) {
        (true, false) => Dialect::terraform(),
        (true, true) => Dialect::opentofu(),
        (false, _) => Dialect::hcl(),
    }
}

/// Formats a text with a style, and panics where a promise is broken.
pub(crate) fn check(text: &str, bits: u32) {
    let formatter = formatter(bits);
    let document = parse(text);
    let formatted = formatter.format(&document);
    let once = String::from_utf8(formatted.bytes().into_owned()).unwrap();
    assert_eq!(once, applied(text, &formatted), "the edits make another text\n{text}");
    if document.has_errors() {
        return;
    }
    assert!(formatted.is_faithful(), "not faithful: {formatter:?}\n{text}\n----\n{once}");
    let after = parse(once.as_str());
    let again = formatter.format(&after);
    let again = String::from_utf8_lossy(&again.bytes()).into_owned();
    assert_eq!(again, once, "formatting again changes it: {formatter:?}\n{text}");
    assert!(!after.has_errors(), "{formatter:?}\n{text}\n----\n{once}");
    assert_eq!(comments(&after), comments(&document), "{formatter:?}\n{text}\n----\n{once}");
    // The program of the language changes more; from here on only the style counts.
    let unstyled = Formatter::new(dialect(bits)).with_markers();
    let before = parse(unstyled.format(&document).bytes().into_owned());
    assert_eq!(meaning(after.body()), meaning(before.body()), "{formatter:?}\n{text}\n----\n{once}");
    stays_formatted(&after, &formatter, bits);
}

/// A formatted text is formatted after an edit with the same formatter.
fn stays_formatted(document: &Document, formatter: &Formatter, bits: u32) {
    let text = document.source().text();
    if text.contains("hcl-fmt") || text.starts_with('\u{feff}') {
        return;
    }
    let mut all: Vec<NodeId> = Vec::new();
    let mut bodies = vec![document.body()];
    while let Some(body) = bodies.pop() {
        all.extend(body.attributes().map(hclkit_syntax::ast::AttributeNode::id));
        bodies.extend(body.blocks().map(hclkit_syntax::ast::BlockNode::body));
    }
    let Some(&node) = all.get(bits as usize % all.len().max(1)) else { return };
    let mut edits = Edits::new(document).with_formatter(formatter.clone());
    let made = match bits >> 16 & 3 {
        0 => edits.set(node, raw("[one, two(3, 4), { five = 6, seven = \"eight nine ten eleven twelve\" }]")),
        1 => edits.remove(node),
        2 => edits.insert_after(node, "count = 1"),
        _ => edits.set(node, 1),
    };
    made.unwrap();
    // An edit can define a name twice.
    let Ok(edited) = edits.apply() else { return };
    let formatted = formatter.format(&edited);
    assert_eq!(
        String::from_utf8_lossy(&formatted.bytes()),
        edited.source().text(),
        "not formatted after an edit: {formatter:?} {bits:x}\n{text}"
    );
}

fn applied(input: &str, formatted: &hclkit_write::Formatted<'_>) -> String {
    let (mut out, mut from) = (String::new(), 0);
    for edit in formatted.edits() {
        assert!(edit.span.start as usize >= from, "the edits are not in order");
        out.push_str(&input[from..edit.span.start as usize]);
        out.push_str(&edit.replacement);
        from = edit.span.end as usize;
    }
    out.push_str(&input[from..]);
    out
}

fn comments(document: &Document) -> Vec<&str> {
    let tokens = document.tokens();
    let comments = (0..tokens.len() as u32).filter(|&at| tokens.kind(at).is_comment());
    let mut comments: Vec<&str> = comments.map(|at| tokens.text(at, document.source())).collect();
    comments.sort_unstable();
    comments
}

/// The meaning of a body: its attributes by name and its blocks by type, each with its tokens without line breaks,
/// commas and comments.
fn meaning(body: BodyNode<'_>) -> String {
    let mut items: Vec<(String, String)> = Vec::new();
    for item in body.items() {
        match item {
            Item::Attribute(attribute) => {
                let name = format!("={}", attribute.name());
                items.push((name, tokens(body.document(), attribute.value().id())));
            }
            Item::Block(block) => {
                let labels = block.label_texts().join("\0");
                items.push((block.block_type().to_owned(), format!("{labels}{{{}}}", meaning(block.body()))));
            }
        }
    }
    // The order of the blocks of one type has a meaning.
    items.sort_by(|one, other| one.0.cmp(&other.0));
    items.iter().flat_map(|(name, text)| [name.as_str(), "\u{1}", text, "\n"]).collect()
}

fn tokens(document: &Document, node: NodeId) -> String {
    let tokens = document.tokens();
    let (first, last) = document.tree().token_range(node);
    let mut text = String::new();
    for at in first..=last {
        let kind = tokens.kind(at);
        if !kind.is_trivia() && kind != TokenKind::Comma {
            text.push_str(tokens.text(at, document.source()));
            text.push('\u{2}');
        }
    }
    text
}
