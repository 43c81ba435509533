//! Promises for new values, new names and moves: everything else stays, and the opposite edit restores the text.

use fastrand::Rng;
use hclkit_syntax::{Document, NodeId, NodeKind, Span, TokenKind, parse};
use hclkit_write::{Edits, raw, source_of};

use super::{NEW, changed, comments, common, is_restored, kept, nodes, texts, whole, without_end};

/// Sets the value of an attribute or an item, an element or an argument, and sets it back.
pub(super) fn set(document: &Document, child: NodeId, rng: &mut Rng) {
    let tree = document.tree();
    let value = match tree.kind(child) {
        NodeKind::Attribute | NodeKind::ObjectItem => tree.children(child).last().unwrap(),
        NodeKind::Block => return rename(document, child, rng),
        _ => child,
    };
    let source = ["zz_new_zz", "[1, 2]", "{ a = 1 }", "\"text\"", "f(1, 2)", "<<EOT\ntext\nEOT\n"];
    let source = source[rng.usize(..source.len())];
    let span = document.span(value);
    let what = format!("setting `{}` to `{source}`", document.source().slice(span));
    let mut edits = Edits::new(document);
    edits.set(child, raw(source)).unwrap_or_else(|error| panic!("{what}: {error}"));
    let edited = edits.apply().unwrap_or_else(|error| panic!("{what}: {error}"));
    let (old, new) = (document.source().text(), edited.source().text());
    common(document, &edited, &what);
    // The tokens before the value, the new ones, and those after it.
    let before = kept(document, Some(Span::new(span.start, document.source().len()))).len();
    let count = kept(&parse(format!("a = {source}\n")), None).len() - 2;
    let mut tokens = kept(&edited, None);
    tokens.drain(before..before + count);
    assert_eq!(kept(document, Some(span)), tokens, "{what}{}", changed(old, new));
    let outside: Vec<&str> = texts(document, TokenKind::is_comment, Some(span));
    let outside: Vec<&str> = outside.into_iter().map(without_end).collect();
    assert_eq!(outside, comments(&edited), "{what}{}", changed(old, new));
    if source.starts_with("<<") {
        // The line break after a heredoc stays.
        return;
    }
    let start = significant(&edited, before);
    let set = nodes(&edited)
        .find(|&id| {
            edited.span(id).start == start
                && !matches!(edited.tree().kind(id), NodeKind::Attribute | NodeKind::ObjectItem)
        })
        .unwrap();
    let mut edits = Edits::new(&edited);
    edits
        .set(set, raw(source_of(document, value)))
        .unwrap_or_else(|error| panic!("{what} and back: {error}"));
    restores(document, &edited, &edits, &what);
}

/// Renames an attribute, a block or its label, or an item, and renames it back.
pub(super) fn rename(document: &Document, child: NodeId, rng: &mut Rng) {
    let tree = document.tree();
    let (node, name) = match tree.kind(child) {
        NodeKind::Block => {
            let labels: Vec<NodeId> =
                tree.children(child).filter(|&id| tree.kind(id) != NodeKind::Body).collect();
            match labels.get(rng.usize(..=labels.len())) {
                Some(&label) => (label, document.span(label)),
                None => (child, first_token(document, child)),
            }
        }
        NodeKind::Attribute => (child, first_token(document, child)),
        NodeKind::ObjectItem => {
            let key = tree.children(child).next().unwrap();
            if !matches!(tree.kind(key), NodeKind::Name | NodeKind::String) {
                return;
            }
            (child, document.span(key))
        }
        _ => return,
    };
    let text = document.source().slice(name);
    let name = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
    let is_plain = |char: char| char.is_ascii_alphanumeric() || char == '_' || char == '-';
    if name.is_empty() || !name.chars().all(is_plain) || text.starts_with(|char: char| char.is_ascii_digit())
    {
        return;
    }
    let what = format!("renaming `{text}`");
    let mut edits = Edits::new(document);
    edits.rename(node, NEW).unwrap_or_else(|error| panic!("{what}: {error}"));
    let edited = edits.apply().unwrap_or_else(|error| panic!("{what}: {error}"));
    let (old, new) = (document.source().text(), edited.source().text());
    common(document, &edited, &what);
    assert_eq!(comments(document), comments(&edited), "{what}{}", changed(old, new));
    let (tokens, renamed) = (kept(document, None), kept(&edited, None));
    let at = renamed.iter().position(|token| token.trim_matches('"') == NEW).unwrap();
    assert_eq!((&tokens[..at], &tokens[at + 1..]), (&renamed[..at], &renamed[at + 1..]), "{what}");
    assert_eq!(tokens[at].trim_matches('"'), name);
    let start = significant(&edited, at);
    let kind = if node == child { tree.kind(child) } else { NodeKind::Block };
    // The innermost node of the kind that contains the name.
    let contains = |id: NodeId| edited.span(id).start <= start && start < edited.span(id).end;
    let found = nodes(&edited).filter(|&id| edited.tree().kind(id) == kind && contains(id)).last().unwrap();
    let label = || edited.tree().children(found).find(|&id| contains(id)).unwrap();
    let found = if node == child { found } else { label() };
    let mut edits = Edits::new(&edited);
    edits.rename(found, name).unwrap_or_else(|error| panic!("{what} and back: {error}"));
    restores(document, &edited, &edits, &what);
}

/// Moves an item next to another one, or to the end of another container.
pub(super) fn shift(document: &Document, containers: &[NodeId], child: NodeId, rng: &mut Rng) {
    let tree = document.tree();
    let to = containers[rng.usize(..containers.len())];
    let anchor = tree.children(to).nth(rng.usize(..4));
    let mut edits = Edits::new(document);
    let moved = match (rng.u8(..3), anchor) {
        (0, Some(anchor)) => edits.move_before(child, anchor),
        (1, Some(anchor)) => edits.move_after(child, anchor),
        _ => edits.move_into(child, to),
    };
    let text = document.source().slice(whole(document, child));
    // It is of another kind, or would be moved into itself.
    if moved.is_err() {
        return;
    }
    let what = format!("moving `{text}` into a container of {:?}", tree.kind(to));
    // An attribute is set only once, and only the last argument has an ellipsis.
    let may_fail = |message: &str| message.contains("was already set") || text.ends_with("...");
    same_parts(document, &edits, &what, may_fail);
}

/// Changes the order of some of the items of a container.
pub(super) fn sort(document: &Document, items: &[NodeId], rng: &mut Rng) {
    let mut order: Vec<NodeId> = items.iter().copied().filter(|_| rng.u8(..4) > 0).collect();
    rng.shuffle(&mut order);
    let texts = |nodes: &[NodeId]| nodes.iter().map(|&id| document.text(id)).collect::<Vec<_>>();
    let what = format!("sorting to {:?}", texts(&order));
    let mut edits = Edits::new(document);
    edits.sort(order.iter().copied()).unwrap();
    same_parts(document, &edits, &what, |_| false);
}

/// Makes edits, and checks that the tokens and the comments stay, in any order. `may_fail` takes the message of an error.
fn same_parts(document: &Document, edits: &Edits<'_>, what: &str, may_fail: impl Fn(&str) -> bool) {
    let edited = match edits.apply() {
        Ok(edited) => edited,
        Err(error) => {
            // After a bracket, `for` is not a name, and nothing follows an ellipsis. Comments of zero bytes can make a
            // file look like UTF-16.
            let message = error.to_string();
            let expected = ["`for`", "ellipsis", "`...`", "UTF-16"];
            let is_expected = expected.iter().any(|part| message.contains(part)) || may_fail(&message);
            assert!(is_expected, "{what}: {error}");
            return;
        }
    };
    common(document, &edited, what);
    let (old, new) = (document.source().text(), edited.source().text());
    let (mut before, mut after) = (kept(document, None), kept(&edited, None));
    before.sort_unstable();
    after.sort_unstable();
    assert_eq!(before, after, "{what}{}", changed(old, new));
    let (mut before, mut after) = (words(document), words(&edited));
    before.sort_unstable();
    after.sort_unstable();
    assert_eq!(before, after, "{what}{}", changed(old, new));
}

/// The texts of the comments. A comment to the end of the line may become one that ends before.
fn words(document: &Document) -> Vec<String> {
    let lines = |comment: &str| {
        let inside = match comment.strip_prefix("/*") {
            Some(inside) => inside.trim_end_matches("*/"),
            None => comment.trim_start_matches(['#', '/']),
        };
        let inside = inside.replace("*/", "* /");
        inside.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    comments(document).into_iter().map(lines).collect()
}

fn first_token(document: &Document, node: NodeId) -> Span {
    document.tokens().span(document.tree().token_range(node).0)
}

/// The start of a token, counted as by [`kept`].
fn significant(document: &Document, index: usize) -> u32 {
    let is_kept = |token: &hclkit_syntax::Token| {
        !token.kind.is_trivia()
            && token.kind != TokenKind::Comma
            && !document.source().slice(token.span).trim_matches([' ', '\t']).is_empty()
    };
    document.tokens().iter().filter(is_kept).nth(index).unwrap().span.start
}

/// Checks that edits restore a document.
fn restores(document: &Document, edited: &Document, edits: &Edits<'_>, what: &str) {
    let back = edits.apply().unwrap_or_else(|error| panic!("{what} and back: {error}"));
    let (old, back) = (document.source().text(), back.source().text());
    assert!(
        is_restored(document, back),
        "{what} and back{}{}",
        changed(old, edited.source().text()),
        changed(edited.source().text(), back)
    );
}
