//! Comparing what declarations say besides values: what is declared, types, defaults, versions, backends, `lifecycle`.

use std::collections::{BTreeMap, HashMap, HashSet};

use hclkit::Value;
use hclkit::dialect::Version;
use hclkit::module::{Module, Setting, SettingKind};

use crate::compare::Sides;
use crate::diff::SettingChange;
use crate::shown::Shown;

/// The module, the declaration, and the part of it.
type Key = (String, String, String);

/// Returns what declarations of two versions say that is not the same. `renamed` returns the new address of what has moved.
pub(crate) fn compare(
    old: &Module,
    new: &Module,
    sides: &mut Sides,
    renamed: &dyn Fn(&str) -> Option<String>,
) -> Vec<SettingChange> {
    let before = read(old.settings(&mut sides.old), renamed);
    let after = read(new.settings(&mut sides.new), &|_| None);
    let keys: std::collections::BTreeSet<&Key> = before.keys().chain(after.keys()).collect();
    let is_declared = |all: &BTreeMap<Key, Setting>, key: &Key| {
        all.contains_key(&(key.0.clone(), key.1.clone(), String::new()))
    };
    let mut found = Vec::new();
    for key in keys {
        let (one, other) = (before.get(key), after.get(key));
        let Some(either) = one.or(other) else { continue };
        let in_both = is_declared(&before, key) && is_declared(&after, key);
        if !in_both && !stands_alone(either) || !key.0.is_empty() && is_of_callers(either) {
            continue;
        }
        if let Some(change) = change(one, other) {
            found.push(change);
        }
    }
    together(found)
}

/// The settings by their names in the new version.
fn read(all: Vec<Setting>, renamed: &dyn Fn(&str) -> Option<String>) -> BTreeMap<Key, Setting> {
    let mut found = BTreeMap::new();
    for own in all {
        let dot = if own.module.is_empty() { "" } else { "." };
        let address = format!("{}{dot}{}", own.module, own.subject);
        let module = renamed(&own.module).unwrap_or_else(|| own.module.clone());
        let can_move = matches!(own.kind, SettingKind::Object | SettingKind::Call);
        let subject = match renamed(&address).filter(|_| can_move) {
            Some(new) => new.strip_prefix(&module).unwrap_or(&new).trim_start_matches('.').to_owned(),
            None => own.subject.clone(),
        };
        found.insert((module, subject, own.path.clone()), own);
    }
    found
}

/// Whether a setting says something by itself if its declaration is only in one version. Of a new resource or variable, the declaration
/// says all.
fn stands_alone(own: &Setting) -> bool {
    match own.kind {
        SettingKind::Object => false,
        SettingKind::Settings => !own.path.is_empty() || own.subject != "terraform",
        _ => own.path.is_empty(),
    }
}

/// Whether a setting of a called module matters only to its callers, whose values show it.
fn is_of_callers(own: &Setting) -> bool {
    matches!(own.kind, SettingKind::Variable | SettingKind::Output)
}

fn change(one: Option<&Setting>, other: Option<&Setting>) -> Option<SettingChange> {
    let either = other.or(one)?;
    if let (Some(one), Some(other)) = (one, other) {
        let is_same = match (&one.value, &other.value) {
            (Some(one), Some(other)) => one == other,
            _ => one.meaning == other.meaning,
        };
        if is_same {
            return None;
        }
    }
    let is_hidden = |own: Option<&Setting>| own.is_some_and(|own| own.text.is_none() && own.meaning != 0);
    let hides = is_hidden(one) || is_hidden(other);
    let shown = |own: Option<&Setting>| match own {
        None => Shown::Absent,
        Some(_) if hides => Shown::Sensitive,
        Some(Setting { value: Some(value), .. }) => Shown::Value(value.clone()),
        Some(Setting { text: Some(text), .. }) => Shown::Source(text.clone()),
        Some(_) => Shown::Declared,
    };
    Some(SettingChange {
        kind: either.kind,
        module: either.module.clone(),
        subject: either.subject.clone(),
        path: either.path.clone(),
        old: shown(one),
        new: shown(other),
        note: note(one, other),
        place: either.place.clone(),
        others: 0,
    })
}

/// What a change means.
fn note(one: Option<&Setting>, other: Option<&Setting>) -> Option<String> {
    let either = other.or(one)?;
    let is_variable = either.kind == SettingKind::Variable;
    let text = match (one, other) {
        (Some(_), None) if is_variable && either.path == "default" => "required now",
        (None, Some(_)) if is_variable && either.path == "default" => "optional now",
        (None, Some(_)) if either.path.is_empty() => "added",
        (Some(_), None) if either.path.is_empty() => "removed",
        (Some(one), Some(other)) if is_version(other) => {
            return step(text(one)?, text(other)?).map(str::to_owned);
        }
        _ => return None,
    };
    Some(text.to_owned())
}

fn is_version(own: &Setting) -> bool {
    let last = own.path.rsplit('.').next().unwrap_or_default();
    matches!(last, "version" | "required_version")
        || own.path.starts_with("required_providers.")
        || own.kind == SettingKind::Call && own.path == "source"
}

fn text(own: &Setting) -> Option<&str> {
    own.value.as_ref().and_then(Value::as_str).or(own.text.as_deref())
}

/// The kind of step from one version, or constraint on versions, to another one.
fn step(old: &str, new: &str) -> Option<&'static str> {
    let (one, other) = (first_version(old)?, first_version(new)?);
    Some(match one.cmp(&other) {
        std::cmp::Ordering::Equal => "other constraint",
        std::cmp::Ordering::Greater => "downgrade",
        std::cmp::Ordering::Less if one[0] != other[0] => "major version",
        std::cmp::Ordering::Less if one[1] != other[1] => "minor version",
        std::cmp::Ordering::Less => "patch version",
    })
}

/// The first version in a text.
fn first_version(text: &str) -> Option<[u64; 3]> {
    let words = text.split(|c: char| !(c.is_ascii_digit() || c == '.'));
    let word = words
        .map(|word| word.trim_matches('.'))
        .find(|word| !word.is_empty() && Version::parse(word).is_some())?;
    let mut parts = word.split('.').map(|part| part.parse().unwrap_or(u64::MAX));
    let mut next = || parts.next().unwrap_or(0);
    Some([next(), next(), next()])
}

/// Changes that several calls of the same module have count once.
fn together(all: Vec<SettingChange>) -> Vec<SettingChange> {
    let mut first: HashMap<(String, u32, String), usize> = HashMap::new();
    let mut found: Vec<SettingChange> = Vec::new();
    let mut counted = HashSet::new();
    for own in all {
        let source = own.place.source.name().to_owned();
        let key =
            (source, own.place.span.start, format!("{} {} {} {}", own.subject, own.path, own.old, own.new));
        match first.get(&key).filter(|_| !own.module.is_empty()) {
            Some(&at) if counted.insert((at, own.module.clone())) => found[at].others += 1,
            Some(_) => {}
            None => {
                first.insert(key, found.len());
                found.push(own);
            }
        }
    }
    found
}
