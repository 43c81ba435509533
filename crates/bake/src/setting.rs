//! The arguments of targets: what values they have, and how those of several targets are merged.

use std::collections::BTreeMap;

use hclkit_limits::{Exceeded, Meter};
use hclkit_value::{Type, Value};

use crate::entry::{self, EntryKind, Field, KeyValueEntry};
use crate::messages;

/// An argument of a target.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Argument {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    /// Whether the value of a target is added to the inherited value instead of replacing it.
    adds: bool,
    /// Whether text that looks like a template is escaped when it is printed.
    escaped: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    Flag,
    Texts,
    /// Strings by name. Nulls are ignored.
    Map,
    /// The same without nulls; an empty string removes a name.
    Contexts,
    Entries(EntryKind),
    Resources,
}

const fn replaced(name: &'static str, kind: Kind) -> Argument {
    Argument { name, kind, adds: false, escaped: false }
}

const fn added(name: &'static str, kind: Kind) -> Argument {
    Argument { name, kind, adds: true, escaped: false }
}

const fn escaped(argument: Argument) -> Argument {
    Argument { escaped: true, ..argument }
}

/// The arguments of a target, in the order in which they are printed.
pub(crate) static ARGUMENTS: [Argument; 29] = [
    replaced("description", Kind::Text),
    added("inherits", Kind::Texts),
    escaped(added("annotations", Kind::Texts)),
    added("attest", Kind::Entries(EntryKind::Attest)),
    replaced("context", Kind::Text),
    added("contexts", Kind::Contexts),
    replaced("dockerfile", Kind::Text),
    escaped(replaced("dockerfile-inline", Kind::Text)),
    escaped(added("args", Kind::Map)),
    escaped(added("labels", Kind::Map)),
    replaced("tags", Kind::Texts),
    added("cache-from", Kind::Entries(EntryKind::Cache)),
    replaced("cache-to", Kind::Entries(EntryKind::Cache)),
    replaced("target", Kind::Text),
    added("secret", Kind::Entries(EntryKind::Secret)),
    added("ssh", Kind::Entries(EntryKind::Ssh)),
    replaced("platforms", Kind::Texts),
    replaced("output", Kind::Entries(EntryKind::Export)),
    replaced("pull", Kind::Flag),
    replaced("no-cache", Kind::Flag),
    replaced("network", Kind::Text),
    added("no-cache-filter", Kind::Texts),
    replaced("shm-size", Kind::Text),
    added("ulimits", Kind::Texts),
    added("resources", Kind::Resources),
    replaced("call", Kind::Text),
    added("entitlements", Kind::Texts),
    escaped(added("extra-hosts", Kind::Map)),
    added("policy", Kind::Entries(EntryKind::Policy)),
];

/// The argument that only groups have.
pub(crate) static TARGETS: Argument = replaced("targets", Kind::Texts);

/// The limits of `resources`.
const LIMITS: [(&str, bool); 7] = [
    ("memory", false),
    ("memory-swap", false),
    ("cpu-shares", true),
    ("cpu-period", true),
    ("cpu-quota", true),
    ("cpuset-cpus", false),
    ("cpuset-mems", false),
];

/// The value of an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Setting {
    Text(String),
    Flag(bool),
    Texts(Vec<String>),
    Map(BTreeMap<String, String>),
    Entries(Vec<KeyValueEntry>),
    Resources(KeyValueEntry),
}

/// The arguments of a target that are set.
pub(crate) type Settings = BTreeMap<&'static str, Setting>;

impl Argument {
    pub(crate) fn named(name: &str) -> Option<&'static Self> {
        ARGUMENTS.iter().find(|argument| argument.name == name)
    }

    /// Reads a value; `None` if it is null.
    pub(crate) fn read(&self, value: &Value) -> Result<Option<Setting>, String> {
        if !value.is_known() {
            return Err(messages::MUST_BE_KNOWN.to_owned());
        }
        if value.is_null() {
            return if self.name == "description" {
                Err(messages::MUST_NOT_BE_NULL.to_owned())
            } else {
                Ok(None)
            };
        }
        let converted = |ty: Type| value.convert(&ty).map_err(|error| error.to_string());
        Ok(Some(match self.kind {
            Kind::Text => Setting::Text(entry::text_of(value)?),
            Kind::Flag => match converted(Type::Bool)?.as_bool() {
                Some(flag) => Setting::Flag(flag),
                None => return Ok(None),
            },
            Kind::Texts => match entry::texts(value)? {
                Some(texts) => Setting::Texts(texts),
                None => return Ok(None),
            },
            Kind::Map | Kind::Contexts => {
                let map = converted(Type::map(Type::String))?;
                let entries = map.entries().ok_or_else(|| messages::MUST_BE_KNOWN.to_owned())?;
                let set = entries.filter(|(_, value)| self.kind == Kind::Contexts || !value.is_null());
                let all = set.map(|(name, value)| Ok((name.to_string(), entry::text_of(value)?)));
                Setting::Map(all.collect::<Result<_, String>>()?)
            }
            Kind::Entries(kind) => {
                let items = match value.ty() {
                    Type::List(_) | Type::Tuple(_) => value.as_slice().unwrap_or_default(),
                    _ => return Err(messages::LIST_REQUIRED.to_owned()),
                };
                let mut all = Vec::new();
                for item in items {
                    all.extend(kind.read(item)?);
                }
                Setting::Entries(all)
            }
            Kind::Resources => Setting::Resources(resources(value)?),
        }))
    }

    /// The known part of a value that can be merged into other values without a wrong conclusion. Only arguments that
    /// connect targets matter.
    pub(crate) fn known(&self, value: &Value) -> Option<Setting> {
        match self.kind {
            Kind::Texts => {
                let items = value.as_slice().unwrap_or_default().iter();
                let texts = items.filter_map(|item| item.as_str().map(str::to_owned));
                // A list of platforms is compared as a whole.
                let texts = if self.name == "platforms" { Vec::new() } else { texts.collect() };
                Some(Setting::Texts(texts))
            }
            Kind::Contexts => {
                let entries = value.entries().into_iter().flatten();
                // An empty text removes an inherited context.
                let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
                Some(Setting::Map(entries.map(|(name, value)| (name.to_string(), text(value))).collect()))
            }
            _ => None,
        }
    }

    /// The value that expressions see.
    pub(crate) fn value(&self, setting: Option<&Setting>) -> Value {
        match (self.kind, setting) {
            (_, Some(Setting::Text(text))) => Value::from(text),
            (Kind::Text, _) if self.name == "description" => Value::from(""),
            (Kind::Text, _) => Value::null(Type::String),
            (_, Some(Setting::Flag(flag))) => Value::from(*flag),
            (Kind::Flag, _) => Value::null(Type::Bool),
            (_, Some(Setting::Texts(texts))) => entry::strings(texts),
            (Kind::Texts, _) => Value::null(Type::list(Type::String)),
            (_, Some(Setting::Map(map))) => {
                let entries = map.iter().map(|(name, text)| (name.clone(), Value::from(text)));
                Value::map_of(Type::String, entries).unwrap_or(Value::DYNAMIC)
            }
            (Kind::Map | Kind::Contexts, _) => Value::null(Type::map(Type::String)),
            (Kind::Entries(kind), Some(Setting::Entries(entries))) => kind.value(entries),
            (Kind::Entries(kind), _) => kind.value(&[]),
            (Kind::Resources, Some(Setting::Resources(entry))) => {
                Value::object(LIMITS.map(|(name, whole)| {
                    let ty = if whole { Type::Number } else { Type::String };
                    (name, entry.get(name).map_or_else(|| Value::null(ty), entry::plain))
                }))
            }
            (Kind::Resources, _) => Value::NULL,
        }
    }

    /// Changes the value that is inherited.
    fn merge(&self, base: &mut Setting, over: Setting) {
        if !self.adds {
            *base = over;
            return;
        }
        match (base, over) {
            (Setting::Texts(base), Setting::Texts(over)) => base.extend(over),
            (Setting::Map(base), Setting::Map(over)) => base.extend(over),
            (Setting::Resources(base), Setting::Resources(over)) => base.extend(over),
            (Setting::Entries(base), Setting::Entries(over)) => {
                base.extend(over);
                if let Kind::Entries(kind) = self.kind {
                    kind.distinct(base);
                }
            }
            (base, over) => *base = over,
        }
    }

    /// Removes elements that have no effect.
    fn normalize(&self, setting: &mut Setting) {
        match setting {
            Setting::Texts(texts) if self.name != "inherits" => {
                let mut seen = std::collections::BTreeSet::new();
                texts.retain(|text| !text.is_empty() && seen.insert(text.clone()));
            }
            Setting::Entries(entries) => {
                if let Kind::Entries(kind) = self.kind {
                    kind.distinct(entries);
                }
            }
            Setting::Map(map) if self.kind == Kind::Contexts => map.retain(|_, value| !value.is_empty()),
            _ => {}
        }
    }

    /// The value that is printed; `None` if it is left out.
    pub(crate) fn printed(&self, setting: &Setting) -> Option<Value> {
        let text = |text: &String| {
            if self.escaped {
                Value::from(text.replace("${", "$${").replace("%{", "%%{"))
            } else {
                Value::from(text)
            }
        };
        Some(match setting {
            Setting::Text(own) if own.is_empty() && self.name == "description" => return None,
            Setting::Text(own) => text(own),
            Setting::Flag(flag) => Value::from(*flag),
            Setting::Texts(texts) if texts.is_empty() => return None,
            Setting::Texts(texts) => Value::tuple(texts.iter().map(text)),
            Setting::Map(map) if map.is_empty() => return None,
            Setting::Map(map) => Value::object(map.iter().map(|(name, own)| (name.clone(), text(own)))),
            Setting::Entries(entries) if entries.is_empty() => return None,
            Setting::Entries(entries) => match self.kind {
                Kind::Entries(kind) => Value::tuple(entries.iter().map(|entry| kind.printed(entry))),
                _ => return None,
            },
            Setting::Resources(entry) => {
                Value::object(entry.iter().map(|(name, field)| (name.clone(), entry::plain(field))))
            }
        })
    }
}

/// Counts settings that are copied.
///
/// # Errors
/// A limit is exceeded.
pub(crate) fn count(settings: &Settings) -> Result<(), Exceeded> {
    let (mut elements, mut bytes) = (0, 0);
    let mut text = |text: &str| {
        elements += 1;
        bytes += text.len();
    };
    for setting in settings.values() {
        match setting {
            Setting::Text(own) => text(own),
            Setting::Flag(_) => text(""),
            Setting::Texts(texts) => texts.iter().for_each(|own| text(own)),
            Setting::Map(map) => map.iter().flat_map(|(name, own)| [name, own]).for_each(|own| text(own)),
            Setting::Entries(entries) => entries.iter().for_each(|entry| entry::texts_in(entry, &mut text)),
            Setting::Resources(entry) => entry::texts_in(entry, &mut text),
        }
    }
    let meter = Meter::current();
    meter.take_elements(elements)?;
    meter.take_bytes(bytes)
}

/// Changes inherited arguments by those of a target.
///
/// # Errors
/// A limit is exceeded.
pub(crate) fn merge(base: &mut Settings, over: &Settings) -> Result<(), Exceeded> {
    count(over)?;
    for argument in &ARGUMENTS {
        let Some(over) = over.get(argument.name) else { continue };
        if argument.name == "description" && *over == Setting::Text(String::new()) {
            continue;
        }
        match base.get_mut(argument.name) {
            Some(base) => argument.merge(base, over.clone()),
            None => drop(base.insert(argument.name, over.clone())),
        }
    }
    Ok(())
}

/// Removes duplicates and empty elements, and adds what follows from other arguments.
pub(crate) fn normalize(settings: &mut Settings) {
    if settings.get("network") == Some(&Setting::Text("host".to_owned())) {
        add_texts(settings, "entitlements", ["network.host".to_owned()]);
    }
    for argument in &ARGUMENTS {
        if let Some(setting) = settings.get_mut(argument.name) {
            argument.normalize(setting);
        }
    }
}

/// Adds elements to a list of strings.
pub(crate) fn add_texts(settings: &mut Settings, name: &'static str, more: impl IntoIterator<Item = String>) {
    if let Setting::Texts(texts) = settings.entry(name).or_insert_with(|| Setting::Texts(Vec::new())) {
        texts.extend(more);
    }
}

pub(crate) fn texts_of<'s>(settings: &'s Settings, name: &str) -> &'s [String] {
    match settings.get(name) {
        Some(Setting::Texts(texts)) => texts,
        _ => &[],
    }
}

pub(crate) fn text_of<'s>(settings: &'s Settings, name: &str) -> Option<&'s str> {
    match settings.get(name) {
        Some(Setting::Text(text)) => Some(text),
        _ => None,
    }
}

fn resources(value: &Value) -> Result<KeyValueEntry, String> {
    let entries = value.entries().ok_or_else(|| messages::TEXT_OR_OBJECT_REQUIRED.to_owned())?;
    let mut found = KeyValueEntry::new();
    for (name, value) in entries.filter(|(_, value)| !value.is_null()) {
        if LIMITS.iter().any(|(limit, _)| *limit == name.as_str()) {
            found.insert(name.to_string(), resource(name, &entry::text_of(value)?)?);
        }
    }
    Ok(found)
}

/// The value of a limit.
pub(crate) fn resource(name: &str, text: &str) -> Result<Field, String> {
    match LIMITS.iter().find(|(limit, _)| *limit == name) {
        None => Err(messages::unknown_field(name)),
        Some((_, false)) => Ok(Field::Text(text.to_owned())),
        Some((_, true)) => {
            text.parse().map(Field::Number).map_err(|_| messages::WHOLE_NUMBER_REQUIRED.to_owned())
        }
    }
}
