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
    /// How often an attribute or a block occurs in the whole document.
    total: HashMap<u64, usize>,
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
                let name = match item {
                    Item::Attribute(attribute) => hash(outer, attribute.name()),
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
                *contents.total.entry(name).or_default() += 1;
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
            *most > 1 && count(&ours.most, name) < 2 && count(&theirs.most, name) < 2
        };
        self.most.iter().any(is_twice)
    }

    /// Whether something is here more often than in a side although neither added it, or less often although neither removed it.
    /// A merge by lines does that if one side moves what the other one moves or removes.
    pub(super) fn is_miscounted(&self, [base, ours, theirs]: &[Self; 3]) -> bool {
        let is_wrong = |(name, base): (&u64, &usize)| {
            let (ours, theirs) = (count(&ours.total, name), count(&theirs.total, name));
            let own = count(&self.total, name);
            let grew = ours <= *base && theirs <= *base && own > ours.min(theirs);
            let shrank = ours >= *base && theirs >= *base && own < ours.max(theirs);
            grew || shrank
        };
        base.total.iter().any(is_wrong)
    }
}

fn count(counts: &HashMap<u64, usize>, name: &u64) -> usize {
    counts.get(name).copied().unwrap_or_default()
}

fn object_nodes(document: &Document) -> impl Iterator<Item = NodeId> {
    let tree = document.tree();
    let all = tree.walk(NodeId::ROOT);
    all.filter_map(move |visit| match visit {
        hclkit_syntax::Visit::Enter(node) if tree.kind(node) == NodeKind::Object => Some(node),
        _ => None,
    })
}
