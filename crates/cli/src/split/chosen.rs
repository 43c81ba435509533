//! Blocks that a path chooses, which move to a file that is named.

use std::collections::BTreeSet;
use std::path::Path;

use hclkit::ast::{ExpressionKind, ExpressionNode, ObjectItemNode};
use hclkit::dialect::Dialect;
use hclkit::syntax::{NodeId, Root};
use hclkit::write::{Edits, Selector, source_of};
use hclkit::{Context, Document, Syntax};

use super::{Moved, Moves, failure, line_end};
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
    pub(super) fn take<'d>(
        &mut self,
        document: &'d Document,
        path: &Path,
        edits: &mut Edits<'_>,
        moves: &mut Moves<'d>,
    ) -> Result<(), Failure> {
        let mut nodes = BTreeSet::new();
        for ((text, selector), matched) in self.texts.iter().zip(&self.paths).zip(&mut self.matched) {
            let found = selector
                .select_with(document, &self.context)
                .map_err(|errors| Failure::new(format!("{text}: {}", first(&errors))))?;
            *matched |= !found.is_empty();
            for found in found {
                if !is_block(document, found.node()) {
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
            if take_items(root, &nodes, edits, &mut Vec::new(), moved)? {
                let parts =
                    root.items().map(ObjectItemNode::id).chain(root.elements().map(ExpressionNode::id));
                parts.into_iter().try_for_each(|part| edits.remove(part)).map_err(|error| failure(&error))?;
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

/// Whether a node is a block at the top of a file, or in the JSON syntax the blocks of a type and of some labels.
fn is_block(document: &Document, node: NodeId) -> bool {
    let Root::Expression(root) = document.root() else {
        return document.body().blocks().any(|block| block.id() == node);
    };
    let dialect = Dialect::of_path(document.source().name());
    let mut names = Vec::new();
    find(root, node, &mut names)
        && names.first().is_some_and(|block_type| {
            let rule = dialect.as_ref().and_then(|dialect| dialect.shape(None, block_type));
            rule.is_some_and(|rule| names.len() <= rule.labels.len() + 1)
        })
}

/// Finds the names of the properties that lead to one of them.
fn find(value: ExpressionNode<'_>, node: NodeId, names: &mut Vec<String>) -> bool {
    let span = value.document().span(node);
    let contains = |part: ExpressionNode<'_>| part.span().start <= span.start && span.end <= part.span().end;
    match value.kind() {
        ExpressionKind::Tuple => {
            value.elements().any(|element| contains(element) && find(element, node, names))
        }
        ExpressionKind::Object => value.items().any(|item| {
            names.push(json_blocks::name(item));
            let is_found = item.id() == node || contains(item.value()) && find(item.value(), node, names);
            if !is_found {
                names.pop();
            }
            is_found
        }),
        _ => false,
    }
}

/// Removes the properties that move from an object or the objects of an array, with the properties around them of which nothing
/// is left. Returns true if all of it moves; then the caller removes it.
fn take_items(
    value: ExpressionNode<'_>,
    nodes: &BTreeSet<NodeId>,
    edits: &mut Edits<'_>,
    around: &mut Vec<String>,
    moved: &mut Vec<Moved<'_>>,
) -> Result<bool, Failure> {
    let mut remaining = false;
    let mut removed = Vec::new();
    match value.kind() {
        ExpressionKind::Tuple => {
            for element in value.elements() {
                if take_items(element, nodes, edits, around, moved)? {
                    removed.push(element.id());
                } else {
                    remaining = true;
                }
            }
        }
        ExpressionKind::Object => {
            for item in value.items() {
                around.push(json_blocks::name(item));
                let is_moved = nodes.contains(&item.id());
                if is_moved {
                    moved.push(Moved::Nested(property(item, around)));
                }
                if is_moved || take_items(item.value(), nodes, edits, around, moved)? {
                    removed.push(item.id());
                } else {
                    remaining = true;
                }
                around.pop();
            }
        }
        _ => return Ok(false),
    }
    if !remaining && !removed.is_empty() {
        return Ok(true);
    }
    removed.into_iter().try_for_each(|node| edits.remove(node)).map_err(|error| failure(&error))?;
    Ok(false)
}

/// A file in the JSON syntax with one property, in objects for the names around it.
fn property(item: ObjectItemNode<'_>, names: &[String]) -> String {
    let value = item.value();
    let mut text = source_of(value.document(), value.id());
    for name in names.iter().rev() {
        // A string is always written.
        let name = serde_json::to_string(name).unwrap_or_default();
        text = format!("{{\n  {name}: {}\n}}", text.replace('\n', "\n  "));
    }
    text
}
