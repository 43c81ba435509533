//! Which instances of the old version are which of the new one: by their addresses, by `moved` blocks, and by a key that `count` adds or
//! removes. Others with an equal configuration are suggestions.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use hclkit::module::{Address, AddressKind, AddressedValue, Moves};

use crate::diff::MoveSuggestion;

/// The instances of both versions.
pub(crate) struct Matching<'v> {
    /// Those in both.
    pub(crate) pairs: Vec<(&'v AddressedValue, &'v AddressedValue)>,
    pub(crate) removed: Vec<&'v AddressedValue>,
    pub(crate) added: Vec<&'v AddressedValue>,
}

/// True for what a provider makes or reads.
pub(crate) fn is_object(own: &AddressedValue) -> bool {
    matches!(own.address.kind(), AddressKind::Resource | AddressKind::Data | AddressKind::Ephemeral)
}

/// True for an instance of an object. A block whose instances are unknown is none: it is unknown as a whole.
fn is_instance(own: &AddressedValue) -> bool {
    is_object(own) && own.value.is_known()
}

/// Matches the instances of two versions. `moves` are those of the new one.
pub(crate) fn matching<'v>(
    old: &'v [AddressedValue],
    new: &'v [AddressedValue],
    moves: &Moves,
) -> Matching<'v> {
    let mut left: HashMap<&str, &AddressedValue> =
        new.iter().filter(|own| is_instance(own)).map(|own| (own.address.as_str(), own)).collect();
    let mut found = Matching { pairs: Vec::new(), removed: Vec::new(), added: Vec::new() };
    let mut open = Vec::new();
    for own in old.iter().filter(|own| is_instance(own)) {
        // What has moved away is not what now has its address.
        let moved = moves.moved(own.address.as_str()).filter(|moved| left.contains_key(moved.as_str()));
        match left.remove(moved.as_deref().unwrap_or(own.address.as_str())) {
            Some(other) => found.pairs.push((own, other)),
            None => open.push(own),
        }
    }
    for own in open {
        let address = moves.moved(own.address.as_str()).unwrap_or_else(|| own.address.as_str().to_owned());
        // As in a plan, `count` can be added and removed.
        let other = match address.strip_suffix("[0]") {
            Some(bare) => bare.to_owned(),
            None => format!("{address}[0]"),
        };
        match left.remove(other.as_str()) {
            Some(same) => found.pairs.push((own, same)),
            None => found.removed.push(own),
        }
    }
    found.added = new.iter().filter(|own| left.contains_key(own.address.as_str())).collect();
    found
}

/// The address of the block of an instance, and its key with what follows.
pub(crate) fn block_of(address: &Address) -> String {
    let text = address.as_str();
    match address.key() {
        Some(key) => text.strip_suffix(&format!("[{key}]")).unwrap_or(text).to_owned(),
        None => text.to_owned(),
    }
}

/// Finds blocks all of whose instances were removed, and others with the same keys and configurations that were added. Only one of
/// each may be alike.
pub(crate) fn suggestions(
    matching: &Matching<'_>,
    same: &mut dyn FnMut(&AddressedValue, &AddressedValue) -> bool,
) -> Vec<MoveSuggestion> {
    let kept: HashSet<String> = matching
        .pairs
        .iter()
        .flat_map(|(old, new)| [block_of(&old.address), block_of(&new.address)])
        .collect();
    let groups = |all: &[&'_ AddressedValue]| -> BTreeMap<String, usize> {
        let blocks = all.iter().filter(|own| own.address.kind() == AddressKind::Resource);
        let mut groups = BTreeMap::new();
        for own in blocks {
            *groups.entry(block_of(&own.address)).or_insert(0) += 1;
        }
        groups.retain(|block, _| !kept.contains(block));
        groups
    };
    let (old, new) = (groups(&matching.removed), groups(&matching.added));
    let of = |all: &[&AddressedValue], block: &str| -> BTreeMap<String, usize> {
        let own = all.iter().enumerate().filter(|(_, own)| block_of(&own.address) == block);
        own.map(|(at, own)| (own.address.key().map(ToString::to_string).unwrap_or_default(), at)).collect()
    };
    let mut candidates: Vec<(&str, &str)> = Vec::new();
    for (from, count) in &old {
        let before = of(&matching.removed, from);
        for (to, _) in new.iter().filter(|(_, other)| *other == count) {
            let after = of(&matching.added, to);
            let is_same = before.keys().eq(after.keys())
                && before.values().zip(after.values()).all(|(one, other)| {
                    let (one, other) = (matching.removed[*one], matching.added[*other]);
                    one.address.block_type() == other.address.block_type() && same(one, other)
                });
            if is_same {
                candidates.push((from, to));
            }
        }
    }
    unambiguous(&candidates)
}

/// The pairs in which both are in no other pair, or have the same name.
fn unambiguous(candidates: &[(&str, &str)]) -> Vec<MoveSuggestion> {
    let name = |address: &str| address.rsplit('.').next().unwrap_or_default().to_owned();
    let count = |is: &dyn Fn(&(&str, &str)) -> bool| candidates.iter().filter(|own| is(own)).count();
    let mut taken = BTreeSet::new();
    let mut found = Vec::new();
    for own @ (from, to) in candidates {
        let is_only = count(&|other| other.0 == *from) == 1 && count(&|other| other.1 == *to) == 1;
        let alike = |other: &(&str, &str)| name(other.0) == name(other.1);
        let is_named =
            alike(own) && count(&|other| (other.0 == *from || other.1 == *to) && alike(other)) == 1;
        if (is_only || is_named) && taken.insert(*from) && taken.insert(*to) {
            found.push(MoveSuggestion { from: (*from).to_owned(), to: (*to).to_owned() });
        }
    }
    found
}
