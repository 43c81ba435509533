//! The new addresses of what the old version declares, where they differ.

use std::collections::HashMap;

use hclkit::module::{Address, Moves, OldAddress};

use crate::matching::{Matching, block_of};

/// What has moved: as `moved` blocks say, and as the matched instances show.
#[derive(Clone, Debug)]
pub(crate) struct Names {
    moves: Moves,
    instances: HashMap<String, String>,
    /// None for a block whose instances are now in several ones, or a module whose blocks are.
    blocks: HashMap<String, Option<String>>,
    modules: HashMap<String, Option<String>>,
}

impl Names {
    pub(crate) fn new(moves: Moves, matching: &Matching<'_>) -> Self {
        let (mut instances, mut blocks, mut modules) = (HashMap::new(), HashMap::new(), HashMap::new());
        for (old, new) in &matching.pairs {
            instances.insert(old.address.as_str().to_owned(), new.address.as_str().to_owned());
            note(&mut blocks, block_of(&old.address), &block_of(&new.address));
            let (from, to) = (calls(&old.address), calls(&new.address));
            if from.len() == to.len() {
                from.into_iter().zip(to).for_each(|(from, to)| note(&mut modules, from, &to));
            }
        }
        Self { moves, instances, blocks, modules }
    }

    /// The address that a declaration has in the new version, if it is another one.
    pub(crate) fn new_declaration(&self, old: &str) -> Option<String> {
        let moved = || self.moves.moved_block(old).or_else(|| self.moves.moved_declaration(old));
        self.blocks.get(old).map_or_else(moved, Clone::clone).filter(|found| found != old)
    }

    /// The address in the new version, if it is another one.
    pub(crate) fn new_address(&self, old: OldAddress<'_>) -> Option<String> {
        let (OldAddress::Instance(address) | OldAddress::Block(address)) = old;
        let found = match old {
            OldAddress::Instance(_) => self
                .instances
                .get(address)
                .cloned()
                .or_else(|| self.modules.get(address).cloned().flatten())
                .or_else(|| self.moves.moved(address)),
            OldAddress::Block(_) => {
                self.blocks.get(address).map_or_else(|| self.moves.moved_block(address), Clone::clone)
            }
        };
        found.filter(|found| found != address)
    }
}

/// Notes where something is now. What is in several places is in none.
fn note(all: &mut HashMap<String, Option<String>>, from: String, to: &str) {
    let known = all.entry(from).or_insert_with(|| Some(to.to_owned()));
    if known.as_deref() != Some(to) {
        *known = None;
    }
}

/// The addresses of the modules that an object is in.
fn calls(address: &Address) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for (name, key) in address.modules() {
        let start = found.last().map(|last| format!("{last}.")).unwrap_or_default();
        let key = key.map(|key| format!("[{key}]")).unwrap_or_default();
        found.push(format!("{start}module.{name}{key}"));
    }
    found
}
