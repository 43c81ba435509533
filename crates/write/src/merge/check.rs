//! Whether a merged file can be what both sides meant: it is valid, nothing is in it twice that both sides added once, and nothing
//! is in it more or less often than both sides have it.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash, RandomState};
use std::sync::LazyLock;

use hclkit_syntax::ast::{BodyNode, Item};
use hclkit_syntax::{Document, NodeId, NodeKind};

use super::chunks;

/// How often things are in a document.
#[derive(Debug, Default)]
pub(super) struct Contents {
    /// How often a block with labels, or a key of an object, occurs at most in one body or object, by the names that lead to it.
    most: HashMap<u64, usize>,
    /// The attributes and blocks of the whole document.
    all: HashMap<u64, Occurrences>,
}

/// Attributes or blocks that the same names lead to.
#[derive(Debug, Default, Clone, Copy)]
struct Occurrences {
    count: usize,
    /// The names without the last one.
    outer: u64,
    /// The source of the value of an attribute.
    value: u64,
}

static STATE: LazyLock<RandomState> = LazyLock::new(RandomState::new);

fn hash(outer: u64, inner: impl Hash) -> u64 {
    STATE.hash_one((outer, inner))
}

impl Contents {
    pub(super) fn of(document: &Document) -> Self {
        let mut contents = Self::default();
        let mut left: Vec<(u64, BodyNode<'_>)> = vec![(0, document.body())];
        while let Some((outer, body)) = left.pop() {
            let mut own: HashMap<u64, usize> = HashMap::new();
            for item in body.items() {
                let mut value = 0;
                let name = match item {
                    Item::Attribute(attribute) => {
                        value = hash(0, attribute.value().text());
                        hash(outer, attribute.name())
                    }
                    Item::Block(block) => {
                        let labels = block.label_texts();
                        let name = hash(outer, (block.block_type(), &labels));
                        if !labels.is_empty() {
                            *own.entry(name).or_default() += 1;
                        }
                        left.push((name, block.body()));
                        name
                    }
                };
                let known = contents.all.entry(name).or_default();
                *known = Occurrences { count: known.count + 1, outer, value };
            }
            contents.add(own);
        }
        for node in object_nodes(document) {
            let mut own: HashMap<u64, usize> = HashMap::new();
            for item in document.expression_at(node).items() {
                *own.entry(hash(1, chunks::key(item.key()))).or_default() += 1;
            }
            contents.add(own);
        }
        contents
    }

    fn add(&mut self, own: HashMap<u64, usize>) {
        for (name, count) in own {
            let most = self.most.entry(name).or_default();
            *most = count.max(*most);
        }
    }

    /// Whether something is here twice that both sides have once.
    pub(super) fn has_doubles(&self, [_, ours, theirs]: &[Self; 3]) -> bool {
        let is_twice = |(name, most): (&u64, &usize)| {
            *most > 1 && count(&ours.most, *name) < 2 && count(&theirs.most, *name) < 2
        };
        self.most.iter().any(is_twice)
    }

    /// Whether something is not what and where both sides have it: a merge by lines can put what one side adds into another block,
    /// keep what one side moves and the other one removes, and change the value of another attribute. Only names that lead to
    /// one thing in all versions say so.
    pub(super) fn is_misplaced(&self, [base, ours, theirs]: &[Self; 3]) -> bool {
        let versions = [base, ours, theirs, self];
        let is_wrong = |(name, known): (&u64, &Occurrences)| {
            let around = |contents: &Self| contents.all.get(&known.outer).map_or(0, |outer| outer.count);
            // The block around it may have another name in a side.
            if known.outer != 0 && versions.iter().any(|contents| around(contents) != 1) {
                return false;
            }
            let found = versions.map(|contents| contents.all.get(name));
            if found[..3].iter().flatten().any(|known| known.count > 1) {
                return false;
            }
            let [old, one, other, own] = found.map(|known| known.map(|known| (known.count, known.value)));
            let expected = if old == one { other } else { one };
            (old == one || old == other || one == other) && own != expected
        };
        versions.iter().any(|contents| contents.all.iter().any(is_wrong))
    }
}

fn count(counts: &HashMap<u64, usize>, name: u64) -> usize {
    counts.get(&name).copied().unwrap_or_default()
}

fn object_nodes(document: &Document) -> impl Iterator<Item = NodeId> {
    let tree = document.tree();
    let all = tree.walk(NodeId::ROOT);
    all.filter_map(move |visit| match visit {
        hclkit_syntax::Visit::Enter(node) if tree.kind(node) == NodeKind::Object => Some(node),
        _ => None,
    })
}
