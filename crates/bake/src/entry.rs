//! Elements of arguments that are written as text, such as `type=registry,ref=app`, or as objects: caches, outputs, secrets,
//! SSH agents, attestations and policies.

use std::collections::{BTreeMap, HashMap, HashSet, hash_map};

use hclkit_limits::Meter;
use hclkit_value::{Type, Value};

use crate::messages;

/// How many steps it counts as to compare an element with others.
const STEPS: u64 = 16;

/// An element: its fields by their names.
pub(crate) type KeyValueEntry = BTreeMap<String, Field>;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Field {
    Text(String),
    Flag(bool),
    Number(i64),
    Texts(Vec<String>),
}

impl Field {
    pub(crate) fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EntryKind {
    Attest,
    Cache,
    Export,
    Secret,
    Ssh,
    Policy,
}

impl EntryKind {
    /// Reads an element from text. One text can list several caches.
    pub(crate) fn parse(self, text: &str) -> Result<Vec<KeyValueEntry>, String> {
        if self == Self::Cache && !text.contains('=') {
            let cache = |reference: String| {
                KeyValueEntry::from([
                    ("type".into(), text_field("registry")),
                    ("ref".into(), Field::Text(reference)),
                ])
            };
            return Ok(fields(text, ',')?.into_iter().map(cache).collect());
        }
        let entry = match self {
            Self::Ssh => ssh(text),
            Self::Export => export(text)?,
            Self::Secret => secret(text)?,
            Self::Policy => policy(&fields(text, ',')?)?,
            Self::Cache => {
                let mut entry = KeyValueEntry::new();
                for field in fields(text, ',')? {
                    let (name, value) = pair(&field)?;
                    entry.insert(name.to_lowercase(), text_field(value));
                }
                entry
            }
            Self::Attest => {
                let mut entry = KeyValueEntry::new();
                for field in fields(text, ',')? {
                    let (name, value) = pair(&field)?;
                    match name.to_lowercase().trim() {
                        "type" => entry.insert("type".to_owned(), text_field(value)),
                        "disabled" => entry.insert("disabled".to_owned(), Field::Flag(flag(value)?)),
                        _ => entry.insert(name.to_owned(), text_field(value)),
                    };
                }
                entry
            }
        };
        self.check(&entry)?;
        if self == Self::Attest && is_empty(entry.get("type")) {
            return Err(messages::ATTESTATION_TYPE_REQUIRED.to_owned());
        }
        Ok(vec![entry])
    }

    /// Reads an element from its value. An empty string is none.
    pub(crate) fn read(self, value: &Value) -> Result<Vec<KeyValueEntry>, String> {
        if let Some(text) = value.as_str() {
            return if text.is_empty() { Ok(Vec::new()) } else { self.parse(text) };
        }
        if value.is_null() {
            return Err(messages::MUST_NOT_BE_NULL.to_owned());
        }
        let Some(entries) = value.entries() else { return Err(messages::TEXT_OR_OBJECT_REQUIRED.to_owned()) };
        let mut entry = KeyValueEntry::new();
        match self {
            Self::Ssh | Self::Secret => {
                for (name, value) in entries.filter(|(_, value)| !value.is_null()) {
                    match (self, name.as_str()) {
                        (Self::Ssh, "paths") => {
                            let paths = texts(value)?.unwrap_or_default();
                            entry.insert("paths".to_owned(), Field::Texts(paths));
                        }
                        (_, "id") | (Self::Secret, "src" | "env") => {
                            entry.insert(name.to_string(), Field::Text(text_of(value)?));
                        }
                        _ => {}
                    }
                }
            }
            Self::Policy => {
                let set = entries.filter(|(_, value)| !value.is_null() && value.as_str() != Some(""));
                let fields = set.map(|(name, value)| Ok(format!("{name}={}", text_of(value)?)));
                entry = policy(&fields.collect::<Result<Vec<_>, String>>()?)?;
            }
            Self::Attest | Self::Cache | Self::Export => {
                for (name, value) in entries {
                    if value.is_null() {
                        return Err(messages::MUST_NOT_BE_NULL.to_owned());
                    }
                    let text = text_of(value)?;
                    let field = match (self, name.as_str()) {
                        (Self::Attest, "disabled") => Field::Flag(flag(&text)?),
                        _ => Field::Text(text),
                    };
                    entry.insert(name.to_string(), field);
                }
            }
        }
        self.check(&entry)?;
        Ok(vec![entry])
    }

    /// Checks that there is a type, where one is required.
    fn check(self, entry: &KeyValueEntry) -> Result<(), String> {
        let why = match self {
            Self::Cache => messages::CACHE_TYPE_REQUIRED,
            Self::Export => messages::OUTPUT_TYPE_REQUIRED,
            _ => return Ok(()),
        };
        if is_empty(entry.get("type")) { Err(why.to_owned()) } else { Ok(()) }
    }

    /// The field that identifies an element; if two elements have the same value in it, the later one counts. `None` if
    /// only equal elements are the same.
    fn identity(self) -> Option<&'static str> {
        match self {
            Self::Attest => Some("type"),
            Self::Secret | Self::Ssh => Some("id"),
            Self::Cache | Self::Export | Self::Policy => None,
        }
    }

    /// Removes duplicates, and puts the remaining elements in Bake's order.
    pub(crate) fn distinct(self, entries: &mut Vec<KeyValueEntry>) {
        if Meter::current().take_steps(STEPS * entries.len() as u64).is_err() {
            return;
        }
        if let Some(identity) = self.identity() {
            let mut places = HashMap::new();
            let mut kept: Vec<KeyValueEntry> = Vec::new();
            for entry in entries.drain(..) {
                match places.entry(text_in(&entry, identity).to_owned()) {
                    hash_map::Entry::Occupied(at) => kept[*at.get()] = entry,
                    hash_map::Entry::Vacant(free) => {
                        free.insert(kept.len());
                        kept.push(entry);
                    }
                }
            }
            *entries = kept;
        } else if self != Self::Policy && !is_distinct(entries) {
            // Where each element is, of those from the current one on, which are distinct.
            let mut places: HashMap<KeyValueEntry, usize> = HashMap::new();
            for at in (0..entries.len()).rev() {
                if let Some(later) = places.insert(entries[at].clone(), at) {
                    // The last element takes the place of a later duplicate.
                    entries.swap_remove(later);
                    if let Some(place) = entries.get(later).and_then(|moved| places.get_mut(moved)) {
                        *place = later;
                    }
                }
            }
        }
    }

    /// The value that expressions see.
    pub(crate) fn value(self, entries: &[KeyValueEntry]) -> Value {
        let element = match self {
            Self::Secret => ["id", "src", "env"].map(|name| (name, Type::String)).to_vec(),
            Self::Ssh => vec![("id", Type::String), ("paths", Type::list(Type::String))],
            _ => Vec::new(),
        };
        if element.is_empty() {
            let one = |entry: &KeyValueEntry| {
                let mut fields: Vec<(String, Value)> =
                    entry.iter().filter_map(|(name, field)| Some((name.clone(), shown(field)?))).collect();
                let absent = match self {
                    Self::Export => Some("dest"),
                    _ => None,
                };
                let absent = absent.filter(|name| !entry.contains_key(*name));
                fields.extend(absent.map(|name| (name.to_owned(), Value::from(""))));
                Value::map_of(Type::String, fields).unwrap_or(Value::DYNAMIC)
            };
            return Value::list_of(Type::map(Type::String), entries.iter().map(one))
                .unwrap_or(Value::DYNAMIC);
        }
        let one = |entry: &KeyValueEntry| {
            Value::object(element.iter().map(|(name, ty)| {
                let value = match (entry.get(*name), ty) {
                    (Some(Field::Texts(texts)), _) => strings(texts),
                    (_, Type::List(_)) => Value::empty_list(Type::String),
                    (field, _) => Value::from(field.and_then(Field::as_text).unwrap_or_default()),
                };
                (*name, value)
            }))
        };
        Value::list_of(Type::object(element.clone()), entries.iter().map(one)).unwrap_or(Value::DYNAMIC)
    }

    /// The value that is printed.
    pub(crate) fn printed(self, entry: &KeyValueEntry) -> Value {
        if self == Self::Policy {
            return printed_policy(entry);
        }
        let shown = entry.iter().filter(|(name, field)| match (self, name.as_str()) {
            // These are left out if they are empty.
            (Self::Secret | Self::Ssh, _) | (Self::Export, "dest") => !is_empty(Some(*field)),
            (Self::Attest, "disabled") => **field == Field::Flag(true),
            _ => true,
        });
        let mut all: Vec<(String, Value)> = shown.map(|(name, field)| (name.clone(), plain(field))).collect();
        let typed = matches!(self, Self::Attest | Self::Cache | Self::Export);
        if typed && !entry.contains_key("type") {
            all.push(("type".to_owned(), Value::from("")));
        }
        Value::object(all)
    }
}

pub(crate) fn plain(field: &Field) -> Value {
    match field {
        Field::Text(text) => Value::from(text),
        Field::Flag(flag) => Value::from(*flag),
        Field::Number(number) => Value::from(*number),
        Field::Texts(texts) => Value::tuple(texts.iter().map(Value::from)),
    }
}

/// A field as an element of a map of strings.
fn shown(field: &Field) -> Option<Value> {
    match field {
        Field::Text(text) => Some(Value::from(text)),
        Field::Flag(true) => Some(Value::from("true")),
        Field::Flag(false) => None,
        Field::Number(number) => Some(Value::from(number.to_string())),
        Field::Texts(texts) => texts.first().map(Value::from),
    }
}

pub(crate) fn strings(texts: &[String]) -> Value {
    Value::list_of(Type::String, texts.iter().map(Value::from)).unwrap_or(Value::DYNAMIC)
}

fn is_distinct(entries: &[KeyValueEntry]) -> bool {
    let mut seen = HashSet::new();
    entries.iter().all(|entry| seen.insert(entry))
}

/// Visits the names and the texts of an element.
pub(crate) fn texts_in(entry: &KeyValueEntry, visit: &mut impl FnMut(&str)) {
    for (name, field) in entry {
        visit(name);
        match field {
            Field::Text(text) => visit(text),
            Field::Texts(texts) => texts.iter().for_each(|text| visit(text)),
            Field::Flag(_) | Field::Number(_) => {}
        }
    }
}

fn text_field(text: &str) -> Field {
    Field::Text(text.to_owned())
}

fn text_in<'e>(entry: &'e KeyValueEntry, name: &str) -> &'e str {
    entry.get(name).and_then(Field::as_text).unwrap_or_default()
}

fn is_empty(field: Option<&Field>) -> bool {
    match field {
        None => true,
        Some(Field::Text(text)) => text.is_empty(),
        Some(Field::Texts(texts)) => texts.is_empty(),
        Some(_) => false,
    }
}

/// A value as a string.
pub(crate) fn text_of(value: &Value) -> Result<String, String> {
    let text = value.convert(&Type::String).map_err(|error| error.to_string())?;
    if text.is_null() {
        return Err(messages::MUST_NOT_BE_NULL.to_owned());
    }
    text.as_str().map(str::to_owned).ok_or_else(|| messages::MUST_BE_KNOWN.to_owned())
}

/// A list of strings; `None` if it is null.
pub(crate) fn texts(value: &Value) -> Result<Option<Vec<String>>, String> {
    let list = value.convert(&Type::list(Type::String)).map_err(|error| error.to_string())?;
    if list.is_null() {
        return Ok(None);
    }
    let items = list.as_slice().ok_or_else(|| messages::MUST_BE_KNOWN.to_owned())?;
    items.iter().map(text_of).collect::<Result<Vec<_>, _>>().map(Some)
}

fn pair(field: &str) -> Result<(&str, &str), String> {
    field.split_once('=').ok_or_else(|| messages::pair_required(field))
}

/// A bool as Go reads it.
pub(crate) fn flag(text: &str) -> Result<bool, String> {
    match text {
        "1" | "t" | "T" | "true" | "TRUE" | "True" => Ok(true),
        "0" | "f" | "F" | "false" | "FALSE" | "False" => Ok(false),
        _ => Err(messages::bool_required(text)),
    }
}

fn ssh(text: &str) -> KeyValueEntry {
    let (id, paths) = text.split_once('=').map_or((text, None), |(id, paths)| (id, Some(paths)));
    let mut entry = KeyValueEntry::from([("id".to_owned(), text_field(id))]);
    if let Some(paths) = paths {
        entry.insert("paths".to_owned(), Field::Texts(paths.split(',').map(str::to_owned).collect()));
    }
    entry
}

fn export(text: &str) -> Result<KeyValueEntry, String> {
    let all = fields(text, ',')?;
    if let [one] = all.as_slice()
        && one == text
        && !text.starts_with("type=")
    {
        let kind = if text == "-" { "tar" } else { "local" };
        return Ok(KeyValueEntry::from([
            ("type".into(), text_field(kind)),
            ("dest".into(), text_field(text)),
        ]));
    }
    let mut entry = KeyValueEntry::new();
    for field in &all {
        let (name, value) = pair(field)?;
        entry.insert(name.to_lowercase().trim().to_owned(), text_field(value));
    }
    Ok(entry)
}

fn secret(text: &str) -> Result<KeyValueEntry, String> {
    let (mut entry, mut from_env) = (KeyValueEntry::new(), false);
    for field in &fields(text, ',')? {
        let (name, value) = pair(field)?;
        let name = name.to_lowercase();
        match name.as_str() {
            "type" if value == "file" || value == "env" => from_env = value == "env",
            "type" => return Err(messages::secret_type(value)),
            "id" | "env" => drop(entry.insert(name, text_field(value))),
            "source" | "src" => drop(entry.insert("src".to_owned(), text_field(value))),
            _ => return Err(messages::unknown_field(&name)),
        }
    }
    if from_env
        && is_empty(entry.get("env"))
        && let Some(source) = entry.remove("src")
    {
        entry.insert("env".to_owned(), source);
    }
    Ok(entry)
}

fn policy(fields: &[String]) -> Result<KeyValueEntry, String> {
    let mut entry = KeyValueEntry::new();
    for field in fields {
        let (name, value) = pair(field)?;
        let name = name.to_lowercase().trim().to_owned();
        match name.as_str() {
            "filename" if value.is_empty() => return Err(messages::pair_required(field)),
            "filename" => {
                let names = entry.entry(name).or_insert_with(|| Field::Texts(Vec::new()));
                if let Field::Texts(names) = names {
                    names.push(value.to_owned());
                }
            }
            "reset" | "disabled" | "strict" => drop(entry.insert(name, Field::Flag(flag(value)?))),
            "log-level" => {
                let level = level(value).ok_or_else(|| messages::unknown_field(field))?;
                entry.insert(name, text_field(level));
            }
            _ => return Err(messages::unknown_field(&name)),
        }
    }
    Ok(entry)
}

fn level(text: &str) -> Option<&'static str> {
    let text = text.to_lowercase();
    let text = if text == "warn" { "warning" } else { &text };
    ["panic", "fatal", "error", "warning", "info", "debug", "trace"].into_iter().find(|level| *level == text)
}

fn printed_policy(entry: &KeyValueEntry) -> Value {
    let names = match entry.get("filename") {
        Some(Field::Texts(names)) => names.as_slice(),
        _ => &[],
    };
    let file = |name: &String| Value::object([("Filename", Value::from(name)), ("Data", Value::NULL)]);
    let files = if names.is_empty() { Value::NULL } else { Value::tuple(names.iter().map(file)) };
    let flag = |name: &str| Value::from(entry.get(name) == Some(&Field::Flag(true)));
    Value::object([
        ("Files", files),
        ("Reset", flag("reset")),
        ("Disabled", flag("disabled")),
        ("Strict", entry.get("strict").map_or(Value::NULL, plain)),
        ("LogLevel", entry.get("log-level").map_or(Value::NULL, plain)),
    ])
}

/// The fields of a line of separated values. A field in quotes can contain separators, and quotes written twice.
pub(crate) fn fields(line: &str, separator: char) -> Result<Vec<String>, String> {
    let line = line.strip_suffix('\n').map_or(line, |line| line.strip_suffix('\r').unwrap_or(line));
    if line.is_empty() {
        return Err(messages::EMPTY_CSV.to_owned());
    }
    let misplaced = || messages::INVALID_CSV.to_owned();
    let mut found = Vec::new();
    let mut rest = line;
    loop {
        let (field, after) = match rest.strip_prefix('"') {
            None => {
                let (field, after) =
                    rest.split_once(separator).map_or((rest, None), |(field, after)| (field, Some(after)));
                if field.contains('"') {
                    return Err(misplaced());
                }
                (field.to_owned(), after)
            }
            Some(quoted) => {
                let (mut field, mut quoted) = (String::new(), quoted);
                loop {
                    let (part, after) = quoted.split_once('"').ok_or_else(misplaced)?;
                    field.push_str(part);
                    match after.strip_prefix('"') {
                        Some(after) => {
                            field.push('"');
                            quoted = after;
                        }
                        None if after.is_empty() => break (field, None),
                        None => {
                            let after = after.strip_prefix(separator).ok_or_else(misplaced)?;
                            break (field, Some(after));
                        }
                    }
                }
            }
        };
        found.push(field);
        match after {
            Some(after) => rest = after,
            None => return Ok(found),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_separated_as_in_csv() {
        let all = |line: &str| fields(line, ',').map(|found| found.join("|"));
        assert_eq!(all("a,b=c").as_deref(), Ok("a|b=c"));
        assert_eq!(all("\"a,\"\"b\"\"\",c").as_deref(), Ok("a,\"b\"|c"));
        assert_eq!(all("a,").as_deref(), Ok("a|"));
        for wrong in ["", "a\"b", "\"a", "\"a\"b"] {
            assert!(all(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn duplicates_are_removed() {
        let text = |text: &str| EntryKind::Cache.parse(text).unwrap();
        let mut all = [text("a"), text("b"), text("a"), text("c")].concat();
        EntryKind::Cache.distinct(&mut all);
        assert_eq!(all, [text("a"), text("b"), text("c")].concat());
        let mut keys = [EntryKind::Ssh.parse("a=1").unwrap(), EntryKind::Ssh.parse("a=2").unwrap()].concat();
        EntryKind::Ssh.distinct(&mut keys);
        assert_eq!(keys, EntryKind::Ssh.parse("a=2").unwrap());
    }
}
