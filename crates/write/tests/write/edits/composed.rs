//! Several edits at once, of small random texts with comments everywhere. The result has the items that the edits say, and
//! all comments but those of what was removed.

use std::collections::BTreeSet;
use std::fmt;

use hclkit_syntax::{Document, NodeId, NodeKind, Span, TokenKind, apply_fixes, parse};
use hclkit_write::{Edits, Formatter, raw};

use super::check::common;
use super::text::Text;

/// What a node says, without its layout.
#[derive(Clone)]
struct Shape {
    /// The node in the document before the edits.
    id: NodeId,
    kind: NodeKind,
    head: String,
    /// True if an ellipsis follows it.
    is_expanded: bool,
    children: Vec<Self>,
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl Shape {
    fn of(document: &Document, id: NodeId) -> Self {
        let tree = document.tree();
        let kind = tree.kind(id);
        let first = || document.source().slice(document.tokens().span(tree.token_range(id).0)).to_owned();
        let children = || tree.children(id).collect::<Vec<_>>();
        let (head, children) = match kind {
            NodeKind::Body | NodeKind::Object | NodeKind::Tuple => (String::new(), children()),
            NodeKind::Call => (first(), children()),
            NodeKind::Attribute | NodeKind::ObjectItem => {
                (first(), children().split_off(children().len() - 1))
            }
            NodeKind::Block => {
                let mut children = children();
                let body = children.split_off(children.len() - 1);
                let labels: Vec<String> = children.iter().map(|&id| document.text(id).to_owned()).collect();
                (format!("{} {}", first(), labels.join(" ")), body)
            }
            _ => (document.text(id).replace(['\r', ' ', '\t'], "").trim_end().to_owned(), Vec::new()),
        };
        let children = children.into_iter().map(|child| Self::of(document, child)).collect();
        let after = document.tokens().significant_from(tree.token_range(id).1 + 1);
        let is_expanded = document.tokens().kind(after) == TokenKind::Ellipsis;
        Self { id, kind, head, is_expanded, children }
    }

    fn of_body(document: &Document) -> Self {
        Self::of(document, document.body().id())
    }

    fn is_container(&self) -> bool {
        matches!(self.kind, NodeKind::Body | NodeKind::Object | NodeKind::Tuple | NodeKind::Call)
    }

    fn text(&self) -> String {
        let children: Vec<String> = self.children.iter().map(Self::text).collect();
        let ellipsis = if self.is_expanded { "..." } else { "" };
        format!("{:?} {}({}){ellipsis}", self.kind, self.head, children.join(", "))
    }

    fn find(&self, id: NodeId) -> Option<&Self> {
        if self.id == id { Some(self) } else { self.children.iter().find_map(|child| child.find(id)) }
    }

    fn has(&self, id: NodeId) -> bool {
        self.find(id).is_some()
    }

    fn all(&self) -> Vec<&Self> {
        std::iter::once(self).chain(self.children.iter().flat_map(Self::all)).collect()
    }

    fn container_of(&self, id: NodeId) -> Option<&Self> {
        self.all().into_iter().find(|node| node.is_container() && node.children.iter().any(|it| it.id == id))
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Place {
    Before(NodeId),
    After(NodeId),
    Start(NodeId),
    End(NodeId),
}

#[derive(Debug)]
enum Op {
    /// The value, and the attribute or the item that it belongs to, or itself.
    Set(NodeId, String),
    Rename(NodeId, String),
    Remove(NodeId),
    Insert(Place, String, Shape),
    Move(NodeId, Place),
}

impl Op {
    /// The node that no other edit may change.
    fn consumed(&self) -> Option<NodeId> {
        match self {
            Self::Set(id, _) | Self::Remove(id) | Self::Move(id, _) => Some(*id),
            Self::Rename(..) | Self::Insert(..) => None,
        }
    }

    /// The nodes that must still be there.
    fn touched(&self, root: &Shape) -> Vec<NodeId> {
        let container = |place: &Place| match place {
            Place::Before(anchor) | Place::After(anchor) => root.container_of(*anchor).unwrap().id,
            Place::Start(id) | Place::End(id) => *id,
        };
        match self {
            Self::Set(id, _) | Self::Remove(id) | Self::Rename(id, _) => vec![*id],
            Self::Insert(place, ..) => vec![container(place)],
            Self::Move(id, place) => vec![*id, container(place)],
        }
    }
}

/// A new heredoc changes the commas and line breaks around it, which edits of its neighbors may need.
fn is_beside_heredoc(root: &Shape, op: &Op, other: &Op) -> bool {
    let Op::Set(value, source) = op else { return false };
    let owner = root.all().into_iter().find(|node| node.children.iter().any(|child| child.id == *value));
    let owner = owner.filter(|node| !node.is_container()).map_or(*value, |owner| owner.id);
    let container = root.container_of(owner).map(|container| container.id);
    let touches =
        |id: NodeId| Some(id) == container || root.container_of(id).map(|node| node.id) == container;
    source.starts_with("<<") && other.touched(root).into_iter().any(touches)
}

/// The shape after the edits.
fn expected(node: &Shape, root: &Shape, ops: &[Op]) -> Shape {
    let mut out = node.clone();
    for op in ops {
        match op {
            Op::Set(id, value) if *id == node.id => {
                let value = Shape::of_body(&parse(format!("a = {value}\n"))).children[0].children[0].clone();
                return Shape { is_expanded: node.is_expanded, ..value };
            }
            Op::Rename(id, name) if *id == node.id => {
                let rest = node.head.split_once(' ').map_or(String::new(), |(_, rest)| format!(" {rest}"));
                out.head = format!("{name}{rest}");
            }
            _ => {}
        }
    }
    if !node.is_container() {
        out.children = node.children.iter().map(|child| expected(child, root, ops)).collect();
        return out;
    }
    let added = |place: Place| {
        ops.iter().filter_map(move |op| match op {
            Op::Insert(at, _, shape) if *at == place => Some(shape.clone()),
            Op::Move(id, at) if *at == place => root.find(*id).cloned(),
            _ => None,
        })
    };
    // Of several edits at one place, the first is first.
    let before_first = |first: Option<NodeId>| {
        ops.iter().filter_map(move |op| match op {
            Op::Insert(at, _, shape)
                if *at == Place::Start(node.id) || Some(*at) == first.map(Place::Before) =>
            {
                Some(shape.clone())
            }
            Op::Move(id, at) if Some(*at) == first.map(Place::Before) => root.find(*id).cloned(),
            _ => None,
        })
    };
    out.children = before_first(node.children.first().map(|child| child.id)).collect();
    for (at, child) in node.children.iter().enumerate() {
        if at > 0 {
            out.children.extend(added(Place::Before(child.id)));
        }
        let is_gone = ops.iter().any(|op| matches!(op, Op::Remove(id) | Op::Move(id, _) if *id == child.id));
        if !is_gone {
            out.children.push(expected(child, root, ops));
        }
        out.children.extend(added(Place::After(child.id)));
    }
    out.children.extend(added(Place::End(node.id)));
    out
}

fn misplaced_ellipsis(root: &Shape) -> bool {
    let is_misplaced = |node: &Shape| {
        let end =
            if node.kind == NodeKind::Call { node.children.len().saturating_sub(1) } else { usize::MAX };
        node.children.iter().take(end).any(|child| child.is_expanded)
    };
    root.all().into_iter().any(is_misplaced)
}

/// The words of the comments.
fn words(document: &Document, within: Option<Span>) -> Vec<String> {
    let tokens = document.tokens().iter().filter(|token| {
        token.kind.is_comment()
            && within.is_none_or(|span| span.start <= token.span.start && token.span.start < span.end)
    });
    let mut words: Vec<String> =
        tokens.flat_map(|token| words_of(document.source().slice(token.span))).collect();
    words.sort();
    words
}

fn words_of(text: &str) -> Vec<String> {
    let words = text.split(|char: char| !char.is_ascii_alphanumeric());
    let is_name = |word: &&str| word.starts_with('c') && word[1..].parse::<u32>().is_ok();
    words.filter(is_name).map(str::to_owned).collect()
}

/// The comments at the ends of lines with several items that are removed, which belong to all of them.
fn shared(document: &Document, root: &Shape, ops: &[Op]) -> Vec<String> {
    let is_removed = |shape: &Shape| ops.iter().any(|op| matches!(op, Op::Remove(id) if *id == shape.id));
    let mut shared = Vec::new();
    for container in root.all().into_iter().filter(|node| node.is_container()) {
        for pair in container.children.windows(2).filter(|pair| pair.iter().all(is_removed)) {
            let end = document.span(pair[1].id).end;
            let rest = &document.source().text()[end as usize..];
            // The comma after a heredoc is on the next line.
            let rest = rest.trim_start().strip_prefix(',').unwrap_or(rest);
            shared.extend(words_of(rest.split('\n').next().unwrap_or_default()));
        }
    }
    shared
}

struct Random<'a> {
    text: Text,
    root: &'a Shape,
}

impl Random<'_> {
    fn pick<'s>(&mut self, from: &[&'s Shape]) -> Option<&'s Shape> {
        (!from.is_empty()).then(|| from[self.text.rng.usize(..from.len())])
    }

    fn op(&mut self) -> Option<Op> {
        let all = self.root.all();
        let containers: Vec<&Shape> = all.iter().copied().filter(|node| node.is_container()).collect();
        let container = self.pick(&containers)?;
        let children: Vec<&Shape> = container.children.iter().collect();
        let child = self.pick(&children);
        Some(match (self.text.rng.u8(..8), child) {
            (0 | 1, Some(child)) => Op::Remove(child.id),
            (2, Some(child)) => {
                let value = match child.kind {
                    NodeKind::Block => return None,
                    NodeKind::Attribute | NodeKind::ObjectItem => &child.children[0],
                    _ => child,
                };
                let name = self.text.next('v');
                Op::Set(value.id, self.source(&name))
            }
            (3, Some(child)) if matches!(container.kind, NodeKind::Body | NodeKind::Object) => {
                Op::Rename(child.id, self.text.next('n'))
            }
            (4 | 5, Some(child)) => {
                let is_list = |kind| matches!(kind, NodeKind::Tuple | NodeKind::Call);
                let fits = |to: &&Shape| {
                    (to.kind == container.kind || is_list(to.kind) && is_list(container.kind))
                        && !child.has(to.id)
                };
                let others: Vec<&Shape> = containers.iter().copied().filter(fits).collect();
                let to = self.pick(&others)?;
                let place = self.place(to);
                // Where it is already.
                let at = container.children.iter().position(|it| it.id == child.id)?;
                let is_there = match place {
                    Place::Before(anchor) => {
                        anchor == child.id || container.children.get(at + 1).is_some_and(|it| it.id == anchor)
                    }
                    Place::After(anchor) => {
                        anchor == child.id || at > 0 && container.children[at - 1].id == anchor
                    }
                    Place::Start(_) => return None,
                    Place::End(to) => to == container.id && at + 1 == container.children.len(),
                };
                if is_there {
                    return None;
                }
                Op::Move(child.id, place)
            }
            _ => {
                let (name, value) = (self.text.next('n'), self.text.next('v'));
                let source = self.source(&value);
                let comment = self.text.next('c');
                let is_body = container.kind == NodeKind::Body;
                let source = match container.kind {
                    NodeKind::Body if self.text.one_in(3) => {
                        format!("# {comment}\n{name} \"l\" {{\n  a = {source}\n}}")
                    }
                    NodeKind::Body => format!("# {comment}\n{name} = {source}"),
                    NodeKind::Object => format!("{name} = {source}"),
                    _ => source,
                };
                let source = match self.text.rng.u8(..8) {
                    0 if !is_body => format!("# {comment}\n{source}"),
                    1 if !is_body => format!("/* {comment} */ {source}"),
                    2 if !is_body && !source.ends_with('\n') => format!("{source} // {comment}"),
                    _ => source,
                };
                let wrapped = match container.kind {
                    NodeKind::Body => format!("{source}\n"),
                    NodeKind::Object => format!("a = {{\n{source}\n}}\n"),
                    _ => format!("a = [\n{source}\n]\n"),
                };
                let body = Shape::of_body(&parse(wrapped));
                let shape = match container.kind {
                    NodeKind::Body => body.children[0].clone(),
                    _ => body.children[0].children[0].children[0].clone(),
                };
                Op::Insert(self.place(container), source, shape)
            }
        })
    }

    fn source(&mut self, name: &str) -> String {
        match self.text.rng.u8(..6) {
            0 => format!("[{name}, 2]"),
            1 => format!("{{\n  a = {name}\n}}"),
            2 if self.text.one_in(2) => format!("<<E\n{name}\nE\n"),
            _ => name.to_owned(),
        }
    }

    fn place(&mut self, container: &Shape) -> Place {
        let children: Vec<&Shape> = container.children.iter().collect();
        match (self.text.rng.u8(..4), self.pick(&children)) {
            (0, Some(child)) => Place::Before(child.id),
            (1, Some(child)) => Place::After(child.id),
            (2, _) => Place::Start(container.id),
            _ => Place::End(container.id),
        }
    }
}

/// Makes two to four edits of a random text, and checks the result. Returns whether there were any.
pub(crate) fn check(seed: u64) -> bool {
    let mut text = Text::new(seed);
    text.body(0);
    let count = text.count;
    let mut rng = text.rng.fork();
    let mut text = text.finish();
    if rng.bool() {
        let formatted = Formatter::plain().format(&parse(text.as_str())).bytes().into_owned();
        text = String::from_utf8(formatted).unwrap();
    }
    if rng.u8(..8) == 0 {
        text.insert(0, '\u{feff}');
    }
    let document = parse(text.as_str());
    assert!(!document.has_errors(), "{text}\n{:?}", document.diagnostics());
    let root = Shape::of_body(&document);
    let mut random = Random { text: Text::more(rng, count), root: &root };
    let mut ops: Vec<Op> = Vec::new();
    for _ in 0..random.text.rng.usize(2..5) {
        let Some(op) = random.op() else { continue };
        let is_in = |node: Option<NodeId>, touched: &[NodeId]| {
            let node = node.and_then(|id| root.find(id));
            node.is_some_and(|node| touched.iter().any(|id| node.has(*id)))
        };
        let conflicts = ops.iter().any(|other| {
            is_in(other.consumed(), &op.touched(&root))
                || is_in(op.consumed(), &other.touched(&root))
                || matches!((&op, other), (Op::Rename(one, _), Op::Rename(two, _)) if one == two)
                || is_beside_heredoc(&root, &op, other)
                || is_beside_heredoc(&root, other, &op)
        });
        if !conflicts {
            ops.push(op);
        }
    }
    if ops.is_empty() {
        return false;
    }
    let what = format!("seed {seed}, {ops:?} of\n{text}");
    let mut edits = Edits::new(&document);
    for op in &ops {
        let done = match op {
            Op::Set(id, value) => edits.set(*id, raw(value)),
            Op::Rename(id, name) => edits.rename(*id, name),
            Op::Remove(id) => edits.remove(*id),
            Op::Insert(Place::Before(anchor), source, _) => edits.insert_before(*anchor, source),
            Op::Insert(Place::After(anchor), source, _) => edits.insert_after(*anchor, source),
            Op::Insert(Place::Start(to), source, _) => edits.prepend(*to, source),
            Op::Insert(Place::End(to), source, _) => edits.append(*to, source),
            Op::Move(id, Place::Before(anchor)) => edits.move_before(*id, *anchor),
            Op::Move(id, Place::After(anchor)) => edits.move_after(*id, *anchor),
            Op::Move(id, Place::Start(to) | Place::End(to)) => edits.move_into(*id, *to),
        };
        done.unwrap_or_else(|error| panic!("{error}: {what}"));
    }
    let edited = match edits.apply() {
        Ok(edited) => edited,
        // Only the last argument of a call can have an ellipsis.
        Err(error) => {
            let misplaced = misplaced_ellipsis(&expected(&root, &root, &ops));
            assert!(misplaced, "{error}: {what}");
            return false;
        }
    };
    let what = format!("{what}\n--- becomes\n{}", edited.source().text());
    let fix = edits.to_fix("Make all edits").unwrap_or_else(|error| panic!("{error}: {what}"));
    // Fixes have the line breaks of the first line.
    let lines = |text: &str| text.replace("\r\n", "\n");
    let (fixed, applied) = apply_fixes(&text, [&fix]);
    assert_eq!((lines(&fixed), applied), (lines(edited.source().text()), 1), "{fix:?} of {what}");
    common(&document, &edited, &what);
    let expected = expected(&root, &root, &ops).text();
    assert_eq!(expected, Shape::of_body(&edited).text(), "{what}");
    // The comments of what was removed go, and no others.
    let mut gone: BTreeSet<String> = BTreeSet::new();
    let mut new = Vec::new();
    for op in &ops {
        match op {
            Op::Remove(id) => gone.extend(words_of(&Edits::new(&document).owned_source(*id))),
            Op::Set(id, _) => gone.extend(words(&document, Some(document.span(*id)))),
            Op::Insert(_, source, _) => new.extend(words_of(source)),
            Op::Rename(..) | Op::Move(..) => {}
        }
    }
    let mut left: Vec<String> = words(&document, None);
    left.retain(|word| !gone.contains(word));
    left.extend(new);
    let optional = shared(&document, &root, &ops);
    let mut after = words(&edited, None);
    for words in [&mut left, &mut after] {
        words.retain(|word| !optional.contains(word));
        words.sort();
    }
    assert_eq!(left, after, "{what}");
    true
}
