//! Moving and sorting: nodes with the comments that they own.

use std::collections::BTreeMap;
use std::rc::Rc;

use hclkit_syntax::{Document, NodeId, NodeKind, Span, TokenKind};

use super::Edits;
use super::changes::{Change, InsertionPoint};
use super::error::EditError;
use super::piece::{Lines, Piece};
use super::sequence::{Container, Sequence};

/// A container with the index of each node in it.
#[derive(Debug)]
pub(super) struct Layout<'d> {
    sequence: Sequence<'d>,
    index: BTreeMap<NodeId, usize>,
}

impl<'d> Edits<'d> {
    /// Moves a node with its comments before another one.
    ///
    /// # Errors
    /// The node cannot be removed, or does not belong there.
    pub fn move_before(
        &mut self,
        node: impl Into<NodeId>,
        anchor: impl Into<NodeId>,
    ) -> Result<(), EditError> {
        let (node, anchor) = (node.into(), anchor.into());
        self.check_own(&[node, anchor])?;
        self.move_to(node, self.container_of(anchor), InsertionPoint::Before(anchor), anchor)
    }

    /// Moves a node with its comments after another one.
    ///
    /// # Errors
    /// The node cannot be removed, or does not belong there.
    pub fn move_after(
        &mut self,
        node: impl Into<NodeId>,
        anchor: impl Into<NodeId>,
    ) -> Result<(), EditError> {
        let (node, anchor) = (node.into(), anchor.into());
        self.check_own(&[node, anchor])?;
        self.move_to(node, self.container_of(anchor), InsertionPoint::After(anchor), anchor)
    }

    /// Moves a node with its comments to the end of a container.
    ///
    /// # Errors
    /// The node cannot be removed, or does not belong there.
    pub fn move_into(
        &mut self,
        node: impl Into<NodeId>,
        container: impl Into<NodeId>,
    ) -> Result<(), EditError> {
        let (node, container) = (node.into(), container.into());
        self.check_own(&[node, container])?;
        self.move_to(node, Some(self.content(container)), InsertionPoint::End, container)
    }

    /// Moves items of one body to its start, with a blank line after them.
    pub(crate) fn move_to_start(&mut self, nodes: &[NodeId]) {
        self.move_within(nodes, InsertionPoint::Start, |pieces| {
            if let Some(last) = pieces.last_mut() {
                last.apart.1 = true;
            }
        });
    }

    /// Moves items of one body to its end, with a blank line before them.
    pub(crate) fn move_to_end(&mut self, nodes: &[NodeId]) {
        self.move_within(nodes, InsertionPoint::End, |pieces| {
            if let Some(first) = pieces.first_mut() {
                first.apart.0 = true;
            }
        });
    }

    fn move_within(&mut self, nodes: &[NodeId], place: InsertionPoint, separate: impl Fn(&mut [Piece])) {
        let container = nodes.first().and_then(|&node| self.container_of(node));
        let Some((container, layout)) = container.and_then(|it| Some((it, self.layout(it)?))) else {
            return;
        };
        let slots = nodes.iter().filter_map(|node| layout.index.get(node));
        let mut pieces: Vec<Piece> = slots.map(|&index| Piece::moved(&layout.sequence, index)).collect();
        separate(&mut pieces);
        let changes = self.lists.entry(container).or_default();
        changes.extend(nodes.iter().map(|&node| Change::Take(node)));
        changes.push(Change::Insert(place, pieces));
    }

    /// Sorts nodes of one container with their comments. The first node of the list moves to the position of the first
    /// of them in the document, and so on. Nodes that are not in the list stay where they are.
    ///
    /// ```
    /// use hclkit_write::Edits;
    /// let document = hclkit_syntax::parse("b = 1\n# about a\na = 2\n");
    /// let mut nodes: Vec<_> = document.body().attributes().collect();
    /// nodes.sort_by_key(|attribute| attribute.name());
    /// let mut edits = Edits::new(&document);
    /// edits.sort(nodes)?;
    /// assert_eq!(edits.apply()?.source().text(), "# about a\na = 2\nb = 1\n");
    /// # Ok::<(), hclkit_write::EditError>(())
    /// ```
    ///
    /// # Errors
    /// The nodes are not in one body, object, tuple or call.
    pub fn sort<N: Into<NodeId>>(&mut self, nodes: impl IntoIterator<Item = N>) -> Result<(), EditError> {
        let nodes: Vec<NodeId> = nodes.into_iter().map(Into::into).collect();
        self.check_own(&nodes)?;
        let Some(&first) = nodes.first() else { return Ok(()) };
        let layout = self.container_of(first).and_then(|container| self.layout(container));
        let slot = |node: &NodeId| layout.as_ref()?.index.get(node).copied();
        let slots: Option<Vec<usize>> = nodes.iter().map(slot).collect();
        let (Some(layout), Some(slots)) = (&layout, slots) else {
            return Err(
                self.unsupported(first, "only items of one body, object, tuple or call can be sorted")
            );
        };
        let sequence = &layout.sequence;
        let mut places = slots.clone();
        places.sort_unstable();
        for (&place, &slot) in places.iter().zip(&slots).filter(|(place, slot)| place != slot) {
            let piece = Piece::moved(sequence, slot);
            let place = &sequence.slots[place];
            let mut text = self.indented(&piece.text, place.span)?;
            let end = place.trailing.last().map_or(0, |comment| comment.end).max(place.separated_end());
            // The blanks at the end of the line are replaced, because they would become part of a comment before them.
            // A comment that all items of the line share stays.
            let rest = &self.document.source().text()[end as usize..];
            let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
            let ends_line = place.ends_line && !sequence.has_comments_between(end, place.end);
            // A line break ends a heredoc, and also separates the items of an object.
            let separates = piece.ends_with_heredoc && sequence.container == Container::Object;
            let comma = place.comma.is_some() && !separates;
            if piece.ends_with_heredoc && (comma || !ends_line || !piece.trailing.is_empty()) {
                text.push_str(self.style.line_break);
            }
            if comma {
                text.push(',');
            }
            text.push_str(&if ends_line { piece.trailing_text() } else { piece.trailing_inline() });
            let end = if ends_line { end + blanks as u32 } else { end };
            self.splice(Span::new(place.first, end), text)?;
        }
        Ok(())
    }

    /// The source text of an item or an element with its comments, without indentation. This is the text that
    /// [`remove`](Self::remove) removes. Empty for a node of another document.
    #[doc(hidden)]
    pub fn owned_source(&self, node: impl Into<NodeId>) -> String {
        let node = node.into();
        if self.check_own(&[node]).is_err() {
            return String::new();
        }
        let layout = self.container_of(node).and_then(|container| self.layout(container));
        match layout.as_ref().and_then(|layout| Some((layout, *layout.index.get(&node)?))) {
            Some((layout, index)) => {
                let piece = Piece::moved(&layout.sequence, index);
                format!("{}{}", piece.text.indented("", "\n"), piece.trailing_text())
            }
            None => source_of(self.document, node),
        }
    }

    /// The source text of an attribute with its comments and another value that ends with a heredoc.
    pub(super) fn with_value(&self, attribute: NodeId, value: &str) -> String {
        let source = self.document.source();
        let (mut start, mut after) = (self.document.span(attribute).start, String::new());
        let layout = self.container_of(attribute).and_then(|container| self.layout(container));
        if let Some((layout, &index)) =
            layout.as_ref().and_then(|layout| Some((layout, layout.index.get(&attribute)?)))
        {
            let slot = &layout.sequence.slots[index];
            start = slot.first;
            after = slot.trailing.iter().flat_map(|&comment| ["\n", source.slice(comment)]).collect();
        }
        let old = self.document.tree().children(attribute).last().unwrap_or(attribute);
        let before = source.slice(Span::new(start, self.document.span(old).start));
        format!("{before}{}{after}", value.trim_end_matches(['\r', '\n']))
    }

    /// The layout of a container. Reading it takes time in proportion to the contents of the container.
    fn layout(&self, container: NodeId) -> Option<Rc<Layout<'d>>> {
        if let Some(known) = self.layouts.borrow().get(&container) {
            return Some(known.clone());
        }
        let sequence = Sequence::of(self.document, container)?;
        let index = sequence.slots.iter().enumerate().map(|(index, slot)| (slot.node, index)).collect();
        let layout = Rc::new(Layout { sequence, index });
        self.layouts.borrow_mut().insert(container, layout.clone());
        Some(layout)
    }

    fn move_to(
        &mut self,
        node: NodeId,
        to: Option<NodeId>,
        place: InsertionPoint,
        anchor: NodeId,
    ) -> Result<(), EditError> {
        let class = |id: NodeId| Container::of(self.document.tree().kind(id));
        let is_list = |container| matches!(container, Container::Tuple | Container::Call);
        let from = self.container_of(node).filter(|_| !self.is_label(node));
        let (Some(from), Some(to)) = (from, to) else {
            return Err(self.unsupported(node, "this cannot be moved there"));
        };
        let fits = match (class(from), class(to)) {
            (Some(from), Some(to)) => from == to || is_list(from) && is_list(to),
            _ => false,
        };
        if !fits {
            return Err(self.unsupported(anchor, "this cannot be moved there"));
        }
        let mut around = to;
        while around != NodeId::ROOT {
            if around == node {
                return Err(self.unsupported(node, "this cannot be moved into itself"));
            }
            around = self.parents[around.index()];
        }
        if node == anchor {
            return Ok(());
        }
        let layout = self.layout(from);
        let Some((layout, &index)) =
            layout.as_ref().and_then(|layout| Some((layout, layout.index.get(&node)?)))
        else {
            return Err(self.unsupported(node, "this cannot be moved there"));
        };
        if from == to && !self.lists.contains_key(&from) {
            let next = |anchor| layout.index.get(anchor).is_some_and(|&at| at == index + 1);
            let previous = |anchor| layout.index.get(anchor).is_some_and(|&at| at + 1 == index);
            let is_there = match &place {
                InsertionPoint::Before(anchor) => next(anchor),
                InsertionPoint::After(anchor) => previous(anchor),
                InsertionPoint::Start => index == 0,
                InsertionPoint::End => index + 1 == layout.sequence.slots.len(),
            };
            if is_there {
                return Ok(());
            }
        }
        let piece = Piece::moved(&layout.sequence, index);
        self.lists.entry(from).or_default().push(Change::Take(node));
        self.insert(to, place, vec![piece])
    }
}

/// The source text of a node, without indentation. For the body of a block, it is the text between the braces.
///
/// ```
/// let document = hclkit_syntax::parse("a {\n  b {\n    c = 1\n  }\n}\n");
/// let inner = document.body().blocks().next().unwrap().body().blocks().next().unwrap();
/// assert_eq!(hclkit_write::source_of(&document, inner), "b {\n  c = 1\n}");
/// ```
pub fn source_of(document: &Document, node: impl Into<NodeId>) -> String {
    let node = node.into();
    let tokens = document.tokens();
    let (first, last) = document.tree().token_range(node);
    let mut span = document.span(node);
    let is_block_body =
        document.tree().kind(node) == NodeKind::Body && tokens.kind(first) == TokenKind::OpenBrace;
    if is_block_body {
        let mut inside = (first + 1..last).filter(|&at| tokens.kind(at) != TokenKind::Newline);
        let Some(start) = inside.next() else { return String::new() };
        span = Span::new(tokens.start(start), tokens.span(inside.next_back().unwrap_or(start)).end);
    }
    Lines::of(document, span, true).indented("", "\n")
}
