//! Attributes of objects that are probably misspelled. Without a schema of the provider nobody knows which attributes an
//! object has. But if the objects of a type never set the attribute, and one of them sets another one that differs in one
//! character, a warning asks whether that one was meant. This is stricter than the suggestions in errors
//! (`crates/syntax/src/names.rs`), because the name may well be right.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;

use hclkit_dialect::Role;
use hclkit_model::{Expression, Target, Traversal};
use hclkit_syntax::Diagnostics;
use hclkit_value::Name;

use crate::config::{Config, Content};
use crate::instance::Session;
use crate::messages;

/// Names of fewer bytes are not compared: too many short names differ in one character.
const SHORTEST: usize = 5;

/// The maximum number of names of a type that are compared.
const MOST: usize = 1_000;

/// The objects of a type, such as `aws_instance` or `data.aws_ami`.
#[derive(Default)]
struct Type<'c> {
    objects: HashSet<&'c Name>,
    /// The attributes and blocks that they set.
    set: BTreeSet<&'c Name>,
}

/// The objects of a directory, by the names before theirs, that no schema describes.
pub(crate) struct Objects<'c>(HashMap<&'c [Name], Type<'c>>);

impl<'c> Objects<'c> {
    pub(crate) fn of(tree: &Session, config: &'c Config) -> Self {
        let mut types: HashMap<&[Name], Type<'_>> = HashMap::new();
        for item in config.items.iter().filter(|item| item.rule.role == Role::Object) {
            let Content::Object(shape) = &item.content else { continue };
            let Some((name, path)) = item.address.split_last() else { continue };
            let is_known = |ty: &Name| tree.language.object(&item.rule.block_type, ty).is_some();
            if item.labels.first().is_some_and(is_known) || tree.schemas.object(item, config).is_some() {
                continue;
            }
            let own = types.entry(path).or_default();
            own.objects.insert(name);
            own.set.extend(shape.names());
        }
        Self(types)
    }

    /// Reports references to attributes that are probably misspelled, in some of the values and blocks of the directory.
    pub(crate) fn misspelled(&self, config: &Config, range: &Range<usize>) -> Diagnostics {
        let Self(types) = self;
        let mut diagnostics = Diagnostics::new();
        if types.is_empty() {
            return diagnostics;
        }
        let mut known: HashMap<(Vec<Name>, Name), Option<&Name>> = HashMap::new();
        let mut check = |expression: &Expression| {
            for reference in expression.references() {
                let Some((path, at)) = attribute(reference, types) else { continue };
                let Target::Attribute(name) = &reference.steps[at].target else { continue };
                let own = &types[path.as_slice()].set;
                let meant = *known.entry((path, name.clone())).or_insert_with(|| meant(name, own));
                if let Some(meant) = meant {
                    let span = reference.steps[at].span;
                    let warning = messages::misspelled(name, meant).at(span);
                    diagnostics.push(warning.with_source(expression.source()));
                }
            }
        };
        let (values, items) = config.in_range(range);
        config.values[values].iter().for_each(|named| check(&named.attribute.expression));
        for item in &config.items[items] {
            item.each_expression_and_argument(&mut |expression, _| check(expression));
        }
        diagnostics
    }
}

/// The type of the object that a reference begins with, and the step after the object and its key.
fn attribute(reference: &Traversal, types: &HashMap<&[Name], Type<'_>>) -> Option<(Vec<Name>, usize)> {
    let mut path = vec![reference.root.clone()];
    for (at, step) in reference.steps.iter().enumerate() {
        let Target::Attribute(name) = &step.target else { return None };
        if let Some(ty) = types.get(path.as_slice()) {
            let is_key = |step: &hclkit_model::TraversalStep| matches!(step.target, Target::Element(_));
            let after = at + 1 + usize::from(reference.steps.get(at + 1).is_some_and(is_key));
            return (ty.objects.contains(name) && after < reference.steps.len()).then_some((path, after));
        }
        path.push(name.clone());
    }
    None
}

/// The only name that a name is probably a misspelling of.
fn meant<'c>(name: &Name, set: &BTreeSet<&'c Name>) -> Option<&'c Name> {
    if set.contains(name) {
        return None;
    }
    let mut near = set.iter().copied().take(MOST).filter(|other| is_misspelling(name, other));
    let first = near.next()?;
    near.next().is_none().then_some(first)
}

/// Returns true if two names differ in one character or in two that are swapped. A plural, or a number, is another name.
fn is_misspelling(written: &str, other: &str) -> bool {
    let (a, b) = (written.as_bytes(), other.as_bytes());
    if a.len().min(b.len()) < SHORTEST || a.len().abs_diff(b.len()) > 1 {
        return false;
    }
    let before = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let after = a[before..].iter().rev().zip(b[before..].iter().rev()).take_while(|(a, b)| a == b).count();
    let is_free = |byte: &u8| !byte.is_ascii_digit();
    match (&a[before..a.len() - after], &b[before..b.len() - after]) {
        ([one], [other]) => is_free(one) && is_free(other),
        ([one], []) | ([], [one]) => is_free(one) && !(*one == b's' && after == 0),
        ([first, second], [other, last]) => first == last && second == other,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_misspelling;

    #[test]
    fn a_misspelling_is_one_character() {
        for (written, other) in [
            ("bukcet", "bucket"),
            ("vpc_idd", "vpc_id"),
            ("cidr_blok", "cidr_block"),
            ("availabilty_zone", "availability_zone"),
            ("instanze_type", "instance_type"),
        ] {
            assert!(is_misspelling(written, other) && is_misspelling(other, written), "{written}");
        }
        for (written, other) in [
            ("subnet_id", "subnet_ids"),
            ("ipv4_address", "ipv6_address"),
            ("port1", "port"),
            ("arn", "arm"),
            ("bucket", "bucket"),
            ("public_ip", "public_dns"),
            ("", ""),
        ] {
            assert!(!is_misspelling(written, other) && !is_misspelling(other, written), "{written}");
        }
    }
}
