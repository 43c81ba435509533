//! Blocks that a path chooses, which move to a file that is named.

use std::collections::BTreeSet;
use std::path::Path;

use hclkit::ast::{BlockNode, ExpressionKind, ExpressionNode, ObjectItemNode};
use hclkit::dialect::Dialect;
use hclkit::syntax::{NodeId, Root};
use hclkit::write::{Edits, Selector, source_of};
use hclkit::{Context, Document, Syntax};

use super::{Moved, Moves, failure, line_end, property};
use crate::edit::{context, first, json_blocks, parse, path_of_address};
use crate::input::Input;
use crate::output::{Failure, complain};

/// What moves where.
pub(super) struct Chosen<'c> {
    texts: &'c [String],
    paths: Vec<Selector>,
    matched: Vec<bool>,
    context: Context,
    /// The name of a file, without a directory.
    file: &'c Path,
}

impl<'c> Chosen<'c> {
    pub(super) fn new(texts: &'c [String], file: &'c Path) -> Result<Self, Failure> {
        if file.file_name() != Some(file.as_os_str()) {
            let why = "a block stays in its directory; expected the name of a file, such as network.tf";
            return Err(Failure::new(format!("invalid file `{}`: {why}", file.display())));
        }
        let paths: Vec<Selector> = texts.iter().map(|text| parse(text)).collect::<Result<_, _>>()?;
        Ok(Self { texts, matched: vec![false; paths.len()], paths, context: context(), file })
    }

    /// Removes the blocks that move from a file, and adds them to `moves`.
    pub(super) fn take(
        &mut self,
        document: &Document,
        path: &Path,
        edits: &mut Edits<'_>,
        moves: &mut Moves,
    ) -> Result<(), Failure> {
        let blocks = blocks(document);
        let mut nodes = BTreeSet::new();
        for ((text, selector), matched) in self.texts.iter().zip(&self.paths).zip(&mut self.matched) {
            let found = selector
                .select_with(document, &self.context)
                .map_err(|errors| Failure::new(format!("{text}: {}", first(&errors))))?;
            *matched |= !found.is_empty();
            for found in found {
                if !blocks.contains(&found.node()) {
                    let why = format!("{}: {} is not a block of the file", path.display(), found.address());
                    return Err(Failure::new(why));
                }
                nodes.insert(found.node());
            }
        }
        let target = path.with_file_name(self.file);
        if nodes.is_empty() || target == path {
            return Ok(());
        }
        self.check(path, &target)?;
        let moved = moves.entry(target).or_default();
        if let Root::Expression(root) = document.root() {
            if let Some(part) = take_part(root, &blocks, &nodes, edits)? {
                if part.is_all {
                    remove(parts(root).map(|(part, ..)| part), edits)?;
                }
                moved.push(Moved::Properties(part.source, part.count));
            }
            return Ok(());
        }
        for block in document.body().blocks().filter(|block| nodes.contains(&block.id())) {
            moved.push(Moved::Block(edits.owned_source(block.id()), line_end(document, block)));
            edits.remove(block.id()).map_err(|error| failure(&error))?;
        }
        Ok(())
    }

    /// Fails if blocks of a file mean something else in the file that they would move to.
    fn check(&self, path: &Path, target: &Path) -> Result<(), Failure> {
        let language = |path: &Path| Dialect::of_path(path).map(|dialect| dialect.name().to_owned());
        let (from, to) = (path.display(), self.file.display());
        if super::is_override(path) != super::is_override(target) {
            let why = "files that override others are read in another way";
            return Err(Failure::new(format!("blocks of {from} cannot move to {to}: {why}")));
        }
        if Syntax::of(path) != Syntax::of(target) || language(path) != language(target) {
            let why = "it is not a file of the same language and syntax";
            return Err(Failure::new(format!("blocks of {from} cannot move to {to}: {why}")));
        }
        Ok(())
    }

    /// Reports the paths that match nothing. Returns true if there are any.
    pub(super) fn report_missing(&self, inputs: &[Input]) -> bool {
        for (text, _) in self.texts.iter().zip(&self.matched).filter(|(_, matched)| !**matched) {
            let hint = path_of_address(text, inputs).unwrap_or_default();
            complain(format_args!("{text} matches nothing{hint}"));
        }
        !self.matched.iter().all(|matched| *matched)
    }
}

/// The blocks at the top of a file. In the JSON syntax, they are those of a type, and of a type and some labels.
fn blocks(document: &Document) -> BTreeSet<NodeId> {
    let Root::Expression(root) = document.root() else {
        return document.body().blocks().map(BlockNode::id).collect();
    };
    let Some(dialect) = Dialect::of_path(document.source().name()) else { return BTreeSet::new() };
    let mut found = BTreeSet::new();
    // Each with the number of labels below it.
    let mut open: Vec<(ObjectItemNode<'_>, usize)> = objects(root)
        .flat_map(ExpressionNode::items)
        .filter_map(|item| Some((item, dialect.shape(None, &json_blocks::name(item))?.labels.len())))
        .collect();
    while let Some((item, labels)) = open.pop() {
        found.insert(item.id());
        if let Some(labels) = labels.checked_sub(1) {
            open.extend(objects(item.value()).flat_map(ExpressionNode::items).map(|item| (item, labels)));
        }
    }
    found
}

/// A part of a file in the JSON syntax that moves.
struct Part {
    source: String,
    /// The number of blocks that were chosen.
    count: usize,
    /// Whether nothing is left in the file.
    is_all: bool,
}

/// Takes the blocks out of an object or the objects of an array, with the properties around them. What is empty then is for the
/// caller to remove.
fn take_part(
    value: ExpressionNode<'_>,
    blocks: &BTreeSet<NodeId>,
    chosen: &BTreeSet<NodeId>,
    edits: &mut Edits<'_>,
) -> Result<Option<Part>, Failure> {
    let (mut sources, mut taken) = (Vec::new(), Vec::new());
    let (mut count, mut is_all) = (0, true);
    for (node, item, inner) in parts(value) {
        let is_object = matches!(inner.kind(), ExpressionKind::Object);
        let part = if chosen.contains(&node) {
            Some(Part { source: source_of(value.document(), inner.id()), count: 1, is_all: true })
        } else if item.map_or(is_object, |item| blocks.contains(&item.id())) {
            take_part(inner, blocks, chosen, edits)?
        } else {
            None
        };
        is_all &= part.as_ref().is_some_and(|part| part.is_all);
        let Some(part) = part else { continue };
        count += part.count;
        if part.is_all {
            taken.push(node);
        }
        sources.push(item.map_or(part.source.clone(), |item| property(item, &part.source)));
    }
    if sources.is_empty() {
        return Ok(None);
    }
    if !is_all {
        remove(taken, edits)?;
    }
    let inside = sources.join(",\n").replace('\n', "\n  ");
    let source = match value.kind() {
        ExpressionKind::Tuple => format!("[\n  {inside}\n]"),
        _ => format!("{{\n  {inside}\n}}"),
    };
    Ok(Some(Part { source, count, is_all }))
}

fn remove(nodes: impl IntoIterator<Item = NodeId>, edits: &mut Edits<'_>) -> Result<(), Failure> {
    nodes.into_iter().try_for_each(|node| edits.remove(node)).map_err(|error| failure(&error))
}

/// The items of an object, or the elements of an array, with their values.
fn parts(
    value: ExpressionNode<'_>,
) -> impl Iterator<Item = (NodeId, Option<ObjectItemNode<'_>>, ExpressionNode<'_>)> {
    let items = value.items().map(|item| (item.id(), Some(item), item.value()));
    items.chain(value.elements().map(|element| (element.id(), None, element)))
}

/// An object, or the objects in an array.
pub(super) fn objects(value: ExpressionNode<'_>) -> impl Iterator<Item = ExpressionNode<'_>> {
    let is_array = matches!(value.kind(), ExpressionKind::Tuple);
    let elements = is_array.then(|| value.elements()).into_iter().flatten();
    elements.chain((!is_array).then_some(value))
}
