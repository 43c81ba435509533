//! Comparing what declarations say besides values: what is declared, types, defaults, versions, backends, `lifecycle`.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use hclkit::Value;
use hclkit::dialect::Version;
use hclkit::module::{Module, OldAddress, Setting, SettingKind};

use crate::compare::Sides;
use crate::diff::SettingChange;
use crate::names::Names;
use crate::shown::Shown;

/// The module, the declaration, the part of it, and whether the instances are unknown.
type Key = (String, String, String, bool);

type Settings = BTreeMap<Key, Setting>;

/// What is not the same.
#[derive(Default)]
pub(crate) struct Changes {
    pub(crate) all: Vec<SettingChange>,
    /// The objects whose instances are unknown and of which something changes, and the calls of modules that they are in.
    pub(crate) objects: BTreeSet<String>,
}

/// Returns what declarations of two versions say that is not the same.
pub(crate) fn compare(old: &Module, new: &Module, sides: &mut Sides, names: &Names) -> Changes {
    let before = read(old.settings(&mut sides.old), Some(names));
    let after = read(new.settings(&mut sides.new), None);
    let keys: BTreeSet<&Key> = before.keys().chain(after.keys()).collect();
    let mut found = Changes::default();
    for key in keys {
        let (one, other) = (before.get(key), after.get(key));
        let Some(either) = one.or(other) else { continue };
        if !counts(key, either, &before, &after) {
            continue;
        }
        let Some(mut change) = change(one, other) else { continue };
        if key.3 {
            found.objects.extend(objects(key));
            if key.2.is_empty() && is_declared(if one.is_none() { &before } else { &after }, key) {
                let now = if one.is_none() { "unknown" } else { "known" };
                change.note = Some(format!("its instances are {now} now"));
            }
        }
        found.all.push(change);
    }
    found.all = together(found.all);
    found
}

fn counts(key: &Key, either: &Setting, before: &Settings, after: &Settings) -> bool {
    let in_both = |key: &Key| before.contains_key(key) && after.contains_key(key);
    let (module, subject, path, is_open) = key;
    let declaration = (module.clone(), subject.clone(), String::new(), *is_open);
    if !is_open {
        return (in_both(&declaration) || stands_alone(either))
            && (module.is_empty() || !is_of_callers(either));
    }
    // A module of which one version knows the instances is compared by their values.
    let read = (module.clone(), String::new(), String::new(), true);
    if before.contains_key(&read) != after.contains_key(&read) {
        return false;
    }
    match either.kind {
        _ if !path.is_empty() => in_both(&declaration),
        SettingKind::Object => true,
        // What calls it says that it is new.
        SettingKind::Call => is_declared(before, key) && is_declared(after, key),
        _ => false,
    }
}

/// Whether there is a declaration, whatever its instances are.
fn is_declared(all: &Settings, (module, subject, ..): &Key) -> bool {
    all.contains_key(&(module.clone(), subject.clone(), String::new(), false))
}

/// The addresses by which values depend on a declaration whose instances are unknown.
fn objects((module, subject, ..): &Key) -> Vec<String> {
    let dot = if module.is_empty() { "" } else { "." };
    let calls = module.match_indices("[*]").map(|(at, _)| module[..at].to_owned());
    calls.chain([format!("{module}{dot}{subject}")]).collect()
}

/// The settings by their names in the new version.
fn read(all: Vec<Setting>, names: Option<&Names>) -> Settings {
    let mut found = BTreeMap::new();
    for own in all {
        let (module, subject) = names.map_or((None, None), |names| new_names(&own, names));
        let module = module.unwrap_or_else(|| own.module.clone());
        let subject = subject.unwrap_or_else(|| own.subject.clone());
        found.insert((module, subject, own.path.clone(), own.is_open), own);
    }
    found
}

/// The module and the declaration of a setting in the new version, as far as they are others.
fn new_names(own: &Setting, names: &Names) -> (Option<String>, Option<String>) {
    let module = names.new_address(OldAddress::Instance(&own.module));
    // A statement is about an address: `import.disk.a`.
    let (kind, subject) = match own.kind {
        SettingKind::Object | SettingKind::Call => ("", own.subject.as_str()),
        SettingKind::Statement => match own.subject.split_once('.') {
            Some((_, subject)) => (&own.subject[..own.subject.len() - subject.len()], subject),
            None => return (module, None),
        },
        _ => return (module, None),
    };
    let dot = if own.module.is_empty() { "" } else { "." };
    let address = format!("{}{dot}{subject}", own.module);
    let moved = names.new_declaration(&address).or_else(|| {
        let is_statement = own.kind == SettingKind::Statement;
        names.new_address(OldAddress::Instance(&address)).filter(|_| is_statement)
    });
    let subject = moved.map(|new| {
        let inside = new.strip_prefix(module.as_ref().unwrap_or(&own.module)).unwrap_or(&new);
        format!("{kind}{}", inside.trim_start_matches('.'))
    });
    (module, subject)
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
