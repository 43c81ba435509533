//! Comparing two evaluated versions. Known values are subtracted; unknown ones are compared by what they are computed from.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::RandomState;
use std::sync::Arc;

use hclkit::decode::PlainJson;
use hclkit::limits::{Meter, with_room};
use hclkit::module::{AddressKind, AddressedValue, Evaluation, Graph, Meanings, Module, report_exceeded};
use hclkit::value::{Kind, Mark, Path, Str};
use hclkit::{Diagnostic, Diagnostics, Place, Value};

use crate::cause;
use crate::diff::{Action, AttributeChange, Certainty, Diff, InstanceChange, OutputChange};
use crate::matching::{Matching, block_of, is_object, matching, suggestions};
use crate::names::Names;
use crate::settings;
use crate::shown::Shown;

/// What is found out besides the changes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// The source lines that cause each change.
    pub explain: bool,
    /// Warnings that are new.
    pub lints: bool,
}

/// Returns the difference of two versions of a module.
pub fn diff(old: &Module, new: &Module) -> Diff {
    diff_with(old, new, Options::default())
}

/// Returns the difference of two versions of a module, and what options ask for.
pub fn diff_with(old: &Module, new: &Module, options: Options) -> Diff {
    let (before, after) = (old.evaluate(&[]), new.evaluate(&[]));
    let moves = new.moves();
    let matching = matching(&before.values, &after.values, &moves);
    let names = Arc::new(Names::new(moves, &matching));
    let state = RandomState::new();
    let renamed = names.clone();
    let mut sides = Sides {
        old: old.meanings(&state, move |address| renamed.new_address(address)),
        new: new.meanings(&state, |_| None),
    };
    let settings = settings::compare(old, new, &mut sides, &names);
    let mut comparison = Comparison { matching: &matching, changes: Vec::new(), open: Vec::new() };
    for (one, other) in &matching.pairs {
        comparison.add(one, other);
    }
    for (one, other) in outputs(&before, &after) {
        comparison.add(one, other);
    }
    comparison.settle(&mut sides, settings.objects);
    let mut found = comparison.finish(&old.graph(), &new.graph());
    found.settings = settings.all;
    found.suggestions = suggestions(&matching, &mut |one, other| sides.are_alike(one, other));
    if options.explain {
        cause::add(old, new, &mut found);
    }
    found.findings = findings(old, new, &before, &after, options.lints);
    found.old_errors = before.diagnostics.iter().filter(|found| found.is_error()).cloned().collect();
    report_exceeded(&mut found.findings);
    found.is_incomplete = Meter::current().exceeded().is_some()
        || before.diagnostics.has_limit()
        || after.diagnostics.has_limit();
    found
}

/// The results of the root module that both versions have.
fn outputs<'v>(
    before: &'v Evaluation,
    after: &'v Evaluation,
) -> Vec<(&'v AddressedValue, &'v AddressedValue)> {
    let is_of_root = |own: &&AddressedValue| own.address.modules().next().is_none();
    let after: HashMap<&str, &AddressedValue> = after
        .of_kind(AddressKind::Output)
        .filter(is_of_root)
        .map(|own| (own.address.as_str(), own))
        .collect();
    let before = before.of_kind(AddressKind::Output).filter(is_of_root);
    before.filter_map(|own| Some((own, *after.get(own.address.as_str())?))).collect()
}

/// Errors of the new version, and its warnings that the old version does not have.
fn findings(old: &Module, new: &Module, before: &Evaluation, after: &Evaluation, lints: bool) -> Diagnostics {
    let mut found: Diagnostics = after.diagnostics.iter().filter(|found| found.is_error()).cloned().collect();
    let warnings = |evaluated: &Evaluation, module: &Module| -> Vec<Diagnostic> {
        let mut all = evaluated.diagnostics.clone();
        if lints {
            all.append(module.check());
        }
        all.iter().filter(|found| !found.is_error()).cloned().collect()
    };
    let key = |found: &Diagnostic| (found.code(), found.summary().to_owned(), found.note().to_owned());
    let mut known: HashMap<_, usize> = HashMap::new();
    for own in warnings(before, old) {
        *known.entry(key(&own)).or_default() += 1;
    }
    for own in warnings(after, new) {
        match known.get_mut(&key(&own)) {
            Some(count) if *count > 0 => *count -= 1,
            _ => found.push(own),
        }
    }
    found.distinct()
}

/// What the values of both versions are computed from.
pub(crate) struct Sides {
    pub(crate) old: Meanings,
    pub(crate) new: Meanings,
}

impl Sides {
    /// The objects that two values depend on, if both are computed in the same way.
    fn objects_if_same(&mut self, old: &str, new: &str) -> Option<Arc<BTreeSet<String>>> {
        let (old, new) = (self.old.of(old)?, self.new.of(new)?);
        (old.fingerprint == new.fingerprint).then_some(new.objects)
    }

    /// Whether two instances have the same configuration.
    fn are_alike(&mut self, one: &AddressedValue, other: &AddressedValue) -> bool {
        let (mut changes, mut unknown) = (Vec::new(), Vec::new());
        compare(&Path::new(), Some(&one.value), Some(&other.value), &mut changes, &mut unknown);
        // Equal objects without arguments are alike by chance.
        changes.is_empty()
            && one.value.entries().is_some_and(|mut entries| entries.any(|(_, value)| !value.is_null()))
            && unknown.iter().all(|path| {
                self.objects_if_same(&part(&one.address, path), &part(&other.address, path)).is_some()
            })
    }
}

/// The address of a part of a value.
fn part(address: &str, path: &Path) -> String {
    let path = path.to_string();
    if path.is_empty() || path.starts_with(['.', '[']) {
        format!("{address}{path}")
    } else {
        format!("{address}.{path}")
    }
}

/// A path as it is shown: without a dot at its start.
fn shown_path(path: &Path) -> String {
    let text = path.to_string();
    text.strip_prefix('.').map(str::to_owned).unwrap_or(text)
}

/// What differs in an instance or a result that both versions have.
struct Change<'v> {
    old: &'v AddressedValue,
    new: &'v AddressedValue,
    attributes: Vec<AttributeChange>,
}

impl Change<'_> {
    /// Whether something changes that others may depend on.
    fn has_changes(&self) -> bool {
        self.attributes.iter().any(|own| own.certainty != Certainty::OnlySensitivity)
    }
}

/// A value that is unknown in both versions.
struct Open {
    /// The number of its change.
    change: usize,
    path: Path,
    /// None if the values are computed in another way.
    objects: Option<Arc<BTreeSet<String>>>,
}

impl Open {
    /// The objects because of which the value may change, or nothing if it does not.
    fn because(&self, changed: &BTreeSet<String>) -> Option<Vec<String>> {
        match &self.objects {
            None => Some(Vec::new()),
            Some(objects) => {
                let found: Vec<String> = objects.intersection(changed).cloned().collect();
                (!found.is_empty()).then_some(found)
            }
        }
    }
}

struct Comparison<'v> {
    matching: &'v Matching<'v>,
    changes: Vec<Change<'v>>,
    open: Vec<Open>,
}

impl<'v> Comparison<'v> {
    /// Compares what both versions have.
    fn add(&mut self, old: &'v AddressedValue, new: &'v AddressedValue) {
        let (mut attributes, mut unknown) = (Vec::new(), Vec::new());
        let marked = |own: &AddressedValue| {
            if own.sensitive { own.value.mark(Mark::sensitive()) } else { own.value.clone() }
        };
        compare(&Path::new(), Some(&marked(old)), Some(&marked(new)), &mut attributes, &mut unknown);
        let change = self.changes.len();
        self.changes.push(Change { old, new, attributes });
        self.open.extend(unknown.into_iter().map(|path| Open { change, path, objects: None }));
    }

    /// Decides which unknown values may change: those that are computed in another way, and those that depend on an object that
    /// changes, of which some are known.
    fn settle(&mut self, sides: &mut Sides, mut changed: BTreeSet<String>) {
        let note = |changed: &mut BTreeSet<String>, own: &AddressedValue| {
            if is_object(own) {
                changed.insert(own.address.as_str().to_owned());
                changed.insert(block_of(&own.address));
            }
        };
        for own in self.matching.added.iter().chain(&self.matching.removed) {
            note(&mut changed, own);
        }
        for own in self.changes.iter().filter(|own| own.has_changes()) {
            note(&mut changed, own.new);
        }
        for open in &mut self.open {
            let Change { old, new, .. } = &self.changes[open.change];
            open.objects =
                sides.objects_if_same(&part(&old.address, &open.path), &part(&new.address, &open.path));
        }
        let mut left = std::mem::take(&mut self.open);
        loop {
            let before = left.len();
            left.retain(|open| {
                let Some(because) = open.because(&changed) else { return true };
                let change = &mut self.changes[open.change];
                note(&mut changed, change.new);
                change.attributes.push(AttributeChange {
                    path: shown_path(&open.path),
                    certainty: Certainty::MayChange,
                    old: Shown::Unknown,
                    new: Shown::Unknown,
                    because,
                    causes: Vec::new(),
                });
                false
            });
            if left.len() == before {
                return;
            }
        }
    }

    fn finish(self, old: &Graph, new: &Graph) -> Diff {
        let mut found = Diff::default();
        found.instances.extend(self.matching.removed.iter().map(|own| one_sided(own, Action::Removed, old)));
        found.instances.extend(self.matching.added.iter().map(|own| one_sided(own, Action::Added, new)));
        for change in self.changes {
            let has_moved = change.old.address != change.new.address;
            if change.attributes.is_empty() && !has_moved {
                continue;
            }
            let place = place(new, &change.new.address);
            if !is_object(change.new) {
                let name = change.new.address.name().to_owned();
                found.outputs.push(OutputChange { name, parts: change.attributes, place });
                continue;
            }
            let is_certain = change.attributes.iter().any(|own| own.certainty != Certainty::MayChange);
            let action = match (has_moved, is_certain) {
                (true, _) => Action::Moved,
                (false, true) => Action::Changed,
                (false, false) => Action::MayChange,
            };
            found.instances.push(InstanceChange {
                action,
                address: change.new.address.as_str().to_owned(),
                previous_address: has_moved.then(|| change.old.address.as_str().to_owned()),
                attributes: change.attributes,
                place,
            });
        }
        found.instances.sort_by(|one, other| (&one.address, one.action).cmp(&(&other.address, other.action)));
        found.outputs.sort_by(|one, other| one.name.cmp(&other.name));
        found
    }
}

fn place(graph: &Graph, address: &str) -> Option<Place> {
    Some(graph.node(graph.find(address)?).place().clone())
}

/// An instance that only one version has, with all that is configured.
fn one_sided(own: &AddressedValue, action: Action, graph: &Graph) -> InstanceChange {
    let (mut attributes, mut unknown) = (Vec::new(), Vec::new());
    let (old, new) =
        if action == Action::Added { (None, Some(&own.value)) } else { (Some(&own.value), None) };
    for (name, value) in own.value.unmark().0.entries().into_iter().flatten() {
        let path = Path::new().attribute(name.clone());
        let side = |is: bool| is.then_some(value);
        compare(&path, side(old.is_some()), side(new.is_some()), &mut attributes, &mut unknown);
    }
    let place = place(graph, &own.address);
    InstanceChange {
        action,
        address: own.address.as_str().to_owned(),
        previous_address: None,
        attributes,
        place,
    }
}

/// Compares two values, of which one may be missing. Adds the parts that differ, and the paths of those that are unknown in both.
fn compare(
    path: &Path,
    old: Option<&Value>,
    new: Option<&Value>,
    changes: &mut Vec<AttributeChange>,
    unknown: &mut Vec<Path>,
) {
    if Meter::current().take_steps(1).is_err() {
        return;
    }
    let (Some(one), Some(other)) = (old, new) else {
        return compare_one_sided(path, old, new, changes);
    };
    if one.is_marked() || other.is_marked() {
        return compare_marked(path, one, other, changes, unknown);
    }
    if one == other && one.is_wholly_known() || one.is_null() && other.is_null() {
        return;
    }
    match (one.kind(), other.kind()) {
        (Kind::Unknown(..), Kind::Unknown(..)) => unknown.push(path.clone()),
        // Of a value that one version knows in part and the other one not at all, each part counts.
        (Kind::Unknown(..), _) | (_, Kind::Unknown(..))
            if !one.is_wholly_known() && !other.is_wholly_known() =>
        {
            let is_old = one.is_known();
            let Some(parts) = parts(path, if is_old { one } else { other }) else {
                return unknown.push(path.clone());
            };
            for (path, part) in parts.into_iter().filter(|(_, part)| !part.unmark().0.is_null()) {
                let (one, other) = if is_old { (part, other) } else { (one, part) };
                with_room(|| compare(&path, Some(one), Some(other), changes, unknown));
            }
        }
        _ => match (entries(one), entries(other), elements(one), elements(other)) {
            (Some(one), Some(other), ..) => {
                let names: BTreeSet<&Str> = one.keys().chain(other.keys()).copied().collect();
                for name in names {
                    let path = path.clone().attribute(name.clone());
                    let (one, other) = (one.get(name).copied(), other.get(name).copied());
                    with_room(|| compare(&path, one, other, changes, unknown));
                }
            }
            (_, _, Some(one), Some(other)) => {
                for at in 0..one.len().max(other.len()) {
                    let path = path.clone().index(i64::try_from(at).unwrap_or(i64::MAX));
                    match (one.get(at), other.get(at)) {
                        // It is an element all the same.
                        (None, Some(only)) | (Some(only), None) if only.is_null() => {
                            changes.push(change(&path, one.get(at), other.get(at)));
                        }
                        (one, other) => with_room(|| compare(&path, one, other, changes, unknown)),
                    }
                }
            }
            // Sets of different types, or a set and a list.
            _ if are_written_alike(one, other) => {}
            _ if one.is_wholly_known() || other.is_wholly_known() => {
                changes.push(change(path, Some(one), Some(other)));
            }
            // Sets with unknown elements.
            _ => unknown.push(path.clone()),
        },
    }
}

/// Adds a value that only one version has. Of one that is known in part, each part counts.
fn compare_one_sided(
    path: &Path,
    old: Option<&Value>,
    new: Option<&Value>,
    changes: &mut Vec<AttributeChange>,
) {
    let Some(value) = old.or(new) else { return };
    // An argument that is null is not set.
    if value.unmark().0.is_null() {
        return;
    }
    let is_whole = value.is_marked() || value.is_wholly_known() && !value.contains_marked();
    match parts(path, value).filter(|parts| !is_whole && !parts.is_empty()) {
        Some(parts) => {
            for (path, part) in parts {
                let (old, new) = if old.is_some() { (Some(part), None) } else { (None, Some(part)) };
                with_room(|| compare_one_sided(&path, old, new, changes));
            }
        }
        None => changes.push(change(path, old, new)),
    }
}

/// Compares values of which at least one is sensitive as a whole.
fn compare_marked(
    path: &Path,
    one: &Value,
    other: &Value,
    changes: &mut Vec<AttributeChange>,
    unknown: &mut Vec<Path>,
) {
    let (mut inner, mut open) = (Vec::new(), Vec::new());
    let bare = |value: &Value| value.unmark_deep().0;
    compare(path, Some(&bare(one)), Some(&bare(other)), &mut inner, &mut open);
    let certainty = if !inner.is_empty() {
        Certainty::Changes
    } else if one.is_marked() != other.is_marked() {
        Certainty::OnlySensitivity
    } else {
        // The parts of a sensitive value are not shown.
        if !open.is_empty() {
            unknown.push(path.clone());
        }
        return;
    };
    let path = shown_path(path);
    let (because, causes) = (Vec::new(), Vec::new());
    changes.push(AttributeChange {
        path,
        certainty,
        old: Shown::Sensitive,
        new: Shown::Sensitive,
        because,
        causes,
    });
}

fn change(path: &Path, old: Option<&Value>, new: Option<&Value>) -> AttributeChange {
    let shown = |value: Option<&Value>| value.map_or(Shown::Absent, Shown::of);
    let (mut old_shown, mut new_shown) = (shown(old), shown(new));
    // What is sensitive in one version is shown in none.
    if old_shown == Shown::Sensitive && new.is_some() || new_shown == Shown::Sensitive && old.is_some() {
        (old_shown, new_shown) = (Shown::Sensitive, Shown::Sensitive);
    }
    AttributeChange {
        path: shown_path(path),
        certainty: Certainty::Changes,
        old: old_shown,
        new: new_shown,
        because: Vec::new(),
        causes: Vec::new(),
    }
}

/// The parts of a map, an object, a list or a tuple.
fn parts<'v>(path: &Path, value: &'v Value) -> Option<Vec<(Path, &'v Value)>> {
    if let Some(all) = entries(value) {
        return Some(
            all.into_iter().map(|(name, part)| (path.clone().attribute(name.clone()), part)).collect(),
        );
    }
    let at = |at| path.clone().index(i64::try_from(at).unwrap_or(i64::MAX));
    Some(elements(value)?.iter().enumerate().map(|(number, part)| (at(number), part)).collect())
}

/// Whether two known values only differ in their types.
fn are_written_alike(one: &Value, other: &Value) -> bool {
    let text = |value: &Value| {
        let is_shown = value.is_wholly_known() && !value.contains_marked();
        is_shown.then(|| serde_json::to_string(&PlainJson::new(value)).ok()).flatten()
    };
    text(one).is_some_and(|own| text(other) == Some(own))
}

/// The entries of a map or an object.
fn entries(value: &Value) -> Option<BTreeMap<&Str, &Value>> {
    value.entries().map(Iterator::collect)
}

/// The elements of a list or a tuple.
fn elements(value: &Value) -> Option<&[Value]> {
    if matches!(value.kind(), Kind::Set(_)) { None } else { value.as_slice() }
}
