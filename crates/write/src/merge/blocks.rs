//! The merge of three versions of a file by blocks, attributes and items of objects. What it returns is checked by its
//! caller.

use std::borrow::Cow;

use hclkit_limits::with_room;
use hclkit_syntax::ast::{ExpressionKind, ExpressionNode};
use hclkit_syntax::{Document, Span};

use super::chunks::{
    Braced, Chunk, Container, Key, Node, of_block, of_document, of_inline_object, of_object,
};
use super::order::{Entry, Step, Three};
use super::text::{self, Piece};

/// The merge of three documents.
pub(super) struct Blocks<'t> {
    documents: [&'t Document; 3],
    /// Whether conflicts of lines are as small as possible.
    narrow: bool,
}

/// The same thing in three versions. There is no base if both sides added it.
struct Versions<T> {
    base: Option<T>,
    ours: T,
    theirs: T,
}

impl<T> Versions<T> {
    fn map<U>(&self, of: impl Fn(usize, &T) -> U) -> Versions<U> {
        Versions {
            base: self.base.as_ref().map(|base| of(0, base)),
            ours: of(1, &self.ours),
            theirs: of(2, &self.theirs),
        }
    }
}

impl<T> Versions<Option<T>> {
    /// All versions, if each has one.
    fn all(self) -> Option<Versions<T>> {
        let base = match self.base {
            Some(base) => Some(base?),
            None => None,
        };
        Some(Versions { base, ours: self.ours?, theirs: self.theirs? })
    }
}

impl<'t> Versions<&'t str> {
    /// What only one side changed, or both in the same way.
    fn picked(&self) -> Option<&'t str> {
        match self.base {
            _ if self.ours == self.theirs => Some(self.ours),
            Some(base) if base == self.ours => Some(self.theirs),
            Some(base) if base == self.theirs => Some(self.ours),
            _ => None,
        }
    }

    /// The same. Blanks and commas that both changed are not a conflict.
    fn picked_blanks(&self) -> Option<&'t str> {
        let others = |text: &'t str| text.chars().filter(|c| !c.is_whitespace() && *c != ',');
        let rank = |text: &'t str| (text.contains(','), text.len(), text);
        self.picked().or_else(|| {
            let is_same = others(self.ours).eq(others(self.theirs));
            is_same.then(|| if rank(self.ours) > rank(self.theirs) { self.ours } else { self.theirs })
        })
    }
}

impl<'t> Blocks<'t> {
    pub(super) fn new(documents: [&'t Document; 3], narrow: bool) -> Self {
        Self { documents, narrow }
    }

    /// The merged text. `None` if a version is not divided into lines, or if both sides moved the same things.
    pub(super) fn merge(&self) -> Option<Vec<Piece<'t>>> {
        let [base, ours, theirs] = self.documents.map(of_document);
        let three = Three { base: &base?, ours: &ours?, theirs: &theirs?, is_file: true };
        let mut pieces = Vec::new();
        self.bodies(&three, &mut pieces)?;
        Some(pieces)
    }

    fn text(&self, version: usize) -> &'t str {
        self.documents[version].source().text()
    }

    fn bodies(&self, three: &Three<'_, 't>, pieces: &mut Vec<Piece<'t>>) -> Option<()> {
        let mut is_first = true;
        for step in three.order()? {
            match step {
                Step::One(entry) => {
                    pieces.push(Piece::text(gap(three, &entry, is_first)));
                    self.entry(three, &entry, pieces);
                }
                Step::Clash(ours, theirs) => {
                    let gaps = [&ours[0], &theirs[0]].map(|entry| gap(three, entry, is_first));
                    pieces.push(Piece::text(gaps.into_iter().max_by_key(|gap| (gap.len(), *gap))?));
                    let text = |entries: &[Entry]| -> Cow<'t, str> {
                        let mut text = String::new();
                        for (at, entry) in entries.iter().enumerate() {
                            let chunk = three.chunk(entry);
                            text.push_str(if at == 0 { "" } else { chunk.gap });
                            text.push_str(chunk.content);
                        }
                        Cow::Owned(text)
                    };
                    let (ours, theirs) = (text(&ours), text(&theirs));
                    pieces.push(Piece::Conflict { base: Cow::Borrowed(""), ours, theirs });
                }
            }
            is_first = false;
        }
        let tails =
            Versions { base: Some(three.base.tail), ours: three.ours.tail, theirs: three.theirs.tail };
        pieces.push(Piece::text(tails.picked_blanks().unwrap_or_default()));
        Some(())
    }

    fn entry(&self, three: &Three<'_, 't>, entry: &Entry, pieces: &mut Vec<Piece<'t>>) {
        let base = entry.base.map(|at| &three.base.chunks[at]);
        let ours = entry.ours.map(|at| &three.ours.chunks[at]);
        let theirs = entry.theirs.map(|at| &three.theirs.chunks[at]);
        match (ours, theirs) {
            (Some(ours), Some(theirs)) => self.chunk(&Versions { base, ours, theirs }, pieces),
            _ if base.is_none() => pieces.push(Piece::text(three.chunk(entry).content)),
            // One side changed what the other one removed.
            _ => {
                let content = |chunk: Option<&Chunk<'t>>| chunk.map_or("", |chunk| chunk.content);
                pieces.push(Piece::conflict(content(base), content(ours), content(theirs)));
            }
        }
    }

    fn chunk(&self, versions: &Versions<&Chunk<'t>>, pieces: &mut Vec<Piece<'t>>) {
        if let Some(content) = versions.map(|_, chunk| chunk.content).picked() {
            pieces.push(Piece::text(content));
            return;
        }
        let leads = versions.map(|_, chunk| chunk.lead);
        let items = versions.map(|_, chunk| chunk.item);
        match &versions.ours.key {
            // It may be another block: nothing but its type says that both added the same.
            Key::Block(_, labels) if versions.base.is_none() && labels.is_empty() => {
                pieces.push(Piece::conflict("", versions.ours.content, versions.theirs.content));
                return;
            }
            _ => {}
        }
        match leads.picked() {
            Some(lead) => pieces.push(Piece::text(lead)),
            None => self.lines(&leads, pieces),
        }
        if let Some(item) = items.picked() {
            pieces.push(Piece::text(item));
            return;
        }
        let start = pieces.len();
        if with_room(|| self.item(versions, pieces)).is_some() {
            return;
        }
        pieces.truncate(start);
        self.lines(&items, pieces);
        // Lines may fit together that are not an item, and a conflict in an item may cut it.
        let is_item = |text: String| {
            let text = match versions.ours.key {
                Key::Comment => return text.lines().all(|line| !line.trim().is_empty()),
                Key::Item(_) | Key::Computed(_) => format!("x = {{\n{text}}}\n"),
                Key::Attribute(_) | Key::Block(..) => text,
            };
            !hclkit_syntax::parse(text).has_errors()
        };
        let sides = [1, 2].map(|side| super::resolved(&pieces[start..], side));
        if !sides.into_iter().all(is_item) {
            pieces.truncate(start);
            pieces.push(Piece::conflict(items.base.unwrap_or_default(), items.ours, items.theirs));
        }
    }

    /// The merge by lines.
    fn lines(&self, versions: &Versions<&'t str>, pieces: &mut Vec<Piece<'t>>) {
        let base = versions.base.unwrap_or_default();
        pieces.extend(text::merge(base, versions.ours, versions.theirs, self.narrow));
    }

    /// Merges an attribute, an item of an object or a block by its parts.
    fn item(&self, versions: &Versions<&Chunk<'t>>, pieces: &mut Vec<Piece<'t>>) -> Option<()> {
        let values =
            versions.map(|_, chunk| if let Node::Value(value) = chunk.node { Some(value) } else { None });
        if let Some(values) = values.all() {
            let parts = |version: usize, chunk: &Chunk<'t>, value: Span| {
                let (text, end) = (self.text(version), chunk.at + chunk.item.len());
                (&text[chunk.at..value.start as usize], &text[value.end as usize..end])
            };
            let around = versions.map(|version, chunk| match chunk.node {
                Node::Value(value) => parts(version, chunk, value.span()),
                _ => ("", ""),
            });
            pieces.push(Piece::text(around.map(|_, around| around.0).picked_blanks()?));
            self.value(&values, pieces)?;
            let after = around.map(|_, around| around.1).picked_blanks()?;
            pieces.push(Piece::text(after));
            return can_follow(&values, after).then_some(());
        }
        // Nothing is in a block without a body, such as `variable "x" {}`, that could have changed.
        let is_empty = |chunk: &&Chunk<'t>| match chunk.node {
            Node::Block(block) => {
                block.body().items().next().is_none() && chunk.item.trim_end().ends_with("{}")
            }
            _ => false,
        };
        let base = versions.base.filter(|chunk| !is_empty(chunk));
        let versions = Versions { base, ours: versions.ours, theirs: versions.theirs };
        let blocks = versions.map(|version, chunk| match chunk.node {
            Node::Block(block) => {
                of_block(self.documents[version], block, chunk.at..chunk.at + chunk.item.len())
            }
            _ => None,
        });
        self.braced(&blocks.all()?, true, pieces)
    }

    /// Merges what has braces. A conflict of the line with the opening brace is a conflict of that line only if it is a block's.
    fn braced(
        &self,
        versions: &Versions<Braced<'t>>,
        is_block: bool,
        pieces: &mut Vec<Piece<'t>>,
    ) -> Option<()> {
        let opens = versions.map(|_, braced| braced.open);
        match opens.picked_blanks() {
            Some(open) => pieces.push(Piece::text(open)),
            None if is_block => {
                pieces.push(Piece::conflict(opens.base.unwrap_or_default(), opens.ours, opens.theirs));
            }
            None => return None,
        }
        let empty = Container::default();
        let base = versions.base.as_ref().map_or(&empty, |base| &base.inside);
        let (ours, theirs) = (&versions.ours.inside, &versions.theirs.inside);
        self.bodies(&Three { base, ours, theirs, is_file: false }, pieces)?;
        pieces.push(Piece::text(versions.map(|_, braced| braced.close).picked_blanks()?));
        Some(())
    }

    /// Merges objects by their items, and calls by their arguments.
    fn value(&self, values: &Versions<ExpressionNode<'t>>, pieces: &mut Vec<Piece<'t>>) -> Option<()> {
        let texts = values.map(|_, value| value.text());
        if let Some(text) = texts.picked() {
            pieces.push(Piece::text(text));
            return Some(());
        }
        let kinds = values.map(|_, value| value.kind());
        match (&kinds.ours, &kinds.theirs) {
            (ExpressionKind::Object, ExpressionKind::Object) => {
                let objects = values.map(|version, value| of_object(self.documents[version], *value));
                match objects.all() {
                    Some(objects) => self.braced(&objects, false, pieces),
                    None => self.inline(values, pieces),
                }
            }
            (ExpressionKind::Call(_), ExpressionKind::Call(_)) => {
                let calls = kinds.map(|_, kind| match kind {
                    ExpressionKind::Call(call) => {
                        let arguments: Vec<_> = call.arguments().collect();
                        Some((call.name().into_owned(), call.expands_last(), arguments))
                    }
                    _ => None,
                });
                let calls = calls.all()?;
                let shape =
                    calls.map(|_, (name, expands, arguments)| (name.clone(), *expands, arguments.len()));
                if shape.ours != shape.theirs || shape.base.as_ref().is_none_or(|base| *base != shape.ours) {
                    return None;
                }
                let mut ends = values.map(|_, value| value.span().start);
                let mut last = None;
                for at in 0..shape.ours.2 {
                    let arguments = calls.map(|_, (_, _, arguments)| arguments[at]);
                    let starts = arguments.map(|_, argument| argument.span().start);
                    self.between(last.as_ref(), &ends, &starts, pieces)?;
                    with_room(|| self.value(&arguments, pieces))?;
                    ends = arguments.map(|_, argument| argument.span().end);
                    last = Some(arguments);
                }
                self.between(last.as_ref(), &ends, &values.map(|_, value| value.span().end), pieces)
            }
            _ => None,
        }
    }

    /// Merges what is between two arguments, or around them.
    fn between(
        &self,
        last: Option<&Versions<ExpressionNode<'t>>>,
        starts: &Versions<u32>,
        ends: &Versions<u32>,
        pieces: &mut Vec<Piece<'t>>,
    ) -> Option<()> {
        let part = |version: usize, start: u32, end: u32| &self.text(version)[start as usize..end as usize];
        let base = starts.base.zip(ends.base).map(|(start, end)| part(0, start, end));
        let (ours, theirs) = (part(1, starts.ours, ends.ours), part(2, starts.theirs, ends.theirs));
        let between = Versions { base, ours, theirs }.picked_blanks()?;
        pieces.push(Piece::text(between));
        last.is_none_or(|last| can_follow(last, between)).then_some(())
    }

    /// Merges objects on one line.
    fn inline(&self, values: &Versions<ExpressionNode<'t>>, pieces: &mut Vec<Piece<'t>>) -> Option<()> {
        let objects = values.map(|version, value| of_inline_object(self.documents[version], *value)).all()?;
        let empty = Container::default();
        let base = objects.base.as_ref().map_or(&empty, |base| &base.inside);
        let (ours, theirs) = (&objects.ours.inside, &objects.theirs.inside);
        let three = Three { base, ours, theirs, is_file: false };
        let mut items = Vec::new();
        for step in three.order()? {
            let Step::One(entry) = step else { return None };
            let mut own = Vec::new();
            self.inline_entry(&three, &entry, &mut own)?;
            items.push(own);
        }
        pieces.push(Piece::text(objects.map(|_, object| object.open).picked_blanks()?));
        for (at, item) in items.into_iter().enumerate() {
            pieces.push(Piece::text(if at == 0 { "" } else { ", " }));
            pieces.extend(item);
        }
        pieces.push(Piece::text(objects.map(|_, object| object.close).picked_blanks()?));
        Some(())
    }

    fn inline_entry(&self, three: &Three<'_, 't>, entry: &Entry, pieces: &mut Vec<Piece<'t>>) -> Option<()> {
        let base = entry.base.map(|at| &three.base.chunks[at]);
        let (ours, theirs) = match (entry.ours, entry.theirs) {
            (Some(ours), Some(theirs)) => (&three.ours.chunks[ours], &three.theirs.chunks[theirs]),
            _ if base.is_none() => {
                pieces.push(Piece::text(three.chunk(entry).content));
                return Some(());
            }
            _ => return None,
        };
        let versions = Versions { base, ours, theirs };
        match versions.map(|_, chunk| chunk.content).picked() {
            Some(content) => pieces.push(Piece::text(content)),
            None => with_room(|| self.item(&versions, pieces))?,
        }
        Some(())
    }
}

/// Whether a text can be after one of the values: nothing can be on the last line of a heredoc.
fn can_follow(values: &Versions<ExpressionNode<'_>>, after: &str) -> bool {
    let is_heredoc = |value: &ExpressionNode<'_>| value.text().contains("<<");
    let has_heredoc = is_heredoc(&values.ours) || is_heredoc(&values.theirs);
    !has_heredoc || after.trim_start_matches([' ', '\t', '\r']).starts_with('\n')
}

/// The blank lines above a chunk. The first chunk has none, so it does not say how many are above it elsewhere.
fn gap<'t>(three: &Three<'_, 't>, entry: &Entry, is_first: bool) -> &'t str {
    let longest =
        |one: &'t str, other: &'t str| if (one.len(), one) > (other.len(), other) { one } else { other };
    let merged = |base: Option<&'t str>, ours: Option<&'t str>, theirs: Option<&'t str>| match (ours, theirs)
    {
        (Some(ours), Some(theirs)) => {
            let versions = Versions { base, ours, theirs };
            versions.picked().unwrap_or_else(|| longest(ours, theirs))
        }
        (ours, theirs) => ours.or(theirs).or(base).unwrap_or_default(),
    };
    if is_first {
        let first = |container: &Container<'t>| container.chunks.first().map(|chunk| chunk.gap);
        return merged(first(three.base), first(three.ours), first(three.theirs));
    }
    let own = |container: &Container<'t>, at: Option<usize>| {
        at.filter(|at| *at > 0).map(|at| container.chunks[at].gap)
    };
    let (base, ours) = (own(three.base, entry.base), own(three.ours, entry.ours));
    let theirs = own(three.theirs, entry.theirs);
    if base.or(ours).or(theirs).is_none() {
        let next = |container: &Container<'t>, at: Option<usize>| {
            at.and_then(|at| container.chunks.get(at + 1)).map(|chunk| chunk.gap)
        };
        let (ours, theirs) = (next(three.ours, entry.ours), next(three.theirs, entry.theirs));
        return merged(next(three.base, entry.base), ours, theirs);
    }
    merged(base, ours, theirs)
}
