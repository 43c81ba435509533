//! Promises for every edit of every text: tokens, comments and bytes outside of the edit stay, and formatted text
//! stays formatted.

#[path = "values.rs"]
mod values;

use fastrand::Rng;
use hclkit_syntax::{Document, NodeId, NodeKind, Span, TokenKind, Tokens, Visit, parse};
use hclkit_write::{Edits, Formatter};

/// A position for new text.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Near {
    Before(NodeId),
    After(NodeId),
    Start,
    End,
}

/// A name that occurs in no text.
const NEW: &str = "zz_new_zz";

/// Makes a random edit and checks it.
pub(crate) fn check(text: &str, seed: u64) {
    let document = parse(text);
    if document.has_errors() || text.contains(NEW) {
        return;
    }
    let mut rng = Rng::with_seed(seed);
    let containers = containers(&document);
    let Some(&container) = containers.get(rng.usize(..containers.len().max(1))) else { return };
    let children: Vec<NodeId> = document.tree().children(container).collect();
    let child = (!children.is_empty()).then(|| children[rng.usize(..children.len())]);
    match (rng.u8(..8), child) {
        (0, Some(child)) => remove(&document, container, child),
        (1, Some(child)) => insert(&document, container, Near::Before(child), &mut rng),
        (2, Some(child)) => insert(&document, container, Near::After(child), &mut rng),
        (3, Some(child)) => values::set(&document, child, &mut rng),
        (4, Some(child)) => values::rename(&document, child, &mut rng),
        (5, Some(child)) => values::shift(&document, &containers, child, &mut rng),
        (6, Some(_)) => values::sort(&document, &children, &mut rng),
        _ if rng.bool() => insert(&document, container, Near::Start, &mut rng),
        _ => insert(&document, container, Near::End, &mut rng),
    }
}

/// The bodies, objects, tuples and calls.
pub(crate) fn containers(document: &Document) -> Vec<NodeId> {
    let is_container =
        |kind| matches!(kind, NodeKind::Body | NodeKind::Object | NodeKind::Tuple | NodeKind::Call);
    nodes(document).filter(|&id| is_container(document.tree().kind(id))).collect()
}

/// The lines that differ, with one around them.
fn changed(old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.split('\n').collect(), new.split('\n').collect());
    let start = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let room = old.len().min(new.len()) - start;
    let end = old.iter().rev().zip(new.iter().rev()).take(room).take_while(|(old, new)| old == new).count();
    let cut =
        |lines: &[&str]| lines[start.saturating_sub(1)..(lines.len() - end + 1).min(lines.len())].join("\n");
    format!("\n--- before\n{}\n--- after\n{}\n", cut(&old), cut(&new))
}

pub(crate) fn nodes(document: &Document) -> impl Iterator<Item = NodeId> {
    document.tree().walk(NodeId::ROOT).filter_map(|visit| match visit {
        Visit::Enter(id) => Some(id),
        Visit::Leave(_) => None,
    })
}

/// Returns true if a text is formatted, apart from a byte order mark.
fn is_formatted(document: &Document) -> bool {
    match document.source().text().strip_prefix('\u{feff}') {
        Some(text) => is_formatted(&parse(text)),
        None => Formatter::plain().with_markers().format(document).is_unchanged(),
    }
}

/// The tokens that edits keep, without commas, which they add and remove.
fn kept(document: &Document, without: Option<Span>) -> Vec<&str> {
    texts(document, |kind| !kind.is_trivia() && kind != TokenKind::Comma, without)
}

/// The comments as [`without_end`] leaves them.
fn comments(document: &Document) -> Vec<&str> {
    texts(document, TokenKind::is_comment, None).into_iter().map(without_end).collect()
}

/// A comment without the carriage return at its end, which becomes part of a line break if a line is added at the end of
/// the file, and without the spaces before it.
fn without_end(comment: &str) -> &str {
    comment.trim_end_matches(['\r', ' ', '\t'])
}

fn texts(document: &Document, take: impl Fn(TokenKind) -> bool, without: Option<Span>) -> Vec<&str> {
    let tokens: &Tokens = document.tokens();
    tokens
        .iter()
        .filter(|token| take(token.kind))
        .filter(|token| {
            without.is_none_or(|span| token.span.start < span.start || token.span.start >= span.end)
        })
        .map(|token| document.source().slice(token.span).trim_matches([' ', '\t']))
        .filter(|text| !text.is_empty())
        .collect()
}

/// The child with the ellipsis after it.
fn whole(document: &Document, child: NodeId) -> Span {
    let (_, last) = document.tree().token_range(child);
    let next = document.tokens().get(document.tokens().significant_from(last + 1));
    let mut span = document.span(child);
    if next.kind == TokenKind::Ellipsis {
        span.end = next.span.end;
    }
    span
}

pub(crate) fn common(before: &Document, after: &Document, what: &str) {
    let (old, new) = (before.source().text(), after.source().text());
    assert!(!after.has_errors(), "{what} breaks{}", changed(old, new));
    assert_eq!(new, parse(new).source().text());
    if is_formatted(before) {
        assert!(is_formatted(after), "{what} is not formatted{}", changed(old, new));
    }
}

pub(crate) fn remove(document: &Document, container: NodeId, child: NodeId) {
    let mut children = document.tree().children(container);
    let starts_with_for = |id| {
        let first = document.tokens().at(document.span(id).start);
        document.source().slice(document.tokens().span(first)) == "for"
    };
    if matches!(document.tree().kind(container), NodeKind::Tuple | NodeKind::Object)
        && children.next() == Some(child)
        && children.next().is_some_and(starts_with_for)
    {
        // After the bracket, `for` is not a name: the edit is an error.
        let mut edits = Edits::new(document);
        edits.remove(child).unwrap();
        assert!(edits.apply().is_err());
        return;
    }
    let old = document.source().text();
    let span = whole(document, child);
    let what = format!("removing `{}`", document.source().slice(span));
    let mut edits = Edits::new(document);
    edits.remove(child).unwrap();
    let edited = edits.apply().unwrap_or_else(|error| panic!("{what}: {error}"));
    let new = edited.source().text();
    common(document, &edited, &what);
    assert_eq!(kept(document, Some(span)), kept(&edited, None), "{what}{}", changed(old, new));
    // Only comments between the neighbors are removed.
    let children: Vec<Span> = document.tree().children(container).map(|id| document.span(id)).collect();
    let at = children.iter().position(|other| other.start == span.start).unwrap();
    let from = at
        .checked_sub(1)
        .map_or(if container == root(document) { 0 } else { document.span(container).start }, |before| {
            children[before].end
        });
    let to = children.get(at + 1).map_or(document.span(container).end.max(span.end), |next| next.start);
    let to = if document.tree().kind(container) == NodeKind::Body { to.max(old.len() as u32) } else { to };
    let outside = texts(document, TokenKind::is_comment, Some(Span::new(from, to)));
    let left = comments(&edited);
    let mut left = left.iter();
    for comment in outside {
        assert!(
            left.any(|other| *other == without_end(comment)),
            "{what} loses {comment}{}",
            changed(old, new)
        );
    }
}

pub(crate) fn insert(document: &Document, container: NodeId, near: Near, rng: &mut Rng) {
    let old = document.source().text();
    let tree = document.tree();
    let source = match tree.kind(container) {
        NodeKind::Body if rng.bool() => format!("{NEW} \"label\" {{\n  a = 1\n}}"),
        NodeKind::Body | NodeKind::Object => format!("{NEW} = [1, 2]"),
        _ => NEW.to_owned(),
    };
    let after = match near {
        Near::After(child) => Some(child),
        Near::End => tree.children(container).last(),
        Near::Before(_) | Near::Start => None,
    };
    if tree.kind(container) == NodeKind::Call
        && after.is_some_and(|child| document.source().slice(whole(document, child)).ends_with("..."))
    {
        return;
    }
    let what =
        format!("inserting `{source}` ({near:?}) into a container of {:?}", document.tree().kind(container));
    let mut edits = Edits::new(document);
    match near {
        Near::Before(child) => edits.insert_before(child, &source),
        Near::After(child) => edits.insert_after(child, &source),
        Near::Start => edits.prepend(container, &source),
        Near::End => edits.append(container, &source),
    }
    .unwrap();
    let edited = edits.apply().unwrap_or_else(|error| panic!("{what}: {error}"));
    let new = edited.source().text();
    common(document, &edited, &what);
    assert!(comments(document) == comments(&edited), "{what}{}", changed(old, new));
    let inserted = nodes(&edited)
        .find(|&id| {
            edited.text(id).starts_with(NEW)
                && matches!(
                    edited.tree().kind(id),
                    NodeKind::Attribute | NodeKind::Block | NodeKind::ObjectItem | NodeKind::Variable
                )
        })
        .unwrap();
    let span = edited.span(inserted);
    assert_eq!(kept(document, None), kept(&edited, Some(span)), "{what}{}", changed(old, new));
    assert_eq!(
        edited.source().slice(span),
        {
            let indent = new[..span.start as usize].rsplit('\n').next().unwrap_or_default();
            let indent = indent.trim_start_matches('\u{feff}');
            let indent = &indent[..indent.len() - indent.trim_start_matches([' ', '\t']).len()];
            let line_break = if old.split_once('\n').is_some_and(|(line, _)| line.ends_with('\r')) {
                "\r\n"
            } else {
                "\n"
            };
            let lines: Vec<String> = source
                .split('\n')
                .enumerate()
                .map(|(number, line)| if number == 0 { line.to_owned() } else { format!("{indent}{line}") })
                .collect();
            let text = lines.join(line_break);
            // Equals signs are aligned.
            match (text.contains('{'), edited.source().slice(span).split_once('=')) {
                (false, Some((name, value))) => {
                    assert_eq!(format!("{} ={value}", name.trim_end()), text);
                    format!("{name}={value}")
                }
                _ => text,
            }
        },
        "{what}{}",
        changed(old, new)
    );
    let mut edits = Edits::new(&edited);
    edits.remove(inserted).unwrap();
    let back = edits.apply().unwrap();
    let back = back.source().text();
    // One of the blank lines around a block stays, and so do the lines of a one-line block that was opened. Brackets that
    // were empty are empty again, but may be on other lines.
    let is_body = tree.kind(container) == NodeKind::Body;
    let is_apart = is_body && is_without_blank_line(old, back);
    let is_on_line = |item: NodeId| {
        let (outer, item) = (document.span(container), document.span(item));
        let before = Span::new(outer.start, item.start);
        !document.source().slice(before).contains('\n')
    };
    // The item that stands beside the opening brace may have several lines.
    let is_one_line =
        is_body && container != root(document) && tree.children(container).next().is_some_and(is_on_line);
    let may_open = is_one_line || tree.children(container).next().is_none();
    let without_lines = |text: &str| text.replace([' ', '\t', '\r', '\n'], "");
    assert!(
        is_apart || is_restored(document, back) || may_open && without_lines(old) == without_lines(back),
        "{what} and removing it{}{}",
        changed(old, new),
        changed(new, back)
    );
}

/// Returns true if a new text differs from the old one only by a blank line, and by the alignment of the others.
fn is_without_blank_line(old: &str, new: &str) -> bool {
    let lines = |text: &str| text.lines().map(|line| line.replace([' ', '\t'], "")).collect::<Vec<_>>();
    let (old, mut new) = (lines(old), lines(new));
    let same = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    new.get(same).is_some_and(String::is_empty) && {
        new.remove(same);
        old == new
    }
}

/// Returns true if a text is that of the original document. Text that was not formatted may be formatted by the first
/// edit, and then stays formatted. Spaces at the end of the file are formatted only until a line is added, and new text
/// has the line breaks of the file, even between others.
fn is_restored(document: &Document, back: &str) -> bool {
    let old = document.source().text();
    let words = |text: &str| text.replace([' ', '\t', '\r'], "");
    let is_mixed = old.contains('\r') && old.replace("\r\n", "").contains(['\r', '\n']);
    let may_differ = !is_formatted(document) || old.ends_with([' ', '\t']) || is_mixed;
    old == back || may_differ && words(old) == words(back)
}

fn root(document: &Document) -> NodeId {
    document.body().id()
}
