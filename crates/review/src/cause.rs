//! Which source lines cause a change: where the ways to a value of both versions begin to differ.

use std::collections::HashMap;

use hclkit::Place;
use hclkit::model::Withheld;
use hclkit::module::{Derivation, Module, Pattern};

use crate::diff::{Action, AttributeChange, Diff, InstanceChange};
use crate::shown::Shown;

/// The maximum number of values that are followed for one change, and of causes of it.
const MOST: usize = 500;
const MOST_CAUSES: usize = 5;

/// What causes a change: a name with another value or another expression.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Cause {
    /// Its address, such as `var.size` or `module.net.local.zones`.
    pub address: String,
    /// Its value in the old version.
    pub old: Shown,
    /// Its value in the new version.
    pub new: Shown,
    /// Where the new value is written, or the old one if there is no new one.
    pub place: Option<Place>,
}

/// Adds the causes to all changes of values.
pub(crate) fn add(old: &Module, new: &Module, found: &mut Diff) {
    let is_in_both = |own: &&mut InstanceChange| !matches!(own.action, Action::Added | Action::Removed);
    for own in found.instances.iter_mut().filter(is_in_both) {
        let before = own.previous_address.clone().unwrap_or_else(|| own.address.clone());
        for attribute in &mut own.attributes {
            attribute.causes = causes(old, new, &before, &own.address, attribute);
        }
    }
    for own in &mut found.outputs {
        let address = format!("output.{}", own.name);
        for part in &mut own.parts {
            part.causes = causes(old, new, &address, &address, part);
        }
    }
}

fn causes(old: &Module, new: &Module, before: &str, after: &str, change: &AttributeChange) -> Vec<Cause> {
    let follow = |module: &Module, address: &str| -> Vec<Derivation> {
        let path = &change.path;
        let dot = if path.is_empty() || path.starts_with('[') { "" } else { "." };
        let pattern = format!("{address}{dot}{path}").parse::<Pattern>();
        pattern.map(|pattern| module.derivations(&[pattern], MOST).all).unwrap_or_default()
    };
    let (old, new) = (follow(old, before), follow(new, after));
    let by_address = |all: &[Derivation]| -> HashMap<String, Derivation> {
        all.iter().map(|own| (own.address.as_str().to_owned(), own.clone())).collect()
    };
    let (known_old, known_new) = (by_address(&old), by_address(&new));
    let mut found = Vec::new();
    for own in &new {
        match known_old.get(own.address.as_str()) {
            Some(other) if is_begin(other, own) => found.push(cause(Some(other), Some(own))),
            None if own.uses.iter().all(|used| !known_new.contains_key(used.as_str())) => {
                found.push(cause(None, Some(own)));
            }
            _ => {}
        }
    }
    if found.is_empty() {
        let gone = old.iter().filter(|own| !known_new.contains_key(own.address.as_str()));
        found.extend(gone.take(1).map(|own| cause(Some(own), None)));
    }
    found.truncate(MOST_CAUSES);
    // A local value has no mark if only what is made of it is sensitive.
    if [&change.old, &change.new].contains(&&Shown::Sensitive) {
        for cause in &mut found {
            (cause.old, cause.new) = (Shown::Sensitive, Shown::Sensitive);
        }
    }
    found
}

/// Whether two ways to a value begin to differ at a name: its expression is another one, or its value is and nothing that it refers to
/// explains that.
fn is_begin(old: &Derivation, new: &Derivation) -> bool {
    if text(old) != text(new) {
        return true;
    }
    let differs = old.value != new.value || old.cause != new.cause;
    differs && new.uses.is_empty() && old.uses.is_empty()
}

/// The tokens of the expression.
fn text(own: &Derivation) -> Option<String> {
    let (expression, _) = own.expression.as_ref()?;
    Some(expression.text().split_whitespace().collect::<Vec<_>>().join(" "))
}

fn cause(old: Option<&Derivation>, new: Option<&Derivation>) -> Cause {
    let is_hidden =
        |own: Option<&Derivation>| own.is_some_and(|own| own.is_sensitive() || own.value.contains_marked());
    let hides = is_hidden(old) || is_hidden(new);
    let shown = |own: Option<&Derivation>| match own {
        None => Shown::Absent,
        Some(_) if hides => Shown::Sensitive,
        Some(own) if own.value.is_wholly_known() => Shown::of(&own.value),
        Some(Derivation { expression: Some((expression, _)), .. }) => {
            let withheld = Withheld::of_expression(expression);
            let text = withheld.text(expression.source(), expression.span());
            Shown::Source(text.split_whitespace().collect::<Vec<_>>().join(" "))
        }
        Some(_) => Shown::Unknown,
    };
    let either = new.or(old);
    Cause {
        address: either.map(|own| own.address.as_str().to_owned()).unwrap_or_default(),
        old: shown(old),
        new: shown(new),
        place: either.and_then(|own| own.place.clone()),
    }
}
