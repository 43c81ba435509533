//! Looks for changes that a merge lost, in another way than the merge works. `cargo xtask merges` uses it, too.

use std::collections::BTreeMap;

use hclkit_syntax::ast::{BodyNode, Item};

/// What separates the names that lead to something.
const BELOW: char = '\u{1f}';

/// The text that remains of conflicts if one side is taken.
pub(crate) fn taken(text: &str, side: usize) -> String {
    let mut part = None;
    let mut taken = String::new();
    for line in text.split_inclusive('\n') {
        if line.starts_with("<<<<<<< ours") {
            part = Some(1);
        } else if part.is_some() && line.trim_end() == "=======" {
            part = Some(2);
        } else if line.starts_with(">>>>>>> theirs") {
            part = None;
        } else if part.is_none_or(|part| part == side) {
            taken.push_str(line);
        }
    }
    taken
}

const TWICE: [&str; 2] = ["", "twice"];

/// The source of each attribute, and the comment after it, by the names that lead to it. Names that occur twice in a body are [`TWICE`].
fn attributes(text: &str) -> BTreeMap<String, [String; 2]> {
    fn add(outer: &str, body: BodyNode<'_>, text: &str, found: &mut BTreeMap<String, [String; 2]>) {
        let name = |item: &Item<'_>| match item {
            Item::Attribute(attribute) => format!("{outer}{BELOW}{}", attribute.name()),
            Item::Block(block) => format!("{outer}{BELOW}{}{:?}", block.block_type(), block.label_texts()),
        };
        let mut counts = BTreeMap::<String, usize>::new();
        body.items().for_each(|item| *counts.entry(name(&item)).or_default() += 1);
        for item in body.items() {
            match item {
                _ if counts[&name(&item)] > 1 => {
                    found.insert(name(&item), TWICE.map(str::to_owned));
                }
                Item::Attribute(attribute) => {
                    let after = text[attribute.span().end as usize..].lines().next().unwrap_or_default();
                    found.insert(name(&item), [attribute.value().text(), after.trim()].map(str::to_owned));
                }
                Item::Block(block) => {
                    found.insert(name(&item), Default::default());
                    add(&name(&item), block.body(), text, found);
                }
            }
        }
    }
    let document = hclkit_syntax::parse(text);
    let mut found = BTreeMap::new();
    add("", document.body(), text, &mut found);
    found
}

/// The first error of a text and its number of errors, if there are any.
pub(crate) fn errors(text: &str) -> Option<String> {
    let document = hclkit_syntax::parse(text);
    let errors = document.diagnostics();
    let first = errors.iter().find(|error| error.is_error())?;
    Some(format!("{first}, of {}", errors.total()))
}

/// How often each line is in a text that is a comment.
fn comments(text: &str) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for line in text.lines().map(str::trim).filter(|line| line.starts_with("# ")) {
        *counts.entry(line).or_default() += 1;
    }
    counts
}

/// What only one side changed, or both in the same way.
fn picked<T: PartialEq>([base, ours, theirs]: [T; 3]) -> Option<T> {
    if base == ours || ours == theirs { Some(theirs) } else { (base == theirs).then_some(ours) }
}

/// A change of one side only that is not in a merged text, if there is one. In conflicts, what one side changed counts as lost only if
/// what it is part of was not changed by the other side as a whole.
pub(crate) fn lost(versions: &[String; 3], merged: &str, has_conflicts: bool) -> Option<String> {
    let [before, by_ours, by_theirs] = versions.each_ref().map(|text| attributes(text));
    for side in [1, 2] {
        let after = attributes(&taken(merged, side));
        let all = [&before, &by_ours, &by_theirs, &after];
        let is_once = |all: &BTreeMap<_, _>, name: &str| all.get(name).is_some_and(|it| *it != TWICE);
        let is_kept = |name: &str| {
            let mut parents = name.match_indices(BELOW).skip(1).map(|(at, _)| &name[..at]);
            parents.all(|parent| all.iter().all(|all| is_once(all, parent)))
        };
        for name in before.keys().chain(by_ours.keys()).chain(by_theirs.keys()) {
            let versions = [&before, &by_ours, &by_theirs].map(|version| version.get(name));
            if !is_kept(name) || versions.iter().flatten().any(|version| **version == TWICE) {
                continue;
            }
            // Both added a block without labels, at different places.
            if name.ends_with("[]") && versions[0].is_none() && versions[1..].iter().all(Option::is_some) {
                continue;
            }
            // What is removed while its comment is changed is a conflict, and so are two comments on one line, and a block that is
            // removed while it is renamed.
            let is_block =
                |found: Option<&[String; 2]>| found.is_some_and(|found| *found == <[String; 2]>::default());
            if let Some(expected) = picked(versions)
                && (!has_conflicts || expected.is_some() && !is_block(expected))
                && after.get(name) != expected
            {
                return Some(format!(
                    "{name} is {:?}, not {expected:?}, taking side {side}",
                    after.get(name)
                ));
            }
            let values = versions.map(|version| version.map(|[value, _]| value));
            let value = after.get(name).map(|[value, _]| value);
            if let Some(expected) = picked(values).filter(|expected| !has_conflicts && value != *expected) {
                return Some(format!("{name} is {value:?}, not {expected:?}"));
            }
        }
    }
    if has_conflicts {
        return None;
    }
    let [old, one, other] = versions.each_ref().map(|text| comments(text));
    let new = comments(merged);
    for comment in old.keys().chain(one.keys()).chain(other.keys()) {
        let counts = [&old, &one, &other, &new].map(|all| all.get(comment).copied().unwrap_or_default());
        if counts[..3].iter().any(|count| *count > 1) {
            continue;
        }
        let [old, one, other, new] = counts.map(|count| count > 0);
        // A comment that one side removed stays if the other one moved it to something new.
        match picked([old, one, other]) {
            Some(true) if !new => return Some(format!("the comment {comment} is missing")),
            Some(false) if !one && !other && new => {
                return Some(format!("the comment {comment} was removed"));
            }
            _ => {}
        }
    }
    None
}
