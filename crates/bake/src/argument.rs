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
pub(crate) enum ArgumentValue {
    Text(String),
    Flag(bool),
    Texts(Vec<String>),
    Map(BTreeMap<String, String>),
    Entries(Vec<KeyValueEntry>),
    Resources(KeyValueEntry),
}

/// The arguments of a target that are set.
pub(crate) type Arguments = BTreeMap<&'static str, ArgumentValue>;

impl Argument {
    pub(crate) fn named(name: &str) -> Option<&'static Self> {
        ARGUMENTS.iter().find(|argument| argument.name == name)
    }

    /// Reads a value; `None` if it is null.
    pub(crate) fn read(&self, value: &Value) -> Result<Option<ArgumentValue>, String> {
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
            Kind::Text => ArgumentValue::Text(entry::text_of(value)?),
            Kind::Flag => match converted(Type::Bool)?.as_bool() {
                Some(flag) => ArgumentValue::Flag(flag),
                None => return Ok(None),
            },
            Kind::Texts => match entry::texts(value)? {
                Some(texts) => ArgumentValue::Texts(texts),
                None => return Ok(None),
            },
            Kind::Map | Kind::Contexts => {
                let map = converted(Type::map(Type::String))?;
                let entries = map.entries().ok_or_else(|| messages::MUST_BE_KNOWN.to_owned())?;
                let set = entries.filter(|(_, value)| self.kind == Kind::Contexts || !value.is_null());
                let all = set.map(|(name, value)| Ok((name.to_string(), entry::text_of(value)?)));
                ArgumentValue::Map(all.collect::<Result<_, String>>()?)
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
                ArgumentValue::Entries(all)
            }
            Kind::Resources => ArgumentValue::Resources(resources(value)?),
        }))
    }

    /// The known part of a value that can be merged into other values without a wrong conclusion. Only arguments that
    /// connect targets matter.
    pub(crate) fn known(&self, value: &Value) -> Option<ArgumentValue> {
        match self.kind {
            Kind::Texts => {
                let items = value.as_slice().unwrap_or_default().iter();
                let texts = items.filter_map(|item| item.as_str().map(str::to_owned));
                // A list of platforms is compared as a whole.
                let texts = if self.name == "platforms" { Vec::new() } else { texts.collect() };
                Some(ArgumentValue::Texts(texts))
            }
            Kind::Contexts => {
                let entries = value.entries().into_iter().flatten();
                // An empty text removes an inherited context.
                let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
                Some(ArgumentValue::Map(
                    entries.map(|(name, value)| (name.to_string(), text(value))).collect(),
                ))
            }
            _ => None,
        }
    }

    /// The value that expressions see.
    pub(crate) fn value(&self, value: Option<&ArgumentValue>) -> Value {
        match (self.kind, value) {
            (_, Some(ArgumentValue::Text(text))) => Value::from(text),
            (Kind::Text, _) if self.name == "description" => Value::from(""),
            (Kind::Text, _) => Value::null(Type::String),
            (_, Some(ArgumentValue::Flag(flag))) => Value::from(*flag),
            (Kind::Flag, _) => Value::null(Type::Bool),
            (_, Some(ArgumentValue::Texts(texts))) => entry::strings(texts),
            (Kind::Texts, _) => Value::null(Type::list(Type::String)),
            (_, Some(ArgumentValue::Map(map))) => {
                let entries = map.iter().map(|(name, text)| (name.clone(), Value::from(text)));
                Value::map_of(Type::String, entries).unwrap_or(Value::DYNAMIC)
            }
            (Kind::Map | Kind::Contexts, _) => Value::null(Type::map(Type::String)),
            (Kind::Entries(kind), Some(ArgumentValue::Entries(entries))) => kind.value(entries),
            (Kind::Entries(kind), _) => kind.value(&[]),
            (Kind::Resources, Some(ArgumentValue::Resources(entry))) => {
                Value::object(LIMITS.map(|(name, whole)| {
                    let ty = if whole { Type::Number } else { Type::String };
                    (name, entry.get(name).map_or_else(|| Value::null(ty), entry::plain))
                }))
            }
            (Kind::Resources, _) => Value::NULL,
        }
    }

    /// Changes the value that is inherited.
    fn merge(&self, base: &mut ArgumentValue, over: ArgumentValue) {
        if !self.adds {
            *base = over;
            return;
        }
        match (base, over) {
            (ArgumentValue::Texts(base), ArgumentValue::Texts(over)) => base.extend(over),
            (ArgumentValue::Map(base), ArgumentValue::Map(over)) => base.extend(over),
            (ArgumentValue::Resources(base), ArgumentValue::Resources(over)) => base.extend(over),
            (ArgumentValue::Entries(base), ArgumentValue::Entries(over)) => {
                base.extend(over);
                if let Kind::Entries(kind) = self.kind {
                    kind.distinct(base);
                }
            }
            (base, over) => *base = over,
        }
    }

    /// Removes elements that have no effect.
    fn normalize(&self, value: &mut ArgumentValue) {
        match value {
            ArgumentValue::Texts(texts) if self.name != "inherits" => {
                let mut seen = std::collections::BTreeSet::new();
                texts.retain(|text| !text.is_empty() && seen.insert(text.clone()));
            }
            ArgumentValue::Entries(entries) => {
                if let Kind::Entries(kind) = self.kind {
                    kind.distinct(entries);
                }
            }
            ArgumentValue::Map(map) if self.kind == Kind::Contexts => {
                map.retain(|_, value| !value.is_empty());
            }
            _ => {}
        }
    }

    /// The value that is printed; `None` if it is left out.
    pub(crate) fn printed(&self, value: &ArgumentValue) -> Option<Value> {
        let text = |text: &String| {
            if self.escaped {
                Value::from(text.replace("${", "$${").replace("%{", "%%{"))
            } else {
                Value::from(text)
            }
        };
        Some(match value {
            ArgumentValue::Text(own) if own.is_empty() && self.name == "description" => return None,
            ArgumentValue::Text(own) => text(own),
            ArgumentValue::Flag(flag) => Value::from(*flag),
            ArgumentValue::Texts(texts) if texts.is_empty() => return None,
            ArgumentValue::Texts(texts) => Value::tuple(texts.iter().map(text)),
            ArgumentValue::Map(map) if map.is_empty() => return None,
            ArgumentValue::Map(map) => Value::object(map.iter().map(|(name, own)| (name.clone(), text(own)))),
            ArgumentValue::Entries(entries) if entries.is_empty() => return None,
            ArgumentValue::Entries(entries) => match self.kind {
                Kind::Entries(kind) => Value::tuple(entries.iter().map(|entry| kind.printed(entry))),
                _ => return None,
            },
            ArgumentValue::Resources(entry) => {
                Value::object(entry.iter().map(|(name, field)| (name.clone(), entry::plain(field))))
            }
        })
    }
}

/// Counts arguments that are copied.
///
/// # Errors
/// A limit is exceeded.
pub(crate) fn count(arguments: &Arguments) -> Result<(), Exceeded> {
    let (mut elements, mut bytes) = (0, 0);
    let mut text = |text: &str| {
        elements += 1;
        bytes += text.len();
    };
    for value in arguments.values() {
        match value {
            ArgumentValue::Text(own) => text(own),
            ArgumentValue::Flag(_) => text(""),
            ArgumentValue::Texts(texts) => texts.iter().for_each(|own| text(own)),
            ArgumentValue::Map(map) => {
                map.iter().flat_map(|(name, own)| [name, own]).for_each(|own| text(own));
            }
            ArgumentValue::Entries(entries) => {
                for entry in entries {
                    entry::texts_in(entry, &mut text);
                }
            }
            ArgumentValue::Resources(entry) => entry::texts_in(entry, &mut text),
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
pub(crate) fn merge(base: &mut Arguments, over: &Arguments) -> Result<(), Exceeded> {
    count(over)?;
    for argument in &ARGUMENTS {
        let Some(over) = over.get(argument.name) else { continue };
        if argument.name == "description" && *over == ArgumentValue::Text(String::new()) {
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
pub(crate) fn normalize(arguments: &mut Arguments) {
    if arguments.get("network") == Some(&ArgumentValue::Text("host".to_owned())) {
        add_texts(arguments, "entitlements", ["network.host".to_owned()]);
    }
    for argument in &ARGUMENTS {
        if let Some(value) = arguments.get_mut(argument.name) {
            argument.normalize(value);
        }
    }
}

/// Adds elements to a list of strings.
pub(crate) fn add_texts(
    arguments: &mut Arguments,
    name: &'static str,
    more: impl IntoIterator<Item = String>,
) {
    if let ArgumentValue::Texts(texts) =
        arguments.entry(name).or_insert_with(|| ArgumentValue::Texts(Vec::new()))
    {
        texts.extend(more);
    }
}

pub(crate) fn texts_of<'s>(arguments: &'s Arguments, name: &str) -> &'s [String] {
    match arguments.get(name) {
        Some(ArgumentValue::Texts(texts)) => texts,
        _ => &[],
    }
}

pub(crate) fn text_of<'s>(arguments: &'s Arguments, name: &str) -> Option<&'s str> {
    match arguments.get(name) {
        Some(ArgumentValue::Text(text)) => Some(text),
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
